"""Bytes that leave one talker without a pause, while they are on the wire: who may have heard how much of them when.

A run knows the time of each of its bytes. What another talks into is struck, what goes under in another's bytes is
swallowed; both are known before anybody hears the byte, because nobody can talk in the past.
"""

from random import Random

from drivers.session import Micros, Talker
from firmware_sim.line.mishap import Chunk, LineSettings, Mishap

MOST_IN_ONE_RUN = 256  # bytes sent without a pause are heard in pieces of at most this


class LineEnd:
    """One place on the line and who stands there."""

    __slots__ = ("deadline", "free", "name", "plugged", "talker")

    def __init__(self, talker: Talker, name: str) -> None:
        self.talker = talker
        self.name = name
        self.plugged = True
        self.deadline = talker.deadline()
        self.free: Micros = 0  # when its last byte has left it


class Run:
    """Bytes that leave one talker without a pause."""

    __slots__ = ("data", "end", "mishap", "settings", "source", "start", "step", "struck", "swallowed", "told")

    def __init__(
        self, source: LineEnd, data: bytes, start: Micros, settings: LineSettings, mishap: Mishap | None
    ) -> None:
        self.source = source
        self.data = bytearray(data)
        self.start = start
        self.end = start + settings.wire(len(data))
        self.settings = settings
        self.mishap = mishap
        self.struck: set[int] = set()  # bytes that another talked into
        self.swallowed: set[int] = set()  # bytes that went under in another's
        self.told = 0  # bytes somebody has heard
        self.step = self._first_step()

    def in_pieces(self) -> bool:
        """A message with a mishap comes whole, whatever the line is."""
        return self.mishap is None and self.settings.chunk is not Chunk.WHOLE

    def _first_step(self) -> Micros:
        if not self.in_pieces():
            return self.end
        if self.settings.chunk is Chunk.BYTES:
            return min(self.end, self.start + self.settings.wire(1))
        return min(self.end, next_handover(self.start + 1, self.settings.latency))

    def stretch(self, data: bytes) -> None:
        whole = self.step == self.end and not self.in_pieces()
        self.data += data
        self.end = self.start + self.settings.wire(len(self.data))
        if whole:
            self.step = self.end

    def takes(self, data: bytes) -> bool:
        return len(self.data) + len(data) <= MOST_IN_ONE_RUN

    def break_off(self, now: Micros) -> None:
        """The talker's wires are off: what had left it is on the wire, the rest never comes."""
        del self.data[max(0, self.settings.gone(max(0, now - self.start))) :]
        self.end = self.step = max(now, self.start)

    def between(self, begin: Micros, end: Micros) -> range:
        """Its bytes that are on the wire, wholly or in part, between two instants."""
        first = self.settings.gone(begin - self.start)
        last = self.settings.gone(end - self.start)
        return range(first, min(len(self.data), last + (self.start + self.settings.wire(last) < end)))

    def spoil(self, now: Micros, chance: Random) -> None:
        """What was struck of the bytes that are over by now becomes rubbish, and surely another byte."""
        over = len(self.data) if now >= self.end else self.settings.gone(now - self.start)
        for place in sorted(place for place in self.struck if place < over or now >= self.end):
            self.struck.discard(place)
            if place < len(self.data):
                self.data[place] ^= chance.randint(1, 255)

    def advance(self, now: Micros) -> bytes:
        """What can be heard of it since the last time."""
        upto = len(self.data) if now >= self.end else min(len(self.data), self.settings.gone(now - self.start))
        part = self.heard(self.told, upto)
        self.told = upto
        if self.settings.chunk is Chunk.BYTES:
            self.step = min(self.end, self.start + self.settings.wire(upto + 1))
        else:
            self.step = min(self.end, next_handover(now + 1, self.settings.latency))
        return part

    def heard(self, first: int, last: int) -> bytes:
        if not self.swallowed:
            return bytes(self.data[first:last])
        return bytes(self.data[place] for place in range(first, last) if place not in self.swallowed)


def next_handover(time: Micros, latency: Micros) -> Micros:
    """When an adapter that hands over every `latency` does so next."""
    return -(-time // latency) * latency
