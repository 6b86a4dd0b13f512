"""R-34, R-35: what a correction says and leaves, to the last word of a refusal and the last field of its fact.

Each case here was found by changing the core in every small way (docs/mutants.md): it fails where one of those changes
is made.
"""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import ClaimRegistered, PlanTookEffect, PrizeGranted, Refused
from controller.core.machine import answer
from controller.core.state import AwardNow, Claim
from controller.core.values import Flow, Hit, RegisteredAward, Resettled
from support.floor.floor import (
    ANA,
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    POT,
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
from support.floor.told import follow, told
from support.laws import naming

ONE = "DP-01/1/1"
PRIZE = "DP-01/1/p1"
SECOND_ROYAL = ("Ts", "Js", "Qs", "Ks", "As")
SECOND_FLUSH = ("2h", "3h", "4h", "5h", "6h")
COLOR = ("2s", "4s", "6s", "8s", "9s")
FULL = ("2c", "2d", "2h", "3s", "3d")


def played(*hands, bets=None, **how):
    floor = Floor(**how)
    floor.sealed(bets or {1: 2, 2: 2})
    if hands:
        floor.claim(*hands)
    return floor


def drawn(*hands, seat=2, **how):
    """A pass whose prize fell on a seat."""
    floor = played(document=plan(prizes=[prize("Jugador", **how)]))
    floor.draw("Jugador", seat=seat)
    if hands:
        floor.claim(*hands)
    return floor


def closed(floor):
    floor.close_pass()
    return floor


def house(floor):
    return floor.at("house:pozo:central")


def over(floor):
    """The table has sealed its next pass."""
    floor.close_pass()
    floor.sealed({1: 1})
    return floor


def voided(floor):
    floor.ask(ask.VoidPass(TABLE, "baraja", JEFA))
    return floor


def rejected(floor, claim=ONE):
    floor.reject(claim)
    return floor


def correct(*hands, reason="cámara", second=JEFA, number=1, **how):
    return ask.CorrectClaim(TABLE, number, hands_of(hands), reason, CARLA, second, **how)


def entered(*hands, number=1):
    return ask.RegisterClaim(TABLE, hands_of(hands), CARLA, number=number)


def not_won(claim):
    return ask.RejectClaim(claim, "no se ve", JEFA, JEFE)


def anew(claim):
    return ask.GrantAnew(claim, "sí apostó", JEFA, JEFE)


REFUSALS = {
    "unknown pass": (played, correct((1, "full"), number=9), "number", "pase 9 de la mesa DP-01 con las apuestas"),
    "void pass": (lambda: voided(played()), correct((1, "full")), "number", "El pase 1 de la mesa DP-01 fue anulado"),
    "never registered": (played, correct((1, "full")), "number", "pase 1 de la mesa DP-01"),
    "as it was": (lambda: played((1, "full")), correct((1, "full")), "hands", "El pase 1 de la mesa DP-01 ya está así"),
    "no reason": (lambda: played((1, "full")), correct((2, "full"), reason=" "), "reason", "Falta el motivo."),
    "alone": (lambda: played((1, "full")), correct((2, "full"), second=None), "second", "dos personas"),
    "no cards": (lambda: over(played()), correct((2, "full")), "hands", "pagar a la posición 2 de un pase"),
    "no recording": (lambda: over(played()), correct((2, FULL)), "recording", "Falta el número de la grabación"),
    "long over": (lambda: over(played()), entered((1, "full")), "number", "El pase 1 ya no es el último de la mesa"),
    "it stands": (
        lambda: closed(played((1, "full"))),
        entered((1, "color")),
        "table",
        "ya están registrados (DP-01/1/1)",
    ),
    "no claim's name": (played, not_won("x"), "claim", "con el número x."),
    "no such claim": (played, not_won("DP-01/1/7"), "claim", "con el número DP-01/1/7."),
    "rejected already": (lambda: rejected(played((1, "full"))), not_won(ONE), "claim", "Los premios DP-01/1/1 fueron"),
    "no prize": (drawn, anew(ONE), "claim", "con el número DP-01/1/1."),
    "prize stands": (drawn, anew(PRIZE), "claim", "El premio DP-01/1/p1 no fue rechazado"),
    "no such prize": (drawn, not_won("DP-01/1/p7"), "claim", "con el número DP-01/1/p7."),
    "prize rejected": (lambda: rejected(drawn(), PRIZE), not_won(PRIZE), "claim", "Los premios DP-01/1/p1 fueron"),
    "no bet": (
        lambda: (floor := rejected(drawn(), PRIZE)).ask(ask.VoidHand(TABLE, 2, "x", CARLA)) and floor,
        anew(PRIZE),
        "claim",
        "La posición 2 no tiene una apuesta",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_r34_r35_a_refusal_names_what_is_wrong_and_where(case):
    floor, asked, where, says = REFUSALS[case]
    refused = floor().ask(asked)[-1]

    assert isinstance(refused, Refused)
    assert (refused.where, says in refused.message) == (where, True), refused


# Who, why and on what evidence


@pytest.mark.parametrize(
    ("floor", "asked", "says"),
    [
        (lambda: closed(played()), entered((1, "full")), ("", "carla", "", "", "")),
        (
            lambda: over(played()),
            correct((1, FULL), recording=" G-1 ", resolution=" Ord. 7 "),
            ("cámara", "carla", "jefa", "G-1", "Ord. 7"),
        ),
        (lambda: played((1, "full")), not_won(ONE), ("no se ve", "jefa", "jefe", "", "")),
        (lambda: rejected(drawn(), PRIZE), anew(PRIZE), ("sí apostó", "jefa", "jefe", "", "")),
        (lambda: played((1, "full")), ask.VoidPass(TABLE, "baraja", CARLA), ("baraja", "carla", "", "", "")),
    ],
    ids=["entered", "corrected", "rejected", "granted anew", "void"],
)
def test_r27_r34_a_correction_says_who_why_and_on_what_evidence(floor, asked, says):
    fact = floor().ask(asked)[0]

    assert (fact.reason, fact.by, fact.second, fact.recording, fact.resolution) == says


# What is told again


def owed(floor, claim):
    return sum(award.granted.amount for award in floor.state.claims[claim].awards.values() if not award.cancelled)


def moved(source, target, amount):
    return lambda floor: floor.ask(ask.MoveMoney(POT, source, target, amount, "Res. 4", ANA, LUIS))


def bet_and_void(floor):
    floor.sealed({1: 5, 2: 5}, OTHER)
    floor.ask(ask.VoidHand(OTHER, 2, "x", CARLA))


def void_all(floor):
    floor.sealed({1: 5, 2: 5}, OTHER)
    floor.ask(ask.VoidPass(OTHER, "x", JEFA))


def drawn_elsewhere(floor):
    floor.sealed({1: 1}, OTHER)
    floor.draw("Jugador", seat=1, table=OTHER)


def voided_with_its_prize(floor):
    floor.sealed({1: 1, 2: 1}, OTHER)
    floor.draw("Jugador", seat=1, table=OTHER)
    floor.claim((1, "color"), (2, "full"), table=OTHER)
    floor.ask(ask.VoidHand(OTHER, 1, "x", CARLA))


def nobody_won(floor):
    floor.sealed({1: 1}, OTHER)
    floor.draw("Jugador", hit=False, table=OTHER)
    floor.claim((1, "full", "folded"), table=OTHER)


BETWEEN = {
    "money in": moved("house", "main", 1_000_000),
    "money to the reserve": moved("main", "reserva", 700_000),
    "a void hand": bet_and_void,
    "a void pass": void_all,
    "a prize": drawn_elsewhere,
    "a void hand with a prize": voided_with_its_prize,
    "nobody won": nobody_won,
}
LAWS = {"": None, "a void undoes nothing": with_reading(void_undoes="nothing")}
OTHER, LAST = "DP-02", "DP-03"


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("hands", [[(1, "full")], [(1, ROYAL)]], ids=["full", "real"])
@pytest.mark.parametrize("ceiling", [None, 5_004_000])
def test_r34_what_came_between_counts_for_the_next_winner_and_for_the_pot(between, law, hands, ceiling):
    """A tenth of the pot is owed of the pot as it truly was, whatever was done to it since the pass that is rejected."""

    def evening(*wrong):
        tables = dict.fromkeys((TABLE, OTHER, LAST), "draw")
        how = {"prizes": [prize("Jugador", 30_000)], "tables": tables, "ceiling": ceiling}
        floor = Floor(plan(**how), LAWS[law])
        floor.sealed({1: 2, 2: 2})
        floor.draw("Jugador", hit=False)
        if wrong:
            floor.claim(*wrong)
        BETWEEN[between](floor)
        floor.sealed({1: 1}, LAST)
        floor.draw("Jugador", hit=False, table=LAST)
        floor.claim((1, STRAIGHT_FLUSH), table=LAST)
        if wrong:
            floor.reject(ONE)
        return floor

    floor, same = evening(*hands), evening()
    assert owed(floor, f"{LAST}/1/1") == owed(same, f"{LAST}/1/1")
    assert (floor.pot().main, floor.pot().reserves) == (same.pot().main, same.pot().reserves)
    assert house(floor) == house(same)


# Losses


def lost(fact):
    return [(loss.award, loss.amount) for loss in fact.lost]


def test_r34_what_was_paid_too_much_is_lost_once_award_by_award():
    """A seat was paid Full, then the rest of a Póker; it had Color, and in the end nothing."""
    floor = played((1, "full"))
    floor.pay(f"{ONE}/1")
    (fact,) = floor.correct(1, (1, POKER))
    assert [(one.number, one.amount) for one in fact.awards] == [(2, 800_000)]
    floor.ask(ask.PayAward(f"{ONE}/2", DIEGO)) if floor.held(f"{ONE}/2").confirmed else floor.pay(f"{ONE}/2")

    (fact,) = floor.correct(1, (1, "color"))
    assert lost(fact) == [(f"{ONE}/1", 200_000), (f"{ONE}/2", 700_000)]
    assert fact.flow.parts == {"main": 900_000}
    (fact,) = floor.correct(1, (1, "color"), (2, "color"))
    assert lost(fact) == [], "what was lost already is not lost again"
    (fact,) = floor.reject(ONE)
    assert (lost(fact), fact.cancelled) == ([(f"{ONE}/2", 100_000)], (f"{ONE}/3",))
    (fact,) = floor.correct(1, (1, "color"))
    assert lost(fact) == [(f"{ONE}/1", -100_000)], "what was true after all is taken back once"


def test_r34_what_was_said_to_be_lost_and_was_owed_after_all_is_no_loss():
    """Rejected for a card that was misread, then found to be true: the house lost nothing, and its books say so."""
    floor = played((1, "full"))
    floor.pay(f"{ONE}/1")
    before = floor.pot().main
    (fact,) = floor.correct(1, (1, "color"))
    assert lost(fact) == [(f"{ONE}/1", 100_000)]
    (fact,) = floor.correct(1, (1, "full"))

    assert (lost(fact), fact.awards, floor.pot().main) == ([(f"{ONE}/1", -100_000)], (), before)
    (fact,) = floor.correct(1, (1, "color"))
    assert lost(fact) == [(f"{ONE}/1", 100_000)], "said anew"


def test_r34_of_two_payments_the_true_one_is_taken_out_of_the_loss_first():
    floor = played((1, "full"))
    floor.pay(f"{ONE}/1")
    floor.correct(1, (1, POKER))
    floor.ask(ask.PayAward(f"{ONE}/2", DIEGO)) if floor.held(f"{ONE}/2").confirmed else floor.pay(f"{ONE}/2")
    (fact,) = floor.correct(1, (1, "color"))
    assert lost(fact) == [(f"{ONE}/1", 200_000), (f"{ONE}/2", 700_000)]
    (fact,) = floor.correct(1, (1, POKER))

    assert lost(fact) == [(f"{ONE}/2", -700_000), (f"{ONE}/1", -200_000)]


def test_r34_a_difference_of_one_unit_is_a_difference():
    """A Full was paid where a Straight Flush of 199,999 was true; a prize of 10 came out of the pot that pays a tenth."""
    floor = Floor(plan(base=1_000_000, commission=0, main=1_000_000, reserves={}, prizes=[prize("Jugador", 10)]))
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=2)
    floor.ask(ask.MoveMoney(POT, "house", "main", 1_999_999 - floor.pot().main, "Res. 4", ANA, LUIS))
    floor.claim((1, "full"))
    floor.close_pass()
    floor.pay(f"{ONE}/1")
    (fact,) = floor.correct(1, (1, STRAIGHT_FLUSH))
    assert (lost(fact), fact.awards) == ([(f"{ONE}/1", 1)], ())
    (fact,) = floor.correct(1, (1, "full"))
    assert (lost(fact), fact.awards) == ([(f"{ONE}/1", -1)], ())
    floor.correct(1, (1, STRAIGHT_FLUSH))

    (fact,) = floor.reject(PRIZE)
    assert fact.resettled == (), "200,000 are true now, and were paid"


def test_r34_who_lacks_one_unit_is_owed_it():
    floor = Floor(plan(base=1_000_000, commission=0, main=1_000_000, reserves={}, prizes=[prize("Jugador", 10)]))
    floor.sealed({1: 2})
    floor.draw("Jugador", seat=1)
    floor.sealed({1: 2}, "GO-01")
    floor.draw("Jugador", hit=False, table="GO-01")
    floor.claim((1, ("8h", "9h", "7h")), table="GO-01", community=("Th", "Jh"))
    (fact,) = floor.reject(PRIZE)
    (later,) = fact.resettled

    assert [(one.number, one.seat, one.amount) for one in later.awards] == [(2, 1, 1)]


def test_r34_who_was_paid_under_a_claim_that_was_rejected_is_owed_nothing_anew():
    floor = closed(played((1, "full")))
    floor.pay(f"{ONE}/1")
    floor.reject(ONE)
    before = house(floor)
    (fact,) = floor.correct(1, (1, "full"))
    assert (fact.claim, fact.awards, fact.flow.parts) == ("DP-01/1/2", (), {"main": -200_000})
    assert house(floor) == before + 200_000

    (fact,) = floor.correct(1, (1, "full"), (2, FULL))
    assert (fact.claim, [(one.number, one.seat) for one in fact.awards]) == ("DP-01/1/2", [(1, 2)])


# What a correction leaves


def test_r34_cards_that_were_wrong_are_put_right_where_nobody_is_owed_anything():
    floor = played((1, ROYAL))
    (fact,) = floor.correct(1, (1, SECOND_ROYAL))

    assert (fact.hands[0].cards, fact.awards, fact.cancelled, fact.flow) == (SECOND_ROYAL, (), (), Flow())
    assert (fact.since, floor.state.claims[ONE].hands, floor.table().hands) == (0, fact.hands, fact.hands)


def test_r34_a_later_winner_of_a_day_that_is_over_is_owed_again():
    """The real of the first table was false and is found so two days later; the other's casino is another."""
    tables = {TABLE: ("draw", "central"), "B": ("caribbean", "bahia")}
    floor = Floor(plan(tables=tables, commission=0, main=1_000_000, reserves={}, base=1_000_000, alone=10**12))
    floor.ask(ask.MoveMoney(POT, "house", "main", 8_998_000, "Res. 4", ANA, LUIS))
    floor.sealed({1: 2})
    floor.claim((1, ROYAL))
    floor.sealed({1: 1}, "B")
    floor.claim((1, STRAIGHT_FLUSH), table="B")
    since = floor.now
    for table, award in ((TABLE, f"{ONE}/1"), ("B", "B/1/1/1")):
        floor.close_pass(table)
        floor.pay(award)
        floor.report(1, table, bets=0)
        floor.ask(ask.CashOut(table, 1, CARLA)) if floor.seat(1, table).credits else None
    floor.close_day()
    floor.open_day("2026-11-19", bytes(range(32)))
    assert floor.state.claims == {}
    (fact,) = floor.reject(ONE)

    assert (lost(fact), fact.since, fact.confirmed) == ([(f"{ONE}/1", 10_000_000)], 0, False)
    award = RegisteredAward(2, 1, "escalera_color", 1_000_100 - 100_100, rules=("R-11", "R-15", "R-34"))
    assert fact.resettled == (Resettled("B/1/1", "B", 1, "bahia", (award,), since),)
    held = AwardNow(award, since=since, entered=("jefa", "jefe"))
    assert floor.state.claims == {"B/1/1": Claim("B/1/1", "B", "bahia", POT, 1, since, (), {"B/1/1/2": held})}
    assert floor.pot().meters.last[-1] == Hit(floor.now, "B/1/1/2", "escalera_color", 900_000)
    assert floor.reason(not_won(ONE)) == "claim_rejected"

    # What was settled again counts when it is settled once more.
    (fact,) = floor.correct(1, (1, ROYAL))
    assert (fact.awards, fact.resettled) == ((), ())
    (fact,) = floor.reject(fact.claim)
    assert (fact.resettled, floor.pot().main) == ((), 10_001_000 - 1_000_100)


def test_r34_a_late_winner_is_owed_again_too_and_has_his_own_time():
    floor = Floor(plan(tables={TABLE: "draw", "B": ("caribbean", "bahia")}))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, ROYAL))
    floor.sealed({1: 1, 2: 1}, "B")
    floor.close_pass("B")
    floor.sealed({1: 1}, "B")
    (late,) = floor.correct(1, (1, STRAIGHT_FLUSH), table="B")
    since = floor.now
    assert (late.claim, late.since, late.awards[0].rules[-1]) == ("B/1/1", since, "R-34")
    assert (floor.state.claims["B/1/1"].by, floor.state.claims["B/1/1"].at) == ("carla", since)
    (again,) = floor.correct(1, (1, STRAIGHT_FLUSH), (2, SECOND_FLUSH), table="B")
    assert again.since == floor.now, "who is found later has his own time"
    floor.ask(ask.MoveMoney(POT, "house", "main", 1_000_000, "Res. 4", ANA, LUIS))
    (fact,) = floor.reject(ONE)
    (one,) = fact.resettled

    assert (one.claim, one.casino, one.since) == ("B/1/1", "bahia", since)


