"""R-25, R-29, R-31, R-32 on a running node with devices: prizes that were drawn, shown, put back, shown as cards, paid."""

import pytest

from controller.core.values import Signature
from support.laws import naming
from support.node.node_process import ANA, JEFE
from support.node.two_tables import two_tables
from support.places import CONFIG

pytestmark = pytest.mark.process

LAW = naming((CONFIG / "rulesets/scj-2023.toml").read_text(), "Carta Mágica").replace("scj-2023", "scj-carta", 1)
PRIZES = """
[[complementary]]
name = "Estrella"
amount = 3000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 1
authorisation = "Aut. 7"
[[complementary]]
name = "Carta Mágica"
amount = 15000
drawn = "card"
paid_in = "cash"
from = "reserva0"
one_in = 1
"""
TWO = {"by": JEFE, "second": ANA}
NOBODY = Signature("")
SUITS = {"s": "p", "h": "c", "d": "d", "c": "t"}


@pytest.fixture
def house():
    with two_tables(PRIZES, LAW) as made:
        yield made


def drawn_card(house):
    view = house.node.until(lambda view: next(one for one in view.tables if one.table == "DP-01").cards)
    return next(one for one in view.tables if one.table == "DP-01").cards["Carta Mágica"]


def said_at_the_table(card):
    """As a croupier types it."""
    return card[0].replace("T", "10") + SUITS[card[1]]


def four_others(card):
    """With which it wins nothing."""
    return " ".join([one for one in ("2t", "4d", "6c", "9p", "Jt") if one != said_at_the_table(card)][:4])


def test_prizes_are_shown_put_back_by_a_misdeal_and_paid_when_the_pass_is_over(house):
    # promo_then_misdeal, F3: a promotional prize does not stand in the way of a void.
    first = house.play("DP-01", 1, 2)
    house.sign_shows("ESTRELLA $3.000 EN CRÉDITOS EN VERIFICACION")
    assert house.awards == {f"DP-01/{first}/p1/1": 3_000}
    house.ctl("confirmar", f"DP-01/{first}/p1/1", **TWO)
    assert "Estrella · $ 3.000 · pagar al terminar en créditos" in house.ctl("estado", "DP-01")
    code, no = house.tried("pagar", f"DP-01/{first}/p1/1")
    assert code == 1 and f"Estrella se paga cuando termine el pase {first} de la mesa DP-01." in no
    house.ctl("anular-pase", "DP-01", "reparto errado")
    house.node.until(lambda view: not view.pots[0].awards)

    # two_with_one_card, F9: the grant and the hands bind each other.
    second = house.play("DP-01", 1, 2)
    card = drawn_card(house)
    told = house.ctl("carta", "DP-01", "1")
    assert "Premio Carta Mágica para la posición 1: $ 15.000; se paga cuando termine el pase." in told
    house.sign_shows("CARTA MÁGICA $15.000 EN VERIFICACION")
    code, no = house.tried("manos", "DP-01", f"2 {said_at_the_table(card)} {four_others(card)}")
    assert code == 1 and "La posición 1 ganó un premio con la carta" in no
    house.next_pass("DP-01")
    award = f"DP-01/{second}/p1/1"
    seat = next(one for one in house.view().pots[0].awards if one.award == award).seat
    assert f"$ 3.000 en créditos promocionales, cargados en la posición {seat}" in house.pay(award)
    # One credit of his own came back with the void pass.
    house.node.until(lambda view: any(one.seat == seat and one.credits == 4 for one in view.seats))
    house.sign_shows("CARTA MÁGICA $15.000 EN VERIFICACION")

    # rejected, and granted anew to its seat.
    prize = f"DP-01/{second}/p2"
    house.ctl("rechazar", prize, "no era esa carta", **TWO)
    house.node.until(lambda view: not view.pots[0].awards)
    told = house.ctl("conceder-otra-vez", prize, "sí era: lo mostró la cámara", **TWO)
    assert "$ 15.000" in told
    assert "pague $ 15.000" in house.ctl("pagar", f"{prize}/2")

    day, _ = house.report("day", house.day)
    top = {one.key: one.amount for one in day.figures if one.level == "total" and not one.detail}
    assert top["cash.promo"] == 3_000
    assert "De la casa, en créditos promocionales" in house.explained(award)
    assert "Carta Mágica" in house.explained(f"{prize}/2")
    assert house.verified().startswith("BIEN")
