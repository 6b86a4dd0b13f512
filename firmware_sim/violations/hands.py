"""Fingers and lamps are not as they should be: debounce, a stuck button, a blink, latches (1.8, 2.4, 2.5)."""

from typing import ClassVar

from drivers.modbus.crc import check_word
from drivers.native import contract as at
from drivers.native.contract import EventType, MemoryHealth, ResetCause, Result, SeatFault
from drivers.native.writes import Command
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware

_T15: Micros = 750
_LOST: Micros = 50 * MILLISECOND


class _DebouncesAlways(Firmware):
    debounce: ClassVar[int]

    def _go_down(self, seat: UnitSeat, button: int, release: Micros | None) -> None:
        super()._go_down(seat, button, release)
        timer = Timer(TimerKind.DEBOUNCED, seat.number, button)
        if self._agenda.knows(timer):
            self._agenda.at(self._now + self.debounce * MILLISECOND, timer)


class DebouncesNot(_DebouncesAlways):
    debounce = 1


class DebouncesLong(_DebouncesAlways):
    """Longer than a press, it would see none: as long as one."""

    debounce = 79


class ShowsTheDebounced(Firmware):
    """b8 only once the debounce time is over."""

    def _seat_flags(self, seat: UnitSeat) -> int:
        edges = [contact.edge for contact in seat.contacts.down.values()]
        young = edges and self._now - min(edges) < self._values.debounce * MILLISECOND
        return super()._seat_flags(seat) & ~(at.SeatFlag.BUTTON_DOWN if young else 0)


class TellsNoEarlierEdge(Firmware):
    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        if kind == EventType.PRESS_REFUSED:
            argument &= ~at.EDGE_BEFORE_LOCK
        return super()._record(kind, seat, argument, credit)


class TakesEarlierEdges(Firmware):
    """A finger that was down before the lock bets after it."""

    def _press(self, seat: UnitSeat, button: int, edge: Micros) -> None:
        state = self._state
        if edge < self._locked_at and state == at.LockState.LOCKED:
            self._state = at.LockState.OPEN
        super()._press(seat, button, edge)
        self._state = state


class NeverStuck(Firmware):
    def _raise_fault(self, seat: UnitSeat, fault: SeatFault) -> None:
        if fault != SeatFault.BUTTON_STUCK:
            super()._raise_fault(seat, fault)


class StuckEarly(Firmware):
    def _watch_contact(self, seat: UnitSeat, button: int, release: Micros | None) -> None:
        super()._watch_contact(seat, button, release)
        self._agenda.at(self._now + 5 * SECOND, Timer(TimerKind.STUCK, seat.number, button))


class StuckForGood(Firmware):
    """Not over when the button is up."""

    def _clear_live(self, seat: UnitSeat, fault: SeatFault) -> None:
        if fault != SeatFault.BUTTON_STUCK:
            super()._clear_live(seat, fault)


class BlinksSlowly(Firmware):
    """Once a second."""

    def _detail(self, seat: UnitSeat) -> tuple[int, ...]:
        words = list(super()._detail(seat))
        if seat.lamp.drive == at.LampDrive.PENDING:
            since = self._now - seat.lamp.driven_since
            edges = seat.memory.switches + since // (SECOND // 2)
            words[0x14] = edges & 0xFFFF
            words[0x1F] = check_word(tuple(words[:-1]))
        return tuple(words)


class CountsNoBlinks(BlinksSlowly):
    """Only the first edge of a blink."""

    def _detail(self, seat: UnitSeat) -> tuple[int, ...]:
        words = list(super()._detail(seat))
        words[0x14] = seat.memory.switches & 0xFFFF
        words[0x1F] = check_word(tuple(words[:-1]))
        return tuple(words)


class ShowsNoLatch(Firmware):
    def _seat_image(self, seat: UnitSeat) -> bytes:
        latched, seat.memory.latched = seat.memory.latched, 0
        image = super()._seat_image(seat)
        seat.memory.latched = latched
        return image


class ClearsWhatIs(Firmware):
    def _clear_faults(self, seat: UnitSeat, command: Command) -> Result:
        live, seat.live = seat.live, 0
        result = super()._clear_faults(seat, command)
        seat.live = live
        return result


class ForgetsLatchesAtBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        for seat in self.seats:
            seat.memory.latched = 0


class DemandsT15(RtuSlave):
    """A pause of more than 1.5 characters inside a frame loses it."""

    def receive(self, data: bytes, now: Micros) -> None:
        if self._buffer and now - self._heard_at - self._timing.wire(len(data)) > _T15:
            self._buffer.clear()
        super().receive(data, now)


class NeedsLongSilence(RtuSlave):
    """What comes within 12 ms of noise is noise."""

    def receive(self, data: bytes, now: Micros) -> None:
        if self._buffer and now - self._heard_at < 12 * MILLISECOND:
            self._heard_at = now
            return
        if now - self._heard_at < _LOST:
            self._buffer.clear()
        super().receive(data, now)
