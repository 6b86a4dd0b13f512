"""R-6, R-4: the day's report names the tables whose lamps a croupier sees and nobody tested, and the chiefs who were told."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.store.store import Reader
from controller.report.counting import report
from controller.report.scope import ask as asked_for
from support.record.verify_history import Floor, plan, ruleset

EVA = Signature("eva")


@pytest.fixture
def floor(tmp_path):
    floor = Floor(tmp_path)
    floor.people()
    floor.stage(plan(base=700_000, ceiling=900_000), ruleset())
    floor.open_day()
    yield floor
    floor.book.close()


def figures(floor: Floor) -> dict[tuple[str, str], int]:
    """The incidents of the day, by key and detail."""
    floor.commit()
    floor.book.checkpoint()
    with Reader.open(floor.path) as record:
        told = report(record, asked_for("day", "2026-11-01"))
    return {(one.key, one.detail): one.amount for one in told.figures if one.level == "total"}


def slots_play(floor: Floor) -> None:
    floor.put(ask.OpenPass("DP-01"))
    floor.drop("DP-01", 5, 7)
    floor.commit()
    floor.must(ask.PayOwed("DP-01", 5, EVA, "carla"))
    floor.lock("DP-01")
    floor.draws("DP-01")
    floor.must(ask.ClosePass("DP-01"))


def test_r6_a_table_whose_lamps_a_croupier_sees_is_tested_once_a_day(floor):
    slots_play(floor)
    before = figures(floor)
    assert before["incidents.lamps_untested", "DP-01"] == 1
    assert not before["incidents.lamps_tested", ""]

    floor.must(ask.TellLamps("DP-01", (), EVA))
    slots_play(floor)
    after = figures(floor)
    assert after["incidents.lamps_tested", "DP-01"] == 1
    assert ("incidents.lamps_untested", "DP-01") not in after


def test_r4_what_was_handed_back_over_the_maximum_is_counted_by_the_chief_who_was_told(floor):
    slots_play(floor)

    assert figures(floor)["incidents.owed_told", "carla"] == 1
