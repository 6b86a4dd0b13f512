"""Somebody talks and talks: noticed by counting the bytes that no question asked for (4.10).

A late answer is not babble: the bytes a question may bring are excused by the bus, whenever they come. More than a
longest frame beyond that within a second is a flood; three floods within a minute are told once a minute.
"""

from drivers.session import SECOND, Micros

FLOOD_BYTES = 260
FLOODS = 3
WITHIN: Micros = 60 * SECOND


class Babble:
    def __init__(self) -> None:
        self._since: Micros = 0
        self._bytes = 0
        self._floods: list[Micros] = []
        self._silent_until: Micros | None = None

    def heard(self, excess: int, now: Micros) -> bool:
        """So many bytes that nobody asked for. True: tell somebody."""
        if now - self._since >= SECOND:
            self._since, self._bytes = now, 0
        self._bytes += excess
        if self._bytes <= FLOOD_BYTES:
            return False
        self._since, self._bytes = now, 0
        self._floods = [*[flood for flood in self._floods if now - flood <= WITHIN], now][-FLOODS:]
        told_lately = self._silent_until is not None and now < self._silent_until
        if len(self._floods) < FLOODS or told_lately:
            return False
        self._silent_until = now + WITHIN
        return True
