"""When to look at the clock for awards that wait too long (R-21).

Theory. While awards pend, every ten seconds; and the core is only asked when it would have something to say, so that
looking leaves no fact behind.
"""

from controller.core.facts import NothingNew
from controller.core.inputs import LookAtClock
from controller.core.machine import decide
from controller.core.state import Claim, State
from controller.node.vocabulary.clock import Millis
from controller.rules.refusal import Refusal
from drivers.session import SECOND, Micros

LOOK_EVERY: Micros = 10 * SECOND


class Overdue:
    def __init__(self) -> None:
        self._next: Micros = 0
        self._known: tuple[dict[str, Claim], bool] = ({}, False)

    def asks(self, state: State, now: Micros, wall: Millis) -> list[LookAtClock]:
        if now < self._next or not self._pending(state):
            return []
        self._next = now + LOOK_EVERY
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
