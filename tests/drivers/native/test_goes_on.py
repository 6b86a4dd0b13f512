"""A session that broke off goes on, where the unit shows in time that nothing happened to it (devices.md 2.6).

One bet of a unit seals its round once it was locked: so a line that fails for a moment must not lock it, or all its
other seats are out until the next pass.
"""

import random

import pytest

from drivers.line.failures import Failure
from drivers.modbus.pdu import WriteWords
from drivers.model import BetSeen, Down, Settled, UnitUp
from drivers.native.asks import About
from drivers.native.contract import COMMAND, DESIRED, LOCK, Bet, LockState, Opcode, UnitClass
from drivers.native.writes import Command, Desired
from drivers.session import MILLISECOND, SECOND
from support.drivers.native_pair import FIRST_COMMAND, Pair

SHORT = 300 * MILLISECOND
T1 = 1_500 * MILLISECOND


def playing(seats=3, **settings):
    """A bet stands at the first seat."""
    pair = Pair(UnitClass.TABLE, seats, books={}, **settings).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.run(SECOND)
    assert pair.state(1) == Bet.CONFIRMED
    return pair.forget()


def cut(pair, time=SHORT):
    """The connection is lost and comes back; the unit noticed nothing but the silence."""
    pair.unit.line_down(pair.now)
    pair.run(time)
    pair.unit.line_up(pair.now)
    return pair


def silent(pair, time=SHORT):
    """Answers are lost for a while."""
    pair.wire = pair.lost_answer
    pair.run(time)
    pair.wire = pair.perfect
    return pair


def open_by(host, command_id):
    return Command(command_id=command_id, opcode=Opcode.OPEN_SESSION, seat=0, expected=0, target=host, token=0)


def sessions_opened(pair):
    """By the driver, since it was told to forget."""
    commands = [Command.decode(ask.request.words) for ask in pair.asked if ask.mark is About.COMMAND]
    return sum(command.opcode == Opcode.OPEN_SESSION for command in commands)


@pytest.mark.parametrize("break_off", [cut, silent])
def test_the_other_seats_of_a_unit_play_on_after_a_line_that_failed_for_a_moment(break_off):
    pair = playing()
    token = pair.firmware._token
    break_off(pair).run(SECOND)

    assert pair.last(UnitUp).goes_on and not pair.last(UnitUp).rebooted
    assert (pair.firmware._state, pair.state(1), pair.firmware._token) == (LockState.OPEN, Bet.CONFIRMED, token)
    assert sessions_opened(pair) == 0
    pair.firmware.press(2, 2, pair.now)
    pair.run(SECOND)
    assert pair.last(seat=2).bet is BetSeen.CONFIRMED


def test_who_is_there_is_asked_first_and_every_seat_is_told_anew():
    pair = cut(playing()).run(SECOND)

    assert [ask.mark for ask in pair.asked[:3]] == [About.IDENTITY, About.CONFIG, About.IMAGE]
    assert pair.reasons() == [Down.LINE_DOWN]
    up = pair.events.index(pair.last(UnitUp))
    assert [event.seat for event in pair.events[up + 1 : up + 4]] == [1, 2, 3]


def test_a_press_while_the_line_was_gone_is_confirmed_when_it_is_back():
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.run(100 * MILLISECOND)
    pair.firmware.press(3, 1, pair.now)
    pair.run(100 * MILLISECOND)
    pair.unit.line_up(pair.now)
    pair.run(SECOND)

    assert pair.state(3) == Bet.CONFIRMED and pair.last(seat=3).bet is BetSeen.CONFIRMED


def test_a_lock_that_was_wanted_while_the_line_was_gone_is_the_first_thing_that_is_said():
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.run(100 * MILLISECOND)
    pair.unit.lock()
    pair.unit.lock_was_broadcast()
    pair.unit.line_up(pair.now)
    pair.run(SECOND)

    assert pair.last(UnitUp).goes_on and sessions_opened(pair) == 0
    assert pair.firmware._state == LockState.LOCKED and all(pair.last(seat=seat).locked for seat in (1, 2, 3))
    pair.run(5 * SECOND)
    assert pair.firmware._state == LockState.LOCKED


