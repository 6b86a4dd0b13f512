"""What neighbours are told by a node: what was committed, and what is in the pots that they share now (R-28).

Theory. After each commit, and after the replies, the links hear of it: letters written in it go out, letters heard in
it are acknowledged. Beside that every pot that has tables of neighbours is told as it is now, newest value only, when
it changed and every two seconds anyway: so an amount that is old tells of a link that is down, also two nodes away. A
pot of somebody else is handed on when he spoke, and not before: nobody else knows whether it still is so.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from controller.core.facts import Fact
from controller.core.state import PotNow, State
from controller.core.values import Levels
from controller.node.link.links import MeterNow
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.inbox import MeterHeard
from drivers.session import SECOND, Micros

ANYWAY: Micros = 2 * SECOND


class LinksTold(NamedTuple):
    """The two words that the engine has for the links; neither waits for anything."""

    committed: Callable[[State, Sequence[Fact]], object]
    meters: Callable[[Mapping[str, MeterNow]], object]


NO_LINKS = LinksTold(lambda _state, _facts: None, lambda _levels: None)


class NeighboursTold:
    def __init__(self, links: LinksTold) -> None:
        self._links = links
        self._handed_on: dict[str, MeterNow] = {}
        self._levels: dict[str, Levels] = {}
        self._again: Micros = 0

    def heard(self, meter: MeterHeard) -> None:
        """Of a pot that somebody below may feed as well."""
        self._handed_on[meter.pot] = MeterNow(meter.number, meter.levels, meter.at)

    def turn(self, state: State, facts: Sequence[Fact], now: Micros, wall: Millis) -> None:
        """`facts`: committed just now."""
        if facts:
            self._links.committed(state, facts)
        handed_on, self._handed_on = self._handed_on, {}
        if not state.away or not (facts or handed_on or now >= self._again):
            return
        shared = {table.pot for table in state.away.values()} & state.pots.keys()
        meters = {name: meter for name, meter in handed_on.items() if name in shared}
        own = {name: _levels(state.pots[name]) for name in shared if not state.pots[name].above}
        if own != self._levels or now >= self._again:
            meters |= {name: MeterNow(_number(state, name), levels, wall) for name, levels in own.items()}
            self._levels, self._again = own, now + ANYWAY
        if meters:
            self._links.meters(meters)


def _levels(pot: PotNow) -> Levels:
    """What is in it. Its base is in the plan, which all have who share it."""
    return Levels(pot.main, 0, pot.reserves)


def _number(state: State, pot: str) -> int:
    """Of the last letter of its log."""
    told = state.told.get(f"pot:{pot}")
    return told.number if told is not None else 0
