"""An engine with everything around it given: its clocks, what the floor says, what signs want; and a log of what left.

The book, the reception, the seeds and the draws are the real ones. `Stand.log` has what happened in its order, the
commits among it, so that a test can say what went before what.
"""

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import structlog
from msgspec import json

from controller.core.facts import Entry, Fact
from controller.core.inputs import Input
from controller.core.node import AGREES
from controller.core.state import State
from controller.core.values import Signature
from controller.core.view import Alarm, View
from controller.node.book.chain import Key
from controller.node.book.seeds import Seeds
from controller.node.engine.due import Draws
from controller.node.engine.engine import Engine
from controller.node.engine.inquiries import Inquiries
from controller.node.engine.reception import Reception
from controller.node.engine.told import NO_LINKS, LinksTold
from controller.node.publish.show import Show, Surroundings
from controller.node.signs.trial import Verdict
from controller.node.store.rows import Batch
from controller.node.store.store import Reader
from controller.node.telemetry.counts import Counts
from controller.node.vocabulary.clock import Clock, SteppedClock
from controller.node.vocabulary.commands import Wish
from controller.node.vocabulary.house import House
from controller.node.vocabulary.inbox import FromLine, FromPerson, Inbox, InquiryRead
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import Deed, Health, NodeView, Reply, Request, SeatNow, SignNow, UnitNow
from drivers.session import Micros
from support.core.book_cases import Client, founded
from support.nonces import nonce_of


class Note(NamedTuple):
    event: str
    fields: dict[str, object]


Log = list[tuple[Any, ...]]
"""What happened, each as a word and what it was about."""


@dataclass
class PlayedFloor:
    """Says what a test put into `rounds`, one list a round, and wishes what stands in `to_wish`."""

    log: Log
    rounds: list[list[Input]] = field(default_factory=list)
    to_wish: list[Wish] = field(default_factory=list)
    sentence: str | None = None
    notes: list[Note] = field(default_factory=list)
    locked: bool = True
    due: int | None = None
    asked_for: list[Deed] = field(default_factory=list)
    attended: list[Micros] = field(default_factory=list)

    def attend(self, now: Micros) -> None:
        self.attended.append(now)

    def heard(self, _line: str, event: object, _now: Micros) -> None:
        self.log.append(("heard", event))

    def asks(self, _state: State, _now: Micros) -> list[Input]:
        return self.rounds.pop(0) if self.rounds else []

    def wishes(self, _state: State, _now: Micros) -> list[Wish]:
        wishes, self.to_wish = self.to_wish, []
        return wishes

    def deed(self, deed: Deed, _request: Request, _state: State, _now: Micros) -> str | None:
        self.asked_for.append(deed)
        return self.sentence

    def deadline(self) -> Micros | None:
        return self.due

    def units(self) -> tuple[UnitNow, ...]:
        return ()

    def seats(self) -> tuple[SeatNow, ...]:
        return (SeatNow("M1", 1, Health.UP, self.locked, "dark", "none", 0),)

    def alarms(self) -> tuple[Alarm, ...]:
        return ()

    def next_note(self) -> Note | None:
        return self.notes.pop(0) if self.notes else None


@dataclass
class PlayedSigns:
    log: Log
    heard_at: Mapping[str, Micros] = field(default_factory=dict)
    to_wish: list[Wish] = field(default_factory=list)
    sentence: str | None = None
    asked_for: list[Deed] = field(default_factory=list)
    verdicts: list[Verdict | None] = field(default_factory=list)
    """What a test came to, one for each look; then it is well."""

    def heard(self, _line: str, _event: object, _now: Micros) -> None:
        pass

    def wishes(self, view: View | None, _now: Micros, heard: Mapping[str, Micros] | None = None) -> list[Wish]:
        self.heard_at = heard or {}
        self.log.append(("signs", view))
        wishes, self.to_wish = self.to_wish, []
        return wishes

    def deadline(self) -> None:
        return None

    def signs(self) -> tuple[SignNow, ...]:
        return ()

    def alarms(self) -> tuple[Alarm, ...]:
        return ()

    def test(self, _sign: str, _now: Micros) -> str | None:
        self.asked_for.append(Deed.SIGN_TEST)
        return self.sentence

    def verdict(self, _sign: str, _now: Micros) -> Verdict | None:
        return self.verdicts.pop(0) if self.verdicts else Verdict()

    def next_note(self) -> None:
        return None


@dataclass
class PlayedHands:
    log: Log

    def give(self, wishes: Sequence[Wish]) -> None:
        if wishes:
            self.log.append(("wishes", list(wishes)))

    def lock_everything(self) -> None:
        self.log.append(("lock everything",))


