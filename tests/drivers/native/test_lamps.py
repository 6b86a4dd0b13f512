"""What is proven of a lamp (R-6): every combination of what is driven and what is measured has one meaning."""

import pytest

from drivers.model import LampSeen
from drivers.native.blocks import SeatDetail, SeatPoll
from drivers.native.contract import Feedback, Lamp, SeatFlag, SeatMode
from drivers.native.reports import imbalance, lamp_seen, totals_of

AGREES, STEADY = SeatFlag.FEEDBACK_AGREES, SeatFlag.LAMP_STEADY
MEASURED, WINDOW, LIGHT = Feedback.MEASURED, Feedback.IN_WINDOW, Feedback.LIGHT_SEEN
GOOD = STEADY | AGREES


@pytest.mark.parametrize(
    ("lamp", "flags", "feedback", "light_fitted", "seen"),
    [
        (Lamp.STEADY, GOOD, MEASURED | WINDOW, False, LampSeen.LIT),
        (Lamp.STEADY, GOOD, MEASURED | LIGHT, True, LampSeen.LIT),
        (Lamp.STEADY, GOOD, MEASURED | LIGHT | WINDOW, True, LampSeen.LIT),
        (Lamp.STEADY, GOOD, MEASURED | WINDOW, True, LampSeen.FAULT),  # current is not light (1.8)
        (Lamp.STEADY, GOOD, MEASURED | LIGHT, False, LampSeen.FAULT),
        (Lamp.STEADY, GOOD, MEASURED, False, LampSeen.FAULT),
        (Lamp.STEADY, GOOD, WINDOW, False, LampSeen.UNKNOWN),  # not measured
        (Lamp.STEADY, STEADY, MEASURED | WINDOW, False, LampSeen.FAULT),  # does not agree
        (Lamp.STEADY, AGREES, MEASURED | WINDOW, False, LampSeen.FAULT),  # not driven steady
        (Lamp.STEADY, GOOD, MEASURED | WINDOW | Feedback.LATCHED, False, LampSeen.FAULT),
        (Lamp.STEADY, GOOD, MEASURED | WINDOW | Feedback.OPEN, False, LampSeen.FAULT),
        (Lamp.STEADY, GOOD, MEASURED | WINDOW | Feedback.SHORT, False, LampSeen.FAULT),
        (Lamp.OFF, AGREES, MEASURED, False, LampSeen.DARK),
        (Lamp.OFF, AGREES, MEASURED, True, LampSeen.DARK),
        (Lamp.OFF, AGREES, 0, False, LampSeen.UNKNOWN),
        (Lamp.OFF, 0, MEASURED, False, LampSeen.FAULT),
        (Lamp.OFF, AGREES, MEASURED | LIGHT, False, LampSeen.FAULT),
        (Lamp.OFF, AGREES, MEASURED | WINDOW, False, LampSeen.FAULT),
        (Lamp.OFF, AGREES, Feedback.CURRENT_WHILE_OFF, False, LampSeen.FAULT),
        (Lamp.OFF, AGREES, MEASURED | Feedback.LATCHED, False, LampSeen.FAULT),
        (Lamp.PENDING, 0, 0, False, LampSeen.BLINKING),
        (Lamp.PENDING, GOOD, MEASURED | WINDOW | LIGHT, True, LampSeen.BLINKING),
        (Lamp.PENDING, AGREES, MEASURED | Feedback.OPEN, False, LampSeen.FAULT),
        (Lamp.FAULT, GOOD, MEASURED | WINDOW, False, LampSeen.FAULT),
        (Lamp.TEST, GOOD, MEASURED | WINDOW, False, LampSeen.UNKNOWN),  # a lamp under test proves no bet
        (Lamp.TEST, AGREES, MEASURED | Feedback.SHORT, False, LampSeen.FAULT),
    ],
)
def test_what_a_lamp_is_seen_to_be(lamp, flags, feedback, light_fitted, seen):
    assert (
        lamp_seen(SeatPoll(lamp=lamp, flags=flags, feedback=feedback), light_fitted=light_fitted, settled=True) is seen
    )


def test_a_lamp_is_lit_in_no_other_way_than_these():
    lit = {
        (lamp, flags, feedback, fitted)
        for lamp in Lamp
        for flags in (0, STEADY, AGREES, GOOD)
        for feedback in range(128)
        for fitted in (False, True)
        if lamp_seen(SeatPoll(lamp=lamp, flags=flags, feedback=feedback), light_fitted=fitted, settled=True)
        is LampSeen.LIT
    }

    assert lit == {
        (Lamp.STEADY, GOOD, MEASURED | WINDOW, False),
        (Lamp.STEADY, GOOD, MEASURED | WINDOW | LIGHT, False),
        (Lamp.STEADY, GOOD, MEASURED | LIGHT, True),
        (Lamp.STEADY, GOOD, MEASURED | LIGHT | WINDOW, True),
    }


def test_a_lamp_has_its_time_to_settle_but_what_is_broken_is_broken():
    seat = SeatPoll(lamp=Lamp.STEADY, flags=STEADY, feedback=MEASURED)
    assert lamp_seen(seat, light_fitted=False, settled=False) is LampSeen.UNKNOWN
    broken = SeatPoll(lamp=Lamp.STEADY, flags=STEADY, feedback=MEASURED | Feedback.OPEN)
    assert lamp_seen(broken, light_fitted=False, settled=False) is LampSeen.FAULT


def test_late_chips_are_pieces_whatever_a_chip_is_worth_today():
    totals = totals_of(SeatPoll(chips=4), SeatDetail(unit=1, seat=1, late=2**31 + 3))
    assert (totals.late, totals.chips) == (2**31 + 3, 4)


def test_a_balance_is_what_went_in_less_what_went_out_modulo_two_words():
    seat = SeatPoll(loaded=5, bets=2**32 - 10, voided=1)
    assert imbalance(seat, SeatDetail(unit=1, seat=1, balance=12, cashed=4)) == 0
    assert imbalance(seat, SeatDetail(unit=1, seat=1, balance=13, cashed=4)) == 1
    assert imbalance(SeatPoll(mode=SeatMode.CHIPS, chips=5), SeatDetail(unit=1, seat=1)) == 0
