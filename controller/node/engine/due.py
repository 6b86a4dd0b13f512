"""What the node asks of the core by itself: draws for passes that wait (R-30), awards that wait too long (R-21).

Theory. Draws go one pass at a time, because a prize that falls once a day ends the waiting of other passes too. The
seed is read from its file when a day is first drawn on, and kept in memory. While it is missing the passes wait,
because no draw is possible without it; it is looked for again, because a disk or a person may bring it back. While
awards pend the clock is looked at every ten seconds, and the core is asked only when it has something to say, so that
looking leaves no fact behind. Besides it has the book sign what has waited for a signature some minutes.
"""

from collections.abc import Callable

from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import NothingNew
from controller.core.inputs import Draw, LookAtClock
from controller.core.machine import decide
from controller.core.state import Claim, State
from controller.core.values import Day
from controller.node.book.seeds import Seeds
from controller.node.vocabulary.clock import Millis
from controller.rules.refusal import Refusal
from drivers.session import SECOND, Micros

LOOK_AGAIN: Micros = 10 * SECOND
TAIL_WAITS: Micros = 240 * SECOND


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
        if _drawn_on(state) != self._missing:
            self._say("")
        if state.day is None or state.day.lost or (table is None and not self._missing):
            return []
        seed = self._seed_of(state.day, now)
        if table is None:
            return []
        return [] if seed is None else [what_the_seed_says(seed, draw) for draw in wanted(state, table)]

    def look(self, state: State, now: Micros) -> None:
        """At the start: is the seed of the open day there?"""
        if state.day is not None and not state.day.lost:
            self._seed_of(state.day, now)

    def _seed_of(self, day: Day, now: Micros) -> bytes | None:
        if self._day != day or (self._seed is None and now >= self._again):
            self._day, self._seed = day, self._seeds.of(day.first_name, day.commitment)
            self._again = now + LOOK_AGAIN
            self._say(day.name if self._seed is None else "")
        return self._seed

    def _say(self, missing: str) -> None:
        if missing != self._missing:
            self._missing = missing
            self._lost(missing)


def _drawn_on(state: State) -> str:
    """The day whose seed is looked for: of one that is lost nobody waits for it any more (R-30)."""
    return state.day.name if state.day is not None and not state.day.lost else ""


class Tail:
    """What nothing follows is signed too: an idle record has no facts without a signature (R-27). By a clock that
    nobody sets."""

    def __init__(self, sign: Callable[[], None]) -> None:
        self._sign = sign
        self._oldest: Millis | None = None
        self._seen: Micros = 0

    def turn(self, unsigned_since: Millis | None, now: Micros) -> None:
        if unsigned_since != self._oldest:
            self._oldest, self._seen = unsigned_since, now
        elif self._oldest is not None and now - self._seen >= TAIL_WAITS:
            self._sign()


class Overdue:
    def __init__(self) -> None:
        self._next: Micros = 0
        self._known: tuple[dict[str, Claim], bool] = ({}, False)

    def asks(self, state: State, now: Micros, wall: Millis) -> list[LookAtClock]:
        if now < self._next or not self._pending(state):
            return []
        self._next = now + LOOK_AGAIN
        decided = decide(state, LookAtClock(), wall)
        news = not isinstance(decided, Refusal) and not isinstance(decided[0], NothingNew)
        return [LookAtClock()] if news else []

    def deadline(self, state: State) -> Micros | None:
        return self._next if self._pending(state) else None

    def _pending(self, state: State) -> bool:
        """The claims of a day are many, and seldom others than a moment ago."""
        if self._known[0] is not state.claims:
            self._known = (state.claims, any(claim.pending for claim in state.claims.values()))
        return self._known[1]
