"""Claims: what a pass won is registered at once, rejected as a whole, registered anew, completed by the house."""

import pytest

from controller.core import inputs as ask
from support.floor.floor import (
    CARLA,
    JEFA,
    LUIS,
    POKER,
    ROYAL,
    RULESETS,
    STRAIGHT_FLUSH,
    TABLE,
    Floor,
    hands_of,
    plan,
    prize,
)

SECOND_FLUSH = ("2h", "3h", "4h", "5h", "6h")
SECOND_ROYAL = ("Ts", "Js", "Qs", "Ks", "As")


def won(fact):
    return [(award.number, award.seat, award.prize, award.amount) for award in fact.awards]


def sealed(bets=None, **how):
    floor = Floor(**how)
    floor.sealed(bets or {1: 2, 2: 3, 3: 2, 4: 1})
    return floor


#


@pytest.mark.parametrize(
    ("hand", "prize", "amount"),
    [
        ("color", "color", 100_000),
        ("full", "full", 200_000),
        (POKER, "poker", 1_000_000),
        (STRAIGHT_FLUSH, "escalera_color", 500_576),
        (ROYAL, "escalera_real", 5_005_760),
    ],
    ids=["color", "full", "poker in cards", "escalera de color", "escalera real"],
)
def test_r11_r20_a_claim_takes_its_money_out_of_the_pot_at_once_and_holds_it(hand, prize, amount):
    floor = sealed()
    before = floor.pot().main
    assert before == 5_005_760
    (fact,) = floor.claim((1, hand))

    assert won(fact) == [(1, 1, prize, amount)]
    assert (fact.claim, fact.before.main, fact.by) == ("DP-01/1/1", before, "carla")
    assert floor.at("held:pozo") == amount
    assert floor.pot().main == fact.after.main == (5_000_000 if prize == "escalera_real" else before - amount)
    meters = floor.pot().meters
    assert (meters.hits, meters.wins, meters.last[-1].award, meters.last[-1].amount) == (
        1,
        amount,
        "DP-01/1/1/1",
        amount,
    )


def test_r13_r16_winners_are_paid_low_category_first_and_from_seat_1():
    floor = sealed()
    (fact,) = floor.claim((4, ROYAL), (3, "color"), (1, "full"), (2, "color"))

    assert won(fact) == [
        (1, 2, "color", 150_000),
        (2, 3, "color", 100_000),
        (3, 1, "full", 200_000),
        (4, 4, "escalera_real", 4_555_760),
    ]


def test_r16_winners_of_the_same_percentage_share_it():
    floor = sealed()
    (fact,) = floor.claim((1, ROYAL), (3, SECOND_ROYAL))

    assert won(fact) == [(1, 1, "escalera_real", 2_502_880), (2, 3, "escalera_real", 2_502_880)]


def test_r19_after_the_whole_pot_was_won_it_starts_from_its_base():
    floor = sealed()
    reserve = floor.pot().reserves["reserva"]
    (fact,) = floor.claim((1, ROYAL))

    assert fact.base_back.parts == {"main": 5_000_000, "reserva": -reserve}
    assert fact.base_back.house == -(5_000_000 - reserve)
    assert (floor.pot().main, floor.pot().reserves) == (5_000_000, {"reserva": 0})
    assert floor.pot().meters.base_put_in == 10_000_000


def test_r18_what_the_pot_cannot_give_comes_from_reserve_and_house_as_an_advance():
    floor = sealed(document=plan(base=0))
    (fact,) = floor.claim((1, POKER))

    assert (fact.awards[0].parts, fact.awards[0].house) == ({"main": 5_760, "reserva": 640}, 993_600)
    assert floor.at("house:pozo:central") == -993_600


def test_r8_r32_who_folded_or_did_not_bet_or_was_not_named_wins_nothing_and_the_reason_is_on_record():
    floor = sealed()
    (fact,) = floor.claim((1, "full", "folded"), (2, ("2c", "3d", "5h", "9s", "Kd")), (6, "color"))

    assert fact.awards == ()
    assert [(one.seat, one.reason) for one in fact.unpaid] == [
        (1, "folded"),
        (2, "no_prize"),
        (3, "no_claim"),
        (4, "no_claim"),
        (6, "no_bet"),
    ]
    assert "DP-01/1/1" not in floor.state.claims