def test_r29_r34_a_prize_is_put_right_at_its_own_place():
    floor = drawn((1, "full"))
    (fact,) = floor.reject(PRIZE)
    assert (fact.place, fact.hands, fact.community) == (place(floor, PRIZE), (), ())
    (fact,) = floor.ask(anew(PRIZE))

    assert (fact.since, fact.awards[0].rules) == (floor.now, ("R-29", "R-34"))
    assert not floor.state.claims[PRIZE].rejected
    assert floor.held(f"{PRIZE}/2") == AwardNow(
        fact.awards[0], confirmed="jefa", second="jefe", since=floor.now, entered=("jefa", "jefe")
    )


def place(floor, claim):
    return 1 + next(at for at, (_, fact) in enumerate(floor.record) if getattr(fact, "claim", "") == claim)


@pytest.mark.parametrize("by_hand", [closed, lambda floor: floor])
def test_r21_r34_more_for_a_winner_who_was_known_runs_from_the_first_registration(by_hand):
    floor = played((1, "color"))
    since = floor.now
    (fact,) = by_hand(floor).correct(1, (1, FULL))

    assert (fact.since, fact.cancelled, fact.awards[0].amount) == (since, (f"{ONE}/1",), 200_000)
    assert floor.held(f"{ONE}/2") == AwardNow(
        fact.awards[0], confirmed="carla", second="jefa", since=since, entered=("carla", "jefa")
    )


