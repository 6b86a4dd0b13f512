"""What a request needs of the record is read beside the engine: play goes on, and every request has its answer."""

import threading
from dataclasses import dataclass, field

import pytest

from controller.core import inputs as ask
from controller.core.facts import Entry, NothingNew
from controller.core.past.inquiry import Inquiry
from controller.core.past.search import Search
from controller.node.book import book as book_module
from controller.node.book.book import Asked
from controller.node.book.history import inquire
from controller.node.engine import engine as engine_module
from controller.node.engine import inquiries as inquiries_module
from controller.node.store.failure import StoreFailed
from controller.node.store.rows import OutcomeKey
from support.core.book_cases import CARLA, JEFE
from support.node.node_stand import Stand, wrong

NEEDS = ask.CloseSeat("M1", 2, "revisar", JEFE)
"""Any request will do: what needs the record is for the core to say."""


@dataclass
class Asks(Inquiry):
    """Reads the facts of these kinds, forwards; keeps what it was told, and stands still at a gate."""

    kinds: tuple[str, ...] = ("day_opened", "plan_took_effect")
    forwards: bool = True
    enough: int = 99
    seq: int = 0
    read: list[str] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    ended: bool = False
    gate: threading.Event | None = None

    def query(self) -> Search | None:
        if self.gate is not None:
            self.gate.wait(10)
        return None if self.ended else Search(self.kinds, 1 if self.forwards else 10**6, self.forwards)

    def take(self, entry: Entry) -> bool:
        self.seq = max(self.seq, entry.seq)
        self.read.append(str(type(entry.fact).__struct_config__.tag))
        self.ended = len(self.read) >= self.enough
        return self.ended

    def done(self) -> None:
        self.ended = True

    def follow(self, entry: Entry) -> None:
        assert not self.heard or entry.seq == self.heard[-1] + 1, "in order, none left out"
        self.seq = entry.seq
        self.heard.append(entry.seq)


@pytest.fixture
def stand(tmp_path, monkeypatch):
    stand = Stand(tmp_path / "node")
    stand.turn()
    stand.log.clear()
    yield stand
    stand.close()


@pytest.fixture
def needs(monkeypatch):
    """Closing a seat needs this inquiry; `given` is what the core was given to answer with."""
    inquiry, given = Asks(gate=threading.Event()), []
    wanted = lambda _state, asked: inquiry if isinstance(asked, ask.CloseSeat) and asked.by.verified else None

    def answer(_state, asked, _now, history=None):
        given.append((type(asked).__name__, history, list(history.heard) if history else []))
        return (NothingNew("nada"),)

    monkeypatch.setattr(engine_module, "inquiry_for", wanted)
    monkeypatch.setattr(book_module, "inquiry_for", wanted)
    monkeypatch.setattr(book_module, "answer", answer)
    inquiry.given = given
    return inquiry


def came_back(stand):
    assert stand.came_back.wait(10), "the inquiry never came back"
    stand.came_back.clear()
    stand.turn()


def test_a_request_waits_beside_while_play_goes_on_and_is_asked_with_what_came_since(stand, needs):
    id_ = stand.asks(NEEDS)
    stand.turn()
    assert not stand.replies
    assert [one.id for one in stand.show.fresh(stand.micros).inquiries] == [id_]
    before = stand.book.seq

    stand.asks(ask.OpenPass("M1", CARLA))
    stand.turn()
    assert [reply.ok for reply in stand.replies] == [True], "play is answered"

    needs.gate.set()
    came_back(stand)

    assert [reply.id for reply in stand.replies][1:] == [id_]
    assert needs.read == ["plan_took_effect", "day_opened"]
    name, found, heard = needs.given[-1]
    assert (name, found) == ("CloseSeat", needs)
    assert heard[-1] == before + 1 == stand.book.seq - 1, "also the fact that was committed meanwhile"
    assert stand.show.fresh(stand.micros).inquiries == ()


def test_what_the_same_batch_does_before_it_is_heard_too(stand, needs):
    needs.gate.set()
    stand.asks(NEEDS)
    stand.turn()
    assert stand.came_back.wait(10)
    stand.floor.rounds = [[ask.LookAtClock(), ask.LookAtClock()]]
    before = stand.book.seq
    stand.turn()

    assert needs.given[-1][2][-2:] == [before + 1, before + 2]


