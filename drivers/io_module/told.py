"""What the owner of a module is told: each thing when it changed, in order, and down once for each reason."""

from collections import deque

from drivers.io_module.bets import Bets
from drivers.io_module.lamps import Lamps
from drivers.io_module.map import IoMap
from drivers.model import Alarm, BetSeen, ConsoleSeen, DeviceEvent, Down, SeatSeen, Settled, UnitDown, UnitUp


class Told:
    def __init__(self, io_map: IoMap) -> None:
        self._map = io_map
        self._events: deque[DeviceEvent] = deque()
        self._said: dict[int, SeatSeen | ConsoleSeen] = {}
        self._reason: Down | None = None
        self.is_up = False

    def next(self) -> DeviceEvent | None:
        return self._events.popleft() if self._events else None

    def up(self, bets: Bets, *, rebooted: bool) -> None:
        self.is_up, self._reason = True, None
        self._events.append(
            UnitUp(
                unit=self._map.unit,
                device=bets.device,
                product=self._map.product,
                firmware=0,
                seats=self._map.table_seats,
                rebooted=rebooted,
            )
        )

    def down(self, reason: Down, detail: str) -> None:
        self._said.clear()
        if self.is_up or self._reason is not reason:
            self.is_up, self._reason = False, reason
            seats = self._map.table_seats
            self._events.append(UnitDown(unit=self._map.unit, seats=seats, reason=reason, detail=detail))

    def alarm(self, seat: int, kind: str, detail: str) -> None:
        self._events.append(Alarm(unit=self._map.unit, seat=seat, kind=kind, detail=detail))

    def settled(self, seat: int, command: str, *, done: bool, result: str) -> None:
        self._events.append(Settled(unit=self._map.unit, seat=seat, command=command, done=done, result=result))

    def seats(self, bets: Bets, lamps: Lamps, *, lock_proven: bool) -> None:
        locked = bets.locked and not bets.pending and lock_proven
        for number, seat in bets.seats.items():
            seen = SeatSeen(
                unit=self._map.unit, seat=number, device=bets.device, seq=bets.seq, totals=seat.totals, locked=locked,
                cut=bets.cut, bet=seat.bet, bet_credits=seat.bet_credits,
                bet_seq=0 if seat.bet is BetSeen.NONE else seat.bet_seq,
                lamp=lamps.seen(number), enabled=seat.enabled, faults=lamps.faults(number),
            )  # fmt: skip
            self._say(number, seen)

    def console(self, bets: Bets, *, lock_presses: int, unlock_presses: int, held: bool) -> None:
        seen = ConsoleSeen(
            unit=self._map.unit, device=bets.device, seq=bets.seq, lock_presses=lock_presses,
            unlock_presses=unlock_presses, key_changes=0, lock_key_down=held,
        )  # fmt: skip
        self._say(0, seen)

    def _say(self, place: int, seen: SeatSeen | ConsoleSeen) -> None:
        if self._said.get(place) != seen:
            self._said[place] = seen
            self._events.append(seen)
