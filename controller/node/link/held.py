"""Which letters a box may tell the node that keeps its mirror: those whose facts the mirror has (R-27).

Theory. A box that burns is made anew from its mirror, and nothing that its casino's node has acknowledged may be
missing there. So a letter waits until the mirror has the fact that told it: a round trip, and a commit at the other
end. But money waits for no copy for long. A mirror that lacks something for a second of a standing link is in trouble,
whatever the reason: its disk, a stop, a chain of years that is still to be copied, a neighbour that keeps none. Then
letters leave as if there were no mirror, and an alarm says so, until the mirror has all that was told. The order holds
again as soon as the mirror has all there is, or shows that it takes less than a second. Time in which nobody looked
here is no delay of the mirror's: who stood still for it may have the answer before him, unread.

How far the mirror has our record is found out elsewhere, by reading it (mirror_feed.py). Time is given. Pure.
"""

from collections.abc import Sequence
from itertools import takewhile

from controller.node.link.streams import ToldLetter
from drivers.session import SECOND, Micros

PATIENCE: Micros = SECOND
_LOOK: Micros = PATIENCE // 4
"""While it is waited for, somebody looks so often; a look that comes later counts as one."""


class HeldLetters:
    """Of one neighbour. `is_kept`: whether it keeps a mirror of ours at all."""

    def __init__(self) -> None:
        self.is_kept = self.in_trouble = False
        self._written = 0  # our record, as far as it is known here
        self._has = 0  # the mirror, as it said last
        self._may = 0  # the same, in this conversation: what it may be told
        self._told = 0  # the last fact of which it was told
        self._waits = 0  # the fact of the first letter that does not leave yet
        self._owed = 0  # what the record had when we began to wait for the mirror, and the mirror had not
        self._waited: Micros | None = None  # so long, since then
        self._looked: Micros = 0

    def knows(self, written: int, *, is_kept: bool) -> None:
        """What the record has now."""
        self._written, self.is_kept = written, is_kept

    def silent(self) -> None:
        """The conversation is over: the next one begins with where the mirror says that it stands."""
        self._may = self._owed = 0
        self._waited = None

    @property
    def lacks_what_was_told(self) -> bool:
        """Whether, if this node burned now, something would be missing of what it told or tells."""
        return self.is_kept and (self.in_trouble or self._told > self._has)

    def leaving(self, letters: Sequence[ToldLetter]) -> Sequence[ToldLetter]:
        """Of letters that follow one another, those that may leave now."""
        if not self.is_kept:
            return letters
        some = letters if self.in_trouble else list(takewhile(lambda letter: letter.seq <= self._may, letters))
        self._waits = letters[len(some)].seq if len(some) < len(letters) else 0
        self._told = max(self._told, some[-1].seq if some else 0)
        return some

    def mirrored(self, seq: int, now: Micros) -> None:
        """In this conversation the mirror said that it has our record up to there, and that was right."""
        self._look(now)
        self._has = self._may = seq
        if seq >= self._owed:
            self._caught_up(seq)

    def _caught_up(self, seq: int) -> None:
        """It has what it was to have; late, where more was written since, it is asked once more how long it takes."""
        is_prompt = self._waited is not None and self._waited < PATIENCE
        if self.in_trouble and not is_prompt and seq < self._written:
            self._begin_to_wait()
        else:
            self.in_trouble, self._waited, self._owed = False, None, 0

    def _begin_to_wait(self) -> None:
        self._waited, self._owed = 0, self._written

    def _look(self, now: Micros) -> None:
        if self._waited is not None:
            self._waited += min(now - self._looked, _LOOK)
        self._looked = now

    def tick(self, now: Micros) -> bool:
        """Time has passed on a standing link. Whether a letter that waited may leave; said once."""
        self._look(now)
        if self.is_kept and self._waited is None and self._may < self._written:
            self._begin_to_wait()
        if not self.in_trouble and self._waited is not None and self._waited >= PATIENCE:
            self.in_trouble = True
            self._begin_to_wait()
        if not self._waits or not (self.in_trouble or self._waits <= self._may):
            return False
        self._waits = 0
        return True

    def deadline(self) -> Micros | None:
        """When somebody is to look, while it is waited for."""
        if self._waited is None or self._waited >= PATIENCE:
            return None
        return self._looked + min(_LOOK, PATIENCE - self._waited)
