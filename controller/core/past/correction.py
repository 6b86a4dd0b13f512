"""A pass put right: what was false in its claim, or missing, in one act, of this minute or of last year (R-34, R-35).

Theory. One principle for every error: the pot stands as if all had been right at once, no true winner gets less, the
house bears the difference. An `Inquiry` has told the pot's past twice, as it was known and as it is known now. From the
two tellings follows everything: who is newly owed how much, at this pass and at every later one of the pot; what is
cancelled because it was false and not paid; what the house lost because it was paid; and where the pot belongs.

Rejecting is the same without winners, and so is a void of what had won (R-25).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.core import claims
from controller.core.facts import ClaimAsked, ClaimCorrected, ClaimRegistered
from controller.core.inputs import CorrectClaim, GrantAnew, RegisterClaim, RejectClaim, VoidHand, VoidPass
from controller.core.links import claims as far
from controller.core.past.claims import Granted, PastClaim, is_prize, prize_of
from controller.core.past.hands import refuse_against_shown, refuse_without_bet
from controller.core.past.inquiry import Inquiry
from controller.core.past.telling import Owed
from controller.core.state import State, Table, parts_between
from controller.core.values import Flow, Loss, RegisteredAward, Resettled, Role
from controller.rules.cards import LABELS
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.settlement import Award


class _Act(NamedTuple):
    """Who puts it right, why, and on what evidence."""

    reason: str
    by: str
    second: str = ""
    recording: str = ""
    resolution: str = ""
    void: bool = False


class _Change(NamedTuple):
    """What the claims of the pass become: newly owed, cancelled, the house's loss."""

    awards: tuple[RegisteredAward, ...] = ()
    cancelled: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()

    @property
    def takes(self) -> bool:
        """Whether somebody has less than he seemed to have."""
        return bool(self.cancelled) or any(loss.amount > 0 for loss in self.lost)


def enter(
    state: State, table: Table, asked: RegisterClaim, history: Inquiry | None
) -> tuple[ClaimRegistered | ClaimAsked | ClaimCorrected] | Refusal:
    """R-34, R-35: the hands of the sealed pass; or, until the next seal, those that were missed in the one before."""
    if history is None and asked.number not in {0, table.number}:
        return refuse(Reason.PASS_UNKNOWN, "number", table=asked.table, number=asked.number)
    if history is None and state.pots[table.pot].above:
        return far.ask(state, table, asked)
    if history is None:
        return claims.register(state, table, asked)
    refusal = _refuse_unknown(history)
    if refusal is not None:
        return refusal
    if not _is_before_next_seal(state, history):
        return refuse(Reason.PASS_LONG_OVER, "number", number=asked.number)
    standing = history.standing
    if standing is not None:
        return refuse(Reason.CLAIM_STANDS, "table", claim=standing[1].claim)
    return _put_right(state, history, _Act("", asked.by.person))


def correct(state: State, asked: CorrectClaim, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-34, R-35: a pass as it truly was."""
    if history is None:
        return refuse(Reason.PASS_UNKNOWN, "number", table=asked.table, number=asked.number)
    refusal = _refuse_unknown(history)
    if refusal is not None:
        return refusal
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    second = asked.second.person if asked.second else ""
    act = _Act(asked.reason, asked.by.person, second, asked.recording.strip(), asked.resolution.strip())
    decided = _put_right(state, history, act)
    if isinstance(decided, Refusal):
        return decided
    return _refuse_unproven(state, history, decided[0]) or decided


def reject(state: State, asked: RejectClaim, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-21, R-34: the same without winners; a complementary prize as well (R-29)."""
    if history is None:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=asked.claim)
    refusal = _refuse_no_claim(history, asked.claim)
    if refusal is not None:
        return refusal
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    return _put_right(state, history, _Act(asked.reason, asked.by.person, asked.second.person))


