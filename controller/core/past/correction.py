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
from controller.core.links.known import AwayTable
from controller.core.past import acts
from controller.core.past.acts import Grounds, act_here, refuse_unrecorded, refuse_unshown
from controller.core.past.claims import Granted, PastClaim, is_prize
from controller.core.past.hands import refuse_against_shown, refuse_without_bet
from controller.core.past.inquiry import Inquiry
from controller.core.past.telling import Owed
from controller.core.state import State, Table, parts_between
from controller.core.values import Flow, Loss, RegisteredAward, Resettled
from controller.rules.cards import LABELS
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.settlement import Award


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
    act = act_here(state, history, asked)
    return acts.refuse_entry(history, act) or put_right(state, history, act)


def correct(state: State, asked: CorrectClaim, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-34, R-35: a pass as it truly was."""
    if history is None:
        return refuse(Reason.PASS_UNKNOWN, "number", table=asked.table, number=asked.number)
    act = act_here(state, history, asked)
    return acts.refuse_correction(history, act) or put_right_proven(state, history, act)


def reject(state: State, asked: RejectClaim, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-21, R-34: the same without winners; a complementary prize as well (R-29)."""
    if history is None:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=asked.claim)
    act = act_here(state, history, asked)
    return acts.refuse_rejection(history, act, asked.claim) or put_right(state, history, act)


def grant_anew(state: State, asked: GrantAnew, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-29: a rejected prize, to the seat that was drawn."""
    if history is None:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=asked.claim)
    act = act_here(state, history, asked)
    return acts.refuse_grant(history, act, asked.claim) or put_right(state, history, act)


def void_won(state: State, asked: VoidHand | VoidPass, history: Inquiry) -> tuple[ClaimCorrected] | Refusal:
    """R-25: what the void hands had won is cancelled before their bets go back."""
    return acts.refuse_void(history) or put_right(state, history, act_here(state, history, asked))


def put_right_proven(state: State, history: Inquiry, act: Grounds) -> tuple[ClaimCorrected] | Refusal:
    """R-35: the same, and what somebody gains by it was shown."""
    decided = put_right(state, history, act)
    if isinstance(decided, Refusal):
        return decided
    return _refuse_unproven(act, decided[0]) or decided


def put_right(state: State, history: Inquiry, act: Grounds) -> tuple[ClaimCorrected] | Refusal:
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
    fact = ClaimCorrected(
        claim, asked.table, asked.number, seal.pot, seal.casino, place, community, hands, owed.before, change.awards,
        owed.unpaid, change.cancelled, change.lost, resettled, flow,
        tuple(_overflows(state, history)), act.reason, act.by, act.second, act.recording, act.resolution,
        tuple(sorted(history.late)) if touches_hands else (), act.confirmed, _since(history, act, change), act.void,
        wanted=act.wanted,
    )  # fmt: skip
    if not act.second and not act.void and (change.takes or not act.in_time):
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
    tables: list[Table | AwayTable] = [*state.tables.values(), *state.away.values()]
    for table in tables:
        over = history.after.overflows.get((table.name, table.number), {})
        for bet in table.bets:
            now = over.get(bet.seat, bet.overflow)
            if now != bet.overflow:
                yield table.name, bet.seat, now


def _since(history: Inquiry, act: Grounds, change: _Change) -> int:
    """R-21: from the first registration of the pass's claim; for late winners from their own."""
    if not change.awards:
        return 0
    if not history.touches_hands or (history.standing is None and history.closed):
        return act.at
    known = {one.award.seat for _, one in _own(history)}
    late = bool(history.closed) and not any(award.seat in known for award in change.awards)
    return act.at if late else act.first or act.at


def _refuse_unproven(act: Grounds, fact: ClaimCorrected) -> Refusal | None:
    """R-35: after the table's next seal nobody gains on a word."""
    if not fact.awards or act.in_time:
        return None
    return refuse_unshown((award.seat for award in fact.awards), fact.hands) or refuse_unrecorded(act)
