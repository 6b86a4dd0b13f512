"""`pozo ctl`: a node from the terminal, as a live console or one command at a time.

Theory. Without a command it is the croupier's console (ctl/console.py); with one it asks, says in Spanish what the
node did, and ends. Exit code 0: done. 1: the node said no, or no node answers. 2: called wrongly. Every command of
ctl/orders.py is one here, under the same name. Nothing is decided here.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from controller.core.inputs import CorrectClaim, RegisterClaim
from controller.ctl.console import console
from controller.ctl.forfeits import forfeited
from controller.ctl.hands import WinningHands, hands_text
from controller.ctl.house_words import terminal_lines
from controller.ctl.intent import CtlOrder, Detail, Intent, Misspoken, OrderPlace, make, needs_second
from controller.ctl.link_words import neighbour_lines
from controller.ctl.orders import ORDERS
from controller.ctl.people import NobodySigns, Signers, new_pin
from controller.ctl.preview_words import preview_lines
from controller.ctl.words import reply_lines, state_lines
from controller.node.control.client import Client, NodeSilent, NotOurs, is_there, previewing
from controller.node.control.door import PREVIEWED
from controller.node.vocabulary.protocol import NodeView, Pin, Reply

_SOCKETS = ("/run/pozo/*/commands", "/run/pozo*/commands")
_OF_A_DEMO = ("var/*/commands", "var/*/*/commands")
_OPTIONS = (
    click.option("--por", envvar="POZO_POR", default="", help="Quién lo pide."),
    click.option("--segundo", envvar="POZO_SEGUNDO", default="", help="La segunda persona, donde firman dos."),
    click.option(
        "--pin-file",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Archivo con «persona PIN» por línea, que solo su dueño puede leer.",
    ),
    click.option("--ver", "looks", is_flag=True, help="Muestra lo que haría, con sus montos; no hace nada."),
    click.option("--id", "id_", default="", help="Número de un pedido anterior, para repetirlo sin hacerlo dos veces."),
    click.option(
        "--json", "as_json", is_flag=True, help="La respuesta del nodo, para programas (docs/operators/control.md)."
    ),
)


@click.group(invoke_without_command=True)
@click.option(
    "--node",
    "folder",
    envvar="POZO_NODE",
    type=click.Path(file_okay=False, path_type=Path),
    help="Carpeta de control del nodo; si hay uno solo en marcha, se encuentra.",
)
@click.pass_context
def ctl(context: click.Context, folder: Path | None) -> None:
    """La consola de un nodo: mesas, créditos, manos y premios.

    Sin comando abre la consola viva. Los PIN se preguntan; para un programa, --pin-file, o POZO_PIN y POZO_PIN2 en el
    entorno, que cualquier proceso del mismo usuario puede leer.
    """
    context.obj = folder
    if context.invoked_subcommand is None:
        _live(folder, "")


@ctl.command(name="consola")
@click.argument("mesa", default="")
@click.pass_obj
def live(folder: Path | None, mesa: str) -> None:
    """La consola viva de una mesa."""
    _live(folder, mesa)


def _live(folder: Path | None, table: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("la consola viva necesita una terminal; con un comando no hace falta")
    sys.exit(_with_trouble_in_one_line(lambda: console(_found(folder), table)))


@ctl.command(name="estado")
@click.argument("mesa", default="")
@click.option("--json", "as_json", is_flag=True, help="Todo lo que el nodo muestra (docs/operators/control.md).")
@click.option("--seguir", is_flag=True, help="Otra vez cada vez que cambia algo.")
@click.pass_obj
def state(folder: Path | None, mesa: str, as_json: bool, seguir: bool) -> None:
    """Cómo están las mesas, los pozos, los premios y los aparatos."""

    def look() -> int:
        with Client(_found(folder)) as client:
            view = client.state()
            if mesa and mesa not in {table.table for table in view.tables}:
                raise Misspoken(f"No hay una mesa {mesa}; hay: {', '.join(table.table for table in view.tables)}")
            _show_state(view, mesa, as_json)
            for newer in client.views() if seguir else ():
                if newer is None:
                    raise NodeSilent(f"{client.place}: el nodo dejó de hablar")
                if _still(newer) != _still(view):
                    view = newer
                    _show_state(view, mesa, as_json)
        return 0

    sys.exit(_with_trouble_in_one_line(look))


@ctl.command(name="vecinos")
@click.pass_obj
def neighbours(folder: Path | None) -> None:
    """Los nodos con que se comparten pozos: enlace, lo que espera acuse, lo que se puede pagar."""

    def look() -> int:
        with Client(_found(folder)) as client:
            for line in neighbour_lines(client.state()):
                click.echo(line)
        return 0

    sys.exit(_with_trouble_in_one_line(look))


@ctl.command(name="terminales")
@click.pass_obj
def terminals(folder: Path | None) -> None:
    """Los navegadores que dos personas dejaron entrar: para qué, dónde, y la huella de su llave."""

    def look() -> int:
        with Client(_found(folder)) as client:
            for line in terminal_lines(client.house()):
                click.echo(line)
        return 0

    sys.exit(_with_trouble_in_one_line(look))


@ctl.command(name="hechos")
@click.argument("desde", type=click.IntRange(min=0), default=0)
@click.pass_obj
def facts(folder: Path | None, desde: int) -> None:
    """Los hechos posteriores al número DESDE, uno por línea, como están en el registro (para programas)."""

    def read() -> int:
        with Client(_found(folder)) as client:
            for body in client.since(desde):
                click.echo(body)
        return 0

    sys.exit(_with_trouble_in_one_line(read))


def _still(view: NodeView) -> NodeView:
    """Without what only time changes."""
    return replace(view, at=0, far_pots=tuple(replace(one, age=0) for one in view.far_pots))


def _show_state(view: NodeView, table: str, as_json: bool) -> None:
    for line in [msgspec.json.encode(view).decode()] if as_json else state_lines(view, table):
        click.echo(line)


def _command(order: CtlOrder) -> click.Command:
    """One order as a command of its own."""

    def run(folder: Path | None, palabras: Sequence[str], **who: Any) -> None:
        sys.exit(_with_trouble_in_one_line(lambda: _ask(_found(folder), order, palabras, **who)))

    words = " ".join([*(["MESA"] if order.at_table else []), *order.words])
    made: Any = click.pass_obj(run)
    of_its_own = (click.option(f"--{one.option}", default="", help=f"{one.question.strip()}.") for one in order.details)
    for option in reversed((*of_its_own, *_OPTIONS)):
        made = option(made)
    made = click.argument("palabras", nargs=-1, metavar=words or None)(made)
    return click.command(name=order.name, help=order.help, options_metavar="[OPCIONES]")(made)


def _ask(
    folder: Path, order: CtlOrder, words: Sequence[str],
    por: str, segundo: str, pin_file: Path | None, looks: bool, id_: str, as_json: bool, **details: str,
) -> int:  # fmt: skip
    with Client(folder) as client:
        view = client.state()
        if order.at_table and not words:
            raise Misspoken(f"Se escribe: {order.name} MESA {' '.join(order.words)}".rstrip())
        place = OrderPlace(words[0] if order.at_table else "", view)
        wanted = make(order, place, words[1:] if order.at_table else words)
        wanted = wanted.detailed({one.field: _detail(one, details) for one in wanted.details})
        signers = Signers(por, segundo, pin_file)
        first = signers.first()
        if (id_ or looks) and wanted.more:
            raise Misspoken("Con --id y con --ver se pide una sola cosa; esta orden pide varias")
        if looks:
            return _look(client, wanted, first, view, as_json)
        second = signers.second() if wanted.two else None
        pin = new_pin(str(wanted.fields["person"])) if wanted.new_pin else ""
        no = "" if as_json else _refused(wanted, view)
        if no:
            click.echo(no)
            return 1
        for one in wanted.each:
            reply = client.ask(one.request(first, second, pin, id_), told=_say_how_far)
            if needs_second(reply) and second is None:
                second = signers.second()
                reply = client.ask(one.request(first, second, pin), told=_say_how_far)
            _tell(reply, view, as_json)
            if not reply.ok:
                return 1
        return 0


def _refused(wanted: Intent, view: NodeView) -> str:
    """What was understood, before it is anybody's; what to say where the person says no."""
    if wanted.told:
        click.echo(wanted.told)
    if wanted.asks and sys.stdin.isatty() and not click.confirm(wanted.asks, default=False, err=True):
        return "No se pidió nada."
    if isinstance(wanted.input, RegisterClaim | CorrectClaim):
        click.echo(hands_text(WinningHands(wanted.input.hands, wanted.input.community)))
        if not _insists(list(forfeited(wanted.input.hands, wanted.input.table, view))):
            return "No se anotó nada."
    return ""


