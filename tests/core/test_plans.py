"""R-26: plans are staged by two, wait for a moment without a pass or a pending award, and change what they say."""

import tomllib

import pytest

from controller.core import inputs as ask
from controller.core.facts import (
    AwardPaid,
    ClaimCorrected,
    CreditsCashed,
    PassClosed,
    PlanStaged,
    PlanTookEffect,
    PlanWithdrawn,
    TrainingEnded,
)
from controller.core.plans import content_of
from controller.core.values import Change
from controller.rules.approval import SHIPPED
from controller.verify import law as law_of_verify
from support.floor.floor import ANA, CARLA, JEFA, LUIS, POT, RULESETS, TABLE, Floor, kinds, plan
from support.laws import as_own

NEXT = plan(resolution="Res. 2")


def staged(document, ruleset=RULESETS["scj-2023"]):
    return ask.StagePlan(document, ruleset, ANA, LUIS)


def test_r24_r26_a_new_pot_starts_from_its_base_put_in_by_the_house():
    floor = Floor()
    new = plan("otro", tables={"X-1": ("caribbean", "bahia")}, reserves={"a": 1, "b": 2}, main=999_997, base=7_000)
    facts = floor.ask(staged(new))

    assert kinds(facts) == [PlanStaged, PlanTookEffect]
    effect = facts[1]
    assert (effect.pot, effect.casino, effect.base_put_in, effect.changes) == ("otro", "bahia", 7_000, ())
    assert (effect.resolution, effect.by, effect.second) == ("Res. 1", "ana", "luis")
    pot = floor.pot("otro")
    assert (pot.main, pot.reserves, pot.reserve_carries) == (7_000, {"a": 0, "b": 0}, (0, 0))
    assert (pot.meters.base_put_in, floor.at("house:otro:bahia")) == (7_000, -7_000)
    assert (floor.table("X-1").pot, len(floor.table("X-1").seats), floor.table("X-1").number) == ("otro", 7, 0)


def test_r26_a_change_is_on_record_with_its_old_and_new_values_and_moves_no_money():
    floor = Floor()
    floor.sealed({1: 2})
    floor.close_pass()
    before = floor.pot()
    (_, effect) = floor.ask(staged(plan(resolution="Res. 2", most=9_000, commission=250_000, ceiling=9_000_000)))

    assert effect.changes == (
        Change("bets.max_bet", "5000", "9000"),
        Change("commission_ppm", "200000", "250000"),
        Change("pot.ceiling", "", "9000000"),
        Change("resolution", "Res. 1", "Res. 2"),
        Change("tables[0].max_bet", "5000", "9000"),
        Change("tables[1].max_bet", "5000", "9000"),
    )
    assert effect.base_put_in == 0
    now = floor.pot()
    assert (now.main, now.reserves, now.reserve_carries, now.meters) == (
        before.main,
        before.reserves,
        before.reserve_carries,
        before.meters,
    )
    floor.open_pass()
    assert floor.bet(1, 9) and floor.seat(1).bet == 9_000
    assert floor.lock()[-1].bets[0].commission == 2_250


def test_r26_a_change_of_the_ruleset_is_on_record_too():
    document, law = as_own(plan(), RULESETS["scj-2023"].replace("minutes = 30", "minutes = 10"))
    floor = Floor(document, law)
    (_, effect) = floor.ask(staged(document, law.replace("minutes = 10", "minutes = 20")))

    assert effect.changes == (Change("verification.minutes", "10", "20"),)
    assert tomllib.loads(effect.ruleset)["verification"]["minutes"] == 20


@pytest.mark.parametrize("name", ["scj-2023", "SCJ-2023", "scj 2023", "scj\u20102023", "ｓｃｊ－２０２３", "scj.2023"])
def test_r26_r33_under_the_name_of_a_shipped_law_nothing_else_is_staged(name):
    full = RULESETS["scj-2023"].replace("times = 100", "times = 350")
    document = plan(law=name, commission=50_000)

    assert Floor().reason(staged(document, full.replace('name = "scj-2023"', f'name = "{name}"'))) == "law_not_its_name"


def test_r26_a_shipped_law_in_another_spelling_of_its_name_is_not_it_either():
    law = RULESETS["scj-2023"].replace('name = "scj-2023"', 'name = "Scj-2023"')

    assert Floor().reason(staged(plan(law="Scj-2023"), law)) == "law_not_its_name"


def test_r26_r33_a_law_of_the_house_has_its_own_name_and_may_say_what_was_approved():
    document, law = as_own(
        plan(resolution="Res. 2", commission=50_000), RULESETS["scj-2023"].replace("times = 100", "times = 350")
    )

    assert kinds(Floor().ask(staged(document, law))) == [PlanStaged, PlanTookEffect]


def test_r26_comments_and_layout_make_no_other_law():
    again = RULESETS["scj-2023"].replace("# R-1: whole pesos", "# los pesos son enteros").replace("\n\n", "\n\n\n")

    assert again != RULESETS["scj-2023"]
    assert kinds(Floor().ask(staged(NEXT, again))) == [PlanStaged, PlanTookEffect]


