"""The power goes at any moment, and what was not synced is lost, torn or out of order: nothing acknowledged is missing.

A real process (support/store/power_writer.py) is recorded at its system calls (foreign/powerloss.c), thousands of disks are made of
the record (support/store/power_replay.py), and each is opened by the real code. Each generation of the writer goes on from one of the
disks that the one before left, so that starts after a cut are cut too. With a promise broken, the same replay finds it.
"""

import hashlib
import json
import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from conftest import CAMPAIGN

from controller.node.book.book import Book, _read_entry
from controller.node.book.chain import BookDamaged, Key, KeyRefused
from controller.node.book.seeds import Seeds
from controller.node.store.failure import StoreError, StoreRefused
from controller.node.store.store import Reader
from controller.record.record import CheckpointRow, FactRow, OutcomeRow, PostingRow
from controller.rules.complementary import commitment
from support.core.book_writer import encode
from support.places import TESTS
from support.record.verifying import verify
from support.store.power_record import Step, run_recorded, steps_of
from support.store.power_replay import Cut, Disk, content_of, cuts, old_or_new
from support.store.power_writer import FAULTS
from support.store.store_cases import faults

pytestmark = pytest.mark.process

GENERATIONS, STATES, BEATS = (8, 250, 10) if CAMPAIGN else (3, 50, 6)
TIMES, FILE_STATES = (12, 2_000) if CAMPAIGN else (5, 150)
VERIFIED = 10  # one of so many is computed again from its first fact
WRITER = TESTS / "support/store/power_writer.py"
SAID_OF_NONE = "no existe este registro"
FOUNDING_CUT = "está vacío: su fundación se cortó; retírelo y funde el nodo de nuevo"
BROKEN = (AssertionError, StoreError, BookDamaged, KeyRefused)


class Recorded(NamedTuple):
    """A process that ended: what it did, where it began, and where it stood at the end."""

    folder: Path
    base: Path | None
    steps: list[Step]

    def disk(self, **lies: object) -> Disk:
        return Disk(self.folder, self.base, **lies)


def recording(act: str, folder: Path, seed: int, many: int, *faults: str, base: Path | None = None) -> Recorded:
    """A run of the writer on a new folder, or on a copy of what a power cut left."""
    if base is None:
        folder.mkdir(parents=True)
    else:
        shutil.copytree(base, folder)
    record = folder.with_name(f"{folder.name}.record")
    run_recorded(folder, record, [sys.executable, WRITER, act, folder, record, seed, many, *faults])
    done = Recorded(folder, base, list(steps_of(record)))
    disk = done.disk()
    for step in done.steps:
        disk.follow(step)
    assert disk.all_that_was_written() == content_of(folder), "the record has every write, and no other"
    return done


# ---------------------------------------------------------------------------------------------- a book


class Rows(NamedTuple):
    facts: list[FactRow]
    postings: list[PostingRow]
    outcomes: list[OutcomeRow]
    checkpoints: list[CheckpointRow]

    def until(self, head: int, seals: int) -> "Rows":
        return Rows(
            self.facts[:head],
            [row for row in self.postings if row.fact <= head],
            [row for row in self.outcomes if row.last <= head],
            self.checkpoints[:seals],
        )


def rows_of(store) -> Rows:
    return Rows(list(store.facts()), list(store.postings()), list(store.outcome_rows()), list(store.checkpoints()))


class Whole(NamedTuple):
    """The record as it is when no power goes, and where its commits ended."""

    rows: Rows
    ends: set[int]


def whole_of(done: Recorded, began: list[dict[str, object]]) -> Whole:
    with Reader.open(done.folder / "pozo.db") as reader:
        rows = rows_of(reader)
    told = [json.loads(step.data) for step in done.steps if step.kind == "A"]
    for one in (answer for mark in told for answer in mark.get("heard", ())):
        facts = tuple(_read_entry.decode(row.body).fact for row in rows.facts[one["first"] - 1 : one["last"]])
        assert hashlib.sha256(encode(facts)).hexdigest() == one["facts"], "the record says what was answered"
    ends = {mark["head"] for mark in told if "head" in mark}
    if done.base is not None:
        with Reader.open(done.base / "pozo.db") as reader:
            ends.add(reader.head().seq)
    return Whole(rows, ends | {mark["head"] for mark in began if "head" in mark})


