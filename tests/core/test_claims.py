"""Claims: what a pass won is registered at once, all its winners together."""

import pytest

from controller.core import inputs as ask
from support.floor.floor import (
    CARLA,
    POKER,
    ROYAL,
    RULESETS,
    STRAIGHT_FLUSH,
    TABLE,
    Floor,
    hands_of,
    plan,
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
    (fact,) = floor.claim((1, "full", "folded"), (2, ("2c", "3d", "5h", "9s", "Kd")), (6, "", "folded"))

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

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(2, "full")]), CARLA)) == "claim_stands"


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


def test_r34_a_rejected_claim_is_registered_anew_in_the_same_pass():
    floor = sealed()
    floor.claim((1, "full"))
    floor.reject("DP-01/1/1")
    (again,) = floor.claim((1, "color"), (2, "full"))

    assert (again.claim, [seat for _, seat, _, _ in won(again)]) == ("DP-01/1/2", [1, 2])


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


@pytest.mark.parametrize(
    ("number", "reason"),
    [(0, "not_locked"), (1, "not_locked"), (2, "pass_unknown"), (-1, "pass_unknown"), (10**30, "pass_unknown")],
)
def test_r5_r32_nobody_wins_before_the_pass_is_sealed(number, reason):
    floor = Floor()
    floor.open_pass()
    floor.bet(1)

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), CARLA, number=number)) == reason


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


@pytest.mark.parametrize(("law", "game"), [("scj-2023", "caribbean_plus"), ("arica-2017", "arica_plus")])
@pytest.mark.parametrize("act", ["exchanged", "bought", "folded"])
def test_r8_exchanging_forfeits_in_a_plus_game_and_the_pot_stays(law, game, act):
    """Audit, F4 and S1: the whole pot was paid to a hand that had exchanged."""
    unit = 1_000 if law == "arica-2017" else None
    floor = Floor(plan(law=law, unit=unit, tables={TABLE: game}), RULESETS[law])
    floor.sealed({1: 2})
    before = floor.pot().main
    (claim,) = floor.claim((1, ROYAL, act))

    assert ([(one.seat, one.reason) for one in claim.unpaid], claim.awards) == ([(1, act)], ())
    assert floor.pot().main == before


@pytest.mark.parametrize(
    ("law", "game", "act", "reason"),
    [
        ("scj-2023", "caribbean", "exchanged", "act_not_in_game"), ("scj-2023", "texas_plus", "bought", "act_not_in_game"),
        ("scj-2023", "go", "exchanged", "act_not_in_game"), ("scj-2023", "go", "folded", ""), ("arica-2017", "draw", "folded", ""),
    ],
)  # fmt: skip
def test_r8_r33_what_a_game_does_not_have_is_refused_and_what_does_not_forfeit_is_paid(law, game, act, reason):
    unit = 1_000 if law == "arica-2017" else None
    floor = Floor(plan(law=law, unit=unit, tables={TABLE: game}), RULESETS[law])
    floor.sealed({1: 2})
    answered = floor.claim((1, "color", act))[0]

    assert getattr(answered, "reason", "") == reason
    assert reason or [award.seat for award in answered.awards] == [1]
