"""Units with one planted fault each, and the clauses of the examination that must name it: these and no others.

Each is what a maker may really get wrong. A fault is a subclass that overrides one seam of the simulated firmware, or
of the slave that hangs it on the line; everything else is the good unit.
"""

from dataclasses import dataclass
from random import Random

from drivers.modbus.crc import check_word, crc16
from drivers.modbus.pdu import Answer, Denial, Denied, ReadWords, Request, WriteReadWords, Written
from drivers.native import contract as at
from drivers.native.blocks import Flaw, WordList
from drivers.native.contract import (
    Bet,
    Capability,
    LampDrive,
    LockCause,
    LockState,
    MemoryHealth,
    Opcode,
    PressRefusal,
    ResetCause,
    Result,
    UnitClass,
    VoidCause,
)
from drivers.native.writes import Command, Config, Desired
from drivers.session import MILLISECOND, Micros
from firmware_sim.line.overheard import FrameSpan, framed
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.console import ConsoleKey
from firmware_sim.native.make import USUAL, Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware


@dataclass(frozen=True)
class Planted:
    name: str
    clauses: frozenset[str]
    firmware: type[Firmware] = Firmware
    slave: type[RtuSlave] = RtuSlave
    at_least: bool = False  # so deep a fault that others fail of it
    unit_class: UnitClass = UnitClass.ELECTRONIC
    seats: int = 1
    more: int = 0  # capabilities beside the usual ones


def _unchecked(words: WordList) -> WordList:
    """The same words with their check word put right: what a unit sees that does not look at it."""
    return (*words[:-1], check_word(words[:-1]))


class ClearsOnRead(Firmware):
    """2.1.1: reading the detail resets the presses it told."""

    def _detail(self, seat: UnitSeat) -> WordList:
        image = super()._detail(seat)
        seat.memory.presses = seat.memory.refused = 0
        return image


class ClearsRingOnRead(Firmware):
    """2.1.1: an explanation is told once."""

    def _ring(self) -> WordList:
        image = super()._ring()
        self.memory.ring = bytearray(len(self.memory.ring))
        return image


class ClearsTotalsOnRead(Firmware):
    """2.1.1: what was polled is thought to be booked."""

    def _fast_poll(self) -> WordList:
        image = super()._fast_poll()
        for seat in self.seats:
            seat.memory.loaded = 0
        return image


class SteadyBeforeAck(Firmware):
    """2.1.3: the lamp promises what the ledger does not have."""

    def _is_lit_steady(self, seat: UnitSeat) -> bool:
        return super()._is_lit_steady(seat) or seat.memory.bet == Bet.PENDING


class ConfirmsAnyAck(Firmware):
    """2.1.3: an ack of the future confirms."""

    def _ack_is_possible(self, _: int) -> bool:
        return True


class UnlocksWithoutToken(Firmware):
    """2.1.5."""

    def _write_desired(self, words: WordList) -> Answer:
        answer = super()._write_desired(words)
        desired = Desired.decode(words)
        if isinstance(desired, Flaw) or isinstance(answer, Denied):
            assert isinstance(answer, Denied), "only what is sound is answered well"
            return answer
        if desired.lock != at.UNLOCK or self._is_token_current(desired.token):
            return answer
        if self._may_unlock(desired.round_id):
            self._unlock(desired.round_id)
        return answer


class OpensUnseen(Firmware):
    """2.4: a host that has not heard of the lock goes on saying UNLOCK, and it obeys."""

    def _is_lock_seen(self) -> bool:
        return True


class IgnoresHeartbeatOrder(Firmware):
    """2.6: a frame that comes late is as good as a new one."""

    def _is_beat_newer(self, _: int) -> bool:
        return True


class IgnoresStaleLock(Firmware):
    """2.1.5: LOCK only from whom it knows."""

    def _write_desired(self, words: WordList) -> Answer:
        desired = Desired.decode(words)
        if isinstance(desired, Desired) and not self._is_fresh(desired):
            return Written()
        return super()._write_desired(words)


