"""The table credit counter (2.3 V): it shows what the host writes, and dashes when no write has come for a while.

An old amount on a display is worse than none. Its own heartbeat order keeps a late frame from bringing one back.
"""

from drivers.line.numbers import newer_beat
from drivers.native.writes import Display
from drivers.session import SECOND, Micros

DASHES = -1
BLANK_WORD = 0xFFFFFFFF  # what A shows as the value while there are dashes
PATIENCE: Micros = 5 * SECOND


class CreditDisplay:
    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.value = DASHES
        self.words: tuple[int, ...] = (0,) * 8
        self._beat: int | None = None

    def blank(self) -> None:
        self.value = DASHES

    def begin_session(self) -> None:
        """The first write of a session is newer than any before."""
        self._beat = None

    def show(self, display: Display, words: tuple[int, ...]) -> bool:
        """False: a late frame; it changes nothing."""
        if self._beat is not None and not newer_beat(display.heartbeat, self._beat):
            return False
        self._beat, self.value, self.words = display.heartbeat, display.value, words
        return True
