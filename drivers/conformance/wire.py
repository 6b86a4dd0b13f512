"""How the examiner's questions stand on a serial line or in a TCP stream, good and deliberately bad ones.

Good questions and their answers are the framings' business (rtu.py, mbap.py). Here are the frames that no driver ever
sends, the exact answers they must get, and the last frames that went over the line, for the reader of a failure.
"""

from collections import deque
from dataclasses import dataclass, field

from drivers.conformance.steps import TrailFrame
from drivers.modbus import mbap, rtu
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.pdu import Request, encode_request
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming

_KEPT_FRAMES = 6
_FIRST_NUMBER = 0x7000  # of TCP frames made here, far from the framing's own
_HEADER = 6


@dataclass(slots=True)
class Wire:
    framing: RtuFraming | MbapFraming
    timing: LineTiming
    takes_time: bool = True  # a pty hands bytes over at once, whatever its baud: no silence is seen on it
    trail: deque[TrailFrame] = field(default_factory=lambda: deque(maxlen=_KEPT_FRAMES))
    _number: int = _FIRST_NUMBER

    @property
    def serial(self) -> bool:
        return isinstance(self.framing, RtuFraming)

    def frame(self, unit: int, pdu: bytes) -> bytes:
        if self.serial:
            return rtu.frame(unit, pdu)
        self._number += 1
        return mbap.frame(self._number & 0xFFFF, unit, pdu)

    def question(self, unit: int, request: Request) -> bytes:
        return self.frame(unit, encode_request(request))

    def answer_to(self, frame: bytes, pdu: bytes) -> bytes:
        """The frame in which that unit would say this to that question."""
        if self.serial:
            return rtu.frame(frame[0], pdu)
        return mbap.frame(int.from_bytes(frame[:2], "big"), frame[_HEADER], pdu)


def spoilt(frame: bytes) -> bytes:
    """The same frame with a wrong checksum."""
    return frame[:-1] + bytes((frame[-1] ^ 0x55,))
