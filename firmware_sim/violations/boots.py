"""A boot gives, keeps or forgets what it should not (2.6, 2.3)."""

from drivers.native.contract import MemoryHealth, ResetCause
from drivers.native.writes import Config
from firmware_sim.native.unit import Firmware


class BootsWithOneToken(Firmware):
    def _restart_session(self) -> None:
        super()._restart_session()
        self._token = 0x1234


class BootsWithoutToken(Firmware):
    def _restart_session(self) -> None:
        super()._restart_session()
        self._token = 0


class TakesTheBootsToken(Firmware):
    def _is_token_current(self, token: int) -> bool:
        return token == self._token


class KeepsWhatWasStaged(Firmware):
    _kept: Config | None = None

    def _restart_books(self, now: int) -> None:
        staged = getattr(self, "_staged", None)
        super()._restart_books(now)
        self._staged = staged


class KeepsTheCommand(Firmware):
    def _restart_session(self) -> None:
        before = getattr(self, "_command_id", 0)
        super()._restart_session()
        self._command_id = before


class EnablesAllAtBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        for seat in self.seats:
            seat.memory.enabled = True


class ForgetsFaultsAtBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        self.memory.faults = 0


class ForgetsEventsAtBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        if self.memory.boots:
            self.memory.ring = bytearray(len(self.memory.ring))
        super()._recover(cause, health)


class TellsNoLockAtBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        self.memory.open = False
        super()._recover(cause, health)


class CutsAtEveryBoot(Firmware):
    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        if not self.memory.open:
            self.memory.cut = self.memory.seq
        super()._recover(cause, health)
