"""Two shells with real sockets over loopback (R-28): letters both ways, keys pinned, revoked and changed while they run."""

import pytest

from controller.core.values import Side
from support.link.node import LinkBroken, SmallNode, until

pytestmark = pytest.mark.process

UP, LOG = "to:central", "pot:pozo"


@pytest.fixture
def central(tmp_path):
    with SmallNode("central", tmp_path / "central", "tcp://127.0.0.1:0").start() as made:
        yield made


@pytest.fixture
def box(tmp_path, central):
    made = SmallNode("caja", tmp_path / "caja")
    central.pin("caja", Side.BELOW, made.key.public)
    made.pin("central", Side.ABOVE, central.key.public)
    with made.start(central=central.address):
        yield made


def settled(*nodes):
    return lambda: all(
        any(
            other.state.heard.get(f"{one.name}/{stream}") == mark
            and one.state.acknowledged.get(f"{other.name}/{stream}") == mark
            for other in nodes
        )
        for one in nodes
        for stream, mark in one.state.told.items()
    )


def test_letters_go_both_ways_and_are_acknowledged_after_the_commit(central, box):
    box.tell(UP, *(f"M{number}" for number in range(1_000)))
    central.tell(LOG, "A", "B")
    until((central, box), settled(central, box))
    box.tell(UP, "last")
    until((central, box), settled(central, box))

    assert central.heard["caja/to:central"] == [*(f"M{number}" for number in range(1_000)), "last"]
    assert box.heard["central/pot:pozo"] == ["A", "B"]
    assert box.up == {"central": True}
    assert central.up == {"caja": True}
    assert not central.of(LinkBroken) + box.of(LinkBroken)
