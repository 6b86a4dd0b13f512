"""The people of the demo casino, with the PINs that the demo prints: no real person and no real casino has them."""

from pathlib import Path
from typing import NamedTuple

from controller.core.values import Role
from controller.node.vocabulary.protocol import Pin


class Employee(NamedTuple):
    person: str
    name: str
    role: Role
    pin: str


ANA = Employee("ana", "Ana Araya", Role.ADMINISTRATOR, "100100")
LUIS = Employee("luis", "Luis Lagos", Role.ADMINISTRATOR, "200200")
CARLA = Employee("carla", "Carla Cruz", Role.CROUPIER, "300300")
JULIA = Employee("julia", "Julia Jara", Role.CHIEF, "400400")
MARIO = Employee("mario", "Mario Mora", Role.CHIEF, "500500")
TITO = Employee("tito", "Tito Toro", Role.TECHNICIAN, "600600")

ADMINISTRATORS = (ANA, LUIS)
EVERYBODY = (ANA, LUIS, CARLA, JULIA, MARIO, TITO)
TITLES = {
    Role.ADMINISTRATOR: "administración",
    Role.CROUPIER: "crupier",
    Role.CHIEF: "jefatura de sala",
    Role.TECHNICIAN: "técnico",
}


def pin_of(person: str) -> Pin | None:
    found = [one for one in EVERYBODY if one.person == person]
    return Pin(person, found[0].pin) if found else None


def keep_pins(place: Path) -> None:
    """Write the file for `pozo ctl --pin-file`: a person and a PIN on each line, which only its owner can read."""
    place.touch(mode=0o600)
    place.write_text("".join(f"{one.person} {one.pin}\n" for one in EVERYBODY), encoding="utf-8")
