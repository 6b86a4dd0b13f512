"""`pozo peer`: whose key a running node takes, decided by two persons at its control socket (R-28, R-36).

Theory. The key itself may come by any way, also by mail: it is worth nothing until its fingerprint was heard. Somebody
at the other node reads it aloud; here each of the two types what he heard, and it is compared with the key and with the
settings before anything is signed. A mistake of typing is said at once, and never what would be right.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from controller.cli.asked import Mistyped, public_key_in
from controller.core.inputs import EnrolTerminal, Input, PinNeighbour, RevokeNeighbour
from controller.core.values import Signature, TerminalUse
from controller.ctl.people import NobodySigns, Signers
from controller.ctl.words import reply_lines
from controller.node.control.client import Client, NodeSilent, NotOurs, asking
from controller.node.settings.settings import SettingsForm, read_form
from controller.node.vocabulary.fingerprint import fingerprint_of, trouble_with
from controller.node.vocabulary.places import NeighbourPlace
from controller.node.vocabulary.protocol import NeighbourNow, Pin

_NOBODY = Signature("")  # the node puts in the person whose PIN it has proved
_CONFIG = click.argument("config", metavar="CONFIG", type=click.Path(dir_okay=False, path_type=Path))
_NAME = click.argument("name")
_BY = click.option("--by", envvar="POZO_POR", default="", metavar="PERSON", help="An administrator.")
_SECOND = click.option("--second", envvar="POZO_SEGUNDO", default="", metavar="PERSON", help="He, or a chief.")
_PINS = click.option(
    "--pin-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="«person PIN» on each line; only its owner may read it.",
)


@click.group()
def peer() -> None:
    """Whose key this node takes (docs/operators/links.md)."""


@peer.command()
@_CONFIG
@_NAME
@click.argument("key")
@_BY
@_SECOND
@_PINS
@click.option("--heard", multiple=True, metavar="FINGERPRINT", help="What was heard, once for each of both persons.")
def add(config: Path, name: str, key: str, by: str, second: str, pin_file: Path | None, heard: Sequence[str]) -> None:
    """Pin KEY, 64 digits or a file with them, for the [[neighbour]] NAME of CONFIG; a known one gets another key.

    Each of two persons types the fingerprint that somebody at the other node reads to him.
    """
    form = read_form(config)
    place = _place(form, name)
    public = public_key_in(key)
    if fingerprint_of(public) != place.fingerprint:
        raise Mistyped(f"{config}: neighbour.fingerprint de {name} no es la de esta llave: una de las dos es de otro")
    _refuse_what_was_not_heard(name, public, heard)
    asked = PinNeighbour(place.name, place.side, public, _NOBODY, _NOBODY, place.inside)
    _ask(form, asked, Signers(by, second, pin_file))


@peer.command()
@_CONFIG
@_NAME
@click.argument("key")
@_BY
@_SECOND
@_PINS
@click.option("--heard", multiple=True, metavar="FINGERPRINT", help="What was heard, once for each of both persons.")
def web(config: Path, name: str, key: str, by: str, second: str, pin_file: Path | None, heard: Sequence[str]) -> None:
    """Let the web process of another box in, under NAME, by its KEY (there: pozo web --key).

    Each of two persons types the fingerprint that somebody at the other box reads to him. `pozo ctl terminal retirar`
    sends it away.
    """
    form = read_form(config)
    public = public_key_in(key)
    _refuse_what_was_not_heard(name, public, heard)
    _ask(form, EnrolTerminal(name, TerminalUse.WEB, "", public, _NOBODY, _NOBODY), Signers(by, second, pin_file))


@peer.command()
@_CONFIG
@_NAME
@_BY
@_SECOND
@_PINS
@click.option("--reason", required=True, help="Why.")
def revoke(config: Path, name: str, by: str, second: str, pin_file: Path | None, reason: str) -> None:
    """Hear nothing more from the neighbour NAME, from this moment on."""
    _ask(read_form(config), RevokeNeighbour(name, reason, _NOBODY, _NOBODY), Signers(by, second, pin_file))


@peer.command(name="list")
@_CONFIG
def list_(config: Path) -> None:
    """Say whose keys the running node takes, by their fingerprints, beside what the settings say."""
    form = read_form(config)
    try:
        with Client(form.control) as client:
            known = {one.neighbour: one for one in client.state().neighbours}
    except (NodeSilent, NotOurs) as no:
        raise Mistyped(str(no)) from None
    places = {one.place.name: one.place for one in form.neighbours}
    for name in [*known, *(name for name in places if name not in known)]:
        click.echo(f"{name}: {_as_it_is(known.get(name), places.get(name))}")


def _as_it_is(known: NeighbourNow | None, place: NeighbourPlace | None) -> str:
    if known is None:
        return "sin fijar: dos personas la fijan con pozo peer add"
    said = fingerprint_of(known.key)
    state = "REVOCADO" if known.revoked else "en línea" if known.up else "sin enlace"
    if place is None:
        return f"{said}, {state}; no está en la configuración"
    return f"{said}, {state}{'' if place.fingerprint == said else '; la configuración dice otra huella'}"


def _place(form: SettingsForm, name: str) -> NeighbourPlace:
    places = {one.place.name: one.place for one in form.neighbours}
    if name not in places:
        raise Mistyped(f"{form.file}: no hay un [[neighbour]] {name}; hay: {', '.join(places) or 'ninguno'}")
    return places[name]


def _refuse_what_was_not_heard(name: str, public: str, heard: Sequence[str]) -> None:
    for person in _each(heard):
        typed = heard[person - 1] if heard else _typed(person)
        if trouble := trouble_with(typed, public):
            raise Mistyped(f"{name}: lo que oyó la persona {person}: {trouble}")


def _each(heard: Sequence[str]) -> range:
    if len(heard) not in {0, 2}:
        raise Mistyped("--heard va dos veces: lo que oyó cada una de las dos personas")
    return range(1, 3)


def _typed(person: int) -> str:
    said: str = click.prompt(f"Huella que oyó la persona {person}", err=True)
    return said


def _ask(form: SettingsForm, asked: Input, signers: Signers) -> None:
    try:
        by: Pin = signers.first()
        second = signers.second()
        with Client(form.control) as client:
            reply = client.ask(asking(asked, by, second))
            for line in reply_lines(reply, client.state()):
                click.echo(line, err=not reply.ok)
    except (NodeSilent, NotOurs, NobodySigns) as no:
        raise Mistyped(str(no)) from None
    if not reply.ok:
        sys.exit(1)
