"""What the owner of a unit is told, in order, and whether it was last told that the unit is up.

Down is said once for each reason, not once for each failed question.
"""

from collections import deque

from drivers.model import DeviceEvent, DeviceKey, Down, SeatSeen, Settled, UnitDown, UnitUp
from drivers.native.blocks import Identity
from drivers.native.settings import UnitSettings


class News:
    def __init__(self, settings: UnitSettings) -> None:
        self._settings = settings
        self._events: deque[DeviceEvent] = deque()
        self._reason: Down | None = None
        self.is_up = False
        self.heard: DeviceKey | None = None  # whose totals the owner heard last

    def next(self) -> DeviceEvent | None:
        event = self._events.popleft() if self._events else None
        if isinstance(event, SeatSeen):
            self.heard = event.device
        return event

    def say(self, event: DeviceEvent) -> None:
        self._events.append(event)

    def up(self, device: DeviceKey, identity: Identity, *, rebooted: bool) -> None:
        self.is_up, self._reason = True, None
        product = "".join(letter if letter.isprintable() else "?" for letter in identity.product)
        self.say(
            UnitUp(
                unit=self._settings.number,
                device=device,
                product=product,
                firmware=identity.firmware,
                seats=self._settings.table_seats,
                rebooted=rebooted,
            )
        )

    def down(self, reason: Down, detail: str = "") -> None:
        if self.is_up or reason != self._reason:
            self.is_up, self._reason = False, reason
            seats = self._settings.table_seats
            self.say(UnitDown(unit=self._settings.number, seats=seats, reason=reason, detail=detail))

    def settled(self, seat: int, command: str, *, done: bool, result: str) -> None:
        """`seat` is the unit's own number."""
        place = self._settings.at_table(seat)
        self.say(Settled(unit=self._settings.number, seat=place, command=command, done=done, result=result))
