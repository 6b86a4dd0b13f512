"""Real time for simulated devices: who ticks a talker when it wants to be, and hands on what it says.

A line does what it does at its own instants however late it is ticked, so the machine's tardiness does not add up.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from drivers.punctual import micros
from drivers.session import SECOND, Micros, Talker

MOST_TICKS_AT_ONCE = 1_000


@runtime_checkable
class _Touchable(Protocol):
    def touched(self, now: Micros) -> None: ...


class Ticker:
    """Keeps a talker's time and hands out what it says. It belongs to the loop it was made in."""

    def __init__(self, talker: Talker, say: Callable[[bytes], None]) -> None:
        self.talker = talker
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self.turn()

    def heard(self, data: bytes) -> None:
        self._tick(micros())
        self.talker.receive(data, micros())
        self.turn()

    def act(self, action: Callable[[Micros], None]) -> None:
        """Do something to the device behind the talker, at the right time."""
        self._tick(micros())
        now = micros()
        action(now)
        if isinstance(self.talker, _Touchable):
            self.talker.touched(now)
        self.turn()

    def turn(self) -> None:
        """Whatever is due is done, and the next time is noted."""
        now = micros()
        self._tick(now)
        self._collect(now)
        due = self.talker.deadline()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if due is not None and not self._stopped:
            self._timer = self._loop.call_at(due / SECOND, self.turn)

    def stop(self) -> None:
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()

    def _collect(self, now: Micros) -> None:
        said = self.talker.to_send(now)
        if said:
            self._say(said)

    def _tick(self, now: Micros) -> None:
        for _ in range(MOST_TICKS_AT_ONCE):
            due = self.talker.deadline()
            if due is None or due > now:
                return
            self.talker.tick(now)
            self._collect(now)
        raise AssertionError("it was ticked and wants it again at once")
