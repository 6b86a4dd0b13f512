"""`pozo sim`: a table of simulated devices on real ptys and real sockets, from a file, with a person before it.

On a terminal it shows the table as somebody who sits at it sees it, with a prompt below; elsewhere it says lines. What
happens is in firmware_sim (stage.py, view.py); here it is only given a screen, a keyboard and signals. Exit code 0: it
was ended. 1: a script was refused, or something broke. 2: called wrongly.
"""

import asyncio
import os
import signal
import sys
import termios
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live
from rich.style import Style
from rich.text import Text

from drivers.punctual import micros, precise_loop
from firmware_sim.commands import Act, CommandRefused, read_command
from firmware_sim.desk_file import DeskRefused, read_desk
from firmware_sim.stage import Stage, StageRefused
from firmware_sim.typing_line import TypingLine
from firmware_sim.view import Row, picture, told

_LOOK = 0.04  # seconds between two looks at the table: a fast blink is three of them
_MOST_TOLD = 200
_PROMPT = "» "
_FELT = "on #16341f"
_STYLES = {
    "title": "bold #f2d27a", "rule": "#4a4a4a", "dim": "#8a8a8a", "port": "#7fb4d8",
    "good": "#5fd38a", "bad": "bold #ff6b5e",
    "felt": _FELT, "seat": f"bold #d8e6d8 {_FELT}", "trouble": "bold #ffffff on #8f2d22",
    "lamp.lit": f"bold #ffcc33 {_FELT}", "lamp.dark": f"#35523d {_FELT}",
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
    "--ports", type=click.Path(file_okay=False, path_type=Path), default=Path("var/sim"),
    help="Folder of the names that stay: one for each serial line.",
)
@click.option("--control", type=click.Path(path_type=Path), help="The control socket.  [default: control, in --ports]")
@click.option(
    "--state", type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the units' memories; without it they live as long as this process.",
)
@click.option("--script", type=click.File("r"), help="Commands, one a line, with `wait 500ms` between them.")
@click.option("--until-script-ends", is_flag=True, help="The end of the script is the end of the desk.")
@click.option("--view/--no-view", default=None, help="Show the table.  [default: on a terminal]")
def sim(
    desk_file: Path, ports: Path, control: Path | None, state: Path | None,
    script: click.utils.LazyFile | None, until_script_ends: bool, view: bool | None,
) -> None:  # fmt: skip
    """Start a table of simulated devices, print its ports, and take commands (`help` lists them).

    Commands are typed, come from a script, or over the control socket: one a line, each answered by one line. `pozo
    device test PORT --unit N --hands CONTROL` lets an examination press the buttons.
    """
    if until_script_ends and script is None:
        raise click.UsageError("--until-script-ends needs a --script")
    try:
        plan = read_desk(desk_file.read_text(encoding="utf-8", errors="replace"), str(desk_file))
        acts = _script(script) if script else []
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            code = runner.run(_run(plan, ports, control, state, acts, until_script_ends, view))
    except (DeskRefused, StageRefused) as refused:
        sys.exit(f"pozo: {refused}")
    sys.exit(code)
