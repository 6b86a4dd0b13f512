"""Host loss, sessions and reboots (2.6), row by row."""

import pytest

from drivers.modbus.pdu import Denial, Denied
from drivers.native.contract import (
    DESIRED,
    Bet,
    EventType,
    LampCommand,
    LampDrive,
    LockCause,
    LockState,
    MemoryHealth,
    Opcode,
    ResetCause,
    Result,
    UnitClass,
    UnitFault,
    UnitFlag,
    VoidCause,
)
from drivers.native.writes import Desired
from firmware_sim.native.books import wound_up
from firmware_sim.native.make import Make
from support.sim.firmware_host import CONFIG, MS, Host

TIMEOUT, HOLD = CONFIG.host_timeout, CONFIG.hold * 1000


def with_hold(seconds, **made):
    return Host(
        config=CONFIG.__class__(credit_value=1, least=1, most=10, buttons=(1, 2, 5, 0), hold=seconds, unit=11), **made
    )


# ---------------------------------------------------------------------------------------------------- silence


def test_a_silent_host_locks_the_unit_at_once_and_at_its_time():
    host = Host().start()
    host.wait(TIMEOUT - 1)
    assert host.poll().lock == LockState.OPEN

    host.wait(1)
    poll = host.poll()
    assert poll.lock == LockState.HOST_LOST
    assert poll.faults == UnitFault.HOST_LOST
    assert host.kinds()[-2:] == [EventType.LOCK, EventType.HOST_LOST]
    assert host.events()[-2].argument == LockCause.WATCHDOG
    assert poll.cut == poll.seq - 2


def test_a_silent_host_leaves_confirmed_lamps_lit_and_takes_pending_bets_back():
    host = Host(UnitClass.TABLE, seats=2).start()
    host.confirmed(seat=1)
    host.wait(TIMEOUT - 200)
    host.unit.press(2, 2, host.now)
    host.wait(200)

    assert [seat.bet for seat in host.poll().seats] == [Bet.CONFIRMED, Bet.VOIDED]
    assert host.detail(2).cause == VoidCause.HOST_LOST
    assert [host.unit.light(seat, host.now) for seat in (1, 2)] == [LampDrive.STEADY, LampDrive.OFF]


def test_chips_of_a_lost_host_stay_pending_and_dark():
    host = Host(UnitClass.CHIP_SLOT).start()
    host.unit.chip(1, host.now)
    host.wait(TIMEOUT)

    assert host.poll().lock == LockState.HOST_LOST
    assert host.seat().bet == Bet.PENDING
    assert host.unit.light(1, host.now) == LampDrive.OFF


def test_silence_beyond_the_hold_puts_all_lamps_off():
    host = Host().start().sealed()
    host.wait(TIMEOUT + HOLD - 31)
    assert host.unit.light(1, host.now) == LampDrive.STEADY

    host.wait(31)
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.poll().lock == LockState.OUT_OF_SERVICE


def test_a_hold_of_zero_is_dark_at_once():
    host = with_hold(0).start().confirmed()
    host.wait(TIMEOUT)

    assert host.poll().lock == LockState.OUT_OF_SERVICE
    assert host.unit.light(1, host.now) == LampDrive.OFF


@pytest.mark.parametrize("hold", [0, 30])
@pytest.mark.parametrize("sealed", [False, True])
def test_after_the_hold_a_bet_is_lit_by_a_relight_and_by_nothing_else(hold, sealed):
    host = with_hold(hold).start().confirmed()
    if sealed:
        host.lock(ack=host.unit.memory.seq)
    host.wait(TIMEOUT + hold * 1000)
    assert host.poll().lock == LockState.OUT_OF_SERVICE
    assert host.seat().bet == Bet.RESTORED_DARK

    host.open_session()
    host.lock(ack=host.unit.memory.seq)
    assert (host.poll().lock, host.seat().bet) == (LockState.LOCKED, Bet.RESTORED_DARK)
    host.unlock(ack=host.unit.memory.seq)
    assert host.poll().lock == LockState.LOCKED, "its round is played"
    assert host.unit.light(1, host.now) == LampDrive.OFF

    host.lock(lamp=LampCommand.RELIGHT << 8 | 1)
    assert (host.seat().bet, host.unit.light(1, host.now)) == (Bet.SEALED, LampDrive.STEADY)


