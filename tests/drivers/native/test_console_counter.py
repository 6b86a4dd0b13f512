"""The croupier's console and the table counter, through the same driver as the seats."""

import pytest

from drivers.line.failures import Failure
from drivers.modbus.pdu import Denial, Denied
from drivers.model import ConsoleSeen, DeviceKey, Down, SeatSeen, SignSeen, SignState, UnitDown, UnitUp
from drivers.native import contract as at
from drivers.native.asks import About
from drivers.native.contract import LockState, UnitClass
from drivers.native.writes import Desired, Display
from drivers.session import MILLISECOND, SECOND
from support.drivers.native_pair import Pair


def shown(pair):
    return [Display.decode(ask.request.words) for ask in pair.asked if ask.mark is About.DISPLAY]


# Console.


def test_a_console_is_told_when_it_is_up_and_has_no_seats():
    pair = Pair(UnitClass.CONSOLE, books={}).up()

    assert pair.last(UnitUp).seats == ()
    assert pair.all(SeatSeen) == []
    seen = pair.last(ConsoleSeen)
    assert (seen.device, seen.lock_presses, seen.unlock_presses, seen.key_changes) == (DeviceKey(77, 0), 0, 0, 0)
    assert [ask.mark for ask in pair.asked].count(About.DETAIL) == 1, "where its key stands"


def test_presses_shorter_than_a_poll_are_counted_and_told_once():
    pair = Pair(UnitClass.CONSOLE, books={}).up().forget()
    pair.firmware.lock_key(pair.now)
    pair.run(500 * MILLISECOND)
    pair.firmware.unlock_key(pair.now)
    pair.firmware.key_switch(on=True, now=pair.now)
    pair.run(SECOND)

    seen = pair.last(ConsoleSeen)
    assert (seen.lock_presses, seen.unlock_presses, seen.key_changes) == (1, 1, 1)
    assert not seen.lock_key_down
    assert any(seen.lock_key_down for seen in pair.all(ConsoleSeen))
    assert len(pair.all(ConsoleSeen)) == len(set(pair.all(ConsoleSeen)))
    assert pair.books[DeviceKey(77, 0)] == pair.firmware.memory.seq


def test_a_console_says_where_its_key_stands_though_it_was_turned_while_dead():
    pair = Pair(UnitClass.CONSOLE, books={}).up()
    assert pair.last(ConsoleSeen).key_on is False

    pair.firmware.key_switch(on=True, now=pair.now)
    pair.forget().run(SECOND)
    assert [seen.key_on for seen in pair.all(ConsoleSeen)] == [None, True], "told at once, and where it stands after it"

    pair.firmware.power_off(pair.now)
    pair.firmware.key_switch(on=False, now=pair.now)
    pair.firmware.power_on(pair.now)
    pair.run(5 * SECOND)
    assert pair.last(ConsoleSeen).key_on is False


def test_a_console_is_locked_and_unlocked_like_a_seat():
    pair = Pair(UnitClass.CONSOLE, books={}).up()
    pair.unit.unlock(3)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN
    pair.firmware.lock_key(pair.now)
    pair.run(2 * SECOND)

    assert pair.firmware._state == LockState.LOCKED
    assert pair.firmware.pulls_line
    assert pair.reasons() == []


def test_a_console_that_the_croupier_locked_is_not_opened_by_what_was_wanted_before():
    """The image of the press is lost, the heartbeat that still says UNLOCK is not."""
    pair = Pair(UnitClass.CONSOLE, books={}).up()
    pair.unit.unlock(3)
    pair.run(SECOND)
    pair.firmware.lock_key(pair.now)
    pair.wire = lambda ask: Failure.SILENT if ask.mark is About.IMAGE else pair.perfect(ask)
    pair.run(200 * MILLISECOND)
    assert pair.firmware._state == LockState.LOCKED
    assert not pair.firmware._lock_key_down
    assert Desired.decode(pair.firmware._desired).lock == at.UNLOCK, "what was wanted before"

    pair.wire = pair.perfect
    pair.run(2 * SECOND)
    assert pair.firmware._state == LockState.LOCKED
    assert pair.firmware.pulls_line


