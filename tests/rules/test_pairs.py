"""Two winners in one pass: every figure of part 6.4, and the same counted by dealing (R-16, R-32)."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from controller.rules.cards import DECK, Category, classify
from controller.rules.pairs import expected_pairs, pair_chances

C, F, P, EC, ER = Category.COLOR, Category.FULL, Category.POKER, Category.ESCALERA_COLOR, Category.ESCALERA_REAL

# 6.4: one in N passes with every seat betting, for (own cards, seats)
TABLE = {
    (ER, ER): (15_820_024_220, 22_148_033_908, None, None),
    (EC, ER): (765_485_043, 1_071_679_060, 234_122_980, 2_508_460_500),
    (EC, EC): (180_456_550, 252_639_170, 33_446_140, 418_076_750),
    (P, ER): (68_982_664, 96_575_729, None, 125_423_025),
    (P, P): (643_195, 900_473, None, 8_039_938),
    (F, F): (18_892, 26_448, 5_497, 10_408),
    (C, C): (9_562, 13_387, 1_320, 7_071),
}
GAMES = [(5, 7), (5, 6), (2, 6), (3, 7)]


def half_up(figure):
    return (2 * figure.numerator + figure.denominator) // (2 * figure.denominator)


@pytest.mark.parametrize("pair", TABLE, ids=lambda pair: f"{pair[0].name}+{pair[1].name}")
def test_6_4_every_figure(pair):
    for (own, seats), wanted in zip(GAMES, TABLE[pair], strict=True):
        expected = expected_pairs(own, seats).get(pair, Fraction(0))

        assert (half_up(1 / expected) if expected else None) == wanted


def test_6_4_two_specific_seats_both_with_escalera_real():
    assert pair_chances(5)[ER, ER] == Fraction(12, 3_986_646_103_440)


@pytest.mark.parametrize("own", [5, 3, 2])
def test_dealing_finds_the_frequent_pairs_as_often(own):
    chance = random.Random(own)
    deals, found = 60_000, Counter()
    for _ in range(deals):
        cards = chance.sample(DECK, 5 + own)
        shared = cards[: 5 - own]
        pair = sorted(classify([*shared, *cards[5 - own + at * own :][:own]]) for at in range(2))
        found[tuple(pair)] += all(pair)

    expected = {
        pair: float(each) * deals * (1 if pair[0] == pair[1] else 2) for pair, each in pair_chances(own).items()
    }
    winners = sum(expected.values())
    assert abs(sum(found.values()) - winners) < 4.5 * winners**0.5