@pytest.mark.parametrize("hold", [0, 30])
def test_a_chip_in_flight_when_the_host_is_lost_counts_first(hold):
    host = with_hold(hold, unit_class=UnitClass.CHIP_SLOT).start()
    host.wait(TIMEOUT - 10)
    host.unit.chip(1, host.now)
    host.wait(20)
    assert host.poll().lock == LockState.OPEN

    host.wait(40)
    assert host.poll().lock == (LockState.HOST_LOST if hold else LockState.OUT_OF_SERVICE)
    assert host.seat().chips == 1
    assert host.detail().bet_seq <= host.poll().cut


def test_only_a_fresh_d_feeds_the_watchdog():
    host = Host().start()
    for _ in range(10):
        host.wait(TIMEOUT / 10)
        host.poll()
        host.unlock(token=host.token ^ 1)
        host.unlock(heartbeat=0)
        host.command(Opcode.LOADED_TO, 1, 0, 1)

    assert host.poll().lock == LockState.HOST_LOST


def test_heartbeats_keep_the_unit_open():
    host = Host().start()
    host.wait_fed(10 * TIMEOUT)

    assert host.poll().lock == LockState.OPEN


def test_the_watchdog_is_armed_by_the_first_d_and_not_before():
    host = Host()
    host.open_session()
    host.wait(10 * TIMEOUT)

    assert host.poll().faults == 0


def test_a_host_that_comes_back_in_the_hold_goes_on():
    host = Host().start().confirmed()
    host.wait(TIMEOUT + 100)
    host.unlock(ack=host.unit.memory.seq)

    assert host.poll().lock == LockState.OPEN
    assert host.seat().bet == Bet.CONFIRMED
    assert EventType.HOST_BACK in host.kinds()
    host.wait_fed(HOLD + 1000)
    assert host.poll().lock == LockState.OPEN


def test_after_a_loss_a_lock_makes_locked_and_seals():
    host = Host().start().confirmed()
    host.wait(TIMEOUT)
    cut = host.poll().cut
    host.lock()

    poll = host.poll()
    assert (poll.lock, poll.cut) == (LockState.LOCKED, cut)
    assert poll.seats[0].bet == Bet.SEALED
    assert host.kinds().count(EventType.LOCK) == 1


def test_a_lock_of_a_stranger_does_not_stop_the_hold():
    host = Host().start().confirmed()
    host.wait(TIMEOUT)
    host.lock(token=host.token ^ 1)
    assert host.poll().lock == LockState.LOCKED
    host.wait(HOLD)

    assert host.poll().lock == LockState.OUT_OF_SERVICE


def test_after_a_loss_a_sealed_round_waits_for_a_lock_or_a_new_round():
    host = Host().start().sealed()
    host.wait(TIMEOUT)
    host.unlock()
    assert host.poll().lock == LockState.HOST_LOST

    host.round_id += 1
    host.unlock()
    assert host.poll().lock == LockState.OPEN


def test_a_host_that_is_lost_while_the_unit_locks_ends_the_locking():
    host = Host().start()
    host.wait(TIMEOUT - 40)
    host.press()
    host.lock(token=0)
    assert host.poll().lock == LockState.LOCKING
    host.wait(10)

    assert host.poll().lock == LockState.HOST_LOST
    assert host.seat().bet == Bet.VOIDED


def test_the_loss_of_the_host_is_remembered_until_it_is_cleared():
    host = Host().start()
    host.wait(TIMEOUT)
    host.unlock()
    assert host.poll().faults == UnitFault.HOST_LOST

    assert host.command(Opcode.CLEAR_FAULTS, 0, UnitFault.HOST_LOST, UnitFault.HOST_LOST) == Result.DONE
    assert host.poll().faults == 0


# ---------------------------------------------------------------------------------------------------- out of service


def test_out_of_service_is_left_by_a_new_session_and_a_d_and_by_nothing_less():
    host = Host().start()
    host.wait(TIMEOUT + HOLD)
    host.unlock()
    host.lock()
    assert host.poll().lock == LockState.OUT_OF_SERVICE

    host.open_session()
    assert host.poll().lock == LockState.OUT_OF_SERVICE
    host.unlock()
    assert host.poll().lock == LockState.LOCKED
    host.unlock()
    assert host.poll().lock == LockState.OPEN


