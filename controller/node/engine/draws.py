"""The holder of the day's seed: what it says for every draw a sealed pass waits for (R-30).

Theory. One pass at a time, because a prize that falls once a day ends the waiting of other passes too. The seed is read
from its file when a day is first drawn on, and kept in memory; a seed that is nowhere is said, the passes wait, because
nobody may draw without it, and it is looked for again: a disk or a person may bring it back.
"""

from collections.abc import Callable

from controller.core.draws import wanted, what_the_seed_says
from controller.core.inputs import Draw
from controller.core.state import Day, State
from controller.node.book.seeds import Seeds
from drivers.session import SECOND, Micros

LOOK_AGAIN: Micros = 10 * SECOND


class Draws:
    """`lost` hears the day whose seed is nowhere; and nothing, when none is missing any more."""

    def __init__(self, seeds: Seeds, lost: Callable[[str], None]) -> None:
        self._seeds, self._lost = seeds, lost
        self._day: Day | None = None
        self._seed: bytes | None = None
        self._missing = ""
        self._again: Micros = 0

    def asks(self, state: State, now: Micros) -> list[Draw]:
        table = next((table for table in state.tables.values() if table.draws), None)
        if (state.day.name if state.day else "") != self._missing:
            self._say("")
        if state.day is None or (table is None and not self._missing):
            return []
        seed = self._seed_of(state.day, now)
        if table is None:
            return []
        return [] if seed is None else [what_the_seed_says(seed, draw) for draw in wanted(state, table)]

    def look(self, state: State, now: Micros) -> None:
        """At the start: is the seed of the open day there?"""
        if state.day is not None:
            self._seed_of(state.day, now)

    def _seed_of(self, day: Day, now: Micros) -> bytes | None:
        if self._day != day or (self._seed is None and now >= self._again):
            self._day, self._seed = day, self._seeds.of(day.name, day.commitment)
            self._again = now + LOOK_AGAIN
            self._say(day.name if self._seed is None else "")
        return self._seed

    def _say(self, missing: str) -> None:
        if missing != self._missing:
            self._missing = missing
            self._lost(missing)