class KnowsTwoLockWords(Firmware):
    """2.3 D: a lock word it does not know is no lock."""

    def _write_desired(self, words: WordList) -> Answer:
        desired = Desired.decode(words)
        if isinstance(desired, Desired) and desired.lock not in {at.LOCK, at.UNLOCK}:
            return Written()
        return super()._write_desired(words)


class ForgetsTotals(Firmware):
    """2.1.1: totals in RAM."""

    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        for seat in self.seats:
            seat.memory.loaded = seat.memory.cashed = seat.memory.bets = seat.memory.voided = 0


class KeepsBootId(Firmware):
    """2.6: a reboot nobody can see."""

    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        was = self.memory.boot_id
        super()._recover(cause, health)
        if self.memory.boots > 1:
            self.memory.boot_id = was


class RelightsByItself(Firmware):
    """2.6: lit after a reboot, whatever the ledger says."""

    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        for seat in self.seats:
            if seat.memory.bet == Bet.RESTORED_DARK:
                seat.memory.bet = Bet.SEALED


class HasNoWatchdog(Firmware):
    """2.6."""

    def _lose_host(self) -> None:
        pass


class DarkensAtOnce(Firmware):
    """2.6: a restart of the host takes the lamp from a registered bet."""

    def _lamp_for(self, seat: UnitSeat) -> LampDrive:
        return LampDrive.OFF if self._state == LockState.HOST_LOST else super()._lamp_for(seat)


class KeepsPendingWhenLost(Firmware):
    """2.6: what the ledger may not have waits for a host that may never come."""

    def _void_pending(self, cause: VoidCause) -> None:
        if cause != VoidCause.HOST_LOST:
            super()._void_pending(cause)


class AnswersBroadcasts(RtuSlave):
    """2.2: nine of them at once."""

    def _hear(self, unit: int, message: bytes, now: Micros) -> None:
        if unit == 0:
            self._speak(self.firmware.make.unit, self.firmware.hear(message, now), now)
        else:
            super()._hear(unit, message, now)


class AnswersForOthers(RtuSlave):
    """2.2: exception 0B for everybody who is not there, like a gateway."""

    def _hear(self, unit: int, message: bytes, now: Micros) -> None:
        if unit not in {0, self.firmware.make.unit}:
            self._speak(unit, bytes((message[0] | 0x80, 0x0B)), now)
        super()._hear(unit, message, now)


class AnswersToAnyName(RtuSlave):
    """2.2: a unit whose address switch is not read."""

    def _hear(self, unit: int, message: bytes, now: Micros) -> None:
        super()._hear(self.firmware.make.unit if unit else unit, message, now)

    def _speak(self, unit: int, answer: bytes, now: Micros) -> None:
        super()._speak(self._asked, answer, now)

    def _take(self, place: int, frame: FrameSpan, now: Micros) -> None:
        self._asked = self._buffer[place]
        super()._take(place, frame, now)


class IgnoresTheCrc(RtuSlave):
    """2.2."""

    def receive(self, data: bytes, now: Micros) -> None:
        if len(data) >= 8 and data[0] == self.firmware.make.unit and crc16(data):
            data = framed(data[:-2])
        super().receive(data, now)


class AnswersAtOnce(RtuSlave):
    """2.2: no silence before the answer."""

    def _speak(self, unit: int, answer: bytes, now: Micros) -> None:
        super()._speak(unit, answer, now)
        self._due = now + 100

    def to_send(self, now: Micros) -> bytes:
        self._due = min(self._due, now) if self._answer and now >= self._due - 2000 else self._due
        return super().to_send(now)


class ThinksTooLong(RtuSlave):
    """2.2: more than 20 ms."""

    def _speak(self, unit: int, answer: bytes, now: Micros) -> None:
        super()._speak(unit, answer, now)
        self._due += 20 * MILLISECOND


