"""The worst that one pass can cost in fixed prizes, found by construction.

Theory. Fixed prizes are owed whatever the pot holds (R-18), so an operator must know the dearest deal there
is. It depends only on how many seats can hold which categories at once. With five own cards there is no
limit worth the name: up to MOST_SEATS hands of one category can be dealt side by side. Community cards are
shared, so they decide: a paired community allows full houses and one poker, but no colour and no straight; one
without a pair allows colours and straights, and with three own cards either two pokers or two full houses. Each
kind of community is one row of `possible.LAYOUTS`. Filling the seats with the dearest first gives the worst pass.

A percentage is no liability: it never exceeds the pot. This file must not know pots.
"""

from typing import NamedTuple

from controller.rules.cards import Category
from controller.rules.money import Money
from controller.rules.possible import LAYOUTS, Layout
from controller.rules.ruleset import Modality, Ruleset, Share
from controller.rules.settlement import fixed_prize


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
        category: fixed_prize(prize, bet, unit, ruleset.readings)
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
