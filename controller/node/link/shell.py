"""The thread of the links: every neighbour's talk, the sockets under them, and what other threads have for them.

Theory. One thread owns all of it. What others have for it (a commit, letters that were read, an address that was found)
they leave as a note and ring. Only the neighbours that something came for, or whose time has come, are looked at, so a
hundred of them cost what ten do. What neighbours say goes to the inbox; whoever is refused is summed up for the journal
once a minute, because strangers must not fill it. A defect ends the thread, and the engine's pulse sees that.
"""

import heapq
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue

from controller.core.facts import LetterTold
from controller.core.values import Mark, Side
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.happened import Dial, HangUp, Happened, TurnedDown
from controller.node.link.messages import MirrorWord, PotMeter, PotPrizes
from controller.node.link.mirror_words import MirrorSaid, MirrorWanted
from controller.node.link.outgoing import Archive, NewestLetters, told_letter
from controller.node.link.recorded import Recorded
from controller.node.link.sockets import Address, Came, Left, OwnKey, Sockets
from controller.node.link.streams import ToldLetter
from controller.node.store.failure import StoreError
from controller.node.vocabulary.bell import Bell
from controller.node.vocabulary.inbox import Item, LinkChanged, MeterHeard, OfNeighbour, PrizesHeard
from drivers.session import MILLISECOND, SECOND, Micros

Say = Callable[[str, Mapping[str, object]], object]
"""Takes a line for the journal: its event and fields."""

_LONGEST: Micros = SECOND
_CONGESTED: Micros = 20 * MILLISECOND
_LAST_WORDS: Micros = 100 * MILLISECOND  # libzmq says them in a thread of its own
_SUMMED_UP: Micros = 60 * SECOND
_MOST_NAMED = 5
_ENDS_WITHIN = 5.0  # seconds

_Note = Callable[[Micros], None]


class _Line:
    """One neighbour: the talk with it, the connection that it has, and what did not leave yet."""

    def __init__(self, talk: NeighbourTalk) -> None:
        self.talk = talk
        self.number: int | None = None  # of the connection
        self.unsent: bytes | None = None
        self.due: Micros | None = None  # when it is looked at although nothing comes
        self.dials = 0  # so that an address that was found too late is known to be late