def test_the_lock_button_pressed_while_the_console_is_opened_has_the_last_word():
    pair = Pair(UnitClass.CONSOLE, books={}).up().forget()
    pair.firmware.hold(1, 1, pair.now)
    pair.unit.unlock(3)
    pair.run(500 * MILLISECOND)
    pair.firmware.release(1, 1, pair.now)
    pair.run(3 * SECOND)

    assert pair.firmware._state == LockState.LOCKED
    assert pair.results() == [("unlock", 0, False, "lock_key")]
    pair.unit.unlock(4)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_a_press_that_was_heard_before_the_owner_unlocks_is_no_obstacle():
    pair = Pair(UnitClass.CONSOLE, books={}).up().forget()
    for round_id in (3, 4):
        pair.unit.unlock(round_id)
        pair.run(SECOND)
        assert pair.firmware._state == LockState.OPEN
        pair.firmware.lock_key(pair.now)
        pair.run(SECOND)

    assert pair.results() == []


def test_an_owner_that_does_not_acknowledge_its_console_is_told_why_it_stays_locked():
    pair = Pair(UnitClass.CONSOLE).up().forget()
    pair.firmware.lock_key(pair.now)
    pair.run(SECOND)
    pair.unit.unlock(3)
    pair.run(3 * SECOND)

    assert pair.results() == [("unlock", 0, False, "unacknowledged")]
    pair.unit.acknowledge(pair.last(ConsoleSeen).device, pair.last(ConsoleSeen).seq)
    pair.unit.unlock(3)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_a_silent_console_is_down_without_seats():
    pair = Pair(UnitClass.CONSOLE, books={}).up().forget()
    pair.firmware.power_off(pair.now)
    pair.run(SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.last(UnitDown).seats == ()
    with pytest.raises(AssertionError, match="not a seat"):
        pair.unit.enable(1)


# Counter.


def test_a_counter_shows_dashes_until_it_is_told_a_value():
    pair = Pair(UnitClass.COUNTER).up().run(5 * SECOND)

    assert shown(pair) == []
    assert pair.all(SignSeen) == []
    assert pair.firmware.shows(1) == -1


def test_a_value_is_shown_proven_and_said_again_in_time():
    pair = Pair(UnitClass.COUNTER).up().forget()
    pair.unit.show(1234)
    pair.run(20 * SECOND)

    assert pair.firmware.shows(1) == 1234
    assert 9 <= len(shown(pair)) <= 11
    assert [(seen.state, seen.showing) for seen in pair.all(SignSeen)] == [(SignState.PROVEN, "1234")]
    beats = [display.heartbeat for display in shown(pair)]
    assert beats == sorted(set(beats))


def test_a_new_value_does_not_wait():
    pair = Pair(UnitClass.COUNTER).up().forget()
    pair.unit.show(1)
    pair.run(500 * MILLISECOND)
    pair.unit.show(2)
    pair.run(100 * MILLISECOND)

    assert pair.firmware.shows(1) == 2
    assert pair.last(SignSeen).showing == "2"


def test_a_counter_that_shows_something_else_is_told_and_is_written_again():
    pair = Pair(UnitClass.COUNTER).up().forget()
    pair.unit.show(7)
    pair.run(SECOND)
    pair.firmware._counter.value = 8
    pair.run(500 * MILLISECOND)
    assert pair.last(SignSeen).state is SignState.DIFFERS
    assert pair.last(SignSeen).showing == "8"
    pair.firmware._counter.blank()
    pair.run(300 * MILLISECOND)
    assert pair.last(SignSeen).showing == ""
    pair.run(3 * SECOND)

    assert pair.last(SignSeen) == SignSeen(unit=11, state=SignState.PROVEN, showing="7")


def test_a_counter_that_denies_its_display_is_not_asked_all_the_time():
    pair = Pair(UnitClass.COUNTER).up().forget()
    pair.wire = lambda ask: Denied(Denial.ADDRESS) if ask.mark is About.DISPLAY else pair.perfect(ask)
    pair.unit.show(7)
    pair.run(10 * SECOND)

    assert len(shown(pair)) <= 6
    assert pair.reasons() == []
    assert pair.last(SignSeen).state is SignState.DIFFERS


def test_a_counter_that_came_back_shows_the_value_again():
    pair = Pair(UnitClass.COUNTER).up()
    pair.unit.show(7)
    pair.run(SECOND)
    pair.firmware.power_off(pair.now)
    pair.run(SECOND)
    pair.firmware.power_on(pair.now)
    pair.run(2 * SECOND)

    assert pair.firmware.shows(1) == 7


def test_only_a_counter_shows_and_only_what_fits():
    with pytest.raises(AssertionError, match="only a counter"):
        Pair().unit.show(7)
    with pytest.raises(AssertionError, match="two words"):
        Pair(UnitClass.COUNTER).unit.show(-1)
