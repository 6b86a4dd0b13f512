"""The lock of a whole line against real units: whoever missed the broadcast is locked, and no heartbeat opens it again."""

import pytest

from drivers.modbus.pdu import WriteWords
from drivers.model import SeatSeen
from drivers.native import contract as at
from drivers.native.asks import About
from drivers.native.contract import LockState
from drivers.native.writes import BROADCAST_LOCK
from drivers.session import SECOND
from support.drivers.native_line import MS, line_of, table
from support.drivers.native_pair import Pair


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


def test_who_shows_that_it_missed_the_broadcast_is_told_in_the_same_turn():
    world, firmware, unplug = an_open_line()
    plug = unplug(2)
    world.act(lambda _: world.first.host.lock_all())
    world.run_while(lambda: not world.first.host.counters(0).asked, world.now + SECOND)
    world.run_for(3 * MS)  # the broadcast is on the wire for 2.4
    world.act(lambda _: plug())
    asked = {unit: world.first.host.counters(unit).asked for unit in (1, 2, 3)}
    world.run_while(lambda: firmware[1]._state == LockState.OPEN, world.now + SECOND)

    had = {unit: world.first.host.counters(unit).asked - before for unit, before in asked.items()}
    assert firmware[1]._state == LockState.LOCKED
    assert had[2] == 2 and had[1] <= 1 and had[3] <= 1, "an image and the lock, and of nobody else a second turn before"


def test_an_unlock_that_is_still_under_way_opens_nothing_that_was_proven_locked():
    """A gateway keeps a heartbeat that unlocks, and a second copy of the last answer stands for its own."""
    pair = Pair(books={}).opened().forget()
    kept, answers = [], []

    def wire(ask):
        if ask.mark is About.DESIRED and answers and not kept:
            kept.append(ask)
            return answers[-1]
        answer = pair.perfect(ask)
        answers.extend([answer] if ask.mark is About.DESIRED else [])
        return answer

    pair.wire = wire
    pair.run_until(lambda: bool(kept)).forget()
    pair.unit.lock()
    pair.firmware.broadcast(WriteWords(at.DESIRED, tuple(BROADCAST_LOCK)), pair.now)
    pair.unit.lock_was_broadcast()
    pair.run_until(lambda: any(seen.locked for seen in pair.all(SeatSeen)))
    pair.firmware.serve(kept[0].request, pair.now)

    assert pair.firmware._state == LockState.LOCKED
