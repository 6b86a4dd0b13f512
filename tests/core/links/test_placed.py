"""R-9, R-28: every node reads the same plan, and finds its own tables in it by who it is."""

import pytest

from controller.core.links import names
from controller.core.links.placed import away_of, is_named, linked, nodes_above, seen_tables
from controller.core.state import plan_of
from controller.core.values import Documents
from support.core.linked_floors import shared
from support.floor.floor import RULESETS

PLAN = plan_of(
    Documents(
        shared(
            ("M1", "draw", "costa", "caja@costa"),
            ("M2", "go", "costa", "costa"),
            ("M1", "go", "norte", "norte"),
            ("M3", "draw", "casa", ""),
        ),
        RULESETS["scj-2023"],
    )
)


@pytest.mark.parametrize(
    ("me", "owns", "mine", "below"),
    [
        ("hub", True, {"M3"}, {"M1@caja@costa", "M2@costa", "M1@norte"}),
        ("costa", False, {"M2"}, {"M1@caja"}),
        ("caja", False, {"M1"}, set()),
        ("norte", False, {"M1"}, set()),
        ("otro", False, set(), set()),
        ("hub", False, set(), set()),
    ],
)
def test_r9_r28_what_is_ours_what_is_below_and_nothing_else(me, owns, mine, below):
    assert linked(PLAN, me, owns_it=owns).keys() == mine
    assert away_of(PLAN, me, owns_it=owns).keys() == below
    assert seen_tables(PLAN, me, owns_it=owns).keys() == mine | below


def test_r28_of_two_tables_of_one_name_each_node_sees_its_own_game():
    assert linked(PLAN, "caja", owns_it=False)["M1"].modality.name == "draw"
    assert linked(PLAN, "norte", owns_it=False)["M1"].modality.name == "go"


def test_r28_a_plan_that_places_a_table_at_or_behind_a_node_is_of_a_pot_that_another_owns():
    assert [is_named(PLAN, node) for node in ("hub", "costa", "caja", "norte", "cos")] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_r28_the_next_node_on_the_way_to_the_pot_is_named_but_for_its_owner():
    assert {node: nodes_above(PLAN, node) for node in ("hub", "costa", "caja", "norte", "otro")} == {
        "hub": set(), "costa": {""}, "caja": {"costa"}, "norte": {""}, "otro": set(),
    }  # fmt: skip


def test_r31_a_far_table_is_shown_by_the_name_it_has_there():
    """Which way it lies is for programs; people read what hangs above it."""
    assert [names.plain(one) for one in ("DP-01", "DP-01@valle", "DP-01@caja@valle")] == ["DP-01"] * 3
    assert names.plain(names.here("DP-01/9/1", "valle")) == "DP-01"
