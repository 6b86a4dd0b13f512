"""Whose frames count, and what D shows, are not as they should be (2.3 D, 2.6)."""

from drivers.modbus.pdu import Answer, Written
from drivers.native import contract as at
from drivers.native.blocks import WordList
from drivers.session import MILLISECOND
from firmware_sim.native.agenda import Timer, TimerKind
from firmware_sim.native.unit import Firmware


class TakesOlderAcks(Firmware):
    def _acknowledge(self, ack: int) -> None:
        super()._acknowledge(ack)
        if self._ack_is_possible(ack):
            self._acked = ack


class ShowsNoDesired(Firmware):
    def _write_desired(self, words: WordList) -> Answer:
        answer = super()._write_desired(words)
        self._desired = (0,) * at.WRITE_WORDS
        return answer


class ShowsWhatCame(Firmware):
    def _write_desired(self, words: WordList) -> Answer:
        answer = super()._write_desired(words)
        if isinstance(answer, Written):
            self._desired = words
        return answer


class NeverAges(Firmware):
    def _heartbeat_age(self) -> int:
        return 0


class AgesNoFurther(Firmware):
    """As fast as a byte wraps."""

    def _heartbeat_age(self) -> int:
        age = super()._heartbeat_age()
        return age if self._host_seen_at is None else (self._now - self._host_seen_at) // (10 * MILLISECOND) % 0xFF


class DrawsTokens(Firmware):
    def _open_session(self, nonce: int) -> None:
        super()._open_session(nonce)
        self._token = self.chance.randrange(1, 0x10000)


class KeepsTheLampCommand(Firmware):
    def _open_session(self, nonce: int) -> None:
        kept = self._lamp_command
        super()._open_session(nonce)
        self._lamp_command = kept


class EveryHostIsAnother(Firmware):
    def _open_session(self, nonce: int) -> None:
        was_live = self._is_session_live()
        super()._open_session(nonce)
        self._second_host |= was_live


class KeepsSecondHost(Firmware):
    def _open_session(self, nonce: int) -> None:
        was = self._second_host
        super()._open_session(nonce)
        self._second_host |= was


class SessionFeeds(Firmware):
    def _open_session(self, nonce: int) -> None:
        super()._open_session(nonce)
        if self._agenda.knows(Timer(TimerKind.WATCHDOG)):
            due = self._now + self._values.host_timeout * MILLISECOND
            self._agenda.at(due, Timer(TimerKind.WATCHDOG))


class SessionStops(Firmware):
    def _open_session(self, nonce: int) -> None:
        super()._open_session(nonce)
        self._agenda.cancel(Timer(TimerKind.WATCHDOG))
