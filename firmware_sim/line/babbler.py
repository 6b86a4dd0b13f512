"""A broken unit that talks unasked: rubbish of its own, at its own times. It never listens."""

from random import Random

from drivers.session import Micros


class Babbler:
    def __init__(self, chance: Random, pause: Micros, longest: int = 20, now: Micros = 0) -> None:
        assert pause > 0 and longest > 0
        self._chance = chance
        self._pause = pause
        self._longest = longest
        self._next = now + chance.randint(1, pause)
        self._said = b""

    def receive(self, data: bytes, now: Micros) -> None: ...

    def to_send(self, now: Micros) -> bytes:
        del now
        said, self._said = self._said, b""
        return said

    def deadline(self) -> Micros | None:
        return self._next

    def tick(self, now: Micros) -> None:
        self._said = self._chance.randbytes(self._chance.randint(1, self._longest))
        self._next = now + self._chance.randint(1, 2 * self._pause)
