"""Dates, against the calendar of the standard library (R-27)."""

from datetime import UTC, date, datetime, timedelta

import pytest

from controller.rules.calendar import day_number, days_away

EPOCH = date(1970, 1, 1)


def test_r27_every_date_of_eight_hundred_years_has_its_number():
    for number in range(-200 * 366, 600 * 366):
        assert day_number((EPOCH + timedelta(number)).isoformat()) == number


@pytest.mark.parametrize("first_or_last", [date.min, date.max])
def test_r27_the_first_and_the_last_date_there_is(first_or_last):
    assert day_number(first_or_last.isoformat()) == (first_or_last - EPOCH).days


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "0000-01-01", "2026-00-01", "2026-13-01", "2026-01-00", "2026-01-32", "2026-04-31", "2026-02-29", "1900-02-29",
        "2026-1-1", "20260101", "2026-W01-1", " 2026-01-01", "2026-01-01\n", "2026-01-01T00:00", "-026-01-01", "２０２６-01-01",
    ],
)  # fmt: skip
def test_r27_what_is_no_date_has_none(text):
    assert day_number(text) is None
    assert days_away(text, 0) is None


def test_r27_a_day_is_as_far_away_as_its_date_from_that_of_the_clock():
    last = datetime(2026, 11, 18, 23, 59, 59, 999_000, tzinfo=UTC)
    clock = round(last.timestamp() * 1_000)

    assert [days_away(f"2026-11-{day}", clock) for day in (17, 18, 19, 20)] == [-1, 0, 1, 2]
    assert days_away("2026-11-19", clock + 1) == 0
