"""A pass whose pot a neighbour owns is to be put right: asked of that owner, where the table is (R-28, R-34, R-35).

Theory. The node that has the table alone says what was true of its pass, who signed it, and whether it was in time; the
owner of the pot alone has the record that can tell that pot again. So this node looks at all that it can know (that the
pass was sealed here and is not void, its hands by the rules, reason, persons, cards and recording) and asks the rest.
Nothing of a pass that is asked about is paid until the answer is in this record. What a void gives back goes back at
once, and its letter follows the one that asks.
"""

from collections.abc import Callable
from typing import Any

from controller.core import passes
from controller.core.facts import ClaimRejected, CorrectionAsked, HandsVoided, PassSealed
from controller.core.inputs import CorrectClaim, GrantAnew, RegisterClaim, RejectClaim, VoidHand, VoidPass
from controller.core.links import ended
from controller.core.links.awaited import refuse_awaited
from controller.core.past import acts
from controller.core.past.acts import Asked, Grounds, act_here, refuse_unrecorded, refuse_unshown
from controller.core.past.hands import Played, judge_hands, refuse_against_shown, refuse_without_bet
from controller.core.past.inquiry import Inquiry
from controller.core.state import State, Table
from controller.core.values import Unpaid
from controller.rules.cards import Category
from controller.rules.claims import Judgement
from controller.rules.refusal import Reason, Refusal, refuse

Wins = frozenset[tuple[int, Category]]


def enter(state: State, _table: Table, asked: RegisterClaim, history: Inquiry) -> tuple[CorrectionAsked] | Refusal:
    """R-34, R-35: hands that were missed, until the table's next seal; or entered anew after a rejection."""
    act = act_here(state, history, asked)
    return _refuse_asked(state, history) or acts.refuse_entry(history, act) or _ask(state, history, asked, act)


def correct(state: State, asked: CorrectClaim, history: Inquiry) -> tuple[CorrectionAsked] | Refusal:
    """R-34, R-35: a pass as it truly was."""
    act = act_here(state, history, asked)
    return _refuse_asked(state, history) or acts.refuse_correction(history, act) or _ask(state, history, asked, act)


def reject(state: State, asked: RejectClaim, history: Inquiry) -> tuple[CorrectionAsked | ClaimRejected] | Refusal:
    """R-21, R-34: nothing of it was true; what its owner left here is for this house alone."""
    refusal = acts.refuse_rejection(history, act := act_here(state, history, asked), asked.claim)
    if refusal is None and ended.is_ours_to_reject(state, asked.claim):
        return ended.rejected(state, asked)
    return _refuse_asked(state, history) or refusal or _ask(state, history, asked, act)


def grant_anew(state: State, asked: GrantAnew, history: Inquiry) -> tuple[CorrectionAsked] | Refusal:
    """R-29: a rejected prize, to the seat that was drawn."""
    refusal = acts.refuse_grant(history, act := act_here(state, history, asked), asked.claim)
    return _refuse_asked(state, history) or refusal or _ask(state, history, asked, act)


def void(
    state: State, table: Table, asked: VoidHand | VoidPass, history: Inquiry
) -> tuple[CorrectionAsked | HandsVoided | PassSealed, ...] | Refusal:
    """R-25: the bets go back at once, and what the void hands had won is cancelled by the owner of the pot."""
    undone = _refuse_asked(state, history) or passes.void(state, table, asked)
    if isinstance(undone, Refusal):
        return undone
    wanted = acts.refuse_void(history) or _ask(state, history, asked, act_here(state, history, asked))
    return wanted if isinstance(wanted, Refusal) else (*wanted, *undone)


def _refuse_asked(state: State, history: Inquiry) -> Refusal | None:
    return refuse_awaited(state, history.asked.table, history.asked.number)


def _ask(state: State, history: Inquiry, asked: Asked, act: Grounds) -> tuple[CorrectionAsked] | Refusal:
    """R-28: all that can be known here is looked at before the owner of the pot is asked."""
    seal, doubt = history.seal, history.asked
    assert seal is not None and seal.above, "R-28: of a pot that a neighbour owns"
    refusal = _refuse_hands(history, act, asked, history.played(state.node))
    if refusal is not None:
        return refusal
    prize = doubt.prize_in or min(doubt.prizes_out, default="")
    return (
        CorrectionAsked(
            state.wanted + 1, str(type(asked).__struct_config__.tag), seal.table, seal.number, seal.pot, seal.casino,
            seal.above, history.claim if history.touches_hands else prize, doubt.hands, doubt.community,
            tuple(sorted(doubt.seats_out)), tuple(sorted(doubt.prizes_out)), doubt.prize_in, act.reason, act.by,
            act.second, act.recording, act.resolution, act.in_time, act.confirmed, act.void, act.at, act.first,
        ),
    )  # fmt: skip


def _refuse_hands(history: Inquiry, act: Grounds, asked: Asked, played: Played) -> Refusal | None:
    """R-32, R-35: the hands as they are to be true, who gains by them, and who has less than he seemed to have."""
    then, now = _known(history, played), judge_hands(played, *history.hands)
    if isinstance(now, Refusal):
        return now
    refusal = refuse_without_bet(
        history.asked.hands or (), [Unpaid(one.seat, one.reason.value) for one in now.not_paid], played.bets
    ) or refuse_against_shown(history.won_with, *history.hands)
    if refusal is not None:
        return refusal
    won = _wins(now) if history.touches_hands else then
    standing = history.standing
    is_same = standing is not None and history.hands == (standing[1].hands, standing[1].community)
    if history.touches_hands and is_same:
        return refuse(Reason.NOTHING_TO_CORRECT, "hands", table=history.asked.table, number=history.asked.number)
    if not act.second and not act.void and (then - won or not act.in_time):
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    gain = sorted({seat for seat, _ in won} - {seat for seat, _ in then})
    if not isinstance(asked, CorrectClaim) or act.in_time or not gain:
        return None
    return refuse_unshown(gain, history.hands[0]) or refuse_unrecorded(act)


def _known(history: Inquiry, played: Played) -> Wins:
    """R-34: who won, by the claim that stands."""
    standing = history.standing
    if standing is None:
        return frozenset()
    judged = judge_hands(played, standing[1].hands, standing[1].community)
    assert not isinstance(judged, Refusal), "R-32: what stands was judged"
    return _wins(judged)


def _wins(judged: Judgement) -> Wins:
    assert all(win.seat > 0 for win in judged.wins), "R-7: seats are numbered from 1"
    return frozenset((win.seat, win.category) for win in judged.wins)


ASK: dict[type, Callable[..., Any]] = {
    RegisterClaim: enter,
    CorrectClaim: correct,
    RejectClaim: reject,
    GrantAnew: grant_anew,
    VoidHand: void,
    VoidPass: void,
}
"""What is asked of the owner of the pot, where it is not decided here."""
