"""An off-the-shelf module behind the model of a native unit: real driver, real bus, simulated module, virtual time."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.io_module.bets import Base, SeatBets
from drivers.io_module.map import read_io_map
from drivers.io_module.unit import IoModule
from drivers.line.failures import Failure
from drivers.modbus.bus import Bus
from drivers.modbus.pdu import (
    COILS,
    Bits,
    Denied,
    ReadBits,
    ReadWords,
    Words,
    WriteBits,
    WriteWords,
    Written,
    answer_size,
    decode_answer,
)
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.model import BetSeen, ConsoleSeen, DeviceKey, Down, LampProof, Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.session import MILLISECOND, SECOND
from firmware_sim.foreign.io_module import IoFirmware, IoMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.lamp import LampCondition
from support.sim.world import World

DOCUMENT = {
    "unit": 20,
    "serial": 4711,
    "product": "E1214",
    "seat": [
        {
            "seat": 3,
            "button": [{"counter": 0x10, "credits": 1}, {"counter": 0x12, "credits": 2}],
            "lamp": 0,
            "feedback": 2,
        },
        {"seat": 4, "button": [{"counter": 0x14, "credits": 5}], "lamp": 1, "feedback": 3},
        {"seat": 5, "button": [{"counter": 0x1A, "credits": 1}], "lamp": 4, "feedback": 5},
    ],
    "console": {"lock": {"counter": 0x16}, "unlock": {"counter": 0x18}},
}
MAP = read_io_map(DOCUMENT, "mod")
KEYED = read_io_map(DOCUMENT | {"console": {"lock": {"input": 7}}}, "mod")
TIMING = LineTiming(baud=38400, latency=MILLISECOND)
KEY = DeviceKey(4711, 1)


class Table:
    """The module on a line, its driver on a bus, and an owner who books what it is told at once."""

    def __init__(self, io_map=MAP, line=None, base=None, books=True, module=None, start=True, **make):
        self.unit = IoModule(io_map)
        if base is not None:
            self.unit.resume(base)
        self.module = module or IoFirmware(IoMake(map=io_map, **make))
        self.line = Line(line or LineSettings(baud=38400), Random(1))
        self.slave = RtuSlave(self.module, TIMING)
        self.line.attach(self.slave)
        self.books = books
        self.events, self.seats, self.console = [], {}, None
        self.bus = Bus([self.unit], TIMING, RtuFraming())
        self.world = World(self.bus, self.line, self.hear)
        if start:
            self.run(SECOND)

    def hear(self, event, now):
        self.events.append(event)
        if isinstance(event, SeatSeen):
            self.seats[event.seat] = event
            if self.books:
                self.unit.acknowledge(event.device, event.seq)
        if isinstance(event, ConsoleSeen):
            self.console = event

    def do(self, action, run=SECOND // 2):
        self.world.act(action)
        return self.run(run)

    def run(self, time):
        self.world.run_for(time)
        return self

    def open(self, round_id=1):
        return self.do(lambda now: self.unit.unlock(round_id))

    def press(self, seat, button=1, run=SECOND // 2):
        return self.do(lambda now: self.module.press(seat, button, now), run)

    def lock(self, run=SECOND // 2):
        return self.do(lambda now: self.unit.lock(), run)

    def lights(self):
        return [self.module.light(seat, self.world.now) for seat in (3, 4, 5)]

    def all(self, kind):
        return [event for event in self.events if isinstance(event, kind)]


# Coming up.


def test_it_comes_up_locked_dark_and_proven():
    table = Table()

    assert table.events[0] == UnitUp(unit=20, device=KEY, product="E1214", firmware=0, seats=(3, 4, 5), rebooted=False)
    assert {seat.seat: (seat.locked, seat.bet, seat.lamp) for seat in table.seats.values()} == dict.fromkeys(
        (3, 4, 5), (True, BetSeen.NONE, LampProof.DARK)
    )
    assert table.console == ConsoleSeen(
        unit=20, device=KEY, seq=0, lock_presses=0, unlock_presses=0, key_changes=0, lock_key_down=False
    )


def test_lamps_left_burning_by_somebody_are_dark_before_it_is_up():
    module = IoFirmware(IoMake(map=MAP))
    module.serve(WriteBits(0, (True, True)), 0)
    table = Table(module=module, start=False)
    while not table.all(UnitUp):
        table.run(MILLISECOND)

    assert table.lights() == [False] * 3


@pytest.mark.parametrize("high_first", [True, False])
def test_the_order_of_words_is_proven_by_the_modules_constant(high_first):
    io_map = read_io_map(DOCUMENT | {"probe": {"address": 0x2002, "value": 0x1234AAAA}}, "mod")
    module = IoFirmware(IoMake(map=io_map, high_first=high_first))
    module.set_counters(70_000)
    table = Table(io_map, module=module).open().press(4)

    assert table.seats[4].totals.bets == 5


def test_a_module_with_another_constant_is_another_module():
    io_map = read_io_map(DOCUMENT | {"probe": {"address": 0x2002, "value": 0x1234AAAA}}, "mod")
    other = replace(io_map, probe=replace(io_map.probe, value=0x11112222))
    table = Table(io_map, module=IoFirmware(IoMake(map=other))).run(20 * SECOND)

    (down,) = table.events
    assert (down.reason, down.seats) == (Down.CONFIG_REFUSED, (3, 4, 5))
    assert down.detail == "1111 2222 at 2002h is not the constant of this map"


def test_a_module_without_the_registers_of_the_map_is_refused_with_their_place():
    other = read_io_map(DOCUMENT | {"function": 3}, "mod")
    table = Table(MAP, module=IoFirmware(IoMake(map=other))).run(20 * SECOND)

    (down,) = table.events
    assert (down.reason, down.detail) == (Down.CONFIG_REFUSED, "exception 1 to ReadWords at 0010h")


def test_a_module_without_a_console_speaks_of_none():
    table = Table(replace(MAP, lock_counter=None, unlock_counter=None)).open().press(3)

    assert table.console is None
    assert table.seats[3].bet is BetSeen.CONFIRMED


# Bets.


def test_a_press_is_pending_then_booked_then_lit_and_proven():
    table = Table().open()
    table.books = False
    table.press(3, 2, run=200 * MILLISECOND)
    assert (table.seats[3].bet, table.seats[3].lamp, table.lights()[0]) == (BetSeen.PENDING, LampProof.DARK, False)

    seat = table.seats[3]
    table.do(lambda now: table.unit.acknowledge(seat.device, seat.seq))
    seat = table.seats[3]
    assert (seat.bet, seat.bet_credits, seat.bet_seq, seat.totals.bets) == (BetSeen.CONFIRMED, 2, 1, 2)
    assert (seat.lamp, table.lights()) == (LampProof.LIT, [True, False, False])
    assert not seat.locked


def test_r6_of_the_bets_of_one_reading_only_the_last_may_be_acknowledged():
    """Whoever booked after the first and acknowledged their common number would light the second, which nobody has."""
    table = Table(books=False).open()
    table.events.clear()
    table.world.act(lambda now: [table.module.press(seat, 1, now) for seat in (3, 5)])
    table.run(SECOND // 2)
    image = [event for event in table.all(SeatSeen) if event.bet is BetSeen.PENDING]

    assert [(seen.seat, seen.last) for seen in image] == [(3, False), (5, True)]
    assert len({seen.seq for seen in image}) == 1
    assert all(seen.last for seen in table.press(4).all(SeatSeen)[-1:])


def test_no_lamp_without_a_booked_bet_even_for_a_moment():
    table = Table(books=False).open()
    table.press(3, run=0)
    for _ in range(900):
        table.run(MILLISECOND)
        assert table.lights() == [False] * 3


def test_a_bet_nobody_booked_in_time_is_void_and_a_late_booking_changes_nothing():
    table = Table(books=False).open().press(3).run(2 * SECOND)
    seat = table.seats[3]
    assert (seat.bet, seat.totals.bets, seat.totals.voided) == (BetSeen.VOIDED, 1, 1)

    table.do(lambda now: table.unit.acknowledge(seat.device, seat.seq))
    assert (table.seats[3].bet, table.lights()[0]) == (BetSeen.VOIDED, False)
    table.books = True
    assert table.press(3).seats[3].bet is BetSeen.CONFIRMED  # credits are back: it may be bet again


def test_a_press_shorter_than_the_poll_is_a_press():
    io_map = replace(MAP, poll=SECOND)
    table = Table(io_map).open().press(3, run=3 * SECOND)

    assert table.seats[3].bet is BetSeen.CONFIRMED


def test_one_bet_for_each_seat_and_round():
    table = Table().open().press(3).press(3, 2).press(4)
    assert [table.seats[seat].totals.bets for seat in (3, 4, 5)] == [1, 5, 0]

    table.lock().open(2).press(3, 2)
    assert table.seats[3].totals.bets == 3
    assert table.seats[4].bet is BetSeen.NONE


def test_three_presses_between_two_readings_are_one_bet():
    table = Table().open()
    table.do(lambda now: [table.module.press(3, 1, now) for _ in range(3)])

    assert table.seats[3].totals.bets == 1


def test_two_buttons_between_two_readings_are_no_bet_and_it_is_said():
    table = Table().open()
    table.do(lambda now: (table.module.press(3, 1, now), table.module.press(3, 2, now)))

    assert table.seats[3].totals.bets == 0
    assert table.events[-1] == Notice(
        unit=20, seat=3, kind="press_ambiguous", detail="two buttons between two readings: neither counts"
    )


def test_counters_that_go_round_lose_no_press():
    for io_map, last in ((MAP, 2**32 - 1), (read_io_map(DOCUMENT | {"bits": 16}, "mod"), 2**16 - 1)):
        module = IoFirmware(IoMake(map=io_map))
        module.set_counters(last)
        table = Table(io_map, module=module).open().press(3)
        assert table.seats[3].totals.bets == 1
        assert not table.all(UnitDown)


def test_a_voided_bet_gives_its_credits_back_once():
    table = Table().open().press(4).lock()
    seat = table.seats[4]
    assert seat.bet is BetSeen.SEALED
    table.do(lambda now: table.unit.void(4, seat.bet_seq + 1, 1))
    table.do(lambda now: table.unit.void(4, seat.bet_seq, 1))
    table.do(lambda now: table.unit.void(4, seat.bet_seq, 1))
    table.do(lambda now: table.unit.void(5, 0, 1))

    assert (table.seats[4].bet, table.seats[4].totals.voided, table.lights()[1]) == (BetSeen.VOIDED, 5, False)
    assert [(event.seat, event.done, event.result) for event in table.all(Settled)] == [
        (4, False, "mismatch"), (4, True, "done"), (4, True, "done"), (5, False, "mismatch")
    ]  # fmt: skip


def test_a_disabled_seat_takes_no_press_and_shows_no_lamp():
    table = Table().open().press(3)
    table.do(lambda now: (table.unit.disable(3), table.unit.disable(4)))
    table.press(4)
    assert (table.lights(), table.seats[4].totals.bets, table.seats[3].enabled) == ([False] * 3, 0, False)

    table.do(lambda now: (table.unit.enable(3), table.unit.enable(4)))
    assert table.lights() == [True, False, False]
    assert [event.command for event in table.all(Settled)] == ["disable", "disable", "enable", "enable"]


# Lock.


def test_a_lock_is_told_only_after_a_reading_that_was_asked_for_after_it():
    table = Table().open().press(3)
    table.events.clear()
    table.do(lambda now: table.unit.lock(), run=0)
    assert all(not seat.locked for seat in table.all(SeatSeen))

    table.run(SECOND // 5)
    assert all(table.seats[seat].locked for seat in (3, 4, 5))
    assert (table.seats[3].bet, table.seats[3].cut, table.lights()[0]) == (BetSeen.SEALED, 1, True)


def test_a_reading_that_was_asked_for_before_the_lock_does_not_prove_it():
    table = Table().open()
    unit = table.unit
    now = table.world.now + SECOND
    ask = unit.next_ask(now)
    while not isinstance(ask.request, ReadWords):
        answer = table.module.serve(ask.request, now)
        unit.taken(ask, answer, now)
        ask = unit.next_ask(now)
    unit.lock()
    unit.taken(ask, table.module.serve(ask.request, now), now)

    assert not any(event.locked for event in iter(unit.next_event, None))


def test_an_output_that_sticks_does_not_keep_the_rest_of_the_module_out():
    module = IoFirmware(IoMake(map=MAP))
    module.serve(WriteBits(1, (True,)), 0)
    serve = module.serve
    module.serve = lambda request, now: Written() if isinstance(request, WriteBits) else serve(request, now)
    table = Table(module=module).run(5 * SECOND)

    assert {number: seat.faults for number, seat in table.seats.items()} == {3: (), 4: ("output_stuck",), 5: ()}


def test_a_seat_with_a_pending_bet_is_not_told_as_locked():
    table = Table(books=False).open().press(3, run=100 * MILLISECOND).lock(run=300 * MILLISECOND)
    assert not table.seats[3].locked
    assert not table.seats[4].locked

    table.run(2 * SECOND)
    assert table.seats[3].locked
    assert table.seats[3].bet is BetSeen.VOIDED


def test_a_bet_read_before_the_lock_is_sealed_when_it_is_booked_after_it():
    table = Table(books=False).open().press(3, run=100 * MILLISECOND).lock(run=0)
    seat = table.seats[3]
    table.do(lambda now: table.unit.acknowledge(seat.device, seat.seq))

    assert (table.seats[3].bet, table.lights()[0]) == (BetSeen.SEALED, True)


def test_a_press_that_was_not_read_before_the_lock_is_no_bet():
    table = Table().open()
    table.do(lambda now: (table.module.press(3, 1, now), table.unit.lock()))
    table.press(4)

    assert [table.seats[seat].totals.bets for seat in (3, 4)] == [0, 0]


def test_a_press_made_while_it_was_locked_does_not_count_in_the_round_that_opens():
    table = Table().open(1)
    table.lock(run=3 * MILLISECOND).press(4, run=3 * MILLISECOND).open(2)
    assert (table.seats[4].locked, table.seats[4].totals.bets) == (False, 0)

    table.lock()
    table.press(4, run=3 * MILLISECOND).open(3)
    assert table.seats[4].totals.bets == 0, "also long after the lock was proven"
    table.press(4)
    assert table.seats[4].totals.bets == 5, "and one that is made in the round counts"


def test_a_wish_to_open_that_is_said_again_and_again_still_opens():
    table = Table()
    for _ in range(100):
        table.do(lambda _: table.unit.unlock(2), run=4 * MILLISECOND)

    assert not table.seats[3].locked


def test_a_broadcast_lock_locks_a_module_that_knows_no_broadcast():
    table = Table().open()
    table.do(lambda _: table.bus.lock_all())
    table.press(3)

    assert all(seat.locked for seat in table.seats.values())
    assert table.seats[3].totals.bets == 0


def test_a_new_round_clears_and_a_sealed_one_does_not_open_again():
    table = Table().open(1).press(3).lock().open(1)
    assert all(seat.locked for seat in table.seats.values())

    table.open(2)
    assert (table.seats[3].bet, table.seats[3].locked, table.lights()) == (BetSeen.NONE, False, [False] * 3)
    assert table.lock().open(2).seats[3].locked is False  # nothing was sealed in it


def test_an_unlock_waits_for_what_is_pending_and_a_lock_takes_it_back():
    table = Table(books=False).open(1).press(3, run=100 * MILLISECOND)
    table.do(lambda now: table.unit.unlock(2), run=100 * MILLISECOND)
    assert table.seats[3].bet is BetSeen.PENDING
    table.run(SECOND)
    assert table.seats[3].bet is BetSeen.NONE

    table.press(3, run=100 * MILLISECOND)
    table.do(lambda now: (table.unit.unlock(3), table.unit.lock()), run=3 * SECOND)
    assert table.seats[3].locked


def test_the_croupiers_buttons_are_totals_and_the_lock_acts_at_once():
    table = Table().open().press(3)
    table.do(lambda now: (table.module.press_lock(now), table.module.press(4, 1, now), table.module.press_unlock(now)))

    assert (table.console.lock_presses, table.console.unlock_presses) == (1, 1)
    assert table.seats[4].locked
    assert table.seats[4].totals.bets == 0  # no lamp yet, so it takes nothing from anybody
    assert table.seats[3].bet is BetSeen.SEALED


def test_a_key_that_is_held_locks_and_nothing_opens_until_somebody_opens_anew():
    table = Table(KEYED).open().press(3)
    table.do(table.module.hold_lock)
    assert (table.console.lock_key_down, table.console.lock_presses, table.seats[3].locked) == (True, 1, True)

    table.open(2)
    assert table.events[-1] == Settled(unit=20, seat=0, command="unlock", done=False, result="lock_key")
    table.do(table.module.release_lock)
    assert table.seats[3].locked
    assert table.open(2).seats[3].locked is False


# Lamps.


@pytest.mark.parametrize(
    ("condition", "bet", "faults"),
    [
        (LampCondition.OPEN, True, ("lamp_open",)),
        (LampCondition.SHORT, True, ("lamp_open",)),
        (LampCondition.LIT_WHILE_OFF, False, ("lamp_lit_while_off",)),
    ],
)
def test_a_lamp_that_does_not_show_what_is_driven_is_a_fault(condition, bet, faults):
    table = Table().open()
    table.do(lambda now: table.module.lamp(3, condition, now))
    if bet:
        table.press(3)
    assert (table.seats[3].lamp, table.seats[3].faults) == (LampProof.FAULT, faults)
    assert table.seats[4].lamp is LampProof.DARK

    table.do(lambda now: table.module.lamp(3, LampCondition.OK, now))
    assert (table.seats[3].lamp, table.seats[3].faults) == (LampProof.LIT if bet else LampProof.DARK, ())


def test_a_lamp_is_not_believed_before_it_has_settled():
    table = Table(replace(MAP, settle=400 * MILLISECOND)).open().press(3, run=300 * MILLISECOND)
    assert (table.seats[3].lamp, table.lights()[0]) == (LampProof.UNKNOWN, True)

    assert table.run(SECOND).seats[3].lamp is LampProof.LIT


def test_an_output_that_somebody_switched_is_set_right():
    table = Table().open().press(3)
    table.do(lambda now: table.module.serve(WriteBits(0, (False, True)), now), run=3 * SECOND)

    assert table.lights() == [True, False, False]
    assert table.seats[3].lamp is LampProof.LIT


def test_outputs_of_others_between_ours_are_never_written():
    table = Table().open()
    table.do(lambda now: table.module.serve(WriteBits(2, (True, True)), now))
    table.press(3).press(5)

    assert table.module.serve(ReadBits(0, 5, COILS), 0) == Bits((True, False, True, True, True))


def test_an_output_that_does_not_follow_is_said_once_and_tried_without_hurry():
    table = Table().open()
    serve = table.module.serve
    writes = []

    def stuck(request, now):
        if isinstance(request, WriteBits):
            writes.append(now)
            return Written()
        return serve(request, now)

    table.module.serve = stuck
    table.press(3).run(20 * SECOND)
    assert [event.kind for event in table.all(Notice)] == ["output_refused"]
    assert 10 < len(writes) < 30
    assert (table.seats[3].lamp, table.seats[3].faults) == (LampProof.FAULT, ("output_stuck",))
    assert table.seats[4].lamp is LampProof.DARK

    table.module.serve = serve
    assert table.run(3 * SECOND).seats[3].lamp is LampProof.LIT


def test_a_lamp_test_lights_all_and_never_inside_a_hand():
    table = Table()
    table.do(lambda now: table.unit.test_lamps())
    assert table.lights() == [True] * 3
    assert {seat.lamp for seat in table.seats.values()} == {LampProof.LIT}
    assert table.do(lambda now: table.unit.end_lamp_test()).lights() == [False] * 3

    table.do(lambda now: table.unit.test_lamps())
    assert table.open().lights() == [False] * 3
    table.do(lambda now: table.unit.test_lamps())
    assert table.lights() == [False] * 3
    table.press(3)
    table.do(lambda now: table.unit.test_lamps())
    assert table.lights() == [True, False, False]


def test_r6_between_hands_every_lamp_is_tested_of_sealed_bets_and_of_disabled_seats_too():
    table = Table().open().press(3).lock()
    table.do(lambda now: table.unit.disable(4))
    table.do(lambda now: table.unit.test_lamps())
    assert table.lights() == [True] * 3

    assert table.do(lambda now: table.unit.end_lamp_test()).lights() == [True, False, False]


def test_a_watchdog_is_fed_by_a_number_that_changes():
    io_map = read_io_map(DOCUMENT | {"heartbeat": 0x1003, "beat_ms": 200}, "mod")
    table = Table(io_map, watchdog=SECOND).open().press(3).run(10 * SECOND)
    assert table.lights()[0]

    table.world.first.disconnect(table.world.now)
    assert table.run(3 * SECOND).lights() == [False] * 3


@pytest.mark.parametrize("turn", [60, 130, 400], ids="a turn every {} ms".format)
def test_r6_on_a_line_shared_with_slow_neighbours_it_comes_up_and_its_lamps_are_still_looked_at(turn):
    """The counters are due again whenever it has a turn; everything else has its turn too."""
    io_map = read_io_map(DOCUMENT | {"heartbeat": 0x1003, "beat_ms": 200}, "mod")
    unit, module = IoModule(io_map), IoFirmware(IoMake(map=io_map, watchdog=4 * SECOND))
    unit.line_up(0)
    asked, told = [], []
    for turn_at in range(0, 30 * SECOND, turn * MILLISECOND):
        ask = unit.next_ask(turn_at)
        if ask is not None:
            asked.append(ask.request)
            assert unit.taken(ask, module.serve(ask.request, turn_at), turn_at)
        for event in iter(unit.next_event, None):
            told.append(event)
            if isinstance(event, SeatSeen):
                unit.acknowledge(event.device, event.seq)
        if turn_at == 10 * SECOND // (turn * MILLISECOND) * turn * MILLISECOND:
            unit.unlock(1)
        if turn_at == 20 * SECOND // (turn * MILLISECOND) * turn * MILLISECOND:
            module.press(3, 1, turn_at)

    last = [event for event in told if isinstance(event, SeatSeen) and event.seat == 3][-1]
    assert (last.bet, last.lamp) == (BetSeen.CONFIRMED, LampProof.LIT)
    inputs = [isinstance(request, ReadBits) and request.function != COILS for request in asked]
    assert "." * 12 not in "".join("i" if is_inputs else "." for is_inputs in inputs)


# Silence, power, restarts.


def power_cut(table, time):
    table.do(table.module.power_off, run=time)
    return table.do(table.module.power_on, run=10 * SECOND)


def test_a_module_that_lost_its_power_is_another_epoch_and_its_seats_wait_for_people():
    table = Table().open().press(3).press(4)
    before = table.seats[3].totals
    power_cut(table, 3 * SECOND)

    reasons = [event.reason for event in table.all(UnitDown)]
    assert reasons == [Down.SILENT, Down.RESET]
    assert "0010h 1" in table.all(UnitDown)[1].detail
    assert table.all(UnitUp)[-1].rebooted
    seat = table.seats[3]
    assert (seat.device, seat.totals, seat.bet, seat.locked) == (DeviceKey(4711, 2), before, BetSeen.RESTORED, True)
    assert table.lights() == [False] * 3


def test_a_registered_bet_is_relit_when_the_owner_finds_it_in_the_ledger():
    table = power_cut(Table().open().press(3), 3 * SECOND)
    table.do(lambda now: (table.unit.relight(3), table.unit.relight(4)))

    assert (table.seats[3].bet, table.seats[3].lamp, table.lights()) == (
        BetSeen.SEALED,
        LampProof.LIT,
        [True, False, False],
    )
    assert [(event.seat, event.done, event.result) for event in table.all(Settled)] == [
        (3, True, "sealed"), (4, False, "none")
    ]  # fmt: skip


def test_a_power_cut_too_short_to_be_silence_is_found_by_the_counters():
    table = Table().open().press(3)
    table.do(lambda now: (table.module.power_off(now), table.module.power_on(now)), run=5 * SECOND)

    assert [event.reason for event in table.all(UnitDown)] == [Down.RESET]
    assert table.seats[3].device.epoch == 2


def test_a_module_that_answers_after_its_time_is_slow():
    table = Table().open()
    table.module.make = replace(table.module.make, answer=400 * MILLISECOND)
    table.run(20 * SECOND)

    assert table.all(UnitDown)[-1].reason is Down.SLOW


def test_silence_locks_and_keeps_what_is_registered_lit():
    table = Table().open().press(3)
    table.line.unplug(table.slave)
    table.run(5 * SECOND)
    assert table.all(UnitDown)[-1].reason is Down.SILENT
    assert table.lights()[0]

    table.line.plug(table.slave)
    table.run(10 * SECOND)
    assert not table.all(UnitUp)[-1].rebooted
    assert (table.seats[3].bet, table.seats[3].locked, table.seats[3].lamp) == (BetSeen.SEALED, True, LampProof.LIT)


def test_what_was_pressed_while_nobody_looked_is_no_bet_and_it_is_said():
    table = Table().open()
    table.line.unplug(table.slave)
    table.run(3 * SECOND).press(4)
    table.line.plug(table.slave)
    table.run(10 * SECOND)

    assert table.seats[4].totals.bets == 0
    assert [event.kind for event in table.all(Notice)] == ["press_unwatched"]


def test_a_pending_bet_is_void_as_soon_as_the_module_is_gone():
    table = Table(books=False).open().press(3, run=100 * MILLISECOND)
    seat = table.seats[3]
    table.world.first.disconnect(table.world.now)
    table.unit.acknowledge(seat.device, seat.seq)
    table.world.first.connect(table.world.now)

    assert table.run(SECOND).seats[3].bet is BetSeen.VOIDED
    assert table.lights() == [False] * 3


def test_nothing_opens_while_it_is_down_nor_by_itself_afterwards():
    table = Table().open()
    table.world.first.disconnect(table.world.now)
    assert table.all(UnitDown)[-1].reason is Down.LINE_DOWN
    assert table.unit.due() is None
    assert table.unit.next_ask(table.world.now) is None
    table.do(lambda now: table.unit.unlock(2))
    assert table.all(Settled)[-1].result == "down"
    table.world.first.connect(table.world.now)

    assert table.run(2 * SECOND).seats[3].locked


def test_a_host_that_restarts_goes_on_from_its_books():
    table = Table().open().press(3).press(4)
    table.do(table.module.press_lock)
    books = table.unit.base
    again = Table(module=table.module, base=books)
    again.do(lambda now: again.unit.relight(3))

    assert again.seats[3].device == KEY
    assert (again.seats[3].totals, again.seats[3].seq) == (table.seats[3].totals, table.seats[3].seq)
    assert [again.seats[seat].bet for seat in (3, 4, 5)] == [BetSeen.SEALED, BetSeen.RESTORED, BetSeen.NONE]
    assert again.lights() == [True, False, False]
    assert again.console.lock_presses == 1
    assert not again.all(Notice)


def test_a_module_that_lost_its_power_while_the_host_was_away_is_found():
    table = Table().open().press(3)
    books = table.unit.base
    table.module.power_off(0)
    table.module.power_on(0)
    again = Table(module=table.module, base=books).run(5 * SECOND)

    assert [event.reason for event in again.all(UnitDown)] == [Down.RESET]
    assert again.seats[3].device.epoch == 2


def test_a_pending_bet_is_void_for_a_host_that_restarts():
    table = Table(books=False).open().press(3, run=200 * MILLISECOND)
    books = table.unit.base
    assert books.seats[3].bet is BetSeen.PENDING
    again = Table(module=table.module, base=books)

    assert (again.seats[3].bet, again.seats[3].totals.voided, again.seats[3].seq) == (BetSeen.VOIDED, 1, 2)


def test_the_books_of_another_box_or_met_too_late_are_a_mistake():
    table = Table()
    with pytest.raises(AssertionError):
        table.unit.resume(Base(device=KEY))
    with pytest.raises(AssertionError):
        IoModule(MAP).resume(Base(device=DeviceKey(1, 1)))
    unit = IoModule(MAP)
    unit.resume(Base(device=KEY, seats={9: replace(table.unit.base.seats[3])}))  # a seat that has moved away
    assert unit.base.counters is None


@pytest.mark.parametrize("seed", range(6))
def test_on_a_bad_line_every_press_is_one_bet_or_none_and_the_lamp_tells_which(seed):
    chance = Random(seed)
    table = Table(line=LineSettings(baud=38400, loss=0.05, noise=0.05, duplication=0.02, delay=0.02), start=False)
    table.line._chance.seed(seed)
    table.run(5 * SECOND)
    pressed = {3: 0, 4: 0, 5: 0}
    for round_id in range(1, 25):
        table.open(round_id)
        for seat in (3, 4, 5):
            if chance.random() < 0.7:
                pressed[seat] += 1
                table.press(seat, run=chance.randint(0, SECOND // 5))
        table.run(SECOND).lock(run=SECOND)
    table.line.settings = LineSettings(baud=38400)
    table.run(20 * SECOND)

    assert not [event for event in table.all(UnitDown) if event.reason is Down.RESET]
    for number, value in ((3, 1), (4, 5), (5, 1)):
        seat = table.seats[number]
        assert 0 <= seat.totals.bets <= pressed[number] * value
        assert seat.totals.bets % value == 0
        assert table.module.light(number, table.world.now) is (seat.bet is BetSeen.SEALED)
    assert sum(table.seats[seat].totals.bets for seat in pressed) > 10


# Pure parts.


def test_an_acknowledgement_of_another_memory_the_future_or_the_past_confirms_nothing():
    bets = SeatBets((1,), 9, SECOND)
    key = DeviceKey(9, 1)
    bets.unlock(1)
    bets.open_if_it_may(held=True)
    assert bets.locked
    bets.open_if_it_may(held=False)
    bets.press(1, 3, 0)
    bets.acknowledge(DeviceKey(9, 2), 1)
    bets.acknowledge(key, 2)
    bets.acknowledge(key, 0)
    bets.acknowledge(key, 2**32 - 5)
    assert bets.seats[1].bet is BetSeen.PENDING

    bets.acknowledge(key, 1)
    assert bets.seats[1].bet is BetSeen.CONFIRMED
    bets.open_if_it_may(held=False)
    assert bets.seats[1].bet is BetSeen.CONFIRMED
    assert bets.relight(1)


STANDS = {BetSeen.PENDING, BetSeen.CONFIRMED, BetSeen.SEALED, BetSeen.RESTORED}


@given(st.lists(st.tuples(
    st.sampled_from(["press", "lock", "unlock", "ack", "void", "late", "lose", "relight"]), st.integers(1, 2), st.integers(0, 3)
)))  # fmt: skip
def test_whatever_happens_the_totals_explain_the_bets(steps):
    bets = SeatBets((1, 2), 9, SECOND)
    now = 0
    for what, seat, number in steps:
        now += SECOND // 3
        before, seq = {one.number: one.totals for one in bets.seats.values()}, bets.seq
        {
            "press": lambda seat=seat, number=number, now=now: bets.press(seat, number + 1, now),
            "lock": bets.lock,
            "unlock": lambda number=number: bets.unlock(number),
            "ack": lambda number=number: bets.acknowledge(bets.device, (bets.seq - number) % 2**32),
            "void": lambda seat=seat: bets.void(seat, bets.seats[seat].bet_seq),
            "late": lambda now=now: bets.void_late(now),
            "lose": bets.lose_memory,
            "relight": lambda seat=seat: bets.relight(seat),
        }[what]()
        bets.open_if_it_may(held=False)
        for one in bets.seats.values():
            kept = one.totals.bets - one.totals.voided
            assert kept >= (one.bet_credits if one.bet in STANDS else 0)
            assert one.totals == before[one.number] or bets.seq > seq


FUNCTIONS = {WriteBits: 15, WriteWords: 16}


@given(
    st.lists(st.one_of(st.binary(max_size=40), st.builds(Denied, st.integers(0, 255)), st.none()), max_size=60),
    st.sampled_from([MAP, KEYED]),
)
def test_hostile_answers_raise_nowhere_and_open_nothing(replies, io_map):
    unit = IoModule(io_map)
    unit.line_up(0)
    now = 0
    for reply in replies:
        now = max(now + MILLISECOND, unit.due())
        unit.urgent()
        ask = unit.next_ask(now)
        if ask is None:
            continue
        answer = reply
        if isinstance(reply, bytes):  # well formed, with any content
            request, size = ask.request, answer_size(ask.request)
            function = FUNCTIONS.get(type(request)) or request.function
            answer = decode_answer(request, (bytes([function, size - 2]) + reply.ljust(size, b"\0"))[:size])
        if answer is None:
            unit.failed(ask, Failure.GARBLED, now)
        else:
            assert unit.taken(ask, answer, now)
    told = list(iter(unit.next_event, None))

    assert all(event.locked for event in told if isinstance(event, SeatSeen))


# The simulated module.


def test_the_simulated_module_denies_what_it_has_not():
    module = IoFirmware(IoMake(map=MAP))

    assert module.serve(ReadWords(0x80, 2, 4), 0) == Denied(2)
    assert module.serve(ReadWords(0x10, 2, 3), 0) == Denied(1)
    assert module.serve(ReadWords(0x10, 2, 4), 0) == Words((0, 0))
    assert module.serve(ReadBits(500, 1), 0) == Denied(2)
    assert module.serve(WriteBits(500, (True,)), 0) == Denied(2)
    assert module.serve(WriteWords(5, (1,)), 0) == Denied(1)
    module.power_off(0)
    module.press(3, 1, 0)
    module.power_on(0)
    assert module.serve(ReadWords(0x10, 2, 4), 0) == Words((0, 0))


def test_the_simulated_watchdog_wants_a_number_that_changes():
    io_map = read_io_map(DOCUMENT | {"heartbeat": 0x1003}, "mod")
    module = IoFirmware(IoMake(map=io_map, watchdog=SECOND))
    module.serve(WriteWords(0x1003, (1,)), 0)
    module.serve(WriteBits(0, (True,)), 0)
    module.serve(WriteWords(0x1003, (1,)), SECOND)
    assert module.light(3, SECOND)

    assert not module.light(3, SECOND + 1)
