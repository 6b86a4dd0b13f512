"""Whom a node does not speak with: by the first word of a conversation, and by whose streams it tells (R-28).

Theory. libzmq has proven the key; the first word says a name and versions. Under another name it is a mistake of those
who pinned it, without a version in common it is another program, and a stream has one writer. Pure.
"""

from collections.abc import Callable, Collection
from enum import StrEnum

from controller.core.values import Side
from controller.node.link.messages import GIVES, MOST_STREAMS, Burned, Hello, LetterBatch

_Whose = Callable[[str], bool]


class Offence(StrEnum):
    """Why a neighbour is not spoken with. It is told so, and a technician reads it in the journal."""

    NOT_UNDERSTOOD = "not_understood"
    PROTOCOL = "protocol"  # no version of it in common
    NAME = "name"  # its key was pinned under another one
    STREAM = "stream"  # one that it has no business with
    TOO_MANY = "too_many"  # streams


def hello_trouble(
    hello: Hello, neighbour: str, protocols: Collection[int], is_theirs: _Whose, is_ours: _Whose, heard: Collection[str]
) -> Offence | None:
    """Of a node. `heard`: the streams of it that are known here."""
    if not set(hello.protocol_versions) & set(protocols):
        return Offence.PROTOCOL
    if hello.node != neighbour:
        return Offence.NAME
    if not (all(map(is_theirs, hello.told)) and all(map(is_ours, hello.streams))):
        return Offence.STREAM
    return Offence.TOO_MANY if len({*hello.told, *heard}) > MOST_STREAMS else None


def batch_trouble(batch: LetterBatch, is_theirs: _Whose, heard: Collection[str]) -> Offence | None:
    """Of letters: whose stream it is, and how many there are already."""
    if not is_theirs(batch.stream):
        return Offence.STREAM
    return Offence.TOO_MANY if batch.stream not in heard and len(heard) >= MOST_STREAMS else None


def burned_trouble(burned: Burned, neighbour: str, side: Side, *, has_greeted: bool) -> Offence | None:
    """Of what is left of a box, which is below and no node."""
    if has_greeted or side is Side.ABOVE:
        return Offence.NOT_UNDERSTOOD
    if not set(burned.versions) & set(GIVES):
        return Offence.PROTOCOL
    return Offence.NAME if burned.node != neighbour else None