def _look(client: Client, wanted: Intent, first: Pin, view: NodeView, as_json: bool) -> int:
    """R-20: one person looks, and nothing is done by it."""
    if type(wanted.input) not in PREVIEWED:
        raise Misspoken("De esta orden no se muestra antes lo que haría.")
    reply = client.ask(previewing(wanted.input, first), told=_say_how_far)
    if reply.preview is None or as_json:
        _tell(reply, view, as_json)
    for line in preview_lines(reply.preview, view) if reply.preview is not None and not as_json else ():
        click.echo(line)
    return 0 if reply.ok else 1


def _insists(lost: Sequence[str]) -> bool:
    """R-32: asked once more where somebody sits at a terminal; a script is told."""
    for line in lost:
        click.echo(line, err=True)
    return not lost or not sys.stdin.isatty() or click.confirm("¿Anotarlo así?", default=False, err=True)


def _detail(detail: Detail, given: Mapping[str, str]) -> str:
    """From its option; what must be said is asked for."""
    if given.get(detail.option) or not detail.needed:
        return given.get(detail.option, "")
    said: str = click.prompt(detail.question.strip(), err=True)
    return said.strip()


def _say_how_far(sentence: str) -> None:
    """Over the last one, where somebody looks on."""
    if sys.stderr.isatty():
        click.echo(f"\r{sentence}", err=True, nl=False)


