"""What can be asked of a store, the same of the writer and of a reader, on both databases.

Theory. A ledger is read in two ways: by key (one answer to one id) and from one place to the end. The second never
holds more than a page: facts have no gaps, so the next page begins where the last one ended, and no cursor stands
open across a commit. What was read stays true, because nothing written ever changes. Facts of a few rare kinds are
read kind by kind from their index and merged: forwards, or backwards to where the reader has enough.
"""

# ruff: noqa: S608  every statement is made of constants of this program; values go as parameters
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import takewhile
from operator import attrgetter
from types import TracebackType
from typing import Self

import sqlalchemy as sa

from controller.node.store.rows import Head, OutcomeKey
from controller.node.store.schema import (
    BALANCE,
    CHECKPOINT,
    FACT,
    IS_OF_LINKS,
    IS_OF_POTS,
    KINDS_OF_LINKS,
    KINDS_OF_POTS,
    OUTCOME,
    PERSON,
    POSITION,
    POSTING,
    SNAPSHOT,
)
from controller.node.store.session import DatabaseSession
from controller.record.record import (
    FIRST_SEQ,
    BalanceRow,
    CheckpointRow,
    FactRow,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    SnapshotRow,
)

PAGE = 500  # facts
_FIRST_PAGE = 4  # of one kind: often the newest fact is all that is wanted
_KEYS_AT_ONCE = 200
_POSITIONS_SINCE = 2  # the version that brought the table

