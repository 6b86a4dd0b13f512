"""Claims: what a pass won, registered as one (R-13 to R-20, R-32, R-34).

Theory. All winners of a pass are one claim. What they are owed leaves the pot at the instant the claim is registered
and is held; so the next claim of any table is paid from what this one left, and play goes on everywhere. What turns out
to be false or missing in it is put right by past/correction.py. The facts of the first reading, a rejection and a late
winner paid by the house, still make of a state what they made then.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import ClaimRegistered, ClaimRejected, LateRegistered, PrizeGranted
from controller.core.inputs import RegisterClaim
from controller.core.lives import CLAIM
from controller.core.state import (
    AwardNow,
    Claim,
    PotNow,
    State,
    Table,
    linked,
    money_of,
    moved,
    plan_of,
    with_claim,
    with_pot,
    with_table,
)
from controller.core.values import (
    TRAINING,
    Documents,
    Flow,
    Hand,
    Hit,
    Levels,
    Phase,
    RegisteredAward,
    SealedBet,
    Unpaid,
)
from controller.rules.cards import CARDS, CATEGORIES, LABELS, Card, Category
from controller.rules.claims import Judgement, Pass, judge
from controller.rules.complementary import is_elsewhere
from controller.rules.eligibility import SeatRecord, WhyUnpaid
from controller.rules.money import NOTHING, Money
from controller.rules.pot import Pot, Sources
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.ruleset import Forfeit
from controller.rules.settlement import Award, settle

LAST_HITS = 25


def register(state: State, table: Table, asked: RegisterClaim) -> tuple[ClaimRegistered] | Refusal:
    """R-34: the hands of the sealed pass, all its winners at once."""
    for claim in claims_of(state, table.name, table.number):
        reason = lives.refused(CLAIM, claim.phase, RegisterClaim)
        if reason is not None:
            return refuse(reason, "table", claim=claim.id)
    if table.phase is not Phase.SEALED:
        return refuse(Reason.NOT_LOCKED, "table")
    pot = state.pots[table.pot]
    played = Played(table.name, pot.documents, table.bets, table.dark)
    judged = judge_hands(played, asked.hands, asked.community)
    if isinstance(judged, Refusal):
        return judged
    unpaid = tuple(Unpaid(one.seat, one.reason.value) for one in judged.not_paid)
    refusal = refuse_without_bet(asked.hands, unpaid, table.bets) or refuse_against_shown(
        table.shown.values(), asked.hands, asked.community
    )
    if refusal is not None:
        return refusal
    plan = plan_of(pot.documents)
    settled = settle(plan.ruleset, money_of(pot), judged.wins, plan.unit)
    awards = _granted(settled.awards, pot.reserves)
    assert len(awards) <= len(table.bets), "R-32: never more winners than valid bets"
    return (
        ClaimRegistered(
            f"{table.name}/{table.number}/{table.attempts + 1}",
            table.name,
            table.number,
            pot.name,
            table.casino,
            asked.community,
            asked.hands,
            levels_of(money_of(pot)),
            awards,
            unpaid,
            levels_of(settled.pot),
            asked.by.person,
            _base_flow(pot, settled.reset),
        ),
    )


def claims_of(state: State, table: str, number: int) -> list[Claim]:
    """The claims of the hands of one pass that the state knows."""
    return [one for one in state.claims.values() if not one.prize and (one.table, one.number) == (table, number)]


class Played(NamedTuple):
    """R-26: a pass as it was played: its table, what was approved then, its valid bets, and the seats whose bet went
    back because of its lamp (R-6)."""

    table: str
    documents: Documents
    bets: tuple[SealedBet, ...]
    dark: tuple[int, ...] = ()


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
    modality = linked(plan)[played.table.removeprefix(TRAINING)].modality
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


def levels_of(pot: Pot) -> Levels:
    assert pot.main >= 0, "R-18: no pot is ever negative"
    return Levels(pot.main, pot.base, {reserve.name: reserve.amount for reserve in pot.reserves})


def _granted(awards: Iterable[Award], reserves: Iterable[str]) -> tuple[RegisteredAward, ...]:
    """R-12, R-13: in paying order, numbered."""
    names = tuple(reserves)
    return tuple(
        RegisteredAward(
            number,
            award.seat,
            LABELS[award.category],
            award.amount,
            _parts(names, award.sources),
            award.sources.house,
            award.rules,
        )
        for number, award in enumerate(awards, 1)
    )


def _parts(reserves: Iterable[str], sources: Sources) -> dict[str, int]:
    named = {"main": sources.main, **dict(zip(reserves, sources.reserves, strict=True))}
    assert min(named.values()) >= 0, "R-18: what is given is not negative"
    return {name: amount for name, amount in named.items() if amount}


def _base_flow(pot: PotNow, reset: Sources | None) -> Flow | None:
    """R-19: the base, from whom."""
    if reset is None:
        return None
    assert reset.main == NOTHING, "R-19: a pot does not fill itself"
    given = {name: -amount for name, amount in _parts(pot.reserves, reset).items()}
    return Flow({"main": reset.total, **given} if reset.total else {}, -reset.house)


def registered(state: State, fact: ClaimRegistered) -> State:
    """R-20: out of the pot and held, at once."""
    table, pot = state.tables[fact.table], state.pots[fact.pot]
    assert levels_of(money_of(pot)) == fact.before, "R-20: the pot as this claim found it"
    earlier = [one.at for one in claims_of(state, fact.table, fact.number)]
    if table.number == fact.number and table.phase is Phase.SEALED:
        attempted = replace(table, attempts=table.attempts + 1)
        if state.reading > 1:  # of the first reading nothing was kept of it
            attempted = replace(attempted, hands=fact.hands, community=fact.community)
        state = with_table(state, attempted)
    pot = replace(pot, main=fact.after.main, reserves=dict(fact.after.reserves))
    if not fact.awards:
        return with_pot(state, pot)
    # the time runs from the first registration of the pass; a rejection in between does not stop it.
    claim = born(fact, fact.awards, min([*earlier, state.clock]))
    pot = hit(pot, fact.claim, fact.awards, state.clock)
    base = 0 if fact.base_back is None else fact.base_back.parts.get("main", 0)
    pot = replace(pot, meters=replace(pot.meters, base_put_in=pot.meters.base_put_in + base))
    return with_claim(with_pot(state, pot), replace(claim, hands=fact.hands))


def born(fact: ClaimRegistered | PrizeGranted, awards: Iterable[RegisteredAward], at: int) -> Claim:
    """R-20, R-29: a claim as it enters the state, all its awards held."""
    entered = (fact.by,) if fact.by else ()
    held = {f"{fact.claim}/{award.number}": AwardNow(award, since=at, entered=entered) for award in awards}
    assert held, "R-34: a claim has winners"
    return Claim(fact.claim, fact.table, fact.casino, fact.pot, fact.number, at, (), held, by=fact.by)


def hit(pot: PotNow, claim: str, awards: Iterable[RegisteredAward], at: int) -> PotNow:
    """The meters of what was won, and the last 25."""
    hits = tuple(Hit(at, f"{claim}/{award.number}", award.prize, award.amount) for award in awards)
    seen = pot.meters
    assert all(one.amount >= 0 for one in hits), "R-18: no award is negative"
    meters = replace(
        seen,
        hits=seen.hits + len(hits),
        wins=seen.wins + sum(one.amount for one in hits),
        last=(*seen.last, *hits)[-LAST_HITS:],
    )
    return replace(pot, meters=meters)


def rejected(state: State, fact: ClaimRejected) -> State:
    """R-21, first reading: the money is back where it came from, and the pass could be claimed anew."""
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    seen = pot.meters
    meters = replace(seen, rejected_hits=seen.rejected_hits + len(claim.awards), rejected=seen.rejected + fact.held)
    state = with_pot(state, moved(replace(pot, meters=meters), fact.flow.parts))
    awards = {name: replace(one, cancelled=True) for name, one in claim.awards.items()}
    return with_claim(state, replace(claim, awards=awards, rejected=True))


def late_registered(state: State, fact: LateRegistered) -> State:
    """R-34, first reading: winners found after a payment, paid by the house."""
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    entered = (fact.by, fact.second)
    late = {f"{fact.claim}/{one.number}": AwardNow(one, since=claim.at, entered=entered) for one in fact.awards}
    state = with_pot(state, hit(pot, fact.claim, fact.awards, state.clock))
    return with_claim(state, replace(claim, hands=fact.hands, awards={**claim.awards, **late}))
