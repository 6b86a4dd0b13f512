"""A casino whose tables all stand at two boxes: its node in the middle, `sol`, has none, and nobody opens a day there."""

from support.links.evening import BOX, CASINO, OWNER, SECOND, close, sealed, shared_plan
from support.links.months import DAY, begin_day, end_day
from support.links.nodes import Nodes
from support.record.verify_history import ruleset

TABLES = (
    ("DP-01", "mar", "draw", ""),
    ("CP-01", "sol", "caribbean_plus", "caja@sol"),
    ("DP-01", "sol", "draw", "rey@sol"),
)
BOXES = (BOX, SECOND)


def behind() -> Nodes:
    """The plan holds; owner and boxes have their day, the node between them has none."""
    nodes = Nodes(OWNER, CASINO, BOX, SECOND)
    nodes.people()
    nodes.link(CASINO, OWNER)
    for box in BOXES:
        nodes.link(box, CASINO, inside=True)
    nodes[OWNER].stage(shared_plan(tables=TABLES), ruleset())
    nodes.settle()
    for name in (OWNER, *BOXES):
        nodes[name].open_day()
    assert not nodes[CASINO].state.tables
    return nodes


def plays(nodes: Nodes, *names: str) -> None:
    """A pass at each of these boxes, told."""
    for name in names:
        sealed(nodes[name], 1, 2)
        close(nodes[name])
    nodes.settle()


def over(nodes: Nodes, *names: str) -> None:
    """The day of each of these boxes is closed, and told."""
    for name in names:
        assert end_day(nodes[name])
        nodes.settle()


def next_day(nodes: Nodes, *names: str, days: int = 1) -> None:
    nodes.tick(days * DAY)
    for name in names:
        begin_day(nodes[name])
