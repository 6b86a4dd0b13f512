"""The gaming day: opened with the hash of a secret, closed with the secret itself, on empty tables (R-27, R-30).

Theory. The seed of all draws is committed to before the first pass and revealed after the last one, so nobody can have
chosen it to fit. What is settled leaves the state with the day and stays in the record; what is still held goes on.
"""

import re

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import DayClosed, DayOpened
from controller.core.inputs import CloseDay, OpenDay
from controller.core.lives import PASS
from controller.core.people import NAME
from controller.core.state import Day, State, Table
from controller.core.values import TRAINING, Phase
from controller.rules.complementary import SEED_BYTES, commitment
from controller.rules.refusal import Reason, Refusal, refuse

_DIGEST = re.compile(r"[0-9a-f]{64}")


def open_day(state: State, asked: OpenDay) -> tuple[DayOpened] | Refusal:
    """R-30: committed before the day's first pass."""
    if state.day is not None:
        return refuse(Reason.DAY_OPEN, "day", day=state.day.name)
    if not NAME.fullmatch(asked.day):
        return refuse(Reason.NAME_WRONG, "day", name=asked.day)
    if asked.day <= state.last_day:
        return refuse(Reason.DAY_OUT_OF_ORDER, "day", day=asked.day, last=state.last_day)
    if not _DIGEST.fullmatch(asked.commitment):
        return refuse(Reason.COMMITMENT_WRONG, "commitment")
    assert all(table.phase is Phase.BETWEEN or table.training for table in state.tables.values()), (
        "no pass without a day"
    )
    return (DayOpened(asked.day, asked.commitment, asked.by.person),)


def close_day(state: State, asked: CloseDay) -> tuple[DayClosed] | Refusal:
    """On empty tables; awards that are still held go on into the next day."""
    if state.day is None:
        return refuse(Reason.DAY_NOT_OPEN, "day")
    for table in state.tables.values():
        refusal = _refuse_unfinished(table)
        if refusal is not None:
            return refusal
    seed = bytes.fromhex(asked.seed) if _DIGEST.fullmatch(asked.seed) else b""
    if len(seed) != SEED_BYTES or commitment(seed) != state.day.commitment:
        return refuse(Reason.SEED_WRONG, "seed")
    assert not any(name.startswith(TRAINING) for name in state.pots), "training ended with its tables"
    meters = {name: pot.meters for name, pot in state.pots.items()}
    return (DayClosed(state.day.name, asked.seed, asked.by.person, meters),)


def _refuse_unfinished(table: Table) -> Refusal | None:
    if table.training:
        return refuse(Reason.TRAINING_ON, "table", table=table.name.removeprefix(TRAINING))
    reason = lives.refused(PASS, table.phase, CloseDay)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    amount = sum(seat.credits + seat.promo + seat.owed for seat in table.seats) + abs(table.suspense)
    assert all(seat.bet == 0 for seat in table.seats), "R-5: no bet lies between passes"
    return refuse(Reason.MONEY_ON_TABLE, "table", table=table.name, amount=amount) if amount else None


def day_opened(state: State, fact: DayOpened) -> State:
    assert state.day is None, "one day after the other"
    return replace(state, day=Day(fact.day, fact.commitment, state.clock))


def day_closed(state: State, fact: DayClosed) -> State:
    """What is settled leaves the state; it stays in the record."""
    assert state.day is not None and state.day.name == fact.day, "the open day is closed"
    # Only what is still owed goes on; so a snapshot of the tenth year is as small as one of the first day.
    claims = {name: claim for name, claim in state.claims.items() if claim.pending}
    pots = {name: replace(pot, moments_given=()) for name, pot in state.pots.items()}
    return replace(state, day=None, last_day=fact.day, claims=claims, pots=pots)
