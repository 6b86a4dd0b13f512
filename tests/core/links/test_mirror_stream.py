"""R-27, R-28: a box whose record differs from its mirror is named on record, and its letters go on; two persons end it."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import LetterHeard, NeighbourAccepted, NeighbourStopped, NothingNew
from controller.core.links.known import MIRROR
from controller.core.links.neighbours import START, is_heard_from
from controller.core.values import Broken, Mark, Side
from controller.rules.refusal import Reason
from support.core.neighbour import ABOVE, BELOW, Stream, pin
from support.floor.floor import ANA, JEFA, Floor

SAID = Mark(1, 812, "ab" * 32)
STOP = ask.StopNeighbour(BELOW, MIRROR, Broken.ROLLED_BACK, SAID)


def floor_with(inside=True):
    floor = Floor()
    floor.ask(pin(ABOVE, Side.ABOVE))
    floor.ask(ask.PinNeighbour(BELOW, Side.BELOW, "cd" * 32, ANA, JEFA, inside))
    return floor


def accept(mark, reason="lo vimos"):
    return ask.AcceptNeighbour(BELOW, MIRROR, mark, reason, ANA, JEFA)


def test_r27_it_stands_on_record_once_and_its_letters_are_heard_on():
    floor, stream = floor_with(), Stream(BELOW, "to:central", 1)
    (fact,) = floor.ask(STOP)
    assert fact == NeighbourStopped(BELOW, MIRROR, Broken.ROLLED_BACK, SAID)
    assert isinstance(floor.ask(STOP)[0], NothingNew)
    assert floor.state.neighbours[BELOW].stopped[MIRROR].said == SAID

    assert is_heard_from(floor.state, BELOW)
    assert isinstance(floor.ask(stream.next())[-1], LetterHeard)


def test_r28_another_stream_of_it_that_is_stopped_too_stops_its_letters():
    floor = floor_with()
    floor.ask(STOP)
    floor.ask(ask.StopNeighbour(BELOW, "to:central", Broken.GAP, START))

    assert not is_heard_from(floor.state, BELOW)


def test_r28_two_accept_exactly_what_it_says_and_no_stream_of_letters_moves():
    floor = floor_with()
    floor.ask(STOP)
    (refused,) = floor.ask(accept(START))
    assert refused.reason == Reason.NEIGHBOUR_SAYS_OTHER.code
    (refused,) = floor.ask(accept(SAID, " "))
    assert refused.reason == Reason.REASON_MISSING.code
    before = floor.state

    (fact,) = floor.ask(accept(SAID))
    assert fact == NeighbourAccepted(BELOW, MIRROR, SAID, "lo vimos", "ana", "jefa")
    assert floor.state.neighbours[BELOW].stopped == {}
    assert (floor.state.heard, floor.state.told, floor.state.acknowledged) == (
        before.heard,
        before.told,
        before.acknowledged,
    )


@pytest.mark.parametrize(("name", "inside"), [(ABOVE, True), (BELOW, False)])
def test_r28_only_a_box_of_this_casino_is_mirrored(name, inside):
    floor = floor_with(inside)
    (refused,) = floor.ask(ask.StopNeighbour(name, MIRROR, Broken.FORK, SAID))

    assert refused.reason == Reason.STREAM_NOT_ITS.code
