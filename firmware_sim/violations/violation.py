"""One violation: its name, what the unit does wrong, the clause that names it, and the unit.

Each is what a maker may really get wrong: a subclass that overrides one seam of the simulated firmware, or of the
slave that hangs it on the line; everything else is the good unit. `also`: clauses that fail for the same reason.
"""

from dataclasses import dataclass

from drivers.native.contract import UnitClass
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.unit import Firmware


@dataclass(frozen=True)
class Violation:
    name: str
    wrong: str
    clause: str
    unit: type[Firmware] | type[RtuSlave]
    also: tuple[str, ...] = ()
    unit_class: UnitClass = UnitClass.ELECTRONIC
    seats: int = 1
    more: int = 0  # capabilities beside the usual ones
    deep: bool = False  # still others fail of it: a seat that it closes stays closed

    @property
    def firmware(self) -> type[Firmware]:
        return self.unit if issubclass(self.unit, Firmware) else Firmware

    @property
    def slave(self) -> type[RtuSlave]:
        return self.unit if issubclass(self.unit, RtuSlave) else RtuSlave
