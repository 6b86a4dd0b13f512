"""Modbus RTU: a question in its frame, and the one good answer found among whatever bytes a line brings.

An RTU answer says neither which question it belongs to nor where it begins, and pauses do not survive adapters (1.7);
so the answer is looked for by what is known before it comes: unit, function, count or repeated address, exact length,
checksum. Noise in front does not lose it, noise behind it is dropped, and it is whole with its last byte. Every byte
is looked at a bounded number of times and the buffer cannot grow, whatever comes (4.10).

No answer begins with its whole question: an answer to FC03 has an odd length and its question an even one, and a
write's answer is shorter than the write. So this line echoes when a good answer follows its whole question, and does
not when a good answer comes with nothing in front (4.6). A unit that only repeats its question teaches nothing.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from drivers.line.echo import Echo
from drivers.line.failures import Failure
from drivers.modbus.crc import crc16
from drivers.modbus.pdu import Answer, ReadWords, Request, answer_size, decode_answer, encode_request

_LONGEST_FRAME = 256
_PIECE = 260
_MOST_KEPT = 2 * _PIECE
_MOST_TRIES = 16  # frames of others looked for after a time-out, only to give the failure its name
_REPEATED = 5  # a write's answer is the write's first five bytes: function, address, count
_DENIAL_SIZE = 5
_MOST_READ_AGAIN = 1_024


class _Framed(NamedTuple):
    """A question, and what is known of its answer before it comes."""

    sent: bytes
    head: bytes
    denial: bytes
    answer_bytes: int


def frame(unit: int, pdu: bytes) -> bytes:
    body = bytes((unit,)) + pdu
    return body + crc16(body).to_bytes(2, "little")


class RtuFraming:
    lost = False  # a line of bytes finds its way back by itself; a stream of lengths does not (mbap.py)

    def __init__(self) -> None:
        self._echo = Echo()
        self._request: Request | None = None  # whose answer is looked for
        self._head = self._denial = b""
        self._buffer = bytearray()
        self._from = 0  # no answer begins before here
        self._flooded = False
        self.answer_bytes = 0

    @property
    def echoes(self) -> bool | None:
        """`None`: not learned yet."""
        return self._echo.present

    def line_up(self) -> None:
        self._echo = Echo()
        self._request = None

    def question(self, unit: int, request: Request) -> bytes:
        """The bytes to send; from now on its answer is looked for."""
        framed = _read_again(unit, request) if isinstance(request, ReadWords) else _framed(unit, request)
        self._request = request
        sent, self._head, self._denial, self.answer_bytes = framed
        self._buffer.clear()
        self._from = 0
        self._flooded = False
        self._echo.sent(sent)
        return sent

    def broadcast(self, request: Request) -> bytes:
        """No answer is looked for."""
        self._request = None
        return frame(0, encode_request(request))

    def receive(self, data: bytes) -> Answer | Failure | None:
        """The answer once it is whole, or the one failure that shows before a time-out."""
        if self._request is None:
            return None
        if self._echo.listening:
            rest = self._echo.strip(data)
            if rest is None:
                self._request = None
                return Failure.COLLISION
            data = rest
        for start in range(0, len(data), _PIECE):
            self._buffer += data[start : start + _PIECE]
            answer = self._look(self._request)
            if answer is not None:
                self._request = None
                return answer
            if len(self._buffer) > _MOST_KEPT:
                del self._buffer[: self._from]
                self._from = 0
                self._flooded = True
        return None

    def verdict(self) -> Failure:
        """The time is over and the question is closed: why is there no answer?"""
        self._request = None
        if self._echo.halfway:
            return Failure.COLLISION if self._echo.present else Failure.GARBLED
        if not self._buffer:
            return Failure.SILENT
        return Failure.FOREIGN if not self._flooded and self._somebody_answered() else Failure.GARBLED

    def _look(self, request: Request) -> Answer | None:
        buffer = self._buffer
        while True:
            start, size = self._candidate()
            end = start + size
            if end > len(buffer):
                self._from = start
                return None
            found = bytes(buffer[start:end])
            answer = None if crc16(found) else decode_answer(request, found[1:-2])  # a whole frame leaves no remainder
            if answer is not None:
                if self._echo.present is None and start == 0 and not self._flooded:
                    self._echo.present = self._echo.whole
                return answer
            self._from = start + 1

    def _candidate(self) -> tuple[int, int]:
        """Where the next answer could begin, and how long it would be; at the end of the buffer when nowhere."""
        good = self._buffer.find(self._head, self._from)
        if good == self._from:
            return good, self.answer_bytes
        denial = self._buffer.find(self._denial, self._from)
        if denial >= 0 and not 0 <= good < denial:
            return denial, _DENIAL_SIZE
        if good >= 0:
            return good, self.answer_bytes
        return max(self._from, len(self._buffer) - len(self._head) + 1), self.answer_bytes

    def _somebody_answered(self) -> bool:
        """Is there any good answer among these bytes: of another unit, to another function, of another length?"""
        tries = 0
        for start in range(len(self._buffer) - _DENIAL_SIZE + 1):
            size = _likely_size(self._buffer[start + 1], self._buffer[start + 2])
            if size and start + size <= len(self._buffer) and tries < _MOST_TRIES:
                tries += 1
                if not crc16(bytes(self._buffer[start : start + size])):
                    return True
        return False


def speakers(data: bytes, units: Iterable[int]) -> set[int]:
    """Units of which a whole frame of an answer is among these bytes."""
    known, found, at = set(units), set[int](), 0
    while at + _DENIAL_SIZE <= len(data):
        size = _likely_size(data[at + 1], data[at + 2]) if data[at] in known else 0
        if size and at + size <= len(data) and not crc16(data[at : at + size]):
            found.add(data[at])
            at += size
        else:
            at += 1
    return found


def _framed(unit: int, request: Request) -> _Framed:
    pdu = encode_request(request)
    size = answer_size(request)
    repeated = pdu[1:_REPEATED] if size == _REPEATED and pdu[0] > 4 else bytes((size - 2,))
    return _Framed(frame(unit, pdu), bytes((unit, pdu[0])) + repeated, bytes((unit, pdu[0] | 0x80)), size + 3)


_read_again = lru_cache(_MOST_READ_AGAIN)(_framed)  # most questions are the same few reads; a write never comes twice


def _likely_size(function: int, count: int) -> int:
    """Of an answer that begins so; 0: no answer begins so."""
    if function & 0x80:
        return _DENIAL_SIZE
    if function in {1, 2, 3, 4, 23} and count + 5 <= _LONGEST_FRAME:
        return count + 5
    return 8 if function in {5, 6, 15, 16} else 0
