"""The calendar, as far as a gaming day needs it: which texts are dates, and which date an instant falls on (R-27).

Theory. A gaming day is named for a date, so that a report of a month finds its days and nobody names one "mañana". The
clock here is that of the world (UTC), and a casino's own date is never more than one off; so a day's name is right when
it lies within a day of the clock's date. Pure arithmetic: what time it is, nobody asks here.
"""

import re

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY = 2
_YEAR_BEFORE = 365 * 1969 + 1969 // 4 - 1969 // 100 + 1969 // 400  # days from 0001-01-01 to 1970-01-01
_FOUR_CENTURIES = 146_097  # days
_DAY = 86_400_000


def day_number(date: str) -> int | None:
    """The days from 1970-01-01 to a date, as YYYY-MM-DD; nothing where the calendar has no such date."""
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    if not (year and 1 <= month <= len(_DAYS) and 1 <= day <= _days_of(year, month)):
        return None
    return _days_before(year) - _YEAR_BEFORE + sum(_days_of(year, one) for one in range(1, month)) + day - 1


def _days_before(year: int) -> int:
    """From 0001-01-01 to the first day of a year."""
    before = year - 1
    assert before >= 0, "a year"
    return 365 * before + before // 4 - before // 100 + before // 400


def _days_of(year: int, month: int) -> int:
    assert 1 <= month <= len(_DAYS), "a month"
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _DAYS[month - 1] + (leap and month == _FEBRUARY)


def date_of(number: int) -> str:
    """The date so many days from 1970-01-01: the one that `day_number` counts so."""
    days = number + _YEAR_BEFORE
    year = days * 400 // _FOUR_CENTURIES + 2  # never before it: of four centuries no date lies a year behind its share
    while (first := _days_before(year)) > days:
        year -= 1
    left, month = days - first, 1
    while left >= _days_of(year, month):
        left -= _days_of(year, month)
        month += 1
    assert 0 < year < 10_000, "four digits"
    return f"{year:04}-{month:02}-{left + 1:02}"


def date_at(instant: int) -> str:
    """The date (UTC) of an instant."""
    assert instant >= 0, "an instant"
    return date_of(instant // _DAY)


def days_away(date: str, instant: int) -> int | None:
    """By how many days a date lies after that of an instant (before: below zero); nothing where it is no date."""
    number = day_number(date)
    assert day_number("1970-01-01") == 0, "both count from the same day"
    return None if number is None else number - instant // _DAY
