"""What happens in a talk with a neighbour beside what the engine hears: wishes about the connection, and refusals."""

from typing import NamedTuple

from controller.node.link.mirror_words import MirrorSaid, MirrorWanted
from controller.node.vocabulary.inbox import MeterHeard, OfNeighbour, PrizesHeard


class Dial(NamedTuple):
    """A connection is wanted, to whoever is above."""


class HangUp(NamedTuple):
    """The connection is of no use any more, once what is still to say has left."""


class TurnedDown(NamedTuple):
    """Somebody would not speak: we, or the neighbour. `code`: an `Offence`, or whatever the neighbour calls it."""

    neighbour: str
    code: str
    by_us: bool


Happened = OfNeighbour | MeterHeard | PrizesHeard | MirrorSaid | MirrorWanted | Dial | HangUp | TurnedDown
