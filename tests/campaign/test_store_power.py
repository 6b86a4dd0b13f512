"""The power is cut before every step of every kind of work: what is left is the state before, or the state after."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.node.store.failure import StoreRefused
from controller.node.store.rows import Batch
from controller.node.store.schema import NEWEST
from controller.node.store.store import Reader, Store
from controller.node.store.versions import create, migrate, open_for_writing
from controller.record.record import PersonRow
from support.places import TESTS
from support.store.store_cases import bets, everything, faults
from support.store.store_cuts import KINDS

pytestmark = pytest.mark.process

COMMITS = ("one_fact", "group", "sealed", "person", "epoch", "acknowledged", "closing")
_AS_NEWEST = f"UPDATE meta SET value = '{NEWEST}' WHERE key = 'version'"  # noqa: S608  a number of ours


def prepared(folder: Path) -> dict[str, object]:
    """A store with a few facts, closed."""
    with Store.create(folder / "pozo.db", "mesa4") as store:
        store.commit(bets(store, 3)._replace(people=[PersonRow("p1", "Ana", "old")]))
        return everything(store)


def prepared_version_1(folder: Path) -> dict[str, object]:
    place = folder / "pozo.db"
    create(place, "mesa4", version=1)
    with closing(open_for_writing(place)) as session:
        session.raw.execute(_AS_NEWEST)
        with Store(session) as store:
            store.commit(bets(store, 3))
    with closing(open_for_writing(place)) as session:
        session.raw.execute("UPDATE meta SET value = '1' WHERE key = 'version'")
    with Reader.open(place) as reader:
        return everything(reader)


def cut_everywhere(kind: str, folder: Path) -> list[Path]:
    """The folders that the cuts left, the last one where all was done and nobody was told."""
    cuts = folder / "cuts"
    cuts.mkdir()
    program = TESTS / "support/store/store_cuts.py"
    done = subprocess.run(
        [sys.executable, str(program), kind, str(folder / "base"), str(cuts)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [cuts / str(cut) for cut in range(1, json.loads((cuts / "done.json").read_text())["cuts"] + 1)]


@pytest.fixture
def base(tmp_path) -> Path:
    (tmp_path / "base").mkdir()
    return tmp_path / "base"


def steps_of(left: Path) -> list[str]:
    return (left / "steps").read_text().splitlines()


def test_every_kind_of_work_is_cut_somewhere_here():
    assert {kind.__name__ for kind in KINDS} == {*COMMITS, "migration", "creation", "backup"}


@pytest.mark.parametrize("kind", COMMITS)
def test_a_cut_commit_is_there_whole_or_not_at_all(kind, base, tmp_path):
    before = prepared(base)
    left = cut_everywhere(kind, tmp_path)
    states = []
    for folder in left:
        with Store.open(folder / "pozo.db") as store:
            state = everything(store)
            store.commit(bets(store))
        with Reader.open(folder / "pozo.db") as reader:
            assert faults(reader) == []
        states.append(state)

    after = states[-1]
    assert after != before
    committed = [any(step == "COMMIT" for step in steps_of(folder)) for folder in left]
    if kind == "closing":  # its commit was acknowledged before the first cut
        assert states == [after] * len(left)
        return
    assert states == [after if done else before for done in committed]
    assert committed[-1] and not committed[0]
    assert len(left) >= 4


def test_a_cut_group_leaves_no_fact_without_its_postings(base, tmp_path):
    """The same cuts, seen by the sums: a second way to look, in case the first looks at both sides wrongly."""
    prepared(base)
    for folder in cut_everywhere("group", tmp_path):
        with Reader.open(folder / "pozo.db") as reader:
            facts = len(list(reader.facts()))
            assert facts in {3, 7}
            assert len(list(reader.postings())) == 2 * facts
            assert reader.balances() == {"cash:mesa4": -100 * facts, "pot:estelar:main": 100 * facts}
            assert reader.last_of("mesa4", 1) == len(list(reader.outcome_rows())) == facts


def test_a_cut_migration_leaves_one_version_or_the_other(base, tmp_path):
    before = prepared_version_1(base)
    left = cut_everywhere("migration", tmp_path)
    versions = []
    for folder in left:
        place = folder / "pozo.db"
        with Reader.open(place) as reader:
            versions.append(reader.version)
            assert everything(reader) == before
            assert ("position" in {row.name for row in reader.schema()}) == (reader.version == NEWEST)
        migrate(place)  # and whatever the cut left beside it is not in the way
        with Store.open(place) as store:
            assert everything(store) == before
            store.commit(Batch())

    assert versions == sorted(versions)
    assert versions[0] == 1 and versions[-1] == NEWEST


def test_a_cut_creation_leaves_a_whole_store_or_none(base, tmp_path):
    prepared(base)
    left = cut_everywhere("creation", tmp_path)
    made = []
    for folder in left:
        place = folder / "pozo.db"
        made.append(place.exists())
        if not place.exists():
            with pytest.raises(StoreRefused, match="no existe"):
                Store.open(place)
            Store.create(place, "mesa9").close()
        with Store.open(place) as store:
            assert store.node == "mesa9"
            assert everything(store)["facts"] == []

    assert made == sorted(made)
    assert not made[0] and made[-1]


def test_a_cut_backup_leaves_a_whole_copy_or_none(base, tmp_path):
    before = prepared(base)
    left = cut_everywhere("backup", tmp_path)
    made = []
    for folder in left:
        copy = folder / "copy.db"
        made.append(copy.exists())
        with Store.open(folder / "pozo.db") as store:
            assert everything(store) == before
            if not copy.exists():
                store.backup(copy)
        with Reader.open(copy) as reader:
            assert everything(reader) == before

    assert made == sorted(made)
    assert not made[0] and made[-1]
