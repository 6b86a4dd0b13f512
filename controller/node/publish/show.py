"""What leaves the engine once the replies are out: signs, the view for screens, the committed facts, the journal.

Theory. Newest value wins: whatever changed is shown within `VIEW_EVERY`, once, however often it changed in between; the
last state always gets out, and a sign of life every `BEAT`. It is made of the committed state only. Nothing that goes
out here is ever waited for by a player at his seat: that is the engine's business, and comes first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from controller.core.facts import Fact, PassClosed, PassSealed, Refused
from controller.core.links.names import is_away
from controller.core.project import Projector
from controller.core.state import State
from controller.core.view import Alarm, View
from controller.node.book.book import Answer, Book
from controller.node.control.control import Control
from controller.node.devices.dispatch import Dispatcher
from controller.node.devices.memories import Memories
from controller.node.floor.floor import Floor
from controller.node.publish.far_pots import FarPots
from controller.node.publish.neighbours import Unacknowledged, far_pots_now, link_alarms, neighbours_now
from controller.node.publish.showing import NONE_LINKED, Devices, LinksNow, node_view
from controller.node.signs.signboard import Signboard
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import Journal, Says
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.protocol import InquiryNow, NodeView
from drivers.session import MILLISECOND, SECOND, Micros

VIEW_EVERY: Micros = 50 * MILLISECOND
BEAT: Micros = SECOND

_OF_A_SEAT = {"bet_made", "device_seen", "lamp_changed", "seat_proven", "chips_fell", "nothing_new"}
_OF_A_LETTER = {"letter_told", "letter_heard", "letter_acknowledged"}
_TOO_MANY = _OF_A_SEAT | _OF_A_LETTER
"""Too many for a journal; they stand in the record."""
_OF_A_PASS = PassSealed | PassClosed
"""A neighbour's stand in its own journal: who owns a pot hears those of a hundred casinos."""
_CONCERNS = (
    "table",
    "seat",
    "number",
    "pot",
    "claim",
    "award",
    "prize",
    "amount",
    "day",
    "person",
    "what",
    "sign",
    "by",
    "second",
)


class Surroundings(NamedTuple):
    """The engine's neighbours. Floor and signs are pure and live in the engine's thread; the other three are doors to
    other threads or to the disk."""

    floor: Floor
    signs: Signboard
    hands: Dispatcher
    control: Control
    memories: Memories


class Show:
    """`standing`: the alarms that follow from the committed state itself; `reading`: what is read for whom."""

    def __init__(
        self,
        name: str,
        book: Book,
        around: Surroundings,
        clock: Clock,
        journal: Journal,
        counts: Counts,
        standing: Callable[[State], Iterable[Alarm]],
        reading: Callable[[], tuple[InquiryNow, ...]] = tuple,
    ) -> None:
        self._name, self._book, self._around, self._clock = name, book, around, clock
        self._journal, self._counts, self._standing, self._reading = journal, counts, standing, reading
        self.alarms: dict[str, Alarm] = {}
        self.stopping = False
        self.view: NodeView | None = None
        self._dirty = True
        self._last: Micros | None = None
        self._new: list[Answer] = []
        self._projector = Projector()
        self.far, self._written = FarPots(), Unacknowledged()
        self.far.follow(book.state, clock.wall(), clock.now())

    def changed(self, answers: Sequence[Answer] = ()) -> None:
        """Something is to be seen otherwise; `answers` were committed just now."""
        self._dirty = True
        self._new += answers
        state, wall = self._book.state, self._clock.wall()
        if answers and state.neighbours:
            self.far.follow(state, wall, self._clock.now())
            self._written.follow((fact for answer in answers for fact in answer.facts), state, wall)

    def raise_alarm(self, key: str, alarm: Alarm | None) -> None:
        """What the node itself has to say, until it is taken back with None."""
        if self.alarms.get(key) != alarm:
            self.alarms = {name: one for name, one in self.alarms.items() if name != key}
            if alarm is not None:
                self.alarms[key] = alarm
            self._dirty = True

    def deadline(self) -> Micros:
        due = 0 if self._last is None else self._last + (VIEW_EVERY if self._dirty else BEAT)
        signs = self._around.signs.deadline()
        return due if signs is None else min(due, signs)

    def turn(self, now: Micros) -> None:
        """Whatever is due."""
        signs = self._around.signs.deadline()
        if self._last is None or now >= self._last + (VIEW_EVERY if self._dirty else BEAT):
            self.now(now)
        elif signs is not None and now >= signs:
            self._around.hands.give(self._around.signs.wishes(self._project(), now, self.far.since()))

    def fresh(self, now: Micros) -> NodeView:
        """For a person who asks: what was shown just now, if nothing has changed since."""
        late = self._last is None or self._dirty or now >= self._last + VIEW_EVERY
        return self.now(now) if late or self.view is None else self.view

    def now(self, now: Micros) -> NodeView:
        """At once."""
        self._last, self._dirty = now, False
        view = self._project()
        self._around.hands.give(self._around.signs.wishes(view, now, self.far.since()))
        around, book = self._around, self._book
        devices = Devices(around.floor.units(), around.floor.seats(), around.signs.signs())
        standing = (*self._standing(book.state), *link_alarms(book.state))
        alarms = (*self.alarms.values(), *standing, *around.signs.alarms(), *around.floor.alarms())
        self.view = node_view(
            self._name,
            book.state,
            book.seq,
            view,
            devices,
            alarms,
            self._clock.wall(),
            book.balances,
            stopping=self.stopping,
            inquiries=self._reading(),
            links=self._links(now),
        )
        answers, self._new = self._new, []
        around.control.show(self.view, (body for answer in answers for body in answer.bodies))
        self._counts.views += 1
        self._write_down(answers)
        return self.view

    def _project(self) -> View:
        return self.far.over(self._projector.view(self._book.state))

    def _links(self, now: Micros) -> LinksNow:
        state = self._book.state
        if not state.neighbours:
            return NONE_LINKED
        far = far_pots_now(state, self.far.since(), now)
        return LinksNow(neighbours_now(state, self._written), far)

    def _write_down(self, answers: Iterable[Answer]) -> None:
        """The journal's lines about what was committed, and about what floor and signs have noted."""
        for answer in answers:
            for seq, fact in enumerate(answer.facts, answer.first):
                self._write(seq, fact)
        self.write_notes(self._around.floor)
        self.write_notes(self._around.signs)

    def _write(self, seq: int, fact: Fact) -> None:
        kind = str(type(fact).__struct_config__.tag)
        if isinstance(fact, Refused):
            self._counts.refused += 1
            self._journal.warning(Says.REFUSED, fact=seq, **msgspec.structs.asdict(fact))
        elif kind not in _TOO_MANY and not (isinstance(fact, _OF_A_PASS) and is_away(fact.table)):
            concerns = {name: getattr(fact, name) for name in _CONCERNS if getattr(fact, name, "") not in {"", None}}
            self._journal.info(Says.FACT, fact=seq, kind=kind, **concerns)

    def write_notes(self, teller: Floor | Signboard) -> None:
        while (note := teller.next_note()) is not None:
            self._journal.info(note.event, **note.fields)
