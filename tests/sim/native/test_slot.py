"""The chip slot (2.4, 2.5): every chip an increment with its own event, none ever given back by the unit."""

import pytest

from drivers.native.contract import (
    Bet,
    Capability,
    EventType,
    LampDrive,
    LockState,
    Opcode,
    ResetCause,
    Result,
    SeatFault,
    SeatFlag,
    UnitClass,
)
from firmware_sim.native.make import USUAL
from support.sim.firmware_host import CONFIG, Host


def slot(**made):
    return Host(UnitClass.CHIP_SLOT, **made).start()


def put_in(host, chips=1):
    for _ in range(chips):
        assert host.unit.chip(1, host.now)
        host.wait(60)
    return host


def test_a_chip_is_counted_when_it_leaves_with_its_own_event():
    host = slot()
    host.unit.chip(1, host.now)
    assert host.seat().flags & SeatFlag.PATH_BLOCKED
    host.wait(59)
    assert host.seat().chips == 0

    host.wait(1)
    seat = host.seat()
    assert (seat.chips, seat.bet, seat.bet_credits, seat.bets) == (2, Bet.PENDING, 2, 0)
    assert (host.events()[-1].kind, host.events()[-1].credits) == (EventType.CHIP, 2)
    assert not seat.flags & SeatFlag.PATH_BLOCKED
    assert host.unit.light(1, host.now) == LampDrive.PENDING
    assert host.unit.shows(1) == 2


def test_chips_that_follow_close_upon_each_other_are_all_counted():
    host = slot()
    for _ in range(4):
        assert host.unit.chip(1, host.now)
        host.wait(10)
    host.wait(60)

    assert host.seat().chips == 8
    assert host.kinds().count(EventType.CHIP) == 4


def test_only_so_many_chips_fit_into_the_path():
    host = slot(config=CONFIG.__class__(credit_value=1, least=1, most=100, buttons=(0, 0, 0, 0), unit=11))

    assert [host.unit.chip(1, host.now) for _ in range(9)] == [True] * 8 + [False]


def test_the_gate_shuts_when_the_next_chip_would_exceed_the_maximum():
    host = put_in(slot(), 4)
    assert host.unit.chip(1, host.now)
    assert not host.unit.chip(1, host.now)
    host.wait(60)

    assert host.seat().bet_credits == 10
    assert not host.unit.chip(1, host.now)


def test_a_chip_is_never_given_back_by_the_unit():
    host = put_in(slot())
    host.wait_fed(10 * CONFIG.confirm_timeout, ack=0)

    assert host.seat().bet == Bet.PENDING
    assert host.seat().voided == 0


def test_the_lamp_is_steady_from_the_first_acked_chip_and_says_that_a_part_is_not():
    host = put_in(slot())
    first = host.poll().seq
    put_in(host, 2)
    host.unlock(ack=first)

    seat = host.seat()
    assert (seat.bet, seat.lamp, seat.bet_credits) == (Bet.CONFIRMED, LampDrive.STEADY, 6)
    assert seat.flags & SeatFlag.PART_UNACKED
    host.unlock(ack=host.detail().bet_seq)
    assert not host.seat().flags & SeatFlag.PART_UNACKED
    assert host.kinds().count(EventType.BET_CONFIRMED) == 2


def test_a_chip_on_a_confirmed_bet_is_a_part_that_is_not_acked():
    host = put_in(slot())
    host.ack()
    put_in(host)

    assert host.seat().bet == Bet.CONFIRMED
    assert host.seat().flags & SeatFlag.PART_UNACKED
    host.unlock(ack=host.detail().bet_seq - 1)
    assert host.seat().flags & SeatFlag.PART_UNACKED


def test_locking_waits_for_every_part():
    host = put_in(slot())
    host.ack()
    put_in(host)
    host.lock()
    assert host.poll().lock == LockState.LOCKING
    host.round_id += 1
    host.unlock()
    assert host.poll().lock == LockState.LOCKING

    host.lock(ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.LOCKED
    assert host.seat().bet == Bet.SEALED


def test_a_void_takes_the_whole_bet_and_the_total_of_chips_stays():
    host = put_in(slot(), 3)
    assert host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 1) == Result.DONE

    seat = host.seat()
    assert (seat.bet, seat.voided, seat.chips, host.detail().balance) == (Bet.VOIDED, 6, 6, 0)
    assert host.unit.shows(1) == 0
    put_in(host)
    assert (host.seat().bet, host.seat().bet_credits) == (Bet.PENDING, 2)


