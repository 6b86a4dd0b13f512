"""Conventions and blocks (2.2, 2.3), and the golden frames (2.7)."""

from dataclasses import replace

import pytest

from drivers.modbus.crc import crc16
from drivers.modbus.pdu import (
    Denial,
    Denied,
    ReadBits,
    ReadWords,
    Words,
    WriteBits,
    WriteReadWords,
    WriteWords,
    Written,
)
from drivers.native import contract as at
from drivers.native.contract import (
    Bet,
    Capability,
    EventType,
    LampDrive,
    LockState,
    ResetCause,
    SeatMode,
    UnitClass,
    UnitFlag,
)
from drivers.native.writes import Config, Desired
from firmware_sim.native.make import USUAL, Make
from support.sim.firmware_host import CONFIG, Host, make_of

NO_ADDRESS, NO_VALUE, NO_FUNCTION = Denied(Denial.ADDRESS), Denied(Denial.VALUE), Denied(Denial.FUNCTION)


def golden_unit():
    """The unit of 2.7: OPEN, seq 42, cut 40, token 1234; its bet of 2 confirmed and lit, loaded 50, bets 31, voided 1."""
    host = Host(capabilities=USUAL[UnitClass.ELECTRONIC])
    host.start().confirmed(button=2)
    host.command(at.Opcode.CLEAR_FAULTS, 1)
    unit, memory, seat = host.unit, host.unit.memory, host.unit.seats[0].memory
    memory.seq, memory.cut, memory.boot_id, seat.loaded, seat.bets, seat.voided = 42, 40, 0xBEEF, 50, 31, 1
    unit._token, unit._command_id, unit._result, unit._snapshot, unit._acked, unit._beat = 0x1234, 9, 1, 6, 42, 0x100
    host.wait(80)
    host.now = 123_456_000
    unit._agenda.at(host.now + 10**6, next(iter(a for a in unit._agenda._times if a.kind == 8)))
    unit._host_seen_at = host.now - 150_000
    return host


def heard(host, frame):
    body = bytes.fromhex(frame)
    assert crc16(body[:-2]) == int.from_bytes(body[-2:], "little")
    assert body[0] == 0x0B
    return host.unit.hear(body[1:-2], host.now)


def test_the_golden_poll_is_answered_to_the_byte():
    answer = heard(golden_unit(), "0b 03 20 00 00 1c 4f 69")

    assert answer == bytes.fromhex(
        "03 38 a5 01 0b 01 00 07 be ef 00 01 e2 40 00 11 00 00 00 00 00 2a 00 00 00 28 12 34 00 09 01 0f 79 90"
        "1c 02 01 21 00 12 00 02 00 00 00 32 00 00 00 1f 00 00 00 01 00 00 00 00"
    )


def test_the_golden_write_is_answered_to_the_byte_and_executed():
    host = golden_unit()
    answer = heard(host, "0b 10 04 00 00 08 10 12 34 01 01 55 4e 00 4d 00 00 00 2a 00 00 66 dd 2e e5")

    assert answer == bytes.fromhex("10 04 00 00 08")
    assert host.poll().lock == LockState.OPEN
    assert host.unit.memory.round_id == 0x4D


def test_the_golden_broadcast_locks_and_has_no_answer():
    host = golden_unit()

    assert (
        host.unit.hear_broadcast(
            bytes.fromhex("10 04 00 00 08 10 00 00 00 00 4c 4f 00 00 00 00 00 00 00 00 d9 19"), host.now
        )
        == b""
    )
    assert host.poll().lock == LockState.LOCKED


def test_a_broadcast_that_makes_no_sense_has_no_answer_either():
    host = golden_unit()

    assert host.unit.hear_broadcast(b"\x06\0\0\0\0", host.now) == b""
    assert host.unit.hear_broadcast(b"\x03\x20\0\0\x1c", host.now) == b""
    assert host.poll().lock == LockState.OPEN


@pytest.mark.parametrize("function", [5, 6, 8, 0x2B, 0x41])
def test_other_functions_are_exception_01(function):
    host = Host()

    assert host.unit.hear(bytes([function, 0x04, 0, 0, 0]), host.now) == bytes([function | 0x80, 1])


