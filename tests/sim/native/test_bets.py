"""The life of a bet at an electronic seat (2.4), clause by clause."""

import pytest

from drivers.modbus.pdu import Written
from drivers.native.contract import (
    EDGE_BEFORE_LOCK,
    Bet,
    EventType,
    LampDrive,
    LockState,
    Opcode,
    PressRefusal,
    Result,
    SeatFlag,
    UnitClass,
    VoidCause,
)
from drivers.session import SECOND
from firmware_sim.native.lamp import LampCondition
from support.sim.firmware_host import CONFIG, MS, Host


def refusal(host):
    entry = host.events()[-1]
    assert entry.kind == EventType.PRESS_REFUSED
    return PressRefusal(entry.argument & 0xFF)


# ---------------------------------------------------------------------------------------------------- a press


def test_a_press_becomes_a_bet_at_the_instant_its_debounce_ends():
    host = Host().start()
    host.unit.press(1, 2, host.now)

    host.now += CONFIG.debounce * MS - 1
    assert host.seat().bet == Bet.NONE

    host.now += 1
    seat = host.seat()
    assert (seat.bet, seat.bet_credits, seat.bets) == (Bet.PENDING, 2, 2)


def test_a_press_and_its_total_have_one_event_whose_number_is_the_bet_seq():
    host = Host().start()
    before = host.poll().seq
    host.press()

    assert host.poll().seq == before + 1
    assert host.detail().bet_seq == before + 1
    entry = host.events()[-1]
    assert (entry.seq, entry.kind, entry.seat, entry.credits) == (before + 1, EventType.PRESS_ACCEPTED, 1, 2)


def test_a_touch_shorter_than_the_debounce_is_no_press():
    host = Host().start()
    host.unit.hold(1, 2, host.now)
    host.wait(CONFIG.debounce - 1)
    host.unit.release(1, 2, host.now)
    host.wait(100)

    assert host.detail().presses == 0


def test_a_button_that_is_down_cannot_be_pressed_again():
    host = Host().start()
    host.unit.press(1, 2, host.now)
    host.wait(10)
    host.unit.press(1, 2, host.now)
    host.wait(60)

    assert host.detail().presses == 1


def test_a_button_is_down_for_as_long_as_the_finger_is_on_it():
    host = Host().start()
    host.unit.press(1, 2, host.now)
    assert host.seat().flags & SeatFlag.BUTTON_DOWN
    assert host.detail().inputs == 0b10

    host.wait(80)
    assert not host.seat().flags & SeatFlag.BUTTON_DOWN


def test_the_lamp_blinks_fast_within_50_ms_of_the_accepted_press():
    host = Host().start()
    host.unit.press(1, 2, host.now)
    host.wait(50)

    assert host.unit.light(1, host.now) == LampDrive.PENDING
    assert host.seat().lamp == LampDrive.PENDING


def test_a_second_press_in_the_round_is_refused_and_counted():
    host = Host().start()
    host.confirmed()
    host.press(button=1)

    assert refusal(host) == PressRefusal.SECOND_BET
    detail = host.detail()
    assert (detail.presses, detail.refused) == (2, 1)
    assert host.seat().bets == 2


def test_a_press_while_locked_moves_no_credit():
    host = Host().start()
    host.lock()
    host.wait(1)
    host.press()

    assert refusal(host) == PressRefusal.LOCKED
    assert not host.events()[-1].argument & EDGE_BEFORE_LOCK
    assert host.seat().bets == 0


def test_a_press_without_enough_credit_is_refused():
    host = Host().start(credit=1)
    host.press(button=2)

    assert refusal(host) == PressRefusal.NO_CREDIT


def test_a_press_of_all_the_credit_is_accepted():
    host = Host().start(credit=2)
    host.press(button=2)

    assert host.seat().bet == Bet.PENDING
    assert host.unit.shows(1) == 0


def test_a_button_without_credits_is_off():
    host = Host().start()
    host.press(button=4)

    assert refusal(host) == PressRefusal.BUTTON_OFF


