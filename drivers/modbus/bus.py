"""One master for all the units of a line: it gives turns, asks one question at a time, and knows when to be silent.

Its rules. Nothing is asked before t3.5 of silence after the last byte in either direction. A question without an answer
is given up at an exact time, and the line is then drained for the longest reply time before the next question, so that
a late answer meets no other question (4.1). A time-out closes no port and stops no other unit (4.2). A broadcast is
only ever the lock: it goes out as the very next frame, it has no answer, the turnaround is kept after it alone (4.7),
and then every unit is due at once, because a broadcast proves nothing.

A turn is one question, or two where a unit says that its turn is unfinished: a heartbeat, and then the image it took
the place of. Who waits how long is `Bus.bound`: a live unit that is due has its turn within one turn of every live
unit, one more of each that is urgent, and one failing exchange, the probe of a dead unit. What else may come between is
counted there too.
"""

from collections import deque
from collections.abc import Sequence

from drivers.line.failures import Counters, Failure
from drivers.modbus.babble import Babble
from drivers.modbus.late import Late
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.mbap import speakers as tcp_speakers
from drivers.modbus.pdu import Answer
from drivers.modbus.rota import Rota, RotaPlace
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.rtu import speakers as rtu_speakers
from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import BROADCAST, BROADCAST_WORDS, Ask, LineUnit
from drivers.model import LINE_RESET, DeviceEvent, Notice
from drivers.session import Micros

_MAY_BE_LATE = {Failure.SILENT, Failure.FOREIGN, Failure.GARBLED}


