"""What neighbours said on its way to the core: in order, of every stream alike, so many at most, and each once."""

from concurrent.futures import Future
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.links.known import Neighbour, Stopped
from controller.core.links.letters import CorrectionWanted, PassOver
from controller.core.state import State
from controller.core.values import Broken, Mark, Side
from controller.node.engine import letters as at_work
from controller.node.engine.inquiries import InquiryEnded
from controller.node.engine.letters import Letters
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    InquiryRead,
    LinkBroken,
    LinkChanged,
    NeighbourAcknowledged,
)

NORTE, SUR, HUB = (
    Neighbour("norte", Side.BELOW, "k"),
    Neighbour("sur", Side.BELOW, "k", up=True),
    Neighbour("hub", Side.ABOVE, "k"),
)
KNOWN = State(node="casa", epoch=1, neighbours={one.name: one for one in (NORTE, SUR, HUB)})


@dataclass
class PlayedBook:
    """Which ids the record has an answer for already."""

    answered: set[OutcomeKey] = field(default_factory=set)
    seq: int = 100

    def is_surely_new(self, id_):
        return id_ not in self.answered


@dataclass
class PlayedInquiries:
    under_way: list[str] = field(default_factory=list)
    full: bool = False

    def begin(self, id_, _table, _inquiry):
        if not self.full:
            self.under_way.append(id_)
        return not self.full

    def over(self, id_):
        self.under_way.remove(id_)


@pytest.fixture
def book():
    return PlayedBook()


@pytest.fixture
def inquiries():
    return PlayedInquiries()


@pytest.fixture
def letters(book, inquiries):
    return Letters(book, inquiries, lambda _: 10)


def told(number, letter=None, neighbour="norte", stream="to:casa"):
    over = letter or PassOver("estelar", "M1", number, reviewed=True)
    return ask.HearLetter(neighbour, stream, Mark(1, number, f"{number:064x}"), "", 1, over)


def batch(first, last, neighbour="norte", stream="to:casa"):
    said = tuple(told(number, None, neighbour, stream) for number in range(first, last + 1))
    return FromNeighbour(neighbour, stream, said)


def heard_up_to(number, state=KNOWN, name="norte/to:casa"):
    return State(node="casa", neighbours=state.neighbours, heard={name: Mark(1, number, f"{number:064x}")})


def numbers(asks):
    return [one.input.mark.number for one in asks]


def test_letters_are_asked_in_their_order_under_their_own_number_and_so_many_at_most(letters):
    letters.heard(batch(1, 25))

    first, second, third = (letters.asks(heard_up_to(so_far)) for so_far in (0, 10, 20))

    assert [numbers(asks) for asks in (first, second, third)] == [[*range(1, 11)], [*range(11, 21)], [*range(21, 26)]]
    assert first[0].id == OutcomeKey("norte/to:casa", 1, 1)
    assert not letters.waiting and letters.asks(heard_up_to(25)) == []


def test_where_no_table_plays_many_are_taken_at_once(book, inquiries):
    letters = Letters(book, inquiries)
    letters.heard(batch(1, 300))

    assert len(letters.asks(KNOWN)) == 200


def test_while_letters_wait_the_engine_does_not_rest(letters):
    assert not letters.waiting
    letters.heard(batch(1, 11))
    assert letters.waiting
    letters.asks(KNOWN)
    assert letters.waiting
    letters.asks(heard_up_to(10))
    assert not letters.waiting


def test_every_stream_has_its_share_and_more_streams_than_room_take_turns(letters):
    letters.heard(batch(1, 200))
    letters.heard(batch(1, 200, "sur"))

    asks = letters.asks(KNOWN)

    assert [one.input.neighbour for one in asks] == ["norte"] * 5 + ["sur"] * 5

    names = [f"pozo{place}" for place in range(12)]
    many = Letters(PlayedBook(), PlayedInquiries(), lambda _: 10)
    for name in names:
        many.heard(batch(1, 2, "hub", f"pot:{name}"))
    served = [one.input.stream for _ in range(2) for one in many.asks(KNOWN)]
    assert {f"pot:{name}" for name in names} == set(served)


def test_what_was_heard_already_and_what_comes_before_its_time_falls_away(letters):
    letters.heard(batch(1, 5))
    assert numbers(letters.asks(heard_up_to(3))) == [4, 5]

    letters.heard(batch(9, 10))
    assert letters.asks(heard_up_to(5)) == [] and not letters.waiting


def test_what_contradicts_what_was_heard_is_for_the_core(letters):
    """Restored from a backup it says again, in another epoch, what had a number already."""
    again = replace(told(3), mark=Mark(2, 3, "x"))
    letters.heard(FromNeighbour("norte", "to:casa", (again,)))

    assert numbers(letters.asks(heard_up_to(5))) == [3]


def test_a_letter_the_record_refused_once_is_asked_anew_when_it_comes_again(letters, book):
    book.answered.add(OutcomeKey("norte/to:casa", 1, 1))
    letters.heard(batch(1, 1))

    assert letters.asks(KNOWN)[0].id == OutcomeKey("norte/to:casa/101", 1, 1)


@pytest.mark.parametrize(
    "neighbour",
    [
        Neighbour("norte", Side.BELOW, "k", revoked=True),
        Neighbour("norte", Side.BELOW, "k", stopped={"to:casa": Stopped(Broken.GAP, Mark(1, 1, "h"))}),
        Neighbour("otro", Side.BELOW, "k"),
    ],
    ids=["revoked", "stopped", "unknown"],
)
def test_nobody_is_heard_who_is_not_to_be(letters, neighbour):
    letters.heard(batch(1, 3))

    assert letters.asks(State(neighbours={neighbour.name: neighbour})) == []


