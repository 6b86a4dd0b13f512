"""What a wrong PIN costs whoever gives it: he waits, and nobody else does.

Theory. A guesser is what the kernel says of the other end: a user of this machine. Of the one user whose program speaks
for the terminals of a house (the settings name it) it is each terminal by itself that two persons let in (R-36); of any
other name, and of anybody else, what he says of terminals counts for nothing, for who may invent them has as many
guesses as he invents. His wrong PINs are counted for each person, and all of them together. Two mistakes are free; from
the third on he waits, a second and then each time twice as long, a quarter of an hour at most. As long as he waits, his
PIN is not looked at: a right one would tell him so. A right one of his ends only what he himself had counted for that
person; what others do changes nothing. A day without a wrong one, or another person who looked at it, ends it too. So
nobody is ever locked out, and a guesser has some hundred guesses a day (docs/operators/security.md). Time comes from
outside.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from controller.core.values import MOST_TERMINALS
from drivers.session import SECOND, Micros

FREE = 2
FREE_OF_ALL = 12
"""Of all persons together: six people of one console may each be wrong twice."""
LONGEST: Micros = 900 * SECOND
FORGOTTEN_AFTER: Micros = 86_400 * SECOND


class Guesser(NamedTuple):
    """A user of this machine; or a terminal that he speaks for."""

    user: int
    terminal: str = ""


class Wrong(NamedTuple):
    """How many wrong ones, and when the last one was."""

    many: int
    last: Micros


NOTHING = Wrong(0, 0)


class Guesses:
    """Used by one thread."""

    def __init__(self, wrong: Mapping[Guesser, Mapping[str, Wrong]] | None = None) -> None:
        self._wrong = {guesser: dict(persons) for guesser, persons in (wrong or {}).items()}

    def of(self, guesser: Guesser) -> Mapping[str, Wrong]:
        """By person."""
        return self._wrong.get(guesser, {})

    def at(self, user: int, terminal: str) -> Guesser:
        """Who is counted at this terminal of his; beyond as many as there can be at a time, all others are one."""
        guesser = Guesser(user, terminal)
        terminals = sum(one.user == user and bool(one.terminal) for one in self._wrong)
        return guesser if guesser in self._wrong or terminals < MOST_TERMINALS else Guesser(user)

    def wait(self, guesser: Guesser, person: str, now: Micros) -> Micros:
        """How long until his next PIN of this person is looked at."""
        persons = self.of(guesser)
        together = Wrong(
            sum(wrong.many for wrong in persons.values()), max((wrong.last for wrong in persons.values()), default=0)
        )
        return max(_left(persons.get(person, NOTHING), FREE, now), _left(together, FREE_OF_ALL, now))

    def was_wrong(self, guesser: Guesser, person: str, now: Micros) -> None:
        self._keep(lambda _, one: now - one.last < FORGOTTEN_AFTER)
        persons = self._wrong.setdefault(guesser, {})
        persons[person] = Wrong(persons.get(person, NOTHING).many + 1, now)

    def was_right(self, guesser: Guesser, person: str) -> None:
        persons = self._wrong.get(guesser, {})
        persons.pop(person, None)
        if not persons:
            self._wrong.pop(guesser, None)

    def lift(self, person: str) -> None:
        """Somebody looked at it: whoever signs as this person waits no longer."""
        self._keep(lambda name, _: name != person)

    def _keep(self, wanted: Callable[[str, Wrong], bool]) -> None:
        kept = {
            guesser: {person: wrong for person, wrong in persons.items() if wanted(person, wrong)}
            for guesser, persons in self._wrong.items()
        }
        self._wrong = {guesser: persons for guesser, persons in kept.items() if persons}


def _left(wrong: Wrong, free: int, now: Micros) -> Micros:
    return max(0, wrong.last + pause_after(wrong.many - free) - now)


def pause_after(count: int) -> Micros:
    """After so many wrong ones beyond those that are free."""
    if count <= 0:
        return 0
    return min(SECOND << min(count - 1, 16), LONGEST)
