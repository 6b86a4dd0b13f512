"""What a simulated unit is when it leaves the factory: everything about it that no host can change.

The unit's address is a switch inside it: a configuration written for another address is refused (2.1.6), a broadcast
mistake can move no unit.
"""

from dataclasses import dataclass, replace

from drivers.native.contract import Capability, SeatMode, UnitClass
from drivers.native.writes import Config
from drivers.session import MILLISECOND, Micros

_LAMP = Capability.LAMP | Capability.CURRENT_SENSE
_ALWAYS = Capability.NVM | Capability.LOCK_LINE
_BUTTONS = _ALWAYS | _LAMP | Capability.BUTTONS | Capability.CREDIT_DISPLAY
_SLOT = _ALWAYS | _LAMP | Capability.CHIP_SLOT | Capability.GATE | Capability.CREDIT_DISPLAY
USUAL = {
    UnitClass.ELECTRONIC: _BUTTONS,
    UnitClass.CHIP_SLOT: _SLOT,
    UnitClass.CONSOLE: _ALWAYS | Capability.LOCK_KEY | Capability.UNLOCK_KEY,
    UnitClass.COUNTER: Capability.NVM | Capability.CREDIT_DISPLAY,
    UnitClass.TABLE: _BUTTONS,
}
_MODES = {
    UnitClass.ELECTRONIC: SeatMode.BUTTONS,
    UnitClass.CHIP_SLOT: SeatMode.CHIPS,
    UnitClass.CONSOLE: SeatMode.CONSOLE,
    UnitClass.COUNTER: SeatMode.COUNTER,
}

# A unit that was never configured measures and debounces by these, and never opens (2.4).
UNCONFIGURED = Config(credit_value=1, least=1, most=1, buttons=(0, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class Make:
    unit: int
    unit_class: UnitClass
    seats: int = 1
    first_seat: int = 1
    serial: int = 1
    capabilities: int | None = None  # None: the usual ones of the class
    config: Config | None = None  # as delivered; unit and first seat are put right
    product: str = "POZO SIM"
    answer: Micros = 5 * MILLISECOND
    hardware: int = 1
    firmware: int = 1
    firmware_crc: int = 0
    milliamps: int = 18  # of a good lamp
    transit: Micros = 60 * MILLISECOND  # of a chip, from the entry sensor to the exit sensor
    modes: tuple[SeatMode, ...] = ()  # of each seat of a table unit; empty: what its capabilities say

    def __post_init__(self) -> None:
        assert 1 <= self.unit <= 247 and 1 <= self.seats <= 9, "2.2"
        assert self.seats == 1 or self.unit_class == UnitClass.TABLE, "only a table unit has several seats"
        assert len(self.modes) in {0, self.seats}, "a mode for every seat"

    def able(self, capability: Capability) -> bool:
        return bool(self.abilities & capability)

    @property
    def abilities(self) -> int:
        if self.capabilities is not None:
            return self.capabilities
        takes_chips = self.unit_class is UnitClass.TABLE and SeatMode.CHIPS in self.modes
        return USUAL[self.unit_class] | (USUAL[UnitClass.CHIP_SLOT] if takes_chips else 0)

    def mode(self, seat: int) -> SeatMode:
        if self.modes:
            return self.modes[seat - 1]
        if self.unit_class != UnitClass.TABLE:
            return _MODES[self.unit_class]
        chips = self.able(Capability.CHIP_SLOT) and not self.able(Capability.BUTTONS)
        return SeatMode.CHIPS if chips else SeatMode.BUTTONS


def delivered(make: Make, config: Config) -> Config:
    """The configuration a unit leaves the factory with names this unit."""
    return replace(config, unit=make.unit, first_seat=make.first_seat)
