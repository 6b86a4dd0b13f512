"""A connection between two, as TCP gives it: ordered, nothing lost, a little late, and suddenly gone.

It is a talker seen from the host's end, like `Line`, without a wire: no pacing, no noise. Every connection has a new
talker at its other end, made by the factory, as a listener makes one; what was under way when it dropped never comes.
The last talker lives on behind a dropped connection (a unit goes on without its host); only it is not heard.
"""

from collections import deque
from collections.abc import Callable

from drivers.session import Micros, Talker

MOST_UNDER_WAY = 4_096  # messages each way; more are a flood, and the connection drops
MOST_UNREAD = 65_536  # bytes that came and the host did not take


class Stream:
    def __init__(self, factory: Callable[[], Talker], latency: Micros = 100) -> None:
        assert latency > 0, "nothing arrives before it was sent"
        self._factory = factory
        self._latency = latency
        self._far = factory()
        self.connected = True
        self._there: deque[tuple[Micros, bytes]] = deque()
        self._back: deque[tuple[Micros, bytes]] = deque()
        self._come = bytearray()
        self._time: Micros = 0

    def drop(self) -> None:
        """Everything under way is gone."""
        self.connected = False
        self._there.clear()
        self._back.clear()
        self._come.clear()

    def connect(self) -> Talker:
        assert not self.connected, "it is connected"
        self.connected = True
        self._far = self._factory()
        return self._far

    def receive(self, data: bytes, now: Micros) -> None:
        if self.connected and data:
            self._queue(self._there, data, now)

    def to_send(self, now: Micros) -> bytes:
        del now
        come = bytes(self._come)
        self._come.clear()
        return come

    def deadline(self) -> Micros | None:
        own = self._far.deadline()
        heads = [queue[0][0] for queue in (self._there, self._back) if queue]
        return min([*heads, own] if own is not None else heads, default=None)

    def tick(self, now: Micros) -> None:
        due = self.deadline()
        while due is not None and due <= now:
            self._time = max(self._time, due)
            self._turn(self._time)
            due = self.deadline()
        self._time = max(self._time, now)
        self.touched(now)

    def _turn(self, now: Micros) -> None:
        while self._there and self._there[0][0] <= now:
            self._far.receive(self._there.popleft()[1], now)
            self.touched(now)
        while self._back and self._back[0][0] <= now:
            self._come += self._back.popleft()[1]
        if len(self._come) > MOST_UNREAD:
            self.drop()
        due = self._far.deadline()
        if due is not None and due <= now:
            self._far.tick(now)
            self.touched(now)
            due = self._far.deadline()
            assert due is None or due > now, "it was ticked and wants it again at once"

    def touched(self, now: Micros) -> None:
        """Somebody acted on the far talker behind the connection's back."""
        said = self._far.to_send(now)
        if said and self.connected:
            self._queue(self._back, said, now)

    def _queue(self, queue: deque[tuple[Micros, bytes]], data: bytes, now: Micros) -> None:
        if len(queue) >= MOST_UNDER_WAY:
            self.drop()
            return
        queue.append((now + self._latency, data))
