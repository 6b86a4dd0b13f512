"""What a host may write: desired state, configuration, a display, commands (2.3 D, C, V, K); and which host may (2.6).

A lock is honoured from anybody whose words are whole. Everything else needs the token of the present session, which
this unit gave out, and a heartbeat newer than the last one: so a frame that comes late, or from a host of before,
can lock and nothing else. A command compares and sets, it never adds: one id is done once, and its result stays to be
read. After a reboot the ids are forgotten, and nothing is doubled all the same: what a command expects has changed.
"""

import random

from drivers.line.numbers import newer_beat
from drivers.modbus.pdu import Answer, Denial, Denied, Written
from drivers.native import contract as at
from drivers.native.blocks import Flaw, WordList
from drivers.native.writes import Command, Config, Desired, Display
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.counter import PATIENCE, CreditDisplay
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG, WORD
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.power import Power
from firmware_sim.native.seat import UnitSeat

_BAD = Denied(Denial.VALUE)
_HALF = 2**31
_IN_HAND = {at.Bet.PENDING, at.Bet.CONFIRMED}
_LIVING = at.UnitFault.CONFIG_INVALID
_BEFORE_REBOOT: Micros = 50 * MILLISECOND  # the answer goes out first


class Writes(Power):
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self._counter = CreditDisplay()
        self._rings[TimerKind.BLANK] = lambda _: self._counter.blank()
        self._restart_session()

    def _restart(self) -> None:
        super()._restart()
        self._counter.restart()
        self._restart_session()

    def _restart_session(self) -> None:
        """Boot ends the session; the token goes on from somewhere else, so no frame of before fits."""
        self._token = self.chance.randrange(1, WORD + 1)
        self._session_owned = False
        self._nonce = 0
        self._beat: int | None = None  # None: the first D of a session is newer than any
        self._host_seen_at: Micros | None = None
        self._second_host = False
        self._desired: WordList = (0,) * at.WRITE_WORDS
        self._command_id = 0
        self._result = at.Result.NONE
        self._opened_by: tuple[int, int] | None = None  # id and nonce that opened the present session

    # ------------------------------------------------------------------------------------------------ desired state

    def _write_desired(self, words: WordList) -> Answer:
        desired = Desired.decode(words)
        if isinstance(desired, Flaw):
            return _BAD
        if self._locks(desired):
            self._lock(at.LockCause.HOST)
        if self._is_fresh(desired):
            self._desired = words
            self._obey(desired)
        return Written()

    def _hear_broadcast(self, words: WordList) -> None:
        """Unit 0: a lock and nothing else, from whomever, without an answer (2.2)."""
        desired = Desired.decode(words)
        if not isinstance(desired, Flaw) and self._locks(desired):
            self._lock(at.LockCause.BROADCAST)

    def _locks(self, desired: Desired) -> bool:
        """Every word but one, from whomever and however late (2.1.5)."""
        return desired.lock != at.UNLOCK

    def _is_fresh(self, desired: Desired) -> bool:
        return self._is_token_current(desired.token) and self._is_beat_newer(desired.heartbeat)

    def _is_token_current(self, token: int) -> bool:
        return self._session_owned and token == self._token

    def _is_beat_newer(self, beat: int) -> bool:
        return self._beat is None or newer_beat(beat, self._beat)

    def _obey(self, desired: Desired) -> None:
        self._beat = desired.heartbeat
        self._host_seen_at = self._now
        was = self._state
        self._feed()
        self._acknowledge(desired.ack)
        if desired.lamp != self._lamp_command:
            self._lamp_command = desired.lamp
            self._relamp = True
        if desired.lamp >> 8 == at.LampCommand.RELIGHT:
            self._relight()
        self._settle_lock()
        if desired.lock == at.UNLOCK and was != at.LockState.OUT_OF_SERVICE and self._may_unlock(desired.round_id):
            self._unlock(desired.round_id)

    # ------------------------------------------------------------------------------------------------ session

    def _open_session(self, nonce: int) -> None:
        """2.3 K 1: the unit gives the token, locks, and says so when it has two masters (2.6)."""
        live = self._is_session_live()
        if live and nonce != self._nonce:
            self._second_host = True
        elif not live:
            self._second_host = False
        self._lock(at.LockCause.HOST)
        self._recalled = self._state == at.LockState.OUT_OF_SERVICE
        self._token = self._token % WORD + 1
        self._nonce, self._session_owned, self._beat = nonce, True, None
        self._counter.begin_session()
        if self._lamp_command:
            self._lamp_command = 0
            self._relamp = True

    def _is_session_live(self) -> bool:
        """Somebody feeds it: opening a session is not feeding."""
        if self._host_seen_at is None:
            return False
        return self._now - self._host_seen_at < self._values.host_timeout * MILLISECOND

    def _heartbeat_age(self) -> int:
        """In 10 ms, saturating."""
        if self._host_seen_at is None:
            return 0xFF
        return min(0xFF, (self._now - self._host_seen_at) // (10 * MILLISECOND))

    def _flags(self) -> int:
        return (
            (at.UnitFlag.SESSION_OWNED if self._session_owned else 0)
            | (at.UnitFlag.LOCK_LINE if self._line_counts() or self._pulls_line else 0)
            | (at.UnitFlag.LOCK_KEY_DOWN if self._lock_key_down else 0)
            | (at.UnitFlag.CONFIG_STAGED if self._staged is not None else 0)
            | (at.UnitFlag.RING_OVERFLOW if (self.memory.seq - self._acked) % 2**32 > at.RING_DEPTH else 0)
            | (at.UnitFlag.SECOND_HOST if self._second_host else 0)
        )

    # ------------------------------------------------------------------------------------------------ configuration

    def _write_config(self, words: WordList) -> Answer:
        """Staged; what it takes to become live is CONFIG_COMMIT's business."""
        config = Config.decode(words)
        if isinstance(config, Flaw) or config.flaw() is not None or config.unit != self.make.unit:
            return _BAD
        self._stage(config)
        return Written()

    def _stage(self, config: Config) -> None:
        self._staged = config

    # ------------------------------------------------------------------------------------------------ display

    def _write_display(self, words: WordList) -> Answer:
        display = Display.decode(words)
        if isinstance(display, Flaw):
            return _BAD
        if self._is_token_current(display.token) and self._counter.show(display, words):
            self._agenda.at(self._now + PATIENCE, Timer(TimerKind.BLANK))
        return Written()

    # ------------------------------------------------------------------------------------------------ commands

    def _write_command(self, words: WordList) -> Answer:
        command = Command.decode(words)
        if isinstance(command, Flaw) or command.command_id == 0:
            return _BAD
        if not self._was_executed(command.command_id) and not self._is_late_opening(command):
            self._result = self._execute(command)
            self._command_id = command.command_id
        return Written()

    def _was_executed(self, command_id: int) -> bool:
        return command_id == self._command_id

    def _is_late_opening(self, command: Command) -> bool:
        """The frame that opened this session comes again: it must not end the session it began (2.3 K)."""
        return command.opcode == at.Opcode.OPEN_SESSION and (command.command_id, command.target) == self._opened_by

    def _execute(self, command: Command) -> at.Result:
        if command.opcode == at.Opcode.OPEN_SESSION:
            self._opened_by = command.command_id, command.target
            self._open_session(command.target)
            return at.Result.DONE
        if not self._is_token_current(command.token):
            return at.Result.STALE_TOKEN
        of_unit = {at.Opcode.CONFIG_COMMIT: self._commit_config, at.Opcode.REBOOT: self._reboot_on_command}
        of_seat = {
            at.Opcode.LOADED_TO: self._load, at.Opcode.CASHED_TO: self._cash, at.Opcode.VOID_BET: self._void_bet,
            at.Opcode.CLEAR_FAULTS: self._clear_faults, at.Opcode.SEAT_ENABLE: self._enable,
        }  # fmt: skip
        if command.opcode == at.Opcode.CLEAR_FAULTS and command.seat == 0:
            return self._clear_unit_faults(command)
        if command.opcode in of_unit:
            return of_unit[at.Opcode(command.opcode)](command)
        if command.opcode in of_seat and 1 <= command.seat <= len(self.seats):
            return of_seat[at.Opcode(command.opcode)](self.seats[command.seat - 1], command)
        return at.Result.UNKNOWN

    # ------------------------------------------------------------------------------------------------ money

    def _load(self, seat: UnitSeat, command: Command) -> at.Result:
        """«Loaded total from 50 to 70.»"""
        memory, added = seat.memory, (command.target - command.expected) & LONG
        if memory.loaded != command.expected:
            return at.Result.ALREADY if memory.loaded == command.target else at.Result.MISMATCH
        if seat.mode != at.SeatMode.BUTTONS or added >= _HALF or seat.balance + added >= _HALF:
            return at.Result.REFUSED
        self._record(at.EventType.CREDITS_LOADED, seat.number, 0, added)
        memory.loaded = command.target
        return at.Result.DONE

    def _cash(self, seat: UnitSeat, command: Command) -> at.Result:
        memory, paid = seat.memory, (command.target - command.expected) & LONG
        if memory.cashed != command.expected:
            return at.Result.ALREADY if memory.cashed == command.target else at.Result.MISMATCH
        if seat.mode != at.SeatMode.BUTTONS or paid > seat.balance or memory.bet == at.Bet.PENDING:
            return at.Result.REFUSED
        self._record(at.EventType.CASHED, seat.number, 0, paid)
        memory.cashed = command.target
        return at.Result.DONE

    def _void_bet(self, seat: UnitSeat, command: Command) -> at.Result:
        """The croupier's: what he undoes must be the very bet he saw."""
        if seat.memory.bet == at.Bet.NONE or seat.memory.bet_seq != command.expected:
            return at.Result.MISMATCH
        if seat.memory.bet == at.Bet.VOIDED:
            return at.Result.ALREADY
        self._void(seat, at.VoidCause.CROUPIER)
        return at.Result.DONE

    # ------------------------------------------------------------------------------------------------ state

    def _commit_config(self, command: Command) -> at.Result:
        named = (command.expected, command.target)
        live = self._live_config
        if live is not None and (live.generation, live.check) == named:
            if self._staged == live:
                self._staged = None
            return at.Result.ALREADY
        if self._staged is None or (self._staged.generation, self._staged.check) != named:
            return at.Result.MISMATCH
        if not self._may_configure():
            return at.Result.REFUSED
        self.memory.store_config(self._staged)
        self._record(at.EventType.CONFIG, 0, self._staged.generation)
        self._use_config(self._staged)
        self._staged = None
        self._relamp = True
        return at.Result.DONE

    def _may_configure(self) -> bool:
        """Only locked, and with no bet that waits or counts (2.3 C)."""
        locked = self._state not in {at.LockState.OPEN, at.LockState.LOCKING}
        return locked and all(seat.memory.bet not in _IN_HAND for seat in self.seats)

    def _clear_unit_faults(self, command: Command) -> at.Result:
        """Seat 0: the word of A; and the memory of a second host."""
        latched = self.memory.faults
        if not latched & command.target and not self._second_host:
            return at.Result.ALREADY
        if latched != command.expected & ~_LIVING:
            return at.Result.MISMATCH
        self._second_host = False
        self.memory.faults = latched & ~command.target
        self._unsaved = True
        return at.Result.DONE

    def _clear_faults(self, seat: UnitSeat, command: Command) -> at.Result:
        """What is still so stays latched."""
        latched = seat.memory.latched
        if not latched & command.target:
            return at.Result.ALREADY
        if latched != command.expected:
            return at.Result.MISMATCH
        seat.memory.latched = latched & ~command.target | seat.live
        self._unsaved = True
        return at.Result.DONE

    def _enable(self, seat: UnitSeat, command: Command) -> at.Result:
        wanted = command.target == 1
        if command.target > 1 or (wanted and not self._values.enabled >> (seat.number - 1) & 1):
            return at.Result.REFUSED
        if seat.memory.enabled == wanted:
            return at.Result.ALREADY
        seat.memory.enabled = wanted
        self._unsaved = self._relamp = True
        return at.Result.DONE

    def _reboot_on_command(self, command: Command) -> at.Result:
        if command.expected != self.memory.boot_id:
            return at.Result.MISMATCH
        self._agenda.at(self._now + self.make.answer + _BEFORE_REBOOT, Timer(TimerKind.REBOOT))
        return at.Result.DONE
