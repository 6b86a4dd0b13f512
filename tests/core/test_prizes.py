"""R-29, R-30: what a sealed pass waits for, what the seed says of it, and to whom a complementary prize goes."""

from collections import Counter
from hashlib import sha256

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import AwardPaid, ClaimRegistered, CreditsBought, Drawn, PrizeGranted
from controller.core.ledger import postings
from controller.core.machine import decide
from controller.core.values import Flow, Levels
from controller.rules.cards import CARDS
from controller.rules.complementary import is_hit, label_of, lucky_seat, magic_card, number_below
from controller.rules.refusal import Reason, Refusal
from support.floor.floor import (
    ANA,
    CARLA,
    DAY,
    JEFA,
    JEFE,
    LUIS,
    POT,
    ROYAL,
    RULESETS,
    SEED,
    TABLE,
    TITO,
    Floor,
    hands_of,
    kinds,
    plan,
    prize,
)
from support.laws import naming
from support.nonces import nonce_of

LUCKY = prize("Jugador Afortunado")
CARD = prize("Carta Mágica", drawn="card")
PROMO = prize("Estrella", 5_000, paid_in="promotional_credits", source="house")
HOUR = prize("Hora Feliz", 25_000, source="reserva", within_minutes=120)


def floor_with(*prizes, **how):
    return Floor(plan(prizes=prizes, **how), naming(RULESETS["scj-2023"], "Carta Mágica"))


def wanted_at(floor, table=TABLE):
    return wanted(floor.state, floor.table(table))


def test_r30_a_sealed_pass_waits_for_every_prize_that_may_fall():
    floor = floor_with(LUCKY, CARD)
    sealed = floor.sealed({2: 2, 5: 1})

    assert sealed.draws == floor.table().draws == ("Jugador Afortunado", "Carta Mágica")
    one, other = wanted_at(floor)
    assert (one.prize.name, one.seats, one.table, one.number) == ("Jugador Afortunado", (2, 5), TABLE, 1)
    assert one.label == label_of(TABLE, 1, "Jugador Afortunado", bytes.fromhex(sealed.closed))
    assert one.label != other.label
    assert floor.reason(ask.ClosePass(TABLE, CARLA)) == "draw_due"
    floor.draw("Jugador Afortunado", hit=False)
    floor.draw("Carta Mágica", hit=False)
    floor.close_pass()


def test_r29_a_pass_without_valid_bets_waits_for_no_draw():
    floor = floor_with(LUCKY)
    floor.open_pass()

    assert floor.lock()[-1].draws == ()


def test_r29_a_drawn_seat_is_granted_the_prize_and_it_is_held_like_an_award():
    floor = floor_with(LUCKY)
    floor.sealed({2: 2, 5: 1})
    drawn, granted = floor.draw("Jugador Afortunado", seat=5)

    assert (drawn.hit, drawn.seat, drawn.seats, drawn.closed) == (True, 5, (2, 5), floor.table().closed_hash)
    assert (granted.claim, granted.seat, granted.amount, granted.flow.parts) == (
        "DP-01/1/p1",
        5,
        15_000,
        {"main": -15_000},
    )
    assert (floor.at("held:pozo"), floor.pot().main) == (15_000, 5_002_160 - 15_000)
    assert (floor.pot().meters.hits, floor.pot().meters.wins) == (1, 15_000)
    assert floor.state.claims["DP-01/1/p1"].prize
    floor.close_pass()
    floor.reject("DP-01/1/p1")
    assert (floor.at("held:pozo"), floor.pot().main) == (0, 5_002_160)


def test_r29_a_prize_stands_on_record_with_the_pot_that_it_found_and_what_it_is_paid_in():
    floor = floor_with(LUCKY, PROMO)
    floor.sealed({2: 2})
    before = floor.pot()
    _, cash = floor.draw("Jugador Afortunado", seat=2)
    _, promo = floor.draw("Estrella", seat=2)

    assert (cash.held, cash.paid_in, cash.promo) == (True, "cash", False)
    assert cash.before == Levels(before.main, 5_000_000, before.reserves)
    assert (promo.held, promo.paid_in, promo.promo) == (True, "promotional_credits", True)
    assert promo.before == Levels(before.main - 15_000, 5_000_000, before.reserves)


