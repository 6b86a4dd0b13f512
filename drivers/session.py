"""The five verbs every driver and every simulated device has, and the only notion of time they know.

The owner of a port calls them: bytes go in with the time they came, bytes come out, and a deadline says when to
come back although nothing came. Nothing here, and nothing that has these verbs, knows a port, a clock or a thread;
so the same code runs on a real line, on a pty, and through a simulated day in seconds.
"""

from typing import Protocol, TypeVar

Micros = int  # a monotonic clock in whole microseconds; where it starts means nothing
MILLISECOND: Micros = 1_000
SECOND: Micros = 1_000_000

Event_co = TypeVar("Event_co", covariant=True)


class Talker(Protocol):
    """What lives at one end of a line."""

    def receive(self, data: bytes, now: Micros) -> None:
        """Bytes that came at `now`; any cut of the same bytes means the same, but for the pauses between them."""

    def to_send(self, now: Micros) -> bytes:
        """Bytes that must go out now, once; empty when there are none."""

    def deadline(self) -> Micros | None:
        """When `tick` wants to be called although nothing comes; `None`: not before something comes. After a tick and
        the `to_send` that follows it, never in the past."""

    def tick(self, now: Micros) -> None:
        """Time has passed."""


class Session(Talker, Protocol[Event_co]):
    """A driver: a talker that reports what happened, and that outlives its port."""

    def next_event(self) -> Event_co | None:
        """What happened, in order; `None` when there is no more."""

    def line_up(self, now: Micros) -> None:
        """The port is open (again). Nothing that was known of the other end holds any more."""

    def line_down(self, now: Micros) -> None:
        """The port is gone. Nothing may be sent until it is up again."""
