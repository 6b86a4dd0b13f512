"""Seven acceptors on one wire: how soon they are up, and that polls and wishes leave each other room (R-6)."""

from itertools import pairwise

import pytest

from drivers.cctalk.controls import OFF, ON
from drivers.cctalk.frames import Header
from drivers.cctalk.pace import Precedence, enough_baud, is_pressing, longest_poll, most_devices, most_pressed
from drivers.cctalk.settings import DEVICE_WATCHDOG
from drivers.cctalk.slot import ChipBase
from drivers.cctalk.turn import WireTiming
from drivers.model import DeviceKey, Notice, Totals
from firmware_sim.line.mishap import LineSettings
from support.drivers.cctalk_line import MILLISECOND, SECOND, CctalkAcceptor, CctalkMake, UnitUp, floor, settings

TIMING = WireTiming()
SLOW = 62 * MILLISECOND  # with the bytes of an answer, which a simulated line hands over together: just in time


class Wire:
    """Seven simulated acceptors, and when each was asked for its events."""

    def __init__(self, *, poll=200, answer=5 * MILLISECOND, bases=(), count=7, timing=TIMING):
        numbers = range(1, count + 1)
        sheets = [
            settings(unit=20 + number, seat=number, address=number + 1, lamp=1, poll=poll * MILLISECOND)
            for number in numbers
        ]
        sims = [CctalkAcceptor(CctalkMake(address=number + 1, serial=number, answer=answer)) for number in numbers]
        for sim in sims:
            sim.coins.mask = 7 if bases else 0
        line = LineSettings(baud=9600, bits=10, echo=True)
        self.desk = floor(sheets=sheets, sims=sims, bases=bases, timing=timing, line=line)
        self.polled = [[] for _ in sims]
        self.asked = []
        for polled, sim in zip(self.polled, sims, strict=True):
            self.watch(polled, sim)

    def watch(self, polled, sim):
        serve = sim._serve

        def served(frame, now):
            self.asked.append(frame.header)
            if frame.header == Header.READ_CREDIT:
                polled.append((now, sim.coins.master_open))
            serve(frame, now)

        sim._serve = served

    @property
    def sims(self):
        return self.desk.sims

    @property
    def now(self):
        return self.desk.world.now

    def up(self):
        self.desk.until_up(60_000)
        return self

    def time_until(self, condition):
        began = self.now
        self.desk.until(condition, 20_000)
        return self.now - began

    def open(self, round_id=1):
        for driver in self.desk.drivers:
            driver.unlock(round_id)
        return self.time_until(lambda: all(sim.coins.master_open for sim in self.sims))

    def longest_gap(self):
        """Of devices that take chips; it does not matter when one is polled that is shut."""
        pairs = [pair for polled in self.polled for pair in pairwise(polled)]
        return max(later - sooner for (sooner, _), (later, is_open) in pairs if is_open)


@pytest.mark.parametrize("poll", [100, 200, 330])
def test_r6_seven_on_one_wire_are_opened_lit_and_locked_soon_and_polled_within_their_watchdog(poll):
    wire = Wire(poll=poll).up()
    wire.desk.run(300)

    assert wire.open() < SECOND
    wire.desk.run(3000)
    for driver in wire.desk.drivers:
        driver.test_lamps()
    assert wire.time_until(lambda: all(sim.lamp() == ON for sim in wire.sims)) < SECOND
    for driver in wire.desk.drivers:
        driver.end_lamp_test()
    assert wire.time_until(lambda: all(sim.lamp() == OFF for sim in wire.sims)) < SECOND
    times = []
    for round_id in range(2, 12):
        wire.open(round_id)
        wire.desk.run(1000 + 37 * round_id)
        wire.desk.bus.lock_all()
        times.append(wire.time_until(lambda: not any(sim.coins.master_open for sim in wire.sims)))
        wire.desk.run(1500)
    assert max(times) < 400 * MILLISECOND, "the lock goes before the events and the lamps"
    assert wire.longest_gap() < DEVICE_WATCHDOG


