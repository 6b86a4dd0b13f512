"""What a slave needs to know of whoever answers behind it: native units and devices of other makers alike."""

from typing import Protocol

from drivers.session import Micros


class Made(Protocol):
    @property
    def unit(self) -> int: ...

    @property
    def answer(self) -> Micros:
        """How long it thinks."""


class Answering(Protocol):
    powered: bool
    starts: int  # how often it came up: whoever waits for its answer sees that it forgot

    @property
    def make(self) -> Made: ...

    def hear(self, message: bytes, now: Micros) -> bytes:
        """A message to this unit, without its frame; the answer to it."""

    def hear_broadcast(self, message: bytes, now: Micros) -> bytes:
        """A message to all; never an answer."""

    def deadline(self) -> Micros | None: ...

    def tick(self, now: Micros) -> None: ...
