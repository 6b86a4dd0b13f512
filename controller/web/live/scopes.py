"""What each scope holds of a view: one table, the floor, one sign (docs/web.md, "Scopes and entities").

Theory. A scope is named as a browser asks for it: `table:TX-01`, `floor`, `sign:sala`; the floor of another box is
`floor:BOX`. Of a view only those scopes are
cut at which somebody looks, and what two of them hold is cut once. What of a table did not change since the last view
is the same entities as then. A sign's scope holds nothing about persons: it hangs in the hall, and a browser can be
made to say all it was told. Pure; one `Cutter` follows one node.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from controller.core.values import TRAINING
from controller.core.view import AwardView, SignView, TableView
from controller.node.vocabulary.protocol import FarPotNow, Feed, NodeView, PotFunds, SeatNow
from controller.web.live.entities import (
    Entities,
    LayoutEntity,
    PotEntity,
    alarm_key,
    award_entity,
    award_key,
    floor_entities,
    is_of_table,
    node_entity,
    pot_entity,
    public,
    public_award,
    table_entities,
)
from controller.web.live.shown import ShownSigns

FLOOR = "floor"
TABLE, SIGN = "table", "sign"
TOLD_STEP = 5_000
"""Milliseconds: how old a far owner's word is, is told so exactly and no more often."""


def kind_of(scope: str) -> str:
    """Table, floor, sign, or nothing."""
    kind, _, name = scope.partition(":")
    return kind if scope == FLOOR or (kind in {TABLE, SIGN, FLOOR} and name) else ""


def box_of(scope: str) -> str:
    """Whose floor it is, where it is another box's."""
    kind, _, name = scope.partition(":")
    return name if kind == FLOOR else ""


def floor_of(box: str) -> str:
    return f"{FLOOR}:{box}" if box else FLOOR


class _Cut(NamedTuple):
    """Of a table: from what, and what it came to."""

    made_of: tuple[TableView, Feed | None, tuple[SeatNow, ...]]
    entities: Entities


class Cutter:
    """`layouts`: the signs there are, by name; `shown`: what they say that they show; `box`: its name, where it is
    another box's node: of that one nothing but the floor is shown."""

    def __init__(self, layouts: Mapping[str, LayoutEntity], shown: ShownSigns, box: str = "") -> None:
        self._box = box
        self._shown = shown
        self._layouts = layouts
        self._view: NodeView | None = None
        self._cuts: dict[str, _Cut] = {}
        self._told: dict[str, int] = {}
        self._tables: dict[str, TableView] = {}
        self._units: dict[str, list[SeatNow]] = {}
        self._feeds: dict[str, Feed] = {}
        self._signs: dict[str, SignView] = {}
        self._pots: dict[str, PotEntity] = {}

    def knows(self, scope: str) -> bool:
        """Whether there is such a scope: a sign of the settings, the floor, a table of the last view."""
        kind, _, name = scope.partition(":")
        if kind == FLOOR or self._box:
            return scope == floor_of(self._box)
        of_kind = {TABLE: self._tables, SIGN: self._layouts}.get(kind, {})
        return kind_of(scope) != "" and name in of_kind

    def look(self, view: NodeView) -> None:
        """From now on this is the view."""
        self._view = view
        self._tables = {one.table: one for one in view.tables}
        self._feeds = {one.table: one for one in view.feeds}
        # a table in training plays for a copy of its pot, under the pot's own name.
        self._signs = {f"{TRAINING * one.training}{one.pot}": one for one in view.pots}
        self._units = {}
        for unit in view.seats:
            self._units.setdefault(unit.table, []).append(unit)
        funds, far = {one.pot: one for one in view.funds}, {one.pot: one for one in view.far_pots}
        self._told = {name: self._word(view.at, one) for name, one in far.items()}
        self._pots = {name: self._pot(one, funds.get(name), far.get(name)) for name, one in self._signs.items()}

    def cut(self, scope: str) -> Entities:
        """What the scope holds now; of a table that is not there, the node alone."""
        assert self._view is not None and kind_of(scope), "a view was looked at, and the scope is one"
        kind, _, name = scope.partition(":")
        found: Entities = {"node": node_entity(self._view)}
        if kind == TABLE:
            found.update(self._of_table(self._view, name))
        elif kind == SIGN:
            found.update(self._of_sign(name))
        else:
            found.update(self._of_floor(self._view))
        return found

    def _of_table(self, view: NodeView, name: str) -> Entities:
        if name not in self._tables:
            return {}
        found = {**self._table(name)}
        pots = {self._feeds[name].pot} if name in self._feeds else set()
        for pot, sign in self._signs.items():
            for order, award in enumerate(sign.awards, 1):
                if award.table == name:
                    found[award_key(award)] = award_entity(award, pot, order)
                    pots.add(pot)
        found.update((f"pot/{pot}", self._pots[pot]) for pot in pots if pot in self._pots)
        found.update((f"claim/{one.claim}", one) for one in view.claims if one.table == name)
        found.update((alarm_key(one), one) for one in view.alarms if is_of_table(one, name))
        found.update((f"inquiry/{one.id}", one) for one in view.inquiries if one.table == name)
        return found

    def _of_sign(self, name: str) -> Entities:
        layout = self._layouts.get(name)
        if layout is None:
            return {}
        found: Entities = {f"layout/{name}": layout}
        for pot in layout.pots:
            if pot in self._signs:
                found[f"pot/{pot}"] = public(self._pots[pot])
                found.update(
                    (award_key(one), public_award(one, pot, order)) for order, one in _in_order(self._signs[pot])
                )
        return found

    def _of_floor(self, view: NodeView) -> Entities:
        found = floor_entities(view)
        for name in self._tables:
            found.update(self._table(name))
        for pot, sign in self._signs.items():
            found[f"pot/{pot}"] = self._pots[pot]
            found.update((award_key(one), award_entity(one, pot, order)) for order, one in _in_order(sign))
        found.update((f"claim/{one.claim}", one) for one in view.claims)
        found.update((alarm_key(one), one) for one in view.alarms)
        found.update((f"inquiry/{one.id}", one) for one in view.inquiries)
        found.update(self._shown.entities())
        return found

    def _table(self, name: str) -> Entities:
        made_of = (self._tables[name], self._feeds.get(name), tuple(self._units.get(name, ())))
        known = self._cuts.get(name)
        if known is None or known.made_of != made_of:
            known = self._cuts[name] = _Cut(made_of, table_entities(*made_of))
        return known.entities

    def _pot(self, sign: SignView, funds: PotFunds | None, far: FarPotNow | None) -> PotEntity:
        return pot_entity(sign, funds, far, self._told.get(sign.pot, 0))

    def _word(self, at: int, far: FarPotNow) -> int:
        """When its owner spoke last. The same instant as told before, unless that is wrong by a step."""
        said = at - far.age if 0 <= far.age <= at else 0
        before = self._told.get(far.pot, 0)
        return before if said and before and abs(said - before) < TOLD_STEP else said


def _in_order(sign: SignView) -> Iterator[tuple[int, AwardView]]:
    """Those of this node in paying order, then those of tables beyond it."""
    return enumerate((*sign.awards, *sign.elsewhere), 1)
