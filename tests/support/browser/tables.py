"""Three simulated tables in one thread, each behind one address: what players and fingers do at them, and what their lamps show.

A table of one unit on TCP is met in a moment and costs the least; what lines and other units do is shown in tests/drivers and tests/e2e.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

from drivers.native.contract import LampDrive
from drivers.punctual import micros, precise_loop
from drivers.session import SECOND
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.players import PlayerView
from firmware_sim.desk.stage import Stage
from firmware_sim.desk.view import seats_seen

SEATS = {"DP-01": 6, "CP-01": 7, "TX-01": 6}
PATIENCE = 20
_GLANCE = 0.001
_DESK = """
[[line]]
name = "mesa"
kind = "tcp"
[[line.unit]]
kind = "table"
unit = 1
seat = 1
seats = {seats}
[[line.unit]]
kind = "console"
unit = 20
"""


class Tables:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stages: dict[str, Stage] = {}
        self._stand, self._trouble = threading.Event(), ""
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)

    @property
    def where(self) -> dict[str, str]:
        return {name: stage.where["mesa"] for name, stage in self._stages.items()}

    def obey(self, table: str, *commands: str) -> None:
        """As a person at the table does it: `seat 3 press 2`, `console lock`, `seat 5 lamp open`."""
        for command in commands:
            said = self._there(lambda said=command: self._stages[table].obey(said))  # type: ignore[misc]
            assert not said.startswith("no: "), f"{table} {command}: {said}"

    def seats(self, table: str) -> list[PlayerView]:
        """What the people at it see."""
        found: list[PlayerView] = self._there(lambda: seats_seen(self._stages[table].desk.devices, micros()))
        return found

    def lit_after(self, table: str, seat: int, button: int) -> float:
        """Milliseconds from a player's finger to the steady lamp in front of him, as he sees it."""
        found: float = asyncio.run_coroutine_threadsafe(self._lit(table, seat, button), self._loop).result(PATIENCE)
        return found

    async def _lit(self, table: str, seat: int, button: int) -> float:
        stage, began = self._stages[table], micros()
        said = stage.obey(f"seat {seat} press {button}")
        assert not said.startswith("no: "), said
        while seats_seen(stage.desk.devices, micros())[seat - 1].lamp is not LampDrive.STEADY:
            assert micros() - began < PATIENCE * SECOND, "it never became steady"
            await asyncio.sleep(_GLANCE)
        return (micros() - began) / 1_000

    @contextmanager
    def standing(self) -> Iterator[None]:
        self._thread.start()
        try:
            assert self._stand.wait(PATIENCE), f"the tables do not stand: {self._trouble}"
            yield
        finally:
            if self._stand.is_set():
                self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join(PATIENCE)

    def _there(self, what: Callable[[], Any]) -> Any:
        """In the tables' own thread."""

        async def done() -> Any:
            return what()

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(PATIENCE)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with AsyncExitStack() as closing:
            for name, seats in SEATS.items():
                stage = Stage(read_desk(_DESK.format(seats=seats), name), self._folder / name)
                await closing.enter_async_context(stage.open())
                self._stages[name] = stage
            self._stand.set()
            await self._end.wait()
