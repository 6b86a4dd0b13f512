"""Money is a whole number of the currency's smallest unit (R-1); a share is a whole number of millionths.

Two rules. Nothing here rounds out of sight: whoever takes a share is given back the fraction as a carry,
and whoever splits is told where the odd units went. Amounts stay within MOST_MONEY, so that no sum of a
casino's life leaves 64 bits in any store. This file must not know what a pot is.
"""

from typing import NewType

Money = NewType("Money", int)
Ppm = NewType("Ppm", int)

PPM = 1_000_000
"""R-23: the D of the exact split; 1,000,000 millionths are the whole."""

MOST_MONEY = Money(10**15)
"""Fifteen digits: one more than any meter of part 2.1 of the domain study asks for."""

MOST_BET = Money(10**10)
"""R-1: with the largest multiple or amount a law may name, eight awards of one pass still fit in 64 bits."""

NOTHING = Money(0)


def share(amount: int, ppm: Ppm, carry: int) -> tuple[Money, int]:
    """R-23: the share of an amount in whole units, and the fraction kept for the next one.

    Floor division also below zero, so that -T after T restores the carry exactly.
    """
    assert 0 <= carry < PPM, "R-23: a carry is a proper fraction"
    whole, kept = divmod(amount * ppm + carry, PPM)
    assert 0 <= kept < PPM, "R-23: a carry is a proper fraction, also after an amount below zero"
    return Money(whole), kept


def portion(amount: Money, ppm: Ppm) -> Money:
    """R-17: a percentage of a pot in whole units; what does not divide stays in the pot."""
    assert amount >= 0 and 0 <= ppm <= PPM, "R-17: a part of what is there"
    part = amount * ppm // PPM
    assert part <= amount, "R-18: a percentage never exceeds the pot"
    return Money(part)


def split_to_nearest(total: Money, winners: int) -> list[Money]:
    """R-16: equal whole units; all that does not divide goes to the first, who sits nearest seat 1."""
    assert total >= 0 and winners > 0, "R-16: something for somebody"
    each, odd = divmod(total, winners)
    parts = [Money(each + odd)] + [Money(each)] * (winners - 1)
    assert sum(parts) == total, "R-16: the parts are the whole"
    return parts


def split_one_each(total: Money, winners: int) -> list[Money]:
    """R-16, R-33 `odd_units = "one_each"`: one odd unit each, beginning with the winner nearest seat 1."""
    assert total >= 0 and winners > 0, "R-16: something for somebody"
    each, odd = divmod(total, winners)
    parts = [Money(each + 1)] * odd + [Money(each)] * (winners - odd)
    assert sum(parts) == total, "R-16: the parts are the whole"
    return parts
