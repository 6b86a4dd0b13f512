"""The machine: what is asked becomes facts or a refusal, facts become state (design.md, From input to truth).

Theory. `answer` decides and never changes anything; `apply` changes and never decides, and is the same for the live
node and for replay, so replay is the live state. Signatures are asked first, then whether the table, seat, claim or
award exists, then the part whose business it is. After every accepted input a plan that was waiting may take effect
(R-26). Time is an argument; the order is the sequence of facts, so a clock that steps back is a fact and not a
trouble.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from controller.core import (
    awards,
    claims,
    day,
    draws,
    lamps,
    money_moves,
    node,
    passes,
    people,
    plans,
    purse,
    seats,
    training,
)
from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.facts import ClockWentBack, Fact, NothingNew, Refused
from controller.core.inputs import Input
from controller.core.ledger import postings
from controller.core.links import (
    advances,
    awaited,
    corrections,
    disputes,
    ended,
    leaving,
    neighbours,
    proposals,
    shares,
    streams,
    telling,
)
from controller.core.links import claims as far
from controller.core.links.names import is_away, neighbour_of
from controller.core.links.restored import taken
from controller.core.links.wanted import hear_wanted
from controller.core.past import correction
from controller.core.past.corrected import corrected
from controller.core.past.inquiry import Inquiry, inquiry_for
from controller.core.past.voids import void
from controller.core.state import State, Table, in_play
from controller.core.values import TRAINING, Phase
from controller.rules.refusal import Reason, Refusal, refuse

Decided = tuple[Fact, ...] | Refusal

_OF_NODE: dict[type, Callable[..., Decided]] = {
    **node.DECIDE,
    **people.DECIDE,
    ask.StagePlan: plans.stage,
    ask.WithdrawPlan: plans.withdraw,
    ask.OpenDay: day.open_day,
    ask.CloseDay: day.close_day,
    ask.RenameDay: day.rename_day,
    ask.LoseSeed: day.lose_seed,
    ask.MoveMoney: money_moves.move,
    ask.TrySign: lamps.try_sign,
    ask.LeavePot: leaving.leave,
    **neighbours.DECIDE,
    **streams.DECIDE,
    **ended.DECIDE,
    **taken.DECIDE,
}
_OF_TABLE: dict[type, Callable[..., Decided]] = {
    ask.OpenPass: passes.open_pass,
    ask.UnlockTable: passes.unlock_table,
    ask.SignIn: people.sign_in,
    ask.Lock: passes.lock,
    ask.ClosePass: passes.close_pass,
    ask.TryLamps: lamps.try_lamps,
    ask.TellLamps: lamps.tell_lamps,
    ask.SeeFirmware: node.see_firmware,
    ask.PayLeft: purse.pay_left,
    ask.Draw: draws.draw,
    ask.ShowCard: draws.show_card,
    ask.ClearSuspense: purse.clear,
    ask.StartTraining: training.start_training,
    ask.EndTraining: training.end_training,
    ask.ClearFaults: lamps.clear_faults,
}
_OF_SEAT: dict[type, Callable[..., Decided]] = {
    ask.SeatReport: seats.report,
    ask.LampSeen: lamps.lamp,
    ask.LampDark: lamps.lamp_dark,
    ask.CloseSeat: lamps.close_seat,
    ask.OpenSeat: lamps.open_seat,
    ask.BuyCredits: purse.buy,
    ask.CashOut: purse.cash_out,
    ask.LeaveCredits: purse.leave,
    ask.PayOwed: purse.pay_owed,
    ask.CountSeat: purse.count,
    ask.SignVoid: purse.sign_void,
}
_OF_PAST: dict[type, Callable[..., Decided]] = {
    ask.RegisterClaim: correction.enter,
    ask.CorrectClaim: correction.correct,
    ask.RejectClaim: correction.reject,
    ask.GrantAnew: correction.grant_anew,
    ask.VoidHand: void,
    ask.VoidPass: void,
}
"""What may need an inquiry into the record; of a pass whose pot a neighbour owns, that one is asked instead."""
_OF_AWARD: dict[type, Callable[..., Decided]] = {
    ask.ConfirmAward: awards.confirm,
    ask.PayAward: awards.pay,
    ask.SetAside: awards.set_aside,
    ask.AdvanceAward: awards.advance,
}


_COMES = (said.PlanStaged, said.PlanProposed, said.DecisionTaken)
"""A plan that waits from here on or comes at once, or what is booked again."""


def _unchanged(state: State, fact: Any) -> State:
    assert not postings(fact), "what moves money changes the state"
    return state


def _of_the_book(state: State, fact: Any) -> State:
    """What a house bears stands in its book alone."""
    assert postings(fact), "it moves money, and nothing that the state knows"
    return state


_APPLY: dict[Any, Callable[[State, Any], State]] = {
    **node.APPLY,
    said.NodeStarted: _unchanged,
    said.NodeStopped: _unchanged,
    **people.APPLY,
    said.PlanStaged: plans.staged,
    said.PlanWithdrawn: plans.withdrawn,
    said.PlanTookEffect: plans.took_effect,
    said.PlanProposed: proposals.proposed,
    said.PlanReady: proposals.ready,
    said.PlanDropped: proposals.dropped,
    said.DayOpened: day.day_opened,
    said.DayClosed: day.day_closed,
    said.DayRenamed: day.day_renamed,
    said.SeedLost: day.seed_lost,
    said.PassOpened: passes.opened,
    said.CreditsBought: purse.bought,
    said.CreditsCashed: purse.cashed,
    said.CreditsLeft: purse.set_aside,
    said.LeftPaid: purse.left_paid,
    said.OwedPaid: purse.owed_paid,
    said.SeatCounted: purse.counted,
    said.SuspenseCleared: purse.cleared,
    said.VoidSigned: purse.void_signed,
    said.Locked: passes.locked,
    said.PassSealed: passes.sealed,
    said.HandsVoided: passes.voided,
    said.PassClosed: passes.passed,
    said.ClaimRegistered: claims.registered,
    said.ClaimAsked: claims.asked,
    said.ClaimDecided: far.decided,
    said.HouseCharged: _of_the_book,
    said.ShareHeard: shares.heard,
    said.PotLeft: leaving.left,
    said.ClaimRejected: claims.rejected,
    said.ClaimCorrected: corrected,
    said.CorrectionAsked: awaited.asked,
    said.CorrectionRefused: awaited.refused,
    said.AwardSetAside: awards.put_aside,
    said.AwardConfirmed: awards.confirmed,
    said.AwardPaid: awards.paid,
    said.AwardAdvanced: advances.advanced,
    said.AdvanceHeard: advances.advanced,
    said.AwardOverdue: awards.noticed,
    said.LateRegistered: claims.late_registered,
    said.Drawn: draws.drawn,
    said.PrizeGranted: draws.granted,
    said.MoneyMoved: money_moves.money_moved,
    said.TrainingStarted: training.training_started,
    said.TrainingEnded: training.training_ended,
    said.ClockWentBack: _unchanged,
    said.NothingNew: _unchanged,
    said.VerifiersSealed: _unchanged,
    said.DeviceTended: _unchanged,
    said.LampsTested: _unchanged,
    said.UnprovenRefused: _unchanged,
    said.IdReused: _unchanged,
    **seats.APPLY,
    **neighbours.APPLY,
    **streams.APPLY,
    **disputes.APPLY,
    **ended.APPLY,
    **taken.APPLY,
}


def answer(state: State, asked: Input, now: int, history: Inquiry | None = None) -> tuple[Fact, ...]:
    """The facts that answer an input: what it does, or that it is refused. Always at least one. `history`: what the
    record told, where `inquiry_for` asked for it."""
    jump = clock_step(state, now)
    state = replace(state, clock=now)
    decided = decide(state, asked, now, history)
    if isinstance(decided, Refusal):
        return (*jump, _remembered(asked, decided))
    # Only what changed something can have freed a table for the plan that waits; most reports change nothing.
    waits = state.staged or state.proposed or state.emptying or state.taking_back or state.recalls
    if (waits or any(isinstance(one, _COMES) for one in decided)) and not isinstance(decided[0], NothingNew):
        decided = _with_effects(state, decided)
    if state.neighbours and any(telling.is_told(state, fact) for fact in decided):
        decided = _with_letters(state, asked, decided)
    assert decided, "every input has an answer"
    return (*jump, *decided)


def clock_step(state: State, now: int) -> tuple[Fact, ...]:
    """A clock that stepped back, as the fact before the answer; order comes from the sequence."""
    assert state.clock >= 0, "an instant"
    return (ClockWentBack(state.clock, now),) if now < state.clock else ()


def too_long(state: State, asked: Input, now: int, most: int) -> tuple[Fact, ...]:
    """The answer to an input that no record would hold; a wrong PIN is one here too."""
    assert most > 0, "a limit"
    # A guess at a PIN counts also in a request that is refused for its length: else it could be tried for ever.
    refusal = people.refuse_signatures(state, asked)
    if refusal is None or refusal.reason is not Reason.PIN_WRONG:
        refusal = refuse(Reason.TOO_LONG, "input", most=most)
    return (*clock_step(state, now), _remembered(asked, refusal))


def decide(state: State, asked: Input, now: int, history: Inquiry | None = None) -> Decided:
    """What an input does, or why not. Nothing is changed."""
    kind = type(asked)
    if isinstance(asked, ask.FoundNode):
        return node.found(state, asked)
    if not state.node:
        return refuse(Reason.NOT_FOUNDED, "node")
    refusal = people.refuse_signatures(state, asked) if kind in people.MAY else None  # nobody signs for a device
    if refusal is not None:
        return refusal
    if kind in _OF_SEAT or kind in _OF_TABLE:
        return _at_a_table(state, asked)
    if kind in _OF_PAST:
        return _of_the_past(state, asked, history)
    if kind in _OF_AWARD:
        return _on_an_award(state, asked)
    if isinstance(asked, ask.LookAtClock):
        return awards.overdue(state, asked, now)
    if isinstance(asked, ask.HearLetter):
        if taken.waits(state, asked):
            return taken.refuse_waiting(state, asked)
        assert history is not None or inquiry_for(state, asked) is None, "R-34: the record is asked first"
        return streams.hear(state, asked, partial(hear_wanted, history=history))
    assert kind in _OF_NODE, "every input has its part"
    return _OF_NODE[kind](state, asked)


def _at_a_table(state: State, asked: Any) -> Decided:
    """R-7, R-9: what concerns a table, or a seat of it; while it trains, its training copy."""
    name = asked.table
    table: Table | None = None if name.startswith(TRAINING) else state.tables.get(in_play(state, name))
    if table is None:
        return refuse(Reason.TABLE_UNKNOWN, "table", table=name)
    part = _OF_SEAT.get(type(asked))
    if part is None:
        return _OF_TABLE[type(asked)](state, table, asked)
    if not 1 <= asked.seat <= len(table.seats):
        return refuse(Reason.SEAT_NOT_THERE, "seat", table=name, seats=len(table.seats), seat=asked.seat)
    seat = table.seat(asked.seat)
    assert seat.number == asked.seat, "R-7: seats are numbered from 1"
    decided = part(state, table, seat, asked)
    return decided if isinstance(decided, Refusal) else _and_seal(state, table, decided)


def _and_seal(state: State, table: Table, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """R-5: perhaps this was the last thing that had to be proven."""
    assert facts, "something happened, or nothing new did"
    if table.phase is not Phase.LOCKING or isinstance(facts[0], NothingNew):
        return facts
    for fact in facts:
        state = apply(state, state.clock, fact)
    return (*facts, *passes.seal(state, table.name))


def _of_the_past(state: State, asked: Any, history: Inquiry | None) -> Decided:
    """R-34, R-35: what concerns a pass, of this minute or of last year."""
    assert history is not None or inquiry_for(state, asked) is None, "R-34: the record is asked first"
    is_far = history is not None and history.is_far
    if history is not None and (refusal := leaving.refuse_pass(state, history)) is not None:
        return refusal
    part = (corrections.ASK if is_far else _OF_PAST)[type(asked)]
    name = getattr(asked, "table", None)
    of = asked.claim.partition("/")[0] if name is None else name
    if of and is_away(of):
        return refuse(Reason.CLAIM_ELSEWHERE, "table", table=of, node=neighbour_of(of))
    if name is None or isinstance(asked, ask.CorrectClaim):
        return part(state, asked, history)
    table = None if name.startswith(TRAINING) else state.tables.get(in_play(state, name))
    if table is None:
        return refuse(Reason.TABLE_UNKNOWN, "table", table=name)
    return part(state, table, asked, history)


def _on_an_award(state: State, asked: Any) -> Decided:
    """R-20, R-21: what concerns an award of a claim."""
    name = awards.claim_of(asked.award)
    claim = state.claims.get(name)
    if claim is None:
        return refuse(Reason.AWARD_UNKNOWN, "award", award=asked.award)
    assert claim.id == name, "a claim is kept under its name"
    return _OF_AWARD[type(asked)](state, claim, asked)


def _remembered(asked: Input, refusal: Refusal) -> Refused:
    """A refusal as a fact, with whose signature it was that was refused."""
    signed = getattr(asked, "second", None) if refusal.where == "second" else None
    signed = signed or getattr(asked, "by", None)
    reason = refusal.reason
    assert refusal.where, "a refusal names the place"
    person = signed.person if signed is not None else ""
    return Refused(
        str(type(asked).__struct_config__.tag), reason.code, reason.rule, refusal.where, refusal.message, person
    )


def _with_effects(state: State, decided: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """R-26: a waiting plan may take effect now, and another one after it; or we are ready for a neighbour's."""
    for fact in decided:
        state = apply(state, state.clock, fact)
    while effects := plans.effects(state) or proposals.effects(state) or taken.effects(state) or passes.late(state):
        decided = (*decided, *effects)
        state = apply(state, state.clock, effects[0])
        assert len(decided) < 1000, "each plan takes effect once"
    return decided


