"""A bus on a desk in virtual time, for the tests of the bus: units that ask, slaves that answer, and who said what when.

`Desk` calls the five verbs as a port's owner does and holds their promises: bytes go out once, and after a tick the
deadline is later or gone. Slaves hear a question when its last byte is on the line and say when which bytes come.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from drivers.line.failures import Failure
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.pdu import Answer, ReadWords, Request, Words, encode_answer
from drivers.modbus.rtu import RtuFraming, frame
from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import Ask, LineUnit
from drivers.model import DeviceEvent
from drivers.native.unit import NativeUnit
from drivers.session import Micros

MS = 1_000
LINE = LineTiming(baud=38400, answer=20 * MS, latency=2 * MS)
Slaves = Callable[[bytes, Micros], Iterable[tuple[Micros, bytes]]]  # a question and its end: when which bytes come
READ = ReadWords(0x2000, 2)


class Asker:
    """A unit's driver that asks the same question whenever it has a turn, and writes down all it is told."""

    broadcast_lock = NativeUnit.broadcast_lock

    def __init__(self, number: int, every: Micros = 0, request: Request = READ) -> None:
        self.number, self.every, self.request = number, every, request
        self.at: Micros | None = 0
        self.hasty = False
        self.locks = 0
        self.asks = True
        self.believes = True
        self.turns: list[Micros] = []
        self.answers: list[Answer] = []
        self.failures: list[tuple[Micros, Failure]] = []
        self.lines: list[tuple[str, Micros]] = []
        self.events: deque[DeviceEvent] = deque()

    def lock(self) -> None:
        self.locks += 1

    def lock_was_broadcast(self) -> None:
        self.broadcasts = self.locks

    def due(self) -> Micros | None:
        return self.at

    def urgent(self) -> bool:
        return self.hasty

    def unfinished(self) -> bool:
        return False

    def next_ask(self, now: Micros) -> Ask | None:
        self.turns.append(now)
        if self.at is not None and self.every:
            self.at = now + self.every
        return Ask(self.number, self.request, mark=len(self.turns)) if self.asks else None

    def taken(self, ask: Ask, answer: Answer, _now: Micros) -> bool:
        assert ask.mark == len(self.turns), "the ask comes back as it went"
        self.answers.append(answer)
        return self.believes

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:
        assert ask.mark == len(self.turns), "the ask comes back as it went"
        self.failures.append((now, failure))

    def next_event(self) -> DeviceEvent | None:
        return self.events.popleft() if self.events else None

    def line_up(self, now: Micros) -> None:
        self.lines.append(("up", now))

    def line_down(self, now: Micros) -> None:
        self.lines.append(("down", now))

    @property
    def whys(self) -> list[Failure]:
        return [failure for _, failure in self.failures]


def good(unit: int, *words: int) -> bytes:
    return frame(unit, encode_answer(READ, Words(words or (1, 2))))


def answering(*units: int, think: Micros = 5 * MS, line: LineTiming = LINE) -> Slaves:
    """Slaves with these numbers, all honest; an answer arrives in two halves."""

    def hear(question: bytes, at: Micros) -> Iterator[tuple[Micros, bytes]]:
        if question[0] in units and len(question) == 8:
            said = good(question[0])
            yield at + line.silence + think + line.wire(4), said[:4]
            yield at + line.silence + think + line.wire(len(said)), said[4:]

    return hear


class Desk:
    def __init__(
        self,
        units: Sequence[LineUnit],
        slaves: Slaves,
        line: LineTiming = LINE,
        framing: RtuFraming | MbapFraming | None = None,
    ) -> None:
        self.bus = Bus(units, line, framing or RtuFraming())
        self.line, self.slaves = line, slaves
        self.now = 0
        self.sent: list[tuple[Micros, bytes]] = []  # (when, bytes)
        self.heard: list[tuple[Micros, bytes]] = []
        self.events: list[DeviceEvent] = []
        self._coming: list[tuple[Micros, int, bytes]] = []
        self._number = 0

    def up(self) -> "Desk":
        self.bus.line_up(self.now)
        return self

    def say(self, at: Micros, data: bytes) -> None:
        """Bytes that reach the host then, asked for or not."""
        self._number += 1
        heapq.heappush(self._coming, (at, self._number, data))

    def run(self, until: Micros) -> "Desk":
        while True:
            deadline = self.bus.deadline()
            coming = self._coming[0][0] if self._coming else None
            following = min((at for at in (deadline, coming) if at is not None), default=None)
            if following is None or following > until:
                self.now = until
                return self
            self.now = max(self.now, following)
            if coming is not None and coming <= self.now:
                _, _, data = heapq.heappop(self._coming)
                self.heard.append((self.now, data))
                self.bus.receive(data, self.now)
            else:
                self.bus.tick(self.now)
                deadline = self.bus.deadline()
                self._collect()
                assert deadline is None or deadline > self.now, "a tick that changes nothing would come for ever"
            self._collect()

    def _collect(self) -> None:
        out = self.bus.to_send(self.now)
        assert self.bus.to_send(self.now) == b"", "bytes go out once"
        if out:
            self.sent.append((self.now, out))
            for at, data in self.slaves(out, self.now + self.line.wire(len(out))):
                self.say(at, data)
        while (event := self.bus.next_event()) is not None:
            self.events.append(event)
