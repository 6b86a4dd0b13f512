"""Connections of browsers: how many of one address, and which has stood too long without asking anything.

Theory. A connection costs something before it has said a word, so it is bounded before anything reads it. Each address
has a share, and all together have theirs; where a share is full, the newcomer is let in and the connection goes on
which nothing was asked for the longest time: first one that asks nothing now, of the address that has most. So who
takes many pays with his own. Who is connected has a few seconds to ask whole; between two requests the same; and an
answer that nobody takes ends with its time, but for a stream, which looks after itself. Pure; the clock is given.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from drivers.session import SECOND, Micros

MOST_OF_ADDRESS, MOST_OF_ALL = 384, 768
ASKS_WITHIN: Micros = 10 * SECOND
"""From its first octet, TLS included, until a request is here with all its headers."""
ASKS_AGAIN_WITHIN: Micros = 20 * SECOND
"""From its last answer; longer than the server itself keeps an unused connection, which it ends politely."""
ANSWERED_WITHIN: Micros = 60 * SECOND
_FOR_EVER: Micros = 2**62


class _Stands(NamedTuple):
    """`until`: when it has stood too long as it is."""

    address: str
    since: Micros
    until: Micros
    asks: bool = False


class Crowd:
    """Connections by numbers that whoever has them gives."""

    def __init__(self, most_of_address: int = MOST_OF_ADDRESS, most_of_all: int = MOST_OF_ALL) -> None:
        self._most_of_address, self._most_of_all = most_of_address, most_of_all
        self._stand: dict[int, _Stands] = {}

    def came(self, number: int, address: str, now: Micros) -> int | None:
        """Who goes for it, if somebody must."""
        goes = self._who_goes(address)
        if goes is not None:
            del self._stand[goes]
        self._stand[number] = _Stands(address, now, now + ASKS_WITHIN)
        return goes

    def asked(self, number: int, now: Micros) -> None:
        """A request of it is here."""
        self._stands(number, now, ANSWERED_WITHIN, asks=True)

    def streams(self, number: int, now: Micros) -> None:
        """What it asked for is answered as long as it lasts."""
        self._stands(number, now, _FOR_EVER, asks=True)

    def answered(self, number: int, now: Micros) -> None:
        self._stands(number, now, ASKS_AGAIN_WITHIN, asks=False)

    def gone(self, number: int) -> None:
        self._stand.pop(number, None)

    def overdue(self, now: Micros) -> list[int]:
        """Who has stood too long; they are forgotten here."""
        late = [number for number, one in self._stand.items() if now >= one.until]
        for number in late:
            del self._stand[number]
        return late

    def _stands(self, number: int, now: Micros, within: Micros, *, asks: bool) -> None:
        stands = self._stand.get(number)
        if stands is not None:
            self._stand[number] = stands._replace(since=now, until=now + within, asks=asks)

    def _who_goes(self, address: str) -> int | None:
        of = Counter(one.address for one in self._stand.values())
        if of[address] >= self._most_of_address:
            return self._longest_idle({address})
        if len(self._stand) < self._most_of_all:
            return None
        most = max(of.values())
        return self._longest_idle({one for one, count in of.items() if count == most})

    def _longest_idle(self, addresses: Iterable[str]) -> int:
        theirs = {number: one for number, one in self._stand.items() if one.address in addresses}
        return min(theirs, key=lambda number: (theirs[number].asks, theirs[number].since))
