"""R-18 to R-28: nodes that share pots, the real core, letters and protocol under a hostile network, as seeded histories.

2,000 of them under `make campaign`. After every commit what must hold is looked at; then the world is kind, and everything
comes to rest, with every record good to a second hand and all of them saying the same.
"""

import pytest
from conftest import CAMPAIGN

from support.links.schedule import Schedule

SCHEDULES = 2_000 if CAMPAIGN else 8
PARTS = 40 if CAMPAIGN else 4
STEPS = 200


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_the_network_does_no_peso_is_lost_or_doubled_and_everybody_comes_to_rest(part):
    for seed in range(part, SCHEDULES, PARTS):
        Schedule(seed).run(STEPS)
