"""Who hears the log of a pot: whoever is below and has a table of it, from its first plan on (R-26, R-28)."""

import pytest

from controller.node.link.recorded import Recorded
from support.core.linked_floors import Linked, shared

PLAN = shared(("B1", "draw", "costa", "caja@costa"), ("H1", "texas_plus", "casa", ""), name="red")
CHAIN = {"hub": "", "costa": "hub", "caja": "costa", "otra": "costa"}


def hearers(floor):
    recorded = Recorded(floor.state, 1)
    return {name for name in recorded.neighbours() if "pot:red" in recorded.marks(name).told}


@pytest.fixture
def net():
    """A box with a table of the pot and another without, below their casino's node, below the owner of the pot."""
    net = Linked(CHAIN, inside=["caja", "otra"])
    net["hub"].offer(PLAN)
    return net


def test_r26_a_pots_first_plan_is_offered_on_to_the_box_whose_table_it_links(net):
    net.deliver("hub", "costa", "pot:red")

    assert "red" in net["costa"].state.proposed and "red" not in net["costa"].state.pots
    assert (hearers(net["hub"]), hearers(net["costa"])) == ({"costa"}, {"caja"})


def test_r28_the_log_of_a_pot_in_force_is_told_to_who_has_a_table_of_it(net):
    net.cut.add("otra")
    net.calm()

    assert "red" in net["costa"].state.pots
    assert (hearers(net["hub"]), hearers(net["costa"])) == ({"costa"}, {"caja"})


def test_r28_every_neighbour_with_a_table_of_the_pot_is_new_to_look_at_after_a_letter(net):
    net.deliver("hub", "costa", "pot:red")
    floor = net["costa"]

    assert Recorded(floor.state, 1).follow(floor.state, floor.told("pot:red"), 2) == {"caja"}
