"""What happens in a talk with a neighbour beside what the engine hears: wishes about the connection, and refusals."""

from enum import StrEnum
from typing import NamedTuple

from controller.node.link.mirror_words import MirrorSaid
from controller.node.vocabulary.inbox import MeterHeard, OfNeighbour


class Offence(StrEnum):
    """Why a neighbour is not spoken with. It is told so, and a technician reads it in the journal."""

    NOT_UNDERSTOOD = "not_understood"
    PROTOCOL = "protocol"  # no version of it in common
    NAME = "name"  # its key was pinned under another one
    STREAM = "stream"  # one that it has no business with
    TOO_MANY = "too_many"  # streams


class Dial(NamedTuple):
    """A connection is wanted, to whoever is above."""


class HangUp(NamedTuple):
    """The connection is of no use any more, once what is still to say has left."""


class TurnedDown(NamedTuple):
    """Somebody would not speak: we, or the neighbour. `code`: an `Offence`, or whatever the neighbour calls it."""

    neighbour: str
    code: str
    by_us: bool


Happened = OfNeighbour | MeterHeard | MirrorSaid | Dial | HangUp | TurnedDown
