"""A store in memory: what a Book writes is kept in lists, and a verification reads it like any other record.

It is no model of a disk: a commit is there whole, and at once. What it keeps can be copied, cut, or gone back to, so a test may
have yesterday's backup of a node in one line.
"""

from collections.abc import Collection, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Self

from controller.node.store.rows import FIRST_EPOCH, Batch, Head, OutcomeKey
from controller.node.store.store import Store
from controller.record.record import (
    BalanceRow,
    CheckpointRow,
    FactRow,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    SchemaObject,
    SnapshotRow,
)


class Kept:
    """What the Book of a node wrote."""

    place = "memoria"

    def __init__(self, node: str) -> None:
        self.node, self.epoch = node, FIRST_EPOCH
        self.all_facts: list[FactRow] = []
        self.all_postings: list[PostingRow] = []
        self.all_outcomes: dict[OutcomeKey, OutcomeRow] = {}
        self.all_balances: dict[str, BalanceRow] = {}
        self.all_people: dict[str, PersonRow] = {}
        self.all_checkpoints: list[CheckpointRow] = []
        self.all_snapshots: dict[int, SnapshotRow] = {}
        self._newest: dict[tuple[str, int], int] = {}

    def commit(self, batch: Batch) -> None:
        self.all_facts += batch.facts
        self.all_postings += batch.postings
        self.all_checkpoints += batch.checkpoints
        self.all_outcomes |= {OutcomeKey(*row[:3]): row for row in batch.outcomes}
        for row in batch.outcomes:
            source = (row.source, row.epoch)
            self._newest[source] = max(self._newest.get(source, 0), row.number)
        self.all_balances |= {row.account: row for row in batch.balances}
        self.all_people |= {row.id: row for row in batch.people}
        self.all_snapshots |= {row.seq: row for row in batch.snapshots}
        for seq in batch.thinned:
            del self.all_snapshots[seq]
        self.epoch = batch.epoch or self.epoch

    def backup(self) -> Self:
        """All of it as it is now."""
        return deepcopy(self)

    def write(self, path: Path) -> None:
        """All of it into a store on the disk, as its Book would have written it there."""
        with Store.create(path, self.node) as store:
            store.commit(
                Batch(
                    postings=self.all_postings,
                    facts=self.all_facts,
                    balances=self.balance_rows(),
                    outcomes=self.outcome_rows(),
                    people=self.people(),
                    checkpoints=self.all_checkpoints,
                    snapshots=self.snapshots(),
                    epoch=self.epoch if self.epoch > FIRST_EPOCH else None,
                )
            )

    # What a Book asks

    def outcomes(self, keys: Iterable[OutcomeKey]) -> dict[OutcomeKey, OutcomeRow]:
        return {key: self.all_outcomes[key] for key in keys if key in self.all_outcomes}

    def last_of(self, source: str, epoch: int) -> int:
        return self._newest.get((source, epoch), 0)

    def head(self) -> Head | None:
        return Head(self.all_facts[-1].seq, self.all_facts[-1].hash) if self.all_facts else None

    def balances(self) -> dict[str, int]:
        return {row.account: row.amount for row in self.all_balances.values()}

    def facts_back(self, last: int, kinds: Collection[str]) -> Iterator[FactRow]:
        return (row for row in reversed(self.all_facts[:last]) if row.kind in kinds)

    def snapshot_places(self) -> list[int]:
        return sorted(self.all_snapshots)

    def snapshot_at(self, seq: int) -> SnapshotRow | None:
        return self.all_snapshots.get(seq)

    def newest_snapshot(self) -> SnapshotRow | None:
        return self.all_snapshots[max(self.all_snapshots)] if self.all_snapshots else None

    def checkpoint_at(self, seq: int) -> CheckpointRow | None:
        return next((row for row in reversed(self.all_checkpoints) if row.seq == seq), None)

    def newest_checkpoint(self) -> CheckpointRow | None:
        return self.all_checkpoints[-1] if self.all_checkpoints else None

    def close(self) -> None:
        """Nothing stands open."""

    # What an auditor asks

    def facts(self, first: int = 1, last: int | None = None) -> Iterator[FactRow]:
        return iter(self.all_facts[first - 1 : last])

    def facts_since(self, first: int, kinds: Collection[str]) -> Iterator[FactRow]:
        return (row for row in self.facts(first) if row.kind in kinds)

    def postings(self, first: int = 1, last: int | None = None) -> Iterator[PostingRow]:
        return (row for row in self.all_postings if row.fact >= first and (last is None or row.fact <= last))

    def posting_rows(self) -> list[PostingRow]:
        return self.all_postings

    def balance_rows(self) -> list[BalanceRow]:
        return list(self.all_balances.values())

    def outcome_rows(self) -> list[OutcomeRow]:
        return sorted(self.all_outcomes.values(), key=lambda row: row.first)

    def checkpoints(self, after: int = 0) -> list[CheckpointRow]:
        return [row for row in self.all_checkpoints if row.seq > after]

    def snapshots(self) -> list[SnapshotRow]:
        return [row for _, row in sorted(self.all_snapshots.items())]

    def people(self) -> list[PersonRow]:
        return list(self.all_people.values())

    def positions(self) -> list[PositionRow]:
        return []

    def schema(self) -> list[SchemaObject] | None:
        return None

    def damage(self) -> list[str]:
        return []


def as_store(kept: Kept) -> Any:
    """A Book takes it for its store."""
    return kept
