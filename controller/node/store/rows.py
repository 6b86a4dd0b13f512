"""What one commit writes, and the bounds of what it may write; a record's readers know the rows (record/record.py).

Theory. The store knows nothing of jackpots. A fact is bytes in a gapless order; its postings say which account it
moved; a balance is what an account stands at; an outcome says which facts answered an id. A batch is written whole
or not at all, so everything that must hold together stands in one batch.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from controller.record.record import (
    BalanceRow,
    CheckpointRow,
    FactRow,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    SnapshotRow,
)

POT_PREFIX = "pot:"
MOST_AMOUNT = 4 * 10**15
MOST_BODY_BYTES = 2**20
FIRST_EPOCH = 1


class Head(NamedTuple):
    """The last fact's place and hash."""

    seq: int
    hash: bytes


class OutcomeKey(NamedTuple):
    """The id of a request: who asked, in which incarnation, its number there."""

    source: str
    epoch: int
    number: int


class Batch(NamedTuple):
    """What one commit writes: rows by table in the order of `schema.WRITTEN`, then the epoch. Balances are the new
    absolute values of the accounts that changed, and only those. `thinned` are older snapshots that go.

    `epoch` opens a new incarnation of this node (a restore); `heard` are the positions of neighbours whose facts
    this batch takes in.
    """

    postings: Sequence[PostingRow] = ()
    facts: Sequence[FactRow] = ()
    balances: Sequence[BalanceRow] = ()
    outcomes: Sequence[OutcomeRow] = ()
    people: Sequence[PersonRow] = ()
    heard: Sequence[PositionRow] = ()
    checkpoints: Sequence[CheckpointRow] = ()
    snapshots: Sequence[SnapshotRow] = ()
    epoch: int | None = None
    thinned: Sequence[int] = ()

    @property
    def rows(self) -> tuple[Sequence[tuple[Any, ...]], ...]:
        """What is inserted, table by table."""
        return self[:-2]
