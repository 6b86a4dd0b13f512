"""A unit that talks without being asked, or never stops: noticed, looked for, and told when it is gone (4.10).

Nobody signs what goes over two wires, so who babbles is found by what can be seen. A late answer is not babble: the
bytes a question may bring are excused by the bus, whenever they come. A hundred bytes beyond that within ten seconds
are a flood, and three floods within a minute are babble; who talks less often than that spoils less than a question in
ten, and what is spoilt is asked again. Whose it is: a whole good frame of a unit that was not
asked names it. Else a unit that has answered since it began knows when to be silent, and those that have not are under
suspicion. It is over when for so long nothing came that nobody asked for.
"""

from collections.abc import Callable, Iterable, Mapping

from drivers.session import SECOND, Micros

BABBLE = "babble"  # bytes without a question, and no end of them; the detail names who may be it
BABBLE_OVER = "babble_over"
FLOOD_BYTES = 100
FLOODS = 3
FLOOD_TIME: Micros = 10 * SECOND
WITHIN: Micros = 60 * SECOND
OVER_AFTER: Micros = 20 * SECOND
_KEPT = 2 * 256  # of the newest bytes: a whole frame is in them


class Babble:
    """`answered`: how many questions each unit has answered so far; `speakers`: units of which a whole frame is among
    some bytes."""

    def __init__(
        self, answered: Callable[[], Mapping[int, int]], speakers: Callable[[bytes, Iterable[int]], set[int]]
    ) -> None:
        self._answered, self._speakers = answered, speakers
        self._since: Micros = 0
        self._bytes = 0
        self._floods: list[Micros] = []
        self._last: Micros = 0  # the last byte that nobody asked for
        self._before: Mapping[int, int] = {}  # what was answered when it began
        self._tail = b""
        self._named: set[int] = set()
        self._told: str | None = None

    def heard(self, excess: bytes, asked: int, now: Micros) -> None:
        """Bytes that no question asked for; `asked`: the unit that was asked last, which may be late."""
        if not self._floods or now - self._last > WITHIN:
            self._before, self._named, self._tail = self._answered(), set(), b""
        self._last = now
        self._tail = (self._tail + excess)[-_KEPT:]
        self._named |= self._speakers(self._tail, self._answered().keys() - {asked})
        if now - self._since >= FLOOD_TIME:
            self._since, self._bytes = now, 0
        self._bytes += len(excess)
        if self._bytes <= FLOOD_BYTES:
            return
        self._since, self._bytes = now, 0
        self._floods = [*[flood for flood in self._floods if now - flood <= WITHIN], now][-FLOODS:]

    def news(self, now: Micros) -> tuple[str, str] | None:
        """What changed: that there is babble, who may be it, or that it is over."""
        if self._told is not None and now - self._last > OVER_AFTER:
            self._told, self._floods = None, []
            return BABBLE_OVER, ""
        if len(self._floods) < FLOODS:
            return None
        who = " ".join(map(str, self._suspects()))
        if who == self._told:
            return None
        self._told = who
        return BABBLE, who

    def _suspects(self) -> list[int]:
        now = self._answered()
        return sorted(self._named) or sorted(unit for unit in now if now[unit] == self._before.get(unit, 0))
