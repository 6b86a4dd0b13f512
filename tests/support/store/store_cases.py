"""Batches for the tests of the store: bets that go on from where a store stands, chained as a node chains them."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from controller.node.book.chain import GENESIS, link
from controller.node.store.failure import StoreFailed
from controller.node.store.rows import Batch, OutcomeKey
from controller.node.store.store import Reader, Store
from controller.record.record import BalanceRow, FactRow, OutcomeRow, PostingRow
from support.store import postgres

DIALECTS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.process))
CASH, POT = "cash:mesa4", "pot:estelar:main"


def new_place(dialect: str, folder: Path, config: pytest.Config) -> str | Path:
    """A place where no store is yet."""
    return folder / "pozo.db" if dialect == "sqlite" else postgres.server(config).new_database()


def bet(seq: int, previous: bytes, node: str = "mesa4", body: bytes = b'{"bet":1000}') -> FactRow:
    return FactRow(seq, 1_700_000_000_000 + seq, "bet", body, link(previous, node, 1, seq, body))


def bets(store: Store | Reader, count: int = 1, amount: int = 100, source: str = "mesa4") -> Batch:
    """The next facts of a store, each a bet that leads `amount` from the cash to the pot and answers one id."""
    head, balances = store.head(), store.balances()
    first = 1 if head is None else head.seq + 1
    previous = GENESIS if head is None else head.hash
    facts: list[FactRow] = []
    for seq in range(first, first + count):
        facts.append(bet(seq, previous))
        previous = facts[-1].hash
    moved = count * amount
    last = facts[-1].seq
    return Batch(
        facts=facts,
        postings=[
            posting
            for fact in facts
            for posting in (
                PostingRow(fact.seq, 0, CASH, -amount, "bet"),
                PostingRow(fact.seq, 1, POT, amount, "bet"),
            )
        ],
        balances=[
            BalanceRow(CASH, balances.get(CASH, 0) - moved, last),
            BalanceRow(POT, balances.get(POT, 0) + moved, last),
        ],
        outcomes=[OutcomeRow(source, 1, fact.seq, fact.hash[:16], fact.seq, fact.seq) for fact in facts],
    )


def everything(store: Store | Reader) -> dict[str, object]:
    """All that a store says, to be compared."""
    return {
        "head": store.head(),
        "epoch": store.epoch,
        "facts": list(store.facts()),
        "postings": list(store.postings()),
        "balances": store.balances(),
        "outcomes": list(store.outcome_rows()),
        "positions": store.positions(),
        "people": store.people(),
        "snapshot": store.newest_snapshot(),
        "checkpoints": list(store.checkpoints()),
    }


def outcome_of(store: Store | Reader, source: str, epoch: int, number: int) -> OutcomeRow | None:
    """What answered this id, if anything did."""
    key = OutcomeKey(source, epoch, number)
    return store.outcomes([key]).get(key)


def faults(reader: Reader) -> list[str]:
    """What SQLite finds wrong with the file; PostgreSQL has checksums and tools of its own."""
    if reader._session.dialect != "sqlite":
        return []
    try:
        found = reader._session.rows(sa.text("PRAGMA quick_check"))
    except StoreFailed as failed:  # so badly that SQLite cannot finish looking
        return [failed.sentence]
    return [row[0] for row in found if row[0] != "ok"]
