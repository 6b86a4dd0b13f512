"""R-26, R-28: a plan of a pot that nodes share waits until all its tables are at rest, and is in force for all at once."""

import msgspec
import pytest

from controller.core import inputs as ask
from controller.core.facts import (
    LetterDisputed,
    LetterHeard,
    LetterTold,
    NeighbourRevoked,
    PassClosed,
    PlanDropped,
    PlanProposed,
    PlanReady,
    PlanStaged,
    PlanTookEffect,
    PlanWithdrawn,
)
from controller.core.links.known import Proposed
from controller.core.links.letters import PlanInForce, PlanOffered, PlanTakenBack, Ready
from controller.core.project import project
from controller.core.state import plan_hash
from controller.core.values import Documents, Levels, Mark, Phase, Side
from support.core.linked_floors import Linked, LinkedFloor, shared, tables_of
from support.core.neighbour import Stream, pin
from support.floor.floor import ANA, CARLA, JEFA, RULESETS, kinds, replayed

LAW = RULESETS["scj-2023"]
TWO = shared(("M1", "draw", "costa", "costa"), ("M1", "go", "norte", "norte"))
TWO_AGAIN = TWO.replace("Res. 1", "Res. 2")
THREE = shared(
    ("B1", "draw", "costa", "caja@costa"), ("C1", "go", "costa", "costa"), ("H1", "texas_plus", "casa", ""), name="red"
)


def two_casinos(document=TWO) -> Linked:
    """The node that owns the pot has no table; two casinos have one each, of one name."""
    net = Linked({"hub": "", "costa": "hub", "norte": "hub"})
    net["hub"].offer(document)
    net.calm()
    for name in ("costa", "norte"):
        net[name].open_day()
    return net


def a_chain(document=THREE) -> Linked:
    """A box below its casino's node, below the node that owns the pot; each has a table."""
    net = Linked({"hub": "", "costa": "hub", "caja": "costa"}, inside=["caja"])
    net["hub"].offer(document)
    net.calm()
    for name in ("hub", "costa", "caja"):
        net[name].open_day()
    return net


def hash_(document, law=LAW):
    return plan_hash(Documents(document, law))


def in_force(floor: LinkedFloor, pot="pozo"):
    return floor.state.pots[pot].documents.plan


def at_rest(net: Linked) -> None:
    for floor in net.at.values():
        assert not floor.state.staged and not floor.state.proposed and not floor.state.disputes
        assert replayed(floor.record) == floor.state


# The first plan


def test_r24_r28_two_casinos_begin_a_pot_that_a_third_node_owns_and_the_first_tables_house_puts_the_base_in():
    net = Linked({"hub": "", "costa": "hub", "norte": "hub"})
    facts = net["hub"].offer(TWO)
    assert kinds(facts) == [PlanStaged, LetterTold]
    assert facts[1].letter == PlanOffered("pozo", TWO, LAW, "Res. 1", "hub/ana", "hub/jefa")
    assert "pozo" not in net["hub"].state.pots
    net.calm()

    (effect,) = net["hub"].heard(PlanTookEffect)
    assert (effect.casino, effect.base_put_in, effect.base_table) == ("costa", 5_000_000, "M1@costa")
    assert (effect.above, effect.after) == ("", Levels(5_000_000, 5_000_000, {"reserva": 0}))
    assert (net["hub"].at("pot:pozo:main"), net["hub"].at("clearing:pozo:costa")) == (5_000_000, -5_000_000)
    assert net["hub"].at("house:pozo:costa") == net["hub"].at("clearing:pozo:norte") == 0
    assert tables_of(net["hub"].state) == (set(), {"M1@costa", "M1@norte"})
    assert net["hub"].state.away["M1@norte"].modality == "go"

    (there,) = net["costa"].heard(PlanTookEffect)
    assert (there.above, there.by, there.second, there.changes) == ("hub", "hub/ana", "hub/jefa", ())
    assert (net["costa"].at("house:pozo:costa"), net["costa"].at("clearing:pozo:hub")) == (-5_000_000, 5_000_000)
    assert (net["costa"].pot().above, net["costa"].pot().main, net["costa"].pot().reserves) == (
        "hub", 5_000_000, {"reserva": 0},
    )  # fmt: skip
    assert tables_of(net["costa"].state) == ({"M1"}, set())
    (other,) = net["norte"].heard(PlanTookEffect)
    assert (other.base_put_in, other.base_table, net["norte"].balances) == (0, "", {})
    assert len(net["norte"].table("M1").seats) == 7
    at_rest(net)


