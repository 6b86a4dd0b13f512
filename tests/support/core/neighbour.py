"""A neighbour for tests of the core: its key, and the letters of one of its streams, each on the hash of the one before.

It writes what a node of that name would; a test that wants something else says so. `back` is its twin from an older
backup: the same letters up to there, and then others.
"""

import hashlib
from typing import Any, Self

from controller.core import inputs as ask
from controller.core.links.letters import VERSION, Letter, PassOver, hash_of
from controller.core.values import Mark, Side
from support.floor.floor import ANA, JEFA

ABOVE, BELOW = "hub", "caja-1"


def key_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def pin(name: str, side: Side = Side.BELOW, key: str = "", **more: Any) -> ask.PinNeighbour:
    return ask.PinNeighbour(name, side, key or key_of(name), ANA, JEFA, **more)


def over(number: int = 1, pot: str = "pozo") -> PassOver:
    """A letter that moves nothing."""
    return PassOver(pot, "M1", number, reviewed=False)


class Stream:
    def __init__(self, writer: str, name: str, epoch: int = 1) -> None:
        self.writer, self.name, self.epoch = writer, name, epoch
        self.marks = [Mark(0, 0, "")]

    @property
    def mark(self) -> Mark:
        return self.marks[-1]

    def next(self, letter: Letter | None = None, *, version: int = VERSION, number: int = 0) -> ask.HearLetter:
        """The letter after its last one, as its reader hears it."""
        number = number or self.mark.number + 1
        pot = self.name.removeprefix("pot:") if self.name.startswith("pot:") else "pozo"
        said = letter if letter is not None else over(number, pot)
        mark = Mark(self.epoch, number, "")
        hash_ = hash_of(self.writer, self.name, version, mark, self.mark.hash, said)
        asked = ask.HearLetter(self.writer, self.name, Mark(self.epoch, number, hash_), self.mark.hash, version, said)
        self.marks.append(asked.mark)
        return asked

    def back(self, number: int, epoch: int = 0) -> Self:
        """As a backup from then would go on; under another epoch, if it was restored in order."""
        twin = type(self)(self.writer, self.name, epoch or self.epoch)
        twin.marks = self.marks[: number + 1]
        return twin
