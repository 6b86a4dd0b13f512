"""Commands (2.3 K): compare and set, once, with the result left to be read."""

import pytest

from drivers.modbus.pdu import Denial, Denied, Written
from drivers.native import contract as at
from drivers.native.contract import (
    Bet,
    EventType,
    LampDrive,
    LockState,
    Opcode,
    ResetCause,
    Result,
    SeatFlag,
    UnitClass,
    UnitFlag,
    VoidCause,
)
from drivers.native.writes import Command
from firmware_sim.native.lamp import LampCondition
from support.sim.firmware_host import CONFIG, Host


def host_with_session():
    host = Host()
    host.open_session()
    return host


def test_a_load_sets_the_total_it_names():
    host = host_with_session()
    assert host.command(Opcode.LOADED_TO, 1, 0, 20) == Result.DONE
    assert host.command(Opcode.LOADED_TO, 1, 20, 50) == Result.DONE

    assert host.seat().loaded == 50
    assert host.unit.shows(1) == host.detail().balance == 50
    assert (host.events()[-1].kind, host.events()[-1].credits) == (EventType.CREDITS_LOADED, 30)


def test_a_load_that_was_done_is_not_done_again():
    host = host_with_session()
    host.command(Opcode.LOADED_TO, 1, 0, 20)
    before = host.poll().seq

    assert host.command(Opcode.LOADED_TO, 1, 0, 20) == Result.ALREADY
    assert (host.poll().seq, host.seat().loaded) == (before, 20)


def test_a_load_that_expects_something_else_does_nothing():
    host = host_with_session()
    host.command(Opcode.LOADED_TO, 1, 0, 20)

    assert host.command(Opcode.LOADED_TO, 1, 10, 40) == Result.MISMATCH
    assert host.seat().loaded == 20


@pytest.mark.parametrize("target", [2**31, 2**32 - 1])
def test_a_load_that_would_take_credits_away_or_overflow_is_refused(target):
    assert host_with_session().command(Opcode.LOADED_TO, 1, 0, target) == Result.REFUSED


def test_a_load_on_a_full_balance_is_refused():
    host = host_with_session()
    assert host.command(Opcode.LOADED_TO, 1, 0, 2**31 - 1) == Result.DONE

    assert host.command(Opcode.LOADED_TO, 1, 2**31 - 1, 2**31) == Result.REFUSED


def test_cashing_takes_from_the_balance_and_never_below_zero():
    host = host_with_session()
    host.load(50)
    assert host.command(Opcode.CASHED_TO, 1, 0, 51) == Result.REFUSED
    assert host.command(Opcode.CASHED_TO, 1, 0, 30) == Result.DONE
    assert host.command(Opcode.CASHED_TO, 1, 0, 30) == Result.ALREADY
    assert host.command(Opcode.CASHED_TO, 1, 0, 31) == Result.MISMATCH

    assert (host.detail().cashed, host.detail().balance) == (30, 20)
    assert host.kinds()[-1] == EventType.CASHED


def test_cashing_waits_until_a_pending_bet_is_decided():
    host = Host().start()
    host.press()
    assert host.command(Opcode.CASHED_TO, 1, 0, 10) == Result.REFUSED
    host.ack()

    assert host.command(Opcode.CASHED_TO, 1, 0, 48) == Result.DONE


def test_slots_have_no_credits_to_load_or_cash():
    host = Host(UnitClass.CHIP_SLOT)
    host.open_session()

    assert host.command(Opcode.LOADED_TO, 1, 0, 10) == Result.REFUSED
    assert host.command(Opcode.CASHED_TO, 1, 0, 10) == Result.REFUSED


@pytest.mark.parametrize("state", ["pending", "confirmed", "sealed"])
def test_a_void_gives_the_credits_back_and_darkens_the_lamp(state):
    host = Host().start()
    {"pending": host.press, "confirmed": host.confirmed, "sealed": host.sealed}[state]()
    seq = host.detail().bet_seq
    assert host.command(Opcode.VOID_BET, 1, seq, 9) == Result.DONE

    seat = host.seat()
    assert (seat.bet, seat.bets, seat.voided, host.detail().balance) == (Bet.VOIDED, 2, 2, 50)
    assert host.detail().cause == VoidCause.CROUPIER
    assert (host.events()[-1].kind, host.events()[-1].credits) == (EventType.BET_VOIDED, 2)
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.command(Opcode.VOID_BET, 1, seq, 9) == Result.ALREADY
    assert host.seat().voided == 2


