"""Pages of a month between two nodes, looked at without any record: whose they are, and whether they agree (R-28).

Theory. A page is under one signature of its node: the last line of a text or a table signs every byte before it, and
in JSON the signature is of the page's own canonical bytes. So what was edited is found by the page alone. Statements
are compared by their hashes; of JSON the hash and the sum are made again. A page says its key itself, so whose page it
is follows from a key that the reader had before: without one, he is told to compare it.
"""

import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from controller.verify.chain import is_signed_clearing
from controller.verify.wrong import shown

Which = tuple[str, str, str, str]
"""The month, the pot, the member, and whose the pot is."""

DETAILS = frozenset(
    {
        "bets.wagered",
        "bets.commission",
        "voids.wagered",
        "voids.commission",
        "disputes.taken",
        "paid",
        "aside",
        "advances.given",
        "advances.back",
    }
)
"""Lines of a statement that are said, and are no part of its sum."""

_LINE = re.compile(r"   ([0-9]{4}-[0-9]{2}) (\S+) (\S+) (\S+) ([0-9]+) ([0-9]+) (-?[0-9]+) ([0-9a-f]{64})")
_KEY = re.compile(r"Llave de (\S+): ([0-9a-f]{64})")
_SEAL = re.compile(rb"\n(?:Firma: |,,,,firma,,,,,,,,)([0-9a-f]{128})?[^\n]*\n\Z")


class Stated(NamedTuple):
    """A statement as a page has it: up to which letters, what is owed, and its hash."""

    up: int
    log: int
    closing: int
    hash: str


class Page(NamedTuple):
    """A page: of which node, by which key, whether that key signed it (None: nobody did), what it states, and what of
    it cannot be."""

    place: str
    node: str
    key: str
    signed: bool | None
    stated: Mapping[Which, Stated]
    wrong: tuple[str, ...] = ()


class NoPage(Exception):  # noqa: N818  says what happened
    """A file that is no page of a month: one Spanish sentence."""


def read_page(place: str, content: bytes) -> Page:
    """A page in any of its forms."""
    try:
        if content.lstrip()[:1] == b"{":
            return _read_json(place, content)
        return _read_lines(place, content)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, ValueError, RecursionError):
        raise NoPage(f"{place}: no es una página de `pozo clearing` en texto, CSV o JSON") from None


def _read_json(place: str, content: bytes) -> Page:
    sealed = msgspec.json.decode(content)
    page = sealed["page"]
    signature, before = bytes.fromhex(sealed["signature"]), msgspec.json.encode(page, order="sorted")
    signed = is_signed_clearing(before, signature, page["key"]) if signature else None
    stated, wrong = dict[Which, Stated](), list[str]()
    for one in page["statements"]:
        body = one["body"]
        of = (body["month"], body["pot"], body["below"], body["above"])
        stated[of] = Stated(body["until_up"]["number"], body["until_log"]["number"], body["closing"], one["hash"])
        wrong += (f"{_named(of)}: {why}" for why in _wrong_in(body, one["hash"]))
    return Page(place, page["node"], page["key"], signed, stated, tuple(wrong))


def _wrong_in(body: dict[str, Any], hash_: str) -> Iterator[str]:
    if hashlib.sha256(msgspec.json.encode(body, order="sorted")).hexdigest() != hash_:
        yield "la huella no es la de lo que dice"
    moved = sum(line["amount"] for key, line in body["lines"].items() if key not in DETAILS)
    if body["opening"] + moved != body["closing"]:
        yield "sus líneas no suman su saldo"


def _read_lines(place: str, content: bytes) -> Page:
    """A text or a table; the last line holds the signature of all before it."""
    seal = _SEAL.search(content)
    if seal is None:
        raise ValueError
    before, signature = content[: seal.start() + 1], seal.group(1)
    text = before.decode()
    of_csv = b",firma," in seal.group()
    node, key, stated = _of_csv(text) if of_csv else _of_text(text)
    signed = is_signed_clearing(before, bytes.fromhex(signature.decode()), key) if signature else None
    return Page(place, node, key, signed, stated)


