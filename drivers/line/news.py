"""What the owner of a unit is to hear, in order.

Two rules. Down is said once for each reason, not once for each failed question. A picture of a seat, a console or a
sign is said when anything of it changed, and anew when its unit comes up: the owner forgot it with the unit.
"""

from collections import deque

from drivers.model import (
    ConsoleSeen,
    DeviceEvent,
    DeviceKey,
    Down,
    FaultsSeen,
    Notice,
    SeatSeen,
    Settled,
    SignSeen,
    SignState,
    UnitDown,
    UnitUp,
)


class News:
    def __init__(self, unit: int, seats: tuple[int, ...] = (), most: int | None = None) -> None:
        """`seats`: with the table's numbers. `most`: where the newest says all, older events may be lost."""
        self._unit = unit
        self._seats = seats
        self._events: deque[DeviceEvent] = deque(maxlen=most)
        self.say = self._events.append
        self._reason: Down | None = None
        self._up_as: DeviceKey | None = None
        self._faults: tuple[str, ...] = ()  # of the unit itself
        self._pictures: dict[int, SeatSeen | ConsoleSeen | SignSeen] = {}  # of seats; 0: of the unit
        self.heard: DeviceKey | None = None  # whose totals the owner heard last

    def next(self) -> DeviceEvent | None:
        event = self._events.popleft() if self._events else None
        if isinstance(event, SeatSeen):
            self.heard = event.device
        return event

    @property
    def is_up(self) -> bool:
        return self._up_as is not None

    def up(
        self, device: DeviceKey, product: str, firmware: int, check: int = 0, *, rebooted: bool, goes_on: bool = False
    ) -> None:
        """Said again only of another device, or of one that had been down."""
        if device != self._up_as:
            self._up_as, self._reason = device, None
            self._pictures.clear()
            self._faults = ()
            self.say(
                UnitUp(
                    unit=self._unit,
                    device=device,
                    product=product,
                    firmware=firmware,
                    seats=self._seats,
                    rebooted=rebooted,
                    goes_on=goes_on,
                    firmware_check=check,
                )
            )

    def down(self, reason: Down, detail: str = "") -> None:
        if self.is_up or reason != self._reason:
            self._up_as, self._reason = None, reason
            self.say(UnitDown(unit=self._unit, seats=self._seats, reason=reason, detail=detail))

    def begin_anew(self) -> None:
        """What it was down for is over, and news if it happens again."""
        self._reason = None

    def say_anew(self) -> None:
        """Somebody waits to hear what a sign says now, also if it is what it said before."""
        self._pictures.clear()

    def is_new(self, seen: SeatSeen | ConsoleSeen | SignSeen) -> bool:
        place = seen.seat if isinstance(seen, SeatSeen) else 0
        known, self._pictures[place] = self._pictures.get(place), seen
        return seen != known

    def faults(self, faults: tuple[str, ...]) -> None:
        """Of the unit itself; one that comes up has none until they are said."""
        if faults != self._faults:
            self._faults = faults
            self.say(FaultsSeen(unit=self._unit, faults=faults))

    def sign(self, state: SignState, showing: str) -> None:
        seen = SignSeen(unit=self._unit, state=state, showing=showing)
        if self.is_new(seen):
            self.say(seen)

    def alarm(self, seat: int, kind: str, detail: str) -> None:
        self.say(Notice(unit=self._unit, seat=seat, kind=kind, detail=detail))

    def settled(self, seat: int, command: str, *, done: bool, result: str) -> None:
        self.say(Settled(unit=self._unit, seat=seat, command=command, done=done, result=result))
