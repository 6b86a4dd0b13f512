"""The master of one ccTalk line: whose turn it is, what counts as its answer, and when to give up on it.

Three rules. A turn has an end whatever comes over the line: an answer, or its time-out and then a drain, which ends
when the line was quiet long enough for every device to forget, or when it lasted its longest. Turns go round by who
waited longest; who is urgent goes first, but never twice before each other that is due had one, and so does a poll
that a device needs soon (pace.py); so no device waits longer than `worst_wait`, and no wish longer than twice that.
A device that does not answer is asked less and less often; the others are not.
"""

from collections.abc import Sequence
from enum import Enum, auto

from drivers.cctalk.frames import FORGET, HOST, OVERHEAD, Frame, encode, find_answer
from drivers.cctalk.pace import is_pressing, longest_poll, most_pressed
from drivers.cctalk.turn import MOST_TEXT, LineAsk, LineDevice, WireTiming
from drivers.line.echo import Echo
from drivers.line.failures import Counters, Failure
from drivers.model import DeviceEvent
from drivers.session import MILLISECOND, SECOND, Micros

MOST_HEARD = 4 * (OVERHEAD + MOST_TEXT)
_FORGIVEN = 2  # failures in a row that cost no back-off: on a noisy line no device is to blame
_FIRST_BACK_OFF: Micros = 100 * MILLISECOND
_MOST_BACK_OFF: Micros = 2 * SECOND
_FAILURES = (Failure.SILENT, Failure.GARBLED, Failure.COLLISION)  # that a ccTalk line can tell apart
_DOUBTED = 2  # collisions running: perhaps a device out of its mind had repeated us, or the adapter was changed


class _Line(Enum):
    DOWN = auto()
    FREE = auto()
    WAITING = auto()
    DRAINING = auto()


class _Place:
    """One device and its place in the order of turns."""

    def __init__(self, device: LineDevice) -> None:
        self.device = device
        self.counters = Counters(failed=dict.fromkeys(_FAILURES, 0))
        self.turn = 0  # number of its last turn
        self.jump = -1  # number of its last turn out of order
        self.failures = 0
        self.not_before: Micros = 0

    def due(self) -> Micros | None:
        due = self.device.due()
        return None if due is None else max(due, self.not_before)

    def may_jump(self, waiting: "list[_Place]") -> bool:
        """All others that wait had their turn since it last went before them."""
        return all(other.turn > self.jump for other in waiting if other is not self)

    def count(self, failure: Failure, now: Micros) -> None:
        self.counters.failed[failure] += 1
        self.failures += 1
        if self.failures > _FORGIVEN:
            steps = min(self.failures - _FORGIVEN - 1, 8)
            self.not_before = now + min(_FIRST_BACK_OFF << steps, _MOST_BACK_OFF)