def test_r29_promotional_credits_are_held_and_on_the_seat_when_they_are_paid():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    facts = floor.draw("Estrella", seat=2)

    assert [posting for fact in facts for posting in postings(fact)] == []
    assert (floor.seat(2).promo, floor.at("promo_issued:pozo:central"), floor.at("held:pozo")) == (0, 0, 0)
    assert (floor.held("DP-01/1/p1/1").paid, floor.state.claims["DP-01/1/p1"].pending) == (False, True)
    assert floor.reason(ask.PayAward("DP-01/1/p1/1", CARLA)) == "not_confirmed"
    floor.close_pass()
    _, paid = floor.pay("DP-01/1/p1/1")
    assert (paid.promo, paid.paid_in, paid.table, paid.seat) == (True, "promotional_credits", TABLE, 2)
    assert (floor.seat(2).promo, floor.at("promo_issued:pozo:central")) == (5_000, -5_000)
    seen = floor.pot().meters
    assert (seen.hits, seen.wins, seen.paid_hits, seen.paid) == (0, 0, 0, 0), "the pot had no part in it"
    assert not floor.state.claims["DP-01/1/p1"].pending
    floor.open_pass()
    assert floor.report(2, bets=5)[0].promo == 5_000


def test_r29_a_prize_is_paid_once_its_pass_is_closed():
    floor = floor_with(LUCKY, PROMO)
    floor.sealed({2: 2})
    floor.draw("Jugador Afortunado", seat=2)
    floor.draw("Estrella", seat=2)
    for award in ("DP-01/1/p1/1", "DP-01/1/p2/1"):
        floor.ask(ask.ConfirmAward(award, JEFA, JEFE))
        assert floor.reason(ask.PayAward(award, CARLA)) == "prize_before_close"
    floor.close_pass()
    floor.sealed({2: 2})
    for award in ("DP-01/1/p1/1", "DP-01/1/p2/1"):
        assert kinds(floor.ask(ask.PayAward(award, CARLA))) == [AwardPaid], "another pass is another matter"


def test_r29_a_record_of_the_first_reading_gave_promotional_credits_at_once():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.hear(Drawn(TABLE, 1, "Estrella", floor.table().closed_hash, (2,), hit=True, seat=2), floor.now)
    floor.hear(
        PrizeGranted("DP-01/1/p1", TABLE, 1, POT, "central", "Estrella", 2, 5_000, Flow(), promo=True), floor.now
    )

    assert (floor.seat(2).promo, floor.at("promo_issued:pozo:central")) == (5_000, -5_000)
    assert floor.held("DP-01/1/p1/1").paid
    assert floor.reason(ask.PayAward("DP-01/1/p1/1", CARLA)) == "award_paid"


def test_r29_a_day_closes_with_an_unpaid_promotional_prize_and_it_is_paid_the_day_after():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.close_day()
    floor.open_day("2026-11-19")

    floor.pay("DP-01/1/p1/1")
    assert floor.seat(2).promo == 5_000


def test_r26_r29_no_plan_takes_effect_while_a_promotional_prize_is_unpaid():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.stage(plan(tables={"GO-01": "go"}), RULESETS["scj-2023"])

    assert TABLE in floor.state.tables
    floor.pay("DP-01/1/p1/1")
    assert TABLE in floor.state.tables, "the credits are a player's"
    floor.ask(ask.LeaveCredits(TABLE, 2, JEFA, ANA))
    assert TABLE not in floor.state.tables


def test_r6_r29_a_closed_seat_takes_no_promotional_credits():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.ask(ask.CloseSeat(TABLE, 2, "luz"))
    floor.close_pass()
    floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA, JEFE))

    assert floor.reason(ask.PayAward("DP-01/1/p1/1", CARLA)) == "seat_closed"
    floor.ask(ask.OpenSeat(TABLE, 2, TITO))
    floor.ask(ask.PayAward("DP-01/1/p1/1", CARLA))
    assert floor.seat(2).promo == 5_000


def test_r29_a_table_in_training_takes_no_promotional_credits():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA, JEFE))
    floor.ask(ask.StartTraining(TABLE, JEFA, ANA))

    assert floor.reason(ask.PayAward("DP-01/1/p1/1", CARLA)) == "training_on"
    floor.ask(ask.EndTraining(TABLE, JEFA))
    assert kinds(floor.ask(ask.PayAward("DP-01/1/p1/1", CARLA))) == [AwardPaid]


@pytest.mark.parametrize("gone", ["table", "pot", "seat"])
def test_r29_credits_for_a_seat_that_no_longer_plays_for_the_pot_are_not_loaded(gone):
    """Only what two persons set aside outlives its table; here the table goes by the state alone."""
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA, JEFE))
    table = floor.table()
    without = {name: one for name, one in floor.state.tables.items() if name != TABLE}
    if gone == "pot":
        without[TABLE] = replace(table, pot="otro")
    if gone == "seat":
        without[TABLE] = replace(table, seats=table.seats[:1])
    floor.state = replace(floor.state, tables=without)

    refused = decide(floor.state, ask.PayAward("DP-01/1/p1/1", CARLA), floor.now)
    assert isinstance(refused, Refusal) and refused.reason is Reason.SEAT_GONE


