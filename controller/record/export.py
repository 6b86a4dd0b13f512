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
from collections.abc import Callable, Collection, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NoReturn

import msgspec
from msgspec import Meta, Raw, Struct

from controller.record.record import (
    FIRST_SEQ,
    BalanceRow,
    CheckpointRow,
    FactRow,
    Fingerprint,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    Record,
    RecordDamaged,
    SnapshotRow,
)

FORM, VERSION = "pozo-record", 1
MOST_LINE_BYTES = 2**28
_REPORT_EVERY = 1_000
_MARK_EVERY = 10_000

_Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]
_Number = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


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


_ROWS: dict[str, Any] = {
    "person": PersonRow,
    "position": PositionRow,
    "checkpoint": CheckpointRow,
    "snapshot": SnapshotRow,
    "balance": BalanceRow,
    "fact": FactRow,
    "posting": PostingRow,
    "outcome": OutcomeRow,
}
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


def _fields(row: Any) -> dict[str, Any]:
    """A row as it stands in its line: bytes in hex, a verifier as its SHA-256, a text of the record last."""
    fields = row._asdict()
    text = _text(fields.pop("body")) if "body" in fields else {}
    if "verifier" in fields:
        verifier = fields.pop("verifier")
        shown = isinstance(verifier, Fingerprint)
        fields["sha256"] = str(verifier) if shown else hashlib.sha256(verifier.encode()).hexdigest()
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in fields.items()} | text


def export(record: Record, to: BinaryIO, progress: Callable[[int], None]) -> dict[str, int]:
    """The whole record into a file; how many rows of each kind."""
    counts: Counter[str] = Counter()

    def put(kind: str, row: object) -> None:
        counts[kind] += 1
        to.write(_encode({kind: _fields(row)}) + b"\n")

    header = {"form": FORM, "version": VERSION, "node": record.node, "epoch": record.epoch}
    to.write(_encode({"header": header}) + b"\n")
    fronts = (record.people, record.positions, record.checkpoints, record.snapshots, record.balance_rows)
    for kind, rows in zip(_IN_FRONT, fronts, strict=True):
        for row in rows():
            put(kind, row)
    postings, outcomes = iter(record.posting_rows()), iter(record.outcome_rows())
    posting, outcome = next(postings, None), next(outcomes, None)
    last = 0
    for fact in record.facts():
        last = fact.seq
        put("fact", fact)
        while posting is not None and posting.fact <= last:
            put("posting", posting)
            posting = next(postings, None)
        while outcome is not None and outcome.first <= last:
            put("outcome", outcome)
            outcome = next(outcomes, None)
        if last % _REPORT_EVERY == 0:
            progress(last)
    while posting is not None:
        put("posting", posting)
        posting = next(postings, None)
    while outcome is not None:
        put("outcome", outcome)
        outcome = next(outcomes, None)
    progress(last)
    to.write(_encode({"end": dict(counts)}) + b"\n")
    return dict(counts)


_IN_LINE: dict[type, Any] = {int: _Number, str: str, bytes: _Hex}
_READ: dict[str, Callable[[Any], Any]] = {
    "body": lambda line: bytes(line.body) or line.base64,
    "hash": lambda line: bytes.fromhex(line.hash),
    "digest": lambda line: bytes.fromhex(line.digest),
    "signature": lambda line: bytes.fromhex(line.signature),
    "verifier": lambda line: Fingerprint(line.sha256),
}


