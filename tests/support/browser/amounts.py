"""What a sign showed beside what was on record: no frame may show more, and news come soon. Pure: times and amounts come in.

A rise may be late (its bound is asked with `lateness`), never early; a fall is early never, so a frame that still shows the old amount
is judged by what was on record `grace` milliseconds before.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple


class Shown(NamedTuple):
    """From this instant, in milliseconds, it was this amount: on a page, or on record."""

    at: float
    amount: int


def above(shown: Iterable[Shown], committed: Sequence[Shown], grace: float = 0.0) -> list[Shown]:
    """Frames with more than was committed; `committed` in order of time."""
    times = [one.at for one in committed]

    def most(at: float) -> int:
        first, last = max(bisect_right(times, at - grace) - 1, 0), bisect_right(times, at)
        return max((one.amount for one in committed[first:last]), default=-1)

    return [one for one in shown if one.amount > most(one.at)]


def standing(shown: Sequence[Shown], instants: Iterable[float]) -> list[Shown]:
    """What stood there at these instants, of what was shown from when on."""
    times = [one.at for one in shown]
    return [Shown(at, shown[place - 1].amount) for at in instants if (place := bisect_right(times, at))]


def lateness(shown: Sequence[Shown], committed: Iterable[Shown]) -> list[float]:
    """How long each amount on record took to be seen, where nothing newer was seen before it."""
    late = []
    for one in committed:
        seen = next((frame.at for frame in shown if frame.at >= one.at and frame.amount == one.amount), None)
        if seen is not None:
            late.append(seen - one.at)
    return late


class Piece(NamedTuple):
    """Bytes that came at this instant, in milliseconds."""

    at: float
    size: int


def bytes_a_minute(pieces: Sequence[Piece], until: float) -> float:
    """Of a stream from its first piece on; that one is the whole, which comes once, and is not counted."""
    assert pieces and until > pieces[0].at, "nothing was heard"
    return sum(one.size for one in pieces[1:]) * 60_000 / (until - pieces[0].at)


class Sample(NamedTuple):
    """Something that was measured at this instant, in seconds."""

    at: float
    value: float


def slope_an_hour(samples: Sequence[Sample]) -> float:
    """How much it grows in an hour, by least squares."""
    assert len(samples) > 1, "a course has two ends"
    middle = Sample(fmean(one.at for one in samples), fmean(one.value for one in samples))
    spread = sum((one.at - middle.at) ** 2 for one in samples)
    return 3_600 * sum((one.at - middle.at) * (one.value - middle.value) for one in samples) / spread


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that so much of them is not above."""
    ordered = sorted(values)
    assert ordered, "nothing was measured"
    at = min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))
    return ordered[at]