def test_a_unit_that_was_locked_stays_locked_and_keeps_its_session():
    pair = playing()
    pair.unit.lock()
    pair.run(SECOND)
    cut(pair.forget()).run(SECOND)

    assert pair.last(UnitUp).goes_on and pair.firmware._state == LockState.LOCKED
    assert pair.last(seat=1).bet is BetSeen.SEALED


@pytest.mark.parametrize("time", [T1 + 200 * MILLISECOND, 5 * SECOND, 40 * SECOND])
def test_a_unit_that_locked_itself_meanwhile_gets_a_new_session_and_stays_locked(time):
    pair = cut(playing(), time).run(3 * SECOND)

    assert not pair.last(UnitUp).goes_on and sessions_opened(pair) == 1
    assert pair.firmware._state == LockState.LOCKED
    pair.run(5 * SECOND)
    assert pair.firmware._state == LockState.LOCKED, "until its owner unlocks it anew"


def test_a_unit_that_lost_its_host_for_an_instant_does_not_go_on():
    """Its latched fault alone tells: it locked itself, and a heartbeat that came late moved it on."""
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.run(T1 + 100 * MILLISECOND)
    assert pair.firmware._state == LockState.HOST_LOST
    late = Desired(token=pair.firmware._token, heartbeat=pair.firmware._beat + 1, lock=LOCK, round_id=7, ack=0, lamp=0)
    pair.firmware.serve(WriteWords(DESIRED, late.encode()), pair.now)
    assert pair.firmware._state == LockState.LOCKED
    pair.unit.line_up(pair.now)
    pair.run(3 * SECOND)

    assert not pair.last(UnitUp).goes_on and sessions_opened(pair) == 1


def test_a_rebooted_unit_does_not_go_on():
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.firmware.power_off(pair.now)
    pair.firmware.power_on(pair.now)
    pair.unit.line_up(pair.now)
    pair.run(3 * SECOND)

    assert pair.last(UnitUp).rebooted and not pair.last(UnitUp).goes_on
    assert pair.firmware._state == LockState.LOCKED and pair.state(1) == Bet.RESTORED_DARK


def test_a_lock_at_the_table_while_the_line_was_gone_is_the_last_word():
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.firmware.lock_line(pulled=True, now=pair.now)
    pair.run(50 * MILLISECOND)
    pair.firmware.lock_line(pulled=False, now=pair.now)
    pair.unit.line_up(pair.now)
    pair.run(3 * SECOND)

    assert pair.last(UnitUp).goes_on and pair.last(seat=2).locked
    assert pair.firmware._state == LockState.LOCKED


def test_a_session_of_another_host_meanwhile_is_seen_and_not_gone_on_with():
    pair = playing()
    mine = pair.unit
    mine.line_down(pair.now)
    pair.host(nonce=0xBAD).lock()
    pair.run(3 * SECOND)
    assert sessions_opened(pair) == 1
    pair.unit = mine
    mine.line_up(pair.now)
    pair.run(20 * SECOND)

    assert not pair.last(UnitUp).goes_on and pair.firmware._state == LockState.LOCKED


def test_a_session_that_two_hosts_fought_for_does_not_go_on():
    pair = playing()
    pair.firmware.serve(WriteWords(COMMAND, open_by(0xBAD, 9).encode()), pair.now)
    pair.run(SECOND)

    assert pair.reasons() == [Down.SECOND_HOST]
    assert not pair.all(UnitUp), "ten seconds of silence first"
    pair.run(20 * SECOND)
    assert not pair.last(UnitUp).goes_on


