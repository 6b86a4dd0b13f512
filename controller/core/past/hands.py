"""What a croupier entered for a pass, as the rules look at it: cards, categories, acts, and who bet (R-8, R-10, R-32).

Theory. Hands are judged in the same way while the cards lie on the table and a year later: by the documents under which
the pass was played and by its valid bets. This file decides nothing else.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from controller.core.links.placed import is_named, seen_tables
from controller.core.state import State, plan_of
from controller.core.values import TRAINING, Documents, Hand, SealedBet, Unpaid
from controller.rules.cards import CARDS, CATEGORIES, Card, Category
from controller.rules.claims import Judgement, Pass, judge
from controller.rules.complementary import is_elsewhere
from controller.rules.eligibility import SeatRecord, WhyUnpaid
from controller.rules.money import Money
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.ruleset import Forfeit


class Played(NamedTuple):
    """R-26: a pass as it was played: its table, what was approved then, its valid bets, and the seats whose bet went
    back because of its lamp (R-6). `member`: where the pot is a neighbour's, who calls the table so (R-28)."""

    table: str
    documents: Documents
    bets: tuple[SealedBet, ...]
    dark: tuple[int, ...] = ()
    member: str = ""


def member_of(state: State, name: str) -> str:
    """R-28: this node, where a pot, or the one that a pot to train on copies, is a neighbour's, or was till he was
    left: a pass may still be of the plan that was his; nobody, where it is ours."""
    live = state.tables[name.removeprefix(TRAINING)].pot if name.startswith(TRAINING) else name
    pot = state.pots[live]
    assert not (pot.above and pot.left), "R-28: a pot has one owner"
    return state.node if pot.above or pot.left else ""


def judge_hands(played: Played, hands: Iterable[Hand], community: Iterable[str]) -> Judgement | Refusal:
    """R-32: the record of the pass as the rules know it; who bet and is not named made no claim."""
    plan, bet_of = plan_of(played.documents), {bet.seat: bet.amount for bet in played.bets}
    records: list[SeatRecord] = []
    for at, hand in enumerate(hands):
        record = _record(hand, Money(bet_of.get(hand.seat, 0)), f"hands[{at}]")
        if isinstance(record, Refusal):
            return record
        if hand.seat in played.dark and hand.seat not in bet_of:
            record = record._replace(bet=plan.unit, lamp=False)  # how much it was no longer matters
        records.append(record)
    shared = _cards(community, "community")
    if isinstance(shared, Refusal):
        return shared
    named = {record.seat for record in records}
    # Whoever bet and is not named claimed nothing; the law wants every seat of the pass accounted for.
    records += [SeatRecord(seat, Money(amount)) for seat, amount in bet_of.items() if seat not in named]
    is_far = bool(played.member) and is_named(plan, played.member)
    tables = seen_tables(plan, played.member, owns_it=not is_far)
    modality = tables[played.table.removeprefix(TRAINING)].modality
    assert plan.unit > 0, "R-11: a bet unit"
    return judge(plan.ruleset, Pass(modality, plan.unit, shared, tuple(records), cards_from=plan.cards_from))


_NO_BET = {WhyUnpaid.NO_BET.value: "no apostó en este pase", WhyUnpaid.LAMP.value: "apostó, pero su luz no valió (R-6)"}


def refuse_without_bet(hands: Iterable[Hand], unpaid: Iterable[Unpaid], bets: Iterable[SealedBet]) -> Refusal | None:
    """R-32: a category or cards for a seat without a valid bet are nearly always the winner's, typed for his neighbour.
    Taken for a seat that wins nothing they would lose him: so the entry is refused, and who has a bet is named."""
    why = {one.seat: _NO_BET[one.reason] for one in unpaid if one.reason in _NO_BET}
    for at, hand in enumerate(hands):
        if hand.seat in why and (hand.claimed or hand.cards):
            valid = sorted(bet.seat for bet in bets)
            assert hand.seat not in valid, "R-32: the judge saw no valid bet there"
            seats = ", ".join(map(str, valid)) or "ninguna"
            return refuse(Reason.SEAT_DID_NOT_BET, f"hands[{at}]", seat=hand.seat, why=why[hand.seat], seats=seats)
    return None


def cards_of(hands: Iterable[Hand]) -> dict[int, tuple[str, ...]]:
    """R-32: where cards of a pass lie, by what was entered of it."""
    known = {hand.seat: hand.cards for hand in hands if hand.cards}
    assert all(known.values()), "a hand without cards says nothing of them"
    return known


def refuse_against_shown(
    shown: Iterable[tuple[str, int]], hands: Iterable[Hand], shared: Sequence[str]
) -> Refusal | None:
    """R-29, R-32: hands of a pass in which seats won with cards that were drawn."""
    dealt = cards_of(hands)
    for card, seat in shown:
        assert card and seat > 0, "R-29: a seat showed the card that was drawn"
        if is_elsewhere(card, seat, dealt, shared):
            return refuse(Reason.CARD_SHOWN, "hands", card=card, seat=seat)
    return None


def _record(hand: Hand, bet: Money, where: str) -> SeatRecord | Refusal:
    known = {act.value for act in Forfeit}
    for act in hand.acts:
        if act not in known:
            return refuse(Reason.WORD_WRONG, where, word=act, known=", ".join(sorted(known)))
    if hand.claimed and hand.claimed not in CATEGORIES:
        return refuse(Reason.WORD_WRONG, where, word=hand.claimed, known=", ".join(CATEGORIES))
    cards = _cards(hand.cards, where)
    if isinstance(cards, Refusal):
        return cards
    assert bet >= 0, "R-1: no bet is negative"
    claimed = CATEGORIES[hand.claimed] if hand.claimed else Category.NOTHING
    return SeatRecord(hand.seat, bet, True, frozenset(map(Forfeit, hand.acts)), cards or None, claimed)


def _cards(names: Iterable[str], where: str) -> tuple[Card, ...] | Refusal:
    assert where, "a refusal names the place"
    for name in names:
        if name not in CARDS:
            return refuse(Reason.CARD_WRONG, where, card=name)
    return tuple(CARDS[name] for name in names)
