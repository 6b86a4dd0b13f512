"""The words of ZMTP 3 on one connection, without the connection: octets in, events out, octets to say.

Theory. https://rfc.zeromq.org/spec/23 and /37, of which we speak what our two sockets need: the greeting of 64 octets,
the mechanism NULL with one READY from each side, frames, subscriptions both as messages and as commands, and PONG to a
PING. Whoever speaks, it is read one event at a time and only when somebody wants it, so what waits costs its octets
and nothing more. A frame's length is believed before its octets come: what would be too long, or has too many parts,
ends the connection at its first octets. Knows no socket, no clock, and not what a message means.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

_SIGNATURE = b"\xff\0\0\0\0\0\0\0\1\x7f"
_MECHANISM = b"NULL".ljust(20, b"\0")
_GREETING = _SIGNATURE + b"\3\1" + _MECHANISM + b"\0" * 32
_GREETED = len(_GREETING)
_MORE, _LONG, _COMMAND = 1, 2, 4
_SHORTEST = 255  # octets of a body whose length is one octet
_MOST_COMMAND = 1_024  # octets; READY is the longest
_MOST_CONTEXT = 16  # octets of a PING that come back
_LONGEST_NAME, _ADDED = b"\x09SUBSCRIBE", b"\1"
_SUBSCRIBE, _CANCEL, _PING, _READY = _LONGEST_NAME, b"\x06CANCEL", b"\x04PING", b"\x05READY"
_LONG_HEAD, _SHORT_HEAD = 9, 2


class NotSpoken(Exception):  # noqa: N818  says what happened
    """What came is not of this language, or more of it than is taken: the connection is of no use."""


class MessageLimits(NamedTuple):
    """Of one message: all its octets, and its parts."""

    octets: int
    parts: int


class Message(NamedTuple):
    parts: tuple[bytes, ...]


class Subscription(NamedTuple):
    """Somebody wants what begins so; or does no more."""

    topic: bytes
    wanted: bool


class Courtesy(NamedTuple):
    """READY, PING and the like: nobody's business but this file's, and yet an event that somebody made us read."""


Event = Message | Subscription | Courtesy


def frame(body: bytes, flags: int = 0) -> bytes:
    if len(body) <= _SHORTEST:
        return bytes((flags, len(body))) + body
    return struct.pack(">BQ", flags | _LONG, len(body)) + body


def framed(parts: Sequence[bytes]) -> bytes:
    """A message as it travels."""
    *before, last = parts
    return b"".join([*(frame(part, _MORE) for part in before), frame(last)])


def subscribed(topic: bytes) -> bytes:
    """The wish for what begins so, as a message: every version understands it."""
    return frame(_ADDED + topic)


def opening(kind: bytes) -> bytes:
    """What one end says first. All at once: its partner reads it when he has said his own."""
    return _GREETING + frame(_READY + _property(b"Socket-Type", kind), _COMMAND)


def _property(name: bytes, value: bytes) -> bytes:
    return bytes((len(name),)) + name + struct.pack(">I", len(value)) + value


class Talk:
    """One end of one connection, and what its partner said that nobody has read yet. `partners`: what kinds of socket
    may stand at the other end."""

    def __init__(self, partners: frozenset[bytes], limits: MessageLimits) -> None:
        self._partners, self._limits = partners, limits
        self._came = bytearray()
        self._parts: list[bytes] = []
        self._octets = 0  # of the parts
        self._greeted = False
        self.ready = False
        self.to_say = b""

    def hear(self, octets: bytes) -> None:
        self._came += octets
        if not self._greeted and bytes(self._came[: len(_SIGNATURE)][:1]) != _SIGNATURE[:1]:
            raise NotSpoken("no greeting")

    @property
    def waiting(self) -> int:
        """Octets that came and were not read."""
        return len(self._came) + self._octets

    def large(self, octets: int) -> bool:
        """Whether the message that comes is longer than this, by what it says of itself."""
        head = _head(self._came) if self._greeted else None
        return self._octets + (head.length if head else len(self._came)) > octets

    def read(self) -> Event | None:
        """The next event, if all of it is here."""
        if not self._greeted and not self._greet():
            return None
        while (head := _head(self._came)) is not None:
            self._refuse_too_much(head)
            if len(self._came) < head.size + head.length:
                return None
            body = bytes(self._came[head.size : head.size + head.length])
            del self._came[: head.size + head.length]
            if head.flags & _COMMAND:
                return self._command(body)
            if not self.ready:
                raise NotSpoken("a message before READY")
            self._parts.append(body)
            self._octets += len(body)
            if not head.flags & _MORE:
                return self._message()
        return None

    def _greet(self) -> bool:
        if len(self._came) < _GREETED:
            return False
        greeting = bytes(self._came[:_GREETED])
        del self._came[:_GREETED]
        if greeting[9] != _SIGNATURE[9] or greeting[10] < 3 or greeting[12:32] != _MECHANISM:
            raise NotSpoken("another version or mechanism")
        self._greeted = True
        return True

    def _refuse_too_much(self, head: "_Head") -> None:
        if head.flags & _COMMAND:
            if head.length > _MOST_COMMAND or head.flags & _MORE or self._parts:
                raise NotSpoken("a strange command")
        elif self._octets + head.length > self._limits.octets or len(self._parts) >= self._limits.parts:
            raise NotSpoken("too much")

    def _message(self) -> Event:
        message, self._parts, self._octets = Message(tuple(self._parts)), [], 0
        return message

    def _command(self, body: bytes) -> Event:
        if not self.ready:
            self._shake(body)
        elif body.startswith(_SUBSCRIBE):
            return Subscription(body[len(_SUBSCRIBE) :], wanted=True)
        elif body.startswith(_CANCEL):
            return Subscription(body[len(_CANCEL) :], wanted=False)
        elif body.startswith(_PING):
            context = body[len(_PING) + 2 :][:_MOST_CONTEXT]
            self.to_say += frame(b"\x04PONG" + context, _COMMAND)
        return Courtesy()

    def _shake(self, body: bytes) -> None:
        if not body.startswith(_READY) or _properties(body[len(_READY) :]).get(b"socket-type") not in self._partners:
            raise NotSpoken("no READY of a socket that belongs here")
        self.ready = True


class _Head(NamedTuple):
    """Of a frame: its flags, the length of its body, and its own."""

    flags: int
    length: int
    size: int


def _head(octets: bytearray) -> _Head | None:
    if len(octets) < _SHORT_HEAD:
        return None
    if not octets[0] & _LONG:
        return _Head(octets[0], octets[1], _SHORT_HEAD)
    if len(octets) < _LONG_HEAD:
        return None
    return _Head(octets[0], int.from_bytes(octets[1:_LONG_HEAD], "big"), _LONG_HEAD)


def _properties(body: bytes) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    while body:
        name, rest = body[1 : 1 + body[0]], body[1 + body[0] :]
        length = int.from_bytes(rest[:4], "big")
        if len(rest) < 4 + length:
            raise NotSpoken("a READY cut short")
        found[name.lower()], body = rest[4 : 4 + length], rest[4 + length :]
    return found
