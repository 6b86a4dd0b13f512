"""Exact chances of two winners in one pass: the cases that the rules spend most words on and nobody sees.

Theory. Two seats are dealt disjoint cards. Counting disjoint pairs of winning hands needs no second deal:
the pairs that share no card are all pairs, less those that share one, plus those that share two, and so on.
So it is enough to count, for every small set of cards, how many winning hands of each category hold all of
it. Where community cards are shared this is done for each possible community, with communities that differ
only in the names of the suits done once.

The counts of all categories ride in one whole number, _FIELD bits each: sums of such numbers are sums of
every category at once. This file must not know paytables or seats.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from types import MappingProxyType

from controller.rules.cards import BITS, CARDS, DECK, SUITS, WINNING, Card, Category

_FIELD = 40
_MASK = (1 << _FIELD) - 1

Pair = tuple[Category, Category]


@cache
def pair_chances(own_cards: int) -> Mapping[Pair, Fraction]:
    """The chance that one seat holds the first category and another seat the second, low category first."""
    assert 0 < own_cards <= 5, "R-8: own cards"
    ways: Counter[Pair] = Counter()
    for community, weight in _communities(5 - own_cards):
        for pair, count in _disjoint_pairs(community, own_cards).items():
            ways[pair] += weight * count
    left = 52 - (5 - own_cards)
    deals = comb(52, 5 - own_cards) * comb(left, own_cards) * comb(left - own_cards, own_cards)
    chances = {pair: Fraction(count, deals) for pair, count in sorted(ways.items())}
    assert 0 < sum(chances.values()) < 1, "two winners are rare, and no deal is counted twice"
    return MappingProxyType(chances)


def expected_pairs(own_cards: int, seats: int) -> Mapping[Pair, Fraction]:
    """How many such pairs of winners a pass brings on average when every seat bets."""
    assert seats > 0, "R-7: a game has seats"
    return {
        (one, other): comb(seats, 2) * both * (1 if one == other else 2)
        for (one, other), both in pair_chances(own_cards).items()
    }


def _communities(cards: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """The possible community cards, one for all that are the same up to the names of the suits, with how many."""
    seen: Counter[tuple[tuple[str, int], ...]] = Counter()
    for names in combinations(CARDS, cards):
        order: dict[str, int] = {}
        seen[tuple((name[0], order.setdefault(name[1], len(order))) for name in names)] += 1
    assert sum(seen.values()) == comb(len(DECK), cards), "every community once"
    for pattern, weight in seen.items():
        yield tuple(CARDS[rank + SUITS[suit]] for rank, suit in pattern), weight


def _winners(community: tuple[Card, ...], own_cards: int) -> Iterator[tuple[tuple[Card, ...], Category]]:
    base = sum(community)
    rest = [card for card in DECK if card not in community]
    assert len(rest) + len(community) == len(DECK) and len(community) + own_cards == 5, "R-8: five cards count"
    for own in combinations(rest, own_cards):
        category = WINNING.get(base + sum(own))
        if category is not None:
            yield own, category


def _disjoint_pairs(community: tuple[Card, ...], own_cards: int) -> dict[Pair, int]:
    """How many pairs of winning hands over this community share no card, by their categories."""
    winners = list(_winners(community, own_cards))
    assert len(winners) * 2**own_cards < _MASK, "no count spills into the next category"
    holding: dict[int, int] = {}
    for own, category in winners:
        one = 1 << (_FIELD * category)
        for cards in _subsets(own):
            holding[cards] = holding.get(cards, 0) + one
    found: Counter[Category] = Counter()
    disjoint: dict[Category, int] = {}
    for own, category in winners:
        found[category] += 1
        for cards in _subsets(own):
            sharing = holding[cards]
            disjoint[category] = disjoint.get(category, 0) + (-sharing if cards.bit_count() % 2 else sharing)
    return {
        (one, other): count
        for one, others in disjoint.items()
        for other in found
        if one <= other and (count := (others >> (_FIELD * other)) & _MASK)
    }


def _subsets(own: Iterable[Card]) -> list[int]:
    """Every subset of a hand, the empty one too, as a set of bits."""
    subsets = [0]
    for card in own:
        bit = BITS[card]
        subsets += [cards | bit for cards in subsets]
    assert subsets[0] == 0, "the empty one too"
    return subsets
