"""Counters of a foreign module: words to numbers, and how far each went since the last time.

They are only ever compared, never cleared (devices.md 4, «Also»). A counter of n bits goes round at 2^n. One that went
backwards says that the module lost its memory, and one that went further than a finger can says what cannot be (R-37):
the driver then looks a second time, because one torn or late reading looks the same.
"""

from collections.abc import Mapping
from enum import Enum, auto

from drivers.io_module.map import IoMap
from drivers.modbus.pdu import ReadWords
from drivers.session import SECOND, Micros

Counts = dict[int, int]  # by address


def question(io_map: IoMap) -> ReadWords | None:
    """All counters at one instant."""
    places = io_map.counters
    if not places:
        return None
    return ReadWords(places[0], places[-1] + io_map.width - places[0], io_map.function)


def counts(io_map: IoMap, words: tuple[int, ...], *, high_first: bool) -> Counts:
    first = io_map.counters[0]
    return {place: number(words[place - first :][: io_map.width], high_first=high_first) for place in io_map.counters}


def number(words: tuple[int, ...], *, high_first: bool) -> int:
    value = 0
    for word in words if high_first else reversed(words):
        value = value << 16 | word
    return value


def listed(counts: Counts | None) -> str:
    return ", ".join(f"{place:04X}h {count}" for place, count in (counts or {}).items())


def word_order(shown: tuple[int, ...], value: int) -> bool | None:
    """High word first? `None`: these words are not that constant in any order, so the map is another module's."""
    for high_first in (True, False):
        if number(shown, high_first=high_first) == value:
            return high_first
    return None


class OddReading(Enum):
    """A reading that is not simply the next one."""

    FIRST = auto()
    UNWATCHED = auto()  # the first, and something was pressed since the last time that anybody looked
    DOUBTED = auto()  # look again, now
    RESET = auto()
    IMPOSSIBLE = auto()  # further on than a finger can, and that is no module that lost its power


class CounterWatch:
    """The counters of a module, from reading to reading."""

    def __init__(self, io_map: IoMap) -> None:
        self._map = io_map
        self.last: Counts | None = None
        self.high_first: bool | None = None
        self._at: Micros | None = None  # of the last reading; `None`: the counters are not being read
        self._doubted = False
        self.jumped: frozenset[int] = frozenset()  # counters that went further than a finger can
        self.look_away()

    def resume(self, known: Mapping[int, int]) -> None:
        """What the books know; a counter they do not know begins with its first reading."""
        if known.keys() >= set(self._map.counters):
            self.last = {place: known[place] for place in self._map.counters}

    def look_away(self) -> None:
        """What is pressed from now on is no bet; and whatever answers next may be another module."""
        self._at, self._doubted = None, False
        self.high_first = self._map.high_first if self._map.probe is None else None

    @property
    def looks(self) -> bool:
        return self._at is not None

    def read(self, words: tuple[int, ...], now: Micros) -> Counts | OddReading:
        """How far each counter went, or why that cannot be said."""
        assert self.high_first is not None, "the constant is read before the counters"
        old, new = self.last, counts(self._map, words, high_first=self.high_first)
        steps = None if old is None else {place: (new[place] - old[place]) % (1 << self._map.bits) for place in new}
        if steps is not None and max(steps.values()) > self._most(now):
            if not self._doubted:
                self._doubted = True
                return OddReading.DOUBTED
            assert old is not None, "it went somewhere from somewhere"
            most = self._most(now)
            self.jumped = frozenset(place for place in new if new[place] - old[place] > most)
            self.last, self._at, self._doubted = new, None, False
            return OddReading.IMPOSSIBLE if self.jumped else OddReading.RESET
        first, self.last, self._at, self._doubted = self._at is None, new, now, False
        if not first:
            assert steps is not None, "somebody looked before"
            return steps
        return OddReading.UNWATCHED if steps and any(steps.values()) else OddReading.FIRST

    def _most(self, now: Micros) -> int:
        """A finger's presses, two more for the edges of time; after a time without readings, all that is not
        backwards."""
        if self._at is None:
            return (1 << self._map.bits - 1) - 1
        return 2 + -(-self._map.per_second * (now - self._at) // SECOND)