def test_r24_r28_down_a_chain_the_first_table_may_be_two_steps_away():
    net = a_chain()

    effects = {name: net[name].heard(PlanTookEffect) for name in ("hub", "costa", "caja")}
    assert {name: (one[0].base_table, one[0].base_put_in, len(one)) for name, one in effects.items()} == {
        "hub": ("B1@caja@costa", 5_000_000, 1), "costa": ("B1@caja", 5_000_000, 1), "caja": ("", 5_000_000, 1),
    }  # fmt: skip
    assert (net["caja"].at("house:red:costa"), net["caja"].at("clearing:red:costa")) == (-5_000_000, 5_000_000)
    assert (net["costa"].at("clearing:red:caja"), net["costa"].at("clearing:red:hub")) == (-5_000_000, 5_000_000)
    assert (net["hub"].at("clearing:red:costa"), net["hub"].at("pot:red:main")) == (-5_000_000, 5_000_000)
    assert tables_of(net["hub"].state) == ({"H1"}, {"B1@caja@costa", "C1@costa"})
    assert tables_of(net["costa"].state) == ({"C1"}, {"B1@caja"})
    assert tables_of(net["caja"].state) == ({"B1"}, set())
    assert [type(one) for one in net["costa"].letters("pot:red")] == [PlanOffered, PlanInForce]
    assert [type(one) for one in net["costa"].letters("to:hub")] == [Ready]
    at_rest(net)


def test_r24_r28_the_owners_own_first_table_bears_the_base_in_its_own_house():
    net = two_casinos(shared(("H1", "draw", "casa", ""), ("M1", "go", "norte", "norte")))

    assert (net["hub"].at("house:pozo:casa"), net["hub"].at("clearing:pozo:norte")) == (-5_000_000, 0)
    assert net["hub"].heard(PlanTookEffect)[0].base_table == ""
    assert tables_of(net["costa"].state) == (set(), set())
    assert not net["costa"].heard(PlanProposed)
    assert "pozo" not in net["costa"].state.pots, "it shares nothing, so the log concerns it not"


def test_r24_a_base_of_nothing_is_put_in_by_nobody():
    net = two_casinos(TWO.replace("base = 5000000", "base = 0"))

    assert net["hub"].heard(PlanTookEffect)[0].base_table == net["costa"].heard(PlanTookEffect)[0].base_table == ""
    assert not any(any(floor.balances.values()) for floor in net.at.values())


def test_r26_a_plan_of_tables_here_alone_tells_nobody_though_there_are_neighbours():
    net = Linked({"hub": "", "costa": "hub"})

    assert kinds(net["hub"].offer(shared(("H1", "draw", "casa", "")))) == [PlanStaged, PlanTookEffect]
    assert kinds(net["costa"].offer(shared(("C1", "draw", "costa", ""), name="propio"))) == [PlanStaged, PlanTookEffect]
    assert net["hub"].heard(PlanTookEffect)[0].after is None
    assert not net["hub"].told() and not net["costa"].told()


# Everybody ready


def test_r26_a_member_is_ready_when_its_tables_are_at_rest_and_opens_no_pass_until_it_is_in_force():
    net = two_casinos()
    net["costa"].sealed({1: 2}, "M1")
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert net["norte"].state.proposed["pozo"].ready and not net["costa"].state.proposed["pozo"].ready
    assert net["hub"].state.staged["pozo"].ready == ("norte",)
    assert net["norte"].reason(ask.OpenPass("M1", CARLA)) == "plan_comes"
    assert net["norte"].reason(ask.StartTraining("M1", CARLA, JEFA)) == "plan_comes"
    assert in_force(net["norte"]) == TWO

    assert kinds(net["costa"].close_pass("M1")) == [PassClosed, PlanReady, LetterTold, LetterTold]
    assert net["costa"].reason(ask.OpenPass("M1", CARLA)) == "plan_comes"
    net.calm()
    assert {in_force(floor) for floor in net.at.values()} == {TWO_AGAIN}
    (change,) = net["costa"].heard(PlanTookEffect)[-1].changes
    assert (change.key, change.old, change.new) == ("resolution", "Res. 1", "Res. 2")
    assert net["costa"].open_pass("M1") and net["norte"].open_pass("M1")
    at_rest(net)