_HEAD = sa.select(FACT.c.seq, FACT.c.hash).order_by(FACT.c.seq.desc()).limit(1)
_FACTS = sa.select(*FACT.c).where(FACT.c.seq.between(sa.bindparam("first"), sa.bindparam("last"))).order_by(FACT.c.seq)
_ONE_KIND = "SELECT seq, at, kind, body, hash FROM fact WHERE kind = :kind AND"
_FORWARDS = tuple(
    sa.text(f"{_ONE_KIND} {listed} AND seq >= :start ORDER BY seq LIMIT :size") for listed in (IS_OF_POTS, IS_OF_LINKS)
)
_BACKWARDS = tuple(
    sa.text(f"{_ONE_KIND} {listed} AND seq <= :start ORDER BY seq DESC LIMIT :size")
    for listed in (IS_OF_POTS, IS_OF_LINKS)
)
_POSTINGS = (
    sa.select(*POSTING.c)
    .where(POSTING.c.fact.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(POSTING.c.fact, POSTING.c.line)
)
_BALANCES = sa.select(BALANCE.c.account, BALANCE.c.amount)
_KEY = sa.tuple_(OUTCOME.c.source, OUTCOME.c.epoch, OUTCOME.c.number)
_OUTCOMES = sa.select(*OUTCOME.c).where(_KEY.in_(sa.bindparam("keys", expanding=True)))
_LAST_OF = sa.text("SELECT max(number) FROM outcome WHERE source = :source AND epoch = :epoch")
_PEOPLE = sa.select(*PERSON.c).order_by(PERSON.c.id)
_POSITIONS = sa.select(*POSITION.c).order_by(POSITION.c.peer, POSITION.c.direction)
_NEWEST_SNAPSHOT = sa.select(*SNAPSHOT.c).order_by(SNAPSHOT.c.seq.desc()).limit(1)
_SNAPSHOTS = sa.select(SNAPSHOT.c.seq).order_by(SNAPSHOT.c.seq)
_SNAPSHOT = sa.select(*SNAPSHOT.c).where(SNAPSHOT.c.seq == sa.bindparam("seq"))
_NEWEST_CHECKPOINT = sa.select(*CHECKPOINT.c).order_by(CHECKPOINT.c.seq.desc()).limit(1)
_CHECKPOINT = sa.select(*CHECKPOINT.c).where(CHECKPOINT.c.seq == sa.bindparam("seq"))
_CHECKPOINTS = (
    sa.select(*CHECKPOINT.c).where(CHECKPOINT.c.seq > sa.bindparam("after")).order_by(CHECKPOINT.c.seq).limit(PAGE)
)


class Reads:
    """An open store, to be asked; closed by `with` or by `close`."""

    def __init__(self, session: DatabaseSession) -> None:
        self._session = session
        self.place = session.place
        about = session.about()
        self.version = int(about["version"])
        self.node = about["node"]
        self.epoch = int(about["epoch"])

    def head(self) -> Head | None:
        """The last fact's place and hash."""
        return next((Head(*row) for row in self._session.rows(_HEAD)), None)

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[FactRow]:
        """Facts in their order, both ends included; without `last`, to the one that is last now."""
        for page in self._pages(first, last):
            yield from map(FactRow._make, self._session.rows(_FACTS, page))

    def facts_since(self, first: int, kinds: Iterable[str]) -> Iterator[FactRow]:
        """Facts of these kinds in their order, from `first` to the one that is last now: each kind is read by itself,
        and of what is committed meanwhile some would be seen and some not."""
        end = self._end()
        of_kinds = (self._of_kind(kind, first, _FORWARDS) for kind in kinds)
        return takewhile(lambda row: row.seq <= end, merge(*of_kinds, key=attrgetter("seq")))

    def facts_back(self, last: int, kinds: Iterable[str]) -> Iterator[FactRow]:
        """Facts of these kinds, the newest first, from `last` back to the beginning."""
        newest = min(last, self._end())
        back = (self._of_kind(kind, newest, _BACKWARDS) for kind in kinds)
        return merge(*back, key=attrgetter("seq"), reverse=True)

    def _of_kind(self, kind: str, start: int, questions: tuple[sa.TextClause, ...]) -> Iterator[FactRow]:
        """In growing pages, so that little is read for who stops soon."""
        assert kind in (*KINDS_OF_POTS, *KINDS_OF_LINKS), "a kind that an index lists"
        question = questions[kind in KINDS_OF_LINKS]
        size, step = _FIRST_PAGE, 1 if questions is _FORWARDS else -1
        while True:
            page = [
                FactRow._make(row) for row in self._session.rows(question, {"kind": kind, "start": start, "size": size})
            ]
            yield from page
            if len(page) < size:
                return
            start, size = page[-1].seq + step, min(4 * size, PAGE)

    def postings(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[PostingRow]:
        """The postings of these facts, in the order of facts and lines."""
        for page in self._pages(first, last):
            yield from map(PostingRow._make, self._session.rows(_POSTINGS, page))

    def _end(self) -> int:
        head = self.head()
        return 0 if head is None else head.seq

    def _pages(self, first: int, last: int | None) -> Iterator[dict[str, int]]:
        end = self._end() if last is None else min(last, self._end())
        for start in range(max(first, FIRST_SEQ), end + 1, PAGE):
            yield {"first": start, "last": min(start + PAGE - 1, end)}

    def balances(self) -> dict[str, int]:
        """What every account stands at."""
        return dict(self._session.rows(_BALANCES))

    def balance_rows(self) -> Iterator[BalanceRow]:
        """What every account stands at, and the fact that moved it last, in the order of the accounts."""
        return map(BalanceRow._make, self._session.stream("SELECT account, amount, fact FROM balance ORDER BY account"))

    def posting_rows(self) -> Iterator[PostingRow]:
        """Every posting there is, in the order of facts and lines: also one whose fact is not there."""
        question = "SELECT fact, line, account, amount, cause FROM posting ORDER BY fact, line"
        return map(PostingRow._make, self._session.stream(question))

    def outcome_rows(self) -> Iterator[OutcomeRow]:
        """What answered every id, in the order of the facts."""
        columns = "source, epoch, number, digest, first, last"
        question = f"SELECT {columns} FROM outcome ORDER BY first, source, epoch, number"
        return map(OutcomeRow._make, self._session.stream(question))

    def snapshot_places(self) -> list[int]:
        """The facts after which there is a snapshot, in their order."""
        return [seq for (seq,) in self._session.rows(_SNAPSHOTS)]

    def snapshots(self) -> Iterator[SnapshotRow]:
        """All snapshots, in their order, one held at a time: they may be large."""
        for seq in self.snapshot_places():
            yield from map(SnapshotRow._make, self._session.rows(_SNAPSHOT, {"seq": seq}))

    def snapshot_at(self, seq: int) -> SnapshotRow | None:
        """The one of this fact, if it is still kept."""
        return next((SnapshotRow._make(row) for row in self._session.rows(_SNAPSHOT, {"seq": seq})), None)

    def outcomes(self, keys: Iterable[OutcomeKey]) -> dict[OutcomeKey, OutcomeRow]:
        """What answered these ids; an id that nothing answered is not in it."""
        asked = list(keys)
        answered = {}
        for start in range(0, len(asked), _KEYS_AT_ONCE):
            rows = self._session.rows(_OUTCOMES, {"keys": asked[start : start + _KEYS_AT_ONCE]})
            for row in map(OutcomeRow._make, rows):
                answered[OutcomeKey(row.source, row.epoch, row.number)] = row
        return answered

    def last_of(self, source: str, epoch: int) -> int:
        """The highest number of this source that was answered, or 0."""
        return int(self._session.rows(_LAST_OF, {"source": source, "epoch": epoch})[0][0] or 0)

    def positions(self) -> list[PositionRow]:
        """How far each neighbour's facts were heard, and ours acknowledged."""
        if self.version < _POSITIONS_SINCE:
            return []
        return [PositionRow._make(row) for row in self._session.rows(_POSITIONS)]

    def people(self) -> list[PersonRow]:
        return [PersonRow._make(row) for row in self._session.rows(_PEOPLE)]

    def newest_snapshot(self) -> SnapshotRow | None:
        return next(map(SnapshotRow._make, self._session.rows(_NEWEST_SNAPSHOT)), None)

    def checkpoints(self, after: int = FIRST_SEQ - 1) -> Iterator[CheckpointRow]:
        """All signed checkpoints past a fact, in their order."""
        while page := [CheckpointRow._make(row) for row in self._session.rows(_CHECKPOINTS, {"after": after})]:
            yield from page
            after = page[-1].seq

    def checkpoint_at(self, seq: int) -> CheckpointRow | None:
        """The one that signs this fact."""
        return next(map(CheckpointRow._make, self._session.rows(_CHECKPOINT, {"seq": seq})), None)

    def newest_checkpoint(self) -> CheckpointRow | None:
        return next(map(CheckpointRow._make, self._session.rows(_NEWEST_CHECKPOINT)), None)

    def close(self) -> None:
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
