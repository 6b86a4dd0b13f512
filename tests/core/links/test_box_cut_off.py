"""R-26, R-28: a plan change while one box is cut off: never two in force for anybody who is believed, and each way out tried."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import Refused
from controller.core.values import Side, Signature
from support.links.evening import AT, BOX, CASINO, OWNER, POT, close, in_force, linked, sealed, shared_plan
from support.links.nodes import TWO, key_of
from support.record.verify_history import ruleset

EVA = Signature("eva")


def waiting():
    """Everybody has played; the box hears nothing any more; the owner has staged another plan."""
    nodes = linked()
    in_force(nodes)
    for node in nodes.all.values():
        sealed(node, 1, 2)
        close(node)
    nodes.settle()
    for node in nodes.all.values():
        node.empty(AT[node.name])
    nodes.settle()
    nodes.links.remove((BOX, CASINO))
    nodes.see(BOX, CASINO, up=False)
    nodes[OWNER].stage(shared_plan("Res. 399", base=5_000_000, ceiling=500_000_000), ruleset())
    nodes.settle()
    return nodes


def plans(nodes):
    return {name: "Res. 399" in node.state.pots[POT].documents.plan for name, node in nodes.all.items()}


def opens(node):
    return not isinstance(node.ask(ask.OpenPass(AT[node.name], EVA))[0], Refused)


def back(nodes, key):
    nodes[CASINO].must(ask.PinNeighbour(BOX, Side.BELOW, key, inside=True, **TWO))
    nodes.links.append((BOX, CASINO))
    nodes[CASINO].must(ask.SeeLink(BOX, up=True))
    nodes[BOX].must(ask.SeeLink(CASINO, up=True))
    nodes.settle()


def test_r26_while_the_box_is_silent_the_old_plan_holds_for_all_and_its_link_is_a_way_out():
    nodes = waiting()
    assert plans(nodes) == {OWNER: False, CASINO: False, BOX: False}
    assert opens(nodes[BOX]), "R-28: it knows of nothing, and its time is not over"
    close_open(nodes[BOX])

    nodes.links.append((BOX, CASINO))
    nodes.see(BOX, CASINO, up=True)
    nodes.settle()

    assert plans(nodes) == {OWNER: True, CASINO: True, BOX: True}
    assert not nodes[OWNER].state.disputes and not nodes[CASINO].state.disputes


def close_open(node):
    table = AT[node.name]
    node.bet(table, 1, 2)
    node.commit()
    node.lock(table)
    node.draws(table)
    close(node)
    node.empty(table)


def test_r26_taken_back_everybody_plays_on_under_the_old_plan():
    nodes = waiting()
    nodes[OWNER].must(ask.WithdrawPlan(POT, Signature("ana")))
    nodes.settle()

    assert plans(nodes) == {OWNER: False, CASINO: False, BOX: False}
    assert all(opens(node) for node in nodes.all.values())


@pytest.mark.parametrize("plays", [False, True])
def test_r26_the_box_is_left_out_and_what_it_played_meanwhile_is_nobodys_till_two_have_looked(plays):
    nodes = waiting()
    sol, caja = nodes[CASINO], nodes[BOX]
    sol.must(ask.RevokeNeighbour(BOX, "no contesta", **TWO))
    nodes.settle()
    assert plans(nodes) == {OWNER: True, CASINO: True, BOX: False}
    stood = sol.book.balances[f"clearing:{POT}:{OWNER}"]
    if plays:
        assert opens(caja)
        close_open(caja)
    nodes.tick(31 * 60_000)
    assert not opens(caja), "R-28: its time without a word is over"

    back(nodes, key_of("caja otra vez"))

    disputes = [one for one in sol.state.disputes.values() if one.neighbour == BOX]
    assert bool([one for one in disputes if one.amount]) is plays
    assert sol.book.balances[f"clearing:{POT}:{OWNER}"] == stood, "nothing of it went into the pot"
    assert plans(nodes) == {OWNER: True, CASINO: True, BOX: True}
    for one in disputes:
        sol.must(ask.EndDispute(BOX, one.number, accepted=False, reason="fue bajo el otro plan", **TWO))
    nodes.settle()
    clearing = nodes.clearing(POT)
    assert all(amount == -clearing[other, one] for (one, other), amount in clearing.items())
    assert opens(caja)
