"""The clocks of a node: one that only goes forward, for waiting; one that people read, for the record; and one that
nobody sets, which watches the second.

Theory. The order of facts is their sequence (design.md), so a wrong wall clock never stops a table: it is said, loudly,
and play goes on. Whoever rules the box, or answers its questions for the time, sets the wall clock; nobody sets how
much time has passed since the machine began, its sleep included. So every reading of the wall clock is compared with
that, and a step becomes a fact before anything is dated by it (`SteppedClock`). What is wrong over a stop is judged
against what the record itself says: nothing happens long before the last thing that happened, nor before this program
was written.

The clock that nobody sets is the machine's own oscillator, without the corrections of its rate that a server of time
may make (some clients let a server push the other clocks by a twelfth of the time). It is off by some 50 millionths, so
a slow difference of `UNSEEN_PPM` is taken for the oscillator's: 17 s a day can be pushed unseen, and no more.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from controller.core.view import Alarm, alarm
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros

Millis = int  # since 1970 UTC

WRITTEN: Millis = 1_767_225_600_000  # 2026-01-01T00:00:00Z
_LATEST: Millis = 7_258_118_399_999  # the last of 2199
_HOUR: Millis = 3_600_000
_YEAR: Millis = 365 * 24 * _HOUR


UNSEEN_PPM = 200
_MOVED_EVERY: Micros = SECOND
_AT_ONCE: Micros = 10 * MILLISECOND
_TRIES = 100


class Clock(NamedTuple):
    """`now` waits, `wall` dates, `passed` is set by nobody."""

    now: Callable[[], Micros]
    wall: Callable[[], Millis]
    passed: Callable[[], Micros]


def of_this_machine() -> Clock:
    return Clock(micros, lambda: time.time_ns() // 1_000_000, _passed)


def _passed() -> Micros:
    """Since the machine began: as its oscillator counts, and what it slept."""
    raw, boot, awake = map(time.clock_gettime_ns, (time.CLOCK_MONOTONIC_RAW, time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC))
    return (raw + boot - awake) // 1_000


def dated(wall: Millis) -> Millis:
    """Between 1970 and 2199: what no clock can mean is not dated, since an auditor would take it for an edit."""
    return min(max(wall, 0), _LATEST)


class SteppedClock:
    """The wall clock under the eyes of the one that nobody sets."""

    def __init__(self, clock: Clock, agrees: Millis) -> None:
        self._clock, self._agrees = clock, agrees * MILLISECOND
        self._ahead, self._looked = self._difference()

    def read(self) -> tuple[Millis, Millis]:
        """The time of the wall clock, and by how much it has stepped since it was read last; 0 where it has not."""
        ahead, now = self._difference()
        if now - self._looked >= _MOVED_EVERY:
            most = (now - self._looked) * UNSEEN_PPM // 1_000_000
            self._ahead += max(-most, min(most, ahead - self._ahead))
            self._looked = now
        off, stepped = ahead - self._ahead, 0
        if abs(off) > self._agrees:
            stepped = off // MILLISECOND
            self._ahead += stepped * MILLISECOND
        return dated((ahead + now) // MILLISECOND), stepped

    def _difference(self) -> tuple[Micros, Micros]:
        """How far the wall clock is ahead, and when that was. A process may be put to sleep between two looks: then
        they are no pair, and it looks again."""
        wall, now, took = self._pair()
        for _ in range(_TRIES):
            if took <= _AT_ONCE:
                break
            wall, now, took = self._pair()
        return wall - now, now

    def _pair(self) -> tuple[Micros, Micros, Micros]:
        before = self._clock.passed()
        wall = self._clock.wall() * MILLISECOND
        now = self._clock.passed()
        return wall, now, now - before


def trouble(last: Millis, wall: Millis) -> Alarm | None:
    """For the person who can set the wall clock; none: it is right. `last`: the time of the last fact."""
    if wall < WRITTEN:
        old = "El reloj de esta máquina está antes de 2026: póngalo en hora. Se juega, con horas equivocadas."
        return alarm("clock_before_program", "reloj", "R-27", old)
    if wall < last - _HOUR:
        early = "El reloj está {hours} h antes del último hecho del registro: póngalo en hora. El orden no cambia."
        return alarm("clock_before_record", "reloj", "R-27", early, hours=(last - wall) // _HOUR)
    if last and wall > last + _YEAR:
        late = "El reloj está más de un año después del último hecho del registro: compruebe la fecha de esta máquina."
        return alarm("clock_after_record", "reloj", "R-27", late)
    return None
