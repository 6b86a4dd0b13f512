"""The links in a life of the node: made of what settings, key and record say, up after the book and down before it.

Theory. A node whose settings name no neighbour has nothing of this, and no thread for it. Where the address to listen
at is taken, the tables play on, and somebody is told: a link that is down is borne by everybody, a node that does not
start by nobody. A thread of links that ended by a defect ends the node like any other (pulse.py).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from controller.core.facts import Fact
from controller.core.state import State
from controller.core.view import Alarm, AwardView, alarm
from controller.node.book.book import record_of
from controller.node.book.link_key import LinkKey
from controller.node.engine.told import NO_LINKS, LinksTold
from controller.node.link.links import LinkPlaces, Links, MeterNow
from controller.node.link.sockets import OwnKey
from controller.node.publish.show import Show
from controller.node.service.sealed import mirrored
from controller.node.store.store import Reader
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import Journal, Says
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import Inbox
from controller.node.vocabulary.places import Node
from drivers.session import Micros


class NodeLinks:
    """KeyRefused: the key of the links cannot be used."""

    def __init__(self, node: Node, inbox: Inbox, clock: Clock, journal: Journal, counts: Counts) -> None:
        self._journal, self._counts, self._listen = journal, counts, node.listen
        self._links: Links | None = None
        self._runs = False
        if not node.neighbours:
            return
        key = LinkKey.load_or_make(node.folder)
        addresses = {one.name: one.address for one in node.neighbours if one.address}
        places = LinkPlaces(node.name, node.folder, node.listen, addresses, OwnKey(key.public, key.secret))
        read = partial(Reader.open, record_of(node.folder))
        self._links = Links(places, read, inbox.put, self._say, clock.now, mirrored(node, clock, read))

    @property
    def told(self) -> LinksTold:
        """Before they are up nothing is lost: they begin from the state."""
        return NO_LINKS if self._links is None else LinksTold(self._committed, self._meters, self._prizes)

    def start(self, state: State, seq: int, show: Show) -> Callable[[], None]:
        """With what the record says and its last fact. How it is ended."""
        if self._links is None:
            return self.stop
        try:
            self._links.start(state, seq)
        except OSError as error:
            why = error.strerror or str(error)
            self._journal.error(Says.LINKS_REFUSED, listen=self._listen, message=why)
            deaf = "No se puede escuchar a los vecinos en {listen} ({why}): se juega sin enlaces."
            show.raise_alarm("links", alarm("links_deaf", "enlaces", "R-28", deaf, listen=self._listen, why=why))
        else:
            self._runs = True
        return self.stop

    def alive(self) -> bool:
        """Whether the thread runs, where there is one."""
        return not self._runs or self._links is None or self._links.alive()

    def look(self, now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        """What the mirrors of records have to say."""
        if self._runs and self._links is not None:
            self._links.look(now, raise_alarm)

    def stop(self) -> None:
        if self._runs and self._links is not None:
            self._runs = False
            self._links.stop()

    def _say(self, event: str, fields: Mapping[str, object]) -> None:
        """From the links' thread: for the journal, and counted."""
        self._counts.links[event] = self._counts.links.get(event, 0) + 1
        self._journal.warning(event, **fields)

    def _committed(self, state: State, facts: Sequence[Fact], seq: int) -> None:
        if self._runs and self._links is not None:
            self._links.committed(state, facts, seq)

    def _meters(self, levels: Mapping[str, MeterNow]) -> None:
        if self._runs and self._links is not None:
            self._links.meters(levels)

    def _prizes(self, owed: Mapping[str, Sequence[AwardView]]) -> None:
        if self._runs and self._links is not None:
            self._links.prizes(owed)
