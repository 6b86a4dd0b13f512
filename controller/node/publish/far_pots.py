"""Pots of other nodes, as their owners said last: the newest amount, and how long ago that was (R-28, R-31).

Theory. What a far pot holds is for its owner to say. Its log says it at each decision and stands in the record; between
two decisions it says the amount as it is now, newest value only, and that stands here and nowhere else. Both come over
one line, so what came last is newer. An amount is as old as the last word about its pot; before the first one of this
life it is as old as the last word of the neighbour that owns it. Nobody adds to it what his own tables have bet: an
amount that its owner never said would be shown to the public. Prizes that are owed elsewhere (R-31) stand as who is
above said them last, and are as old as the pot.

A link that stands says nothing of an owner behind it. He is heard as long as the instants of his words go on, by his
own clock; a word that is told again, as after each greeting, is none. The first one of this life shows only that he was
heard once, so a start makes nobody look nearer than he is.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.inputs import SeeOwner
from controller.core.state import PotNow, State
from controller.core.values import Levels
from controller.core.view import AwardView, SignView, View
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.inbox import MeterHeard, PrizesHeard
from drivers.session import MILLISECOND, SECOND, Micros

NEVER: Micros = -(2**60)
"""Heard so long ago that nobody can say when."""
SILENT: Micros = 10 * SECOND
"""Without a new word; owners speak every two seconds."""


class _Known(NamedTuple):
    """A far pot: what its record says, what was said last, when that came, and what it has grown by in this life. `at`:
    of his last word, by the owner's clock; `went_on`: when that was seen to go on."""

    pot: PotNow
    levels: Levels
    since: Micros
    grown: int
    at: Millis = 0
    went_on: Micros = NEVER
    elsewhere: tuple[AwardView, ...] = ()


class FarPots:
    """The engine's thread alone."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._shown: dict[str, tuple[SignView, _Known, SignView]] = {}
        self._up: dict[str, Micros] = {}

    def heard(self, state: State, meter: MeterHeard | PrizesHeard, now: Micros) -> bool:
        """Whether it is taken: only who owns a pot, or hands it on to us, can say what is in it and owed of it."""
        pot = state.pots.get(meter.pot)
        if pot is None or not pot.above or pot.above != meter.neighbour:
            return False
        known = self._known.get(pot.name)
        if isinstance(meter, PrizesHeard):
            if known is not None:
                self._known[pot.name] = known._replace(elsewhere=meter.awards)
            return known is not None
        if known is not None and meter.at == known.at:
            self._note(pot, meter.levels, known.since)
            return True
        self._note(pot, meter.levels, now)
        went_on = now if known is not None and known.at else NEVER
        self._known[pot.name] = self._known[pot.name]._replace(at=meter.at, went_on=went_on)
        return True

    def follow(self, state: State, wall: Millis, now: Micros) -> None:
        """What was committed since: a decision of the owner is a word about its pot as well."""
        for pot in _far(state):
            known = self._known.get(pot.name)
            if known is None:
                self._note(pot, _levels(pot), _when(state, pot, wall, now))
            elif known.pot is not pot:
                if (known.pot.main, known.pot.reserves) != (pot.main, pot.reserves):
                    self._note(pot, _levels(pot), now)
                else:
                    self._known[pot.name] = known._replace(pot=pot)
        for gone in self._known.keys() - {pot.name for pot in _far(state)}:
            del self._known[gone]

    def _note(self, pot: PotNow, levels: Levels, since: Micros) -> None:
        before = self._known.get(pot.name)
        grown = 0 if before is None else before.grown + max(0, levels.main - before.levels.main)
        said = (before.at, before.went_on, before.elsewhere) if before is not None else (0, NEVER, ())
        self._known[pot.name] = _Known(pot, levels, since, grown, *said)

    def asks(self, state: State, now: Micros) -> Iterator[SeeOwner]:
        """R-28: owners who are silent behind a link that stands, and who are heard again; at changes only."""
        linked = {name: one for name, one in state.neighbours.items() if one.up and not one.revoked}
        self._up = {name: self._up.get(name, now) for name in linked}
        for pot in _far(state):
            known = self._known.get(pot.name)
            if known is None or pot.above not in linked:
                continue
            up = self._up[pot.above]
            if pot.silent and known.went_on > max(up, now - SILENT):
                yield SeeOwner(pot.name, up=True)
            elif not pot.silent and now - max(up, known.since) >= SILENT:
                yield SeeOwner(pot.name, up=False)

    def since(self) -> Mapping[str, Micros]:
        """When the owner of each far pot was heard last."""
        return {name: known.since for name, known in self._known.items()}

    def over(self, view: View) -> View:
        """The same with the newest amounts of far pots. What is the same as before is the same value as before."""
        if not self._known:
            return view
        return replace(view, signs=tuple(map(self._sign, view.signs)))

    def _sign(self, sign: SignView) -> SignView:
        known = self._known.get(sign.pot)
        if known is None or sign.training:
            return sign
        before = self._shown.get(sign.pot)
        was = before[1] if before is not None and before[0] is sign else None
        if before is not None and was is not None and (was.levels, was.elsewhere) == (known.levels, known.elsewhere):
            return before[2]
        shown = replace(sign, main=known.levels.main, added=known.grown, elsewhere=known.elsewhere)
        self._shown[sign.pot] = (sign, known, shown)
        return shown


def _far(state: State) -> list[PotNow]:
    return [pot for pot in state.pots.values() if pot.above]


def _levels(pot: PotNow) -> Levels:
    """As the record has it. The base is in the plan, and no sign shows it."""
    return Levels(pot.main, 0, pot.reserves)


def _when(state: State, pot: PotNow, wall: Millis, now: Micros) -> Micros:
    """Of a word that was heard before this life, by the wall clock: another one is not there."""
    owner = state.neighbours.get(pot.above)
    if owner is None or not owner.since:
        return NEVER
    return now - max(0, wall - owner.since) * MILLISECOND
