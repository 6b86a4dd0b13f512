"""`pozo restore`, `new-pins` and `escrow`: a node that comes back, and what two persons keep so that it can.

Theory. Each command asks for what only persons know, lets the book do the work and says what came out. PINs and codes
are asked for, or read from standard input, one a line; they never stand on a command line.
"""

import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from controller.cli.asked import code_of, pin_of
from controller.cli.from_neighbour import fetched_from
from controller.cli.place import record_in
from controller.cli.progress import progress_of
from controller.node.book.book import Book, key_of, pepper_of, record_of
from controller.node.book.chain import Key
from controller.node.book.escrow import new_code, public_place, write_public
from controller.node.book.new_pins import NewPins, replace_pins, seal_verifiers
from controller.node.book.pins import Pepper
from controller.node.book.remake import Remaking, come_back_from_mirror
from controller.node.book.restore import Restoring, known_of
from controller.node.book.restore import restore as come_back
from controller.node.service.owner import leave_to_owner, work_as_owner

_KEY = click.option(
    "--key", "key_file", type=click.Path(dir_okay=False, path_type=Path), help="The node's key; by default beside it."
)

_PEPPER = click.option(
    "--pepper", "pepper_file", type=click.Path(dir_okay=False, path_type=Path),
    help="The secret of the node's PINs; by default beside the key.",
)  # fmt: skip


