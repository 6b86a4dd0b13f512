"""The event counter of header 229: what is new, what is lost, and when it must be believed (devices.md 1.2).

The counter goes 1..255 and back to 1; 0 stands only after a power-up or a reset. Beside it stand the last five events,
newest first. Three rules. Nothing is believed that was heard once: a sum of eight bits lets one struck frame in 256
pass, and this is money. The slots that are not new must be the slots that were there before, or it is not the device
that we knew. What is not known exactly is `LOST`, never guessed.

Of the codes that stand in place of a coin three kinds matter to a table: a chip that was refused though the slot should
be open (the inhibits are not what we set), a blocked path (a jam), and a chip that goes backwards or hangs on a string
(for the camera). Every other code is a chip that went back to its owner.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

SLOTS = 5
READING_SIZE = 1 + 2 * SLOTS
_CYCLE = 255


class CoinEvent(NamedTuple):
    """Channel and sorter path of a coin that was taken; channel 0: why one was not, or what else happened."""

    channel: int
    detail: int


NO_EVENT = CoinEvent(0, 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to 229."""

    counter: int
    slots: tuple[CoinEvent, ...]  # newest first

    @staticmethod
    def decode(data: bytes) -> "Reading":
        assert len(data) == READING_SIZE, "the bus lets only this size through"
        return Reading(data[0], tuple(CoinEvent(data[at], data[at + 1]) for at in range(1, READING_SIZE, 2)))

    def encode(self) -> bytes:
        return bytes((self.counter,)) + bytes(value for slot in self.slots for value in slot)


class Continuity(StrEnum):
    NEWS = "news"  # all events since are known, there may be none
    LOST = "lost"  # more happened than five slots hold
    RESET = "reset"  # it lost its counter
    OTHERWISE = "otherwise"  # the counter fits and the slots do not: not what we left


@dataclass(frozen=True, slots=True)
class Since:
    verdict: Continuity
    count: int = 0  # events between the two readings, as far as the counter tells
    events: tuple[CoinEvent, ...] = ()  # oldest first; with `LOST` only the last of them


def following(counter: int) -> int:
    return counter % _CYCLE + 1


def since(last: int, reading: Reading, known: tuple[CoinEvent, ...] | None = None) -> Since:
    """What happened since counter `last`, when the slots were `known` (`None`: not remembered)."""
    if reading.counter == 0 and last != 0:
        return Since(Continuity.RESET)
    count = reading.counter if last == 0 else (reading.counter - last) % _CYCLE
    events = tuple(reversed(reading.slots[:count]))
    if count > SLOTS:
        return Since(Continuity.LOST, count, events)
    if known is not None and reading.slots[count:] != known[: SLOTS - count]:
        return Since(Continuity.OTHERWISE, count, events)
    return Since(Continuity.NEWS, count, events)


class HeardTwice:
    """Lets a reading through when two in a row say the same, or when it says nothing new."""

    def __init__(self) -> None:
        self._believed: Reading | None = None
        self._once: Reading | None = None

    @property
    def doubting(self) -> bool:
        """Something was heard once and wants to be heard again, at once."""
        return self._once is not None

    def believe(self, reading: Reading) -> Reading | None:
        if reading in (self._believed, self._once):
            self._believed, self._once = reading, None
            return reading
        self._once = reading
        return None

    def start_anew(self) -> None:
        """The next reading needs its second hearing whatever it says."""
        self._believed = self._once = None


INHIBITED = {2, *range(128, 160)}
JAMS = {6, 7, 14, 15, 26, 29, 30}  # sensors that stay covered, gates that do not close or open
TAMPERS = {16, 17, 18, 20, 23}  # backwards, too fast, in the wrong order, on a string, too early at the sensor
