"""What two ends of a passage say, each word a message of its own (docs/operators/control.md, "From another box").

Theory. The first octet says which word it is, four more of which channel; the rest is its own. Whoever is let in is
known by his key, so no word names anybody. A beat keeps both ends sure that the other one is there. What is none of
these words is not guessed at: the connection is of no use. Pure.
"""

import struct
from typing import NamedTuple

CHUNK = 32_768
"""Octets of one word at most."""
MOST_TAKEN = 2**31
_LONGEST_NAME = 16

_HEAD = struct.Struct(">BI")
_COUNT = struct.Struct(">I")
_BEAT, _OPEN, _OCTETS, _TAKEN, _CLOSED = range(5)


class StillHere(NamedTuple):
    """Somebody is there."""


class OpenChannel(NamedTuple):
    """The web wants a connection to the socket of this name; `channel`: its number, never used before."""

    channel: int
    name: str


class Octets(NamedTuple):
    channel: int
    octets: bytes


class Taken(NamedTuple):
    """So many more octets of the channel were taken by whom they were for."""

    channel: int
    octets: int


class Closed(NamedTuple):
    """Nothing more comes in this channel, and nobody hears what is said in it."""

    channel: int


Word = StillHere | OpenChannel | Octets | Taken | Closed


def packed(word: Word) -> bytes:
    match word:
        case StillHere():
            return _HEAD.pack(_BEAT, 0)
        case OpenChannel(channel, name):
            return _HEAD.pack(_OPEN, channel) + name.encode()
        case Octets(channel, octets):
            assert 0 < len(octets) <= CHUNK, "a word has a length that the other end takes"
            return _HEAD.pack(_OCTETS, channel) + octets
        case Taken(channel, octets):
            return _HEAD.pack(_TAKEN, channel) + _COUNT.pack(octets)
        case Closed(channel):
            return _HEAD.pack(_CLOSED, channel)


def unpacked(said: bytes) -> Word | None:
    """What was said; None: it is none of our words."""
    if len(said) < _HEAD.size:
        return None
    kind, channel = _HEAD.unpack_from(said)
    rest = said[_HEAD.size :]
    if kind == _OCTETS:
        return Octets(channel, rest) if 0 < len(rest) <= CHUNK else None
    if kind == _TAKEN:
        count = _COUNT.unpack(rest)[0] if len(rest) == _COUNT.size else 0
        return Taken(channel, count) if 0 < count <= MOST_TAKEN else None
    if kind == _OPEN:
        return OpenChannel(channel, rest.decode()) if rest.isalpha() and len(rest) <= _LONGEST_NAME else None
    if kind == _CLOSED and not rest:
        return Closed(channel)
    return StillHere() if said == packed(StillHere()) else None
