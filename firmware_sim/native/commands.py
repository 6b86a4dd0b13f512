"""Commands (2.3 K): compare and set, never «add»; one id is done once, and its result stays to be read.

Each opcode is one method that answers its result. After a reboot the ids are forgotten, and nothing is doubled all
the same: what the command expects is no longer so.
"""

from collections.abc import Callable

from drivers.modbus.pdu import Answer, Denial, Denied, Written
from drivers.native.blocks import Flaw, WordList
from drivers.native.contract import (
    Bet,
    EventType,
    LockState,
    Opcode,
    Result,
    SeatMode,
    UnitFault,
    VoidCause,
)
from drivers.native.writes import Command
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.agenda import Alarm, Kind
from firmware_sim.native.memory import LONG
from firmware_sim.native.seat import Seat
from firmware_sim.native.writes import Writes

_HALF = 2**31
_IN_HAND = {Bet.PENDING, Bet.CONFIRMED}
_LIVING = UnitFault.CONFIG_INVALID
_BEFORE_REBOOT: Micros = 50 * MILLISECOND  # the answer goes out first


class Commands(Writes):
    def _restart_session(self) -> None:
        super()._restart_session()
        self._command_id = 0
        self._result = Result.NONE
        self._opened_by: tuple[int, int] | None = None  # id and nonce that opened the present session

    def _write_command(self, words: WordList) -> Answer:
        command = Command.decode(words)
        if isinstance(command, Flaw) or command.command_id == 0:
            return Denied(Denial.VALUE)
        if not self._was_executed(command.command_id) and not self._is_late_opening(command):
            self._result = self._execute(command)
            self._command_id = command.command_id
        return Written()

    def _was_executed(self, command_id: int) -> bool:
        return command_id == self._command_id

    def _is_late_opening(self, command: Command) -> bool:
        """The frame that opened this session comes again: it must not end the session it began (2.3 K)."""
        return command.opcode == Opcode.OPEN_SESSION and (command.command_id, command.target) == self._opened_by

    def _execute(self, command: Command) -> Result:
        if command.opcode == Opcode.OPEN_SESSION:
            self._opened_by = command.command_id, command.target
            self._open_session(command.target)
            return Result.DONE
        if not self._is_token_current(command.token):
            return Result.STALE_TOKEN
        of_unit, of_seat = self._unit_commands(), self._seat_commands()
        if command.opcode == Opcode.CLEAR_FAULTS and command.seat == 0:
            return self._clear_unit_faults(command)
        if command.opcode in of_unit:
            return of_unit[command.opcode](command)
        if command.opcode in of_seat and 1 <= command.seat <= len(self.seats):
            return of_seat[command.opcode](self.seats[command.seat - 1], command)
        return Result.UNKNOWN

    def _unit_commands(self) -> dict[int, Callable[[Command], Result]]:
        return {Opcode.CONFIG_COMMIT: self._commit_config, Opcode.REBOOT: self._reboot_on_command}

    def _seat_commands(self) -> dict[int, Callable[[Seat, Command], Result]]:
        return {
            Opcode.LOADED_TO: self._load,
            Opcode.CASHED_TO: self._cash,
            Opcode.VOID_BET: self._void_bet,
            Opcode.CLEAR_FAULTS: self._clear_faults,
            Opcode.SEAT_ENABLE: self._enable,
        }

    # ------------------------------------------------------------------------------------------------ money

    def _load(self, seat: Seat, command: Command) -> Result:
        """«Loaded total from 50 to 70.»"""
        memory, added = seat.memory, (command.target - command.expected) & LONG
        if memory.loaded != command.expected:
            return Result.ALREADY if memory.loaded == command.target else Result.MISMATCH
        if seat.mode != SeatMode.BUTTONS or added >= _HALF or seat.balance + added >= _HALF:
            return Result.REFUSED
        self._record(EventType.CREDITS_LOADED, seat.number, 0, added)
        memory.loaded = command.target
        return Result.DONE

    def _cash(self, seat: Seat, command: Command) -> Result:
        memory, paid = seat.memory, (command.target - command.expected) & LONG
        if memory.cashed != command.expected:
            return Result.ALREADY if memory.cashed == command.target else Result.MISMATCH
        if seat.mode != SeatMode.BUTTONS or paid > seat.balance or memory.bet == Bet.PENDING:
            return Result.REFUSED
        self._record(EventType.CASHED, seat.number, 0, paid)
        memory.cashed = command.target
        return Result.DONE

    def _void_bet(self, seat: Seat, command: Command) -> Result:
        """The croupier's: what he undoes must be the very bet he saw."""
        if seat.memory.bet == Bet.NONE or seat.memory.bet_seq != command.expected:
            return Result.MISMATCH
        if seat.memory.bet == Bet.VOIDED:
            return Result.ALREADY
        self._void(seat, VoidCause.CROUPIER)
        return Result.DONE

    # ------------------------------------------------------------------------------------------------ state

    def _commit_config(self, command: Command) -> Result:
        named = (command.expected, command.target)
        live = self._live_config
        if live is not None and (live.generation, live.check) == named:
            if self._staged == live:
                self._staged = None
            return Result.ALREADY
        if self._staged is None or (self._staged.generation, self._staged.check) != named:
            return Result.MISMATCH
        if not self._may_configure():
            return Result.REFUSED
        self.memory.store_config(self._staged)
        self._record(EventType.CONFIG, 0, self._staged.generation)
        self._use_config(self._staged)
        self._staged = None
        self._relamp = True
        return Result.DONE

    def _may_configure(self) -> bool:
        """Only locked, and with no bet that waits or counts (2.3 C)."""
        locked = self._state not in {LockState.OPEN, LockState.LOCKING}
        return locked and all(seat.memory.bet not in _IN_HAND for seat in self.seats)

    def _clear_unit_faults(self, command: Command) -> Result:
        """Seat 0: the word of A; and the memory of a second host."""
        latched = self.memory.faults
        if not latched & command.target and not self._second_host:
            return Result.ALREADY
        if latched != command.expected & ~_LIVING:
            return Result.MISMATCH
        self._second_host = False
        self.memory.faults = latched & ~command.target
        self._unsaved = True
        return Result.DONE

    def _clear_faults(self, seat: Seat, command: Command) -> Result:
        """What is still so stays latched."""
        latched = seat.memory.latched
        if not latched & command.target:
            return Result.ALREADY
        if latched != command.expected:
            return Result.MISMATCH
        seat.memory.latched = latched & ~command.target | seat.live
        self._unsaved = True
        return Result.DONE

    def _enable(self, seat: Seat, command: Command) -> Result:
        wanted = command.target == 1
        if command.target > 1 or (wanted and not self._values.enabled >> (seat.number - 1) & 1):
            return Result.REFUSED
        if seat.memory.enabled == wanted:
            return Result.ALREADY
        seat.memory.enabled = wanted
        self._unsaved = self._relamp = True
        return Result.DONE

    def _reboot_on_command(self, command: Command) -> Result:
        if command.expected != self.memory.boot_id:
            return Result.MISMATCH
        self._agenda.at(self._now + self.make.answer + _BEFORE_REBOOT, Alarm(Kind.REBOOT))
        return Result.DONE
