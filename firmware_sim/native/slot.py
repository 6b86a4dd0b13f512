"""The path of the chips of one seat: a gate, an entry sensor, a fall, an exit sensor (2.5).

A chip that entered while the gate was open is `admitted`: it will count when it leaves, if it leaves within the gate
time. Chips leave in the order they came. A chip that sticks holds all behind it.
"""

from collections import deque
from dataclasses import dataclass

from drivers.session import Micros

_MOST_FALLING = 8  # no more fit between two sensors


@dataclass(slots=True)
class Chip:
    entry: Micros
    admitted: bool


class ChipPath:
    def __init__(self) -> None:
        self.falling: deque[Chip] = deque()
        self.stuck = False

    @property
    def full(self) -> bool:
        return self.stuck or len(self.falling) >= _MOST_FALLING

    @property
    def admitted(self) -> int:
        return sum(chip.admitted for chip in self.falling)

    def enter(self, now: Micros, *, admitted: bool) -> None:
        self.falling.append(Chip(now, admitted))

    def leave(self) -> Chip:
        return self.falling.popleft()

    def give_up(self) -> None:
        """Its time is over: whatever is still in there, was given back or falls late, but does not count."""
        for chip in self.falling:
            chip.admitted = False

    def restart(self, now: Micros) -> None:
        """The unit was off: what fell is gone unseen, what sticks still sticks, and nobody knows since when."""
        self.falling.clear()
        if self.stuck:
            self.enter(now, admitted=False)

    def empty(self) -> None:
        self.falling.clear()
        self.stuck = False
