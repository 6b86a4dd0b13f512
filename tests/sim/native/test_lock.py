"""Lock while a press is in flight (2.5), and whose frames may lock and unlock (2.1.5, 2.6)."""

import random

import pytest

from drivers.modbus.pdu import ReadWords, WriteWords, Written
from drivers.native import contract as at
from drivers.native.contract import (
    EDGE_BEFORE_LOCK,
    Bet,
    EventType,
    LockCause,
    LockState,
    PressRefusal,
    SeatFlag,
    UnitClass,
    UnitFlag,
)
from drivers.native.writes import BROADCAST_LOCK, Desired
from firmware_sim.native.make import USUAL
from support.sim.firmware_host import CONFIG, MS, Host

CHIPS = {"unit_class": UnitClass.CHIP_SLOT}


# ---------------------------------------------------------------------------------------------------- tL and the cut


def test_the_cut_is_the_number_before_the_lock_event():
    host = Host().start()
    before = host.poll().seq
    host.lock()

    poll = host.poll()
    assert (poll.lock, poll.cut, poll.seq) == (LockState.LOCKED, before, before + 1)
    assert (host.events()[-1].kind, host.events()[-1].argument) == (EventType.LOCK, LockCause.HOST)


def test_locking_again_makes_no_new_cut_and_no_event():
    host = Host().start()
    host.press()
    host.lock()
    first = host.poll()
    host.lock()
    host.lock(ack=host.unit.memory.seq)
    host.lock()

    assert first.lock == LockState.LOCKING
    assert host.poll().lock == LockState.LOCKED
    assert host.poll().cut == first.cut
    assert host.kinds().count(EventType.LOCK) == 1


