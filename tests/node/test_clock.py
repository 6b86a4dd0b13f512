"""The wall clock under the eyes of a clock that nobody sets: what is a step, and what is not."""

import pytest

from controller.core.node import AGREES
from controller.node.vocabulary.clock import UNSEEN_PPM, Clock, SteppedClock, of_this_machine
from drivers.session import MILLISECOND, SECOND

HOUR = 3_600 * SECOND
NOON = 1_795_000_000_000


class Machine:
    """Its two clocks; `pace` is how fast the wall clock goes, in millionths more than it should."""

    def __init__(self):
        self.passed, self.wall, self.pace, self.asleep = 7 * HOUR, NOON * MILLISECOND, 0, 0
        self.watched = SteppedClock(Clock(lambda: 0, lambda: self.wall // MILLISECOND, self.look), AGREES)

    def look(self):
        if self.asleep:  # the process is put to sleep in the middle of a look
            self.run(self.asleep)
            self.asleep = 0
        return self.passed

    def run(self, micros):
        self.passed += micros
        self.wall += micros + micros * self.pace // 1_000_000

    def steps(self, micros, every=SECOND // 2):
        found = []
        for _ in range(micros // every):
            self.run(every)
            found.append(self.watched.read()[1])
        return [one for one in found if one]


@pytest.fixture
def machine():
    return Machine()


def test_time_that_passes_is_no_step(machine):
    assert machine.steps(HOUR) == []
    machine.run(9 * HOUR)  # a machine that sleeps with its lid closed wakes up later
    assert machine.watched.read() == (machine.wall // MILLISECOND, 0)


@pytest.mark.parametrize("ms", [3_002, 36_000_000, -3_002, -36_000_000, 315_360_000_000])
def test_a_step_is_said_once_and_whole(machine, ms):
    machine.run(SECOND)
    machine.wall += ms * MILLISECOND

    wall, stepped = machine.watched.read()
    assert (wall, abs(stepped - ms) <= 1) == (machine.wall // MILLISECOND, True)
    assert machine.steps(60 * SECOND) == []


def test_small_steps_add_up_until_they_are_one(machine):
    found = []
    for _ in range(10):
        machine.wall += 1_000 * MILLISECOND
        found += machine.steps(SECOND)

    assert len(found) == 2 and sum(found) + AGREES >= 8_000 and sum(found) <= 10_000


@pytest.mark.parametrize("pace", [-100, -50, 50, 100, UNSEEN_PPM])
def test_an_oscillator_that_a_server_of_time_corrects_is_no_step_in_a_day(machine, pace):
    machine.pace = pace

    assert machine.steps(24 * HOUR, every=10 * SECOND) == []


@pytest.mark.parametrize(("pace", "within_hours"), [(500, 3), (5_000, 1), (83_333, 1)])
def test_a_slow_push_by_a_server_of_time_is_seen(machine, pace, within_hours):
    """timesyncd and ntpd push by up to 500 millionths, chrony by up to a twelfth."""
    machine.pace = pace
    found = machine.steps(within_hours * HOUR, every=10 * SECOND)

    assert found and min(found) > AGREES
    pushed = within_hours * HOUR * pace // 1_000_000 // MILLISECOND
    unseen = within_hours * HOUR * UNSEEN_PPM // 1_000_000 // MILLISECOND
    assert pushed - sum(found) <= unseen + AGREES + 10


def test_a_process_that_is_put_to_sleep_between_two_looks_sees_no_step(machine):
    machine.asleep = 60 * SECOND

    assert machine.watched.read()[1] == 0


def test_the_clock_of_this_machine_goes_on():
    clock = of_this_machine()
    before = clock.passed()

    assert before <= clock.passed() < before + 60 * SECOND
    assert SteppedClock(clock, AGREES).read()[1] == 0


def test_what_no_clock_can_mean_is_not_dated():
    """An auditor takes an instant of before 1970 or after 2199 for an edit; an honest node writes none."""
    machine = Machine()
    for wall, read in ((-5, 0), (11_770_000_000_000, 7_258_118_399_999), (NOON, NOON)):
        machine.wall = wall * MILLISECOND
        assert machine.watched.read()[0] == read