@pytest.mark.parametrize("request_", [ReadBits(0, 1), ReadBits(0, 1, 2), WriteBits(0, (True,))])
def test_bits_are_exception_01(request_):
    host = Host()

    assert host.unit.serve(request_, 0) == NO_FUNCTION


def test_fc04_shows_what_fc03_shows():
    host = Host().start()
    for address, count in [(at.IDENTITY, 32), (at.RING, 100), (at.CONFIG, 32), (at.DETAIL, 32)]:
        assert host.unit.serve(ReadWords(address, count, 4), host.now) == host.unit.serve(
            ReadWords(address, count), host.now
        )


@pytest.mark.parametrize(
    ("address", "count"),
    [
        (0x0020, 1),
        (0x001F, 2),
        (0x0100, 1),
        (0x0410, 8),
        (0x0420, 8),
        (0x1100, 32),
        (0x201B, 2),
        (0x201C, 1),
        (0x2000, 29),
        (0xFFFF, 1),
    ],
)
def test_what_is_not_wholly_inside_one_block_is_exception_02(address, count):
    assert Host().unit.serve(ReadWords(address, count), 0) == NO_ADDRESS


def test_a_part_of_a_block_may_be_read():
    host = Host()
    whole = host.read(at.IDENTITY, 32)

    assert host.read(at.IDENTITY + 6, 2) == whole[6:8]
    assert host.read(at.FAST_POLL + 1, 1) == (11 << 8 | 1,)


@pytest.mark.parametrize("address", [0x0000, 0x0401, 0x03FF, 0x0412, 0x0420, 0x2000])
def test_a_write_that_does_not_begin_at_a_written_block_is_exception_02(address):
    assert Host().write(address, [0] * 8) == NO_ADDRESS


@pytest.mark.parametrize(("address", "count"), [(0x0400, 7), (0x0400, 9), (0x0410, 1), (0x0300, 31), (0x0300, 33)])
def test_a_write_of_less_or_more_than_a_block_is_exception_03(address, count):
    assert Host().write(address, [0] * count) == NO_VALUE


@pytest.mark.parametrize("address", [0x0400, 0x0410])
def test_a_write_whose_check_does_not_hold_is_exception_03(address):
    assert Host().write(address, [1] * 8) == NO_VALUE


def test_fc23_is_exception_01_unless_the_unit_says_it_can():
    assert Host().unit.serve(WriteReadWords(at.DESIRED, (0,) * 8, at.FAST_POLL, 28), 0) == NO_FUNCTION


def test_fc23_writes_d_and_then_reads():
    host = Host(capabilities=USUAL[UnitClass.ELECTRONIC] | Capability.WRITE_READ).start()
    words = Desired(token=host.token, heartbeat=host.beat + 1, lock=at.LOCK).encode()
    answer = host.unit.serve(WriteReadWords(at.DESIRED, words, at.FAST_POLL, 28), host.now)

    assert isinstance(answer, Words)
    assert answer.words[6] & 0xF == LockState.LOCKED


@pytest.mark.parametrize(
    ("write", "words", "read", "count", "answer"),
    [
        (at.COMMAND, (0,) * 8, at.FAST_POLL, 28, NO_ADDRESS),
        (at.DESIRED, (0,) * 8, at.FAST_POLL, 29, NO_ADDRESS),
        (at.DESIRED, (0,) * 8, at.FAST_POLL, 28, NO_VALUE),
        (at.DESIRED, (0,) * 7, at.FAST_POLL, 28, NO_VALUE),
    ],
)
def test_fc23_that_is_not_right_does_nothing(write, words, read, count, answer):
    host = Host(capabilities=USUAL[UnitClass.ELECTRONIC] | Capability.WRITE_READ).start()

    assert host.unit.serve(WriteReadWords(write, words, read, count), host.now) == answer
    assert host.poll().lock == LockState.OPEN


# ---------------------------------------------------------------------------------------------------- the blocks


def test_reading_changes_nothing_but_the_snapshot_counter():
    host = Host().start().confirmed()
    first = host.poll()
    for _ in range(3):
        host.detail(), host.identity(), host.events()
        again = host.poll()

    assert replace(again, snapshot=first.snapshot) == first
    assert again.snapshot == first.snapshot + 3


