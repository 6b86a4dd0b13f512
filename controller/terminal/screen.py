"""The face of a command: a whole terminal with a picture, what was said, and a prompt; or plain lines without one.

Theory. What a picture shows is worked out elsewhere, as rows of cells whose styles are names; each command says what
colour its own names have. The screen is drawn again only when something is to be seen otherwise, and over what stands
there, so that nothing flickers.
"""

import asyncio
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from controller.terminal.cells import Cell, Row, length, wrapped
from controller.terminal.typing_line import TypingLine

PROMPT = "» "
_BESIDE = "   "
_BULLET = "•"
_MOST_SAID = 200
_STYLES = {
    "prompt": "bold #f2d27a", "typed": "bold", "cursor": "reverse", "said": "#c9c9c9", "refused": "#ff6b5e",
    "dim": "#8a8a8a",
}  # fmt: skip

Picture = Callable[[int, int], Sequence[Row]]
"""All rows of the screen, by its width and height."""


class Screen:
    """The terminal, taken over until the end of the `with`."""

    def __init__(self, console: Console, styles: Mapping[str, str], picture: Picture) -> None:
        self._console, self._styles, self._picture = console, {**_STYLES, **styles}, picture
        self._live = Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._drawn: object = None

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    @property
    def width(self) -> int:
        return self._console.width

    def follow(self, every: float) -> None:
        """Draw the picture now and, in the running loop, again every so many seconds."""
        self.draw()
        asyncio.get_running_loop().call_later(every, self.follow, every)

    def draw(self) -> None:
        size = self._console.size
        rows = self._picture(size.width, size.height)
        if (rows, size) != self._drawn:
            self._drawn = rows, size
            self._live.update(self._coloured(rows), refresh=True)

    def _coloured(self, rows: Sequence[Row]) -> Text:
        text = Text(no_wrap=True, overflow="crop", end="")
        for place, row in enumerate(rows):
            text.append("\n" * bool(place))
            for cell in row:
                text.append(cell.text, self._styles.get(cell.style, ""))
        return text


def prompt(before: str, line: TypingLine, *, secret: bool = False) -> Row:
    """The row in which a line is typed, with its cursor; a secret shows only how long it is."""
    text, at = _BULLET * len(line.text) if secret else line.text, line.cursor
    return (
        Cell(before, "prompt"),
        Cell(text[:at], "typed"),
        Cell(text[at : at + 1] or " ", "cursor"),
        Cell(text[at + 1 :], "typed"),
    )


class Conversation:
    """What was said below a picture: the newest rows, and how many of them belong to the last command."""

    def __init__(self) -> None:
        self.rows: deque[Row] = deque(maxlen=_MOST_SAID)
        self._last = 0

    def typed(self, line: str) -> None:
        """A command begins; an answer longer than its place covers the picture until the next one."""
        self._last = 0
        if line.strip():
            self.add((Cell(PROMPT, "dim"), Cell(line, "typed")))

    def say(self, answer: str, width: int) -> None:
        """An answer: a short one stands beside its command, the rest below it."""
        style = "refused" if answer.startswith("no: ") else "said"
        lines = answer.splitlines()
        beside = (Cell(_BESIDE), Cell(answer, style))
        if len(lines) == 1 and self._last and length((*self.rows[-1], *beside)) <= width:
            self.rows[-1] += beside
        else:
            self.add(*((Cell(line, style),) for line in lines))

    def add(self, *rows: Row) -> None:
        self.rows += rows
        self._last += len(rows)

    def wanted(self, width: int) -> int:
        """How many rows the last command and its answer need."""
        return sum(len(wrapped(row, width)) for row in list(self.rows)[-self._last :]) if self._last else 0

    def shown(self, width: int, room: int) -> list[Row]:
        """The newest rows that there is room for, with empty ones above where there is more."""
        rows = newest(self.rows, width, room)
        filler: list[Row] = [()] * (room - len(rows))
        return [*filler, *rows]


def newest(rows: Sequence[Row], width: int, room: int) -> list[Row]:
    """Take as many of the last rows as there is room for, each over as many rows as it needs."""
    return [part for row in list(rows)[-room:] for part in wrapped(row, width)][-room:] if room > 0 else []


class PlainLines:
    """A face without a screen: each command and answer is a line. A prompt stands where a person types and reads."""

    def __init__(self, *, prompts: bool) -> None:
        self.typing = TypingLine()
        self._prompts = prompts and sys.stdin.isatty() and sys.stdout.isatty()

    def typed(self, line: str) -> None:
        if not self._prompts:
            click.echo(f"{PROMPT}{line}")

    def say(self, answer: str) -> None:
        if answer:
            click.echo(answer)
        self.prompt()

    def prompt(self) -> None:
        if self._prompts:
            click.echo(PROMPT, nl=False)


def takes_over(console: Console, view: bool | None) -> bool:
    """True if a picture is drawn: the terminal can show one, and the person did not say no."""
    return console.is_terminal and not console.is_dumb_terminal and view is not False


@contextmanager
def signals(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C, a polite end and a terminal that is gone all call `stop`."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