def test_r26_an_award_of_the_pot_that_is_pending_holds_a_member_back_wherever_it_was_won():
    net = two_casinos()
    net["costa"].sealed({1: 2}, "M1")
    net["costa"].claim((1, "full"), table="M1")
    net["costa"].close_pass("M1")
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert not net["costa"].state.proposed["pozo"].ready and net["norte"].state.proposed["pozo"].ready

    net["costa"].pay("M1/1/1/1")
    net.calm()
    assert in_force(net["norte"]) == in_force(net["hub"]) == TWO_AGAIN


def test_r26_a_table_in_training_is_not_at_rest():
    net = two_casinos()
    net["norte"].ask(ask.StartTraining("M1", CARLA, JEFA))
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert not net["norte"].state.proposed["pozo"].ready

    assert PlanReady in kinds(net["norte"].ask(ask.EndTraining("M1", JEFA)))
    net.calm()
    at_rest(net)


def test_r26_a_correction_that_was_asked_and_not_answered_holds_a_member_back():
    net = two_casinos()
    floor = net["norte"]
    floor.state = msgspec.structs.replace(floor.state, awaited={"1": ("M1", 1)})
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert not floor.state.proposed["pozo"].ready

    floor.state = msgspec.structs.replace(floor.state, awaited={})
    assert kinds(floor.buy(1, 1, "M1"))[1:] == [PlanReady, LetterTold]


def test_r26_a_node_in_the_middle_is_ready_when_those_below_it_are():
    net = a_chain()
    net["caja"].open_pass("B1")
    again = THREE.replace("Res. 1", "Res. 2")
    net["hub"].offer(again)
    net.calm()
    assert not net["costa"].state.proposed["red"].ready, "its own table is at rest"
    assert net["costa"].open_pass("C1"), "so it may play on"
    net["costa"].lock("C1")
    net["caja"].lock("B1")
    net["caja"].close_pass("B1")
    net.calm()
    assert net["costa"].state.proposed["red"].below == ("caja",)
    assert net["caja"].reason(ask.OpenPass("B1", CARLA)) == "plan_comes"

    net["costa"].close_pass("C1")
    net.calm()
    assert {in_force(floor, "red") for floor in net.at.values()} == {again}
    at_rest(net)


def test_r26_the_owners_own_tables_are_waited_for_and_play_on():
    net = a_chain()
    net["hub"].open_pass("H1")
    again = THREE.replace("Res. 1", "Res. 2")
    net["hub"].offer(again)
    net.calm()
    assert (in_force(net["hub"], "red"), net["hub"].state.staged["red"].ready) == (THREE, ("costa",))
    net["hub"].lock("H1")

    assert PlanTookEffect in kinds(net["hub"].close_pass("H1"))
    net.calm()
    at_rest(net)


def test_r26_a_pass_of_a_neighbour_that_is_not_over_here_holds_the_owner_back():
    """A node that says that it is ready, and seals a pass all the same."""
    net = two_casinos()
    hub = net["hub"]
    hub.offer(TWO_AGAIN)
    away = hub.state.away["M1@norte"]
    hub.state = msgspec.structs.replace(
        hub.state, away={**hub.state.away, "M1@norte": msgspec.structs.replace(away, closed=False)}
    )
    net.calm()

    assert set(hub.state.staged["pozo"].ready) == {"costa", "norte"} and in_force(hub) == TWO


def test_r26_a_word_that_was_said_already_or_for_another_plan_changes_nothing():
    net = two_casinos()
    net.cut = {"norte"}
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    hub = net["hub"]
    stream = Stream("costa", "to:hub")
    stream.marks = [Mark(0, 0, ""), Mark(0, 0, ""), hub.state.heard["costa/to:hub"]]
    assert hub.state.staged["pozo"].ready == ("costa",)

    again = [Ready("pozo", hash_(TWO_AGAIN)), Ready("pozo", hash_(TWO)), Ready("otro", hash_(TWO_AGAIN))]
    assert [kinds(hub.ask(stream.next(letter))) for letter in again] == [[LetterHeard]] * 3
    assert hub.state.staged["pozo"].ready == ("costa",)


def test_r26_a_neighbour_that_has_no_table_of_the_pot_is_not_asked():
    net, alone = Linked({"hub": "", "costa": "hub", "norte": "hub"}), shared(("M1", "draw", "costa", "costa"))
    net["hub"].offer(alone)

    assert kinds(net["hub"].ask(Stream("norte", "to:hub").next(Ready("pozo", hash_(alone))))) == [LetterHeard]
    assert net["hub"].state.staged["pozo"].ready == ()


