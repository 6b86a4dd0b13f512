"""What passes between a bus master and the units that share its line: one question, one answer or one failure.

The master (bus.py) knows the line: turns, time-outs, back-off, echo, drain. A unit's driver knows what it wants to ask
and whether an answer is really about it. Neither knows the other's business.
"""

from dataclasses import dataclass
from typing import Protocol

from drivers.line.failures import Failure
from drivers.modbus.pdu import Answer, Request, WriteWords
from drivers.model import DeviceEvent
from drivers.session import Micros

BROADCAST = 0
BROADCAST_WORDS = range(0x0400, 0x0408)  # what is broadcast is written here, in every unit of the line


@dataclass(frozen=True, slots=True)
class Ask:
    unit: int  # BROADCAST: no answer is awaited
    request: Request
    mark: object = None  # the asking driver's own note; the master carries it and does not look


class LineUnit(Protocol):
    """A driver that takes turns on a bus. Its own part of the five verbs is called by the master."""

    number: int

    @property
    def broadcast_lock(self) -> WriteWords | None:
        """What locks every unit of its kind at once; `None`: its kind knows no broadcast."""

    def lock(self) -> None:
        """From now on it wants nothing open, until its owner says otherwise; what has nothing to lock does nothing."""

    def lock_was_broadcast(self) -> None:
        """After `lock`: its kind's frame went out. A unit that can be read back need not be written to by itself."""

    def due(self) -> Micros | None:
        """When it wants its next ordinary turn; in the past: as soon as it is its turn. `None`: not before its owner
        wants something."""

    def urgent(self) -> bool:
        """It has something that must not wait a round: a lock, an acknowledgement. The master serves urgent units
        first, but never twice before every other unit that is due had one turn."""

    def unfinished(self) -> bool:
        """What was asked last leaves something that belongs to the same turn: one more question comes before anybody
        else's. The master grants one, and none after a failure."""

    def next_ask(self, now: Micros) -> Ask | None:
        """The question of this turn. `None` gives the turn away."""

    def taken(self, ask: Ask, answer: Answer, now: Micros) -> bool:
        """A good frame with the right shape came. False: by its content it is not about what was asked; the master
        then treats the line as one with a late answer on it."""

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:
        """The question got no answer. The master backs off by itself; asking again is this driver's decision."""

    def next_event(self) -> DeviceEvent | None: ...

    def line_up(self, now: Micros) -> None: ...

    def line_down(self, now: Micros) -> None: ...
