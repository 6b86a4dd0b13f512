"""What the record says of the neighbours: whose key is pinned, and where each stream with each of them stands.

Theory. All of it follows from the state; this only knows by which names to ask it, so that what one neighbour's letter
changed costs nothing for the ninety-nine others. A neighbour below hears the log of a pot if a plan of that pot, in
force or waiting, places a table with it or behind it, or if it has heard some of that log already. Pure.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from controller.core.facts import (
    Fact,
    LetterAcknowledged,
    LetterHeard,
    LetterTold,
    MemberReturned,
    NeighbourAccepted,
    NeighbourPinned,
    NeighbourRevoked,
    NeighbourStopped,
    NeighbourWentBack,
    NodeRestored,
    PlanDropped,
    PlanProposed,
    PlanStaged,
    PlanTookEffect,
    PlanWithdrawn,
    WentOnWithout,
)
from controller.core.links.known import MIRROR, Neighbour
from controller.core.links.names import AT, seen_from
from controller.core.links.neighbours import epoch_of
from controller.core.links.restored.asking import is_asked
from controller.core.state import State, owns, plan_of
from controller.core.values import Documents, Mark, Side
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.sockets import Pinned

_Plans = PlanStaged | PlanTookEffect | PlanWithdrawn | PlanProposed | PlanDropped
_OfAll = NodeRestored | WentOnWithout
_Pins = NeighbourPinned | NeighbourRevoked
_OfOne = (
    LetterHeard | LetterAcknowledged | NeighbourStopped | NeighbourAccepted | NeighbourWentBack | MemberReturned | _Pins
)
OF_LINKS = LetterTold | _OfAll | _OfOne | _Plans
"""Facts after which a link may have something to say."""

_LOG = "pot:"


class Recorded:
    """`written`: the last fact of the record that may concern a neighbour."""

    def __init__(self, state: State, written: int) -> None:
        self._state, self._written = state, written
        self._heard: dict[str, dict[str, None]] = {}  # in their order
        self._acknowledged: dict[str, dict[str, None]] = {}
        for rows, marks in ((self._heard, state.heard), (self._acknowledged, state.acknowledged)):
            for place in marks:
                name, _, stream = place.partition("/")
                rows.setdefault(name, {})[stream] = None

    def follow(self, state: State, facts: Iterable[Fact], written: int) -> set[str]:
        """The state after these facts, and the neighbours for whom that is something new."""
        self._state, self._written = state, written
        new: set[str] = set()
        for fact in facts:
            match fact:
                case LetterTold(stream):
                    new |= {name for name in state.neighbours if self._hears(name, stream)}
                case LetterHeard():
                    self._heard.setdefault(fact.neighbour, {})[fact.stream] = None
                case LetterAcknowledged():
                    self._acknowledged.setdefault(fact.neighbour, {})[fact.stream] = None
            if isinstance(fact, _OfOne):
                new.add(fact.neighbour)
            elif isinstance(fact, _Plans | _OfAll):
                new |= state.neighbours.keys()
        return new

    def neighbours(self) -> Mapping[str, Neighbour]:
        return {name: one for name, one in self._state.neighbours.items() if not one.revoked}

    def pinned(self) -> Mapping[str, Pinned]:
        return {name: Pinned(one.side, bytes.fromhex(one.key)) for name, one in self.neighbours().items()}

    def marks(self, name: str) -> LinkMarks:
        """Of this neighbour."""
        state = self._state
        one = state.neighbours[name]
        return LinkMarks(
            epoch=state.epoch,
            told={stream: mark for stream, mark in state.told.items() if self._hears(name, stream)},
            heard=_marks(state.heard, name, self._heard.get(name, ())),
            acknowledged=_marks(state.acknowledged, name, self._acknowledged.get(name, ())),
            stopped=frozenset(one.stopped) - {MIRROR},
            missing={
                f"{_LOG}{pot}": state.told.get(f"{_LOG}{pot}", START)
                for pot, taking in state.taking_back.items()
                if name in taking.missing
            }
            | {stream: state.told.get(stream, START) for stream in self._asked_above(name)},
            its_epoch=epoch_of(state, one),
            relayed=frozenset(filter(self._is_relayed, state.told)),
            mirrors_us=one.inside and one.side is Side.ABOVE,
            written=self._written,
        )

    def _is_relayed(self, stream: str) -> bool:
        pot = self._state.pots.get(stream.removeprefix(_LOG))
        return stream.startswith(_LOG) and pot is not None and bool(pot.above)

    def _asked_above(self, name: str) -> list[str]:
        return [f"to:{name}"] if is_asked(self._state, name) else []

    def _hears(self, name: str, stream: str) -> bool:
        """Whether this neighbour is told this stream of ours."""
        state = self._state
        if state.neighbours[name].side is Side.ABOVE or not stream.startswith(_LOG):
            return stream == f"to:{name}"
        if stream in self._acknowledged.get(name, ()):
            return True
        pot = stream.removeprefix(_LOG)
        now, waits, offered = state.pots.get(pot), state.staged.get(pot), state.proposed.get(pot)
        ours = owns(state, pot)
        plans = (plan for plan in (now, waits, offered) if plan is not None)
        return any(name in _below(plan.documents, state.node, ours) for plan in plans)


@lru_cache(maxsize=256)
def _below(documents: Documents, me: str, owns_it: bool) -> frozenset[str]:
    """The neighbours through whom the tables of a plan are reached from here."""
    ways = (seen_from(table.node, me, owns_it) for table in plan_of(documents).tables)
    return frozenset(way.rpartition(AT)[2] for way in ways if way)


def _marks(of_all: Mapping[str, Mark], name: str, streams: Iterable[str]) -> dict[str, Mark]:
    found = ((stream, of_all.get(f"{name}/{stream}")) for stream in streams)
    return {stream: mark for stream, mark in found if mark is not None}