# Who holds it up is shown


def said(floor: LinkedFloor) -> list[str]:
    return [alarm.sentence for alarm in project(floor.state).alarms if alarm.rule == "R-26"]


def test_r26_everybody_sees_what_a_plan_waits_for():
    net = a_chain()
    net["caja"].open_pass("B1")
    net["hub"].open_pass("H1")
    net["hub"].offer(THREE.replace("Res. 1", "Res. 2"))
    net.calm()
    assert said(net["hub"]) == ["El plan nuevo del pozo red espera que estén listos: costa."]
    assert said(net["costa"])[0].endswith("; y falta que esté listo: caja.")
    assert said(net["caja"])[0].startswith(
        "costa propone un plan para el pozo red: empieza cuando aquí no quede un pase"
    )

    net["caja"].lock("B1")
    net["caja"].close_pass("B1")
    net.calm()
    assert said(net["caja"]) == ["El pozo red cambia de plan: sus mesas no abren hasta que costa diga que ya rige."]
    assert said(net["hub"]) == [], "its own table is open, and everybody sees that"
    net["hub"].ask(ask.WithdrawPlan("red", ANA))
    net.calm()
    assert not any(map(said, net.at.values()))


# Taken back


def test_r26_a_plan_that_is_withdrawn_lets_everybody_play_again():
    net = a_chain()
    net["hub"].open_pass("H1")
    net["hub"].offer(THREE.replace("Res. 1", "Res. 2"))
    net.calm()
    assert net["caja"].reason(ask.OpenPass("B1", CARLA)) == "plan_comes"

    facts = net["hub"].ask(ask.WithdrawPlan("red", ANA))
    assert kinds(facts) == [PlanWithdrawn, LetterTold]
    net.calm()
    (dropped,) = net["caja"].heard(PlanDropped)
    assert (dropped.plan, dropped.above, dropped.by) == (hash_(THREE.replace("Res. 1", "Res. 2")), "costa", "hub/ana")
    assert net["caja"].open_pass("B1") and net["costa"].open_pass("C1")
    at_rest(net)


def test_r26_another_plan_in_its_place_takes_the_first_one_back():
    net = two_casinos()
    net["costa"].open_pass("M1")
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    only_costa = shared(("M1", "draw", "costa", "costa"), resolution="Res. 3")
    facts = net["hub"].offer(only_costa)
    assert kinds(facts) == [PlanWithdrawn, PlanStaged, LetterTold, LetterTold]
    net.calm()
    assert net["norte"].state.proposed["pozo"].documents.plan == only_costa, "its table leaves"
    net["costa"].lock("M1")
    net["costa"].close_pass("M1")
    net.calm()

    assert tables_of(net["norte"].state) == (set(), set()) and net["norte"].state.numbers == {"M1": 0}
    assert tables_of(net["hub"].state) == (set(), {"M1@costa"}) and net["hub"].state.numbers == {"M1@norte": 0}
    at_rest(net)


def test_r26_a_plan_taken_back_that_was_never_believed_changes_nothing():
    net = two_casinos()
    floor, stream = net["costa"], Stream("hub", "pot:pozo")
    stream.marks = [floor.state.heard["hub/pot:pozo"]] * 3

    assert kinds(floor.ask(stream.next(PlanTakenBack("pozo", hash_(TWO), "hub/ana")))) == [LetterHeard]


# What a table takes with it


def test_r5_r26_a_table_that_leaves_and_comes_back_counts_its_passes_on_at_both_ends():
    net = two_casinos()
    for number in (1, 2):
        assert net["norte"].sealed({1: 1}, "M1").number == number
        net["norte"].close_pass("M1")
    net["hub"].offer(shared(("M1", "draw", "costa", "costa"), resolution="Res. 2"))
    net.calm()
    net["hub"].offer(TWO.replace("Res. 1", "Res. 3"))
    net.calm()

    assert (net["norte"].table("M1").number, net["hub"].state.away["M1@norte"].number) == (2, 2)
    assert net["norte"].sealed({1: 1}, "M1").number == 3
    net["norte"].close_pass("M1")
    net.calm()
    at_rest(net)


