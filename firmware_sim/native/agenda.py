"""What a unit will do by itself, and when: every timer of it, so that its deadline is exact and idling costs nothing.

One timer has one time; setting it again moves it. Moved timers stay in the heap until they come to its top, so the
heap is bounded by how often an timer moves within its own length.
"""

from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from drivers.session import Micros


class TimerKind(IntEnum):
    DEBOUNCED = 1
    RELEASED = 2
    STUCK = 3
    CHIP_OUT = 4
    CHIP_JAMMED = 5
    MEASURE = 6
    CONFIRM = 7
    WATCHDOG = 8
    HOLD = 9
    BLANK = 10
    REBOOT = 11


class Timer(NamedTuple):
    kind: TimerKind
    seat: int = 0
    contact: int = 0


_MOST_MOVED = 64


class Agenda:
    def __init__(self) -> None:
        self._times: dict[Timer, Micros] = {}
        self._heap: list[tuple[Micros, Timer]] = []

    def at(self, time: Micros, timer: Timer) -> None:
        self._times[timer] = time
        heappush(self._heap, (time, timer))
        if len(self._heap) > _MOST_MOVED + 2 * len(self._times):
            self._heap = [(when, what) for what, when in self._times.items()]
            heapify(self._heap)

    def cancel(self, timer: Timer) -> None:
        self._times.pop(timer, None)

    def knows(self, timer: Timer) -> bool:
        return timer in self._times

    def next(self) -> Micros | None:
        heap = self._heap
        while heap:
            time, timer = heap[0]
            if self._times.get(timer) == time:
                return time
            heappop(heap)
        return None

    def take(self, now: Micros) -> tuple[Micros, Timer] | None:
        """The earliest timer that is due, once."""
        time = self.next()
        if time is None or time > now:
            return None
        entry = heappop(self._heap)
        del self._times[entry[1]]
        return entry
