"""R-34, R-35: a pass put right, of this minute or of last year. The pot stands as if all had been right at once."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import ClaimCorrected, HandsVoided, PlanTookEffect
from controller.core.past.inquiry import inquiry_for
from controller.core.values import Loss, Refund
from support.floor.floor import (
    ANA,
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POT,
    ROYAL,
    STRAIGHT_FLUSH,
    TABLE,
    Floor,
    hands_of,
    kinds,
    plan,
    prize,
    with_reading,
)

SECOND_FLUSH = ("2h", "3h", "4h", "5h", "6h")
SECOND_ROYAL = ("Ts", "Js", "Qs", "Ks", "As")
FULL = ("2c", "2d", "2h", "3s", "3d")
COLOR = ("2s", "4s", "6s", "8s", "9s")
CARIBBEAN = "CA-01"
TWO_TABLES = {TABLE: "draw", CARIBBEAN: "caribbean"}


def round_floor(main=10_000_000, ruleset="", **other):
    """A pot without commission and reserves that holds a round sum before the first bet: what counts is seen at once."""
    how = {"tables": TWO_TABLES, "base": 1_000_000, "commission": 0, "main": 1_000_000, "reserves": {}, "alone": 10**12}
    floor = Floor(plan(**{**how, **other}), ruleset or None)
    floor.ask(ask.MoveMoney(POT, "house", "main", main - floor.pot().main, "Res. 2", ANA, LUIS))
    return floor


def sealed(bets=None, **how):
    floor = Floor(**how)
    floor.sealed(bets or {1: 2, 2: 3, 3: 2, 4: 1})
    return floor


def won(fact):
    return [(award.number, award.seat, award.prize, award.amount) for award in fact.awards]


def right(main, *claims, **how):
    """The levels of a pot where the same passes were claimed rightly at once."""
    floor = round_floor(main, **how)
    for table, bets, hands in claims:
        floor.sealed(bets, table)
        floor.claim(*hands, table=table)
    return floor.pot()


def house(floor):
    return floor.at("house:pozo:central")


# The examples of the rules


def test_r34_a_false_real_is_rejected_and_the_other_table_is_owed_what_it_would_have_won():
    floor = round_floor(9_998_000)
    floor.sealed({1: 2})
    floor.claim((1, ROYAL))
    floor.sealed({1: 1}, CARIBBEAN)
    before = house(floor)
    floor.claim((1, ROYAL), table=CARIBBEAN)
    floor.pay("CA-01/1/1/1")
    assert floor.heard(type(floor.record[0][1])) and floor.at("paid:pozo:central") == 1_001_000
    (fact,) = floor.reject("DP-01/1/1")

    assert (fact.cancelled, fact.lost, fact.awards) == (("DP-01/1/1/1",), (), ())
    (later,) = fact.resettled
    assert (later.claim, won(later)) == ("CA-01/1/1", [(2, 1, "escalera_real", 9_000_000)])
    assert (floor.pot().main, floor.at("held:pozo")) == (1_000_000, 9_000_000)
    assert house(floor) == before, "one base of two comes back"
    assert floor.pot().main == right(9_998_000, (TABLE, {1: 2}, ()), (CARIBBEAN, {1: 1}, [(1, ROYAL)])).main


def test_r35_a_second_straight_flush_found_late_is_the_houses():
    floor = round_floor(9_996_000)
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, STRAIGHT_FLUSH))
    floor.pay("DP-01/1/1/1")
    before = house(floor)
    (fact,) = floor.correct(1, (1, STRAIGHT_FLUSH), (2, SECOND_FLUSH))

    assert floor.at("paid:pozo:central") == 1_000_000
    assert (won(fact), fact.flow.parts, fact.flow.house) == ([(2, 2, "escalera_color", 500_000)], {}, -500_000)
    assert (floor.pot().main, house(floor)) == (9_000_000, before - 500_000)


def test_r29_a_prize_held_from_the_draw_is_not_in_the_pot_that_a_real_wins():
    floor = round_floor(9_998_000, prizes=[prize("Jugador", 500_000, one_in=1_000_000)])
    floor.sealed({1: 2})
    floor.draw("Jugador", seat=1)
    (fact,) = floor.claim((1, ROYAL))

    assert won(fact) == [(1, 1, "escalera_real", 9_500_000)]


# What is wrong in a claim


@pytest.mark.parametrize("hand", ["full", STRAIGHT_FLUSH, ROYAL], ids=["fixed", "percentage", "whole pot"])
def test_r21_a_rejected_claim_leaves_everything_as_it_was(hand):
    floor = sealed()
    before, money = floor.pot(), dict(floor.balances)
    floor.claim((1, hand))
    (fact,) = floor.reject("DP-01/1/1")

    assert (fact.cancelled, fact.by, fact.second) == (("DP-01/1/1/1",), "jefa", "jefe")
    assert (floor.pot().main, floor.pot().reserves) == (before.main, before.reserves)
    assert {name: amount for name, amount in floor.balances.items() if amount} == {k: v for k, v in money.items() if v}
    meters = floor.pot().meters
    assert (meters.hits, meters.rejected_hits) == (1, 1)
    assert meters.rejected == meters.wins


def test_r20_r34_the_wrong_seat_is_put_right_and_keeps_its_place():
    """law-audit S5: seat 3 was typed for seat 4; meanwhile another table won the base."""
    floor = round_floor(9_996_000)
    floor.sealed({3: 2, 4: 2})
    floor.sealed({1: 1}, CARIBBEAN)
    floor.claim((3, ROYAL))
    floor.claim((1, SECOND_ROYAL), table=CARIBBEAN)
    before = house(floor)
    (fact,) = floor.correct(1, (4, ROYAL))

    assert (fact.cancelled, won(fact), fact.resettled) == (("DP-01/1/1/1",), [(2, 4, "escalera_real", 10_001_000)], ())
    assert (fact.place, fact.before.main) == (floor_place(floor, "DP-01/1/1"), 10_001_000)
    assert (floor.pot().main, house(floor)) == (1_000_000, before)


def test_r20_r34_until_the_pass_is_closed_a_rejected_claim_entered_anew_keeps_its_place():
    """law-audit F5: rejected, another table wins the base, entered anew."""
    floor = round_floor(9_996_000)
    floor.sealed({3: 2, 4: 2})
    floor.sealed({1: 1}, CARIBBEAN)
    floor.claim((3, ROYAL))
    floor.reject("DP-01/1/1")
    floor.claim((1, SECOND_ROYAL), table=CARIBBEAN)
    (fact,) = floor.claim((4, ROYAL))

    assert (fact.claim, won(fact), fact.place) == (
        "DP-01/1/2",
        [(1, 4, "escalera_real", 10_001_000)],
        floor_place(floor, "DP-01/1/1"),
    )
    assert (floor.pot().main, floor.at("held:pozo")) == (1_000_000, 20_002_000), "true awards are never lowered"
    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(3, "full")]), CARLA)) == "claim_stands"


def floor_place(floor, claim):
    return 1 + floor.record.index(floor_fact(floor, claim))


def floor_fact(floor, claim):
    return next(one for one in floor.record if getattr(one[1], "claim", "") == claim)


def test_r34_what_was_false_and_paid_is_the_houses_loss_and_the_rest_of_the_claim_goes_on():
    """life F1: a false award beside a paid one."""
    floor = sealed()
    floor.claim((1, "color"), (2, "full"))
    floor.pay("DP-01/1/1/1")
    (fact,) = floor.correct(1, (1, "color"))

    assert (fact.cancelled, fact.lost, fact.flow.house) == (("DP-01/1/1/2",), (), 0)
    assert (floor.at("held:pozo"), floor.state.claims["DP-01/1/1"].pending) == (0, False)
    before = house(floor)
    (fact,) = floor.reject("DP-01/1/1")
    assert (fact.lost, fact.flow.parts, fact.flow.house) == (
        (Loss("DP-01/1/1/1", 100_000),),
        {"main": 100_000},
        -100_000,
    )
    assert house(floor) == before - 100_000
    assert floor.reason(ask.RejectClaim("DP-01/1/1", "x", JEFA, JEFE)) == "claim_rejected"


def test_r34_a_category_paid_too_low_is_owed_the_difference_and_one_paid_too_high_is_kept():
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "color"), (2, "full"))
    floor.pay("DP-01/1/1/1")
    floor.pay("DP-01/1/1/2")
    (fact,) = floor.correct(1, (1, FULL), (2, "color"))

    assert won(fact) == [(3, 1, "full", 100_000)]
    assert fact.lost == (Loss("DP-01/1/1/2", 100_000),)
    assert fact.flow.parts == {} and fact.flow.house == -100_000
    (fact,) = floor.correct(1, (1, FULL))
    assert fact.lost == (Loss("DP-01/1/1/2", 100_000),), "only what was not yet said to be lost"
    assert fact.flow.parts == {"main": 100_000}


def test_r34_a_held_award_of_a_true_winner_is_never_lowered():
    floor = round_floor(9_996_000)
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, ROYAL))
    before = house(floor)
    (fact,) = floor.correct(1, (1, ROYAL), (2, SECOND_ROYAL))

    assert (fact.cancelled, won(fact)) == ((), [(2, 2, "escalera_real", 5_000_000)])
    assert (floor.at("held:pozo"), floor.pot().main, house(floor)) == (15_000_000, 1_000_000, before - 5_000_000)


def test_r34_two_corrections_where_the_second_reaches_further_back():
    """B is put right while A is still wrong; then A is, and B and C are told again on what A left."""
    floor = round_floor(9_998_000)
    floor.sealed({1: 2})
    floor.claim((1, ROYAL))
    floor.close_pass()
    floor.sealed({1: 1, 2: 1}, CARIBBEAN)
    floor.claim((1, STRAIGHT_FLUSH), table=CARIBBEAN)
    floor.close_pass(CARIBBEAN)
    (of_b,) = floor.correct(1, (1, STRAIGHT_FLUSH), (2, SECOND_FLUSH), table=CARIBBEAN)
    assert won(of_b) == [(2, 2, "escalera_color", 50_100)]
    (of_a,) = floor.reject("DP-01/1/1")

    (later,) = of_a.resettled
    assert won(later) == [(3, 1, "escalera_color", 500_100 - 100_200), (4, 2, "escalera_color", 500_100 - 50_100)]
    wanted = right(9_998_000, (TABLE, {1: 2}, ()), (CARIBBEAN, {1: 1, 2: 1}, [(1, STRAIGHT_FLUSH), (2, SECOND_FLUSH)]))
    assert floor.pot().main == wanted.main


def test_r21_r34_what_a_correction_adds_runs_from_the_first_registration_of_its_pass():
    floor = sealed()
    floor.claim((1, "full"))
    at = floor.now
    (fact,) = floor.correct(1, (2, "full"))
    assert (fact.since, floor.held("DP-01/1/1/2").since) == (at, at)
    floor.close_pass()
    (fact,) = floor.correct(1, (2, "full"), (3, FULL))
    assert fact.since == floor.now, "a late winner has his own time"


# Winners that nobody entered


def test_r35_the_croupier_enters_alone_who_was_missed_until_the_next_seal():
    """law-audit S10, life F2: a press of unlock lost every unregistered winner."""
    floor = sealed({1: 2, 2: 2})
    before = floor.pot()
    floor.close_pass()
    floor.open_pass()
    floor.bet(3)
    (fact,) = floor.claim((1, "full"), (2, STRAIGHT_FLUSH), number=1)

    assert won(fact) == [(1, 1, "full", 200_000), (2, 2, "escalera_color", (before.main - 200_000) // 10)]
    assert (fact.claim, fact.second, fact.confirmed, fact.before.main) == ("DP-01/1/1", "", False, before.main)
    assert floor.reason(ask.PayAward("DP-01/1/1/1", CARLA)) == "not_confirmed"
    floor.pay("DP-01/1/1/1")
    more = ask.RegisterClaim(TABLE, hands_of([(1, "full")]), CARLA, number=1)
    assert floor.reason(more) == "claim_stands"
    floor.lock()
    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), CARLA, number=9)) == "pass_unknown"


def test_r35_between_passes_hands_are_those_of_the_last_one():
    floor = sealed()
    floor.close_pass()

    assert won(floor.claim((1, "full"))[0]) == [(1, 1, "full", 200_000)]


def test_r35_a_claim_that_paid_nobody_is_none():
    """law-audit S10b and C1: typed for a seat that won nothing; the hand is entered after the next pass was opened."""
    floor = sealed({1: 2, 2: 2})
    assert floor.claim((1, "full", "folded"))[0].awards == ()
    floor.close_pass()
    floor.open_pass()
    (fact,) = floor.claim((2, FULL), number=1)

    assert (fact.claim, won(fact)) == ("DP-01/1/2", [(1, 2, "full", 200_000)])


def test_r35_later_two_persons_bring_cards_and_the_recording_or_the_authority():
    floor = sealed()
    floor.close_pass()
    floor.sealed({1: 2})
    by_two = {"second": JEFA}
    for hands, how, reason in (
        ([(1, "full")], {}, "two_persons_needed"),
        ([(1, "full")], by_two, "cards_for_late"),
        ([(1, FULL)], by_two, "recording_missing"),
        ([(1, FULL)], {**by_two, "recording": " "}, "recording_missing"),
        ([(9, FULL)], by_two, "seat_unknown"),
    ):
        asked = ask.CorrectClaim(TABLE, 1, hands_of(hands), "cámara", CARLA, **how)
        assert floor.reason(asked) == reason
    (fact,) = floor.ask(ask.CorrectClaim(TABLE, 1, hands_of([(1, FULL)]), "x", CARLA, JEFA, resolution="Ord. 7"))
    assert (fact.resolution, fact.recording, fact.confirmed) == ("Ord. 7", "", True)
    floor.ask(ask.PayAward("DP-01/1/1/1", DIEGO))


def test_r35_a_reason_is_given_and_nothing_is_taken_away_alone():
    floor = sealed()
    floor.claim((1, "full"))
    for asked, reason in (
        (ask.CorrectClaim(TABLE, 1, hands_of([(2, "full")]), " ", CARLA, JEFA), "reason_missing"),
        (ask.CorrectClaim(TABLE, 1, hands_of([(2, "full")]), "x", CARLA), "two_persons_needed"),
        (ask.CorrectClaim(TABLE, 1, hands_of([(1, "full")]), "x", CARLA), "nothing_to_correct"),
    ):
        assert floor.reason(asked) == reason
    (alone,) = floor.ask(ask.CorrectClaim(TABLE, 1, hands_of([(1, "full"), (2, "full")]), "faltaba", CARLA))
    assert (won(alone), alone.confirmed) == ([(2, 2, "full", 300_000)], False)


def test_r35_the_days_close_ends_nothing():
    """law-audit S6, life F3: a late winner of yesterday, at a table that has left its pot."""
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/1/1")
    for seat in (1, 2):
        floor.report(seat, bets=0)
        floor.ask(ask.CashOut(TABLE, seat, CARLA)) if floor.seat(seat).credits else None
    floor.close_day()
    floor.stage(plan(tables={"GO-01": "go"}))
    floor.stage(plan("otro", tables={TABLE: ("caribbean", "bahia")}))
    floor.open_day("2026-11-19", bytes(range(32)))
    assert "DP-01/1/1" not in floor.state.claims and floor.table().pot == "otro"
    (fact,) = floor.correct(1, (1, "full"), (2, COLOR))

    assert (fact.pot, fact.casino, won(fact)) == (POT, "central", [(2, 2, "color", 100_000)])
    assert fact.confirmed is False, "after the day's close a third confirms"
    assert floor.state.claims["DP-01/1/1"].pending
    floor.pay("DP-01/1/1/2")
    assert floor.at("paid:pozo:central") == 300_000


def test_r26_r34_a_pass_is_put_right_by_the_rules_of_its_day():
    floor = sealed({1: 3, 2: 3})
    floor.close_pass()
    floor.ask(ask.CashOut(TABLE, 1, CARLA)) if floor.seat(1).credits else None
    for seat in (1, 2):
        floor.report(seat, bets=0)
    tables = {TABLE: "caribbean", "GO-01": "go"}
    facts = floor.stage(plan(credit=2_000, least=2_000, most=4_000, tables=tables))
    assert PlanTookEffect in kinds(facts) and floor.table().modality == "caribbean"
    (fact,) = floor.correct(1, (1, "color", "exchanged"), (2, ROYAL))

    assert [(one.seat, one.reason) for one in fact.unpaid] == [(1, "exchanged")], "as in draw"
    assert won(fact) == [(1, 2, "escalera_real", fact.before.main)]


def test_r33_where_the_house_pays_all_that_comes_late_the_pot_never_sees_it():
    law = with_reading(late_from="house")
    floor = sealed({1: 2, 2: 2}, ruleset=law)
    floor.claim((1, "color"))
    floor.close_pass()
    main = floor.pot().main
    (fact,) = floor.correct(1, (1, "color"), (2, ROYAL))

    assert (fact.late, won(fact)) == ((2,), [(2, 2, "escalera_real", main)])
    assert (fact.flow.parts, fact.flow.house, floor.pot().main) == ({}, -main, main)
    (fact,) = floor.correct(1, (2, ROYAL))
    assert (fact.cancelled, fact.flow.parts, fact.late) == (("DP-01/1/1/1",), {"main": 100_000}, (2,))
    in_time = sealed({1: 2, 2: 2}, ruleset=law)
    in_time.claim((1, "color"))
    (fact,) = in_time.correct(1, (2, ROYAL))
    assert (fact.late, in_time.pot().main) == ((), 5_000_000), "before the pass is closed nothing is late"


def test_r33_late_winners_of_the_house_are_owed_more_too_when_an_earlier_claim_was_false():
    floor = round_floor(9_994_000, with_reading(late_from="house"))
    floor.sealed({1: 2})
    floor.sealed({1: 2, 2: 2}, CARIBBEAN)
    floor.claim((1, ROYAL))
    floor.close_pass(CARIBBEAN)
    (late,) = floor.correct(1, (2, STRAIGHT_FLUSH), table=CARIBBEAN)
    assert (late.late, won(late)) == ((2,), [(1, 2, "escalera_color", 100_000)]), "a tenth of the base"
    (fact,) = floor.reject("DP-01/1/1")

    assert won(fact.resettled[0]) == [(2, 2, "escalera_color", 900_000)]
    assert floor.pot().main == 10_000_000, "and the pot never sees it"


def test_r33_r35_who_comes_late_changes_who_pays_and_never_an_amount():
    """A false Full had emptied the pot; the true one, found late, would have too: the Real in time is owed nothing of it."""
    floor = sealed({1: 2, 2: 3, 3: 2}, document=plan(base=0), ruleset=with_reading(late_from="house"))
    floor.claim((1, FULL), (3, ROYAL))
    assert floor.pot().main == 0
    floor.close_pass()
    (fact,) = floor.correct(1, (2, FULL), (3, ROYAL))

    assert (fact.cancelled, fact.late, won(fact)) == (("DP-01/1/1/1",), (2,), [(3, 2, "full", 300_000)])


def test_r29_r33_putting_a_prize_right_leaves_late_winners_to_the_house():
    prizes = [prize("Jugador", 500_000, one_in=1_000_000)]
    floor = round_floor(9_996_000, with_reading(late_from="house"), prizes=prizes)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=1)
    floor.close_pass()
    floor.correct(1, (2, STRAIGHT_FLUSH))
    (fact,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))

    assert (fact.flow.parts, won(fact.resettled[0])) == ({"main": 500_000}, [(2, 2, "escalera_color", 50_000)])
    assert floor.pot().main == 10_000_000


# Pots between: ceilings, reserves, money moved, plans


def test_r24_r34_what_would_have_passed_the_ceiling_goes_to_the_reserve_and_a_void_knows_it():
    floor = sealed({1: 2}, document=plan(ceiling=5_001_500))
    floor.claim((1, "full"))
    floor.sealed({1: 2}, "GO-01")
    (fact,) = floor.reject("DP-01/1/1")

    assert floor.pot().main == 5_001_500
    assert fact.overflows == (("GO-01", 1, 1_380),)
    reserve = floor.pot().reserves["reserva"]
    floor.ask(ask.VoidPass("GO-01", "x", JEFA))
    assert (floor.pot().main, floor.pot().reserves["reserva"]) == (5_001_440, reserve - 160 - 1_380)


def test_r18_r34_money_that_was_moved_and_bets_that_went_back_are_told_again():
    floor = sealed({1: 5, 2: 5, 3: 5})
    (claimed,) = floor.claim((1, ROYAL))
    assert claimed.base_back.parts["reserva"] < 0
    floor.sealed({1: 2, 2: 2}, "GO-01")
    floor.ask(ask.VoidHand("GO-01", 2, "x", CARLA))
    floor.ask(ask.MoveMoney(POT, "house", "reserva", 700, "Res. 4", ANA, LUIS))
    floor.ask(ask.MoveMoney(POT, "reserva", "main", 300, "Res. 5", ANA, LUIS))
    floor.reject("DP-01/1/1")

    same = sealed({1: 5, 2: 5, 3: 5})
    same.sealed({1: 2, 2: 2}, "GO-01")
    same.ask(ask.VoidHand("GO-01", 2, "x", CARLA))
    same.ask(ask.MoveMoney(POT, "house", "reserva", 700, "Res. 4", ANA, LUIS))
    same.ask(ask.MoveMoney(POT, "reserva", "main", 300, "Res. 5", ANA, LUIS))
    assert (floor.pot().main, floor.pot().reserves) == (same.pot().main, same.pot().reserves)
    assert house(floor) == house(same)


def test_r25_r33_where_a_void_undoes_nothing_the_telling_leaves_the_pot_as_well():
    floor = sealed({1: 2}, ruleset=with_reading(void_undoes="nothing"))
    floor.claim((1, "full"))
    floor.sealed({1: 2}, "GO-01")
    floor.ask(ask.VoidPass("GO-01", "x", JEFA))
    floor.reject("DP-01/1/1")

    assert floor.pot().main == 5_002_880


def test_r26_r34_a_plan_that_changed_between_is_told_again():
    floor = sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/1/1")
    facts = floor.stage(plan(reserves={"reserva": 50_000, "otra": 50_000}, main=900_000, resolution="Res. 9"))
    assert PlanTookEffect in kinds(facts)
    floor.sealed({1: 2}, "GO-01")
    floor.reject("DP-01/1/1")

    assert (floor.pot().main, floor.pot().reserves) == (5_001_440 + 1_440, {"reserva": 160 + 80, "otra": 80})


# Voids of what had won


def test_r25_a_void_hand_cancels_its_award_and_the_others_are_settled_again():
    floor = sealed({1: 2, 2: 2, 3: 2})
    floor.claim((1, "full"), (2, STRAIGHT_FLUSH))
    corrected, voided = floor.ask(ask.VoidHand(TABLE, 1, "mal repartida", CARLA))

    assert isinstance(corrected, ClaimCorrected) and isinstance(voided, HandsVoided)
    assert (corrected.void, corrected.cancelled, corrected.second) == (True, ("DP-01/1/1/1",), "")
    assert [award.seat for award in corrected.awards] == [2], "a tenth of more"
    assert voided.refunds == (Refund(1, cash=2_000),)
    same = sealed({1: 2, 2: 2, 3: 2})
    same.claim((2, STRAIGHT_FLUSH))
    same.ask(ask.VoidHand(TABLE, 1, "mal repartida", CARLA))
    assert (floor.pot().main, floor.pot().reserves) == (same.pot().main, same.pot().reserves)


def test_r25_a_void_of_a_hand_that_won_nothing_touches_no_claim():
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "full"))

    assert kinds(floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))) == [HandsVoided]
    assert floor.at("held:pozo") == 200_000


def test_r25_a_hand_can_be_void_until_an_award_for_it_is_paid_and_a_pass_until_any_is():
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "full"), (2, "color"))
    floor.pay("DP-01/1/1/1")
    assert floor.reason(ask.VoidPass(TABLE, "x", JEFA)) == "void_after_payment"
    assert floor.reason(ask.VoidHand(TABLE, 2, "x", CARLA)) == "void_after_payment", "the Color of seat 2 was paid"

    assert kinds(floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))) == [ClaimCorrected, HandsVoided]


def test_r25_a_void_pass_takes_its_claim_with_it_and_nobody_wins_it_any_more():
    floor = sealed({1: 2, 2: 2})
    before = {name: amount for name, amount in floor.balances.items() if name.startswith(("pot:", "held:"))}
    floor.claim((1, ROYAL), (2, "full"))
    corrected, voided = floor.ask(ask.VoidPass(TABLE, "baraja", CARLA))

    assert (corrected.cancelled, voided.whole_pass) == (("DP-01/1/1/1", "DP-01/1/1/2"), True)
    assert floor.pot().main == 5_000_000 and before["pot:pozo:main"] == 5_002_880
    assert floor.reason(ask.CorrectClaim(TABLE, 1, hands_of([(1, "full")]), "x", CARLA, JEFA)) == "pass_void"
    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), CARLA)) == "pass_void"


def test_r25_r29_a_void_puts_a_prize_back_and_who_won_meanwhile_is_owed_it():
    floor = round_floor(9_996_000, prizes=[prize("Jugador", 500_000, one_in=1_000_000)])
    floor.sealed({1: 2})
    floor.draw("Jugador", seat=1)
    floor.sealed({1: 2}, CARIBBEAN)
    floor.draw("Jugador", hit=False, table=CARIBBEAN)
    floor.claim((1, ROYAL), table=CARIBBEAN)
    corrected, voided = floor.ask(ask.VoidPass(TABLE, "misdeal", CARLA))

    assert (corrected.claim, corrected.cancelled) == ("DP-01/1/p1", ("DP-01/1/p1/1",))
    (later,) = corrected.resettled
    assert won(later) == [(2, 1, "escalera_real", 500_000)]
    assert voided.refunds == (Refund(1, cash=2_000),)
    assert floor.at("held:pozo") == 10_000_000


def test_r25_r29_a_void_of_hand_and_prize_is_one_act():
    floor = sealed({1: 2, 2: 2}, document=plan(prizes=[prize("Jugador")]))
    floor.draw("Jugador", seat=1)
    floor.claim((1, "full"), (2, "color"))
    corrected, _ = floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))

    assert (corrected.claim, corrected.cancelled) == ("DP-01/1/1", ("DP-01/1/1/2", "DP-01/1/p1/1"))
    assert floor.at("held:pozo") == 100_000


# Complementary prizes


def test_r29_a_rejected_prize_goes_back_and_is_granted_anew_to_the_drawn_seat():
    floor = round_floor(9_996_000, prizes=[prize("Jugador", 500_000, one_in=1_000_000)])
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=2)
    (fact,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "no apostó", JEFA, JEFE))
    assert (fact.cancelled, fact.flow.parts, floor.pot().main) == (("DP-01/1/p1/1",), {"main": 500_000}, 10_000_000)
    assert floor.reason(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE)) == "claim_rejected"
    (again,) = floor.ask(ask.GrantAnew("DP-01/1/p1", "sí apostó", JEFA, JEFE))

    assert (won(again), again.claim, floor.pot().main) == ([(2, 2, "Jugador", 500_000)], "DP-01/1/p1", 9_500_000)
    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "prize_stands"
    (fact,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "no", JEFA, JEFE))
    assert (fact.cancelled, floor.pot().main) == (("DP-01/1/p1/2",), 10_000_000)
    for claim in ("DP-01/1/p7", "DP-01/9/p1", "DP-01/1/1", "x", "/", "DP-01/x/p1", "DP-01/1/"):
        assert floor.reason(ask.GrantAnew(claim, "x", JEFA, JEFE)) == "claim_unknown"


def test_r25_r29_a_prize_whose_bet_went_back_is_granted_to_nobody():
    floor = sealed({1: 2, 2: 2}, document=plan(prizes=[prize("Jugador")]))
    floor.draw("Jugador", seat=2)
    floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))

    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "no_bet"


def test_r29_a_prize_that_was_paid_and_rejected_is_the_houses_loss_and_is_not_paid_twice():
    floor = round_floor(9_996_000, prizes=[prize("Jugador", 500_000, one_in=10**6)])
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=2)
    floor.close_pass()
    floor.pay("DP-01/1/p1/1")
    before = house(floor)
    (fact,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    assert (fact.lost, fact.flow.parts, house(floor)) == (
        (Loss("DP-01/1/p1/1", 500_000),),
        {"main": 500_000},
        before - 500_000,
    )
    (fact,) = floor.ask(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE))
    assert (fact.awards, fact.flow.parts, house(floor)) == ((), {"main": -500_000}, before)


def test_r29_r34_the_claim_of_the_pass_is_another_matter():
    floor = sealed({1: 2, 2: 2}, document=plan(prizes=[prize("Jugador")]))
    floor.draw("Jugador", seat=2)
    floor.claim((1, "full"))
    floor.close_pass()
    (fact,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    assert (fact.claim, fact.cancelled, floor.at("held:pozo")) == ("DP-01/1/p1", ("DP-01/1/p1/1",), 200_000)
    (fact,) = floor.correct(1, (1, "full"), (2, FULL))
    assert (fact.claim, won(fact)) == ("DP-01/1/1", [(2, 2, "full", 200_000)])


# What cannot be put right


def test_r34_a_reason_stands_on_record_for_whatever_is_rejected_or_granted_anew():
    floor = sealed({1: 2, 2: 2}, document=plan(prizes=[prize("Jugador")]))
    floor.draw("Jugador", seat=2)
    floor.claim((1, "full"))
    for claim in ("DP-01/1/1", "DP-01/1/p1"):
        assert floor.reason(ask.RejectClaim(claim, " ", JEFA, JEFE)) == "reason_missing"
    floor.reject("DP-01/1/p1")
    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "", JEFA, JEFE)) == "reason_missing"


@pytest.mark.parametrize("number", [0, 2, 10**30, -1])
def test_r35_for_a_pass_that_cannot_be_nobody_reads_the_record(number):
    floor = sealed()
    for asked in (
        ask.CorrectClaim(TABLE, number, (), "x", CARLA, JEFA), ask.RejectClaim(f"DP-01/{number}/1", "x", JEFA, JEFE),
        ask.RegisterClaim(TABLE, (), CARLA, number=number), ask.CorrectClaim("X-9", 1, (), "x", CARLA, JEFA),
    ):  # fmt: skip
        assert inquiry_for(floor.state, asked) is None


@pytest.mark.parametrize("claim", ["", "x", "DP-01/1/1", "DP-01/9/1", "DP-01/1/2", "X-9/1/1", "DP-01/9" * 9])
def test_r34_a_claim_that_is_not_there_is_named(claim):
    floor = sealed()
    if claim == "DP-01/1/2":
        floor.claim((1, "full"))

    assert floor.reason(ask.RejectClaim(claim, "x", JEFA, JEFE)) == "claim_unknown"


def test_r35_a_pass_in_progress_or_without_a_claim_is_not_corrected():
    floor = sealed()
    for number, reason in ((1, "nothing_registered"), (2, "pass_unknown"), (0, "pass_unknown"), (-1, "pass_unknown")):
        assert floor.reason(ask.CorrectClaim(TABLE, number, (), "x", CARLA, JEFA)) == reason
    assert floor.reason(ask.CorrectClaim("X-9", 1, (), "x", CARLA, JEFA)) == "pass_unknown"
    assert floor.reason(ask.RegisterClaim("X-9", (), CARLA, number=1)) == "table_unknown"
    floor.close_pass()
    assert floor.reason(ask.CorrectClaim(TABLE, 1, (), "x", CARLA, JEFA)) == "nothing_to_correct"


def test_r34_a_claim_rejected_for_good_is_none_and_the_next_one_is_settled_as_the_pass_was_closed():
    floor = sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    floor.reject("DP-01/1/1")
    floor.close_pass()
    closed = floor.pot()
    floor.sealed({1: 5}, "GO-01")
    (fact,) = floor.correct(1, (2, ROYAL))

    assert (fact.claim, won(fact)) == ("DP-01/1/2", [(1, 2, "escalera_real", closed.main)])
    assert (fact.before.main, floor.pot().main) == (closed.main, 5_003_600)
    (fact,) = floor.reject("DP-01/1/2")
    assert (fact.cancelled, floor.pot().main) == (("DP-01/1/2/1",), closed.main + 3_600)


def test_r34_training_is_put_right_in_its_own_book():
    floor = sealed({})
    floor.close_pass()
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, ROYAL))
    floor.close_pass()
    (fact,) = floor.correct(2, (2, ROYAL))

    assert (fact.claim, fact.pot, fact.cancelled) == ("~DP-01/2/1", "~DP-01", ("~DP-01/2/1/1",))
    assert floor.reason(ask.CorrectClaim("~DP-01", 2, (), "x", CARLA)) == "two_persons_needed"
    floor.ask(ask.EndTraining(TABLE, JEFA))
    assert floor.reason(ask.CorrectClaim("~DP-01", 2, (), "x", CARLA, JEFA)) == "pass_unknown"
    assert floor.reason(ask.RejectClaim("~DP-01/2/1", "x", JEFA, JEFE)) == "claim_unknown"
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))
    assert floor.reason(ask.CorrectClaim("~DP-01", 2, (), "x", CARLA, JEFA)) == "pass_unknown", "of another book"


# set aside


def test_r35_who_cannot_be_found_is_owed_without_term_and_holds_back_no_plan():
    floor = sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    award = "DP-01/1/1/1"
    assert floor.reason(ask.SetAside(award, " ", CARLA, JEFA)) == "reason_missing"
    assert floor.reason(ask.SetAside(award, "x", CARLA, DIEGO)) == "role_missing"
    (fact,) = floor.ask(ask.SetAside(award, "se fue", CARLA, JEFA))
    assert (fact.amount, floor.at("held:pozo"), floor.state.claims["DP-01/1/1"].pending) == (200_000, 200_000, False)
    assert floor.reason(ask.ConfirmAward(award, JEFA, JEFE)) == "award_aside"
    assert kinds(floor.stage(plan(resolution="Res. 3")))[1] is PlanTookEffect
    floor.report(1, bets=0)
    floor.ask(ask.CashOut(TABLE, 1, CARLA)) if floor.seat(1).credits else None
    floor.close_day()
    assert floor.held(award).aside, "a debt is not forgotten with the day"

    floor.ask(ask.PayAward(award, CARLA))
    assert floor.at("held:pozo") == 0


# What a person reads of a refusal


def said(floor, asked):
    floor.reason(asked)
    refused = floor.record[-1][1]
    return refused.where, refused.message


NOWHERE = "En el registro no hay un pase {} de la mesa DP-01 con las apuestas cerradas."


def test_r35_who_names_a_pass_that_was_never_sealed_reads_which_one_and_where():
    floor = sealed()
    floor.close_pass()
    floor.open_pass()
    floor.ask(ask.VoidPass(TABLE, "sin jugadores", JEFA))

    assert said(floor, ask.CorrectClaim(TABLE, 2, (), "x", CARLA, JEFA)) == ("number", NOWHERE.format(2))
    assert said(floor, ask.RegisterClaim(TABLE, (), CARLA, number=2)) == ("number", NOWHERE.format(2))
    assert said(floor, ask.CorrectClaim(TABLE, 9, (), "x", CARLA, JEFA)) == ("number", NOWHERE.format(9))
    assert said(floor, ask.RegisterClaim(TABLE, (), CARLA, number=9)) == ("number", NOWHERE.format(9))


def test_r34_a_missing_reason_is_named_at_its_place():
    floor = sealed({1: 2, 2: 2}, document=plan(prizes=[prize("Jugador")]))
    floor.draw("Jugador", seat=2)
    assert said(floor, ask.RejectClaim("DP-01/1/p1", " ", JEFA, JEFE)) == ("reason", "Falta el motivo.")
    floor.reject("DP-01/1/p1")
    assert said(floor, ask.GrantAnew("DP-01/1/p1", " ", JEFA, JEFE)) == ("reason", "Falta el motivo.")
    assert said(floor, ask.CorrectClaim(TABLE, 1, (), " ", CARLA, JEFA))[0] == "number", "it is still in play"


def test_r18_r34_money_that_was_not_there_in_the_right_history_was_moved_all_the_same():
    """D-111: a Real found late has the reserve put the base back; the 1,000 that two persons moved the house adds."""
    floor = sealed({1: 5, 2: 5, 3: 5})
    floor.close_pass()
    floor.ask(ask.MoveMoney(POT, "reserva", "main", 1_000, "Res. 4", ANA, LUIS))
    floor.ask(ask.MoveMoney(POT, "house", "reserva", 5_000, "Res. 5", ANA, LUIS))
    assert (floor.pot().main, floor.pot().reserves) == (5_011_800, {"reserva": 5_200})
    (fact,) = floor.correct(1, (1, ROYAL))

    assert fact.awards[0].amount == 5_010_800
    assert fact.flow.parts == {"main": -10_800, "reserva": -200}
    assert (floor.pot().main, floor.pot().reserves) == (5_001_000, {"reserva": 5_000})
