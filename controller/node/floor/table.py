"""One table of the floor: its devices, what they last said, and what follows from that and from the core's state.

Theory. Every look compares the newest readings with the state that is given; between two looks only readings are kept,
what each device was last sent, and the three memories of memory.py. The table knows no other table, so what
one of them says costs nothing at the others. Whether a look is worth its while, the floor decides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from controller.core.inputs import Input, SeeFirmware
from controller.core.state import Seat, State, Table, in_play, plan_at
from controller.core.values import Lamp, Phase
from controller.core.view import Alarm
from controller.node.floor import words
from controller.node.floor.alarms import nobodys_bet, unit_alarms, written
from controller.node.floor.memory import LOOKED_AT, Buttons, LampTest, OpenUnits, Presses, presses
from controller.node.floor.seats import Patience, SeatContext, ask
from controller.node.floor.units import Unit
from controller.node.floor.wishes import DeviceContext, wishes
from controller.node.vocabulary.commands import ClearSeatFaults, Wish
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import Deed, Request, Waits
from controller.rules.bets import Limits
from drivers.io_module.map import IoMap
from drivers.model import BetSeen, ConsoleSeen, Explained, FaultsSeen, Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.session import SECOND, Micros

_WAITS = {Waits.NOTHING: "", Waits.BUTTON: words.WAITS, Waits.NEXT: words.SEALED}
HEARD_AGAIN: Micros = SECOND
"""Every unit of the slowest line was heard within this."""

DeviceEvent = UnitUp | UnitDown | SeatSeen | ConsoleSeen | Settled | Notice | Explained | FaultsSeen


class TableDevices:
    """`note(event, fields)` writes a line for the log."""

    def __init__(
        self, name: str, units: Iterable[Unit], patience: Patience, note: Callable[[str, Mapping[str, object]], None]
    ) -> None:
        self.name = name
        # The console first: it may hold the line that locks the rest.
        self.units = {unit.key: unit for unit in sorted(units, key=lambda unit: not unit.is_console)}
        self._at_seat = {seat: unit for unit in self.units.values() for seat in unit.place.seats}
        self.buttons, self.open_units, self.lamps = Buttons(), OpenUnits(), LampTest()
        self._patience, self._note = patience, note
        self._extra: list[Wish] = []
        self._astray: set[UnitKey] = set()  # made for another plan than the one in force
        self._locking = self._looked = False
        self._listens_from: Micros = 0
        self._unlit: list[Micros] = []  # since when lamps of bets that were lit are not

    def was_left_alone(self, now: Micros) -> None:
        """Nobody listened for a while: what is heard at first may have been pressed then."""
        self.buttons.forget_unlock()
        self._listens_from = now + HEARD_AGAIN

    # What the devices say

    def heard(self, key: UnitKey, event: DeviceEvent, now: Micros) -> None:
        unit = self.units[key]
        match event:
            case UnitUp():
                self._comes_up(unit, event)
            case UnitDown():
                self.lamps.forget(key)
                unit.outbox.taken_anew = False
                if unit.goes_down(event, now):
                    self._say(unit, "unit_down", reason=event.reason.value, detail=event.detail)
                if not unit.may_go_on:
                    self._leaves(unit)
            case SeatSeen():
                self._hear_image(unit, unit.record(event), now)
            case ConsoleSeen():
                self._hear_console(unit, event, now)
            case Settled():
                self._hear_settled(unit, event, now)
            case _:
                self._hear_told(unit, event)

    def _hear_told(self, unit: Unit, event: Notice | Explained | FaultsSeen) -> None:
        """What closes nothing by itself."""
        match event:
            case Notice(seat=seat, kind=kind, detail=detail):
                self._say(unit, "device_alarm", seat=seat, kind=kind, detail=detail)
            case Explained(entries=entries, missed=missed):
                self._say(unit, "device_events", entries=[written(entry) for entry in entries], missed=missed)
            case FaultsSeen(faults=faults):
                unit.faults = faults

    def _comes_up(self, unit: Unit, event: UnitUp) -> None:
        """A session that goes on was never locked, so its unit is as open as it was."""
        unit.comes_up(event)
        if not event.goes_on:
            self._leaves(unit)
        unit.outbox.starts_anew(goes_on=event.goes_on)
        self.lamps.forget(unit.key)
        device = event.device
        self._say(
            unit, "unit_up", serial=device.serial, epoch=device.epoch, again=event.rebooted, goes_on=event.goes_on
        )  # fmt: skip

    def _leaves(self, unit: Unit) -> None:
        if self.open_units.leaves(unit.key):
            self._say(unit, "unit_waits_for_unlock")

    def _hear_image(self, unit: Unit, image: Iterable[SeatSeen], now: Micros) -> None:
        for seen in image:
            unit.looks_at_lamp(seen, now)
            if unit.outbox.round is None:
                continue  # it was locked: open or not, it says nothing of this pass
            if not seen.locked:
                unit.outbox.reads_open()
            if self.open_units.read_back(unit.key, locked=seen.locked):
                self._say(unit, "unit_locked_itself", seat=seen.seat)

    def _hear_console(self, unit: Unit, event: ConsoleSeen, now: Micros) -> None:
        """A lock that was pressed before the console was heard still counts; an old wish to open does not."""
        found = presses(unit.console, event)
        found = found._replace(unlock=found.unlock and unit.is_listened_to and now >= self._listens_from)
        unit.console, unit.is_listened_to = event, True
        if found.lock:
            self._say(unit, "lock_pressed")
        if found.unlock:
            self._say(unit, "unlock_pressed")
        self.buttons.press(found)

    def _hear_settled(self, unit: Unit, event: Settled, now: Micros) -> None:
        unit.outbox.settled(event, now)
        self.lamps.settled(unit.key, event)
        if event.done:
            return
        self._say(unit, "order_refused", seat=event.seat, command=event.command, result=event.result)
        if event.command == "relight":
            unit.not_relit.add(event.seat)
        if event.command == "unlock":
            self.open_units.leaves(unit.key)
            if event.result == "sealed_round":
                self.open_units.seals(unit.key)

    # What the core should hear

    def asks(self, state: State, now: Micros) -> list[Input]:
        """At most one input for a seat; the table's own comes alone."""
        table = self._look(state, now)
        of_table = self.buttons.ask(table, state, now)
        self._after_buttons(table)
        if of_table is not None:
            return [of_table]
        return [*self._of_boxes(state), *self._of_seats(state, table, now)] if table is not None else []

    def _after_buttons(self, table: Table | None) -> None:
        if self.buttons.refused:
            self._note("unlock_refused", {"table": self.name, "why": self.buttons.refused})
            self.buttons.refused = ""
        if self.buttons.reopen:
            self.buttons.reopen = False
            opened = self.open_units.reopen(self._up())
            for key in sorted(opened):
                self._say(self.units[key], "unit_reopened")
            why = "" if opened else self._why_nothing_opens(table)
            if why:
                self._note("unlock_refused", {"table": self.name, "why": why})

    def _of_boxes(self, state: State) -> Iterator[Input]:
        """R-27: which program counts here, whenever it is another than on record."""
        for unit in self.units.values():
            if unit.box is not None and state.boxes.get(unit.name) != unit.box:
                yield SeeFirmware(self.name, unit.name, unit.box)

    def _of_seats(self, state: State, table: Table, now: Micros) -> Iterator[Input]:
        for at in self._seats(state, table, now):
            if at.unit is not None and at.is_booked:
                at.unit.agreed.add(at.seat.number)
            if at.unit is not None and at.has_sealed_bet:
                self.open_units.seals(at.unit.key)
            if at.unit is not None:
                self._look_at_bet(at.unit, at)
                if at.seat.device is None:
                    at.unit.images.counted(at.seat.number)
            asked = ask(at, self.open_units.since, now, self._patience)
            if asked is not None:
                if at.unit is not None and at.has_chips_of_nobody:
                    self._say(at.unit, "chips_not_booked", seat=at.seat.number, why=words.CHIPS_OF_NOBODY)
                yield asked

    def _look_at_bet(self, unit: Unit, at: SeatContext) -> None:
        """R-6: a lamp that says that there is a bet, in a round in which nobody made one."""
        shows = at.shows_nobodys_bet and self.open_units.was_open(unit.key) and unit.outbox.round is not None
        if shows and at.seat.number not in unit.nobodys:
            unit.nobodys.add(at.seat.number)
            self._say(unit, "bet_of_nobody", seat=at.seat.number)
        elif not shows and at.seen is not None and at.seen.bet is BetSeen.NONE:
            unit.nobodys.discard(at.seat.number)

    def _look(self, state: State, now: Micros) -> Table | None:
        """Where the table stands. A unit that was never heard is down since the first look."""
        if not self._looked:
            self._looked = True
            for unit in self.units.values():
                if not unit.up and unit.down_since is None:
                    unit.down_since = now
        self._locking = False
        self._unlit.clear()
        table = state.tables.get(in_play(state, self.name))  # its training copy, while there is one
        if table is not None:
            self._look_at_lamps(table)
            self._look_at_plans(plan_at(state, table).limits)
            self.open_units.look(table, self._up(), now, state.clock)
            self._locking = table.phase is Phase.LOCKING
        return table

    def _look_at_lamps(self, table: Table) -> None:
        if table.phase not in (Phase.OPEN, Phase.LOCKING):
            return
        for seat in table.seats:
            unit = self._at_seat.get(seat.number)
            if unit is not None and seat.bet and seat.lamp is Lamp.LIT and seat.number in unit.unlit:
                self._unlit.append(unit.unlit[seat.number])

    def _look_at_plans(self, limits: Limits) -> None:
        """R-26: units are made of the settings file; bets are booked by the plan in force."""
        for unit in self.units.values():
            if unit.is_made_for(limits):
                self._astray.discard(unit.key)
            elif unit.key not in self._astray:
                self._astray.add(unit.key)
                self._say(unit, "unit_of_another_plan", seats=list(unit.place.seats), why=words.other_plan(unit.kind))

    def _up(self) -> set[UnitKey]:
        return {key for key, unit in self.units.items() if unit.up}

    def _seats(self, state: State, table: Table, now: Micros) -> list[SeatContext]:
        limits, live = plan_at(state, table).limits, state.tables[self.name]
        return [self._seat(table, seat, limits, live.seat(seat.number), now) for seat in table.seats]

    def _seat(self, table: Table, seat: Seat, limits: Limits, live: Seat, now: Micros) -> SeatContext:
        unit, closed = self._at_seat.get(seat.number), seat.closed or live.closed
        if unit is None:
            return SeatContext(table, seat, limits, closed=closed)
        is_mending = self.lamps.is_mending(unit.key, seat.number, now)
        since = unit.unlit.get(seat.number, now)
        return SeatContext(table, seat, limits, unit, is_mending, now - since, since < self.open_units.since, closed)

    # What the devices should be sent

    def wishes(self, state: State, now: Micros) -> list[Wish]:
        table = self._look(state, now)
        seats = self._seats(state, table, now) if table is not None else []
        wished, self._extra = self._extra, []
        wished += self.lamps.wishes(between=_is_between(table), now=now)
        for unit in self.units.values():
            own = [at for at in seats if unit.is_counter or at.unit is unit]
            wished += wishes(DeviceContext(unit, table, own, self.open_units), now)
        return wished

    # What a person asks of the devices

    def deed(self, deed: Deed, request: Request, state: State, now: Micros) -> str | None:
        """Why not, in a sentence; nothing when it is done."""
        table = self._look(state, now)
        match deed:
            case Deed.UNLOCK:
                refusal = self.buttons.refusal(table, state)
                if not refusal and self.open_units.is_open:
                    refusal = self._why_nothing_opens(table)
                if not refusal:
                    self.buttons.press(Presses(lock=False, unlock=True))
                return refusal or None
            case Deed.LAMP_TEST:
                return self._test_lamps(table, now)
            case Deed.CLEAR_FAULTS:
                return self._clear_faults(table, request.seat, now)
            case _:
                raise AssertionError(f"{deed} is not of the floor")

    def _test_lamps(self, table: Table | None, now: Micros) -> str | None:
        """All of them; and of a seat that is closed for its lamp alone, the fault that the test finds to be no more."""
        if not _is_between(table):
            return words.NOT_BETWEEN
        units = [self.units[key] for key in sorted(self._up()) if self.units[key].place.seats]
        if not units:
            return words.NOBODY_UP
        for unit in units:
            self.lamps.begin(unit.key, now + LOOKED_AT)
            for number in unit.place.seats:
                is_lamp_alone = unit.has_lamp_fault(number) and not unit.has_other_faults(number)
                if number in _closed(table) and unit.is_native and is_lamp_alone:
                    self.lamps.clear_after(unit.key, number)
        return None

    def _clear_faults(self, table: Table | None, seat: int, now: Micros) -> str | None:
        if not seat:
            return self._clear_own_faults()
        unit = self._at_seat.get(seat)
        if unit is None:
            return words.NO_SUCH_SEAT
        if isinstance(unit.place.made, IoMap):
            return words.CANNOT_CLEAR
        if not unit.up:
            return words.what_to_do(unit.kind, unit.reason) if unit.reason is not None else words.NOT_UP
        has_lamp_fault = unit.is_native and unit.has_lamp_fault(seat)
        if has_lamp_fault and _is_between(table):
            self.lamps.mend(unit.key, seat, now)
        elif has_lamp_fault and seat in _closed(table):
            return words.LAMP_BETWEEN
        else:
            self._extra.append(Wish(unit.key, ClearSeatFaults(seat)))
        return None

    def _clear_own_faults(self) -> str | None:
        """Of the devices themselves. What is still so stays (devices.md 2.3 K)."""
        units = [self.units[key] for key in sorted(self._up()) if self.units[key].faults]
        self._extra += [Wish(unit.key, ClearSeatFaults(0)) for unit in units]
        return None if units else words.NO_OWN_FAULTS

    # When to look again, and what there is to see

    def alarms(self) -> Iterator[Alarm]:
        for unit in self.units.values():
            yield from unit_alarms(unit)
            yield from (nobodys_bet(self.name, seat) for seat in sorted(unit.nobodys) if unit.up)

    def deadline(self, now: Micros) -> Micros | None:
        """The next instant after the look of `now` at which something is due although nothing is heard."""
        silent, lamp, proof = self._patience.silent, self._patience.lamp, self._patience.proof
        times = [unit.down_since + silent for unit in self.units.values() if unit.down_since is not None]
        if self._locking:
            times += [self.open_units.since + lamp, self.open_units.since + proof]
        times += self.lamps.deadlines()
        times += [self.buttons.until] if self.buttons.until is not None else []
        times += [since + patience for since in self._unlit for patience in (lamp, proof)]
        for unit in self.units.values():
            times += [*unit.outbox.pauses(), unit.outbox.shut_from]
        return min((time for time in times if time > now), default=None)

    def locked_for(self, unit: Unit) -> str:
        """Why a unit that is up stays locked, if it does."""
        if unit.up and unit.key in self._astray:
            return words.other_plan(unit.kind)
        return _WAITS[self.waits(unit)]

    def waits(self, unit: Unit) -> Waits:
        """For what a unit waits that is up and stays locked in an open pass."""
        is_shut = unit.up and self.open_units.is_open and not self.open_units.may(unit.key)
        if not is_shut or unit.key in self._astray:
            return Waits.NOTHING
        return Waits.NEXT if self.open_units.is_sealed(unit.key) else Waits.BUTTON

    def _why_nothing_opens(self, table: Table | None) -> str:
        """Of a pass that is open, where no unit waits for the button and a seat is out all the same."""
        waiting = {self.waits(unit) for unit in self.units.values()}
        if Waits.BUTTON in waiting:
            return ""
        if Waits.NEXT in waiting:
            return words.NOTHING_OPENS
        return words.OPEN_ALREADY if _closed(table) else ""

    def _say(self, unit: Unit, event: str, **fields: object) -> None:
        self._note(event, {"line": unit.key.line, "unit": unit.key.number, "table": self.name, **fields})


def _closed(table: Table | None) -> set[int]:
    return {seat.number for seat in table.seats if seat.closed} if table is not None else set()


def _is_between(table: Table | None) -> bool:
    """No hand is on: also of a table that cannot play yet."""
    return table is None or table.phase is Phase.BETWEEN