@click.command()
@click.argument("copy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("to", required=False, type=click.Path(path_type=Path))
@_KEY
@_PEPPER
@click.option("--by", required=True, help="The technician or administrator.")
@click.option("--second", required=True, help="The administrator who signs too.")
@click.option("--reason", required=True, help="Why; it stands on record.")
@click.option(
    "--heads", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A place of [heads] in the node's settings, each that can be read: what it knows more is named and signed.",
)  # fmt: skip
@click.option("--new-pins", is_flag=True, help="PINs or their secret are lost: two administrators make new ones.")
@click.option("--mirror", is_flag=True, help="COPY is the mirror that a neighbour keeps; two codes are asked for.")
@click.option(
    "--from",
    "neighbour",
    metavar="NEIGHBOUR",
    help="COPY is this node's settings file, and there is no TO: the mirror comes over the link from that neighbour.",
)
@click.option("--neighbour-key", metavar="KEY", help="With --from: 64 digits, or a file with them (pozo key show).")
def restore(
    copy: Path,
    to: Path | None,
    key_file: Path | None,
    pepper_file: Path | None,
    by: str,
    second: str,
    reason: str,
    heads: tuple[Path, ...],
    *,
    new_pins: bool,
    mirror: bool,
    neighbour: str | None,
    neighbour_key: str | None,
) -> None:
    """Bring a node back from a backup, under a new epoch, signed by two persons with their PINs."""
    _refuse_reason(reason)
    if neighbour is not None:
        if to or key_file or pepper_file or new_pins or mirror or not neighbour_key:
            raise click.BadParameter(
                "goes with CONFIG, --neighbour-key, and neither TO nor secrets", param_hint="--from"
            )
        _restore_from_neighbour(copy, neighbour, neighbour_key, by, second, reason, heads)
        return
    if to is None:
        raise click.MissingParameter(param_hint="TO", param_type="argument")
    to = record_in(to)
    if mirror:
        if key_file or pepper_file or new_pins:
            raise click.BadParameter("key and PINs come out of the mirror's escrow", param_hint="--mirror")
        _restore_from_mirror(copy, to, by, second, reason, heads)
        return
    key_file = _key_that_is_there(key_file or copy.with_suffix(".key"))
    key, pepper = Key.load_or_make(key_file), pepper_file or pepper_of(key_file.parent)
    known = known_of(copy, to, key, heads)
    if known.left is not None:
        click.echo(
            f"Se pierde lo que hubo después de esta copia, hasta el hecho {known.left.seq} (época {known.left.epoch})"
            " por lo menos: un testigo firmado lo dice. Las dos personas lo firman.",
            err=True,
        )
    signers = pin_of(by, new=new_pins), pin_of(second, new=new_pins)
    how = Restoring(copy, to, key, pepper, signers, reason, time.time_ns() // 1_000_000, heads, new_pins)
    epoch = come_back(how)
    leave_to_owner(to.parent)
    click.echo(f"{to}: restaurado, época {epoch}")


def _restore_from_mirror(mirror: Path, to: Path, by: str, second: str, reason: str, heads: Sequence[Path]) -> None:
    _remake(mirror, to, (code_of(by), code_of(second)), (by, second), reason, heads)


def _restore_from_neighbour(
    config: Path, neighbour: str, key: str, by: str, second: str, reason: str, heads: Sequence[Path]
) -> None:
    with fetched_from(config, neighbour, key, (by, second), heads) as came:
        _remake(came.copy, came.to, came.codes, (by, second), reason, came.places)


def _remake(
    mirror: Path, to: Path, codes: tuple[str, str], people: tuple[str, str], reason: str, heads: Sequence[Path]
) -> None:
    signers = pin_of(people[0], new=False), pin_of(people[1], new=False)
    how = Remaking(mirror, to, codes, signers, reason, time.time_ns() // 1_000_000, heads)
    with progress_of("rehaciendo", None) as step:
        made = come_back_from_mirror(how, step)
    leave_to_owner(to.parent)
    click.echo(f"{to}: rehecho de su espejo hasta el hecho {made.last}, época {made.epoch}")
    click.echo("Llave, PIN y semillas son los de antes. Las unidades se leen de nuevo; lo que difiera se cuenta.")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--by", required=True, help="Who keeps the first code.")
@click.option("--second", required=True, help="Who keeps the other one.")
def escrow(folder: Path, by: str, second: str) -> None:
    """Make the two codes without which nobody can make this node anew from its mirror; each is shown once.

    Codes that were made before open nothing that is sealed from now on.
    """
    if by == second:
        raise click.BadParameter("two persons keep a code each", param_hint="--second")
    _key_that_is_there(key_of(folder))
    work_as_owner(folder)
    codes = new_code(), new_code()
    for person, code in zip((by, second), codes, strict=True):
        if sys.stdin.isatty():
            click.clear()
            click.prompt(f"Solo {person} mira ahora la pantalla; Intro", default="", show_default=False, err=True)
        click.echo(f"Código de {person}: {code}")
        if sys.stdin.isatty():
            click.prompt("En papel, y guardado fuera de esta sala; Intro", default="", show_default=False, err=True)
            click.clear()
    write_public(folder, codes)
    click.echo(f"{public_place(folder)}: se sella para estos códigos desde el próximo arranque; no se muestran más.")


@click.command("new-pins")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--by", required=True, help="An administrator.")
@click.option("--second", required=True, help="Another administrator, or a chief.")
@click.option("--reason", required=True, help="Why; it stands on record.")
def new_pins_command(folder: Path, by: str, second: str, reason: str) -> None:
    """New PINs for two persons of a node that stands still, where the old ones, or the secret of all PINs, are lost.

    The node's key vouches for it; everybody else they enrol anew with `pozo ctl persona`.
    """
    _refuse_reason(reason)
    work_as_owner(folder)
    key = Key.load_or_make(_key_that_is_there(key_of(folder)))
    signers = pin_of(by, new=True), pin_of(second, new=True)
    with closing(Book.open(record_of(folder), key)) as book:
        pepper = Pepper.load_or_make(pepper_of(folder))
        seal_verifiers(book, pepper)
        replace_pins(book, key, pepper, NewPins(signers, reason, time.time_ns() // 1_000_000))
        click.echo(f"{folder}: PIN nuevos de {by} y {second}, hecho {book.seq}; a los demás los inscriben ellos dos")


def _refuse_reason(reason: str) -> None:
    if not (reason.isprintable() and reason.strip()):
        raise click.BadParameter("one printable line", param_hint="--reason")


def _key_that_is_there(key_file: Path) -> Path:
    if not key_file.is_file():
        raise click.BadParameter(f"{key_file}: the node's key is not there", param_hint="--key")
    return key_file
