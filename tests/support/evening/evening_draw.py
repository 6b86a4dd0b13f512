"""The evening at DP-01: electronic seats on RS-485, the pot Estelar and its sign. Each function is one step.

By hand, for each credit of 1,000 (R-22): commission 20 % 200, of the other 800 the reserve 10 % 80, the pot 720.
"""

from collections.abc import Mapping
from typing import Any

from controller.core.values import Hand
from controller.node.vocabulary.protocol import Deed
from support.evening.evening_house import ANA, BY, CARLA, JEFE, LUIS, House, ask, until
from support.evening.evening_tables import PLANS
from support.node.node_process import today
from support.places import CONFIG

DAY = today()
COLOR = ("2h", "5h", "9h", "Jh", "Kh")
STRAIGHT_FLUSH = ("5s", "6s", "7s", "8s", "9s")
LATE = "DP-01/1/2/3"


def opening_checks(house: House) -> None:
    """Nothing opens before the day; lamps and sign are looked at; the sign says the limits."""
    desk = house["DP-01"]
    house.up("DP-01")
    house.watch_the_sign()
    assert house.refuses(Deed.UNLOCK, CARLA, table="DP-01") == "day_not_open"
    desk.do("console unlock")
    assert house.refuses(Deed.OPEN_DAY, CARLA, day=DAY) == "role_missing"

    house.do(Deed.LAMP_TEST, CARLA, table="DP-01")
    until(lambda: {seat.lamp for seat in desk.seats().values()}, {"test"})
    until(lambda: house.node.do(Deed.SIGN_TEST, CARLA, sign="letrero").ok, True)  # on a busy machine it is slow
    house.sign_says("PRUEBA")

    assert desk.console == "closed"
    assert not house.facts("pass_opened")


def a_plan_that_empties_its_pot_is_not_staged(house: House) -> None:
    """R-22, R-26: neither by the socket nor at the console; the plan in force stays."""
    prize = '[[complementary]]\nname = "Todo"\namount = 10000000\ndrawn = "seat"\npaid_in = "cash"\nfrom = "main"\none_in = 1\n'
    drain = PLANS["estelar"] + prize
    ruleset = (CONFIG / "rulesets/scj-2023.toml").read_text()
    assert house.refuses(ask.StagePlan(drain, ruleset, BY, BY), ANA, LUIS) == "plan_wrong"
    file = house.place / "drenaje.toml"
    file.write_text(drain)
    told = house.told_no("plan", str(file), by=ANA, second=LUIS)
    assert "el pozo principal se achica por sus premios complementarios" in told and "R-22" in told
    assert not house.facts("plan_withdrawn")


def day_and_credits(house: House) -> None:
    desk = house["DP-01"]
    (opened,) = house.do(Deed.OPEN_DAY, JEFE, day=DAY)
    assert opened["day"] == DAY
    for seat, credits_ in ((1, 10), (2, 5), (3, 3), (4, 5)):
        (bought,) = house.ask(ask.BuyCredits("DP-01", seat, credits_, BY), CARLA)
        assert bought["amount"] == credits_ * 1_000
    until(lambda: [desk.seat(number).shows for number in (1, 2, 3, 4)], ["10", "5", "3", "5"])
    assert desk.lit == {2}, "who bet in training, until a pass begins; of bought credits nothing is a bet"


def bets_by_press(house: House) -> None:
    """The croupier's key opens; what is pressed becomes a bet, and only then its lamp is steady."""
    desk = house["DP-01"]
    desk.do("console unlock")
    house.open("DP-01")
    assert {seat.lamp for seat in desk.seats().values()} == {"dark"}, "the lamp test is over"
    assert house.refuses(ask.RegisterClaim("DP-01", (Hand(1, claimed="full"),), BY), CARLA) == "not_locked"

    desk.bet({1: 3, 2: 1, 3: 2, 4: 2})
    assert desk.lit == {1, 2, 3, 4}
    assert [desk.seat(number).shows for number in (1, 2, 3, 4)] == ["5", "4", "1", "3"]
    made = {fact["seat"]: fact["amount"] for fact in house.facts("bet_made")}
    assert made == {1: 5_000, 2: 1_000, 3: 2_000, 4: 2_000}