def _of_text(text: str) -> tuple[str, str, dict[Which, Stated]]:
    stated: dict[Which, Stated] = {}
    node, key = "", ""
    for line in text.splitlines():
        if found := _LINE.fullmatch(line):
            month, pot, below, above, up, log, closing, hash_ = found.groups()
            stated[month, pot, below, above] = Stated(int(up), int(log), int(closing), hash_)
        elif found := _KEY.fullmatch(line):
            node, key = found.groups()
    if not key:
        raise ValueError
    return node, key, stated


def _of_csv(text: str) -> tuple[str, str, dict[Which, Stated]]:
    rows: dict[Which, dict[str, dict[str, str]]] = {}
    for row in csv.DictReader(text.splitlines()):
        of = (row["mes"], row["pozo"], row["mesas_de"], row["pozo_de"])
        rows.setdefault(of, {})[row["clave"]] = row
    page = rows.pop(("", "", "", ""))
    stated = {
        of: Stated(
            int(keys["hasta.mesas"]["ultima_carta"]), int(keys["hasta.pozo"]["ultima_carta"]),
            int(keys["saldo"]["importe"]), keys["huella"]["texto"],
        )
        for of, keys in rows.items()
    }  # fmt: skip
    return page["nodo"]["texto"], page["llave"]["texto"], stated


class Compared(NamedTuple):
    """What pages say of each other: what is the same, what is not, and what only one of them has."""

    same: tuple[str, ...]
    different: tuple[str, ...]
    alone: tuple[str, ...]


def compare_pages(pages: Iterable[Page]) -> Compared:
    """R-28: the statements of each two nodes."""
    same, different, alone = list[str](), list[str](), list[str]()
    by_node: dict[str, Page] = {}
    for page in pages:
        if page.node in by_node:
            different.append(f"{page.place} y {by_node[page.node].place} son las dos de {shown(page.node)}")
        by_node.setdefault(page.node, page)
    whose: dict[Which, dict[str, Stated]] = {}
    for node, page in by_node.items():
        for of, stated in page.stated.items():
            whose.setdefault(of, {})[node] = stated
    for of, said in whose.items():
        _, _, below, above = of
        if node := next((node for node in said if node not in (below, above)), ""):
            different.append(f"{_named(of)}: {shown(node)} no es ninguno de los dos")
        elif len(said) == 1:
            missing = above if below in said else below
            alone.append(f"{_named(of)}: falta la página de {shown(missing)}")
        elif said[below] == said[above]:
            same.append(f"{_named(of)}: saldo {said[below].closing}, huella {said[below].hash}")
        else:
            different.append(f"{_named(of)}: {_how(below, said[below])}; {_how(above, said[above])}")
            different += _why(of, said[below], said[above])
    return Compared(tuple(same), tuple(different), tuple(alone))


def _how(node: str, said: Stated) -> str:
    return f"{shown(node)} dice {said.closing} hasta sus cartas {said.up} y {said.log}, huella {said.hash[:16]}"


def _why(of: Which, below: Stated, above: Stated) -> Iterator[str]:
    """What can be known of it from the pages."""
    _, _, member, owner = of
    if (below.up, below.log) == (above.up, above.log):
        yield f"{_named(of)}: las mismas cartas y otra cuenta; `pozo verify` de los dos registros dice cuál está mal"
        return
    behind = member if (below.up, below.log) < (above.up, above.log) else owner
    why = "aún no las ha oído, o su registro es una copia vieja"
    yield f"{_named(of)}: a la página de {shown(behind)} le faltan cartas: {why}"


def _named(of: Which) -> str:
    month, pot, below, above = (shown(word) for word in of)
    return f"{month}, pozo {pot}, {below} y {above}"
