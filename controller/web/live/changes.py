"""What became of entities, and the messages that say so, each encoded once for all who look.

Theory. Who applies `set` and `gone` to what he has, has what there is now. A message is text of an event stream, as
docs/web.md describes it; it is squeezed when the first browser takes it so, alone and not as part of any one's stream:
blocks of deflate that know nothing of what came before can follow each other in every stream there is. Pure.
"""

import zlib
from typing import NamedTuple

import msgspec

from controller.web.live.entities import Entities, Entity

SQUEEZED_BEGINS = bytes((0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255))
"""The head of a gzip file, behind which any number of squeezed messages may follow (RFC 1952)."""

_encode = msgspec.json.Encoder().encode


class Difference(NamedTuple):
    """`put`: new or other entities; `gone`: keys of which there is nothing more."""

    put: Entities
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.put or self.gone)


def difference(before: Entities, now: Entities) -> Difference:
    put = {key: one for key, one in now.items() if (known := before.get(key)) is not one and known != one}
    return Difference(put, tuple(key for key in before if key not in now))


class _Whole(msgspec.Struct):
    scope: str
    epoch: str
    n: int
    at: int
    set: dict[str, Entity]


class _Change(_Whole):
    gone: tuple[str, ...]


class _Beat(msgspec.Struct, omit_defaults=True):
    at: int
    node: bool
    box: str = ""


class StreamEvent:
    """One event. `json`: what it says; `plain` and `squeezed`: how it stands in a stream."""

    __slots__ = ("_squeezed", "json", "plain")

    def __init__(self, event: str, said: msgspec.Struct) -> None:
        self.json = _encode(said)
        self.plain = b"event: %b\ndata: %b\n\n" % (event.encode(), self.json)
        self._squeezed: bytes | None = None

    @property
    def squeezed(self) -> bytes:
        if self._squeezed is None:
            self._squeezed = squeezed(self.plain)
        return self._squeezed


def squeezed(text: bytes) -> bytes:
    """By itself, so that it may follow anything behind SQUEEZED_BEGINS."""
    alone = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return alone.compress(text) + alone.flush(zlib.Z_FULL_FLUSH)


def whole(scope: str, epoch: str, n: int, at: int, entities: Entities) -> StreamEvent:
    return StreamEvent("whole", _Whole(scope, epoch, n, at, entities))


def change(scope: str, epoch: str, n: int, at: int, told: Difference) -> StreamEvent:
    return StreamEvent("change", _Change(scope, epoch, n, at, told.put, told.gone))


def beat(at: int, *, node: bool, box: str = "") -> StreamEvent:
    """`box`: of whose node, where it is another box's."""
    return StreamEvent("beat", _Beat(at, node, box))
