"""Awards: held, confirmed, paid; overdue, never decided by a clock (R-20, R-21).

Theory. Two phases, each exactly once: what was registered is held until it is paid or its claim is rejected as a
whole. A person confirms what the cameras show, two above the plan's threshold; only what is confirmed is paid.
"""

from msgspec.structs import replace

from controller.core.facts import AwardConfirmed, AwardOverdue, AwardPaid, NothingNew
from controller.core.inputs import ConfirmAward, LookAtClock, PayAward
from controller.core.state import Claim, Held, State, plan_of, with_claim, with_pot
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.reversal import is_overdue


def claim_of(award: str) -> str:
    """The claim an award belongs to: its own name without its number."""
    name, _, number = award.rpartition("/")
    assert "/" not in number, "the number stands last"
    return name


def _held(claim: Claim, award: str) -> Held | Refusal:
    """An award that may still be decided."""
    held = claim.awards.get(award)
    if held is None:
        return refuse(Reason.AWARD_UNKNOWN, "award", award=award)
    if claim.rejected:
        return refuse(Reason.CLAIM_REJECTED, "award", claim=claim.id)
    if held.paid:
        return refuse(Reason.AWARD_PAID, "award", award=award)
    assert held.granted.amount >= 0, "R-18: no award is negative"
    return held


def confirm(state: State, claim: Claim, asked: ConfirmAward) -> tuple[AwardConfirmed] | Refusal:
    """R-21: verified; above the threshold by two different persons."""
    held = _held(claim, asked.award)
    if isinstance(held, Refusal):
        return held
    if held.confirmed:
        return refuse(Reason.AWARD_CONFIRMED, "award", award=asked.award)
    plan = plan_of(state.pots[claim.pot].documents)
    if asked.second is None and held.granted.amount > plan.two_persons_above:
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    assert asked.second is None or asked.second.person != asked.by.person, "R-26: two different persons"
    return (AwardConfirmed(asked.award, asked.by.person, asked.second.person if asked.second else ""),)


def pay(_state: State, claim: Claim, asked: PayAward) -> tuple[AwardPaid] | Refusal:
    held = _held(claim, asked.award)
    if isinstance(held, Refusal):
        return held
    if not held.confirmed:
        return refuse(Reason.NOT_CONFIRMED, "award", award=asked.award)
    assert not held.paid, "R-21: exactly once"
    granted = held.granted
    return (AwardPaid(asked.award, claim.pot, claim.casino, granted.seat, granted.amount, asked.by.person),)


def overdue(state: State, _asked: LookAtClock, now: int) -> tuple[AwardOverdue | NothingNew, ...]:
    """R-21: held past the time the house may verify it: said once, decided by nobody."""
    late = [
        AwardOverdue(award, claim.at)
        for claim in state.claims.values()
        if claim.pending
        and is_overdue((now - claim.at) // 1000, plan_of(state.pots[claim.pot].documents).ruleset.verification_minutes)
        for award, held in claim.awards.items()
        if not (held.paid or held.confirmed or held.overdue)
    ]
    assert len(late) == len({one.award for one in late}), "each once"
    return tuple(late) or (NothingNew("la hora"),)


def confirmed(state: State, fact: AwardConfirmed) -> State:
    assert fact.by != fact.second, "R-26: two different persons, or one"
    return _with_held(state, fact.award, confirmed=fact.by)


def paid(state: State, fact: AwardPaid) -> State:
    """R-21: paid, once."""
    pot = state.pots[fact.pot]
    meters = replace(pot.meters, paid_hits=pot.meters.paid_hits + 1, paid=pot.meters.paid + fact.amount)
    assert state.claims[claim_of(fact.award)].awards[fact.award].confirmed, "R-21: confirmed, then paid"
    return _with_held(with_pot(state, replace(pot, meters=meters)), fact.award, paid=True)


def noticed(state: State, fact: AwardOverdue) -> State:
    assert not state.claims[claim_of(fact.award)].rejected, "R-21: what is rejected is decided"
    return _with_held(state, fact.award, overdue=True)


def _with_held(state: State, award: str, **changed: object) -> State:
    claim = state.claims[claim_of(award)]
    assert not claim.awards[award].paid, "R-21: what is paid is paid"
    held = replace(claim.awards[award], **changed)
    return with_claim(state, replace(claim, awards={**claim.awards, award: held}))
