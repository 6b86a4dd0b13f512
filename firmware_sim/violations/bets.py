"""The life of a bet is not as it should be: what voids it, what it leaves, what its seat shows (2.3 K, 2.4)."""

from drivers.native.contract import Bet, EventType, LampCommand, LampDrive, Result, VoidCause
from drivers.native.writes import Command
from drivers.session import MILLISECOND
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware
from firmware_sim.violations.events import TellsLess


class _VoidsNo(Firmware):
    state: Bet

    def _void_bet(self, seat: UnitSeat, command: Command) -> Result:
        if seat.memory.bet == self.state and seat.memory.bet_seq == command.expected:
            return Result.REFUSED
        return super()._void_bet(seat, command)


class VoidsNoPending(_VoidsNo):
    state = Bet.PENDING


class VoidsNoSealed(_VoidsNo):
    state = Bet.SEALED


class VoidsNoDark(_VoidsNo):
    state = Bet.RESTORED_DARK


class KeepsSealedCredits(Firmware):
    """The bet is gone, and so is its money."""

    def _void(self, seat: UnitSeat, cause: VoidCause) -> None:
        was, voided = seat.memory.bet, seat.memory.voided
        super()._void(seat, cause)
        if was == Bet.SEALED:
            seat.memory.voided = voided


class VoidsByTakingBack(Firmware):
    """Totals go back: the bets total is made smaller instead of the voided one larger."""

    def _void(self, seat: UnitSeat, cause: VoidCause) -> None:
        voided = seat.memory.voided
        super()._void(seat, cause)
        seat.memory.voided = voided
        seat.memory.bets -= seat.memory.credits


class CashesWhilePending(Firmware):
    def _cash(self, seat: UnitSeat, command: Command) -> Result:
        kept = seat.memory.bet
        if kept == Bet.PENDING:
            seat.memory.bet = Bet.CONFIRMED
        result = super()._cash(seat, command)
        seat.memory.bet = kept
        return result


class RefusesBeforeItCompares(Firmware):
    def _cash(self, seat: UnitSeat, command: Command) -> Result:
        return Result.REFUSED if seat.memory.bet == Bet.PENDING else super()._cash(seat, command)


class ClearsTheVoided(Firmware):
    def _void(self, seat: UnitSeat, cause: VoidCause) -> None:
        super()._void(seat, cause)
        seat.memory.credits = 0


class KeepsTheCause(Firmware):
    def _clear_bets(self) -> None:
        causes = [seat.memory.cause for seat in self.seats]
        super()._clear_bets()
        for seat, cause in zip(self.seats, causes, strict=True):
            seat.memory.cause = cause


class LightsTheDisabled(Firmware):
    def _lamp_for(self, seat: UnitSeat) -> LampDrive:
        lamp = super()._lamp_for(seat)
        return LampDrive.STEADY if lamp == LampDrive.OFF and not self._enabled(seat) and seat.stands else lamp


class ForgetsTheDisabled(Firmware):
    """Disabling a seat takes its bet away."""

    def _enable(self, seat: UnitSeat, command: Command) -> Result:
        result = super()._enable(seat, command)
        if result == Result.DONE and not command.target and seat.stands:
            seat.clear()
        return result


class _CommandsAll(Firmware):
    """A lamp command for one seat moves all."""

    command: LampCommand

    def _commanded(self, seat: UnitSeat, command: LampCommand) -> bool:
        return super()._commanded(seat, command) or (command == self.command == self._lamp_command >> 8)


class DarkensAll(_CommandsAll):
    command = LampCommand.FORCE_OFF


class RelightsAll(_CommandsAll):
    command = LampCommand.RELIGHT


class TellsNoConfirmation(Firmware):
    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        if kind == EventType.BET_CONFIRMED:
            self._unsaved = True
            return self.memory.seq
        return super()._record(kind, seat, argument, credit)


class ConfirmsWithoutCredits(TellsLess):
    silent = frozenset({EventType.BET_CONFIRMED})


class VoidsWithoutCredits(TellsLess):
    silent = frozenset({EventType.BET_VOIDED})


class CountsNoAccepted(Firmware):
    """Presses are counted only where they are refused."""

    def _press(self, seat: UnitSeat, button: int, edge: int) -> None:
        super()._press(seat, button, edge)
        if seat.memory.bet_seq == self.memory.seq:
            seat.memory.presses -= 1


class ConfirmsLate(Firmware):
    more = 300

    def _press(self, seat: UnitSeat, button: int, edge: int) -> None:
        super()._press(seat, button, edge)
        timer = Timer(TimerKind.CONFIRM, seat.number)
        if self._agenda.knows(timer):
            self._agenda.at(self._now + (self._values.confirm_timeout + self.more) * MILLISECOND, timer)


class ConfirmsEarly(ConfirmsLate):
    more = -300
