"""Advances on a percentage that waits for the owner of its pot, from the house of the casino (R-18, R-20, R-28).

Theory. Cut off, nobody at the table knows what a percentage will be. By the rules it would be so much if the pot still
were what its owner said last, less the claims of this node that wait before it; of that the plan lets two persons hand
out a part (`advance_percent`). Nothing of it is the pot's: the house puts it in, and has it back when the award is
paid, as far as the award goes. What the award turns out not to be, because others were first or the hand was false, the
house has lost, as what was paid for nothing.

An advance is in the player's hand, not on an award: whatever his seat is paid of that pass gives it back first, also
where a correction granted it anew.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.facts import AdvanceHeard, AwardAdvanced, AwardPaid
from controller.core.links.bets import Unbelieved
from controller.core.links.letters import AdvanceGiven
from controller.core.links.names import here
from controller.core.state import AwardNow, Claim, State, claims_of, money_of, plan_of, with_claim
from controller.rules.cards import CATEGORIES
from controller.rules.money import MOST_MONEY, Money
from controller.rules.plan import Plan
from controller.rules.settlement import Win, settle


class Bound(NamedTuple):
    """What an award would be by the owner's last word, and how much of it may still be advanced."""

    whole: int
    left: int


def bound(state: State, claim: Claim, award: str) -> Bound:
    """R-15 to R-20: as if its owner decided now on the pot of which he told last."""
    one, plan = claim.awards[award], plan_of(state.pots[claim.pot].documents)
    whole = _would_be(state, claim, plan)[one.granted.seat]
    assert whole >= 0, "R-18: no award is negative"
    return Bound(whole, max(0, whole * plan.advance_percent // 100 - one.advanced))


def _would_be(state: State, claim: Claim, plan: Plan) -> dict[int, int]:
    """R-20: by seat; the claims that were asked before it are settled first."""
    money, owed = money_of(state.pots[claim.pot]), {}
    for one in _asked_until(state, claim):
        settled = settle(plan.ruleset, money, wins_of(one, plan), plan.unit)
        money, owed = settled.pot, {award.seat: int(award.amount) for award in settled.awards}
    assert owed, "R-20: what waits was asked and is not decided"
    return owed


def _asked_until(state: State, claim: Claim) -> Iterator[Claim]:
    """Those of its pot that wait, and it the last."""
    waiting = [state.claims[name] for name in state.undecided if name in state.claims]
    assert claim.id in state.undecided, "R-20: it waits for the owner"
    for one in waiting[: waiting.index(claim) + 1]:
        if one.pot == claim.pot:
            yield one


def wins_of(claim: Claim, plan: Plan) -> list[Win]:
    """Whom its hands made winners. A state that an older program left has no bets: then they were the least."""
    wins = [
        Win(CATEGORIES[one.granted.prize], one.granted.seat, Money(one.bet or plan.limits.least))
        for one in claim.awards.values()
    ]
    assert wins, "R-34: a claim has winners"
    return wins


def open_at(state: State, claim: Claim, seat: int) -> int:
    """What the player of a seat was advanced of this pass, and no payment has given back yet."""
    assert seat > 0, "R-7: seats are numbered from 1"
    return sum(one.advanced for _, _, one in _of_seat(state, claim, seat))


def _of_seat(state: State, claim: Claim, seat: int) -> Iterator[tuple[Claim, str, AwardNow]]:
    for of in claims_of(state, claim.table, claim.number):
        for name, one in of.awards.items():
            if one.granted.seat == seat:
                yield of, name, one


def advanced(state: State, fact: AwardAdvanced | AdvanceHeard) -> State:
    """The winner has so much more of it."""
    claim = state.claims[fact.award.rpartition("/")[0]]
    one = claim.awards[fact.award]
    assert fact.amount > 0, "something is advanced"
    one = replace(one, advanced=one.advanced + fact.amount)
    return with_claim(state, replace(claim, awards={**claim.awards, fact.award: one}))


def given_back(state: State, fact: AwardPaid) -> State:
    """So much of what was paid went to the house that had advanced it."""
    left, claim = fact.advanced, state.claims[fact.award.rpartition("/")[0]]
    for of, name, one in list(_of_seat(state, claim, fact.seat)):
        back = min(left, one.advanced)
        left -= back
        now = state.claims[of.id]
        state = with_claim(state, replace(now, awards={**now.awards, name: replace(one, advanced=one.advanced - back)}))
    assert not left, "R-20: no more than was advanced"
    return state


def hear_advance(state: State, neighbour: str, letter: AdvanceGiven) -> tuple[AdvanceHeard]:
    """R-28: the owner of the pot, and who lies on the way to him, know of it; it moves nothing of theirs."""
    award = here(letter.award, neighbour)
    claim = state.claims.get(award.rpartition("/")[0])
    one = claim.awards.get(award) if claim is not None else None
    if claim is None or one is None or claim.prize or claim.pot != letter.pot:
        raise Unbelieved(f"no hay un premio {award}")
    if one.paid or not 0 < letter.amount <= MOST_MONEY:
        raise Unbelieved(f"del premio {award} no se pueden adelantar {letter.amount}")
    assert not one.granted.amount < 0, "R-18: no award is negative"
    return (AdvanceHeard(award, claim.pot, claim.casino, one.granted.seat, letter.amount, f"{neighbour}/{letter.by}"),)
