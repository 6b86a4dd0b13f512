"""What a box gives its mirror: its own record, from where the casino's node has it (R-27).

Theory. The box decides nothing here. Where the mark is in its record, it gives what follows, as it stands in the store
and was committed; where it is not, the restore under a newer epoch than the mark's is where the two part; where there
is none, it says how its record ends, and the casino's node names what that means. It answers a mark once, and once more
as soon as something new is committed. Reading is the store's; this file knows no socket and no thread.
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


_read_restored = msgspec.json.Decoder(_Line)


class Answered(NamedTuple):
    """What goes to the casino's node, in this order, and the kinds of the facts in it."""

    messages: tuple[MirrorMessage, ...]
    kinds: frozenset[str] = frozenset()


def follows(record: Reads, mark: MirrorMark) -> Answered:
    """What this record answers to a mark."""
    if mark.seq < FIRST_SEQ or _hash_at(record, mark.seq) == mark.hash:
        return _rows(record, mark.seq + 1, mark.signed)
    parted = next(_restored_since(record, mark.epoch), None)
    if parted is not None and parted <= mark.seq:
        return _rows(record, parted, parted - 1)
    head = record.head()
    assert head is not None, "a node's record has its founding"
    return Answered((MirrorStands(record.epoch, head.seq, head.hash, _hash_at(record, FIRST_SEQ)),))


def proof(record: Reads, asks: MirrorAsks) -> MirrorProof:
    """What was mirrored long ago, as it stands here now."""
    last = min(asks.last, asks.first + MOST_PROVEN - 1)
    return MirrorProof(asks.first, asks.last, digest_of(record.facts(asks.first, last)))


def _rows(record: Reads, first: int, signed: int) -> Answered:
    rows: list[FactRow] = []
    size = 0
    for row in record.facts(first, first + MOST_FACTS - 1):
        size += len(row.body)
        if rows and size > MOST_BYTES:
            break
        rows.append(row)
    last = first + len(rows) - 1
    signed_rows, snapshot = _signed(record, signed, last)
    checkpoints = tuple((row.seq, row.body, row.signature) for row in signed_rows)
    message = MirrorRows(first, tuple(row.body for row in rows), checkpoints)
    return Answered((*snapshot, message), frozenset(row.kind for row in rows))


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


def _hash_at(record: Reads, seq: int) -> bytes:
    return next((row.hash for row in record.facts(seq, seq)), GENESIS)


def _restored_since(record: Reads, epoch: int) -> Iterator[int]:
    """The facts under which it was restored after that epoch; all are looked at, which happens where chains part."""
    for row in record.facts():
        if row.kind == "node_restored" and _read_restored.decode(row.body).fact.epoch > epoch:
            yield row.seq
