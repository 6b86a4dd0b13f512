"""The evening at TX-01: one unit for six seats over TCP, the pot Austral with three complementary prizes in each pass.

By hand (R-22, R-23): commission 18 %, and of the rest the reserve 8 %. For a bet of 1,000 180 and 65.6, so 65 and 755
for the pot; for the 5,000 after it 900 and 328.6 with the fraction that was left over, so 328 and 3,772.
"""

import hashlib
from collections.abc import Mapping

from controller.core.values import Hand
from controller.node.vocabulary.protocol import Pin
from controller.rules.cards import NAMES
from controller.rules.complementary import commitment, label_of, magic_card
from support.evening.evening_draw import awards
from support.evening.evening_house import ANA, BY, CARLA, JEFE, House, ask, pot_of, table_of, until

FLOP, ROYAL = ("Qd", "Jd", "Td"), ("Ad", "Kd")
STAR, BONUS, CARD = "Estrella", "Bono", "Carta Mágica"


def one_bet_at_texas(house: House) -> None:
    desk = house["TX-01"]
    house.ask(ask.BuyCredits("TX-01", 4, 2, BY), CARLA)
    until(lambda: desk.seat(4).shows, "2")
    _one_pass(house, 1, 1, {"parts": {"main": 755, "reserva": 65}, "house": 0, "commission": 180})


def the_only_one_who_bet_gets_the_complementary_prize(house: House) -> None:
    """R-29, R-18: drawn by nobody's hand, from the reserve as far as it goes and then from the house."""
    drawn = house.facts("drawn")
    assert [(one["prize"], one["seats"], one["hit"], one.get("seat")) for one in drawn] == [
        (STAR, [4], True, 4),
        (BONUS, [4], True, 4),
        (CARD, [4], True, None),
    ]
    star = house.facts("prize_granted")[0]
    assert (star["amount"], star["flow"]) == (
        20_000,
        {"parts": {"reserva": -65}, "house": -19_935, "commission": 0},
    )
    assert (star["held"], star["paid_in"], star["before"]["main"]) == (True, "cash", 3_000_755)


def both_are_shown_and_held_until_the_pass_is_closed(house: House) -> None:
    """R-29, R-31: also the promotional one, which is nobody's money yet."""
    bonus = house.facts("prize_granted")[1]
    assert (bonus["seat"], bonus["amount"], bonus["promo"], bonus["flow"]["parts"]) == (4, 3_000, True, {})
    assert bonus["paid_in"] == "promotional_credits"
    assert [(award.prize, award.promo) for award in house.pot("austral").awards] == [(STAR, False), (BONUS, True)]
    assert "promo_issued:austral:central" not in house.balances()
    desk = house["TX-01"]
    for text in ("POSICION 4 ESTRELLA $20.000", "POSICION 4 BONO $3.000 EN CRÉDITOS"):
        until(lambda: desk.sign, lambda shown, text=text: text in shown, 30)
    house.ask(ask.ConfirmAward("TX-01/1/p1/1", BY), JEFE)
    assert house.refuses(ask.PayAward("TX-01/1/p1/1", BY), CARLA) == "prize_before_close"


def promotional_credits_are_for_bets_alone(house: House) -> None:
    """R-29: on the seat when they are paid, from the house; the player's own money goes, they stay."""
    desk = house["TX-01"]
    house.ask(ask.ClosePass("TX-01", BY), CARLA)
    assert house.told("pagar", "TX-01/1/p1/1", by=CARLA) == ["Premio TX-01/1/p1/1: pague $ 20.000."]
    house.ask(ask.ConfirmAward("TX-01/1/p2/1", BY), JEFE)
    told = ["Premio TX-01/1/p2/1: $ 3.000 en créditos promocionales, cargados en la posición 4."]
    assert house.told("pagar", "TX-01/1/p2/1", by=CARLA) == told
    assert house.balances()["promo_issued:austral:central"] == -3_000
    until(lambda: desk.seat(4).shows, "4")
    assert "  posición 4: créditos 1, promoción 3" in house.told("estado", "TX-01")

    assert house.told("retirar", "TX-01", "4", by=CARLA) == ["Mesa TX-01, posición 4: entregue $ 1.000 al jugador."]
    until(lambda: desk.seat(4).shows, "3")
    assert house.refuses(ask.CashOut("TX-01", 4, BY), CARLA) == "nothing_there"


def the_whole_pot_is_won(house: House) -> None:
    """R-11, R-19: everything, and the base is back at once: nothing is in the reserve, so from the house."""
    hands = (Hand(4, cards=ROYAL),)
    high = (Hand(4, cards=ROYAL, claimed="escalera_real"),)
    assert house.refuses(ask.RegisterClaim("TX-01", high, BY, (*FLOP[:2], "9d")), CARLA) == "hand_is_not_that"
    (claim,) = house.ask(ask.RegisterClaim("TX-01", hands, BY, FLOP), CARLA)
    assert awards(claim) == [(4, "escalera_real", 3_000_755)]
    assert claim["base_back"] == {"parts": {"main": 3_000_000}, "house": -3_000_000, "commission": 0}
    assert house.pot("austral").main == 3_000_000
    _paid(house, "TX-01/1/1/1", ANA)


