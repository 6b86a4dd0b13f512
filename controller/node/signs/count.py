"""An amount on its way up (R-31): small steps to what is committed, never above it, down at once.

Theory. A pot that jumps looks broken and one that runs draws eyes, so the shown amount climbs; but it is only ever
some amount between one that was true and the one that is. The whole way takes two seconds, whatever its length.
"""

from drivers.session import MILLISECOND, SECOND, Micros

CLIMB: Micros = 2 * SECOND
STEP: Micros = 200 * MILLISECOND


class CountUp:
    def __init__(self) -> None:
        self._from = 0
        self._to: int | None = None  # nothing was ever committed
        self._since: Micros = 0

    def set(self, committed: int, now: Micros) -> None:
        assert committed >= 0, "R-18: no pot is ever negative"
        if committed == self._to:
            return
        shown = committed if self._to is None else self.shown(now)
        self._from, self._to, self._since = min(shown, committed), committed, now

    def shown(self, now: Micros) -> int:
        """In whole steps of time, so that whoever looks twice within one sees one amount."""
        assert self._to is not None, "something was committed"
        gone = max(0, now - self._since) // STEP * STEP
        if gone >= CLIMB:
            return self._to
        return self._from + (self._to - self._from) * gone // CLIMB

    def next_step(self, now: Micros) -> Micros | None:
        """When it shows another amount; `None`: it shows what is committed."""
        if self._to is None or self.shown(now) == self._to:
            return None
        return self._since + (max(0, now - self._since) // STEP + 1) * STEP
