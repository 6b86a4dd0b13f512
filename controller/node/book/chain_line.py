"""What somebody who copies a chain must understand of a fact: its number, its time and its kind; of two kinds, more.

Theory. Everything else is of its kind and is copied as it is: a later program has kinds of its own, and a word that a
restore says may be another one's too. So only what founds and what restores is read further, each by itself.
"""

from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from controller.core.values import HeadLeft

FOUNDED, RESTORED = "node_founded", "node_restored"


class AnyKind(Struct, frozen=True):
    kind: str


class Founding(Struct, frozen=True):
    node: str = ""
    key: str = ""


class Restoring(Struct, frozen=True):
    epoch: int = 0
    left: HeadLeft | None = None


Told = TypeVar("Told", AnyKind, Founding, Restoring)


class ChainLine(Struct, Generic[Told], frozen=True):
    seq: int
    at: int
    fact: Told


class Unreadable(ValueError):  # noqa: N818  says what happened
    """It is no fact, or says of the chain what nobody can follow."""


_any = msgspec.json.Decoder(ChainLine[AnyKind])
_founding = msgspec.json.Decoder(ChainLine[Founding])
_restoring = msgspec.json.Decoder(ChainLine[Restoring])


def read_line(body: bytes) -> ChainLine[AnyKind]:
    return _read(_any, body)


def read_founding(body: bytes) -> Founding:
    return _read(_founding, body).fact


def read_restoring(body: bytes) -> Restoring:
    return _read(_restoring, body).fact


def _read(decoder: msgspec.json.Decoder[ChainLine[Told]], body: bytes) -> ChainLine[Told]:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Unreadable from None
