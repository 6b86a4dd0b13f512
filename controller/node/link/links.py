"""What the engine sees of the links: it says what was committed, and finds what neighbours said in its inbox.

Theory. The engine calls `committed` after each commit and `meters` when levels moved; both only leave a note and ring,
so a link never holds up a press. Everything else happens in the shell's one thread (shell.py): what a neighbour says
comes back as the items of `vocabulary/inbox.py`. A letter is acknowledged when the engine's own fact says that it was
heard, and at no other time. The engine never waits for a neighbour, a disk that is read for one, or a key.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from controller.core.facts import Fact, LetterTold, NeighbourPinned, NeighbourRevoked
from controller.core.state import State
from controller.core.values import Broken, Levels, Mark
from controller.core.view import Alarm, AwardView, alarm
from controller.node.book.chain import Key
from controller.node.link.messages import MOST_MIRROR_WORD, MirrorWord, PotMeter
from controller.node.link.meters import prizes_of
from controller.node.link.mirror_feed import MirrorPorts
from controller.node.link.mirror_words import (
    MirrorMark,
    MirrorMessage,
    MirrorSaid,
    MirrorWanted,
    mirror_packed,
    mirror_unpacked,
)
from controller.node.link.mirrors import Mirrors
from controller.node.link.outgoing import Archive
from controller.node.link.recorded import OF_LINKS, Recorded
from controller.node.link.shell import Say, Shell, place_in
from controller.node.link.sockets import OwnKey
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import Item, LinkBroken, LinkChanged
from drivers.punctual import micros
from drivers.session import Micros

_FOLDER = "link"
_LACKS = (
    "El espejo de este registro en {neighbour} no está al día. Se juega, se paga y se avisa igual; pero si esta máquina"
    " se quema ahora, le faltará lo último que avisó. Mire el disco y las alarmas de ese nodo, y aquí pozo ctl vecinos."
)


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


class Mirrored(NamedTuple):
    """What mirrors need besides: the node's key, its clock, and what it seals to be made anew with."""

    key: Key
    clock: Clock
    sealed: Callable[[], bytes | None]


class Links:
    """`put` takes the items of neighbours; `reader` opens the record for a thread of the links; `say` takes a line for
    the journal: its event and fields (`link_strangers`, `link_turned_down`, `link_not_read`, `mirror_asked`,
    `mirror_given`)."""

    def __init__(
        self,
        places: LinkPlaces,
        reader: Callable[[], Reader],
        put: Callable[[Item], object],
        say: Say,
        clock: Callable[[], Micros] = micros,
        mirrored: Mirrored | None = None,
    ) -> None:
        self._places, self._put, self._reader, self._mirrored, self._say = places, put, reader, mirrored, say
        self._mirrors: Mirrors | None = None
        self._lacked: frozenset[str] = frozenset()  # of whom there is an alarm
        archive = Archive(places.node, reader)
        self._shell = Shell(places.node, places.addresses, archive, put, say, clock, self._of_mirrors)

    def start(self, state: State, seq: int) -> None:
        """After the record is open, whose last fact is `seq`: from here on neighbours are heard. OSError: the address
        cannot be listened to."""
        places = self._places
        self._recorded = Recorded(state, seq)
        if self._mirrored is not None:
            ports = MirrorPorts(
                places.node, places.folder, self._mirrored.key, self._mirrored.clock, self._reader, self._say_mirror,
                self._differs, self._mirrored.sealed, self._is_mirrored, self._say,
            )  # fmt: skip
            self._mirrors = Mirrors(ports, state)
        listen = place_in(places.listen) if places.listen else None
        self._shell.start(places.folder / _FOLDER, listen, places.own, self._recorded)
        if self._mirrors is not None:
            self._mirrors.start()

    @property
    def place(self) -> tuple[str, int] | None:
        """Where neighbours below dial, if they may."""
        return self._shell.place

    def committed(self, state: State, facts: Sequence[Fact], seq: int) -> None:
        """Called by the engine after a commit, with the state after it and the number of its last fact: new letters to
        tell, letters that were heard and are acknowledged now, neighbours pinned, revoked, stopped, accepted; and for a
        mirror. No fact of a link: no cost."""
        if self._mirrors is not None:
            self._mirrors.committed(state, facts)
        of_links = [fact for fact in facts if isinstance(fact, OF_LINKS)]
        if not of_links:
            return
        told = [fact for fact in of_links if isinstance(fact, LetterTold)]
        pins = any(isinstance(fact, NeighbourPinned | NeighbourRevoked) for fact in of_links)
        self._shell.post(
            lambda now: self._shell.committed(
                self._recorded.follow(state, of_links, seq), told, seq, pins=pins, now=now
            )
        )

    def meters(self, levels: Mapping[str, MeterNow]) -> None:
        """Called by the engine when the levels of shared pots moved, as often as it likes: the newest go out, so
        often as there is time to tell all who hear them."""
        meters = [
            PotMeter(pot, now.number, now.levels.main, now.levels.base, now.levels.reserves, now.at)
            for pot, now in levels.items()
        ]
        self._shell.post(lambda _: self._shell.meters(meters))

    def prizes(self, owed: Mapping[str, Sequence[AwardView]]) -> None:
        """R-31: called by the engine with what is owed of shared pots, when it moved."""
        said = [prizes_of(pot, awards) for pot, awards in owed.items()]
        self._shell.post(lambda _: self._shell.meters(said))

    def look(self, now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        """What mirrors have to say, and whether letters wait for none."""
        if self._mirrors is not None:
            self._mirrors.look(now, raise_alarm)
        lack = self._shell.unmirrored
        for name in sorted(lack | self._lacked):
            told = alarm("mirror_behind", "espejo", "R-27", _LACKS, neighbour=name) if name in lack else None
            raise_alarm(f"unmirrored {name}", told)
        self._lacked = lack

    def alive(self) -> bool:
        """Whether the thread of the links runs."""
        return self._shell.alive()

    def stop(self) -> None:
        """The thread ends and every connection with it; nothing that was not acknowledged is lost."""
        if self._mirrors is not None:
            self._mirrors.stop()
        self._shell.stop()

    def _of_mirrors(self, event: MirrorSaid | MirrorWanted | LinkChanged) -> None:
        if self._mirrors is None:
            return
        if isinstance(event, LinkChanged):
            self._mirrors.link(event.neighbour, up=event.up)
        elif (message := mirror_unpacked(event.octets)) is None:
            pass  # whoever says it is not answered
        elif isinstance(event, MirrorSaid):
            self._mirrors.heard(event.neighbour, message)
        elif isinstance(message, MirrorMark):
            self._mirrors.wanted(event.neighbour, message)

    def _say_mirror(self, neighbour: str, message: MirrorMessage) -> None:
        word = MirrorWord(mirror_packed(message))
        if len(word.octets) <= MOST_MIRROR_WORD:
            self._shell.post(lambda _: self._shell.mirror(neighbour, word))

    def _is_mirrored(self, neighbour: str, seq: int) -> None:
        self._shell.post(lambda now: self._shell.mirrored(neighbour, seq, now))

    def _differs(self, neighbour: str, stream: str, why: Broken, said: Mark) -> None:
        self._put(LinkBroken(neighbour, stream, why, said))
