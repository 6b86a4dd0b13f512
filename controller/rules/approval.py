"""What nobody may decide alone, which names are one name to a reader, and a law that is what its name says (R-26, R-33,
R-34, R-36).

Theory. A person is a name that is not blank; the same name twice is one person, also where it is only *read* as the
same: whoever signs beside `Ana` at three in the morning must not be `ana`, `ána` or `Аna` with a Cyrillic letter. So
names are compared as a tired reader takes them, and kept as they were written. Who they are and what role each has is
for the core to know.

What is folded, and why no more: compatibility forms, case, accents, and everything that is no letter and no digit
(spaces, dots, hyphens), because they are lost in a list, aloud and on a badge; letters of the Latin, Cyrillic and Greek
scripts that are drawn alike; `0` and `o`, and `1`, `l` and `i`; `rn` and `m`, `vv` and `w`. The order of words, and
letters that are only near (`cl` and `d`, `5` and `s`), stay apart: honest people would be refused for them. Two honest
people who bear one name get a second surname.

The laws that the program ships are known by their content. A law is what its values say, so what is compared is the
document as data: every key and value, titles and clauses too, the keys in their order and nothing between them. A
comment, a blank line or another order of the tables changes no law, and would only make two copies of the same law
differ. A name that is read as a shipped one is a shipped one.
"""

import unicodedata
from collections.abc import Sequence

from controller.rules.refusal import Reason, Refusal, refuse

SHIPPED = {
    "scj-2023": (
        "a10be9f4bd55d21188b7336a8bdbf98446180d0c0ae82a57b00300c2493a5a9e",
        "8cbc36ba6e4cfc59302be045af628cdba53b73fa940c5cae95065c764d81d57b",
        "63fabccfa0bf959a153551239b363648e8407fca38bfd6f5bc6975d15e246ebb",
        "c686caead29a99a0fe0f4f4388c3521dfc08c99510a318549b15ef85c522d3f2",
    ),
    "aj-bolivia": (
        "1196fdbfba2ed0a24f3c9918ee2a9d73f954fce064ba158ac8ba0af07be1b0a5",
        "87ec1c475e3f338f3dc96bb3cbf14554da9c4bcbf56be3d6a8522bb42193d190",
        "c77cb5749dd38d1e251ecf203ca5eea8d8adcadc13673eac3d344e4957caf464",
        "c144aefe70b06a0dc3946e939071350139dd5e7aa76a0048e4f2f80ebaf491bf",
        "078dc4f6cb6f44825a5f7b1ac05b9c27a32849117ca01bb8de359d0a19334622",
    ),
    "arica-2017": (
        "e56ab979568fe68bcc1795de041580f36f69f5ee11d9783501758446b83b8b5f",
        "88cdfb178f03e7738422c8d73c709dda0a907863280c404277085c751e1fabaa",
        "59d4692f8814acc90ecb064d22638ef5f11222cc4e5040e50cfe8832aae7a18f",
        "dda599e2844fcfd1baf50c8dc134ffc2e07324437f970fd6001b5bc75eff7ab8",
        "63bd385c847a3352679185ec3503ec337ff9f35c5209cde7c409339d235fa74e",
    ),
}
"""R-26: each law that the program ships, the newest content first; a new one is put in front, none is ever taken out,
because records hold plans that were approved under each of them."""
_DRAWN_ALIKE = str.maketrans(
    # Cyrillic, by the Latin letter that each is drawn as
    "\u0410\u0430\u0412\u0432\u0421\u0441\u0501\u0415\u0435\u04ba\u04bb\u041d\u043d\u0406\u0456\u0408\u0458\u041a\u043a"
    "\u041c\u043c\u041e\u043e\u0420\u0440\u051a\u051b\u0405\u0455\u0422\u0442\u0474\u0475\u051c\u051d\u0425\u0445\u0423\u0443"
    # Greek: a small letter may be drawn as another one than its capital
    "\u0391\u03b1\u0392\u03b2\u0395\u03b5\u0396\u0397\u03b7\u0399\u03b9\u039a\u03ba\u039c\u03bc\u039d\u03bd\u039f\u03bf\u03c3"
    "\u03a1\u03c1\u03a4\u03c4\u03a5\u03c5\u03a7\u03c7\u03c9\u03b3"
    # Latin letters with a stroke, without a dot, and eth
    "\u00d8\u00f8\u0110\u0111\u0141\u0142\u0126\u0127\u0166\u0167\u0131\u00d0\u00f0",
    "AaBbCcdEeHhHhIiJjKk"
    "MmOoPpQqSsTtVvWwXxYy"
    "AaBbEeZHnIiKkMuNvOoo"
    "PpTtYuXxwy"
    "OoDdLlHhTtiDd",
)  # fmt: skip
_WRITTEN_ALIKE = str.maketrans({"0": "o", "1": "i", "l": "i", "\u00e6": "ae", "\u0153": "oe"})
_SIDE_BY_SIDE = (("rn", "m"), ("vv", "w"))


def as_read(name: str) -> str:
    """R-36: what a name is to who reads it in a hurry; two names of one reading are one name."""
    assert isinstance(name, str), "one name"
    small = unicodedata.normalize("NFKD", name).translate(_DRAWN_ALIKE).casefold()
    drawn = unicodedata.normalize("NFKD", small).translate(_DRAWN_ALIKE).casefold()
    letters = "".join(filter(str.isalnum, drawn)).translate(_WRITTEN_ALIKE)
    for pair, letter in _SIDE_BY_SIDE:
        letters = letters.replace(pair, letter)
    assert not letters or letters.isalnum(), "letters and digits, nothing else"
    return letters


def refuse_without_two(approvers: Sequence[str], where: str) -> Refusal | None:
    """R-26, R-34: the approval of two different persons."""
    # One name is also a sequence, of its letters; two letters would be taken for two persons.
    assert not isinstance(approvers, str), "R-26: the names of persons"
    persons = {as_read(person) or person.strip() for person in approvers} - {""}
    return refuse(Reason.TWO_PERSONS_NEEDED, where) if len(persons) < 2 else None


def shipped_name(name: str) -> str:
    """The shipped law that a reader takes this name for; "" where it is nobody's but the house's own."""
    assert name, "a law has a name"
    return next((known for known in SHIPPED if as_read(known) == as_read(name)), "")


def refuse_borrowed_name(name: str, content: str) -> Refusal | None:
    """R-26, R-33: under the name of a law that the program ships, that law and nothing else, as it is shipped today.
    What an authority approved otherwise has another name."""
    known = shipped_name(name)
    if not known:
        return None
    assert len(SHIPPED[known]) > 0, "a shipped law has a content"
    if name == known and content == SHIPPED[known][0]:
        return None
    return refuse(Reason.LAW_NOT_ITS_NAME, "ruleset", name=name, known=known, content=content[:16])
