"""What nobody may decide alone, and a law that is what its name says (R-26, R-33, R-34).

Theory. A person is a name that is not blank; the same name twice is one person. Who they are and what role
each has is for the core to know.

The laws that the program ships are known by their content. A law is what its values say, so what is compared is the
document as data: every key and value, titles and clauses too, the keys in their order and nothing between them. A
comment, a blank line or another order of the tables changes no law, and would only make two copies of the same law
differ. A name that a reader takes for a shipped one is a shipped one: case, spaces and signs make no other.
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


def refuse_without_two(approvers: Sequence[str], where: str) -> Refusal | None:
    """R-26, R-34: the approval of two different persons."""
    # One name is also a sequence, of its letters; two letters would be taken for two persons.
    assert not isinstance(approvers, str), "R-26: the names of persons"
    persons = {person.strip() for person in approvers} - {""}
    return refuse(Reason.TWO_PERSONS_NEEDED, where) if len(persons) < 2 else None


def shipped_name(name: str) -> str:
    """The shipped law that a reader takes this name for; "" where it is nobody's but the house's own."""
    assert name, "a law has a name"
    return next((known for known in SHIPPED if _as_read(known) == _as_read(name)), "")


def _as_read(name: str) -> str:
    letters = "".join(sign for sign in unicodedata.normalize("NFKC", name).casefold() if sign.isalnum())
    assert len(letters) <= len(unicodedata.normalize("NFKC", name).casefold()), "signs and spaces are left out"
    return letters


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
