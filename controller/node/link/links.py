"""What the engine sees of the links: it says what was committed, and finds what neighbours said in its inbox.

Theory. The engine calls `committed` after each commit and `meters` when levels moved; both only leave a note and ring,
so a link never holds up a press. Everything else happens in the shell's one thread (shell.py): what a neighbour says
comes back as the items of `vocabulary/inbox.py`. A letter is acknowledged when the engine's own fact says that it was
heard, and at no other time. The engine never waits for a neighbour, a disk that is read for one, or a key.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from controller.core.facts import Fact, LetterTold, NeighbourPinned, NeighbourRevoked
from controller.core.state import State
from controller.core.values import Levels
from controller.node.link.messages import PotMeter
from controller.node.link.outgoing import Archive
from controller.node.link.recorded import OF_LINKS, Recorded
from controller.node.link.shell import Say, Shell, place_in
from controller.node.link.sockets import OwnKey
from controller.node.store.store import Reader
from controller.node.vocabulary.inbox import Item
from drivers.punctual import micros
from drivers.session import Micros

_FOLDER = "link"


class LinkPlaces(NamedTuple):
    """What the settings say. `listen`: `tcp://HOST:PORT`, or empty where nobody is below. `addresses`: of each
    neighbour above. `folder`: of the node alone: the inner sockets stand in it. `own`: the node's CURVE key."""

    node: str
    folder: Path
    listen: str
    addresses: Mapping[str, str]
    own: OwnKey


class MeterNow(NamedTuple):
    """A pot as it is just now. `number`: of the last letter of its log; `at`: by our clock."""

    number: int
    levels: Levels
    at: int


class Links:
    """`put` takes the items of neighbours; `reader` opens the record for a thread of the links; `say` takes a line for
    the journal: its event and fields (`link_strangers`, `link_turned_down`, `link_not_read`)."""

    def __init__(
        self,
        places: LinkPlaces,
        reader: Callable[[], Reader],
        put: Callable[[Item], object],
        say: Say,
        clock: Callable[[], Micros] = micros,
    ) -> None:
        self._places = places
        self._shell = Shell(places.node, places.addresses, Archive(places.node, reader), put, say, clock)

    def start(self, state: State) -> None:
        """After the record is open: from here on neighbours are heard. OSError: the address cannot be listened to."""
        places = self._places
        self._recorded = Recorded(state)
        listen = place_in(places.listen) if places.listen else None
        self._shell.start(places.folder / _FOLDER, listen, places.own, self._recorded)

    @property
    def place(self) -> tuple[str, int] | None:
        """Where neighbours below dial, if they may."""
        return self._shell.place

    def committed(self, state: State, facts: Iterable[Fact]) -> None:
        """Called by the engine after a commit, with the state after it: new letters to tell, letters that were heard
        and are acknowledged now, neighbours pinned, revoked, stopped, accepted. No fact of a link: no cost."""
        of_links = [fact for fact in facts if isinstance(fact, OF_LINKS)]
        if not of_links:
            return
        told = [fact for fact in of_links if isinstance(fact, LetterTold)]
        pins = any(isinstance(fact, NeighbourPinned | NeighbourRevoked) for fact in of_links)
        self._shell.post(
            lambda now: self._shell.committed(self._recorded.follow(state, of_links), told, pins=pins, now=now)
        )

    def meters(self, levels: Mapping[str, MeterNow]) -> None:
        """Called by the engine when the levels of shared pots moved, as often as it likes: the newest go out, at most
        twenty times a second."""
        meters = [
            PotMeter(pot, now.number, now.levels.main, now.levels.base, now.levels.reserves, now.at)
            for pot, now in levels.items()
        ]
        self._shell.post(lambda _: self._shell.meters(meters))

    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._shell.alive()

    def stop(self) -> None:
        """The thread ends and every connection with it; nothing that was not acknowledged is lost."""
        self._shell.stop()
