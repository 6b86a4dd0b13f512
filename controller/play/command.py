"""`pozo demo`: a casino to look at, with the real node at work; what `make run` shows.

Theory. The demo asks no question before it begins. Devices are simulated on ptys and sockets below the folder, the
node, its record and everything it decides are real. Ctrl-C ends it clean, and the next evening goes on from there.
Exit code 0: ended. 1: something could not start. 2: called wrongly.
"""

import asyncio
import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Self

import click
from rich.console import Console

from controller.core.state import plan_of
from controller.node.book.chain import KeyRefused
from controller.node.book.founding import FoundingRefused
from controller.node.store.failure import StoreError
from controller.play.casino import Casino, DemoRefused
from controller.play.croupier import Tempo
from controller.play.desk_picture import STYLES
from controller.play.staff import EVERYBODY, TITLES
from controller.play.two_casinos import TwoCasinos
from controller.play.view import Evening, SignPicture, TablePicture, picture, style_of
from controller.rules.document import DocumentError
from controller.terminal.cells import Cell, Row, cut
from controller.terminal.keys import typed_lines
from controller.terminal.screen import PROMPT, Conversation, PlainLines, Screen, prompt, signals, takes_over
from controller.terminal.typing_line import TypingLine
from drivers.punctual import micros, precise_loop
from drivers.session import Micros
from firmware_sim.desk.file import DeskRefused
from firmware_sim.desk.stage import StageRefused
from firmware_sim.desk.view import signs as signs_of

_REFUSALS = (DemoRefused, StageRefused, DeskRefused, DocumentError, StoreError, KeyRefused, FoundingRefused)

_LOOK = 0.06  # seconds between two looks
_GAMES = {"draw": "Draw", "caribbean_plus": "Caribbean Plus", "texas_plus": "Texas Plus"}


@click.command()
@click.option(
    "--speed", type=click.FloatRange(0.5, 100), default=20.0, help="How many times faster than a real evening."
)
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path),
    help="Where the record, the devices' memories and their ports are.  [default: var/demo, or var/demo-2]",
)  # fmt: skip
@click.option(
    "--casinos", type=click.IntRange(1, 2), default=1, help="2: two casinos that share a pot, each on its own node."
)
@click.option(
    "--seed", type=click.IntRange(0, 2**62), default=0, help="Of players and cards; 0: another evening each time."
)
@click.option("--until-passes", type=click.IntRange(1, 10**6), help="End by itself after so many passes.")
@click.option("--view/--no-view", default=None, help="Draw the casino.  [default: on a terminal]")
@click.option("--say", help="Say this to the demo that plays in the folder, print its answer, and end.")
def demo(
    speed: float, folder: Path | None, casinos: int, seed: int, until_passes: int | None, view: bool | None,
    say: str | None,
) -> None:  # fmt: skip
    """Play a casino of three tables and two pots, with simulated devices and people, on the real node; or two casinos
    that share a pot, whose cable can be cut.

    Type `ayuda` in it. Ctrl-C ends it; called again, it goes on where it stopped.
    """
    seed = seed or secrets.randbits(62)
    folder = folder or Path("var/demo" if casinos == 1 else "var/demo-2")
    if say is not None:
        sys.exit(_said(folder, say))
    try:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            code = runner.run(_play(casinos, folder, speed, seed, until_passes, view))
    except _REFUSALS as refused:
        sys.exit(f"pozo: {refused}")
    sys.exit(code)


async def _play(casinos: int, folder: Path, speed: float, seed: int, until: int | None, view: bool | None) -> int:
    console = Console()
    whole = takes_over(console, view)
    face = CasinoScreen(console) if whole else CasinoLines()
    played = Casino if casinos == 1 else TwoCasinos
    casino: Evenings = played(folder, Tempo(speed), seed, face.tell, until)

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
    again = "make run" if casinos == 1 else f"make run CASINOS={casinos}"
    records = ", ".join(str(one.folder / "node.db") for one in casino.casinos)
    click.echo(f"Listo, tras {casino.passes} pases. `{again}` sigue donde quedó; el registro: {_short(records)}")
    return code


Evenings = Casino | TwoCasinos


