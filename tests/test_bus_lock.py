"""The lock of a whole line against real units: whoever missed the broadcast is locked, and no heartbeat opens it again."""

import pytest
from native_line import MS, line_of, table

from drivers.model import SeatSeen
from drivers.native.contract import LockState
from drivers.session import SECOND


def an_open_line(hear=lambda _event, _now: None):
    units, timing = table(3, 115200, 5, 2)
    world, drivers, firmware, unplug = line_of(units, timing, hear)
    world.run_for(3 * SECOND)
    world.act(lambda _: [driver.unlock(5) for driver in drivers])
    world.run_for(SECOND)
    assert {unit._state for unit in firmware} == {LockState.OPEN}
    return world, firmware, unplug


@pytest.mark.parametrize("moment", range(0, 320, 20))
def test_a_unit_that_was_locked_by_broadcast_is_not_opened_by_the_next_heartbeat(moment):
    world, firmware, _ = an_open_line()
    world.run_for(moment * MS)
    world.act(lambda _: world.first.host.lock_all())
    world.run_for(50 * MS)
    for _ in range(100):
        world.run_for(10 * MS)
        assert {unit._state for unit in firmware} == {LockState.LOCKED}


def test_who_shows_that_it_heard_the_broadcast_is_not_told_again_before_all_are_proven():
    proven, heard = {}, lambda event, now: proven.setdefault(event.unit, now) if _is_shut(event) else None
    world, firmware, _ = an_open_line(heard)
    proven.clear()
    fed = [len(unit.fed) for unit in firmware]
    world.act(lambda _: world.first.host.lock_all())
    world.run_while(lambda: len(proven) < len(firmware), world.now + SECOND)

    assert len(proven) == len(firmware)
    assert sum(len(unit.fed) for unit in firmware) - sum(fed) <= 1, "at most the heartbeat of one was due meanwhile"


def _is_shut(event):
    return isinstance(event, SeatSeen) and event.locked


def test_a_unit_that_missed_the_broadcast_is_locked_by_its_next_turn():
    world, firmware, unplug = an_open_line()
    plug = unplug(2)
    world.act(lambda _: world.first.host.lock_all())
    world.run_for(30 * MS)
    assert firmware[1]._state == LockState.OPEN, "it heard nothing"
    world.act(lambda _: plug())
    world.run_for(SECOND)

    assert {unit._state for unit in firmware} == {LockState.LOCKED}
