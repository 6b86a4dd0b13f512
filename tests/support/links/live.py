"""A node whose links are the real ones: the engine's letters, the book and the talk with each neighbour, over a store in memory.

What stands in is the wire, the clock and the store, and the threads beside the engine: that of mirrors, and the one that
reads the record. Whoever plays
gives each part its turn, in any order and as late as he likes, and may kill the node between any two steps, or with its next
commit, before that stands or after: then nothing is left but the store, and a new process begins on it. People ask again
what was not answered, under the same id, as every screen does.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any
from unittest.mock import patch

from controller.core import inputs as ask
from controller.core.facts import Fact, LetterTold, NeighbourPinned, NeighbourRevoked
from controller.core.links import streams
from controller.core.links.letters import VERSION, Letter, PassOver, PotMoved, version_of
from controller.core.past.inquiry import Inquiry
from controller.core.values import Mark, Side, Signature
from controller.node.book.book import Answer, Asked, Book
from controller.node.book.history import inquire
from controller.node.engine.letters import Letters
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.happened import Dial, HangUp, TurnedDown
from controller.node.link.judgement import START
from controller.node.link.messages import PROTOCOLS
from controller.node.link.mirror_words import MirrorSaid, MirrorWanted
from controller.node.link.outgoing import Archive, NewestLetters, told_letter
from controller.node.link.recorded import OF_LINKS, Recorded
from controller.node.store.failure import StoreError
from controller.node.store.rows import Batch, OutcomeKey
from controller.node.vocabulary.inbox import InquiryRead, LinkChanged, MeterHeard, PrizesHeard
from drivers.session import SECOND, Micros
from support.link.wire import Plug, Wire
from support.links.kept import Kept, as_store
from support.links.mirrors import KeptMirror, LiveMirrors
from support.links.nodes import Node
from support.record.verify_history import Unit

NEXT = (*PROTOCOLS, PROTOCOLS[-1] + 1)
"""The protocols of the program after this one."""
FRANCO, ANA = Signature("franco"), Signature("ana")
BOOT = "2f1c0d3e-0000-4000-8000-000000000000"


class Died(Exception):  # noqa: N818  says what happened
    """The process is gone."""


class MortalStore(Kept):
    """`dies`: with the next commit, "before" it stands or "after"."""

    dies = ""

    def commit(self, batch: Batch) -> None:
        dies, self.dies = self.dies, ""
        if dies == "before":
            raise Died
        super().commit(batch)
        if dies == "after":
            raise Died


class ReadBeside:
    """What letters need of the record is read when somebody says so, as by a thread that is late; or not, by a disk's fault."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.waiting: dict[str, Inquiry] = {}

    def begin(self, id_: str, _table: str, inquiry: Inquiry) -> bool:
        self.waiting[id_] = inquiry
        return True

    def over(self, id_: str) -> None:
        del self.waiting[id_]

    def read(self, *, fails: bool) -> Iterator[InquiryRead]:
        for id_, inquiry in list(self.waiting.items()):
            read: Future[Inquiry] = Future()
            if fails:
                read.set_exception(StoreError("disco", "no se lee"))
            else:
                inquire(inquiry, as_store(self._kept))
                read.set_result(inquiry)
            yield InquiryRead(id_, read)


class Speaker(Plug):
    """One neighbour, and what its talk wants of the record."""

    def __init__(self, talk: NeighbourTalk, wire: Wire) -> None:
        self.talk, self.wire = talk, wire
        self.asked: list[tuple[str, Mark]] = []
        self._place = 0 if talk.side is Side.ABOVE else 1
        wire.ends[self._place] = self

    def unplug(self, now: Micros) -> None:
        self.wire.cut(now)
        self.wire.ends[self._place] = None