def test_r33_of_whom_the_house_paid_late_a_rejected_prize_says_nothing():
    document = plan(prizes=[prize("Jugador")])
    floor = Floor(document, with_reading(late_from="house"))
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=2)
    floor.claim((1, "color"))
    floor.close_pass()
    (fact,) = floor.correct(1, (1, "color"), (2, ROYAL))
    assert fact.late == (2,)
    (fact,) = floor.reject(PRIZE)

    assert (fact.late, fact.flow.parts) == ((), {"main": 15_000})


def test_r29_r34_promotional_credits_that_were_paid_and_rejected_may_be_said_to_be_true_again():
    floor = played(document=plan(prizes=[prize("Estrella", 5_000, paid_in="promotional_credits", source="house")]))
    floor.draw("Estrella", seat=2)
    floor.close_pass()
    floor.pay(f"{PRIZE}/1")
    floor.reject(PRIZE)
    assert floor.state.claims[PRIZE].rejected
    (fact,) = floor.ask(anew(PRIZE))

    assert (fact.awards, fact.flow, fact.claim) == ((), Flow(), PRIZE)


def test_r29_r34_a_prize_of_one_unit_that_was_paid_and_rejected_is_rejected():
    floor = closed(drawn(amount=1))
    floor.pay(f"{PRIZE}/1")
    (fact,) = floor.reject(PRIZE)
    assert (lost(fact), fact.flow) == ([(f"{PRIZE}/1", 1)], Flow({"main": 1}, -1))

    assert floor.reason(not_won(PRIZE)) == "claim_rejected"
    (fact,) = floor.ask(anew(PRIZE))
    assert (lost(fact), fact.flow) == ([(f"{PRIZE}/1", -1)], Flow({"main": -1}, 1))
    assert not floor.state.claims[PRIZE].rejected
    (fact,) = floor.reject(PRIZE)
    assert lost(fact) == [(f"{PRIZE}/1", 1)], "on its own day, too"