def test_a_press_whose_debounce_ended_before_the_lock_stays_valid():
    host = Host().start()
    host.press()
    host.lock()

    assert host.poll().lock == LockState.LOCKING
    assert host.seat().bet == Bet.PENDING
    assert host.detail().bet_seq <= host.poll().cut
    host.lock(ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.LOCKED
    assert host.seat().bet == Bet.SEALED


def test_a_press_whose_debounce_ends_after_the_lock_is_refused_and_says_that_it_began_before():
    host = Host().start()
    host.unit.press(1, 2, host.now)
    host.wait(CONFIG.debounce - 1)
    host.lock()
    host.wait(1)

    entry = host.events()[-1]
    assert (entry.kind, entry.argument) == (EventType.PRESS_REFUSED, PressRefusal.LOCKED | EDGE_BEFORE_LOCK)
    assert host.detail().refused == 1
    assert host.seat().bets == 0


def test_a_press_at_the_very_instant_of_the_lock_is_not_before_it():
    host = Host().start()
    host.lock()
    host.unit.press(1, 2, host.now)
    host.wait(CONFIG.debounce)

    assert host.events()[-1].argument == PressRefusal.LOCKED


def test_a_press_that_ends_at_the_instant_the_lock_comes_was_first():
    """The debounce timer rang before the frame was looked at; its number is within the cut."""
    host = Host().start()
    host.unit.press(1, 2, host.now)
    host.now += CONFIG.debounce * MS
    host.lock()

    assert host.seat().bet == Bet.PENDING
    assert host.detail().bet_seq <= host.poll().cut


def test_locking_ends_when_the_pending_bet_gives_up():
    host = Host().start()
    host.press()
    host.lock()
    host.wait_fed(CONFIG.confirm_timeout, ack=0)

    assert host.poll().lock == LockState.LOCKED
    assert host.seat().bet == Bet.VOIDED


def test_locking_of_a_table_waits_for_its_last_pending_seat():
    host = Host(UnitClass.TABLE, seats=3).start()
    host.press(seat=1)
    host.press(seat=2)
    host.lock(ack=host.detail(1).bet_seq)
    assert host.poll().lock == LockState.LOCKING
    assert host.seat(1).bet == Bet.CONFIRMED

    host.lock(ack=host.detail(2).bet_seq)
    assert host.poll().lock == LockState.LOCKED
    assert [seat.bet for seat in host.poll().seats] == [Bet.SEALED, Bet.SEALED, Bet.NONE]


# ---------------------------------------------------------------------------------------------------- chips in flight


def test_a_chip_that_entered_before_the_lock_counts_and_the_lock_waits_for_it():
    host = Host(**CHIPS).start()
    assert host.unit.chip(1, host.now)
    host.wait(10)
    host.lock()
    assert host.poll().lock == LockState.OPEN

    host.wait(50)
    poll = host.poll()
    assert poll.seats[0].chips == CONFIG.chip_credits
    assert poll.lock == LockState.LOCKING
    assert host.detail().bet_seq <= poll.cut
    assert host.kinds()[-2:] == [EventType.CHIP, EventType.LOCK]


def test_while_a_lock_waits_the_gate_is_shut_and_nothing_opens():
    host = Host(**CHIPS).start()
    host.unit.chip(1, host.now)
    host.wait(10)
    host.lock()

    assert not host.unit.chip(1, host.now)
    host.unlock(round_id=host.round_id + 1)
    host.wait(50)
    assert host.detail().round_id == host.unit.memory.round_id == host.round_id
    assert host.poll().lock == LockState.LOCKING
    assert host.seat().chips == CONFIG.chip_credits


def test_a_second_lock_does_not_hurry_the_one_that_waits():
    host = Host(**CHIPS).start()
    host.unit.chip(1, host.now)
    host.lock()
    host.unit.lock_line(True, host.now)
    assert host.poll().lock == LockState.OPEN

    host.wait(60)
    assert host.events()[-1].argument == LockCause.HOST


def test_a_chip_that_never_comes_out_holds_the_lock_for_the_gate_time_and_no_longer():
    host = Host(**CHIPS).start()
    host.unit.jam(1, host.now)
    host.wait(10)
    host.lock()
    host.wait(CONFIG.gate - 11)
    assert host.poll().lock == LockState.OPEN

    host.wait(1)
    assert host.poll().lock == LockState.LOCKED
    assert host.seat().chips == 0
    assert EventType.JAM in host.kinds()


def test_a_chip_taken_out_by_hand_ends_the_waiting():
    host = Host(**CHIPS).start()
    host.unit.chip(1, host.now)
    host.lock()
    host.unit.unjam(1, host.now)

    assert host.poll().lock == LockState.LOCKED


def test_a_chip_that_falls_through_after_the_lock_is_late_and_leaves_the_lamp_dark():
    host = Host(**CHIPS).start()
    host.lock()
    host.wait(1)
    assert host.unit.force_chip(1, host.now)
    host.wait(60)

    assert host.detail().late == 1
    assert host.seat().chips == 0
    assert host.kinds()[-1] == EventType.LATE_CHIP
    assert host.unit.light(1, host.now) == at.LampDrive.OFF


# ---------------------------------------------------------------------------------------------------- who may lock


@pytest.mark.parametrize("word", [at.LOCK, 0, 0xFFFF, at.UNLOCK ^ 1])
def test_every_lock_word_but_one_locks(word):
    host = Host().start()
    host.desire(lock=word)

    assert host.poll().lock == LockState.LOCKED


def test_a_lock_is_honoured_from_a_stale_frame():
    host = Host().start()
    assert host.write(at.DESIRED, Desired(token=host.token ^ 1, heartbeat=0).encode()) == Written()

    assert host.poll().lock == LockState.LOCKED


def test_a_lock_is_honoured_from_an_old_heartbeat():
    host = Host().start()
    host.lock(heartbeat=(host.beat - 3) % 2**16)

    assert host.poll().lock == LockState.LOCKED


def test_a_broadcast_locks_and_is_not_answered():
    host = Host().start()
    assert host.unit.broadcast(WriteWords(at.DESIRED, BROADCAST_LOCK), host.now) is None

    assert host.poll().lock == LockState.LOCKED
    assert host.events()[-1].argument == LockCause.BROADCAST


def test_a_broadcast_does_nothing_but_lock():
    host = Host().start()
    host.press()
    whole = Desired(token=host.token, heartbeat=host.beat + 1, lock=at.UNLOCK, round_id=9, ack=host.unit.memory.seq)
    host.unit.broadcast(WriteWords(at.DESIRED, whole.encode()), host.now)
    host.unit.broadcast(WriteWords(at.COMMAND, BROADCAST_LOCK), host.now)
    host.unit.broadcast(WriteWords(at.DESIRED, (*BROADCAST_LOCK[:-1], 0)), host.now)
    host.unit.broadcast(ReadWords(at.DESIRED, 8), host.now)

    assert host.poll().lock == LockState.OPEN
    assert host.seat().bet == Bet.PENDING


def test_a_unit_without_power_hears_no_broadcast():
    host = Host().start()
    host.unit.power_off(host.now)
    host.unit.broadcast(WriteWords(at.DESIRED, BROADCAST_LOCK), host.now)

    assert not host.unit.powered


def test_a_frame_whose_words_do_not_hold_together_does_not_even_lock():
    host = Host().start()
    host.write(at.DESIRED, (*BROADCAST_LOCK[:-1], BROADCAST_LOCK[-1] ^ 1))

    assert host.poll().lock == LockState.OPEN


def test_the_hardware_line_locks_and_keeps_locked():
    host = Host().start()
    host.unit.lock_line(True, host.now)
    assert host.poll().lock == LockState.LOCKED
    assert host.poll().flags & UnitFlag.LOCK_LINE
    assert host.events()[-1].argument == LockCause.LINE

    host.unlock()
    assert host.poll().lock == LockState.LOCKED
    host.unit.lock_line(False, host.now)
    host.unlock()
    assert host.poll().lock == LockState.LOCKED, "said by a host that has not heard of the line"
    host.unlock(ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.OPEN


def test_a_unit_without_a_lock_line_does_not_feel_one():
    host = Host(capabilities=USUAL[UnitClass.ELECTRONIC] & ~at.Capability.LOCK_LINE).start()
    host.unit.lock_line(True, host.now)

    assert host.poll().lock == LockState.OPEN
    assert not host.poll().flags & UnitFlag.LOCK_LINE


def test_the_line_is_still_pulled_after_a_reboot():
    host = Host().start()
    host.unit.power_off(host.now)
    host.unit.lock_line(True, host.now)
    host.unit.power_on(host.now)
    host.open_session()
    host.unlock()

    assert host.poll().lock == LockState.LOCKED
    assert host.detail().inputs == 1 << 5


# ---------------------------------------------------------------------------------------------------- who may unlock


def test_an_unlock_with_a_wrong_token_is_answered_and_not_executed():
    host = Host().start()
    host.lock()
    host.unlock(token=host.token ^ 1)

    assert host.poll().lock == LockState.LOCKED


def test_an_unlock_with_an_old_or_equal_heartbeat_is_not_executed():
    host = Host().start()
    host.lock()
    host.unlock(heartbeat=host.beat)
    assert host.poll().lock == LockState.LOCKED
    host.unlock(heartbeat=(host.beat - 40) % 2**16)

    assert host.poll().lock == LockState.LOCKED


def test_the_heartbeat_may_wrap():
    host = Host().start()
    for host.beat in (0x3FFF, 0x7FFE, 0xBFFD, 0xFFFE):
        host.unlock()
    host.lock()
    host.unlock()

    assert host.beat == 0x0001
    assert host.poll().lock == LockState.OPEN


def test_acks_of_a_stale_frame_confirm_nothing():
    host = Host().start()
    host.press()
    host.unlock(token=host.token ^ 1, ack=host.unit.memory.seq)
    host.unlock(heartbeat=(host.beat - 2) % 2**16, ack=host.unit.memory.seq)

    assert host.seat().bet == Bet.PENDING


def test_before_a_session_was_opened_no_token_unlocks():
    host = Host()
    host.unlock(token=host.poll().token)
    host.unlock(token=at.NO_TOKEN)

    assert host.poll().lock == LockState.BOOT_LOCKED


def test_what_was_written_to_d_can_be_read_back():
    host = Host().start()
    words = Desired(token=host.token, heartbeat=host.beat + 1, lock=at.LOCK, round_id=3, ack=1).encode()
    host.write(at.DESIRED, words)
    assert host.read(at.DESIRED, 8) == words

    host.write(at.DESIRED, BROADCAST_LOCK)
    assert host.read(at.DESIRED, 8) == words


def test_the_button_flag_and_the_lock_say_nothing_of_each_other():
    host = Host().start()
    host.lock()
    host.unit.hold(1, 1, host.now)

    assert host.seat().flags & SeatFlag.BUTTON_DOWN
    host.round_id += 1
    host.unlock()
    assert host.poll().lock == LockState.OPEN


def test_no_schedule_of_presses_and_locks_lets_a_bet_stand_after_its_cut():
    """Whatever counts for the hand has a number up to the cut (2.5)."""
    for seed in range(200):
        chance = random.Random(seed)
        host = Host(UnitClass.TABLE, seats=3, seed=seed).start()
        for _ in range(20):
            host.unit.press(chance.randint(1, 3), chance.randint(1, 3), host.now)
            host.wait(chance.randint(0, 20))
        host.lock(ack=host.unit.memory.seq)
        host.wait(chance.randint(1, 60))
        host.lock(ack=host.unit.memory.seq)
        poll = host.poll()
        assert poll.lock == LockState.LOCKED
        for number, seat in enumerate(poll.seats, 1):
            assert seat.bet in {Bet.NONE, Bet.SEALED}
            assert seat.bet == Bet.NONE or host.detail(number).bet_seq <= poll.cut