def test_r29_a_promotional_prize_that_is_rejected_moves_nothing():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    money = dict(floor.balances)
    floor.reject("DP-01/1/p1")

    assert floor.balances == money
    assert not floor.state.claims["DP-01/1/p1"].pending
    assert floor.pot().meters.rejected_hits == 0


def test_r29_bolivia_pays_in_chips_and_sells_credits_for_chips_and_the_record_says_so():
    law = RULESETS["aj-bolivia"]
    lucky = prize("Jugador", paid_in="chips")
    floor = Floor(plan(law="aj-bolivia", credit=1_000, prizes=[lucky]), law)
    floor.sealed({2: 2})
    assert {fact.paid_in for fact in floor.heard(CreditsBought)} == {"chips"}
    _, granted = floor.draw("Jugador", seat=2)
    assert granted.paid_in == "chips"
    floor.claim((2, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/p1/1")
    floor.pay("DP-01/1/1/1")
    assert [fact.paid_in for fact in floor.heard(AwardPaid)] == ["chips", "chips"]


def test_r29_where_the_law_says_nothing_of_it_the_record_says_nothing():
    floor = floor_with(LUCKY)
    floor.sealed({2: 2})
    floor.draw("Jugador Afortunado", seat=2)
    floor.claim((2, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/p1/1")
    floor.pay("DP-01/1/1/1")

    assert [fact.paid_in for fact in floor.heard(AwardPaid)] == ["cash", ""]
    assert {fact.paid_in for fact in floor.heard(CreditsBought)} == {""}


def test_r29_who_left_loses_his_promotional_credits_and_keeps_the_others():
    floor = floor_with(PROMO)
    floor.sealed({2: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.pay("DP-01/1/p1/1")
    floor.buy(2, 3)
    (left,) = floor.ask(ask.LeaveCredits(TABLE, 2, JEFA, ANA))

    assert (left.amount, left.lapsed) == (3_000, 5_000)
    assert (floor.table().left, floor.at("promo_issued:pozo:central"), floor.seat(2).promo) == (3_000, 0, 0)


def test_r15_r29_a_real_in_the_pass_of_a_prize_is_paid_what_the_prize_left():
    """rules.md R-29: main 10,000,000, prize 500,000, Real in that pass: 9,500,000."""
    floor = floor_with(prize("Gran Jugador", 500_000, one_in=1_000_000), base=1_000_000)
    floor.sealed({1: 1})
    floor.draw("Gran Jugador", hit=False)
    floor.close_pass()
    needed = 10_000_000 - 720 - floor.pot().main
    floor.ask(ask.MoveMoney(POT, "house", "main", needed, "R", ANA, LUIS))
    floor.sealed({2: 1})
    assert floor.pot().main == 10_000_000
    floor.draw("Gran Jugador", seat=2)

    (claim,) = floor.claim((2, ROYAL))
    assert [award.amount for award in claim.awards] == [9_500_000]
    assert floor.at("held:pozo") == 10_000_000


# One of two in a pass


EITHER = ({**LUCKY, "excludes": ["Carta Mágica"]}, CARD)


def test_r29_the_first_to_fall_in_the_plan_s_order_excludes_the_other_in_that_pass():
    floor = floor_with(*EITHER)
    floor.sealed({2: 2})
    assert [one.prize.name for one in wanted_at(floor)] == ["Jugador Afortunado"]
    assert floor.reason(ask.Draw(TABLE, "Carta Mágica", hit=True, card="Ts")) == "draw_not_due"
    floor.draw("Jugador Afortunado", seat=2)
    assert (floor.table().draws, wanted_at(floor)) == ((), ())
    assert floor.reason(ask.Draw(TABLE, "Carta Mágica", hit=True, card="Ts")) == "draw_not_due"
    floor.close_pass()

    assert floor.sealed({2: 2}).draws == ("Jugador Afortunado", "Carta Mágica"), "the next pass is another one"
    floor.draw("Jugador Afortunado", hit=False)
    assert [one.prize.name for one in wanted_at(floor)] == ["Carta Mágica"]
    floor.draw("Carta Mágica", card="Ts")
    assert floor.table().cards == {"Carta Mágica": "Ts"}


def test_r29_a_card_that_was_drawn_excludes_also_where_nobody_had_it():
    floor = floor_with({**CARD, "excludes": ["Jugador Afortunado"]}, LUCKY, PROMO)
    floor.sealed({2: 2})
    assert [one.prize.name for one in wanted_at(floor)] == ["Carta Mágica", "Estrella"]
    floor.draw("Estrella", seat=2)
    floor.draw("Carta Mágica", card="Ts")

    assert floor.table().draws == ()
    floor.close_pass()


def test_r18_r29_a_prize_is_owed_in_full_and_the_house_adds_what_its_part_does_not_have():
    floor = floor_with(HOUR)
    floor.sealed({2: 5})
    _, granted = floor.draw("Hora Feliz", seat=2)

    assert (granted.flow.parts, granted.flow.house) == ({"reserva": -400}, -24_600)
    assert floor.pot().reserves == {"reserva": 0}
    held = floor.held("DP-01/1/p1/1").granted
    assert (held.parts, held.house) == ({"reserva": 400}, 24_600)
    (back,) = floor.reject("DP-01/1/p1")
    assert (back.flow.parts, back.flow.house, floor.pot().reserves) == ({"reserva": 400}, 24_600, {"reserva": 400})


def test_r18_r29_a_prize_whose_part_has_nothing_is_the_house_s():
    floor = Floor(
        plan(base=0, prizes=[prize("Jugador", source="reserva")], main=1_000_000 - 1, reserves={"reserva": 1})
    )
    floor.sealed({2: 1})

    assert floor.draw("Jugador", seat=2)[1].flow.parts == {}


def test_r29_a_prize_of_the_day_falls_once_a_day():
    floor = floor_with(HOUR)
    floor.sealed({1: 2})
    floor.sealed({1: 2}, "GO-01")
    assert [one.prize.name for one in wanted_at(floor, "GO-01")] == ["Hora Feliz"]
    floor.draw("Hora Feliz", seat=1)

    assert wanted_at(floor, "GO-01") == (), "it has fallen at the other table"
    assert floor.reason(ask.Draw("GO-01", "Hora Feliz", hit=True, seat=1)) == "draw_not_due"
    floor.close_pass("GO-01")
    floor.close_pass()
    assert floor.sealed({1: 2}).draws == ()
    floor.close_pass()
    for table in (TABLE, "GO-01"):
        floor.ask(ask.CashOut(table, 1, CARLA))
    floor.close_day()
    floor.open_day("2026-11-19")
    assert floor.sealed({1: 2}).draws == ("Hora Feliz",)


def test_r29_a_prize_of_the_day_that_did_not_fall_is_still_to_come():
    floor = floor_with(HOUR)
    floor.sealed({1: 2})
    floor.draw("Hora Feliz", hit=False)
    floor.close_pass()

    assert floor.sealed({1: 2}).draws == ("Hora Feliz",)


def test_r29_a_prize_by_chance_may_fall_in_every_pass():
    floor = floor_with(LUCKY)
    floor.sealed({1: 2})
    floor.draw("Jugador Afortunado", seat=1)
    floor.close_pass()

    assert floor.sealed({1: 2}).draws == ("Jugador Afortunado",)
    assert floor.draw("Jugador Afortunado", seat=1)[1].claim == "DP-01/2/p1"


# Carta Mágica


def test_r29_the_seat_that_shows_the_drawn_card_is_granted_the_prize_once():
    floor = floor_with(LUCKY, CARD)
    floor.sealed({2: 2, 5: 1})
    assert kinds(floor.draw("Carta Mágica", card="Ts")) == [Drawn]
    assert floor.table().cards == {"Carta Mágica": "Ts"}
    (granted,) = floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))

    assert (granted.claim, granted.seat, granted.by, granted.amount) == ("DP-01/1/p2", 2, "carla", 15_000)
    assert floor.table().cards == {}
    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 5, CARLA)) == "card_not_drawn"


def test_r29_a_card_that_nobody_shows_is_gone_with_the_pass():
    floor = floor_with(CARD)
    floor.sealed({2: 2})
    floor.draw("Carta Mágica", card="Ts")
    floor.close_pass()

    assert floor.table().cards == {}
    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA)) == "card_not_drawn"


