"""Previews: what an act would do is what it does, nothing is done by looking, and other amounts are seen as such."""

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core import inputs as ask
from controller.core.ahead.preview import shown_anew
from controller.core.facts import CreditsBought, Refused
from controller.core.people import SOMEBODY
from controller.core.values import Loss, Refund
from controller.rules.refusal import Reason
from support.core.core_histories import History
from support.core.linked_floors import Linked, shared
from support.core.looking import alone, looked, preview_at, seen, unnamed
from support.floor.floor import (
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    POKER,
    ROYAL,
    RULESETS,
    STRAIGHT_FLUSH,
    TABLE,
    Floor,
    hands_of,
    plan,
    prize,
    with_reading,
)
from support.laws import naming

write = msgspec.json.encode
LOOKED_AT = ("table", "claim", "award")


def sealed(bets=None, **how):
    floor = Floor(**how)
    floor.sealed(bets or {1: 2, 2: 3, 3: 2, 4: 1})
    return floor


def registers(*hands, table=TABLE, **more):
    return ask.RegisterClaim(table, hands_of(hands), CARLA, **more)


# What is seen is what is done


def is_looked_at(asked):
    by = getattr(asked, "by", None)
    return by is not None and any(hasattr(asked, name) for name in LOOKED_AT)


@given(st.integers(0, 2**64), st.sampled_from([0, 0.1]))
@pytest.mark.campaign
def test_r20_what_an_act_would_do_is_what_it_does_and_looking_changes_nothing(seed, nonsense):
    history = History(random.Random(seed), nonsense)
    floor, act = history.floor, history.floor.ask

    def looks_first(asked, *, after=1_000):
        if not is_looked_at(asked):
            return act(asked, after=after)
        before, state, record = write(floor.state), floor.state, len(floor.record)
        same, one = looked(floor, asked, after=after), looked(floor, alone(asked), after=after)
        assert (write(floor.state), len(floor.record)) == (before, record)

        facts = act(asked, after=after)
        assert same.facts == facts or SOMEBODY.person in str(same.facts)
        if isinstance(facts[-1], Refused):
            return facts
        assert same.preview == preview_at(state, floor.now, facts)
        assert one.preview.sees == same.preview.sees
        assert unnamed(one.facts) == unnamed(facts)
        return facts

    floor.ask = looks_first
    for _ in range(60):
        history.step()


# How the amounts come about


def test_r13_r20_winners_of_three_categories_in_paying_order_with_their_arithmetic():
    floor = sealed(document=plan(base=5_000_000))
    before = floor.pot()
    asked = registers((4, ROYAL), (3, "color"), (1, STRAIGHT_FLUSH), (2, "color"))

    preview = seen(floor, asked)

    told = [(one.award, one.seat, one.amount, one.rules) for one in preview.awards]
    assert told == [
        ("DP-01/1/1/1", 2, 150_000, ("R-11", "R-14")),
        ("DP-01/1/1/2", 3, 100_000, ("R-11", "R-14")),
        ("DP-01/1/1/3", 1, 475_576, ("R-11", "R-15")),
        ("DP-01/1/1/4", 4, 4_280_184, ("R-11", "R-15")),
    ]
    color, _, flush, royal = [one.reckoning for one in preview.awards]
    assert (color.pays, color.bet, color.left, color.total) == ("50 x", 3_000, 5_005_760, 0)
    assert (flush.pays, flush.left, flush.of, flush.total, flush.among, flush.cap) == (
        "10 %, máx. 5.000 veces", 4_755_760, 4_755_760, 475_576, 1, 0,
    )  # fmt: skip
    assert (royal.pays, royal.left, royal.total) == ("100 %", 4_280_184, 4_280_184)
    assert (preview.table, preview.number, preview.pot) == (TABLE, 1, "pozo")
    assert (preview.before.main, preview.after.main) == (before.main, 5_000_000)
    assert floor.pot() is before and not floor.state.claims

    (fact,) = floor.ask(asked)
    assert [(one.seat, one.amount, one.parts, one.house) for one in fact.awards] == [
        (one.seat, one.amount, one.parts, one.house) for one in preview.awards
    ]
    assert preview.after == fact.after


