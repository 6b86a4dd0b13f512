"""Claims: what a pass won, registered as one (R-13 to R-20, R-32, R-34).

Theory. All winners of a pass are one claim. What they are owed leaves the pot at the instant the claim is registered
and is held; so the next claim of any table is paid from what this one left, and play goes on everywhere. What turns out
to be false or missing in it is put right by past/correction.py. The facts of the first reading, a rejection and a late
winner paid by the house, still make of a state what they made then.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import ClaimAsked, ClaimRegistered, ClaimRejected, LateRegistered, PrizeGranted
from controller.core.inputs import RegisterClaim
from controller.core.links.names import is_away
from controller.core.lives import CLAIM
from controller.core.past.hands import Played, judge_hands, member_of, refuse_against_shown, refuse_without_bet
from controller.core.state import (
    SECOND_READING,
    AwardNow,
    Claim,
    PotNow,
    State,
    Table,
    claims_of,
    levels_of,
    money_of,
    moved,
    plan_of,
    with_claim,
    with_pot,
    with_table,
)
from controller.core.values import (
    Flow,
    Hand,
    Hit,
    Phase,
    RegisteredAward,
    Unpaid,
)
from controller.rules.cards import LABELS
from controller.rules.money import NOTHING
from controller.rules.pot import Sources
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.settlement import Award, Win, settle

LAST_HITS = 25


class Looked(NamedTuple):
    """R-32: the hands of a pass, judged: who won, and why the others are paid nothing."""

    wins: tuple[Win, ...]
    unpaid: tuple[Unpaid, ...]


class Entered(NamedTuple):
    """R-34: what was entered for a pass, wherever its table is."""

    claim: str
    table: str
    number: int
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    by: str


def look(state: State, table: Table, asked: RegisterClaim) -> Looked | Refusal:
    """R-32, R-34: the hands of the sealed pass, if they can be and none were entered before."""
    standing = claims_of(state, table.name, table.number)
    if standing:
        reason = lives.refused(CLAIM, standing[-1].phase, RegisterClaim)
        assert reason is not None, "R-34: after a rejection the place of the first claim is asked of the record"
        return refuse(reason, "table", claim=standing[-1].id)
    if table.phase is not Phase.SEALED:
        return refuse(Reason.NOT_LOCKED, "table")
    assert table.number > 0, "R-5: a sealed pass has a number"
    documents = state.pots[table.pot].documents
    played = Played(table.name, documents, table.bets, table.dark, member_of(state, table.pot))
    judged = judge_hands(played, asked.hands, asked.community)
    if isinstance(judged, Refusal):
        return judged
    unpaid = tuple(Unpaid(one.seat, one.reason.value) for one in judged.not_paid)
    refusal = refuse_without_bet(asked.hands, unpaid, table.bets) or refuse_against_shown(
        table.shown.values(), asked.hands, asked.community
    )
    return refusal or Looked(judged.wins, unpaid)


def entered(table: Table, asked: RegisterClaim) -> Entered:
    """R-34: a claim is named after its pass, and numbered in it."""
    claim = f"{table.name}/{table.number}/{table.attempts + 1}"
    assert table.number > 0, "R-5: of a pass"
    return Entered(claim, table.name, table.number, table.casino, asked.community, asked.hands, asked.by.person)


def register(state: State, table: Table, asked: RegisterClaim) -> tuple[ClaimRegistered] | Refusal:
    """R-34: the hands of the sealed pass, all its winners at once."""
    looked = look(state, table, asked)
    if isinstance(looked, Refusal):
        return looked
    assert len(looked.wins) <= len(table.bets), "R-32: never more winners than valid bets"
    return (settled(state.pots[table.pot], entered(table, asked), looked),)


def settled(pot: PotNow, of: Entered, looked: Looked) -> ClaimRegistered:
    """R-15 to R-20: what the winners are owed, on the pot as it is now."""
    plan = plan_of(pot.documents)
    paid = settle(plan.ruleset, money_of(pot), looked.wins, plan.unit)
    assert not pot.above, "R-28: the owner of a pot settles"
    return ClaimRegistered(
        of.claim,
        of.table,
        of.number,
        pot.name,
        of.casino,
        of.community,
        of.hands,
        levels_of(money_of(pot)),
        granted_of(paid.awards, pot.reserves),
        looked.unpaid,
        levels_of(paid.pot),
        of.by,
        _base_flow(pot, paid.reset),
    )


def granted_of(awards: Iterable[Award], reserves: Iterable[str]) -> tuple[RegisteredAward, ...]:
    """R-12, R-13: in paying order, numbered."""
    names = tuple(reserves)
    assert len(set(names)) == len(names), "R-24: each reserve once"
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
    pot = state.pots[fact.pot]
    assert levels_of(money_of(pot)) == fact.before, "R-20: the pot as this claim found it"
    earlier = [one.at for one in claims_of(state, fact.table, fact.number)]
    state = _noted_at_table(state, fact)
    pot = replace(pot, main=fact.after.main, reserves=dict(fact.after.reserves))
    if not fact.awards:
        return with_pot(state, pot)
    # the time runs from the first registration of the pass; a rejection in between does not stop it.
    claim = born(fact, fact.awards, min([*earlier, state.clock]))
    pot = hit(pot, fact.claim, fact.awards, state.clock)
    base = 0 if fact.base_back is None else fact.base_back.parts.get("main", 0)
    pot = replace(pot, meters=replace(pot.meters, base_put_in=pot.meters.base_put_in + base))
    return with_claim(with_pot(state, pot), replace(claim, hands=fact.hands, community=fact.community))


def _noted_at_table(state: State, fact: ClaimRegistered | ClaimAsked) -> State:
    """R-32: where the cards of the pass lie, while they do; a neighbour's table keeps that itself."""
    table = state.tables.get(fact.table)
    if table is None or (table.number, table.phase) != (fact.number, Phase.SEALED):
        assert table is not None or is_away(fact.table), "R-9: a table of this node, or of a neighbour"
        return state
    attempted = replace(table, attempts=table.attempts + 1)
    if state.reading >= SECOND_READING:  # of the first reading nothing was kept of it
        attempted = replace(attempted, hands=fact.hands, community=fact.community)
    return with_table(state, attempted)