@pytest.mark.parametrize("seat", [1, 0, -3, 99])
def test_r29_a_seat_without_a_valid_bet_shows_nothing(seat):
    floor = floor_with(CARD)
    floor.sealed({2: 2})
    floor.draw("Carta Mágica", card="Ts")

    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", seat, CARLA)) == "no_bet"


def test_r29_cards_that_were_entered_must_agree():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2, 3: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.claim((1, ROYAL), (2, ("2c", "3d", "5h", "9s", "Kd")), (3, "full"))

    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 3, CARLA)) == "card_not_held", "seat 1 has it"
    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA)) == "card_not_held", "its cards are known"
    assert kinds(floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 1, CARLA))) == [PrizeGranted]


def test_r29_cards_of_a_rejected_claim_or_of_another_pass_say_nothing():
    floor = floor_with(CARD)
    floor.sealed({1: 2})
    floor.draw("Carta Mágica", hit=False)
    floor.claim((1, ROYAL))
    floor.close_pass()
    floor.sealed({1: 2, 3: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.claim((1, ROYAL))
    floor.reject("DP-01/2/1")

    assert kinds(floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 3, CARLA))) == [PrizeGranted]


def test_r29_r32_a_card_on_the_table_or_with_a_seat_that_is_paid_nothing_is_nobody_else_s():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2}, "GO-01")
    floor.draw("Carta Mágica", card="Th", table="GO-01")
    nothing = ("2c", "3d", "5h")
    floor.claim((1, nothing), table="GO-01", community=("Th", "9s"))

    for seat in (1, 2):
        assert floor.reason(ask.ShowCard("GO-01", "Carta Mágica", seat, CARLA)) == "card_not_held", "it lies there"
    floor.claim((1, nothing), table="GO-01", community=("Ts", "9s"))
    assert floor.reason(ask.ShowCard("GO-01", "Carta Mágica", 1, CARLA)) == "card_not_held", "its cards are known"
    (granted,) = floor.ask(ask.ShowCard("GO-01", "Carta Mágica", 2, CARLA))
    assert (granted.card, floor.table("GO-01").shown) == ("Th", {"Carta Mágica": ("Th", 2)})


