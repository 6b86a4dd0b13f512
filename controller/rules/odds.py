"""Exact chances: how often each hand falls, what a bet returns, which way a pot moves.

Theory. Whatever the modality, the five cards that count are five random cards of 52 (own ones and community
ones are dealt alike), so one table of hits serves all. Every figure is a fraction of whole numbers; nothing
is rounded before it is printed. A return is linear in the pot, with a kink where a cap begins to bind (R-17);
a pot that gives a wanted return is found on that line.

Several winners in one pass are left out here: they divide a prize, they do not make one (see pairs.py).
This file must not know seats or time.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from types import MappingProxyType

from controller.rules.cards import Category
from controller.rules.money import PPM, Money
from controller.rules.readings import PerUnitOwed
from controller.rules.ruleset import PerUnit, Prize, Ruleset, Share, Times

HANDS = comb(52, 5)

_SEQUENCES = 10
HITS: Mapping[Category, int] = MappingProxyType(
    {
        Category.ESCALERA: _SEQUENCES * (4**5 - 4),
        Category.COLOR: 4 * (comb(13, 5) - _SEQUENCES),
        Category.FULL: 13 * comb(4, 3) * 12 * comb(4, 2),
        Category.POKER: 13 * 48,
        Category.ESCALERA_COLOR: 4 * (_SEQUENCES - 1),
        Category.ESCALERA_REAL: 4,
    }
)
assert sum(HITS.values()) < HANDS, "most hands win nothing"


def chance(category: Category) -> Fraction:
    """The chance that five cards are of this category, paid as their highest one (R-10)."""
    assert category is not Category.NOTHING, "a hand that wins"
    return Fraction(HITS[category], HANDS)


def any_prize(ruleset: Ruleset) -> Fraction:
    """The chance that a hand is paid anything at all."""
    paid = sum((chance(category) for category in ruleset.paytable), Fraction(0))
    unpaid = sum((chance(category) for category in HITS if category not in ruleset.paytable), Fraction(0))
    assert paid + unpaid + Fraction(HANDS - sum(HITS.values()), HANDS) == 1, "the chances of all hands are one"
    return paid


def _fixed_part(prize: Prize, unit: Money) -> Fraction:
    assert unit > 0, "R-11: a bet unit"
    if isinstance(prize, Times):
        return Fraction(prize.times)
    return Fraction(prize.amount, unit) if isinstance(prize, PerUnit) else Fraction(0)


def fixed_return(ruleset: Ruleset, unit: Money) -> Fraction:
    """R-11: what the multiples and fixed amounts return of each unit wagered, whatever the pot holds; `unit` is what an
    amount is owed for (`owed_for`)."""
    return sum(
        (chance(category) * _fixed_part(prize, unit) for category, prize in ruleset.paytable.items()), Fraction(0)
    )


def owed_for(ruleset: Ruleset, unit: Money, bet: Money) -> Money:
    """R-11, R-33: what an amount "por seguro apostado" is owed for: each unit, or the whole bet."""
    assert bet % unit == 0, "R-11: a bet is whole units"
    return bet if ruleset.readings.per_unit is PerUnitOwed.BET else unit


def _of_pot(prize: Share, bet: Money, pot: Fraction) -> Fraction:
    assert pot >= 0 and bet > 0, "R-18: no pot is negative, and nobody wins without a bet"
    part = Fraction(prize.ppm, PPM) * pot
    assert part <= pot, "R-18: a percentage never exceeds the pot"
    return part if prize.cap_times is None else min(part, Fraction(prize.cap_times * bet))


def expected_return(ruleset: Ruleset, unit: Money, bet: Money, pot: Fraction) -> Fraction:
    """What a bet returns on average of itself, at a pot of so much money."""
    shares = [(chance(c), prize) for c, prize in ruleset.paytable.items() if isinstance(prize, Share)]
    assert sum(hit for hit, _ in shares) < 1, "percentages are rare"
    from_pot = sum((hit * _of_pot(prize, bet, pot) for hit, prize in shares), Fraction(0))
    return fixed_return(ruleset, owed_for(ruleset, unit, bet)) + from_pot * Fraction(1, bet)


def variance(ruleset: Ruleset, unit: Money, bet: Money, pot: Fraction) -> Fraction:
    """How much what one bet returns varies, in squares of the bet."""
    mean = squares = Fraction(0)
    unit = owed_for(ruleset, unit, bet)
    for category, prize in ruleset.paytable.items():
        paid = _of_pot(prize, bet, pot) * Fraction(1, bet) if isinstance(prize, Share) else _fixed_part(prize, unit)
        mean += chance(category) * paid
        squares += chance(category) * paid * paid
    spread = squares - mean * mean
    assert spread >= 0, "a variance is never negative"
    return spread


def named_card(own_cards: int) -> Fraction:
    """R-29, Carta Mágica: the chance that a hand of so many own cards holds a card that was drawn."""
    assert 0 < own_cards <= 5, "R-8: own cards"
    return Fraction(own_cards, 52)


def pot_returning(ruleset: Ruleset, unit: Money, bet: Money, wanted: Fraction) -> Fraction | None:
    """The smallest pot at which a bet returns so much of itself; None if no pot does."""
    pots = [Fraction(0), *_kinks(ruleset, bet)]
    pots.append(pots[-1] + bet)
    returns = [expected_return(ruleset, unit, bet, pot) for pot in pots]
    assert pots == sorted(pots) and returns == sorted(returns), "a fuller pot never returns less"
    if returns[0] >= wanted:
        return pots[0] if returns[0] == wanted else None
    # The first piece of the line that reaches it; beyond the last kink the last piece goes on for ever.
    last = len(pots) - 2
    at = next((piece for piece in range(last) if returns[piece + 1] >= wanted), last)
    rise = returns[at + 1] - returns[at]
    if rise == 0:
        return None
    pot = pots[at] + (wanted - returns[at]) * (pots[at + 1] - pots[at]) * Fraction(rise.denominator, rise.numerator)
    assert expected_return(ruleset, unit, bet, pot) == wanted, "exact, on the piece of the line that reaches it"
    return pot


def _kinks(ruleset: Ruleset, bet: Money) -> list[Fraction]:
    """R-17: the pots at which a cap begins to bind."""
    assert bet > 0, "R-17: a cap is a multiple of a bet"
    return sorted(
        Fraction(prize.cap_times * bet * PPM, prize.ppm)
        for prize in ruleset.paytable.values()
        if isinstance(prize, Share) and prize.cap_times is not None and prize.ppm
    )


def without_caps(ruleset: Ruleset) -> Ruleset:
    """The same law without its caps, to show what they change (R-17)."""
    paytable = {
        category: replace(prize, cap_times=None) if isinstance(prize, Share) else prize
        for category, prize in ruleset.paytable.items()
    }
    assert list(paytable) == list(ruleset.paytable), "R-13: the same hands in the same order"
    return replace(ruleset, paytable=MappingProxyType(paytable))
