"""What a host may write: desired state, configuration, a display's value (2.3 D, C, V); and which host may (2.6).

A lock is honoured from anybody whose words are whole. Everything else needs the token of the present session, which
this unit gave out, and a heartbeat newer than the last one: so a frame that comes late, or from a host of before,
can lock and nothing else.
"""

import random

from drivers.line.numbers import newer_beat
from drivers.modbus.pdu import Answer, Denial, Denied, Written
from drivers.native import contract as at
from drivers.native.blocks import Flaw, WordList
from drivers.native.contract import LampCommand, LockCause, LockState, UnitFlag
from drivers.native.writes import Config, Desired, Display
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.agenda import Alarm, Kind
from firmware_sim.native.counter import PATIENCE
from firmware_sim.native.make import Make
from firmware_sim.native.memory import WORD
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.world import World

_BAD = Denied(Denial.VALUE)


class Writes(World):
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        super().__init__(make, nvm, chance)
        self._restart_session()

    def _restart(self) -> None:
        super()._restart()
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

    # ------------------------------------------------------------------------------------------------ desired state

    def _write_desired(self, words: WordList) -> Answer:
        desired = Desired.decode(words)
        if isinstance(desired, Flaw):
            return _BAD
        if self._locks(desired):
            self._lock(LockCause.HOST)
        if self._is_fresh(desired):
            self._desired = words
            self._obey(desired)
        return Written()

    def _hear_broadcast(self, words: WordList) -> None:
        """Unit 0: a lock and nothing else, from whomever, without an answer (2.2)."""
        desired = Desired.decode(words)
        if not isinstance(desired, Flaw) and self._locks(desired):
            self._lock(LockCause.BROADCAST)

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
        if desired.lamp >> 8 == LampCommand.RELIGHT:
            self._relight()
        self._settle_lock()
        if desired.lock == at.UNLOCK and was != LockState.OUT_OF_SERVICE and self._may_unlock(desired.round_id):
            self._unlock(desired.round_id)

    # ------------------------------------------------------------------------------------------------ session

    def _open_session(self, nonce: int) -> None:
        """2.3 K 1: the unit gives the token, locks, and says so when it has two masters (2.6)."""
        live = self._is_session_live()
        if live and nonce != self._nonce:
            self._second_host = True
        elif not live:
            self._second_host = False
        self._lock(LockCause.HOST)
        self._recalled = self._state == LockState.OUT_OF_SERVICE
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
            (UnitFlag.SESSION_OWNED if self._session_owned else 0)
            | (UnitFlag.LOCK_LINE if self._line_counts() or self._pulls_line else 0)
            | (UnitFlag.LOCK_KEY_DOWN if self._lock_key_down else 0)
            | (UnitFlag.CONFIG_STAGED if self._staged is not None else 0)
            | (UnitFlag.RING_OVERFLOW if (self.memory.seq - self._acked) % 2**32 > at.RING_DEPTH else 0)
            | (UnitFlag.SECOND_HOST if self._second_host else 0)
        )

    # ------------------------------------------------------------------------------------------------ configuration

    def _write_config(self, words: WordList) -> Answer:
        """Staged; what it takes to become live is CONFIG_COMMIT's business."""
        config = Config.decode(words)
        if isinstance(config, Flaw) or config.flaw() is not None or not self._is_for_this_unit(config):
            return _BAD
        self._stage(config)
        return Written()

    def _stage(self, config: Config) -> None:
        self._staged = config

    def _is_for_this_unit(self, config: Config) -> bool:
        return config.unit == self.make.unit

    # ------------------------------------------------------------------------------------------------ display

    def _write_display(self, words: WordList) -> Answer:
        display = Display.decode(words)
        if isinstance(display, Flaw):
            return _BAD
        if self._is_token_current(display.token) and self._counter.show(display, words):
            self._agenda.at(self._now + PATIENCE, Alarm(Kind.BLANK))
        return Written()
