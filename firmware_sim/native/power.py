"""A unit comes up, runs, and goes dark (2.6); time passes in it exactly.

Whatever happens, happens at an instant: first everything that was due before is done at its own time, then this, then
the memory, then the lamps. So a unit that is ticked late does nothing late, and a power cut anywhere leaves what was
before or what is after.
"""

import random
from collections.abc import Callable

from drivers.native.contract import EventType, LockCause, ResetCause, UnitFault, VoidCause
from drivers.native.contract import MemoryHealth as Health
from drivers.session import Micros
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.locking import Locking
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG, WORD
from firmware_sim.native.nvm import Nvm, PowerCutError

_RESET_FAULTS = {ResetCause.WATCHDOG: UnitFault.WATCHDOG_RESET, ResetCause.BROWN_OUT: UnitFault.BROWN_OUT}


class Power(Locking):
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self._reset_cause = ResetCause.UNKNOWN
        self._rings: dict[TimerKind, Callable[[Timer], None]] = {
            TimerKind.WATCHDOG: lambda _: self._lose_host(),
            TimerKind.HOLD: lambda _: self._go_out_of_service(),
            TimerKind.MEASURE: lambda timer: self._measure(self.seats[timer.seat - 1]),
            TimerKind.CONFIRM: lambda timer: self._void(self.seats[timer.seat - 1], VoidCause.CONFIRM_TIMEOUT),
            TimerKind.REBOOT: lambda _: self._reset(ResetCause.COMMAND),
        }

    # ------------------------------------------------------------------------------------------------ power

    def power_on(self, now: Micros) -> None:
        if not self.powered:
            self._unless_power_fails(lambda: self._boot(ResetCause.POWER_ON, now))

    def power_off(self, now: Micros) -> None:
        self.tick(now)
        self._go_dark()

    def reboot(self, cause: ResetCause, now: Micros) -> None:
        """A reset without a person at the switch. A unit without power cannot reboot."""
        if self.powered:
            self._at(now, lambda: self._reset(cause))

    def lose_memory(self) -> None:
        """Nothing happens until the next boot reads it."""
        self.nvm.lose()

    def damage_memory(self) -> None:
        self.nvm.damage()

    def _go_dark(self) -> None:
        self.powered = False

    def _reset(self, cause: ResetCause) -> None:
        self._go_dark()
        self._boot(cause, self._now)

    def _boot(self, cause: ResetCause, now: Micros) -> None:
        """2.6: locked, dark, everything in RAM forgotten; what was pending is given back, what stood is kept dark."""
        self.starts += 1
        self.powered = True
        self._reset_cause = cause
        self._restart_books(now)
        health = self._read_memory()
        self._restart()
        self._recover(cause, health)
        self._finish()
        for seat in self.seats:
            self._measure_soon(seat)

    def _restart(self) -> None:
        self._restart_bets()
        self._restart_locking()

    def _recover(self, cause: ResetCause, health: Health) -> None:
        memory = self.memory
        memory.boots = (memory.boots + 1) & LONG
        memory.boot_id = (memory.boot_id + self.chance.randrange(1, WORD + 1)) & WORD  # never the one before
        memory.faults |= _RESET_FAULTS.get(cause, 0)
        if health != Health.OK:
            self._record(EventType.MEMORY, 0, health)
        if memory.open:
            memory.cut, memory.open = memory.seq, False
            self._record(EventType.LOCK, 0, LockCause.BOOT)
        self._void_pending(VoidCause.BOOT)
        self._put_bets_dark()
        self._record(EventType.BOOT, 0, cause)

    def _unless_power_fails(self, what: Callable[[], None]) -> None:
        """A cut in the middle of a write ends what was being done; the memory has it whole or not at all."""
        try:
            what()
        except PowerCutError:
            self._go_dark()

    # ------------------------------------------------------------------------------------------------ time

    def deadline(self) -> Micros | None:
        return self._agenda.next() if self.powered else None

    def tick(self, now: Micros) -> None:
        time = self.deadline()
        if time is not None and time <= now:
            self._unless_power_fails(lambda: self._catch_up(now))

    def _catch_up(self, now: Micros) -> None:
        """Everything that is due, each at its own time."""
        while (due := self._agenda.take(now)) is not None:
            self._now, timer = due
            self._rings[timer.kind](timer)
            self._finish()
        self._now = max(now, self._now)

    def _finish(self) -> None:
        """The end of every instant: bets sealed if it was the last that waited, memory safe, then lamps."""
        self._settle_lock()
        if self._unsaved:
            self._commit()
        if self._relamp:
            self._light_lamps()

    def _at(self, now: Micros, what: Callable[[], None]) -> None:
        """Something comes from outside; if the power goes before, it does not come any more."""

        def happen() -> None:
            self._catch_up(now)
            what()
            self._finish()
            self._catch_up(now)

        self._unless_power_fails(happen)
