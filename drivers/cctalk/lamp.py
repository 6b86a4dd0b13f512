"""The lamp of a seat, when it hangs on the acceptor: written with header 151, and never seen.

ccTalk has no way to read a lamp back, so an acknowledged write says that the device heard, not that there is light:
the seat's lamp is reported as unknown (R-6), and whoever needs the proof puts a sensor beside it. A device that does
not answer is reported as a fault and asked again later.
"""

from drivers.cctalk.frames import Header
from drivers.cctalk.turn import Ask
from drivers.model import LampSeen

OFF, ON, FLASH = 1, 2, 20  # 10-255 flash


class SeatLamp:
    def __init__(self, number: int | None) -> None:
        self._number = number
        self._heard: int | None = None
        self._wanted = OFF
        self.fault = False

    def want(self, mode: int) -> None:
        self._wanted = mode

    def ask(self) -> Ask | None:
        if self._number is None or self.fault or self._heard == self._wanted:
            return None
        return Ask(Header.TEST_LAMPS, bytes((self._number, self._wanted)))

    def taken(self, ask: Ask) -> None:
        self._heard = ask.data[1]

    def forget(self) -> None:
        """Written again, also where it failed before."""
        self._heard, self.fault = None, False

    @property
    def seen(self) -> LampSeen:
        return LampSeen.FAULT if self.fault else LampSeen.UNKNOWN
