"""`pozo export`: a whole record in an open form, one JSON object a line, and that form read again as a record.

Theory. What a casino must keep for years must be readable without this program. The first line names the form and its
version; then come people, positions, checkpoints, snapshots and balances; then each fact with its hash, followed by its
postings and by the outcome that begins with it; the last line counts everything, so that a file that was cut is known
by it. The body of a fact stands there byte for byte, as the JSON it is; one that is not (in a damaged store) in base64.
PINs' verifiers are not exported, only their SHA-256. Read again it streams: nothing is held but one line.
"""

import hashlib
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple, NoReturn

import msgspec
from msgspec import Meta, Raw, Struct

from controller.record.record import FIRST_SEQ, Fingerprint, Record, RecordDamaged

FORM, VERSION = "pozo-record", 1
MOST_LINE_BYTES = 2**28
_REPORT_EVERY = 1_000

_Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]
_Number = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class Fact(NamedTuple):
    seq: int
    at: int
    kind: str
    body: bytes
    hash: bytes


class Posting(NamedTuple):
    fact: int
    line: int
    account: str
    amount: int
    cause: str


class Balance(NamedTuple):
    account: str
    amount: int
    fact: int


class Outcome(NamedTuple):
    source: str
    epoch: int
    number: int
    digest: bytes
    first: int
    last: int


class Person(NamedTuple):
    id: str
    name: str
    verifier: Fingerprint


class Checkpoint(NamedTuple):
    seq: int
    body: bytes
    signature: bytes


class Snapshot(NamedTuple):
    seq: int
    body: bytes


