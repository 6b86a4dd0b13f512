"""Whether hands that were entered without their cards can have been dealt at all (R-32).

Theory. A croupier may enter a fixed prize by its category alone. Where nothing of the pass is known, LAYOUTS says
how many seats can hold what side by side. Where community cards or other hands are known, the own cards of the unseen
hands are searched for: one hand for each seat, no card twice, none that is shown. First each category alone, then all
of them together, so that a claim more never makes an impossible one pass.

Two proofs come before any search. So many hands need so many cards. And where a few cards are such that every
hand holds one of them, there are no more hands side by side than such cards. The search refuses only what it has
proved impossible; one that spends its budget without an answer lets the hands stand on the croupier's word.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, reduce
from operator import or_

from controller.rules.cards import BITS, Card, Category, hands_of
from controller.rules.ruleset import MOST_SEATS

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
"""Tests deal every row with community cards, and pack hands at random over every community there is without finding one
that holds more."""
assert all(0 < seats <= _ANY for rows in LAYOUTS.values() for layout in rows for seats in layout.values()), "R-7: seats"

_BUDGET = 200_000
"""How many hands are looked at before a search is given up: some hundredths of a second."""


def can_be_dealt(own_cards: int, community: Sequence[Card], shown: Sequence[Card], unseen: Sequence[Category]) -> bool:
    """Whether so many seats can hold these categories together, given what is known of the pass."""
    if not community and not shown:
        counts = Counter(unseen)
        return any(all(count <= layout.get(c, 0) for c, count in counts.items()) for layout in LAYOUTS[own_cards])
    shared, taken = _bits(community), _bits(shown)
    assert not shared & taken, "R-32: no card is in two places"
    wanted = [(count, _own_hands(category, shared, taken)) for category, count in Counter(unseen).items()]
    alone = ([one] for one in wanted)
    return not unseen or all(_side_by_side(own_cards, group) for group in (*alone, wanted))


def _side_by_side(own_cards: int, wanted: Sequence[tuple[int, Sequence[int]]]) -> bool:
    """Whether so many seats each can have one of their hands; `wanted` is (seats, hands) for each category."""
    seats = sum(count for count, _ in wanted)
    assert seats > 0, "hands that were entered"
    hands = [hand for _, hands in wanted for hand in hands]
    if not all(hands for _, hands in wanted) or seats * own_cards > reduce(or_, hands).bit_count():
        return False
    if seats > 1 and _fewer_cards_in_every_hand(hands, seats):
        return False
    try:
        return _Search(own_cards).fits(wanted)
    except _SpentError:
        return True


def _fewer_cards_in_every_hand(hands: Sequence[int], seats: int) -> bool:
    """Whether fewer cards than seats are enough for every hand to hold one of them."""
    assert hands and seats > 1, "one seat needs no proof"
    for _ in range(seats - 1):
        often: Counter[int] = Counter()
        for hand in hands:
            left = hand
            while left:
                card = left & -left
                often[card] += 1
                left ^= card
        ((scarce, _),) = often.most_common(1)
        hands = [hand for hand in hands if not hand & scarce]
        if not hands:
            return True
    return False


def _bits(cards: Sequence[Card]) -> int:
    bits = sum(BITS[card] for card in cards)
    assert bits.bit_count() == len(cards), "R-32: no card twice"
    return bits


@lru_cache(maxsize=256)
def _own_hands(category: Category, shared: int, taken: int) -> tuple[int, ...]:
    """The own cards, as bits, that make this category with the shared ones."""
    own = tuple(hand ^ shared for hand in _hand_bits(category) if hand & shared == shared and not hand & taken)
    assert all((hand | shared).bit_count() == 5 for hand in own), "R-8: own and community cards make five"
    return own


@cache
def _hand_bits(category: Category) -> tuple[int, ...]:
    bits = tuple(_bits(hand) for hand in hands_of(category))
    assert all(hand.bit_count() == 5 for hand in bits), "R-8: five cards count"
    return bits


class _SpentError(Exception):
    """The budget is spent, and neither a deal nor a proof was found."""


class _Search:
    """Gives seats their hands one after the other, the scarcest category first."""

    def __init__(self, own_cards: int) -> None:
        assert own_cards in LAYOUTS, "R-8: 5, 3 or 2 own cards"
        self._own_cards = own_cards
        self._left = _BUDGET

    def fits(self, wanted: Sequence[tuple[int, Sequence[int]]]) -> bool:
        if not wanted:
            return True
        if any(seats * self._own_cards > reduce(or_, hands, 0).bit_count() for seats, hands in wanted):
            return False
        (seats, hands), *others = sorted(wanted, key=lambda one: len(one[1]))
        for at, hand in enumerate(hands):
            self._left -= len(hands) - at + sum(len(more) for _, more in others)
            if self._left < 0:
                raise _SpentError
            # Seats of one category are interchangeable, so the next one only looks further on.
            rest = [(seats - 1, _apart(hands[at + 1 :], hand))] if seats > 1 else []
            if self.fits([*rest, *((count, _apart(more, hand)) for count, more in others)]):
                return True
        return False


def _apart(hands: Sequence[int], used: int) -> list[int]:
    return [hand for hand in hands if not hand & used]
