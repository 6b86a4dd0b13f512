"""What the croupiers of demo and rehearsal deal: hands that win more often than cards allow, so that something happens.

Pure. The demo draws its winners, the rehearsal takes every category in turn. Only winners are entered, as a croupier
does; from Poker up with its cards (R-32), a Color or a Full sometimes only by its name. Cards of one pass are different
cards.
"""

from collections.abc import Container, Sequence
from random import Random
from typing import NamedTuple

from controller.core.values import Hand
from controller.rules.cards import CATEGORIES, LABELS, NAMES, Card, Category, hands_of

_OFTEN = (
    (Category.COLOR, 60), (Category.FULL, 28), (Category.POKER, 8), (Category.ESCALERA_COLOR, 3),
    (Category.ESCALERA_REAL, 1),
)  # fmt: skip
_NEEDS_CARDS = {Category.POKER, Category.ESCALERA_COLOR, Category.ESCALERA_REAL}
_TWO_WIN = 0.15
_BY_NAME = 0.4
FIVE = 5


class Deal(NamedTuple):
    hands: tuple[Hand, ...]
    community: tuple[str, ...] = ()


NOBODY_WON = Deal(())


def dealt(seats: Sequence[int], own_cards: int, chance: Random, winning: float, forced: Category | None = None) -> Deal:
    """`seats`: who has a valid bet. `own_cards`: how many of the five are a player's own (R-8)."""
    if not seats or (forced is None and chance.random() >= winning):
        return NOBODY_WON
    winners = chance.sample(
        list(seats), 2 if len(seats) > 1 and own_cards == FIVE and chance.random() < _TWO_WIN else 1
    )
    taken: set[Card] = set()
    hands: list[Hand] = []
    community: tuple[str, ...] = ()
    for seat in sorted(winners):
        category = forced or _drawn(chance)
        five = five_of(category, taken, chance)
        taken |= set(five)
        names = tuple(NAMES[card] for card in five)
        if category not in _NEEDS_CARDS and chance.random() < _BY_NAME:
            hands.append(Hand(seat, claimed=LABELS[category]))
        else:
            community = names[own_cards:]
            hands.append(Hand(seat, cards=names[:own_cards]))
    return Deal(tuple(hands), community)


def with_cards(deal: Deal, chance: Random) -> Deal:
    """The same winners, each with five cards of his own: who is entered late must show them (R-35)."""
    named = {name: card for card, name in NAMES.items()}
    taken = {named[name] for hand in deal.hands for name in hand.cards}
    hands: list[Hand] = []
    for hand in deal.hands:
        if hand.claimed:
            five = five_of(CATEGORIES[hand.claimed], taken, chance)
            taken |= set(five)
            hand = Hand(hand.seat, hand.acts, tuple(NAMES[card] for card in five))  # noqa: PLW2901
        hands.append(hand)
    return Deal(tuple(hands), deal.community)


def _drawn(chance: Random) -> Category:
    categories, weights = zip(*_OFTEN, strict=True)
    return Category(chance.choices(categories, weights)[0])


def five_of(category: Category, taken: set[Card], chance: Random) -> tuple[Card, ...]:
    """Five cards that no other hand has; their order tells which of them lie on the table."""
    while True:
        five = list(chance.choice(hands_of(category)))
        if taken.isdisjoint(five):
            chance.shuffle(five)
            return tuple(five)


# Hands that can be dealt together, by how many own cards count: a royal flush, then straight flushes. R-8.
COMMUNITY: dict[int, tuple[str, ...]] = {5: (), 3: ("Th", "Jh"), 2: ("Th", "Jh", "Qh")}
_ROYAL: dict[int, list[tuple[str, ...]]] = {
    5: [("Ts", "Js", "Qs", "Ks", "As"), ("Td", "Jd", "Qd", "Kd", "Ad")],
    3: [("Qh", "Kh", "Ah")],
    2: [("Kh", "Ah")],
}
STRAIGHT_FLUSH: dict[int, list[tuple[str, ...]]] = {
    5: [("5c", "6c", "7c", "8c", "9c"), ("2h", "3h", "4h", "5h", "6h")],
    3: [("7h", "8h", "9h")],
    2: [("8h", "9h")],
}
_POKER: dict[int, list[tuple[str, ...]]] = {
    5: [("3c", "3d", "3h", "3s", "Jc"), ("4c", "4d", "4h", "4s", "Jd")],
    3: [],
    2: [],
}
# What is planted, in turn: so that every category is won alone, shared, and together with others.
_PLANTED = (
    ("color",), ("full", "full"), ("escalera",), ("color", "color", "full"), ("poker",), ("escalera_color",),
    ("color",), ("escalera", "escalera"), ("full",), ("poker", "poker"), ("color", "color"),
    ("escalera_color", "escalera_color"), ("full",), ("escalera_real", "color"), ("color", "full"),
    ("poker", "color"), ("escalera_real", "escalera_real", "escalera_color"),
)  # fmt: skip
# What any table can deal, with community cards and under every law, while another table's turn waits.
_ANYWHERE = (("full",), ("full",), ("full", "full"), ("escalera_color",), ("escalera_real", "escalera_color"))


class WinnersInTurn:
    """The same winners in every rehearsal, from Poker up with their cards (R-32)."""

    def __init__(self) -> None:
        self._turn = 0

    def deal(self, seats: Sequence[int], own_cards: int, paytable: Container[Category], chance: Random) -> Deal:
        names = _PLANTED[self._turn % len(_PLANTED)]
        if own_cards == FIVE and len(seats) >= len(names) and all(CATEGORIES[name] in paytable for name in names):
            self._turn += 1
        else:
            names = chance.choice(_ANYWHERE)
        shown = {
            "poker": iter(_POKER[own_cards]),
            "escalera_real": iter(_ROYAL[own_cards]),
            "escalera_color": iter(STRAIGHT_FLUSH[own_cards]),
        }
        hands = []
        for seat, name in zip(chance.sample(seats, len(seats)), names, strict=False):
            cards = next(shown[name], ()) if name in shown else ()
            if cards or name not in shown:
                hands.append(Hand(seat, cards=cards, claimed="" if cards else name))
        return Deal(tuple(hands), COMMUNITY[own_cards] if any(hand.cards for hand in hands) else ())