class Position(NamedTuple):
    peer: str
    direction: str
    epoch: int
    seq: int
    hash: bytes


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of one line, strictly."""


class _Header(_Line, frozen=True):
    form: str
    version: int
    node: str
    epoch: _Number


class _Body(_Line, frozen=True, omit_defaults=True):
    """A text of the record: as the JSON it is, or in base64."""

    seq: _Number
    body: Raw = Raw()
    base64: bytes = b""

    @property
    def bytes(self) -> bytes:
        return bytes(self.body) or self.base64


class _Fact(_Body, frozen=True, kw_only=True):
    at: _Number
    kind: str
    hash: _Hex


class _Posting(_Line, frozen=True):
    fact: _Number
    line: _Number
    account: str
    amount: _Number
    cause: str


class _Balance(_Line, frozen=True):
    account: str
    amount: _Number
    fact: _Number


class _Outcome(_Line, frozen=True):
    source: str
    epoch: _Number
    number: _Number
    digest: _Hex
    first: _Number
    last: _Number


class _Person(_Line, frozen=True):
    id: str
    name: str
    sha256: str


class _Checkpoint(_Body, frozen=True, kw_only=True):
    signature: _Hex


class _Position(_Line, frozen=True):
    peer: str
    direction: str
    epoch: _Number
    seq: _Number
    hash: _Hex


_IN_FRONT = ("person", "position", "checkpoint", "snapshot", "balance")
_IN_STEP = ("fact", "posting", "outcome")
_encode = msgspec.json.Encoder().encode


def _text(body: bytes) -> dict[str, Any]:
    """JSON stands in the line as it is, if reading it and writing it again gives the same bytes."""
    try:
        if msgspec.json.encode(msgspec.json.decode(body)) == body:
            return {"body": Raw(body)}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    return {"base64": b64encode(body).decode()}


def export(record: Record, to: BinaryIO, progress: Callable[[int], None]) -> dict[str, int]:
    """The whole record into a file; how many rows of each kind."""
    counts: Counter[str] = Counter()

    def put(kind: str, row: dict[str, Any]) -> None:
        counts[kind] += 1
        to.write(_encode({kind: row}) + b"\n")

    put("header", {"form": FORM, "version": VERSION, "node": record.node, "epoch": record.epoch})
    _write_front(record, put)
    postings, outcomes = iter(record.posting_rows()), iter(record.outcome_rows())
    posting, outcome = next(postings, None), next(outcomes, None)
    last = 0
    for fact in record.facts():
        last = fact.seq
        about = {"seq": fact.seq, "at": fact.at, "kind": fact.kind, "hash": fact.hash.hex()}
        put("fact", about | _text(fact.body))
        while posting is not None and posting.fact <= last:
            put("posting", _fields(posting, _Posting))
            posting = next(postings, None)
        while outcome is not None and outcome.first <= last:
            put("outcome", _fields(outcome, _Outcome))
            outcome = next(outcomes, None)
        if last % _REPORT_EVERY == 0:
            progress(last)
    for kind, form, row, rows in (("posting", _Posting, posting, postings), ("outcome", _Outcome, outcome, outcomes)):
        for stray in () if row is None else (row, *rows):
            put(kind, _fields(stray, form))
    progress(last)
    del counts["header"]
    to.write(_encode({"end": dict(counts)}) + b"\n")
    return dict(counts)


def _write_front(record: Record, put: Callable[[str, dict[str, Any]], None]) -> None:
    for person in record.people():
        shown = isinstance(person.verifier, Fingerprint)
        digest = str(person.verifier) if shown else hashlib.sha256(person.verifier.encode()).hexdigest()
        put("person", {"id": person.id, "name": person.name, "sha256": digest})
    for position in record.positions():
        put("position", _fields(position, _Position))
    for checkpoint in record.checkpoints():
        put("checkpoint", {"seq": checkpoint.seq, "signature": checkpoint.signature.hex()} | _text(checkpoint.body))
    for snapshot in record.snapshots():
        put("snapshot", {"seq": snapshot.seq} | _text(snapshot.body))
    for balance in record.balance_rows():
        put("balance", _fields(balance, _Balance))


def _fields(row: object, form: type[Struct]) -> dict[str, Any]:
    """The fields of a row, bytes in hex."""
    values = {name: getattr(row, name) for name in form.__struct_fields__}
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in values.items()}


def _decoder(kind: str, form: type[_Line]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(msgspec.defstruct(kind, [(kind, form)], forbid_unknown_fields=True))


_FORMS: dict[str, type[_Line]] = {
    "header": _Header,
    "person": _Person,
    "position": _Position,
    "checkpoint": _Checkpoint,
    "snapshot": _Body,
    "balance": _Balance,
    "fact": _Fact,
    "posting": _Posting,
    "outcome": _Outcome,
}
_DECODERS = {kind: _decoder(kind, form) for kind, form in _FORMS.items()}
_KIND_OF = {f'{{"{kind}":'.encode(): kind for kind in (*_FORMS, "end")}


class _End(_Line, frozen=True):
    end: dict[str, _Number]


_END = msgspec.json.Decoder(_End)


class Exported:
    """An exported record, read as any other. Every line that is not as it was written is one error, by its number."""

    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self._path = path
        header: _Header = next(self._rows("header"))
        if (header.form, header.version) != (FORM, VERSION):
            self._damaged(1, f"no es un registro exportado de la versión {VERSION}")
        self.node, self.epoch = header.node, header.epoch

    def _damaged(self, line: int, why: str) -> NoReturn:
        raise RecordDamaged(f"{self.place}, línea {line}", why)

    def _lines(self) -> Iterator[tuple[int, str, bytes]]:
        """Each line with its number and its kind; the last line counts those before it."""
        counts: Counter[str] = Counter()
        try:
            with self._path.open("rb") as file:
                number, kind = 0, ""
                while line := file.readline(MOST_LINE_BYTES):
                    number += 1
                    if kind == "end" or not line.endswith(b"\n"):
                        self._damaged(number, "sobra después de la última línea, o le falta el fin")
                    kind = _KIND_OF.get(line[: line.find(b":") + 1], "")
                    if not kind or (kind == "header") != (number == 1):
                        self._damaged(number, "no es una línea de un registro exportado")
                    if kind == "end":
                        self._prove_counts(number, line, counts)
                    counts[kind] += 1
                    yield number, kind, line
        except OSError as error:
            raise RecordDamaged(self.place, f"no se puede leer: {error.strerror}") from None
        if kind != "end":
            self._damaged(number + 1, "falta el final: el archivo está cortado")

    def _prove_counts(self, number: int, line: bytes, counts: Counter[str]) -> None:
        try:
            told = _END.decode(line).end
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._damaged(number, "la línea está dañada")
        del counts["header"]
        for kind in {**told, **counts}:
            if told.get(kind, 0) != counts[kind]:
                self._damaged(number, f"cuenta {told.get(kind, 0)} líneas {kind}, y hay {counts[kind]}")

    def _rows(self, wanted: str) -> Iterator[Any]:
        """The rows of one kind. Those in front are read no further than to the first fact."""
        decode = _DECODERS[wanted].decode
        for number, kind, line in self._lines():
            if kind == wanted:
                try:
                    row = getattr(decode(line), wanted)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    self._damaged(number, "la línea está dañada")
                yield row
            elif wanted in _IN_FRONT and kind in _IN_STEP:
                return

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[Fact]:
        for row in self._rows("fact"):
            if first <= row.seq and (last is None or row.seq <= last):
                yield Fact(row.seq, row.at, row.kind, row.bytes, bytes.fromhex(row.hash))

    def posting_rows(self) -> Iterator[Posting]:
        for row in self._rows("posting"):
            yield Posting(row.fact, row.line, row.account, row.amount, row.cause)

    def postings(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[Posting]:
        return (row for row in self.posting_rows() if first <= row.fact and (last is None or row.fact <= last))

    def outcome_rows(self) -> Iterator[Outcome]:
        for row in self._rows("outcome"):
            yield Outcome(row.source, row.epoch, row.number, bytes.fromhex(row.digest), row.first, row.last)

    def balance_rows(self) -> Iterable[Balance]:
        return (Balance(row.account, row.amount, row.fact) for row in self._rows("balance"))

    def checkpoints(self) -> Iterable[Checkpoint]:
        rows = self._rows("checkpoint")
        return (Checkpoint(row.seq, row.bytes, bytes.fromhex(row.signature)) for row in rows)

    def snapshots(self) -> Iterable[Snapshot]:
        return (Snapshot(row.seq, row.bytes) for row in self._rows("snapshot"))

    def people(self) -> Iterable[Person]:
        return (Person(row.id, row.name, Fingerprint(row.sha256)) for row in self._rows("person"))

    def positions(self) -> Iterable[Position]:
        rows = self._rows("position")
        return (Position(row.peer, row.direction, row.epoch, row.seq, bytes.fromhex(row.hash)) for row in rows)

    def schema(self) -> None:
        """A file has no tables that could refuse a change; its counts and the chain stand for it."""