def test_of_links_and_acknowledgements_the_newest_counts_and_only_what_is_news(letters):
    for up in (True, False, True):
        letters.heard(LinkChanged("norte", up))
    letters.heard(LinkChanged("sur", up=True))
    letters.heard(LinkChanged("nadie", up=True))
    for number in (1, 2):
        letters.heard(NeighbourAcknowledged("hub", "to:hub", Mark(1, number, "h")))
    letters.heard(NeighbourAcknowledged("norte", "pot:estelar", Mark(1, 7, "h")))
    state = State(neighbours=KNOWN.neighbours, acknowledged={"norte/pot:estelar": Mark(1, 7, "h")})

    asks = letters.asks(state)

    assert [one.input for one in asks] == [
        ask.SeeLink("norte", up=True),
        ask.HearAcknowledged("hub", "to:hub", Mark(1, 2, "h")),
    ]
    assert asks[0].id is None and asks[1].id == OutcomeKey("hub/ack:to:hub", 1, 2)
    assert letters.asks(state) == []


def test_a_broken_stream_is_said_once(letters):
    broken = LinkBroken("norte", "to:casa", Broken.FORK, Mark(1, 5, "h"))
    letters.heard(broken)
    assert [one.input for one in letters.asks(KNOWN)] == [ask.StopNeighbour(*broken)]

    stopped = Neighbour("norte", Side.BELOW, "k", stopped={"to:casa": Stopped(Broken.FORK, Mark(1, 5, "h"))})
    letters.heard(broken)
    assert letters.asks(State(neighbours={"norte": stopped})) == []


def test_what_came_before_a_break_is_heard_before_it(letters):
    """Two persons accept a stream where its writer says that it stands: letters on their way here would be passed over."""
    broken = LinkBroken("norte", "to:casa", Broken.UNKNOWN_LETTER, Mark(1, 12, f"{12:064x}"))
    letters.heard(batch(1, 12))
    letters.heard(broken)

    assert numbers(letters.asks(KNOWN)) == [*range(1, 11)] and letters.waiting
    assert numbers(letters.asks(heard_up_to(10))) == [11, 12] and letters.waiting
    assert [one.input for one in letters.asks(heard_up_to(12))] == [ask.StopNeighbour(*broken)] and not letters.waiting


# A letter that needs the record


@pytest.fixture
def needing(monkeypatch):
    """Corrections need it, and nothing else."""
    wanted = object()
    monkeypatch.setattr(
        at_work, "inquiry_for", lambda _, said: wanted if isinstance(said.letter, CorrectionWanted) else None
    )
    return wanted


def correction(number):
    return told(number, CorrectionWanted("estelar", 1, "correct_claim", "M1", number, "sala"))


def came_back(id_, read=None, error=None):
    future = Future()
    if error is None:
        future.set_result(read)
    else:
        future.set_exception(error)
    return InquiryRead(id_, future)


def test_a_letter_that_needs_the_record_waits_for_it_after_what_went_before_and_holds_up_its_stream_alone(
    letters, inquiries, needing
):
    letters.heard(FromNeighbour("norte", "to:casa", (told(1), correction(2), told(3))))
    letters.heard(batch(1, 1, "sur"))

    first = letters.asks(KNOWN)
    assert [(one.input.neighbour, one.input.mark.number) for one in first] == [("norte", 1), ("sur", 1)]
    assert not inquiries.under_way and letters.waiting

    assert letters.asks(heard_up_to(1)) == []
    assert inquiries.under_way == ["norte/to:casa/1/2"] and not letters.waiting
    letters.heard(batch(2, 2, "sur"))
    both = State(neighbours=KNOWN.neighbours, heard={"norte/to:casa": Mark(1, 1, "h"), "sur/to:casa": Mark(1, 1, "h")})
    assert [one.input.neighbour for one in letters.asks(both)] == ["sur"]

    assert letters.read(came_back("norte/to:casa/1/2", needing))
    asks = letters.asks(heard_up_to(1))
    assert numbers(asks) == [2, 3] and [one.history for one in asks] == [needing, None]
    assert not inquiries.under_way


def test_a_record_that_could_not_be_read_is_read_again(letters, inquiries, needing):
    letters.heard(FromNeighbour("norte", "to:casa", (correction(1),)))
    letters.asks(KNOWN)
    letters.read(came_back("norte/to:casa/1/1", error=InquiryEnded("x")))

    assert letters.asks(KNOWN) == [] and inquiries.under_way == ["norte/to:casa/1/1"]


def test_where_too_many_read_already_it_waits_its_turn(letters, inquiries, needing):
    inquiries.full = True
    letters.heard(FromNeighbour("norte", "to:casa", (correction(1),)))
    assert letters.asks(KNOWN) == [] and not inquiries.under_way
    inquiries.full = False
    letters.asks(KNOWN)
    assert inquiries.under_way == ["norte/to:casa/1/1"]


def test_another_inquiry_is_not_ours_and_at_the_end_all_of_it_falls_away(letters, inquiries, needing):
    letters.heard(FromNeighbour("norte", "to:casa", (correction(1),)))
    letters.asks(KNOWN)

    assert not letters.read(came_back("f" * 32))
    letters.dismiss()
    assert not inquiries.under_way and not letters.waiting and letters.asks(KNOWN) == []
