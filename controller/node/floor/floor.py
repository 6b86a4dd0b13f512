"""The floor: what the devices say becomes what the core should hear, what the core knows becomes what they are told.

Theory. Pure: no clock, no ports, no threads; the engine owns one and calls it. Level-triggered both ways: what is asked
and what is wished follows from the newest readings and the state alone, so whatever is lost, late, doubled or killed is
made good by looking again (devices.md 2.1). A process that begins anew begins with an empty floor and needs no more.

`heard` takes events in their order; `asks` is answered and asked again until nothing is left; then `wishes`.
"""

from collections import deque
from collections.abc import Iterable

from controller.core.inputs import Input
from controller.core.state import Seat, State, Table, in_play, plan_at
from controller.core.values import TRAINING, Lamp, Phase
from controller.node.floor.console import Buttons, Presses, presses
from controller.node.floor.lamps import LOOKED_AT, LampTest
from controller.node.floor.opening import Opening
from controller.node.floor.outbox import Outbox
from controller.node.floor.seats import Patience, SeatContext, ask
from controller.node.floor.units import Unit
from controller.node.floor.views import seats_now, unit_now
from controller.node.floor.wishes import DeviceContext, wishes
from controller.node.floor.words import (
    CANNOT_CLEAR,
    CHIPS_OF_NOBODY,
    LAMP_BETWEEN,
    NO_SUCH_SEAT,
    NO_TABLE,
    NOBODY_UP,
    NOT_BETWEEN,
    NOT_UP,
    WAITS,
    Note,
    other_plan,
)
from controller.node.vocabulary.commands import ClearSeatFaults, Wish
from controller.node.vocabulary.places import Node, TablePlace, UnitKey
from controller.node.vocabulary.protocol import Deed, Request, SeatNow, UnitNow
from controller.rules.bets import Limits
from drivers.io_module.map import IoMap
from drivers.model import ConsoleSeen, Explained, Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.pump import PortClosed, PortNotOpened, PortOpened
from drivers.session import Micros

MOST_NOTES = 1_000


class _Desk:
    """What is remembered of one table: who may be open, and what was pressed."""

    def __init__(self, place: TablePlace) -> None:
        self.place = place
        self.buttons = Buttons()
        self.opening = Opening()
        self.lamps = LampTest()


