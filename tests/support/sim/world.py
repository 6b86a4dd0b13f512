"""Virtual time: hosts against lines, from one thing that happens to the next, as fast as the machine goes.

The world jumps: between two deadlines nothing can happen, so nothing is done. It moves bytes, hands over what a session
tells, and does what was planned for an instant. Nobody's time stands still: a talker that wants to be ticked again at
the instant it was ticked is a busy loop, and an assertion. Same talkers, same seeds, same history.
"""

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, Protocol, cast, runtime_checkable

from drivers.session import Micros, Session, Talker

MOST_TURNS_AT_ONCE = 1_000  # at one instant; more is a loop of two that answer each other in no time


@runtime_checkable
class _Touchable(Protocol):
    def touched(self, now: Micros) -> None: ...


def nobody_listens(event: Any, now: Micros) -> None:
    del event, now


class Pair:
    """One host and its line; what the host tells goes to `on_event(event, now)`."""

    def __init__(self, host: Talker, line: Talker, on_event: Callable[[Any, Micros], None]) -> None:
        self.host = host
        self.line = line
        self.connected = False
        self._session = _as_session(host)
        self._on_event = on_event

    def connect(self, now: Micros) -> None:
        """The host's port is open."""
        assert not self.connected, "it is connected"
        self.connected = True
        if self._session is not None:
            self._session.line_up(now)
        self._say(self.host.to_send(now), now)

    def disconnect(self, now: Micros) -> None:
        """The host's adapter is pulled: what it says and what the line says does not meet any more."""
        assert self.connected, "it is not connected"
        self.connected = False
        if self._session is not None:
            self._session.line_down(now)
        self._say(self.host.to_send(now), now)

    def due(self) -> Micros | None:
        host, line = self.host.deadline(), self.line.deadline()
        if host is None or line is None:
            return line if host is None else host
        return min(host, line)

    def turn(self, now: Micros) -> None:
        due = self.line.deadline()
        if due is not None and due <= now:
            self.line.tick(now)
            heard = self.line.to_send(now)
            due = self.line.deadline()
            assert due is None or due > now, "the line was ticked and wants it again at once"
            self._hear(heard, now)
        due = self.host.deadline()
        if due is not None and due <= now:
            self.host.tick(now)
            said = self.host.to_send(now)
            due = self.host.deadline()
            assert due is None or due > now, "the host was ticked and wants it again at once"
            self._say(said, now)

    def touched(self, now: Micros) -> None:
        """Somebody acted on either end from outside."""
        if isinstance(self.line, _Touchable):
            self.line.touched(now)
        self._hear(self.line.to_send(now), now)
        self._say(self.host.to_send(now), now)

    def _hear(self, heard: bytes, now: Micros) -> None:
        if heard and self.connected:
            self.host.receive(heard, now)
            self._say(self.host.to_send(now), now)

    def _say(self, said: bytes, now: Micros) -> None:
        if said:
            assert self.connected or self._session is None, "a session speaks while its port is gone"
            if self.connected:
                self.line.receive(said, now)
        if self._session is not None:
            self._tell(self._session, now)

    def _tell(self, session: Session[object], now: Micros) -> None:
        event = session.next_event()
        if event is None:
            return
        while event is not None:
            self._on_event(event, now)
            event = session.next_event()
        self.touched(now)  # whoever was told may have acted on either end


def _as_session(host: Talker) -> Session[object] | None:
    is_session = all(hasattr(host, verb) for verb in ("next_event", "line_up", "line_down"))
    return cast("Session[object]", host) if is_session else None


class World:
    """Starts with the host connected. More pairs can be joined; all share one time."""

    def __init__(
        self, host: Talker, line: Talker, on_event: Callable[[Any, Micros], None] = nobody_listens, now: Micros = 0
    ) -> None:
        self.now = now
        self._pairs: list[Pair] = []
        self._plans: list[tuple[Micros, int, Callable[[Micros], None]]] = []
        self._planned = 0
        self._turns_now = 0
        self.first = self.join(host, line, on_event)

    def join(self, host: Talker, line: Talker, on_event: Callable[[Any, Micros], None] = nobody_listens) -> Pair:
        pair = Pair(host, line, on_event)
        self._pairs.append(pair)
        pair.connect(self.now)
        return pair

    def at(self, time: Micros, action: Callable[[Micros], None]) -> None:
        """Do this then; it may act on anybody. Plans for one instant are done in the order they were made."""
        assert time >= self.now, "the past is over"
        self._planned += 1
        heappush(self._plans, (time, self._planned, action))

    def after(self, time: Micros, action: Callable[[Micros], None]) -> None:
        self.at(self.now + time, action)

    def act(self, action: Callable[[Micros], None]) -> None:
        """Do this now."""
        action(self.now)
        self._touched()

    def run_until(self, end: Micros) -> None:
        """Everything up to and at `end` has happened."""
        self._touched()
        while self._step(end):
            pass

    def run_for(self, time: Micros) -> None:
        self.run_until(self.now + time)

    def run_while(self, condition: Callable[[], bool], end: Micros) -> bool:
        """Goes on while the condition holds, at most to `end`; true when it ceased to hold."""
        self._touched()
        while condition():
            if not self._step(end):
                return not condition()
        return True

    def _step(self, end: Micros) -> bool:
        """The next instant at which something happens; false when there is none up to `end`, which is then now."""
        due = self._plans[0][0] if self._plans else None
        for pair in self._pairs:
            wanted = pair.due()
            if wanted is not None and (due is None or wanted < due):
                due = wanted
        if due is None or due > end:
            self.now = max(self.now, end)
            self._turns_now = 0
            return False
        self._turns_now = 0 if due > self.now else self._turns_now + 1
        assert self._turns_now < MOST_TURNS_AT_ONCE, f"time stands still at {self.now}"
        now = self.now = max(self.now, due)
        if self._plans and self._plans[0][0] <= now:
            heappop(self._plans)[2](now)
            self._touched()
        for pair in self._pairs:
            pair.turn(now)
        return True

    def _touched(self) -> None:
        for pair in self._pairs:
            pair.touched(self.now)