class CctalkBus:
    """A `Session[DeviceEvent]` for the acceptors of one line."""

    def __init__(self, devices: Sequence[LineDevice], timing: WireTiming | None = None) -> None:
        addresses = [device.address for device in devices]
        assert addresses and len(set(addresses)) == len(addresses), "two devices with one address"
        assert HOST not in addresses and 0 not in addresses, "not addresses of devices"
        self.timing = timing or WireTiming()
        self._places = [_Place(device) for device in devices]
        self._echo = Echo()
        self._collisions = 0  # since the last whole echo
        self._state = _Line.DOWN
        self._asking: tuple[_Place, LineAsk] | None = None
        self._heard = bytearray()
        self._anything = False  # came back since the question, our own bytes not counted
        self._last: Micros = 0  # when something was heard
        self._until: Micros = 0  # what the state waits for: free, overdue, or drained
        self._drained: Micros = 0  # when the drain ends at the latest
        self._out = b""
        self._overdue: Micros = 0  # when an answer that has begun must be here
        self._turns = 0
        self._pressed = 0  # polls out of order since the last turn in order

    @property
    def worst_wait(self) -> Micros:
        """From when a device is due to its turn: the running turn, and of each other one in order and one jump, before
        each of them the polls that may press."""
        devices = len(self._places)
        return (2 * (devices - 1) + 1) * (1 + most_pressed(devices)) * self.timing.longest_turn

    def counters(self, address: int) -> Counters:
        return next(place.counters for place in self._places if place.device.address == address)

    def lock_all(self) -> None:
        """ccTalk has no broadcast without answers; each lock is the next urgent question of its device."""
        for place in self._places:
            place.device.lock()

    def line_up(self, now: Micros) -> None:
        assert self._state is _Line.DOWN, "it is up"
        self._echo, self._collisions = Echo(), 0
        self._state, self._until = _Line.FREE, now + self.timing.quiet
        for place in self._places:
            place.failures, place.not_before = 0, now
            place.device.line_up(now)

    def line_down(self, now: Micros) -> None:
        self._state, self._asking, self._out = _Line.DOWN, None, b""
        self._heard.clear()
        for place in self._places:
            place.device.line_down(now)

    def next_event(self) -> DeviceEvent | None:
        for place in self._places:
            event = place.device.next_event()
            if event is not None:
                return event
        return None

    def to_send(self, now: Micros) -> bytes:
        del now
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        if self._state is _Line.DOWN:
            return None
        if self._state is not _Line.FREE:
            return self._until
        dues = [due for place in self._places if (due := place.due()) is not None]
        return max(self._until, min(dues)) if dues else None

    def tick(self, now: Micros) -> None:
        if self._state is _Line.WAITING and now >= self._until:
            self._give_up(Failure.GARBLED if self._anything else Failure.SILENT, now)
        if self._state is _Line.DRAINING and now >= self._until:
            self._state = _Line.FREE
        if self._state is _Line.FREE and now >= self._until:
            self._next_turn(now)

    def receive(self, data: bytes, now: Micros) -> None:
        if not data or self._state is _Line.DOWN:
            return
        pause, self._last = now - self._last, now
        if self._state is _Line.WAITING:
            if pause > FORGET:
                self._heard.clear()
            self._listen(data, now)
        elif self._state is _Line.DRAINING:
            self._until = min(now + self.timing.quiet, self._drained)
        else:  # no question is open; a device that half heard one forgets it in the pause
            self._drain(now, now + self.timing.quiet)

    def _listen(self, data: bytes, now: Micros) -> None:
        assert self._asking is not None
        place, ask = self._asking
        answer = self._without_echo(data)
        if answer is None:
            self._give_up(Failure.COLLISION, now)
            return
        if answer:
            self._anything, self._until = True, self._overdue
        self._heard += answer[-MOST_HEARD:]
        del self._heard[:-MOST_HEARD]
        found = find_answer(bytes(self._heard), place.device.address, ask.sizes, place.device.checksum)
        if found is not None:
            self._answered(place, ask, found, now)

    def _without_echo(self, data: bytes) -> bytes | None:
        """No question is addressed to the host, so one that came back whole is no answer: this line echoes."""
        rest = self._echo.strip(data) if self._echo.listening else data
        if rest is None:
            self._collisions += 1
            if self._collisions >= _DOUBTED:
                self._echo.present = None
        elif self._echo.whole:
            self._echo.present, self._collisions = True, 0
        return rest

    def _answered(self, place: _Place, ask: LineAsk, data: bytes, now: Micros) -> None:
        self._state, self._until, self._asking = _Line.FREE, now + self.timing.pause, None
        place.failures, place.not_before = 0, now
        place.counters.answered += 1
        place.device.taken(ask, data, now)

    def _give_up(self, failure: Failure, now: Micros) -> None:
        assert self._asking is not None
        place, ask = self._asking
        self._asking = None
        # Where nothing came at all the line has been quiet since the question: only a late answer is waited for.
        self._drain(now, max(now + self.timing.late, self._last + self.timing.quiet))
        place.count(failure, now)
        place.device.failed(ask, failure, now)

    def _drain(self, now: Micros, until: Micros) -> None:
        self._state = _Line.DRAINING
        self._until, self._drained = until, now + self.timing.drain

    def _next_turn(self, now: Micros) -> None:
        waiting = [place for place in self._places if (due := place.due()) is not None and due <= now]
        if not waiting:
            return
        waiting.sort(key=lambda place: place.turn)
        pressing = self._pressing(waiting, now)
        self._turns += 1
        if pressing is not None:
            self._pressed += 1
            self._ask(pressing, pressing.device.poll(now), now)
            return
        self._pressed = 0
        place = next((place for place in waiting if place.device.urgent() and place.may_jump(waiting)), waiting[0])
        if place is not waiting[0]:
            place.jump = self._turns
        self._ask(place, place.device.next_ask(now), now)

    def _pressing(self, waiting: list[_Place], now: Micros) -> _Place | None:
        """Whose poll comes too late, or makes that of another come too late, if anything else goes before it."""
        if self._pressed >= most_pressed(len(self._places)):
            return None
        ends = sorted(
            ((end, place.turn, place) for place in waiting if (end := place.device.poll_by()) is not None),
            key=lambda one: one[:2],
        )
        return ends[0][2] if is_pressing([end for end, _, _ in ends], now, longest_poll(self.timing)) else None

    def _ask(self, place: _Place, ask: LineAsk, now: Micros) -> None:
        place.turn = self._turns
        self._out = encode(Frame(place.device.address, HOST, ask.header, ask.data), place.device.checksum)
        self._echo.sent(self._out)
        self._heard.clear()
        self._anything = False
        self._last = now
        self._asking = place, ask
        self._state, self._until = _Line.WAITING, now + self.timing.silence(ask)
        self._overdue = now + self.timing.wait(ask)
        place.counters.asked += 1
