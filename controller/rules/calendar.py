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
_DAY = 86_400_000


def day_number(date: str) -> int | None:
    """The days from 1970-01-01 to a date, as YYYY-MM-DD; nothing where the calendar has no such date."""
    found = _DATE.fullmatch(date)
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    if not (year and 1 <= month <= len(_DAYS) and 1 <= day <= _days_of(year, month)):
        return None
    before = year - 1
    assert before < 9_999, "four digits"
    of_years = 365 * before + before // 4 - before // 100 + before // 400
    return of_years - _YEAR_BEFORE + sum(_days_of(year, one) for one in range(1, month)) + day - 1


def _days_of(year: int, month: int) -> int:
    assert 1 <= month <= len(_DAYS), "a month"
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _DAYS[month - 1] + (leap and month == _FEBRUARY)


def days_away(date: str, instant: int) -> int | None:
    """By how many days a date lies after that of an instant (before: below zero); nothing where it is no date."""
    number = day_number(date)
    assert day_number("1970-01-01") == 0, "both count from the same day"
    return None if number is None else number - instant // _DAY
