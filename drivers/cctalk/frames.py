"""ccTalk frames as bytes: `destination | n | source | header | data | checksum` (devices.md 1.2).

Three rules. Bytes are judged by their check alone, never by how they came: noise raises nothing. The host searches
its answer anywhere in what it heard, because noise may stand in front; a device goes strictly by the length byte and
by the pause of 50 ms that makes everybody forget, because that is what devices do. Nothing grows beyond one frame.
"""

from binascii import crc_hqx
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from drivers.session import MILLISECOND, Micros

HOST = 1
FORGET: Micros = 50 * MILLISECOND  # a longer pause inside a message makes it void
OVERHEAD = 5  # bytes of a frame without data
MOST_DATA = 252
_ANSWERED = 0


class Header(IntEnum):
    ANSWER = 0
    RESET = 1
    COMMS_REVISION = 4
    NAK = 5
    BUSY = 6
    ENCRYPTION_SUPPORT = 111
    TEST_LAMPS = 151
    COIN_ID = 184
    ENTER_PIN = 218
    ACCEPTED_TOTAL = 225
    INSERTED_TOTAL = 226
    READ_MASTER = 227
    SET_MASTER = 228
    READ_CREDIT = 229
    READ_INHIBITS = 230
    SET_INHIBITS = 231
    SELF_CHECK = 232
    SOFTWARE = 241
    SERIAL = 242
    PRODUCT = 244
    CATEGORY = 245
    MANUFACTURER = 246
    POLLING_PRIORITY = 249
    SIMPLE_POLL = 254


class Checksum(StrEnum):
    SUM = "sum"  # all bytes add up to 0 modulo 256
    CRC = "crc"  # CRC-CCITT; its low byte takes the place of the source


@dataclass(frozen=True, slots=True)
class Frame:
    destination: int
    source: int | None  # a frame with a CRC does not say who sent it
    header: int
    data: bytes = b""


def encode(frame: Frame, checksum: Checksum) -> bytes:
    assert len(frame.data) <= MOST_DATA, "longer than a frame"
    front = bytes((frame.destination, len(frame.data)))
    behind = bytes((frame.header,)) + frame.data
    if checksum is Checksum.CRC:
        crc = crc_hqx(front + behind, 0)
        return front + bytes((crc & 0xFF,)) + behind + bytes((crc >> 8,))
    assert frame.source is not None, "a frame with a sum says who sent it"
    body = front + bytes((frame.source,)) + behind
    return body + bytes((-sum(body) & 0xFF,))


def decode(data: bytes, checksum: Checksum) -> Frame | None:
    """The one frame that these bytes are, or `None`."""
    if len(data) < OVERHEAD or len(data) != OVERHEAD + data[1] or data[1] > MOST_DATA:
        return None
    if checksum is Checksum.CRC:
        crc = crc_hqx(data[:2] + data[3:-1], 0)
        return Frame(data[0], None, data[3], data[4:-1]) if (data[2], data[-1]) == (crc & 0xFF, crc >> 8) else None
    return Frame(data[0], data[2], data[3], data[4:-1]) if sum(data) & 0xFF == 0 else None


def find_answer(heard: bytes, address: int, sizes: range, checksum: Checksum) -> bytes | None:
    """The data of the first good answer of this device to the host with as much data as was asked for."""
    for begin in range(len(heard) - OVERHEAD + 1):
        if heard[begin] != HOST or heard[begin + 1] not in sizes or heard[begin + 3] != _ANSWERED:
            continue
        frame = decode(heard[begin : begin + OVERHEAD + heard[begin + 1]], checksum)
        if frame is not None and frame.source in {None, address}:
            return frame.data
    return None


class Ear:
    """How a device hears a line: it counts by the length byte, and forgets after a pause."""

    def __init__(self, checksum: Checksum) -> None:
        self._checksum = checksum
        self._heard = bytearray()
        self._last: Micros = 0

    def hear(self, data: bytes, now: Micros) -> list[Frame]:
        """The good frames that ended in these bytes; what ended and is not good is gone without a word."""
        if now - self._last > FORGET:
            self._heard.clear()
        self._last = now
        self._heard += data
        frames = []
        while len(self._heard) >= 2 and len(self._heard) >= OVERHEAD + self._heard[1]:
            size = OVERHEAD + self._heard[1]
            frame = decode(bytes(self._heard[:size]), self._checksum)
            del self._heard[:size]
            if frame is not None:
                frames.append(frame)
        return frames
