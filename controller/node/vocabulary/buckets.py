"""How often somebody may: so much a second, and so much at once after a rest, by name.

Theory. A name that nobody remembers has all it may have, so what is full again needs not be kept; where all are in use,
those that came first are forgotten. Pure; the clock is given.
"""

import math
from typing import NamedTuple

from drivers.session import SECOND, Micros

_MOST_BUCKETS = 4_096


class Rate(NamedTuple):
    """So many a second, and so many at once after a rest."""

    a_second: float
    at_once: int


class Buckets:
    """Of each name so many, which fill again with time."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left: dict[object, tuple[float, Micros]] = {}

    def left(self, name: object, now: Micros) -> float:
        left, since = self._left.get(name, (self._rate.at_once, now))
        return min(self._rate.at_once, left + (now - since) * self._rate.a_second / SECOND)

    def take(self, name: object, now: Micros) -> bool:
        left = self.left(name, now)
        if left < 1:
            return False
        if len(self._left) >= _MOST_BUCKETS and name not in self._left:
            self._forget(now)
        self._left[name] = left - 1, now
        return True

    def give_back(self, name: object, now: Micros) -> None:
        """One that was taken and not used."""
        if name in self._left:
            self._left[name] = min(self._rate.at_once, self.left(name, now) + 1), now

    def wait(self, name: object, now: Micros) -> Micros:
        """How long until there is one."""
        return max(0, math.ceil((1 - self.left(name, now)) * SECOND / self._rate.a_second))

    def _forget(self, now: Micros) -> None:
        """Whose bucket is full again; and where all are in use, who came first."""
        full = [name for name in self._left if self.left(name, now) >= self._rate.at_once]
        for name in full or list(self._left)[: _MOST_BUCKETS // 2]:
            del self._left[name]
