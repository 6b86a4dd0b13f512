"""R-27, R-29: what a wall clock that steps changes, and what it does not."""

import pytest

from controller.core import inputs as ask
from controller.core.draws import wanted
from controller.core.facts import ClockNoted, ClockStepped, ClockWentBack, NothingNew
from controller.core.project import project
from support.floor.floor import CARLA, INES, JEFA, TABLE, TITO, Floor, kinds, plan, prize

SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
YEAR = 365 * DAY
MOMENT = prize("Hora Feliz", 25_000, source="reserva", within_minutes=600)


def step(floor, ms, *, stop=False, passed=0):
    """The wall clock moves by so much while so little time passes; the shell says so."""
    return floor.ask(ask.StepClock(ms, stop), after=ms + passed)


def alarms(floor):
    return [alarm.sentence for alarm in project(floor.state).alarms if alarm.where == "reloj"]


@pytest.mark.parametrize("ms", [3_001, 10 * HOUR, 10 * YEAR])
def test_r27_a_step_forward_is_on_record_and_an_alarm_at_once(ms):
    floor = Floor()

    assert step(floor, ms) == (ClockStepped(ms),)
    (said,) = alarms(floor)
    assert "adelantado" in said and "(reloj)" in said


@pytest.mark.parametrize("ms", [-3_001, -10 * HOUR])
def test_r27_a_step_back_is_one_too(ms):
    floor = Floor()

    assert kinds(step(floor, ms)) == [ClockWentBack, ClockStepped]
    assert "atrasado" in alarms(floor)[0]


@pytest.mark.parametrize("ms", [3_000, -3_000, 0])
def test_r27_clocks_that_agree_have_not_stepped(ms):
    assert kinds(Floor().ask(ask.StepClock(ms), after=5_000)) == [NothingNew]


@pytest.mark.parametrize(
    ("ms", "said"),
    [(5_500, "5 segundos"), (119_999, "119 segundos"), (300_000, "5 minutos"), (10 * HOUR, "10 horas"), (3 * DAY, "3 días"), (10 * YEAR, "10 años")],
)  # fmt: skip
def test_the_alarm_says_how_far_in_words(ms, said):
    floor = Floor()
    step(floor, ms)

    assert said in alarms(floor)[0]


def test_r27_the_alarm_ends_when_the_clock_agrees_again():
    floor = Floor()
    step(floor, 10 * HOUR)
    step(floor, -4 * HOUR)
    assert "6 horas adelantado" in alarms(floor)[0]

    step(floor, -6 * HOUR + 2 * SECOND)
    assert not alarms(floor)


@pytest.mark.parametrize("by", [JEFA, TITO])
def test_r27_a_chief_or_a_technician_takes_note_and_it_ends(by):
    floor = Floor()
    assert kinds(floor.ask(ask.NoteClock(by))) == [NothingNew]
    step(floor, 10 * HOUR)

    assert floor.ask(ask.NoteClock(by)) == (ClockNoted(by.person),)
    assert not alarms(floor)
    step(floor, -10 * HOUR)
    assert "10 horas atrasado" in alarms(floor)[0], "what was taken for right has changed again"


@pytest.mark.parametrize("by", [CARLA, INES])
def test_r27_nobody_else_takes_note(by):
    floor = Floor()
    step(floor, 10 * HOUR)

    assert floor.reason(ask.NoteClock(by)) == "role_missing"


# Over a stop


@pytest.mark.parametrize(("stood", "is_open"), [(3 * SECOND, True), (16 * HOUR, True), (30 * DAY, False)])
def test_r27_a_stop_that_can_be_is_no_alarm(stood, is_open):
    floor = Floor(open_day=is_open)

    assert step(floor, stood, stop=True) == (ClockStepped(stood, stop=True),)
    assert not alarms(floor)


@pytest.mark.parametrize(("ms", "is_open", "way"), [
    (10 * YEAR, True, "adelantado"), (2 * DAY, True, "adelantado"), (32 * DAY, False, "adelantado"), (-HOUR, True, "atrasado"),
])  # fmt: skip
def test_r27_a_start_before_the_last_fact_or_long_after_it_is_an_alarm(ms, is_open, way):
    floor = Floor(open_day=is_open)
    step(floor, ms, stop=True)

    assert way in alarms(floor)[0]


def test_r27_a_box_without_a_battery_is_right_again_once_it_has_heard_the_time():
    """It begins in 1970; then a server of time tells it, and the night that it stood still was a night."""
    floor = Floor(open_day=False)
    step(floor, -50 * YEAR, stop=True)
    assert "50 años atrasado" in alarms(floor)[0]

    step(floor, 50 * YEAR + 9 * HOUR)
    assert not alarms(floor)


def test_r27_a_start_does_not_take_note_for_anybody():
    floor = Floor()
    step(floor, 10 * HOUR)
    step(floor, 5 * SECOND, stop=True)

    assert "10 horas adelantado" in alarms(floor)[0]


# The moment of a prize


def since_opening(floor):
    floor.sealed({3: 2})
    (one,) = wanted(floor.state, floor.table())
    return one.since_opening


def test_r29_a_clock_that_is_ten_hours_ahead_for_one_pass_brings_no_moment_nearer():
    floor = Floor(plan(prizes=[MOMENT]))
    opened = floor.now
    step(floor, 10 * HOUR)
    since = since_opening(floor)

    assert since == floor.table().sealed_at - 10 * HOUR - opened < HOUR
    step(floor, -10 * HOUR)
    (one,) = wanted(floor.state, floor.table())
    assert one.since_opening == since, "what steps after the seal changes nothing of it"


def test_r29_a_stop_brings_no_moment_nearer_either():
    floor = Floor(plan(prizes=[MOMENT]))
    step(floor, 9 * HOUR, stop=True)

    assert since_opening(floor) < HOUR


def test_r29_a_pass_of_before_the_step_and_one_of_after_it_count_alike():
    floor = Floor(plan(prizes=[MOMENT]))
    before = since_opening(floor)
    floor.ask(ask.Draw(TABLE, "Hora Feliz", hit=False))
    floor.close_pass()
    step(floor, -2 * HOUR, passed=60 * SECOND)

    after = since_opening(floor)
    assert before + 60 * SECOND < after < before + 5 * 60 * SECOND


def test_r29_the_next_day_begins_anew():
    floor = Floor(plan(prizes=[MOMENT]))
    step(floor, HOUR)
    assert floor.state.day.skipped == HOUR
    floor.close_day()
    step(floor, HOUR)
    floor.open_day("2026-11-19")

    assert floor.state.day.skipped == 0


def test_r29_training_counts_by_the_days_time_too():
    floor = Floor(plan(prizes=[MOMENT]))
    step(floor, HOUR)
    floor.sealed({3: 2})

    assert floor.table().skipped == HOUR
    floor.ask(ask.Draw(TABLE, "Hora Feliz", hit=False))
    floor.close_pass()
    assert floor.table().skipped == 0
