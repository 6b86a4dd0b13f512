"""Three heartbeats in every host timeout: what is computed before, against what real units count on a simulated line."""

from bisect import bisect_right
from dataclasses import replace
from itertools import pairwise

import pytest

from drivers.modbus.timing import LineTiming
from drivers.model import SeatSeen, Settled
from drivers.native.contract import LockState
from drivers.native.pace import longest_gap, longest_round, pace_problem
from drivers.session import SECOND
from support.drivers.native_line import MS, line_of, table


def a_busy_table(number, place, driver):
    """Every two seconds a round ends and another begins; credits go on all the time."""
    if number % 8 == 0:
        driver.lock()
    if number % 8 == 2:
        driver.unlock(10 + number)
    driver.load(place + 1, 20 * number, 20 * number + 20)


def counted(units, timing, *, busy=False):
    """The longest time between two heartbeats of a live unit, and the fewest in a host timeout, the last unit dead."""
    drivers = []

    def hear(event, _now):
        if isinstance(event, SeatSeen):
            drivers[event.unit - 1].acknowledge(event.device, event.seq)

    world, built, firmware, unplug = line_of(units, timing, hear)
    drivers += built
    world.run_for(6 * SECOND)
    unplug(len(units))
    world.run_for(3 * SECOND)
    world.act(lambda _: [driver.unlock(5) for driver in drivers[:-1]])
    world.run_for(2 * SECOND)
    start, alive = world.now, firmware[:-1]
    for number in range(40):
        if busy:
            world.act(lambda _, n=number: [a_busy_table(n, place, driver) for place, driver in enumerate(drivers[:-1])])
            world.act(lambda now: [unit.press(1, 1, now) for unit in alive])
        world.run_for(SECOND // 4)
    timeout, gap, fewest = units[0].host_timeout, 0, 99
    for unit in alive:
        fed = [at for at in unit.fed if at >= start]
        gap = max([gap, *(b - a for a, b in pairwise(fed))])
        for at in range(start, world.now - timeout, 20 * MS):
            fewest = min(fewest, bisect_right(fed, at + timeout) - bisect_right(fed, at))
    return gap, fewest, {unit._state for unit in alive}


LINES = [
    (2, 115200, 5, 2, 1500, 300),
    (3, 38400, 5, 1, 1500, 250),
    (4, 115200, 5, 2, 1500, 300),
    (7, 115200, 5, 2, 1500, 300),
    (7, 115200, 5, 2, 1700, 300),
    (9, 38400, 5, 1, 1500, 300),
    (9, 38400, 5, 1, 900, 300),
    (9, 38400, 5, 1, 3100, 500),
    (9, 38400, 18, 16, 1500, 300),
    (9, 19200, 5, 1, 1500, 300),
    (9, 19200, 5, 1, 5000, 820),
]


@pytest.mark.parametrize(("count", "baud", "think", "adapter", "timeout", "beat"), LINES)
def test_where_it_says_that_three_heartbeats_fit_never_fewer_are_counted(count, baud, think, adapter, timeout, beat):
    units, timing = table(count, baud, think, adapter, timeout, beat)
    gap, fewest, states = counted(units, timing)

    if pace_problem(units, timing) is None:
        assert gap <= longest_gap(units[0], units, timing)
        assert fewest >= 3
        assert states == {LockState.OPEN}


@pytest.mark.parametrize("line", [line for line in LINES if pace_problem(*table(*line)) is None])
def test_bets_loads_and_rounds_take_no_heartbeat_away(line):
    units, timing = table(*line)
    gap, fewest, _ = counted(units, timing, busy=True)

    assert fewest >= 3
    assert gap <= longest_gap(units[0], units, timing)


def test_a_command_to_every_unit_ends_where_it_says_that_a_round_fits_between_two_heartbeats():
    """With a shorter beat every turn is a heartbeat and its image, and a command may wait for ever."""
    units, timing = table(9, 38400, 5, 1, 3100, 500)
    settled = []
    world, drivers, _, _ = line_of(units, timing, lambda event, _: settled.append(event))
    world.run_for(6 * SECOND)
    settled.clear()
    world.act(lambda _: [driver.load(place, 0, 50) for place, driver in enumerate(drivers, 1)])
    world.run_for(5 * SECOND)

    assert {event.seat for event in settled if isinstance(event, Settled) and event.done} == set(range(1, 10))


def test_some_of_these_lines_are_right_and_some_are_refused():
    verdicts = [pace_problem(*table(*line)) is None for line in LINES]

    assert 4 <= sum(verdicts) <= len(verdicts) - 4


def test_it_says_which_host_timeout_would_be_right_and_that_one_is():
    units, timing = table(9, 19200, 5, 1)
    said = pace_problem(units, timing)
    words = said.split("a host timeout of ")[1].split()
    timeout, beat = int(words[0]), int(words[6])

    assert said.startswith("unit 1: ") and "belong into its host timeout of 1500 ms; a host timeout of" in said
    assert pace_problem(*table(9, 19200, 5, 1, timeout, beat)) is None
    assert pace_problem(*table(9, 19200, 5, 1, timeout - 100, beat)) is not None


def test_it_says_which_beat_would_be_right_where_one_would():
    units, timing = table(3, 38400, 5, 1)
    units = [replace(unit, beat=500 * MS) for unit in units]
    least, most = pace_problem(units, timing).split("a beat of ")[1].split(" ms")[0].split(" to ")

    for beat, right in ((int(least) - 1, False), (int(least), True), (int(most), True), (int(most) + 1, False)):
        tried = [replace(unit, beat=beat * MS) for unit in units]
        assert (pace_problem(tried, timing) is None) is right


def test_a_line_that_no_host_timeout_can_save_is_said_to_be_too_slow_or_too_full():
    assert pace_problem(*table(9, 9600, 20, 16)).endswith("needs fewer units, more baud or a quicker adapter")


def test_a_round_is_a_heartbeat_and_an_image_of_each_unit_and_one_probe():
    units, timing = table(2, 38400, 5, 1)
    silence = timing.silence
    turn = timing.wait(25, 8) + silence + timing.wait(8, 61) + silence
    probe = timing.wait(8, 69) + timing.drain(69) + silence

    assert longest_round(units, timing) == 2 * turn + probe
    assert longest_gap(units[0], units, timing) == 300 * MS + timing.wait(25, 8) + silence + 2 * turn + probe


def test_units_of_other_kinds_take_their_turns_too():
    units, timing = table(2, 115200, 5, 2)

    assert longest_round(units, timing, foreign=90 * MS) == longest_round(units, timing) + 90 * MS
    assert pace_problem(units, timing) is None
    assert pace_problem(units, timing, foreign=400 * MS) is not None


def test_a_line_without_native_units_has_no_heartbeat_to_miss():
    assert pace_problem([], LineTiming()) is None
