"""What nobody proved, by the user of the machine who tried it: some reaches the record one by one, the rest as a
number.

Theory. A person who mistypes his name is a fact like any refusal, so that he and his chief can see it. A program that
says a thousand names a second is not: what it costs must not depend on how fast it is. So of each user and each kind a
few in ten minutes go to the core as ever; what is beyond them is refused at the door with the same words, and counted.
When the ten minutes are over, the count is one fact. Time comes from outside; one thread counts, another takes the
sums.
"""

import threading

from controller.core.inputs import CountUnproven
from controller.core.values import Unproven
from controller.node.vocabulary.clock import Millis
from drivers.session import SECOND, Micros

ONE_BY_ONE = 5
SUMMED_EVERY: Micros = 600 * SECOND


class UnprovenCount:
    def __init__(self) -> None:
        self._spans: dict[tuple[int, Unproven], _Span] = {}
        self._lock = threading.Lock()

    def is_one_of_few(self, user: int, what: Unproven, now: Micros, wall: Millis) -> bool:
        """Whether this one may stand on record by itself; otherwise it is counted."""
        with self._lock:
            span = self._spans.setdefault((user, what), _Span(now, wall))
            span.tried += 1
            return span.tried <= ONE_BY_ONE

    def count(self, user: int, what: Unproven, now: Micros, wall: Millis) -> None:
        """One that never stands on record by itself."""
        with self._lock:
            span = self._spans.setdefault((user, what), _Span(now, wall))
            span.counted += 1

    def sums(self, now: Micros) -> list[CountUnproven]:
        """Those whose time is over, each once."""
        if not self._spans:
            return []
        with self._lock:
            over = [key for key, span in self._spans.items() if now - span.since >= SUMMED_EVERY]
            ended = [(*key, self._spans.pop(key)) for key in over]
        return [CountUnproven(what, user, span.beyond, span.wall) for user, what, span in ended if span.beyond]


class _Span:
    """Ten minutes of one user and one kind."""

    def __init__(self, since: Micros, wall: Millis) -> None:
        self.since, self.wall = since, wall
        self.tried = 0
        self.counted = 0

    @property
    def beyond(self) -> int:
        return self.counted + max(0, self.tried - ONE_BY_ONE)
