"""The gaming day: opened with the hash of a secret, closed with the secret itself, on empty tables (R-27, R-30).

Theory. The seed of all draws is committed to before the first pass and revealed after the last one, so nobody can have
chosen it to fit. What is settled leaves the state with the day and stays in the record; what is still held goes on.
A day is named for a date within a day of the clock; two persons put a wrong name right, of the open day or of the one
that was closed last, and its draws keep the name under which its seed was committed. Where the seed itself is lost, two
persons say so: nothing is drawn any more, what was drawn is void as a proof, and the day closes without it.
"""

import re

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import DayClosed, DayOpened, DayRenamed, NothingNew, SeedLost
from controller.core.inputs import CloseDay, LoseSeed, OpenDay, RenameDay
from controller.core.lives import PASS
from controller.core.state import State, Table
from controller.core.values import TRAINING, Day, Phase
from controller.rules.calendar import day_number, days_away
from controller.rules.complementary import SEED_BYTES, commitment
from controller.rules.refusal import Reason, Refusal, refuse

_DIGEST = re.compile(r"[0-9a-f]{64}")
NONCES_KEPT = 400
"""R-30: of how many days a number by chance is remembered: more than a year of them."""
_MOST_AWAY = 1
"""Days between a name and the clock's date (UTC): more than any time zone makes, or a day opened before midnight."""


def open_day(state: State, asked: OpenDay) -> tuple[DayOpened] | Refusal:
    """R-30: committed before the day's first pass."""
    if state.day is not None:
        return refuse(Reason.DAY_OPEN, "day", day=state.day.name)
    refusal = _refuse_name(asked.day, state.last_day, state.clock)
    if refusal is not None:
        return refusal
    if (days_away(asked.day, state.clock) or 0) < -_MOST_AWAY:
        return refuse(Reason.DAY_FAR, "day", day=asked.day)
    refusal = _refuse_secret(state, asked)
    if refusal is not None:
        return refusal
    assert all(table.phase is Phase.BETWEEN or table.training for table in state.tables.values()), (
        "no pass without a day"
    )
    return (DayOpened(asked.day, asked.commitment, asked.by.person, asked.nonce),)


def _refuse_secret(state: State, asked: OpenDay) -> Refusal | None:
    """R-30: a seed that was made for this day, and that nobody chose; a number by chance that opened no day before."""
    if not _DIGEST.fullmatch(asked.nonce):
        return refuse(Reason.NONCE_WRONG, "nonce")
    if asked.nonce in state.nonces:
        return refuse(Reason.NONCE_USED, "nonce")
    if asked.found:
        return refuse(Reason.SEED_FOUND, "day", day=asked.day, place=asked.found)
    assert len(state.nonces) <= NONCES_KEPT, "a state does not grow with the years"
    return None if _DIGEST.fullmatch(asked.commitment) else refuse(Reason.COMMITMENT_WRONG, "commitment")


def _refuse_name(day: str, last: str, clock: int) -> Refusal | None:
    """R-27: a date that does not lie ahead, later than the day before it."""
    away = days_away(day, clock)
    if away is None:
        return refuse(Reason.DAY_NO_DATE, "day", day=day)
    if away > _MOST_AWAY:
        return refuse(Reason.DAY_FAR, "day", day=day)
    follows = day_number(last) is None or day > last  # an older record may have names that are no dates
    assert follows or last, "a day that follows none is in order"
    return None if follows else refuse(Reason.DAY_OUT_OF_ORDER, "day", day=day, last=last)


def rename_day(state: State, asked: RenameDay) -> tuple[DayRenamed | NothingNew] | Refusal:
    """R-27: the open day, or the one closed last, under its right date. Days stay in order. It may have been opened
    long ago, or by a clock that was wrong; so the new name only may not lie ahead."""
    day = state.day
    was, before = (day.name, state.last_day) if day else (state.last_day, state.day_before)
    if not was:
        return refuse(Reason.DAY_NOT_OPEN, "day")
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    if asked.day == was:
        return (NothingNew("el nombre del día"),)
    refusal = _refuse_name(asked.day, before, state.clock)
    if refusal is not None:
        return refusal
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (DayRenamed(was, asked.day, asked.reason, asked.by.person, asked.second.person),)


