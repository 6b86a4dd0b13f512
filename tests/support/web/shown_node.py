"""A node that only shows: the real control socket of this process, with views that a test says; of any number of tables."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from controller.core.values import Phase
from controller.core.view import Light, SeatView, SignView, TableView
from controller.node.control.control import Control
from controller.node.vocabulary.protocol import Feed, Health, NodeView, PotFunds, SeatNow

PAYTABLE = {
    "color": "50 x", "full": "100 x", "poker": "300 x", "escalera_color": "10 %", "escalera_real": "100 %",
}  # fmt: skip


def floor_view(tables: int, seats: int = 7) -> NodeView:
    names = [f"TX-{number:02}" for number in range(1, tables + 1)]
    row = tuple(SeatView(seat, Light.OFF, False, True, 20, 0, 0, 0, 0, "") for seat in range(1, seats + 1))
    pot = SignView(
        "estelar", "Pozo Estelar", "$", 0, 123_456_789, 0, 1_000, 5_000, PAYTABLE, (), training=False,
    )  # fmt: skip
    return NodeView(
        2, "central", 1, 1_800_000_000_000, "2026-11-18",
        tuple(TableView(name, Phase.BETWEEN, 1, row, (), {}, training=False) for name in names),
        (pot,), (), (), (),
        tuple(SeatNow(name, seat.seat, Health.UP, False, "dark", "none", 20) for name in names for seat in row),
        (),
        feeds=tuple(Feed(name, "estelar", "caribbean", 1_000) for name in names),
        funds=(PotFunds("estelar", {"reserva0": 5_000}),),
    )  # fmt: skip


class ShownNode:
    def __init__(self, control: Control, view: NodeView) -> None:
        self._control, self.view = control, view

    def show(self, **changed: object) -> NodeView:
        """The same with something else in it, as the next thing that happened."""
        self.view = replace(self.view, **{"seq": self.view.seq + 1, "at": self.view.at + 40, **changed})
        self._control.show(self.view)
        return self.view

    def pressed(self, table: int, seat: int, bet: int) -> NodeView:
        """Somebody bets at a place; his lamp is steady, and the pot has risen."""
        tables, one = self.view.tables, self.view.tables[table]
        seats = tuple(
            replace(place, bet=bet, light=Light.STEADY, credits=place.credits - 1) if place.seat == seat else place
            for place in one.seats
        )
        pot = replace(self.view.pots[0], main=self.view.pots[0].main + 720, added=self.view.pots[0].added + 720)
        return self.show(tables=(*tables[:table], replace(one, seats=seats), *tables[table + 1 :]), pots=(pot,))


@contextmanager
def shown_node(folder: Path, tables: int = 2) -> Iterator[ShownNode]:
    control = Control(folder, lambda _: False)
    control.start()
    try:
        node = ShownNode(control, floor_view(tables))
        node.show()
        yield node
    finally:
        control.stop()
