"""What the book of a node promises, on SQLite and on a real PostgreSQL alike: one id, one answer, one effect, on the
disk before anybody hears of it.
"""

from pathlib import Path

import pytest

from controller.core import inputs as ask
from controller.core.facts import ClockWentBack, IdReused, NothingNew, PassOpened, Refused
from controller.core.values import Role, Signature
from controller.node.book.book import Asked
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader, Store
from support.core.book_cases import (
    ANA,
    CARLA,
    LUIS,
    SECRET,
    START,
    VERIFIER,
    Client,
    everything_of,
    founded,
    one_pass,
    restarted,
)
from support.core.ledger_compare import first_difference, standing
from support.store.store_cases import DIALECTS, new_place

Place = str | Path


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> Place:
    return new_place(request.param, tmp_path, request.config)


@pytest.fixture
def book(place, key):
    made = founded(place, key)
    yield made
    made.close()


def machine(number: int, asked: ask.Input, at: int = START + 10**6, source: str = "caja") -> Asked:
    return Asked(OutcomeKey(source, 1, number), at, asked)


def person(name: str, asked: ask.Input, at: int = START + 10**6) -> Asked:
    return Asked(OutcomeKey(f"person/{name}", 1, 0), at, asked)


OPEN, BUY = ask.OpenPass("M1", CARLA), ask.BuyCredits("M1", 1, 4, CARLA)


# One id, one answer


@pytest.mark.parametrize("of", [machine, lambda number, asked: person(f"id{number}", asked)], ids=["machine", "person"])
def test_an_id_that_is_asked_again_gets_the_same_facts_and_no_second_effect(book, place, key, of):
    first = book.take([of(100, OPEN), of(101, BUY)])
    after = everything_of(book)
    again = book.take([of(101, BUY), of(100, OPEN)])

    assert [answer.facts for answer in again] == [first[1].facts, first[0].facts]
    assert [answer.first for answer in again] == [first[1].first, first[0].first]
    assert [answer.repeated for answer in first + again] == [False, False, True, True]
    assert everything_of(book) == after
    book = restarted(book, place, key)
    assert book.take([of(100, OPEN)]) == [first[0]._replace(repeated=True)]
    assert everything_of(book) == after
    book.close()


def test_an_id_that_is_asked_twice_in_one_batch_has_one_effect(book):
    before = book.balances.get("credits:M1:1", 0)
    first, second, other = book.take([machine(100, BUY), machine(100, BUY), machine(101, BUY)])

    assert (first.repeated, second.repeated, other.repeated) == (False, True, False)
    assert second.facts == first.facts
    assert book.balances["credits:M1:1"] == before + 2 * 2000
    assert book.take([machine(100, BUY), machine(100, BUY)]) == [first._replace(repeated=True)] * 2


def test_a_refusal_is_remembered_also_when_it_would_go_well_now(book, place, key):
    lock = ask.Lock("M1", CARLA)
    (refused,) = book.take([machine(100, lock)])
    book.take([machine(101, OPEN)])
    after = everything_of(book)

    assert isinstance(refused.facts[0], Refused)
    assert book.take([machine(100, lock)]) == [refused._replace(repeated=True)]
    book = restarted(book, place, key)
    assert book.take([machine(100, lock)]) == [refused._replace(repeated=True)]
    assert everything_of(book) == after
    book.close()


def test_what_changed_nothing_is_remembered_too(book):
    book.take([machine(100, OPEN)])
    look = ask.LookAtClock()
    (first,) = book.take([machine(101, look)])

    assert first.facts == (NothingNew("la hora"),)
    assert book.take([machine(101, look)]) == [first._replace(repeated=True)]


def test_an_answer_of_several_facts_is_repeated_whole(book):
    one = machine(100, OPEN, at=START - 5)
    (first,) = book.take([one])

    assert [type(fact) for fact in first.facts] == [ClockWentBack, PassOpened]
    assert book.take([one]) == [first._replace(repeated=True)]


def test_numbers_may_be_skipped_and_asked_later(book, place, key):
    book.take([machine(200, OPEN)])
    (late,) = book.take([machine(150, BUY)])
    assert not late.repeated
    book = restarted(book, place, key)
    assert book.take([machine(150, BUY)]) == [late._replace(repeated=True)]
    assert not book.take([machine(149, BUY)])[0].repeated
    book.close()


def test_every_source_and_every_epoch_counts_for_itself(book):
    asks = [
        Asked(OutcomeKey(source, epoch, 500), START + 10**6, BUY) for source in ("x", "y", "ñ") for epoch in (1, 2, 9)
    ]
    answers = book.take(asks)

    assert len({answer.first for answer in answers}) == 9
    assert book.balances["credits:M1:1"] == 9 * 2000
    assert all(answer.repeated for answer in book.take(asks))


# One id, other content


