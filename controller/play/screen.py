"""The demo on a terminal, or as lines where there is none: what happens is told, what is typed is obeyed.

The picture is drawn again only when something is to be seen otherwise; the terminal is as it was when the demo is over.
"""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from textwrap import wrap
from typing import Self

import click
from rich.console import Console
from rich.live import Live

from controller.cli.sim import STYLES
from controller.core.state import plan_of
from controller.play.casino import TABLES, Casino
from controller.play.view import Evening, SignSeen, TableSeen, picture, style_of
from controller.terminal.cells import Cell, Row, cut
from controller.terminal.screen import drawn, key_by_key
from controller.terminal.typing_line import TypingLine
from drivers.punctual import micros
from firmware_sim.desk.devices import AnySign
from firmware_sim.desk.view import signs

_LOOK = 0.06
_MOST_READ = 4_096
_MOST_SAID = 200
_PROMPT = "» "
_GAMES = {"draw": "Draw", "caribbean_plus": "Caribbean Plus", "texas_plus": "Texas Plus"}


class Lines:
    """Without a screen."""

    def __init__(self) -> None:
        self.typing = TypingLine()

    def tell(self, sentence: str) -> None:
        click.echo(f"{_clock()}  {sentence}")

    def answer(self, command: str, answer: str) -> None:
        click.echo(f"{_PROMPT}{command}\n{answer}" if command else answer)

    def begin(self, casino: Casino) -> None:
        """Everything is told as it happens."""


class Screen:
    """The whole terminal."""

    def __init__(self, console: Console) -> None:
        self.typing = TypingLine()
        self._console = console
        self._casino: Casino | None = None
        self._said: deque[Row] = deque(maxlen=_MOST_SAID)
        self._live = Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._last: object = None

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def begin(self, casino: Casino) -> None:
        self._casino = casino
        self._look()

    def tell(self, sentence: str) -> None:
        style = style_of(sentence)
        self._add(Cell(f" {_clock()}  ", "dim"), sentence, style)

    def answer(self, command: str, answer: str) -> None:
        if command:
            self._said.append((Cell(f" {_PROMPT}", "plate"), Cell(command, "typed")))
        for line in answer.splitlines():
            self._add(Cell("   "), line, "refused" if answer.startswith("no: ") else "said")

    def _add(self, before: Cell, text: str, style: str) -> None:
        room = max(20, self._console.width - len(before.text))
        for place, part in enumerate(wrap(text, room) or [""]):
            self._said.append((before if not place else Cell(" " * len(before.text)), Cell(part, style)))

    def _look(self) -> None:
        assert self._casino is not None, "it has begun"
        size = self._console.size
        rows = picture(evening_of(self._casino, self._said), micros(), size.width, size.height - 1)
        rows = [*rows, cut(self._prompt(), size.width)]
        if (rows, size) != self._last:
            self._last = rows, size
            self._live.update(drawn(rows, STYLES), refresh=True)
        asyncio.get_running_loop().call_later(_LOOK, self._look)

    def _prompt(self) -> Row:
        text, at = self.typing.text, self.typing.cursor
        return (
            Cell(_PROMPT, "plate"), Cell(text[:at], "typed"), Cell(text[at : at + 1] or " ", "cursor"),
            Cell(text[at + 1 :], "typed"),
        )  # fmt: skip


Face = Lines | Screen


def evening_of(casino: Casino, said: deque[Row]) -> Evening:
    """The casino at this instant."""
    view, now = casino.view, micros()
    well = casino.process.runs and not casino.talk.silent
    tables = {table.table: table for table in view.tables} if view else {}
    plans = [plan_of(file.documents) for file in casino.node.plans]
    seen = []
    for name in TABLES:
        plan = next(plan for plan in plans if any(table.name == name for table in plan.tables))
        game = next(table.modality.name for table in plan.tables if table.name == name)
        seen.append(
            TableSeen(
                name, _GAMES.get(game, game), plan.title, casino.seats(name), tables.get(name) if well else None,
                casino.croupiers[name].away,
            )
        )  # fmt: skip
    return Evening(
        day=view.day if view else "",
        speed=f"{casino.pace.speed:g}",
        passes=casino.passes,
        node="nodo en marcha" if well else "nodo: arrancando…" if casino.process.runs else "nodo caído",
        node_well=well,
        signs=[_sign(sign, title, now) for sign, title in _signs_of(casino)],
        tables=seen,
        said=list(said),
        control=_short(str(casino.node.control)),
        record=_short(str(casino.node.folder)),
    )


def _signs_of(casino: Casino) -> Iterator[tuple[AnySign, str]]:
    titles = {plan.tables[0].name: plan.title for plan in (plan_of(file.documents) for file in casino.node.plans)}
    for table in TABLES:
        for sign in signs(casino.stages[table].desk):
            yield sign, next((title for name, title in titles.items() if name == table), "")


def _sign(sign: AnySign, title: str, now: int) -> SignSeen:
    return SignSeen(title, sign.firmware.displayed(now), sign.firmware.powered)


def _short(place: str) -> str:
    """As somebody who stands here would type it."""
    here = f"{os.getcwd()}/"  # noqa: PTH109
    return place.removeprefix(here)


def _clock() -> str:
    return f"{datetime.now().astimezone():%H:%M:%S}"


@contextmanager
def keyboard(face: Face, obey: Callable[[str], str], stop: Callable[[], None]) -> Iterator[None]:
    """Whatever stands on standard input. The end of a terminal ends the demo, of a file nothing."""
    place, loop = sys.stdin.fileno(), asyncio.get_running_loop()
    is_terminal = os.isatty(place)

    def read() -> None:
        data = os.read(place, _MOST_READ)
        for line in face.typing.feed(data):
            if line.strip():
                face.answer(line, obey(line))
        if not data:
            loop.remove_reader(place)
        if face.typing.ended or (is_terminal and not data):
            stop()

    loop.add_reader(place, read)
    try:
        with key_by_key(place) if is_terminal and isinstance(face, Screen) else nullcontext():
            yield
    finally:
        loop.remove_reader(place)
