"""An event loop that wakes in time, and its clock: for pumps, and for simulated devices.

The usual loop rounds every wait up to a whole millisecond, more than half of a silence on the wire and ten characters
at 115200 baud; `select` takes microseconds. The kernel still adds fifty of them to every wait unless a thread asks it
not to. What then remains is the machine's own tardiness (some twenty microseconds); a bench may spin through it.
"""

import asyncio
import ctypes
import time
from selectors import SelectorKey, SelectSelector

from drivers.session import SECOND, Micros

_SET_TIMER_SLACK = 29  # of prctl(2)


def micros() -> Micros:
    """The clock of the event loop, in whole microseconds."""
    return time.monotonic_ns() // 1_000


def precise_loop(spin: Micros = 0) -> asyncio.AbstractEventLoop:
    """`spin`: how long before a deadline it burns the processor instead of sleeping; 0 for everything but benches."""
    return asyncio.SelectorEventLoop(_PunctualSelector(spin / SECOND))


class _PunctualSelector(SelectSelector):
    def __init__(self, spin: float) -> None:
        super().__init__()
        self._spin = spin
        self._punctual = False

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        if not self._punctual:  # it counts for the thread that asks, and this is the one that waits
            ctypes.CDLL(None).prctl(_SET_TIMER_SLACK, 1, 0, 0, 0)
            self._punctual = True
        if not self._spin or timeout is None or timeout <= 0:
            return super().select(timeout)
        end = time.monotonic() + timeout
        ready = super().select(timeout - self._spin) if timeout > self._spin else []
        while not ready and time.monotonic() < end:
            ready = super().select(0)
        return ready