class Shell:
    def __init__(
        self,
        node: str,
        addresses: Mapping[str, str],
        archive: Archive,
        put: Callable[[Item], object],
        say: Say,
        clock: Callable[[], Micros],
        mirrors: Callable[[MirrorSaid | MirrorWanted | LinkChanged], object],
    ) -> None:
        self._mirrors = mirrors
        self._node, self._archive, self._put, self._say, self._clock = node, archive, put, say, clock
        self._addresses = {name: place_in(address) for name, address in addresses.items()}
        self._notes: SimpleQueue[_Note] = SimpleQueue()
        self._lines: dict[str, _Line] = {}
        self._tails: dict[str, NewestLetters] = {}
        self._touched: dict[str, None] = {}  # in their order
        self._due: list[tuple[Micros, str]] = []
        self._leaving: dict[int, Micros] = {}  # connections that are of no use any more, until when
        self._summed_up_at = clock()
        self._ending = False
        self.unmirrored: frozenset[str] = frozenset()
        """Neighbours whose mirror of this node lacks what they are told: read by any thread."""
        self._thread = threading.Thread(target=self._run, name="links", daemon=True)

    def start(self, folder: Path, listen: tuple[str, int] | None, own: OwnKey, recorded: Recorded) -> None:
        """OSError: where neighbours are to dial is taken, or not ours."""
        with ExitStack() as undo:
            self._bell = Bell()
            undo.callback(self._bell.close)
            self._sockets = Sockets(folder, listen, own, self._bell.fileno(), self._clock())
            undo.callback(self._sockets.close)
            self._readers = undo.enter_context(ThreadPoolExecutor(1, "letters"))
            self._finders = ThreadPoolExecutor(1, "addresses")
            undo.callback(self._finders.shutdown, wait=False, cancel_futures=True)  # a resolver may hang for long
            self._recorded = recorded
            self._pin(self._clock())
            self._closing = undo.pop_all()
        self._thread.start()

    @property
    def place(self) -> tuple[str, int] | None:
        """Where neighbours dial."""
        entrance = self._sockets.gate.entrance
        return None if entrance is None else entrance.getsockname()[:2]

    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        def end(_: Micros) -> None:
            self._ending = True

        self.post(end)
        self._thread.join(_ENDS_WITHIN)

    def post(self, note: _Note) -> None:
        """From any thread: the links' own does it soon."""
        self._notes.put(note)
        self._bell.ring()

    # The loop.

    def _run(self) -> None:
        with self._closing:
            while not self._ending:
                self._turn()

    def _turn(self) -> None:
        now = self._clock()
        due = min([now + _LONGEST, *(row[0] for row in self._due[:1]), *self._leaving.values()])
        self._sockets.wait(now if self._touched else due, now)
        self._bell.silence()
        now = self._clock()
        self._read_notes(now)
        for came in self._sockets.turn(now):
            self._hear(came, now)
        while self._due and self._due[0][0] <= now:
            due, name = heapq.heappop(self._due)
            if name in self._lines and self._lines[name].due == due:
                self._lines[name].due = None
                self._touched[name] = None
        for number in [number for number, until in self._leaving.items() if until <= now]:
            del self._leaving[number]
            self._sockets.drop(number)
        self._lose(now)
        touched, self._touched = self._touched, {}
        for name in touched:
            if name in self._lines:
                self._serve(name, self._lines[name], now)
        if now - self._summed_up_at >= _SUMMED_UP:
            self._sum_up(now)

    def _read_notes(self, now: Micros) -> None:
        try:
            while True:
                self._notes.get_nowait()(now)
        except Empty:
            return

    def _hear(self, came: Came, now: Micros) -> None:
        line = self._lines[came.name]
        if came.number in self._leaving:
            return
        if line.number != came.number:
            line.number, line.unsent = came.number, None
            line.talk.line_up(now)
        line.talk.receive(came.octets, now)
        self._touched[came.name] = None

    def _lose(self, now: Micros) -> None:
        for number, name, _ in self._sockets.gone():
            line = self._lines.get(name)
            if line is not None and line.number == number:
                self._hang_up(line, now)
                self._touched[name] = None

    def _hang_up(self, line: _Line, now: Micros) -> None:
        number, line.number, line.unsent = line.number, None, None
        if number is not None:
            self._sockets.drop(number)
        line.talk.line_down(now)

    def _let_go(self, line: _Line, now: Micros) -> None:
        """What was said last is still to leave: to whoever is turned away, why."""
        if line.number is not None:
            self._leaving[line.number] = now + _LAST_WORDS
        line.number = line.unsent = None
        line.talk.line_down(now)

    # One neighbour.

    def _serve(self, name: str, line: _Line, now: Micros) -> None:
        """What is due, what it wants of the record, what it is to be told, and what follows from what it said."""
        line.talk.tick(now)
        for stream, after in line.talk.wanted():
            self._look_up(name, stream, after, now)
        for stream, after in line.talk.wanted_back():
            self._look_back(name, stream, after)
        self._send(line, now)
        while (event := line.talk.next_event()) is not None:
            self._happened(name, line, event, now)
        if line.talk.held.lacks_what_was_told is not (name in self.unmirrored):
            self._see_mirror(name)
        due = line.talk.deadline()
        if line.unsent is not None:
            due = now + _CONGESTED
        if due is not None and (line.due is None or due < line.due):
            line.due = max(due, now + MILLISECOND)
            heapq.heappush(self._due, (line.due, name))

    def _see_mirror(self, name: str) -> None:
        """It is in trouble now, or it is not any more."""
        self.unmirrored ^= {name}
        self._say("link_unmirrored", {"neighbour": name, "lacks": name in self.unmirrored})

    def _happened(self, name: str, line: _Line, event: Happened, now: Micros) -> None:
        match event:
            case Dial():
                self._dial(name, line, now)
            case HangUp():
                self._let_go(line, now)
            case TurnedDown():
                self._say("link_turned_down", event._asdict())
            case MirrorSaid() | MirrorWanted():
                self._mirrors(event)
            case _:
                self._tell_engine(event)

    def _tell_engine(self, item: OfNeighbour | MeterHeard | PrizesHeard) -> None:
        self._put(item)
        if isinstance(item, LinkChanged):
            self._mirrors(item)

    def _send(self, line: _Line, now: Micros) -> None:
        while line.number is not None:
            octets = line.unsent if line.unsent is not None else line.talk.to_send(now)
            if octets is None:
                return
            left = self._sockets.send(line.number, octets)
            line.unsent = octets if left is Left.FULL else None
            if left is Left.GONE:
                self._hang_up(line, now)
            if left is not Left.SENT:
                return

    def _look_up(self, name: str, stream: str, after: Mark, now: Micros) -> None:
        tail = self._tails.get(stream)
        letters = None if tail is None else tail.after(after)
        if letters is not None:
            self._lines[name].talk.give(stream, after, letters, now)
            return
        found = self._readers.submit(self._archive.after, stream, after)
        found.add_done_callback(lambda done: self.post(lambda then: self._give(name, stream, after, done, then)))

    def _give(self, name: str, stream: str, after: Mark, found: "Future[Sequence[ToldLetter]]", now: Micros) -> None:
        line = self._lines.get(name)
        if line is None or found.cancelled():
            return
        try:
            letters = found.result()
        except StoreError as error:  # it is wanted again later
            self._say("link_not_read", {"stream": stream, "message": str(error)})
            letters = ()
        line.talk.give(stream, after, letters, now)
        self._touched[name] = None

    def _look_back(self, name: str, stream: str, after: Mark) -> None:
        found = self._readers.submit(self._archive.heard_after, name, stream, after)
        found.add_done_callback(lambda done: self.post(lambda _: self._give_back(name, stream, after, done)))

    def _give_back(self, name: str, stream: str, after: Mark, found: "Future[Sequence[ToldLetter]]") -> None:
        line = self._lines.get(name)
        if line is None or found.cancelled():
            return
        try:
            line.talk.give_back(stream, after, found.result())
        except StoreError as error:  # it is asked again later
            self._say("link_not_read", {"stream": stream, "message": str(error)})
        self._touched[name] = None

    # Whom we dial.

    def _dial(self, name: str, line: _Line, now: Micros) -> None:
        line.dials += 1
        dials, place = line.dials, self._addresses.get(name)
        if place is None:
            return  # of whom the settings say nothing; a restart with them dials
        if (numeric := found_at(place, socket.AI_NUMERICHOST)) is not None:
            self._reach(name, dials, numeric, now)
            return
        found = self._finders.submit(found_at, place)
        found.add_done_callback(lambda done: self.post(lambda then: self._reach(name, dials, _result(done), then)))

    def _reach(self, name: str, dials: int, address: Address | None, now: Micros) -> None:
        line = self._lines.get(name)
        if line is None or line.dials != dials or line.number is not None:
            return
        line.number = None if address is None else self._sockets.dial(name, address, now)
        if line.number is None:
            line.talk.line_down(now)
        else:
            line.talk.line_up(now)
        self._touched[name] = None

    # What the engine says.

    def committed(
        self, recorded_new: set[str], told: Sequence[LetterTold], seq: int, *, pins: bool, now: Micros
    ) -> None:
        """After a commit that `recorded` follows already, and whose last fact has that number."""
        for fact in told:
            self._tails.setdefault(fact.stream, NewestLetters()).add(told_letter(self._node, fact, seq))
        if pins:
            self._pin(now)
        for name in recorded_new & self._lines.keys():
            self._lines[name].talk.knows(self._recorded.marks(name))
            self._touched[name] = None

    def meters(self, meters: Sequence[PotMeter | PotPrizes]) -> None:
        below = [name for name, line in self._lines.items() if line.talk.side is Side.BELOW]
        for name in below:
            if self._lines[name].talk.meters(meters, len(below)):
                self._touched[name] = None

    def mirror(self, name: str, word: MirrorWord) -> None:
        """Something about a mirror, for this neighbour."""
        if name in self._lines:
            self._lines[name].talk.mirror(word)
            self._touched[name] = None

    def mirrored(self, name: str, seq: int, now: Micros) -> None:
        """The mirror that this neighbour keeps has our record up to there."""
        if name in self._lines and self._lines[name].talk.up:
            self._lines[name].talk.held.mirrored(seq, now)
            self._touched[name] = None

    def _pin(self, now: Micros) -> None:
        pinned = self._recorded.pinned()
        self._sockets.pin(pinned)
        self._lose(now)
        for name, line in list(self._lines.items()):
            if name not in pinned or line.talk.side is not pinned[name].side:
                self._hang_up(line, now)
                while (event := line.talk.next_event()) is not None:
                    if not isinstance(event, Dial | HangUp | TurnedDown | MirrorSaid | MirrorWanted):
                        self._tell_engine(event)
                del self._lines[name]
                self.unmirrored -= {name}
        for name, one in pinned.items():
            if name not in self._lines:
                self._lines[name] = _Line(NeighbourTalk(self._node, name, one.side, now))
                self._lines[name].talk.knows(self._recorded.marks(name))
                self._touched[name] = None

    def _sum_up(self, now: Micros) -> None:
        """Who came in from the network and was no neighbour: where from, most first."""
        self._summed_up_at = now
        refused, sockets = self._sockets.gate.refused, self._sockets
        if refused or sockets.unknown_keys:
            most = dict(refused.most_common(_MOST_NAMED))
            fields = {"refused": refused.total(), "unknown_keys": sockets.unknown_keys, "addresses": most}
            self._say("link_strangers", fields)
        refused.clear()
        sockets.unknown_keys = 0


def place_in(address: str) -> tuple[str, int]:
    """`tcp://HOST:PORT`, as the settings have it."""
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    assert host and port.isdecimal(), "the settings were checked"
    return host.strip("[]"), int(port)


def found_at(place: tuple[str, int], flags: int = 0) -> Address | None:
    """The first address of a host."""
    try:
        rows = socket.getaddrinfo(*place, type=socket.SOCK_STREAM, flags=flags)
    except OSError:
        return None
    family, _, _, _, address = rows[0]
    return family, (str(address[0]), int(address[1]))


def _result(found: "Future[Address | None]") -> Address | None:
    return None if found.cancelled() else found.result()