class LiveNode(Node):
    """`program`: this one, or the one after it, which writes a kind with the next version, and reads it. `micros`: the
    clock of its wires, which no step of the wall clock moves."""

    store = MortalStore
    speaks: Sequence[int] = ()
    """Versions of the protocol; none: those of its program."""
    kept: MortalStore

    def __init__(self, name: str, seed: int = 1) -> None:
        super().__init__(name, seed)
        self.micros: Micros = SECOND
        self.program = VERSION
        self.lives, self.replaced = 0, False
        self.wires: dict[str, Wire] = {}
        self.ends: dict[str, Speaker] = {}
        self.mirrors: dict[str, KeptMirror] = defaultdict(KeptMirror)
        """Of its boxes: what lies on its disk."""
        self.excused: dict[str, int] = {}
        """Of each neighbour that mirrors it, the last letter that may have left while an alarm said that its mirror lacks some."""
        self.asking = 0
        self.meters: list[MeterHeard] = []
        self.on_commit: Callable[[LiveNode], object] = lambda _node: None
        self.begin()

    # A life of it

    def begin(self) -> None:
        """A new process on what the store has."""
        self.kept.dies = ""
        for end in self.ends.values():
            end.unplug(self.micros)
        self.book = Book._started(as_store(self.kept), self.key)
        self.now += 40
        self.lives += 1
        self.book.start(BOOT, self.now)
        self.beside = ReadBeside(self.kept)
        self.letters = Letters(self.book, self.beside)  # type: ignore[arg-type]
        self.recorded = Recorded(self.state, self.book.seq)
        self._archive = Archive(self.name, lambda: nullcontext(self.kept))  # type: ignore[arg-type, return-value]
        self._tails: dict[str, NewestLetters] = {}
        self._notes: list[Callable[[], None]] = []
        self.ends = {}
        self.mirroring = LiveMirrors(self)
        self._pin()
        self.on_commit(self)

    def swapped(self, kept: MortalStore) -> None:
        """Somebody starts another copy of its record, and says nothing."""
        self.kept = kept
        self.kept.dies = ""
        self.replaced = True
        self.units.clear()
        self.begin()

    def restored(self, kept: MortalStore) -> None:
        """From a backup, by two persons, under a new epoch, before it begins; its units are read anew (R-37)."""
        anew = ask.RestoreNode(self.state.epoch + 1, "respaldo", FRANCO, ANA)
        self.asking += 1
        id_ = OutcomeKey(f"{self.name}/restore", 0, self.asking)
        kept.dies = ""
        Book._started(as_store(kept), self.key).take([Asked(id_, self.now, anew)])
        self.swapped(kept)

    def unit(self, table: str, seat: int) -> Unit:
        """Another one after a restore is another device."""
        if (table, seat) not in self.units:
            self.units[table, seat] = Unit(100_000 * self.lives + 1_000 * len(self.units) + seat)
            self.put(ask.SeatReport(table, seat, self.units[table, seat].device()))
            if self.replaced:
                self.put(ask.OpenSeat(table, seat, FRANCO))
        return self.units[table, seat]

    # The engine

    def commit(self) -> list[tuple[Fact, ...]]:
        """What was put, with what neighbours said behind it."""
        persons, self.waiting = self.waiting, []
        answers = self._take(persons, self._of_neighbours() if persons else [])
        return [answer.facts for answer in answers[: len(persons)]]

    def turn(self) -> None:
        """The engine looks at what neighbours said."""
        self._take([], self._of_neighbours())

    def _of_neighbours(self) -> list[Asked]:
        self.now += 1
        asks = self.letters.asks(self.state)
        return [Asked(one.id or self._next_id(), self.now, one.input, history=one.history) for one in asks]

    def _next_id(self) -> OutcomeKey:
        self.asking += 1
        return OutcomeKey(f"{self.name}/floor", self.lives, self.asking)

    def _take(self, persons: list[Asked], letters: list[Asked]) -> list[Answer]:
        """One commit; if the node dies of it, persons ask again, and neighbours are heard when they say it again."""
        while True:
            if not persons and not letters:
                return []
            try:
                with writing(self.program):
                    answers = self.book.take([*persons, *letters])
            except Died:
                self.begin()
                persons, letters = [one._replace(at=self.now) for one in persons], []
            else:
                news = [fact for answer in answers if not answer.repeated for fact in answer.facts]
                self._notes.append(partial(self._committed, self.state, news, self.book.seq))
                self.on_commit(self)
                return answers

    def read_beside(self, *, fails: bool = False) -> None:
        for item in self.beside.read(fails=fails):
            self.letters.read(item)

    # The links

    def _committed(self, state: Any, facts: list[Fact], seq: int) -> None:
        """As the shell follows a commit, some time after it."""
        self.mirroring.committed(facts)
        of_links = [fact for fact in facts if isinstance(fact, OF_LINKS)]
        if not of_links:
            return
        news = self.recorded.follow(state, of_links, seq)
        for fact in of_links:
            if isinstance(fact, LetterTold):
                self._tails.setdefault(fact.stream, NewestLetters()).add(told_letter(self.name, fact, seq))
        if any(isinstance(fact, NeighbourPinned | NeighbourRevoked) for fact in of_links):
            self._pin()
        for name in news & self.ends.keys():
            self.ends[name].talk.knows(self.recorded.marks(name))

    def _pin(self) -> None:
        pinned = self.recorded.pinned()
        for name in sorted(self.ends.keys() - pinned.keys()):
            end = self.ends.pop(name)
            end.unplug(self.micros)
            self._happen(end)
        protocols, versions = PROTOCOLS if self.program == VERSION else NEXT, [*range(1, self.program + 1)]
        for name in sorted(pinned.keys() - self.ends.keys()):
            talk = NeighbourTalk(self.name, name, pinned[name].side, self.micros, self.speaks or protocols, versions)
            talk.knows(self.recorded.marks(name))
            self.ends[name] = Speaker(talk, self.wires[name])

    def lacks(self, above: str) -> bool:
        """Whether an alarm says that the mirror there lacks what it told."""
        return self.ends[above].talk.held.lacks_what_was_told

    def has_told(self, stream: str, after: Mark | None) -> bool:
        """Whether what follows there is in its record: what was lost with an older one is not."""
        return after is None or after == self.state.told[stream] or bool(self._archive.after(stream, after))

    def serve(self, *, gives: bool = True) -> None:
        """The links' thread: what the engine left for it, and each neighbour's talk. Without `gives` the record is read later."""
        notes, self._notes = self._notes, []
        for note in notes:
            note()
        for end in list(self.ends.values()):
            end.talk.tick(self.micros)
            end.asked += end.talk.wanted()
            while end.asked and gives:
                stream, after = end.asked.pop(0)
                tail = self._tails.get(stream)
                letters = None if tail is None else tail.after(after)
                if letters is None:
                    letters = self._archive.after(stream, after)
                end.talk.give(stream, after, letters, self.micros)
            for stream, after in end.talk.wanted_back():
                end.talk.give_back(stream, after, self._archive.heard_after(end.talk.neighbour, stream, after))
            end.wire.take(end, self.micros)
            if end.talk.held.lacks_what_was_told:
                self.excused[end.talk.neighbour] = self.state.told.get(f"to:{end.talk.neighbour}", START).number
            self._happen(end)

    def _happen(self, end: Speaker) -> None:
        while (event := end.talk.next_event()) is not None:
            match event:
                case Dial():
                    end.wire.dial(self.micros)
                case HangUp():
                    end.wire.cut(self.micros)
                case PrizesHeard():
                    pass  # shown by signs, and nobody decides by it
                case MeterHeard():
                    self.meters = [event]
                case TurnedDown() | MirrorWanted():
                    raise AssertionError(f"{self.name}: {event}")
                case MirrorSaid():
                    self.mirroring.heard(event)
                case _:
                    self.letters.heard(event)
                    if isinstance(event, LinkChanged):
                        self.mirroring.heard(event)


@contextmanager
def writing(program: int) -> Iterator[None]:
    """Letters as this program writes and reads them."""
    if program == VERSION:
        yield
    else:
        reads = patch.object(streams, "READ", tuple(range(1, program + 1)))
        with reads, patch.object(streams, "version_of", _of_the_next):
            yield


def _of_the_next(letter: Letter) -> int:
    """Two kinds say more there."""
    return VERSION + 1 if isinstance(letter, PassOver | PotMoved) else version_of(letter)
