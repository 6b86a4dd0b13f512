"""The life of a bet in the unit (2.4): made, booked by the host, sealed, or given back; and the lamp that proves it.

The lamp is evidence: steady if and only if a bet stands that the ledger has (R-6). Each rule is one small method, so
that a unit with one of them missing can be built and must be caught.
"""

import random
from typing import ClassVar

from drivers.native import contract as at
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.books import Books
from firmware_sim.native.lamp import FAULTS as LAMP_FAULTS
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.seat import UnitSeat

HALF = 2**31


class Betting(Books):
    # A seat that has one of these now takes no bet. Tampering is over when it is seen: latched, for the croupier.
    CLOSING: ClassVar[int] = LAMP_FAULTS | at.SeatFault.BUTTON_STUCK | at.SeatFault.CHIP_JAM

    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self.seats = [UnitSeat(number, make) for number in range(1, make.seats + 1)]
        self._restart_bets()

    def _restart_bets(self) -> None:
        self._state = at.LockState.BOOT_LOCKED
        self._locked_at: Micros = self._now
        self._acked = self.memory.seq  # how far the host came; for explanations, not for money
        self._lamp_command = 0
        self._relamp = True
        for seat, memory in zip(self.seats, self.memory.seats, strict=True):
            seat.memory = memory
            seat.live = 0
            seat.path.restart(self._now)
            seat.lamp.drive_to(at.LampDrive.OFF, self._now)

    # ------------------------------------------------------------------------------------------------ presses

    def _press(self, seat: UnitSeat, button: int, edge: Micros) -> None:
        """The debounce is over at this instant; now it counts whether the unit is open (2.5)."""
        memory, credit = seat.memory, self._values.buttons[button - 1]
        memory.presses = (memory.presses + 1) & LONG
        refusal = self._refusal(seat, credit)
        if refusal is not None:
            memory.refused = (memory.refused + 1) & LONG
            before = at.EDGE_BEFORE_LOCK if refusal == at.PressRefusal.LOCKED and edge < self._locked_at else 0
            self._record(at.EventType.PRESS_REFUSED, seat.number, refusal | before, credit)
            return
        seat.place(credit, self._record(at.EventType.PRESS_ACCEPTED, seat.number, button, credit), self.memory.round_id)
        self._agenda.at(self._now + self._values.confirm_timeout * MILLISECOND, Timer(TimerKind.CONFIRM, seat.number))
        self._relamp = True

    def _refusal(self, seat: UnitSeat, credit: int) -> at.PressRefusal | None:
        if self._state != at.LockState.OPEN:
            return at.PressRefusal.LOCKED
        if not self._enabled(seat):
            return at.PressRefusal.DISABLED
        if seat.live & self.CLOSING:
            return at.PressRefusal.FAULT
        if credit == 0:
            return at.PressRefusal.BUTTON_OFF
        if not seat.is_free:
            return at.PressRefusal.SECOND_BET
        if not self._values.least <= credit <= self._values.most:
            return at.PressRefusal.OUTSIDE_LIMITS
        return at.PressRefusal.NO_CREDIT if seat.balance < credit else None

    def _enabled(self, seat: UnitSeat) -> bool:
        return seat.memory.enabled and bool(self._values.enabled >> (seat.number - 1) & 1)

    # ------------------------------------------------------------------------------------------------ chips

    def _gate_open(self, seat: UnitSeat) -> bool:
        """A chip that enters now will count: the gate is shut above the maximum and whenever no bet may be made."""
        heaped = 0 if seat.is_free else seat.memory.credits
        after = heaped + (seat.path.admitted + 1) * self._values.chip_credits
        return (
            self._state == at.LockState.OPEN
            and self._enabled(seat)
            and not seat.live & self.CLOSING
            and after <= self._values.most
        )

    def _count_chip(self, seat: UnitSeat) -> None:
        """Each chip is an increment with its own event (2.4)."""
        credit = self._values.chip_credits
        seat.add_chip(credit, self._record(at.EventType.CHIP, seat.number, 0, credit), self.memory.round_id)
        self._relamp = True

    def _count_late_chip(self, seat: UnitSeat) -> None:
        """It fell although the gate was shut: counted apart, for the croupier to hand back (2.5)."""
        seat.memory.late = (seat.memory.late + 1) & LONG
        self._record(at.EventType.LATE_CHIP, seat.number, 0, self._values.chip_credits)

    # ------------------------------------------------------------------------------------------------ booked, voided

    def _acknowledge(self, ack: int) -> None:
        """2.1.3: the host says how far its ledger has come."""
        if not self._ack_is_possible(ack):
            return
        if 0 < (ack - self._acked) & LONG < HALF:
            self._acked = ack
        for seat in self.seats:
            if seat.is_unbooked:
                self._confirm_by(seat, ack)

    def _ack_is_possible(self, ack: int) -> bool:
        """A host cannot have booked what was not counted yet: such an ack is of another life of this unit."""
        return (self.memory.seq - ack) & LONG < HALF

    def _confirms(self, ack: int, seq: int) -> bool:
        return (ack - seq) & LONG < HALF

    def _confirm_by(self, seat: UnitSeat, ack: int) -> None:
        memory = seat.memory
        if memory.bet == at.Bet.PENDING:
            first = memory.first_seq if seat.mode == at.SeatMode.CHIPS else memory.bet_seq
            if self._confirms(ack, first):
                self._confirm(seat, whole=self._confirms(ack, memory.bet_seq))
        elif self._confirms(ack, memory.bet_seq):
            memory.unacked = False
            self._record(at.EventType.BET_CONFIRMED, seat.number, 0, memory.credits)

    def _confirm(self, seat: UnitSeat, *, whole: bool) -> None:
        seat.memory.bet, seat.memory.unacked = at.Bet.CONFIRMED, not whole
        self._agenda.cancel(Timer(TimerKind.CONFIRM, seat.number))
        self._record(at.EventType.BET_CONFIRMED, seat.number, 0, seat.memory.credits)
        self._relamp = True

    def _void(self, seat: UnitSeat, cause: at.VoidCause) -> None:
        """The credits go back in the same write as the event that says why."""
        self._agenda.cancel(Timer(TimerKind.CONFIRM, seat.number))
        self._record(at.EventType.BET_VOIDED, seat.number, cause, seat.memory.credits)
        seat.void(cause)
        self._relamp = True

    def _void_pending(self, cause: at.VoidCause) -> None:
        for seat in self.seats:
            if seat.void_pending:
                self._void(seat, cause)

    def _clear_bets(self) -> None:
        """A new round (2.4)."""
        for seat in self.seats:
            seat.clear()
        self.memory.sealed = False
        self._unsaved = self._relamp = True

    # ------------------------------------------------------------------------------------------------ lamps

    def _light_lamps(self) -> None:
        """Drive what the state says, after the memory is safe: a lamp must never promise what a power cut forgets."""
        self._relamp = False
        for seat in self.seats:
            lamp = self._lamp_for(seat)
            if lamp != seat.lamp.drive:
                seat.memory.switches = (seat.memory.switches + seat.lamp.blinked(self._now) + 1) & LONG
                seat.lamp.drive_to(lamp, self._now)
                self._measure_soon(seat)

    def _measure_soon(self, seat: UnitSeat) -> None:
        if seat.lamp.senses and seat.mode in {at.SeatMode.BUTTONS, at.SeatMode.CHIPS}:
            self._agenda.at(self._now + self._values.settle * MILLISECOND, Timer(TimerKind.MEASURE, seat.number))

    def _lamp_for(self, seat: UnitSeat) -> at.LampDrive:
        """2.4: with bet steady, without bet dark, pending fast, fault wink. Only steady means a valid bet."""
        if self._state == at.LockState.OUT_OF_SERVICE or self._commanded(seat, at.LampCommand.FORCE_OFF):
            return at.LampDrive.OFF
        if self._is_tested(seat):
            return at.LampDrive.TEST
        if not self._enabled(seat):
            return at.LampDrive.OFF
        if self._is_lit_steady(seat):
            return at.LampDrive.STEADY
        if self._state in {at.LockState.BOOT_LOCKED, at.LockState.HOST_LOST}:
            return at.LampDrive.OFF
        if seat.memory.bet == at.Bet.PENDING:
            return at.LampDrive.PENDING
        return at.LampDrive.FAULT if seat.live & self.CLOSING else at.LampDrive.OFF

    def _is_lit_steady(self, seat: UnitSeat) -> bool:
        return seat.stands

    def _is_tested(self, seat: UnitSeat) -> bool:
        """A disabled seat too: how else would anybody see that its lamp was mended."""
        return (self._commanded(seat, at.LampCommand.TEST) and self._may_test()) or (
            self._commanded(seat, at.LampCommand.TEST_BETWEEN) and self._may_test_between()
        )

    def _may_test_between(self) -> bool:
        """The host says that the hand is over; one whose bets are not even sealed is not."""
        return self._state in {at.LockState.BOOT_LOCKED, at.LockState.LOCKED} and not any(
            seat.memory.bet in {at.Bet.PENDING, at.Bet.CONFIRMED} for seat in self.seats
        )

    def _may_test(self) -> bool:
        """Never inside a hand (1.8): where one seat has a bet, the light of none may say something else."""
        return self._state in {at.LockState.BOOT_LOCKED, at.LockState.LOCKED} and all(
            seat.is_free for seat in self.seats
        )

    def _commanded(self, seat: UnitSeat, command: at.LampCommand) -> bool:
        return self._lamp_command >> 8 == command and self._lamp_command & 0xFF in {0, seat.number}

    def _put_bets_dark(self) -> None:
        """What stood stands, but lit no more until the host asks for its light; and its round is played (2.6)."""
        for seat in self.seats:
            if seat.stands:
                seat.memory.bet = at.Bet.RESTORED_DARK
                self.memory.sealed = self._unsaved = self._relamp = True

    def _relight(self) -> None:
        """03ss: the host found the same bet in its ledger; it counts again, and shows it (2.6)."""
        for seat in self.seats:
            if seat.memory.bet == at.Bet.RESTORED_DARK and self._commanded(seat, at.LampCommand.RELIGHT):
                seat.memory.bet = at.Bet.SEALED
                self._unsaved = self._relamp = True

    def _measure(self, seat: UnitSeat) -> None:
        was = seat.live
        seat.live = seat.lamp.measure(self._values, was)
        seat.memory.latched |= seat.live
        if seat.live & ~was:
            self._record(at.EventType.LAMP_FAULT, seat.number, seat.live & LAMP_FAULTS)
        elif was & LAMP_FAULTS and not seat.live & LAMP_FAULTS:
            self._record(at.EventType.LAMP_OK, seat.number)
        self._relamp |= seat.live != was
