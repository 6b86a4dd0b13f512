"""What is dealt at the demo's tables: seeded hands that win more often than cards allow, so that something happens.

Pure. Only winners are entered, as a croupier does; a percentage prize with its cards (R-32), a multiple sometimes only
by its name. Cards of one pass are different cards.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from controller.core.values import Hand
from controller.rules.cards import LABELS, NAMES, Card, Category, hands_of

_OFTEN = (
    (Category.COLOR, 60),
    (Category.FULL, 28),
    (Category.POKER, 8),
    (Category.ESCALERA_COLOR, 3),
    (Category.ESCALERA_REAL, 1),
)
_NEEDS_CARDS = {Category.ESCALERA_COLOR, Category.ESCALERA_REAL}
_TWO_WIN = 0.15
_BY_NAME = 0.4
_FIVE = 5


class Deal(NamedTuple):
    hands: tuple[Hand, ...]
    community: tuple[str, ...] = ()


NOBODY_WON = Deal(())


def dealt(seats: Sequence[int], own_cards: int, chance: Random, winning: float, forced: Category | None = None) -> Deal:
    """`seats`: who has a valid bet. `own_cards`: how many of the five are a player's own (R-8)."""
    if not seats or (forced is None and chance.random() >= winning):
        return NOBODY_WON
    winners = chance.sample(
        list(seats), 2 if len(seats) > 1 and own_cards == _FIVE and chance.random() < _TWO_WIN else 1
    )
    taken: set[Card] = set()
    hands: list[Hand] = []
    community: tuple[str, ...] = ()
    for seat in sorted(winners):
        category = forced or _drawn(chance)
        five = _hand(category, taken, chance)
        taken |= set(five)
        names = tuple(NAMES[card] for card in five)
        if category not in _NEEDS_CARDS and chance.random() < _BY_NAME:
            hands.append(Hand(seat, claimed=LABELS[category]))
        else:
            community = names[own_cards:]
            hands.append(Hand(seat, cards=names[:own_cards]))
    return Deal(tuple(hands), community)


def _drawn(chance: Random) -> Category:
    categories, weights = zip(*_OFTEN, strict=True)
    return Category(chance.choices(categories, weights)[0])


def _hand(category: Category, taken: set[Card], chance: Random) -> tuple[Card, ...]:
    """Five cards that no other hand has; their order tells which of them lie on the table."""
    while True:
        five = list(chance.choice(hands_of(category)))
        if taken.isdisjoint(five):
            chance.shuffle(five)
            return tuple(five)