def test_an_unlock_that_was_under_way_is_nobodys_wish_any_more():
    pair = Pair(books={}).up()
    pair.wire = pair.lost_question
    pair.unit.unlock(3)
    pair.run(SHORT)
    pair.wire = pair.perfect
    pair.run(5 * SECOND)

    assert pair.firmware._state == LockState.LOCKED and not pair.last(UnitUp).goes_on


def test_a_lost_answer_to_our_own_opening_is_no_other_host():
    """The session was opened, nobody heard so, and the line fell: what stands there then is ours."""
    pair = playing()
    pair.unit.line_down(pair.now)
    pair.run(5 * SECOND)
    pair.wire = lambda ask: pair.lost_answer(ask) if ask.mark is About.COMMAND else pair.perfect(ask)
    pair.unit.line_up(pair.now)
    before = pair.firmware._token
    pair.run_until(lambda: pair.firmware._token != before)
    cut(pair, 50 * MILLISECOND)
    pair.wire = pair.perfect
    pair.run(3 * SECOND)

    assert Down.SECOND_HOST not in pair.reasons()
    assert pair.last(UnitUp) and pair.firmware._token != before


def test_a_copy_of_our_own_opening_that_comes_late_is_no_other_host():
    """A gateway kept it. It ended the session, so a new one is opened, without an alarm and without ten seconds."""
    pair = Pair(books={})
    first = []
    pair.wire = lambda ask: first.append(ask) or Failure.SILENT if ask.mark is About.COMMAND else pair.perfect(ask)
    pair.run_until(lambda: bool(first))
    pair.unit.line_down(pair.now)
    pair.wire = pair.perfect
    pair.unit.line_up(pair.now)
    pair.up().forget()
    assert Command.decode(first[0].request.words).command_id == FIRST_COMMAND
    pair.perfect(first[0])
    pair.run(3 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.last(UnitUp) and not pair.last(UnitUp).goes_on


def test_an_order_whose_answer_was_lost_with_the_line_is_done_once():
    pair = playing()
    pair.wire = lambda ask: pair.lost_answer(ask) if ask.mark is About.COMMAND else pair.perfect(ask)
    loaded = pair.firmware.seats[1].memory.loaded
    pair.unit.load(2, loaded, loaded + 5)
    pair.run_until(lambda: pair.firmware.seats[1].memory.loaded != loaded)
    cut(pair, 100 * MILLISECOND)
    pair.wire = pair.perfect
    pair.run(SECOND)

    assert pair.firmware.seats[1].memory.loaded == loaded + 5
    assert [(end.command, end.done) for end in pair.all(Settled)] == [("load", True)]
    assert pair.last(UnitUp).goes_on


@pytest.mark.parametrize("seed", range(12))
def test_whatever_breaks_a_unit_is_open_only_where_nothing_locked_it(seed):
    """Cuts, lost answers, reboots and locks at random: after each, open means that the same session was never locked."""
    chance = random.Random(seed)
    pair = playing()
    for _ in range(12):
        firmware, was_open = pair.firmware, pair.firmware._state == LockState.OPEN
        token = firmware._token
        what = chance.choice(["cut", "silent", "reboot", "line", "lock"])
        time = chance.choice([20, 150, 700, 1_400, 1_900]) * MILLISECOND
        if what == "cut":
            cut(pair, time)
        elif what == "silent":
            silent(pair, time)
        elif what == "reboot":
            firmware.power_off(pair.now)
            firmware.power_on(pair.now)
        elif what == "line":
            firmware.lock_line(pulled=True, now=pair.now)
            firmware.lock_line(pulled=False, now=pair.now)
        else:
            pair.unit.lock()
        pair.run(4 * SECOND)
        is_open = firmware._state == LockState.OPEN
        assert not is_open or (was_open and firmware._token == token), (what, time)
        assert not (is_open and what in {"reboot", "line", "lock"}), what
        assert pair.unit.due() is not None and Down.SECOND_HOST not in pair.reasons()
        if not is_open:
            pair.unit.unlock(chance.randrange(1, 60_000))
            pair.run(2 * SECOND)
