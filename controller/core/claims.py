"""Claims: what a pass won, registered as one, rejected as one, completed by the house (R-13 to R-21, R-32, R-34).

Theory. All winners of a pass are one claim. What they are owed leaves the pot at the instant the claim is registered
and is held; so the next claim of any table is paid from what this one left, and play goes on everywhere. A claim
keeps the pot as it was, so that a rejection undoes exactly this, and so that winners found after a payment are owed
what they would have been paid then.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import ClaimRegistered, ClaimRejected, LateRegistered, PrizeGranted
from controller.core.inputs import RegisterClaim, RegisterLate, RejectClaim
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
    parts_between,
    plan_of,
    with_claim,
    with_pot,
    with_table,
)
from controller.core.values import (
    TRAINING,
    ClaimPhase,
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
from controller.rules.eligibility import SeatRecord
from controller.rules.money import NOTHING, Money
from controller.rules.pot import Pot, Reserve, Sources
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.reversal import reject as undo
from controller.rules.ruleset import Forfeit
from controller.rules.settlement import Award, Settlement, late_awards, settle

LAST_HITS = 25


def register(state: State, table: Table, asked: RegisterClaim) -> tuple[ClaimRegistered] | Refusal:
    """R-34: the hands of a sealed pass, or, after a rejection, of an earlier one."""
    earlier = [claim for claim in state.claims.values() if not claim.prize and claim.table == table.name]
    number = asked.number or table.number
    same = [claim for claim in earlier if claim.number == number]
    for claim in same:
        reason = lives.refused(CLAIM, claim.phase, RegisterClaim)
        if reason is not None:
            return refuse(reason, "table", claim=claim.id)
    # A rejected pass is claimed anew also when the table has played on, under the documents it was played with.
    if number == table.number and table.phase is Phase.SEALED:
        pot, casino, attempt = state.pots[table.pot], table.casino, table.attempts + 1
        played = Played(table.name, pot.documents, table.bets)
    elif same:
        pot, casino, attempt = state.pots[same[-1].pot], same[-1].casino, int(same[-1].id.rsplit("/", 1)[1]) + 1
        played = Played(table.name, same[-1].documents, same[-1].bets)
    else:
        return refuse(Reason.NOT_LOCKED, "table")
    judged = _judge(played, asked.hands, asked.community)
    if isinstance(judged, Refusal):
        return judged
    plan = plan_of(played.documents)
    settled = settle(plan.ruleset, money_of(pot), judged.wins, plan.unit)
    awards = _granted(settled.awards, pot.reserves, 1)
    if not awards and number != table.number:
        return refuse(Reason.NOTHING_THERE, "hands", what="premios que registrar en un pase que ya terminó")
    assert len(awards) <= len(played.bets), "R-32: never more winners than valid bets"
    return (
        ClaimRegistered(
            f"{table.name}/{number}/{attempt}",
            table.name,
            number,
            pot.name,
            casino,
            asked.community,
            asked.hands,
            levels_of(money_of(pot)),
            awards,
            tuple(Unpaid(one.seat, one.reason.value) for one in judged.not_paid),
            levels_of(settled.pot),
            asked.by.person,
            _base_flow(pot, settled.reset),
        ),
    )


class Played(NamedTuple):
    """R-26: a pass as it was played: its table, what was approved then, its valid bets."""

    table: str
    documents: Documents
    bets: tuple[SealedBet, ...]


def _judge(played: Played, hands: Iterable[Hand], community: Iterable[str]) -> Judgement | Refusal:
    """R-32: the record of the pass as the rules know it; who bet and is not named made no claim."""
    bet_of = {bet.seat: bet.amount for bet in played.bets}
    records: list[SeatRecord] = []
    for at, hand in enumerate(hands):
        record = _record(hand, Money(bet_of.get(hand.seat, 0)), f"hands[{at}]")
        if isinstance(record, Refusal):
            return record
        records.append(record)
    shared = _cards(community, "community")
    if isinstance(shared, Refusal):
        return shared
    named = {record.seat for record in records}
    # Whoever bet and is not named claimed nothing; the law wants every seat of the pass accounted for.
    records += [SeatRecord(seat, Money(amount)) for seat, amount in bet_of.items() if seat not in named]
    plan = plan_of(played.documents)
    modality = linked(plan)[played.table.removeprefix(TRAINING)].modality
    assert plan.unit > 0, "R-11: a bet unit"
    return judge(plan.ruleset, Pass(modality, plan.unit, shared, tuple(records), cards_from=plan.cards_from))


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


def _granted(awards: Iterable[Award], reserves: Iterable[str], first: int) -> tuple[RegisteredAward, ...]:
    """R-12, R-13: in paying order, numbered."""
    assert first > 0, "awards are numbered from 1"
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
        for number, award in enumerate(awards, first)
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


def reject(state: State, claim: Claim, asked: RejectClaim) -> tuple[ClaimRejected] | Refusal:
    """R-21: as a whole, exactly; by two persons."""
    reason = lives.refused(CLAIM, claim.phase, RejectClaim)
    if reason is not None:
        return refuse(reason, "claim", claim=claim.id)
    pot = state.pots[claim.pot]
    # No plan takes effect while an award is pending, so the pot still has the rules that settled this claim.
    plan, before = plan_of(pot.documents), money_of(pot)
    undone = undo(plan.ruleset.readings, before, _settlement(claim, pot), plan.ceiling, any_award_paid=False)
    assert not isinstance(undone, Refusal), "R-34: nothing of it was paid"
    held = sum(one.granted.amount for one in claim.awards.values())
    flow = Flow(parts_between(before, undone.pot), undone.house_back)
    assert held == sum(flow.parts.values()) + flow.house, "R-21: exactly what was held"
    by, second = asked.by.person, asked.second.person
    return (ClaimRejected(claim.id, claim.pot, claim.casino, held, flow, asked.reason, by, second, undone.overflow),)


def _settlement(claim: Claim, pot: PotNow) -> Settlement:
    """The claim as the rules settled it, source by source."""
    awards = tuple(
        Award(
            held.granted.seat,
            CATEGORIES.get(held.granted.prize, Category.NOTHING),
            Money(held.granted.amount),
            _sources(pot, held.granted.parts, held.granted.house),
            held.granted.rules,
        )
        for held in claim.awards.values()
    )
    reset = None
    if claim.base_back is not None:
        given = {name: -amount for name, amount in claim.base_back.items() if name != "main"}
        reset = _sources(pot, given, claim.base_house)
    assert awards, "R-34: a claim has winners"
    return Settlement(awards, reset, _pot_of(claim.after))


def _sources(pot: PotNow, parts: dict[str, int], house: int) -> Sources:
    assert set(parts) <= {"main", *pot.reserves}, "R-24: parts of this pot"
    reserves = tuple(Money(parts.get(name, 0)) for name in pot.reserves)
    return Sources(Money(parts.get("main", 0)), reserves, Money(house))


def _pot_of(levels: Levels) -> Pot:
    assert levels.main >= 0, "R-18: no pot is ever negative"
    reserves = tuple(Reserve(name, Money(amount)) for name, amount in levels.reserves.items())
    return Pot(Money(levels.main), Money(levels.base), reserves)


def register_late(_state: State, claim: Claim, asked: RegisterLate) -> tuple[LateRegistered] | Refusal:
    """R-34: the whole claim again, with those who were missing; the house owes them what they would have been paid."""
    reason = lives.refused(CLAIM, claim.phase, RegisterLate)
    if reason is not None:
        return refuse(reason, "claim", claim=claim.id)
    judged = _judge(Played(claim.table, claim.documents, claim.bets), asked.hands, asked.community)
    if isinstance(judged, Refusal):
        return judged
    # The whole claim is entered again, so that nobody is left out by a slip; who was registered must be among them.
    known = {(held.granted.seat, held.granted.prize) for held in claim.awards.values()}
    if not known <= {(win.seat, LABELS[win.category]) for win in judged.wins}:
        return refuse(Reason.WINNERS_DIFFER, "hands", claim=claim.id)
    if len(judged.wins) == len(known):
        return refuse(Reason.NO_LATE_WINNER, "hands", claim=claim.id)
    plan = plan_of(claim.documents)
    seats = [seat for seat, _ in known]
    approvers = [asked.by.person, asked.second.person]
    late = late_awards(plan.ruleset, _pot_of(claim.before), judged.wins, seats, plan.unit, approvers)
    assert not isinstance(late, Refusal), "R-34: two persons signed"
    awards = _granted(late, claim.before.reserves, len(claim.awards) + 1)
    assert all(award.house == award.amount for award in awards), "R-34: from the house"
    return (LateRegistered(claim.id, claim.pot, claim.casino, asked.community, asked.hands, awards, *approvers),)


def registered(state: State, fact: ClaimRegistered) -> State:
    """R-20: out of the pot and held, at once."""
    table, pot = state.tables[fact.table], state.pots[fact.pot]
    assert levels_of(money_of(pot)) == fact.before, "R-20: the pot as this claim found it"
    documents, bets = pot.documents, table.bets
    if table.number == fact.number and table.phase is Phase.SEALED:
        state = with_table(state, replace(table, attempts=table.attempts + 1))
    else:
        again = [one for one in state.claims.values() if (one.table, one.number) == (fact.table, fact.number)]
        last = [one for one in again if not one.prize][-1]
        documents, bets = last.documents, last.bets
    pot = replace(pot, main=fact.after.main, reserves=dict(fact.after.reserves))
    if not fact.awards:
        return with_pot(state, pot)
    back = fact.base_back
    claim = born(fact, Played(fact.table, documents, bets), (fact.before, fact.after), fact.awards, state.clock)
    if back is not None:
        claim = replace(claim, base_back=back.parts, base_house=-back.house)
    claim = replace(claim, hands=fact.hands)
    pot = hit(pot, fact.claim, fact.awards, state.clock)
    base = 0 if back is None else back.parts.get("main", 0)
    pot = replace(pot, meters=replace(pot.meters, base_put_in=pot.meters.base_put_in + base))
    return with_claim(with_pot(state, pot), claim)


def born(
    fact: ClaimRegistered | PrizeGranted,
    played: Played,
    levels: tuple[Levels, Levels],
    awards: Iterable[RegisteredAward],
    at: int,
) -> Claim:
    """R-20, R-29: a claim as it enters the state, all its awards held."""
    before, after = levels
    held = {f"{fact.claim}/{award.number}": AwardNow(award) for award in awards}
    assert held, "R-34: a claim has winners"
    return Claim(
        id=fact.claim,
        table=fact.table,
        casino=fact.casino,
        pot=fact.pot,
        number=fact.number,
        at=at,
        before=before,
        after=after,
        documents=played.documents,
        bets=played.bets,
        hands=(),
        awards=held,
    )


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
    """R-21: the money is back where it came from, and the pass may be claimed anew."""
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    assert lives.after(CLAIM, claim.phase, RejectClaim) is ClaimPhase.REJECTED, "R-34: nothing of it was paid"
    seen = pot.meters
    meters = replace(seen, rejected_hits=seen.rejected_hits + len(claim.awards), rejected=seen.rejected + fact.held)
    state = with_pot(state, moved(replace(pot, meters=meters), fact.flow.parts))
    return with_claim(state, replace(claim, rejected=True))


def late_registered(state: State, fact: LateRegistered) -> State:
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    assert lives.after(CLAIM, claim.phase, RegisterLate) is claim.phase, "R-34: after a payment"
    late = {f"{fact.claim}/{award.number}": AwardNow(award) for award in fact.awards}
    state = with_pot(state, hit(pot, fact.claim, fact.awards, state.clock))
    return with_claim(state, replace(claim, hands=fact.hands, awards={**claim.awards, **late}))