@pytest.mark.parametrize(
    ("hands", "says"),
    [
        ([(1, ROYAL)], "card_shown"),  # another seat has it
        ([(2, ("2c", "3d", "5h", "9s", "Kd"))], "card_shown"),  # the seat has five others
        ([(1, ("2c", "3d", "5h", "9s", "Kd"))], ""),
        ([(2, ROYAL)], ""),
        ([(1, "full"), (2, "full")], ""),
    ],
)
def test_r29_r32_a_claim_after_the_card_was_shown_may_not_contradict_it(hands, says):
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    asked = ask.RegisterClaim(TABLE, hands_of(hands), CARLA)

    if says:
        assert floor.reason(asked) == says
    else:
        assert kinds(floor.ask(asked)) == [ClaimRegistered]


def test_r29_r32_the_table_s_cards_may_not_contradict_it_either():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2}, "GO-01")
    floor.draw("Carta Mágica", card="Th", table="GO-01")
    floor.ask(ask.ShowCard("GO-01", "Carta Mágica", 2, CARLA))

    asked = ask.RegisterClaim("GO-01", hands_of([(1, ("Jh", "Qh", "Kh"))]), CARLA, ("Th", "Ah"))
    assert floor.reason(asked) == "card_shown"


def test_r29_a_card_that_the_wrong_seat_had_shown_is_rejected_and_shown_again():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    floor.reject("DP-01/1/p1")
    assert floor.table().cards == {"Carta Mágica": "Th"}
    (granted,) = floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 1, CARLA))

    assert granted.claim == "DP-01/1/p1-2"
    assert floor.at("held:pozo") == 15_000


def test_r29_a_card_that_fell_twice_is_with_one_seat():
    other = prize("Otra Carta", drawn="card")
    law = naming(naming(RULESETS["scj-2023"], "Carta Mágica"), "Otra Carta")
    floor = Floor(plan(prizes=[CARD, other]), law)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.draw("Otra Carta", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))

    assert floor.reason(ask.ShowCard(TABLE, "Otra Carta", 1, CARLA)) == "card_not_held"
    assert kinds(floor.ask(ask.ShowCard(TABLE, "Otra Carta", 2, CARLA))) == [PrizeGranted]


# Put right


def test_r25_r29_a_misdeal_is_void_also_after_a_promotional_prize_and_nothing_is_given():
    """F3: a promotional prize never stands in the way of a void."""
    floor = floor_with(PROMO, LUCKY)
    floor.sealed({2: 2, 3: 2})
    floor.draw("Estrella", seat=2)
    floor.draw("Jugador Afortunado", seat=3)
    floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA, JEFE))
    corrected, voided = floor.ask(ask.VoidPass(TABLE, "reparto errado", CARLA))

    assert corrected.cancelled == ("DP-01/1/p1/1", "DP-01/1/p2/1")
    assert voided.whole_pass and [refund.seat for refund in voided.refunds] == [2, 3]
    assert (floor.at("held:pozo"), floor.at("promo_issued:pozo:central"), floor.pot().main) == (0, 0, 5_000_000)
    assert floor.pot().meters.rejected_hits == 1, "of the pot's own money"
    assert floor.reason(ask.PayAward("DP-01/1/p1/1", CARLA)) == "claim_rejected"
    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "pass_void"


