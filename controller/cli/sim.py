"""`pozo sim`: a table of simulated devices on real ptys and real sockets, from a file, with a person before it.

On a terminal it shows the table as somebody who sits at it sees it, with a prompt below; elsewhere it says lines. What
happens is in desk/stage.py and desk/view.py; here it is only given a screen, a keyboard and signals. Exit code 0: it
was ended. 1: a script was refused, or something broke. 2: called wrongly.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self, TextIO

import click
from rich.console import Console

from controller.play.desk_picture import STYLES, picture
from controller.terminal.cells import Cell, Row
from controller.terminal.keys import typed_lines
from controller.terminal.screen import PROMPT, Conversation, PlainLines, Screen, prompt, signals, takes_over
from controller.terminal.typing_line import TypingLine
from drivers.punctual import micros, precise_loop
from firmware_sim.desk.commands import Act, CommandRefused, read_command
from firmware_sim.desk.file import DeskRefused, read_desk
from firmware_sim.desk.stage import Stage, StageRefused

Line = tuple[int, Act]  # a command and the number of its line

_LOOK = 0.04  # seconds between two looks at the table: a fast blink is three of them
_LEAST_SAID = 2  # rows below the table, however small the screen
_HOW = "`help` lists the commands; `quit` or Ctrl-C ends it."


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
        console = Console()
        with ExitStack() as closing:
            closing.enter_context(signals(stage.stop))
            whole = takes_over(console, view)
            face = (
                closing.enter_context(TableScreen(stage, console)) if whole else TableLines(stage, watches=bool(view))
            )

            def typed(line: str) -> None:
                face.typed(line)
                face.say(stage.obey(line))

            closing.enter_context(typed_lines(face.typing, typed, stage.stop, whole=whole))
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
    """The words of a command, as its script has them."""
    yield act.who
    if act.who == "unit":
        yield f"{act.line}/{act.number}" if act.line else str(act.number)
    elif act.line or act.number:
        yield act.line or str(act.number)
    if act.what != act.who:
        yield act.what
    yield from act.words


class TableLines(PlainLines):
    """The desk without a screen: the ports, then every answer; if it watches, also every change that is seen."""

    def __init__(self, stage: Stage, *, watches: bool) -> None:
        super().__init__(prompts=True)
        self._stage, self._watches = stage, watches
        self._last: list[str] = []

    def begin(self) -> None:
        for line in _ports(self._stage):
            click.echo(line)
        self.say(_HOW)
        if self._watches:
            self._look()

    def _look(self) -> None:
        seen = self._stage.desk.status(micros())
        for line in seen:
            if line not in self._last:
                click.echo(line)
        self._last = seen
        asyncio.get_running_loop().call_later(_LOOK, self._look)


class TableScreen:
    """The table above, what was said below it, the prompt in the last row."""

    def __init__(self, stage: Stage, console: Console) -> None:
        self.typing = TypingLine()
        self._stage = stage
        self._screen = Screen(console, STYLES, self._rows)
        self._said = Conversation()

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._screen.__exit__()
        for line in _ports(self._stage):  # what stood on the screen is gone with it
            click.echo(line)

    def begin(self) -> None:
        self._said.add((Cell(_HOW, "dim"),))
        self._screen.follow(_LOOK)

    def typed(self, line: str) -> None:
        self._said.typed(line)

    def say(self, answer: str) -> None:
        self._said.say(answer, self._screen.width)

    def _rows(self, width: int, height: int) -> list[Row]:
        room = height - 1
        table = picture(self._stage.desk, micros(), width, room - _LEAST_SAID, self._stage.where)
        below = max(room - len(table), min(max(self._said.wanted(width), _LEAST_SAID), room))
        return [*table[: room - below], *self._said.shown(width, below), prompt(PROMPT, self.typing)]


Face = TableLines | TableScreen


def _ports(stage: Stage) -> Iterator[str]:
    """The ports that a host opens: each line, where it is, and the units behind it."""
    yield f"{stage.plan.name}"
    for line in stage.desk.lines:
        yield f"  {line.name:<12} {line.kind:<7} {stage.where[line.name]}"
        for device in line.devices:
            seats = f"  seat{'s' if len(device.seats) > 1 else ''} {_span(device.seats)}" if device.seats else ""
            yield f"    unit {device.number:<3} {device.kind}{seats}  serial {device.serial:08X}"
    yield f"  {'control':<12} {'unix':<7} {stage.control}"


def _span(seats: Sequence[int]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"