def test_r26_every_shipped_law_is_known_by_its_content_to_both_hands():
    assert {name: content_of(text) for name, text in RULESETS.items()} == {
        name: contents[0] for name, contents in SHIPPED.items()
    }
    assert law_of_verify.SHIPPED == SHIPPED
    assert {law_of_verify.content_of(text) for text in RULESETS.values()} == {one[0] for one in SHIPPED.values()}


def test_r26_the_same_plan_again_changes_nothing():
    floor = Floor()

    assert floor.ask(staged(plan()))[1].changes == ()


def test_r26_a_plan_waits_until_no_table_has_a_pass_and_no_award_is_pending():
    floor = Floor()
    floor.sealed({1: 2})
    floor.open_pass("GO-01")
    assert kinds(floor.ask(staged(NEXT))) == [PlanStaged]
    floor.claim((1, "full"))
    assert kinds(floor.close_pass()) == [PassClosed]
    floor.lock("GO-01")
    assert kinds(floor.close_pass("GO-01")) == [PassClosed], "an award is pending"
    floor.ask(ask.ConfirmAward("DP-01/1/1/1", JEFA, LUIS))

    assert kinds(floor.ask(ask.PayAward("DP-01/1/1/1", CARLA))) == [AwardPaid, PlanTookEffect]
    assert floor.state.staged == {}


def test_r26_a_rejection_may_be_what_a_plan_waited_for():
    floor = Floor()
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.ask(staged(NEXT))

    assert kinds(floor.reject("DP-01/1/1")) == [ClaimCorrected, PlanTookEffect]


def test_r26_a_table_in_training_is_no_table_between_passes():
    floor = Floor()
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    assert kinds(floor.ask(staged(NEXT))) == [PlanStaged]

    assert kinds(floor.ask(ask.EndTraining(TABLE, JEFA))) == [TrainingEnded, PlanTookEffect]


def test_r26_a_refusal_or_nothing_new_lets_no_plan_take_effect():
    floor = Floor()
    floor.report(1)
    floor.open_pass()
    floor.ask(staged(NEXT))
    floor.report(1)
    floor.reason(ask.CashOut(TABLE, 1, CARLA))

    assert POT in floor.state.staged


def test_r26_a_staged_plan_may_be_withdrawn_or_replaced():
    floor = Floor()
    floor.open_pass()
    floor.ask(staged(NEXT))
    floor.ask(staged(plan(resolution="Res. 3")))
    assert floor.state.staged[POT].resolution == "Res. 3"

    assert floor.ask(ask.WithdrawPlan(POT, ANA)) == (PlanWithdrawn(POT, "ana"),)
    assert floor.reason(ask.WithdrawPlan(POT, ANA)) == "plan_not_staged"
    floor.lock()
    assert kinds(floor.close_pass()) == [PassClosed]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ("", "plan_wrong"),
        ("]", "plan_wrong"),
        (plan(law="bolivia"), "plan_wrong"),
        (plan(main=1), "plan_wrong"),
        (plan("con espacio"), "name_wrong"),
        (plan("~pozo"), "name_wrong"),
        (plan(tables={"a/b": "draw"}), "name_wrong"),
        (plan(tables={TABLE: ("draw", "ca sa")}), "name_wrong"),
        (plan(reserves={"a:b": 100_000}), "name_wrong"),
        (plan("otro"), "table_taken"),
        (plan("otro", tables={"X": "draw", "GO-01": "go"}), "table_taken"),
        (plan(tables={TABLE: "draw", "otra": ("draw", "bahia")}).replace("otra", TABLE), "plan_wrong"),
    ],
    ids=range(12),
)
def test_r9_r26_a_plan_that_cannot_be_is_not_even_staged(document, reason):
    floor = Floor()

    assert floor.reason(staged(document)) == reason
    assert floor.state.staged == {}


def test_r26_a_ruleset_that_cannot_be_read_is_refused():
    floor = Floor()

    assert floor.reason(staged(plan(), "name = 3")) == "plan_wrong"


# What a change may not lose


def test_r24_a_reserve_with_money_does_not_disappear():
    floor = Floor()
    floor.sealed({1: 2})
    floor.close_pass()
    bare = plan(reserves={}, main=1_000_000)
    assert floor.reason(staged(bare)) == "reserve_not_empty"
    floor.ask(ask.MoveMoney(POT, "reserva", "main", 160, "Res. 9", ANA, LUIS))

    assert kinds(floor.ask(staged(bare))) == [PlanStaged, PlanTookEffect]
    assert (floor.pot().reserves, floor.pot().reserve_carries) == ({}, ())


def test_r24_a_reserve_that_fills_up_while_the_plan_waits_holds_it_back():
    floor = Floor()
    floor.open_pass()
    floor.ask(staged(plan(reserves={}, main=1_000_000)))
    floor.bet(1)
    floor.lock()
    assert kinds(floor.close_pass()) == [PassClosed]

    moved = ask.MoveMoney(POT, "reserva", "main", 160, "Res. 9", ANA, LUIS)
    assert kinds(floor.ask(moved))[1:] == [PlanTookEffect]


