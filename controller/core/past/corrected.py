"""What a correction makes of the state: the claims as they are now, and the pot where it belongs (R-20, R-34, R-36).

Theory. Everything stands in the fact. A claim that had left the state with its day comes back with what it is newly
owed; what was false and not paid is cancelled; the pot moves by the fact's flow, so that it stands as if all had been
right at once.
"""

from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from controller.core.claims import hit
from controller.core.facts import ClaimCorrected
from controller.core.links.awaited import answered
from controller.core.links.names import AT, is_away
from controller.core.past.claims import is_prize, winners_of
from controller.core.state import AwardNow, Claim, State, moved, plan_of, with_claim, with_pot, with_table
from controller.core.values import Phase, RegisteredAward
from controller.rules.prizes import PaidIn


def corrected(state: State, fact: ClaimCorrected) -> State:
    """R-34: the claims as they are now, and the pot where it belongs."""
    state = _cards_after(state, fact)
    for name in fact.cancelled:
        claim = state.claims[_of(name)]
        awards = {**claim.awards, name: replace(claim.awards[name], cancelled=True)}
        state = with_claim(state, replace(claim, awards=awards, rejected=claim.prize or claim.rejected))
    entered = tuple(filter(None, (fact.by, fact.second)))
    new = partial(AwardNow, since=fact.since, entered=entered)
    signed = partial(new, confirmed=fact.by, second=fact.second) if fact.confirmed else new
    state = _own_claim(state, fact, signed) if fact.claim else state  # else of a pass of another node
    for one in fact.resettled:
        of = Claim(one.claim, one.table, one.casino, fact.pot, one.number, one.since or state.clock, (), {})
        claim = state.claims.get(one.claim, of)
        # two persons of a casino confirm what their own tables won, and nothing of another one's.
        mine = signed if one.table.partition(AT)[2] == fact.table.partition(AT)[2] else new
        state = with_claim(state, _with_awards(claim, one.awards, partial(mine, since=one.since)))
    for name, seat, overflow in fact.overflows:
        state = _overflowing(state, name, seat, overflow)
    state = _pot_after(state, fact)
    return answered(state, fact.table, fact.wanted) if fact.wanted else state


def _overflowing(state: State, name: str, seat: int, overflow: int) -> State:
    """R-24, R-25: of a bet that is still sealed, for the day it is taken back."""
    assert overflow >= 0, "R-24: what passed the ceiling"
    if is_away(name):
        known = state.away[name]
        bets = tuple(replace(bet, overflow=overflow) if bet.seat == seat else bet for bet in known.bets)
        return replace(state, away={**state.away, name: replace(known, bets=bets)})
    table = state.tables[name]
    bets = tuple(replace(bet, overflow=overflow) if bet.seat == seat else bet for bet in table.bets)
    return with_table(state, replace(table, bets=bets))


def _cards_after(state: State, fact: ClaimCorrected) -> State:
    """R-29, R-32: where the cards of a pass that is still sealed lie. A card that was not its seat's waits again."""
    table = state.tables.get(fact.table)
    if table is None or (table.number, table.phase) != (fact.number, Phase.SEALED):
        return state
    if not is_prize(fact.claim):
        table = replace(table, hands=fact.hands, community=fact.community)
    gone = {state.claims[claim].awards[name].granted.prize for name in fact.cancelled if is_prize(claim := _of(name))}
    waiting = {} if fact.void else {name: card for name, (card, _) in table.shown.items() if name in gone}
    shown = {name: one for name, one in table.shown.items() if name not in gone}
    cards = {**table.cards, **waiting}
    for award in fact.awards if is_prize(fact.claim) else ():
        if award.prize in cards:
            shown[award.prize] = (cards.pop(award.prize), award.seat)
    return with_table(state, replace(table, cards=cards, shown=shown))


def _of(award: str) -> str:
    claim, _, number = award.rpartition("/")
    assert number.isdecimal(), "R-13: awards are numbered"
    return claim


def _own_claim(state: State, fact: ClaimCorrected, new: Callable[[RegisteredAward], AwardNow]) -> State:
    of = Claim(
        fact.claim, fact.table, fact.casino, fact.pot, fact.number, fact.since or state.clock, (), {}, by=fact.by
    )
    if fact.claim not in state.claims and not fact.awards:
        return state  # of a pass that left the state with its day, and nothing of it is owed
    claim = _with_awards(state.claims.get(fact.claim, of), fact.awards, new)
    if is_prize(fact.claim):
        granted = bool(fact.awards) or any(loss.amount < 0 for loss in fact.lost)
        return with_claim(state, replace(claim, prize=True, paid_in=_paid_in(state, fact), rejected=not granted))
    return with_claim(state, replace(claim, hands=fact.hands, community=fact.community, rejected=not winners_of(fact)))


def _paid_in(state: State, fact: ClaimCorrected) -> str:
    """R-29: as it was granted; one that comes back after its day as the pot's plan says now, and promotional where it
    moves no money."""
    known = state.claims.get(fact.claim)
    if known is not None:
        return known.paid_in
    if not sum(fact.flow.parts.values()) + fact.flow.house + fact.held:
        return PaidIn.PROMOTIONAL_CREDITS
    prizes = plan_of(state.pots[fact.pot].documents).prizes
    return next((prize.paid_in.value for prize in prizes if prize.name == fact.awards[0].prize), "")


def _with_awards(claim: Claim, awards: Iterable[RegisteredAward], new: Callable[[RegisteredAward], AwardNow]) -> Claim:
    added = {f"{claim.id}/{award.number}": new(award) for award in awards}
    assert not added.keys() & claim.awards.keys(), "R-13: each award has a number of its own"
    return replace(claim, awards={**claim.awards, **added})


def _pot_after(state: State, fact: ClaimCorrected) -> State:
    pot = state.pots[fact.pot]
    own = {fact.claim: fact.awards, **{one.claim: one.awards for one in fact.resettled}}
    for claim, awards in own.items():
        if awards and not state.claims[claim].promo:
            pot = hit(pot, claim, awards, state.clock)
    of = {name: state.claims[_of(name)] for name in fact.cancelled}
    cancelled = [claim.awards[name].granted.amount for name, claim in of.items() if not claim.promo]
    seen = pot.meters
    meters = replace(seen, rejected_hits=seen.rejected_hits + len(cancelled), rejected=seen.rejected + sum(cancelled))
    return with_pot(state, moved(replace(pot, meters=meters), fact.flow.parts))
