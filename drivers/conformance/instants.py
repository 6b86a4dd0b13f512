"""What the examiner knows of the unit's time: that something happened between two instants of his own.

A question was not in the unit before its last byte could be there, and what its answer tells had happened before the
answer began. So a time between two instants lies between a shortest and a longest, and a unit fails only when even the
kinder of the two breaks the promise: no line is so slow, no computer so busy, that a good unit fails for it.
"""

from dataclasses import dataclass

from drivers.session import MILLISECOND, Micros

_EXACT: Micros = 50 * MILLISECOND  # (2.3 C) or half a percent
_PERCENT = 200


@dataclass(frozen=True, slots=True)
class Instant:
    """Not before `after`, not after `before`."""

    after: Micros
    before: Micros


def shortest(start: Instant, end: Instant) -> Micros:
    return end.after - start.before


def longest(start: Instant, end: Instant) -> Micros:
    return end.before - start.after


def tolerance(promised: Micros) -> Micros:
    """How exactly a device keeps its times (2.3 C)."""
    return max(_EXACT, promised // _PERCENT)


def surely_early(start: Instant, end: Instant, promised: Micros, allowed: Micros) -> bool:
    return longest(start, end) < promised - allowed


def surely_late(start: Instant, end: Instant, promised: Micros, allowed: Micros) -> bool:
    return shortest(start, end) > promised + allowed


def time_words(start: Instant, end: Instant) -> str:
    return f"{max(shortest(start, end), 0) // MILLISECOND} to {longest(start, end) // MILLISECOND} ms"