def test_r7_r26_a_table_whose_game_changes_is_emptied_before_its_node_is_ready():
    net = two_casinos()
    net["norte"].open_pass("M1")
    net["norte"].buy(1, 3, "M1")
    net["norte"].lock("M1")
    net["norte"].close_pass("M1")
    net["hub"].offer(TWO_AGAIN.replace('"go"', '"draw"'))
    net.calm()
    assert not net["norte"].state.proposed["pozo"].ready

    assert PlanReady in kinds(net["norte"].ask(ask.CashOut("M1", 1, CARLA)))
    net.calm()
    assert (net["norte"].table("M1").modality, len(net["norte"].table("M1").seats)) == ("draw", 6)
    assert net["hub"].state.away["M1@norte"].modality == "draw"
    at_rest(net)


@pytest.mark.parametrize(
    "document",
    [shared(("M1", "draw", "costa", "costa"), resolution="Res. 2"), TWO_AGAIN.replace('"go"', '"draw"')],
    ids=["leaves", "changes"],
)
def test_r7_r26_money_that_came_on_a_table_after_the_word_is_handed_back_before_the_table_changes(document):
    net = two_casinos()
    net.cut = {"costa"}
    net["hub"].offer(document)
    net.calm()
    norte = net["norte"]
    assert norte.state.proposed["pozo"].ready
    norte.buy(1, 3, "M1")
    net.cut = set()
    net.calm()
    assert in_force(norte) == document and norte.state.emptying == {"pozo": ("M1",)}
    assert said(norte) == ["El plan nuevo del pozo pozo cambió mesas con dinero; se devuelve o aparta: M1."]
    assert norte.table("M1").modality == "go" and norte.seat(1, "M1").credits == 3_000
    assert norte.reason(ask.OpenPass("M1", CARLA)) == "table_to_empty"

    facts = norte.ask(ask.CashOut("M1", 1, CARLA))
    assert kinds(facts)[1:] == [PlanTookEffect] and (facts[1].by, facts[1].changes) == ("", ())
    assert norte.state.emptying == {} and ("M1" in norte.state.tables) is ("norte" in document)
    net.calm()
    at_rest(net)


def test_r26_a_table_that_is_emptied_at_last_does_not_undo_the_word_given_for_the_next_plan():
    net = two_casinos()
    net.cut = {"costa"}
    net["hub"].offer(
        TWO_AGAIN.replace("max_bet = 5000", "max_bet = 6000").replace("credit_value = 1000", "credit_value = 500")
    )
    net.calm()
    norte = net["norte"]
    norte.buy(1, 3, "M1")
    net.cut = set()
    net.calm()
    assert norte.state.emptying == {"pozo": ("M1",)}
    net["costa"].open_pass("M1")
    last = TWO_AGAIN.replace("Res. 2", "Res. 3").replace("credit_value = 1000", "credit_value = 500")
    net["hub"].offer(last)
    net.calm()
    assert norte.state.proposed["pozo"].ready

    assert PlanTookEffect in kinds(norte.ask(ask.CashOut("M1", 1, CARLA)))
    assert norte.state.proposed["pozo"].ready and norte.reason(ask.OpenPass("M1", CARLA)) == "plan_comes"
    net["costa"].lock("M1")
    net["costa"].close_pass("M1")
    net.calm()
    assert in_force(norte) == last
    at_rest(net)


def test_r26_what_a_middle_node_ends_for_itself_is_not_told_on():
    net = a_chain()
    net["costa"].buy(1, 2, "C1") if net["costa"].open_pass("C1") else None
    net["costa"].lock("C1")
    net["costa"].close_pass("C1")
    net["costa"].ask(ask.CashOut("C1", 1, CARLA))
    net.cut = {"hub"}
    net["hub"].offer(
        shared(("B1", "draw", "costa", "caja@costa"), ("H1", "go", "casa", ""), name="red", resolution="2")
    )
    net.cut = set()
    net["hub"].open_pass("H1")
    net.calm()
    net["costa"].buy(1, 2, "C1")
    net["hub"].lock("H1")
    net["hub"].close_pass("H1")
    net.calm()
    assert net["costa"].state.emptying == {"red": ("C1",)}
    told = len(net["costa"].told())

    net["costa"].ask(ask.CashOut("C1", 1, CARLA))
    assert len(net["costa"].told()) == told
    net.calm()
    at_rest(net)


# Who may stage what


def test_r28_only_the_owner_of_a_pot_stages_its_plan():
    net = Linked({"hub": "", "costa": "hub"})
    net["hub"].offer(shared(("M1", "draw", "costa", "costa"), ("H1", "draw", "casa", "")))
    floor = net["costa"]
    net.calm()
    own = ask.StagePlan(shared(("C9", "draw", "costa", "")), LAW, ANA, JEFA)
    assert floor.reason(own) == "pot_of_another"

    floor.state = msgspec.structs.replace(
        floor.state, pots={}, tables={}, proposed={"pozo": Proposed(Documents(TWO, LAW), "Res. 1", "hub")}
    )
    assert floor.reason(own) == "pot_of_another"