class TakesOpenConfig(Firmware):
    """2.3 C: limits that change under a player's finger."""

    def _may_configure(self) -> bool:
        return self._state == LockState.OPEN or super()._may_configure()


class TakesNoConfigAfterAHand(Firmware):
    """2.3 C: nobody could change a limit any more once somebody has played."""

    def _may_configure(self) -> bool:
        return super()._may_configure() and all(seat.is_free for seat in self.seats)


class ForgetsBetsWithConfig(Firmware):
    """2.3 C."""

    def _use_config(self, config: Config | None) -> None:
        super()._use_config(config)
        for seat in self.seats:
            seat.memory.bet = Bet.NONE


class TakesNoTimeout(Firmware):
    """2.3 C: a host timeout of 0 is no watchdog."""

    def _write_config(self, words: WordList) -> Answer:
        config = Config.decode(words)
        if isinstance(config, Config) and config.host_timeout == 0:
            self._stage(config)
            return Written()
        return super()._write_config(words)


class OpensWithStagedConfig(Firmware):
    """2.4."""

    def _is_configured(self) -> bool:
        return self._live_config is not None


class TakesSingleWrites(Firmware):
    """2.2: FC06 as every Modbus library offers it."""

    def hear(self, message: bytes, now: Micros) -> bytes:
        if message[0] == 6:
            words = list(self._desired)
            place = int.from_bytes(message[1:3], "big") - at.DESIRED
            words[place] = int.from_bytes(message[3:5], "big")
            self._desired = tuple(words)
            return message
        return super().hear(message, now)


class TakesParts(Firmware):
    """2.2: any seven words that begin D."""

    def _write(self, address: int, words: WordList) -> Answer:
        if address == at.DESIRED and len(words) == 7:
            return Written()
        return super()._write(address, words)


class TakesAnyCheck(Firmware):
    """2.2."""

    def _write_desired(self, words: WordList) -> Answer:
        return super()._write_desired(_unchecked(words))

    def _write_command(self, words: WordList) -> Answer:
        return super()._write_command(_unchecked(words))

    def _write_config(self, words: WordList) -> Answer:
        return super()._write_config(_unchecked(words))


class ExecutesTwice(Firmware):
    """2.3 K: the same id again is done again."""

    def _was_executed(self, _: int) -> bool:
        return False


class AddsCredits(Firmware):
    """2.1.4: «add 3» instead of «from 50 to 53»."""

    def _load(self, seat: UnitSeat, command: Command) -> Result:
        added = (command.target - command.expected) % 2**32
        here = seat.memory.loaded
        return super()._load(seat, Command(
            command_id=command.command_id, opcode=command.opcode, seat=command.seat, expected=here,
            target=(here + added) % 2**32, token=command.token,
        ))  # fmt: skip


class TakesAnyToken(Firmware):
    """2.3 K: commands from whomever."""

    def _execute(self, command: Command) -> Result:
        if command.opcode != Opcode.OPEN_SESSION:
            return super()._execute(Command(
                command_id=command.command_id, opcode=command.opcode, seat=command.seat, expected=command.expected,
                target=command.target, token=self._token,
            ))  # fmt: skip
        return super()._execute(command)


class PaysTooMuch(Firmware):
    """2.3 K: a balance below zero."""

    def _cash(self, seat: UnitSeat, command: Command) -> Result:
        if seat.memory.cashed == command.expected and command.target != command.expected:
            self._record(at.EventType.CASHED, seat.number)
            seat.memory.cashed = command.target
            return Result.DONE
        return super()._cash(seat, command)


class CutsTooLate(Firmware):
    """2.5: the lock event itself within the cut."""

    def _cut(self) -> int:
        return (super()._cut() + 1) % 2**32


class LocksAgain(Firmware):
    """2.5: a new cut with every lock."""

    def _lock(self, cause: LockCause) -> None:
        if self._state == LockState.LOCKED:
            self.memory.cut = self.memory.seq
            self._record(at.EventType.LOCK, 0, cause)
        super()._lock(cause)


