"""`pozo demo`: a casino to look at, with the real node at work; what `make run` shows.

Theory. Nothing to answer and nobody to ask for leave: devices are simulated on ptys and sockets below the folder, the
node, its record and everything it decides are real. Ctrl-C ends it clean, and the next evening goes on from there.
Exit code 0: ended. 1: something could not start. 2: called wrongly.
"""

import asyncio
import contextlib
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from controller.node.book.chain import KeyRefused
from controller.node.book.founding import FoundingRefused
from controller.node.store.failure import StoreError
from controller.play.casino import Casino, DemoRefused
from controller.play.croupier import Pace
from controller.play.screen import CasinoLines, CasinoScreen
from controller.play.staff import EVERYBODY, TITLES
from controller.rules.document import DocumentError
from controller.terminal.keys import typed_lines
from controller.terminal.screen import signals, takes_over
from drivers.punctual import precise_loop
from firmware_sim.desk.file import DeskRefused
from firmware_sim.desk.stage import StageRefused

_REFUSALS = (DemoRefused, StageRefused, DeskRefused, DocumentError, StoreError, KeyRefused, FoundingRefused)


@click.command()
@click.option(
    "--speed", type=click.FloatRange(0.5, 100), default=20.0, help="How many times faster than a real evening."
)
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path("var/demo"),
    help="Where the record, the devices' memories and their ports are.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**62), default=0, help="Of players and cards; 0: another evening each time."
)
@click.option("--until-passes", type=click.IntRange(1, 10**6), help="End by itself after so many passes.")
@click.option("--view/--no-view", default=None, help="Draw the casino.  [default: on a terminal]")
@click.option("--say", help="Say this to the demo that plays in the folder, print its answer, and end.")
def demo(
    speed: float, folder: Path, seed: int, until_passes: int | None, view: bool | None, say: str | None
) -> None:  # fmt: skip
    """Play a casino of three tables and two pots, with simulated devices and people, on the real node.

    Type `ayuda` in it. Ctrl-C ends it; called again, it goes on where it stopped.
    """
    seed = seed or secrets.randbits(62)
    if say is not None:
        sys.exit(_said(folder, say))
    try:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            code = runner.run(_play(folder, speed, seed, until_passes, view))
    except _REFUSALS as refused:
        sys.exit(f"pozo: {refused}")
    sys.exit(code)


async def _play(folder: Path, speed: float, seed: int, until: int | None, view: bool | None) -> int:
    console = Console()
    whole = takes_over(console, view)
    face = CasinoScreen(console) if whole else CasinoLines()
    casino = Casino(folder, Pace(speed), seed, face.tell, until)

    def typed(line: str) -> None:
        if line.strip():
            face.typed(line)
            face.say(casino.obey(line))

    click.echo(f"Preparando el casino en {folder} …")
    with ExitStack() as closing:
        closing.enter_context(signals(casino.stop))
        async with casino.open():
            if isinstance(face, CasinoScreen):
                closing.enter_context(face)
            for line in _welcome(casino):
                face.say(line)
            closing.enter_context(typed_lines(face.typing, typed, casino.stop, whole=whole))
            face.begin(casino)
            code = await casino.over()
            closing.close()
            click.echo("Cerrando: el nodo cierra sus mesas y termina …")
    click.echo(f"Listo, tras {casino.passes} pases. `make run` sigue donde quedó; el registro: {folder / 'node.db'}")
    return code


def _welcome(casino: Casino) -> Iterator[str]:
    yield "Casino fundado: nodo, registro, llave, planes y personal." if casino.founded else "Sigue donde quedó."
    people = " · ".join(f"{one.person} {one.pin} ({TITLES[one.role]})" for one in EVERYBODY)
    yield f"PIN de cada uno, solo para esta demostración: {people}"
    yield "`ayuda` dice qué se puede probar; Ctrl-C termina."


def _said(folder: Path, words: str) -> int:
    """One line there, one line back."""
    place = folder / "sim" / "demo"
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(place))
        except OSError:
            click.echo(f"pozo: {place}: aquí no hay ninguna demostración en marcha", err=True)
            return 1
        line.sendall(f"{words}\n".encode())
        answer = b""
        with contextlib.suppress(ConnectionError):
            while not answer.endswith(b"\n") and (part := line.recv(65_536)):
                answer += part
    text = answer.decode("utf-8", "replace").strip()
    click.echo(text)
    return 1 if text.startswith("no: ") else 0
