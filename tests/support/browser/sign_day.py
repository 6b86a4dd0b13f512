"""Hours of three tables in no time: the real core plays them, the web's own feed tells a sign of them, and what was committed is kept.

Two pots, as in the demonstration: passes one after the other at DP-01, CP-01 and TX-01, each with bets, now and then with a
winner, who is confirmed and paid, or withdrawn. All instants are milliseconds since the day began.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import AwardConfirmed, ClaimCorrected, ClaimRegistered, Fact, Refused
from controller.core.inputs import Input
from controller.core.project import project
from controller.node.vocabulary.protocol import NodeView
from controller.web.live.changes import StreamEvent
from controller.web.live.entities import LayoutEntity
from controller.web.live.feed import LiveFeed
from controller.web.live.slot import NewestSlot
from support.browser.amounts import Shown
from support.floor.floor import SEED, Floor
from support.places import CONFIG

TABLES = ("DP-01", "CP-01", "TX-01")
SECOND, MINUTE = 1_000, 60_000
_PLANS = CONFIG / "demo/plans"
_PACE = (100, 1_000)  # milliseconds between two things that happen
_REST = (1_000, 6_000)
_WINS, _WITHDRAWN = 0.08, 0.2


class Told(NamedTuple):
    """What the stream said, and when."""

    at: int
    event: str
    data: str


class SignDay(Floor):
    """`committed`: of each pot, from when on it was what; `happened`: how many prizes were confirmed, and withdrawn."""

    def __init__(self, layout: LayoutEntity, seed: int) -> None:
        self._began: int | None = None
        self._chance = Random(seed)
        super().__init__((_PLANS / "pozo-condor.toml").read_text())
        self.stage((_PLANS / "pozo-austral.toml").read_text())
        self.committed: defaultdict[str, list[Shown]] = defaultdict(list)
        self.happened = {AwardConfirmed: 0, ClaimCorrected: 0}
        self._told: list[Told] = []
        self._seq, self._began, self._beaten = 0, self.now, 0
        scope = f"sign:{layout.name}"
        self._feed = LiveFeed(Path(), {layout.name: layout}, lambda _: None, lambda: self.passed * 1_000)
        self._slot = NewestSlot([scope], lambda: None)
        self._show()
        self._feed.join(self._slot)

    @property
    def passed(self) -> int:
        assert self._began is not None, "the day has begun"
        return self.now - self._began

    def ask(self, asked: Input, *, after: int = 1_000) -> tuple[Fact, ...]:
        if self._began is None:
            return super().ask(asked, after=after)
        self._rests(*_PACE)
        facts = super().ask(asked, after=0)
        for fact in facts:
            assert not isinstance(fact, Refused), fact
            if type(fact) in self.happened:
                self.happened[type(fact)] += 1
        self._show()
        return facts

    def minutes(self) -> Iterator[tuple[int, list[Told]]]:
        """The first minute, the second, without end; and what the stream said in it."""
        minute = 1
        for table in cycle(TABLES):
            self._plays(table)
            while self.passed >= minute * MINUTE:
                now = [one for one in self._told if one.at <= minute * MINUTE]
                self._told = self._told[len(now) :]
                yield minute, now
                minute += 1

    # What happens.

    def _plays(self, table: str) -> None:
        seats = self._chance.sample(range(1, 7), self._chance.randint(1, 5))
        self.sealed({seat: self._chance.randint(1, 5) for seat in seats}, table)
        while due := wanted(self.state, self.table(table)):
            self.ask(what_the_seed_says(SEED, due[0]))
        if self._chance.random() < _WINS:
            self.claim((seats[0], self._chance.choice(("color", "full"))), table=table)
            self._rests(2 * MINUTE, 3 * MINUTE)
            claim = self.heard(ClaimRegistered)[-1].claim
            if self._chance.random() < _WITHDRAWN:
                self.reject(claim)
            else:
                self.pay(next(iter(self.state.claims[claim].awards)))
        self.close_pass(table)
        self._rests(*_REST)

    def _rests(self, least: int, most: int) -> None:
        """Each second on the way the node is heard, and the heart beats."""
        end = self.now + self._chance.randint(least, most)
        while self._beaten + SECOND <= end - (self._began or 0):
            self._beaten += SECOND
            self.now = (self._began or 0) + self._beaten
            self._show()
            self._feed.tell_what_is_due()
            self._slot.beat(self._feed._beat())
            self._says()
        self.now = end

    # What is seen of it.

    def _show(self) -> None:
        view = project(self.state)
        self._seq += 1
        self._feed.heard(
            NodeView(2, "central", self._seq, self.now, "hoy", view.tables, view.signs, (), (), (), (), ())
        )
        for pot in view.signs:
            known = self.committed[pot.pot]
            if not known or known[-1].amount != pot.main:
                known.append(Shown(self.passed, pot.main))
        self._says()

    def _says(self) -> None:
        for message in self._slot.take(self._whole):
            event, data = message.plain.decode().strip().split("\ndata: ", 1)
            self._told.append(Told(self.passed, event.removeprefix("event: "), data))

    def _whole(self, scope: str) -> StreamEvent:
        message = self._feed.whole(scope)
        assert message is not None, "the node was heard"
        return message
