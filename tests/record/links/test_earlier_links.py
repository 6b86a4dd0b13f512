"""Records of nodes that shared a pot under an earlier version open, go on and verify, also beside each other, for ever.

`earlier/121e605-*` are the owner, the casino's node and its box of an evening that was played in memory by that commit
(support/links/evening.py as it was then), each with its day closed: its program told the close of a day to nobody. Of
`earlier/b44a6e3-sol` the boxes closed a day and then its owner was left: that program told neither to him.
"""

import lzma
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from controller.about import program
from controller.core import inputs as ask
from controller.core.facts import DayClosed, LetterHeard, LetterTold, NeighbourPinned, NodeStarted, PotLeft
from controller.core.links.letters import TELLS, DayOver
from controller.core.values import Signature
from controller.node.book.book import Asked, Book
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.record.reading import entries
from controller.rules.complementary import commitment
from support.nonces import nonce_of
from support.places import TESTS
from support.pozo import pozo
from support.record.verify_history import key_of
from support.record.verifying import verify

OWNER, CASINO, BOX = "mar", "sol", "caja"
DAY, SEED = "2026-11-02", bytes(range(32))


@pytest.fixture
def earlier(tmp_path: Path) -> Mapping[str, Path]:
    records = {name: tmp_path / f"{name}.db" for name in (OWNER, CASINO, BOX)}
    for name, record in records.items():
        record.write_bytes(lzma.decompress((TESTS / f"record/earlier/121e605-{name}.db.xz").read_bytes()))
    return records


def wrong_in(record: Path) -> str:
    with Reader.open(record) as reader, reader.moment():
        return str(verify(reader, None, lambda _: None).wrong or "")


def test_they_verify_alone_and_beside_each_other(earlier):
    assert {name: wrong_in(record) for name, record in earlier.items()} == dict.fromkeys(earlier, "")
    code, out, _ = pozo("verify", *earlier.values())
    assert code == 0 and "ENTRE ELLOS: BIEN" in out


def gone_on(record: Path, name: str, acts: list[ask.Input]) -> list[tuple]:
    with closing(Book.open(record, key_of(name))) as book:
        at, source = book.state.clock + 86_400_000, ("hoy", book.state.epoch)
        answers = [
            book.take([Asked(OutcomeKey(*source, number), at + number, asked)])[0].facts
            for number, asked in enumerate(acts, start=1)
        ]
        book.checkpoint()
    return answers


def test_under_the_program_of_today_the_close_of_a_day_is_told_and_it_verifies(earlier):
    ana = Signature("ana")
    acts = [
        ask.StartNode(program(), "0f-1"),
        ask.OpenDay(DAY, commitment(SEED), ana, nonce_of(DAY)),
        ask.CloseDay(SEED.hex(), ana),
    ]
    for name, owner in ((CASINO, OWNER), (BOX, CASINO)):
        started, _, closed = gone_on(earlier[name], name, acts)

        assert [fact.tells for fact in started if isinstance(fact, NodeStarted)] == [TELLS]
        assert isinstance(closed[0], DayClosed)
        told = [fact for fact in closed if isinstance(fact, LetterTold)]
        assert [(one.stream, type(one.letter)) for one in told] == [(f"to:{owner}", DayOver)]
        assert wrong_in(earlier[name]) == ""


def test_until_it_is_started_anew_it_tells_what_it_told_before(earlier):
    ana = Signature("ana")
    acts = [ask.OpenDay(DAY, commitment(SEED), ana, nonce_of(DAY)), ask.CloseDay(SEED.hex(), ana)]
    _, closed = gone_on(earlier[CASINO], CASINO, acts)

    assert not [fact for fact in closed if isinstance(fact, LetterTold)]
    assert wrong_in(earlier[CASINO]) == ""


def test_a_record_of_the_second_list_tells_no_day_of_boxes_and_verifies(tmp_path):
    record = tmp_path / "sol.db"
    record.write_bytes(lzma.decompress((TESTS / "record/earlier/b44a6e3-sol.db.xz").read_bytes()))
    with Reader.open(record) as reader:
        facts = [entry.fact for entry in entries(reader)]

    assert {fact.tells for fact in facts if isinstance(fact, NeighbourPinned)} == {2}
    assert any(isinstance(fact, PotLeft) for fact in facts)
    heard = [fact for fact in facts if isinstance(fact, LetterHeard) and isinstance(fact.letter, DayOver)]
    told = [fact for fact in facts if isinstance(fact, LetterTold) and isinstance(fact.letter, DayOver)]
    assert len(heard) == 2 and told == []
    assert wrong_in(record) == ""
    gone_on(record, CASINO, [ask.StartNode(program(), "0f-1")])
    assert wrong_in(record) == ""
