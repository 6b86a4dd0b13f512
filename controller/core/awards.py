"""Awards: held, confirmed, paid; overdue, never decided by a clock (R-20, R-21).

Theory. Two phases, each exactly once: what was registered is held until it is paid or its claim is rejected as a
whole. A person confirms what the cameras show, two above the plan's threshold; only what is confirmed is paid.
"""

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import AwardConfirmed, AwardOverdue, AwardPaid, AwardSetAside, NothingNew
from controller.core.inputs import ConfirmAward, LookAtClock, PayAward, SetAside
from controller.core.lives import AWARD
from controller.core.state import Claim, State, plan_of, with_claim, with_pot
from controller.core.values import AwardPhase, RegisteredAward
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.reversal import is_overdue


def claim_of(award: str) -> str:
    """The claim an award belongs to: its own name without its number."""
    name, _, number = award.rpartition("/")
    assert "/" not in number, "the number stands last"
    return name


def _decidable(claim: Claim, asked: ConfirmAward | PayAward | SetAside) -> RegisteredAward | Refusal:
    """An award that is there, and so far that this may be done with it."""
    award = asked.award
    if award not in claim.awards:
        return refuse(Reason.AWARD_UNKNOWN, "award", award=award)
    reason = lives.refused(AWARD, claim.awards[award].phase, type(asked))
    if reason is not None:
        return refuse(reason, "award", award=award, claim=claim.id)
    granted = claim.awards[award].granted
    assert granted.amount >= 0, "R-18: no award is negative"
    return granted


def confirm(state: State, claim: Claim, asked: ConfirmAward) -> tuple[AwardConfirmed] | Refusal:
    """R-21: verified; above the threshold by two different persons."""
    granted = _decidable(claim, asked)
    if isinstance(granted, Refusal):
        return granted
    plan = plan_of(state.pots[claim.pot].documents)
    if asked.second is None and granted.amount > plan.two_persons_above:
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    assert asked.second is None or asked.second.person != asked.by.person, "R-26: two different persons"
    return (AwardConfirmed(asked.award, asked.by.person, asked.second.person if asked.second else ""),)


def set_aside(_state: State, claim: Claim, asked: SetAside) -> tuple[AwardSetAside] | Refusal:
    """R-35: a winner who cannot be found: the house goes on owing it."""
    granted = _decidable(claim, asked)
    if isinstance(granted, Refusal):
        return granted
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    by, second = asked.by.person, asked.second.person
    assert by != second, "R-26: two different persons"
    return (AwardSetAside(asked.award, claim.pot, granted.amount, asked.reason, by, second),)


def pay(_state: State, claim: Claim, asked: PayAward) -> tuple[AwardPaid] | Refusal:
    granted = _decidable(claim, asked)
    if isinstance(granted, Refusal):
        return granted
    return (AwardPaid(asked.award, claim.pot, claim.casino, granted.seat, granted.amount, asked.by.person),)


def overdue(state: State, _asked: LookAtClock, now: int) -> tuple[AwardOverdue | NothingNew, ...]:
    """R-21: held past the time the house may verify it: said once, decided by nobody."""
    late = [
        AwardOverdue(award, claim.at)
        for claim in state.claims.values()
        if claim.pending
        and is_overdue((now - claim.at) // 1000, plan_of(state.pots[claim.pot].documents).ruleset.verification_minutes)
        for award, held in claim.awards.items()
        if held.phase is AwardPhase.HELD and not held.overdue
    ]
    assert len(late) == len({one.award for one in late}), "each once"
    return tuple(late) or (NothingNew("la hora"),)


def confirmed(state: State, fact: AwardConfirmed) -> State:
    assert fact.by != fact.second, "R-26: two different persons, or one"
    return _decided(state, fact.award, ConfirmAward, confirmed=fact.by)


def paid(state: State, fact: AwardPaid) -> State:
    """R-21: paid, once."""
    pot = state.pots[fact.pot]
    meters = replace(pot.meters, paid_hits=pot.meters.paid_hits + 1, paid=pot.meters.paid + fact.amount)
    assert fact.amount >= 0, "R-18: no award is negative"
    return _decided(with_pot(state, replace(pot, meters=meters)), fact.award, PayAward, paid=True)


def put_aside(state: State, fact: AwardSetAside) -> State:
    assert fact.by != fact.second, "R-26: two different persons"
    return _decided(state, fact.award, SetAside, aside=True)


def noticed(state: State, fact: AwardOverdue) -> State:
    claim = state.claims[claim_of(fact.award)]
    assert claim.awards[fact.award].phase is AwardPhase.HELD, "R-21: what is decided is not overdue"
    return with_claim(state, _changed(claim, fact.award, overdue=True))


def _decided(state: State, award: str, act: type[ConfirmAward | PayAward | SetAside], **changed: object) -> State:
    claim = state.claims[claim_of(award)]
    phase = lives.after(AWARD, claim.awards[award].phase, act)
    claim = _changed(claim, award, **changed)
    assert claim.awards[award].phase is phase, "R-21: each step exactly once"
    return with_claim(state, claim)


def _changed(claim: Claim, award: str, **changed: object) -> Claim:
    assert award in claim.awards, "an award of this claim"
    return replace(claim, awards={**claim.awards, award: replace(claim.awards[award], **changed)})
