"""One clause of the contract: its name, its sentence, the walk that examines it, and which units it is for."""

from collections.abc import Callable
from dataclasses import dataclass

from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject
from drivers.native.contract import Capability, UnitClass

FIRST_VERSION, SINCE_1_1 = 0x0100, 0x0101


@dataclass(frozen=True, slots=True)
class Clause:
    name: str  # opens with the section of devices.md
    sentence: str
    walk: Callable[[Subject], Walk[None]]
    needs: frozenset[Need]
    classes: frozenset[UnitClass]
    capability: Capability | None
    rests_on: str = ""  # another clause: when that one failed, this one can only fail for the same reason
    since: int = FIRST_VERSION  # the contract that says so; an earlier one left it open (2.10)


SEATED = frozenset({UnitClass.ELECTRONIC, UnitClass.CHIP_SLOT, UnitClass.TABLE})
EVERY = frozenset(UnitClass)


def clause(
    name: str,
    sentence: str,
    *needs: Need,
    classes: frozenset[UnitClass] = EVERY,
    capability: Capability | None = None,
    rests_on: str = "",
    since: int = FIRST_VERSION,
) -> Callable[[Callable[[Subject], Walk[None]]], Clause]:
    """Makes a clause of a walk."""
    return lambda walk: Clause(name, sentence, walk, frozenset(needs), classes, capability, rests_on, since)
