"""Two months of three nodes that share a pot: random evenings whose days are closed, each node's own when it pleases.

The clocks of all three agree and nothing depends on it. A night falls at any node between two passes: its players leave, its day
is closed, and the next one opens under the date of its clock.
"""

import hashlib
from datetime import UTC, datetime

from controller.core import inputs as ask
from controller.core.values import Phase, Signature
from support.links import evening
from support.links.evening import AT
from support.links.histories import History
from support.links.nodes import Node, Nodes
from support.nonces import nonce_of

DAY = 86_400_000
NOVEMBER, DECEMBER = "2026-11", "2026-12"


def date_of(node: Node) -> str:
    return f"{datetime.fromtimestamp(node.now / 1000, UTC):%Y-%m-%d}"


def end_day(node: Node) -> bool:
    """The table is empty and its day closed, if that can be now."""
    table = AT[node.name]
    if node.state.day is None or node.state.tables[table].phase is not Phase.BETWEEN:
        return False
    node.give_back(table)
    node.empty(table)
    if any(seat.credits + seat.promo + seat.owed for seat in node.state.tables[table].seats):
        return False
    node.close_day()
    return True


def begin_day(node: Node) -> None:
    """Under the date of its clock, or the day after its last one."""
    node.day += 1
    seed = node.seeds[node.day] = hashlib.sha256(f"semilla {node.day}".encode()).digest()
    name = date_of(node)
    node.must(ask.OpenDay(name, hashlib.sha256(seed).hexdigest(), Signature("carla"), nonce_of(f"{name} {node.name}")))


class Months(History):
    """`go` plays; `night` lets so many days pass, and closes the day where that can be."""

    def night(self, days: int = 1) -> None:
        self.nodes.tick(days * DAY)
        for node in self.nodes.all.values():
            self.close(node)
            if node.state.day is None or end_day(node):
                begin_day(node)

    def over(self) -> Nodes:
        """The last day is closed everywhere, and every letter heard."""
        self.rest()
        for node in self.nodes.all.values():
            assert end_day(node)
        self.rest()
        return self.nodes


def two_months(seed: int, steps: int = 60, **readings: str) -> Nodes:
    """An evening in November, another one at its end, and one in December."""
    months = Months(seed, **readings)
    months.go(steps)
    months.night(29)
    months.go(steps)
    months.night(1)
    months.go(steps)
    return months.over()


def played_months() -> Nodes:
    """The scripted evening, with every day closed: all of it is one month."""
    nodes = evening.played()
    for node in nodes.all.values():
        for table in node.state.tables:
            node.empty(table)
        node.close_day()
    nodes.settle()
    for node in nodes.all.values():
        node.book.checkpoint()
    return nodes