def test_a_poll_of_nine_seats_is_what_the_block_says():
    host = Host(UnitClass.TABLE, seats=9).start()
    host.press(seat=4)
    words = host.read(at.FAST_POLL, 124)
    poll = host.poll()

    assert replace(poll, snapshot=poll.snapshot - 1).encode() == words
    assert poll.seats[3].bet == Bet.PENDING


def test_the_identity_says_who_the_unit_is():
    identity = Host(product="acceptor 7", serial=2**31, hardware=2, firmware=3, firmware_crc=4).identity()

    assert (identity.version, identity.unit_class, identity.seats, identity.unit) == (0x0101, 1, 1, 11)
    assert (identity.serial, identity.product, identity.boots, identity.ring_depth) == (2**31, "acceptor 7", 1, 12)
    assert (identity.config_generation, identity.config_check) == (CONFIG.generation, CONFIG.check)
    assert identity.reset_cause == ResetCause.POWER_ON


def test_a_unit_without_configuration_shows_none():
    host = Host(config=None, first_seat=4)

    assert (host.identity().config_generation, host.identity().config_check, host.identity().first_seat) == (0, 0, 4)
    assert host.read(at.CONFIG, 32) == (0,) * 32


@pytest.mark.parametrize("unit_class", UnitClass)
def test_every_class_has_the_map(unit_class):
    host = Host(unit_class)

    assert host.identity().unit_class == unit_class
    assert host.identity().capabilities == USUAL[unit_class]
    modes = {UnitClass.CHIP_SLOT: 1, UnitClass.CONSOLE: 2, UnitClass.COUNTER: 3}
    assert host.seat().mode == modes.get(unit_class, 0)


def test_seats_of_a_table_may_be_slots_or_mixed():
    assert make_of(UnitClass.TABLE, seats=2, capabilities=USUAL[UnitClass.CHIP_SLOT]).mode(2) == SeatMode.CHIPS
    mixed = make_of(UnitClass.TABLE, seats=2, modes=(SeatMode.CHIPS, SeatMode.BUTTONS))
    assert [mixed.mode(1), mixed.mode(2)] == [SeatMode.CHIPS, SeatMode.BUTTONS]


@pytest.mark.parametrize(
    "made", [{"unit": 0}, {"unit": 248}, {"seats": 0}, {"seats": 10, "unit_class": 5}, {"seats": 2}, {"modes": (0, 0)}]
)
def test_impossible_units_are_not_made(made):
    with pytest.raises(AssertionError):
        Make(**{"unit": 1, "unit_class": UnitClass.ELECTRONIC} | made)


def test_the_ring_keeps_the_newest_twelve_and_says_when_it_overflowed():
    host = Host().start(credit=0)
    host.ack()
    assert not host.poll().flags & UnitFlag.RING_OVERFLOW
    for number in range(13):
        assert bool(host.poll().flags & UnitFlag.RING_OVERFLOW) == (number > 12)
        host.press(button=4)
        host.wait(60)

    entries = host.events()
    assert [entry.seq for entry in entries] == list(range(host.poll().seq - 11, host.poll().seq + 1))
    assert host.poll().flags & UnitFlag.RING_OVERFLOW
    host.ack()
    assert not host.poll().flags & UnitFlag.RING_OVERFLOW


def test_the_ring_outlives_a_reboot_and_tells_the_boots_apart():
    host = Host().start()
    host.unit.reboot(ResetCause.EXTERNAL, host.now)

    assert host.kinds() == [EventType.BOOT, EventType.CREDITS_LOADED, EventType.UNLOCK, EventType.LOCK, EventType.BOOT]
    assert [entry.boots for entry in host.events()] == [1, 1, 1, 2, 2]


# ---------------------------------------------------------------------------------------------------- configuration