def _tell(reply: Reply, view: NodeView, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(reply))
        return
    for line in reply_lines(reply, view):
        click.echo(line, err=not reply.ok)


def _with_trouble_in_one_line(work: Callable[[], int]) -> int:
    """Every expected trouble is one line."""
    try:
        return work()
    except Misspoken as wrong:
        raise click.UsageError(str(wrong)) from None
    except (NodeSilent, NotOurs, NobodySigns) as no:
        click.echo(f"pozo: {no}", err=True)
        return 1


def _found(folder: Path | None) -> Path:
    """The node that was named, or the only one there is."""
    if folder is not None:
        return folder
    found: list[Path] = []
    for patterns in (_SOCKETS, _OF_A_DEMO):
        places = [place.parent for pattern in patterns for place in sorted(_matching(pattern))]
        found = found or [place for place in places if is_there(place)]
    if len(found) == 1:
        return found[0]
    if not found:
        looked = ", ".join(pattern.rpartition("/")[0] for pattern in (*_SOCKETS, *_OF_A_DEMO))
        raise NodeSilent(f"no hay ningún nodo en marcha en {looked}; diga dónde con --node CARPETA o POZO_NODE")
    raise NodeSilent(f"hay varios nodos; diga cuál con --node: {', '.join(map(str, found))}")


def _matching(pattern: str) -> list[Path]:
    root = Path(os.sep) if pattern.startswith(os.sep) else Path()
    return list(root.glob(pattern.lstrip(os.sep)))


for _order in ORDERS:
    ctl.add_command(_command(_order))
