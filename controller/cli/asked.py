"""What persons give to a command: codes and PINs, never on a command line, and a neighbour's public key."""

import re
import sys
from pathlib import Path

import click

from controller.node.vocabulary.fingerprint import is_link_key
from controller.node.vocabulary.protocol import Pin, is_pin

_DIGITS = re.compile(r"\b[0-9a-fA-F]{64}\b")


class Mistyped(click.ClickException):
    """What was typed, or the settings, cannot be: one line, and nothing was asked of any node."""

    def show(self, file: object = None) -> None:  # noqa: ARG002  click gives it
        click.echo(f"pozo: {self.message}", err=True)


def code_of(person: str) -> str:
    """The one that he keeps on paper."""
    code: str = click.prompt(f"Código de {person}", hide_input=sys.stdin.isatty(), err=True)
    return code


def pin_of(person: str, *, new: bool) -> Pin:
    pin: str = click.prompt(f"PIN {'nuevo ' if new else ''}de {person}", hide_input=sys.stdin.isatty(), err=True)
    if new and not is_pin(pin):
        raise click.BadParameter(f"{person}: six to twelve digits", param_hint="PIN")
    if new and sys.stdin.isatty() and click.prompt("Otra vez", hide_input=True, err=True) != pin:
        raise click.BadParameter(f"{person}: not the same twice", param_hint="PIN")
    return Pin(person, pin)


def public_key_in(key: str) -> str:
    """Of what was given, 64 digits or a file with them, the one public key in it."""
    path = Path(key)
    if not is_link_key(key.lower()) and not path.is_file():
        raise Mistyped(f"{key}: ni 64 cifras hexadecimales, ni un archivo con ellas (pozo key show)")
    text = key if is_link_key(key.lower()) else path.read_text(encoding="utf-8", errors="replace")
    found: set[str] = {one.lower() for one in _DIGITS.findall(text)}
    if len(found) != 1:
        raise Mistyped(f"{key}: tiene {len(found)} llaves; se da una sola")
    return found.pop()