@pytest.mark.parametrize("when", ["same batch", "next batch", "after a restart"])
def test_the_same_id_with_other_content_is_refused_and_on_record(book, place, key, when):
    one, other = machine(100, BUY), machine(100, ask.BuyCredits("M1", 1, 5, CARLA))
    if when == "same batch":
        first, alarm = book.take([one, other])
    else:
        (first,) = book.take([one])
        book = restarted(book, place, key) if when == "after a restart" else book
        (alarm,) = book.take([other])

    assert alarm.facts == (IdReused("caja", 1, 100),)
    assert not alarm.repeated
    assert book.balances["credits:M1:1"] == 2000
    assert [row.kind for row in book.store.facts(alarm.first)] == ["id_reused"]
    assert list(book.store.postings(alarm.first)) == []
    assert book.take([one]) == [first._replace(repeated=True)]
    book.close()


def test_an_alarm_at_an_earlier_instant_says_that_the_clock_went_back(book):
    book.take([machine(100, BUY)])
    (alarm,) = book.take([machine(100, OPEN, at=START + 7)])

    assert alarm.facts == (ClockWentBack(START + 10**6, START + 7), IdReused("caja", 1, 100))
    assert book.state.clock == START + 7


# Groups


def test_a_pin_guessed_again_under_the_same_id_is_no_new_try_and_learns_nothing(book):
    wrong, right = (ask.OpenPass("M1", Signature("carla", verified)) for verified in (False, True))
    (first,) = book.take([machine(100, wrong)])
    again, guessed = book.take([machine(100, wrong), machine(100, right)])

    assert first.facts[0].reason == "pin_wrong"
    assert again == guessed == first._replace(repeated=True)
    assert book.state.people["carla"].failures == 1


def test_what_no_record_would_hold_is_refused_and_remembered(book):
    endless = ask.VoidPass("M1", "x" * 200_000, CARLA)
    (refused,) = book.take([machine(100, endless)])

    assert refused.facts[0].reason == "too_long"
    assert book.take([machine(100, endless)]) == [refused._replace(repeated=True)]


def test_a_group_is_one_commit_and_the_same_as_one_by_one(book, tmp_path, key, monkeypatch):
    other = founded(tmp_path / "other.db", key)
    commits = []
    commit = Store.commit
    monkeypatch.setattr(Store, "commit", lambda store, batch: (commits.append(store), commit(store, batch))[1])
    together, alone = Client(book), Client(other)
    for group in one_pass(book):
        together.say(*group)
    grouped = commits.count(book.store)
    for group in one_pass(other):
        for asked in group:
            alone.say(asked)

    assert grouped == 4
    assert commits.count(other.store) == 8
    assert (other.state, other.hash, other.balances) == (book.state, book.hash, book.balances)
    other.close()


def test_nothing_asked_is_nothing_written(book):
    before = everything_of(book)

    assert book.take([]) == []
    assert everything_of(book) == before


def test_what_is_answered_is_there_for_a_reader(book, place):
    for answer in Client(book).say(OPEN, BUY):
        with Reader.open(place) as reader:
            assert reader.outcomes([answer.id])[answer.id].first == answer.first
            assert reader.head().seq >= answer.first


def test_a_person_has_his_verifier_in_the_same_commit_and_in_no_fact(book, place):
    asked = ask.EnrolPerson("eva", "Eva", (Role.CROUPIER,), SECRET, ANA, LUIS, known=True)
    book.take([Client(book).asked(asked, VERIFIER)])
    with Reader.open(place) as reader:
        assert {row.id: row.verifier for row in reader.people()}["eva"] == VERIFIER
        assert not any(VERIFIER.encode() in row.body for row in reader.facts())


def test_what_breaks_an_assertion_leaves_no_trace(book):
    before = everything_of(book)
    client = Client(book)
    asked = ask.EnrolPerson("eva", "Eva", (Role.CROUPIER,), SECRET, ANA, LUIS, known=True)
    with pytest.raises(AssertionError, match="the verifier of this PIN"):
        book.take([client.asked(BUY), client.asked(asked, "another verifier")])

    assert everything_of(book) == before
    assert not any(answer.repeated for answer in Client(book).say(BUY, OPEN))


@pytest.mark.parametrize(
    ("id_", "at"),
    [
        (OutcomeKey("", 1, 7), START), (OutcomeKey("a\0b", 1, 7), START), (OutcomeKey("\ud800", 1, 7), START),
        (OutcomeKey("x" * 201, 1, 7), START), (OutcomeKey("caja", 2**63, 7), START), (OutcomeKey("caja", -1, 7), START),
        (OutcomeKey("caja", 1, 2**63), START), (OutcomeKey("caja", 1, -1), START), (OutcomeKey("caja", 1, 7), 2**63),
    ],
)  # fmt: skip
def test_an_id_that_no_database_holds_does_not_close_the_book(book, id_, at):
    before = everything_of(book)
    with pytest.raises(AssertionError, match="an id and an instant that every database can hold"):
        book.take([Client(book).asked(BUY), Asked(id_, at, BUY)])

    assert everything_of(book) == before
    Client(book).say(BUY)


def test_the_ledger_is_what_an_independent_model_says(book):
    client = Client(book)
    client.play(5)
    client.play(5, "M2")
    model, difference = first_difference(book.store)

    assert difference is None
    assert standing(model.balances) == standing(book.store.balances()) == standing(book.balances)
    assert sum(book.balances.values()) == 0