def asked(state: State, fact: ClaimAsked) -> State:
    """R-20, R-28: what is certain is held at once; a percentage waits for the owner of the pot."""
    state = _noted_at_table(state, fact)
    assert fact.claim not in state.undecided, "R-20: asked once"
    state = replace(state, undecided=(*state.undecided, fact.claim))
    assert state.pots[fact.pot].above == fact.above, "R-28: of a pot that this neighbour owns"
    if not fact.awards:
        return state
    claim = born(fact, fact.awards, state.clock)
    table = state.tables.get(fact.table) or state.away[fact.table]
    bets = {bet.seat: bet.amount for bet in table.bets}
    awards = {
        name: replace(one, waits=one.granted.number in fact.waiting, bet=bets.get(one.granted.seat, 0))
        for name, one in claim.awards.items()
    }
    return with_claim(state, replace(claim, hands=fact.hands, community=fact.community, awards=awards))


def born(fact: ClaimRegistered | ClaimAsked | PrizeGranted, awards: Iterable[RegisteredAward], at: int) -> Claim:
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
    """R-21, first reading: the money is back where it came from, and the pass could be claimed anew. R-28: of what the
    owner of a pot left with this house, what was paid stays paid."""
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    assert not claim.rejected, "R-21: once"
    paid = any(one.paid for one in claim.awards.values())
    assert claim.left or not paid, "R-34, first reading: nothing of it was paid"
    seen = pot.meters
    gone = [one for one in claim.awards.values() if not one.paid]
    assert fact.held >= 0, "R-18: no award is negative"
    meters = replace(seen, rejected_hits=seen.rejected_hits + len(gone), rejected=seen.rejected + fact.held)
    state = with_pot(state, moved(replace(pot, meters=meters), fact.flow.parts))
    awards = {name: replace(one, cancelled=not one.paid) for name, one in claim.awards.items()}
    return with_claim(state, replace(claim, awards=awards, rejected=True))


def late_registered(state: State, fact: LateRegistered) -> State:
    """R-34, first reading: winners found after a payment, paid by the house."""
    claim, pot = state.claims[fact.claim], state.pots[fact.pot]
    entered = (fact.by, fact.second)
    assert fact.by != fact.second, "R-26: two different persons"
    late = {f"{fact.claim}/{one.number}": AwardNow(one, since=claim.at, entered=entered) for one in fact.awards}
    state = with_pot(state, hit(pot, fact.claim, fact.awards, state.clock))
    return with_claim(state, replace(claim, hands=fact.hands, awards={**claim.awards, **late}))