def test_r25_r29_a_void_hand_takes_its_own_prize_only():
    floor = floor_with(PROMO, LUCKY)
    floor.sealed({2: 2, 3: 2})
    floor.draw("Estrella", seat=2)
    floor.draw("Jugador Afortunado", seat=3)
    corrected, _ = floor.ask(ask.VoidHand(TABLE, 2, "cartas vistas", CARLA))

    assert corrected.cancelled == ("DP-01/1/p1/1",)
    assert floor.at("held:pozo") == 15_000
    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "no_bet"
    floor.close_pass()
    floor.pay("DP-01/1/p2/1")


def test_r29_a_prize_of_the_day_whose_pass_is_void_is_not_drawn_again_that_day():
    floor = floor_with({**HOUR, "paid_in": "cash"})
    floor.sealed({1: 2})
    floor.draw("Hora Feliz", seat=1)
    floor.ask(ask.VoidPass(TABLE, "x", CARLA))

    assert floor.sealed({1: 2}).draws == ()
    assert floor.at("held:pozo") == 0


def test_r29_a_rejected_promotional_prize_is_granted_anew_to_the_drawn_seat_and_paid():
    floor = floor_with(PROMO)
    floor.sealed({2: 2, 3: 2})
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.reject("DP-01/1/p1")
    (anew,) = floor.ask(ask.GrantAnew("DP-01/1/p1", "sí apostó", JEFA, JEFE))

    assert [(award.seat, award.amount) for award in anew.awards] == [(2, 5_000)]
    assert (anew.flow, floor.at("held:pozo"), floor.pot().meters.hits) == (Flow(), 0, 0)
    floor.ask(ask.PayAward("DP-01/1/p1/2", CARLA))
    assert (floor.seat(2).promo, floor.at("promo_issued:pozo:central")) == (5_000, -5_000)


@pytest.mark.parametrize(("which", "paid_in"), [(PROMO, "promotional_credits"), (LUCKY, "cash")])
def test_r29_a_prize_of_a_day_that_is_over_is_granted_anew_and_paid_in_what_it_was(which, paid_in):
    """Its claim had left the state with its day."""
    floor = floor_with(which)
    floor.sealed({2: 2})
    floor.draw(which["name"], seat=2)
    floor.close_pass()
    floor.reject("DP-01/1/p1")
    floor.close_day()
    assert floor.state.claims == {}
    floor.open_day("2026-11-19")
    floor.ask(ask.GrantAnew("DP-01/1/p1", "lo mostró la cámara", JEFA, JEFE))
    floor.ask(ask.ConfirmAward("DP-01/1/p1/2", JEFA, LUIS))  # a third confirms
    floor.ask(ask.PayAward("DP-01/1/p1/2", CARLA))

    (paid,) = floor.heard(AwardPaid)
    assert (paid.paid_in, paid.promo) == (paid_in, which is PROMO)


def test_r29_a_prize_that_the_plan_does_not_name_any_more_is_paid_as_the_pot_s_others():
    floor = floor_with(LUCKY)
    floor.sealed({2: 2})
    floor.draw("Jugador Afortunado", seat=2)
    floor.close_pass()
    floor.reject("DP-01/1/p1")
    floor.close_day()
    floor.stage(plan(resolution="Res. 2"))
    floor.open_day("2026-11-19")
    floor.ask(ask.GrantAnew("DP-01/1/p1", "lo mostró la cámara", JEFA, JEFE))
    floor.ask(ask.ConfirmAward("DP-01/1/p1/2", JEFA, LUIS))  # a third confirms
    floor.ask(ask.PayAward("DP-01/1/p1/2", CARLA))

    assert floor.heard(AwardPaid)[0].paid_in == ""