def _welcome(casino: Evenings) -> Iterator[str]:
    for one in casino.casinos:
        yield f"Véalo y juegue en el navegador{f' ({one.site.name})' if one.site.name else ''}: {one.faces.address}"
    yield "Casino fundado: nodo, registro, llave, planes y personal." if casino.founded else "Sigue donde quedó."
    people = " · ".join(f"{one.person} {one.pin} ({TITLES[one.role]})" for one in EVERYBODY)
    yield f"PIN de cada uno, solo para esta demostración: {people}"
    yield "`ayuda` dice qué se puede probar; Ctrl-C termina."


def _said(folder: Path, words: str) -> int:
    """One line there, one line back."""
    place = next((one for one in (folder / "sim" / "demo", folder / "demo") if one.exists()), folder / "sim" / "demo")
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


# ---------------------------------------------------------------------------------------------------- its face


class CasinoLines(PlainLines):
    """The demo without a screen: every sentence is a line."""

    def __init__(self) -> None:
        super().__init__(prompts=False)

    def tell(self, sentence: str) -> None:
        click.echo(f"{_clock()}  {sentence}")

    def begin(self, casino: Evenings) -> None:
        """Every sentence is printed as it happens, so there is nothing to draw."""


class CasinoScreen:
    """The casino above, the prompt in the last row."""

    def __init__(self, console: Console) -> None:
        self.typing = TypingLine()
        self._casino: Evenings | None = None
        self._screen = Screen(console, STYLES, self._rows)
        self._said = Conversation()

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._screen.__exit__()

    def begin(self, casino: Evenings) -> None:
        self._casino = casino
        self._screen.follow(_LOOK)

    def tell(self, sentence: str) -> None:
        self._said.add((Cell(f" {_clock()}  ", "dim"), Cell(sentence, style_of(sentence))))

    def typed(self, line: str) -> None:
        self._said.typed(line)

    def say(self, answer: str) -> None:
        self._said.say(answer, self._screen.width)

    def _rows(self, width: int, height: int) -> list[Row]:
        assert self._casino is not None, "it has begun"
        rows = picture(evening_of(self._casino, self._said.rows), micros(), width, height - 1)
        return [*rows, cut(prompt(PROMPT, self.typing), width)]


def evening_of(played: Evenings, said: Sequence[Row]) -> Evening:
    """All of it at this instant."""
    now, first = micros(), played.casinos[0]
    return Evening(
        day=first.view.day if first.view else "",
        speed=f"{played.pace.speed:g}",
        passes=played.passes,
        node=played.trouble or ("nodo en marcha" if len(played.casinos) == 1 else "tres nodos en marcha"),
        node_well=not played.trouble,
        signs=[sign for casino in played.casinos for sign in _signs_of(casino, now)],
        tables=[table for casino in played.casinos for table in _tables_of(casino)],
        said=said,
        control=_short(str(first.node.control)),
        record=_short(str(first.node.folder)),
        casino=first.site.name,
        address="  ".join(one.faces.address for one in played.casinos),
    )


def _tables_of(casino: Casino) -> Iterator[TablePicture]:
    """Each table that plays; one whose pot's plan is not in force yet stands there closed."""
    view = casino.view
    shown = {table.table: table for table in view.tables} if view and casino.runs_well else {}
    plans = [plan_of(file.documents) for file in casino.node.plans]
    of = {one.name: (one.modality.name, plan.title) for plan in plans for one in plan.tables}
    for name in casino.site.tables:
        game, pot = of[name]
        called = f"{casino.site.name} {name}" if casino.site.name else name
        away = casino.croupiers[name].away
        yield TablePicture(called, _GAMES.get(game, game), pot, casino.seats(name), shown.get(name), away)


def _signs_of(casino: Casino, now: Micros) -> Iterator[SignPicture]:
    titles = {plan.tables[0].name: plan.title for plan in (plan_of(file.documents) for file in casino.node.plans)}
    for table in casino.site.tables:
        for sign in signs_of(casino.stages[table].desk.devices):
            title = " · ".join(filter(None, (casino.site.name, titles.get(table, ""))))
            yield SignPicture(title, sign.firmware.displayed(now), sign.firmware.powered)


def _short(place: str) -> str:
    """The path as a person in this folder would type it."""
    here = f"{os.getcwd()}/"  # noqa: PTH109
    return place.removeprefix(here)


def _clock() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S}"
