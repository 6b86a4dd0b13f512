"""A unit behind Modbus TCP: the same messages, framed by their length (2.2: identical, unit id = unit address).

Several questions may come in one piece and one question in several. A header that is none ends all trust in the
stream: nothing says where the next one begins, so what is left is dropped until the line is new.
"""

from collections import deque

from drivers.modbus.turn import BROADCAST
from drivers.session import Micros
from firmware_sim.line.answering import Answering

_HEADER, _LONGEST = 7, 254  # the unit and the longest message
_MOST_WAITING = 16


class TcpSlave:
    def __init__(self, firmware: Answering) -> None:
        self.firmware = firmware
        self._buffer = bytearray()
        self._answers: deque[tuple[Micros, bytes]] = deque()
        self._start = firmware.starts

    def receive(self, data: bytes, now: Micros) -> None:
        self.tick(now)
        if not self.firmware.powered:
            return
        self._buffer += data
        while len(self._buffer) >= _HEADER and self.firmware.powered:
            protocol, length = int.from_bytes(self._buffer[2:4], "big"), int.from_bytes(self._buffer[4:6], "big")
            if protocol != 0 or not 2 <= length <= _LONGEST:
                self._buffer.clear()
                return
            if len(self._buffer) < 6 + length:
                return
            whole = bytes(self._buffer[: 6 + length])
            del self._buffer[: 6 + length]
            self._hear(whole, now)

    def to_send(self, now: Micros) -> bytes:
        self._forget_after_reset()
        due = bytearray()
        while self._answers and self._answers[0][0] <= now:
            due += self._answers.popleft()[1]
        return bytes(due)

    def deadline(self) -> Micros | None:
        times = [self.firmware.deadline(), self._answers[0][0] if self._answers else None]
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: Micros) -> None:
        self.firmware.tick(now)
        self._forget_after_reset()

    def _hear(self, whole: bytes, now: Micros) -> None:
        """A host that asks faster than it is answered is heard no further than the queue is long."""
        unit, message = whole[6], whole[_HEADER:]
        if unit == BROADCAST:
            answer = self.firmware.hear_broadcast(message, now)
        elif unit == self.firmware.make.unit and len(self._answers) < _MOST_WAITING:
            answer = self.firmware.hear(message, now)
        else:
            return
        if answer:
            header = whole[:4] + (1 + len(answer)).to_bytes(2, "big") + whole[6:7]
            self._answers.append((now + self.firmware.make.answer, header + answer))

    def _forget_after_reset(self) -> None:
        if not self.firmware.powered or self.firmware.starts != self._start:
            self._start = self.firmware.starts
            self._buffer.clear()
            self._answers.clear()