@pytest.mark.parametrize("which", [PROMO, LUCKY])
def test_r29_r34_a_prize_that_was_paid_and_found_false_is_the_house_s_loss_and_not_granted_twice(which):
    floor = floor_with(which)
    floor.sealed({2: 2})
    floor.draw(which["name"], seat=2)
    floor.claim((2, "full"))
    floor.close_pass()
    floor.pay("DP-01/1/p1/1")
    before = floor.pot().main
    (fact,) = floor.reject("DP-01/1/p1")

    assert [(loss.award, loss.amount) for loss in fact.lost] == [("DP-01/1/p1/1", which["amount"])]
    assert floor.pot().main == before + (0 if which is PROMO else which["amount"])
    assert floor.seat(2).promo == (5_000 if which is PROMO else 0), "what is on the seat stays (R-29)"
    (again,) = floor.ask(ask.GrantAnew("DP-01/1/p1", "sí era", JEFA, JEFE))
    assert (again.awards, floor.pot().main) == ((), before), "the player has it; the house gets back what it bore"
    assert [loss.amount for loss in again.lost] == [-which["amount"]]
    (fact,) = floor.reject("DP-01/1/p1")
    assert [loss.amount for loss in fact.lost] == [which["amount"]], "said anew, and once"


OTHERS = ("2c", "3d", "5h", "9s", "Kd")


@pytest.mark.parametrize("when", ["sealed", "closed", "later"])
@pytest.mark.parametrize("hands", [[(1, ROYAL)], [(2, OTHERS)]])
def test_r32_a_correction_may_not_contradict_the_card_that_was_shown(when, hands):
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    if when != "sealed":
        floor.close_pass()
    if when == "later":
        floor.sealed({1: 2})
        floor.draw("Carta Mágica", hit=False)
    asked = ask.CorrectClaim(TABLE, 1, hands_of([*hands, (2 if hands[0][0] == 1 else 1, "full")]), "x", JEFA, JEFE)

    said = floor.reason(asked) if when != "sealed" else floor.reason(ask.RegisterClaim(TABLE, asked.hands, CARLA))
    assert said == "card_shown"


def test_r35_r32_a_late_winner_may_not_have_the_card_that_another_showed():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    floor.close_pass()

    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(1, ROYAL)]), CARLA, (), 1)) == "card_shown"
    floor.reject("DP-01/1/p1")
    assert floor.claim((1, ROYAL), number=1)[0].awards[0].seat == 1, "whoever showed it did not have it"
    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "card_shown"


def test_r29_a_card_that_was_shown_again_by_its_seat_is_not_granted_anew_to_the_other():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    floor.reject("DP-01/1/p1")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 1, CARLA))

    assert floor.reason(ask.GrantAnew("DP-01/1/p1", "x", JEFA, JEFE)) == "prize_stands"
    floor.reject("DP-01/1/p1-2")
    floor.ask(ask.GrantAnew("DP-01/1/p1", "la tenía", JEFA, JEFE))
    assert (floor.table().cards, floor.table().shown) == ({}, {"Carta Mágica": ("Th", 2)})
    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 1, CARLA)) == "card_not_drawn"


def test_r32_hands_that_were_corrected_are_the_ones_that_count():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.claim((1, ROYAL))
    assert floor.reason(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA)) == "card_not_held"
    floor.reject("DP-01/1/1")
    assert floor.table().hands == ()

    assert kinds(floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))) == [PrizeGranted]


def test_r25_r29_the_card_of_a_void_hand_is_gone():
    floor = floor_with(CARD)
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta Mágica", card="Th")
    floor.ask(ask.ShowCard(TABLE, "Carta Mágica", 2, CARLA))
    floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))

    assert (floor.table().cards, floor.table().shown) == ({}, {})


# What the seed says


@pytest.mark.parametrize(
    "asked",
    [
        ask.Draw(TABLE, "Jugador Afortunado", hit=True),
        ask.Draw(TABLE, "Jugador Afortunado", hit=True, seat=1),
        ask.Draw(TABLE, "Jugador Afortunado", hit=True, seat=2, card="Th"),
        ask.Draw(TABLE, "Jugador Afortunado", hit=False, seat=2),
        ask.Draw(TABLE, "Carta Mágica", hit=True),
        ask.Draw(TABLE, "Carta Mágica", hit=True, card="1h"),
        ask.Draw(TABLE, "Carta Mágica", hit=True, card="Th", seat=2),
        ask.Draw(TABLE, "Carta Mágica", hit=False, card="Th"),
    ],
    ids=[
        "no seat", "a seat without a bet", "a seat and a card", "a seat where none was hit", "no card", "no such card",
        "a card and a seat", "a card where none was hit",
    ],
)  # fmt: skip
def test_r30_a_draw_can_say_only_what_it_may(asked):
    floor = floor_with(LUCKY, CARD)
    floor.sealed({2: 2})

    assert floor.reason(asked) == "draw_impossible"


