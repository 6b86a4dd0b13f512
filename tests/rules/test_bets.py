"""R-1 to R-7: what an acceptor may take, and what its lamp means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.bets import BettingSeat, LampFailure, Limits, Slot, lamp_failed, press, slot
from controller.rules.money import Money
from controller.rules.refusal import Reason

LIMITS = Limits(credit_value=Money(500), least=Money(1000), most=Money(2000))


def test_r1_r2_a_press_of_some_credits_is_the_bet():
    assert press(LIMITS, False, BettingSeat(3, credits=5, bet=Money(0)), 2) == BettingSeat(
        3, credits=3, bet=Money(1000)
    )
    assert press(LIMITS, False, BettingSeat(3, credits=4, bet=Money(0)), 4) == BettingSeat(
        3, credits=0, bet=Money(2000)
    )


@pytest.mark.parametrize(
    ("locked", "seat", "pressed", "reason"),
    [
        (True, BettingSeat(3, 5, Money(0), closed=True), 9, Reason.TABLE_LOCKED),  # and keeps the credits
        (False, BettingSeat(3, 5, Money(0), closed=True), 9, Reason.SEAT_CLOSED),
        (False, BettingSeat(3, 5, Money(0)), 6, Reason.NOT_ENOUGH_CREDITS),
        (False, BettingSeat(3, 5, Money(0)), 1, Reason.BELOW_LIMIT),
        (False, BettingSeat(3, 5, Money(0)), 5, Reason.ABOVE_LIMIT),
        (False, BettingSeat(3, 1, Money(1000)), 9, Reason.BET_MADE),  # one bet per seat and pass
    ],
)
def test_r2_r3_r4_r5_r6_r7_a_press_that_is_refused_costs_nothing(locked, seat, pressed, reason):
    refusal = press(LIMITS, locked, seat, pressed)

    assert refusal.reason is reason
    assert "3" in refusal.message


def test_r1_a_press_of_nothing_is_a_broken_invariant():
    with pytest.raises(AssertionError, match="R-1"):
        press(LIMITS, False, BettingSeat(1, 5, Money(0)), 0)


@pytest.mark.parametrize(
    ("inserted", "bet", "owed_back"),
    [(0, 0, 0), (500, 0, 500), (999, 0, 999), (1000, 1000, 0), (1001, 1000, 1), (1499, 1000, 499), (1500, 1500, 0),
     (2000, 2000, 0), (2001, 2000, 1), (9000, 2000, 7000)],
)  # fmt: skip
def test_r3_r4_a_slot_bets_whole_credits_within_the_limits_and_owes_the_rest_back(inserted, bet, owed_back):
    assert slot(LIMITS, Money(inserted), Money(0)) == Slot(Money(bet), Money(owed_back))


def test_r5_r6_a_chip_after_the_lock_or_at_a_closed_seat_is_owed_back_whole():
    assert slot(LIMITS, Money(1000), Money(500)) == Slot(Money(1000), Money(500))
    assert slot(LIMITS, Money(500), Money(500)) == Slot(Money(0), Money(1000))
    assert slot(LIMITS, Money(0), Money(9_000)) == Slot(Money(0), Money(9_000))


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_r4_no_chip_is_lost_in_a_slot(while_open, too_late):
    took = slot(LIMITS, Money(while_open), Money(too_late))

    assert took.bet + took.owed_back == while_open + too_late
    assert took.bet == 0 or LIMITS.least <= took.bet <= LIMITS.most
    assert took.bet % LIMITS.credit_value == 0


def test_r6_a_lamp_that_fails_before_the_lock_gives_the_bet_back_and_after_it_does_not():
    assert lamp_failed(locked=False) == LampFailure(bet_stands=False, seat_closes_now=True)
    assert lamp_failed(locked=True) == LampFailure(bet_stands=True, seat_closes_now=False)
