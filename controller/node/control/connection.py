"""One connection of the node's end: what came on it and was not taken yet, what it is still to be told.

Theory. Nothing here ever waits. What came is read from the system only while nothing that came waits to be taken, so a
client that says much fills his own buffer in the system and not ours. Answers stand in a row and are owed; news are
shared by all who listen, the oldest give way, and of a view only the newest is kept. A client that reads none of his
answers is dropped, one that reads no news just misses them.
"""

import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from controller.node.control.peers import Peer
from controller.node.control.zmtp import Event, NotSpoken, Subscription, Talk, opening
from controller.node.vocabulary.protocol import MOST_BYTES
from drivers.session import SECOND, Micros

MOST_OWED = 9 * MOST_BYTES  # of answers that one client has not read: all he may have asked for at once, and a view
SMALL = 4_096  # octets of what comes: a longer message is a large one
_READ, _READ_LARGE = 8_192, 65_536
_WRITE = 65_536
_KEPT_NEWS = 1_024
_MOST_TOPICS = 16
_MOST_AFTER = 64  # events that are still taken of one who is gone
_KERNEL_KEEPS = 32_768  # octets that the system holds for one who does not read; it takes twice as much memory
DEAF_AFTER: Micros = 10 * SECOND


class Gone(Exception):  # noqa: N818  says what happened
    """The connection is of no use any more."""


class Connection:
    def __init__(self, made: socket.socket, number: int, peer: Peer, kind: bytes, talk: Talk, now: Micros) -> None:
        made.setblocking(False)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_KEEPS)
        self._made = made
        self.number, self.peer, self.kind, self.since = number, peer, kind, now
        self.event: Event | None = None  # that nobody took yet
        self.topics: list[bytes] = []
        self.owed = 0  # octets of answers
        self.mask = 0  # what the system watches
        self.hung = False  # the other side is closed; some of what it said before is still heard
        self._after = 0  # events since then
        self._talk = talk
        self._answers: deque[bytes] = deque([opening(kind)])
        self._news: deque[bytes] = deque(maxlen=_KEPT_NEWS)
        self._view = b""
        self._begun = b""  # what the system took a part of
        self._read_at = now  # when he last read, or owed nothing
        self.owed = len(self._answers[0])

    def fileno(self) -> int:
        return self._made.fileno()

    def close(self) -> None:
        self._made.close()

    @property
    def ready(self) -> bool:
        return self._talk.ready

    @property
    def large(self) -> bool:
        return self.event is None and self._talk.large(SMALL)

    @property
    def may_be_read(self) -> bool:
        return self.event is None

    @property
    def has_more_to_say(self) -> bool:
        return bool(self._begun or self._answers or self._news or self._view)

    def deaf(self, now: Micros) -> bool:
        return self.owed > 0 and now - self._read_at > DEAF_AFTER

    # --------------------------------------------------------------------------------------------- what comes

    def hear(self, now: Micros) -> None:
        """Once, what the system has; then the first event of it stands in `event`."""
        try:
            came = self._made.recv(_READ_LARGE if self.large else _READ)
        except BlockingIOError:
            return
        except OSError:
            raise Gone from None
        if not came:
            raise Gone
        with _spoken():
            self._talk.hear(came)
        self.next(now)

    def next(self, now: Micros) -> None:
        """The event after the one that was taken."""
        self._after += self.hung
        if self._after > _MOST_AFTER:
            raise Gone
        with _spoken():
            self.event = self._talk.read()
        if self._talk.to_say:
            self.answer(self._talk.to_say, now)
            self._talk.to_say = b""
        if self.event is None and self.hung:
            self.hear(now)

    def wants(self, said: Subscription) -> None:
        if not said.wanted:
            with suppress(ValueError):
                self.topics.remove(said.topic)
        elif said.topic not in self.topics:
            if len(self.topics) >= _MOST_TOPICS:
                raise Gone
            self.topics.append(said.topic)

    def listens_to(self, topic: bytes) -> bool:
        return any(topic.startswith(wanted) for wanted in self.topics)

    # ---------------------------------------------------------------------------------------------- what leaves

    def answer(self, octets: bytes, now: Micros) -> None:
        if not self.owed:
            self._read_at = now
        self._answers.append(octets)
        self.owed += len(octets)
        if self.owed > MOST_OWED:
            raise Gone

    def tell(self, octets: bytes) -> None:
        self._news.append(octets)

    def show(self, octets: bytes) -> None:
        """Whatever view was not sent yet is worth nothing any more."""
        self._view = octets

    def say(self, now: Micros) -> bool:
        """As much as the system takes; whether anything moved."""
        moved = False
        while octets := self._begun or self._some():
            try:
                sent = self._made.send(octets, socket.MSG_NOSIGNAL)
            except BlockingIOError:
                self._begun = octets
                return moved
            except OSError:  # nobody reads any more; what he said before is still heard
                self._forget_the_rest()
                return moved
            self._begun, moved = octets[sent:], True
            if not self._answers and not self._begun:
                self.owed = 0
            self._read_at = now
        return moved

    def _forget_the_rest(self) -> None:
        self._answers.clear()
        self._news.clear()
        self._begun = self._view = b""
        self.owed = 0

    def _some(self) -> bytes:
        """What is said next: answers, what happened, what it is like now."""
        for row in (self._answers, self._news):
            if row:
                some = [row.popleft()]
                size = len(some[0])
                while row and size + len(row[0]) <= _WRITE:
                    size += len(row[0])
                    some.append(row.popleft())
                return some[0] if len(some) == 1 else b"".join(some)
        octets, self._view = self._view, b""
        return octets


@contextmanager
def _spoken() -> Iterator[None]:
    """Who speaks another language is of no use."""
    try:
        yield
    except NotSpoken:
        raise Gone from None
