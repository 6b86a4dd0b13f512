"""The lives of passes, claims and awards as a history shows them, held against the tables of `controller.core.lives`.

`Witness.see` looks at one question, its answer and the state before: whatever changed its phase must stand in a table,
and whatever the table refuses must have been refused. The cells it came across are counted, so that a table cannot hold
a row that never happens.
"""

from collections import Counter
from enum import StrEnum
from typing import Any

from controller.core import inputs as ask
from controller.core.facts import (
    AwardConfirmed,
    AwardPaid,
    AwardSetAside,
    ClaimCorrected,
    ClaimRegistered,
    Fact,
    HandsVoided,
    Locked,
    PassClosed,
    PassOpened,
    PassSealed,
    PrizeGranted,
    Refused,
)
from controller.core.inputs import Input
from controller.core.lives import AWARD, CLAIM, PASS, Life
from controller.core.machine import apply
from controller.core.state import Claim, State, Table, in_play
from controller.core.values import AwardPhase, ClaimPhase, Phase
from controller.rules.refusal import Reason

Cell = tuple[str, type, StrEnum]
LIVES: dict[str, Life[Any]] = {"pass": PASS, "claim": CLAIM, "award": AWARD}
CELLS: frozenset[Cell] = frozenset(
    (name, act, phase) for name, life in LIVES.items() for act, row in life.items() for phase in row
)


def act_of(fact: Fact, asked: Input) -> type | None:
    """The row that a fact reads: what is asked for, whoever asked for it and in which words."""
    match fact:
        case HandsVoided():
            return ask.VoidPass if fact.whole_pass else ask.VoidHand
        case PassOpened():
            return ask.OpenPass
        case Locked():
            return ask.Lock
        case PassSealed():
            return PassSealed
        case PassClosed():
            return ask.ClosePass
        case ClaimCorrected():  # whatever act it follows from, what it takes away is rejected
            return ask.RejectClaim
        case AwardConfirmed() | AwardPaid() | AwardSetAside():
            return type(asked)
    return None