def test_r16_r17_a_percentage_says_among_how_many_and_the_cap_that_cut_it():
    floor = sealed({1: 1, 2: 5}, document=plan(base=190_000_000))
    second = ("5h", "6h", "7h", "8h", "9h")

    preview = seen(floor, registers((1, STRAIGHT_FLUSH), (2, second)))

    poor, rich = preview.awards
    assert (poor.amount, poor.reckoning.cap, poor.reckoning.among) == (5_000_000, 5_000_000, 2)
    assert poor.rules == ("R-11", "R-15", "R-16", "R-17")
    assert (rich.amount, rich.reckoning.cap) == (rich.reckoning.total // 2, 0)


@pytest.mark.parametrize(
    ("reading", "cap"), [("each_winner", 25_000_000), ("category", 5_000_000)], ids=["his own", "the smallest"]
)
def test_r33_the_cap_is_that_of_the_reading(reading, cap):
    law = with_reading(cap=reading)
    floor = sealed({1: 1, 2: 5}, document=plan(base=900_000_000), ruleset=law)
    second = ("5h", "6h", "7h", "8h", "9h")

    _, rich = seen(floor, registers((1, STRAIGHT_FLUSH), (2, second))).awards

    assert rich.reckoning.cap == cap


def test_r33_100_percent_is_taken_of_what_no_cap_had_cut_where_the_law_reads_it_so():
    law = with_reading(real_after_cap="uncut")
    floor = sealed({1: 1, 2: 1}, document=plan(base=190_000_000), ruleset=law)

    flush, royal = seen(floor, registers((1, STRAIGHT_FLUSH), (2, ROYAL))).awards

    assert (flush.amount, flush.reckoning.cap) == (5_000_000, 5_000_000)
    assert royal.reckoning.of == royal.reckoning.total == royal.amount < royal.reckoning.left


def test_r32_who_is_paid_nothing_is_told_before_it_is_registered():
    preview = seen(sealed(), registers((1, "full", "folded"), (2, "color")))

    assert [(one.seat, one.reason) for one in preview.unpaid] == [(1, "folded"), (3, "no_claim"), (4, "no_claim")]


def test_r20_a_far_pots_percentage_waits_and_what_is_certain_has_its_amount():
    nodes = Linked({"dueno": "", "casino": "dueno"})
    document = shared((TABLE, "draw", "central", "casino"))
    for node in ("dueno", "casino"):
        nodes[node].open_day()
    nodes["dueno"].offer(document)
    nodes.calm()
    floor = nodes["casino"]
    floor.sealed({1: 2, 2: 2})
    nodes.calm()

    preview = seen(floor, registers((1, "full"), (2, STRAIGHT_FLUSH)))

    certain, waiting = preview.awards
    assert (certain.amount, certain.waits, certain.reckoning.pays, certain.reckoning.bet) == (
        200_000, False, "100 x", 2_000,
    )  # fmt: skip
    assert (waiting.amount, waiting.waits) == (0, True)


# Awards, corrections, voids


def test_r21_an_award_is_seen_with_its_amount_before_it_is_confirmed_or_paid():
    floor = sealed()
    floor.claim((1, "full"))

    confirmed = seen(floor, ask.ConfirmAward("DP-01/1/1/1", JEFA))
    assert (confirmed.two, [(one.seat, one.amount) for one in confirmed.awards]) == (True, [(1, 200_000)])
    assert (confirmed.table, confirmed.number, confirmed.pot) == (TABLE, 1, "pozo")
    assert looked(floor, ask.PayAward("DP-01/1/1/1", CARLA)).facts[-1].reason == Reason.NOT_CONFIRMED.code
    floor.ask(ask.ConfirmAward("DP-01/1/1/1", JEFA, JEFE))
    paid = seen(floor, ask.PayAward("DP-01/1/1/1", CARLA))
    assert (paid.two, paid.awards[0].amount, paid.awards[0].handed) == (False, 200_000, 200_000)


def test_r36_who_registered_and_confirms_sees_that_a_second_person_must_sign():
    floor = Floor(plan(alone=500_000))
    floor.sealed({1: 2})
    floor.ask(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), JEFE))

    assert seen(floor, ask.ConfirmAward("DP-01/1/1/1", JEFE)).two
    assert not seen(floor, ask.ConfirmAward("DP-01/1/1/1", JEFA)).two