def a_hand_is_void(house: House) -> None:
    desk = house["DP-01"]
    (voided,) = house.ask(ask.VoidHand("DP-01", 4, "se retiró", BY), CARLA)
    assert voided["refunds"] == [{"seat": 4, "cash": 2_000}]
    until(lambda: (desk.seat(4).lamp, desk.seat(4).shows), ("dark", "5"))
    assert desk.lit == {1, 2, 3}


def no_more_bets(house: House) -> None:
    """R-5: sealed only when every seat has proven it; nobody bets after it."""
    desk = house["DP-01"]
    desk.do("console lock")
    house.phase("DP-01", "sealed")
    desk.do("seat 4 press 1")

    assert desk.console == "closed"
    sealed = house.facts("pass_sealed")[-1]
    assert [(bet["seat"], bet["amount"]) for bet in sealed["bets"]] == [(1, 5_000), (2, 1_000), (3, 2_000)]
    assert sealed["flow"] == {"parts": {"main": 5_760, "reserva": 640}, "house": 0, "commission": 1_600}
    kinds = [kind for kind in house.kinds("DP-01") if kind in {"locked", "seat_proven", "pass_sealed"}]
    assert kinds == ["locked", *["seat_proven"] * 6, "pass_sealed"]
    house.sign_shows("$5.005.760")
    house.sign_says("+$5.760")
    assert desk.lit == {1, 2, 3}
    assert desk.seat(4).shows == "5"


def a_wrong_claim_is_rejected(house: House) -> None:
    """R-32, R-13 to R-17, R-21: by category and by cards; the whole of it goes back."""
    color, full = Hand(2, cards=COLOR), Hand(1, claimed="full")
    one_card = Hand(3, cards=("Kh", "6s", "7s", "8s", "9s"))
    said = [
        house.refuses(ask.RegisterClaim("DP-01", hands, BY), CARLA)
        for hands in (
            (color, one_card), (Hand(3, claimed="escalera_color"),), (Hand(2, cards=COLOR, claimed="full"),), (color, color),
            (full, Hand(5, claimed="full")), (Hand(1, acts=("bought",)), color),
        )
    ]  # fmt: skip
    told_no = house.told_no("manos", "DP-01", "1 compró; 2 color", by=CARLA)
    assert "posición 1: en esta mesa no existe «compró»; se puede anotar: retirado, cambió" in told_no, "R-8"
    assert said == [
        "card_twice",
        "cards_required",
        "hand_is_not_that",
        "seat_twice",
        "seat_did_not_bet",
        "act_not_in_game",
    ]

    (claim,) = house.ask(
        ask.RegisterClaim("DP-01", (full, Hand(3, cards=STRAIGHT_FLUSH), color, Hand(5, acts=("folded",))), BY), CARLA
    )
    assert claim["unpaid"] == [{"seat": 5, "reason": "no_bet"}]
    # 5,005,760 - 550,000 = 4,455,760; a tenth of it
    assert awards(claim) == [(2, "color", 50_000), (1, "full", 500_000), (3, "escalera_color", 445_576)]
    assert house.pot("estelar").main == 4_010_184
    house.sign_says("ESCALERA DE COLOR $445.576")
    assert [text for text in house.shown if "VERIFICACION" in text] == [
        "MESA DP-01 POSICION 2 COLOR $50.000 EN VERIFICACION",
        "MESA DP-01 POSICION 1 FULL $500.000 EN VERIFICACION",
        "MESA DP-01 POSICION 3 ESCALERA DE COLOR $445.576 EN VERIFICACION",
    ]

    reject = ask.RejectClaim("DP-01/1/1", "carta mal leída", BY, BY)
    assert house.refuses(reject, JEFE) == "two_persons_needed"
    assert house.refuses(reject, JEFE, JEFE) == "two_persons_needed"
    assert house.refuses(reject, CARLA, JEFE) == "role_missing"
    (rejected,) = house.ask(reject, JEFE, ANA)
    assert rejected["cancelled"] == ["DP-01/1/1/1", "DP-01/1/1/2", "DP-01/1/1/3"]
    assert rejected["flow"]["parts"] == {"main": 995_576}
    assert house.pot("estelar").main == 5_005_760
    house.sign_shows("$5.005.760")


