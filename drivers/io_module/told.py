"""What the owner of a module is told: each thing when it changed, in order, and down once for each reason.

One reading may hold the bets of several seats under one number. Only the last of them says so (`SeatSeen.last`):
whoever booked and acknowledged after the first would light the lamps of the others, which nobody booked (R-6).
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

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
        said = [seen for seen in self._seen(bets, lamps, lock_proven=lock_proven) if self._is_news(seen.seat, seen)]
        self._events.extend(replace(seen, last=seen is said[-1]) for seen in said)

    def _seen(self, bets: Bets, lamps: Lamps, *, lock_proven: bool) -> Iterator[SeatSeen]:
        locked = bets.locked and not bets.pending and lock_proven
        for number, seat in bets.seats.items():
            yield SeatSeen(
                unit=self._map.unit, seat=number, device=bets.device, seq=bets.seq, totals=seat.totals, locked=locked,
                cut=bets.cut, bet=seat.bet, bet_credits=seat.bet_credits,
                bet_seq=0 if seat.bet is BetSeen.NONE else seat.bet_seq,
                lamp=lamps.seen(number), enabled=seat.enabled, faults=lamps.faults(number),
            )  # fmt: skip

    def console(self, bets: Bets, *, lock_presses: int, unlock_presses: int, held: bool) -> None:
        seen = ConsoleSeen(
            unit=self._map.unit, device=bets.device, seq=bets.seq, lock_presses=lock_presses,
            unlock_presses=unlock_presses, key_changes=0, lock_key_down=held,
        )  # fmt: skip
        if self._is_news(0, seen):
            self._events.append(seen)

    def _is_news(self, place: int, seen: SeatSeen | ConsoleSeen) -> bool:
        known, self._said[place] = self._said.get(place), seen
        return known != seen
