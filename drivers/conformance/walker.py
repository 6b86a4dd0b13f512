"""Runs a walk over a line: sends its questions, hears what comes, keeps the silences, and tells its events.

A `Session` like any driver: no port, no clock. One step at a time; a question goes out after the line was silent
for t3.5; a lost one is asked again, twice at most, only where the step says that this changes nothing; after a question
without an answer the line is heard for one more longest answer, so that a late one is never taken for the next (4.1).
While the port is away, everything is silence. Memory is bounded: of a babbling line only the first bytes are kept.
"""

from collections import deque

from drivers.conformance.steps import (
    Exchange,
    Halves,
    HandsFree,
    HandsState,
    HandsWanted,
    Over,
    Prompt,
    PromptOver,
    Raw,
    StepResult,
    Tell,
    TrailFrame,
    Wait,
    Walk,
)
from drivers.conformance.wire import Wire
from drivers.line.failures import Failure
from drivers.modbus.pdu import Answer
from drivers.modbus.rtu import RtuFraming
from drivers.session import Micros

_MOST_HEARD = 1024
_MORE = 2  # a computer under load may lose an answer twice


class Walker:
    def __init__(self, wire: Wire, walk: Walk[None]) -> None:
        self._wire = wire
        self._walk = walk
        self._events: deque[object] = deque()
        self._out = bytearray()
        self._step: Exchange | Raw | Halves | Wait | None = None
        self._again = 0  # so often the question may still be asked
        self._start: Micros | None = None  # when the question may go out
        self._until: Micros | None = None  # when the step is over
        self._sent = b""
        self._rest = b""  # of a frame whose first half is out
        self._gap: Micros = 0
        self._asked: Micros | None = None
        self._sent_at: Micros = 0
        self._sent_end: Micros = 0
        self._overdue: Micros = 0  # an answer after this came too late
        self._last_byte: Micros = 0
        self._quiet_from: Micros = 0
        self._raw = bytearray()
        self._answer: Answer | None = None
        self._up = self._begun = False
        self._hands, self._refusal = HandsState.NONE, ""
        self.over = False

    # The five verbs

    def receive(self, data: bytes, now: Micros) -> None:
        if not data or self.over:
            return
        self._last_byte = self._quiet_from = now
        self._raw += data[: _MOST_HEARD - len(self._raw)]
        found = self._wire.framing.receive(data)
        if not isinstance(self._step, Exchange) or self._start is not None:
            return
        if found is not None and not isinstance(found, Failure) and now <= self._overdue:
            self._answer = found
            self._finish(now)

    def to_send(self, now: Micros) -> bytes:
        del now
        out = bytes(self._out)
        self._out.clear()
        return out

    def deadline(self) -> Micros | None:
        if self.over:
            return None
        return self._start if self._start is not None else self._until

    def tick(self, now: Micros) -> None:
        if self.over:
            return
        if self._start is not None:
            if now >= self._start:
                self._ask(now) if not self._rest else self._ask_the_rest(now)
        elif self._until is not None and now >= self._until:
            self._finish(now)

    def next_event(self) -> object | None:
        return self._events.popleft() if self._events else None

    def line_up(self, now: Micros) -> None:
        self._up = True
        self._quiet_from = now  # what was on the line until now is not known
        self._wire.framing.line_up()
        if not self._begun:
            self._begun, self._until = True, now

    def line_down(self, now: Micros) -> None:
        del now
        self._up = False
        self._out.clear()

    # A person's answer to a prompt

    def hands_done(self) -> None:
        if self._hands is HandsState.ASKED:
            self._hands = HandsState.DONE

    def hands_refused(self, why: str) -> None:
        if self._hands in {HandsState.ASKED, HandsState.DONE}:
            self._hands, self._refusal = HandsState.REFUSED, why

    # Steps

    def _finish(self, now: Micros) -> None:
        step, self._step, self._until = self._step, None, None
        if step is None:
            self._go(None, now)
            return
        if isinstance(step, Exchange):
            if self._answer is None:
                self._wire.framing.verdict()
            self._wire.trail.append(TrailFrame(sent=False, data=bytes(self._raw)))
            if self._answer is None and self._again:
                left = self._again - 1
                self._begin(step, now)
                self._again = left
                return
        elif self._raw or isinstance(step, Raw | Halves):
            self._wire.trail.append(TrailFrame(sent=False, data=bytes(self._raw)))
        self._go(self._heard(now), now)

    def _heard(self, now: Micros) -> StepResult:
        """The pause is counted back from the last byte, whichever way the adapter cut the answer."""
        framing, raw, pause = self._wire.framing, bytes(self._raw), None
        if self._answer is not None and self._wire.takes_time:
            pause = self._last_byte - self._wire.timing.wire(framing.answer_bytes) - self._sent_end
        elif self._answer is not None:
            pause = self._last_byte - self._sent_at
        if isinstance(framing, RtuFraming) and framing.echoes:
            raw = raw.removeprefix(self._sent)
        answered = now if pause is None or not self._wire.takes_time else min(now, self._sent_end + max(pause, 0))
        asked = now if self._asked is None else self._asked
        return StepResult(now, self._answer, raw, pause, self._hands, self._refusal, asked, answered, self._gap)

    def _go(self, heard: StepResult | None, now: Micros) -> None:
        while True:
            try:
                step = next(self._walk) if heard is None else self._walk.send(heard)
            except StopIteration:
                self.over = True
                self._events.append(Over())
                return
            match step:
                case Tell(event):
                    self._events.append(event)
                case HandsWanted(command, sentence):
                    self._hands, self._refusal = HandsState.ASKED, ""
                    self._events.append(Prompt(command, sentence))
                case HandsFree(seen):
                    if self._hands is not HandsState.NONE:
                        self._events.append(PromptOver(seen))
                    self._hands, self._refusal = HandsState.NONE, ""
                case _:
                    self._asked = None
                    self._begin(step, now)
                    return
            heard = StepResult(now, hands=self._hands, refusal=self._refusal)

    def _begin(self, step: Exchange | Raw | Halves | Wait, now: Micros) -> None:
        self._step, self._answer = step, None
        if isinstance(step, Wait):
            self._raw.clear()
            self._sent = b""
            self._until = now + max(step.time, 1)
            return
        self._again = _MORE if isinstance(step, Exchange) and step.again else 0
        self._start = max(now, self._quiet_from + self._wire.timing.silence)
        if self._start == now:
            self._ask(now)

    def _ask(self, now: Micros) -> None:
        step, timing = self._step, self._wire.timing
        assert isinstance(step, Exchange | Raw | Halves), "only questions are sent"
        self._start = None
        self._raw.clear()
        if isinstance(step, Raw):
            data = step.data
        elif isinstance(step, Halves):
            data = step.first
        else:
            if self._wire.framing.lost:
                self._wire.framing.line_up()
            data = self._wire.framing.question(step.unit, step.request)
        self._sent = data
        self._wire.trail.append(TrailFrame(sent=True, data=data))
        self._sent_at = now
        self._sent_end = self._quiet_from = now + timing.wire(len(data))
        if self._asked is None:
            self._asked = self._sent_end if self._wire.takes_time else now
        if isinstance(step, Halves):
            self._start, self._rest = (self._asked + step.gap), step.rest
        elif isinstance(step, Raw):
            self._until = self._sent_end + step.listen
        else:
            size = self._wire.framing.answer_bytes
            self._overdue = now + timing.wait(len(data), size)
            self._until = self._overdue + timing.drain(size)
        if self._up:
            self._out += data

    def _ask_the_rest(self, now: Micros) -> None:
        step, rest = self._step, self._rest
        assert isinstance(step, Halves), "only a frame with a gap has a rest"
        assert self._asked is not None, "its first half was sent"
        self._start, self._rest, self._gap = None, b"", now - self._asked
        self._sent += rest
        self._wire.trail.append(TrailFrame(sent=True, data=rest))
        self._sent_end = self._quiet_from = now + self._wire.timing.wire(len(rest))
        self._until = self._sent_end + step.listen
        if self._up:
            self._out += rest