class Witness:
    """What was seen of the tables."""

    def __init__(self) -> None:
        self.seen: Counter[Cell] = Counter()

    def see(self, before: State, asked: Input, facts: tuple[Fact, ...], at: int) -> None:
        self._answer(before, asked, facts)
        for fact in facts:
            after = apply(before, at, fact)
            self._tables(before, after, fact, asked)
            self._claims(before, after, fact, asked)
            before = after

    def _answer(self, before: State, asked: Input, facts: tuple[Fact, ...]) -> None:
        """What a cell refuses is refused, by its reason or by one that is asked beside it; a reason of a row is given
        only where a cell says so. (A hand without a bet is refused like one between passes.)"""
        refusal = facts[-1].reason if isinstance(facts[-1], Refused) else ""
        cells = {(name, phase): LIVES[name][type(asked)][phase] for name, phase in self._concerned(before, asked)}
        codes = {cell.code for cell in cells.values() if isinstance(cell, Reason)}
        if isinstance(asked, ask.RegisterClaim) and refusal == Reason.CLAIM_STANDS.code:
            codes.add(refusal)  # a claim that stands and owes nothing may be known to the record alone
        for (name, phase), cell in cells.items():
            assert refusal or not isinstance(cell, Reason), (asked, phase, cell)
            if not refusal or (isinstance(cell, Reason) and cell.code == refusal):
                self.seen[name, type(asked), phase] += 1
        rows = [LIVES[name][type(asked)].values() for name, _ in cells]
        known = {cell.code for row in rows for cell in row if isinstance(cell, Reason)} - {Reason.NO_BET.code}
        # What the state knows no more, the record refuses.
        assert not cells or refusal not in known or refusal in codes, (asked, refusal, cells)

    def _concerned(self, state: State, asked: Input) -> list[tuple[str, StrEnum]]:
        """The lives that this question is about, and how far each of them is."""
        kind, found = type(asked), list[tuple[str, StrEnum]]()
        table: Table | None = None
        if isinstance(asked, ask.CloseDay):
            found += [("pass", one.phase) for one in state.tables.values() if not one.training]
        elif kind in PASS and not asked.table.startswith("~"):  # type: ignore[union-attr]
            table = state.tables.get(in_play(state, asked.table))  # type: ignore[union-attr]
            found += [("pass", table.phase)] if table else []
        return found + self._won(state, asked, table)

    def _won(self, state: State, asked: Input, table: Table | None) -> list[tuple[str, StrEnum]]:
        match asked:
            case ask.RejectClaim():
                claim = state.claims.get(asked.claim)
                own = [claim] if claim else []
            case ask.ConfirmAward() | ask.PayAward() | ask.SetAside():
                claim = state.claims.get(asked.award.rpartition("/")[0])
                own = [claim] if claim and asked.award in claim.awards else []
            case ask.VoidHand() | ask.VoidPass() if table is not None and table.phase is Phase.SEALED:
                of_pass = [
                    one for one in state.claims.values() if (one.table, one.number) == (table.name, table.number)
                ]
                gone = {asked.seat} if isinstance(asked, ask.VoidHand) else {bet.seat for bet in table.bets}
                own = [one for one in of_pass if gone & {held.granted.seat for held in one.awards.values()}]
                own = [one for one in own if _was_paid(one, gone)] or own
            case ask.RegisterClaim() if not asked.table.startswith("~") and in_play(state, asked.table) in state.tables:
                playing = state.tables[in_play(state, asked.table)]
                number = asked.number or playing.number
                own = [one for one in state.claims.values() if (one.table, one.number) == (playing.name, number)]
                own = [one for one in own if not one.prize]
            case _:
                own = []
        if (
            isinstance(asked, ask.VoidHand)
            and table is not None
            and not any(bet.seat == asked.seat for bet in table.bets)
        ):
            own = []  # without a bet nothing else is asked
        kind = type(asked)
        found: list[tuple[str, StrEnum]] = [
            ("claim", ClaimPhase.PAID if kind is ask.VoidPass and _was_paid(claim) else claim.phase)
            for claim in own
            if kind in CLAIM
        ]
        return found + [("award", phase) for claim in own if kind in AWARD for phase in _awards_of(claim, asked)]

    def _tables(self, before: State, after: State, fact: Fact, asked: Input) -> None:
        for name, table in before.tables.items():
            now = after.tables.get(name)
            act = act_of(fact, asked) if getattr(fact, "table", "") == name else None
            if act is not None and act in PASS and now is not None:
                assert PASS[act].get(table.phase) is now.phase, (fact, table.phase, now.phase)
                self.seen["pass", act, table.phase] += 1
            else:
                assert now is None or now.phase is table.phase, (fact, table.phase)

    def _claims(self, before: State, after: State, fact: Fact, asked: Input) -> None:
        for name, claim in after.claims.items():
            was = before.claims.get(name)
            if was is None:
                self._born(claim, fact)
                continue
            act = act_of(fact, asked)
            if was.phase is not claim.phase and not isinstance(fact, ClaimCorrected):
                assert act is not None and CLAIM[act][was.phase] is claim.phase, (fact, was.phase, claim.phase)
            for award in was.awards:
                old, new = was.awards[award].phase, claim.awards[award].phase
                assert old is new or (act is not None and AWARD[act][old] is new), (fact, old, new)

    def _born(self, claim: Claim, fact: Fact) -> None:
        promo = isinstance(fact, PrizeGranted) and fact.promo and not fact.held
        assert isinstance(fact, ClaimRegistered | PrizeGranted | ClaimCorrected)
        assert isinstance(fact, ClaimCorrected) or claim.phase is (ClaimPhase.PAID if promo else ClaimPhase.HELD)


def _awards_of(claim: Claim, asked: Input) -> set[AwardPhase]:
    if isinstance(asked, ask.ConfirmAward | ask.PayAward | ask.SetAside):
        return {claim.awards[asked.award].phase}
    seats = {asked.seat} if isinstance(asked, ask.VoidHand) else {held.granted.seat for held in claim.awards.values()}
    return {held.phase for held in claim.awards.values() if held.granted.seat in seats}


def _was_paid(claim: Claim, seats: set[int] | None = None) -> bool:
    """R-25: also what was paid and found false afterwards stands in the way of a void."""
    return any(held.paid and (seats is None or held.granted.seat in seats) for held in claim.awards.values())