def test_r34_a_correction_by_one_shows_what_it_takes_and_what_it_adds():
    floor = sealed()
    floor.claim((1, "full"), (2, "color"))
    floor.pay("DP-01/1/1/1")
    asked = ask.CorrectClaim(TABLE, 1, hands_of([(1, "full"), (3, "color")]), "era la 3", CARLA)

    preview = seen(floor, asked)

    assert preview.two
    assert preview.lost == (Loss("DP-01/1/1/1", 150_000),)
    assert [(one.seat, one.amount, one.reckoning) for one in preview.awards] == [(3, 100_000, None)]
    assert preview.before == preview.after or preview.after.main > preview.before.main
    assert SOMEBODY.person in str(looked(floor, asked).facts)


def test_r25_a_void_shows_what_goes_back_what_is_cancelled_and_the_prizes_that_stay():
    floor = Floor(plan(prizes=(prize("Jugador"),)), RULESETS["scj-2023"])
    floor.sealed({1: 2, 2: 3})
    floor.draw("Jugador", seat=2)
    floor.claim((1, "full"))

    preview = seen(floor, ask.VoidHand(TABLE, 1, "cartas", DIEGO))

    assert preview.cancelled == ("DP-01/1/1/1",)
    assert preview.refunds == (Refund(1, cash=2_000),)
    assert [(one.award, one.amount) for one in preview.untouched] == [("DP-01/1/p1/1", 15_000)]
    assert [(one.seat, one.credits, one.bet, one.unsigned) for one in preview.seats] == [(1, 2, 0, 2_000)]
    whole = seen(floor, ask.VoidPass(TABLE, "cartas", JEFE))
    assert (len(whole.refunds), whole.untouched) == (2, ())


def test_r6_a_bet_that_goes_back_because_its_lamp_is_dark_is_seen_before():
    floor = Floor()
    floor.open_pass()
    floor.bet(1, 2, lit=False)

    assert seen(floor, ask.LampDark(TABLE, 1, CARLA)).refunds == (Refund(1, cash=2_000),)


def test_r29_a_shown_card_shows_its_prize():
    card = prize("Carta", drawn="card")
    floor = Floor(plan(prizes=(card,)), naming(RULESETS["scj-2023"], "Carta"))
    floor.sealed({1: 2})
    floor.draw("Carta", card="Th")

    (shown,) = seen(floor, ask.ShowCard(TABLE, "Carta", 1, CARLA)).awards
    assert (shown.award, shown.seat, shown.prize, shown.amount) == ("DP-01/1/p1/1", 1, "Carta", 15_000)


def test_r2_credits_show_the_new_balance():
    floor = Floor()
    floor.buy(3, 4)

    preview = seen(floor, ask.BuyCredits(TABLE, 3, 6, CARLA))

    assert [(one.seat, one.credits) for one in preview.seats] == [(3, 10)]
    assert looked(floor, ask.BuyCredits(TABLE, 3, 6, CARLA)).facts == (CreditsBought(TABLE, 3, 6_000, "carla"),)
    assert preview.before is None and floor.seat(3).credits == 4_000


def test_r36_in_training_the_copy_is_looked_at_and_said_by_its_own_names():
    floor = Floor()
    started = seen(floor, ask.StartTraining(TABLE, CARLA, SOMEBODY))
    assert (started.two, started.before) == (True, None)
    floor.ask(ask.StartTraining(TABLE, CARLA, JEFA))
    floor.sealed({1: 2})

    preview = seen(floor, registers((1, "full")))

    assert (preview.table, preview.pot, preview.awards[0].amount) == (TABLE, TABLE, 200_000)
    floor.close_pass()
    assert seen(floor, ask.EndTraining(TABLE, JEFA)).seats == ()


# What is refused


