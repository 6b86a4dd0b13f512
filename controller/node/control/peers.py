"""Who stands at the door, and what each may have of it: connections by process and by user, and events by the second.

Theory. The kernel says which process of which user is at the other end of a local connection; he cannot lie. Each
process and each user has a share of the connections, and all together have theirs, well below what the node needs for
its devices and its record. Where a share is full, the newcomer comes in and somebody goes: of the user with the most,
of his process with the most, the connection on which nothing moved for the longest time. So who takes much pays with
his own, and an honest newcomer always gets in. What a peer says is counted by a bucket of its process and one of its
user; who said little lately goes first. Pure; the clock is given.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from drivers.session import SECOND, Micros

MOST_OF_PROCESS, MOST_OF_USER, MOST_OF_ALL = 512, 768, 1_024
_NOBODY_IS_GREEDY_BELOW = 5
_MOST_BUCKETS = 4_096


class Peer(NamedTuple):
    """The process at the other end, as the kernel knows it."""

    uid: int
    pid: int


class Rate(NamedTuple):
    """So many a second, and so many at once after a rest."""

    a_second: float
    at_once: int


OF_PROCESS, OF_USER = Rate(500, 1_000), Rate(1_000, 2_000)
CONNECTIONS = Rate(100, 1_000)


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


class Guests:
    """Connections by their numbers: whose each is, and when something moved on it last."""

    def __init__(self) -> None:
        self._moved: dict[int, Micros] = {}
        self._of: dict[int, dict[int, set[int]]] = {}  # user, process: numbers

    def came(self, number: int, peer: Peer, now: Micros) -> None:
        self._moved[number] = now
        self._of.setdefault(peer.uid, {}).setdefault(peer.pid, set()).add(number)

    def moved(self, number: int, now: Micros) -> None:
        self._moved[number] = now

    def gone(self, number: int, peer: Peer) -> None:
        del self._moved[number]
        processes = self._of[peer.uid]
        processes[peer.pid].remove(number)
        if not processes[peer.pid]:
            del processes[peer.pid]
        if not processes:
            del self._of[peer.uid]

    def who_goes(self, newcomer: Peer) -> int | None:
        """Whose place the newcomer takes, if none is free."""
        processes = self._of.get(newcomer.uid, {})
        if len(processes.get(newcomer.pid, ())) >= MOST_OF_PROCESS:
            return self._longest_idle(processes[newcomer.pid])
        if sum(map(len, processes.values())) >= MOST_OF_USER:
            return self._of_the_greediest(processes)
        return self.anybody() if len(self._moved) >= MOST_OF_ALL else None

    def anybody(self) -> int | None:
        """Who goes first where the machine itself has no place left."""
        if not self._of:
            return None
        return self._of_the_greediest(max(self._of.values(), key=lambda one: sum(map(len, one.values()))))

    def _of_the_greediest(self, processes: dict[int, set[int]]) -> int:
        """Who has a few is like who has one: a console has two, and a thousand processes with one are no better."""
        most = max(_NOBODY_IS_GREEDY_BELOW, *map(len, processes.values()))
        greedy = (numbers for numbers in processes.values() if max(len(numbers), _NOBODY_IS_GREEDY_BELOW) >= most)
        return self._longest_idle(number for numbers in greedy for number in numbers)

    def _longest_idle(self, numbers: Iterable[int]) -> int:
        return min(numbers, key=self._moved.__getitem__)
