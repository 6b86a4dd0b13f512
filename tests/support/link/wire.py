"""A cable between two neighbours that does what a seeded chance wants: it loses, doubles, delays and reorders what is said.

Each time somebody dials there is a new connection; what was said on an older one arrives nowhere. `deaf`: ends that hear
nothing, though their connection stands. Without faults everything arrives at once and in order.
"""

import random

from controller.node.link.conversation import NeighbourTalk
from drivers.session import MILLISECOND, Micros


class Plug:
    """One end: who speaks there, and the number of the connection that it has; 0: none."""

    talk: NeighbourTalk
    session: int = 0


class Wire:
    """`ends`: who is below, who is above; nobody, while there is no process or its key is not pinned."""

    def __init__(self, chance: random.Random, below: Plug | None = None, above: Plug | None = None) -> None:
        self.ends: list[Plug | None] = [below, above]
        self.faults = self.reachable = True
        self.deaf: set[int] = set()  # ends, by their place
        self._chance = chance
        self._flying: list[tuple[Micros, int, int, bytes]] = []  # when, which session, to whom, what
        self._session = self._sessions = 0

    def dial(self, now: Micros) -> None:
        """Whoever is below wants a connection."""
        below, above = self.ends
        assert below is not None, "somebody dials"
        if not self.reachable or above is None:
            below.talk.line_down(now)
            return
        self.cut(now)
        self._sessions += 1
        self._session = self._sessions
        for end in (above, below):
            end.session = self._session
            end.talk.line_up(now)

    def cut(self, now: Micros) -> None:
        self._session = 0
        for end in self.ends:
            if end is not None and end.session:
                end.session = 0
                end.talk.line_down(now)

    def take(self, end: Plug, now: Micros) -> None:
        """All that this end has to say."""
        while (octets := end.talk.to_send(now)) is not None:
            if end.session and end.session == self._session:
                self._send(end, octets, now)

    def _send(self, end: Plug, octets: bytes, now: Micros) -> None:
        to = 1 - self.ends.index(end)
        for _ in range(self._chance.choice((0, 1, 1, 1, 1, 2)) if self.faults else 1):
            delay = self._chance.choice((0, 1, 30, 700)) * MILLISECOND if self.faults else 0
            self._flying.append((now + delay, end.session, to, octets))

    def deliver(self, now: Micros) -> None:
        due = [one for one in self._flying if one[0] <= now]
        self._flying = [one for one in self._flying if one[0] > now]
        if self.faults:
            self._chance.shuffle(due)
        for _, session, to, octets in due:
            end = self.ends[to]
            if end is not None and session == self._session == end.session and to not in self.deaf:
                end.talk.receive(octets, now)
