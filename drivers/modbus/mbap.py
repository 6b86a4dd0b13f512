"""Modbus over TCP: the same messages, each with a number, in a stream that tells its own lengths.

The number makes a late answer harmless: whatever carries another number, protocol or unit is skipped. The lengths
make a wrong one fatal: a stream that says an impossible length has lost its place and cannot find it again, so the
connection must be opened anew, and until then nothing of it is believed.
"""

from collections.abc import Iterable

from drivers.line.failures import Failure
from drivers.modbus.pdu import LONGEST_PDU, Answer, Request, answer_size, decode_answer, encode_request

_HEADER = 6  # number, protocol, length; the length counts the unit's byte and what follows
_SHORTEST = 2
_LONGEST = LONGEST_PDU + 1


def frame(number: int, unit: int, pdu: bytes) -> bytes:
    return number.to_bytes(2, "big") + b"\0\0" + (len(pdu) + 1).to_bytes(2, "big") + bytes((unit,)) + pdu


class MbapFraming:
    def __init__(self) -> None:
        self._number = 0
        self._head = b""  # number and protocol of the one answer that is looked for
        self._unit = 0
        self._request: Request | None = None
        self._buffer = bytearray()
        self._foreign = self._heard = False
        self.lost = False
        self.answer_bytes = 0

    def line_up(self) -> None:
        self._buffer.clear()
        self._request = None
        self.lost = False

    def question(self, unit: int, request: Request) -> bytes:
        """The bytes to send; from now on its answer is looked for."""
        sent = self._numbered(unit, request)
        self._head, self._unit, self._request = sent[:4], unit, request
        self._foreign = self._heard = False
        self.answer_bytes = answer_size(request) + _HEADER + 1
        return sent

    def broadcast(self, request: Request) -> bytes:
        """No answer is looked for."""
        self._request = None
        return self._numbered(0, request)

    def _numbered(self, unit: int, request: Request) -> bytes:
        self._number = self._number % 0xFFFF + 1
        return frame(self._number, unit, encode_request(request))

    def receive(self, data: bytes) -> Answer | None:
        """The answer once it is whole. Called without a question too: a stream must be followed to its frames' ends."""
        if self.lost:
            return None
        self._heard = True
        found: Answer | None = None
        at, buffer = 0, self._buffer + data
        while len(buffer) - at >= _HEADER:
            size = buffer[at + 4] << 8 | buffer[at + 5]
            if not _SHORTEST <= size <= _LONGEST:
                self.lost = True
                self._buffer.clear()
                return found
            end = at + _HEADER + size
            if end > len(buffer):
                break
            found = found or self._examine(bytes(buffer[at:end]))
            at = end
        self._buffer = buffer[at:]
        return found

    def _examine(self, found: bytes) -> Answer | None:
        if self._request is None:
            return None
        if found[:4] == self._head and found[_HEADER] == self._unit:
            answer = decode_answer(self._request, found[_HEADER + 1 :])
            if answer is not None:
                self._request = None
                return answer
        self._foreign = True
        return None

    def verdict(self) -> Failure:
        """The time is over and the question is closed: why is there no answer?"""
        self._request = None
        if self._foreign:
            return Failure.FOREIGN
        return Failure.GARBLED if self._heard else Failure.SILENT


def speakers(data: bytes, units: Iterable[int]) -> set[int]:
    """Units of which a whole frame is among these bytes."""
    known, found, at = set(units), set[int](), 0
    while at + _HEADER < len(data):
        size = data[at + 4] << 8 | data[at + 5]
        is_frame = data[at + 2 : at + 4] == b"\0\0" and _SHORTEST <= size <= _LONGEST and data[at + _HEADER] in known
        if is_frame and at + _HEADER + size <= len(data):
            found.add(data[at + _HEADER])
            at += _HEADER + size
        else:
            at += 1
    return found
