"""The lamp as evidence: driven, measured, seen (1.8, 2.3 A, 2.4; R-6)."""

import pytest

from drivers.native.contract import (
    NO_CURRENT,
    Bet,
    Capability,
    EventType,
    Feedback,
    LampCommand,
    LampDrive,
    LockState,
    Opcode,
    ResetCause,
    SeatFault,
    SeatFlag,
    UnitClass,
)
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.make import USUAL
from support.sim.firmware_host import CONFIG, Host

LIGHT_TOO = USUAL[UnitClass.ELECTRONIC] | Capability.LIGHT_SENSE
MEASURED = Feedback.MEASURED


def broken(condition, **made):
    host = Host(**made).start()
    host.unit.lamp(1, condition, host.now)
    host.wait(CONFIG.settle)
    return host


def test_a_lamp_is_measured_when_it_has_settled_and_not_before():
    host = Host().start()
    host.wait(100)
    assert host.seat().feedback == MEASURED
    host.press()
    assert host.seat().feedback == 0
    host.wait(CONFIG.settle)
    host.ack()
    seat = host.seat()
    assert (seat.lamp, seat.feedback, seat.milliamps) == (LampDrive.STEADY, 0, NO_CURRENT)
    assert not seat.flags & SeatFlag.FEEDBACK_AGREES

    host.wait(CONFIG.settle)
    seat = host.seat()
    assert (seat.feedback, seat.milliamps) == (MEASURED | Feedback.IN_WINDOW, 18)
    assert seat.flags & SeatFlag.FEEDBACK_AGREES


def test_a_dark_lamp_without_current_agrees():
    host = Host()
    host.wait(CONFIG.settle)

    seat = host.seat()
    assert (seat.feedback, seat.milliamps) == (MEASURED, 0)
    assert seat.flags & SeatFlag.FEEDBACK_AGREES


@pytest.mark.parametrize(
    ("condition", "feedback", "fault", "milliamps", "light"),
    [
        (LampCondition.OPEN, Feedback.OPEN, SeatFault.LAMP_OPEN, 0, LampDrive.OFF),
        (LampCondition.WEAK, Feedback.OPEN, SeatFault.LAMP_OPEN, 6, LampDrive.STEADY),
        (LampCondition.SHORT, Feedback.SHORT, SeatFault.LAMP_SHORT, 400, LampDrive.OFF),
    ],
)
def test_a_lamp_that_breaks_under_a_bet_is_told_and_the_bet_stays(condition, feedback, fault, milliamps, light):
    host = Host().start().confirmed()
    before = host.seat()
    host.unit.lamp(1, condition, host.now)
    assert host.unit.light(1, host.now) == light
    host.wait(CONFIG.settle)

    seat = host.seat()
    assert (seat.bet, seat.lamp, seat.milliamps) == (before.bet, LampDrive.STEADY, milliamps)
    assert seat.feedback == MEASURED | feedback | Feedback.LATCHED
    assert seat.flags & SeatFlag.FAULT
    assert not seat.flags & SeatFlag.FEEDBACK_AGREES
    assert host.detail().faults == host.detail().latched == fault
    assert (host.events()[-1].kind, host.events()[-1].argument) == (EventType.LAMP_FAULT, fault)
    assert seat.voided == 0


def test_a_mended_lamp_is_told_and_its_fault_stays_latched():
    host = Host().start().confirmed()
    host.unit.lamp(1, LampCondition.OPEN, host.now)
    host.wait(CONFIG.settle)
    host.unit.lamp(1, LampCondition.OK, host.now)
    host.wait(CONFIG.settle)

    assert host.kinds()[-1] == EventType.LAMP_OK
    assert (host.detail().faults, host.detail().latched) == (0, SeatFault.LAMP_OPEN)
    assert host.seat().flags & SeatFlag.FEEDBACK_AGREES
    assert host.seat().feedback & Feedback.LATCHED
    host.command(Opcode.CLEAR_FAULTS, 1, SeatFault.LAMP_OPEN, SeatFault.LAMP_OPEN)
    assert not host.seat().feedback & Feedback.LATCHED


def test_a_lamp_lit_while_it_should_be_off_is_a_false_bet_and_a_fault():
    host = broken(LampCondition.LIT_WHILE_OFF)

    assert host.unit.light(1, host.now) == LampDrive.STEADY
    assert host.detail().faults == SeatFault.LAMP_LIT_WHILE_OFF
    assert host.seat().lamp == LampDrive.FAULT
    host.wait(CONFIG.settle)
    assert host.seat().feedback & Feedback.CURRENT_WHILE_OFF


