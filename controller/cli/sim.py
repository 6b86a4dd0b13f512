"""`pozo sim`: a table of simulated devices on real ptys and real sockets, from a file, with a person before it.

On a terminal it shows the table as somebody who sits at it sees it, with a prompt below; elsewhere it says lines. What
happens is in firmware_sim (stage.py, view.py); here it is only given a screen, a keyboard and signals. Exit code 0: it
was ended. 1: a script was refused, or something broke. 2: called wrongly.
"""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from textwrap import wrap
from typing import Self, TextIO

import click
from rich.console import Console
from rich.live import Live

from controller.play.desk_picture import picture
from controller.terminal.cells import Cell, Row
from controller.terminal.screen import drawn, key_by_key
from controller.terminal.typing_line import TypingLine
from drivers.punctual import micros, precise_loop
from firmware_sim.desk.commands import Act, CommandRefused, read_command
from firmware_sim.desk.file import DeskRefused, read_desk
from firmware_sim.desk.stage import Stage, StageRefused
from firmware_sim.desk.view import told

Line = tuple[int, Act]  # a command and the number of its line

_LOOK = 0.04  # seconds between two looks at the table: a fast blink is three of them
_MOST_TOLD = 200
_LEAST_SAID = 2  # rows below the table, however small the screen
_MOST_READ = 4_096
_PROMPT, _BESIDE = "» ", "   "
_FELT = "on #0f4223"
STYLES = {
    "title": "bold #f2d27a", "rule": "#4a4a4a", "dim": "#8a8a8a", "port": "#7fb4d8",
    "good": "#5fd38a", "bad": "bold #ff6b5e",
    "felt": _FELT, "seat": f"bold #d8e6d8 {_FELT}", "trouble": "bold #ffffff on #8f2d22",
    "lamp.lit": f"bold #ffcc33 {_FELT}", "lamp.dark": f"#3a3a3a {_FELT}",
    "glass": "#8dff9d on #05140a", "glass.off": "on #0b0b0b",
    "key": "#1a1a1a on #b9b9b0", "key.down": "bold #1a1a1a on #ffcc33",
    "open": f"#8dffb0 {_FELT}", "shut": f"#e0a08a {_FELT}",
    "sign": "bold #ff5a36 on #140403", "sign.off": "on #0b0b0b", "sign.frame": "#3a3a3a",
    "plate": "bold #f2d27a on #333333", "closed": "bold #ffffff on #b3261e",
    "typed": "bold", "cursor": "reverse", "said": "#c9c9c9", "refused": "#ff6b5e",
}  # fmt: skip


@click.command()
@click.argument("desk_file", metavar="DESK.toml", type=click.Path(dir_okay=False, exists=True, path_type=Path))
@click.option(
    "--ports",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("var/sim"),
    help="Folder of the names that stay: one for each serial line.",
)
@click.option("--control", type=click.Path(path_type=Path), help="The control socket.  [default: control, in --ports]")
@click.option(
    "--state",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the units' memories; without it they live as long as this process.",
)
@click.option("--script", type=click.File("r"), help="Commands, one a line, with `wait 500ms` between them.")
@click.option("--until-script-ends", is_flag=True, help="The end of the script is the end of the desk.")
@click.option("--view/--no-view", default=None, help="Show the table.  [default: on a terminal]")
def sim(
    desk_file: Path, ports: Path, control: Path | None, state: Path | None,
    script: TextIO | None, until_script_ends: bool, view: bool | None,
) -> None:  # fmt: skip
    """Start a table of simulated devices, print its ports, and take commands (`help` lists them).

    Commands are typed, come from a script, or over the control socket: one a line, each answered by one line. `pozo
    device test PORT --unit N --hands CONTROL` lets an examination press the buttons.
    """
    if until_script_ends and script is None:
        raise click.UsageError("--until-script-ends needs a --script")
    try:
        plan = read_desk(desk_file.read_text(encoding="utf-8", errors="replace"), str(desk_file))
        acts = [] if script is None else _read_script(script)
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            code = runner.run(_run(lambda: Stage(plan, ports, control, state), acts, until_script_ends, view))
    except (DeskRefused, StageRefused) as refused:
        sys.exit(f"pozo: {refused}")
    sys.exit(code)


