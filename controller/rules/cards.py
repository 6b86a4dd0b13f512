"""Cards, and the category of five of them (R-10).

Theory. A card is one whole number: the power 5**rank times 2**11, plus the power 6**suit. Added up over a
hand, the first part counts each rank in its own base-5 digit (a rank occurs at most four times) and the
second each suit in its own base-6 digit (a suit at most five times), so the sum of five cards says exactly
which ranks and which suits the hand holds, and nothing else decides its category. The few thousand sums
that win stand in one dictionary; every other hand is nothing. Classifying a hand is one sum and one look-up.

Suits are equal and order never matters. This file must not know what a category pays.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from itertools import combinations, product
from typing import NewType

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"

_SUIT_BITS = 11
_SUITS_MASK = (1 << _SUIT_BITS) - 1
_RANK = [5**rank << _SUIT_BITS for rank in range(13)]
_SUIT = [6**suit for suit in range(4)]
assert 5 * _SUIT[-1] <= _SUITS_MASK, "the suits of five cards never spill into the ranks"


class Category(IntEnum):
    """R-10, low to high. NOTHING is every hand that no ruleset pays."""

    NOTHING = 0
    ESCALERA = 1
    COLOR = 2
    FULL = 3
    POKER = 4
    ESCALERA_COLOR = 5
    ESCALERA_REAL = 6


LABELS = {category: category.name.lower() for category in Category}
"""The names for programs."""
CATEGORIES = {label: category for category, label in LABELS.items() if category}
HAND_NAMES = {
    Category.NOTHING: "ninguna jugada premiada",
    Category.ESCALERA: "Escalera",
    Category.COLOR: "Color",
    Category.FULL: "Full",
    Category.POKER: "Póker",
    Category.ESCALERA_COLOR: "Escalera de Color",
    Category.ESCALERA_REAL: "Escalera Real",
}
"""The names that croupiers and players use."""

CARDS: dict[str, Card] = {
    rank + suit: Card(_RANK[r] + _SUIT[s]) for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)
}
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
NAMES: dict[Card, str] = {card: name for name, card in CARDS.items()}
DECK: tuple[Card, ...] = tuple(CARDS.values())
assert len(NAMES) == 52, "no two cards are the same number"
BITS: dict[Card, int] = {card: 1 << at for at, card in enumerate(DECK)}
"""Cards as sets of bits, for where sets of cards are compared."""


def _sequences() -> list[int]:
    """R-10: five ranks in sequence, A-2-3-4-5 first and 10-J-Q-K-A last."""
    ranks = [12, *range(13)]
    straights = [sum(_RANK[rank] for rank in ranks[low : low + 5]) for low in range(10)]
    assert len(set(straights)) == 10, "R-10: ten sequences, each of its own ranks"
    return straights


def _winning_sums() -> dict[int, Category]:
    """Every sum of ranks and suits that makes a category, each written down once."""
    flushes = [5 * suit for suit in _SUIT]
    straights = _sequences()
    wins: dict[int, Category] = {}
    for ranks in combinations(_RANK, 5):
        wins |= {sum(ranks) + flush: Category.COLOR for flush in flushes}
    mixed = {a + b + c + d + e for a in _SUIT for b in _SUIT for c in _SUIT for d in _SUIT for e in _SUIT}
    for straight in straights:
        wins |= {straight + suits: Category.ESCALERA for suits in mixed.difference(flushes)}
        wins |= {straight + flush: Category.ESCALERA_COLOR for flush in flushes}
    wins |= {straights[-1] + flush: Category.ESCALERA_REAL for flush in flushes}
    for many in _RANK:
        for few in _RANK:
            if many != few:
                wins |= {
                    3 * many + sum(three) + 2 * few + sum(two): Category.FULL
                    for three in combinations(_SUIT, 3)
                    for two in combinations(_SUIT, 2)
                }
                wins |= {4 * many + sum(_SUIT) + few + suit: Category.POKER for suit in _SUIT}
    assert set(wins.values()) == set(CATEGORIES.values()), "R-10: every category can be dealt"
    return wins


WINNING = _winning_sums()


def classify(hand: Iterable[Card]) -> Category:
    """R-10: the highest category that five different cards make."""
    return WINNING.get(sum(hand), Category.NOTHING)


@cache
def hands_of(category: Category) -> tuple[tuple[Card, ...], ...]:
    """Every hand of a category that wins, as its five cards."""
    assert category is not Category.NOTHING, "only what wins is listed"
    of_rank = [[CARDS[rank + suit] for suit in SUITS] for rank in RANKS]
    of_suit = [[CARDS[rank + suit] for rank in RANKS] for suit in SUITS]
    hands: Iterable[tuple[Card, ...]]
    if category in (Category.FULL, Category.POKER):
        hands = (hand for one, other in combinations(of_rank, 2) for hand in combinations(one + other, 5))
    elif category is Category.ESCALERA:
        around = [of_rank[-1], *of_rank]
        hands = (hand for low in range(10) for hand in product(*around[low : low + 5]))
    else:
        hands = (hand for suit in of_suit for hand in combinations(suit, 5))
    found = tuple(hand for hand in hands if classify(hand) is category)
    assert len({sum(BITS[card] for card in hand) for hand in found}) == len(found) > 0, "R-10: each hand once"
    return found


def printed(card: str) -> str:
    """The card as it is printed, for who reads Spanish: 10♠. What is no card stays what it is."""
    assert len(SYMBOLS) == len(SUITS), "a sign for each suit"
    return card[:-1].replace("T", "10") + SYMBOLS[card[-1]] if card in CARDS else card