def _decoder(kind: str, form: type[Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(msgspec.defstruct(kind, [(kind, form)], forbid_unknown_fields=True))


def _form_of(kind: str, row: Any) -> type[Struct]:
    """The strict form of a kind's lines, from the fields of its rows."""
    fields = {name: _IN_LINE[type_] for name, type_ in row.__annotations__.items()}
    with_text = fields.pop("body", None) is not None
    if fields.pop("verifier", None) is not None:
        fields["sha256"] = str
    return msgspec.defstruct(kind, list(fields.items()), bases=(_Body if with_text else _Line,), kw_only=True)


_DECODERS = {kind: _decoder(kind, _form_of(kind, row)) for kind, row in _ROWS.items()}
_DECODERS["header"] = _decoder("header", _Header)
_READERS = {kind: [_READ.get(name, attrgetter(name)) for name in row._fields] for kind, row in _ROWS.items()}
_KIND_OF = {f'{{"{kind}":'.encode(): kind for kind in (*_DECODERS, "end")}


class _End(_Line, frozen=True):
    end: dict[str, _Number]


_END = msgspec.json.Decoder(_End)


class Exported:
    """An exported record, read as any other. Every line that is not as it was written is one error, by its number."""

    def __init__(self, path: Path) -> None:
        self.place = str(path)
        self._path = path
        self._marks = [(0, 0, 0)]
        header: _Header = next(self._decoded("header"))
        if (header.form, header.version) != (FORM, VERSION):
            self._damaged(1, f"no es un registro exportado de la versión {VERSION}")
        self.node, self.epoch = header.node, header.epoch

    def _damaged(self, line: int, why: str) -> NoReturn:
        raise RecordDamaged(f"{self.place}, línea {line}", why)

    def _lines(self) -> Iterator[tuple[int, str, bytes]]:
        """Each line with its number and its kind; the last line counts those before it. Where every ten thousandth fact
        stands is kept, for who reads again from there."""
        counts: Counter[str] = Counter()
        try:
            with self._path.open("rb") as file:
                number, kind, at = 0, "", 0
                while line := file.readline(MOST_LINE_BYTES):
                    if counts["fact"] >= self._marks[-1][0] + _MARK_EVERY:
                        self._marks.append((counts["fact"], at, number))
                    at += len(line)
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
            counted = _END.decode(line).end
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._damaged(number, "la línea está dañada")
        del counts["header"]
        for kind in {**counted, **counts}:
            if counted.get(kind, 0) != counts[kind]:
                self._damaged(number, f"cuenta {counted.get(kind, 0)} líneas {kind}, y hay {counts[kind]}")

    def _decoded(self, wanted: str) -> Iterator[Any]:
        """The lines of one kind. Those in front are read no further than to the first fact."""
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

    def _rows(self, kind: str) -> Iterator[Any]:
        make, readers = _ROWS[kind]._make, _READERS[kind]
        return (make([read(line) for read in readers]) for line in self._decoded(kind))

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[FactRow]:
        return (row for row in self._rows("fact") if first <= row.seq and (last is None or row.seq <= last))

    def facts_since(self, first: int, kinds: Collection[str]) -> Iterator[FactRow]:
        """From the last mark before it; what was read so far has been counted and looked at already."""
        decode, make, readers = _DECODERS["fact"].decode, FactRow._make, _READERS["fact"]
        _, at, number = max(mark for mark in self._marks if mark[0] < max(first, 1))
        with self._path.open("rb") as file:
            file.seek(at)
            while line := file.readline(MOST_LINE_BYTES):
                number += 1
                if _KIND_OF.get(line[: line.find(b":") + 1]) != "fact":
                    continue
                try:
                    fact = decode(line).fact
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    self._damaged(number, "la línea está dañada")
                if fact.seq >= first and fact.kind in kinds:
                    yield make([read(fact) for read in readers])

    def postings(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[PostingRow]:
        return (row for row in self.posting_rows() if first <= row.fact and (last is None or row.fact <= last))

    def posting_rows(self) -> Iterator[PostingRow]:
        return self._rows("posting")

    def outcome_rows(self) -> Iterator[OutcomeRow]:
        return self._rows("outcome")

    def balance_rows(self) -> Iterator[BalanceRow]:
        return self._rows("balance")

    def checkpoints(self) -> Iterator[CheckpointRow]:
        return self._rows("checkpoint")

    def snapshots(self) -> Iterator[SnapshotRow]:
        return self._rows("snapshot")

    def people(self) -> Iterator[PersonRow]:
        return self._rows("person")

    def positions(self) -> Iterator[PositionRow]:
        return self._rows("position")

    def schema(self) -> None:
        """A file has no tables that could refuse a change; its counts and the chain stand for it."""

    def damage(self) -> tuple[str, ...]:
        """Every line is read; there is nothing else."""
        return ()
