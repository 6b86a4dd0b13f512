"""One line: its port, its session, and the moving of bytes between them in an asyncio loop.

The port may go and come back under its stable name, the session outlives it. Whenever anything happens the same turn is
made: tick what is due, send, report what happened, and note when to come back. A line that floods is
read at a bounded rate, so that it costs the others nothing; a line that takes no bytes is lost, and opened again.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from drivers.model import LINE_RESET, Notice
from drivers.port import MOST_READ, Port, PortLost, PortRefusal, PortRefused, PortSettings, open_port
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros, Session

FIRST_WAIT: Micros = 100 * MILLISECOND  # before a lost port is opened again; doubled each time it is in vain
LONGEST_WAIT: Micros = 2 * SECOND
FLOOD_PAUSE = 0.005  # seconds before a line that came with a full read is read again
MOST_TURNS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RackLine:
    name: str  # the installation's own
    url: str
    session: Session[object]
    port: PortSettings = field(default_factory=PortSettings)


@dataclass(frozen=True, slots=True)
class PortOpened:
    place: str
    notes: tuple[str, ...]  # what is not quite as it was asked for


@dataclass(frozen=True, slots=True)
class PortClosed:
    place: str
    detail: str


@dataclass(frozen=True, slots=True)
class PortNotOpened:
    """Reported when the reason changes, not at each attempt."""

    place: str
    reason: PortRefusal
    detail: str


@dataclass(slots=True)
class PumpCounters:
    opened: int = 0
    lost: int = 0
    refused: int = 0
    octets_in: int = 0
    octets_out: int = 0
    floods: int = 0


class Pump:
    """Lives in one loop, between `start` and `stop`."""

    def __init__(self, line: RackLine, tell: Callable[[str, object], None], loop: asyncio.AbstractEventLoop) -> None:
        self.line = line
        self.counters = PumpCounters()
        self.port: Port | None = None
        self._session = line.session
        self._tell = tell
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: Micros = 0
        self._wait = FIRST_WAIT
        self._last_refusal: PortRefusal | None = None
        self._stopped = False
        self._pushing = False

    def start(self) -> None:
        """Opening may take seconds, so it has a thread of its own; nothing waits for it."""
        if not self._stopped:
            threading.Thread(target=self._open, name=f"open {self.line.name}", daemon=True).start()

    def stop(self) -> None:
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        if self.port is not None:
            self._close(self.port, "stopped")

    def call(self, function: Callable[[Micros], None]) -> None:
        """Somebody changes what the session wants; what follows from it goes out at once. On a machine that was busy an
        answer may wait to be read, and must not be called late for that."""
        due = self._session.deadline()
        if self.port is not None and due is not None and due <= micros():
            self._read()
        now = micros()
        function(now)
        self._turn(now)

    # the port comes and goes

    def _open(self) -> None:
        try:
            port = open_port(self.line.url, self.line.port)
        except PortRefused as refused:
            self._hand_over(self._refused, refused)
            return
        if not self._hand_over(self._opened, port):
            port.close()

    def _hand_over(self, take: Callable[..., None], what: object) -> bool:
        try:
            self._loop.call_soon_threadsafe(take, what)
        except RuntimeError:  # the loop is closed
            return False
        return True

    def _opened(self, port: Port) -> None:
        if self._stopped:
            port.close()
            return
        self.port = port
        self.counters.opened += 1
        self._last_refusal = None
        self._loop.add_reader(port.number, self._read)
        self._tell(self.line.name, PortOpened(port.place, port.notes))
        now = micros()
        self._session.line_up(now)
        self._turn(now)

    def _refused(self, refused: PortRefused) -> None:
        if self._stopped:
            return
        self.counters.refused += 1
        if refused.reason is not self._last_refusal:
            self._last_refusal = refused.reason
            self._tell(self.line.name, PortNotOpened(refused.place, refused.reason, refused.detail))
        self._open_later()

    def _lost(self, port: Port, lost: PortLost) -> None:
        self.counters.lost += 1
        self._close(port, str(lost))
        self._open_later()

    def _close(self, port: Port, why: str) -> None:
        """At once: a descriptor kept open makes the device come back under another name (4.3)."""
        self._loop.remove_reader(port.number)
        self._loop.remove_writer(port.number)
        self._pushing = False
        port.close()
        self.port = None
        self._tell(self.line.name, PortClosed(port.place, why))
        now = micros()
        self._session.line_down(now)
        self._turn(now)

    def _open_later(self) -> None:
        self._loop.call_later(self._wait / SECOND, self.start)
        self._wait = min(2 * self._wait, LONGEST_WAIT)

    # bytes

    def _read(self) -> None:
        port = self.port
        assert port is not None, "only an open port is read"
        try:
            data = port.read()
        except PortLost as lost:
            self._lost(port, lost)
            return
        if not data:
            return
        self._wait = FIRST_WAIT
        self.counters.octets_in += len(data)
        now = micros()
        self._session.receive(data, now)
        if len(data) == MOST_READ:
            self.counters.floods += 1
            self._loop.remove_reader(port.number)
            self._loop.call_later(FLOOD_PAUSE, self._read_again, port)
        self._turn(now)

    def _read_again(self, port: Port) -> None:
        if port is self.port:
            self._loop.add_reader(port.number, self._read)

    def _turn(self, now: Micros) -> None:
        session = self._session
        for _ in range(MOST_TURNS_AT_ONCE):
            due = session.deadline()
            if due is not None and due <= now:
                session.tick(now)
            said = session.to_send(now)
            if said:
                self._write(said, now)
            has_told = self._tell_all()
            due = session.deadline()
            if not has_told and (due is None or due > now):  # the owner may answer an event with a wish
                self._arm(due)
                return
        raise AssertionError(f"{self.line.name}: the session was ticked and wants it again at once")

    def _tell_all(self) -> bool:
        event = self._session.next_event()
        has_told = event is not None
        while event is not None:
            self._tell(self.line.name, event)
            if isinstance(event, Notice) and event.kind == LINE_RESET and self.port is not None:
                self._loop.call_soon(self._begin_anew, self.port)
            event = self._session.next_event()
        return has_told

    def _begin_anew(self, port: Port) -> None:
        if port is self.port:
            self._lost(port, PortLost("the stream lost its place"))

    def _write(self, data: bytes, now: Micros) -> None:
        port = self.port
        assert port is not None, f"{self.line.name}: the session speaks while its port is gone"
        try:
            port.write(data, now)
        except PortLost as lost:
            self._lost(port, lost)
            return
        self.counters.octets_out += len(data)
        if port.waiting:
            self._push_later(port)

    def _push_later(self, port: Port) -> None:
        if not self._pushing:
            self._pushing = True
            self._loop.add_writer(port.number, self._push)
            due = port.deadline()
            assert due is not None, "what waits, waits since some time"
            self._loop.call_at(due / SECOND, self._check, port)

    def _push(self) -> None:
        port = self.port
        assert port is not None, "only an open port is written to"
        try:
            port.push(micros())
        except PortLost as lost:
            self._lost(port, lost)
            return
        if not port.waiting:
            self._pushing = False
            self._loop.remove_writer(port.number)

    def _check(self, port: Port) -> None:
        """Does it still take bytes?"""
        if port is not self.port or not port.waiting:
            return
        self._push()
        due = port.deadline()
        if port is self.port and due is not None:
            self._loop.call_at(due / SECOND, self._check, port)

    # time

    def _arm(self, due: Micros | None) -> None:
        """A timer that comes too early is left alone: it looks, and is set anew. Cancelling costs more."""
        if due is None or self._stopped:
            return
        if self._timer is not None:
            if self._timer_at <= due:
                return
            self._timer.cancel()
        self._timer_at = due
        self._timer = self._loop.call_at(due / SECOND, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        self._turn(micros())
