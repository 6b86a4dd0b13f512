"""What the store keeps, as values: one type for each row, and the batch that one commit writes.

Theory. The store knows nothing of jackpots. A fact is bytes in a gapless order; its postings say which account it
moved; a balance is what an account stands at; an outcome says which facts answered an id. A batch is written whole
or not at all, so everything that must hold together stands in one batch.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from controller.core.accounts import MAY_BE_BELOW_ZERO, POT_FALLS_BY

POT_PREFIX = "pot:"
POT_CAUSES = POT_FALLS_BY
DEBIT_PREFIXES = MAY_BE_BELOW_ZERO
MOST_AMOUNT = 4 * 10**15
MOST_BODY_BYTES = 2**20
FIRST_SEQ = 1
FIRST_EPOCH = 1

Direction = Literal["in", "out"]


class FactRow(NamedTuple):
    """One fact: `at` in milliseconds since 1970 UTC, `hash` the 32 bytes that chain it to the one before."""

    seq: int
    at: int
    kind: str
    body: bytes
    hash: bytes


class PostingRow(NamedTuple):
    """One line of a fact: an account, what it gained or lost, and why."""

    fact: int
    line: int
    account: str
    amount: int
    cause: str


class Balance(NamedTuple):
    """What an account stands at, and the fact that moved it last."""

    account: str
    amount: int
    fact: int


class OutcomeRow(NamedTuple):
    """Facts `first` to `last` answered the request (source, epoch, number), whose content has this 16-byte digest."""

    source: str
    epoch: int
    number: int
    digest: bytes
    first: int
    last: int


class PersonRow(NamedTuple):
    """A person: `verifier` is the hash text of the PIN, a secret that no fact carries."""

    id: str
    name: str
    verifier: str


class CheckpointRow(NamedTuple):
    """A signed checkpoint: canonical JSON and its 64-byte signature."""

    seq: int
    body: bytes
    signature: bytes


class SnapshotRow(NamedTuple):
    """The state after fact `seq`, so that a start need not replay everything."""

    seq: int
    body: bytes


class PositionRow(NamedTuple):
    """How far a neighbour's facts were taken in, or ours were acknowledged by it."""

    peer: str
    direction: Direction
    epoch: int
    seq: int
    hash: bytes


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
    """What one commit writes. Balances are the new absolute values of the accounts that changed, and only those.

    `epoch` opens a new incarnation of this node (a restore); `heard` are the positions of neighbours whose facts
    this batch takes in.
    """

    facts: Sequence[FactRow] = ()
    postings: Sequence[PostingRow] = ()
    balances: Sequence[Balance] = ()
    outcomes: Sequence[OutcomeRow] = ()
    people: Sequence[PersonRow] = ()
    heard: Sequence[PositionRow] = ()
    checkpoint: CheckpointRow | None = None
    snapshot: SnapshotRow | None = None
    epoch: int | None = None


class SchemaObject(NamedTuple):
    """A table, an index or a trigger, and the SQL that made it, for the auditor."""

    kind: str
    name: str
    sql: str