def test_r29_promotional_credits_of_the_first_reading_were_paid_at_once():
    floor = played((1, "full"))
    floor.hear(PrizeGranted(PRIZE, TABLE, 1, POT, "central", "x", 2, 5_000, Flow(), promo=True), floor.now)
    (fact,) = floor.reject(PRIZE)

    assert (lost(fact), fact.cancelled, fact.flow) == ([(f"{PRIZE}/1", 5_000)], (), Flow())


def test_r24_r34_what_passed_the_ceiling_is_said_of_every_sealed_table_and_seat():
    tables = dict.fromkeys((TABLE, OTHER, LAST), "draw")
    floor = Floor(plan(ceiling=5_001_500, tables=tables))
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.sealed({1: 2, 2: 1}, OTHER)
    floor.sealed({1: 3}, LAST)
    (fact,) = floor.reject(ONE)

    assert fact.overflows == ((OTHER, 1, 1_380), (OTHER, 2, 720), (LAST, 1, 2_160))
    assert [bet.overflow for bet in floor.table(OTHER).bets] == [1_380, 720]
    assert [bet.overflow for bet in floor.table(LAST).bets] == [2_160]


def test_r32_community_cards_that_were_wrong_are_put_right_on_the_table():
    floor = Floor()
    floor.sealed({1: 2}, "GO-01")
    floor.claim((1, ("Qh", "Kh", "Ah")), table="GO-01", community=("Th", "Jh"))
    (fact,) = floor.correct(1, (1, ("Qs", "Ks", "As")), table="GO-01", community=("Ts", "Js"))

    assert (fact.community, floor.table("GO-01").community) == (("Ts", "Js"), ("Ts", "Js"))


