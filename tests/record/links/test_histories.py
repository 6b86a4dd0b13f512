"""Random evenings of three nodes: whatever letters come late, in part or not yet, every record is good, and all say the same.

What the Books decide is computed again by a second hand in each record, and letter by letter across them (R-20 to R-28).
"""

import pytest
from conftest import CAMPAIGN

from controller.verify.links.across import compare, side_of
from support.links import evening
from support.links.histories import History
from support.record.verifying import verify

SEEDS = 300 if CAMPAIGN else 5
READINGS = (
    {},
    {"void_undoes": "nothing"},
    {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"},
    {"real_after_cap": "uncut"},
)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(SEEDS))
def test_every_record_of_a_random_evening_is_good_and_all_say_the_same(seed):
    history = History(seed, **READINGS[seed % len(READINGS)])
    history.go(150)
    for name, node in history.nodes.all.items():
        verdict = verify(node.kept, None, lambda _: None)
        assert verdict.wrong is None, f"{name}, in the middle: {verdict.wrong}"
    assert compare([side_of(node.kept) for node in history.nodes.all.values()]).different == ()

    history.rest()
    for name, node in history.nodes.all.items():
        verdict = verify(node.kept, None, lambda _: None)
        assert verdict.wrong is None, f"{name}: {verdict.wrong}"
        assert node.state.disputes == {}, "nobody who is honest is disbelieved"
    across = compare([side_of(node.kept) for node in history.nodes.all.values()])
    assert across.is_good and across.open == ()
    found = history.nodes.clearing(evening.POT)
    assert all(amount == -found[other, one] for (one, other), amount in found.items())
    assert history.done["OpenPass"] > 2, "something was played"
