"""What complementary prizes cost the part of a pot that pays them (R-22, R-26, R-29).

Theory. A prize at a chance falls in one of so many passes, however much is bet in them; one of once a day costs its
amount a day. So the cost of a prize in parts of what is wagered depends on the play, as that of no hand does: it is
least where every seat bets the most. A main pot that shrinks even then can only shrink, and no authority should be
asked to approve that; where it shrinks at the play that is expected, the approval sheet says it.

All costs are at most: that one prize excludes another, or a day ends before a prize fell, only makes them less.
This file must not know pots, hands or plans.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from controller.rules.money import Money
from controller.rules.odds import named_card
from controller.rules.prizes import DrawnBy, PlannedPrize
from controller.rules.ruleset import Modality


def chance_in_pass(prize: PlannedPrize, game: Modality, seats: int) -> Fraction:
    """R-29: how likely a prize falls in a pass of this game in which so many seats bet; none that falls once a day."""
    assert 0 < seats <= game.seats, "R-7: a pass has bets, and no more than the game has seats"
    if prize.one_in is None:
        return Fraction(0)
    held = min(named_card(game.own_cards) * seats, Fraction(1)) if prize.drawn is DrawnBy.CARD else Fraction(1)
    return held * Fraction(1, prize.one_in)


def cost_of_pass(prizes: Iterable[PlannedPrize], game: Modality, seats: int) -> Fraction:
    """What these prizes take on average in one pass."""
    cost = sum((prize.amount * chance_in_pass(prize, game, seats) for prize in prizes), Fraction(0))
    assert cost >= 0, "R-29: a prize is something"
    return cost


def cost_of_day(prizes: Iterable[PlannedPrize]) -> Money:
    """What those of them take that fall once a day."""
    cost = sum(prize.amount for prize in prizes if prize.one_in is None)
    assert cost >= 0, "R-29: a prize is something"
    return Money(cost)


def least_cost(prizes: Sequence[PlannedPrize], games: Sequence[Modality], most: Money) -> Fraction:
    """What these prizes take of each unit wagered where every seat of every table bets the most; what falls once a day
    is nothing then, beside a day of such play."""
    assert games and most > 0, "R-9: a plan has tables, and somebody bets"
    wagered = sum(game.seats * most for game in games)
    return sum((cost_of_pass(prizes, game, game.seats) for game in games), Fraction(0)) * Fraction(1, wagered)
