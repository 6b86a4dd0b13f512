"""The ZeroMQ sockets of the control folder, both ends: nothing else of the node's control knows that library.

Theory. Two sockets in one folder: `commands` answers requests, `state` publishes to everybody. A client that does not
read loses messages; the node never waits for it. A socket is used by one thread only; another thread that has something
to say rings. What the bytes mean is not known here.
"""

import os
import socket
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple, Self

import zmq

from controller.node.vocabulary.protocol import COMMANDS, STATE

SOCKET_MODE = 0o660
_MOST_UNREAD_ANSWERS = 64
_MOST_UNREAD_NEWS = 256
_LAST_WORDS = 250  # milliseconds
_SUBSCRIBES = b"\1"
_ENVELOPE = 2  # a name that the socket gave, and the empty frame of a client that only asks


class Letter(NamedTuple):
    """What came, and the envelope its answer goes back in."""

    envelope: tuple[bytes, ...]
    body: bytes


class Bell:
    """Wakes the one thread that waits; any thread may ring."""

    def __init__(self) -> None:
        self._fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._lock = threading.Lock()
        self._gone = False

    def ring(self) -> None:
        with self._lock, suppress(BlockingIOError):  # it rings already
            if not self._gone:
                os.eventfd_write(self._fd, 1)

    def silence(self) -> None:
        with suppress(BlockingIOError):
            os.eventfd_read(self._fd)

    def fileno(self) -> int:
        return self._fd

    def close(self) -> None:
        with self._lock:
            self._gone = True
            os.close(self._fd)


class NodeEnd:
    """The node's two sockets. Made in one thread, then used by one other."""

    def __init__(self, folder: Path, most_bytes: int, topics: Sequence[bytes]) -> None:
        self.bell = Bell()
        self._published = tuple(topics)
        self._topics: set[bytes] = set()  # beginnings of what we tell, so there are only so many
        with ExitStack() as undo:
            undo.callback(self.bell.close)
            self._commands, self._state = _sockets(undo)
            for made in (self._commands, self._state):
                made.setsockopt(zmq.LINGER, 0)
            self._commands.setsockopt(zmq.MAXMSGSIZE, most_bytes)
            self._commands.setsockopt(zmq.RCVHWM, _MOST_UNREAD_ANSWERS)
            self._commands.setsockopt(zmq.SNDHWM, _MOST_UNREAD_ANSWERS)
            self._state.setsockopt(zmq.SNDHWM, _MOST_UNREAD_NEWS)
            self._state.setsockopt(zmq.MAXMSGSIZE, _MOST_UNREAD_NEWS)  # a subscription is short
            self._state.setsockopt(zmq.XPUB_VERBOSE, 1)
            for made, name in ((self._commands, COMMANDS), (self._state, STATE)):
                _bind(made, folder / name)
            self._poller = zmq.Poller()
            for waited in (self._commands, self._state, self.bell):
                self._poller.register(waited, zmq.POLLIN)
            self._closing = undo.pop_all()

    def wait(self, seconds: float) -> None:
        """Until something came or somebody rang."""
        self._poller.poll(max(0, int(seconds * 1000)))
        self.bell.silence()

    def letters(self, most: int) -> list[Letter]:
        """What came, at most so many; what has no body or a strange envelope is nothing."""
        letters: list[Letter] = []
        with suppress(zmq.Again):
            for _ in range(most):
                *envelope, body = self._commands.recv_multipart(zmq.NOBLOCK)
                if 1 <= len(envelope) <= _ENVELOPE:
                    letters.append(Letter(tuple(envelope), body))
        return letters

    def answer(self, envelope: Sequence[bytes], body: bytes) -> None:
        """Who is gone, or does not read, hears nothing."""
        with suppress(zmq.Again):
            self._commands.send_multipart([*envelope, body], zmq.NOBLOCK)

    def newcomers(self) -> bool:
        """Whether somebody subscribed since this was asked last."""
        came = False
        with suppress(zmq.Again):
            while True:
                word = self._state.recv(zmq.NOBLOCK)
                sign, topic = word[:1], word[1:]  # of who leaves nothing is believed: a stranger may say it for others
                if sign == _SUBSCRIBES and any(published.startswith(topic) for published in self._published):
                    came = True
                    self._topics.add(topic)
        return came

    def heard(self, topic: bytes) -> bool:
        """Whether anybody ever listened to this; the socket itself drops what nobody does."""
        return any(topic.startswith(wanted) for wanted in self._topics)

    def publish(self, topic: bytes, body: bytes) -> None:
        with suppress(zmq.Again):
            self._state.send_multipart([topic, body], zmq.NOBLOCK)

    def close(self) -> None:
        """The last words have a moment to leave."""
        for made in (self._commands, self._state):
            made.setsockopt(zmq.LINGER, _LAST_WORDS)
        self._closing.close()


def _sockets(undo: ExitStack) -> "tuple[zmq.Socket[bytes], zmq.Socket[bytes]]":
    """Refused by the system like any file: too many are open."""
    try:
        context = undo.enter_context(zmq.Context())
        return undo.enter_context(context.socket(zmq.ROUTER)), undo.enter_context(context.socket(zmq.XPUB))
    except zmq.ZMQError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0)) from None


def _bind(made: "zmq.Socket[bytes]", place: Path) -> None:
    try:
        made.bind(f"ipc://{place}")
    except zmq.ZMQError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), str(place)) from None
    place.chmod(SOCKET_MODE)


class VisitorEnd:
    """A client's side: one socket that asks, one that listens to `topic`."""

    def __init__(self, folder: Path, topic: bytes) -> None:
        self._folder, self._topic = folder, topic
        self._closing = ExitStack()
        self._context = self._closing.enter_context(zmq.Context())
        self._commands = self._made(zmq.DEALER, COMMANDS)
        self._state: zmq.Socket[bytes] | None = None

    def _made(self, kind: int, name: str) -> "zmq.Socket[bytes]":
        made = self._closing.enter_context(self._context.socket(kind))
        made.setsockopt(zmq.LINGER, 0)
        made.setsockopt(zmq.RECONNECT_IVL, 50)
        made.setsockopt(zmq.RECONNECT_IVL_MAX, 1_000)
        if kind == zmq.SUB:
            made.setsockopt(zmq.SUBSCRIBE, self._topic)
        made.connect(f"ipc://{self._folder / name}")
        return made

    def send(self, body: bytes) -> None:
        with suppress(zmq.Again):
            self._commands.send(body, zmq.NOBLOCK)

    def receive(self, seconds: float) -> bytes | None:
        """The next answer, if one comes in this time."""
        if not self._commands.poll(max(0, int(seconds * 1000))):
            return None
        return self._commands.recv_multipart()[-1]

    def news(self, seconds: float) -> list[bytes]:
        """What was published: all that is here, or the first that comes in this time; oldest first."""
        if self._state is None:
            self._state = self._made(zmq.SUB, STATE)
        received: list[bytes] = []
        if self._state.poll(max(0, int(seconds * 1000))):
            with suppress(zmq.Again):
                while len(received) < _MOST_UNREAD_NEWS:
                    received.append(self._state.recv_multipart(zmq.NOBLOCK)[-1])
        return received

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


def somebody_listens(folder: Path) -> bool:
    """Whether a process stands behind the socket's name, and lets us in."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(folder / COMMANDS))
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            return False
    return True