def prove_book(folder: Path, told: list[dict[str, object]], whole: Whole) -> None:
    """What a power cut left opens, and is the record up to the end of some commit, not before the last acknowledged."""
    public = next((mark["key"] for mark in told if "key" in mark), None)
    place, acknowledged = folder / "pozo.db", last(told, "head")
    if not (folder / "node.key").exists():
        assert public is None and not place.exists(), "a node whose key is gone"
        return
    key = Key.load_or_make(folder / "node.key")
    assert public in {None, key.public}, "another key"
    book = opened(place, key)
    if isinstance(book, str):
        assert not acknowledged and (book == FOUNDING_CUT or (book == SAID_OF_NONE and not place.exists())), book
        return
    with closing(book):
        found = rows_of(book.store)
        head, seals = len(found.facts), len(found.checkpoints)
        assert head >= acknowledged, f"acknowledged {acknowledged}, there are {head}"
        assert head in whole.ends, "half a commit"
        assert found == whole.rows.until(head, seals)
        assert {mark["sealed"] for mark in told if "sealed" in mark} <= {row.seq for row in found.checkpoints}
        assert (book.seq, book.hash) == (head, found.facts[-1].hash)
    prove_copies(folder, told, whole)


def opened(place: Path, key: Key) -> Book | str:
    """The book, or why there is none."""
    try:
        return Book.open(place, key)
    except (StoreRefused, BookDamaged) as stopped:
        return stopped.sentence


def prove_copies(folder: Path, told: list[dict[str, object]], whole: Whole) -> None:
    """A backup is there when it was said to be; one that has its name is whole, said or not."""
    promised = {mark["copy"]: mark["head"] for mark in told if "copy" in mark}
    for copy in {path.name for path in folder.glob("copy*.db")} | promised.keys():
        with Reader.open(folder / copy) as reader:
            facts = list(reader.facts())
        assert len(facts) == promised.get(copy, len(facts)) in whole.ends
        assert facts == whole.rows.facts[: len(facts)]


def prove_from_its_first_fact(folder: Path) -> None:
    """As `pozo verify` does, with what SQLite says of the file."""
    with Reader.open(folder / "pozo.db") as reader:
        assert faults(reader) == []
        assert verify(reader, None, lambda _: None).wrong is None


def last(told: list[dict[str, object]], what: str) -> int:
    return max((mark[what] for mark in told if what in mark), default=0)


def broken(done: Recorded, into: Path, seed: int, many: int, prove, **lies: object) -> list[str]:
    """What the replay finds wrong with so many cuts."""
    found = []
    for cut in cuts(done.steps, done.disk(**lies), into, seed, many):
        try:
            prove(cut)
        except BROKEN as wrong:
            found.append(f"{type(wrong).__name__}: {wrong}".splitlines()[0])
        shutil.rmtree(cut.folder)
    return found


@pytest.fixture
def disks(tmp_path) -> Iterator[Path]:
    """Where the replayed disks lie: in memory, if there is such a place, since nobody cuts their power again."""
    memory = Path("/dev/shm")  # noqa: S108  a folder of its own below it
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as folder:
        yield Path(folder)


@pytest.mark.campaign
def test_no_power_cut_loses_what_a_book_has_acknowledged(tmp_path, disks, capsys):
    base, told = None, []
    for generation in range(1, GENERATIONS + 1):
        done = recording("book", tmp_path / f"writer{generation}", generation, BEATS, base=base)
        whole = whole_of(done, told)
        heads, fates, following = set(), Counter(), Following(tmp_path / f"base{generation}", generation)
        for number, cut in enumerate(cuts(done.steps, done.disk(), disks / "cut", generation, STATES, told)):
            following.consider(cut)
            prove_book(cut.folder, cut.told, whole)
            heads.add(last(cut.told, "head"))
            fates[cut.fate] += 1
            if number % VERIFIED == 0 and last(cut.told, "head"):
                prove_from_its_first_fact(cut.folder)
            shutil.rmtree(cut.folder)
        base, told = following.folder, following.told
        if CAMPAIGN:
            with capsys.disabled():
                print(f"\n{STATES} cuts of {len(done.steps)} steps, {len(heads)} heads: {dict(fates)}", file=sys.stderr)
        assert len(heads) > STATES / 8 and len(fates) == 5, "cuts all along the evening"


