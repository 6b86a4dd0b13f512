"""What people and chance do to a unit: fingers, chips, keys, the lock line, lamps that break; and what a person sees.

Seats have the unit's own numbers, from 1. The world keeps its state while the unit is off: a button is still down, a
lamp still broken, a chip still stuck. A console's two keys are contacts 1 (lock) and 2 (unlock) of its one seat.
"""

import random

from drivers.native.contract import Capability, EventType, LampDrive, LockCause, SeatFault, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.native import console
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.power import Power
from firmware_sim.native.seat import PRESS, STUCK, UnitSeat


class World(Power):
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self.key_on = False
        self._rings |= {
            TimerKind.DEBOUNCED: lambda timer: self._finish_edge(self.seats[timer.seat - 1], timer.contact),
            TimerKind.RELEASED: lambda timer: self._come_up(self.seats[timer.seat - 1], timer.contact),
            TimerKind.STUCK: lambda timer: self._raise_fault(self.seats[timer.seat - 1], SeatFault.BUTTON_STUCK),
            TimerKind.CHIP_OUT: lambda timer: self._chip_out(self.seats[timer.seat - 1]),
            TimerKind.CHIP_JAMMED: lambda timer: self._chip_jammed(self.seats[timer.seat - 1]),
        }

    def _restart(self) -> None:
        super()._restart()
        for seat in self.seats:
            seat.contacts.pass_time(self._now)
            for button, contact in seat.contacts.down.items():  # down at boot is no edge, but it can be stuck
                self._watch_contact(seat, button, contact.release)
            if seat.path.stuck:
                self._agenda.at(self._now + self._gate_time(), Timer(TimerKind.CHIP_JAMMED, seat.number))

    # ------------------------------------------------------------------------------------------------ fingers

    def press(self, seat: int, button: int, now: Micros) -> None:
        """Down, and up again as fast as a finger is."""
        self._put_down(self.seats[seat - 1], button, now, now + PRESS)

    def hold(self, seat: int, button: int, now: Micros) -> None:
        """Down until `release`."""
        self._put_down(self.seats[seat - 1], button, now, None)

    def release(self, seat: int, button: int, now: Micros) -> None:
        place = self.seats[seat - 1]
        if self.powered:
            self._at(now, lambda: self._come_up(place, button))
        else:
            place.contacts.let_go(button)

    def _put_down(self, seat: UnitSeat, button: int, now: Micros, release: Micros | None) -> None:
        if self.powered:
            self._at(now, lambda: self._go_down(seat, button, release))
        else:
            seat.contacts.pass_time(now)
            seat.contacts.put_down(button, now, release)

    def _go_down(self, seat: UnitSeat, button: int, release: Micros | None) -> None:
        if seat.contacts.put_down(button, self._now, release):
            debounced = self._now + self._values.debounce * MILLISECOND
            self._agenda.at(debounced, Timer(TimerKind.DEBOUNCED, seat.number, button))
            self._watch_contact(seat, button, release)

    def _watch_contact(self, seat: UnitSeat, button: int, release: Micros | None) -> None:
        self._agenda.at(self._now + STUCK, Timer(TimerKind.STUCK, seat.number, button))
        if release is not None:
            self._agenda.at(release, Timer(TimerKind.RELEASED, seat.number, button))
        self._feel_lock_key(seat)

    def _come_up(self, seat: UnitSeat, button: int) -> None:
        seat.contacts.let_go(button)
        for kind in (TimerKind.DEBOUNCED, TimerKind.RELEASED, TimerKind.STUCK):
            self._agenda.cancel(Timer(kind, seat.number, button))
        if not seat.contacts.down:
            self._clear_live(seat, SeatFault.BUTTON_STUCK)
        self._feel_lock_key(seat)

    def _finish_edge(self, seat: UnitSeat, button: int) -> None:
        if seat.mode == SeatMode.BUTTONS:
            self._press(seat, button, seat.contacts.down[button].edge)
        elif seat.mode == SeatMode.CONSOLE and button in {console.ConsoleKey.LOCK, console.ConsoleKey.UNLOCK}:
            self._turn_key(seat, console.ConsoleKey(button))

    # ------------------------------------------------------------------------------------------------ console

    def lock_key(self, now: Micros) -> None:
        self.press(1, console.ConsoleKey.LOCK, now)

    def unlock_key(self, now: Micros) -> None:
        self.press(1, console.ConsoleKey.UNLOCK, now)

    def key_switch(self, on: bool, now: Micros) -> None:
        changed, self.key_on = on != self.key_on, on
        if changed and self.powered and self.seats[0].mode == SeatMode.CONSOLE:
            key = console.ConsoleKey.SWITCH_ON if on else console.ConsoleKey.SWITCH_OFF
            self._at(now, lambda: self._turn_key(self.seats[0], key))

    def _turn_key(self, seat: UnitSeat, key: console.ConsoleKey) -> None:
        kind, argument = console.count(seat.memory, key)
        seq = self._record(kind, seat.number, argument)
        if key == console.ConsoleKey.LOCK:
            self._shut_by = seq  # also when it is locked already: a host that has not heard of it may not open
            self._pulls_line = self.make.able(Capability.LOCK_LINE)
            self._lock(LockCause.KEY)

    def _feel_lock_key(self, seat: UnitSeat) -> None:
        if seat.mode == SeatMode.CONSOLE:
            self._lock_key_down = console.ConsoleKey.LOCK in seat.contacts.down

    @property
    def pulls_line(self) -> bool:
        """Of a console: what the other units' `lock_line` feels. A dead console is a broken wire is a lock (2.5)."""
        wired = self.seats[0].mode == SeatMode.CONSOLE and self.make.able(Capability.LOCK_LINE)
        return wired and (self._pulls_line or not self.powered)

    def lock_line(self, pulled: bool, now: Micros) -> None:
        self.line_pulled = pulled
        if self.powered and self._line_counts():
            self._at(now, lambda: self._lock(LockCause.LINE))

    # ------------------------------------------------------------------------------------------------ chips

    def chip(self, seat: int, now: Micros) -> bool:
        """A player puts a chip in. False: the gate was shut and he still has it."""
        return self._put_in(self.seats[seat - 1], now, past_the_gate=False)

    def force_chip(self, seat: int, now: Micros) -> bool:
        """The same past a gate that does not hold. False: nothing more goes in."""
        return self._put_in(self.seats[seat - 1], now, past_the_gate=True)

    def jam(self, seat: int, now: Micros) -> None:
        """A chip goes in and sticks."""
        self.force_chip(seat, now)
        self.seats[seat - 1].path.stuck = True

    def unjam(self, seat: int, now: Micros) -> None:
        """A technician takes out whatever is in the path; it goes back to the player."""
        place = self.seats[seat - 1]
        if self.powered:
            self._at(now, lambda: self._free_path(place))
        else:
            place.path.empty()

    def tamper(self, seat: int, now: Micros) -> None:
        """Something moved backwards through the path, or the box was opened."""
        if self.powered:
            self._at(now, lambda: self._see_tampering(self.seats[seat - 1]))

    def _see_tampering(self, seat: UnitSeat) -> None:
        self._raise_latched(seat, SeatFault.TAMPER)
        self._record(EventType.TAMPER, seat.number)

    def _free_path(self, seat: UnitSeat) -> None:
        seat.path.empty()
        self._agenda.cancel(Timer(TimerKind.CHIP_OUT, seat.number))
        self._agenda.cancel(Timer(TimerKind.CHIP_JAMMED, seat.number))
        self._clear_live(seat, SeatFault.CHIP_JAM)
        self._chips_settled()

    def _put_in(self, seat: UnitSeat, now: Micros, *, past_the_gate: bool) -> bool:
        if not self.powered or seat.mode != SeatMode.CHIPS:
            return False
        self.tick(now)
        before = len(seat.path.falling)
        gated = self.make.able(Capability.GATE)
        self._at(now, lambda: self._enter_path(seat, gated=gated, forced=past_the_gate))
        return len(seat.path.falling) > before

    def _enter_path(self, seat: UnitSeat, *, gated: bool, forced: bool) -> None:
        admitted = self._admits(seat)
        if seat.path.full or (gated and not admitted and not forced):
            return
        if gated and not admitted:
            self._raise_latched(seat, SeatFault.GATE)
        seat.path.enter(self._now, admitted=admitted)
        if len(seat.path.falling) == 1:
            self._expect_chip(seat)

    def _admits(self, seat: UnitSeat) -> bool:
        return self._waiting is None and self._gate_open(seat)

    def _expect_chip(self, seat: UnitSeat) -> None:
        entry = seat.path.falling[0].entry
        self._agenda.at(max(self._now, entry + self._gate_time()), Timer(TimerKind.CHIP_JAMMED, seat.number))
        self._agenda.at(max(self._now, entry + self.make.transit), Timer(TimerKind.CHIP_OUT, seat.number))

    def _gate_time(self) -> Micros:
        return self._values.gate * MILLISECOND

    def _chip_out(self, seat: UnitSeat) -> None:
        """The exit sensor; one that sticks never gets there."""
        if seat.path.stuck:
            return
        self._agenda.cancel(Timer(TimerKind.CHIP_JAMMED, seat.number))
        self._clear_live(seat, SeatFault.CHIP_JAM)
        if seat.path.falling.popleft().admitted:
            self._count_chip(seat)
        else:
            self._count_late_chip(seat)
        if seat.path.falling:
            self._expect_chip(seat)
        self._chips_settled()

    def _chip_jammed(self, seat: UnitSeat) -> None:
        """In for longer than the gate time: it does not count any more, and a lock waits for it no longer (2.5)."""
        self._raise_fault(seat, SeatFault.CHIP_JAM)
        self._record(EventType.JAM, seat.number)
        seat.path.give_up()
        self._chips_settled()

    # ------------------------------------------------------------------------------------------------ lamps, faults

    def lamp(self, seat: int, condition: LampCondition, now: Micros) -> None:
        """It breaks or is mended; the unit finds out at its next measurement."""
        self.tick(now)
        place = self.seats[seat - 1]
        place.lamp.condition = condition
        if self.powered and not self._agenda.knows(Timer(TimerKind.MEASURE, seat)):
            self._at(now, lambda: self._measure_soon(place))

    def light(self, seat: int, now: Micros) -> LampDrive:
        """What a person at the table sees."""
        self.tick(now)
        return self.seats[seat - 1].lamp.seen() if self.powered else LampDrive.OFF

    def is_gate_open(self, seat: int) -> bool:
        """Whether a chip would go in now, as a person sees it."""
        gated = self.make.able(Capability.GATE)
        return not gated or (self.powered and self._admits(self.seats[seat - 1]))

    def _raise_fault(self, seat: UnitSeat, fault: SeatFault) -> None:
        seat.live |= fault
        self._raise_latched(seat, fault)

    def _raise_latched(self, seat: UnitSeat, fault: SeatFault) -> None:
        seat.memory.latched |= fault
        self._unsaved = self._relamp = True

    def _clear_live(self, seat: UnitSeat, fault: SeatFault) -> None:
        if seat.live & fault:
            seat.live &= ~fault
            self._relamp = True
