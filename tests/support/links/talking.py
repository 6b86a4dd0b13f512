"""Nodes that talk until nobody has anything to tell: their real records, the real protocol between them, and no sockets.

Each is started as a daemon starts: its book is opened and says so, its links begin from the state. Then whatever one
says the other hears, and what follows is asked of the book as the engine asks it (node/engine/letters.py). At the end
the casino's node has what its box has (node/link/mirroring.py).
"""

import time
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from controller.core.facts import Fact
from controller.core.past.inquiry import Inquiry
from controller.core.values import Mark, Side
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.history import inquire
from controller.node.engine.inquiries import Inquiries
from controller.node.engine.letters import Letters
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.happened import Dial, HangUp, TurnedDown
from controller.node.link.judgement import START
from controller.node.link.mirrors import mirror_of
from controller.node.link.outgoing import Archive
from controller.node.link.recorded import Recorded
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    InquiryRead,
    LinkBroken,
    LinkChanged,
    NeighbourAcknowledged,
)
from drivers.session import MILLISECOND, SECOND, Micros
from support.edits.mirrored import Casino

BOOT = "2f1c0d3e-0000-4000-8000-000000000001"
ROUNDS = 400


class _AtOnce:
    """Inquiries that are read when they are asked: in the place of the engine's."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self.read: list[InquiryRead] = []

    def begin(self, id_: str, _table: str, inquiry: Inquiry) -> bool:
        with Reader.open(self._record) as reader:
            inquire(inquiry, reader)
        done: Future[Inquiry] = Future()
        done.set_result(inquiry)
        self.read.append(InquiryRead(id_, done))
        return True

    def over(self, id_: str) -> None:
        """Nothing waits for it."""


class End:
    """One node on what was left of its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, folder / "node.db"
        self.key = Key.load_or_make(folder / "node.key")
        self.book = Book.open(self.record, self.key)
        self.name = self.book.state.node
        self.book.start(BOOT, _wall())
        self._inquiries = _AtOnce(self.record)
        self._letters = Letters(self.book, cast("Inquiries", self._inquiries))
        self._recorded = Recorded(self.book.state, self.book.seq)
        self._archive = Archive(self.name, partial(Reader.open, self.record))
        self._number = 0
        self.talks: dict[str, NeighbourTalk] = {}
        self.broken: list[object] = []

    def meets(self, other: str, side: Side) -> NeighbourTalk:
        talk = self.talks[other] = NeighbourTalk(self.name, other, side, 0)
        talk.knows(self._recorded.marks(other))
        return talk

    def commit(self) -> None:
        """What was heard, in one commit, and what was read for it."""
        while self._inquiries.read:
            self._letters.read(self._inquiries.read.pop(0))
        asks = self._letters.asks(self.book.state)
        if not asks:
            return
        at = _wall()
        answers = self.book.take([Asked(one.id or self._next(), at, one.input, history=one.history) for one in asks])
        facts: list[Fact] = [fact for answer in answers for fact in answer.facts]
        for name in self._recorded.follow(self.book.state, facts, self.book.seq):
            self.talks[name].knows(self._recorded.marks(name))

    def _next(self) -> OutcomeKey:
        self._number += 1
        return OutcomeKey(f"{self.name}/after/{self.book.seq}", self.book.state.epoch, self._number)

    def serve(self, other: "End", now: Micros) -> None:
        """What this one says to that one, and what came of what it heard."""
        talk = self.talks[other.name]
        talk.tick(now)
        for stream, after in talk.wanted():
            talk.give(stream, after, self._archive.after(stream, after), now)
        while (octets := talk.to_send(now)) is not None:
            other.talks[self.name].receive(octets, now)
        while (event := talk.next_event()) is not None:
            match event:
                case FromNeighbour() | NeighbourAcknowledged() | LinkChanged():
                    self._letters.heard(event)
                case LinkBroken() | HangUp() | TurnedDown():
                    self.broken.append(event)
                case Dial():
                    talk.line_up(now)
                    other.talks[self.name].line_up(now)

    def waits(self) -> list[object]:
        """Letters that somebody has not, or has not acknowledged."""
        state = self.book.state
        found: list[object] = [one for one in state.claims.values() if any(a.waits for a in one.awards.values())]
        for name in state.neighbours:
            marks = self._recorded.marks(name)
            found += [(name, stream) for stream, mark in marks.told.items() if marks.acknowledged.get(stream) != mark]
        return found

    def heard(self, other: str, stream: str) -> Mark:
        return self.book.state.heard.get(f"{other}/{stream}", START)


class Talking:
    """All of them; `links`: who is below whom."""

    def __init__(self, folders: dict[str, Path], links: list[tuple[str, str]]) -> None:
        self._closing = ExitStack()
        self.ends: dict[str, End] = {}
        self._now: Micros = SECOND
        for name, folder in folders.items():
            self.ends[name] = end = End(folder)
            self._closing.callback(end.book.close)
        self._links = [(self.ends[below], self.ends[above]) for below, above in links]
        for below, above in self._links:
            above.meets(below.name, Side.BELOW)
            below.meets(above.name, Side.ABOVE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closing.close()

    def come_to_rest(self) -> int:
        """How many rounds that took."""
        for round_ in range(1, ROUNDS):
            self._now += 50 * MILLISECOND
            for one, other in self._links:
                for here, there in ((one, other), (other, one)):
                    here.serve(there, self._now)
            for end in self.ends.values():
                end.commit()
            assert not (broken := [what for end in self.ends.values() for what in end.broken]), broken
            if round_ > 2 and not any(end.waits() for end in self.ends.values()):
                return round_
        raise AssertionError({name: end.waits() for name, end in self.ends.items()})

    def mirrored(self, box: str, casino: str) -> None:
        """The casino's mirror takes what it lacks of its box, and has nothing that the box has not."""
        keeper = self.ends[casino]
        mirror = Casino(mirror_of(keeper.folder, box), box, keeper.key)
        try:
            mirror.up()
            with Reader.open(self.ends[box].record) as reader:
                mirror.copy(reader)
                assert not mirror.differs, mirror.differs
                assert list(mirror.file.facts()) == list(reader.facts())
        finally:
            mirror.close()


def _wall() -> int:
    return time.time_ns() // 1_000_000
