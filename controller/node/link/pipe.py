"""One connection with the network, and its other end at libzmq: octets both ways, and how many at most.

Theory. libzmq can be told neither how many may connect nor how much one message of many parts may hold
(docs/decisions.md, D-159). So it has no socket on the network: whatever it says and hears goes through here. Of each
way a little is held, and no more is read before that has left. What went to libzmq and did not come out of it as a
whole message is counted: where that is more than two messages can be, nothing more is read, and soon the connection
ends. So a neighbour whose key was stolen has of our memory what an honest one has.
"""

import socket
from enum import Enum, auto

from controller.node.link.handshake import COMPLETE, GREETING, LET_IN
from controller.node.link.messages import MOST_OCTETS
from drivers.session import SECOND, Micros

_AT_ONCE = 65_536
MOST_OF_STRANGER = 4_096  # octets that go to libzmq of one who was not let in yet
MOST_UNHEARD = 2 * MOST_OCTETS + 65_536
_FRAME, _LONG_FRAME, _SEALED = 2, 9, 33  # octets around a message: of its frame, and of CURVE
_STUCK: Micros = 2 * SECOND
FIRST_WORDS: Micros = 2 * SECOND
HANDSHAKE: Micros = 5 * SECOND


class Ended(Exception):  # noqa: N818  says what happened
    """The connection is of no use any more."""


class PipePhase(Enum):
    GREETED = auto()  # we spoke; whoever dialled has not said his first words
    JOINED = auto()  # libzmq listens
    LET_IN = auto()  # libzmq took its key
    KNOWN = auto()  # it said something, and libzmq says who it is


class Pipe:
    """`number`: its name here; `address`: of the other machine; `dialled`: by us. `inner` comes with libzmq."""

    def __init__(self, number: int, outer: socket.socket, address: str, now: Micros, *, dialled: bool) -> None:
        outer.setblocking(False)
        outer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number, self.outer, self.address, self.dialled = number, outer, address, dialled
        self.inner: socket.socket | None = None
        self.phase = PipePhase.LET_IN if dialled else PipePhase.GREETED
        self.name = ""  # of the neighbour, once known
        self.connected = not dialled
        self._since = now
        self._inwards = bytearray()  # to libzmq
        self._outwards = bytearray(b"" if dialled else GREETING)
        self._skip = 0 if dialled else len(GREETING)  # of libzmq's own greeting, which was said already
        self._told = self._spoken = 0  # octets to libzmq, and from it
        self._unheard = 0
        self._stuck_since: Micros | None = None

    def join(self, inner: socket.socket, now: Micros) -> None:
        """libzmq is at the other end."""
        inner.setblocking(False)
        self.inner = inner
        if not self.dialled:
            self.phase, self._since = PipePhase.JOINED, now

    @property
    def first_words(self) -> bytes:
        return bytes(self._inwards[:COMPLETE])

    # What the system is asked to watch.

    @property
    def reads_outer(self) -> bool:
        waits = self.phase is PipePhase.GREETED or self.inner is None
        return self.connected and (len(self._inwards) < COMPLETE if waits else not self._inwards and not self._full)

    @property
    def writes_outer(self) -> bool:
        return not self.connected or bool(self._outwards)

    @property
    def reads_inner(self) -> bool:
        return self.inner is not None and self.connected and not self._outwards

    @property
    def writes_inner(self) -> bool:
        return self.inner is not None and bool(self._inwards)

    @property
    def _full(self) -> bool:
        if self.phase is PipePhase.JOINED:
            return self._told >= MOST_OF_STRANGER
        return self._unheard > MOST_UNHEARD

    # Octets.

    def from_outer(self) -> None:
        most = COMPLETE - len(self._inwards) if self.inner is None else _AT_ONCE
        self._inwards += _read(self.outer, most)

    def to_outer(self) -> None:
        if not self.connected:
            if self.outer.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                raise Ended
            self.connected = True
        _write(self.outer, self._outwards)

    def from_inner(self, now: Micros) -> None:
        assert self.inner is not None, "libzmq is there"
        came = _read(self.inner, _AT_ONCE)
        self._outwards += came[self._skip :]
        self._spoken += len(came[self._skip :])
        self._skip = max(0, self._skip - len(came))
        if self.phase is PipePhase.JOINED and self._spoken >= LET_IN:
            self.phase, self._since = PipePhase.LET_IN, now

    def to_inner(self) -> None:
        assert self.inner is not None, "libzmq is there"
        before = len(self._inwards)
        _write(self.inner, self._inwards)
        gone = before - len(self._inwards)
        self._told += gone
        self._unheard += gone if self.phase in {PipePhase.LET_IN, PipePhase.KNOWN} else 0

    def heard(self, octets: int, name: str) -> None:
        """A whole message of this neighbour came out of libzmq."""
        sealed = octets + _SEALED
        self._unheard = max(0, self._unheard - sealed - (_FRAME if sealed <= 255 else _LONG_FRAME))
        self.phase, self.name = PipePhase.KNOWN, name

    def overdue(self, now: Micros) -> bool:
        """Whether it takes too long for an honest one."""
        if self._full:
            self._stuck_since = now if self._stuck_since is None else self._stuck_since
            return now - self._stuck_since > _STUCK
        self._stuck_since = None
        if self.phase is PipePhase.KNOWN:
            return False
        return now - self._since > (FIRST_WORDS if self.phase is PipePhase.GREETED else HANDSHAKE)

    def close(self) -> None:
        self.outer.close()
        if self.inner is not None:
            self.inner.close()


def _read(made: socket.socket, most: int) -> bytes:
    try:
        came = made.recv(most)
    except BlockingIOError:
        return b""
    except OSError:
        raise Ended from None
    if not came:
        raise Ended
    return came


def _write(made: socket.socket, octets: bytearray) -> None:
    if not octets:
        return
    try:
        del octets[: made.send(octets, socket.MSG_NOSIGNAL)]
    except BlockingIOError:
        return
    except OSError:
        raise Ended from None
