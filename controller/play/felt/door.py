"""What the felt asks of the demo, over the socket that a person types into as well: a line there, a line of JSON
back.

Theory. Nobody is there longer than he says so: who sits at a seat, or works at a croupier's screen, is renewed by
whoever shows him, and when nothing more is said the demo's own people take the place again. So a browser that was
closed, or a web process that died, leaves no table without its croupier. Time comes from outside.
"""

from collections.abc import Iterable

import msgspec

from controller.core.state import plan_of
from controller.node.vocabulary.places import Node
from controller.node.vocabulary.protocol import NodeView
from controller.play.croupier import Croupier
from controller.play.felt.shown import CasinoShown, Game, TableListed, TableShown, table_shown
from drivers.session import SECOND, Micros
from firmware_sim.desk.desk import Desk

SEAT_KEPT: Micros = 8 * SECOND
PLACE_KEPT: Micros = 12 * SECOND
"""A page that is loaded anew is away for a moment."""


class FeltDoor:
    """`croupiers` by table; `desks` likewise."""

    def __init__(self, node: Node, croupiers: dict[str, Croupier], desks: dict[str, Desk]) -> None:
        self._croupiers, self._desks = croupiers, desks
        self.games = dict(_games(node))
        self._sat: dict[tuple[str, int], Micros] = {}
        self._worked: dict[str, Micros] = {}

    def obey(self, words: str, view: NodeView | None, now: Micros) -> str | None:
        """The answer; None where it is not the felt's affair. `view`: none while the node is not heard."""
        what, *rest = words.split()
        table = rest[0].upper() if rest else ""
        match what.lower(), rest[1:]:
            case "mira", [] if not rest:
                return _json(self._casino(view))
            case "mira", [] if table in self._croupiers:
                return _json(self._table(table, view, now))
            case "sienta" | "levanta", [number] if self._has_seat(table, number):
                kept = now if what.lower() == "sienta" else now - SEAT_KEPT
                self._sat[table, int(number)] = kept
                return "ok"
            case "releva", [] if table in self._croupiers:
                self._worked[table] = now
                return "ok"
            case _:
                return None

    def turn(self, now: Micros) -> None:
        """Who is there now, for each croupier."""
        self._sat = {place: at for place, at in self._sat.items() if now - at < SEAT_KEPT}
        self._worked = {table: at for table, at in self._worked.items() if now - at < PLACE_KEPT}
        for table, croupier in self._croupiers.items():
            croupier.guests = frozenset(seat for place, seat in self._sat if place == table)
            if table in self._worked and not croupier.is_relieved:
                croupier.is_relieved_by_a_person()
            elif croupier.is_relieved and table not in self._worked:
                croupier.come_back()

    def is_played_by_hand(self, table: str) -> bool:
        """Whether somebody sits or works there, who is no faster than a person."""
        croupier = self._croupiers[table]
        return bool(croupier.guests) or croupier.is_relieved

    def _has_seat(self, table: str, number: str) -> bool:
        return table in self._desks and number in {str(seat) for seat in _seats(self._desks[table])}

    def _casino(self, view: NodeView | None) -> CasinoShown:
        tables = tuple(
            TableListed(table, self.games[table].title, self.games[table].modality, len(_seats(desk)), _who(croupier))
            for (table, desk), croupier in zip(self._desks.items(), self._croupiers.values(), strict=True)
        )
        return CasinoShown(tables, view.day if view is not None else "", view is not None)

    def _table(self, table: str, view: NodeView | None, now: Micros) -> TableShown:
        croupier = self._croupiers[table]
        return table_shown(
            table, self.games[table], self._desks[table], now, view, croupier.dealt, croupier.guests, _who(croupier)
        )


def _who(croupier: Croupier) -> str:
    return "person" if croupier.is_relieved or croupier.away else "leaving" if croupier.leaving else "demo"


def _seats(desk: Desk) -> list[int]:
    return [seat for device in desk.devices for seat in device.seats]


def _games(node: Node) -> Iterable[tuple[str, Game]]:
    for file in node.plans:
        plan = plan_of(file.documents)
        for linked in plan.tables:
            if linked.node in {"", node.name}:
                yield linked.name, Game(plan.name, plan.title, linked.modality.name, plan.limits.credit_value)


def _json(shown: CasinoShown | TableShown) -> str:
    return msgspec.json.encode(shown).decode()