def test_r32_who_has_no_bet_is_told_who_has():
    floor = played(bets={1: 2, 2: 2})
    nobody = Floor()
    nobody.open_pass()
    nobody.lock()
    for where, seats in ((floor, "1, 2"), (nobody, "ninguna")):
        refused = where.ask(entered((5, "full"), number=0))[-1]
        assert refused.message == (
            f"La posición 5 no apostó en este pase: no se anotó nada. Apuesta válida tienen: {seats}. Revise la posición."
        )
        assert refused.where == "hands[0]"
    closed(floor)
    refused = floor.ask(entered((1, "full"), (5, FULL)))[-1]
    assert (refused.where, "Apuesta válida tienen: 1, 2." in refused.message) == ("hands[1]", True)
    refused = floor.ask(ask.RegisterClaim(TABLE, hands_of([(1, FULL)]), CARLA, ("xx",), number=1))[-1]
    assert (refused.where, refused.message[:4]) == ("community", "'xx'")


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ((1, "full", "voló"), "'voló' no es una palabra conocida aquí; son: bought, exchanged, folded"),
        ((1, "pareja"), "'pareja' no es una palabra conocida aquí; son: escalera, color, "),
        ((1, ("1h",) * 5), "'1h' no es una carta"),
    ],
    ids=["act", "category", "card"],
)
def test_r8_r32_a_word_that_is_not_known_is_named_with_those_that_are(hand, says):
    refused = played().ask(entered((2, "color"), hand, number=0))[-1]

    assert (refused.where, refused.message[: len(says)]) == ("hands[1]", says)


def test_r29_r32_a_card_that_another_showed_is_named():
    floor = Floor(plan(prizes=[prize("Carta", drawn="card")]), naming(RULESETS["scj-2023"], "Carta"))
    floor.sealed({1: 2, 2: 2})
    floor.draw("Carta", card="Ah")
    floor.ask(ask.ShowCard(TABLE, "Carta", 2, CARLA))
    refused = floor.ask(entered((1, ROYAL), number=0))[-1]

    assert (refused.reason, refused.where) == ("card_shown", "hands")
    assert refused.message.startswith("La posición 2 ganó un premio con la carta Ah")


# What a claim leaves


def test_r20_a_claim_stands_in_the_state_with_all_that_is_said_of_it():
    floor = played((1, "full"), (2, "color"))
    (fact,) = floor.heard(ClaimRegistered)
    hits = [Hit(floor.now, f"{ONE}/{one.number}", one.prize, one.amount) for one in fact.awards]
    awards = {f"{ONE}/{one.number}": AwardNow(one, since=floor.now, entered=("carla",)) for one in fact.awards}

    assert [one.rules for one in fact.awards] == [("R-11", "R-14")] * 2
    assert floor.state.claims[ONE] == Claim(ONE, TABLE, "central", POT, 1, floor.now, fact.hands, awards, by="carla")
    assert list(floor.pot().meters.last) == hits
    assert floor.pot().meters.base_put_in == 5_000_000
    refused = floor.ask(entered((2, "full"), number=0))[-1]
    assert (refused.reason, refused.where, "(DP-01/1/1)" in refused.message) == ("claim_stands", "table", True)


