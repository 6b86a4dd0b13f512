"""`pozo verify` judges again how plans of a shared pot were offered, waited for and put in force (R-26, R-28)."""

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import PlanTookEffect
from controller.core.values import Side
from support.core.linked_floors import Linked, shared
from support.core.neighbour import pin
from support.core.plan_evening import PlanEvening
from support.floor.floor import ANA, CARLA, JEFA
from support.links.asked_again import record_of
from support.record.verifying import verify

EVENINGS = range(300 if CAMPAIGN else 5)
TWO = (("M1", "draw", "costa", "costa"), ("M1", "go", "norte", "norte"))


def proven(net: Linked) -> None:
    for floor in net.at.values():
        verdict = verify(record_of(floor), None, lambda _seq: None)
        assert verdict.wrong is None, f"{floor.node}: {verdict.wrong}"
        assert verdict.facts == len(floor.record)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", EVENINGS)
def test_r26_r28_the_second_hand_agrees_with_every_node_of_an_evening_of_plans(seed):
    evening = PlanEvening(seed)
    evening.run()
    proven(evening.net)


def begun() -> Linked:
    net = Linked({"hub": "", "costa": "hub", "norte": "hub"})
    net["hub"].offer(shared(*TWO))
    net.calm()
    for name in ("costa", "norte"):
        net[name].open_day()
    return net


def test_r7_r26_it_agrees_with_a_table_that_had_to_be_emptied_for_a_plan_in_force():
    net = begun()
    net.cut = {"costa"}
    net["hub"].offer(shared(TWO[0], resolution="Res. 2"))
    net.calm()
    net["norte"].buy(1, 3, "M1")
    net.cut = set()
    net.calm()
    assert net["norte"].state.emptying
    net["norte"].ask(ask.CashOut("M1", 1, CARLA))

    assert len(net["norte"].heard(PlanTookEffect)) == 3
    proven(net)


def test_r26_r28_it_agrees_with_revoked_keys_and_a_plan_that_came_without_a_node():
    net = begun()
    net["costa"].open_pass("M1")
    net["hub"].offer(shared(*TWO, resolution="Res. 2"))
    net.calm()
    assert net["norte"].state.proposed["pozo"].ready
    net.cut = {"norte"}
    net["norte"].ask(ask.RevokeNeighbour("hub", "no volvió", ANA, JEFA))
    net["hub"].ask(ask.RevokeNeighbour("norte", "no responde", ANA, JEFA))
    net["costa"].lock("M1")
    net["costa"].close_pass("M1")
    net.calm()
    net["norte"].ask(pin("hub", Side.ABOVE))
    net["norte"].ask(ask.SeeLink("hub", up=True))
    assert net["norte"].reason(ask.OpenPass("M1", CARLA)) == "plan_comes"
    net["hub"].ask(pin("norte", Side.BELOW))
    net.cut = set()
    net.calm()

    assert net["norte"].pot().documents == net["hub"].pot().documents
    proven(net)
