"""The exact figures of part 6 of the domain study (R-11, R-17): odds, returns, break-even, drift."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from controller.approval.forecast import Pace
from controller.rules.cards import DECK, Category, classify
from controller.rules.money import Money, Ppm
from controller.rules.odds import (
    HANDS,
    HITS,
    any_prize,
    chance,
    expected_return,
    fixed_return,
    named_card,
    pot_returning,
    variance,
    without_caps,
)
from controller.rules.readings import PerUnitOwed, Readings
from controller.rules.ruleset import Share, Times

BET = Money(1000)
UNIT = Money(1)


def rounded(figure, places):
    return round(float(figure), places)


def test_6_1_the_hits_are_those_of_the_whole_deck():
    assert HANDS == 2_598_960
    counted = Counter(map(classify, combinations(DECK, 5)))
    del counted[Category.NOTHING]
    assert dict(HITS) == counted


def test_6_1_the_chances(scj):
    assert [1 / chance(category) for category in sorted(HITS, reverse=True)] == [
        649_740, Fraction(216_580, 3), 4_165, Fraction(4_165, 6), Fraction(649_740, 1_277), Fraction(1_274, 5),
    ]  # fmt: skip
    assert any_prize(scj) == Fraction(61, 16_660)


# 6.2: pot in bets, uncapped, capped
RETURNS = [
    (0, 0.362376, 0.362376), (10_000, 0.391618, 0.391618), (25_000, 0.435482, 0.435482), (50_000, 0.508588, 0.508588),
    (75_000, 0.581694, 0.547065), (100_000, 0.654800, 0.585542), (150_000, 0.801013, 0.662496), (200_000, 0.947225, 0.739450),
    (250_000, 1.093437, 0.816403), (300_000, 1.239650, 0.893357), (400_000, 1.532074, 1.047265), (500_000, 1.824499, 1.201173),
]  # fmt: skip


@pytest.mark.parametrize(("pot", "uncapped", "capped"), RETURNS)
def test_6_2_the_return_of_a_bet(scj, pot, uncapped, capped):
    at = Fraction(pot * BET)

    assert rounded(expected_return(scj, UNIT, BET, at), 6) == capped
    assert rounded(expected_return(without_caps(scj), UNIT, BET, at), 6) == uncapped


def test_6_2_the_formulas(scj):
    assert fixed_return(scj, UNIT) == Fraction(1385, 3822) == Fraction(941_800, HANDS)
    at = Fraction(123_456_789)
    assert (
        expected_return(without_caps(scj), UNIT, BET, at) == Fraction(1385, 3822) + Fraction(19, 6_497_400) * at / BET
    )
    assert expected_return(scj, UNIT, BET, at) == Fraction(1_121_800, HANDS) + at / BET / 649_740


def test_6_2_the_break_even_pots(scj):
    assert pot_returning(scj, UNIT, BET, Fraction(1)) == 369_290 * BET
    assert pot_returning(without_caps(scj), UNIT, BET, Fraction(1)) == Fraction(4_142_900, 19) * BET


def test_6_2_the_standard_deviation_of_a_bet(scj):
    at = Fraction(100_000 * BET)

    assert round(float(variance(scj, UNIT, BET, at)) ** 0.5, 2) == 125.76
    assert round(float(variance(without_caps(scj), UNIT, BET, at)) ** 0.5, 2) == 129.83


def test_6_2_r29_a_named_card_falls_in_five_of_52_hands():
    counted = sum(DECK[0] in hand for hand in combinations(DECK, 5))

    assert named_card(5) == Fraction(5, 52) == Fraction(counted, HANDS)


# 6.3: hours between two at 35 passes an hour and 4 bets a pass, for so many tables
@pytest.mark.parametrize(
    ("category", "tables", "hours"),
    [(Category.ESCALERA_REAL, 1, 4641.0), (Category.ESCALERA_REAL, 10, 464.1), (Category.ESCALERA_COLOR, 10, 51.6),
     (Category.POKER, 10, 3.0)],
)  # fmt: skip
def test_6_3_rates_of_play(category, tables, hours):
    assert Pace(35, 4).bets_per_hour(1) == 140
    assert rounded(1 / (chance(category) * Pace(35, 4).bets_per_hour(tables)), 1) == hours


# 6.2, other pay tables: Color, Full, Poker, fixed return, break-even in bets
TABLES = [
    ((50, 75, 100), 0.230323, 263_205.26), ((50, 100, 250), 0.302352, 238_573.68), ((75, 100, 500), 0.411511, 201_244.74),
    ((100, 150, 250), 0.472651, 180_336.84),
]  # fmt: skip


@pytest.mark.parametrize(("times", "fixed", "break_even"), TABLES)
def test_6_2_other_pay_tables(scj, times, fixed, break_even):
    low = {
        category: Times(many, "")
        for category, many in zip((Category.COLOR, Category.FULL, Category.POKER), times, strict=True)
    }
    law = without_caps(replace(scj, paytable={**scj.paytable, **low}))

    assert rounded(fixed_return(law, UNIT), 6) == fixed
    assert rounded(pot_returning(law, UNIT, BET, Fraction(1)) / BET, 2) == break_even


def test_6_2_arica(arica):
    assert fixed_return(arica, UNIT) == Fraction(543_860_000, HANDS)
    assert rounded(fixed_return(arica, UNIT), 4) == 209.2606


def test_r11_r33_an_amount_that_is_owed_once_returns_less_the_more_is_bet(arica):
    once = replace(arica, readings=Readings(per_unit=PerUnitOwed.BET))
    unit, pot = Money(1000), Fraction(0)
    least, five = (expected_return(once, unit, Money(bet), pot) for bet in (1000, 5000))

    assert least == 5 * five == expected_return(arica, unit, Money(5000), pot)
    assert variance(once, unit, Money(5000), pot) < variance(arica, unit, Money(5000), pot)
    for stake, break_even in [(1000, 270_407_894.74), (2000, 612_376_315.79), (5000, 1_638_281_578.95)]:
        assert rounded(pot_returning(arica, Money(stake), Money(stake), Fraction(1)), 2) == break_even


# 6.3: commission, growth per bet, zero-drift pot in bets
DRIFT = [
    (15, 0.487624, 166_752, 271_829), (20, 0.437624, 149_654, 239_342), (25, 0.387624, 132_555, 206_855),
    (30, 0.337624, 115_457, 174_368), (40, 0.237624, 81_260, 109_394), (50, 0.137624, 47_063, 47_063),
]  # fmt: skip


@pytest.mark.parametrize(("commission", "growth", "uncapped", "capped"), DRIFT)
def test_6_3_growth_and_the_pot_without_drift(scj, commission, growth, uncapped, capped):
    kept = Fraction(100 - commission, 100)

    assert rounded(kept - fixed_return(scj, UNIT), 6) == growth
    assert round(pot_returning(scj, UNIT, BET, kept) / BET) == capped
    assert round(pot_returning(without_caps(scj), UNIT, BET, kept) / BET) == uncapped


def test_a_pot_is_found_on_every_piece_of_the_line_or_there_is_none(scj):
    color = {Category.COLOR: Times(50, "")}
    flat = replace(scj, paytable=color)
    capped = replace(scj, paytable={**color, Category.ESCALERA_COLOR: Share(Ppm(100_000), 10, "")})
    two = replace(scj, paytable={
        **color, Category.POKER: Share(Ppm(50_000), 10, ""), Category.ESCALERA_COLOR: Share(Ppm(100_000), 100, ""),
        Category.ESCALERA_REAL: Share(Ppm(0), 5, ""),
    })  # fmt: skip
    fixed = fixed_return(flat, UNIT)

    assert pot_returning(scj, UNIT, BET, fixed_return(scj, UNIT)) == 0
    assert pot_returning(scj, UNIT, BET, Fraction(1, 3)) is None
    assert pot_returning(flat, UNIT, BET, fixed) == 0
    assert pot_returning(flat, UNIT, BET, Fraction(1)) is None
    top = fixed + chance(Category.ESCALERA_COLOR) * 10
    assert pot_returning(capped, UNIT, BET, top) == 100 * BET
    assert pot_returning(capped, UNIT, BET, top + Fraction(1, 10**9)) is None
    for pot in (1, 70_000, 200_000, 200_001, 999_999, 1_000_000):
        assert pot_returning(two, UNIT, BET, expected_return(two, UNIT, BET, Fraction(pot))) == pot
