"""The lamps of one table in a test, between passes, and the faults that a technician clears with it (R-6, 1.8).

Theory. A lamp is believed to be mended when it was lit and measured, so its fault is cleared after a test and never
before it; a seat that is closed has no other light. What its unit still shows of the old fault meanwhile is no news: it
closes no seat again that a person has just opened, as long as the unit stands locked and the seat has no bet. And the
unit stays locked until the clearing came to its end.
"""

from collections.abc import Iterator

from controller.node.vocabulary.commands import BeginLampTest, ClearSeatFaults, EndLampTest, Wish
from controller.node.vocabulary.places import UnitKey
from drivers.model import Settled
from drivers.session import MILLISECOND, SECOND, Micros

LOOKED_AT: Micros = 10 * SECOND  # by a person
MEASURED: Micros = 3 * SECOND  # by the unit, also on a slow line
DARK_AGAIN: Micros = 500 * MILLISECOND  # then its current while off is measured, too
CLEARS_WITHIN: Micros = 5 * SECOND

_Seat = tuple[UnitKey, int]


class LampTest:
    """Of one table."""

    def __init__(self) -> None:
        self._lit: dict[UnitKey, Micros] = {}  # units under test, until then
        self._begun: list[UnitKey] = []
        self._to_clear: dict[_Seat, Micros] = {}  # once its test is over; at the latest then
        self._clearing: dict[_Seat, Micros] = {}  # the unit was told; heard of until then

    def begin(self, unit: UnitKey, until: Micros) -> None:
        self._lit[unit] = max(until, self._lit.get(unit, until))
        self._begun.append(unit)

    def mend(self, unit: UnitKey, seat: int, now: Micros) -> None:
        """Light it, measure it, and clear the fault that is no more."""
        self.begin(unit, now + MEASURED)
        self.clear_after(unit, seat)

    def clear_after(self, unit: UnitKey, seat: int) -> None:
        self._to_clear[unit, seat] = self._lit[unit] + DARK_AGAIN

    def is_mending(self, unit: UnitKey, seat: int, now: Micros) -> bool:
        return (unit, seat) in self._to_clear or now < self._clearing.get((unit, seat), now)

    def settled(self, unit: UnitKey, event: Settled) -> None:
        if event.command == "clear_faults":
            self._clearing.pop((unit, event.seat), None)

    def forget(self, unit: UnitKey) -> None:
        """It fell, and its test with it."""
        self._lit.pop(unit, None)
        for waiting in (self._to_clear, self._clearing):
            for key in [key for key in waiting if key[0] == unit]:
                del waiting[key]

    def wishes(self, *, between: bool, now: Micros) -> Iterator[Wish]:
        """Not `between` passes any more: everything ends at once."""
        begun, self._begun = self._begun, []
        if between:
            yield from (Wish(unit, BeginLampTest()) for unit in dict.fromkeys(begun) if unit in self._lit)
        for unit in sorted(unit for unit, until in self._lit.items() if now >= until or not between):
            del self._lit[unit]
            yield Wish(unit, EndLampTest())
        for key in sorted(key for key, due in self._to_clear.items() if now >= due or not between):
            del self._to_clear[key]
            self._clearing[key] = now + CLEARS_WITHIN
            yield Wish(key[0], ClearSeatFaults(key[1]))
        self._clearing = {key: until for key, until in self._clearing.items() if now < until}

    def deadlines(self) -> Iterator[Micros]:
        yield from self._lit.values()
        yield from self._to_clear.values()
        yield from self._clearing.values()
