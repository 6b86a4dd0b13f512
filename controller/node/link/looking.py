"""A box's record is looked at again, stretch by stretch, and from its beginning again: which one is next (R-27).

Theory. What was copied long ago may have been edited since. So the casino's node asks what some facts look like now,
and asks the same until that is answered: a record that cannot be read any more, or is not shown, is no proof of
anything, and its silence is said. What the answer means is judged in mirroring.py.
"""

from controller.node.link.mirror_words import MOST_PROVEN, MirrorAsks, MirrorProof
from controller.record.record import FIRST_SEQ
from drivers.session import SECOND, Micros

ASKS_EVERY: Micros = 20 * SECOND
SILENT_AFTER: Micros = 25 * SECOND
"""It was asked twice."""


class Looking:
    """At one box. `due`: when it is asked next."""

    def __init__(self) -> None:
        self.due: Micros = 0
        self._proven = 0  # up to here it was looked at
        self._asked: MirrorAsks | None = None  # until it is answered
        self._asked_at: Micros = 0

    def wait(self, now: Micros) -> None:
        self.due = now + ASKS_EVERY

    def forget(self) -> None:
        """What was asked is about a chain, or a link, that stands no more."""
        self._asked = None

    def ask(self, end: int, now: Micros) -> MirrorAsks:
        """Of a copy that ends there: the next stretch, or the same until it is answered."""
        self.wait(now)
        if self._asked is None:
            first = self._proven + 1 if self._proven < end else FIRST_SEQ
            self._asked, self._asked_at = MirrorAsks(first, min(first + MOST_PROVEN - 1, end)), now
        return self._asked

    def answered(self, said: MirrorProof) -> bool:
        """Whether this is about what was asked."""
        if self._asked != MirrorAsks(said.first, said.last):
            return False
        self._asked = None
        return True

    def proven(self, last: int) -> None:
        """Up to there it has what the copy has."""
        self._proven = last

    def is_silent(self, now: Micros) -> bool:
        return self._asked is not None and now - self._asked_at >= SILENT_AFTER