@pytest.mark.parametrize("button", [1, 3])
def test_a_bet_outside_the_limits_is_refused(button):
    host = Host(config=CONFIG.__class__(credit_value=1, least=2, most=4, buttons=(1, 3, 5, 0), unit=11)).start()
    host.press(button=button)

    assert refusal(host) == PressRefusal.OUTSIDE_LIMITS


def test_a_disabled_seat_takes_no_bet():
    host = Host().start()
    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 0) == Result.DONE
    host.press()

    assert refusal(host) == PressRefusal.DISABLED


def test_a_seat_that_the_configuration_leaves_out_takes_no_bet():
    host = Host(
        UnitClass.TABLE,
        seats=2,
        config=CONFIG.__class__(credit_value=1, least=1, most=9, buttons=(1, 2, 3, 4), enabled=0b01, unit=11),
    ).start()
    host.press(seat=2)

    assert refusal(host) == PressRefusal.DISABLED


def test_a_seat_with_a_defective_lamp_takes_no_bet():
    host = Host().start()
    host.unit.lamp(1, LampCondition.LIT_WHILE_OFF, host.now)
    host.wait(CONFIG.settle)
    host.press()

    assert refusal(host) == PressRefusal.FAULT


def test_a_stuck_button_is_a_fault_until_it_comes_up():
    host = Host().start()
    host.unit.hold(1, 4, host.now)
    host.wait_fed(10_000)
    assert host.detail().faults == host.detail().latched == 1 << 3
    assert host.seat().lamp == LampDrive.FAULT
    host.press(button=2)
    assert refusal(host) == PressRefusal.FAULT

    host.wait(60)
    host.unit.release(1, 4, host.now)
    assert host.detail().faults == 0
    assert host.detail().latched == 1 << 3
    host.press(button=2)
    assert host.seat().bet == Bet.PENDING


# ---------------------------------------------------------------------------------------------------- booked


def test_only_an_acknowledged_bet_has_a_steady_lamp():
    host = Host().start()
    host.press()
    host.unlock(ack=host.detail().bet_seq - 1)
    assert host.unit.light(1, host.now) == LampDrive.PENDING

    host.unlock(ack=host.detail().bet_seq)
    assert host.unit.light(1, host.now) == LampDrive.STEADY
    seat = host.seat()
    assert (seat.bet, seat.lamp) == (Bet.CONFIRMED, LampDrive.STEADY)
    assert seat.flags & SeatFlag.LAMP_STEADY
    assert host.kinds()[-1] == EventType.BET_CONFIRMED


def test_an_ack_of_what_was_not_counted_yet_confirms_nothing():
    host = Host().start()
    host.press()
    host.unlock(ack=host.unit.memory.seq + 1)

    assert host.seat().bet == Bet.PENDING


def test_the_ack_of_a_host_that_booked_nothing_confirms_nothing():
    host = Host().start()
    host.press()
    host.unlock(ack=(host.unit.memory.seq - 2**30) % 2**32)

    assert host.seat().bet == Bet.PENDING


def test_without_an_ack_the_unit_gives_the_credits_back_at_the_timeout():
    host = Host().start()
    host.press()
    host.wait_fed(CONFIG.confirm_timeout - 1, ack=0)
    assert host.seat().bet == Bet.PENDING
    before = host.poll().seq

    host.wait(1)
    seat = host.seat()
    assert (seat.bet, seat.bets, seat.voided) == (Bet.VOIDED, 2, 2)
    assert (host.detail().balance, host.unit.shows(1)) == (50, 50)
    assert host.detail().cause == VoidCause.CONFIRM_TIMEOUT
    assert host.poll().seq == before + 1
    assert host.unit.light(1, host.now) == LampDrive.OFF


def test_a_late_ack_changes_nothing():
    host = Host().start()
    host.press()
    host.wait_fed(CONFIG.confirm_timeout, ack=0)
    before = host.poll()
    host.unlock(ack=host.unit.memory.seq)

    assert host.poll().seats[0].bet == Bet.VOIDED
    assert host.poll().seq == before.seq


