"""The owner of drivers as tests need one: a host with books that survive it, as the node and its ledger will be.

`Books` is what a database holds: it outlives every crash. `Host` is one life of a process: drivers, and what they
said since it began. A host books whole images in one step (commit) and acknowledges after it, never before; a crash
may come on either side of the commit, or between the seats of one image.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from drivers.line.numbers import newer
from drivers.modbus.bus import Bus
from drivers.model import BetSeen, ConsoleSeen, DeviceKey, Notice, SeatSeen, Settled, Totals, UnitDown, UnitUp
from drivers.native.unit import NativeUnit
from drivers.session import Micros

WORD = 2**32
KINDS = ("loaded", "cashed", "bets", "voided", "chips", "late")


class CrashError(Exception):
    """The process died here."""


@dataclass
class Books:
    seqs: dict[DeviceKey, int] = field(default_factory=dict)
    base: dict[tuple[DeviceKey, int], Totals] = field(default_factory=dict)
    # Sums of differences, as plain numbers: a difference that went backwards shows as thousands of millions.
    sums: dict[tuple[DeviceKey, int], dict[str, int]] = field(default_factory=dict)
    first: dict[tuple[DeviceKey, int], Totals] = field(default_factory=dict)
    wanted: dict[int, int] = field(default_factory=dict)  # credits the croupier sold, ever, by seat
    paid: dict[int, int] = field(default_factory=dict)  # credits he cashed out, ever, by seat
    lock_presses: dict[int, int] = field(default_factory=dict)  # of consoles, as it was told to any of the hosts
    # Not of the books: what was told last, to hold drivers to «equal numbers, equal totals».
    told: dict[tuple[DeviceKey, int], tuple[int, Totals]] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)

    def hold_to_its_word(self, seen: SeatSeen) -> None:
        place = (seen.device, seen.seat)
        seq, totals = self.told.get(place, (None, None))
        if seq == seen.seq and totals != seen.totals:
            self.contradictions.append(f"seat {seen.seat}: number {seq} was {totals} and is {seen.totals}")
        self.told[place] = (seen.seq, seen.totals)

    def book(self, seen: SeatSeen) -> None:
        """Differences to the base of the same key; an older snapshot than the base is no news (2.1.2)."""
        place = (seen.device, seen.seat)
        old = self.base.get(place)
        if old is None:
            self.base[place] = self.first[place] = seen.totals
            self.sums[place] = dict.fromkeys(KINDS, 0)
            return
        for kind in KINDS:
            self.sums[place][kind] += (getattr(seen.totals, kind) - getattr(old, kind)) % WORD
        self.base[place] = seen.totals

    def commit(self, device: DeviceKey, seq: int) -> None:
        self.seqs[device] = seq

    def knows_another(self, device: DeviceKey, seat: int) -> bool:
        """The seat has books of another memory than this one."""
        return any(at == seat and key != device for key, at in self.base)

    def balance_of(self, seen: SeatSeen) -> int:
        """What the player may have back, by the books."""
        base = self.base.get((seen.device, seen.seat))
        return (base.loaded - base.cashed - base.bets + base.voided) % WORD if base is not None else 0

    def sum_of(self, seat: int, kind: str) -> int:
        return sum(sums[kind] for (_, at), sums in self.sums.items() if at == seat)


def is_last(seen: SeatSeen) -> bool:
    """Of its image: only then may its number be acknowledged."""
    return seen.last


class Host:
    """One life. `events` is all it was told; `crash_at` counts commits and dies before or after one of them."""

    def __init__(
        self,
        books: Books,
        units: Sequence[NativeUnit],
        crash_after: tuple[str, int] | None = None,
        round_id: int | None = None,
    ) -> None:
        self.books = books
        self.units = {seat: unit for unit in units for seat in unit._settings.table_seats}
        self.by_number = {unit.number: unit for unit in units}
        self.up: set[int] = set()
        self.round: int | None = round_id
        self.proven: set[int] = set()  # units read back locked since this host last wanted them so
        self.latest: dict[int, SeatSeen] = {}
        self.consoles: dict[int, ConsoleSeen] = {}
        self.downs: list[UnitDown] = []
        self.alarms: list[Notice] = []
        self.settled: list[Settled] = []
        self.reconciled: list[DeviceKey] = []
        self.crash_after = crash_after  # ("before" | "after" a commit | "between" two seats, how many are left)
        self._images: dict[int, list[SeatSeen]] = {}  # by unit: an image of which not every seat was told yet
        self._waiting: list[SeatSeen] = []  # whole images

    def hear(self, event: object, now: Micros = 0) -> None:
        match event:
            case UnitUp():
                self.up.add(event.unit)
                self._resume(event)
                self._load_on()
            case UnitDown():
                self.up.discard(event.unit)
                self.downs.append(event)
            case SeatSeen():
                if event.locked and self.round is None and event.unit in self.up:
                    self.proven.add(event.unit)
                self.books.hold_to_its_word(event)
                self.latest[event.seat] = event
                self._collect(event)
                if not is_last(event):
                    self._perhaps_crash("between")
            case ConsoleSeen():
                self.consoles[event.unit] = event
                self.books.lock_presses[event.unit] = event.lock_presses
                self.by_number[event.unit].acknowledge(event.device, event.seq)
            case Notice():
                self.alarms.append(event)
            case Settled():
                self.settled.append(event)
                if event.command == "load" and not event.done:
                    self._load_on()
                if event.command == "cash" and not event.done and not self._is_short(event):
                    self._cash_on()

    def _collect(self, seen: SeatSeen) -> None:
        """Its number may be acknowledged only when all of its image is booked, so an image is booked whole."""
        image = self._images.setdefault(seen.unit, [])
        image.append(seen)
        if is_last(seen):
            self._waiting += self._images.pop(seen.unit)

    @property
    def waiting(self) -> bool:
        return bool(self._waiting)

    def commit(self) -> None:
        """Everything heard since the last one, in one transaction; then, and only then, the acknowledgements."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        self._perhaps_crash("before")
        newest: dict[int, SeatSeen] = {}
        for seen in waiting:
            known = self.books.seqs.get(seen.device)
            if known is not None and newer(known, seen.seq):
                continue
            self.books.book(seen)
            newest[seen.unit] = seen
        for seen in newest.values():
            self.books.commit(seen.device, seen.seq)
        self._perhaps_crash("after")
        for unit, seen in newest.items():
            self.by_number[unit].acknowledge(seen.device, seen.seq)
        self._load_on()
        self._cash_on()

    def open(self, round_id: int) -> None:
        self.round = round_id
        self.proven.clear()
        for unit in self.by_number.values():
            unit.unlock(round_id)

    def lock(self) -> None:
        self.round = None
        for unit in self.by_number.values():
            unit.lock()

    def lock_by(self, bus: Bus) -> None:
        """One call for all the units of a line: it must last as if each had been told."""
        self.round = None
        bus.lock_all()

    def sell(self, seat: int, amount: int) -> None:
        """Written down first, then sent: a repeat sends the same two numbers (2.3 K)."""
        self.books.wanted[seat] = self.books.wanted.get(seat, 0) + amount
        self._load_on()

    def cash(self, seat: int, amount: int) -> None:
        """The same for what goes back to the player."""
        self.books.paid[seat] = self.books.paid.get(seat, 0) + amount
        self._cash_on()

    def unpaid(self, seat: int) -> int:
        return self.books.paid.get(seat, 0) - self.books.sum_of(seat, "cashed")

    def _cash_on(self) -> None:
        for seat in self.books.paid:
            seen, missing = self.latest.get(seat), self.unpaid(seat)
            if missing > 0 and seen is not None and seen.unit in self.up and self._is_known(seen):
                expected = self.books.base[seen.device, seat].cashed
                self.units[seat].cash(seat, expected, (expected + missing) % WORD)

    def _is_short(self, settled: Settled) -> bool:
        """The player has just bet it: what was refused for that waits until the seat's books move."""
        seen = self.latest[settled.seat]
        lacks = self.books.balance_of(seen) < self.unpaid(settled.seat)
        return settled.result == "refused" and (lacks or seen.bet == BetSeen.PENDING)

    def _is_known(self, seen: SeatSeen) -> bool:
        return (seen.device, seen.seat) in self.books.base

    def _load_on(self) -> None:
        for seat, wanted in self.books.wanted.items():
            seen = self.latest.get(seat)
            if seen is None or seen.unit not in self.up or not self._is_known(seen):
                continue
            missing = wanted - self.books.sum_of(seat, "loaded")
            if missing > 0:
                expected = self.books.base[seen.device, seat].loaded
                self.units[seat].load(seat, expected, (expected + missing) % WORD)

    def _resume(self, event: UnitUp) -> None:
        known = self.books.seqs.get(event.device)
        if known is not None:
            self.by_number[event.unit].acknowledge(event.device, known)
        if any(self.books.knows_another(event.device, seat) for seat in event.seats):
            self._reconcile(event)
        if self.round is not None:
            self.by_number[event.unit].unlock(self.round)

    def _reconcile(self, event: UnitUp) -> None:
        """A person looked at both books; the sums of the lost memory stay what they were."""
        self.reconciled.append(event.device)
        self.by_number[event.unit].reconciled(event.device)

    def _perhaps_crash(self, side: str) -> None:
        if self.crash_after is None or self.crash_after[0] != side:
            return
        if self.crash_after[1] <= 0:
            raise CrashError(side)
        self.crash_after = (side, self.crash_after[1] - 1)
