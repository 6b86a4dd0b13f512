"""`device scan` and `device watch`, before a port is in play: who is on a line, and how a unit is, in words."""

import random

import pytest

from drivers.conformance import words
from drivers.conformance.scan import AddressAsked, Found, scan, scan_cctalk
from drivers.conformance.subject import Subject
from drivers.conformance.walker import Walker
from drivers.conformance.watch import UnitLook, Unseen, changes, lines_of, watch
from drivers.conformance.wire import Wire
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.native.blocks import FastPoll, Identity, SeatPoll
from drivers.native.contract import (
    Bet,
    Feedback,
    LampDrive,
    LockState,
    SeatFlag,
    SeatMode,
    UnitClass,
    UnitFault,
    UnitFlag,
)
from drivers.session import MILLISECOND, SECOND
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.sim.conformance_bench import BAUD, PATIENCE, Bench, firmware_of, make
from support.sim.world import World

TIMING = LineTiming(baud=BAUD, answer=PATIENCE, latency=0)


def on_a_line(*slaves, walk):
    wire = Wire(RtuFraming(), TIMING)
    line = Line(LineSettings(baud=BAUD), random.Random(1))
    for slave in slaves:
        line.attach(slave)
    events = []
    world = World(Walker(wire, walk(wire)), line, lambda event, now: events.append(event))
    return world, events


def scanned(*slaves, units):
    world, events = on_a_line(*slaves, walk=lambda wire: scan(wire, units))
    assert world.run_while(lambda: not world.first.host.over, 600 * SECOND)
    assert [event.address for event in events if isinstance(event, AddressAsked)] == list(units)
    return [event for event in events if isinstance(event, Found)]


def other(unit, unit_class=UnitClass.ELECTRONIC, kind=Firmware, **more):
    return kind(Make(unit, unit_class, serial=unit, **more), Nvm(), random.Random(unit))


def slave(firmware):
    return RtuSlave(firmware, TIMING)


def test_a_scan_finds_every_unit_of_a_line_and_writes_to_nobody():
    units = [other(3), other(8, UnitClass.CONSOLE), other(200, UnitClass.TABLE, seats=9, first_seat=4)]
    writes = []
    for unit in units:
        unit._write = lambda *asked: writes.append(asked)

    found = scanned(*map(slave, units), units=range(1, 248))

    assert [one.address for one in found] == [3, 8, 200]
    assert found[2].words.startswith("table, «POZO SIM», serial 000000C8, firmware 1, seats 4-12, configuration 0")
    assert "fault: config invalid" in found[2].words
    assert found[1].poll.lock is LockState.BOOT_LOCKED
    assert not writes


def test_a_scan_says_which_units_a_node_would_take_for_one():
    twin = Firmware(Make(8, UnitClass.ELECTRONIC, serial=3), Nvm(), random.Random(8))
    found = scanned(*map(slave, [other(3), twin, other(9)]), units=range(1, 12))

    said = [one.address for one in found if "SERIAL AND EPOCH OF UNIT 3" in one.words]
    assert said == [8]


def test_a_scan_names_what_is_no_native_unit():
    class Foreign(Firmware):
        def _identity(self):
            return (1, 2, 3, *super()._identity()[3:])

    class Small(Firmware):
        def __init__(self, *everything):
            super().__init__(*everything)
            del self._reads[0]

    class Rubbish(RtuSlave):
        def _speak(self, unit, answer, now):
            super()._speak(unit, b"nonsense", now)

    found = scanned(
        slave(other(1, kind=Foreign)), slave(other(2, kind=Small)), Rubbish(other(3), TIMING), units=(1, 2, 3)
    )

    assert [one.words for one in found] == [
        "not a native unit: an identity with wrong tag", "not a native unit: exception 02", "11 bytes that are no answer",
    ]  # fmt: skip
    assert not any(one.identity for one in found)


def test_a_scan_says_when_a_unit_lost_its_memory_or_has_no_sound_poll():
    class NoPoll(Firmware):
        def _fast_poll(self):
            return (0,) * 28

    class NoAnswer(Firmware):
        def _do(self, request):
            from drivers.modbus.pdu import Denied

            return super()._do(request) if request.address == 0 else Denied(4)

    class Boaster(Firmware):
        def _identity(self):
            from dataclasses import replace

            return replace(Identity.decode(super()._identity(), 4), seats=40).encode()

    lost = other(1)
    lost.lose_memory()
    lost.power_off(0)
    lost.power_on(0)

    found = scanned(
        *map(slave, (lost, other(2, kind=NoPoll), other(3, kind=NoAnswer), other(4, kind=Boaster))), units=range(1, 6)
    )

    assert "memory lost" in found[0].words
    assert [one.poll for one in found[1:]] == [None, None, None]
    assert all(one.words.endswith("no sound fast poll") for one in found[1:])


def test_a_scan_for_cctalk_finds_acceptors_with_either_checksum():
    from drivers.cctalk.frames import Checksum, Ear, Frame, Header, encode

    class Acceptor:
        def __init__(self, address, checksum):
            self._ear, self._out, self._address, self._checksum = Ear(checksum), b"", address, checksum

        def receive(self, data, now):
            texts = {Header.SIMPLE_POLL: b"", Header.CATEGORY: b"Coin Acceptor", Header.MANUFACTURER: b"NRI"}
            for asked in self._ear.hear(data, now):
                if asked.destination == self._address and asked.header in texts:
                    source = None if self._checksum is Checksum.CRC else self._address
                    self._out += encode(Frame(1, source, 0, texts[asked.header]), self._checksum)

        def to_send(self, now):
            out, self._out = self._out, b""
            return out

        def deadline(self):
            return None

        def tick(self, now):
            pass

    world, events = on_a_line(
        Acceptor(2, Checksum.SUM), Acceptor(40, Checksum.CRC), walk=lambda wire: scan_cctalk((2, 3, 40))
    )
    assert world.run_while(lambda: not world.first.host.over, 600 * SECOND)

    found = [event for event in events if isinstance(event, Found)]
    assert [(one.address, one.words) for one in found] == [
        (2, "ccTalk, checksum sum: Coin Acceptor · NRI · ?"), (40, "ccTalk, checksum crc: Coin Acceptor · NRI · ?"),
    ]  # fmt: skip