def test_r23_r24_reserves_keep_their_money_and_fractions_in_another_order():
    both = {"a": 33_333, "b": 66_667}
    floor = Floor(plan(reserves=both, credit=100, least=100))
    floor.sealed({1: 7})
    floor.close_pass()
    old = dict(zip(floor.pot().reserves, floor.pot().reserve_carries, strict=True))
    money = floor.pot().reserves
    floor.stage(plan(reserves={"c": 1, "b": 66_666, "a": 33_333}, credit=100, least=100))

    assert (floor.pot().reserves, floor.pot().reserve_carries) == (
        {"c": 0, "b": money["b"], "a": money["a"]},
        (0, old["b"], old["a"]),
    )


def test_r1_r7_a_table_that_leaves_or_plays_another_game_or_credit_is_empty_first():
    for document in (
        plan(tables={"GO-01": "go"}),
        plan(tables={TABLE: "caribbean", "GO-01": "go"}),
        plan(tables={TABLE: ("draw", "bahia"), "GO-01": ("go", "bahia")}),
        plan(credit=500, least=1_000, most=5_000),
    ):
        floor = Floor()
        floor.buy(1, 4)
        assert kinds(floor.ask(staged(document))) == [PlanStaged]

        assert kinds(floor.ask(ask.CashOut(TABLE, 1, CARLA))) == [CreditsCashed, PlanTookEffect]


@pytest.mark.parametrize("money", ["promo", "owed", "left", "suspense"])
def test_r7_any_money_on_a_table_holds_a_change_of_its_game_back(money):
    floor = Floor()
    if money == "promo":
        floor.hear_promo(1, 1_000)
    elif money == "owed":
        floor.report(1, chips=1)
    elif money == "left":
        floor.buy(1, 1)
        floor.ask(ask.LeaveCredits(TABLE, 1, JEFA, ANA))
    else:
        floor.ask(ask.CountSeat(TABLE, 1, 1_000, JEFA, LUIS))
        floor.ask(ask.CashOut(TABLE, 1, CARLA))

    assert kinds(floor.ask(staged(plan(tables={TABLE: "caribbean", "GO-01": "go"})))) == [PlanStaged]


def test_r7_a_table_that_plays_on_keeps_what_is_on_it():
    floor = Floor()
    floor.buy(1, 4)
    floor.report(1)
    table = floor.table()
    floor.stage(NEXT)

    assert floor.table() == table


def test_r7_a_table_with_another_game_has_its_seats_and_counts_its_passes_on():
    floor = Floor()
    floor.report(1)
    floor.open_pass()
    floor.lock()
    floor.close_pass()
    floor.stage(plan(tables={TABLE: "caribbean", "GO-01": "go"}))

    assert (len(floor.table().seats), floor.table().number, floor.seat(1).device) == (7, 1, None)
    assert floor.open_pass()[0].number == 2


def test_r5_r9_a_table_that_comes_back_counts_its_passes_on_also_in_another_pot():
    floor = Floor()
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/1/1")
    floor.stage(plan(tables={"GO-01": "go"}))
    assert floor.reason(ask.OpenPass(TABLE, CARLA)) == "table_unknown"
    assert floor.state.numbers == {TABLE: 1}
    floor.stage(plan("otro", tables={TABLE: "draw"}, reserves={"r": 100_000}))
    assert (floor.table().pot, floor.state.numbers) == ("otro", {})

    floor.units.clear()
    assert floor.sealed({1: 2}).number == 2
    assert floor.claim((1, "full"))[0].claim == "DP-01/2/1"


def test_r9_of_two_plans_that_want_a_table_the_first_takes_it_and_the_other_one_waits():
    floor = Floor(plan("a", tables={"A-1": "draw", "M-1": "draw"}))
    floor.stage(plan("b", tables={"B-1": "draw"}))
    floor.open_pass("A-1")
    floor.open_pass("B-1")
    for pot, own in (("a", "A-1"), ("b", "B-1")):  # both will want X-1, which is nobody's yet
        tables = {own: "draw", "X-1": "draw"} | ({"M-1": "draw"} if pot == "a" else {})
        assert kinds(floor.stage(plan(pot, tables=tables))) == [PlanStaged]
    floor.lock("B-1")
    assert kinds(floor.close_pass("B-1")) == [PassClosed, PlanTookEffect]
    floor.lock("A-1")

    assert kinds(floor.close_pass("A-1")) == [PassClosed], "X-1 feeds b now"
    assert (floor.table("X-1").pot, set(floor.state.staged)) == ("b", {"a"})
    assert kinds(floor.stage(plan("b", tables={"B-1": "draw"}))) == [PlanStaged, PlanTookEffect, PlanTookEffect]
    assert (floor.table("X-1").pot, floor.state.staged) == ("a", {})