def test_the_d_that_ends_out_of_service_may_lock_as_well():
    host = Host().start()
    host.wait(TIMEOUT + HOLD)
    host.open_session()
    host.lock()

    assert host.poll().lock == LockState.LOCKED


def test_a_host_lost_again_out_of_service_changes_nothing_more():
    host = Host().start()
    host.wait(TIMEOUT + HOLD)
    host.lock()
    host.wait(TIMEOUT + HOLD)

    assert host.poll().lock == LockState.OUT_OF_SERVICE
    host.open_session()
    host.wait(10)
    host.lock()
    assert host.poll().lock == LockState.LOCKED


# ---------------------------------------------------------------------------------------------------- sessions


def test_a_session_has_the_next_token_and_locks():
    host = Host().start()
    before = host.token
    host.open_session()

    assert host.token == before % 0xFFFF + 1
    assert host.poll().flags & UnitFlag.SESSION_OWNED
    assert host.poll().lock == LockState.LOCKED
    assert host.events()[-1].argument == LockCause.HOST


def test_every_boot_begins_with_another_token():
    host, tokens = Host(), set()
    for _ in range(20):
        host.unit.reboot(ResetCause.EXTERNAL, host.now)
        tokens.add(host.poll().token)

    assert len(tokens) > 15
    assert 0 not in tokens


def test_a_token_is_never_zero():
    host = Host()
    host.unit._token = 0xFFFF
    host.open_session()

    assert host.token == 1


def test_a_frame_of_the_session_before_locks_and_nothing_else():
    host = Host().start()
    old, beat = host.token, host.beat
    host.open_session()
    host.unlock(token=old, heartbeat=beat + 1)

    assert host.poll().lock == LockState.LOCKED


def test_the_first_heartbeat_of_a_session_is_newer_than_any():
    host = Host().start()
    host.open_session()
    host.unlock(heartbeat=0)

    assert host.poll().lock == LockState.OPEN


def test_the_same_host_may_open_again():
    host = Host().start()
    host.open_session()
    host.open_session()

    assert not host.poll().flags & UnitFlag.SECOND_HOST


def test_another_host_in_a_living_session_is_reported():
    host = Host().start()
    host.open_session(nonce=6)
    assert host.poll().flags & UnitFlag.SECOND_HOST

    assert host.command(Opcode.CLEAR_FAULTS) == Result.DONE
    assert not host.poll().flags & UnitFlag.SECOND_HOST


def test_another_host_after_the_first_went_silent_is_a_successor():
    host = Host().start()
    host.open_session(nonce=6)
    host.wait(TIMEOUT)
    host.open_session(nonce=7)

    assert not host.poll().flags & UnitFlag.SECOND_HOST


def test_opening_a_session_is_not_feeding_it():
    host = Host()
    host.open_session(nonce=6)
    host.open_session(nonce=7)

    assert host.poll().heartbeat_age == 0xFF
    assert not host.poll().flags & UnitFlag.SECOND_HOST


def test_the_age_of_the_heartbeat_is_told_in_10_ms_and_saturates():
    host = Host()
    assert host.poll().heartbeat_age == 0xFF
    host.start()
    host.wait(155)
    assert host.poll().heartbeat_age == 15
    host.wait(5000)
    assert host.poll().heartbeat_age == 0xFF


# ---------------------------------------------------------------------------------------------------- reboots


def test_a_reboot_locks_darkens_and_forgets_the_session():
    host = Host().start().confirmed()
    before = host.poll()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)

    poll = host.poll()
    assert poll.lock == LockState.BOOT_LOCKED
    assert poll.boot_id != before.boot_id
    assert poll.token != before.token
    assert not poll.flags & UnitFlag.SESSION_OWNED
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.identity().boots == 2
    assert host.identity().reset_cause == ResetCause.EXTERNAL
    assert (poll.command_id, poll.result) == (0, 0)
    assert poll.uptime == 0


