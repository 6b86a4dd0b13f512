"""Which claims cannot be true, and what the true ones are (R-32, R-34).

Theory. The record of a pass says which seats bet, what their players did, and for some of them the cards or
the category the croupier entered. `judge` turns it into the wins to settle and a reason for every other
seat, or refuses the whole record with one reason: what is wrong with one hand makes all of them doubtful,
and all winners of a pass are one claim (R-34). When cards are given they decide; from Poker up, or from where
the plan says, nothing is paid without them (R-36), and a percentage never. What was entered for a seat that does
not take part anyway (R-6, R-8) is not examined, unless its cards contradict it: a folded hand is collected
unseen. "More winners than valid bets" needs no check of its own: a win needs a valid bet, and a seat stands in
the record once.

The order of the checks is the order of `Reason`; each looks at all seats before the next one looks at any.
This file must not know money or pots.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from controller.rules.cards import HAND_NAMES, NAMES, Card, Category, classify
from controller.rules.eligibility import SeatRecord, WhyUnpaid, ineligible
from controller.rules.money import Money
from controller.rules.possible import can_be_dealt
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.ruleset import ACT_NAMES, Forfeit, Modality, Ruleset, Share
from controller.rules.settlement import Win


class Pass(NamedTuple):
    """The record of one pass at one table, as it stands when the hands have been entered; from `cards_from` up a hand
    is entered with its cards."""

    modality: Modality
    unit: Money
    community: tuple[Card, ...]
    seats: tuple[SeatRecord, ...]
    locked: bool = True
    cards_from: Category = Category.POKER


class UnpaidSeat(NamedTuple):
    """A seat that is paid nothing, and why."""

    seat: int
    reason: WhyUnpaid


class _Claim(NamedTuple):
    """A category that was entered for a seat, and what its cards make, if they were given."""

    at: int
    record: SeatRecord
    made: Category | None
    takes_part: bool


class _Case(NamedTuple):
    """What the checks of claims look at."""

    ruleset: Ruleset
    dealt: Pass
    claims: list[_Claim]


class Judgement(NamedTuple):
    """Every seat of the pass is in exactly one of the two; the wins are not in paying order yet."""

    wins: tuple[Win, ...]
    not_paid: tuple[UnpaidSeat, ...]


def judge(ruleset: Ruleset, dealt: Pass) -> Judgement | Refusal:
    """R-32: the wins of a pass, or why its record cannot be true."""
    for check in _RECORD_CHECKS:
        refusal = check(dealt)
        if refusal is not None:
            return refusal
    made = [_category(dealt, record) for record in dealt.seats]
    lost = [ineligible(dealt.modality, record) for record in dealt.seats]
    claims = [_Claim(at, record, made[at], lost[at] is None) for at, record in enumerate(dealt.seats) if record.claimed]
    for examine in _CLAIM_CHECKS if claims else ():
        refusal = examine(_Case(ruleset, dealt, claims))
        if refusal is not None:
            return refusal
    wins: list[Win] = []
    not_paid: list[UnpaidSeat] = []
    for record, category, why in zip(dealt.seats, made, lost, strict=True):
        reason = why or _unpaid(ruleset, record, category)
        if reason is None:
            assert record.bet > 0, "R-32: a win needs a valid bet"
            wins.append(Win(category or record.claimed, record.seat, record.bet))
        else:
            not_paid.append(UnpaidSeat(record.seat, reason))
    assert len(wins) + len(not_paid) == len(dealt.seats), "R-34: every seat of the pass is accounted for"
    return Judgement(tuple(wins), tuple(sorted(not_paid)))


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
    assert len(seen) == len(dealt.seats), "R-7: each seat stands in the record once"
    return None


def _bets_are_whole_units(dealt: Pass) -> Refusal | None:
    """R-1, R-11: a bet is a whole number of bet units."""
    assert dealt.unit > 0, "R-11: a bet unit"
    for at, record in enumerate(dealt.seats):
        if record.bet % dealt.unit:
            return refuse(Reason.BET_NOT_WHOLE_UNITS, f"seats[{at}].bet", bet=record.bet, unit=dealt.unit)
    return None


def _acts_are_the_games(dealt: Pass) -> Refusal | None:
    """R-8: an act that the game does not have is refused, not ignored; it was another seat, or another table."""
    modality = dealt.modality
    for at, record in enumerate(dealt.seats):
        for act in sorted(record.acts - modality.acts):
            known = ", ".join(ACT_NAMES[one] for one in Forfeit if one in modality.acts) or "nada"
            words = {"seat": record.seat, "act": ACT_NAMES[act], "known": known}
            return refuse(Reason.ACT_NOT_IN_GAME, f"seats[{at}].{act}", modality=modality.name, **words)
    return None


def _cards_are_complete(dealt: Pass) -> Refusal | None:
    """R-8: the community cards of the modality, and either all own cards of a seat or none."""
    modality = dealt.modality
    given, wanted = len(dealt.community), modality.community_cards
    if given != wanted and (given or any(record.cards for record in dealt.seats)):
        return refuse(Reason.COMMUNITY_COUNT, "community", modality=modality.name, wanted=wanted, given=given)
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


def _shown_cards(dealt: Pass) -> list[Card]:
    """The own cards that were given, of all seats."""
    cards: list[Card] = []
    for record in dealt.seats:
        if record.cards:
            cards += record.cards
    return cards


def _no_card_twice(dealt: Pass) -> Refusal | None:
    """R-32: a card is in one place of a pass only, community cards aside."""
    cards = [*dealt.community, *_shown_cards(dealt)]
    if len(set(cards)) == len(cards):
        return None
    places = list(_places(dealt))
    assert len(places) == len(cards), "each card of the pass has its place"
    where, card = next(place for at, place in enumerate(places) if place[1] in {card for _, card in places[:at]})
    return refuse(Reason.CARD_TWICE, where, card=NAMES[card])


def _is_locked(dealt: Pass) -> Refusal | None:
    """R-5, R-32: nobody wins before "no más apuestas"."""
    return None if dealt.locked else refuse(Reason.NOT_LOCKED, "locked")


_RECORD_CHECKS: tuple[Callable[[Pass], Refusal | None], ...] = (
    _seats_exist,
    _one_hand_a_seat,
    _bets_are_whole_units,
    _acts_are_the_games,
    _cards_are_complete,
    _no_card_twice,
    _is_locked,
)


def _category(dealt: Pass, record: SeatRecord) -> Category | None:
    """R-10: what the cards of a seat make; None where no cards were given."""
    return classify(dealt.community + record.cards) if record.cards else None


def _claims_are_what_the_cards_make(case: _Case) -> Refusal | None:
    """R-10, R-32: when cards are given they decide."""
    for at, record, made, _ in case.claims:
        assert record.claimed, "a claim names a category"
        if made is not None and made is not record.claimed:
            words = {"seat": record.seat, "claimed": HAND_NAMES[record.claimed], "made": HAND_NAMES[made]}
            return refuse(Reason.HAND_IS_NOT_THAT, f"seats[{at}].category", **words)
    return None


def _claims_are_in_the_paytable(case: _Case) -> Refusal | None:
    """R-11: only what this law pays can be claimed."""
    assert case.ruleset.paytable, "R-11: a law pays something"
    for at, record, _, takes_part in case.claims:
        if takes_part and record.claimed not in case.ruleset.paytable:
            return refuse(Reason.NOT_IN_PAYTABLE, f"seats[{at}].category", claimed=HAND_NAMES[record.claimed])
    return None


def _great_hands_have_their_cards(case: _Case) -> Refusal | None:
    """R-32, R-36: from Poker up, or from where the plan says, nothing is paid on a word; a percentage never."""
    for at, record, made, takes_part in case.claims:
        assert not takes_part or record.claimed in case.ruleset.paytable, "R-11: asked before"
        if not takes_part or made is not None:
            continue
        if record.claimed >= case.dealt.cards_from or isinstance(case.ruleset.paytable[record.claimed], Share):
            words = {"seat": record.seat, "claimed": HAND_NAMES[record.claimed]}
            return refuse(Reason.CARDS_REQUIRED, f"seats[{at}].category", **words)
    return None


def _unseen_hands_can_be_dealt(case: _Case) -> Refusal | None:
    """R-32: hands whose cards were not given must be possible, each alone and all together."""
    dealt = case.dealt
    unseen = [claim for claim in case.claims if claim.takes_part and claim.made is None]
    shown = _shown_cards(dealt)
    own, paytable = dealt.modality.own_cards, case.ruleset.paytable
    for claim in unseen:
        assert not isinstance(paytable[claim.record.claimed], Share), "R-32: asked before"
        if not can_be_dealt(own, dealt.community, shown, [claim.record.claimed]):
            words = {"seat": claim.record.seat, "claimed": HAND_NAMES[claim.record.claimed]}
            return refuse(Reason.HAND_IMPOSSIBLE, f"seats[{claim.at}].category", **words)
    if can_be_dealt(own, dealt.community, shown, [claim.record.claimed for claim in unseen]):
        return None
    counts = sorted(Counter(claim.record.claimed for claim in unseen).items())
    assert len(unseen) > 1, "R-32: each of them alone is possible"
    hands = ", ".join(f"{count} {HAND_NAMES[category]}" for category, count in counts)
    return refuse(Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats", modality=dealt.modality.name, hands=hands)


_CLAIM_CHECKS: tuple[Callable[[_Case], Refusal | None], ...] = (
    _claims_are_what_the_cards_make,
    _claims_are_in_the_paytable,
    _great_hands_have_their_cards,
    _unseen_hands_can_be_dealt,
)


def _unpaid(ruleset: Ruleset, record: SeatRecord, made: Category | None) -> WhyUnpaid | None:
    """Why an eligible seat wins nothing, or None if it wins."""
    assert made is None or record.claimed in (Category.NOTHING, made), "R-32: when cards are given they decide"
    if made is None and not record.claimed:
        return WhyUnpaid.NO_CLAIM
    if (made or record.claimed) not in ruleset.paytable:
        return WhyUnpaid.NO_PRIZE
    return None
