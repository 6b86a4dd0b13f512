"""A computer that is busy and a unit whose clock is not ours: time as it is outside of a test, from a seed.

The host's process wakes late and hears late, mostly by little and now and then by much. The unit's clock goes wrong by
no more than its contract allows. Nothing is lost: what a good unit is failed for here is the examination's own fault.
"""

from collections import deque
from collections.abc import Callable
from random import Random

from drivers.session import MILLISECOND, Micros, Session, Talker

_LITTLE, _MUCH = 3 * MILLISECOND, 60 * MILLISECOND
_SELDOM = 0.02
_MILLION = 1_000_000


class BusyHost:
    """A session whose every verb comes when the computer has time."""

    def __init__(self, session: Session[object], chance: Random) -> None:
        self._session, self._chance = session, chance
        self._come: deque[tuple[Micros, bytes]] = deque()
        self._wanted: Micros | None = None
        self._wakes: Micros = 0

    def _late(self) -> Micros:
        return self._chance.randint(1, _MUCH if self._chance.random() < _SELDOM else _LITTLE)

    def receive(self, data: bytes, now: Micros) -> None:
        last = self._come[-1][0] if self._come else now
        self._come.append((max(last, now + self._late()), data))

    def to_send(self, now: Micros) -> bytes:
        return self._session.to_send(now)

    def deadline(self) -> Micros | None:
        wanted = self._session.deadline()
        if wanted is not None and wanted != self._wanted:
            self._wakes = wanted + self._late()
        self._wanted = wanted
        times = [self._come[0][0]] if self._come else []
        return min([*times, self._wakes] if wanted is not None else times, default=None)

    def tick(self, now: Micros) -> None:
        while self._come and self._come[0][0] <= now:
            self._session.receive(self._come.popleft()[1], now)
        self.deadline()
        if self._wanted is not None and self._wakes <= now:
            self._session.tick(now)

    def next_event(self) -> object | None:
        return self._session.next_event()

    def line_up(self, now: Micros) -> None:
        self._session.line_up(now)

    def line_down(self, now: Micros) -> None:
        self._come.clear()
        self._session.line_down(now)


class OwnClock:
    """A unit whose second is a little longer or shorter than ours."""

    def __init__(self, talker: Talker, millionths: int) -> None:
        self._talker, self._rate = talker, _MILLION + millionths

    def theirs(self, now: Micros) -> Micros:
        return now * self._rate // _MILLION

    def receive(self, data: bytes, now: Micros) -> None:
        self._talker.receive(data, self.theirs(now))

    def to_send(self, now: Micros) -> bytes:
        return self._talker.to_send(self.theirs(now))

    def deadline(self) -> Micros | None:
        time = self._talker.deadline()
        return None if time is None else -(-time * _MILLION // self._rate)

    def tick(self, now: Micros) -> None:
        self._talker.tick(self.theirs(now))


def with_own_clock(slave: Callable[..., Talker], millionths: int) -> Callable[..., Talker]:
    return lambda *given: OwnClock(slave(*given), millionths)