def test_r20_r29_a_prize_stands_in_the_state_with_all_that_is_said_of_it():
    floor = drawn()
    award = RegisteredAward(1, 2, "Jugador", 15_000, {"main": 15_000}, rules=("R-29",))
    held = {f"{PRIZE}/1": AwardNow(award, since=floor.now)}

    assert floor.state.claims == {
        PRIZE: Claim(PRIZE, TABLE, "central", POT, 1, floor.now, (), held, prize=True, paid_in="cash")
    }


def test_r5_hands_before_the_seal_are_refused_at_their_table():
    floor = Floor()
    floor.open_pass()
    refused = floor.ask(entered((1, "full"), number=0))[-1]

    assert (refused.reason, refused.where) == ("not_locked", "table")


def test_r34_an_inquiry_that_was_overtaken_says_where():
    for asked, where in (
        (not_won(ONE), "claim"),
        (ask.VoidPass(TABLE, "x", JEFA), "table"),
        (correct((2, "color")), "table"),
    ):
        floor = played((1, "full"))
        inquiry = told(floor.state, asked, floor.record)
        floor.correct(1, (2, "full"))
        follow(inquiry, floor.record)
        refused = answer(floor.state, asked, floor.now, inquiry)[-1]
        assert (refused.reason, refused.where) == ("ask_again", where)


def test_r34_what_was_settled_again_and_paid_is_paid():
    floor = Floor(plan(tables=dict.fromkeys((TABLE, OTHER), "draw")))
    floor.sealed({1: 2})
    floor.claim((1, ROYAL))
    floor.sealed({1: 2, 2: 2}, OTHER)
    floor.ask(ask.MoveMoney(POT, "house", "main", 1_000_000, "Res. 4", ANA, LUIS))
    floor.claim((1, STRAIGHT_FLUSH), table=OTHER)
    floor.correct(1, (1, "color"))
    (fact,) = floor.reject(ONE)
    (later,) = fact.resettled
    award = f"{OTHER}/1/1/{later.awards[0].number}"
    floor.pay(award)
    (fact,) = floor.reject(f"{OTHER}/1/1")

    assert lost(fact) == [(award, later.awards[0].amount)]


def test_r34_who_was_paid_under_a_rejected_claim_is_owed_more_under_the_one_that_stands():
    floor = Floor(plan(tables=dict.fromkeys((TABLE, OTHER), "draw")))
    floor.sealed({1: 2}, OTHER)
    floor.claim((1, "full"), table=OTHER)
    floor.sealed({1: 2})
    floor.claim((1, STRAIGHT_FLUSH))
    floor.close_pass()
    floor.pay(f"{ONE}/1")
    floor.reject(ONE)
    (anew_,) = floor.correct(1, (1, STRAIGHT_FLUSH))
    since = floor.now
    assert (anew_.claim, anew_.awards, anew_.since) == ("DP-01/1/2", (), 0)
    (fact,) = floor.reject(f"{OTHER}/1/1")
    (later,) = fact.resettled

    assert (later.claim, later.since, later.awards[0].amount) == ("DP-01/1/2", since, 20_000)


def test_r34_who_was_given_less_then_gains_only_what_the_correction_gives_him():
    """A claim on record that today's reading would settle higher stands as it was settled."""
    floor = Floor(plan(tables=dict.fromkeys((TABLE, OTHER), "draw")))
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.sealed({1: 2}, OTHER)
    asked = ask.RegisterClaim(OTHER, hands_of([(1, STRAIGHT_FLUSH)]), CARLA)
    (claimed,) = answer(floor.state, asked, floor.now, None)
    (award,) = claimed.awards
    less = replace(award, amount=award.amount - 100_000, parts={"main": award.amount - 100_000})
    after = replace(claimed.after, main=claimed.after.main + 100_000)
    floor.hear(replace(claimed, awards=(less,), after=after), floor.now)
    (fact,) = floor.reject(ONE)

    assert [one.amount for one in fact.resettled[0].awards] == [20_000]


def test_r25_r29_a_prize_that_is_void_with_its_hand_is_rejected():
    floor = drawn((1, "full"), (2, "color"))
    floor.ask(ask.VoidHand(TABLE, 2, "x", CARLA))

    assert (floor.state.claims[PRIZE].rejected, floor.state.claims[ONE].rejected) == (True, False)
    assert floor.reason(not_won(PRIZE)) == "claim_rejected"


def test_r32_hands_of_a_pass_that_is_over_are_not_those_on_the_table():
    floor = closed(played((1, "full")))
    floor.sealed({1: 2})
    floor.claim((1, "color"))
    floor.correct(1, (1, "full"), (2, FULL))

    assert [hand.claimed for hand in floor.table().hands] == ["color"]


def test_r29_a_prize_that_is_called_like_a_category_is_another_thing():
    floor = Floor(plan(prizes=[prize("full", drawn="card")]), naming(RULESETS["scj-2023"], "full"))
    floor.sealed({1: 2, 2: 2})
    floor.draw("full", card="9h")
    floor.claim((1, "color"))
    before = floor.table().cards, floor.table().shown
    (fact,) = floor.correct(1, (1, "color"), (2, "full"))

    assert fact.awards[0].prize == "full"
    assert (floor.table().cards, floor.table().shown) == before


