"""Awards: held, confirmed, paid; overdue, never decided by a clock (R-20, R-21, R-36).

Theory. Two phases, each exactly once: what was registered is held until it is paid or its claim is rejected as a
whole. A person confirms what the cameras show, two above the plan's threshold; only what is confirmed is paid.
"""

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import AwardAdvanced, AwardConfirmed, AwardOverdue, AwardPaid, AwardSetAside, NothingNew
from controller.core.inputs import AdvanceAward, ConfirmAward, LookAtClock, PayAward, SetAside
from controller.core.links import advances
from controller.core.links.claims import given_there
from controller.core.links.names import is_away, neighbour_of
from controller.core.lives import AWARD
from controller.core.purse import with_promo
from controller.core.state import Claim, State, plan_of, with_claim, with_pot
from controller.core.values import TRAINING, Phase, RegisteredAward
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.reversal import is_overdue


def claim_of(award: str) -> str:
    """The claim an award belongs to: its own name without its number."""
    name, _, number = award.rpartition("/")
    assert "/" not in number, "the number stands last"
    return name


def _refuse_not_here(claim: Claim, award: str) -> Refusal | None:
    """R-28: of this claim, and of a table of this node."""
    if award not in claim.awards:
        return refuse(Reason.AWARD_UNKNOWN, "award", award=award)
    assert claim.id, "a claim has a name"
    if is_away(claim.table):
        return refuse(Reason.AWARD_ELSEWHERE, "award", award=award, node=neighbour_of(claim.table))
    return None


def _decidable(claim: Claim, asked: ConfirmAward | PayAward | SetAside) -> RegisteredAward | Refusal:
    """An award that is there, and so far that this may be done with it."""
    award = asked.award
    refusal = _refuse_not_here(claim, award)
    if refusal is not None:
        return refusal
    if claim.awards[award].waits:
        return refuse(Reason.AWARD_WAITS, "award", award=award)
    if claim.frozen:
        return refuse(Reason.AWARD_FROZEN, "award", award=award)
    reason = lives.refused(AWARD, claim.awards[award].phase, type(asked))
    if reason is not None:
        return refuse(reason, "award", award=award, claim=claim.id)
    granted = claim.awards[award].granted
    assert granted.amount >= 0, "R-18: no award is negative"
    return granted


def confirm(state: State, claim: Claim, asked: ConfirmAward) -> tuple[AwardConfirmed] | Refusal:
    """R-21: verified; above the threshold by two different persons, of whom at least one did not enter it (R-36)."""
    granted = _decidable(claim, asked)
    if isinstance(granted, Refusal):
        return granted
    plan = plan_of(state.pots[claim.pot].documents)
    if asked.second is None and granted.amount > plan.two_persons_above:
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    assert asked.second is None or asked.second.person != asked.by.person, "R-26: two different persons"
    alone = plan.none_registered_above is None or granted.amount <= plan.none_registered_above
    refusal = _refuse_own_entry(claim.awards[asked.award].entered, asked, 1 if alone else 2)
    return refusal or (AwardConfirmed(asked.award, asked.by.person, asked.second.person if asked.second else ""),)


def _refuse_own_entry(entered: tuple[str, ...], asked: ConfirmAward | AdvanceAward, others: int) -> Refusal | None:
    """R-36: so many of those who confirm did not enter the award; of one person alone, he himself."""
    signed = [(asked.by.person, "by"), *([(asked.second.person, "second")] if asked.second else [])]
    own = [(person, where) for person, where in signed if person in entered]
    assert others in (1, 2), "R-36: at least one, or none of them"
    if len(signed) - len(own) >= min(others, len(signed)):
        return None
    person, where = own[-1]
    return refuse(Reason.CONFIRMS_OWN, where, person=person)


def advance(state: State, claim: Claim, asked: AdvanceAward) -> tuple[AwardAdvanced] | Refusal:
    """R-18, R-20: part of a percentage that waits, from the house of the table's casino, by two as they confirm."""
    refusal = _refuse_not_here(claim, asked.award) or _refuse_advance(state, claim, asked)
    if refusal is not None:
        return refusal
    one, by, second = claim.awards[asked.award], asked.by.person, asked.second.person
    assert by != second, "R-26: two different persons"
    return (
        AwardAdvanced(asked.award, claim.pot, claim.casino, one.granted.seat, asked.amount, asked.reason, by, second),
    )


def _refuse_advance(state: State, claim: Claim, asked: AdvanceAward) -> Refusal | None:
    one, pot = claim.awards[asked.award], state.pots[claim.pot]
    if claim.frozen:
        return refuse(Reason.AWARD_FROZEN, "award", award=asked.award)
    if not one.waits:
        return refuse(Reason.AWARD_DECIDED, "award", award=asked.award)
    plan = plan_of(pot.documents)
    if not plan.advance_percent:
        return refuse(Reason.NO_ADVANCES, "award", pot=claim.pot)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    bound = advances.bound(state, claim, asked.award)
    if not 0 < asked.amount <= bound.left:
        words = {"award": asked.award, "percent": plan.advance_percent, "given": one.advanced}
        return refuse(Reason.ADVANCE_TOO_MUCH, "amount", whole=bound.whole, most=bound.left, **words)
    assert one.waits, "R-20: nobody has decided it"
    all_of_it = one.advanced + asked.amount
    alone = plan.none_registered_above is None or all_of_it <= plan.none_registered_above
    return _refuse_own_entry(one.entered, asked, 1 if alone else 2)


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


