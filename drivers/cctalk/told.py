"""What the owner of an acceptor is told, in order, and nothing of it twice.

Down is said once for each reason, a seat when anything of it changed, and only while the unit is up: what nobody can
vouch for is not told. Whoever does not listen loses the oldest events; totals are in the newest.
"""

from collections import deque

from drivers.cctalk.identify import Identification
from drivers.cctalk.settings import AcceptorSettings
from drivers.model import Alarm, DeviceEvent, DeviceKey, Down, SeatSeen, Settled, UnitDown, UnitUp

_MOST_WAITING = 256


class Told:
    def __init__(self, settings: AcceptorSettings) -> None:
        self._settings = settings
        self._events: deque[DeviceEvent] = deque(maxlen=_MOST_WAITING)
        self._reason: Down | None = None
        self._device: DeviceKey | None = None  # that is up
        self._seen: SeatSeen | None = None

    def next(self) -> DeviceEvent | None:
        return self._events.popleft() if self._events else None

    @property
    def is_up(self) -> bool:
        return self._device is not None

    def up(self, device: DeviceKey, who: Identification, *, rebooted: bool) -> None:
        """Said again only of another device, or of one that had been down."""
        if device != self._device:
            self._device, self._reason, self._seen = device, None, None
            self._events.append(
                UnitUp(
                    unit=self._settings.unit,
                    device=device,
                    product=who.product,
                    firmware=who.firmware,
                    seats=(self._settings.seat,),
                    rebooted=rebooted,
                )
            )

    def down(self, reason: Down, detail: str = "") -> None:
        if self.is_up or reason != self._reason:
            self._device, self._reason = None, reason
            seats = (self._settings.seat,)
            self._events.append(UnitDown(unit=self._settings.unit, seats=seats, reason=reason, detail=detail))

    def seat(self, seen: SeatSeen) -> None:
        if self.is_up and seen != self._seen:
            self._seen = seen
            self._events.append(seen)

    def alarm(self, kind: str, detail: str) -> None:
        self._events.append(Alarm(unit=self._settings.unit, seat=self._settings.seat, kind=kind, detail=detail))

    def settled(self, command: str, result: str) -> None:
        done = result in {"done", "already"}
        seat = self._settings.seat
        self._events.append(Settled(unit=self._settings.unit, seat=seat, command=command, done=done, result=result))
