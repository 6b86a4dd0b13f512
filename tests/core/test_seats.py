"""Seats: chips in a slot, lamps that light and fail, seats that close and open again (R-4 to R-6)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import (
    BetMade,
    ChipsFell,
    DeviceSeen,
    DeviceVoided,
    LampChanged,
    NothingNew,
    PassSealed,
    SeatClosed,
    SeatOpened,
    SeatProven,
)
from controller.core.values import Lamp, Refund
from support.floor.floor import CARLA, JEFA, TABLE, TITO, Floor, kinds, opened, plan

# Chips


def test_r4_chips_up_to_the_max_are_the_bet_and_the_rest_is_owed_back_at_once():
    floor = opened()
    (first,) = floor.report(2, chips=3)
    (second,) = floor.report(2, chips=4)

    assert [(one.amount, one.bet, one.owed, one.counted) for one in (first, second)] == [
        (3_000, 3_000, 0, 3_000),
        (4_000, 2_000, 2_000, 4_000),
    ]
    assert (floor.seat(2).bet, floor.seat(2).owed, floor.at("cash:DP-01"), floor.at("bets:DP-01")) == (
        5_000,
        2_000,
        -27_000,
        5_000,
    )
    (paid,) = floor.ask(ask.PayOwed(TABLE, 2, CARLA, "jefa"))
    assert (paid.amount, floor.seat(2).owed, floor.at("cash:DP-01")) == (2_000, 0, -25_000)


def test_r3_chips_below_the_min_are_owed_until_more_follow():
    floor = opened(document=plan(least=2_000))
    floor.report(2, chips=1)
    assert (floor.seat(2).bet, floor.seat(2).owed) == (0, 1_000)
    (more,) = floor.report(2, chips=1)

    assert (more.bet, more.owed) == (2_000, -1_000)
    assert (floor.seat(2).bet, floor.seat(2).owed, floor.at("owed:DP-01:2")) == (2_000, 0, 0)


def test_r4_chips_that_were_handed_back_no_longer_count():
    floor = opened(document=plan(least=2_000))
    floor.report(2, chips=1)
    floor.ask(ask.PayOwed(TABLE, 2, CARLA, "jefa"))
    floor.report(2, chips=1)

    assert (floor.seat(2).bet, floor.seat(2).owed) == (0, 1_000)


def test_r4_chips_beyond_the_bet_that_were_handed_back_leave_the_bet_as_it_is():
    floor = opened()
    floor.report(2, chips=7)
    floor.ask(ask.PayOwed(TABLE, 2, CARLA, "jefa"))

    assert (floor.seat(2).slot, floor.seat(2).bet) == (5_000, 5_000)


def test_r5_late_chips_and_chips_outside_an_open_pass_are_owed_whole():
    floor = Floor()
    (between,) = floor.report(2, chips=2)
    floor.open_pass()
    (late,) = floor.report(2, late=1)

    assert [(one.bet, one.owed, one.counted) for one in (between, late)] == [(0, 2_000, 0), (0, 1_000, 0)]


def test_r6_chips_at_a_closed_seat_are_owed_whole():
    floor = opened()
    floor.report(2)
    floor.ask(ask.CloseSeat(TABLE, 2, "x", CARLA))

    assert floor.report(2, chips=2)[0].owed == 2_000


def test_r7_chips_on_an_electronic_bet_are_owed_whole_and_do_not_change_its_form():
    floor = opened()
    floor.report(1, bets=2)
    assert floor.report(1, chips=2)[0].owed == 2_000

    assert floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))[0].refunds == (Refund(1, cash=2_000),)


def test_r25_an_electronic_bet_after_chips_below_the_min_goes_back_as_credits():
    floor = opened(document=plan(least=2_000))
    floor.report(1, chips=1)
    floor.report(1, bets=3)

    assert floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))[0].refunds == (Refund(1, cash=3_000),)


def test_r7_a_bet_and_chips_in_one_report_are_one_bet():
    floor = opened()
    made, fell = floor.report(1, bets=2, chips=3)

    assert (kinds([made, fell]), fell.owed) == ([BetMade, ChipsFell], 3_000)


def test_r22_a_pass_of_a_chip_slot():
    floor = opened()
    floor.report(2, chips=4)
    floor.lamp(2)
    sealed = floor.lock()[-1]

    assert [(bet.seat, bet.amount, bet.chips) for bet in sealed.bets] == [(2, 4_000, 4_000)]
    floor.close_pass()
    assert (floor.seat(2).slot, floor.seat(2).bet) == (0, 0)


def test_r4_r5_chips_that_fell_before_the_lock_are_the_bet_and_more_than_that_is_owed():
    floor = opened()
    floor.report(1, locked=True)
    floor.report(2)
    floor.ask(ask.Lock(TABLE))
    floor.report(1, locked=True)
    fell, proven = floor.report(2, chips=2, late=1, locked=True)

    assert (kinds([fell, proven]), fell.bet, fell.owed) == ([ChipsFell, SeatProven], 2_000, 1_000)
    assert kinds(floor.lamp(2)) == [LampChanged, PassSealed]


def test_r25_a_void_bet_of_chips_is_owed_back_and_the_unit_is_told_nothing():
    floor = opened()
    floor.report(2, chips=3)
    (void,) = floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))

    assert void.refunds == (Refund(2, chips=3_000),)
    assert (floor.seat(2).owed, floor.seat(2).giving_back, floor.seat(2).slot) == (3_000, 0, 0)
    assert floor.report(2, chips=1)[0].bet == 1_000


def test_r4_more_chips_than_any_slot_holds_are_not_booked_and_close_the_seat():
    floor = opened()
    assert floor.report(3, chips=10**7)[0].amount == 10**10
    floor.ask(ask.PayOwed(TABLE, 3, CARLA, "jefa", JEFA))
    floor.ask(ask.VoidHand(TABLE, 3, "x", CARLA))
    floor.ask(ask.PayOwed(TABLE, 3, CARLA, "jefa", JEFA))
    facts = floor.report(2, chips=10**7 + 1)

    assert kinds(facts) == [DeviceSeen, SeatClosed]
    assert floor.at("cash:DP-01") == -20_000
    assert kinds(floor.report(1, bets=2, late=2**30)) == [BetMade, SeatClosed]
    assert (floor.seat(1).bet, floor.seat(1).credits) == (0, 20_000)
    assert kinds(floor.report(1, voided=1, late=2**30)) == [DeviceVoided]


# Lamps


def test_r6_a_lamp_seen_twice_says_nothing_new():
    floor = opened()
    floor.report(1, bets=2)

    assert kinds(floor.lamp(1, Lamp.DARK)) == [NothingNew]
    assert kinds(floor.lamp(1)) == [LampChanged]
    assert kinds(floor.lamp(1)) == [NothingNew]


@pytest.mark.parametrize("lamp", [Lamp.FAULT, Lamp.DARK])
def test_r6_a_lamp_that_fails_while_betting_is_open_returns_the_bet_and_closes_the_seat(lamp):
    floor = opened()
    floor.report(1, bets=2)
    floor.lamp(1)
    (failed,) = floor.lamp(1, lamp)

    assert (failed.lamp, failed.locked, failed.refund) == (Lamp.FAULT, False, Refund(1, cash=2_000))
    assert (floor.seat(1).closed, floor.seat(1).bet, floor.seat(1).giving_back) == ("luz", 0, 2)


def test_r6_a_lamp_that_fails_while_locking_leaves_a_lit_bet_valid_and_closes_the_seat_afterwards():
    floor = opened()
    floor.report(1, bets=2)
    floor.lamp(1)
    floor.ask(ask.Lock(TABLE))
    failed, sealed = floor.lamp(1, Lamp.FAULT)

    assert (failed.locked, failed.refund, [bet.seat for bet in sealed.bets]) == (True, None, [1])
    floor.close_pass()
    assert floor.seat(1).closed == "luz"


def _dark_before_the_lock(floor):
    return floor.ask(ask.LampSeen(TABLE, 1, Lamp.FAULT, before_lock=True))


def test_r6_a_lamp_that_failed_before_the_lock_gives_its_bet_back_with_the_seal_also_when_it_is_known_after_the_lock():
    floor = opened()
    floor.report(1, bets=2)
    floor.lamp(1)
    floor.ask(ask.Lock(TABLE))
    failed, sealed = _dark_before_the_lock(floor)

    assert (failed.locked, failed.before_lock, failed.refund) == (True, True, None)
    assert (sealed.bets, sealed.returned) == ((), (Refund(1, cash=2_000),))
    floor.close_pass()
    assert (floor.seat(1).closed, floor.seat(1).bet) == ("luz", 0)


def test_r6_once_the_pass_is_sealed_with_a_bet_no_lamp_takes_it_back():
    floor = Floor()
    floor.sealed({1: 2})
    (failed,) = _dark_before_the_lock(floor)

    assert (failed.locked, failed.before_lock, floor.seat(1).bet) == (True, False, 2_000)


def test_r6_a_lamp_that_fails_after_the_seal_leaves_the_bet_valid_and_closes_the_seat_afterwards():
    floor = Floor()
    floor.sealed({1: 2})
    (failed,) = floor.lamp(1, Lamp.FAULT)

    assert (failed.locked, floor.seat(1).closing, floor.seat(1).bet) == (True, "luz", 2_000)
    assert kinds(floor.lamp(1, Lamp.FAULT)) == [NothingNew]
    assert floor.claim((1, "full"))[0].awards
    floor.close_pass()
    assert (floor.seat(1).closed, floor.seat(1).closing) == ("luz", "")


def test_r6_a_broken_lamp_without_a_bet_closes_the_seat_at_once():
    floor = opened()
    (closed,) = floor.lamp(3, Lamp.FAULT)

    assert (closed.reason, closed.after_pass, closed.refund) == ("luz", False, None)
    assert kinds(floor.lamp(3, Lamp.FAULT)) == [NothingNew]
    assert kinds(floor.lamp(4)) == [NothingNew], "a light without a bet makes none"


# Seats


def test_r6_a_seat_closed_while_open_gives_its_bet_back_and_is_opened_by_a_technician():
    floor = opened()
    floor.report(1, bets=2)
    (closed,) = floor.ask(ask.CloseSeat(TABLE, 1, "botón trabado", CARLA))
    assert (closed.reason, closed.by, closed.refund) == ("botón trabado", "carla", Refund(1, cash=2_000))
    assert floor.reason(ask.BuyCredits(TABLE, 1, 1, CARLA)) == "seat_closed"

    assert floor.ask(ask.OpenSeat(TABLE, 1, TITO)) == (SeatOpened(TABLE, 1, "tito"),)
    floor.report(1, voided=2)
    assert kinds(floor.report(1, bets=1)) == [BetMade]


def test_r6_a_seat_closed_after_the_seal_closes_when_the_pass_does():
    floor = Floor()
    floor.sealed({1: 2})
    (closed,) = floor.ask(ask.CloseSeat(TABLE, 1, "x", JEFA))

    assert (closed.after_pass, floor.seat(1).out_of_play) == (True, True)
    assert floor.reason(ask.OpenSeat(TABLE, 1, TITO)) == "seat_closes_later"
    floor.close_pass()
    assert kinds(floor.ask(ask.OpenSeat(TABLE, 1, TITO))) == [SeatOpened]


def test_r6_a_lit_bet_of_a_seat_that_closes_while_locking_stands_and_an_unlit_one_goes_back():
    floor = opened()
    floor.report(1, bets=2)
    floor.lamp(1)
    floor.bet(2, 3, lit=False)
    floor.ask(ask.Lock(TABLE))
    floor.ask(ask.CloseSeat(TABLE, 1, "x"))
    *_, sealed = floor.ask(ask.CloseSeat(TABLE, 2, "x"))

    assert ([bet.seat for bet in sealed.bets], sealed.returned) == ([1], (Refund(2, cash=3_000),))


def test_r27_faults_are_cleared_of_a_seat_or_of_the_tables_devices_themselves_and_of_nothing_else():
    floor = Floor()
    (of_seat,) = floor.ask(ask.ClearFaults(TABLE, 2, TITO))
    (of_devices,) = floor.ask(ask.ClearFaults(TABLE, 0, TITO))

    assert (of_seat.what, of_seat.table, of_seat.seat) == ("clear_faults", TABLE, 2)
    assert (of_devices.what, of_devices.table, of_devices.seat) == ("clear_faults", TABLE, 0)
    assert floor.reason(ask.ClearFaults(TABLE, 99, TITO)) == "seat_not_there"
    assert floor.reason(ask.ClearFaults(TABLE, -1, TITO)) == "seat_not_there"