class Floor:
    def __init__(self, node: Node) -> None:
        self._units = {place.key: Unit(place) for place in node.units}
        self._outboxes = {key: Outbox(key) for key in self._units}
        self._desks = {place.name: _Desk(place) for place in node.tables}
        self._units_at = {name: self._console_first(name) for name in self._desks}
        self._unit_of = {(unit.place.table, seat): unit for unit in self._units.values() for seat in unit.place.seats}
        self._patience = Patience(node.silent_after, node.lamp_after)
        self._extra: list[Wish] = []
        self._notes: deque[Note] = deque(maxlen=MOST_NOTES)
        self._now: Micros = 0
        self._looked = False
        self._locking: set[str] = set()  # tables in which something is being proven
        self._unlit: list[Micros] = []  # since when lamps of bets that were lit are not
        self._astray: set[UnitKey] = set()  # made for another plan than the one in force

    def _console_first(self, table: str) -> list[Unit]:
        """It may hold the line that locks the rest."""
        units = [unit for unit in self._units.values() if unit.place.table == table]
        return sorted(units, key=lambda unit: not unit.is_console)

    # What the devices say

    def heard(self, line: str, event: object, now: Micros) -> None:
        self._now = now
        match event:
            case PortOpened() | PortClosed() | PortNotOpened():
                self._hear_port(line, event)
            case UnitUp() | UnitDown() | SeatSeen() | ConsoleSeen() | Settled() | Notice() | Explained():
                unit = self._units.get(UnitKey(line, event.unit))
                if unit is None:
                    return  # a sign
                self._hear(unit, event, now)
            case _:
                pass

    def _hear_port(self, line: str, event: PortOpened | PortClosed | PortNotOpened) -> None:
        match event:
            case PortOpened(place, notes):
                self._note("port_opened", line=line, port=place, notes=list(notes))
            case PortClosed(place, detail):
                self._note("port_closed", line=line, port=place, detail=detail)
            case PortNotOpened(place, reason, detail):
                self._note("port_not_opened", line=line, port=place, reason=reason.value, detail=detail)

    def _hear(self, unit: Unit, event: object, now: Micros) -> None:
        outbox, desk = self._outboxes[unit.key], self._desks[unit.place.table]
        opening = desk.opening
        match event:
            case UnitUp():
                unit.comes_up(event)
                outbox.starts_anew()
                desk.lamps.forget(unit.key)
                opening.leaves(unit.key)
                self._say(unit, "unit_up", serial=event.device.serial, epoch=event.device.epoch, again=event.rebooted)
            case UnitDown():
                desk.lamps.forget(unit.key)
                if unit.goes_down(event, now):
                    self._say(unit, "unit_down", reason=event.reason.value, detail=event.detail)
                if opening.leaves(unit.key):
                    self._say(unit, "unit_waits_for_unlock")
            case SeatSeen():
                self._hear_image(unit, unit.record(event), opening, now)
            case ConsoleSeen():
                self._hear_console(unit, event)
            case Settled():
                self._hear_settled(unit, event, now)
            case Notice(seat=seat, kind=kind, detail=detail):
                self._say(unit, "device_alarm", seat=seat, kind=kind, detail=detail)
            case Explained(entries=entries, missed=missed):
                self._say(unit, "device_events", entries=[str(entry) for entry in entries], missed=missed)

    def _hear_image(self, unit: Unit, image: Iterable[SeatSeen], opening: Opening, now: Micros) -> None:
        outbox = self._outboxes[unit.key]
        for seen in image:
            unit.looks_at_lamp(seen, now)
            if outbox.round is None:
                continue  # it was locked: open or not, it says nothing of this pass
            if not seen.locked:
                outbox.reads_open()
            if opening.read_back(unit.key, locked=seen.locked):
                self._say(unit, "unit_locked_itself", seat=seen.seat)

    def _hear_console(self, unit: Unit, event: ConsoleSeen) -> None:
        """Of what was pressed while nobody listened the lock still counts; an old wish to open does not."""
        found = presses(unit.console, event)
        found = found._replace(unlock=found.unlock and unit.is_listened_to)
        unit.console, unit.is_listened_to = event, True
        if found.lock:
            self._say(unit, "lock_pressed")
        if found.unlock:
            self._say(unit, "unlock_pressed")
        self._desks[unit.place.table].buttons.press(found)

    def _hear_settled(self, unit: Unit, event: Settled, now: Micros) -> None:
        self._outboxes[unit.key].settled(event, now)
        self._desks[unit.place.table].lamps.settled(unit.key, event)
        if event.done:
            return
        self._say(unit, "order_refused", seat=event.seat, command=event.command, result=event.result)
        if event.command == "relight":
            unit.not_relit.add(event.seat)
        if event.command == "unlock":
            self._desks[unit.place.table].opening.leaves(unit.key)

    # What the core should hear

    def asks(self, state: State, now: Micros) -> list[Input]:
        """At most one input for a seat; a table's own comes alone."""
        self._look(state, now)
        asked: list[Input] = []
        for name, desk in self._desks.items():
            table = _table(state, name)
            of_table = desk.buttons.ask(table, state, now)
            self._after_buttons(desk)
            if of_table is not None:
                asked.append(of_table)
            elif table is not None:
                for at in self._seats_of(state, table, desk):
                    said = ask(at, desk.opening.since, now, self._patience)
                    asked += [said] if said is not None else []
                    if said is not None and at.unit is not None and at.has_chips_of_nobody:
                        self._say(at.unit, "chips_not_booked", seat=at.seat.number, why=CHIPS_OF_NOBODY)
        return asked

    def _after_buttons(self, desk: _Desk) -> None:
        if desk.buttons.refused:
            self._note("unlock_refused", table=desk.place.name, why=desk.buttons.refused)
            desk.buttons.refused = ""
        if desk.buttons.reopen:
            desk.buttons.reopen = False
            for key in sorted(desk.opening.reopen(self._up(desk))):
                self._say(self._units[key], "unit_reopened")

    def _look(self, state: State, now: Micros) -> None:
        """Where every table stands; who was never heard is down since the first look."""
        self._now = now
        if not self._looked:
            self._looked = True
            for unit in self._units.values():
                if not unit.up and unit.down_since is None:
                    unit.down_since = now
        self._locking.clear()
        self._unlit.clear()
        for name, desk in self._desks.items():
            table = _table(state, name)
            if table is None:
                continue
            self._look_at_lamps(table, name)
            self._look_at_plans(plan_at(state, table).limits, name)
            desk.opening.look(table, self._up(desk), now, state.clock)
            if table.phase is Phase.LOCKING:
                self._locking.add(name)

    def _look_at_lamps(self, table: Table, name: str) -> None:
        if table.phase not in (Phase.OPEN, Phase.LOCKING):
            return
        for seat in table.seats:
            unit = self._unit_of.get((name, seat.number))
            if unit is not None and seat.bet and seat.lamp is Lamp.LIT and seat.number in unit.unlit:
                self._unlit.append(unit.unlit[seat.number])

    def _look_at_plans(self, limits: Limits, table: str) -> None:
        """R-26: units are made of the settings file; bets are booked by the plan in force."""
        for unit in self._units_at[table]:
            if unit.is_made_for(limits):
                self._astray.discard(unit.key)
            elif unit.key not in self._astray:
                self._astray.add(unit.key)
                self._say(unit, "unit_of_another_plan", seats=list(unit.place.seats), why=other_plan(unit.kind))

    def _up(self, desk: _Desk) -> set[UnitKey]:
        return {unit.key for unit in self._units_at[desk.place.name] if unit.up}

    def _seats_of(self, state: State, table: Table, desk: _Desk) -> list[SeatContext]:
        limits, live = plan_at(state, table).limits, state.tables[table.name.removeprefix(TRAINING)]
        return [self._at(table, seat, limits, live.seat(seat.number), desk) for seat in table.seats]

    def _at(self, table: Table, seat: Seat, limits: Limits, live: Seat, desk: _Desk) -> SeatContext:
        unit, closed = self._unit_of.get((desk.place.name, live.number)), seat.closed or live.closed
        if unit is None:
            return SeatContext(table, seat, limits, closed=closed)
        is_mending = desk.lamps.is_mending(unit.key, live.number, self._now)
        since = unit.unlit.get(live.number, self._now)
        dark_before = since < desk.opening.since
        return SeatContext(table, seat, limits, unit, is_mending, self._now - since, dark_before, closed)

    # What the devices should be told

    def wishes(self, state: State, now: Micros) -> list[Wish]:
        self._look(state, now)
        wished, self._extra = self._extra, []
        for name, desk in self._desks.items():
            table = _table(state, name)
            seats = self._seats_of(state, table, desk) if table is not None else []
            wished += desk.lamps.wishes(between=_is_between(table), now=now)
            for unit in self._units_at[name]:
                own = [at for at in seats if unit.is_counter or at.unit is unit]
                wished += wishes(DeviceContext(unit, self._outboxes[unit.key], table, own, desk.opening), now)
        return wished

    # What a person asks of the node itself

    def deed(self, deed: Deed, request: Request, state: State, now: Micros) -> str | None:
        """Why not, in a sentence; nothing when it is done."""
        self._look(state, now)
        desk = self._desks.get(request.table)
        if desk is None:
            return NO_TABLE
        table = _table(state, request.table)
        match deed:
            case Deed.UNLOCK:
                refusal = desk.buttons.refusal(table, state)
                if not refusal:
                    desk.buttons.press(Presses(lock=False, unlock=True))
                return refusal or None
            case Deed.LAMP_TEST:
                return self._test_lamps(desk, table, now)
            case Deed.CLEAR_FAULTS:
                return self._clear_faults(desk, table, request, now)
            case _:
                raise AssertionError(f"{deed} is not of the floor")

    def _test_lamps(self, desk: _Desk, table: Table | None, now: Micros) -> str | None:
        """All of them; and of a seat that is closed for its lamp alone, the fault that the test finds to be no more."""
        if not _is_between(table):
            return NOT_BETWEEN
        units = [self._units[key] for key in sorted(self._up(desk)) if self._units[key].place.seats]
        if not units:
            return NOBODY_UP
        for unit in units:
            desk.lamps.begin(unit.key, now + LOOKED_AT)
            for number in unit.place.seats:
                if number in _closed(table) and unit.is_native and _is_lamp_alone(unit, number):
                    desk.lamps.clear_after(unit.key, number)
        return None

    def _clear_faults(self, desk: _Desk, table: Table | None, request: Request, now: Micros) -> str | None:
        unit = self._unit_of.get((request.table, request.seat))
        if unit is None:
            return NO_SUCH_SEAT
        if isinstance(unit.place.made, IoMap):
            return CANNOT_CLEAR
        if not unit.up:
            return NOT_UP
        if not unit.is_native or not unit.has_lamp_fault(request.seat):
            self._extra.append(Wish(unit.key, ClearSeatFaults(request.seat)))
            return None
        if _is_between(table):
            desk.lamps.mend(unit.key, request.seat, now)
            return None
        if request.seat in _closed(table):
            return LAMP_BETWEEN
        self._extra.append(Wish(unit.key, ClearSeatFaults(request.seat)))
        return None

    # When to look again, and what there is to see

    def deadline(self) -> Micros | None:
        """The next instant at which something is due although nothing is heard."""
        down = [unit.down_since for unit in self._units.values() if unit.down_since is not None]
        times = [since + self._patience.silent for since in down]
        for name, desk in self._desks.items():
            if name in self._locking:
                times += [desk.opening.since + self._patience.lamp, desk.opening.since + self._patience.proof]
            times += desk.lamps.deadlines()
            times += [desk.buttons.until] if desk.buttons.until is not None else []
        times += [since + patience for since in self._unlit for patience in (self._patience.lamp, self._patience.proof)]
        for outbox in self._outboxes.values():
            times += [*outbox.pauses(), outbox.shut_from]
        return min((time for time in times if time > self._now), default=None)

    def units(self) -> tuple[UnitNow, ...]:
        return tuple(unit_now(unit, self._locked_for(unit)) for unit in self._units.values())

    def _locked_for(self, unit: Unit) -> str:
        opening = self._desks[unit.place.table].opening
        if unit.up and unit.key in self._astray:
            return other_plan(unit.kind)
        return WAITS if unit.up and opening.is_open and not opening.may(unit.key) else ""

    def seats(self) -> tuple[SeatNow, ...]:
        return tuple(seat for unit in self._units.values() for seat in seats_now(unit))

    def next_note(self) -> Note | None:
        return self._notes.popleft() if self._notes else None

    def _say(self, unit: Unit, event: str, **fields: object) -> None:
        self._note(event, line=unit.key.line, unit=unit.key.number, table=unit.place.table, **fields)

    def _note(self, event: str, **fields: object) -> None:
        self._notes.append(Note(event, fields))


def _closed(table: Table | None) -> set[int]:
    return {seat.number for seat in table.seats if seat.closed} if table is not None else set()


def _is_lamp_alone(unit: Unit, number: int) -> bool:
    """Whatever else is latched was not looked at by a lamp test."""
    return unit.has_lamp_fault(number) and not unit.has_other_faults(number)


def _is_between(table: Table | None) -> bool:
    """No hand is on: also of a table that cannot play yet."""
    return table is None or table.phase is Phase.BETWEEN


def _table(state: State, name: str) -> Table | None:
    """The table in play under this name: its training copy, while there is one."""
    return state.tables.get(in_play(state, name))
