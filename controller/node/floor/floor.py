"""The floor: what the devices say becomes what the core should hear, what the core knows becomes what they are sent.

Theory. Pure: no clock, no ports, no threads; the engine owns one and calls it. Level-triggered both ways: what is asked
and what is wished follows from the newest readings and the state alone, so whatever is lost, late, doubled or killed is
made good by looking again (devices.md 2.1). A process that begins anew begins with an empty floor and needs no more.

What an event costs does not grow with the tables. A look goes to the tables that were touched: by what their devices or
persons said, by a state in which they, their pot's plan or the day are others, or because an instant came that they
wait for. A table stays touched until a look finds nothing left to ask and nothing to wish. And a table that was not
looked at for `EVERY_TABLE` is looked at in the next turn: what touched more than was thought is made good then.
The engine turns twice a second at least, so within a second.

A device that says nothing in time is not trusted, a lamp that is not seen lit in time is none (R-5, R-6): in time that
the node looked. Where its process stood still (SIGSTOP, a laptop's lid, a disk that took seconds) nobody was late, and
what devices said meanwhile has still to be read. So the floor counts the time in which somebody was there; and whoever
wanted a table open while nobody listened says so again.

`attend` begins a turn; `heard` takes events in their order; `asks` is answered and asked again until nothing is left;
then `wishes`.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import TypeVar

from controller.core.inputs import Input
from controller.core.state import State
from controller.core.values import TRAINING
from controller.core.view import Alarm
from controller.node.floor.seats import Patience
from controller.node.floor.table import TableDevices
from controller.node.floor.units import Unit, seats_now, unit_now
from controller.node.floor.words import NO_TABLE
from controller.node.vocabulary.commands import Note, Wish
from controller.node.vocabulary.inbox import LONGEST_WAIT
from controller.node.vocabulary.places import Node, UnitKey
from controller.node.vocabulary.protocol import Deed, Request, SeatNow, UnitNow, Waits
from drivers.model import ConsoleSeen, Down, Explained, FaultsSeen, Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.pump import PortClosed, PortNotOpened, PortOpened
from drivers.session import SECOND, Micros

MOST_NOTES = 1_000
_Found = TypeVar("_Found")
EVERY_TABLE: Micros = SECOND // 2
STOOD_STILL: Micros = 2 * LONGEST_WAIT
"""Between two turns of an engine that waits half of it at most."""


class Floor:
    def __init__(self, node: Node) -> None:
        self._units = {place.key: Unit(place) for place in node.units}
        patience = Patience(node.silent_after, node.lamp_after)
        self._tables = {
            name: TableDevices(name, [self._units[key] for key in keys], patience, self._note)
            for name, keys in _units_of(node).items()
        }
        self._order = {name: at for at, name in enumerate(self._tables)}
        self._to_ask, self._to_wish = set(self._tables), set(self._tables)
        self._looked = dict.fromkeys(self._tables, 0)  # at each table, when
        self._due: dict[str, Micros | None] = {}  # when time alone touches it
        self._undated = set(self._tables)  # since that was worked out, it was touched or looked at
        self._next_look: Micros = 0
        self._now: Micros = 0  # in attended time, as all instants here
        self._attended: Micros | None = None
        self._away: Micros = 0  # in all
        self._state = State()  # of the last look
        self._notes: deque[Note] = deque(maxlen=MOST_NOTES)
        self._shown = {
            key: (unit_now(unit, ""), tuple(seats_now(unit, Waits.NOTHING))) for key, unit in self._units.items()
        }
        self._to_show = set(self._tables)
        self._units_now: tuple[UnitNow, ...] = tuple(unit for unit, _ in self._shown.values())
        self._seats_now: tuple[SeatNow, ...] = tuple(seat for _, seats in self._shown.values() for seat in seats)

    def attend(self, now: Micros) -> None:
        """The engine is here and looks again, after whatever time."""
        if self._attended is not None and now - self._attended >= STOOD_STILL:
            self._away += now - self._attended
            for table in self._tables.values():
                table.was_left_alone(now - self._away)
        self._attended = now

    # What the devices say

    def heard(self, line: str, event: object, now: Micros) -> bool:
        """Whether a unit of the floor said it: then it is nobody else's business."""
        match event:
            case UnitUp() | UnitDown() | SeatSeen() | ConsoleSeen() | Settled() | Notice() | Explained() | FaultsSeen():
                unit = self._units.get(UnitKey(line, event.unit))
                if unit is not None:  # no sign
                    self._touch(unit.place.table)
                    table = self._tables[unit.place.table]
                    if isinstance(event, UnitUp):
                        event = self._apart(unit, event)
                    if unit.twin is None or isinstance(event, UnitUp | UnitDown):
                        table.heard(unit.key, event, now - self._away)
                return unit is not None
            case PortOpened(place, notes):
                self._note("port_opened", {"line": line, "port": place, "notes": list(notes)})
            case PortClosed(place, detail):
                self._note("port_closed", {"line": line, "port": place, "detail": detail})
            case PortNotOpened(place, reason, detail):
                fields = {"line": line, "port": place, "reason": reason.value, "detail": detail}
                self._note("port_not_opened", fields)
        return False

    def _apart(self, unit: Unit, came: UnitUp) -> UnitUp | UnitDown:
        """R-37: of two boxes that say they are one, whose totals would be one account, only the first is believed. The
        second stays out until it comes up anew."""
        others = (one for one in self._units.values() if one is not unit and one.up and one.is_native)
        unit.twin = next((one for one in others if one.device == came.device), None) if unit.is_native else None
        if unit.twin is None:
            return came
        told = f"serial {came.device.serial} and epoch {came.device.epoch} are those of {unit.twin.name}"
        return UnitDown(unit=came.unit, seats=came.seats, reason=Down.TWIN, detail=told)

    # What the core should hear, and what the devices should be sent

    def asks(self, state: State, now: Micros) -> list[Input]:
        """At most one input for a seat; a table's own comes alone."""
        return self._look(self._to_ask, TableDevices.asks, state, now - self._away)

    def wishes(self, state: State, now: Micros) -> list[Wish]:
        return self._look(self._to_wish, TableDevices.wishes, state, now - self._away)

    def _look(
        self, touched: set[str], at: Callable[[TableDevices, State, Micros], list[_Found]], state: State, now: Micros
    ) -> list[_Found]:
        self._see(state, now)
        found: list[_Found] = []
        for name in sorted(touched, key=self._order.__getitem__):
            its = at(self._tables[name], state, now)
            self._looked[name] = now
            self._undated.add(name)
            if its:
                self._touch(name)
                found += its
            else:
                touched.discard(name)
        return found

    def _see(self, state: State, now: Micros) -> None:
        """Touches what waited for this instant, and what is another than at the last look. A state is never changed, so
        identity says what is."""
        self._date()
        self._now = now
        if now >= self._next_look:
            for name, looked in self._looked.items():
                due = self._due[name]
                if now - looked >= EVERY_TABLE or (due is not None and now >= due):
                    self._touch(name)
        before, self._state = self._state, state
        if state.tables is not before.tables:
            for name, table in state.tables.items():
                if before.tables.get(name) is not table:
                    self._touch(name.removeprefix(TRAINING))
        if _touches_every_table(before, state):
            for name in self._tables:
                self._touch(name)

    def _touch(self, name: str) -> None:
        if name in self._tables:  # a plan may name more than the settings
            self._to_ask.add(name)
            self._to_wish.add(name)
            self._to_show.add(name)
            self._undated.add(name)

    # What a person asks of the node itself

    def deed(self, deed: Deed, request: Request, state: State, now: Micros) -> str | None:
        """Why not, in a sentence; nothing when it is done."""
        table = self._tables.get(request.table)
        if table is None:
            return NO_TABLE
        self._touch(table.name)
        return table.deed(deed, request, state, now - self._away)

    # When to look again, and what there is to see

    def deadline(self) -> Micros | None:
        """The next instant at which something is due although nothing is heard."""
        self._date()
        return min((due + self._away for due in self._due.values() if due is not None), default=None)

    def _date(self) -> None:
        if self._undated:
            for name in self._undated:
                self._due[name] = self._tables[name].deadline(self._now)
            self._undated.clear()
            looks = (looked + EVERY_TABLE for looked in self._looked.values())
            self._next_look = min([*looks, *(due for due in self._due.values() if due is not None)], default=self._now)

    def units(self) -> tuple[UnitNow, ...]:
        self._show()
        return self._units_now

    def seats(self) -> tuple[SeatNow, ...]:
        self._show()
        return self._seats_now

    def _show(self) -> None:
        """Only what was touched is made anew; what is equal to what was shown stays the same value."""
        is_news = False
        for name in self._to_show:
            table = self._tables[name]
            for key, unit in table.units.items():
                known, (before, seats) = unit_now(unit, table.locked_for(unit)), self._shown[key]
                told = seats_now(unit, table.waits(unit))
                now = tuple(old if old == new else new for old, new in zip(seats, told, strict=True))
                if known != before or now != seats:
                    self._shown[key], is_news = (before if known == before else known, now), True
        self._to_show.clear()
        if is_news:
            self._units_now = tuple(unit for unit, _ in self._shown.values())
            self._seats_now = tuple(seat for _, seats in self._shown.values() for seat in seats)

    def alarms(self) -> tuple[Alarm, ...]:
        """R-6, R-37: what persons must look at and no record says."""
        return tuple(alarm for table in self._tables.values() for alarm in table.alarms())

    def next_note(self) -> Note | None:
        return self._notes.popleft() if self._notes else None

    def _note(self, event: str, fields: Mapping[str, object]) -> None:
        self._notes.append(Note(event, fields))


def _touches_every_table(before: State, state: State) -> bool:
    """A day, a plan, or which tables there are. A pot's money touches none."""
    if state.day is not before.day:
        return True
    if state.tables is not before.tables and state.tables.keys() != before.tables.keys():
        return True
    plans = [] if state.pots is before.pots else [pot.documents for pot in state.pots.values()]
    return bool(plans) and plans != [pot.documents for pot in before.pots.values()]


def _units_of(node: Node) -> dict[str, list[UnitKey]]:
    keys: dict[str, list[UnitKey]] = {place.name: [] for place in node.tables}
    for place in node.units:
        keys[place.table].append(place.key)
    return keys
