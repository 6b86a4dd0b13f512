"""The simulated pot against exact figures and against part 6.6 of the domain study (R-18, R-23)."""

from dataclasses import replace
from math import comb
from random import Random

import pytest
from conftest import CAMPAIGN

from controller.approval.solvency import MARKS, Course, Dealer, most_seats, simulate
from controller.documents import shelf
from controller.rules.accrual import Shares, contribute, no_carries
from controller.rules.cards import Category
from controller.rules.money import Money, Ppm
from controller.rules.odds import any_prize, chance
from controller.rules.pairs import expected_pairs
from controller.rules.plan import load_plan
from controller.rules.prizes import DrawnBy, PaidIn, PlannedPrize
from controller.rules.ruleset import Share

BET = Money(1000)


@pytest.fixture(scope="module")
def estelar(rulesets):
    return load_plan((shelf() / "plans/pozo-estelar.toml").read_text(), "x", rulesets)


def quiet():
    """Nobody watches the progress."""


def only(plan, modality):
    return replace(plan, tables=tuple(table for table in plan.tables if table.modality.name == modality))


def test_a_seed_repeats_a_run_and_another_does_not(estelar):
    course = Course(BET, 4, 20_000, 3)

    assert simulate(estelar, course, 7, quiet) == simulate(estelar, course, 7, quiet)
    assert simulate(estelar, course, 7, quiet).ends != simulate(estelar, course, 8, quiet).ends