def test_a_seat_with_a_fault_and_no_bet_winks_until_it_is_mended():
    host = Host().start().confirmed()
    host.unit.lamp(1, LampCondition.OPEN, host.now)
    host.wait(CONFIG.settle)
    host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 1)
    assert host.seat().lamp == LampDrive.FAULT
    host.wait(CONFIG.settle)
    assert host.detail().faults == SeatFault.LAMP_OPEN

    host.unit.lamp(1, LampCondition.OK, host.now)
    host.wait(CONFIG.settle)
    assert host.seat().lamp == LampDrive.OFF


def test_a_lamp_that_is_dark_cannot_show_that_it_is_open():
    host = broken(LampCondition.OPEN)

    assert host.detail().faults == 0
    assert host.unit.light(1, host.now) == LampDrive.OFF


def test_a_blinking_lamp_is_measured_lit_and_dark():
    host = broken(LampCondition.OK)
    host.press()
    host.unit.lamp(1, LampCondition.LIT_WHILE_OFF, host.now)
    host.wait(CONFIG.settle)

    assert host.seat().lamp == LampDrive.PENDING
    assert host.seat().feedback == MEASURED | Feedback.IN_WINDOW | Feedback.CURRENT_WHILE_OFF | Feedback.LATCHED


def test_current_without_light_does_not_agree_where_light_is_sensed():
    host = Host(capabilities=LIGHT_TOO).start().confirmed()
    assert host.seat().feedback == MEASURED | Feedback.IN_WINDOW | Feedback.LIGHT_SEEN
    assert host.seat().flags & SeatFlag.FEEDBACK_AGREES
    host.unit.lamp(1, LampCondition.COVERED, host.now)
    host.wait(CONFIG.settle)

    assert host.seat().feedback == MEASURED | Feedback.IN_WINDOW
    assert not host.seat().flags & SeatFlag.FEEDBACK_AGREES


def test_light_from_a_lamp_that_is_off_does_not_agree():
    host = broken(LampCondition.LIT_WHILE_OFF, capabilities=LIGHT_TOO & ~Capability.CURRENT_SENSE)

    assert host.seat().feedback == MEASURED | Feedback.LIGHT_SEEN
    assert host.seat().milliamps == NO_CURRENT
    assert not host.seat().flags & SeatFlag.FEEDBACK_AGREES


def test_a_unit_that_senses_nothing_measures_nothing():
    host = Host(capabilities=USUAL[UnitClass.ELECTRONIC] & ~Capability.CURRENT_SENSE).start().confirmed()
    host.unit.lamp(1, LampCondition.OPEN, host.now)
    host.wait(1000)

    assert (host.seat().feedback, host.seat().milliamps) == (0, NO_CURRENT)


def test_a_lamp_that_broke_while_the_power_was_off_is_found_at_boot():
    host = Host()
    host.unit.power_off(0)
    host.unit.lamp(1, LampCondition.LIT_WHILE_OFF, 0)
    assert host.unit.light(1, 0) == LampDrive.OFF
    host.unit.power_on(0)
    host.wait(CONFIG.settle)

    assert host.detail().faults == SeatFault.LAMP_LIT_WHILE_OFF


def test_a_break_while_a_measurement_is_due_does_not_put_it_off():
    host = Host().start()
    host.press()
    host.ack()
    host.wait(CONFIG.settle - 1)
    host.unit.lamp(1, LampCondition.OPEN, host.now)
    host.wait(1)

    assert host.detail().faults == SeatFault.LAMP_OPEN


def test_every_switching_of_the_lamp_is_counted():
    host = Host().start().confirmed()
    host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 1)

    assert host.detail().switches == 3


def test_each_edge_of_a_blink_is_counted():
    host = Host().start()
    host.press()
    before = host.detail().switches
    host.wait(800)

    assert (host.detail().switches - before) == 10
    host.ack()
    steady = host.detail().switches
    host.wait(800)
    assert host.detail().switches == steady


def test_a_lamp_test_lights_the_named_seat_while_locked():
    host = Host(UnitClass.TABLE, seats=2).start()
    host.lock(lamp=LampCommand.TEST << 8 | 2)
    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.OFF, LampDrive.TEST]
    host.wait(CONFIG.settle)
    assert host.seat(2).feedback == MEASURED | Feedback.IN_WINDOW
    host.lock(lamp=LampCommand.TEST << 8)
    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.TEST, LampDrive.TEST]

    host.lock()
    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.OFF, LampDrive.OFF]