class Following:
    """One of the disks on which a writer can go on, chosen before anybody has opened it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.told = folder, []
        self._chance = random.Random(seed)

    def consider(self, cut: Cut) -> None:
        if any("ready" in mark for mark in cut.told) and (not self.told or self._chance.random() < 4 / STATES):
            shutil.rmtree(self.folder, ignore_errors=True)
            shutil.copytree(cut.folder, self.folder)
            self.told = cut.told


@pytest.mark.parametrize(
    ("fault", "words"), [("normal", "acknowledged "), ("off", "StoreFailed"), ("folders", "no existe este registro")]
)
def test_a_book_that_syncs_less_is_found_out(fault, words, tmp_path, disks):
    done = recording("book", tmp_path / "writer", 1, 4, fault)
    whole = whole_of(done, [])
    found = broken(done, disks / "cut", 1, 60, lambda cut: prove_book(cut.folder, cut.told, whole))
    assert any(words in one for one in found), found


def test_a_disk_that_does_not_listen_is_found_out(tmp_path, disks):
    """The replay itself: without the syncs of a folder, or of the log, acknowledged commits must be seen missing."""
    done = recording("book", tmp_path / "writer", 1, 4)
    whole = whole_of(done, [])
    for number, name in enumerate((done.folder.name, "pozo.db-wal", "pozo.db")):
        found = broken(
            done, disks / f"cut{number}", 2, 60, lambda cut: prove_book(cut.folder, cut.told, whole),
            deaf_to=lambda path, name=name: Path(path).name == name,
        )  # fmt: skip
        assert found, name


# ---------------------------------------------------------------------------------------------- files kept whole


def prove_files(cut: Cut, contents: dict[str, list[bytes | None]]) -> None:
    """Each file holds the content that was acknowledged last, or the one that was being written."""
    for name, all_of_it in contents.items():
        path = cut.folder / name
        kept = sum(1 for mark in cut.told if mark.get("kept") == name)
        begun = sum(1 for mark in cut.told if mark.get("will") == name)
        old_or_new(path.read_bytes() if path.exists() else None, all_of_it[: begun + 1], kept)
    for mark in cut.told:
        if "day" in mark:
            for folder in ("seeds", "elsewhere"):
                seed = Seeds(cut.folder / folder).of(mark["day"], commitment(bytes.fromhex(mark["seed"])))
                assert seed is not None, "the seed of a day that may be open"


def contents_of(done: Recorded) -> dict[str, list[bytes | None]]:
    contents: dict[str, list[bytes | None]] = {}
    for step in done.steps:
        if step.kind == "A" and "will" in (mark := json.loads(step.data)):
            contents.setdefault(mark["will"], [None]).append(bytes.fromhex(mark["content"]))
    return contents


@pytest.mark.campaign
def test_a_small_file_is_the_old_one_or_the_new_one(tmp_path, disks):
    done = recording("files", tmp_path / "writer", 1, TIMES)
    contents = contents_of(done)
    assert len(contents) == 2
    found = broken(done, disks / "cut", 3, FILE_STATES, lambda cut: prove_files(cut, contents))
    assert found == []


@pytest.mark.parametrize("fault", ["folders", "files", "in place"])
def test_a_small_file_kept_carelessly_is_found_out(fault, tmp_path, disks):
    done = recording("files", tmp_path / "writer", 1, 3, fault)
    contents = contents_of(done)
    assert broken(done, disks / "cut", 3, 100, lambda cut: prove_files(cut, contents))


def test_every_fault_is_tried_here():
    assert FAULTS.keys() == {"normal", "off", "folders", "files", "in place"}
