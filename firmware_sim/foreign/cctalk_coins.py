"""The inside of a simulated ccTalk acceptor: coins that fall, the inhibits that stop them, and what is counted of them.

It behaves as common acceptors do (devices.md 1.2): all channels inhibited after a reset, the master inhibit not; no
coin taken when nobody polled for a second, and such coins counted as insertions, not told as events; events and
inhibits lost with the power, the totals only in the kinds that have no memory for them. A coin that is falling when
the power goes is in the box and nobody knows.
"""

from collections import deque
from dataclasses import dataclass

from drivers.cctalk.events import NO_EVENT, SLOTS, CoinEvent, Reading, following
from drivers.session import MILLISECOND, SECOND, Micros

CHANNELS = 16
REJECTED, SENSOR_BLOCKED, FIRST_INHIBITED = 1, 14, 128
_CYCLE = 1 << 24


@dataclass(frozen=True, slots=True)
class CoinMake:
    flight: Micros = 120 * MILLISECOND  # from the decision to the credit sensor
    watchdog: Micros = SECOND
    persistent_totals: bool = True
    master_open_after_reset: bool = True


class CoinPath:
    def __init__(self, make: CoinMake) -> None:
        self.make = make
        self.inserted = 0
        self.accepted = 0
        self.box: list[int] = []  # channels of the coins that are really inside
        self.untold = 0  # of these, the host can no longer hear of
        self.returned = 0
        self.jammed = False
        self._falling: deque[tuple[Micros, int]] = deque()
        self.forget()

    def forget(self) -> None:
        """Power-up or reset: what was in RAM is gone, what was falling is in the box."""
        for _, channel in self._falling:
            self.box.append(channel)
            self.untold += 1
        self._falling.clear()
        self.counter = 0
        self.slots: deque[CoinEvent] = deque([NO_EVENT] * SLOTS, SLOTS)
        self.mask = 0
        self.master_open = self.make.master_open_after_reset
        self._polled: Micros | None = None
        if not self.make.persistent_totals:
            self.inserted = self.accepted = 0

    # what people do

    def insert(self, channel: int, now: Micros) -> bool:
        """A coin of this channel falls in, 0: one it does not know. Whether it is taken."""
        assert 0 <= channel <= CHANNELS, "no such coin"
        self.tick(now)
        self.inserted = (self.inserted + 1) % _CYCLE
        if self._polled is None or now - self._polled > self.make.watchdog or self.jammed:
            self.returned += 1
            return False
        if channel == 0:
            return self._refuse(REJECTED)
        if not self.master_open or not self.mask >> (channel - 1) & 1:
            return self._refuse(FIRST_INHIBITED + channel - 1)
        self._falling.append((now + self.make.flight, channel))
        return True

    def jam(self) -> None:
        self.jammed = True
        self.tell(CoinEvent(0, SENSOR_BLOCKED))

    def unjam(self) -> None:
        self.jammed = False

    def _refuse(self, code: int) -> bool:
        self.returned += 1
        self.tell(CoinEvent(0, code))
        return False

    # what the firmware does

    def poll(self, now: Micros) -> Reading:
        self.tick(now)
        self._polled = now
        return Reading(self.counter, tuple(self.slots))

    def tell(self, event: CoinEvent) -> None:
        self.counter = following(self.counter)
        self.slots.appendleft(event)

    def deadline(self) -> Micros | None:
        return self._falling[0][0] if self._falling else None

    def tick(self, now: Micros) -> None:
        while self._falling and self._falling[0][0] <= now:
            _, channel = self._falling.popleft()
            self.box.append(channel)
            self.accepted = (self.accepted + 1) % _CYCLE
            self.tell(CoinEvent(channel, 0))
