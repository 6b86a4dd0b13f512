"""Who stands at the door, and what each may have of it: connections by process and by user, and events by the second.

Theory. The kernel says which process of which user is at the other end of a local connection; he cannot lie. Each
process and each user has a share of the connections, and all together have theirs, well below what the node needs for
its devices and its record. Where a share is full, the newcomer comes in and somebody goes: of the user with the most,
of his process with the most, the connection on which nothing moved for the longest time. So who takes much pays with
his own, and an honest newcomer always gets in. What a peer says is counted by a bucket of its process and one of its
user; who said little lately goes first. Pure; the clock is given.
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.core.values import web_user
from controller.node.vocabulary.buckets import Rate
from drivers.session import Micros

MOST_OF_PROCESS, MOST_OF_USER, MOST_OF_ALL = 512, 768, 1_024
_NOBODY_IS_GREEDY_BELOW = 5


class Peer(NamedTuple):
    """The process at the other end, as the kernel knows it; a web of another box is a user of its own, by its key."""

    uid: int
    pid: int


def web_peer(key: str) -> Peer:
    """Who the web with this CURVE key is here."""
    return Peer(web_user(key), 0)


OF_PROCESS, OF_USER = Rate(500, 1_000), Rate(1_000, 2_000)
CONNECTIONS = Rate(100, 1_000)


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
