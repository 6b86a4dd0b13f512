"""All the cards of a pass, so that whoever looks at the felt sees the same hands: the winners', and the others' that
win nothing.

Pure. Who wins is drawn as ever (cards.py); here everybody else gets cards too, no card twice. What the demo's
croupier enters of it, and what a person at his place should, is `winners`.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from controller.play.cards import Deal, dealt, five_of
from controller.rules.cards import CARDS, CATEGORIES, DECK, NAMES, Card, Category, classify


class Dealt(NamedTuple):
    """`hands`: each seat's own cards; with `community` they are five. `number`: of the pass."""

    number: int
    hands: dict[int, tuple[str, ...]]
    community: tuple[str, ...]
    winners: Deal


def dealt_to_all(
    number: int,
    seats: Sequence[int],
    own_cards: int,
    chance: Random,
    winning: float,
    forced: Category | None = None,
    favoured: int = 0,
) -> Dealt:
    """`forced`: what somebody wins, the seat `favoured` if it has a bet."""
    lucky = [favoured] if forced is not None and favoured in seats else seats
    winners = dealt(lucky, own_cards, chance, winning, forced)
    hands, community, taken = _winning_hands(winners, own_cards, chance)
    rest = [card for card in DECK if card not in taken]
    chance.shuffle(rest)
    if seats and not community:
        community, rest = tuple(NAMES[card] for card in rest[: 5 - own_cards]), rest[5 - own_cards :]
    for seat in seats:
        if seat not in hands:
            own = _losing(rest, [CARDS[name] for name in community], own_cards)
            rest = [card for card in rest if card not in own]
            hands[seat] = tuple(NAMES[card] for card in own)
    return Dealt(number, dict(sorted(hands.items())), community, winners)


def _winning_hands(
    winners: Deal, own_cards: int, chance: Random
) -> tuple[dict[int, tuple[str, ...]], tuple[str, ...], set[Card]]:
    """With cards also for who is entered by the name of his hand alone."""
    hands, community = {}, winners.community
    taken = {CARDS[name] for hand in winners.hands for name in hand.cards} | {CARDS[name] for name in community}
    for hand in winners.hands:
        if hand.cards:
            hands[hand.seat] = hand.cards
            continue
        five = five_of(CATEGORIES[hand.claimed], taken, chance)
        taken |= set(five)
        names = tuple(NAMES[card] for card in five)
        hands[hand.seat], community = names[:own_cards], names[own_cards:] or community
    return hands, community, taken


def _losing(rest: Sequence[Card], community: Sequence[Card], own_cards: int) -> Sequence[Card]:
    """The first cards of the rest that win nothing."""
    for at in range(len(rest) - own_cards + 1):
        own = rest[at : at + own_cards]
        if classify([*own, *community]) is Category.NOTHING:
            return own
    raise AssertionError("so many cards, and every hand of them wins")