def day_over(floor):
    floor.close_pass()
    for seat in (1, 2):
        floor.report(seat, bets=0)
        floor.ask(ask.CashOut(TABLE, seat, CARLA)) if floor.seat(seat).credits else None
    floor.close_day()
    floor.open_day("2026-11-19", bytes(range(32)))
    return floor


def test_r21_r34_a_claim_that_comes_back_after_its_day_keeps_its_first_time():
    floor = played((1, "color"))
    since = floor.now
    floor.close_pass()
    floor.pay(f"{ONE}/1")
    floor.open_pass()
    floor.ask(ask.VoidPass(TABLE, "x", CARLA))
    for seat in (1, 2):
        floor.report(seat, bets=0)
        floor.ask(ask.CashOut(TABLE, seat, CARLA)) if floor.seat(seat).credits else None
    floor.close_day()
    floor.open_day("2026-11-19", bytes(range(32)))
    assert ONE not in floor.state.claims
    (fact,) = floor.correct(1, (1, FULL))

    assert (fact.since, floor.state.claims[ONE].at, [one.amount for one in fact.awards]) == (since, since, [100_000])


def test_r21_r34_more_for_a_late_winner_runs_from_when_it_was_found():
    floor = over(played())
    floor.correct(1, (1, COLOR))
    (fact,) = floor.correct(1, (1, FULL))

    assert fact.since == floor.now


def test_r29_half_of_the_reserve_and_half_of_the_house_is_money_all_the_same():
    floor = drawn(amount=640, source="reserva")
    assert floor.heard(PrizeGranted)[0].flow == Flow({"reserva": -320}, -320)
    day_over(rejected(floor, PRIZE))
    assert PRIZE not in floor.state.claims
    (fact,) = floor.ask(anew(PRIZE))

    assert (fact.flow, floor.state.claims[PRIZE].paid_in) == (Flow({"reserva": -320}, -320), "cash")
    assert (floor.state.claims[PRIZE].hands, floor.state.claims[PRIZE].at) == ((), floor.now)


def test_r29_what_a_prize_was_paid_in_that_the_plan_has_no_more_is_not_said():
    floor = closed(rejected(drawn(), PRIZE))
    floor.stage(plan(resolution="Res. 9"))
    day_over(floor)
    assert PRIZE not in floor.state.claims
    floor.ask(anew(PRIZE))

    assert floor.state.claims[PRIZE].paid_in == ""


def test_r29_what_a_prize_of_the_first_reading_was_paid_in_is_not_said_anew():
    floor = played(document=plan(prizes=[prize("Jugador")]))
    flow = Flow({"main": -15_000})
    floor.hear(PrizeGranted(PRIZE, TABLE, 1, POT, "central", "Jugador", 2, 15_000, flow, held=True), floor.now)
    floor.reject(PRIZE)
    floor.ask(anew(PRIZE))

    assert floor.state.claims[PRIZE].paid_in == ""


def test_r19_a_pot_without_a_base_gets_none_back():
    floor = Floor(plan(base=0))
    floor.sealed({1: 2})
    (fact,) = floor.claim((1, ROYAL))

    assert (fact.base_back, floor.pot().meters.base_put_in) == (Flow(), 0)


class AtOnce(Floor):
    """Everything in one millisecond."""

    def ask(self, asked, *, after=0):
        return super().ask(asked, after=after)


def test_r36_a_pass_of_the_day_is_of_the_day_from_its_first_instant():
    floor = AtOnce()
    floor.sealed({1: 2})
    floor.claim((1, "color"))
    (fact,) = floor.correct(1, (1, FULL))

    assert fact.confirmed


# A pot that has too little


def thin(*wrong, main, between, hands=POKER):
    """A pot without a base, in which a Póker of a million is won where one telling has it and the other has not."""
    floor = Floor(plan(base=0, tables=dict.fromkeys((TABLE, OTHER, LAST), "draw")))
    floor.sealed({1: 2, 2: 2})
    floor.ask(ask.MoveMoney(POT, "house", "main", main - floor.pot().main, "Res. 4", ANA, LUIS))
    floor.ask(ask.MoveMoney(POT, "house", "reserva", 500_000, "Res. 4", ANA, LUIS))
    if wrong:
        floor.claim(*wrong)
    floor.close_pass()
    if wrong:
        floor.pay(f"{ONE}/1")
    between(floor)
    floor.sealed({1: 2}, LAST)
    floor.claim((1, hands), table=LAST)
    if wrong:
        floor.reject(ONE)
    return floor


def new_plan(floor):
    tables = dict.fromkeys((TABLE, OTHER, LAST), "draw")
    floor.stage(plan(base=0, tables=tables, resolution="Res. 9"))
    assert len(floor.heard(PlanTookEffect)) == 2