def test_a_void_of_another_bet_than_the_one_seen_does_nothing():
    host = Host().start()
    assert host.command(Opcode.VOID_BET, 1, 0, 9) == Result.MISMATCH
    host.press()
    assert host.command(Opcode.VOID_BET, 1, host.detail().bet_seq + 1, 9) == Result.MISMATCH

    assert host.seat().bet == Bet.PENDING


def test_a_void_ends_the_locking_that_waited_for_the_bet():
    host = Host().start()
    host.press()
    host.lock()
    host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 9)

    assert host.poll().lock == LockState.LOCKED


def test_a_command_with_the_same_id_is_done_once():
    host = host_with_session()
    host.command(Opcode.LOADED_TO, 1, 0, 20, command_id=100)
    assert host.command(Opcode.LOADED_TO, 1, 20, 40, command_id=100) == Result.DONE

    assert host.seat().loaded == 20


def test_a_repeated_open_session_keeps_its_token():
    host = host_with_session()
    host.command(Opcode.OPEN_SESSION, target=5, token=0, command_id=host.command_id)

    assert host.poll().token == host.token


def test_a_late_copy_of_open_session_does_not_end_the_session_it_began():
    host = Host()
    host.open_session()
    opening = Command(command_id=host.command_id, opcode=Opcode.OPEN_SESSION, target=host.nonce)
    host.load(20)
    host.round_id += 1
    host.unlock()
    before = host.poll()
    assert host.write(at.COMMAND, opening.encode()) == Written()

    after = host.poll()
    assert (after.token, after.lock, after.seq) == (before.token, LockState.OPEN, before.seq)
    assert (after.command_id, after.result) == (before.command_id, before.result)


def test_open_session_with_another_nonce_or_id_is_executed():
    host = Host()
    host.open_session()
    first = host.command_id
    host.load(20)
    token = host.token
    host.command(Opcode.OPEN_SESSION, target=host.nonce + 1, token=0, command_id=first)
    assert host.poll().token != token

    token = host.poll().token
    host.command(Opcode.OPEN_SESSION, target=host.nonce, token=0, command_id=first + 7)
    assert host.poll().token != token


def test_after_a_boot_the_same_open_session_opens_again():
    host = Host()
    host.open_session()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.command(Opcode.OPEN_SESSION, target=host.nonce, token=0, command_id=host.command_id)

    assert host.poll().flags & UnitFlag.SESSION_OWNED


def test_a_command_with_a_stale_token_does_nothing():
    host = host_with_session()
    assert host.command(Opcode.LOADED_TO, 1, 0, 20, token=host.token ^ 1) == Result.STALE_TOKEN

    assert host.seat().loaded == 0


def test_a_command_before_any_session_has_a_stale_token():
    host = Host()

    assert host.command(Opcode.LOADED_TO, 1, 0, 20, token=host.poll().token) == Result.STALE_TOKEN


@pytest.mark.parametrize(("opcode", "seat"), [(0, 1), (9, 1), (255, 0), (2, 0), (2, 2), (4, 200), (6, 2)])
def test_an_opcode_or_seat_that_is_none_is_unknown(opcode, seat):
    assert host_with_session().command(opcode, seat) == Result.UNKNOWN


@pytest.mark.parametrize("spoil", ["check", "id"])
def test_a_command_that_is_not_whole_is_exception_03_and_leaves_the_result(spoil):
    host = host_with_session()
    words = Command(command_id=0 if spoil == "id" else 99, opcode=2, seat=1, target=5, token=host.token).encode()
    if spoil == "check":
        words = (*words[:-1], words[-1] ^ 1)

    assert host.write(at.COMMAND, words) == Denied(Denial.VALUE)
    assert host.poll().command_id == host.command_id
    assert host.seat().loaded == 0


def test_a_seat_is_disabled_and_enabled_and_stays_so_after_a_reboot():
    host = host_with_session()
    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 0) == Result.DONE
    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 0) == Result.ALREADY
    assert host.detail().faults == 1 << 9
    host.unit.reboot(ResetCause.EXTERNAL, 0)
    assert not host.seat().flags & SeatFlag.ENABLED
    host.open_session()
    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 1) == Result.DONE

    assert host.seat().flags & SeatFlag.ENABLED
    assert host.detail().faults == 0


