"""What a screen is shown of plans that wait, and of a node that is out of service (R-26)."""

from controller.core import inputs as ask
from controller.core.values import Documents
from controller.core.view import Alarm
from controller.node.publish import showing
from controller.node.publish.showing import Devices, empty_view, plans_now
from support.core.linked_floors import Linked, shared
from support.floor.floor import ANA, Floor, plan, with_reading

NOBODY = Devices((), (), ())


def waiting(floor):
    return plans_now(floor.state)


def test_r26_a_plan_that_waits_is_shown_value_by_value_against_the_one_in_force():
    floor = Floor(plan(base=5_000_000))
    assert waiting(floor) == ()
    floor.open_pass()
    floor.stage(plan(base=7_000_000, least=2_000, resolution="Res. 2"))

    (one,) = waiting(floor)
    assert (one.pot, one.resolution, one.by, one.second, one.is_new) == ("pozo", "Res. 2", "ana", "jefa", False)
    told = {change.key: (change.old, change.new) for change in one.changes}
    assert told["pot.base"] == ("5000000", "7000000")
    assert told["bets.min_bet"] == ("1000", "2000")
    assert told["resolution"] == ("Res. 1", "Res. 2")
    assert "bets.max_bet" not in told

    floor.ask(ask.WithdrawPlan("pozo", ANA))
    assert waiting(floor) == ()


def test_r26_what_is_shown_is_what_will_be_on_record_when_it_takes_effect():
    floor = Floor(plan())
    floor.open_pass()
    floor.stage(plan(least=2_000, resolution="Res. 2"), with_reading(cap="category"))
    (one,) = waiting(floor)
    floor.lock()
    effect = floor.close_pass()[-1]

    assert effect.changes == one.changes and one.changes


def test_two_documents_are_compared_once(monkeypatch):
    floor = Floor(plan())
    floor.open_pass()
    floor.stage(plan(base=6_000_001, resolution="Res. 77"))
    asked = []
    between = showing.changes_between
    monkeypatch.setattr(showing, "changes_between", lambda *both: asked.append(both) or between(*both))

    assert waiting(floor) == waiting(floor)
    assert asked == [
        (floor.pot().documents, Documents(plan(base=6_000_001, resolution="Res. 77"), asked[0][1].ruleset))
    ]


def test_r26_r28_a_plan_of_a_shared_pot_says_who_is_ready_and_who_is_missing():
    net = Linked({"hub": "", "costa": "hub", "norte": "hub"})
    document = shared(("M1", "draw", "costa", "costa"), ("M1", "go", "norte", "norte"))
    net["hub"].offer(document)
    (new,) = waiting(net["hub"])
    assert (new.is_new, new.changes, new.missing) == (True, (), ("costa", "norte")), "there is nothing to compare"
    net.calm()
    for name in ("costa", "norte"):
        net[name].open_day()
    net["norte"].open_pass("M1")
    net.calm()
    net["hub"].offer(document.replace("Res. 1", "Res. 2"))
    net.calm()

    (at_owner,) = waiting(net["hub"])
    assert (at_owner.ready, at_owner.missing, at_owner.above) == (("costa",), ("norte",), "")
    (proposed,) = waiting(net["norte"])
    assert (proposed.above, proposed.resolution, proposed.by) == ("hub", "Res. 2", "hub/ana")
    assert [change.key for change in proposed.changes] == ["resolution"]


def test_a_node_that_is_out_of_service_says_so_and_not_only_that_it_stops():
    view = empty_view("nodo1", Alarm("nodo1", "", "FUERA DE SERVICIO"), NOBODY, 7)

    assert (view.out_of_service, view.stopping, view.tables, view.plans) == (True, True, (), ())