class TakesPressesWhenLocked(Firmware):
    """2.5."""

    def _refusal(self, seat: UnitSeat, credit: int) -> PressRefusal | None:
        refusal = super()._refusal(seat, credit)
        return None if refusal == PressRefusal.LOCKED and self._state == LockState.LOCKED else refusal


class TakesSecondPress(Firmware):
    """2.4: one bet per seat and round."""

    def _refusal(self, seat: UnitSeat, credit: int) -> PressRefusal | None:
        refusal = super()._refusal(seat, credit)
        return None if refusal == PressRefusal.SECOND_BET else refusal


class HasNoLimits(Firmware):
    """2.4: any button counts."""

    def _refusal(self, seat: UnitSeat, credit: int) -> PressRefusal | None:
        refusal = super()._refusal(seat, credit)
        return None if refusal == PressRefusal.OUTSIDE_LIMITS else refusal


class NeverVoids(Firmware):
    """2.4: a bet that nobody books waits for ever."""

    def __init__(self, make: Make, nvm: Nvm, chance: Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance, now)
        self._rings[TimerKind.CONFIRM] = lambda _: None


class ConfirmsByItself(Firmware):
    """2.4: silence taken for consent."""

    def __init__(self, make: Make, nvm: Nvm, chance: Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance, now)
        self._rings[TimerKind.CONFIRM] = lambda alarm: self._confirm(self.seats[alarm.seat - 1], whole=True)


class OpensSealedRound(Firmware):
    """2.4: a hand played twice on one bet."""

    def _is_sealed(self, _: int) -> bool:
        return False


class ForgetsLampFaults(Firmware):
    """1.8: a fault that is over was never there."""

    def _measure(self, seat: UnitSeat) -> None:
        super()._measure(seat)
        seat.memory.latched = seat.live


class SeesNoLampFaults(Firmware):
    """1.8: nobody looks."""

    def _measure(self, seat: UnitSeat) -> None:
        seat.lamp.feedback, seat.lamp.agrees = int(at.Feedback.MEASURED | at.Feedback.IN_WINDOW), True


class NeverOverflows(Firmware):
    """2.3 A: b8 never set."""

    def _flags(self) -> int:
        return super()._flags() & ~at.UnitFlag.RING_OVERFLOW


class HidesSecondHost(Firmware):
    """2.6: two masters and nobody is told."""

    def _flags(self) -> int:
        return super()._flags() & ~at.UnitFlag.SECOND_HOST


class MixesUpSeats(Firmware):
    """2.3: every press is counted at the first seat."""

    def _press(self, _: UnitSeat, button: int, edge: Micros) -> None:
        super()._press(self.seats[0], button, edge)


class VoidsChips(Firmware):
    """2.4: a chip in the box is given back as if it were credit."""

    def __init__(self, make: Make, nvm: Nvm, chance: Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance, now)
        self._rings[TimerKind.CONFIRM] = lambda alarm: self._give_back(self.seats[alarm.seat - 1])

    def _give_back(self, seat: UnitSeat) -> None:
        if seat.memory.bet == Bet.PENDING:
            self._void(seat, VoidCause.CONFIRM_TIMEOUT)

    def _count_chip(self, seat: UnitSeat) -> None:
        super()._count_chip(seat)
        self._agenda.at(self._now + self._values.confirm_timeout * MILLISECOND, Timer(TimerKind.CONFIRM, seat.number))


class IgnoresTheLine(Firmware):
    """2.5: the wire says locked, the host says open."""

    def _is_held_locked(self) -> bool:
        return False


class PressesOnce(Firmware):
    """2.3, class 3: a state instead of a total."""

    def _turn_key(self, seat: UnitSeat, key: ConsoleKey) -> None:
        super()._turn_key(seat, key)
        seat.memory.bets = 0