def test_an_inquiry_may_read_backwards_and_stop_early(stand, needs):
    needs.forwards, needs.enough = False, 1
    needs.gate.set()
    stand.asks(NEEDS)
    stand.turn()
    came_back(stand)

    assert needs.read == ["day_opened"]
    assert stand.replies[-1].ok


def test_repeats_wait_with_it_and_get_the_same_answer(stand, needs):
    id_ = stand.asks(NEEDS)
    stand.turn()
    stand.asks(NEEDS, id_=id_)
    stand.turn()
    needs.gate.set()
    came_back(stand)
    stand.turn()

    assert len(stand.replies) == 2 and stand.replies[0] == stand.replies[1]
    assert [name for name, *_ in needs.given].count("CloseSeat") == 1


def test_an_id_that_has_its_answer_is_not_read_for_again(stand, needs):
    needs.gate.set()
    id_ = stand.asks(NEEDS)
    stand.turn()
    came_back(stand)
    needs.gate.clear()

    stand.asks(NEEDS, id_=id_)
    stand.turn()
    assert len(stand.replies) == 2 and stand.replies[0] == stand.replies[1]


def test_a_guess_at_a_pin_meanwhile_is_refused_and_nothing_else(stand, needs):
    id_ = stand.asks(NEEDS)
    stand.turn()
    stand.asks(ask.CloseSeat("M1", 2, "revisar", wrong("jefe")), id_=id_)
    stand.turn()
    needs.gate.set()
    came_back(stand)
    stand.turn()

    assert len(stand.replies) == 2
    assert [name for name, found, _ in needs.given if found] == ["CloseSeat"], "nothing is read for a guess"


def test_a_stop_meanwhile_is_answered_and_the_thread_ends(stand, needs):
    stand.asks(NEEDS)
    stand.turn()
    stand.engine._stopping = "test"
    stand.engine.run()

    assert stand.replies[-1].trouble.reason == "stopping"
    assert stand.show.view.inquiries == ()
    needs.gate.set()
    came_back(stand)
    assert len(stand.replies) == 1, "what came back too late is nobody's"


def test_a_reader_that_fails_says_so_and_the_node_goes_on(stand, needs, monkeypatch):
    needs.gate.set()
    failed = StoreFailed("node.db", "El disco falló al leer.")

    def broken():
        raise failed

    monkeypatch.setattr(stand.inquiries, "_reader", broken)
    stand.asks(NEEDS)
    stand.turn()
    came_back(stand)

    assert stand.replies[-1].trouble.reason == "not_read"
    assert "El disco falló" in stand.replies[-1].trouble.message
    assert stand.reply(ask.OpenPass("M1", CARLA)).ok


def test_a_defect_is_raised_where_every_other_is(stand, needs, monkeypatch):
    needs.gate.set()
    monkeypatch.setattr(needs, "take", lambda _: 1 // 0)
    stand.asks(NEEDS)
    stand.turn()
    assert stand.came_back.wait(10)

    with pytest.raises(ZeroDivisionError):
        stand.turn()


def test_who_asks_for_too_many_is_told_to_come_again(stand, needs, monkeypatch):
    monkeypatch.setattr(inquiries_module, "MOST_WAITING", 1)
    stand.asks(NEEDS)
    stand.asks(NEEDS)
    stand.turn()

    assert [reply.trouble.reason for reply in stand.replies] == ["busy"]
    needs.gate.set()


def test_a_need_that_arises_only_in_the_batch_is_read_there(stand, needs, monkeypatch):
    needs.gate.set()
    monkeypatch.setattr(engine_module, "inquiry_for", lambda *_: None)

    assert stand.reply(NEEDS).ok
    assert needs.given[-1][1] is needs
    assert needs.seq == stand.book.seq - 1


def test_the_book_tells_what_was_committed_after_the_reading(stand, needs):
    needs.gate.set()
    inquire(needs, stand.book.store)
    assert needs.seq == stand.book.seq
    assert stand.reply(ask.OpenPass("M1", CARLA)).ok
    before = stand.book.seq
    stand.book.take([Asked(OutcomeKey("ctl:x", 0, 0), stand.millis, NEEDS, history=needs)])

    assert needs.given[-1][2] == [before]
