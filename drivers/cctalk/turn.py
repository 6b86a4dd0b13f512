"""What passes between the master of a ccTalk line and the acceptors on it, and how long each thing may take.

The master knows the line: turns, time-outs, echo, drain, back-off. An acceptor's driver knows what it wants to ask.
Neither knows the other's business. A question says how much data its answer has; anything else is not its answer.
"""

from dataclasses import dataclass
from typing import Protocol

from drivers.cctalk.frames import FORGET, OVERHEAD, Checksum, Header
from drivers.line.failures import Failure
from drivers.model import DeviceEvent
from drivers.session import MILLISECOND, SECOND, Micros

ACKNOWLEDGED = range(1)  # an answer without data
MOST_TEXT = 32  # no identity is longer; what is, is not taken for one
MOST_ASKED = 8


@dataclass(frozen=True, slots=True)
class LineAsk:
    header: Header
    data: bytes = b""
    sizes: range = ACKNOWLEDGED  # of the answer's data

    def __post_init__(self) -> None:
        assert len(self.data) <= MOST_ASKED and self.sizes.stop <= MOST_TEXT + 1, "the bound of a turn counts on it"


class LineDevice(Protocol):
    """A driver that takes turns on a ccTalk line."""

    @property
    def address(self) -> int: ...

    @property
    def checksum(self) -> Checksum: ...

    def due(self) -> Micros | None:
        """When it wants its next turn; in the past: as soon as it is its turn. When due it has a question."""

    def poll_by(self) -> Micros | None:
        """When it must have been asked for its events, or it stops taking chips; `None`: nothing is lost by that."""

    def poll(self, now: Micros) -> LineAsk:
        """The question for its events, when the master sees that the time of `poll_by` is near."""

    def urgent(self) -> bool:
        """It has something that must not wait a round. It goes first, never twice before each other had a turn."""

    def next_ask(self, now: Micros) -> LineAsk: ...

    def taken(self, ask: LineAsk, data: bytes, now: Micros) -> None: ...

    def failed(self, ask: LineAsk, failure: Failure, now: Micros) -> None: ...

    def lock(self) -> None: ...

    def next_event(self) -> DeviceEvent | None: ...

    def line_up(self, now: Micros) -> None: ...

    def line_down(self, now: Micros) -> None: ...


@dataclass(frozen=True, slots=True)
class WireTiming:
    baud: int = 9600
    bits: int = 10
    answer: Micros = 50 * MILLISECOND  # the longest a device may think
    latency: Micros = 16 * MILLISECOND  # of the adapter
    pause: Micros = 5 * MILLISECOND  # between an answer and the next question
    quiet: Micros = FORGET + 10 * MILLISECOND  # after a failure: until every device has forgotten what it half heard
    late: Micros = 25 * MILLISECOND  # after a time-out: an answer that comes in it is none, to no question
    drain: Micros = 400 * MILLISECOND  # the longest we wait for that quiet; the longest frame takes 270 ms

    def __post_init__(self) -> None:
        assert self.baud > 0 and self.bits > 0 and min(self.answer, self.latency) >= 0 and self.pause > 0
        assert 0 < self.late <= self.quiet, "the quiet is the longer one"
        assert FORGET < self.quiet <= self.drain, "a device that half heard a question forgets it in the pause"

    def wire(self, size: int) -> Micros:
        return -(-size * self.bits * SECOND // self.baud)

    def wait(self, ask: LineAsk) -> Micros:
        """From the first byte of a question to the last of its answer, at the worst."""
        asked, answered = OVERHEAD + len(ask.data), OVERHEAD + ask.sizes.stop - 1
        return self.wire(asked) + self.answer + self.wire(answered) + 2 * self.latency

    def silence(self, ask: LineAsk) -> Micros:
        """From the first byte of a question until the first byte of its answer."""
        return self.wire(OVERHEAD + len(ask.data) + 1) + self.answer + 2 * self.latency

    @property
    def longest_turn(self) -> Micros:
        """Whatever one device or the noise of the line does, the next has its turn after this."""
        return self.wait(LineAsk(Header.SIMPLE_POLL, bytes(MOST_ASKED), range(MOST_TEXT + 1))) + self.drain
