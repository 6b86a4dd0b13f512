"""What the installation says of one unit: where it is, what it must be, how it is configured, how it is asked.

Nothing here is learnt from the wire. A unit that is not what stands here is refused by name, and one that is configured
otherwise is configured, or refused (2.3 C).
"""

from dataclasses import dataclass

from drivers.native import contract as at
from drivers.native.contract import Capability, SeatMode, UnitClass
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND, Micros

BEATS_PER_TIMEOUT = 3  # fewer would make one lost frame a lost host (2.6)

_TAKES_BETS = {SeatMode.BUTTONS: Capability.BUTTONS, SeatMode.CHIPS: Capability.CHIP_SLOT}


@dataclass(frozen=True, slots=True)
class UnitSettings:
    number: int
    unit_class: UnitClass
    seats: int
    first_seat: int
    config: Config
    mode: SeatMode | None = None  # of every seat; `None`: the unit's own business
    beat: Micros = 300 * MILLISECOND  # the longest between two heartbeats
    poll: Micros = 0  # between two images; 0 = as often as the bus gives turns
    patience: int = 3  # this many failures in a row are silence
    retry: Micros = 2 * SECOND  # between two tries at what was refused
    hold_off: Micros = 10 * SECOND  # after a second host was seen
    explain_after: Micros = 200 * MILLISECOND  # the ring is read when the seats are quiet again, or nearly full
    detail_every: Micros = 30 * SECOND  # each seat's books are looked at though nothing moved
    show_every: Micros = 2 * SECOND  # a counter that hears nothing for 5 s shows dashes

    def __post_init__(self) -> None:
        assert 1 <= self.number <= 247, "a unit has an address of its own"
        assert 1 <= self.seats <= at.MOST_SEATS, "more seats are a second unit (2.2)"
        assert self.seats == 1 or self.unit_class == UnitClass.TABLE, "only a table unit has several seats"
        assert self.config.flaw() is None, "no unit may run on these values"
        assert (self.config.unit, self.config.first_seat) == (self.number, self.first_seat), "its own address and seats"
        assert 0 < self.beat * BEATS_PER_TIMEOUT <= self.host_timeout, "three heartbeats in every host timeout (2.6)"
        assert self.patience > 0

    @property
    def host_timeout(self) -> Micros:
        return self.config.host_timeout * MILLISECOND

    @property
    def has_seats(self) -> bool:
        return self.unit_class in {UnitClass.ELECTRONIC, UnitClass.CHIP_SLOT, UnitClass.TABLE}

    @property
    def needed(self) -> int:
        """Capabilities without which its seats cannot take a bet that a lamp shows (R-5, R-6)."""
        if not self.has_seats:
            return 0
        return Capability.LAMP | (_TAKES_BETS[self.mode] if self.mode is not None else 0)

    @property
    def table_seats(self) -> tuple[int, ...]:
        """With the table's numbers; a console and a counter have none."""
        return tuple(self.first_seat + seat for seat in range(self.seats)) if self.has_seats else ()

    def at_table(self, seat: int) -> int:
        """The table's number of the unit's own seat 1..N; 0, the unit itself, stays 0."""
        return self.first_seat + seat - 1 if seat else 0

    def of_unit(self, table_seat: int) -> int:
        """The unit's own number of a seat; a seat of another unit is a mistake of the caller."""
        seat = table_seat - self.first_seat + 1
        assert self.has_seats and 1 <= seat <= self.seats, "not a seat of this unit"
        return seat