def test_r34_where_nobody_won_the_winners_may_still_be_registered():
    floor = sealed()
    floor.claim((1, "full", "folded"))
    (fact,) = floor.claim((2, "full"))

    assert (fact.claim, won(fact)) == ("DP-01/1/2", [(1, 2, "full", 300_000)])


def test_r34_one_claim_a_pass():
    floor = sealed()
    floor.claim((1, "full"))

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(2, "full")]), CARLA)) == "claim_exists"


def test_r20_claims_of_two_tables_are_settled_in_the_order_in_which_they_came():
    floor = sealed({1: 2})
    floor.sealed({1: 2}, "GO-01")
    floor.claim((1, STRAIGHT_FLUSH))
    (second,) = floor.claim((1, ("8h", "9h", "7h")), table="GO-01", community=("Th", "Jh"))

    assert won(second) == [(1, 1, "escalera_color", (5_002_880 - 500_288) // 10)]


def test_r28_a_claim_belongs_to_the_casino_of_its_table():
    floor = Floor(plan(base=0, tables={"A": ("draw", "central"), "B": ("caribbean", "bahia")}))
    floor.sealed({1: 2}, "B")
    floor.claim((1, "full"), table="B")
    floor.pay("B/1/1/1")

    assert (floor.at("paid:pozo:bahia"), floor.at("paid:pozo:central")) == (200_000, 0)
    assert floor.at("house:pozo:bahia") < 0


def test_r11_arica_pays_for_each_bet_unit():
    floor = Floor(plan(law="arica-2017", unit=1_000, tables={TABLE: "draw"}), RULESETS["arica-2017"])
    floor.sealed({1: 3})

    assert won(floor.claim((1, "escalera"))[0]) == [(1, 1, "escalera", 60_000)]


# rejection


@pytest.mark.parametrize("hand", ["full", STRAIGHT_FLUSH, ROYAL], ids=["fixed", "percentage", "whole pot"])
def test_r21_a_rejected_claim_leaves_everything_as_it_was(hand):
    floor = sealed()
    before, money = floor.pot(), dict(floor.balances)
    (claimed,) = floor.claim((1, hand))
    (fact,) = floor.reject("DP-01/1/1")

    assert (fact.held, fact.by, fact.second) == (claimed.awards[0].amount, "jefa", "jefe")
    assert (floor.pot().main, floor.pot().reserves) == (before.main, before.reserves)
    assert {name: amount for name, amount in floor.balances.items() if amount} == {k: v for k, v in money.items() if v}
    meters = floor.pot().meters
    assert (meters.hits, meters.rejected_hits, meters.rejected) == (1, 1, fact.held)


def test_r21_r24_what_came_in_meanwhile_and_would_have_passed_the_ceiling_goes_to_the_reserve():
    floor = sealed({1: 2}, document=plan(ceiling=5_001_500))
    floor.claim((1, "full"))
    floor.sealed({1: 2}, "GO-01")
    (fact,) = floor.reject("DP-01/1/1")

    assert (fact.overflow, floor.pot().main) == (1_380, 5_001_500)


def test_r21_the_base_goes_back_to_where_it_came_from_also_when_somebody_won_from_it():
    floor = sealed({1: 2})
    floor.sealed({1: 2}, "GO-01")
    floor.claim((1, ROYAL))
    floor.claim((1, "full"), table="GO-01")
    (fact,) = floor.reject("DP-01/1/1")

    assert floor.pot().main == 5_002_880 - 200_000
    assert sum(fact.flow.parts.values()) + fact.flow.house == fact.held


def test_r34_a_rejected_claim_is_registered_anew_in_the_same_pass():
    floor = sealed()
    floor.claim((1, "full"))
    floor.reject("DP-01/1/1")
    (again,) = floor.claim((1, "color"), (2, "full"))

    assert (again.claim, [seat for _, seat, _, _ in won(again)]) == ("DP-01/1/2", [1, 2])


def test_r34_a_rejected_claim_is_registered_anew_when_the_table_has_played_on():
    floor = sealed()
    floor.claim((1, "full"))
    floor.close_pass()
    floor.reject("DP-01/1/1")
    floor.sealed({5: 5})
    (again,) = floor.claim((2, "full"), number=1)

    assert (again.claim, again.number, won(again)) == ("DP-01/1/2", 1, [(1, 2, "full", 300_000)])
    assert again.before.main == floor.heard(type(again))[0].before.main + 3_600
    assert floor.claim((5, "color"))[0].claim == "DP-01/2/1"


def test_r34_between_passes_a_rejected_claim_of_the_last_one_is_registered_anew():
    floor = sealed()
    floor.claim((1, "full"))
    floor.close_pass()
    floor.reject("DP-01/1/1")

    assert floor.claim((2, "full"))[0].claim == "DP-01/1/2"
    floor.reject("DP-01/1/2")
    assert floor.claim((3, "full"), number=1)[0].claim == "DP-01/1/3"


def test_r29_r34_a_complementary_prize_of_the_pass_is_no_claim_of_it():
    floor = Floor(plan(prizes=[prize("Jugador")]))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    floor.reject("DP-01/1/1")
    floor.draw("Jugador", seat=2)
    floor.close_pass()

    assert floor.claim((1, "color"), number=1)[0].claim == "DP-01/1/2"
    assert [bet.seat for bet in floor.state.claims["DP-01/1/2"].bets] == [1, 2]


def other_game(floor):
    """A plan under which the table plays another game, with other credits and another reserve, as soon as it may."""
    floor.ask(ask.CashOut(TABLE, 1, CARLA))
    floor.ask(ask.MoveMoney("pozo", "reserva", "main", floor.pot().reserves["reserva"], "Res. 2", LUIS, JEFA))
    tables = {TABLE: "caribbean", "GO-01": "go"}
    reserves = {"otra": 50_000, "una": 50_000}
    floor.stage(plan(credit=2_000, least=2_000, most=4_000, tables=tables, reserves=reserves))


def test_r26_r34_a_pass_is_claimed_anew_under_the_plan_under_which_it_was_played():
    floor = sealed({1: 3, 2: 3})
    floor.claim((1, "full"))
    floor.close_pass()
    other_game(floor)
    floor.reject("DP-01/1/1")
    assert floor.state.staged == {} and floor.table().modality == "caribbean"
    (again,) = floor.claim((1, "color", "exchanged"), (2, ROYAL), number=1)

    assert [(one.seat, one.reason) for one in again.unpaid] == [(1, "exchanged")], "as in draw"
    assert won(again) == [(1, 2, "escalera_real", again.before.main)]
    floor.reject("DP-01/1/2")
    assert floor.pot().main == again.before.main


def test_r26_r34_late_winners_are_found_under_the_plan_under_which_the_pass_was_played():
    floor = sealed({1: 3, 2: 3})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/1/1")
    other_game(floor)
    assert floor.table().modality == "caribbean"

    assert floor.reason(ask.RejectClaim("DP-01/1/1", "x", JEFA, LUIS)) == "already_paid"
    (late,) = floor.late("DP-01/1/1", (1, "full"), (2, "color"))
    assert won(late) == [(2, 2, "color", 150_000)]


def test_r34_a_claim_outlives_the_table_it_was_won_at():
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/1/1")
    for seat in (1, 2):
        floor.report(seat, bets=0)
    floor.stage(plan(tables={"GO-01": "go"}))
    assert TABLE not in floor.state.tables

    assert floor.reason(ask.RejectClaim("DP-01/1/1", "x", JEFA, LUIS)) == "already_paid"
    assert won(floor.late("DP-01/1/1", (1, "full"), (2, "color"))[0]) == [(2, 2, "color", 100_000)]
    floor.pay("DP-01/1/1/2")
    assert floor.at("paid:pozo:central") == 300_000


def test_r34_a_rejected_claim_is_registered_anew_in_the_pot_it_was_won_from():
    floor = sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.reject("DP-01/1/1")
    floor.stage(plan(tables={"GO-01": "go"}))
    floor.stage(plan("otro", tables={TABLE: ("draw", "bahia")}))
    (again,) = floor.claim((1, "color"), number=1)

    assert (again.pot, again.casino, floor.at("held:pozo"), floor.at("held:otro")) == ("pozo", "central", 100_000, 0)


# late winners


def test_r34_a_winner_found_after_a_payment_is_owed_by_the_house_what_he_would_have_been_paid():
    floor = sealed()
    floor.claim((1, ROYAL))
    floor.pay("DP-01/1/1/1")
    floor.close_pass()
    main = floor.pot().main
    (late,) = floor.late("DP-01/1/1", (1, ROYAL), (3, SECOND_ROYAL), (2, "color"))

    assert won(late) == [(2, 2, "color", 150_000), (3, 3, "escalera_real", 2_427_880)]
    assert all(award.house == award.amount and award.rules[-1] == "R-34" for award in late.awards)
    assert (late.by, late.second, floor.pot().main, floor.at("held:pozo")) == ("jefa", "luis", main, 2_577_880)
    assert floor.pot().meters.hits == 3
    floor.pay("DP-01/1/1/3")
    assert floor.at("paid:pozo:central") == 5_005_760 + 2_427_880


def test_r34_late_winners_are_all_the_winners_and_at_least_one_more():
    floor = sealed()
    floor.claim((1, "full"))
    both = hands_of([(1, "full"), (2, "color")])
    assert floor.reason(ask.RegisterLate("DP-01/1/1", both, JEFA, LUIS)) == "nothing_paid_yet"
    floor.pay("DP-01/1/1/1")

    for hands, reason in (
        ([(2, "color")], "winners_differ"),
        ([(1, "color"), (2, "color")], "winners_differ"),
        ([(1, "full")], "no_late_winner"),
        ([(1, "full"), (9, "color")], "seat_unknown"),
    ):
        assert floor.reason(ask.RegisterLate("DP-01/1/1", hands_of(hands), JEFA, LUIS)) == reason
    floor.late("DP-01/1/1", (1, "full"), (2, "color"))
    assert floor.reason(ask.RegisterLate("DP-01/1/1", both, JEFA, LUIS)) == "no_late_winner"


#


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        ([(7, "full")], "seat_unknown"),
        ([(-1, "full")], "seat_unknown"),
        ([(1, "full"), (1, "color")], "seat_twice"),
        ([(1, ROYAL[:4])], "hand_incomplete"),
        ([(1, ROYAL), (2, (*POKER[:4], "Th"))], "card_twice"),
        ([(1, "escalera_real")], "cards_required"),
        ([(1, "escalera")], "not_in_paytable"),
        ([(1, "pareja")], "word_wrong"),
        ([(1, "nothing")], "word_wrong"),
        ([(1, "full", "se fue")], "word_wrong"),
        ([(1, ("1h",) * 5)], "card_wrong"),
    ],
    ids=str,
)
def test_r32_claims_that_cannot_be_true_are_refused_as_a_whole(hands, reason):
    floor = sealed()

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(3, "color"), *hands]), CARLA)) == reason