def pay(state: State, claim: Claim, asked: PayAward) -> tuple[AwardPaid] | Refusal:
    """R-21, R-29: what was confirmed; a complementary prize once its pass is closed."""
    granted = _decidable(claim, asked)
    if isinstance(granted, Refusal):
        return granted
    refusal = _refuse_prize(state, claim, granted) if claim.prize else None
    if refusal is not None:
        return refusal
    payment = plan_of(state.pots[claim.pot].documents).ruleset.payment
    paid_in = claim.paid_in or (payment.awards_in.value if payment is not None else "")
    return (
        AwardPaid(
            asked.award,
            claim.pot,
            claim.casino,
            granted.seat,
            granted.amount,
            asked.by.person,
            claim.promo,
            paid_in,
            claim.table if claim.promo else "",
            0 if claim.prize else min(granted.amount, advances.open_at(state, claim, granted.seat)),
        ),
    )


def _refuse_prize(state: State, claim: Claim, granted: RegisteredAward) -> Refusal | None:
    """R-29: once its pass is closed; promotional credits on an open seat of a table that feeds this pot, and is no copy
    for training. Where that seat is gone, two persons set the prize aside (R-35)."""
    assert claim.prize, "R-29: a complementary prize"
    table = state.tables.get(claim.table)
    if table is not None and (table.number, table.phase) == (claim.number, Phase.SEALED):
        words = {"prize": granted.prize, "number": claim.number, "table": claim.table}
        return refuse(Reason.PRIZE_BEFORE_CLOSE, "award", **words)
    if not claim.promo:
        return None
    if table is None or table.pot != claim.pot or granted.seat > len(table.seats):
        return refuse(Reason.SEAT_GONE, "award", seat=granted.seat, table=claim.table, prize=granted.prize)
    if TRAINING + claim.table in state.tables:
        return refuse(Reason.TRAINING_ON, "award", table=claim.table)
    if table.seat(granted.seat).out_of_play:
        return refuse(Reason.SEAT_CLOSED, "award", seat=granted.seat)
    return None


def overdue(state: State, _asked: LookAtClock, now: int) -> tuple[AwardOverdue | NothingNew, ...]:
    """R-21: not paid within the time the house may verify it, confirmed or not: said once, decided by nobody. Each
    award has its own time: what a correction adds runs with the pass, a late winner from his own registration."""
    late = [
        AwardOverdue(award, held.since)
        for claim in state.claims.values()
        if claim.pending
        for award, held in claim.awards.items()
        if held.pending and not held.overdue and is_overdue((now - held.since) // 1000, _minutes(state, claim))
    ]
    assert len(late) == len({one.award for one in late}), "each once"
    return tuple(late) or (NothingNew("la hora"),)


def _minutes(state: State, claim: Claim) -> int:
    """R-21: how long the house may verify, by the law of the pot."""
    minutes = plan_of(state.pots[claim.pot].documents).ruleset.verification_minutes
    assert minutes >= 0, "R-21: a time"
    return minutes


def confirmed(state: State, fact: AwardConfirmed) -> State:
    assert fact.by != fact.second, "R-26: two different persons, or one"
    return _decided(state, fact.award, ConfirmAward, confirmed=fact.by, second=fact.second)


def paid(state: State, fact: AwardPaid) -> State:
    """R-21: paid, once; promotional credits are on the seat, and the pot has seen nothing of them (R-29)."""
    if is_away(fact.award.partition("/")[0]):
        return given_there(state, fact)
    if fact.promo:
        state = with_promo(state, state.tables[fact.table], fact.seat, fact.amount)
        return _decided(state, fact.award, PayAward, paid=True)
    pot = state.pots[fact.pot]
    meters = replace(pot.meters, paid_hits=pot.meters.paid_hits + 1, paid=pot.meters.paid + fact.amount)
    assert fact.amount >= 0, "R-18: no award is negative"
    state = _decided(with_pot(state, replace(pot, meters=meters)), fact.award, PayAward, paid=True)
    return advances.given_back(state, fact) if fact.advanced else state


def put_aside(state: State, fact: AwardSetAside) -> State:
    if is_away(fact.award.partition("/")[0]):
        return given_there(state, fact)
    assert fact.by != fact.second, "R-26: two different persons"
    return _decided(state, fact.award, SetAside, aside=True)


def noticed(state: State, fact: AwardOverdue) -> State:
    claim = state.claims[claim_of(fact.award)]
    assert claim.awards[fact.award].pending, "R-21: what was paid or set aside is not overdue"
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
