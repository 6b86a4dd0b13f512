"""Random evenings in which the owner of the pot is lost at some instant, and the casino leaves him: nothing waits for ever (R-20, R-28).

Letters were under way, percentages waited, corrections were asked, the box was in the middle of a pass. A second hand computes all
of it again; then the casino and its box play on, on the pot that is theirs.
"""

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import PotLeft, Refused
from controller.core.invariants import difference
from support.links.evening import BOX, CASINO, OWNER, POT, shared_plan
from support.links.histories import History
from support.links.nodes import TWO
from support.record.verify_history import ruleset
from support.record.verifying import verify

VOIDED = 69
"""Whose box voids a pass of the lost owner's time after its winners were decided."""
SEEDS = range(300) if CAMPAIGN else (*range(6), VOIDED)
READINGS = (
    {},
    {"void_undoes": "nothing"},
    {"base_from": "house", "shortfall_from": "house"},
    {"real_after_cap": "uncut"},
)
OWN = (("DP-01", "sol", "draw", ""), ("CP-01", "sol", "caribbean_plus", "caja"))


class Left(History):
    """The owner's people do nothing more."""

    def acts(self):
        of_owner = () if OWNER in self.nodes.all else (self.plan, self.put_in)
        return tuple(one for one in super().acts() if one[1] not in of_owner)


def lost(history):
    """The owner is gone, and two at the casino leave him, whatever is under way at the box."""
    nodes, sol = history.nodes, history.nodes[CASINO]
    history.close(sol)
    sol.empty("DP-01")
    del nodes.all[OWNER]
    nodes.links = [(BOX, CASINO)]
    sol.must(ask.RevokeNeighbour(OWNER, "no vuelve", **TWO))
    return [fact for fact in sol.must(ask.LeavePot(POT, "Res. 950", **TWO)) if isinstance(fact, PotLeft)]


def judged(history):
    for name, node in history.nodes.all.items():
        node.book.checkpoint()
        verdict = verify(node.kept, None, lambda _: None)
        assert verdict.wrong is None, f"{name}: {verdict.wrong}"
        assert not difference(node.state, node.book.balances) and sum(node.book.balances.values()) == 0


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SEEDS)
def test_r28_whatever_was_under_way_nothing_waits_and_no_peso_is_lost(seed):
    history = Left(seed, **READINGS[seed % len(READINGS)])
    history.go(60 + 20 * (seed % 5))
    nodes = history.nodes

    (left,) = lost(history)

    sol, caja = nodes[CASINO], nodes[BOX]
    assert sol.book.balances.get(f"clearing:{POT}:{OWNER}", 0) == 0
    assert sum((left.after.main, *left.after.reserves.values())) == max(left.amount, 0)
    assert not any(one.waits for claim in sol.state.claims.values() for one in claim.awards.values())
    history.rest()
    judged(history)
    assert not sol.state.undecided and not sol.state.awaited and not caja.state.awaited
    for node in nodes.all.values():
        assert not any(one.waits for claim in node.state.claims.values() for one in claim.awards.values())
        for claim in [name for name, one in node.state.claims.items() if "@" not in one.table]:
            node.pay_all(claim)
        node.empty(history.at(node))
    nodes.settle()
    sol.stage(shared_plan("Res. 951", tables=OWN, base=700_000, ceiling=900_000), ruleset(**history.readings))
    nodes.settle()
    assert "Res. 951" in caja.state.pots[POT].documents.plan
    history.go(50)
    history.rest()
    judged(history)
    found = nodes.clearing(POT)
    assert all(amount == -found[other, one] for (one, other), amount in found.items())
    assert not isinstance(sol.ask(ask.OpenPass("DP-01", ask.Signature("eva")))[0], Refused)