def test_r32_cards_decide_over_what_was_said():
    floor = sealed()
    said = ask.Hand(1, cards=POKER, claimed="full")

    assert floor.reason(ask.RegisterClaim(TABLE, (said,), CARLA)) == "hand_is_not_that"


def test_r8_r32_community_cards_are_the_ones_of_the_game():
    floor = Floor()
    floor.sealed({1: 2}, "GO-01")

    for cards, reason in ((("Th",), "community_count"), (("Th", "xx"), "card_wrong"), (("Th", "Th"), "card_twice")):
        asked = ask.RegisterClaim("GO-01", hands_of([(1, ("Qh", "Kh", "Ah"))]), CARLA, cards)
        assert floor.reason(asked) == reason


@pytest.mark.parametrize("number", [0, 1, 2, -1, 10**30])
def test_r5_r32_nobody_wins_before_the_pass_is_sealed(number):
    floor = Floor()
    floor.open_pass()
    floor.bet(1)

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), CARLA, number=number)) == "not_locked"


# with cards


@pytest.mark.parametrize(
    ("hand", "asked", "reason"),
    [
        ("poker", {}, "cards_required"),
        ("full", {}, None),
        ("full", {"cards_from": "full"}, "cards_required"),
        ("color", {"cards_from": "full"}, None),
        ("color", {"cards_from": "escalera"}, "cards_required"),
    ],
)
def test_r32_r36_from_poker_up_or_from_where_the_plan_says_a_hand_is_entered_with_its_cards(hand, asked, reason):
    floor = sealed(document=plan(**asked))
    wanted = ask.RegisterClaim(TABLE, hands_of([(1, hand)]), CARLA)

    if reason is None:
        assert won(floor.ask(wanted)[0])
    else:
        assert floor.reason(wanted) == reason
