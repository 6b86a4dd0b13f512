"""Two neighbours over a network that does all a network can do (R-28): nothing is lost, doubled, or acknowledged too early."""

import pytest
from conftest import CAMPAIGN

from support.link.pair import Pair

SEEDS = 2_000 if CAMPAIGN else 30
STEPS = 300


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(10))
def test_what_is_heard_is_what_was_told_whatever_the_network_does(block):
    for seed in range(block, SEEDS, 10):
        pair = Pair(seed)
        for _ in range(STEPS):
            pair.step()
        pair.calm()
        assert pair.settled(), seed
