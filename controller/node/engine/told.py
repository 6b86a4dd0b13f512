"""What neighbours are told by a node: what was committed, and what is in the pots that they share now (R-28).

Theory. After each commit, and after the replies, the links hear of it: letters written in it go out, letters heard in
it are acknowledged. Beside that every pot that has tables of neighbours is told as it is now, newest value only, when
it changed and every two seconds anyway: so an amount that is old tells of a link that is down, also two nodes away. A
pot of somebody else is handed on when he spoke, and not before: nobody else knows whether it still is so. What is owed
of each of these pots goes out when it moves (R-31): here and below as the record has it, elsewhere as told from above.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.facts import Fact
from controller.core.project import owed_now
from controller.core.state import Claim, PotNow, State
from controller.core.values import Levels
from controller.core.view import AwardView
from controller.node.link.links import MeterNow
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.inbox import MeterHeard, PrizesHeard
from drivers.session import SECOND, Micros

ANYWAY: Micros = 2 * SECOND


class LinksTold(NamedTuple):
    """The words that the engine has for the links; none waits for anything."""

    committed: Callable[[State, Sequence[Fact], int], object]
    meters: Callable[[Mapping[str, MeterNow]], object]
    prizes: Callable[[Mapping[str, Sequence[AwardView]]], object]


NO_LINKS = LinksTold(lambda _state, _facts, _seq: None, lambda _levels: None, lambda _owed: None)


class NeighboursTold:
    def __init__(self, links: LinksTold) -> None:
        self._links = links
        self._handed_on: dict[str, MeterNow] = {}
        self._levels: dict[str, Levels] = {}
        self._again: Micros = 0
        self._elsewhere: dict[str, tuple[AwardView, ...]] = {}
        self._claims: Mapping[str, Claim] | None = None  # whose prizes were told; None: others too

    def heard(self, said: MeterHeard | PrizesHeard) -> None:
        """Of a pot that somebody below may feed as well."""
        if isinstance(said, PrizesHeard):
            self._elsewhere[said.pot], self._claims = said.awards, None
        else:
            self._handed_on[said.pot] = MeterNow(said.number, said.levels, said.at)

    def turn(self, state: State, facts: Sequence[Fact], seq: int, now: Micros, wall: Millis) -> None:
        """`facts`: committed just now, up to number `seq` of the record."""
        if facts:
            self._links.committed(state, facts, seq)
        handed_on, self._handed_on = self._handed_on, {}
        again, moved = now >= self._again, state.claims is not self._claims
        if not state.away or not (facts or handed_on or moved or again):
            return
        shared = {table.pot for table in state.away.values()} & state.pots.keys()
        meters = {name: meter for name, meter in handed_on.items() if name in shared}
        own = {name: _levels(state.pots[name]) for name in shared if not state.pots[name].above}
        if own != self._levels or again:
            meters |= {name: MeterNow(_number(state, name), levels, wall) for name, levels in own.items()}
            self._levels, self._again = own, now + ANYWAY
        if moved or again:
            self._links.prizes({name: self._prizes(state, state.pots[name]) for name in shared})
            self._claims = state.claims
        if meters:
            self._links.meters(meters)

    def _prizes(self, state: State, pot: PotNow) -> tuple[AwardView, ...]:
        ours = (_with_casino(state, award) for award in owed_now(state, pot))
        return (*ours, *(self._elsewhere.get(pot.name, ()) if pot.above else ()))


def _with_casino(state: State, award: AwardView) -> AwardView:
    """R-28: a table of this node is at home without a casino's name, and nowhere else."""
    return award if award.casino else replace(award, casino=state.claims[award.award.rpartition("/")[0]].casino)


def _levels(pot: PotNow) -> Levels:
    """What is in it. Its base is in the plan, which all have who share it."""
    return Levels(pot.main, 0, pot.reserves)


def _number(state: State, pot: str) -> int:
    """Of the last letter of its log."""
    told = state.told.get(f"pot:{pot}")
    return told.number if told is not None else 0
