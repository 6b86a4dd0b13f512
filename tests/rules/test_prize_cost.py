"""R-29: what complementary prizes cost whoever pays them, by the play (R-22, R-26)."""

from fractions import Fraction

import pytest

from controller.rules.money import Money
from controller.rules.prize_cost import chance_in_pass, cost_of_day, cost_of_pass, least_cost
from controller.rules.prizes import DrawnBy, PaidIn, PlannedPrize

SEAT = PlannedPrize("A", Money(6_000), DrawnBy.SEAT, PaidIn.CASH, "main", 40, None)
CARD = PlannedPrize("B", Money(5_200), DrawnBy.CARD, PaidIn.CASH, "main", 10, None)
DAILY = PlannedPrize("C", Money(9_000), DrawnBy.SEAT, PaidIn.CASH, "main", None, 60)


@pytest.mark.parametrize(
    ("prize", "modality", "seats", "chance"),
    [
        (SEAT, "draw", 1, Fraction(1, 40)), (SEAT, "draw", 6, Fraction(1, 40)),
        (CARD, "draw", 1, Fraction(5, 520)), (CARD, "go", 7, Fraction(21, 520)), (CARD, "texas_plus", 6, Fraction(12, 520)),
        (DAILY, "draw", 6, Fraction(0)),
    ],
)  # fmt: skip
def test_r29_how_likely_a_prize_falls_in_a_pass(scj, prize, modality, seats, chance):
    assert chance_in_pass(prize, scj.modalities[modality], seats) == chance
    assert cost_of_pass([prize], scj.modalities[modality], seats) == prize.amount * chance


def test_r29_costs_add_up_and_what_falls_once_a_day_costs_its_amount_a_day(scj):
    draw, go = scj.modalities["draw"], scj.modalities["go"]
    both = Fraction(6_000, 40) + Fraction(5_200 * 30, 520)

    assert cost_of_pass([SEAT, CARD, DAILY], draw, 6) == both
    assert cost_of_day([SEAT, CARD, DAILY]) == 9_000
    assert cost_of_pass([], draw, 1) == cost_of_day([]) == 0
    assert least_cost([SEAT, CARD], [draw, go], Money(5_000)) == (both + 150 + Fraction(5_200 * 21, 520)) / (13 * 5_000)


def test_r7_r29_a_pass_without_bets_and_one_with_too_many_are_broken_invariants(scj):
    for seats in (0, 7):
        with pytest.raises(AssertionError, match=r"^R-7"):
            chance_in_pass(SEAT, scj.modalities["draw"], seats)
    with pytest.raises(AssertionError, match=r"^R-9"):
        least_cost([SEAT], [], Money(5_000))
