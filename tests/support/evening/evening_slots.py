"""The evening at CP-01: chip slots on ccTalk, the pot Estelar. Each function is one step."""

from controller.core.values import Hand
from controller.node.vocabulary.protocol import Deed
from support.evening.evening_draw import awards
from support.evening.evening_house import ANA, BY, CARLA, JEFE, House, ask, table_of, until

POKER, FULL = ("9c", "9d", "9h", "9s", "2c"), ("Tc", "Td", "Th", "4s", "4c")


def chips_become_bets(house: House) -> None:
    """R-2, R-4: a slot that has the maximum shuts; R-25: chips of a hand that is void are owed, and handed back."""
    desk = house["CP-01"]
    house.up("CP-01")
    assert {seat.gate for seat in desk.seats().values()} == {"shut"}
    house.do(Deed.UNLOCK, CARLA, table="CP-01")
    until(lambda: {seat.gate for seat in desk.seats().values()}, {"open"})

    for seat, chips in ((1, 2), (2, 5), (3, 1)):
        desk.drop(seat, chips)
    until(lambda: desk.lit, {1, 2, 3})
    until(lambda: [desk.seat(seat).gate for seat in (1, 2, 3)], ["open", "shut", "open"])
    (voided,) = house.ask(ask.VoidHand("CP-01", 3, "se retiró", BY), CARLA)
    assert voided["refunds"] == [{"seat": 3, "chips": 1_000}]
    until(lambda: desk.lit, {1, 2})
    (handed,) = house.ask(ask.PayOwed("CP-01", 3, BY, "jefe"), CARLA)
    assert handed["amount"] == 1_000


def what_fell_beyond_the_maximum_is_handed_back(house: House) -> None:
    """R-4: seven chips, the last three at once: five are the bet, two are owed from the instant they fell."""
    desk = house["CP-01"]
    desk.drop(4, 4)
    until(lambda: desk.lit, {1, 2, 4})
    # An acceptor tells only its last five chips: the others are known before these fall.
    house.until(lambda view: table_of(view, "CP-01").seats[3].bet == 4_000)
    desk.do(*["seat 4 chip"] * 3)
    view = house.until(lambda view: table_of(view, "CP-01").seats[3].owed == 2_000)
    assert table_of(view, "CP-01").seats[3].bet == 5_000
    until(lambda: desk.seat(4).gate, "shut")
    (alarm,) = [alarm for alarm in view.alarms if alarm.rule == "R-4"]
    assert alarm.sentence == "Mesa CP-01, posición 4: devolver 2000 al jugador, con aviso a un jefe."
    assert "  posición 4: apuesta $ 5.000, devolver $ 2.000" in house.told("estado", "CP-01")
    assert house.refuses(ask.PayOwed("CP-01", 2, BY), CARLA) == "nothing_there"

    assert house.told("devolver", "CP-01", "4", "jefe", by=CARLA) == [
        "Mesa CP-01, posición 4: $ 2.000 devueltos al jugador; avisado: jefe."
    ]
    handed = house.facts("owed_paid")[-1]
    assert (handed["seat"], handed["amount"], handed["by"]) == (4, 2_000, "carla")
    house.until(lambda view: not any(alarm.rule == "R-4" for alarm in view.alarms))
    assert house.refuses(ask.PayOwed("CP-01", 4, BY), CARLA) == "nothing_there"


def only_bets_are_sealed(house: House) -> None:
    desk = house["CP-01"]
    house.ask(ask.Lock("CP-01", BY), CARLA)
    house.phase("CP-01", "sealed")
    assert {seat.gate for seat in desk.seats().values()} == {"shut"}
    sealed = house.facts("pass_sealed")[-1]
    assert [(bet["seat"], bet["amount"]) for bet in sealed["bets"]] == [(1, 2_000), (2, 5_000), (4, 5_000)]
    assert sealed["flow"] == {"parts": {"main": 8_640, "reserva": 960}, "house": 0, "commission": 2_400}


def who_exchanged_a_card_is_not_paid(house: House) -> None:
    """R-8 c: exchanging in a Plus game is what it calls buying; and everything else of his claim stands; R-9: two tables, one pot."""
    before = house.pot("estelar").main
    hands = (Hand(1, cards=POKER), Hand(2, acts=("exchanged",), cards=FULL))
    (claim,) = house.ask(ask.RegisterClaim("CP-01", hands, BY), CARLA)
    assert awards(claim) == [(1, "poker", 1_000_000)]
    assert claim["unpaid"] == [{"seat": 2, "reason": "exchanged"}, {"seat": 4, "reason": "no_claim"}]
    assert house.pot("estelar").main == before - 1_000_000
    house.sign_shows("POKER $1.000.000")
    house.ask(ask.ConfirmAward("CP-01/1/1/1", BY, BY), JEFE, ANA)
    house.ask(ask.PayAward("CP-01/1/1/1", BY), CARLA)
    house.ask(ask.ClosePass("CP-01", BY), CARLA)
    assert house["CP-01"].lit == {1, 2, 4}, "the lamps say who played until the next pass begins"
