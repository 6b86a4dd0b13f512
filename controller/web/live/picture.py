"""One scope as those who look at it have it: what they were told, and when they are told what is new.

Theory. Most of what is new is told at once. What only goes on (a pot that rises while other tables bet, on the floor
all that is no trouble) has so many messages a second and no more: it waits for the next one and goes with it, newest
value only, so a tablet behind a slow radio sees a busy night too. A pot that fell, or is otherwise another one, never
waits: no screen shows more than there is. Pure; the clock is given.
"""

from controller.node.vocabulary.buckets import Buckets, Rate
from controller.web.live.changes import Difference, StreamEvent, change, difference, whole
from controller.web.live.entities import Entities, Entity, PotEntity
from controller.web.live.scopes import FLOOR, SIGN, TABLE, kind_of
from drivers.session import Micros

_CALM = {TABLE: Rate(0.5, 4), SIGN: Rate(1, 10), FLOOR: Rate(1, 3)}
"""How often what only goes on is told, by the kind of scope."""
_TROUBLE = ("node", "alarm/", "award/", "claim/", "dispute/", "plan/")
"""Of these a chief hears at once."""


class Picture:
    """`epoch`: of this life of it; who has another one begins anew."""

    def __init__(self, scope: str, epoch: str) -> None:
        assert kind_of(scope), "a scope"
        self.scope, self.epoch, self.number = scope, epoch, 0
        self._is_floor = kind_of(scope) == FLOOR
        self._told: Entities = {}
        self._now: Entities = {}
        self._at = 0
        self._calm = Buckets(_CALM[kind_of(scope)])
        self._whole: StreamEvent | None = None

    def begin(self, epoch: str, entities: Entities, at: int) -> None:
        """Of another life of the node nothing that was told before counts."""
        self.epoch, self.number = epoch, 0
        self._told = self._now = entities
        self._at, self._whole = at, None

    def show(self, entities: Entities, at: int, now: Micros) -> StreamEvent | None:
        """What is told of it at once, if anything."""
        self._now, self._at = entities, at
        return self.tell(now)

    def tell(self, now: Micros) -> StreamEvent | None:
        """What is to be told by now."""
        new = difference(self._told, self._now)
        if not new:
            return None
        at_once = self._at_once(new)
        is_all = len(at_once.put) == len(new.put) and len(at_once.gone) == len(new.gone)
        if not is_all and self._calm.take(self.scope, now):
            at_once = new
        if not at_once:
            return None
        self._told = {key: one for key, one in self._told.items() if key not in at_once.gone} | at_once.put
        self.number, self._whole = self.number + 1, None
        return change(self.scope, self.epoch, self.number, self._at, at_once)

    def due(self, now: Micros) -> Micros | None:
        """How long until `tell` has something; None: nothing waits."""
        return self._calm.wait(self.scope, now) if difference(self._told, self._now) else None

    def whole(self) -> StreamEvent:
        """All that who looks was told, encoded once for all who ask before the next change."""
        if self._whole is None:
            self._whole = whole(self.scope, self.epoch, self.number, self._at, self._told)
        return self._whole

    def _at_once(self, new: Difference) -> Difference:
        put = {key: one for key, one in new.put.items() if self._presses(key, self._told.get(key), one)}
        return Difference(put, tuple(key for key in new.gone if not self._is_floor or key.startswith(_TROUBLE)))

    def _presses(self, key: str, before: Entity | None, now: Entity) -> bool:
        if isinstance(now, PotEntity):
            return not (isinstance(before, PotEntity) and only_rose(before, now))
        return not self._is_floor or key.startswith(_TROUBLE)


def only_rose(before: PotEntity, now: PotEntity) -> bool:
    """Whether nothing else became of a pot than that there is more in it, and that its owner was heard."""
    if now.main < before.main or now.reserves.keys() != before.reserves.keys():
        return False
    if any(now.reserves[name] < amount for name, amount in before.reserves.items()):
        return False
    return _without_amounts(before) == _without_amounts(now)


def _without_amounts(pot: PotEntity) -> tuple[object, ...]:
    return (
        pot.title, pot.symbol, pot.decimals, pot.least, pot.most, pot.paytable, pot.training, pot.trains, pot.held,
        pot.house, pot.owner, pot.up, pot.closes, pot.percentages, pot.corrections, pot.plan_waits, pot.silent,
    )  # fmt: skip
