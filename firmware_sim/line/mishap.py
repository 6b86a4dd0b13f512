"""What a line is like, and what may happen to one message on it: pure dice, no line.

A message is spoilt as a real line spoils it: bytes go missing, bits turn, noise stands before, in or behind it, a
gateway sends it twice or keeps it for a while. Every throw comes from the given chance, so a seed is a history.
"""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from drivers.session import MILLISECOND, SECOND, Micros

MOST_STRUCK = 3


class Chunk(StrEnum):
    """How the bytes of one message come to those who listen."""

    WHOLE = "whole"  # all at the end of its wire time; the cheapest, and what a unit's UART makes of silence
    BYTES = "bytes"  # each byte when its last bit is in: the truth, at the price of work per byte
    ADAPTER = "adapter"  # as WHOLE for the units; the host gets what has come, every `latency`, as USB does


class Clash(StrEnum):
    """What becomes of two who talk at once."""

    GARBLE = "garble"  # one pair of wires: where they overlap there is one stream of rubbish
    PASS = "pass"  # noqa: S105 - a line with two pairs: neither notices the other


@dataclass(frozen=True, slots=True, kw_only=True)
class LineSettings:
    """Chances are per message, between 0 and 1."""

    baud: int = 38400  # 0: no pacing, one microsecond a byte
    bits: int = 11  # of one character, start and stop included
    loss: float = 0.0  # the message, or a few of its bytes, or its tail
    noise: float = 0.0
    duplication: float = 0.0
    delay: float = 0.0
    delay_time: Micros = 50 * MILLISECOND  # the longest a message is kept; others overtake it
    clash: Clash = Clash.GARBLE
    echo: bool = False  # the host hears itself
    chunk: Chunk = Chunk.WHOLE
    latency: Micros = 0  # between the wire and the host's ear

    def __post_init__(self) -> None:
        assert self.baud >= 0 and self.bits > 0 and self.latency >= 0 and self.delay_time > 0
        assert all(0 <= chance <= 1 for chance in (self.loss, self.noise, self.duplication, self.delay))
        assert self.chunk is not Chunk.ADAPTER or self.latency > 0, "an adapter hands over every `latency`"

    def wire(self, count: int) -> Micros:
        """How long so many bytes are on the wire, rounded up."""
        return -(-count * self.bits * SECOND // self.baud) if self.baud else count

    def gone(self, time: Micros) -> int:
        """How many bytes are wholly over after so long."""
        return time * self.baud // (self.bits * SECOND) if self.baud else time


@dataclass(frozen=True, slots=True)
class Mishap:
    """What was thrown for one message."""

    lost: bool
    noisy: bool
    doubled: bool
    late: bool


def throw(settings: LineSettings, chance: Random) -> Mishap | None:
    """`None`, nearly always and at no cost on a clean line: nothing happens."""
    if not (settings.loss or settings.noise or settings.duplication or settings.delay):
        return None
    lost = chance.random() < settings.loss
    noisy = chance.random() < settings.noise
    doubled = chance.random() < settings.duplication
    late = chance.random() < settings.delay
    return Mishap(lost, noisy, doubled, late) if lost or noisy or doubled or late else None


def what_is_left(data: bytes, chance: Random) -> bytes:
    """Of a message that lost something: nothing in half of the cases, else all but a few bytes or a tail."""
    if len(data) < 2 or chance.random() < 0.5:
        return b""
    cut = chance.randrange(1, len(data))
    if chance.random() < 0.5:
        return data[:cut]
    return data[: cut - 1] + data[cut - 1 + chance.randint(1, MOST_STRUCK) :]


def with_noise(data: bytes, chance: Random) -> bytes:
    """The message with turned bits, or with bytes before, in or behind it that no talker sent."""
    where = chance.randrange(4)
    if where == 0 and data:
        struck = bytearray(data)
        for _ in range(chance.randint(1, MOST_STRUCK)):
            struck[chance.randrange(len(struck))] ^= chance.randint(1, 255)
        return bytes(struck)
    rubbish = chance.randbytes(chance.randint(1, MOST_STRUCK))
    place = {1: 0, 2: len(data)}.get(where, chance.randint(0, len(data)))
    return data[:place] + rubbish + data[place:]
