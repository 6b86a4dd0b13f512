"""An act that puts a pass right: who does it, on what evidence, and what refuses it before any pot is told again.

Theory. What an act needs to know of people and tables only the node knows that has them: whether the table has sealed
another pass since, whether its two persons are their own confirmation, when the first claim was registered. It is all
said here, once, and goes with the act; so the owner of a pot that nodes share puts a neighbour's pass right by the same
code as one of his own (R-28, R-34). Nothing here knows what a pot holds.
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.core.inputs import CorrectClaim, GrantAnew, RegisterClaim, RejectClaim, VoidHand, VoidPass
from controller.core.past.claims import is_prize, prize_of
from controller.core.past.inquiry import Inquiry
from controller.core.state import State
from controller.core.values import Hand, Role
from controller.rules.refusal import Reason, Refusal, refuse

Asked = RegisterClaim | CorrectClaim | RejectClaim | GrantAnew | VoidHand | VoidPass


class Grounds(NamedTuple):
    """Who puts it right, why, and on what evidence. `in_time`: before the table's next seal (R-35); `confirmed`: its
    two persons are its confirmation (R-36); `at`: when it was asked at the table; `first`: when the first claim of the
    pass was registered there, if one was (R-21); `wanted`: its number, where it was asked of the owner of the pot."""

    reason: str
    by: str
    second: str = ""
    recording: str = ""
    resolution: str = ""
    void: bool = False
    in_time: bool = False
    confirmed: bool = False
    at: int = 0
    first: int = 0
    wanted: int = 0


def act_here(state: State, history: Inquiry, asked: Asked) -> Grounds:
    """An act of people of this node, about a table of it."""
    second = getattr(asked, "second", None)
    act = Grounds(
        getattr(asked, "reason", ""),
        asked.by.person,
        second.person if second is not None else "",
        getattr(asked, "recording", "").strip(),
        getattr(asked, "resolution", "").strip(),
        isinstance(asked, VoidHand | VoidPass),
        _is_before_next_seal(state, history),
        at=state.clock,
        first=min((at for _, at, _ in history.registered), default=0),
    )
    assert act.by != act.second, "R-26: two different persons"
    return act._replace(confirmed=_is_its_own_confirmation(state, history, act))


def _is_before_next_seal(state: State, history: Inquiry) -> bool:
    """R-35: until then the croupier enters a winner alone."""
    table = state.tables.get(history.asked.table)
    return table is not None and table.last_sealed == history.asked.number


def _is_its_own_confirmation(state: State, history: Inquiry, act: Grounds) -> bool:
    """R-36: an act of two, one of them a chief who did not enter the first claim, on the day it was played."""
    if not act.second or state.day is None or history.sealed_at < state.day.opened:
        return False
    chiefs = {name for name in (act.by, act.second) if Role.CHIEF in state.people[name].roles}
    return bool(chiefs - history.first_entered)


def refuse_entry(history: Inquiry, act: Grounds) -> Refusal | None:
    """R-34, R-35: hands of a pass that has none."""
    refusal = _refuse_unknown(history)
    if refusal is not None:
        return refusal
    if not act.in_time:
        return refuse(Reason.PASS_LONG_OVER, "number", number=history.asked.number)
    standing = history.standing
    return refuse(Reason.CLAIM_STANDS, "table", claim=standing[1].claim) if standing is not None else None


def refuse_correction(history: Inquiry, act: Grounds) -> Refusal | None:
    """R-34: a pass that was sealed, and a reason."""
    return _refuse_unknown(history) or _refuse_no_reason(act)


def refuse_rejection(history: Inquiry, act: Grounds, claim: str) -> Refusal | None:
    """R-34: a claim, or a complementary prize, that stands."""
    return _refuse_no_claim(history, claim) or _refuse_no_reason(act)


def refuse_grant(history: Inquiry, act: Grounds, claim: str) -> Refusal | None:
    """R-29: a prize that was rejected, to a seat whose bet stands."""
    if claim not in history.prizes:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=claim)
    refusal = _refuse_unknown(history)
    if refusal is not None:
        return refusal
    # A card that was shown by the wrong seat, and rejected, may have been shown again: then the prize stands there.
    same = (other for other in history.prizes if prize_of(other) == prize_of(claim))
    standing = next((other for other in same if other not in history.no_prizes), None)
    if standing is not None:
        return refuse(Reason.PRIZE_STANDS, "claim", claim=standing)
    seat = history.drawn[claim]
    if seat not in history.valid_seats:
        return refuse(Reason.NO_BET, "claim", seat=seat)
    return _refuse_no_reason(act)


def refuse_void(history: Inquiry) -> Refusal | None:
    """R-25: of a pass that is there; what else refuses a void, its table has said."""
    if history.stale:
        return refuse(Reason.ASK_AGAIN, "table")
    assert history.seal is not None, "R-25: the pass is sealed"
    return None


def refuse_unshown(seats: Iterable[int], hands: Iterable[Hand]) -> Refusal | None:
    """R-35: whoever gains by it has shown his cards."""
    shown = {hand.seat for hand in hands if hand.cards}
    missing = next((seat for seat in seats if seat not in shown), None)
    assert missing is None or missing > 0, "R-7: seats are numbered from 1"
    return None if missing is None else refuse(Reason.CARDS_FOR_LATE, "hands", seat=missing)


def refuse_unrecorded(act: Grounds) -> Refusal | None:
    """R-35: on a recording or, without one, the authority's resolution."""
    assert not act.void, "R-25: a void gives nobody an award"
    return None if act.recording or act.resolution else refuse(Reason.RECORDING_MISSING, "recording")


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
    of_hands = standing is not None and standing[1].claim == claim
    stands = claim not in history.no_prizes if is_prize(claim) else of_hands
    return None if stands else refuse(Reason.CLAIM_REJECTED, "claim", claim=claim)


def _refuse_no_reason(act: Grounds) -> Refusal | None:
    return None if act.reason.strip() else refuse(Reason.REASON_MISSING, "reason")
