"""Which snapshots are kept: the newest few, then fewer with age; and the auditor knows which may be missing (R-27)."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.node.book import book as book_module
from controller.node.book import snapshots as book_snapshots
from controller.node.book.book import Book
from controller.node.book.chain import Key, read_checkpoint
from controller.node.book.snapshots import KEPT_NEWEST, MOST_AT_ONCE, may_go
from controller.node.store.store import Reader
from controller.record.export import Exported, export
from controller.record.record import SnapshotRow
from controller.verify.wrong import Wrong
from support.core.book_cases import Client, everything_of, founded
from support.record.verifying import verify
from support.store.store_cases import DIALECTS, new_place

Place = str | Path


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> Place:
    return new_place(request.param, tmp_path, request.config)


def thinned(places: list[int]) -> list[int]:
    """What is left when each of these was made in its turn."""
    kept: list[int] = []
    for seq in places:
        kept.append(seq)
        gone = may_go(kept)
        kept = [one for one in kept if one not in gone]
    return kept


def test_r27_ten_years_of_snapshots_are_kept_as_a_hundred():
    kept = thinned(list(range(10_000, 40_000_001, 10_000)))

    assert len(kept) <= 100
    assert kept[-8:] == list(range(40_000_000 - 70_000, 40_000_001, 10_000)), "all of the last ten thousands"
    for before, after in pairwise(kept):
        assert after - before <= max(10_000, (40_000_000 - before) // 2), "the older, the fewer, and some of every age"


@given(st.lists(st.integers(1, 10**7), unique=True, min_size=1, max_size=60).map(sorted))
def test_r27_the_newest_few_always_stay_and_so_does_one_of_every_age(places):
    kept = thinned(places)

    assert kept[-KEPT_NEWEST:] == places[-KEPT_NEWEST:]
    assert kept[0] == places[0], "the oldest stands alone in its stretch"
    for seq in places:
        age = places[-1] - seq
        assert any(abs(one - seq) <= age // 8 + 1 for one in kept), seq


def test_a_record_that_was_never_thinned_is_thinned_little_by_little():
    assert len(may_go(range(1, 5_000))) == MOST_AT_ONCE
    assert may_go([7]) == []


def verdict_on(place: Place):
    with Reader.open(place) as reader, reader.moment():
        return verify(reader, None, lambda _: None)


def with_a_state(record: Book | Reader) -> list[int]:
    """Where a signature vouches for a snapshot too."""
    store = record.store if isinstance(record, Book) else record
    return [row.seq for row in store.checkpoints() if read_checkpoint(row.body).state]


@pytest.fixture
def record(place, key, monkeypatch) -> Place:
    """A closed record that has thinned its snapshots."""
    monkeypatch.setattr(book_module, "SNAPSHOT_EVERY", 4)
    book = founded(place, key)
    Client(book).play(60)
    book.checkpoint()
    seals = with_a_state(book)
    there = book.store.snapshot_places()
    assert len(seals) > 2 * len(there) > 4 * KEPT_NEWEST, "checkpoints are never removed"
    assert there == thinned(seals)
    book.close()
    return place


def test_r27_a_thinned_record_verifies_and_says_what_nobody_can_prove(record):
    with Reader.open(record) as reader:
        gone = len(with_a_state(reader)) - len(reader.snapshot_places())
    verdict = verdict_on(record)

    assert verdict.wrong is None, verdict.wrong
    assert (
        f"{gone} estados que se sellaron: sus instantáneas, de las más viejas, ya no se guardan" in verdict.not_verified
    )


def test_a_thinned_record_starts_and_thins_on(record, key):
    book = Book.open(record, key)
    before = everything_of(book)
    Client(book).play(10)
    places = book.store.snapshot_places()
    assert places == thinned(with_a_state(book))
    assert before != everything_of(book)
    book.close()

    assert verdict_on(record).wrong is None


class Missing:
    """A record that lacks one of its snapshots."""

    def __init__(self, record: Exported, seq: int) -> None:
        self._record, self._seq = record, seq

    def __getattr__(self, name: str) -> Any:
        return getattr(self._record, name)

    def snapshots(self) -> Iterator[SnapshotRow]:
        return (row for row in self._record.snapshots() if row.seq != self._seq)


def test_r27_a_snapshot_that_had_to_stay_is_missed(record, tmp_path):
    """Each one that is kept stands for a stretch of its own, or is of the newest few."""
    file = tmp_path / "record.jsonl"
    with Reader.open(record) as reader, file.open("wb") as to:
        places = reader.snapshot_places()
        export(reader, to, lambda _: None)
    assert verify(Exported(file), None, lambda _: None).wrong is None
    for seq in places[:3] + places[-KEPT_NEWEST:]:
        wrong = verify(Missing(Exported(file), seq), None, lambda _: None).wrong
        assert wrong == Wrong(f"snapshot {seq}", "R-27", "falta la instantánea que se selló")


def test_a_snapshot_of_an_earlier_reading_is_passed_over_and_every_fact_is_read(record, key, monkeypatch):
    """Its state knows less than a later program needs; the facts know all."""
    before = everything_of(book := Book.open(record, key))
    book.close()
    monkeypatch.setattr(book_snapshots, "READING", book_snapshots.READING + 1)
    read = []
    apply = book_module.apply
    monkeypatch.setattr(book_module, "apply", lambda state, at, fact: (read.append(fact), apply(state, at, fact))[1])

    book = Book.open(record, key)

    assert everything_of(book) == before
    assert len(read) == book.seq
    book.close()
