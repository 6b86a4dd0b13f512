"""What persons do to devices: play goes on after a device came back, lamps and signs are tried, faults are cleared.

Theory. None of it moves money, and what a device makes of it is no business of the core; but who did it, and where,
stands on record under the id of the request (R-27), so that the same request never does it twice. Whether a device is
there to do it is known outside.
"""

from controller.core import lives, passes
from controller.core.facts import DeviceTended, PassOpened
from controller.core.inputs import ClearFaults, OpenPass, TryLamps, TrySign, UnlockTable
from controller.core.lives import PASS
from controller.core.state import Seat, State, Table
from controller.core.values import Phase, Tending
from controller.rules.refusal import Refusal, refuse


def unlock_table(state: State, table: Table, asked: UnlockTable) -> tuple[PassOpened | DeviceTended] | Refusal:
    """R-5: the next pass; in an open one, the seats that came back and wait for somebody to open them."""
    assert asked.by.person, "R-27: somebody did it"
    if table.phase is Phase.OPEN:
        return (DeviceTended(Tending.REOPEN, asked.by.person, table.name),)
    return passes.open_pass(state, table, OpenPass(asked.table, asked.by))


def try_lamps(_state: State, table: Table, asked: TryLamps) -> tuple[DeviceTended] | Refusal:
    """R-6: never while a lamp says something about a bet."""
    reason = lives.refused(PASS, table.phase, TryLamps)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    assert not any(seat.bet for seat in table.seats), "R-6: no lamp means anything"
    return (DeviceTended(Tending.LAMPS, asked.by.person, table.name),)


def clear_faults(_state: State, table: Table, seat: Seat, asked: ClearFaults) -> tuple[DeviceTended]:
    assert seat.number == asked.seat, "R-7: the seat that was looked at"
    return (DeviceTended(Tending.FAULTS, asked.by.person, table.name, seat.number),)


def try_sign(_state: State, asked: TrySign) -> tuple[DeviceTended]:
    assert asked.by.person, "R-27: somebody did it"
    return (DeviceTended(Tending.SIGN, asked.by.person, sign=asked.sign),)