def _read_script(script: TextIO) -> list[Line]:
    """Every command is understood before the first is done."""
    acts = []
    for number, text in enumerate(script, 1):
        try:
            act = read_command(text.strip())
        except CommandRefused as refused:
            sys.exit(f"pozo: {script.name}:{number}: {refused}")
        if act is not None:
            acts.append((number, act))
    return acts


async def _run(make: Callable[[], Stage], acts: Sequence[Line], until_script_ends: bool, view: bool | None) -> int:
    stage = make()
    async with stage.open():
        screen = Console()
        live = screen.is_terminal and not screen.is_dumb_terminal
        shown = live if view is None else view
        with ExitStack() as closing:
            closing.enter_context(_signals(stage))
            face = closing.enter_context(Screen(stage, screen)) if live and shown else Lines(stage, watching=shown)
            closing.enter_context(_keyboard(stage, face))
            face.begin()
            playing = asyncio.ensure_future(_play(stage, face, acts, until_script_ends)) if acts else None
            try:
                return await stage.over()
            finally:
                if playing is not None:
                    playing.cancel()


async def _play(stage: Stage, face: "Face", acts: Sequence[Line], until_end: bool) -> None:
    def say(number: int, act: Act, answer: str) -> None:
        face.typed(f"{number}: {' '.join(_words(act))}")
        face.say(answer)

    good = await stage.play(acts, say)
    if until_end:
        stage.stop(0 if good else 1)


def _words(act: Act) -> Iterator[str]:
    """As it was written, or would have been."""
    yield act.who
    if act.who == "unit":
        yield f"{act.line}/{act.number}" if act.line else str(act.number)
    elif act.line or act.number:
        yield act.line or str(act.number)
    if act.what != act.who:
        yield act.what
    yield from act.words