def awards_are_confirmed_and_paid(house: House) -> None:
    """R-12, R-21, R-25: 250,000 and less by one person; a hand that was paid cannot be void."""
    hands = (Hand(2, cards=COLOR), Hand(1, claimed="full"))
    (claim,) = house.ask(ask.RegisterClaim("DP-01", hands, BY), CARLA)
    assert awards(claim) == [(2, "color", 50_000), (1, "full", 500_000)]
    assert house.refuses(ask.RegisterClaim("DP-01", hands, BY), CARLA) == "claim_stands"
    color, full = "DP-01/1/2/1", "DP-01/1/2/2"
    assert house.refuses(ask.PayAward(color, BY), CARLA) == "not_confirmed"
    assert house.refuses(ask.ConfirmAward(color, BY), CARLA) == "role_missing"
    assert house.refuses(ask.ConfirmAward(full, BY), JEFE) == "two_persons_needed"
    house.ask(ask.ConfirmAward(color, BY), JEFE)
    (paid,) = house.ask(ask.PayAward(color, BY), CARLA)
    assert (paid["seat"], paid["amount"]) == (2, 50_000)

    assert house.refuses(ask.PayAward(color, BY), CARLA) == "award_paid"
    assert house.refuses(ask.VoidPass("DP-01", "tarde", BY), JEFE) == "void_after_payment"
    assert house.refuses(ask.VoidHand("DP-01", 2, "tarde", BY), CARLA) == "void_after_payment"


def a_late_winner_is_paid_as_in_time(house: House) -> None:
    """R-34, R-36: he gets what he would have been paid, from the pot, by two persons, who are its confirmation."""
    hands = (Hand(2, cards=COLOR), Hand(1, claimed="full"), Hand(3, cards=STRAIGHT_FLUSH))
    late = ask.CorrectClaim("DP-01", 1, hands, "cámara", BY, BY)
    (registered,) = house.ask(late, JEFE, LUIS)
    assert [(one["seat"], one["amount"]) for one in registered["awards"]] == [(3, 445_576)]
    assert (registered["flow"]["parts"], house.pot("estelar").main) == ({"main": -445_576}, 4_010_184)
    assert house.refuses(ask.ConfirmAward(LATE, BY, BY), JEFE, ANA) == "award_confirmed"
    house.ask(ask.PayAward(LATE, BY), CARLA)
    assert [award.amount for award in house.pot("estelar").awards] == [500_000], "the Full is still being verified"


def the_table_plays_on(house: House) -> None:
    """R-21: with an award held. A seat is cashed out, a lamp fails, a wire comes off, a seat is closed by hand."""
    desk = house["DP-01"]
    desk.do("console unlock")
    house.open("DP-01")
    assert house.kinds("DP-01")[-2:] == ["pass_closed", "pass_opened"]
    (cashed,) = house.ask(ask.CashOut("DP-01", 2, BY), CARLA)
    assert cashed["amount"] == 4_000
    until(lambda: desk.seat(2).shows, "0")
    desk.bet({1: 1, 3: 1, 4: 1})

    desk.do("seat 1 lamp open")
    until(lambda: house.core_seat("DP-01", 1).closed, bool)
    until(lambda: (desk.seat(1).lamp, desk.seat(1).shows), ("dark", "5"))
    desk.do("unit 4 unplug")
    house.ask(ask.CloseSeat("DP-01", 6, "silla rota", BY), CARLA)
    desk.do("seat 6 press 1")
    assert house.core_seat("DP-01", 6).closed == "silla rota"


