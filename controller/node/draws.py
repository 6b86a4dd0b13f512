"""The holder of the day's seed: what it says for every draw a sealed pass waits for (R-30).

Theory. One pass at a time, because a prize that falls once a day ends the waiting of other passes too. The seed is read
from its file when a day is first drawn on, and kept in memory; a seed that is nowhere any more is said, and the passes
wait: nobody may draw without it.
"""

from collections.abc import Callable

from controller.core.draws import wanted, what_the_seed_says
from controller.core.inputs import Draw
from controller.core.state import Day, State
from controller.node.seeds import Seeds


class Draws:
    def __init__(self, seeds: Seeds, lost: Callable[[str], None]) -> None:
        self._seeds, self._lost = seeds, lost
        self._day: Day | None = None
        self._seed: bytes | None = None

    def asks(self, state: State) -> list[Draw]:
        table = next((table for table in state.tables.values() if table.draws), None)
        if table is None or state.day is None:
            return []
        seed = self._seed_of(state.day)
        return [] if seed is None else [what_the_seed_says(seed, draw) for draw in wanted(state, table)]

    def look(self, state: State) -> None:
        """At the start: is the seed of the open day there?"""
        if state.day is not None:
            self._seed_of(state.day)

    def _seed_of(self, day: Day) -> bytes | None:
        if self._day != day:
            self._day, self._seed = day, self._seeds.of(day.name, day.commitment)
            if self._seed is None:
                self._lost(day.name)
        return self._seed
