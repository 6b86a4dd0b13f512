"""Who signs, and with which PIN: from a prompt, a file only its owner reads, or the environment; never an argument.

Theory. A PIN in an argument stands in every list of processes; every process of the same user can read the environment,
and every user with the right to do so reads the file. So a prompt is the rule, and a file that others can read is
refused. A file holds PINs, and its first line is who asks; the second person is named each time, because two signatures
are two people and no program chooses one (R-36). What was typed is kept in memory as long as the program runs, and
nowhere else.
"""

import os
import stat
import sys
from pathlib import Path

import click

from controller.node.vocabulary.protocol import Pin, is_pin


class NobodySigns(Exception):  # noqa: N818  says what happened
    """The program could not find out who signs, or with which PIN; why, in a sentence."""


class Signers:
    """The first person, and the second one where an act needs two."""

    def __init__(self, first: str, second: str, file: Path | None) -> None:
        self._listed = _listed(file) if file else {}
        listed = list(self._listed)
        self._first = first or (listed[0] if listed else "")
        self._second = second

    def first(self) -> Pin:
        person = self._first or _prompted("Quién lo pide")
        return Pin(person, self._pin(person, "POZO_PIN"))

    def second(self) -> Pin:
        try:
            person = self._second or _prompted("Segunda persona")
        except click.Abort:
            raise NobodySigns("Aquí firman dos: diga quién es la segunda persona con --segundo.") from None
        return Pin(person, self._pin(person, "POZO_PIN2"))

    def _pin(self, person: str, variable: str) -> str:
        return self._listed.get(person) or os.environ.get(variable) or _prompted(f"PIN de {person}", secret=True)


def new_pin(person: str) -> str:
    """Chosen by its person, twice the same."""
    pin = os.environ.get("POZO_PIN_NUEVO") or _prompted(f"PIN nuevo de {person}", secret=True)
    if not is_pin(pin):
        raise NobodySigns("Un PIN tiene de seis a doce cifras.")
    if "POZO_PIN_NUEVO" not in os.environ and _prompted("Otra vez", secret=True) != pin:
        raise NobodySigns("Los dos PIN no son iguales.")
    return pin


def _prompted(what: str, *, secret: bool = False) -> str:
    said: str = click.prompt(what, hide_input=secret and sys.stdin.isatty(), err=True)
    return said.strip()


def _listed(file: Path) -> dict[str, str]:
    """Lines of a person and his PIN; who asks stands first."""
    if stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise NobodySigns(f"{file}: otros pueden leer este archivo; chmod 600 {file}")
    listed = {}
    for at, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            if len(words) != 2 or not is_pin(words[1]):
                raise NobodySigns(f"{file}:{at}: una línea lleva una persona y su PIN, de seis a doce cifras")
            listed[words[0]] = words[1]
    return listed
