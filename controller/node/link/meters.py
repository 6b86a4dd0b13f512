"""The meters that one neighbour is told: the newest of each pot, as often as there is time to tell everybody.

Theory. Nobody misses a meter that a newer one followed, so of what moved meanwhile only the newest goes. A change that
comes alone goes at once; of many, however many neighbours hear them, as many as their owner's time allows. Beside what
is in a pot goes what is owed of it (R-31), in the same way: all prizes but those of the hearer's own side, which he
knows first; and none to a program that does not read them. Pure.
"""

from collections.abc import Iterable

from controller.core.links.names import here, there
from controller.core.view import AwardView
from controller.node.link.messages import MOST_PRIZES, PotMeter, PotPrize, PotPrizes
from controller.node.vocabulary.inbox import MeterHeard, PrizesHeard
from drivers.session import MILLISECOND, Micros

PRIZES_SINCE = 3
"""The first protocol with `PotPrizes`."""

METERS_EVERY: Micros = 10 * MILLISECOND
METER_TAKES: Micros = 5 * MILLISECOND
"""So much of its owner's time one meter may take: who has a hundred to tell tells each of them twice a second."""


_Key = tuple[bool, str]


class MetersToTell:
    def __init__(self, neighbour: str, now: Micros) -> None:
        self._neighbour = neighbour
        self._meters: dict[_Key, PotMeter | PotPrizes] = {}
        self._unsaid: set[_Key] = set()  # what moved; prizes of a pot stand before its amount
        self._at, self._every = now, METERS_EVERY  # when they may go out again

    def moved(self, meters: Iterable[PotMeter | PotPrizes], hearers: int) -> bool:
        """What is in the pots now, for one of so many hearers. Whether something moved and nothing waited already."""
        self._every, waited = max(METERS_EVERY, hearers * METER_TAKES), bool(self._unsaid)
        for meter in map(self._its, meters):
            key = (isinstance(meter, PotMeter), meter.pot)
            if self._meters.get(key) != meter:
                self._meters[key] = meter
                self._unsaid.add(key)
        return not waited and bool(self._unsaid)

    def all_again(self) -> None:
        """Whoever hears from now on has heard nothing."""
        self._unsaid = set(self._meters)

    def _its(self, meter: PotMeter | PotPrizes) -> PotMeter | PotPrizes:
        """Of prizes those that this neighbour has not told us; the newest, where they are many."""
        if isinstance(meter, PotMeter):
            return meter
        others = [one for one in meter.prizes if there(one.award, self._neighbour) is None]
        return PotPrizes(meter.pot, tuple(others[-MOST_PRIZES:]))

    def due(self, now: Micros, version: int) -> list[PotMeter | PotPrizes]:
        """What is said now, once, to who speaks that protocol."""
        if not self._unsaid or now < self._at:
            return []
        self._at = now + self._every
        said, self._unsaid = [self._meters[key] for key in sorted(self._unsaid)], set()
        return [one for one in said if isinstance(one, PotMeter) or version >= PRIZES_SINCE]

    def deadline(self) -> Micros | None:
        return self._at if self._unsaid else None


def prizes_of(pot: str, awards: Iterable[AwardView]) -> PotPrizes:
    """As they travel."""
    prizes = (
        PotPrize(one.award, one.casino, one.seat, one.prize, one.amount, one.confirmed, one.promo, one.waits)
        for one in awards
    )
    return PotPrizes(pot, tuple(prizes))


def heard(said: PotMeter | PotPrizes, neighbour: str) -> MeterHeard | PrizesHeard:
    """What who is above says of a pot. A prize of a table there is called as one of a neighbour."""
    if isinstance(said, PotMeter):
        return MeterHeard(neighbour, said.pot, said.number, said.levels(), said.at)
    return PrizesHeard(neighbour, said.pot, tuple(_award(one, neighbour) for one in said.prizes))


def _award(said: PotPrize, neighbour: str) -> AwardView:
    name = here(said.award, neighbour)
    table = name.partition("/")[0]
    return AwardView(
        name, table, said.seat, said.prize, said.amount, said.confirmed, overdue=False, promo=said.promo,
        waits=said.waits, casino=said.casino,
    )  # fmt: skip
