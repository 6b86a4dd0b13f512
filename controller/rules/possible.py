"""Whether hands that were entered without their cards can have been dealt at all (R-32).

Theory. A croupier may enter a fixed prize by its category alone. Where nothing of the pass is known, the layouts of
`liability` say how many seats can hold what side by side. Where community cards or other hands are known, the
own cards of the unseen hands are searched for: one hand for each seat, no card twice, none that is shown. The
search only ever refuses what it has proved impossible; in the rare tangle it cannot settle within its budget, the
hands count as possible, and the croupier's word stands as it does without cards.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache, reduce
from operator import or_

from controller.rules.cards import BITS, Card, Category, hands_of
from controller.rules.liability import LAYOUTS

_BUDGET = 200_000
"""How many hands are looked at before a search is given up: some hundredths of a second."""


def can_be_dealt(own_cards: int, community: Sequence[Card], shown: Sequence[Card], unseen: Sequence[Category]) -> bool:
    """Whether so many seats can hold these categories together, given what is known of the pass."""
    if not community and not shown:
        counts = Counter(unseen)
        return any(all(count <= layout.get(c, 0) for c, count in counts.items()) for layout in LAYOUTS[own_cards])
    shared, taken = _bits(community), _bits(shown)
    wanted = [(count, _own_hands(category, shared, taken)) for category, count in Counter(unseen).items()]
    return _Search(own_cards).fits(wanted)


def _bits(cards: Sequence[Card]) -> int:
    return sum(BITS[card] for card in cards)


@lru_cache(maxsize=256)
def _own_hands(category: Category, shared: int, taken: int) -> tuple[int, ...]:
    """The own cards, as bits, that make this category with the shared ones."""
    return tuple(hand ^ shared for hand in _hand_bits(category) if hand & shared == shared and not hand & taken)


@cache
def _hand_bits(category: Category) -> tuple[int, ...]:
    return tuple(_bits(hand) for hand in hands_of(category))


class _Search:
    """Gives seats their hands one after the other, the scarcest category first, until its budget is spent."""

    def __init__(self, own_cards: int) -> None:
        self._own_cards = own_cards
        self._left = _BUDGET

    def fits(self, wanted: Sequence[tuple[int, Sequence[int]]]) -> bool:
        """Whether so many seats each can have one of their hands, no card twice; `wanted` is (seats, hands)."""
        if not wanted:
            return True
        self._left -= sum(len(hands) for _, hands in wanted)
        if self._left < 0:
            return True
        if any(seats * self._own_cards > _union(hands).bit_count() for seats, hands in wanted):
            return False
        (seats, hands), *others = sorted(wanted, key=lambda one: len(one[1]))
        for at, hand in enumerate(hands):
            # Seats of one category are interchangeable, so the next one only looks further on.
            rest = [(seats - 1, _apart(hands[at + 1 :], hand))] if seats > 1 else []
            if self.fits([*rest, *((count, _apart(more, hand)) for count, more in others)]):
                return True
        return False


def _union(hands: Sequence[int]) -> int:
    return reduce(or_, hands, 0)


def _apart(hands: Sequence[int], used: int) -> list[int]:
    return [hand for hand in hands if not hand & used]
