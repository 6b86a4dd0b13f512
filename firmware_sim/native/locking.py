"""When a unit is open and when it is not (2.4-2.6): lock, cut, unlock, and the loss of the host.

Locking is easy and unlocking is hard: any reason locks, every condition must hold to unlock. A lock takes effect at one
instant, and `cut` is the last event that still counts for it. While an admitted chip falls, that instant waits for it.
"""

import random

from drivers.line.numbers import newer
from drivers.native.contract import Bet, Capability, EventType, LockCause, LockState, UnitFault, VoidCause
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.bets import Betting
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm

_WATCHDOG, _HOLD = Timer(TimerKind.WATCHDOG), Timer(TimerKind.HOLD)
_AT_THE_TABLE = (LockCause.KEY, LockCause.LINE)
_LOCKED_OTHERWISE = (LockState.BOOT_LOCKED, LockState.HOST_LOST)


class Locking(Betting):
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self.line_pulled = False  # the wire from outside; it does not care whether this unit has power
        self._restart_locking()

    def _restart_locking(self) -> None:
        self._waiting: LockCause | None = None  # a lock that waits for a falling chip
        self._host_is_lost = False
        self._hold_is_over = False
        self._recalled = False  # a new session was opened on a unit that is out of service
        self._lock_key_down = False
        self._pulls_line = False
        self._shut_by: int | None = None  # the event with which somebody at the table locked it, since the boot

    # ------------------------------------------------------------------------------------------------ lock

    def _lock(self, cause: LockCause) -> None:
        """When already LOCKED or LOCKING nothing changes: no new cut, no event."""
        if self._state == LockState.OPEN:
            if self._waiting is None and self._is_chip_falling():
                self._waiting = cause
            elif self._waiting is None:
                self._take_lock(cause)
        elif self._state in _LOCKED_OTHERWISE:
            self._enter(LockState.LOCKING)
            self._settle_lock()

    def _is_chip_falling(self) -> bool:
        return any(seat.path.admitted for seat in self.seats)

    def _chips_settled(self) -> None:
        """An admitted chip has left or was given up; a lock that waited for the last of them happens now (2.5)."""
        if self._waiting is not None and not self._is_chip_falling():
            self._take_lock(self._waiting)

    def _take_lock(self, cause: LockCause) -> None:
        """tL: what has a number up to the cut is a bet of this hand; the lock event comes after it."""
        self._waiting = None
        self.memory.cut = self._cut()
        self.memory.open = False
        self._locked_at = self._now
        seq = self._record(EventType.LOCK, 0, cause)
        if cause in _AT_THE_TABLE:
            self._shut_by = seq
        self._enter(self._state_after_lock())
        self._settle_lock()

    def _state_after_lock(self) -> LockState:
        if self._hold_is_over:
            return LockState.OUT_OF_SERVICE
        return LockState.HOST_LOST if self._host_is_lost else LockState.LOCKING

    def _cut(self) -> int:
        return self.memory.seq

    def _settle_lock(self) -> None:
        """LOCKING lasts until every PENDING is confirmed or voided; then the bets are sealed."""
        if self._state != LockState.LOCKING or any(seat.is_unbooked for seat in self.seats):
            return
        self._enter(LockState.LOCKED)
        for seat in self.seats:
            if seat.memory.bet == Bet.CONFIRMED:
                seat.memory.bet = Bet.SEALED
                self._unsaved = True
            if seat.memory.bet == Bet.SEALED and not self.memory.sealed:
                self.memory.sealed = self._unsaved = True

    def _enter(self, state: LockState) -> None:
        self._state = state
        self._relamp = True
        if state == LockState.OUT_OF_SERVICE:
            self._put_bets_dark()

    # ------------------------------------------------------------------------------------------------ unlock

    def _may_unlock(self, round_id: int) -> bool:
        """2.4, besides token and heartbeat."""
        return (
            self._is_configured()
            and not self._is_held_locked()
            and self._state != LockState.OUT_OF_SERVICE
            and not any(seat.is_unbooked for seat in self.seats)
            and not self._is_chip_falling()
            and not self._is_sealed(round_id)
            and self._is_lock_seen()
        )

    def _is_configured(self) -> bool:
        return self._live_config is not None and self._staged is None

    def _is_held_locked(self) -> bool:
        """By the wire or by a finger on the croupier's key. A console's own pull is not the wire of others."""
        return self._line_counts() or self._lock_key_down

    def _line_counts(self) -> bool:
        return self.line_pulled and self.make.able(Capability.LOCK_LINE)

    def _is_lock_seen(self) -> bool:
        """A host that does not know yet that the croupier locked goes on saying UNLOCK."""
        return self._shut_by is None or not newer(self._shut_by, self._acked)

    def _is_sealed(self, round_id: int) -> bool:
        return self.memory.sealed and round_id == self.memory.round_id

    def _unlock(self, round_id: int) -> None:
        if self._state == LockState.OPEN and round_id == self.memory.round_id:
            return
        if round_id != self.memory.round_id:
            self._clear_bets()
            self.memory.round_id = round_id
        self.memory.open = True
        self._pulls_line = False
        self._record(EventType.UNLOCK, 0, round_id)
        self._enter(LockState.OPEN)

    # ------------------------------------------------------------------------------------------------ the host

    def _feed(self) -> None:
        """A fresh D (2.6)."""
        self._agenda.at(self._now + self._values.host_timeout * MILLISECOND, _WATCHDOG)
        if self._host_is_lost:
            self._host_is_lost = self._hold_is_over = False
            self._agenda.cancel(_HOLD)
            self._record(EventType.HOST_BACK)
        if self._state == LockState.OUT_OF_SERVICE and self._recalled:
            self._recalled = False
            self._enter(LockState.LOCKING)
            self._settle_lock()

    def _lose_host(self) -> None:
        """T1: locks at once, what the ledger does not have is given back, what it has stays lit."""
        self._host_is_lost = True
        self.memory.faults |= UnitFault.HOST_LOST
        self._lock(LockCause.WATCHDOG)
        self._void_pending(VoidCause.HOST_LOST)
        self._record(EventType.HOST_LOST)
        if self._state != LockState.OUT_OF_SERVICE and self._waiting is None:
            self._enter(LockState.HOST_LOST)
        self._agenda.at(self._now + self._values.hold * SECOND, _HOLD)

    def _go_out_of_service(self) -> None:
        """T1 + hold: all lamps off; only a new session brings this unit back."""
        self._hold_is_over = True
        if self._state != LockState.OUT_OF_SERVICE and self._waiting is None:
            self._recalled = False
            self._enter(LockState.OUT_OF_SERVICE)