def test_r28_a_plan_names_tables_of_neighbours_below_only_and_of_those_whose_key_is_pinned():
    net = Linked({"hub": "", "costa": "hub"})
    for node in ("norte", "costa@norte", "hub"):
        asked = ask.StagePlan(shared(("M1", "draw", "costa", node)), LAW, ANA, JEFA)
        assert net["hub"].reason(asked) == "node_not_below"
    assert net["costa"].reason(ask.StagePlan(shared(("M1", "draw", "x", "hub")), LAW, ANA, JEFA)) == "node_not_below"

    net["hub"].ask(ask.RevokeNeighbour("costa", "se fue", ANA, JEFA))
    assert net["hub"].reason(ask.StagePlan(shared(("M1", "draw", "x", "costa")), LAW, ANA, JEFA)) == "node_not_below"


def test_r9_r28_a_neighbours_table_feeds_one_pot_and_no_other_takes_one_that_is_ready():
    net = two_casinos()
    other = shared(("M1", "draw", "costa", "costa"), name="otro")
    assert net["hub"].reason(ask.StagePlan(other, LAW, ANA, JEFA)) == "table_taken"

    with_more = shared(*[("M1", "draw", "costa", "costa"), ("M2", "go", "norte", "norte")], resolution="Res. 2")
    net["costa"].open_pass("M1")
    net["hub"].offer(with_more)
    net.calm()
    assert net["norte"].state.proposed["pozo"].ready
    mine = ask.StagePlan(shared(("M2", "draw", "norte", ""), name="propio"), LAW, ANA, JEFA)
    assert net["norte"].reason(mine) == "table_taken"
    assert kinds(net["norte"].offer(shared(("M3", "draw", "norte", ""), name="propio"))) == [PlanStaged, PlanTookEffect]


def test_r9_r28_a_table_that_feeds_a_pot_of_its_own_node_is_not_ready_for_another_until_it_is_free():
    net = Linked({"hub": "", "costa": "hub"})
    net["costa"].offer(shared(("M1", "draw", "costa", ""), ("M2", "draw", "costa", ""), name="propio"))
    net["hub"].offer(shared(("M1", "draw", "costa", "costa")))
    net.calm()
    assert not net["costa"].state.proposed["pozo"].ready

    facts = net["costa"].offer(shared(("M2", "draw", "costa", ""), name="propio", resolution="Res. 2"))
    assert kinds(facts) == [PlanStaged, PlanTookEffect, PlanReady, LetterTold]
    net.calm()
    assert net["costa"].table("M1").pot == "pozo"


# What is not believed


def offered(**other) -> PlanOffered:
    value = {"pot": "pozo", "plan": TWO_AGAIN, "ruleset": LAW, "resolution": "Res. 2", "by": "hub/ana"}
    return PlanOffered(**{**value, "second": "hub/jefa", **other})


@pytest.mark.parametrize(
    ("letter", "says"),
    [
        (offered(plan="]"), "plan"),
        (offered(plan=TWO_AGAIN.replace("M1", "a/b")), "no sirve de nombre"),
        (offered(pot="otro"), "es el plan del pozo pozo"),
        (offered(ruleset=LAW.replace("times = 100", "times = 101")), "lleve otro nombre"),
        (offered(second="hub/ana"), "dos personas"),
        (offered(resolution=" "), "dos personas"),
        (offered(plan=TWO_AGAIN + "#" * 2**16), "pasa de 65536"),
        (offered(ruleset=LAW + "#" * 2**16), "pasa de 65536"),
    ],
    ids=range(8),
)
def test_r26_r28_a_plan_that_two_persons_could_not_have_approved_is_in_dispute_and_nobody_is_ready(letter, says):
    net = two_casinos()
    floor, stream = net["costa"], Stream("hub", f"pot:{letter.pot}")
    if letter.pot == "pozo":
        stream.marks = [stream.mark, *([floor.state.heard["hub/pot:pozo"]] * 2)]
    disputed, _ = floor.ask(stream.next(letter))

    assert isinstance(disputed, LetterDisputed) and says in disputed.why, disputed
    assert not floor.state.proposed and floor.open_pass("M1")