def test_a_reboot_gives_pending_credits_back_and_keeps_a_confirmed_bet_dark():
    host = Host(UnitClass.TABLE, seats=2).start()
    host.confirmed(seat=1)
    host.press(seat=2)
    host.unit.reboot(ResetCause.WATCHDOG, host.now)

    assert [seat.bet for seat in host.poll().seats] == [Bet.RESTORED_DARK, Bet.VOIDED]
    assert host.detail(2).cause == VoidCause.BOOT
    assert host.detail(2).balance == 50
    assert host.detail(1).round_id == host.round_id
    assert host.poll().faults == UnitFault.WATCHDOG_RESET
    assert host.kinds()[-3:] == [EventType.LOCK, EventType.BET_VOIDED, EventType.BOOT]
    assert host.events()[-3].argument == LockCause.BOOT
    assert host.poll().cut == host.events()[-3].seq - 1


def test_a_reboot_keeps_pending_chips():
    host = Host(UnitClass.CHIP_SLOT).start()
    host.unit.chip(1, host.now)
    host.wait(60)
    host.unit.reboot(ResetCause.BROWN_OUT, host.now)

    assert host.seat().bet == Bet.PENDING
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.poll().faults == UnitFault.BROWN_OUT
    host.open_session()
    host.lock(ack=host.unit.memory.seq)
    assert host.seat().bet == Bet.SEALED


def test_a_reboot_of_a_locked_unit_keeps_its_cut():
    host = Host().start().sealed()
    cut = host.poll().cut
    host.unit.reboot(ResetCause.EXTERNAL, host.now)

    assert host.poll().cut == cut
    assert host.kinds()[-1] == EventType.BOOT


def test_totals_and_numbers_outlive_a_power_cut():
    host = Host().start().sealed()
    before, detail = host.poll(), host.detail()
    host.unit.power_off(host.now)
    host.wait(1000)
    assert not host.unit.powered
    host.unit.power_on(host.now)

    poll = host.poll()
    assert (poll.seats[0].loaded, poll.seats[0].bets) == (before.seats[0].loaded, before.seats[0].bets)
    assert poll.seq == before.seq + 1
    assert host.detail().presses == detail.presses
    assert host.identity().reset_cause == ResetCause.POWER_ON
    assert [entry.boots for entry in host.events()][-2:] == [1, 2]


def test_a_restored_bet_is_relit_on_request_and_sealed():
    host = Host().start().confirmed()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()
    host.lock(lamp=LampCommand.RELIGHT << 8 | 2)
    assert host.seat().bet == Bet.RESTORED_DARK

    host.lock(lamp=LampCommand.RELIGHT << 8 | 1)
    assert host.seat().bet == Bet.SEALED
    assert host.unit.light(1, host.now) == LampDrive.STEADY


def test_all_restored_bets_are_relit_with_seat_0():
    host = Host(UnitClass.TABLE, seats=2).start()
    host.confirmed(seat=1).confirmed(seat=2)
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()
    host.lock(lamp=LampCommand.RELIGHT << 8)

    assert [seat.bet for seat in host.poll().seats] == [Bet.SEALED, Bet.SEALED]


def test_a_restored_round_is_not_opened_again_and_a_new_one_clears_it():
    host = Host().start().confirmed()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()
    host.unlock()
    assert host.poll().lock == LockState.LOCKED
    assert host.seat().bet == Bet.RESTORED_DARK

    host.round_id += 1
    host.unlock()
    assert host.poll().lock == LockState.OPEN
    assert host.seat().bet == Bet.NONE


def test_a_restored_bet_may_be_voided():
    host = Host().start().confirmed()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.open_session()

    assert host.command(Opcode.VOID_BET, 1, host.detail().bet_seq, 3) == Result.DONE
    assert host.detail().balance == 50


def test_a_reboot_in_a_boot_keeps_what_was_restored():
    host = Host().start().confirmed()
    for _ in range(3):
        host.unit.reboot(ResetCause.EXTERNAL, host.now)

    assert host.seat().bet == Bet.RESTORED_DARK


def test_a_unit_that_is_off_does_nothing():
    host = Host().start()
    host.unit.power_off(host.now)
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.wait(10_000)

    assert not host.unit.powered
    assert host.unit.deadline() is None
    assert host.unit.light(1, host.now) == LampDrive.OFF
    assert host.unit.shows(1) == -1


