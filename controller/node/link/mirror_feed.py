"""What a box gives its mirror: its own record, from where the casino's node has it (R-27).

Theory. The box decides nothing here. Where the mark is in its record, it gives what follows, as it stands in the store
and was committed; where it is not, the restore under a newer epoch than the mark's is where the two part; where there
is none, it says how its record ends, and the casino's node names what that means. What goes at once are whole answers,
with every signature of theirs: wherever a mirror stops, a box made anew from it has a record that an auditor agrees
with. It answers a mark once, and once more as soon as something new is committed. Reading is the store's; this file
knows no socket and no thread.
"""

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import NamedTuple

import msgspec
from msgspec import Struct

from controller.node.book.chain import GENESIS, read_checkpoint
from controller.node.link.mirror_words import (
    MOST_BYTES,
    MOST_FACTS,
    MOST_PROVEN,
    MirrorAsks,
    MirrorMark,
    MirrorMessage,
    MirrorProof,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
    digest_of,
)
from controller.node.store.mirror import MOST_SNAPSHOT_BYTES
from controller.node.store.reads import Reads
from controller.record.record import FIRST_SEQ, CheckpointRow, FactRow


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