SECRET = sha256(SEED + bytes.fromhex(nonce_of(DAY))).digest()


def test_r30_the_seed_says_what_anybody_can_compute_who_knows_it():
    floor = floor_with({**LUCKY, "one_in": 3}, {**CARD, "one_in": 2})
    seen = Counter()
    for _ in range(40):
        floor.sealed({2: 2, 5: 1, 6: 1})
        for one in wanted_at(floor):
            said = what_the_seed_says(SEED, one)
            seen[one.prize.name, said.hit] += 1
            assert said.hit == is_hit(SECRET, one.label, one.prize.one_in)
            if said.hit and one.prize.name == "Carta Mágica":
                assert CARDS[said.card] == magic_card(SECRET, one.label) and said.seat == 0
            elif said.hit:
                assert said.seat == lucky_seat(SECRET, one.label, (2, 5, 6)) and said.card == ""
            else:
                assert (said.seat, said.card) == (0, "")
            floor.ask(said)
        floor.close_pass()

    assert min(seen.values()) > 0 and len(seen) == 4
    assert sum(fact.hit for fact in floor.heard(Drawn)) == seen["Jugador Afortunado", True] + seen["Carta Mágica", True]


def test_r30_a_chosen_seed_alone_tells_no_draw_of_the_day():
    """Who could plant the seed did not know the number that the opener's program would bring."""
    floor = floor_with({**LUCKY, "one_in": 3})
    floor.sealed({2: 2, 5: 1, 6: 1})
    (one,) = wanted_at(floor)
    asked = [one._replace(label=f"{one.label}/{number}") for number in range(60)]

    said = [
        [what_the_seed_says(SEED, it._replace(nonce=nonce)) for it in asked] for nonce in ("", "aa" * 32, "bb" * 32)
    ]
    assert said[0] != said[1] != said[2] != said[0]
    assert one.nonce == nonce_of(DAY)


def test_r30_a_prize_of_the_day_falls_in_the_first_pass_sealed_after_its_moment():
    moment = number_below(SECRET, f"{DAY}/pozo/Hora Feliz/moment", 120 * 60_000)
    for wait, falls in ((moment - 60_000, False), (moment + 60_000, True)):
        floor = floor_with(HOUR)
        floor.ask(ask.LookAtClock(), after=wait)
        floor.sealed({3: 2})
        (one,) = wanted_at(floor)

        assert one.since_opening == floor.table().sealed_at - floor.state.day.opened
        assert what_the_seed_says(SEED, one) == ask.Draw(TABLE, "Hora Feliz", falls, 3 if falls else 0)


def test_r30_the_moment_itself_is_not_before_the_moment():
    floor = floor_with(HOUR)
    floor.sealed({3: 2})
    (one,) = wanted_at(floor)
    moment = number_below(SECRET, one.moment, 120 * 60_000)

    assert [what_the_seed_says(SEED, one._replace(since_opening=moment + late)).hit for late in (-1, 0, 1)] == [
        False,
        True,
        True,
    ]


def test_r29_a_prize_of_the_day_falls_once_in_each_pot():
    floor = Floor(plan(prizes=[HOUR, LUCKY], tables={TABLE: "draw", "B-1": "draw"}))
    floor.stage(plan("otro", prizes=[HOUR], tables={"X-1": "draw"}))
    for table in (TABLE, "B-1", "X-1"):
        floor.sealed({1: 2}, table)
    floor.draw("Hora Feliz", seat=1)

    assert [floor.table(name).draws for name in (TABLE, "B-1", "X-1")] == [("Jugador Afortunado",)] * 2 + [
        ("Hora Feliz",)
    ]
    assert (floor.pot().moments_given, floor.pot("otro").moments_given) == (("Hora Feliz",), ())


def test_r30_a_void_hand_after_the_seal_takes_no_part_in_a_draw_that_is_still_due():
    floor = floor_with(LUCKY)
    floor.sealed({2: 2, 5: 1})
    floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))

    assert wanted_at(floor)[0].seats == (5,)
    assert floor.reason(ask.Draw(TABLE, "Jugador Afortunado", hit=True, seat=2)) == "draw_impossible"
    floor.draw("Jugador Afortunado", seat=5)


def test_r29_a_complementary_prize_does_not_count_as_the_claim_of_its_pass():
    floor = floor_with(LUCKY)
    floor.sealed({2: 2})
    floor.draw("Jugador Afortunado", seat=2)

    assert floor.claim((2, "full"))[0].claim == "DP-01/1/1"
    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(2, "full")]), CARLA)) == "claim_stands"
    floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    assert floor.at("held:pozo") == 200_000
