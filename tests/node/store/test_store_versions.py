"""An older store becomes one of today, whole or not at all; a newer one is left alone."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from controller.node.store import versions as store_versions
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.rows import Batch
from controller.node.store.schema import NEWEST, SchemaStep, steps
from controller.node.store.store import Reader, Store
from controller.node.store.versions import create, migrate, open_for_writing, proof_of
from controller.record.record import OutcomeRow, PositionRow
from support.store.store_cases import DIALECTS, bets, everything, new_place

_AS_NEWEST = f"UPDATE meta SET value = '{NEWEST}' WHERE key = 'version'"  # noqa: S608  a number of ours


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> str | Path:
    return new_place(request.param, tmp_path, request.config)


def of_version_1(place) -> dict[str, object]:
    """A store as version 1 left it: with facts, without positions."""
    create(place, "mesa4", epoch=2, version=1)
    with closing(open_for_writing(place)) as session:
        session.raw.execute(_AS_NEWEST)
        with Store(session) as store:
            store.commit(bets(store, 5))
    with closing(open_for_writing(place)) as session:
        session.raw.execute("UPDATE meta SET value = '1' WHERE key = 'version'")
    with Reader.open(place) as reader:
        assert reader.version == 1
        assert reader.positions() == []
        return everything(reader)


def test_a_store_of_version_1_becomes_one_of_today(place):
    before = of_version_1(place)
    made = migrate(place)
    assert made is not None
    copy = made.copy
    assert (made.since, made.proof.facts) == (1, 5)

    with Store.open(place) as store:
        assert store.version == NEWEST
        assert everything(store) == before
        store.commit(bets(store))
        heard = PositionRow("hub", "out", 1, 6, store.head().hash)
        store.commit(Batch(heard=[heard]))
        assert store.positions() == [heard]
    assert (copy is not None) == isinstance(place, Path)
    if copy is not None:
        with Reader.open(copy) as kept:
            assert kept.version == 1
            assert everything(kept) == before
    assert migrate(place) is None


def test_an_older_store_is_not_written_to_before_it_was_migrated(place):
    of_version_1(place)
    with pytest.raises(StoreRefused, match=f"es de la versión 1: hay que migrarlo a la {NEWEST}, con: pozo migrate"):
        Store.open(place)
    migrate(place)


def test_a_newer_store_is_refused(place):
    Store.create(place, "mesa4").close()
    with closing(open_for_writing(place)) as session:
        session.raw.execute(f"UPDATE meta SET value = '{NEWEST + 1}' WHERE key = 'version'")  # noqa: S608
    for asked in (Store.open, Reader.open, migrate):
        with pytest.raises(StoreRefused, match=f"este programa conoce hasta la {NEWEST}: use el programa más nuevo"):
            asked(place)


@pytest.mark.parametrize(
    "harm", ["UPDATE balance SET amount = amount + 1 WHERE amount > 0", "INSERT INTO balance VALUES ('x', 1, 1)"]
)
def test_a_step_that_changes_a_sum_is_taken_back(place, monkeypatch, harm):
    before = of_version_1(place)
    monkeypatch.setattr(store_versions, "steps", lambda dialect: (*steps(dialect)[:1], SchemaStep(2, (harm,))))
    with pytest.raises(StoreRefused, match="la migración cambiaría las sumas; queda la versión 1"):
        migrate(place)

    with Reader.open(place) as reader:
        assert (reader.version, everything(reader)) == (1, before)


def test_a_step_that_fails_is_taken_back(place, monkeypatch):
    before = of_version_1(place)
    bad = (*steps("sqlite")[:1], SchemaStep(2, ("CREATE TABLE one (a TEXT)", "CREATE NONSENSE")))
    monkeypatch.setattr(store_versions, "steps", lambda _: bad)
    with pytest.raises(StoreFailed, match="rechazó lo que el programa pidió"):
        migrate(place)

    with Reader.open(place) as reader:
        assert (reader.version, everything(reader)) == (1, before)
        assert "one" not in {row.name for row in reader.schema()}


def test_the_copy_of_an_interrupted_try_serves_and_one_of_another_store_does_not(tmp_path):
    place = tmp_path / "pozo.db"
    before = of_version_1(place)
    copy = tmp_path / "pozo.db.v1-5"
    shutil.copy(place, copy)
    assert migrate(place).copy == copy

    other = tmp_path / "other.db"
    of_version_1(other)
    with closing(open_for_writing(other)) as session:
        session.raw.execute("UPDATE balance SET amount = amount + 1 WHERE amount > 0")
    (tmp_path / "other.db.v1-5").write_bytes(copy.read_bytes())
    with pytest.raises(StoreRefused, match="es de otro registro"):
        migrate(other)
    with Reader.open(copy) as kept:
        assert everything(kept) == before


def test_an_empty_store_is_migrated_too(place):
    create(place, "mesa4", version=1)
    migrate(place)
    with Store.open(place) as store:
        store.commit(bets(store))
        assert store.head().seq == 1


def test_the_proof_sees_facts_balances_and_sums(tmp_path):
    place = tmp_path / "pozo.db"
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 2))
        proof = proof_of(store._session)
        store.commit(Batch(outcomes=[OutcomeRow("x", 1, 1, b"d" * 16, 1, 1)]))
        assert proof_of(store._session) == proof
        store.commit(bets(store))
        assert proof_of(store._session) != proof
    assert proof.facts == 2
    assert proof.sums == proof.balances == {"cash:mesa4": -200, "pot:estelar:main": 200}