@pytest.mark.parametrize(
    ("main", "between"),
    [
        (1_100_000, lambda floor: None),
        (1_100_000, new_plan),
        (1_800_000, moved("main", "reserva", 700_000)),
        (900_000, moved("reserva", "main", 200_000)),
        (1_100_000, bet_and_void),
    ],
    ids=["nothing", "a plan", "money away", "money in", "a void"],
)
def test_r18_r34_what_the_reserve_lent_goes_back_to_it(main, between):
    floor, same = thin((1, "full"), main=main, between=between), thin(main=main, between=between)

    assert (floor.pot().main, floor.pot().reserves) == (same.pot().main, same.pot().reserves)
    assert house(floor) == house(same) - 200_000, "what was false and paid"
    assert floor.heard(ClaimRegistered)[-1].awards[0].parts["reserva"] > 0


def test_r18_r25_r34_bets_that_went_back_from_an_empty_pot_are_told_with_what_was_there():
    def evening(*wrong):
        floor = Floor(plan(base=0, tables=dict.fromkeys((TABLE, OTHER), "draw")))
        floor.sealed({1: 1})
        floor.sealed({1: 5, 2: 5}, OTHER)
        floor.ask(ask.MoveMoney(POT, "house", "reserva", 5_000, "Res. 4", ANA, LUIS))
        if wrong:
            floor.claim(*wrong)
            floor.ask(ask.MoveMoney(POT, "house", "reserva", 5_000, "Res. 4", ANA, LUIS))
        floor.ask(ask.VoidPass(OTHER, "x", JEFA))
        if wrong:
            floor.reject(ONE)
        else:
            floor.ask(ask.MoveMoney(POT, "house", "reserva", 5_000, "Res. 4", ANA, LUIS))
        return floor

    floor, same = evening((1, ROYAL)), evening()
    assert (floor.pot().main, floor.pot().reserves) == (same.pot().main, same.pot().reserves)
    assert house(floor) == house(same)


def test_r26_r34_money_of_a_reserve_that_was_dropped_meanwhile_is_in_the_main_pot():
    """The false real had taken the reserve into the base; empty, it could be dropped."""
    floor = Floor(plan(tables={TABLE: "draw"}))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, ROYAL))
    assert floor.pot().reserves == {"reserva": 0}
    floor.close_pass()
    floor.pay(f"{ONE}/1")
    floor.stage(plan(tables={TABLE: "draw"}, reserves={}, main=1_000_000, resolution="Res. 9"))
    assert floor.pot().reserves == {}
    (fact,) = floor.reject(ONE)

    assert (fact.flow.parts, floor.pot().main) == ({"main": 2_880 + 320}, 5_003_200)


def test_r18_r34_a_part_never_falls_below_nothing_when_a_winner_is_found_late():
    floor = closed(played(document=plan(base=0)))
    floor.ask(ask.MoveMoney(POT, "main", "reserva", floor.pot().main - 500, "Res. 4", ANA, LUIS))
    (fact,) = floor.correct(1, (1, "full"))

    assert (fact.flow.parts["main"], floor.pot().main) == (-500, 0)


def test_r11_r34_arica_pays_for_each_bet_unit_also_later():
    floor = Floor(plan(law="arica-2017", unit=1_000, tables={TABLE: "draw"}), RULESETS["arica-2017"])
    floor.sealed({1: 3, 2: 2})
    floor.claim((2, "escalera"))
    (fact,) = floor.correct(1, (1, "escalera"))

    assert [(one.seat, one.amount) for one in fact.awards] == [(1, 60_000)]


def test_r34_a_claim_that_paid_nobody_of_a_pass_long_sealed_is_told_without_its_bets():
    floor = Floor(plan(tables=dict.fromkeys((TABLE, OTHER), "draw")))
    floor.sealed({1: 1}, OTHER)
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.claim((1, "full", "folded"), table=OTHER)
    floor.close_pass(OTHER)
    (fact,) = floor.reject(ONE)

    assert (fact.cancelled, fact.resettled) == ((f"{ONE}/1",), ())


def test_r33_where_nothing_was_registered_everybody_is_late():
    floor = closed(played(ruleset=with_reading(late_from="house")))
    (fact,) = floor.correct(1, (1, "full"), (2, "color"))

    assert (fact.late, fact.flow.parts) == ((1, 2), {})


def test_r33_where_the_house_pays_who_is_late_hands_that_cannot_be_are_refused_all_the_same():
    floor = closed(played(ruleset=with_reading(late_from="house")))
    refused = floor.ask(correct((1, "full"), (2, "pareja")))[-1]

    assert (refused.reason, refused.where) == ("word_wrong", "hands[1]")


def test_r29_only_the_prize_that_fell_is_taken_from_its_part():
    """Two prizes, of the pot and of its reserve; each is rejected, and the other stands."""
    prizes = [prize("Jugador", 15_000), prize("Segundo", 640, source="reserva")]
    floor = played(bets={1: 20, 2: 20}, document=plan(prizes=prizes, most=20_000))
    floor.draw("Jugador", seat=1)
    floor.draw("Segundo", seat=2)
    flows = []
    for claim in (PRIZE, "DP-01/1/p2"):
        (fact,) = floor.reject(claim)
        flows.append(fact.flow.parts)

    assert flows == [{"main": 15_000}, {"reserva": 640}]


def test_r29_a_prize_is_put_right_in_the_pot_that_it_found():
    floor = drawn()
    levels = floor.heard(PrizeGranted)[0].before
    (fact,) = floor.reject(PRIZE)

    assert fact.before == levels
