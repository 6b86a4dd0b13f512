"""The croupier's console and the table credit counter (2.3 A and V; classes 3 and 4)."""

import pytest

from drivers.modbus.pdu import Denial, Denied, Written
from drivers.native import contract as at
from drivers.native.contract import EventType, LockCause, LockState, SeatMode, UnitClass, UnitFlag
from drivers.native.writes import Display
from firmware_sim.native.console import BUTTON, KEY_SWITCH
from firmware_sim.native.counter import BLANK_WORD, DASHES
from firmware_sim.native.make import USUAL
from support.sim.firmware_host import Host


def console(**made):
    return Host(UnitClass.CONSOLE, **made).start()


def counter():
    host = Host(UnitClass.COUNTER)
    host.open_session()
    return host


# ---------------------------------------------------------------------------------------------------- console


def test_presses_of_the_keys_are_totals_with_events():
    host = console()
    host.unit.lock_key(host.now)
    host.wait(100)
    host.unit.unlock_key(host.now)
    host.wait(100)

    seat = host.seat()
    assert (seat.mode, seat.loaded, seat.bets) == (SeatMode.CONSOLE, 1, 1)
    assert host.kinds()[-3:] == [EventType.CROUPIER_LOCK, EventType.LOCK, EventType.CROUPIER_UNLOCK]
    assert host.detail().balance == 0


def test_a_press_shorter_than_a_poll_is_still_a_press():
    host = console()
    for _ in range(5):
        host.unit.lock_key(host.now)
        host.wait(90)

    assert host.seat().loaded == 5
    assert not host.poll().flags & UnitFlag.LOCK_KEY_DOWN


def test_the_lock_key_locks_the_console_and_pulls_the_line():
    host = console()
    assert not host.unit.pulls_line
    host.unit.lock_key(host.now)
    host.wait(30)

    poll = host.poll()
    assert poll.lock == LockState.LOCKED
    assert poll.flags & UnitFlag.LOCK_KEY_DOWN
    assert poll.flags & UnitFlag.LOCK_LINE
    assert host.unit.pulls_line
    assert host.events()[-1].argument == LockCause.KEY


def test_an_executed_unlock_of_the_console_frees_the_line():
    host = console()
    host.unit.lock_key(host.now)
    host.wait(30)
    host.unlock()
    assert host.poll().lock == LockState.LOCKED

    host.wait(100)
    host.unlock()
    assert host.poll().lock == LockState.LOCKED, "said by a host that has not heard of the key"
    host.unlock(ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.OPEN
    assert not host.unit.pulls_line


def test_a_press_of_the_lock_key_of_a_locked_console_must_have_been_heard_too():
    host = console()
    host.lock()
    heard = host.unit.memory.seq
    host.unit.lock_key(host.now)
    host.wait(200)
    host.unlock(ack=heard, round_id=9)
    assert host.poll().lock == LockState.LOCKED

    host.unlock(ack=heard + 1, round_id=9)
    assert host.poll().lock == LockState.OPEN


def test_a_boot_forgets_who_locked_it_because_it_locks_by_itself():
    host = console()
    host.unit.lock_key(host.now)
    host.wait(200)
    host.unit.power_off(host.now)
    host.unit.power_on(host.now)
    host.open_session()
    host.unlock()
    assert host.poll().lock == LockState.OPEN


def test_no_unlock_while_the_lock_key_is_held():
    host = console()
    host.unit.hold(1, 1, host.now)
    host.wait_fed(1000)
    host.unlock()
    assert host.poll().lock == LockState.LOCKED

    host.unit.release(1, 1, host.now)
    host.unlock()
    assert host.poll().lock == LockState.OPEN


def test_a_console_without_a_line_pulls_none():
    host = console(capabilities=USUAL[UnitClass.CONSOLE] & ~at.Capability.LOCK_LINE)
    host.unit.lock_key(host.now)
    host.wait(30)

    assert not host.unit.pulls_line
    assert not host.poll().flags & UnitFlag.LOCK_LINE


def test_a_dead_console_is_a_broken_wire():
    host = console()
    host.unit.power_off(host.now)

    assert host.unit.pulls_line


def test_a_seat_pulls_no_line():
    host = Host().start()
    host.unit.power_off(host.now)

    assert not host.unit.pulls_line


def test_every_change_of_the_key_switch_is_counted_and_told():
    host = console()
    for on in (True, True, False):
        host.unit.key_switch(on, host.now)

    assert host.seat().voided == 2
    assert [(entry.kind, entry.argument) for entry in host.events()[-2:]] == [
        (EventType.CROUPIER_UNLOCK, KEY_SWITCH),
        (EventType.CROUPIER_LOCK, KEY_SWITCH),
    ]
    assert KEY_SWITCH != BUTTON
    assert host.poll().lock == LockState.OPEN


def test_the_key_switch_stands_in_the_raw_inputs():
    host = console()
    host.unit.key_switch(True, host.now)

    assert host.detail().inputs == 1 << 6


def test_the_key_switch_of_a_dead_console_or_of_a_seat_counts_nothing():
    host = console()
    host.unit.power_off(host.now)
    host.unit.key_switch(True, host.now)
    host.unit.power_on(host.now)
    assert host.seat().voided == 0
    other = Host().start()
    other.unit.key_switch(True, other.now)
    assert other.seat().voided == 0


def test_other_contacts_of_a_console_are_nothing():
    host = console()
    before = host.poll().seq
    host.press(button=3)

    assert host.poll().seq == before


def test_a_console_shows_no_number():
    assert console().unit.shows(1) == DASHES


# ---------------------------------------------------------------------------------------------------- counter


def test_a_counter_shows_dashes_until_it_is_told():
    host = counter()
    assert host.unit.shows(1) == DASHES
    assert host.seat().loaded == BLANK_WORD

    assert host.show(1_234_567) == Written()
    assert host.unit.shows(1) == host.seat().loaded == 1_234_567
    assert host.seat().mode == SeatMode.COUNTER


def test_a_counter_blanks_itself_after_5_s_without_a_write():
    host = counter()
    host.show(7)
    host.wait(4000)
    host.show(8)
    host.wait(4999)
    assert host.unit.shows(1) == 8

    host.wait(1)
    assert host.unit.shows(1) == DASHES


def test_a_late_or_foreign_write_is_not_shown():
    host = counter()
    host.show(7)
    assert host.show(8, heartbeat=host.beat) == Written()
    assert host.show(9, token=host.token ^ 1) == Written()

    assert host.unit.shows(1) == 7


def test_the_first_write_of_a_new_session_is_shown():
    host = counter()
    host.beat = 500
    host.show(7)
    host.open_session()
    host.show(8, heartbeat=3)

    assert host.unit.shows(1) == 8


def test_what_was_written_can_be_read_and_is_gone_after_a_reboot():
    host = counter()
    host.show(7)
    assert Display.decode(host.read(at.DISPLAY, 8)).value == 7

    host.unit.reboot(at.ResetCause.EXTERNAL, host.now)
    assert host.read(at.DISPLAY, 8) == (0,) * 8
    assert host.unit.shows(1) == DASHES


@pytest.mark.parametrize("words", [(0,) * 7, (1,) * 8])
def test_a_write_that_is_not_whole_is_exception_03(words):
    assert counter().write(at.DISPLAY, words) == Denied(Denial.VALUE)


def test_a_counter_is_not_concerned_with_rounds():
    host = counter()
    for host.round_id in (3, 9, 3):
        host.unlock()
        assert host.poll().lock == LockState.OPEN
        host.lock()