def test_seven_that_take_their_longest_to_answer_are_still_polled_within_their_watchdog():
    """What the settings let through (`most_devices`) holds at the worst: while lamps go on and off all the time."""
    assert most_devices(TIMING) == 7
    wire = Wire(answer=SLOW).up()
    assert wire.open() < 8 * SECOND, "seven times three questions, beside the polls"
    wire.desk.run(3000)
    seen = [set() for _ in wire.sims]
    for step in range(300):
        for driver in wire.desk.drivers:
            (driver.test_lamps if step // 40 % 2 else driver.end_lamp_test)()
        wire.desk.run(100)
        for one, sim in zip(seen, wire.sims, strict=True):
            one.add(sim.lamp())

    wire.desk.driver.test_lamps()
    assert wire.time_until(lambda: wire.sims[0].lamp() == ON) < 2 * wire.desk.bus.worst_wait
    assert wire.longest_gap() <= DEVICE_WATCHDOG
    assert all(one >= {OFF, ON} for one in seen), "and every lamp has its turn"
    times = wire.time_until(
        lambda: not wire.desk.bus.lock_all() and not any(sim.coins.master_open for sim in wire.sims)
    )
    assert times < 3 * SECOND


def test_a_chip_that_falls_on_a_full_wire_is_lit_as_soon_as_it_is_booked():
    wire = Wire().up()
    wire.open()
    for sim in wire.sims:
        wire.desk.act(lambda now, sim=sim: sim.insert(1, now))
    wire.time_until(lambda: sum(driver._slot.pending for driver in wire.desk.drivers) == 7)
    for driver in wire.desk.drivers:
        driver.acknowledge(driver._slot.device, driver._slot.seq)

    assert wire.time_until(lambda: all(sim.lamp() == ON for sim in wire.sims)) < SECOND
    assert not wire.desk.of(Notice)


def test_seven_that_nobody_knows_are_up_in_five_seconds_and_seven_that_the_books_know_in_half_of_it():
    wire = Wire().up()
    assert wire.now < 5 * SECOND
    assert wire.asked.count(Header.ENCRYPTION_SUPPORT) == 14, "silence to it is heard twice and not more often"

    known = Wire(bases=[ChipBase(DeviceKey(number, 3), 0, Totals()) for number in range(1, 8)]).up()
    assert known.now < 2500 * MILLISECOND and Header.ENCRYPTION_SUPPORT not in known.asked
    assert {event.device.epoch for event in known.desk.of(UnitUp)} == {3}


def test_one_that_the_books_know_is_up_at_once():
    assert Wire(count=1, bases=[ChipBase(DeviceKey(1, 3), 0, Totals())]).up().now < SECOND // 2


def test_a_serial_number_that_nobody_knows_is_believed_when_it_was_heard_twice():
    wire = Wire(count=1)
    (sim,) = wire.sims
    answers = iter([b"\x09\x00\x00", *[b"\x01\x00\x00"] * 9])
    sim._answers[Header.SERIAL] = lambda *_: next(answers)
    wire.up()

    assert wire.desk.of(UnitUp)[0].device.serial == 1


def test_what_a_wire_can_keep_follows_from_its_longest_answers():
    quick = WireTiming(answer=10 * MILLISECOND, latency=0)
    assert most_devices(quick) > most_devices(TIMING) > most_devices(WireTiming(latency=100 * MILLISECOND))
    assert most_devices(WireTiming(answer=SECOND)) == 0
    for timing in (TIMING, quick):
        devices = most_devices(timing)
        assert (devices + 2) * longest_poll(timing) <= DEVICE_WATCHDOG
    assert enough_baud(8, TIMING) == 19_200
    assert enough_baud(12, TIMING) is None, "answers and the adapter take the time"
    assert enough_baud(8, WireTiming(baud=19_200)) != 19_200


def test_of_two_turns_a_wish_has_one_and_the_lock_the_first():
    turns = Precedence()
    always = [turns.wish_goes(wish=True, urgent=False, poll=True) for _ in range(6)]
    assert always == [False, True] * 3
    obeyed = [turns.wish_goes(wish=True, urgent=True, poll=True) for _ in range(8)]
    assert obeyed == [True] * 4 + [False, True] * 2
    assert not turns.wish_goes(wish=False, urgent=False, poll=True)
    assert turns.wish_goes(wish=True, urgent=False, poll=False)


def test_polls_press_when_one_more_turn_before_them_makes_any_of_them_late():
    assert not is_pressing([], 0, 100)
    assert not is_pressing([200, 300], 0, 100)
    assert is_pressing([199, 300], 0, 100) and is_pressing([250, 299], 0, 100)
    assert [most_pressed(devices) for devices in (1, 2, 7)] == [1, 1, 4]