def test_r28_nobody_proposes_a_plan_for_our_own_pot_or_for_another_ones():
    net = Linked({"hub": "", "costa": "hub", "otro": ""})
    floor = net["costa"]
    floor.ask(pin("otro", Side.ABOVE))
    mine = shared(("M1", "draw", "costa", "costa"), name="propio")
    floor.offer(shared(("C1", "draw", "costa", ""), name="propio"))
    floor.open_day()
    floor.open_pass("C1")
    floor.offer(shared(("C2", "draw", "costa", ""), name="nuevo"))
    stream = Stream("hub", "pot:propio")
    assert floor.reason(stream.next(offered(pot="propio", plan=mine))) == "stream_not_its"

    net["hub"].offer(shared(("M1", "draw", "costa", "costa")))
    net.calm()
    theirs = Stream("otro", "pot:pozo")
    assert floor.reason(theirs.next(offered())) == "stream_not_its"


def test_r28_a_pot_that_is_staged_here_or_proposed_by_another_is_not_believed_to_be_a_neighbours():
    net = Linked({"hub": "", "costa": "hub", "otro": "", "caja": "costa"})
    floor = net["costa"]
    floor.ask(pin("otro", Side.ABOVE))
    floor.offer(shared(("B1", "draw", "costa", "caja"), name="nuevo"))
    assert "nuevo" in floor.state.staged, "it waits for the box"
    mine = shared(("M1", "draw", "costa", "costa"), name="nuevo")
    disputed, _ = floor.ask(Stream("hub", "pot:nuevo").next(offered(pot="nuevo", plan=mine)))
    assert disputed.why == "el pozo nuevo es de este nodo"

    theirs = shared(("M1", "draw", "costa", "costa"))
    floor.offer(shared(("M1", "draw", "costa", ""), name="propio"))
    assert kinds(floor.ask(Stream("hub", "pot:pozo").next(offered(plan=theirs)))) == [
        PlanProposed,
        LetterHeard,
        LetterTold,
    ]
    disputed, _ = floor.ask(Stream("otro", "pot:pozo").next(offered(plan=theirs)))
    assert disputed.why == "el pozo pozo es de hub"


@pytest.mark.parametrize(
    "wrong",
    [
        {"after": Levels(1, 5_000_000, {})},
        {"after": Levels(-1, 5_000_000, {"reserva": 0})},
        {"after": Levels(1, 5_000_000, {"reserva": -1})},
        {"after": Levels(10**15 + 1, 5_000_000, {"reserva": 0})},
        {"after": Levels(0, 5_000_000, {"reserva": 10**30})},
        {"base_put_in": 1},
        {"casino": "norte"},
    ],
    ids=range(7),
)
def test_r18_r24_a_plan_in_force_with_parts_or_a_base_that_it_does_not_have_is_in_dispute(wrong):
    net = Linked({"hub": "", "costa": "hub"})
    floor = net["costa"]
    net.calm()
    value = {
        "after": Levels(5_000_000, 5_000_000, {"reserva": 0}),
        "base_put_in": 5_000_000,
        "casino": "costa",
        **wrong,
    }
    letter = PlanInForce("pozo", TWO, LAW, "Res. 1", "hub/ana", "hub/jefa", **value)
    disputed, _ = floor.ask(Stream("hub", "pot:pozo").next(letter))

    assert isinstance(disputed, LetterDisputed) and "no es de este plan" in disputed.why
    assert not floor.state.pots


def test_r26_r28_a_plan_in_force_for_a_node_that_shares_nothing_is_only_heard():
    net = Linked({"hub": "", "costa": "hub", "norte": "hub"})
    net["hub"].offer(shared(("M1", "draw", "costa", "costa")))
    net.calm()

    assert PlanTookEffect not in kinds(fact for _, fact in net["norte"].record) and not net["norte"].state.pots
    assert net["norte"].state.heard["hub/pot:pozo"].number == 2


# A node that says nothing


