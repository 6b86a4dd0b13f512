"""`pozo node` and `pozo found`: a node is founded once, by two administrators, and run for ever after.

Theory. Only reads what is said on the command line; settings are checked by `settings`, founding and running are the
node's own business. PINs are asked for, or read from standard input, one a line; they never stand on a command line.
"""

import sys
import time
from pathlib import Path

import click

from controller.core.values import Role
from controller.node.book.chain import KeyRefused
from controller.node.book.founding import Administrator, FoundingRefused, Member
from controller.node.book.founding import found as found_node
from controller.node.service.daemon import back_in_service as let_play
from controller.node.service.daemon import run
from controller.node.service.installation import FolderRefused
from controller.node.service.owner import work_as_owner
from controller.node.settings.settings import problems, read_node
from controller.node.store.failure import StoreError
from controller.node.vocabulary.protocol import is_pin
from controller.rules.document import DocumentError

_CONFIG = click.argument("config", metavar="CONFIG", type=click.Path(dir_okay=False, path_type=Path))
NEEDS_A_PERSON = 78


@click.command()
@_CONFIG
@click.option("--check", is_flag=True, help="Read the settings, say everything that is wrong with them, and end.")
@click.option("--back-in-service", is_flag=True, help="After a technician looked: let a node play that broke down.")
def node(config: Path, check: bool, back_in_service: bool) -> None:
    """Run the node of this settings file (docs/operators/operations.md).

    SIGTERM locks the tables, commits and ends it; SIGHUP reads its plan files again. Exit codes: 0 ended, 1 broke and
    may be started again, 75 another node works here, 78 a person must act first.
    """
    if check:
        _check(config)
    elif back_in_service:
        _let_play(config)
    else:
        sys.exit(run(config))


def _check(config: Path) -> None:
    found = problems(config)
    for problem in found:
        click.echo(f"pozo: {problem}", err=True)
    if found:
        sys.exit(NEEDS_A_PERSON)
    settings = read_node(config)
    parts = (
        (settings.tables, "mesas"), (settings.lines, "líneas"), (settings.units, "aparatos"),
        (settings.signs, "letreros"), (settings.plans, "planes"),
    )  # fmt: skip
    click.echo(f"{config}: bien: {', '.join(f'{len(part)} {name}' for part, name in parts)}")


def _let_play(config: Path) -> None:
    try:
        let_play(read_node(config))
    except (DocumentError, FolderRefused) as refused:
        click.echo(f"pozo: {refused}", err=True)
        sys.exit(NEEDS_A_PERSON)


@click.command()
@_CONFIG
@click.option(
    "--administrator", "administrators", type=(str, str), multiple=True, required=True, metavar="ID NAME",
    help="Exactly two; each signs for the other.",
)  # fmt: skip
@click.option(
    "--person", "people", type=(str, str, str), multiple=True, metavar="ID NAME ROLES",
    help=f"Whoever works here from the first day; roles with commas: {', '.join(Role)}.",
)  # fmt: skip
def found(config: Path, administrators: tuple[tuple[str, str], ...], people: tuple[tuple[str, str, str], ...]) -> None:
    """Make the key and the record of a new node, enrol its first people and stage its plans.

    PINs are asked for in the order of the persons; without a terminal each is one line of standard input.
    """
    if len(administrators) != 2:
        raise click.BadParameter("exactly two", param_hint="--administrator")
    one, other = (Administrator(id_, name, _pin(id_)) for id_, name in administrators)
    members = [Member(id_, name, _roles(roles), _pin(id_)) for id_, name, roles in people]
    _state_that_they_are_known(one, other)
    try:
        settings = read_node(config)
        work_as_owner(settings.folder, config.stem)
        found_node(settings, (one, other), members, time.time_ns() // 1_000_000)
    except (DocumentError, StoreError, KeyRefused, FoundingRefused) as refused:
        click.echo(f"pozo: {refused}", err=True)
        sys.exit(1)
    click.echo(f"{settings.folder}: nodo {settings.name} fundado; arranque: pozo node {config}")


def _state_that_they_are_known(one: Administrator, other: Administrator) -> None:
    """R-36: two signatures are two people; the record says who stated it. A script is told what it states."""
    both = f"{one.name} y {other.name}"
    said = f"{both} declaran que conocen en persona a todos los inscritos, y que nadie lo está dos veces"
    if not sys.stdin.isatty():
        click.echo(f"{said}.", err=True)
    elif not click.confirm(f"{said}. ¿Es así?", default=False, err=True):
        click.echo("pozo: no se fundó nada", err=True)
        sys.exit(1)


def _pin(person: str) -> str:
    pin: str = click.prompt(f"PIN de {person}", hide_input=sys.stdin.isatty(), err=True)
    if not is_pin(pin):
        raise click.BadParameter(f"{person}: six to twelve digits", param_hint="PIN")
    return pin


def _roles(text: str) -> tuple[Role, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in {*Role}]
    if unknown or not names:
        raise click.BadParameter(f"roles are {', '.join(Role)}", param_hint="--person")
    return tuple(map(Role, names))
