"""What is proven of a lamp (R-6): every combination of what is driven and what is measured has one meaning."""

import pytest

from drivers.model import LampProof
from drivers.native.blocks import SeatDetail, SeatPoll
from drivers.native.contract import Feedback, LampDrive, SeatFlag, SeatMode
from drivers.native.reports import imbalance, lamp_seen, totals_of

AGREES, STEADY = SeatFlag.FEEDBACK_AGREES, SeatFlag.LAMP_STEADY
MEASURED, WINDOW, LIGHT = Feedback.MEASURED, Feedback.IN_WINDOW, Feedback.LIGHT_SEEN
GOOD = STEADY | AGREES


@pytest.mark.parametrize(
    ("lamp", "flags", "feedback", "light_fitted", "seen"),
    [
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW, False, LampProof.LIT),
        (LampDrive.STEADY, GOOD, MEASURED | LIGHT, True, LampProof.LIT),
        (LampDrive.STEADY, GOOD, MEASURED | LIGHT | WINDOW, True, LampProof.LIT),
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW, True, LampProof.FAULT),  # current is not light (1.8)
        (LampDrive.STEADY, GOOD, MEASURED | LIGHT, False, LampProof.FAULT),
        (LampDrive.STEADY, GOOD, MEASURED, False, LampProof.FAULT),
        (LampDrive.STEADY, GOOD, WINDOW, False, LampProof.UNKNOWN),  # not measured
        (LampDrive.STEADY, STEADY, MEASURED | WINDOW, False, LampProof.FAULT),  # does not agree
        (LampDrive.STEADY, AGREES, MEASURED | WINDOW, False, LampProof.FAULT),  # not driven steady
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW | Feedback.LATCHED, False, LampProof.FAULT),
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW | Feedback.OPEN, False, LampProof.FAULT),
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW | Feedback.SHORT, False, LampProof.FAULT),
        (LampDrive.OFF, AGREES, MEASURED, False, LampProof.DARK),
        (LampDrive.OFF, AGREES, MEASURED, True, LampProof.DARK),
        (LampDrive.OFF, AGREES, 0, False, LampProof.UNKNOWN),
        (LampDrive.OFF, 0, MEASURED, False, LampProof.FAULT),
        (LampDrive.OFF, AGREES, MEASURED | LIGHT, False, LampProof.FAULT),
        (LampDrive.OFF, AGREES, MEASURED | WINDOW, False, LampProof.FAULT),
        (LampDrive.OFF, AGREES, Feedback.CURRENT_WHILE_OFF, False, LampProof.FAULT),
        (LampDrive.OFF, AGREES, MEASURED | Feedback.LATCHED, False, LampProof.FAULT),
        (LampDrive.PENDING, 0, 0, False, LampProof.BLINKING),
        (LampDrive.PENDING, GOOD, MEASURED | WINDOW | LIGHT, True, LampProof.BLINKING),
        (LampDrive.PENDING, AGREES, MEASURED | Feedback.OPEN, False, LampProof.FAULT),
        (LampDrive.FAULT, GOOD, MEASURED | WINDOW, False, LampProof.FAULT),
        (LampDrive.TEST, GOOD, MEASURED | WINDOW, False, LampProof.UNKNOWN),  # a lamp under test proves no bet
        (LampDrive.TEST, AGREES, MEASURED | Feedback.SHORT, False, LampProof.FAULT),
    ],
)
def test_what_a_lamp_is_seen_to_be(lamp, flags, feedback, light_fitted, seen):
    assert (
        lamp_seen(SeatPoll(lamp=lamp, flags=flags, feedback=feedback), light_fitted=light_fitted, settled=True) is seen
    )


def test_a_lamp_is_lit_in_no_other_way_than_these():
    lit = {
        (lamp, flags, feedback, fitted)
        for lamp in LampDrive
        for flags in (0, STEADY, AGREES, GOOD)
        for feedback in range(128)
        for fitted in (False, True)
        if lamp_seen(SeatPoll(lamp=lamp, flags=flags, feedback=feedback), light_fitted=fitted, settled=True)
        is LampProof.LIT
    }

    assert lit == {
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW, False),
        (LampDrive.STEADY, GOOD, MEASURED | WINDOW | LIGHT, False),
        (LampDrive.STEADY, GOOD, MEASURED | LIGHT, True),
        (LampDrive.STEADY, GOOD, MEASURED | LIGHT | WINDOW, True),
    }


def test_a_lamp_has_its_time_to_settle_but_what_is_broken_is_broken():
    seat = SeatPoll(lamp=LampDrive.STEADY, flags=STEADY, feedback=MEASURED)
    assert lamp_seen(seat, light_fitted=False, settled=False) is LampProof.UNKNOWN
    broken = SeatPoll(lamp=LampDrive.STEADY, flags=STEADY, feedback=MEASURED | Feedback.OPEN)
    assert lamp_seen(broken, light_fitted=False, settled=False) is LampProof.FAULT


def test_late_chips_are_pieces_whatever_a_chip_is_worth_today():
    totals = totals_of(SeatPoll(chips=4), SeatDetail(unit=1, seat=1, late=2**31 + 3))
    assert (totals.late, totals.chips) == (2**31 + 3, 4)


def test_a_balance_is_what_went_in_less_what_went_out_modulo_two_words():
    seat = SeatPoll(loaded=5, bets=2**32 - 10, voided=1)
    assert imbalance(seat, SeatDetail(unit=1, seat=1, balance=12, cashed=4)) == 0
    assert imbalance(seat, SeatDetail(unit=1, seat=1, balance=13, cashed=4)) == 1
    assert imbalance(SeatPoll(mode=SeatMode.CHIPS, chips=5), SeatDetail(unit=1, seat=1)) == 0
