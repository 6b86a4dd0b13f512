"""What a terminal says of devices: what was done to them, what keeps one from play, what one complains of itself."""

from collections.abc import Iterator, Mapping
from typing import Any

from controller.node.vocabulary.own_faults import OWN_FAULTS
from controller.node.vocabulary.protocol import Health, UnitNow

_TENDED = {
    "reopen": "Mesa {table}: se abren las posiciones que volvieron; las que esperan el próximo pase, entonces.",
    "lamp_test": "Mesa {table}: prueba de luces.",
    "sign_test": "Letrero {sign}: mostró la prueba y lo dijo.",
    "clear_faults": "Mesa {table}, posición {seat}: se borran las fallas que el aparato recuerda.",
}
_UNSEEN = "Letrero {sign}: la prueba salió, pero este letrero no contesta: mire usted si la muestra."
_OF_DEVICES = "Mesa {table}: se borran las fallas que sus aparatos recuerdan de sí mismos."


def tended(fact: Mapping[str, Any]) -> str:
    of_devices = fact["what"] == "clear_faults" and not fact.get("seat")
    said = _UNSEEN if fact.get("unseen") else _OF_DEVICES if of_devices else _TENDED[fact["what"]]
    return said.format(**fact)


def unit_lines(unit: UnitNow) -> Iterator[str]:
    seats = f", posición {', '.join(map(str, unit.seats))}" if unit.seats else ""
    said = [unit.why or "arrancando"] if unit.why or unit.health is not Health.UP else []
    said += [", ".join(OWN_FAULTS.get(fault, fault) for fault in unit.faults)] if unit.faults else []
    if said:
        yield f"aparato {unit.line}/{unit.number} (mesa {unit.table}{seats}): {'; '.join(said)}"