def test_the_parts_of_a_bet_outlive_a_reboot():
    host = put_in(slot())
    host.ack()
    put_in(host)
    host.unit.reboot(ResetCause.BROWN_OUT, host.now)
    assert host.seat().bet == Bet.RESTORED_DARK
    assert host.seat().flags & SeatFlag.PART_UNACKED

    host.open_session()
    host.lock(ack=host.unit.memory.seq)
    assert not host.seat().flags & SeatFlag.PART_UNACKED
    assert host.poll().lock == LockState.LOCKED


def test_a_slot_without_a_gate_counts_late_chips():
    host = slot(capabilities=USUAL[UnitClass.CHIP_SLOT] & ~Capability.GATE)
    host.lock()
    host.wait(1)
    assert host.unit.chip(1, host.now)
    host.wait(60)

    assert (host.detail().late, host.detail().latched) == (1, 0)
    assert host.seat().chips == 0


def test_a_gate_that_does_not_hold_is_a_fault():
    host = slot()
    host.lock()
    host.unit.force_chip(1, host.now)
    host.wait(60)

    assert host.detail().latched == SeatFault.GATE
    assert host.detail().late == 1


def test_a_jam_is_a_fault_shuts_the_gate_and_does_not_count():
    host = slot()
    host.unit.jam(1, host.now)
    host.wait(CONFIG.gate)
    assert host.detail().faults == SeatFault.CHIP_JAM
    assert host.seat().flags & SeatFlag.PATH_BLOCKED
    assert host.kinds()[-1] == EventType.JAM
    assert host.unit.light(1, host.now) == LampDrive.FAULT
    assert not host.unit.chip(1, host.now)

    host.unit.unjam(1, host.now)
    assert (host.detail().faults, host.detail().latched) == (0, SeatFault.CHIP_JAM)
    put_in(host)
    assert host.seat().chips == 2


def test_chips_behind_a_jam_do_not_count_either():
    host = slot()
    host.unit.chip(1, host.now)
    host.unit.jam(1, host.now)
    host.wait_fed(2 * CONFIG.gate)

    assert host.seat().chips == 0
    assert host.kinds().count(EventType.JAM) == 1


def test_a_chip_slower_than_the_gate_time_is_late():
    host = slot(transit=400_000)
    host.unit.chip(1, host.now)
    host.wait(300)
    assert host.detail().faults == SeatFault.CHIP_JAM
    host.wait(100)

    assert (host.detail().faults, host.detail().late) == (0, 1)
    assert host.seat().chips == 0


def test_a_jam_is_still_there_after_a_power_cut_and_is_found_again():
    host = slot()
    host.unit.jam(1, host.now)
    host.unit.power_off(host.now)
    host.unit.jam(1, host.now)
    host.unit.power_on(host.now)
    host.wait(CONFIG.gate)
    assert host.detail().faults == SeatFault.CHIP_JAM

    host.unit.power_off(host.now)
    host.unit.unjam(1, host.now)
    host.unit.power_on(host.now)
    host.wait(CONFIG.gate)
    assert host.detail().faults == 0


def test_tampering_is_latched_and_told():
    host = slot()
    host.unit.tamper(1, host.now)

    assert host.detail().latched == SeatFault.TAMPER
    assert host.kinds()[-1] == EventType.TAMPER
    assert host.seat().flags & SeatFlag.FAULT


def test_nothing_is_seen_while_the_power_is_off():
    host = slot()
    host.unit.power_off(host.now)
    host.unit.tamper(1, host.now)

    assert not host.unit.chip(1, host.now)
    assert not host.unit.force_chip(1, host.now)


def test_an_electronic_seat_has_no_slot_and_a_slot_has_no_buttons():
    host = Host().start()
    assert not host.unit.chip(1, host.now)

    other = slot()
    other.press()
    assert other.detail().presses == 0


def test_a_disabled_slot_keeps_its_gate_shut():
    host = slot()
    host.command(Opcode.SEAT_ENABLE, 1, 0, 0)

    assert not host.unit.chip(1, host.now)


@pytest.mark.parametrize("seats", [2, 9])
def test_slots_of_one_unit_share_one_cut(seats):
    host = Host(UnitClass.TABLE, seats=seats, capabilities=USUAL[UnitClass.CHIP_SLOT]).start()
    host.unit.chip(1, host.now)
    host.wait(30)
    host.unit.chip(2, host.now)
    host.lock()
    host.wait(30)
    assert host.poll().lock == LockState.OPEN
    host.wait(30)

    assert host.poll().lock == LockState.LOCKING
    assert [seat.chips for seat in host.poll().seats][:2] == [2, 2]
    assert max(host.detail(1).bet_seq, host.detail(2).bet_seq) == host.poll().cut
