"""`pozo key`: the key of a node's links, beside the node, for a technician (R-28).

Theory. Only the public half is ever shown, with the fingerprint that is read aloud to those who pin it elsewhere. A key
that is in use is never written over: a new one is made beside it, the neighbours pin that, and then it takes its place.
Whoever may read the folder may do this; what it is worth is decided by two persons at each neighbour.
"""

import os
from pathlib import Path

import click

from controller.node.book.chain import KeyRefused
from controller.node.book.link_key import LinkKey, link_key_of, make, next_link_key_of
from controller.node.book.link_key import rotate as rotate_key
from controller.node.service.owner import work_as_owner
from controller.node.settings.settings import read_form
from controller.node.vocabulary.fingerprint import fingerprint_of

_CONFIG = click.argument("config", metavar="CONFIG", type=click.Path(dir_okay=False, path_type=Path))


@click.group()
def key() -> None:
    """The key by which neighbours know this node (docs/operators/links.md)."""


@key.command()
@_CONFIG
def new(config: Path) -> None:
    """Make the node's link key; where it has one already, a second one that waits beside it."""
    folder = read_form(config).folder
    work_as_owner(folder, config.stem)
    path = next_link_key_of(folder) if os.path.lexists(link_key_of(folder)) else link_key_of(folder)
    if path == next_link_key_of(folder) and os.path.lexists(path):
        raise KeyRefused(str(path), "ya espera una llave nueva; se ve con: pozo key show")
    make(path)
    _say(LinkKey.load(path))
    if path == next_link_key_of(folder):
        click.echo(f"Que cada vecino la fije (pozo peer add); después, aquí: pozo key rotate {config}", err=True)


@key.command()
@_CONFIG
@click.option("--next", "waiting", is_flag=True, help="The second one, that waits.")
def show(config: Path, waiting: bool) -> None:
    """Say the node's public key and its fingerprint, to be read aloud to those who pin it."""
    folder = read_form(config).folder
    path = next_link_key_of(folder) if waiting else link_key_of(folder)
    if not os.path.lexists(path):
        raise KeyRefused(str(path), f"no está; se hace con: pozo key new {config}")
    _say(LinkKey.load(path))


@key.command()
@_CONFIG
def rotate(config: Path) -> None:
    """Let the second key take the place of the first. The node uses it from its next start on."""
    folder = read_form(config).folder
    work_as_owner(folder)
    rotated = rotate_key(folder)
    _say(rotated)
    click.echo("Es la llave de este nodo desde su próximo arranque; la anterior ya no está.", err=True)


def _say(pair: LinkKey) -> None:
    public = pair.public.hex()
    click.echo(f"llave  {public}\nhuella {fingerprint_of(public)}")
