"""What the floor tells persons of devices beside the record, and a line of the journal about what a device told.

Theory. An alarm stands as long as what it says is so, and says what to do. Not every complaint of a unit is one: that
it lost its host while the node was started anew, or its tension with the house's, stands in the list of devices and is
cleared there; one that says that its totals or its works cannot be relied on is (R-27).
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass

from controller.core.view import Alarm, alarm
from controller.node.floor.units import Unit
from controller.node.vocabulary.own_faults import OWN_FAULTS

_GRAVE = {"totals_lost", "config_invalid", "clock", "self_test"}


def unit_alarms(unit: Unit) -> Iterator[Alarm]:
    table, grave = unit.place.table, [OWN_FAULTS[one] for one in unit.faults if one in _GRAVE]
    if unit.up and grave:
        said = "Mesa {table}: el aparato {unit} dice que {why}. Revíselo; después, «fallas {table} 0»."
        yield alarm("unit_faults", table, "R-27", said, table=table, unit=unit.name, why=", ".join(grave))
    if unit.twin is not None:
        yield _twins(unit, unit.twin)


def _twins(unit: Unit, other: Unit) -> Alarm:
    said = (
        "Mesa {table}: el aparato {unit} dice el número de serie del aparato {other}. Queda bloqueado. "
        "Cambie uno de los dos; después, desconecte y conecte {unit}."
    )
    table = unit.place.table
    return alarm("unit_twin", table, "R-37", said, table=table, unit=unit.name, other=other.name)


def nobodys_bet(table: str, seat: int) -> Alarm:
    said = "Mesa {table}, posición {seat}: el aparato mostró una apuesta que nadie hizo; no vale. Revíselo o cámbielo."
    return alarm("bet_of_nobody", f"{table}/{seat}", "R-6", said, table=table, seat=seat)


def written(entry: object) -> Mapping[str, object] | str:
    """An event out of a unit's ring, as the journal writes it."""
    return asdict(entry) if is_dataclass(entry) and not isinstance(entry, type) else str(entry)
