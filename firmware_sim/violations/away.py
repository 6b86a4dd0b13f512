"""A host that goes away is noticed wrongly or at the wrong time (2.6, 2.3 C)."""

from drivers.native.contract import EventType, LockCause, LockState
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware

_WATCHDOG, _HOLD = Timer(TimerKind.WATCHDOG), Timer(TimerKind.HOLD)


class LosesLate(Firmware):
    more = 150

    def _feed(self) -> None:
        super()._feed()
        self._agenda.at(self._now + (self._values.host_timeout + self.more) * MILLISECOND, _WATCHDOG)


class LosesEarly(LosesLate):
    more = -100


class HoldsLong(Firmware):
    more = 300

    def _lose_host(self) -> None:
        super()._lose_host()
        self._agenda.at(self._now + self._values.hold * SECOND + self.more * MILLISECOND, _HOLD)


class HoldsShort(HoldsLong):
    more = -300


class CutsNothing(Firmware):
    """The watchdog locks, and the cut is that of the lock before."""

    def _lose_host(self) -> None:
        cut = self.memory.cut
        super()._lose_host()
        self.memory.cut = cut


class LocksTwice(Firmware):
    """A locked unit that loses its host locks once more."""

    def _lose_host(self) -> None:
        if self._state == LockState.LOCKED:
            self.memory.cut = self.memory.seq
            self._record(EventType.LOCK, 0, LockCause.WATCHDOG)
        super()._lose_host()


class LosesOnlyWhenOpen(Firmware):
    def _lose_host(self) -> None:
        if self._state == LockState.OPEN:
            super()._lose_host()


class StaysInService(Firmware):
    """Locked while the host is away, it forgets that it is."""

    def _go_out_of_service(self) -> None:
        if self._state == LockState.HOST_LOST:
            super()._go_out_of_service()


class ComesBackOpen(Firmware):
    """The first D of a new session opens what was out of service."""

    def _open_session(self, nonce: int) -> None:
        super()._open_session(nonce)
        if self._state == LockState.OUT_OF_SERVICE:
            self._enter(LockState.LOCKED)


class MeasuresAtOnce(Firmware):
    def _measure_soon(self, seat: UnitSeat) -> None:
        self._agenda.at(self._now + MILLISECOND, Timer(TimerKind.MEASURE, seat.number))