def test_enabling_is_0_or_1_and_never_against_the_configuration():
    config = CONFIG.__class__(credit_value=1, least=1, most=9, buttons=(1, 2, 3, 4), enabled=0, unit=11)
    host = Host(config=config)
    host.open_session()

    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 1) == Result.REFUSED
    assert host.command(Opcode.SEAT_ENABLE, 1, 0, 2) == Result.REFUSED


def test_the_lamp_of_a_disabled_seat_is_dark_even_over_a_bet():
    host = Host().start().confirmed()
    host.command(Opcode.SEAT_ENABLE, 1, 0, 0)

    assert host.unit.light(1, host.now) == LampDrive.OFF
    host.command(Opcode.SEAT_ENABLE, 1, 0, 1)
    assert host.unit.light(1, host.now) == LampDrive.STEADY


def test_latched_faults_are_cleared_by_whom_knows_them():
    host = host_with_session()
    host.unit.tamper(1, host.now)
    assert host.command(Opcode.CLEAR_FAULTS, 1, 0, 1 << 5) == Result.MISMATCH
    assert host.command(Opcode.CLEAR_FAULTS, 1, 1 << 5, 1 << 5) == Result.DONE
    assert host.command(Opcode.CLEAR_FAULTS, 1, 1 << 5, 1 << 5) == Result.ALREADY

    assert host.detail().latched == 0


def test_only_the_named_faults_are_cleared():
    host = host_with_session()
    host.unit.tamper(1, host.now)
    host.unit.seats[0].memory.latched |= 1
    host.command(Opcode.CLEAR_FAULTS, 1, 1 << 5 | 1, 1)

    assert host.detail().latched == 1 << 5


def test_a_fault_that_is_still_there_stays_latched():
    host = host_with_session()
    host.unit.lamp(1, LampCondition.LIT_WHILE_OFF, host.now)
    host.wait(CONFIG.settle)
    assert host.command(Opcode.CLEAR_FAULTS, 1, 1 << 2, 1 << 2) == Result.DONE

    assert host.detail().latched == 1 << 2


def test_faults_of_the_unit_are_cleared_with_seat_0():
    host = Host()
    host.unit.reboot(ResetCause.WATCHDOG, 0)
    host.open_session()
    assert host.command(Opcode.CLEAR_FAULTS, 0, 0, 1 << 2) == Result.MISMATCH
    assert host.command(Opcode.CLEAR_FAULTS, 0, 1 << 2, 1 << 2) == Result.DONE
    assert host.command(Opcode.CLEAR_FAULTS, 0, 1 << 2, 1 << 2) == Result.ALREADY

    assert host.poll().faults == 0


def test_what_a_missing_configuration_is_cannot_be_cleared():
    host = Host(config=None)
    host.open_session()
    host.unit.reboot(ResetCause.WATCHDOG, 0)
    host.open_session()
    assert host.command(Opcode.CLEAR_FAULTS, 0, host.poll().faults, 0xFFFF) == Result.DONE

    assert host.poll().faults == 1 << 5


def test_a_reboot_on_command_comes_after_the_answer():
    host = host_with_session()
    boot = host.poll().boot_id
    assert host.command(Opcode.REBOOT, 0, boot ^ 1) == Result.MISMATCH
    assert host.command(Opcode.REBOOT, 0, boot) == Result.DONE
    assert host.poll().boot_id == boot

    host.wait(100)
    assert host.poll().boot_id != boot
    assert host.identity().reset_cause == ResetCause.COMMAND


def test_a_power_cut_in_a_commanded_reboot_leaves_the_unit_off():
    host = host_with_session()
    host.command(Opcode.REBOOT, 0, host.poll().boot_id)
    host.nvm.cut_after(10)
    host.wait(100)

    assert not host.unit.powered


def test_after_a_reboot_compare_and_set_makes_the_retry_safe():
    host = host_with_session()
    host.command(Opcode.LOADED_TO, 1, 0, 20)
    host.unit.reboot(ResetCause.EXTERNAL, 0)
    host.open_session()

    assert host.command(Opcode.LOADED_TO, 1, 0, 20) == Result.ALREADY
    assert host.seat().loaded == 20
    assert host.desire() == Written()