def test_a_configuration_is_staged_and_the_live_one_is_read():
    host = Host().start()
    host.lock()
    config = host.stage(most=7, generation=2)
    assert host.poll().flags & UnitFlag.CONFIG_STAGED
    assert Config.decode(host.read(at.CONFIG, 32)) == CONFIG

    assert host.command(at.Opcode.CONFIG_COMMIT, 0, config.generation, config.check) == at.Result.DONE
    assert Config.decode(host.read(at.CONFIG, 32)) == config
    assert not host.poll().flags & UnitFlag.CONFIG_STAGED
    assert host.kinds()[-1] == EventType.CONFIG
    host.unit.reboot(ResetCause.EXTERNAL, host.now)
    assert Config.decode(host.read(at.CONFIG, 32)) == config


@pytest.mark.parametrize(
    "fields",
    [
        {"host_timeout": 0},
        {"host_timeout": 299},
        {"host_timeout": 5001},
        {"least": 0},
        {"least": 11},
        {"unit": 12},
        {"chip_credits": 0},
    ],
)
def test_a_configuration_no_unit_may_run_on_is_exception_03(fields):
    host = Host()

    assert host.write(at.CONFIG, replace(CONFIG, **fields).encode()) == NO_VALUE
    assert not host.poll().flags & UnitFlag.CONFIG_STAGED


def test_a_configuration_whose_check_does_not_hold_is_exception_03():
    words = CONFIG.encode()

    assert Host().write(at.CONFIG, (*words[:-1], words[-1] ^ 1)) == NO_VALUE


def test_a_configuration_may_be_staged_while_open_and_not_committed():
    host = Host().start()
    config = host.stage(generation=2)
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, 2, config.check) == at.Result.REFUSED

    assert host.poll().lock == LockState.OPEN
    assert host.write(at.CONFIG, config.encode()) == Written()


def test_a_configuration_is_not_committed_over_a_bet_that_waits():
    host = Host().start()
    config = host.stage(generation=2)
    host.press()
    host.lock()

    assert host.command(at.Opcode.CONFIG_COMMIT, 0, 2, config.check) == at.Result.REFUSED


@pytest.mark.parametrize("state", ["voided", "sealed"])
def test_a_configuration_may_be_committed_over_a_bet_that_counts_no_more(state):
    host = Host().start().sealed()
    if state == "voided":
        host.command(at.Opcode.VOID_BET, 1, host.detail().bet_seq, 1)
    config = host.stage(generation=2)

    assert host.command(at.Opcode.CONFIG_COMMIT, 0, 2, config.check) == at.Result.DONE


def test_a_commit_names_the_configuration_it_means():
    host = Host()
    host.open_session()
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, 2, 3) == at.Result.MISMATCH
    host.stage(generation=2)
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, 2, 3) == at.Result.MISMATCH
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, CONFIG.generation, CONFIG.check) == at.Result.ALREADY
    assert host.poll().flags & UnitFlag.CONFIG_STAGED


def test_committing_what_is_live_drops_what_was_staged():
    host = Host()
    host.open_session()
    host.stage()
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, CONFIG.generation, CONFIG.check) == at.Result.ALREADY
    assert not host.poll().flags & UnitFlag.CONFIG_STAGED


def test_a_staged_configuration_is_forgotten_by_a_reboot():
    host = Host()
    host.stage(generation=2)
    host.unit.reboot(ResetCause.EXTERNAL, 0)

    assert not host.poll().flags & UnitFlag.CONFIG_STAGED


def test_a_unit_that_was_never_configured_opens_after_a_commit():
    host = Host(config=None)
    host.open_session()
    config = host.stage(first_seat=3)
    assert host.command(at.Opcode.CONFIG_COMMIT, 0, config.generation, config.check) == at.Result.DONE
    host.unlock()

    assert host.poll().lock == LockState.OPEN
    assert host.identity().first_seat == 3
    assert host.poll().faults == 0


def test_a_delivered_configuration_names_the_unit_it_came_in():
    host = Host(unit=5, first_seat=2)

    config = Config.decode(host.read(at.CONFIG, 32))
    assert (config.unit, config.first_seat) == (5, 2)


def test_an_unused_lamp_is_dark():
    assert Host().unit.light(1, 0) == LampDrive.OFF


def test_the_write_of_a_golden_frame_by_fc16_only():
    host = Host().start()

    assert host.unit.serve(WriteWords(at.DESIRED, (1, 2, 3)), host.now) == NO_VALUE
