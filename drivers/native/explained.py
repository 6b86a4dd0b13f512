"""The event ring, read after the fact: why things changed. It never moves money; what it lost is counted."""

from dataclasses import dataclass, replace

from drivers.line.numbers import newer
from drivers.model import DeviceKey, Explained
from drivers.native.blocks import Ring, RingEntry
from drivers.native.contract import RING_DEPTH
from drivers.native.settings import UnitSettings
from drivers.session import Micros

_NEARLY_FULL = RING_DEPTH * 2 // 3


@dataclass(frozen=True, slots=True)
class Explanation:
    event: Explained
    touched: frozenset[int]  # the unit's own seats that an event names; all of them where one may be missing


class Explainer:
    def __init__(self, settings: UnitSettings) -> None:
        self._settings = settings
        self._device: DeviceKey | None = None
        self._explained = 0  # everything up to this number
        self._newest = 0
        self._moved_at: Micros = 0

    def begin(self, device: DeviceKey, seq: int, booked: int | None, now: Micros) -> None:
        """What was booked was explained; of a memory without books only what is still to come."""
        if device != self._device:
            self._device, self._explained, self._newest = device, seq if booked is None else booked, seq
        self.moved(seq, now)

    def forget(self) -> None:
        self._device = None

    def moved(self, seq: int, now: Micros) -> None:
        if seq != self._newest:
            self._newest, self._moved_at = seq, now

    def wanted(self, now: Micros) -> bool:
        waiting = (self._newest - self._explained) % 2**32
        return waiting >= _NEARLY_FULL or (waiting > 0 and now - self._moved_at >= self._settings.explain_after)

    def taken(self, ring: Ring) -> Explanation | None:
        """`None`: older than what was reported, so not the answer to this question."""
        if newer(self._explained, ring.newest) or newer(self._newest, ring.newest):
            return None
        fresh = [entry for entry in ring.entries if newer(entry.seq, self._explained)]
        missed = (ring.newest - self._explained) % 2**32 - len(fresh)
        self._explained = self._newest = ring.newest
        every = range(1, self._settings.seats + 1)
        touched = {entry.seat for entry in fresh} & set(every)
        event = Explained(
            unit=self._settings.number, entries=tuple(self._at_table(entry) for entry in fresh), missed=missed
        )
        return Explanation(event, frozenset(every if missed else touched))

    def unreadable(self) -> Explained:
        """The unit has no ring it would show."""
        missed = (self._newest - self._explained) % 2**32
        self._explained = self._newest
        return Explained(unit=self._settings.number, entries=(), missed=missed)

    def _at_table(self, entry: RingEntry) -> RingEntry:
        if not (self._settings.has_seats and 1 <= entry.seat <= self._settings.seats):
            return entry
        return replace(entry, seat=self._settings.at_table(entry.seat))
