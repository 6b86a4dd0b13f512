"""The two clocks of a node: one that only goes forward, for waiting, and one that people read, for the record.

Theory. The order of facts is their sequence (design.md), so a wrong wall clock never stops a table: it is said, loudly,
and play goes on; a step back becomes a fact. What is wrong is judged against what the record itself says: nothing
happens long before the last thing that happened, nor before this program was written.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from drivers.punctual import micros
from drivers.session import Micros

Millis = int  # since 1970 UTC

WRITTEN: Millis = 1_767_225_600_000  # 2026-01-01T00:00:00Z
_HOUR: Millis = 3_600_000
_YEAR: Millis = 365 * 24 * _HOUR


class Clock(NamedTuple):
    """`now` waits, `wall` dates."""

    now: Callable[[], Micros]
    wall: Callable[[], Millis]


def of_this_machine() -> Clock:
    return Clock(micros, lambda: time.time_ns() // 1_000_000)


def trouble(last: Millis, wall: Millis) -> str:
    """A sentence for the person who can set the wall clock; empty: it is right. `last`: the time of the last fact."""
    if wall < WRITTEN:
        return "El reloj de esta máquina está antes de 2026: póngalo en hora. Se juega, con horas equivocadas."
    if wall < last - _HOUR:
        hours = (last - wall) // _HOUR
        return f"El reloj está {hours} h antes del último hecho del registro: póngalo en hora. El orden no cambia."
    if last and wall > last + _YEAR:
        return "El reloj está más de un año después del último hecho del registro: compruebe la fecha de esta máquina."
    return ""