def test_r26_r28_two_persons_withdraw_the_plan_or_revoke_the_silent_node_and_its_tables_stay_closed():
    net = two_casinos()
    net.cut = {"norte"}
    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert in_force(net["costa"]) == TWO, "it waits for the silent one"
    facts = net["hub"].ask(ask.RevokeNeighbour("norte", "no responde", ANA, JEFA))
    assert PlanTookEffect in kinds(facts)
    net.calm()
    assert in_force(net["costa"]) == in_force(net["hub"]) == TWO_AGAIN and in_force(net["norte"]) == TWO

    net["norte"].open_pass("M1")
    net["hub"].ask(pin("norte", Side.BELOW))
    net.cut = set()
    net.calm()
    assert "rige sin este nodo" in next(iter(net["norte"].state.disputes.values())).why
    net["norte"].lock("M1")
    net["norte"].close_pass("M1")
    net.calm()
    assert len(net["hub"].state.disputes) == 2, "a pass under the old plan, and its end"

    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert in_force(net["norte"]) == TWO_AGAIN and net["norte"].open_pass("M1")


def test_r26_r28_a_node_that_was_not_waited_for_and_is_at_rest_takes_the_plan_as_it_hears_of_it():
    net = two_casinos()
    net.cut = {"norte"}
    net["hub"].offer(TWO_AGAIN)
    net["hub"].ask(ask.RevokeNeighbour("norte", "no responde", ANA, JEFA))
    net.calm()
    net["hub"].ask(pin("norte", Side.BELOW))
    net.cut = set()
    net.calm()

    assert in_force(net["norte"]) == TWO_AGAIN and not net["hub"].state.staged
    assert net["norte"].open_pass("M1")


def test_r26_r28_two_persons_who_revoke_the_owners_key_are_not_bound_by_what_was_promised_to_it():
    net = two_casinos()
    with_more = shared(("M1", "draw", "costa", "costa"), ("M1", "go", "norte", "norte"), ("M2", "go", "norte", "norte"))
    net["costa"].open_pass("M1")
    net["hub"].offer(with_more)
    net.calm()
    norte, mine = net["norte"], shared(("M2", "draw", "norte", ""), name="propio")
    assert norte.state.proposed["pozo"].ready
    net.cut = {"norte"}
    assert kinds(norte.ask(ask.RevokeNeighbour("hub", "no volvió", ANA, JEFA))) == [NeighbourRevoked]
    assert not norte.state.proposed["pozo"].ready and not said(norte)
    assert norte.reason(ask.OpenPass("M1", CARLA)) == "owner_revoked"
    assert kinds(norte.offer(mine)) == [PlanStaged, PlanTookEffect] and norte.open_pass("M2")

    net["costa"].lock("M1")
    net["costa"].close_pass("M1")
    net.calm()
    assert in_force(net["hub"]) == with_more, "it could not know"
    norte.ask(pin("hub", Side.ABOVE))
    net.cut = set()
    net.calm()
    assert "rige sin este nodo" in next(iter(norte.state.disputes.values())).why
    assert (in_force(norte), norte.table("M2").pot) == (TWO, "propio")

    net["hub"].offer(TWO_AGAIN)
    net.calm()
    assert in_force(norte) == in_force(net["hub"]) == TWO_AGAIN, "a plan without that table"


def test_r26_r28_who_never_believed_the_offer_takes_the_plan_in_force_if_it_can():
    net = two_casinos()
    floor, stream = net["costa"], Stream("hub", "pot:pozo")
    stream.marks = [stream.mark, *([floor.state.heard["hub/pot:pozo"]] * 2)]
    after = Levels(5_000_000, 5_000_000, {"reserva": 0})
    letter = PlanInForce("pozo", TWO_AGAIN, LAW, "Res. 2", "hub/ana", "hub/jefa", "costa", after)
    effect, _ = floor.ask(stream.next(letter))

    assert (effect.plan, effect.base_put_in, effect.base_table, floor.state.proposed) == (TWO_AGAIN, 0, "", {})


# Practice on a pot that is another node's


def test_r36_practice_at_a_table_of_a_neighbours_pot_is_in_a_book_of_its_own_and_may_be_corrected():
    net = two_casinos()
    floor = net["norte"]
    floor.ask(ask.StartTraining("M1", CARLA, JEFA))
    floor.sealed({1: 2, 2: 2}, "M1")
    floor.claim((1, "full"), table="M1", community=())
    floor.close_pass("M1")
    assert floor.correct(1, (2, "full"), table="M1")
    (owed,) = [award for award, one in floor.state.claims["~M1/1/1"].awards.items() if not one.cancelled]
    floor.ask(ask.PayAward(owed, CARLA))
    floor.ask(ask.EndTraining("M1", JEFA))
    assert [type(letter) for letter in floor.letters("to:hub")] == [Ready], "nobody hears of practice"
    assert floor.table("M1").phase is Phase.BETWEEN
    at_rest(net)
