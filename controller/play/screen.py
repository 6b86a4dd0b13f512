"""The demo on a terminal, or as lines where there is none: what happens is told, what is typed is obeyed.

The picture is drawn again only when something is to be seen otherwise; the terminal is as it was when the demo is over.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Self

import click
from rich.console import Console

from controller.core.state import plan_of
from controller.play.casino import TABLES, Casino
from controller.play.desk_picture import STYLES
from controller.play.view import Evening, SignSeen, TableSeen, picture, style_of
from controller.terminal.cells import Cell, Row, cut
from controller.terminal.screen import PROMPT, Conversation, Lines, Screen, prompt
from controller.terminal.typing_line import TypingLine
from drivers.punctual import micros
from firmware_sim.desk.devices import AnySign
from firmware_sim.desk.view import signs

_LOOK = 0.06
_GAMES = {"draw": "Draw", "caribbean_plus": "Caribbean Plus", "texas_plus": "Texas Plus"}


class CasinoLines(Lines):
    """Without a screen: every sentence as it is said."""

    def __init__(self) -> None:
        super().__init__(prompts=False)

    def tell(self, sentence: str) -> None:
        click.echo(f"{_clock()}  {sentence}")

    def begin(self, casino: Casino) -> None:
        """Everything is told as it happens."""


class CasinoScreen:
    """The casino above, the prompt in the last row."""

    def __init__(self, console: Console) -> None:
        self.typing = TypingLine()
        self._casino: Casino | None = None
        self._screen = Screen(console, STYLES, self._rows)
        self._said = Conversation()

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._screen.__exit__()

    def begin(self, casino: Casino) -> None:
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


def evening_of(casino: Casino, said: Sequence[Row]) -> Evening:
    """The casino at this instant."""
    view, now = casino.view, micros()
    well = casino.process.runs and not casino.live.silent
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
        said=said,
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