def test_between_winners_the_pot_grows_exactly_as_bet_by_bet(estelar):
    """A path without any winner: a law that pays nothing a hand can make."""
    law = replace(estelar.ruleset, paytable={Category.ESCALERA_REAL: Share(Ppm(1_000_000), None, "")})
    uneven = replace(estelar, ruleset=law, shares=Shares(Ppm(123_457), (Ppm(98_765),)), ceiling=Money(14_000_000))
    course = Course(Money(777), 3, 12_000, 1)
    levels = simulate(uneven, course, 3, quiet).ends[0].levels

    main, carries, by_bet = uneven.base, no_carries(uneven.shares), []
    for bet in range(12_000):
        row, carries = contribute(uneven.shares, carries, Money(777))
        main = min(main + row.main, uneven.ceiling)
        if (bet + 1) % 3 == 0:
            by_bet.append(main)
    marks = [by_bet[4_000 * (mark + 1) // MARKS - 1] for mark in range(MARKS)]
    assert list(levels) == marks


@pytest.mark.campaign
def test_every_prize_falls_as_often_as_the_exact_odds_say(estelar):
    paths = 400 if CAMPAIGN else 40
    course = Course(BET, 4, 100_000, paths)
    ends = simulate(estelar, course, 11, quiet).ends

    for category in estelar.ruleset.paytable:
        expected = float(chance(category)) * 100_000 * paths
        counted = sum(end.awards[category] for end in ends)
        assert abs(counted - expected) < 4 * expected**0.5, (category, counted, expected)


@pytest.mark.campaign
@pytest.mark.parametrize(("modality", "own"), [("texas_plus", 2), ("go", 3), ("draw", 5)])
def test_two_winners_fall_together_as_often_as_the_exact_pairs_say(estelar, modality, own):
    plan, seats = only(estelar, modality), 6
    dealer = Dealer(plan, seats, Random(5))
    proposals = 300_000 if CAMPAIGN else 30_000
    pairs = sum(comb(len(winners), 2) for winners in (dealer.deal() for _ in range(proposals)))

    # A proposal stands for 1 / (seats x p) passes; a pass with three winners brings three pairs, hence the room.
    per_pass = float(
        sum(each for pair, each in expected_pairs(own, seats).items() if set(pair) <= set(plan.ruleset.paytable))
    )
    expected = per_pass * proposals / (seats * float(any_prize(plan.ruleset)))
    assert abs(pairs - expected) < 8 * expected**0.5


# 6.6: chance that a fixed prize is not covered in the 400,000 bets after a Real; commission in percent, base in bets
TABLE = {
    0: (0.44, 0.48, 0.49, 0.60), 250: (0.14, 0.17, 0.18, 0.24), 500: (0.04, 0.06, 0.06, 0.12), 1000: (0.003, 0.006, 0.010, 0.021),
    1500: (0.0, 0.0, 0.0, 0.005), 2000: (0.0, 0.0, 0.0, 0.0),
}  # fmt: skip
CELLS = [
    (base, percent, share) for base, row in TABLE.items() for percent, share in zip((20, 25, 30, 40), row, strict=True)
]


@pytest.mark.campaign
@pytest.mark.parametrize(("base", "commission", "uncovered"), CELLS)
def test_6_6_how_often_a_fixed_prize_is_not_covered(estelar, base, commission, uncovered):
    """As the study did it: no reserve, no percentages, one seat a pass. Most of it happens early on."""
    fixed = {category: prize for category, prize in estelar.ruleset.paytable.items() if not isinstance(prize, Share)}
    plan = replace(
        only(estelar, "draw"), ruleset=replace(estelar.ruleset, paytable=fixed), base=Money(base * BET), ceiling=None,
        shares=Shares(Ppm(commission * 10_000)), reserve_names=(),
    )  # fmt: skip
    paths, bets = (2_000, 400_000) if CAMPAIGN else (150, 50_000)
    told = simulate(plan, Course(BET, 1, bets, paths), 66, quiet)

    share = told.uncovered_by_main / paths
    assert told.uncovered_by_main == told.uncovered_by_reserves
    # The study's own error is about two points; the short form adds its own.
    assert abs(share - uncovered) < 0.025 + 3.2 * (max(uncovered, 0.01) * (1 - uncovered) / paths) ** 0.5


def test_the_levels_are_the_order_statistics_of_the_paths(estelar):
    told = simulate(estelar, Course(BET, 4, 10_000, 11), 2, quiet)

    last = sorted(end.levels[-1] for end in told.ends)
    assert [told.level(MARKS - 1, per_hundred) for per_hundred in (0, 50, 100)] == [last[0], last[5], last[10]]
    assert told.marks[-1] == 10_000
    assert most_seats(estelar) == 6


def test_a_reserve_that_helps_is_not_a_house_advance(estelar):
    rich = replace(estelar, base=Money(0), shares=Shares(Ppm(100_000), (Ppm(400_000),)), ceiling=None)
    told = simulate(rich, Course(BET, 4, 40_000, 40), 4, quiet)

    assert told.uncovered_by_reserves < told.uncovered_by_main
    assert all(end.beyond_main or not end.house_advance for end in told.ends)


def given(plan, *prizes, **course):
    """A path of 40,000 passes of one bet, with these prizes of the pot, and nothing a hand can make."""
    law = replace(plan.ruleset, paytable={Category.ESCALERA_REAL: Share(Ppm(1_000_000), None, "")})
    quiet_plan = replace(plan, ruleset=law, prizes=prizes)
    return simulate(quiet_plan, Course(BET, 1, 40_000, 1, **course), 5, quiet).ends[0]


def prize(amount, source="main", drawn=DrawnBy.SEAT, one_in=None, within=None, paid_in=PaidIn.CASH):
    return PlannedPrize("P", Money(amount), drawn, paid_in, source, one_in, within)


def test_r29_complementary_prizes_of_the_pot_fall_as_often_as_the_plan_says(estelar):
    chances = 40_000 / 20
    seat = given(estelar, prize(100, one_in=20)).complementary / 100
    assert abs(seat - chances) < 4 * chances**0.5

    game = only(estelar, "draw")
    card = given(game, prize(100, drawn=DrawnBy.CARD, one_in=2)).complementary / 100
    assert abs(card - 40_000 * 5 / 104) < 4 * (40_000 * 5 / 104) ** 0.5
    assert given(estelar, prize(100, one_in=1)).complementary == 40_000 * 100
    gift = prize(100, "house", one_in=1, paid_in=PaidIn.PROMOTIONAL_CREDITS)
    assert given(estelar, gift).complementary == 0, "the house gives it, and no pot"


def test_r29_a_prize_of_once_a_day_falls_once_in_each_day_of_play(estelar):
    daily = prize(1_000, within=30)
    assert given(estelar, daily, passes_an_hour=100, hours=10).complementary == 40 * 1_000
    assert given(estelar, daily, prize(100, within=1), passes_an_hour=1, hours=1).complementary == 40_000 * 1_100


def test_r18_r29_what_its_part_of_the_pot_does_not_hold_the_house_gives(estelar):
    end = given(estelar, prize(1_000, one_in=1))
    grown = given(estelar)
    assert (end.house_advance > 0, end.beyond_main) == (True, True)
    assert end.levels[-1] < grown.levels[-1]
    received = estelar.base + 40_000 * 720
    assert end.house_advance == 40_000 * 1_000 - received + end.levels[-1]

    of_reserve = given(estelar, prize(100, "reserva0", one_in=1))
    assert of_reserve.levels == grown.levels
    assert (of_reserve.house_advance, of_reserve.beyond_main) == (40_000 * 20, False)
