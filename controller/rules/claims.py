"""Which claims cannot be true, and what the true ones are (R-32, R-34).

Theory. The record of a pass says which seats bet, what their players did, and for some of them the cards or
the category the croupier entered. `judge` turns it into the wins to settle and a reason for every other
seat, or refuses the whole record with one reason: what is wrong with one hand makes all of them doubtful,
and all winners of a pass are one claim (R-34). When cards are given they decide; a percentage is never paid
without them. "More winners than valid bets" needs no check of its own: a win needs a valid bet, and a seat
stands in the record once.

The order of the checks is the order of `Reason`. This file must not know money or pots.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from controller.rules.cards import DECK, HAND_NAMES, NAMES, Card, Category, classify
from controller.rules.eligibility import SeatRecord, Unpaid, ineligible
from controller.rules.liability import ANY_HAND, LAYOUTS
from controller.rules.money import Money
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.ruleset import Modality, Ruleset, Share
from controller.rules.settlement import Win


class Pass(NamedTuple):
    """The record of one pass at one table, as it stands when the hands have been entered."""

    modality: Modality
    unit: Money
    community: tuple[Card, ...]
    seats: tuple[SeatRecord, ...]
    locked: bool = True


class NotPaid(NamedTuple):
    """A seat that is paid nothing, and why."""

    seat: int
    reason: Unpaid


class Judgement(NamedTuple):
    """Every seat of the pass is in exactly one of the two; the wins are not in paying order yet."""

    wins: tuple[Win, ...]
    not_paid: tuple[NotPaid, ...]


def judge(ruleset: Ruleset, dealt: Pass) -> Judgement | Refusal:
    """R-32: the wins of a pass, or why its record cannot be true."""
    for check in _CHECKS:
        refusal = check(dealt)
        if refusal is not None:
            return refusal
    wins: list[Win] = []
    not_paid: list[NotPaid] = []
    for at, record in enumerate(dealt.seats):
        made = _category(dealt, record)
        refusal = _refuse_claim(ruleset, dealt, at, record, made)
        if refusal is not None:
            return refusal
        reason = ineligible(dealt.modality, record) or _unpaid(ruleset, record, made)
        if reason is None:
            wins.append(Win(made or record.claimed, record.seat, record.bet))
        else:
            not_paid.append(NotPaid(record.seat, reason))
    assert len(wins) + len(not_paid) == len(dealt.seats), "R-34: every seat of the pass is accounted for"
    not_paid.sort()
    return _refuse_together(dealt) or Judgement(tuple(wins), tuple(not_paid))


def _seats_exist(dealt: Pass) -> Refusal | None:
    """R-7: seats are numbered from 1 to the seats of the modality."""
    seats = dealt.modality.seats
    for at, record in enumerate(dealt.seats):
        if not 1 <= record.seat <= seats:
            where = f"seats[{at}].seat"
            return refuse(Reason.SEAT_UNKNOWN, where, modality=dealt.modality.name, seats=seats, seat=record.seat)
    return None


def _one_hand_a_seat(dealt: Pass) -> Refusal | None:
    """R-7, R-32: one bet and one hand for each seat; a second claim for the same seat is none."""
    seen: set[int] = set()
    for at, record in enumerate(dealt.seats):
        if record.seat in seen:
            return refuse(Reason.SEAT_TWICE, f"seats[{at}].seat", seat=record.seat)
        seen.add(record.seat)
    return None


def _bets_are_whole_units(dealt: Pass) -> Refusal | None:
    """R-1, R-11: a bet is a whole number of bet units."""
    for at, record in enumerate(dealt.seats):
        if record.bet % dealt.unit:
            return refuse(Reason.BET_NOT_WHOLE_UNITS, f"seats[{at}].bet", bet=record.bet, unit=dealt.unit)
    return None


def _cards_are_complete(dealt: Pass) -> Refusal | None:
    """R-8: the community cards of the modality, and either all own cards of a seat or none."""
    modality = dealt.modality
    given, wanted = len(dealt.community), modality.community_cards
    if given != wanted and (given or any(record.cards for record in dealt.seats)):
        return refuse(Reason.COMMUNITY_MISSING, "community", modality=modality.name, wanted=wanted, given=given)
    for at, record in enumerate(dealt.seats):
        if record.cards is not None and len(record.cards) != modality.own_cards:
            return refuse(
                Reason.HAND_INCOMPLETE,
                f"seats[{at}].cards",
                modality=modality.name,
                seat=record.seat,
                wanted=modality.own_cards,
                given=len(record.cards),
            )
    return None


def _places(dealt: Pass) -> Iterator[tuple[str, Card]]:
    """Every card of the pass with the place it stands at; the community cards stand once for all seats."""
    for at, card in enumerate(dealt.community):
        yield f"community[{at}]", card
    for seat, record in enumerate(dealt.seats):
        for at, card in enumerate(record.cards or ()):
            yield f"seats[{seat}].cards[{at}]", card


def _known_cards(dealt: Pass) -> list[Card]:
    cards = list(dealt.community)
    for record in dealt.seats:
        if record.cards:
            cards += record.cards
    return cards


def _no_card_twice(dealt: Pass) -> Refusal | None:
    """R-32: a card is in one place of a pass only, community cards aside."""
    cards = _known_cards(dealt)
    if len(set(cards)) == len(cards):
        return None
    places = list(_places(dealt))
    where, card = next(place for at, place in enumerate(places) if place[1] in {card for _, card in places[:at]})
    return refuse(Reason.CARD_TWICE, where, card=NAMES[card])


def _is_locked(dealt: Pass) -> Refusal | None:
    """R-5, R-32: nobody wins before "no más apuestas"."""
    return None if dealt.locked else refuse(Reason.NOT_LOCKED, "locked")


_CHECKS: tuple[Callable[[Pass], Refusal | None], ...] = (
    _seats_exist,
    _one_hand_a_seat,
    _bets_are_whole_units,
    _cards_are_complete,
    _no_card_twice,
    _is_locked,
)


def _category(dealt: Pass, record: SeatRecord) -> Category | None:
    """R-10: what the cards of a seat make; None where no cards were given."""
    return classify(dealt.community + record.cards) if record.cards else None


def _refuse_claim(ruleset: Ruleset, dealt: Pass, at: int, record: SeatRecord, made: Category | None) -> Refusal | None:
    """R-32: a category that was claimed must be what the cards make, and must be possible without them."""
    if not record.claimed:
        return None
    where, claimed = f"seats[{at}].category", HAND_NAMES[record.claimed]
    if made is not None and made is not record.claimed:
        return refuse(Reason.HAND_IS_NOT_THAT, where, seat=record.seat, claimed=claimed, made=HAND_NAMES[made])
    prize = ruleset.paytable.get(record.claimed)
    if prize is None:
        return refuse(Reason.NOT_IN_PAYTABLE, where, claimed=claimed)
    if made is None and isinstance(prize, Share):
        return refuse(Reason.CARDS_REQUIRED, where, seat=record.seat, claimed=claimed)
    if made is None and dealt.community and not _can_be_held(dealt, record.claimed):
        return refuse(Reason.HAND_IMPOSSIBLE, where, seat=record.seat, claimed=claimed)
    return None


def _can_be_held(dealt: Pass, claimed: Category) -> bool:
    """R-32: some own cards that nobody else shows make this category with the community cards."""
    unseen = set(DECK).difference(_known_cards(dealt))
    return any(classify(dealt.community + own) is claimed for own in combinations(unseen, dealt.modality.own_cards))


def _unpaid(ruleset: Ruleset, record: SeatRecord, made: Category | None) -> Unpaid | None:
    """Why an eligible seat wins nothing, or None if it wins."""
    if made is None and not record.claimed:
        return Unpaid.NO_CLAIM
    if (made or record.claimed) not in ruleset.paytable:
        return Unpaid.NO_PRIZE
    return None


IMPOSSIBLE_TOGETHER: dict[tuple[int, int], frozenset[tuple[Category, Category]]] = {
    # (own cards, community cards): pairs, low category first, that no deal can bring at two seats of a pass.
    (5, 0): frozenset(),
    (3, 2): frozenset({(Category.ESCALERA_REAL, Category.ESCALERA_REAL)}),
    (2, 3): frozenset(
        {(Category.POKER, Category.POKER), (Category.ESCALERA_REAL, Category.ESCALERA_REAL)}
        | {
            (min(paired, unpaired), max(paired, unpaired))
            for paired in (Category.FULL, Category.POKER)
            for unpaired in (Category.ESCALERA, Category.COLOR, Category.ESCALERA_COLOR, Category.ESCALERA_REAL)
        }
    ),
}


def _refuse_together(dealt: Pass) -> Refusal | None:
    """R-32: where categories were entered without cards, some of them may still exclude each other."""
    if not any(record.claimed and not record.cards for record in dealt.seats):
        return None
    held = [(at, _category(dealt, record) or record.claimed) for at, record in enumerate(dealt.seats)]
    return _refuse_a_pair(dealt, held) or _refuse_a_crowd(dealt, Counter(category for _, category in held))


def _refuse_a_pair(dealt: Pass, held: list[tuple[int, Category]]) -> Refusal | None:
    impossible = IMPOSSIBLE_TOGETHER.get((dealt.modality.own_cards, dealt.modality.community_cards), frozenset())
    for (_, one), (at, other) in combinations(held, 2):
        if (min(one, other), max(one, other)) in impossible:
            return refuse(
                Reason.HANDS_IMPOSSIBLE_TOGETHER,
                f"seats[{at}].category",
                modality=dealt.modality.name,
                claimed=HAND_NAMES[one],
                other=HAND_NAMES[other],
            )
    return None


def _refuse_a_crowd(dealt: Pass, counts: Counter[Category]) -> Refusal | None:
    """R-32: no community lets more seats hold these hands than one of its layouts does."""
    fixed = {category: count for category, count in counts.items() if category in ANY_HAND}
    layouts = LAYOUTS.get(dealt.modality.own_cards, ())
    if not layouts or any(all(count <= layout.get(c, 0) for c, count in fixed.items()) for layout in layouts):
        return None
    hands = ", ".join(f"{count} {HAND_NAMES[category]}" for category, count in sorted(fixed.items()))
    return refuse(Reason.HANDS_TOO_MANY, "seats", modality=dealt.modality.name, hands=hands)


def refuse_new_claim(awards_paid: Iterable[bool]) -> Refusal | None:
    """R-34: a wrong claim is rejected as a whole and registered anew, until one of its awards has been paid."""
    return refuse(Reason.ALREADY_PAID, "claim") if any(awards_paid) else None
