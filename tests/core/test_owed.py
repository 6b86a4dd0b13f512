"""R-4, R-37: what a slot took beyond the bet is handed back after a chief was told, by two above ten of the largest bets."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import OwedPaid
from support.floor.floor import CARLA, DIEGO, JEFA, JEFE, LUIS, TABLE, Floor, kinds, opened, plan

MOST = 5_000


def fell(chips: int, seat: int = 1) -> Floor:
    floor = opened()
    floor.report(seat, chips=chips)
    return floor


def pay(told: str = "jefa", second=None, seat: int = 1) -> ask.PayOwed:
    return ask.PayOwed(TABLE, seat, CARLA, told, second)


def test_r4_the_record_names_the_chief_who_was_told():
    floor = fell(7)
    assert floor.reason(pay("")) == "chief_not_told"

    (paid,) = floor.ask(pay())
    assert paid == OwedPaid(TABLE, 1, 2_000, "carla", "jefa")
    assert (floor.seat(1).owed, floor.seat(1).over, floor.seat(1).over_paid) == (0, 0, 2_000)


@pytest.mark.parametrize("told", ["carla", "nadie", "ana", "tito"])
def test_r4_who_was_told_is_an_enrolled_chief(told):
    assert fell(7).reason(pay(told)) == "not_a_chief"


def test_r4_what_a_void_gave_back_was_within_the_limits_and_needs_nobody_to_be_told():
    floor = fell(3)
    floor.ask(ask.VoidHand(TABLE, 1, "x", DIEGO))

    (paid,) = floor.ask(pay("jefa"))
    assert (paid.amount, paid.told, floor.seat(1).over_paid) == (3_000, "", 0)


def test_r4_a_void_beside_chips_over_the_maximum_is_handed_back_with_them():
    floor = fell(7)
    floor.ask(ask.VoidHand(TABLE, 1, "x", DIEGO))
    assert (floor.seat(1).owed, floor.seat(1).over) == (7_000, 2_000)

    assert floor.ask(pay())[0].told == "jefa"


def test_r4_chips_that_become_a_bet_after_all_are_not_over_it_any_more():
    floor = Floor(plan(least=2_000))
    floor.report(1)
    floor.open_pass()
    floor.report(1, chips=1)
    assert floor.seat(1).over == 1_000, "below the smallest bet"
    floor.report(1, chips=2)

    assert (floor.seat(1).bet, floor.seat(1).over, floor.seat(1).owed) == (3_000, 0, 0)


def test_r37_one_person_hands_back_up_to_ten_of_the_largest_bets_a_seat_and_gaming_day():
    floor = fell(5 + 50)
    floor.ask(pay())
    assert floor.seat(1).over_paid == 10 * MOST
    floor.report(1, chips=1)
    assert floor.reason(pay()) == "two_persons_needed"

    (paid,) = floor.ask(pay(second=JEFE))
    assert (paid.second, floor.seat(1).over_paid) == ("jefe", 10 * MOST + 1_000)


def test_r37_each_seat_and_each_gaming_day_begins_anew():
    floor = fell(5 + 50)
    floor.ask(pay())
    floor.report(2, chips=6)
    assert kinds(floor.ask(pay(seat=2))) == [OwedPaid]
    floor.lock()
    for seat in (1, 2):
        if floor.seat(seat).bet and floor.seat(seat).lamp == "dark":
            floor.lamp(seat)
    floor.ask(ask.VoidPass(TABLE, "x", JEFA))
    for seat in (1, 2):
        if floor.seat(seat).unsigned:
            floor.ask(ask.SignVoid(TABLE, seat, JEFE))
        floor.ask(ask.PayOwed(TABLE, seat, CARLA))
        floor.ask(ask.LeaveCredits(TABLE, seat, DIEGO, JEFA))
    floor.close_day()
    floor.open_day("2026-11-19")

    assert floor.seat(1).over_paid == 0


def test_r37_two_persons_are_two():
    floor = fell(5 + 51)
    assert floor.reason(pay(second=DIEGO)) == "role_missing"
    assert kinds(floor.ask(pay(second=LUIS))) == [OwedPaid]