def grant_anew(state: State, asked: GrantAnew, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-29: a rejected prize, to the seat that was drawn."""
    if history is None or asked.claim not in history.claims:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=asked.claim)
    refusal = _refuse_unknown(history)
    if refusal is not None:
        return refusal
    # A card that was shown by the wrong seat, and rejected, may have been shown again: then the prize stands there.
    same = (claim for claim in history.prizes if prize_of(claim) == prize_of(asked.claim))
    standing = next((claim for claim in same if claim not in history.before.known.no_prizes), None)
    if standing is not None:
        return refuse(Reason.PRIZE_STANDS, "claim", claim=standing)
    seat = next(iter(history.claims[asked.claim].awards.values())).award.seat
    if seat not in history.valid_seats:
        return refuse(Reason.NO_BET, "claim", seat=seat)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    return _put_right(state, history, _Act(asked.reason, asked.by.person, asked.second.person))


def void_won(state: State, asked: VoidHand | VoidPass, history: Inquiry) -> tuple[ClaimCorrected] | Refusal:
    """R-25: what the void hands had won is cancelled before their bets go back."""
    if history.stale:
        return refuse(Reason.ASK_AGAIN, "table")
    assert history.seal is not None, "R-25: the pass is sealed"
    return _put_right(state, history, _Act(asked.reason, asked.by.person, void=True))


def _refuse_unknown(history: Inquiry) -> Refusal | None:
    asked = history.asked
    if history.stale:
        return refuse(Reason.ASK_AGAIN, "table")
    if history.seal is None:
        return refuse(Reason.PASS_UNKNOWN, "number", table=asked.table, number=asked.number)
    if history.is_void:
        return refuse(Reason.PASS_VOID, "number", table=asked.table, number=asked.number)
    if not history.place and asked.hands is not None:
        return refuse(Reason.NOTHING_REGISTERED, "number", table=asked.table, number=asked.number)
    return None


def _refuse_no_claim(history: Inquiry, claim: str) -> Refusal | None:
    """Whether this claim is there to be rejected."""
    if history.stale:
        return refuse(Reason.ASK_AGAIN, "claim")
    names = {fact.claim for _, _, fact in history.registered} | {fact.claim for _, fact in history.corrections}
    if claim not in {*names, *history.prizes} or history.seal is None:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=claim)
    standing = history.standing
    if is_prize(claim):
        stands = claim not in history.before.known.no_prizes
    else:
        stands = standing is not None and standing[1].claim == claim
    return None if stands else refuse(Reason.CLAIM_REJECTED, "claim", claim=claim)


def _put_right(state: State, history: Inquiry, act: _Act) -> tuple[ClaimCorrected] | Refusal:
    """R-34: everything that follows from the two tellings."""
    asked, seal = history.asked, history.seal
    assert seal is not None, "R-34: a sealed pass"
    touches_hands = history.touches_hands
    claim = history.claim if touches_hands else asked.prize_in or min(asked.prizes_out)
    place = history.place if touches_hands else history.prizes[claim]
    owed = history.after.owed[claim]
    refusal = (
        owed.refusal or _refuse_without_bet(history, owed) or refuse_against_shown(history.won_with, *history.hands)
    )
    if refusal is not None:
        return refusal
    change = _of_hands(history, claim, owed) if touches_hands else _Change()
    change = _with_prizes(history, change)
    resettled = tuple(_resettled(history))
    hands, community = history.hands if touches_hands else ((), ())
    flow = _flow(state, history, change, resettled)
    if not (any(change) or resettled or asked.prize_in or flow != Flow() or _is_other(history, claim)):
        return refuse(Reason.NOTHING_TO_CORRECT, "hands", table=asked.table, number=asked.number)
    confirmed = _is_its_own_confirmation(state, history, act)
    fact = ClaimCorrected(
        claim, asked.table, asked.number, seal.pot, seal.casino, place, community, hands, owed.before, change.awards,
        owed.unpaid, change.cancelled, change.lost, resettled, flow,
        tuple(_overflows(state, history)), act.reason, act.by, act.second, act.recording, act.resolution,
        tuple(sorted(history.late)) if touches_hands else (), confirmed, _since(state, history, change), act.void,
    )  # fmt: skip
    if not act.second and not act.void and (change.takes or not _is_before_next_seal(state, history)):
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    return (fact,)


def _refuse_without_bet(history: Inquiry, owed: Owed) -> Refusal | None:
    """R-32: of what is entered now; what the first reading took for an unpaid seat stands as it was taken."""
    asked = history.asked
    if not asked.hands:
        return None
    return refuse_without_bet(asked.hands, owed.unpaid, history.after.known.bets[asked.table, asked.number])


def _own(history: Inquiry) -> Iterator[tuple[str, Granted]]:
    """The awards of the pass's hands that were not cancelled."""
    asked = history.asked
    for name, past in history.claims.items():
        if (past.table, past.number) == (asked.table, asked.number) and not is_prize(name):
            yield from ((award, one) for award, one in past.awards.items() if not one.cancelled)


def _of_hands(history: Inquiry, claim: str, owed: Owed) -> _Change:
    """R-34: true awards stay; false ones are cancelled or lost; a winner who lacks something is owed it."""
    judged = [(name, one, _is_true(one, owed.awards)) for name, one in _own(history)]
    cancelled: list[str] = []
    kept: dict[int, int] = {}
    for name, one, true in judged:
        if not true and not one.paid:
            cancelled.append(name)
            continue
        kept[one.award.seat] = kept.get(one.award.seat, 0) + one.award.amount
    paid = [each for each in judged if each[1].paid]
    lost = tuple(_losses(paid, kept, owed.awards))
    lacking = ((award, award.amount - kept.get(seat, 0)) for seat, award in owed.awards.items())
    return _Change(_numbered(history.claims.get(claim), lacking), tuple(cancelled), lost)


def _is_true(one: Granted, awards: dict[int, Award]) -> bool:
    true = awards.get(one.award.seat)
    return true is not None and LABELS[true.category] == one.award.prize


def _losses(
    paid: Sequence[tuple[str, Granted, bool]], kept: dict[int, int], awards: dict[int, Award]
) -> Iterator[Loss]:
    """R-34: what was paid to a seat for nothing, beyond what it was owed after all, is said once, award by award; what
    was said to be lost and is owed after all is taken back, of true awards first."""
    unsaid = {seat: max(amount - (awards[seat].amount if seat in awards else 0), 0) for seat, amount in kept.items()}
    for _, one, _ in paid:
        unsaid[one.award.seat] -= one.lost
    for name, one, true in paid:
        lost = min(one.award.amount - one.lost, unsaid[one.award.seat])
        if lost > 0 and not true:
            unsaid[one.award.seat] -= lost
            yield Loss(name, lost)
    for name, one, _ in sorted(paid, key=lambda each: not each[2]):
        back = min(one.lost, -unsaid[one.award.seat])
        if back > 0:
            unsaid[one.award.seat] += back
            yield Loss(name, -back)


def _numbered(past: PastClaim | None, lacking: Iterable[tuple[Award, int]]) -> tuple[RegisteredAward, ...]:
    """R-13, R-34: differences in paying order, numbered on; where their money comes from the fact's flow says."""
    last = max((one.award.number for one in past.awards.values()), default=0) if past is not None else 0
    more = [(award, amount) for award, amount in lacking if amount > 0]
    return tuple(
        RegisteredAward(number, award.seat, LABELS[award.category], amount, rules=(*award.rules, "R-34"))
        for number, (award, amount) in enumerate(more, last + 1)
    )


def _with_prizes(history: Inquiry, change: _Change) -> _Change:
    """R-29: the prizes that were not won, and the one that was after all."""
    cancelled, lost, awards = list(change.cancelled), list(change.lost), list(change.awards)
    for claim in sorted(history.asked.prizes_out):
        for name, one in history.claims[claim].awards.items():
            if not one.paid and not one.cancelled:
                cancelled.append(name)
            elif one.paid:
                lost.append(Loss(name, one.award.amount))
    if history.asked.prize_in:
        of = history.claims[history.asked.prize_in].awards
        if not any(one.paid for one in of.values()):
            first = next(iter(of.values())).award
            awards.append(replace(first, number=len(of) + 1, rules=("R-29", "R-34")))
        # Else the player has it: the pot gives the house back what it bore.
        lost.extend(Loss(name, -one.lost) for name, one in of.items() if one.lost)
    return _Change(tuple(awards), tuple(cancelled), tuple(lost))


def _resettled(history: Inquiry) -> Iterator[Resettled]:
    """R-34: every later claim of the pot, settled again in its order; that of the pass itself too, where only a prize
    of it is put right (R-29)."""
    mine = (history.asked.table, history.asked.number)
    for name, owed in history.after.owed.items():
        past, before = history.claims.get(name), history.before.owed.get(name)
        if past is None or before is None or (history.touches_hands and (past.table, past.number) == mine):
            continue
        standing = [one.award for one in past.awards.values() if not one.cancelled]
        kept = {  # the same seats in both tellings: nothing of this pass is put right
            seat: max(then.amount, sum(award.amount for award in standing if award.seat == seat))
            for seat, then in before.awards.items()
        }
        awards = _numbered(past, ((award, award.amount - kept[seat]) for seat, award in owed.awards.items()))
        if awards:
            yield Resettled(name, past.table, past.number, past.casino, awards, past.at)


def _is_other(history: Inquiry, claim: str) -> bool:
    """Whether anything of what was known is another: who won, or the cards with which he did."""
    standing = history.standing
    if standing is not None and history.hands != (standing[1].hands, standing[1].community):
        return True
    then = history.before.owed[standing[1].claim].awards if standing is not None else {}
    now = history.after.owed[claim].awards
    return {seat: one.category for seat, one in then.items()} != {seat: one.category for seat, one in now.items()}


def _flow(state: State, history: Inquiry, change: _Change, resettled: Iterable[Resettled]) -> Flow:
    """R-34: the pot to where the right history left it, never below nothing; the house makes the sum."""
    pot = state.pots[history.pot]
    there = {"main": pot.main, **pot.reserves}
    wanted = parts_between(history.before.money, history.after.money)
    parts = {part: moves for part, amount in wanted.items() if (moves := max(amount, -there[part]))}
    owed = [*change.awards, *(award for one in resettled for award in one.awards)]
    held = sum(award.amount for award in owed) - sum(_amount(history, name) for name in change.cancelled)
    if history.asked.prize_in and history.claims[history.asked.prize_in].promo:
        held -= sum(award.amount for award in change.awards)
    return Flow(parts, -sum(parts.values()) - held)


def _amount(history: Inquiry, name: str) -> int:
    """What is held for an award; promotional credits are in no pot until they are paid (R-29)."""
    past = history.claims[name.rpartition("/")[0]]
    return 0 if past.promo else past.awards[name].award.amount


def _overflows(state: State, history: Inquiry) -> Iterator[tuple[str, int, int]]:
    """R-24, R-25: what of the bets that are still sealed passed the ceiling, had all been right at once."""
    for table in state.tables.values():
        over = history.after.overflows.get((table.name, table.number), {})
        for bet in table.bets:
            now = over.get(bet.seat, bet.overflow)
            if now != bet.overflow:
                yield table.name, bet.seat, now


def _is_before_next_seal(state: State, history: Inquiry) -> bool:
    """R-35: until then the croupier enters a winner alone."""
    table = state.tables.get(history.asked.table)
    return table is not None and table.last_sealed == history.asked.number


def _is_its_own_confirmation(state: State, history: Inquiry, act: _Act) -> bool:
    """R-36: an act of two, one of them a chief who did not enter the first claim, on the day it was played."""
    if not act.second or state.day is None or history.sealed_at < state.day.opened:
        return False
    chiefs = {name for name in (act.by, act.second) if Role.CHIEF in state.people[name].roles}
    return bool(chiefs - history.first_entered)


def _since(state: State, history: Inquiry, change: _Change) -> int:
    """R-21: from the first registration of the pass's claim; for late winners from their own."""
    if not change.awards:
        return 0
    if not history.touches_hands or (history.standing is None and history.closed):
        return state.clock
    first = min((at for _, at, _ in history.registered), default=state.clock)
    known = {one.award.seat for _, one in _own(history)}
    late = bool(history.closed) and not any(award.seat in known for award in change.awards)
    return state.clock if late else first


def _refuse_unproven(state: State, history: Inquiry, fact: ClaimCorrected) -> Refusal | None:
    """R-35: after the table's next seal nobody gains on a word."""
    if not fact.awards or _is_before_next_seal(state, history):
        return None
    shown = {hand.seat for hand in fact.hands if hand.cards}
    for award in fact.awards:
        if award.seat not in shown:
            return refuse(Reason.CARDS_FOR_LATE, "hands", seat=award.seat)
    return None if fact.recording or fact.resolution else refuse(Reason.RECORDING_MISSING, "recording")