@dataclass
class PlayedControl:
    log: Log
    views: list[NodeView] = field(default_factory=list)
    entries: list[bytes] = field(default_factory=list)
    verifiers: dict[str, str] = field(default_factory=dict)
    house: House | None = None
    to_count: list[Input] = field(default_factory=list)

    def people(self, verifiers: Mapping[str, str], house: House) -> None:
        self.verifiers, self.house = dict(verifiers), house

    def unproven(self, _now: Micros) -> Sequence[Input]:
        counted, self.to_count = self.to_count, []
        return counted

    def show(self, view: NodeView, facts: Iterable[bytes] = ()) -> None:
        self.views.append(view)
        self.log.append(("view", view.seq))
        self.entries += facts


@dataclass
class PlayedMemories:
    log: Log

    def save(self, unit: UnitKey, base: object) -> None:
        self.log.append(("memory", unit, base))


class Stand:
    def __init__(self, folder: Path, place: Path | str | None = None, links: LinksTold = NO_LINKS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log: Log = []
        self.micros, self.millis, self.stepped = 1_000_000, 0, 0
        self.book = founded(place or folder / "node.db", Key.load_or_make(folder / "node.key"))
        self.client = Client(self.book)
        self.millis = self.book.state.clock
        self.clock = Clock(lambda: self.micros, lambda: self.millis, self.passed_by)
        self.inbox = Inbox(lambda: self.micros)
        self.floor, self.signs = PlayedFloor(self.log), PlayedSigns(self.log)
        self.hands, self.control = PlayedHands(self.log), PlayedControl(self.log)
        self.memories = PlayedMemories(self.log)
        played: list[Any] = [self.floor, self.signs, self.hands, self.control, self.memories]
        around = Surroundings(*played)
        self.journal = structlog.testing.CapturingLogger()
        self.counts = Counts()
        self.inquiries = Inquiries(lambda: Reader.open(place or folder / "node.db"), self._was_read)
        self.came_back = threading.Event()
        self.show = Show(
            "nodo1",
            self.book,
            around,
            self.clock,
            self.journal,
            self.counts,
            lambda _: (),
            self.inquiries.now,
        )
        self.seeds = Seeds(folder / "seeds")
        self.lost: list[str] = []
        self.replies: list[Reply] = []
        self.reloads: list[int] = []
        self.pulses: list[Micros] = []
        reception = Reception(self.seeds, around.floor, around.signs, self.book.store, self.clock)
        self.draws = Draws(self.seeds, self.lost.append)
        self._watch_commits()
        self._ids = itertools.count(1)
        self.engine = Engine(
            self.book, self.inbox, around, self.show, reception, self.draws, self.inquiries, self.clock, SteppedClock(self.clock, AGREES), self.journal,
            self.counts, lambda: self.reloads.append(self.millis), self.pulses.append, links,
        )  # fmt: skip

    def _was_read(self, read: InquiryRead) -> None:
        self.inbox.put(read)
        self.came_back.set()

    def _watch_commits(self) -> None:
        commit = self.book.store.commit

        def watched(batch: Batch) -> None:
            commit(batch)
            self.log.append(("commit", [row.kind for row in batch.facts]))

        self.book.store.commit = watched  # type: ignore[method-assign]

    def turn(self, later: Micros = 0) -> None:
        """Without waiting: the clock does not move by itself."""
        self.micros += later
        self.millis += later // 1000
        self.engine.turn(self.micros)

    def line(self, event: object, base: object | None = None, line: str = "bus") -> None:
        assert self.inbox.put(FromLine(line, event, self.micros, base))

    def passed_by(self) -> int:
        """Time goes on with the wall clock, but for what a test lets it step by."""
        return (self.millis - self.stepped) * 1_000

    def asks(
        self,
        asked: Input | None = None,
        *,
        id_: str = "",
        verifier: str = "",
        signed: Iterable[Signature] = (),
        **told: Any,
    ) -> str:
        """A person's request; its replies come into `replies`."""
        id_ = id_ or f"{next(self._ids):032x}"
        if told.get("do") is Deed.OPEN_DAY:
            told = {"nonce": nonce_of(told.get("day", "")), **told}
        request = Request(1, id_, **told)

        def answer(reply: Reply) -> None:
            self.log.append(("reply", reply.ok))
            self.replies.append(reply)

        assert self.inbox.put(FromPerson(request, asked, verifier, answer, tuple(signed)))
        return id_

    def reply(self, *arguments: Any, **told: Any) -> Reply:
        """Of one request, alone in its turn."""
        self.asks(*arguments, **told)
        self.turn()
        return self.replies[-1]

    @property
    def happened(self) -> list[str]:
        return [one[0] for one in self.log]

    def kinds(self) -> list[str]:
        return [row.kind for row in self.book.store.facts(1)]

    def facts(self) -> list[Fact]:
        return [json.decode(row.body, type=Entry).fact for row in self.book.store.facts(1)]

    def close(self) -> None:
        self.inquiries.stop()
        self.book.close()


def wrong(person: str) -> Signature:
    return Signature(person, verified=False)
