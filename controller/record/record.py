"""What an auditor reads: the rows of a record, wherever it is kept.

Theory. Nothing here opens anything. A store's reader fits `Record` as it is, and so does an exported file
(export.py); a verification, a report or an explanation is given one of them and never knows which. Rows come in
their order and are never all held at once. `schema` is None where the record is kept in a form that has none.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

FIRST_SEQ = 1


class RecordDamaged(Exception):  # noqa: N818  says what happened
    """A record that cannot be read to its end: `place` and one Spanish sentence."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place, self.sentence = place, sentence


class Fingerprint(str):
    """The SHA-256 of a PIN's verifier, in hex, where the verifier itself is not shown."""

    __slots__ = ()


class FactLike(Protocol):
    """One fact: `at` in milliseconds since 1970 UTC, `body` its canonical JSON, `hash` what chains it to the last."""

    @property
    def seq(self) -> int: ...
    @property
    def at(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> bytes: ...
    @property
    def hash(self) -> bytes: ...


class PostingLike(Protocol):
    """One line of a fact: an account, what it gained or lost, and why."""

    @property
    def fact(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def account(self) -> str: ...
    @property
    def amount(self) -> int: ...
    @property
    def cause(self) -> str: ...


class BalanceLike(Protocol):
    """What an account stands at, and the fact that moved it last."""

    @property
    def account(self) -> str: ...
    @property
    def amount(self) -> int: ...
    @property
    def fact(self) -> int: ...


class OutcomeLike(Protocol):
    """Facts `first` to `last` answered the request (source, epoch, number), whose content has this digest."""

    @property
    def source(self) -> str: ...
    @property
    def epoch(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def digest(self) -> bytes: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


class PersonLike(Protocol):
    """A person: `verifier` is the hash text of the PIN, or a Fingerprint of it."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def verifier(self) -> str: ...


class CheckpointLike(Protocol):
    """A signed checkpoint: canonical JSON and its signature."""

    @property
    def seq(self) -> int: ...
    @property
    def body(self) -> bytes: ...
    @property
    def signature(self) -> bytes: ...


class SnapshotLike(Protocol):
    """The state after fact `seq`, as the node wrote it down to start from."""

    @property
    def seq(self) -> int: ...
    @property
    def body(self) -> bytes: ...


class PositionLike(Protocol):
    """How far a neighbour's facts were taken in ("in"), or ours were acknowledged by it ("out")."""

    @property
    def peer(self) -> str: ...
    @property
    def direction(self) -> str: ...
    @property
    def epoch(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def hash(self) -> bytes: ...


class SchemaLike(Protocol):
    """A table, an index or a trigger, and the SQL that made it."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def sql(self) -> str: ...


class Record(Protocol):
    """A whole record, to be read from its first fact to its last."""

    @property
    def place(self) -> str:
        """Where it is kept, for a person to read."""

    @property
    def node(self) -> str: ...

    @property
    def epoch(self) -> int: ...

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[FactLike]:
        """In the order of `seq`."""

    def postings(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[PostingLike]:
        """In the order of `fact` and `line`."""

    def posting_rows(self) -> Iterable[PostingLike]:
        """Every posting there is, in that order: also one whose fact is not there."""

    def balance_rows(self) -> Iterable[BalanceLike]: ...

    def outcome_rows(self) -> Iterable[OutcomeLike]:
        """In the order of `first`; those with the same `first` in any order."""

    def checkpoints(self) -> Iterable[CheckpointLike]:
        """In the order of `seq`."""

    def snapshots(self) -> Iterable[SnapshotLike]:
        """In the order of `seq`."""

    def people(self) -> Iterable[PersonLike]: ...

    def positions(self) -> Iterable[PositionLike]: ...

    def schema(self) -> Iterable[SchemaLike] | None: ...
