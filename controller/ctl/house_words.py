"""What the console says, in Spanish, of who may sign and of terminals: browsers and webs that two let in (R-36).

Theory. As words.py says all others. A key is shown by its fingerprint, as two persons read it aloud. Pure.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.house import House

_FOR = {"table": "mesa {place}", "chief": "jefe", "sign": "letrero {place}", "web": "web de otra caja"}


def _person(fact: Mapping[str, Any], _: object) -> list[str]:
    roles = ", ".join(fact["roles"]) or "sin papel: queda retirado"
    return [f"{fact['name']} ({fact['person']}): {roles}."]


def _unlocked(fact: Mapping[str, Any], _: object) -> list[str]:
    return [f"{fact['person']} ya no espera: sus PIN equivocados quedan por vistos."]


def _terminal(fact: Mapping[str, Any], _: object) -> list[str]:
    """That a terminal has another key now is said by itself."""
    had = fact.get("replaces", "")
    again = "; su llave de antes ya no vale" if had and had != fact["key"] else ""
    return [f"Terminal {fact['terminal']} inscrita: {_of(fact['use'], fact['place'])}{again}."]


def _withdrawn(fact: Mapping[str, Any], _: object) -> list[str]:
    return [f"Terminal {fact['terminal']}: retirada ({fact['reason']}); desde ahora no se le toma nada."]


def _of(use: str, place: str) -> str:
    return _FOR[use].format(place=place)


OF_THE_HOUSE: dict[str, Callable[[Mapping[str, Any], Any], list[str]]] = {
    "person_enrolled": _person,
    "person_unlocked": _unlocked,
    "terminal_enrolled": _terminal,
    "terminal_withdrawn": _withdrawn,
}


def terminal_lines(house: House) -> Iterator[str]:
    if not house.terminals:
        yield "Ninguna terminal inscrita."
    for one in house.terminals:
        yield f"{one.terminal}: {_of(one.use, one.place)} · huella {fingerprint_of(one.key)}"
