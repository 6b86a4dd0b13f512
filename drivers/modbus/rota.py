"""Whose turn is it? Every live unit within a bound, urgent ones sooner, dead ones now and then.

Four rules. Of the units that are due, the one whose last turn is longest ago comes next. An urgent one may come before
it, but after a turn that it had while urgent not again before every other live unit that is due had one. A unit that
failed three times running is dead: it is probed with a doubling pause, and between two probes, of whichever dead
units, every live unit that is due has a turn (4.2). A unit that failed at all does not jump the queue: at most one
exchange that is expected to fail stands between a live unit and its turn.
"""

from collections.abc import Sequence

from drivers.line.failures import Counters, Failure
from drivers.modbus.turn import LineUnit
from drivers.session import MILLISECOND, SECOND, Micros

DEAD_AFTER = 3  # failures running; one lost frame in a noisy hall is not a death
FIRST_PAUSE: Micros = 200 * MILLISECOND
LONGEST_PAUSE: Micros = 5 * SECOND
GIVEN_AWAY: Micros = 5 * MILLISECOND  # a unit that is due and asks nothing is not asked at once again


class RotaPlace:
    """A unit in the queue, and what the line has seen of it."""

    __slots__ = (
        "counters", "drain", "failures", "hastened", "hurried", "not_before", "pause", "served",
        "turn", "unit", "wait",
    )  # fmt: skip

    def __init__(self, unit: LineUnit) -> None:
        self.unit = unit
        self.counters = Counters()
        self.wait: Micros = 0  # of its longest question so far
        self.turn: Micros = 0  # of its longest turn so far: one question, or two and the silence between
        self.drain: Micros = 0
        self.forgive()

    def forgive(self) -> None:
        """A new line: nothing is known of it."""
        self.served = 0  # number of its last turn
        self.hastened = -1  # number of the last one that it had while urgent
        self.failures = 0  # running
        self.pause: Micros = 0  # more than 0: dead
        self.not_before: Micros | None = None
        self.hurried = False


class Rota:
    def __init__(self, units: Sequence[LineUnit]) -> None:
        self.places = [RotaPlace(unit) for unit in units]
        self._queue = list(self.places)  # longest waiting first
        self._turn = 0
        self._probed = -1  # number of the last turn of a dead unit

    def forgive(self) -> None:
        """A new line: every unit is alive, and whose turn was next is next."""
        for place in self.places:
            place.forgive()

    def hurry(self) -> None:
        """Every unit is due at once, and urgent until it had its turn."""
        for place in self.places:
            place.hurried = True

    def next(self, now: Micros) -> RotaPlace | None:
        """The unit whose turn it is; the turn counts as had."""
        first = jumper = probe = None
        for place in self._queue:
            if place.not_before is not None and place.not_before > now:
                continue
            urgent = place.hurried or place.unit.urgent()
            if not urgent:
                due = place.unit.due()
                if due is None or due > now:
                    continue
            if place.pause:
                probe = probe or place
                continue
            first = first or place
            if urgent and jumper is None and not place.failures and first.served > place.hastened:
                jumper = place
        if jumper is not None:
            return self._serve(jumper)
        if probe is not None and (first is None or first.served > self._probed):
            self._probed = self._turn + 1
            return self._serve(probe)
        return None if first is None else self._serve(first)

    def _serve(self, place: RotaPlace) -> RotaPlace:
        self._turn += 1
        place.served = self._turn
        if place.hurried or place.unit.urgent():
            place.hastened = self._turn
        place.hurried = False
        self._queue.remove(place)
        self._queue.append(place)
        return place

    def next_due(self, free: Micros) -> Micros | None:
        """When somebody may have a turn on a line that is free from then on."""
        soonest: Micros | None = None
        for place in self._queue:
            due = free if place.hurried or place.unit.urgent() else place.unit.due()
            if due is None:
                continue
            if place.not_before is not None:
                due = max(due, place.not_before)
            if due <= free:
                return free
            if soonest is None or due < soonest:
                soonest = due
        return soonest

    def gave_away(self, place: RotaPlace, now: Micros) -> None:
        place.not_before = now + GIVEN_AWAY

    def answered(self, place: RotaPlace) -> None:
        place.counters.answered += 1
        place.failures = place.pause = 0

    def failed(self, place: RotaPlace, failure: Failure, now: Micros) -> None:
        place.counters.failed[failure] += 1
        place.failures += 1
        if place.failures >= DEAD_AFTER:
            place.pause = min(place.pause * 2 or FIRST_PAUSE, LONGEST_PAUSE)
            place.not_before = now + place.pause
