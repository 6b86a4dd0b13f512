"""What an auditor reads: the rows of a record, in whatever place it is kept.

Theory. Nothing here opens anything and nothing is imported from the program, so the verifier may read it too. A
store's reader fits `Record` as it is, and so does an exported file (export.py); a verification, a report or an
explanation is given one of them and never knows which. Rows come in their order and are never all held at once.
`schema` is None where the record is kept in a form that has none.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

FIRST_SEQ = 1


class RecordDamaged(Exception):  # noqa: N818  says what happened
    """A record that cannot be read to its end: `place` and one Spanish sentence."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place, self.sentence = place, sentence


class Fingerprint(str):
    """The SHA-256 of a PIN's verifier, in hex, where the verifier itself is not shown."""

    __slots__ = ()


class FactRow(NamedTuple):
    """One fact: `at` in milliseconds since 1970 UTC, `body` its canonical JSON, `hash` the 32 bytes that chain it to
    the one before."""

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


class BalanceRow(NamedTuple):
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
    """A person: `verifier` is the hash text of the PIN, a secret that no fact carries, or a Fingerprint of it."""

    id: str
    name: str
    verifier: str


class CheckpointRow(NamedTuple):
    """A signed checkpoint: canonical JSON and its 64-byte signature."""

    seq: int
    body: bytes
    signature: bytes


class SnapshotRow(NamedTuple):
    """The state after fact `seq`, as the node wrote it down to start from."""

    seq: int
    body: bytes


class PositionRow(NamedTuple):
    """How far a neighbour's facts were taken in ("in"), or ours were acknowledged by it ("out")."""

    peer: str
    direction: str
    epoch: int
    seq: int
    hash: bytes


class SchemaObject(NamedTuple):
    """A table, an index, a trigger or whatever else a database holds, and the SQL that made it; of which table it is.
    The rows of `meta` and the settings of the whole file stand here too, with their values."""

    kind: str
    name: str
    sql: str
    of: str = ""


class Record(Protocol):
    """A whole record, to be read from its first fact to its last."""

    @property
    def place(self) -> str:
        """Where it is kept, for a person to read."""

    @property
    def node(self) -> str: ...

    @property
    def epoch(self) -> int: ...

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[FactRow]:
        """In the order of `seq`."""

    def facts_since(self, first: int, kinds: Collection[str]) -> Iterator[FactRow]:
        """Those of these kinds, from one on, in the order of `seq`."""

    def postings(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[PostingRow]:
        """In the order of `fact` and `line`."""

    def posting_rows(self) -> Iterable[PostingRow]:
        """Every posting there is, in that order: also one whose fact is not there."""

    def balance_rows(self) -> Iterable[BalanceRow]: ...

    def outcome_rows(self) -> Iterable[OutcomeRow]:
        """In the order of `first`; those with the same `first` in any order."""

    def checkpoints(self) -> Iterable[CheckpointRow]:
        """In the order of `seq`."""

    def snapshots(self) -> Iterable[SnapshotRow]:
        """In the order of `seq`."""

    def people(self) -> Iterable[PersonRow]: ...

    def positions(self) -> Iterable[PositionRow]: ...

    def schema(self) -> Iterable[SchemaObject] | None: ...

    def damage(self) -> Iterable[str]:
        """What the database itself finds wrong with its pages, its indexes and the types of its values."""