def watching(firmware):
    def walk(wire):
        return watch(Subject(firmware.make.unit, wire, frozenset(), 1, 1, 1), 50 * MILLISECOND)

    return on_a_line(slave(firmware), walk=walk)


def test_watching_tells_the_unit_as_it_is_and_writes_nothing():
    firmware = firmware_of(make(UnitClass.TABLE, 2))
    firmware._write = lambda *asked: pytest.fail("written")
    world, events = watching(firmware)
    world.run_for(SECOND)
    world.act(lambda now: firmware.press(2, 1, now))
    world.run_for(SECOND)

    assert len(events) > 10
    assert all(isinstance(event, UnitLook) for event in events)
    last = lines_of(events[-1])
    assert last[0].startswith("table, «POZO SIM», serial 00001234")
    assert last[1].startswith("boot locked, seq 2, cut 0, no heartbeat, up ")
    assert (
        last[3] == "seat 4: no bet, lamp dark, agrees, 0 mA, loaded 0, bets 0, voided 0, balance 0, refused 1, late 0"
    )


def test_only_what_changed_is_told_again():
    firmware = firmware_of(make(UnitClass.TABLE, 2))
    world, events = watching(firmware)
    world.run_for(SECOND)
    first, second = events[1], events[2]

    assert len(changes(None, first)) == 4
    assert changes(first, second) == []
    world.act(lambda now: firmware.press(2, 1, now))
    world.run_for(SECOND)
    assert [line.split(",")[0] for line in changes(second, events[-1])] == ["boot locked", "seat 4: no bet"]


def test_watching_says_once_more_when_the_unit_is_gone_and_when_it_is_back():
    firmware = firmware_of(make())
    world, events = watching(firmware)
    world.run_for(SECOND)
    world.act(firmware.power_off)
    world.run_for(SECOND)
    assert isinstance(events[-1], Unseen)
    assert events[-1].why.startswith("silence instead of")
    world.act(firmware.power_on)
    world.run_for(2 * SECOND)
    assert isinstance(events[-1], UnitLook)
    assert events[-1].identity.boots == 2


def test_a_console_has_presses_and_no_balance():
    firmware = firmware_of(make(UnitClass.CONSOLE))
    world, events = watching(firmware)
    world.run_for(SECOND)

    assert lines_of(events[-1])[2] == "seat 3: lock presses 0, unlock presses 0, key changes 0"


def test_a_reboot_between_two_looks_is_looked_at_anew():
    firmware = firmware_of(make())
    world, events = watching(firmware)
    world.run_for(SECOND)
    world.act(lambda now: firmware.reboot(firmware._reset_cause, now))
    world.run_for(SECOND)

    assert [event.identity.boots for event in events if isinstance(event, UnitLook)][-1] == 2


def test_words_for_lamps_locks_and_flags():
    lit = SeatPoll(
        bet=Bet.CONFIRMED, lamp=LampDrive.STEADY, bet_credits=2, milliamps=18, feedback=Feedback.MEASURED | Feedback.OPEN,
        flags=SeatFlag.ENABLED | SeatFlag.BUTTON_DOWN | SeatFlag.PART_UNACKED | SeatFlag.PATH_BLOCKED, mode=SeatMode.CHIPS,
    )  # fmt: skip
    assert words.seat_words(lit) == (
        "bet 2 confirmed, lamp steady, DOES NOT AGREE, open load, 18 mA, loaded 0, bets 0, voided 0, chips 0, button down,"
        " chip path blocked, a part unacked"
    )
    assert words.seat_words(SeatPoll(mode=SeatMode.COUNTER, loaded=7)) == "shows 7, DISABLED"
    assert words.seat_words(SeatPoll(mode=SeatMode.CONSOLE, loaded=1, bets=2, voided=3)) == (
        "lock presses 1, unlock presses 2, key changes 3, DISABLED"
    )
    assert "not measured" in words.lamp_words(SeatPoll())
    poll = FastPoll(
        unit=1, snapshot=0, boot_id=0, uptime=0, lock=LockState.OPEN, flags=UnitFlag.SECOND_HOST, faults=UnitFault.CLOCK | 0x8000,
    )  # fmt: skip
    assert words.head_words(poll) == "open, seq 0, cut 0, second host, fault: clock, fault: bit 15"
    assert words.plain(99, UnitClass) == "unknown (99)"


def test_lines_of_a_seat_name_its_faults():
    bench = Bench(firmware_of(make()), clauses=[])
    firmware = bench.firmware
    firmware.hold(1, 1, 0)
    world, events = watching(firmware)
    world.run_for(12 * SECOND)
    assert lines_of(events[-1])[2].endswith("fault: button stuck")
    world.act(lambda now: firmware.release(1, 1, now))
    world.run_for(SECOND)
    assert lines_of(events[-1])[2].endswith("latched: button stuck")