def a_silent_seat_is_closed_and_its_bet_given_back(house: House) -> None:
    """R-6: nobody has to wait for it, and the pass can be sealed without it."""
    desk = house["DP-01"]
    until(lambda: house.core_seat("DP-01", 4).closed, bool, 15)
    assert (house.core_seat("DP-01", 4).credits, house.core_seat("DP-01", 4).bet) == (5, 0)
    house.ask(ask.Lock("DP-01", BY), CARLA)
    house.phase("DP-01", "sealed")
    sealed = house.facts("pass_sealed")[-1]
    assert [(bet["seat"], bet["amount"]) for bet in sealed["bets"]] == [(3, 1_000)]
    assert desk.seat(3).lamp == "steady"
    assert {house.core_seat("DP-01", number).closed for number in (2, 3, 5)} == {""}


def the_pass_is_void(house: House) -> None:
    """R-25, R-36: by the croupier at once, with a reason; pot, commission and credits are as before it. What came back
    can be bet, and is not cashed before a chief signed."""
    desk, before = house["DP-01"], house.pot("estelar").main
    assert house.refuses(ask.VoidPass("DP-01", "", BY), CARLA) == "nothing_there"
    (voided,) = house.ask(ask.VoidPass("DP-01", "barajadora", BY), CARLA)
    assert voided["flow"] == {"parts": {"main": -720, "reserva": -80}, "house": 0, "commission": -200}
    assert house.pot("estelar").main == before - 720
    until(lambda: (desk.seat(3).lamp, desk.seat(3).shows), ("dark", "1"))
    house.phase("DP-01", "between")
    assert house.refuses(ask.CashOut("DP-01", 3, BY), CARLA) == "void_unsigned"
    assert house.refuses(ask.SignVoid("DP-01", 3, BY), CARLA) == "role_missing"
    assert "  posición 3: créditos 1, por firmar $ 1.000" in house.told("estado", "DP-01")


def closed_seats_open_again(house: House) -> None:
    """By a chief; what was broken first has to be mended, and a unit that came back gives its dead bet back."""
    desk = house["DP-01"]
    desk.do("seat 1 lamp ok", "unit 4 plug")
    house.up("DP-01")
    until(lambda: desk.seat(4).lamp, lambda lamp: lamp != "steady")
    assert house.refuses(ask.OpenSeat("DP-01", 6, BY), CARLA) == "role_missing"
    house.do(Deed.CLEAR_FAULTS, JEFE, table="DP-01", seat=1)
    house.until(lambda view: view.seats[0].faults == ("disabled",))
    for number in (1, 4, 6):
        house.ask(ask.OpenSeat("DP-01", number, BY), JEFE)
    until(lambda: [desk.seat(number).shows for number in range(1, 7)], ["5", "0", "1", "5", "0", "0"])
    until(lambda: {seat.lamp for seat in desk.seats().values()}, {"dark"})


def a_unit_without_memory_is_counted(house: House) -> None:
    """devices.md 2.6: the seat closes, two persons count, the difference waits until two persons clear it."""
    desk = house["DP-01"]
    house.ask(ask.BuyCredits("DP-01", 5, 2, BY), CARLA)
    until(lambda: desk.seat(5).shows, "2")
    desk.do("unit 5 forget", "unit 5 reboot")
    until(lambda: house.core_seat("DP-01", 5).closed, bool)
    count = ask.CountSeat("DP-01", 5, 1_000, BY, BY)
    assert house.refuses(count, JEFE) == "two_persons_needed"
    (counted,) = house.ask(count, JEFE, ANA)
    assert (counted["found"], counted["booked"]) == (1_000, 2_000)
    assert house.balances()["suspense:DP-01"] == 1_000
    house.ask(ask.ClearSuspense("DP-01", "ficha perdida", BY, BY), JEFE, LUIS)
    house.ask(ask.OpenSeat("DP-01", 5, BY), JEFE)
    until(lambda: desk.seat(5).shows, "1")


def awards(claim: Mapping[str, Any]) -> list[tuple[int, str, int]]:
    return [(award["seat"], award["prize"], award["amount"]) for award in claim["awards"]]
