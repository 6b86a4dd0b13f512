"""R-26: plans of a shared pot under random histories: letters late, links cut, passes and awards in between.

However letters fall, every pass is played from its opening to its end under one plan, and that is the one that its
pot's owner has then: nothing is ever in dispute. And when everybody comes to rest, one plan is in force for all, with
both sides of every clearing equal.
"""

import pytest
from conftest import CAMPAIGN

from controller.core import passes, plans
from controller.core.links import proposals
from support.core.plan_evening import PlanEvening

SCHEDULES = range(2_000 if CAMPAIGN else 25)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", SCHEDULES)
def test_r26_r28_however_letters_fall_every_pass_is_played_under_one_plan_and_everybody_ends_with_the_same(seed):
    PlanEvening(seed).run()


@pytest.mark.parametrize(
    ("part", "name", "without"),
    [
        (passes, "refuse_closed", lambda _state, _table: None),
        (plans, "members", lambda _state, _plan: set()),
        (proposals, "members", lambda _state, _plan: set()),
        (proposals, "nothing_in_the_way", lambda _state, _plan, _waiting: True),
    ],
    ids=["closed", "owner_waits", "middle_waits", "at_rest"],
)
def test_without_one_of_its_guards_a_history_finds_it_out(monkeypatch, part, name, without):
    monkeypatch.setattr(part, name, without)
    found = 0
    for seed in range(40):
        try:
            PlanEvening(seed).run()
        except (AssertionError, KeyError):
            found += 1
            break
    assert found
