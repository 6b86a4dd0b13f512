"""R-37: a whole image of a unit is judged by the one before it, also where nothing of it is on record."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import DeviceDisbelieved
from controller.node.vocabulary.commands import CashCredits, LoadCredits
from controller.rules.belief import Disbelief
from drivers.model import BetSeen, Down, Totals
from support.floor.floor import CARLA, JEFA, LUIS, TABLE
from support.floor.floor_desk import Desk, electronic, slot
from support.floor.floor_tables import CONSOLE, WHOLE, native


def doubts(desk: Desk) -> list[DeviceDisbelieved]:
    desk.settle()
    return desk.core.heard(DeviceDisbelieved)


@pytest.mark.parametrize("moved", [{"loaded": 21}, {"loaded": 1_000_020}, {"loaded": 20, "cashed": 3}])
def test_r37_credits_that_nobody_ordered_close_the_seat_and_are_not_put_right(moved):
    desk = electronic().opened()
    desk.say(seq=20, totals=Totals(**moved))

    (fact,) = doubts(desk)
    assert (fact.why, desk.seat().doubted) == (Disbelief.UNORDERED, True)
    assert "créditos que nadie ordenó" in desk.seat().closed
    assert not [one for one in desk.wishes() if isinstance(one, LoadCredits | CashCredits)]


def test_r37_what_was_ordered_is_what_was_told_also_when_it_is_done_late():
    """Bought and cashed before the unit had it: it is loaded, and paid out again."""
    desk = electronic().opened(0)
    desk.core.buy(1, 7)
    load = next(one for one in desk.wishes() if isinstance(one, LoadCredits))
    desk.core.ask(ask.CashOut(TABLE, 1, CARLA))
    desk.say(seq=20, totals=Totals(loaded=load.target))
    assert not doubts(desk)

    desk.after(11)
    cash = next(one for one in desk.wishes() if isinstance(one, CashCredits))
    desk.say(seq=21, totals=Totals(loaded=7, cashed=cash.target))
    assert not doubts(desk)


def test_r37_equal_numbers_of_two_images_mean_equal_totals_though_the_record_has_an_older_one():
    """The record's newest number is of the adoption; a lock has moved it since, and would pay for this press."""
    desk = electronic().opened()
    desk.say(totals=Totals(loaded=20, bets=2), bet=BetSeen.PENDING, bet_credits=2, bet_seq=12)

    (fact,) = doubts(desk)
    assert (fact.why, desk.seat().bet) == (Disbelief.IMAGES, 0)


def three() -> Desk:
    desk = Desk(native(1, CONSOLE, 1), native(2, WHOLE, 1, 3))
    for seat in (1, 2, 3):
        desk.say(seat=seat, last=seat == 3, totals=Totals(loaded=5), seq=30)
    desk.wishes()
    return desk


@pytest.mark.parametrize(("events", "doubted"), [(1, {1, 2}), (2, set())])
def test_r37_two_seats_of_a_unit_take_two_events(events, doubted):
    desk = three()
    pressed = {"bet": BetSeen.PENDING, "bet_credits": 1, "bet_seq": 30 + events}
    for seat, last in ((1, False), (2, True)):
        desk.say(seat=seat, last=last, seq=30 + events, totals=Totals(loaded=5, bets=1), **pressed)

    assert {fact.seat for fact in doubts(desk)} == doubted


def test_r37_it_is_said_once_and_over_when_two_persons_have_counted():
    desk = electronic().opened()
    desk.say(seq=20, totals=Totals(loaded=21))
    doubts(desk)
    desk.core.ask(ask.CountSeat(TABLE, 1, desk.seat().credits, JEFA, LUIS))
    assert len(doubts(desk)) == 1 and not desk.seat().doubted

    desk.say(seq=21)
    assert len(doubts(desk)) == 1


def test_r37_a_memory_that_went_back_is_compared_with_nothing_once_it_is_taken():
    desk = electronic().opened()
    desk.down(2, Down.FORGOT)
    doubts(desk)
    desk.core.ask(ask.CountSeat(TABLE, 1, desk.seat().credits, JEFA, LUIS))
    desk.up(2)
    desk.say(seq=4, totals=Totals(loaded=3))

    assert [fact.why for fact in doubts(desk)] == [Disbelief.FORGOT]


def test_r37_what_a_slot_gives_back_is_one_event_whatever_it_is_worth():
    desk = slot()
    desk.wishes()
    desk.chip(2).say(seat=1, seq=40, totals=Totals(chips=2, voided=2))

    assert not doubts(desk)