@contextmanager
def _signals(stage: Stage) -> Iterator[None]:
    """Ctrl-C, a polite end, and a terminal that is gone."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, stage.stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


# ---------------------------------------------------------------------------------------------------- what is typed


@contextmanager
def _keyboard(stage: Stage, face: "Face") -> Iterator[None]:
    """Whatever stands on standard input, a terminal or not. The end of a terminal ends the desk, of a file nothing."""
    keyboard, typing, loop = sys.stdin.fileno(), face.typing, asyncio.get_running_loop()
    is_terminal = os.isatty(keyboard)

    def read() -> None:
        data = os.read(keyboard, _MOST_READ)
        for line in typing.feed(data):
            face.typed(line)
            face.say(stage.obey(line))
        if not data:
            loop.remove_reader(keyboard)
        if typing.ended or (is_terminal and not data):
            stage.stop()

    loop.add_reader(keyboard, read)
    try:
        with key_by_key(keyboard) if is_terminal and isinstance(face, Screen) else nullcontext():
            yield
    finally:
        loop.remove_reader(keyboard)


# ---------------------------------------------------------------------------------------------------- what is seen


class Lines:
    """Without a screen: the ports, then every answer; watching, also every change that a person would see."""

    def __init__(self, stage: Stage, *, watching: bool) -> None:
        self.typing = TypingLine()
        self._stage = stage
        self._watching = watching
        self._prompts = sys.stdin.isatty() and sys.stdout.isatty()
        self._last: list[str] = []

    def begin(self) -> None:
        for line in ports_told(self._stage):
            click.echo(line)
        click.echo("`help` lists the commands; `quit` or Ctrl-C ends it.")
        self._prompt()
        if self._watching:
            self._look()

    def typed(self, line: str) -> None:
        if not self._prompts:
            click.echo(f"{_PROMPT}{line}")

    def say(self, answer: str) -> None:
        if answer:
            click.echo(answer)
        self._prompt()

    def _prompt(self) -> None:
        if self._prompts:
            click.echo(_PROMPT, nl=False)

    def _look(self) -> None:
        seen = told(self._stage.desk, micros())
        for line in seen:
            if line not in self._last:
                click.echo(line)
        self._last = seen
        asyncio.get_running_loop().call_later(_LOOK, self._look)


class Screen:
    """The whole terminal: the table above, what was said below it, the prompt in the last row.

    It is drawn again only when something is to be seen otherwise, and over what stands there, so nothing flickers. An
    answer longer than its place covers the table until the next command.
    """

    def __init__(self, stage: Stage, console: Console) -> None:
        self.typing = TypingLine()
        self._stage = stage
        self._console = console
        self._live = Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._said: deque[Row] = deque(maxlen=_MOST_TOLD)
        self._last = 0  # rows of the last answer and its command
        self._drawn: object = None

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        for line in ports_told(self._stage):  # what stood on the screen is gone with it
            click.echo(line)

    def begin(self) -> None:
        self._tell([(Cell("`help` lists the commands; `quit` or Ctrl-C ends it.", "dim"),)])
        self._look()

    def typed(self, line: str) -> None:
        self._tell([(Cell(_PROMPT, "dim"), Cell(line, "typed"))] if line.strip() else [])

    def say(self, answer: str) -> None:
        """What is short stands beside its command, the rest below it."""
        style = "refused" if answer.startswith("no: ") else "said"
        width = self._console.width
        rows: list[Row] = [(Cell(part, style),) for line in answer.splitlines() for part in wrap(line, width)]
        beside = (Cell(_BESIDE), *rows[0]) if len(rows) == 1 and self._last else ()
        if beside and sum(len(cell.text) for cell in (*self._said[-1], *beside)) <= width:
            self._said[-1] += beside
            return
        before = self._last
        self._tell(rows)
        self._last += before

    def _tell(self, rows: Sequence[Row]) -> None:
        self._said += rows
        self._last = len(rows)

    def _look(self) -> None:
        size = self._console.size
        rows = self._rows(size.width, size.height)
        if (rows, size) != self._drawn:
            self._drawn = rows, size
            self._live.update(drawn(rows, STYLES), refresh=True)
        asyncio.get_running_loop().call_later(_LOOK, self._look)

    def _rows(self, width: int, height: int) -> list[Row]:
        table = picture(self._stage.desk, micros(), width, height - 1 - _LEAST_SAID, self._stage.where)
        below = max(height - 1 - len(table), min(max(self._last, _LEAST_SAID), height - 1))
        said = list(self._said)[-below:] if below else []
        filler: list[Row] = [()] * (below - len(said))
        return [*table[: height - 1 - below], *filler, *said, self._prompt()]

    def _prompt(self) -> Row:
        text, at = self.typing.text, self.typing.cursor
        return (
            Cell(_PROMPT, "plate"),
            Cell(text[:at], "typed"),
            Cell(text[at : at + 1] or " ", "cursor"),
            Cell(text[at + 1 :], "typed"),
        )


Face = Lines | Screen


def ports_told(stage: Stage) -> Iterator[str]:
    """For whoever will open them: each line, where it is, and who is behind it."""
    yield f"{stage.plan.name}"
    for line in stage.desk.lines:
        yield f"  {line.name:<12} {line.kind:<7} {stage.where[line.name]}"
        for device in line.devices:
            seats = f"  seat{'s' if len(device.seats) > 1 else ''} {_span(device.seats)}" if device.seats else ""
            yield f"    unit {device.number:<3} {device.kind}{seats}  serial {device.serial:08X}"
    yield f"  {'control':<12} {'unix':<7} {stage.control}"


def _span(seats: Sequence[int]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"