@pytest.mark.parametrize(
    ("asked", "reason", "where"),
    [
        (registers((1, "full"), table="X"), Reason.TABLE_UNKNOWN, "table"),
        (registers((6, "full")), Reason.SEAT_DID_NOT_BET, "hands[0]"),
        (registers((1, ("Th", "Th", "2c", "3c", "4c"))), Reason.CARD_TWICE, "seats[0]"),
        (registers((1, "royal")), Reason.WORD_WRONG, "hands[0]"),
        (ask.ConfirmAward("DP-01/1/9/1", JEFA), Reason.AWARD_UNKNOWN, "award"),
        (ask.ConfirmAward("DP-01/1/9/1", CARLA), Reason.ROLE_MISSING, "by"),
        (ask.RejectClaim("DP-01/1/9", "no", JEFA, SOMEBODY), Reason.CLAIM_UNKNOWN, "claim"),
        (ask.RejectClaim("DP-01/1/9", "no", CARLA, SOMEBODY), Reason.ROLE_MISSING, "by"),
    ],
)
def test_a_refusal_is_seen_with_its_reason_its_place_and_nobodys_stand_in(asked, reason, where):
    floor = sealed()

    refused = looked(floor, asked).facts[-1]

    assert refused.reason == reason.code
    assert refused.where.startswith(where)
    assert refused.message and SOMEBODY.person not in refused.message


def test_r27_nobody_can_be_called_as_who_stands_in():
    floor = Floor()

    assert floor.reason(ask.OpenPass(TABLE, SOMEBODY)) == Reason.PERSON_UNKNOWN.code


# What was seen, and what is there by then


def test_r20_a_percentage_is_another_one_after_another_table_sealed_and_a_multiple_is_not():
    floor = sealed()
    full, flush = registers((1, "full")), registers((1, STRAIGHT_FLUSH))
    before = seen(floor, full).sees, seen(floor, flush).sees
    floor.sealed({1: 5}, table="GO-01")

    assert seen(floor, full).sees == before[0]
    assert seen(floor, flush).sees != before[1]


def test_r18_where_the_rule_of_an_amount_is_another_one_it_is_shown_anew():
    floor = sealed(document=plan(base=250_000))
    asked = registers((1, "full"))
    before = seen(floor, asked).sees
    floor.sealed({1: 2}, table="GO-01")
    floor.claim((1, "full"), table="GO-01")

    assert seen(floor, asked).awards[0].rules[-1] == "R-18"
    assert seen(floor, asked).sees != before


def test_r35_what_was_seen_of_one_pass_does_not_confirm_the_next_one():
    floor = sealed({1: 2})
    asked = registers((1, "full"))
    before = seen(floor, asked).sees
    floor.close_pass()
    floor.sealed({1: 2})

    assert seen(floor, asked).sees != before


def test_r2_credits_that_were_played_meanwhile_are_another_amount():
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 4)
    cash = ask.CashOut(TABLE, 1, CARLA)
    before = seen(floor, cash).sees
    floor.report(1, bets=2)

    assert seen(floor, cash).sees != before


def test_r20_what_was_seen_is_registered_and_with_anything_else_it_is_shown_anew():
    floor = sealed()
    before = floor.state
    facts, preview = looked(floor, registers((1, "full")))
    refused = looked(floor, registers((6, "full"))).facts

    floor.ask(registers((1, "full")))
    after = floor.state
    assert shown_anew(before, after, facts, preview.sees) is None
    assert shown_anew(before, after, facts, "0" * 32) == preview
    assert shown_anew(before, before, refused, "0" * 32) is None


def test_every_digest_is_of_one_act():
    floor = sealed()
    acts = [registers((seat, what)) for seat in (1, 2, 3, 4) for what in ("color", "full", POKER, ROYAL)]

    assert len({seen(floor, one).sees for one in acts}) == len(acts)


def test_r35_a_late_winner_is_seen_on_the_pot_of_his_pass_before_he_is_registered():
    floor = sealed()
    floor.close_pass()
    floor.sealed({1: 5}, table="GO-01")
    asked = registers((1, STRAIGHT_FLUSH), number=1)

    preview = seen(floor, asked)

    assert [(one.award, one.seat, one.amount) for one in preview.awards] == [("DP-01/1/1/1", 1, 500_576)]
    assert (preview.two, preview.before.main - preview.after.main) == (False, 500_576)
    (fact,) = floor.ask(asked)
    assert [one.amount for one in fact.awards] == [500_576]


def test_r10_community_cards_make_the_hand_that_is_seen():
    floor = Floor()
    floor.sealed({1: 2, 2: 2}, "GO-01")
    hands = ((1, ("Th", "Jh", "Qh")), (2, "full"))

    preview = seen(floor, registers(*hands, table="GO-01", community=("Kh", "Ah")))

    assert [(one.seat, one.prize) for one in preview.awards] == [(2, "full"), (1, "escalera_real")]
