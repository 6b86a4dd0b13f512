"""A client's end of a control socket: one connection that asks, one that listens.

Theory. A connection is proved before anything is said on it: the kernel says who listens at its other end
(impostor.py), so a PIN, or what stands for one, never leaves for somebody who only took the socket's name. It speaks
ZMTP (zmtp.py) itself, because libzmq does not say whom it talks with. A node of another box is proved by its key
before there is a connection at all (node/passage). A connection that was lost is made anew; what was on its way then is
lost, and whoever asked asks again. One thread uses it.
"""

import select
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from controller.node.control.impostor import NotProven, refuse_an_impostor
from controller.node.control.zmtp import Message, MessageLimits, NotSpoken, Talk, framed, opening, subscribed
from controller.node.vocabulary.protocol import COMMANDS, STATE

_AGAIN = 0.05  # seconds until a connection that was refused is tried again
_PATIENCE = struct.pack("ll", 2, 0)  # seconds, and millionths, that a node may take to let us in, or take what is said
_READ = 65_536
_MOST_NEWS = 256
_LIMITS = MessageLimits(2**24, 8)  # of a node that is proved: a view of many tables, a page of the record
_MOST_UNSAID = 64
_ROUTER, _XPUB = frozenset({b"ROUTER"}), frozenset({b"XPUB", b"PUB"})
NOBODY_THERE = (FileNotFoundError, NotADirectoryError, ConnectionRefusedError)
_LOST = (OSError, NotSpoken)


class _Way:
    """One proved connection. `hello`: what is said first on it, behind the greeting."""

    def __init__(self, made: socket.socket, kind: bytes, partners: frozenset[bytes], hello: bytes) -> None:
        self._talk = Talk(partners, _LIMITS)
        with ExitStack() as undo:
            self._made = undo.enter_context(made)
            self._made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _PATIENCE)
            self._made.sendall(opening(kind) + hello)
            undo.pop_all()

    def say(self, octets: bytes) -> None:
        self._made.sendall(octets)

    def heard(self, seconds: float) -> Iterator[bytes]:
        """The bodies that are here; where none is, the first that comes in this time. `OSError`: nobody is there."""
        until = time.monotonic() + seconds
        while True:
            while (event := self._talk.read()) is not None:
                if isinstance(event, Message):
                    until = 0.0
                    yield event.parts[-1]
            if not self._something_came(max(0.0, until - time.monotonic())):
                return
            came = self._made.recv(_READ)
            if not came:
                raise ConnectionResetError
            self._talk.hear(came)

    def lost(self) -> bool:
        """Whether the other end is gone, as far as the system knows."""
        try:
            return self._something_came(0.0) and not self._made.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _something_came(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._made, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def close(self) -> None:
        self._made.close()


Opens = Callable[[str], socket.socket]
"""A new, proved connection to the node's socket of that name. `OSError`: nobody is there; `NotProven`: not the node."""


def local(folder: Path) -> Opens:
    """To the node of this control folder."""

    def opened(name: str) -> socket.socket:
        with ExitStack() as undo:
            made = undo.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _PATIENCE)  # a full door is waited at, in a row
            made.connect(str(folder / name))
            refuse_an_impostor(made, folder)
            undo.pop_all()
        return made

    return opened


class VisitorEnd:
    """A client's side: one socket that asks, one that listens to `topic`."""

    def __init__(self, opens: Opens, topic: bytes) -> None:
        self._opens, self._topic = opens, topic
        self._commands: _Way | None = None
        self._state: _Way | None = None
        self._unsaid: deque[bytes] = deque(maxlen=_MOST_UNSAID)

    def arrive(self) -> None:
        """Be connected; `OSError` as the system has it where no node is, or where we may not come in."""
        if self._commands is not None and self._commands.lost():
            self._leave()
        if self._commands is None:
            self._commands = _Way(self._opens(COMMANDS), b"DEALER", _ROUTER, b"".join(self._unsaid))
            self._unsaid.clear()

    def send(self, body: bytes) -> None:
        """Now, or when a node is there."""
        octets = framed([body])
        try:
            self.arrive()
            assert self._commands is not None, "arrived"
            self._commands.say(octets)
        except _LOST:
            self._leave()
            self._unsaid.append(octets)

    def receive(self, seconds: float) -> bytes | None:
        """The next answer, if one comes in this time."""
        until = time.monotonic() + seconds
        while True:
            left = max(0.0, until - time.monotonic())
            try:
                self.arrive()
                assert self._commands is not None, "arrived"
                return next(self._commands.heard(left), None)
            except _LOST:
                self._leave()
            if left <= 0:
                return None
            time.sleep(min(_AGAIN, left))

    def _leave(self) -> None:
        if self._commands is not None:
            self._commands.close()
            self._commands = None

    def news(self, seconds: float) -> list[bytes]:
        """What was published: all that is here, or the first that comes in this time; oldest first."""
        until = time.monotonic() + seconds
        received: deque[bytes] = deque(maxlen=_MOST_NEWS)
        while True:
            left = max(0.0, until - time.monotonic())
            try:
                if self._state is None:
                    self._state = _Way(self._opens(STATE), b"SUB", _XPUB, subscribed(self._topic))
                received.extend(self._state.heard(left))
            except (*_LOST, NotProven):
                self._listen_no_more()
                if not received:
                    time.sleep(min(_AGAIN, left))
            if received or left <= 0:
                return [*received]

    def _listen_no_more(self) -> None:
        if self._state is not None:
            self._state.close()
            self._state = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        self._listen_no_more()


def somebody_listens(folder: Path) -> bool:
    """Whether a process stands behind the socket's name, and lets us in."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(folder / COMMANDS))
        except NOBODY_THERE:
            return False
    return True