def _with_letters(state: State, asked: Input, decided: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """R-28: what neighbours must know of this answer, fixed with it; or why it cannot be told yet."""
    for fact in decided:
        state = apply(state, state.clock, fact)
    assert state.neighbours, "R-28: somebody is told"
    for fact in [one for one in decided if telling.is_told(state, one)]:
        for stream, letter in telling.letters_of(state, fact):
            if refusal := taken.refuse_telling(state, asked, fact, stream, letter.pot):
                return (_remembered(asked, refusal),)
            told = streams.told(state, stream, letter)
            state = apply(state, state.clock, told)
            decided = (*decided, told)
    return decided


def apply(state: State, at: int, fact: Fact) -> State:
    """The state after a fact; what a training table moves is kept with it."""
    if state.neighbours and isinstance(fact, said.NodeStarted):
        state = neighbours.started(state, fact)  # since the last fact before it, and not since this one
    if at != state.clock:
        state = replace(state, clock=at)
    after = _APPLY[type(fact)](state, fact)
    if getattr(fact, "log", 0):
        after = taken.booked_again(after, fact)
    assert after.node or isinstance(fact, said.Refused | ClockWentBack), "a record begins with its node"
    if getattr(fact, "by", "") and not getattr(fact, "log", 0):
        after = people.signed(after, fact)
    return _with_training(after, fact) if after.training else after


def _with_training(state: State, fact: Fact) -> State:
    """The balances of training accounts, so that they can be closed to nothing."""
    name: str = getattr(fact, "table", "") or getattr(fact, "pot", "")
    book = state.training.get(name)
    if book is None:
        return state
    moved = dict(book)
    for line in postings(fact):
        assert TRAINING in line.account, "training money never touches a live account"
        moved[line.account] = moved.get(line.account, 0) + line.amount
    return replace(state, training={**state.training, name: moved})
