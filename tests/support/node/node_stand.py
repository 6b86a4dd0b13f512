"""An engine with everything around it given: its clocks, what the floor says, what signs want; and a log of what left.

The book, the reception, the seeds and the draws are the real ones. `Stand.log` has what happened in its order, the
commits among it, so that a test can say what went before what.
"""

import itertools
from dataclasses import dataclass, field
from typing import NamedTuple

import structlog
from msgspec import json

from controller.core.facts import Entry
from controller.core.values import Signature
from controller.node.book.chain import Key
from controller.node.book.seeds import Seeds
from controller.node.engine.due import Draws
from controller.node.engine.engine import Engine
from controller.node.engine.reception import Reception
from controller.node.publish.show import Show, Surroundings
from controller.node.telemetry.counts import Counts
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import FromLine, FromPerson, Inbox
from controller.node.vocabulary.protocol import Deed, Health, Request, SeatNow
from support.core.book_cases import Client, founded


class Note(NamedTuple):
    event: str
    fields: dict


@dataclass
class PlayedFloor:
    """Says what a test put into `rounds`, one list a round, and wishes what stands in `to_wish`."""

    log: list
    rounds: list = field(default_factory=list)
    to_wish: list = field(default_factory=list)
    sentence: str | None = None
    notes: list = field(default_factory=list)
    locked: bool = True
    due: int | None = None
    asked_for: list = field(default_factory=list)

    def heard(self, line, event, now):
        self.log.append(("heard", event))

    def asks(self, state, now):
        return self.rounds.pop(0) if self.rounds else []

    def wishes(self, state, now):
        wishes, self.to_wish = self.to_wish, []
        return wishes

    def deed(self, deed, request, state, now):
        self.asked_for.append(deed)
        return self.sentence

    def deadline(self):
        return self.due

    def units(self):
        return ()

    def seats(self):
        return (SeatNow("M1", 1, Health.UP, self.locked, "dark", "none", 0),)

    def next_note(self):
        return self.notes.pop(0) if self.notes else None


@dataclass
class PlayedSigns:
    log: list
    to_wish: list = field(default_factory=list)
    sentence: str | None = None
    asked_for: list = field(default_factory=list)

    def heard(self, line, event, now):
        pass

    def wishes(self, view, now):
        self.log.append(("signs", view))
        wishes, self.to_wish = self.to_wish, []
        return wishes

    def deadline(self):
        return None

    def signs(self):
        return ()

    def alarms(self):
        return ()

    def test(self, sign, now):
        self.asked_for.append(Deed.SIGN_TEST)
        return self.sentence

    def next_note(self):
        return None


@dataclass
class PlayedHands:
    log: list

    def give(self, wishes):
        if wishes:
            self.log.append(("wishes", list(wishes)))

    def lock_everything(self):
        self.log.append(("lock everything",))


@dataclass
class PlayedControl:
    log: list
    views: list = field(default_factory=list)
    entries: list = field(default_factory=list)
    verifiers: dict = field(default_factory=dict)

    def people(self, verifiers):
        self.verifiers = dict(verifiers)

    def show(self, view):
        self.views.append(view)
        self.log.append(("view", view.seq))

    def tell(self, entries):
        self.entries += entries


@dataclass
class PlayedMemories:
    log: list

    def save(self, unit, base):
        self.log.append(("memory", unit, base))


class Stand:
    def __init__(self, folder, place=None):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log = []
        self.micros, self.millis = 1_000_000, 0
        self.book = founded(place or folder / "node.db", Key.load_or_make(folder / "node.key"))
        self.client = Client(self.book)
        self.millis = self.book.state.clock
        self.clock = Clock(lambda: self.micros, lambda: self.millis)
        self.inbox = Inbox(lambda: self.micros)
        self.floor, self.signs = PlayedFloor(self.log), PlayedSigns(self.log)
        self.hands, self.control = PlayedHands(self.log), PlayedControl(self.log)
        self.memories = PlayedMemories(self.log)
        around = Surroundings(self.floor, self.signs, self.hands, self.control, self.memories)
        self.journal = structlog.testing.CapturingLogger()
        self.counts = Counts()
        self.show = Show("nodo1", self.book, around, self.clock, self.journal, self.counts, lambda _: ())
        self.seeds = Seeds(folder / "seeds")
        self.lost = []
        self.replies = []
        self.reloads, self.pulses = [], []
        reception = Reception(self.seeds, self.floor, self.signs, self.book.store, self.clock.now)
        self.draws = Draws(self.seeds, self.lost.append)
        self._watch_commits()
        self._ids = itertools.count(1)
        self.engine = Engine(
            self.book, self.inbox, around, self.show, reception, self.draws, self.clock, self.journal, self.counts,
            lambda: self.reloads.append(self.millis), self.pulses.append,
        )  # fmt: skip

    def _watch_commits(self):
        commit = self.book.store.commit

        def watched(batch):
            commit(batch)
            self.log.append(("commit", [row.kind for row in batch.facts]))

        self.book.store.commit = watched

    def turn(self, later=0):
        """Without waiting: the clock does not move by itself."""
        self.micros += later
        self.millis += later // 1000
        self.engine.turn(self.micros)

    def line(self, event, base=None, line="bus"):
        assert self.inbox.put(FromLine(line, event, self.micros, base))

    def asks(self, asked=None, *, id_="", verifier="", signed=(), **told):
        """A person's request; its replies come into `replies`."""
        id_ = id_ or f"{next(self._ids):032x}"
        request = Request(1, id_, **told)
        answer = lambda reply: (self.log.append(("reply", reply.ok)), self.replies.append(reply))
        assert self.inbox.put(FromPerson(request, asked, verifier, answer, tuple(signed)))
        return id_

    def reply(self, *arguments, **told):
        """Of one request, alone in its turn."""
        self.asks(*arguments, **told)
        self.turn()
        return self.replies[-1]

    @property
    def happened(self):
        return [one[0] for one in self.log]

    def kinds(self):
        return [row.kind for row in self.book.store.facts(1)]

    def facts(self):
        return [json.decode(row.body, type=Entry).fact for row in self.book.store.facts(1)]

    def close(self):
        self.book.close()


def wrong(person):
    return Signature(person, verified=False)