def test_a_unit_that_is_ticked_late_voids_at_its_own_time_all_the_same():
    host = Host().start()
    host.press()
    host.now += CONFIG.confirm_timeout * MS + 200 * MS
    host.unlock(ack=host.unit.memory.seq)

    assert host.seat().bet == Bet.VOIDED


def test_after_a_void_the_player_may_bet_again_in_the_same_round():
    host = Host().start()
    host.press()
    assert host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 7) == Result.DONE
    host.wait(60)
    host.press(button=3)

    assert (host.seat().bet, host.seat().bet_credits) == (Bet.PENDING, 5)


# ---------------------------------------------------------------------------------------------------- rounds


def test_a_new_round_clears_bet_and_lamp_and_keeps_the_totals():
    host = Host().start().sealed()
    host.round_id += 1
    host.unlock()

    seat = host.seat()
    assert (seat.bet, seat.bet_credits, seat.bets) == (Bet.NONE, 0, 2)
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.poll().lock == LockState.OPEN


def test_a_new_round_is_refused_while_a_bet_is_pending():
    host = Host().start()
    host.press()
    host.unlock(round_id=host.round_id + 1)

    assert host.seat().bet == Bet.PENDING
    assert host.unit.memory.round_id == host.round_id


def test_the_round_that_was_sealed_is_not_opened_again():
    host = Host().start().sealed()
    host.unlock()

    assert host.poll().lock == LockState.LOCKED
    assert host.seat().bet == Bet.SEALED


def test_a_sealed_round_stays_sealed_although_its_bet_was_voided():
    host = Host().start().sealed()
    assert host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 1) == Result.DONE
    host.unlock()

    assert host.poll().lock == LockState.LOCKED


def test_a_round_without_bets_may_be_opened_again():
    host = Host().start()
    host.lock()
    host.unlock()

    assert host.poll().lock == LockState.OPEN


def test_opening_the_open_round_again_is_no_event():
    host = Host().start()
    before = host.poll().seq
    host.unlock()

    assert host.poll().seq == before


def test_a_unit_without_a_configuration_never_opens():
    host = Host(config=None)
    host.open_session()
    host.unlock()

    assert host.poll().lock == LockState.LOCKED
    assert host.poll().faults == 1 << 5


def test_a_unit_with_a_staged_configuration_does_not_open():
    host = Host().start()
    host.lock()
    host.stage(generation=2)
    host.unlock()

    assert host.poll().lock == LockState.LOCKED


def test_locked_seats_with_a_bet_are_lit_and_those_without_are_dark():
    host = Host(UnitClass.TABLE, seats=3).start()
    host.press(seat=2)
    host.ack()
    host.lock(ack=host.unit.memory.seq)

    assert [host.unit.light(seat, host.now) for seat in (1, 2, 3)] == [LampDrive.OFF, LampDrive.STEADY, LampDrive.OFF]
    assert [seat.bet for seat in host.poll().seats] == [Bet.NONE, Bet.SEALED, Bet.NONE]


def test_seats_of_a_table_bet_at_once_and_each_for_itself():
    host = Host(UnitClass.TABLE, seats=9).start()
    for seat in range(1, 10):
        host.unit.press(seat, 1 + seat % 3, host.now)
    host.wait(30)

    assert [seat.bets for seat in host.poll().seats] == [(1, 2, 5)[number % 3] for number in range(1, 10)]
    assert sorted(host.detail(seat).bet_seq for seat in range(1, 10)) == list(range(12, 21))


def test_what_the_memory_holds_is_what_was_said_before_it_was_said():
    """The write is before the answer: a power cut right after an answer takes nothing back."""
    host = Host().start()
    host.press()
    seen = host.poll()
    host.unit.power_off(host.now)
    host.unit.power_on(host.now)

    assert host.poll().seats[0].bets == seen.seats[0].bets


def test_an_open_unit_lets_a_bet_stay_open_for_hours():
    host = Host().start().confirmed()
    host.wait_fed(20_000)

    assert host.seat().bet == Bet.CONFIRMED
    assert host.now > 20 * SECOND
    assert host.desire() == Written()
