"""Console and table counter: the croupier's buttons (class 3) and the table's credit counter (class 4)."""

from drivers.model import ConsoleSeen, DeviceKey, SignSeen, SignState
from drivers.native.blocks import FastPoll, SeatDetail
from drivers.native.contract import UnitFlag
from drivers.native.settings import UnitSettings
from drivers.session import Micros

_DASHES = 0xFFFFFFFF
_KEY_SWITCH = 1 << 6  # in the inputs of its detail


class ConsoleReports:
    """Its presses are totals: one shorter than a poll is still counted (1.6)."""

    def __init__(self, settings: UnitSettings, device: DeviceKey) -> None:
        self._settings = settings
        self._device = device
        self._said: ConsoleSeen | None = None
        self._moved: tuple[int, ...] = ()
        self._key_on: bool | None = None
        self._again_at: Micros | None = None  # its detail, where the key stands; `None`: at once

    def wanted(self, now: Micros) -> bool:
        return self._again_at is None or now >= self._again_at

    def detail(self, detail: SeatDetail, now: Micros) -> None:
        """Reported with the next image."""
        self._key_on = bool(detail.inputs & _KEY_SWITCH)
        self._again_at = now + self._settings.detail_every

    def image(self, poll: FastPoll) -> ConsoleSeen | None:
        keys = poll.seats[0]
        if (moved := (poll.seq, keys.voided)) != self._moved:
            self._moved, self._key_on, self._again_at = moved, None, None
        seen = ConsoleSeen(
            unit=self._settings.number,
            device=self._device,
            seq=poll.seq,
            lock_presses=keys.loaded,
            unlock_presses=keys.bets,
            key_changes=keys.voided,
            lock_key_down=bool(poll.flags & UnitFlag.LOCK_KEY_DOWN),
            key_on=self._key_on,
        )
        if seen == self._said:
            return None
        self._said = seen
        return seen


class CounterReports:
    """It shows dashes when it hears nothing for 5 s, so what it shall show is said again and again."""

    def __init__(self, settings: UnitSettings) -> None:
        self._settings = settings
        self._writing = 0
        self._written: int | None = None
        self._again_at: Micros = 0
        self._said: SignSeen | None = None

    def wanted(self, value: int, now: Micros) -> bool:
        return self._written is None or value != self._written or now >= self._again_at

    def writing(self, value: int) -> None:
        self._writing = value

    def written(self, now: Micros) -> None:
        """Answered, whatever the answer: what it shows is read back."""
        self._written, self._again_at = self._writing, now + self._settings.show_every

    def image(self, poll: FastPoll) -> SignSeen | None:
        """Only what was written since can be proven."""
        if self._written is None:
            return None
        shown = poll.seats[0].loaded
        state = SignState.PROVEN if shown == self._written else SignState.DIFFERS
        showing = "" if shown == _DASHES else str(shown)
        seen = SignSeen(unit=self._settings.number, state=state, showing=showing)
        if seen == self._said:
            return None
        self._said = seen
        return seen