class NeverBlanks(Firmware):
    """2.3 V: an old amount for ever."""

    def __init__(self, make: Make, nvm: Nvm, chance: Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance, now)
        self._rings[TimerKind.BLANK] = lambda _: None


class MirrorsNothing(Firmware):
    """2.2: FC04 is another map."""

    def _do(self, request: Request) -> Answer:
        if isinstance(request, ReadWords) and request.function == 4:
            return Denied(Denial.FUNCTION)
        return super()._do(request)


class StopsItsSnapshots(Firmware):
    """2.3 A: a late answer cannot be told from a new one."""

    def _fast_poll(self) -> WordList:
        self._snapshot = 6
        return super()._fast_poll()


class OnlyWrites(Firmware):
    """2.2: FC23 claimed and half done."""

    def _write_and_read(self, request: WriteReadWords) -> Answer:
        late = super()._write_and_read(request)
        return late if isinstance(late, Denied) else Denied(Denial.BUSY)


class ForgetsSeqAtReboot(Firmware):
    """2.1.1: events counted anew in every boot."""

    def _recover(self, cause: ResetCause, health: MemoryHealth) -> None:
        super()._recover(cause, health)
        if self.memory.boots > 1:
            self.memory.seq = self.memory.cut = 1


class CountsBackwards(Firmware):
    """2.1.1: an event taken back."""

    def _void(self, seat: UnitSeat, cause: VoidCause) -> None:
        super()._void(seat, cause)
        self.memory.seq -= 2


class LosesWithAnEvent(Firmware):
    """2.1.1: a total goes down, and an event says so."""

    def _take_lock(self, cause: LockCause) -> None:
        super()._take_lock(cause)
        memory = self.seats[0].memory
        memory.chips = (memory.chips - 1) % 2**32


class NeverSettles(Firmware):
    """2.5: LOCKING for ever."""

    def _settle_lock(self) -> None:
        pass


class TestsOtherSeats(Firmware):
    """1.8: a lamp test of the seats that have no bet, in the middle of a hand."""

    def _may_test(self) -> bool:
        return self._state == LockState.LOCKED


class TestsOverABet(Firmware):
    """1.8: the test is stronger than the bet."""

    def _lamp_for(self, seat: UnitSeat) -> LampDrive:
        return LampDrive.TEST if self._commanded(seat, at.LampCommand.TEST) else super()._lamp_for(seat)


class TestsNoSealed(Firmware):
    """1.8: a lamp test between hands is none."""

    def _may_test_between(self) -> bool:
        return self._may_test()


class TestsAConfirmed(Firmware):
    """1.8: between hands is whenever the host says so."""

    def _may_test_between(self) -> bool:
        return True


class LeavesClosedSeatsDark(Firmware):
    """1.8: a disabled seat shows no lamp test."""

    def _is_tested(self, seat: UnitSeat) -> bool:
        return self._enabled(seat) and super()._is_tested(seat)


class RelightsAfterTheHold(Firmware):
    """2.6: out of service only while the host is away; its first lock lights an old hand."""

    def _put_bets_dark(self) -> None:
        if self._state != LockState.OUT_OF_SERVICE:
            super()._put_bets_dark()


class OpensTwice(Firmware):
    """2.3 K: only the last id is remembered, and a late OPEN_SESSION ends the session."""

    def _is_late_opening(self, _: Command) -> bool:
        return False


class ReadsBeforeItWrites(Firmware):
    """2.2: FC23 the wrong way round."""

    def _write_and_read(self, request: WriteReadWords) -> Answer:
        early = self._read(request.address, request.count)
        late = super()._write_and_read(request)
        return late if isinstance(late, Denied) else early


def _named(*clauses: str) -> frozenset[str]:
    return frozenset(clauses)


