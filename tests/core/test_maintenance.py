"""What persons do to devices: on record, and nothing else of it in the core (R-27)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import DeviceTended, NothingNew, PassOpened
from controller.core.values import Signature, Tending
from support.floor.floor import CARLA, INES, JEFA, TABLE, TITO, Floor, kinds

TRY = {ask.TryLamps: (TABLE,), ask.TrySign: ("letrero",), ask.ClearFaults: (TABLE, 2), ask.UnlockTable: (TABLE,)}


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        (ask.TryLamps(TABLE, TITO), DeviceTended(Tending.LAMPS, "tito", TABLE)),
        (ask.TrySign("letrero", CARLA), DeviceTended(Tending.SIGN, "carla", sign="letrero")),
        (ask.ClearFaults(TABLE, 2, JEFA), DeviceTended(Tending.FAULTS, "jefa", TABLE, 2)),
    ],
)
def test_r27_who_tended_what_stands_on_record_and_changes_nothing(asked, fact):
    floor = Floor()
    before = floor.state

    assert floor.ask(asked) == (fact,)
    assert (floor.state.tables, floor.state.pots, floor.state.people) == (before.tables, before.pots, before.people)


def test_r5_whoever_unlocks_opens_the_pass_or_in_an_open_one_the_seats_that_came_back():
    floor = Floor()

    assert floor.ask(ask.UnlockTable(TABLE, CARLA)) == (PassOpened(TABLE, 1, "carla"),)
    assert floor.ask(ask.UnlockTable(TABLE, CARLA)) == (DeviceTended(Tending.REOPEN, "carla", TABLE),)
    floor.ask(ask.Lock(TABLE))
    assert floor.reason(ask.UnlockTable(TABLE, CARLA)) == "pass_in_progress"


def test_r5_without_a_day_nobody_unlocks():
    assert Floor(open_day=False).reason(ask.UnlockTable(TABLE, CARLA)) == "day_not_open"


def test_r6_lamps_are_tried_between_passes():
    floor = Floor()
    floor.open_pass()

    assert floor.reason(ask.TryLamps(TABLE, TITO)) == "pass_in_progress"


@pytest.mark.parametrize(
    ("kind", "who", "may"),
    [
        (ask.ClearFaults, CARLA, False),
        (ask.ClearFaults, TITO, True),
        (ask.ClearFaults, JEFA, True),
        (ask.UnlockTable, TITO, False),
        (ask.TryLamps, TITO, True),
        (ask.TryLamps, INES, False),
        (ask.TrySign, INES, False),
    ],
)
def test_r27_who_may(kind, who, may):
    floor = Floor()

    assert (floor.reason(kind(*TRY[kind], who)) if not may else kinds(floor.ask(kind(*TRY[kind], who)))) == (
        [DeviceTended] if may else "role_missing"
    )


def test_r27_who_signs_in_at_a_table_does_nothing_by_it():
    floor = Floor()

    assert floor.ask(ask.SignIn(TABLE, CARLA)) == (NothingNew("quién atiende la mesa"),)
    assert floor.reason(ask.SignIn("otra", CARLA)) == "table_unknown"
    assert floor.reason(ask.SignIn(TABLE, TITO)) == "role_missing"
    assert floor.reason(ask.SignIn(TABLE, Signature("carla", verified=False))) == "pin_wrong"
    assert floor.state.people["carla"].failures == 1


def test_r27_a_wrong_pin_counts_before_any_role_and_the_second_one_too():
    floor = Floor()
    two = {"by": CARLA, "second": Signature("jefa", verified=False)}

    assert floor.reason(ask.ClearSuspense(TABLE, "x", **two)) == "pin_wrong"
    assert floor.state.people["jefa"].failures == 1
