"""What a box gives its mirror: its own record, from where the casino's node has it (R-27).

Theory. The box decides nothing here. Where the mark is in its record, it gives what follows, as it stands in the store
and was committed; where it is not, the restore under a newer epoch than the mark's is where the two part; where there
is none, it says how its record ends, and the casino's node names what that means. What goes at once are whole answers,
with every signature of theirs: wherever a mirror stops, a box made anew from it has a record that an auditor agrees
with. It answers a mark once, and once more as soon as something new is committed. Reading is the store's; this file
knows no socket and no thread. What cannot be read or sealed is an alarm for as long as it lasts, and stops no table.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct

from controller.core.values import Broken, Mark
from controller.core.view import Alarm, alarm
from controller.node.book.chain import GENESIS, Key, KeyRefused, read_checkpoint, read_countersigned
from controller.node.book.escrow import AFTER
from controller.node.link.mirror_words import (
    MOST_BYTES,
    MOST_FACTS,
    MOST_PROVEN,
    MirrorAsks,
    MirrorEscrow,
    MirrorHead,
    MirrorMark,
    MirrorMessage,
    MirrorProof,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
    digest_of,
)
from controller.node.store.failure import StoreError
from controller.node.store.mirror import MOST_SNAPSHOT_BYTES
from controller.node.store.reads import Reads
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.disk import keep
from controller.record.record import FIRST_SEQ, CheckpointRow, FactRow

_WITHOUT_CODES = (
    "Si esta máquina se quema, nadie podrá rehacerla de su espejo: dos personas hacen sus códigos con pozo escrow."
)
_KEPT_HEADS = 12


class MirrorPorts(NamedTuple):
    """What a node gives its mirrors. `send`: to a neighbour, from this thread; `report`: what differs, for the record;
    `sealed`: what this node needs to be made anew, or nothing where no codes were made for it; `mirrored`: up to where
    the mirror that a neighbour keeps has our record; `say`: a line for the journal."""

    node: str
    folder: Path
    key: Key
    clock: Clock
    read: Callable[[], Reads]
    send: Callable[[str, MirrorMessage], None]
    report: Callable[[str, str, Broken, Mark], None]
    sealed: Callable[[], bytes | None]
    mirrored: Callable[[str, int], None]
    say: Callable[[str, Mapping[str, object]], object]


class _Restored(Struct, frozen=True):
    epoch: int


class _Line(Struct, frozen=True):
    fact: _Restored


class _OfAnAnswer(Struct, frozen=True):
    id: tuple[str, int, int]
    ask: str


_read_restored = msgspec.json.Decoder(_Line)
_read_answer = msgspec.json.Decoder(_OfAnAnswer)


class Answered(NamedTuple):
    """What goes to the casino's node, in this order, and the kinds of the facts in it. `has`: up to there the mirror
    has this very record."""

    messages: tuple[MirrorMessage, ...]
    kinds: frozenset[str] = frozenset()
    has: int = 0


def follows(record: Reads, mark: MirrorMark) -> Answered:
    """What this record answers to a mark."""
    if mark.seq < FIRST_SEQ or _hash_at(record, mark.seq) == mark.hash:
        return _rows(record, mark.seq + 1, mark.signed)._replace(has=mark.seq)
    parted = next(_restored_since(record, mark.epoch), None)
    if parted is not None and parted <= mark.seq:
        return _rows(record, parted, parted - 1)
    head = record.head()
    assert head is not None, "a node's record has its founding"
    return Answered((MirrorStands(record.epoch, head.seq, head.hash, _hash_at(record, FIRST_SEQ) or GENESIS),))


def proof(record: Reads, asks: MirrorAsks) -> MirrorProof:
    """What was mirrored long ago, as it stands here now."""
    last = min(asks.last, asks.first + MOST_PROVEN - 1)
    return MirrorProof(asks.first, asks.last, digest_of(record.facts(asks.first, last)))


def _rows(record: Reads, first: int, signed: int) -> Answered:
    rows = _as_many_as_go(record, first)
    last = first + len(rows) - 1
    signed_rows, snapshot = _signed(record, signed, last)
    if snapshot:  # the signatures after it come with the facts after it
        rows = rows[: max(signed_rows[-1].seq - first + 1, 0)]
    checkpoints = tuple((row.seq, row.body, row.signature) for row in signed_rows)
    message = MirrorRows(first, tuple(row.body for row in rows), checkpoints)
    return Answered((*snapshot, message), frozenset(row.kind for row in rows))


def _as_many_as_go(record: Reads, first: int) -> list[FactRow]:
    """In whole answers, if they are not too long: a box that burns comes back as its mirror stands, and half an answer
    is a seal without its letter, or a fact without the signature that must follow it."""
    rows: list[FactRow] = []
    size = 0
    for row in record.facts(first, first + MOST_FACTS):
        size += len(row.body)
        if rows and (len(rows) == MOST_FACTS or size > MOST_BYTES):
            whole = len(rows)
            while whole and _answer_of(rows[whole - 1]) == _answer_of(row):
                whole -= 1
            return rows[:whole] or rows
        rows.append(row)
    return rows


def _answer_of(row: FactRow) -> tuple[tuple[str, int, int], str]:
    line = _read_answer.decode(row.body)
    return line.id, line.ask


def _signed(record: Reads, after: int, last: int) -> tuple[list[CheckpointRow], list[MirrorSnapshot]]:
    """The checkpoints of these facts, up to the first that vouches for a snapshot that is still there; and that."""
    rows: list[CheckpointRow] = []
    for row in takewhile(lambda row: row.seq <= last, islice(record.checkpoints(after), MOST_FACTS)):
        rows.append(row)
        said = read_checkpoint(row.body)
        found = record.snapshot_at(row.seq) if said is not None and said.state else None
        if found is not None and len(found.body) <= MOST_SNAPSHOT_BYTES:
            return rows, [MirrorSnapshot(found.body)]
    return rows, []


def _hash_at(record: Reads, seq: int) -> bytes | None:
    """None past its end, where no mark can stand."""
    return next((row.hash for row in record.facts(seq, seq)), None)


def _restored_since(record: Reads, epoch: int) -> Iterator[int]:
    """The facts under which it was restored after that epoch; all are looked at, which happens where chains part."""
    for row in record.facts():
        if row.kind == "node_restored" and _read_restored.decode(row.body).fact.epoch > epoch:
            yield row.seq


class Given:
    """What this box gives of its own record, to the node of its casino."""

    def __init__(self, ports: MirrorPorts) -> None:
        self._ports = ports
        self._record: Reads | None = None
        self._waits: dict[str, MirrorMark] = {}
        self._sealed: bytes | None = None
        self._is_sealed_anew = False
        self.trouble: Alarm | None = None

    def take(self, neighbour: str, what: MirrorMessage | bool) -> None:
        match what:
            case bool():
                self._waits.pop(neighbour, None)
                self._is_sealed_anew = False
            case MirrorMark():
                self._answer(neighbour, what)
            case MirrorAsks():
                self._prove(neighbour, what)
            case MirrorHead():
                self._keep_head(neighbour, what)
            case _:
                pass  # a casino's node says none of the others

    def push(self) -> None:
        """Something was committed: who has all there was hears of it."""
        for neighbour, mark in list(self._waits.items()):
            self._answer(neighbour, mark)

    def _answer(self, neighbour: str, mark: MirrorMark) -> None:
        try:
            if self._record is None:
                self._record = self._ports.read()
            answered = follows(self._record, mark)
            self._ports.mirrored(neighbour, answered.has)
            self._seal(neighbour, mark, answered.kinds)
        except (StoreError, OSError) as error:
            self._record = None
            self.trouble = _unread(error)
            self._waits[neighbour] = mark
            return
        self._waits.pop(neighbour, None)
        is_all = not answered.kinds
        if is_all:
            self._waits[neighbour] = mark
        for message in answered.messages:
            self._ports.send(neighbour, message)

    def _prove(self, neighbour: str, asks: MirrorAsks) -> None:
        try:
            with closing(self._ports.read()) as record:
                self._ports.send(neighbour, proof(record, asks))
        except (StoreError, OSError) as error:
            self.trouble = _unread(error)

    def _seal(self, neighbour: str, mark: MirrorMark, kinds: frozenset[str]) -> None:
        """What the box needs to be made anew goes before the facts that changed it."""
        if not self._is_sealed_anew or kinds & AFTER:
            try:
                self._sealed, self._is_sealed_anew = self._ports.sealed(), True
            except (KeyRefused, OSError) as error:  # of a secret; what was committed is copied all the same
                unsealed = "Este nodo no puede sellar lo que hace falta para rehacerlo: {why}"
                self._sealed = None
                self.trouble = alarm("mirror_unsealed", "espejo", "R-27", unsealed, why=str(error))
                return
        if self._sealed is None:
            self.trouble = alarm("mirror_without_codes", "espejo", "R-27", _WITHOUT_CODES)
            return
        self.trouble = None
        if hashlib.sha256(self._sealed).digest() != mark.escrow:
            self._ports.send(neighbour, MirrorEscrow(self._sealed))

    def _keep_head(self, neighbour: str, head: MirrorHead) -> None:
        """Beside the record, the newest few: that the casino's node had this chain up to there."""
        said = read_countersigned(head.body, head.signature, head.key)
        if said is None or said.node != self._ports.node:
            return
        place = heads_from(self._ports.folder, neighbour)
        try:
            lines = place.read_bytes().splitlines(keepends=True) if place.exists() else []
            line = msgspec.json.encode(
                {"countersigned": msgspec.Raw(head.body), "signature": head.signature.hex(), "key": head.key}
            )
            keep(place, b"".join([*lines[-_KEPT_HEADS + 1 :], line + b"\n"]))
        except OSError as error:
            unkept = "{place}: no guarda lo que el vecino refrendó ({why})"
            why = error.strerror or type(error).__name__
            self.trouble = alarm("mirror_head_unkept", "espejo", "R-27", unkept, place=str(place), why=why)


def _unread(error: StoreError | OSError) -> Alarm:
    unread = "Este nodo no puede leer su registro para su espejo: {why}"
    return alarm("mirror_record_unread", "espejo", "R-27", unread, why=str(error))


def heads_from(folder: Path, neighbour: str) -> Path:
    return folder / f"mirrored-{quote(neighbour, safe='')}.heads"
