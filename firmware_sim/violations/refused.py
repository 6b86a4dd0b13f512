"""What should have been refused is done (2.2, 2.3 K)."""

from drivers.modbus.pdu import Answer, Denial, Denied, Request, WriteReadWords, WriteWords, Written
from drivers.native import contract as at
from drivers.native.blocks import WordList
from drivers.native.contract import Opcode, Result, SeatMode
from drivers.native.writes import Command
from drivers.session import Micros
from firmware_sim.native.memory import LONG
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware


class CommandsToAll(Firmware):
    def broadcast(self, request: Request, now: Micros) -> None:
        super().broadcast(request, now)
        if isinstance(request, WriteWords) and request.address == at.COMMAND:
            self._at(now, lambda: self._take(request))

    def _take(self, request: WriteWords) -> None:
        self._write(request.address, request.words)


class ConfigToAll(CommandsToAll):
    def broadcast(self, request: Request, now: Micros) -> None:
        if isinstance(request, WriteWords) and request.address == at.CONFIG:
            self._at(now, lambda: self._take(request))
        elif not isinstance(request, WriteWords) or request.address != at.COMMAND:
            super().broadcast(request, now)


class UnlocksToAll(CommandsToAll):
    def broadcast(self, request: Request, now: Micros) -> None:
        if isinstance(request, WriteWords) and request.address == at.DESIRED and request.words[2] == at.UNLOCK:
            self._at(now, lambda: self._take(request))
        elif not isinstance(request, WriteWords) or request.address != at.COMMAND:
            super().broadcast(request, now)


class LocksAllByWriteRead(Firmware):
    def broadcast(self, request: Request, now: Micros) -> None:
        if isinstance(request, WriteReadWords) and request.write_address == at.DESIRED:
            request = WriteWords(at.DESIRED, request.words)
        super().broadcast(request, now)


class WritesBeforeItRefuses(Firmware):
    def _write_and_read(self, request: WriteReadWords) -> Answer:
        if request.write_address == at.DESIRED:
            wrote = self._write(at.DESIRED, request.words)
            return wrote if isinstance(wrote, Denied) else self._read(request.address, request.count)
        return super()._write_and_read(request)


class WritesAnythingAndReads(Firmware):
    def _write_and_read(self, request: WriteReadWords) -> Answer:
        if not self._is_readable(request.address, request.count):
            return Denied(Denial.ADDRESS)
        wrote = self._write(request.write_address, request.words)
        return wrote if isinstance(wrote, Denied) else self._read(request.address, request.count)


class ShowsCommands(Firmware):
    def _read(self, address: int, count: int) -> Answer:
        if address == at.COMMAND and count == at.WRITE_WORDS:
            return super()._read(at.DESIRED, count)
        return super()._read(address, count)


class TakesIdZero(Firmware):
    def _write_command(self, words: WordList) -> Answer:
        command = Command.decode(words)
        if isinstance(command, Command) and command.command_id == 0:
            self._result, self._command_id = self._execute(command), 0
            return Written()
        return super()._write_command(words)


class LoadsBackwards(Firmware):
    def _load(self, seat: UnitSeat, command: Command) -> Result:
        taken = (command.expected - command.target) & LONG
        if seat.memory.loaded == command.expected and 0 < taken <= min(seat.balance, 9):
            self._record(at.EventType.CREDITS_LOADED, seat.number, 0, 0)
            seat.memory.loaded = command.target
            return Result.DONE
        return super()._load(seat, command)


class CashesBackwards(Firmware):
    def _cash(self, seat: UnitSeat, command: Command) -> Result:
        taken = (command.expected - command.target) & LONG
        if seat.memory.cashed == command.expected and 0 < taken <= 9:
            self._record(at.EventType.CASHED, seat.number, 0, 0)
            seat.memory.cashed = command.target
            return Result.DONE
        return super()._cash(seat, command)


class LoadsTooMuch(Firmware):
    def _load(self, seat: UnitSeat, command: Command) -> Result:
        added = (command.target - command.expected) & LONG
        if seat.memory.loaded == command.expected and 2**30 < added < 2**31:
            self._record(at.EventType.CREDITS_LOADED, seat.number, 0, added)
            seat.memory.loaded = command.target
            return Result.DONE
        return super()._load(seat, command)


class LoadsSlots(Firmware):
    def _load(self, seat: UnitSeat, command: Command) -> Result:
        if seat.mode == SeatMode.CHIPS and seat.memory.loaded == command.expected:
            self._record(at.EventType.CREDITS_LOADED, seat.number, 0, 1)
            seat.memory.loaded = command.target
            return Result.DONE
        return super()._load(seat, command)


class EnablesByTwo(Firmware):
    """Whatever is not 0 is yes."""

    def _enable(self, seat: UnitSeat, command: Command) -> Result:
        return super()._enable(seat, _with_target(command, int(command.target != 0)))


class EnablesByTheLowBit(Firmware):
    def _enable(self, seat: UnitSeat, command: Command) -> Result:
        return super()._enable(seat, _with_target(command, command.target & 1))


class EnablesWhatIsLeftOut(Firmware):
    def _enable(self, seat: UnitSeat, command: Command) -> Result:
        result = super()._enable(seat, command)
        return Result.DONE if result == Result.REFUSED and command.target == 1 else result


class ForgetsRefusedIds(Firmware):
    def _write_command(self, words: WordList) -> Answer:
        before = self._command_id
        answer = super()._write_command(words)
        if self._result in {Result.STALE_TOKEN, Result.UNKNOWN} and self._command_id != before:
            self._refused_id = self._command_id
        return answer

    def _was_executed(self, command_id: int) -> bool:
        return super()._was_executed(command_id) and command_id != getattr(self, "_refused_id", None)


class ComparesBeforeItLooks(Firmware):
    """MISMATCH where nothing is latched at all."""

    def _clear_faults(self, seat: UnitSeat, command: Command) -> Result:
        if seat.memory.latched != command.expected:
            return Result.MISMATCH
        return super()._clear_faults(seat, command)


def _with_target(command: Command, target: int) -> Command:
    return Command(
        command_id=command.command_id, opcode=Opcode(command.opcode), seat=command.seat, expected=command.expected,
        target=target, token=command.token,
    )  # fmt: skip