def test_switching_on_what_is_on_changes_nothing():
    host = Host().start()
    host.unit.power_on(host.now)

    assert host.poll().lock == LockState.OPEN


# ---------------------------------------------------------------------------------------------------- memory


def test_lost_totals_begin_a_new_epoch():
    host = Host().start().confirmed()
    host.unit.lose_memory()
    host.unit.power_off(host.now)
    host.unit.power_on(host.now)

    identity = host.identity()
    assert (identity.totals_epoch, identity.memory) == (1, MemoryHealth.LOST)
    assert host.poll().faults == UnitFault.TOTALS_LOST | UnitFault.CONFIG_INVALID
    assert host.seat().bets == 0
    assert EventType.MEMORY in host.kinds()


def test_a_damaged_memory_is_recovered_from_its_copy_without_a_loss():
    host = Host().start().confirmed()
    before = host.seat()
    host.unit.damage_memory()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)

    identity = host.identity()
    assert (identity.totals_epoch, identity.memory) == (0, MemoryHealth.RECOVERED)
    assert host.poll().faults == UnitFault.MEMORY_RECOVERED
    assert (host.seat().loaded, host.seat().bets) == (before.loaded, before.bets)
    host.open_session()
    assert host.command(Opcode.CLEAR_FAULTS, 0, 1, 1) == Result.DONE
    assert host.identity().memory == MemoryHealth.OK


def test_totals_go_on_beyond_2_to_the_32():
    host = Host(nvm=wound_up(Make(11, UnitClass.ELECTRONIC, config=CONFIG)))
    assert host.seat().bets == 2**32 - 5
    host.start(credit=20)
    assert host.unit.shows(1) == 20
    assert host.seat().loaded == 15
    host.press(button=3)
    host.ack()

    seat = host.seat()
    assert (seat.bet, seat.bets) == (Bet.CONFIRMED, 0)
    assert host.unit.shows(1) == 15
    assert host.poll().seq < 10


def test_a_wound_up_unit_may_come_without_a_configuration():
    host = Host(nvm=wound_up(Make(11, UnitClass.ELECTRONIC)), config=None)

    assert host.poll().faults == UnitFault.CONFIG_INVALID


@pytest.mark.parametrize("cut", [0, 3, 200, 300, 500, 1000])
def test_a_power_cut_in_any_write_leaves_before_or_after(cut):
    host = Host().start()
    host.nvm.cut_after(cut)
    host.unit.press(1, 2, host.now)
    host.wait(CONFIG.debounce)
    off = not host.unit.powered
    host.unit.power_on(host.now)

    seat, detail = host.seat(), host.detail()
    assert (seat.bets, seat.bet, detail.balance) in {(0, Bet.NONE, 50), (2, Bet.VOIDED, 50), (2, Bet.PENDING, 48)}
    assert off == (seat.bet != Bet.PENDING)


def test_a_question_during_which_the_power_goes_is_not_answered():
    host = Host().start()
    host.nvm.cut_after(0)
    words = Desired(token=0, heartbeat=0).encode()

    assert host.write(DESIRED, words) == Denied(Denial.FAILURE)
    assert not host.unit.powered
    host.nvm.cut_after(0)
    host.unit.power_on(host.now)
    assert not host.unit.powered
    host.unit.power_on(host.now)
    assert host.poll().lock == LockState.BOOT_LOCKED


def test_a_press_that_begins_before_a_reboot_is_no_press_after_it():
    host = Host().start()
    host.unit.press(1, 2, host.now)
    host.now += 10 * MS
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    host.wait(200)

    assert host.detail().presses == 0
    assert host.detail().inputs == 0


def test_a_finger_on_a_dead_unit_is_felt_when_it_wakes_up_and_is_no_press():
    host = Host().start()
    host.unit.power_off(host.now)
    host.unit.hold(1, 1, host.now)
    host.unit.press(1, 2, host.now)
    host.unit.hold(1, 3, host.now)
    host.unit.release(1, 3, host.now)
    host.wait(100)
    host.unit.power_on(host.now)

    assert host.detail().inputs == 1
    host.wait(10_000)
    assert host.detail().presses == 0
    assert host.detail().faults == 1 << 3