def the_next_pass_builds_on_the_base(house: House) -> None:
    """R-23: the fraction that was left over is not lost. R-29: promotional credits are bet first. Nobody had the card
    of the last pass: it is over with it."""
    desk = house["TX-01"]
    house.until(lambda view: not table_of(view, "TX-01").cards)
    house.ask(ask.BuyCredits("TX-01", 4, 4, BY), CARLA)
    until(lambda: desk.seat(4).shows, "7")
    _one_pass(house, 3, 2, {"parts": {"main": 3_772, "reserva": 328}, "house": 0, "commission": 900})
    bet = house.facts("bet_made")[-1]
    assert (bet["amount"], bet["promo"]) == (5_000, 3_000)
    until(lambda: desk.seat(4).shows, "2")


def who_was_dealt_the_card_shows_it(house: House) -> None:
    """R-29, Carta Mágica: the croupier reads which card it is, and says which seat has it; once."""
    card = house.facts("drawn")[-1]["card"]
    assert table_of(house.until(lambda _: True), "TX-01").cards == {CARD: card}
    suit = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[card[1]]
    assert f"  carta sorteada: Carta Mágica: {card[0].replace('T', '10')}{suit}" in house.told("estado", "TX-01")
    assert house.refuses(ask.ShowCard("TX-01", CARD, 2, BY), CARLA) == "no_bet"

    told = ["Premio Carta Mágica para la posición 4: $ 15.000; se paga cuando termine el pase."]
    assert house.told("carta", "TX-01", "4", CARD, by=CARLA) == told
    granted = house.facts("prize_granted")[-1]
    assert (granted["prize"], granted["by"]) == (CARD, "carla")
    assert granted["flow"] == {"parts": {}, "house": -15_000, "commission": 0}, "the Estrella emptied the reserve"
    assert house.refuses(ask.ShowCard("TX-01", CARD, 4, BY), CARLA) == "card_not_drawn"
    flop = ("5s", "9h", "Jd") if card not in {"5s", "9h", "Jd"} else ("6s", "8h", "Qd")
    other = Hand(4, cards=("2c", "3d") if card not in {"2c", "3d"} else ("4c", "7d"))
    assert house.refuses(ask.RegisterClaim("TX-01", (other,), BY, flop), CARLA) == "card_shown", "R-32"
    house.ask(ask.ClosePass("TX-01", BY), CARLA)
    for place in (1, 2, 3):
        _paid(house, f"TX-01/2/p{place}/1")
    until(lambda: house["TX-01"].seat(4).shows, "5")  # two of his own, and the bonus of this pass
    assert house.pot("austral").main == 3_003_772


def promotional_credits_lapse(house: House) -> None:
    """R-29: what was not bet is nobody's when its player is gone; only his own money is set aside."""
    told = house.told("apartar", "TX-01", "4", by=CARLA, second=JEFE)
    assert told == ["Mesa TX-01, posición 4: $ 2.000 apartados."]
    until(lambda: house["TX-01"].seat(4).shows, "0")
    told = house.told("entregar", "TX-01", "2000", by=CARLA, second=JEFE)
    assert told == ["Mesa TX-01: entregue $ 2.000 de lo apartado."]


def the_cards_can_be_drawn_again(house: House) -> None:
    """R-30: from the seed that was revealed, the hash of which stood on record before the first pass, and the number of
    who opened the day."""
    seed, opened = bytes.fromhex(house.facts("day_closed")[-1]["seed"]), house.facts("day_opened")[-1]
    assert commitment(seed) == opened["commitment"]
    both = hashlib.sha256(seed + bytes.fromhex(opened["nonce"])).digest()
    cards = [one for one in house.facts("drawn") if one["prize"] == CARD]
    assert [one["number"] for one in cards] == [1, 2]
    for one in cards:
        label = label_of("TX-01", one["number"], CARD, bytes.fromhex(one["closed"]))
        assert NAMES[magic_card(both, label)] == one["card"]


def _one_pass(house: House, button: int, number: int, flow: Mapping[str, object]) -> None:
    desk = house["TX-01"]
    desk.do("console unlock")
    house.open("TX-01")
    desk.bet({4: button})
    desk.do("console lock")
    house.phase("TX-01", "sealed")
    house.until(lambda view: any(award.award == f"TX-01/{number}/p1/1" for award in pot_of(view, "austral").awards))
    sealed = house.facts("pass_sealed")[-1]
    assert sealed["flow"] == flow
    assert desk.console == "closed"


def _paid(house: House, award: str, *second: Pin) -> None:
    house.ask(ask.ConfirmAward(award, BY, BY if second else None), JEFE, *second)
    house.ask(ask.PayAward(award, BY), CARLA)