class Bus:
    def __init__(self, units: Sequence[LineUnit], timing: LineTiming, framing: RtuFraming | MbapFraming) -> None:
        self._rota = Rota(units)
        self._place_of = {place.unit.number: place for place in self._rota.places}
        assert len(self._place_of) == len(units), "two units of one number answer at once"
        assert all(1 <= number <= 247 for number in self._place_of), "a unit's number is 1 to 247"
        locks = {lock for unit in units if (lock := unit.broadcast_lock) is not None}
        assert len(locks) <= 1, "one frame locks all that can hear it"
        self._lock = next(iter(locks), None)
        assert self._lock is None or self._lock.address in BROADCAST_WORDS, "other units keep these registers free"
        self._timing, self._framing = timing, framing
        self._silence, self._patience = timing.silence, timing.patience
        self._up = False
        self._out = b""
        self._ask: Ask | None = None  # the question under way
        self._place: RotaPlace | None = None  # whose question it is
        self._half: RotaPlace | None = None  # who has one more question in the turn it is having
        self._first: Micros = 0  # what the first half of that turn took at most
        self._until: Micros = 0  # when its answer is overdue
        self._drain: Micros = 0
        self._free: Micros = 0  # from when on a question may be asked
        self._lock_free: Micros = 0  # from when on the lock may be broadcast (again)
        self._last: Micros = 0  # last byte on the line, in either direction
        self._burst: Micros = 0  # first byte of those that `_last` ends, without a silence between
        self._allowed = 0  # bytes that what was sent last may bring
        self._lock_wanted = False
        self._broadcasts = 0
        numbered = isinstance(framing, MbapFraming)
        said_by = tcp_speakers if numbered else rtu_speakers
        self._babble = Babble(
            lambda: {place.unit.number: place.counters.answered for place in self._rota.places}, said_by
        )
        self._late = Late(said_by, numbered=numbered)
        self._told_lost = False
        self._events: deque[DeviceEvent] = deque()

    # The five verbs.

    def receive(self, data: bytes, now: Micros) -> None:
        if not self._up or not data:
            return
        if now - self._last > self._silence:
            self._burst = now
        self._last = max(self._last, now)  # an echo comes while we still speak
        self._allowed -= len(data)
        if self._allowed < 0:
            self._unasked_for(data[self._allowed :], now)
        self._late.overhears(data)
        found = self._framing.receive(data)
        if self._framing.lost and not self._told_lost:
            self._told_lost = True
            self._events.append(Notice(unit=BROADCAST, seat=0, kind=LINE_RESET, detail="impossible length"))
        if self._ask is None:
            self._let_finish(now)
        elif isinstance(found, Failure):
            self._fail(found, now)
        elif found is not None:  # also after `_until`: while the question is open, no other can be meant
            self._answered(self._ask, found, now)

    def to_send(self, now: Micros) -> bytes:  # noqa: ARG002  (what is due has been written by `tick`)
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        if not self._up:
            return None
        if self._ask is not None:
            return self._until
        if self._lock_wanted:
            return self._quiet()
        return self._free if self._half else self._rota.next_due(self._free)

    def tick(self, now: Micros) -> None:
        if not self._up:
            return
        self._tell_babble(now)
        if self._ask is not None:
            if now < self._until:
                return
            self._fail(self._framing.verdict(), now)
        if self._lock_wanted:
            if now >= self._quiet():
                self._broadcast_lock(now)
        elif now >= self._free:
            self._next_turn(now)

    # What a session adds to them.

    def next_event(self) -> DeviceEvent | None:
        if self._events:
            return self._events.popleft()
        for place in self._rota.places:
            event = place.unit.next_event()
            if event is not None:
                return event
        return None

    def line_up(self, now: Micros) -> None:
        self.line_down(now)
        self._up, self._told_lost = True, False
        self._framing.line_up()
        self._rota.forgive()
        self._free = self._lock_free = now + self._silence
        for place in self._rota.places:
            place.unit.line_up(now)

    def line_down(self, now: Micros) -> None:
        if not self._up:
            return
        if self._ask is not None:
            self._fail(Failure.LINE_DOWN, now)
        self._up, self._half = False, None
        self._out = b""
        for place in self._rota.places:
            place.unit.line_down(now)

    # What the owner of a bus may want besides.

    def lock_all(self) -> None:
        """Every unit at once, as the very next frame; on a line that is down, as the first when it is up. Where no unit
        knows a broadcast, each is asked as soon as its turn can come.

        Every driver wants it first: the broadcast is heard once or not at all, and only what a driver goes on wanting
        is said again to a unit that missed it, and never unsaid by a heartbeat that wants it open.
        """
        for place in self._rota.places:
            place.unit.lock()
        if self._lock is None:
            self._rota.hurry()
        else:
            self._lock_wanted = True

    def counters(self, unit: int) -> Counters:
        """Of one unit since the bus exists; of BROADCAST: how many locks went out."""
        if unit == BROADCAST:
            return Counters(asked=self._broadcasts)
        return self._place_of[unit].counters

    def bound(self, failures: int = 1, jumps: int | None = None) -> Micros:
        """The longest a live unit that is due waits from turn to turn.

        One turn of every live unit, each with its longest questions so far, answered at the last moment; and
        `failures` exchanges that fail, with their drains: one probe of a dead unit, and one more for each live unit
        that fails in this round; and the turns of urgent units that jump: one more of each other live unit, or only so
        many `jumps` where the caller knows better. Beyond it only: what each burst of unasked talk adds
        (`timing.patience`), and a broadcast's turnaround.

        It knows the questions that were asked; what native units will ask is known before (native/pace.py).
        """
        places = self._rota.places
        answered = [place.turn + self._silence for place in places if not place.pause]
        longest = max((place.turn + self._silence for place in places), default=0)
        failing = max((place.wait + place.drain + self._silence for place in places), default=0)
        jumping = sum(answered) - min(answered, default=0) if jumps is None else jumps * longest
        return sum(answered) + failures * failing + jumping

    # Turns.

    def _next_turn(self, now: Micros) -> None:
        while (place := self._half or self._rota.next(now)) is not None:
            if self._half is None:
                self._first = 0
            ask = place.unit.next_ask(now)
            if ask is not None:
                assert ask.unit != BROADCAST, "only the lock is broadcast"
                self._put(place, ask, now)
                return
            self._half = None
            self._rota.gave_away(place, now)

    def _put(self, place: RotaPlace, ask: Ask, now: Micros) -> None:
        framing, timing = self._framing, self._timing
        through = self._speak(framing.question(ask.unit, ask.request), now)
        self._drain = timing.drain(framing.answer_bytes)
        self._until = through + self._drain
        wait = self._until - now
        self._ask, self._place = ask, place
        self._allowed = framing.answer_bytes + len(self._out)  # an adapter may echo it
        self._late.asked(ask.unit)
        place.counters.asked += 1
        place.wait = max(place.wait, wait)
        place.turn = max(place.turn, self._first + wait)
        self._first = 0 if self._half else wait + self._silence
        place.drain = max(place.drain, self._drain)

    def _answered(self, ask: Ask, answer: Answer, now: Micros) -> None:
        place = self._place
        assert place is not None, "a question has somebody who asked it"
        if not place.unit.taken(ask, answer, now):
            self._fail(Failure.FOREIGN, now)
            return
        self._ask = None
        self._half = place if self._half is None and place.unit.unfinished() else None
        self._free = now + self._silence
        self._late.answered(ask.unit)
        self._rota.answered(place)

    def _fail(self, failure: Failure, now: Micros) -> None:
        ask, place = self._ask, self._place
        assert ask is not None and place is not None, "only a question that is under way can fail"
        self._ask = self._half = None
        self._free = max(self._until, now + self._drain)
        if self._late.unanswered(ask.unit) and failure in _MAY_BE_LATE:
            failure = Failure.LATE
        self._rota.failed(place, failure, now)
        place.unit.failed(ask, failure, now)

    def _broadcast_lock(self, now: Micros) -> None:
        assert self._lock is not None, "only what some unit hears is wanted"
        self._lock_wanted = False
        self._broadcasts += 1
        through = self._speak(self._framing.broadcast(self._lock), now)
        self._allowed += len(self._out)  # an adapter may echo it
        self._free = self._lock_free = max(self._free, through + self._timing.turnaround)
        for place in self._rota.places:
            place.unit.lock_was_broadcast()
        self._rota.hurry()

    # Silence.

    def _speak(self, out: bytes, now: Micros) -> Micros:
        """When the last of these bytes is on the line."""
        self._out = out
        self._burst = now
        self._last = now + self._timing.wire(len(out))
        return self._last

    def _let_finish(self, now: Micros) -> None:
        """Bytes while no question is open: the line is free when they are through, or when patience is at its end."""
        self._free = max(self._free, min(now + self._silence, self._burst + self._patience))

    def _quiet(self) -> Micros:
        """When the lock may go out: it meets no answer, so it waits for silence only and not for a drain."""
        return max(self._lock_free, min(self._last + self._silence, self._burst + self._patience))

    def _unasked_for(self, excess: bytes, now: Micros) -> None:
        self._allowed = 0
        self._babble.heard(excess, self._place.unit.number if self._place is not None else BROADCAST, now)

    def _tell_babble(self, now: Micros) -> None:
        news = self._babble.news(now)
        if news is not None:
            kind, who = news
            self._events.append(Notice(unit=BROADCAST, seat=0, kind=kind, detail=who))
