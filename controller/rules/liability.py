"""The worst that one pass can cost in fixed prizes, found by construction.

Theory. Fixed prizes are owed whatever the pot holds (R-18), so an operator must know the dearest deal there
is. It depends only on how many seats can hold which categories at once. With five own cards there is no
limit worth the name: up to MOST_SEATS hands of one category can be dealt side by side. Community cards are
shared, so they decide: a paired community allows full houses and one poker, but no colour and no straight; one
without a pair allows colours and straights, and with three own cards either two pokers or two full houses. Each
kind of community is one row of LAYOUTS: the most seats that can hold a category. Filling the seats with the
dearest first gives the worst pass. Tests deal every row with community cards, and pack hands at random over every
community there is without finding one that holds more.

A percentage is no liability: it never exceeds the pot. This file must not know pots.
"""

from collections.abc import Mapping
from typing import NamedTuple

from controller.rules.cards import Category
from controller.rules.money import Money
from controller.rules.ruleset import MOST_SEATS, Modality, Ruleset, Share
from controller.rules.settlement import fixed_prize

Layout = Mapping[Category, int]

_ANY = MOST_SEATS
LAYOUTS: Mapping[int, tuple[Layout, ...]] = {
    # by own cards: what one community lets so many seats hold at most, together
    5: ({Category.ESCALERA: _ANY, Category.COLOR: _ANY, Category.FULL: _ANY, Category.POKER: _ANY},),
    3: (
        {Category.FULL: _ANY, Category.POKER: 1},  # a pair: trips in the hand, and once the other pair
        {Category.ESCALERA: _ANY, Category.COLOR: 3, Category.POKER: 2},  # 9 cards of the suit; the 3 others of each
        {Category.ESCALERA: _ANY, Category.COLOR: 3, Category.FULL: 2},  # the 3 + 3 others make two full houses
    ),
    2: (
        {Category.FULL: _ANY, Category.POKER: 1},  # three of a kind: a pair in the hand, and once the fourth
        {Category.ESCALERA: _ANY, Category.COLOR: 5},  # three of a suit leave ten
    ),
}
assert all(0 < seats <= _ANY for rows in LAYOUTS.values() for layout in rows for seats in layout.values()), "R-7: seats"


class WorstPass(NamedTuple):
    """The dearest deal: how many seats hold what, and what it costs in fixed prizes."""

    hands: tuple[tuple[Category, int], ...]
    amount: Money


def worst_pass(ruleset: Ruleset, modality: Modality, bet: Money, unit: Money) -> WorstPass:
    """The dearest pass of a table in fixed prizes when every seat bets so much."""
    assert LAYOUTS[modality.own_cards], "R-8: what this game can deal is known"
    fillings = (_fill(ruleset, modality, bet, unit, layout) for layout in LAYOUTS[modality.own_cards])
    return max(fillings, key=lambda worst: worst.amount)


def _fill(ruleset: Ruleset, modality: Modality, bet: Money, unit: Money, layout: Layout) -> WorstPass:
    costs = {
        category: fixed_prize(prize, bet, unit)
        for category, prize in ruleset.paytable.items()
        if not isinstance(prize, Share) and category in layout
    }
    hands: list[tuple[Category, int]] = []
    amount, free = 0, modality.seats
    for category in sorted(costs, key=lambda category: (-costs[category], category)):
        seats = min(free, layout[category])
        free -= seats
        amount += seats * costs[category]
        if seats:
            hands.append((category, seats))
    assert free >= 0 and sum(seats for _, seats in hands) == modality.seats - free, "R-7: one hand a seat"
    assert amount == sum(seats * costs[category] for category, seats in hands), "R-14: each on his own bet"
    return WorstPass(tuple(hands), Money(amount))
