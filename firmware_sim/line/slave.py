"""A unit at the end of a line: at a shared Modbus RTU line, or behind Modbus TCP (2.2, 4.9, 4.10).

Native units and devices of other makers stand behind a slave alike (`Answering`). At a shared line a slave hears
everything and speaks only when it was asked. It steps over questions to others and their answers whole, so that
nothing inside them can be taken for a question; only when the line has been still for t3.5 does it look for a frame
behind bytes that make no sense. It waits t3.5 and its unit's thinking time before it answers, keeps silent for other
units and for unit 0, and holds no more bytes than two frames. Behind TCP the same messages are framed by their length.
"""

from collections import deque
from typing import Protocol

from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import BROADCAST
from drivers.session import MILLISECOND, Micros
from firmware_sim.line.overheard import LONGEST, SHORTEST, FrameSpan, frame_at_rest, frame_so_far, framed

_MOST_KEPT = 2 * LONGEST
_FORGOTTEN: Micros = 50 * MILLISECOND  # a pause that no adapter makes inside a frame
_HEADER, _LONGEST_TCP = 7, 254  # the unit and the longest message
_MOST_WAITING = 16


class AnsweringMake(Protocol):
    @property
    def unit(self) -> int: ...

    @property
    def answer(self) -> Micros:
        """How long it thinks."""


class Answering(Protocol):
    powered: bool
    starts: int  # how often it came up: the slave sees by it that a question is forgotten

    @property
    def make(self) -> AnsweringMake: ...

    def hear(self, message: bytes, now: Micros) -> bytes:
        """A message to this unit, without its frame; the answer to it."""

    def hear_broadcast(self, message: bytes, now: Micros) -> bytes:
        """A message to all; never an answer."""

    def deadline(self) -> Micros | None: ...

    def tick(self, now: Micros) -> None: ...


class RtuSlave:
    def __init__(self, firmware: Answering, timing: LineTiming) -> None:
        self.firmware = firmware
        self._timing = timing
        self._buffer = bytearray()
        self._heard_at: Micros = 0
        self._still_at: Micros | None = None  # when the line will have been still, if bytes wait for that
        self._answer = b""
        self._due: Micros = 0
        self._start = firmware.starts

    # ------------------------------------------------------------------------------------------------ five verbs

    def receive(self, data: bytes, now: Micros) -> None:
        self.tick(now)
        if not data or not self.firmware.powered:
            return
        if now - self._heard_at > _FORGOTTEN:
            self._buffer.clear()
        self._heard_at = now
        self._due = max(self._due, now + self._timing.silence)
        for start in range(0, len(data), LONGEST):
            self._buffer += data[start : start + LONGEST]
            self._step_over(now)
            del self._buffer[:-_MOST_KEPT]
        self._still_at = now + self._timing.silence if self._buffer else None

    def to_send(self, now: Micros) -> bytes:
        self._forget_after_reset()
        if not self._answer or now < self._due:
            return b""
        answer, self._answer = self._answer, b""
        return answer

    def deadline(self) -> Micros | None:
        times = [self.firmware.deadline(), self._still_at, self._due if self._answer else None]
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: Micros) -> None:
        still = self._still_at
        if still is not None and still <= now:
            self._still_at = None
            self._search(still)
        self.firmware.tick(now)
        self._forget_after_reset()

    # ------------------------------------------------------------------------------------------------ frames

    def _step_over(self, now: Micros) -> None:
        """Frames that begin where the last one ended; a byte that begins none is dropped."""
        while len(self._buffer) >= SHORTEST:
            frame = frame_so_far(self._buffer)
            if frame is None:
                return
            if frame.size:
                self._take(0, frame, now)
            else:
                del self._buffer[0]

    def _search(self, now: Micros) -> None:
        """Nothing more is coming: a frame that stands behind noise is found now, the first one first."""
        place = 0
        while place + SHORTEST <= len(self._buffer):
            frame = frame_at_rest(self._buffer, place)
            if frame is None:
                place += 1
            else:
                self._take(place, frame, now)
                place = 0

    def _take(self, place: int, frame: FrameSpan, now: Micros) -> None:
        end = place + frame.size
        unit, message = self._buffer[place], bytes(self._buffer[place + 1 : end - 2])
        del self._buffer[:end]
        if frame.is_question and self.firmware.powered:
            self._hear(unit, message, now)

    def _hear(self, unit: int, message: bytes, now: Micros) -> None:
        if unit == BROADCAST:
            self._speak(unit, self.firmware.hear_broadcast(message, now), now)
        elif unit == self.firmware.make.unit:
            self._speak(unit, self.firmware.hear(message, now), now)

    def _speak(self, unit: int, answer: bytes, now: Micros) -> None:
        """A question replaces the answer to the one before: the host no longer waits for that."""
        if answer:
            self._answer = framed(bytes([unit]) + answer)
            self._start = self.firmware.starts
            self._due = max(now, self._heard_at + self._timing.silence) + self.firmware.make.answer

    def _forget_after_reset(self) -> None:
        """A unit that lost its power, or came up again, does not remember what it heard or was asked."""
        if not self.firmware.powered or self.firmware.starts != self._start:
            self._start = self.firmware.starts
            self._buffer.clear()
            self._answer, self._still_at = b"", None


class TcpSlave:
    """Several questions may come in one piece and one question in several.

    A header that is none ends all trust in the stream: nothing says where the next one begins, so what is left is
    dropped until the line is new.
    """

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
            if protocol != 0 or not 2 <= length <= _LONGEST_TCP:
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
