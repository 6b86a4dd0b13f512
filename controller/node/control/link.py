"""The node's end of the control folder: what was asked and by whom, what is answered, what is published.

Theory. Two sockets in one folder: `commands` answers requests, `state` publishes to everybody. Both speak ZMTP
(zmtp.py), so whoever has ZeroMQ can connect; they are our own, because libzmq cannot be told how many may connect, how
much one may say, or who he is (docs/decisions.md, D-159). A client that does not read loses messages; the node never
waits for it. One thread owns all of it; another that has something to say rings. What the bytes mean is not known
here.
"""

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from controller.node.control.connection import Connection, Gone
from controller.node.control.hall import Entrance, Hall
from controller.node.control.peers import Peer
from controller.node.control.zmtp import Event, Message, MessageLimits, Subscription, framed
from controller.node.vocabulary.bell import Bell
from controller.node.vocabulary.protocol import COMMANDS, STATE
from drivers.session import Micros

SOCKET_MODE = 0o660
_BACKLOG = 256
_PARTS = 2  # of a request: the empty frame of a client that only asks, and the body
_MOST_PARTS = 8  # read of one message before its connection ends
_MOST_SUBSCRIPTION = 256  # octets
_SIGNS = {b"\0": False, b"\1": True}
_NAME = 8  # octets of the name that a connection has here


_KINDS = {COMMANDS: b"ROUTER", STATE: b"XPUB"}


class Letter(NamedTuple):
    """What came, the envelope its answer goes back in, and who said it."""

    envelope: tuple[bytes, ...]
    body: bytes
    peer: Peer


class NodeEnd:
    """The node's two sockets. Made in one thread, then used by one other. `clock`: of what goes by, never set."""

    def __init__(self, folder: Path, most_bytes: int, topics: Sequence[bytes], clock: Callable[[], Micros]) -> None:
        self.bell = Bell()
        self._published = tuple(topics)
        self._listeners: dict[int, Connection] = {}
        self._came = False  # somebody subscribed
        self._brought: SimpleQueue[tuple[socket.socket, str, Peer]] = SimpleQueue()
        with ExitStack() as undo:
            undo.callback(self.bell.close)
            asks, listens = frozenset({b"DEALER", b"REQ"}), frozenset({b"SUB", b"XSUB"})
            asked, heard = MessageLimits(most_bytes, _MOST_PARTS), MessageLimits(_MOST_SUBSCRIPTION, _MOST_PARTS)
            commands = Entrance(_opened(folder / COMMANDS, undo), _KINDS[COMMANDS], asks, asked)
            state = Entrance(_opened(folder / STATE, undo), _KINDS[STATE], listens, heard)
            self._hall = undo.enter_context(Hall((commands, state), self.bell.fileno(), clock))
            self._closing = undo.pop_all()

    def wait(self, seconds: float) -> None:
        """Until something came or somebody rang."""
        self._hall.wait(seconds)
        self.bell.silence()
        while not self._brought.empty():
            made, name, peer = self._brought.get_nowait()
            self._hall.bring(made, _KINDS[name], peer)

    def bring(self, made: socket.socket, name: str, peer: Peer) -> None:
        """From any thread: a connection to the socket of this name, that somebody else proved."""
        self._brought.put((made, name, peer))
        self.bell.ring()

    def letters(self, most: int) -> Iterator[Letter]:
        """What came, at most so many; what has no body or a strange envelope is nothing."""
        for one, event in self._hall.events(most):
            if one.kind == b"XPUB":
                self._listen(one, event)
            elif isinstance(event, Message) and len(event.parts) <= _PARTS:
                *envelope, body = event.parts
                yield Letter((one.number.to_bytes(_NAME, "big"), *envelope), body, one.peer)

    def _listen(self, one: Connection, event: Event) -> None:
        said = _subscription(event)
        if said is None:
            return
        try:
            one.wants(said)
        except Gone:
            self._hall.drop(one)
            return
        self._listeners[one.number] = one
        self._came = self._came or (said.wanted and any(topic.startswith(said.topic) for topic in self._published))

    def answer(self, envelope: Sequence[bytes], body: bytes) -> None:
        """Who is gone, or does not read, hears nothing."""
        one = self._hall.at(int.from_bytes(envelope[0], "big"))
        if one is not None:
            self._hall.answer(one, framed([*envelope[1:], body]))

    def newcomers(self) -> bool:
        """Whether somebody subscribed since this was asked last."""
        came, self._came = self._came, False
        return came

    def heard(self, topic: bytes) -> bool:
        """Whether anybody listens to this."""
        self._listeners = {number: one for number, one in self._listeners.items() if self._hall.at(number) is one}
        return any(one.listens_to(topic) for one in self._listeners.values())

    def publish(self, topic: bytes, body: bytes) -> None:
        """What happened: told to everybody, in its order; who does not read loses some."""
        octets = framed([topic, body])
        for one in self._who_listens(topic):
            one.tell(octets)
            self._hall.soon(one)

    def show(self, topic: bytes, body: bytes) -> None:
        """What it is like now: whatever was shown before and did not leave yet is not sent any more."""
        octets = framed([topic, body])
        for one in self._who_listens(topic):
            one.show(octets)
            self._hall.soon(one)

    def _who_listens(self, topic: bytes) -> Iterator[Connection]:
        for number, one in self._listeners.items():
            if self._hall.at(number) is one and one.listens_to(topic):
                yield one

    def close(self) -> None:
        """The last words have a moment to leave."""
        self._closing.close()
        while not self._brought.empty():
            self._brought.get_nowait()[0].close()


def _subscription(event: Event) -> Subscription | None:
    if isinstance(event, Message):
        wanted = _SIGNS.get(event.parts[0][:1])
        return None if wanted is None else Subscription(event.parts[0][1:], wanted)
    return event if isinstance(event, Subscription) else None


def _opened(place: Path, undo: ExitStack) -> socket.socket:
    """What a dead node left there goes first: the folder is ours alone."""
    try:
        place.unlink(missing_ok=True)
        made = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        made.bind(str(place))
        undo.callback(place.unlink, missing_ok=True)
        place.chmod(SOCKET_MODE)
        made.listen(_BACKLOG)
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), str(place)) from None
    made.setblocking(False)
    return made