_CHIPS, _CONSOLE, _COUNTER = UnitClass.CHIP_SLOT, UnitClass.CONSOLE, UnitClass.COUNTER
PLANTED = [
    Planted("clear on read (detail)", _named("2.1-totals-and-seq"), ClearsOnRead),
    Planted(
        "clear on read (totals)",
        _named("2.1-reads-change-nothing", "2.1-totals-and-seq"),
        ClearsTotalsOnRead,
        at_least=True,
    ),
    Planted("clear on read (events)", _named("2.1-reads-change-nothing"), ClearsRingOnRead, at_least=True),
    Planted("steady before ack", _named("2.4-press-and-ack"), SteadyBeforeAck),
    Planted("any ack confirms", _named("2.4-ack-is-ours", "2.4-unlock-unseen-line"), ConfirmsAnyAck),
    Planted("unlock without token", _named("2.4-unlock-token", "2.6-second-host", "2.6-reboot"), UnlocksWithoutToken),
    Planted(
        "heartbeat order ignored",
        _named("2.4-unlock-heartbeat", "2.6-heartbeat-order", "2.4-ack-is-ours"),
        IgnoresHeartbeatOrder,
    ),
    Planted("key unseen", _named("2.4-unlock-unseen-key"), OpensUnseen, unit_class=_CONSOLE),
    Planted("line unseen", _named("2.4-unlock-unseen-line"), OpensUnseen),
    Planted("stale lock ignored", _named("2.5-lock-any-frame", "2.6-locked-while-away"), IgnoresStaleLock),
    Planted("two lock words", _named("2.5-lock-any-frame"), KnowsTwoLockWords),
    Planted("totals lost at reboot", _named("2.6-totals-survive", "2.6-reboot-with-pending"), ForgetsTotals),
    Planted("same boot_id", _named("2.6-reboot", "2.6-power-cycle", "2.6-boot-keeps-latches"), KeepsBootId),
    Planted("relights by itself", _named("2.6-reboot-with-bet"), RelightsByItself),
    Planted("no watchdog", _named("2.6-watchdog", "2.6-second-host-alone", "2.6-boot-keeps-faults"), HasNoWatchdog),
    Planted("dark at once", _named("2.6-lamps-held"), DarkensAtOnce),
    Planted("pending kept when lost", _named("2.6-pending-voided"), KeepsPendingWhenLost),
    Planted("broadcasts answered", _named("2.2-broadcast"), slave=AnswersBroadcasts),
    Planted("answers for others", _named("2.2-other-units-silent"), slave=AnswersForOthers),
    Planted("CRC ignored", _named("2.2-bad-crc"), slave=IgnoresTheCrc),
    Planted("no silence", _named("2.2-answer-time"), slave=AnswersAtOnce),
    Planted("slow", _named("2.2-answer-time"), slave=ThinksTooLong),
    Planted("config when open", _named("2.3-C-refused-open"), TakesOpenConfig),
    Planted("no config after a hand", _named("2.3-C-after-hand"), TakesNoConfigAfterAHand),
    Planted("bets lost with the config", _named("2.3-C-after-hand"), ForgetsBetsWithConfig),
    Planted("no host timeout", _named("2.3-C-values-refused"), TakesNoTimeout),
    Planted("opens with staged config", _named("2.4-unlock-not-staged"), OpensWithStagedConfig),
    Planted("FC06", _named("2.2-FC05-FC06-refused"), TakesSingleWrites),
    Planted("part writes", _named("2.2-part-write-refused"), TakesParts),
    Planted("any check word", _named("2.2-check-word"), TakesAnyCheck),
    Planted("same id twice", _named("2.3-K-same-id"), ExecutesTwice),
    Planted("credits added", _named("2.3-K-loaded-to"), AddsCredits),
    Planted("any token", _named("2.3-K-stale-token", "2.3-K-refusal-counts"), TakesAnyToken),
    Planted(
        "pays too much",
        _named("2.3-K-cashed-to", "2.3-K-backwards", "2.3-E-credits", "2.1-totals-and-seq"),
        PaysTooMuch,
    ),
    Planted("cut too late", _named("2.5-lock-cut", "2.6-watchdog-cut"), CutsTooLate),
    Planted("locks again", _named("2.5-lock-again", "2.6-locked-host-lost", "2.5-press-in-flight"), LocksAgain),
    Planted("presses when locked", _named("2.5-press-when-locked"), TakesPressesWhenLocked),
    Planted("second press", _named("2.4-second-press"), TakesSecondPress),
    Planted("no limits", _named("2.4-limits"), HasNoLimits),
    Planted("never voids", _named("2.4-confirm-timeout", "2.5-locking-ends"), NeverVoids),
    Planted("confirms by itself", _named("2.4-confirm-timeout", "2.5-locking-ends"), ConfirmsByItself),
    Planted("sealed round", _named("2.4-new-round", "2.6-reboot-with-bet"), OpensSealedRound),
    Planted(
        "latch forgotten",
        _named("2.4-lamp-open", "2.4-lamp-short", "2.4-lamp-lit-while-off", "2.4-button-stuck"),
        ForgetsLampFaults,
    ),
    Planted("lamp not seen", _named("2.4-lamp-open", "2.4-lamp-short", "2.4-lamp-lit-while-off"), SeesNoLampFaults),
    Planted("no overflow", _named("2.3-E-overflow"), NeverOverflows),
    Planted("second host hidden", _named("2.6-second-host"), HidesSecondHost),
    Planted("seats mixed up", _named("2.4-every-seat"), MixesUpSeats, unit_class=UnitClass.TABLE, seats=2),
    Planted("chips voided", _named("2.4-chip-and-ack", "2.6-chip-kept"), VoidsChips, unit_class=_CHIPS),
    Planted("line ignored", _named("2.5-lock-line"), IgnoresTheLine),
    Planted("presses as a state", _named("2.3-console-unlock"), PressesOnce, unit_class=_CONSOLE),
    Planted("never blank", _named("2.3-V-blank"), NeverBlanks, unit_class=_COUNTER),
    Planted("no mirror", _named("2.2-FC04-mirror"), MirrorsNothing),
    Planted("snapshot stands", _named("2.3-A-snapshot"), StopsItsSnapshots),
    Planted("a total goes down", _named("2.1-totals-and-seq", "2.3-E-overflow"), LosesWithAnEvent),
    Planted("locking for ever", _named("2.5-locking-ends"), NeverSettles, at_least=True),
    Planted("FC23 without A", _named("2.2-FC23"), OnlyWrites, more=Capability.WRITE_READ),
    Planted("answers to any name", _named("2.2-other-units-silent"), slave=AnswersToAnyName),
    Planted("events counted anew", _named("2.6-reboot", "2.6-power-cycle"), ForgetsSeqAtReboot),
    Planted("an event taken back", _named("2.1-totals-and-seq"), CountsBackwards, at_least=True),
    Planted("tests other seats", _named("2.4-lamp-test-in-hand"), TestsOtherSeats, unit_class=UnitClass.TABLE, seats=2),
    Planted("tests over a bet", _named("2.4-lamp-test-in-hand"), TestsOverABet),
    Planted("tests no sealed bet's lamp", _named("2.4-lamp-test-between"), TestsNoSealed),
    Planted("tests a confirmed bet's lamp", _named("2.4-lamp-test-between"), TestsAConfirmed),
    Planted("leaves closed seats dark", _named("2.4-lamp-test-disabled"), LeavesClosedSeatsDark),
    Planted("relights after the hold", _named("2.6-lamps-held"), RelightsAfterTheHold),
    Planted("opens twice", _named("2.3-K-same-id"), OpensTwice),
    Planted("FC23", _named("2.2-FC23"), ReadsBeforeItWrites, more=Capability.WRITE_READ),
]


def capabilities(planted: Planted) -> int:
    return USUAL[planted.unit_class] | planted.more