def lose_seed(state: State, asked: LoseSeed) -> tuple[SeedLost] | Refusal:
    """R-30: nobody can compute the draws of this day again; refused while the node still has its seed."""
    if state.day is None:
        return refuse(Reason.DAY_NOT_OPEN, "day")
    if state.day.lost:
        return refuse(Reason.SEED_IS_LOST, "day", day=state.day.name)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    if _is_seed_of(asked.seed, state.day):
        return refuse(Reason.SEED_IS_THERE, "seed", day=state.day.name)
    assert asked.by.person != asked.second.person, "R-30: two different persons"
    return (SeedLost(state.day.name, asked.reason, asked.by.person, asked.second.person),)


def _is_seed_of(text: str, day: Day) -> bool:
    seed = bytes.fromhex(text) if _DIGEST.fullmatch(text) else b""
    assert len(seed) in (0, SEED_BYTES), "R-30: a seed is as long as its digits say"
    return len(seed) == SEED_BYTES and commitment(seed) == day.commitment


def close_day(state: State, asked: CloseDay) -> tuple[DayClosed] | Refusal:
    """On empty tables; awards that are still held go on into the next day."""
    if state.day is None:
        return refuse(Reason.DAY_NOT_OPEN, "day")
    for table in state.tables.values():
        refusal = _refuse_unfinished(table)
        if refusal is not None:
            return refusal
    lost = state.day.lost
    if not lost and not _is_seed_of(asked.seed, state.day):
        return refuse(Reason.SEED_WRONG, "seed")
    assert not any(name.startswith(TRAINING) for name in state.pots), "training ended with its tables"
    meters = {name: pot.meters for name, pot in state.pots.items()}
    return (DayClosed(state.day.name, "" if lost else asked.seed, asked.by.person, meters, lost),)


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
    tables = {name: _begins_anew(table) for name, table in state.tables.items()}
    people = {name: replace(one, held=()) if one.held else one for name, one in state.people.items()}
    day = Day(fact.day, fact.commitment, state.clock, nonce=fact.nonce)
    nonces = (*state.nonces, fact.nonce)[-NONCES_KEPT:] if fact.nonce else state.nonces
    return replace(state, day=day, tables=tables, people=people, nonces=nonces)


def _begins_anew(table: Table) -> Table:
    """R-37: what was handed back over the maximum counts for a gaming day."""
    if not any(seat.over_paid for seat in table.seats):
        return table
    assert table.phase is Phase.BETWEEN or table.training, "no pass without a day"
    return replace(table, seats=tuple(replace(seat, over_paid=0) for seat in table.seats))


def day_closed(state: State, fact: DayClosed) -> State:
    """What is settled leaves the state; it stays in the record."""
    assert state.day is not None and state.day.name == fact.day, "the open day is closed"
    # Only what is still owed goes on; so a snapshot of the tenth year is as small as one of the first day.
    claims = {name: claim for name, claim in state.claims.items() if claim.owed}
    pots = {name: replace(pot, moments_given=()) for name, pot in state.pots.items()}
    return replace(state, day=None, last_day=fact.day, day_before=state.last_day, claims=claims, pots=pots)


def day_renamed(state: State, fact: DayRenamed) -> State:
    day = state.day
    assert fact.was == (day.name if day else state.last_day), "R-27: the day that was renamed"
    if day is None:
        return replace(state, last_day=fact.day)
    return replace(state, day=replace(day, name=fact.day, committed_as=day.first_name))


def seed_lost(state: State, fact: SeedLost) -> State:
    """R-30: what waited for the seed waits no more."""
    assert state.day is not None and state.day.name == fact.day, "the seed of the open day"
    tables = {name: replace(table, draws=()) for name, table in state.tables.items()}
    return replace(state, day=replace(state.day, lost=fact.reason), tables=tables)
