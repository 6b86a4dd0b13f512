"""The evening at CP-01, chip slots on ccTalk, pot Estelar; and at TX-01, one unit for all seats over TCP, pot Austral.

By hand, Austral (R-22, R-23), for each bet of 1,000: commission 18 % 180; of the other 820 the reserve 8 % is 65.6:
65 the first time and 66 the second; the pot gets the rest, 755 and 754.
"""

from evening_draw import awards
from evening_house import ANA, BY, CARLA, JEFE, ask, pot_of, until

from controller.core.words import Hand
from controller.node.protocol import Deed

POKER, FULL = ("9c", "9d", "9h", "9s", "2c"), ("Tc", "Td", "Th", "4s", "4c")
FLOP, ROYAL = ("Qd", "Jd", "Td"), ("Ad", "Kd")


def chips_become_bets(house):
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
    (handed,) = house.ask(ask.PayOwed("CP-01", 3, BY), CARLA)
    assert handed["amount"] == 1_000
    house.ask(ask.Lock("CP-01", BY), CARLA)
    house.phase("CP-01", "sealed")

    assert {seat.gate for seat in desk.seats().values()} == {"shut"}
    sealed = house.facts("pass_sealed")[-1]
    assert [(bet["seat"], bet["amount"]) for bet in sealed["bets"]] == [(1, 2_000), (2, 5_000)]
    assert sealed["flow"] == {"parts": {"main": 5_040, "reserva": 560}, "house": 0, "commission": 1_400}


def who_bought_a_card_is_not_paid(house):
    """R-8 c: and everything else of his claim stands; R-9: two tables, one pot."""
    before = house.pot("estelar").main
    hands = (Hand(1, cards=POKER), Hand(2, acts=("bought",), cards=FULL))
    (claim,) = house.ask(ask.RegisterClaim("CP-01", hands, BY), CARLA)
    assert awards(claim) == [(1, "poker", 1_000_000)]
    assert claim["unpaid"] == [{"seat": 2, "reason": "bought"}]
    assert house.pot("estelar").main == before - 1_000_000
    house.sign_shows("POKER $1.000.000")
    house.ask(ask.ConfirmAward("CP-01/1/1/1", BY, BY), JEFE, ANA)
    house.ask(ask.PayAward("CP-01/1/1/1", BY), CARLA)
    house.ask(ask.ClosePass("CP-01", BY), CARLA)
    assert house["CP-01"].lit == {1, 2}, "the lamps say who played until the next pass begins"


def one_bet_at_texas(house):
    desk = house["TX-01"]
    house.ask(ask.BuyCredits("TX-01", 4, 2, BY), CARLA)
    until(lambda: desk.seat(4).shows, "2")
    _one_pass(house, 1, {"main": 755, "reserva": 65})


def the_only_one_who_bet_gets_the_complementary_prize(house):
    """R-29, R-18: drawn by nobody's hand, from the reserve as far as it goes and then from the house."""
    (drawn,) = house.facts("drawn")
    assert (drawn["seats"], drawn["hit"], drawn["seat"]) == ([4], True, 4)
    (granted,) = house.facts("prize_granted")
    assert (granted["amount"], granted["flow"]) == (
        20_000,
        {"parts": {"reserva": -65}, "house": -19_935, "commission": 0},
    )
    _paid(house, "TX-01/1/p1/1")


def the_whole_pot_is_won(house):
    """R-11, R-19: everything, and the base is back at once: nothing is in the reserve, so from the house."""
    hands = (Hand(4, cards=ROYAL),)
    high = (Hand(4, cards=ROYAL, claimed="escalera_real"),)
    assert house.refuses(ask.RegisterClaim("TX-01", high, BY, (*FLOP[:2], "9d")), CARLA) == "hand_is_not_that"
    (claim,) = house.ask(ask.RegisterClaim("TX-01", hands, BY, FLOP), CARLA)
    assert awards(claim) == [(4, "escalera_real", 3_000_755)]
    assert claim["base_back"] == {"parts": {"main": 3_000_000}, "house": -3_000_000, "commission": 0}
    assert house.pot("austral").main == 3_000_000
    _paid(house, "TX-01/1/1/1", ANA)


def the_next_pass_builds_on_the_base(house):
    """R-23: the fraction that was left over is not lost."""
    _one_pass(house, 2, {"main": 754, "reserva": 66})
    _paid(house, "TX-01/2/p1/1")
    house.ask(ask.ClosePass("TX-01", BY), CARLA)
    assert house.pot("austral").main == 3_000_754


def _one_pass(house, number, parts):
    desk = house["TX-01"]
    desk.do("console unlock")
    house.open("TX-01")
    desk.bet({4: 1})
    desk.do("console lock")
    house.phase("TX-01", "sealed")
    house.until(lambda view: any(award.award == f"TX-01/{number}/p1/1" for award in pot_of(view, "austral").awards))
    sealed = house.facts("pass_sealed")[-1]
    assert sealed["flow"] == {"parts": parts, "house": 0, "commission": 180}
    assert desk.console == "closed"


def _paid(house, award, *second):
    house.ask(ask.ConfirmAward(award, BY, BY if second else None), JEFE, *second)
    house.ask(ask.PayAward(award, BY), CARLA)