def test_a_lamp_test_never_happens_inside_a_hand():
    host = Host().start()
    host.unlock(lamp=LampCommand.TEST << 8)
    assert host.unit.light(1, host.now) == LampDrive.OFF
    host.press()
    host.lock(lamp=LampCommand.TEST << 8)
    assert host.unit.light(1, host.now) == LampDrive.PENDING

    host.lock(lamp=LampCommand.TEST << 8, ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.LOCKED
    assert host.unit.light(1, host.now) == LampDrive.STEADY


def test_between_hands_lamps_are_tested_although_bets_are_sealed_and_no_bet_changes():
    host = Host(UnitClass.TABLE, seats=2).start().confirmed()
    host.unlock(lamp=LampCommand.TEST_BETWEEN << 8, ack=host.unit.memory.seq)
    assert host.unit.light(1, host.now) == LampDrive.STEADY, "inside a hand the host cannot mean it"
    host.lock(lamp=LampCommand.TEST_BETWEEN << 8, ack=host.unit.memory.seq)
    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.TEST, LampDrive.TEST]
    host.lock(ack=host.unit.memory.seq)

    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.STEADY, LampDrive.OFF]
    assert host.unit.seats[0].memory.bet == Bet.SEALED


def test_between_hands_a_bet_that_is_still_pending_hinders_a_test():
    host = Host().start()
    host.unlock()
    host.press()
    host.lock(lamp=LampCommand.TEST_BETWEEN << 8)

    assert host.unit.light(1, host.now) == LampDrive.PENDING


def test_between_hands_a_restored_bet_shows_a_test_and_is_dark_again():
    host = Host().start().confirmed()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()
    host.lock(lamp=LampCommand.TEST_BETWEEN << 8)
    assert host.unit.light(1, host.now) == LampDrive.TEST
    host.lock()

    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.unit.seats[0].memory.bet == Bet.RESTORED_DARK


def test_the_mended_lamp_of_a_disabled_seat_is_measured_in_a_test():
    host = broken(LampCondition.OPEN)
    host.lock(lamp=LampCommand.TEST << 8)
    host.wait(2 * CONFIG.settle)
    host.lock()
    host.command(Opcode.SEAT_ENABLE, 1, 0, 0)
    host.unit.lamp(1, LampCondition.OK, host.now)
    host.wait(2 * CONFIG.settle)
    assert host.detail().faults & SeatFault.LAMP_OPEN, "dark, nobody can tell"
    host.lock(lamp=LampCommand.TEST << 8)
    host.wait(2 * CONFIG.settle)

    assert not host.detail().faults & SeatFault.LAMP_OPEN
    assert host.detail().faults & SeatFault.DISABLED


def test_no_seat_of_a_unit_is_tested_while_a_bet_stands_in_another():
    host = Host(UnitClass.TABLE, seats=3).start().confirmed(seat=2)
    host.lock(ack=host.unit.memory.seq)
    for seat in (0, 1, 2, 3):
        host.lock(lamp=LampCommand.TEST << 8 | seat)
        assert [host.unit.light(number, host.now) for number in (1, 2, 3)] == [
            LampDrive.OFF,
            LampDrive.STEADY,
            LampDrive.OFF,
        ]

    host.command(Opcode.VOID_BET, 2, host.detail(2).bet_seq, 1)
    host.lock(lamp=LampCommand.TEST << 8)
    assert host.unit.light(1, host.now) == LampDrive.TEST


def test_a_restored_bet_is_not_tested_but_relit():
    host = Host(UnitClass.TABLE, seats=2).start().confirmed()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()
    host.lock(lamp=LampCommand.TEST << 8)

    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.OFF, LampDrive.OFF]
    assert host.unit.seats[0].memory.bet == Bet.RESTORED_DARK


def test_a_lamp_that_is_lit_while_off_still_shows_a_test():
    host = broken(LampCondition.LIT_WHILE_OFF)
    host.lock(lamp=LampCommand.TEST << 8)

    assert host.unit.light(1, host.now) == LampDrive.TEST


def test_forced_off_is_dark_whatever_stands():
    host = Host().start().confirmed()
    host.unlock(lamp=LampCommand.FORCE_OFF << 8 | 1)
    assert host.unit.light(1, host.now) == LampDrive.OFF

    host.unlock(lamp=LampCommand.AUTO)
    assert host.unit.light(1, host.now) == LampDrive.STEADY


def test_a_new_session_ends_a_lamp_command():
    host = Host().start()
    host.lock(lamp=LampCommand.TEST << 8)
    host.open_session()

    assert host.unit.light(1, host.now) == LampDrive.OFF
