"""What waits for the engine: events of lines, acts of persons, words of neighbours, and the few words of the system.

Theory. Any thread, and a signal's handler, may put; only the engine takes, all there is at once, so that what came
together is committed together. It is bounded: a person is turned away while much waits, for he can ask again; an event
of a line that finds no place is lost, which the engine may not survive (`overflowed`). A neighbour has one batch of a
stream on its way at a time, so what it says is bounded where it is heard. Nothing here knows what an item means.
"""

import contextlib
import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from controller.core.inputs import HearLetter, Input, TakeBack
from controller.core.past.inquiry import Inquiry
from controller.core.values import Broken, Levels, Mark, Signature
from controller.core.view import AwardView
from controller.node.vocabulary.protocol import Reply, Request
from drivers.punctual import micros
from drivers.session import SECOND, Micros

MOST_WAITING = 20_000
MOST_OF_PERSONS = 1_000
LONGEST_WAIT: Micros = SECOND // 2  # of the engine, when nothing comes
MOST_AT_ONCE = 500
"""A person who waits for an answer, and the watchdog, never wait for more than one commit of this size."""


class FromLine(NamedTuple):
    """An event that a line's session gave at `at`; `base`: what a unit without a memory is resumed from."""

    line: str
    event: object
    at: Micros
    base: object | None = None


class FromPerson(NamedTuple):
    """What somebody asks. `input` has its signatures, verified or not, and is `None` for a deed of the node; then
    `signed` are they. `verifier`: of the new PIN, when somebody is enrolled. `answer` is called once, in the engine's
    thread, after the commit."""

    request: Request
    input: Input | None
    verifier: str
    answer: Callable[[Reply], None]
    signed: tuple[Signature, ...] = ()


class InquiryRead(NamedTuple):
    """What the request of this id needs of the record was read; or `read` raises why not."""

    id: str
    read: Future[Inquiry]


class FromNeighbour(NamedTuple):
    """Letters of one stream of a neighbour, in their order. `stream`: as the neighbour calls it."""

    neighbour: str
    stream: str
    letters: tuple[HearLetter, ...]


class NeighbourAcknowledged(NamedTuple):
    """A neighbour has a stream of ours in its record, up to here."""

    neighbour: str
    stream: str
    mark: Mark


class GivenBackToUs(NamedTuple):
    """Letters of a log of ours that this record lost with a restore, in their order."""

    neighbour: str
    stream: str
    letters: tuple[TakeBack, ...]


class NeighbourBehind(NamedTuple):
    """A neighbour above was restored: it lives in this epoch, and has our stream up to here."""

    neighbour: str
    stream: str
    epoch: int
    mark: Mark


class LinkChanged(NamedTuple):
    """The link to a neighbour came to stand, or broke."""

    neighbour: str
    up: bool


class LinkBroken(NamedTuple):
    """What a neighbour says of a stream does not follow what it said before."""

    neighbour: str
    stream: str
    why: Broken
    said: Mark


class MeterHeard(NamedTuple):
    """What the owner of a pot says is in it now; never on record. `at`: of the owner's clock, which names it."""

    neighbour: str
    pot: str
    number: int
    levels: Levels
    at: int


class PrizesHeard(NamedTuple):
    """R-31: what is owed of a pot at tables beyond this node, as who is above says; never on record."""

    neighbour: str
    pot: str
    awards: tuple[AwardView, ...]


class Stop(NamedTuple):
    """Lock the tables, commit what is here, end."""

    why: str


class Reload(NamedTuple):
    """Read the settings' plans again."""


OfNeighbour = FromNeighbour | NeighbourAcknowledged | GivenBackToUs | NeighbourBehind | LinkChanged | LinkBroken
"""What a neighbour said that becomes an input of the core."""

Item = FromLine | FromPerson | InquiryRead | OfNeighbour | MeterHeard | PrizesHeard | Stop | Reload


class Inbox:
    def __init__(self, now: Callable[[], Micros] = micros) -> None:
        # Written in C and reentrant: a signal's handler may put while its own thread is in `take`.
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._now = now
        self.overflowed = False

    def put(self, item: Item) -> bool:
        """From any thread, without waiting. `False`: there was no place."""
        waiting = self._items.qsize()
        if isinstance(item, FromPerson) and waiting >= MOST_OF_PERSONS:
            return False
        if isinstance(item, FromLine) and waiting >= MOST_WAITING:
            self.overflowed = True
            return False
        self._items.put(item)
        return True

    def waiting(self) -> int:
        return self._items.qsize()

    def take(self, until: Micros) -> list[Item]:
        """All that waits; if nothing does, what comes first before `until`."""
        items: list[Item] = []
        patience = max(0, until - self._now()) / SECOND
        with contextlib.suppress(queue.Empty):
            items.append(self._items.get(timeout=patience))
            while len(items) < MOST_AT_ONCE:
                items.append(self._items.get_nowait())
        return items
