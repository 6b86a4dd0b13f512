"""What a wrong PIN costs whoever gives it: he waits, and nobody else does.

Theory. A member is what the kernel says of the other end: a user of this machine. His wrong PINs are counted for each
person, and all of them together. Two mistakes are free; from the third on he waits, a second and then each time twice
as long, a quarter of an hour at most. As long as he waits, his PIN is not looked at: a right one would tell him so. A
right one of his ends only what he himself had counted for that person; what others do at other members changes nothing.
A day without a wrong one, or another person who looked at it, ends it too. So nobody is ever locked out, and a guesser
has some hundred guesses a day (docs/operators/security.md). Time comes from outside.
"""

from collections.abc import Mapping
from typing import NamedTuple

from drivers.session import SECOND, Micros

FREE = 2
FREE_OF_MEMBER = 12
"""Of all persons together: six people of one console may each be wrong twice."""
LONGEST: Micros = 900 * SECOND
FORGOTTEN_AFTER: Micros = 86_400 * SECOND


class Wrong(NamedTuple):
    """How many wrong ones, and when the last one was."""

    many: int
    last: Micros


NOTHING = Wrong(0, 0)


class Guesses:
    """Used by one thread."""

    def __init__(self, wrong: Mapping[tuple[int, str], Wrong] | None = None) -> None:
        self._wrong = dict(wrong or {})

    @property
    def wrong(self) -> Mapping[tuple[int, str], Wrong]:
        return self._wrong

    def wait(self, member: int, person: str, now: Micros) -> Micros:
        """How long until his next PIN of this person is looked at."""
        own = self._wrong.get((member, person), NOTHING)
        of_all = [wrong for (one, _), wrong in self._wrong.items() if one == member]
        together = Wrong(sum(wrong.many for wrong in of_all), max((wrong.last for wrong in of_all), default=0))
        return max(_left(own, FREE, now), _left(together, FREE_OF_MEMBER, now))

    def was_wrong(self, member: int, person: str, now: Micros) -> None:
        self._forget(now)
        known = self._wrong.get((member, person), NOTHING)
        self._wrong[member, person] = Wrong(known.many + 1, now)

    def was_right(self, member: int, person: str) -> None:
        self._wrong.pop((member, person), None)

    def lift(self, person: str) -> None:
        """Somebody looked at it: whoever signs as this person waits no longer."""
        self._wrong = {key: wrong for key, wrong in self._wrong.items() if key[1] != person}

    def _forget(self, now: Micros) -> None:
        self._wrong = {key: one for key, one in self._wrong.items() if now - one.last < FORGOTTEN_AFTER}


def _left(wrong: Wrong, free: int, now: Micros) -> Micros:
    return max(0, wrong.last + pause_after(wrong.many - free) - now)


def pause_after(count: int) -> Micros:
    """After so many wrong ones beyond those that are free."""
    if count <= 0:
        return 0
    return min(SECOND << min(count - 1, 16), LONGEST)
