"""What comes back from an Alpha sign, found among whatever bytes a line brings.

A sign that can be read answers in a frame of type `0`, as the write that would make it so, with a checksum; a frame of
any other type is our own echo or another master's. From Alpha 2.0 on it says ACK or NAK after each transmission, and
its error register behind it. Whatever is not exactly right is no answer; no byte raises, the buffer is bounded.
"""

from dataclasses import dataclass
from enum import IntFlag

from drivers.signs import alpha
from drivers.signs.alpha import Code, Special

MOST_KEPT = 1024  # more than the longest answer to anything we ask
_SOH, _STX, _ETX, _EOT = alpha.SOH[0], alpha.STX[0], alpha.ETX[0], alpha.EOT[0]
_ANSWER = b"0"
_DIGITS = 4  # of the checksum


class ErrorRegister(IntFlag):
    """The sign's own errors; the bit that is always set tells it from other bytes."""

    ALWAYS = 0x40
    ILLEGAL = 0x20  # a command or a file it does not know
    CHECKSUM = 0x10
    OVERFLOW = 0x08
    TIME_OUT = 0x04
    FRAMING = 0x02
    PARITY = 0x01


@dataclass(frozen=True, slots=True)
class Stored:
    """A file as the sign has it. A TEXT begins with its position and mode: see `words`."""

    code: Code
    label: str
    content: bytes

    @property
    def words(self) -> bytes:
        if self.code is Code.WRITE_TEXT and self.content[:1] == alpha.ESC:
            return self.content[3:]
        return self.content


@dataclass(frozen=True, slots=True)
class Receipt:
    """It took what was sent, or not. The register comes as an answer of its own."""

    taken: bool


@dataclass(frozen=True, slots=True)
class Errors:
    register: ErrorRegister


SignAnswer = Stored | Receipt | Errors


class Answers:
    """A stream of bytes to answers; any cut of the same bytes gives the same answers."""

    def __init__(self) -> None:
        self._frame: bytearray | None = None
        self._after_verdict = False

    def forget(self) -> None:
        """What was begun is not finished: another question was asked."""
        self._frame, self._after_verdict = None, False

    def receive(self, data: bytes) -> list[SignAnswer]:
        return [answer for byte in data if (answer := self._byte(byte)) is not None]

    def _byte(self, byte: int) -> SignAnswer | None:
        if byte == _SOH:
            self._frame = bytearray()
            return None
        if self._frame is not None:
            return self._inside(self._frame, byte)
        if byte in {alpha.ACK, alpha.NAK}:
            self._after_verdict = True
            return Receipt(byte == alpha.ACK)
        expected, self._after_verdict = self._after_verdict, False
        return Errors(ErrorRegister(byte)) if expected and byte & 0xC0 == ErrorRegister.ALWAYS else None

    def _inside(self, frame: bytearray, byte: int) -> SignAnswer | None:
        if byte == _EOT:
            self._frame = None
            return _answer(bytes(frame))
        frame.append(byte)
        if len(frame) > MOST_KEPT:
            self._frame = None
        return None


def _answer(frame: bytes) -> SignAnswer | None:
    """Type, address, STX, command, ETX, checksum; without what stands around them."""
    if frame[:1] != _ANSWER or frame[3:4] != alpha.STX or frame[-_DIGITS - 1 : -_DIGITS] != alpha.ETX:
        return None
    if alpha.checksum(frame[3:-_DIGITS]) != frame[-_DIGITS:].upper():
        return None
    body = frame[4 : -_DIGITS - 1]
    code, label, content = body[:1], body[1:2], body[2:]
    if not label or label[0] >= 0x80:
        return None
    is_status = code == b"E" and label == Special.STATUS.encode() and len(content) == 1
    if is_status and content[0] & 0xC0 == ErrorRegister.ALWAYS:
        return Errors(ErrorRegister(content[0]))
    if code in {b"A", b"G"}:
        return Stored(Code(code.decode("ascii")), label.decode("ascii"), content)
    return None
