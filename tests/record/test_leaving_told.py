"""What people read of a pot that was left: every fact explained, every report proven, the meters those of the machine (R-27, R-28)."""

import msgspec
import pytest

from controller.core.facts import Entry
from controller.explain.explain import explain
from controller.report.counting import report
from controller.report.meters import meters
from controller.report.scope import ask
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.left_pot import left_and_back

NODES = (OWNER, CASINO, BOX)


@pytest.fixture(scope="module")
def nodes():
    return left_and_back()


@pytest.mark.parametrize("name", NODES)
def test_r28_every_fact_is_explained(nodes, name):
    for row in nodes[name].kept.facts():
        told = explain(nodes[name].kept, str(row.seq))
        assert "suman $ 0" in told or "No mueve dinero." in told, told
        assert "NO CUADRA" not in told, told


def test_r28_who_left_whom_and_with_how_much_is_told(nodes):
    kept = nodes[CASINO].kept
    (seq,) = (row.seq for row in kept.facts() if row.kind == "pot_left")
    fact = msgspec.json.decode(next(row.body for row in kept.facts() if row.seq == seq), type=Entry).fact

    told = explain(kept, str(seq))

    assert f"El pozo {POT} era de {OWNER}, que no vuelve: ana y carla lo dejaron (R-28)." in told and "Res. 950" in told
    assert f"{abs(fact.amount):,}".replace(",", ".") in told


@pytest.mark.parametrize("name", NODES)
def test_r28_every_report_holds_and_the_meters_are_the_machines(nodes, name):
    node = nodes[name]
    day = node.state.day.name
    for of in (("day", day), ("month", day[:7]), ("pot", POT), ("pot", POT, day)):
        wrong = [one for one in report(node.kept, ask(*of)).proofs if not one.holds]
        assert not wrong, (of, wrong)
    told = {one.pot: one for one in meters(node.kept).pots}
    pot = node.state.pots[POT]
    assert told[POT].meters == pot.meters and (told[POT].display, told[POT].above) == (pot.main, pot.above)
