"""Each role's whole work at once: croupiers at two tables, a chief at his tablet, a sign over both, each in a browser of his own.

What one of them does is what the next one sees and waits for; nobody asks anything beside his own page but the players, who press.
"""

import pytest

from support.browser.casino import CARIBBEAN, CARLA, DRAW, JULIA, LUIS, TEXAS, casino
from support.browser.chief import Chief
from support.browser.enrolling import enrolled
from support.browser.screen import SIGN, TEN_INCH

pytestmark = pytest.mark.process
ESTRELLA = """
[[complementary]]
name = "Estrella"
amount = 2000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 1
authorisation = "Aut. N° 7/2026 (prueba)"
"""
"""It falls in each pass."""


@pytest.fixture(scope="module")
def house():
    with casino(ESTRELLA) as made:
        yield made


@pytest.fixture
def at(opened):
    yield opened.at
    assert opened.quiet() == []


@pytest.fixture(scope="module")
def tablet(opened):
    return Chief(enrolled(opened.new(TEN_INCH), "chief"))


@pytest.fixture(scope="module")
def sign(opened):
    return enrolled(opened.new(SIGN), "sign", "sala")


@pytest.fixture
def chief(tablet):
    while tablet.page.locator("dialog").count():
        tablet.page.keyboard.press("Escape")
    return tablet


def of_hands(house, table):
    """Awards for a hand; the drawn ones have claims of their own."""
    return [one for name, one in house.awards(table).items() if not name.split("/")[2].startswith("p")]


def seated(house, table, **seats):
    """Players with credits, at a table that waits for its croupier."""
    house.between(table)
    house.buy(table, **dict.fromkeys(seats, 5))


def played(house, croupier, table, **seats):
    """The croupier opens, the players press, the croupier locks."""
    seated(house, table, **seats)
    croupier.is_at("between")
    croupier.next("open")
    croupier.is_at("open")
    for seat, credits_ in seats.items():
        house.presses(table, int(seat[1:]), credits_)
    croupier.next("lock")
    croupier.is_at("sealed")


def pays_everything(croupier, house, table):
    while house.awards(table):
        before = len(house.awards(table))
        croupier.page.locator(".award .pay:visible").first.tap()
        croupier.signs()
        house.until(lambda _, before=before: len(house.awards(table)) < before)


def test_three_winners_of_three_categories_on_two_linked_tables_from_sign_in_to_a_paid_pass(
    house, at, chief, sign, looked
):
    draw, caribbean = at(DRAW), at(CARIBBEAN)
    played(house, draw, DRAW, s3=2, s6=1)
    played(house, caribbean, CARIBBEAN, s2=1)
    draw.seat(3)
    draw.claims("full")
    draw.seat(6)
    draw.claims("color")
    draw.next("register")
    draw.screen.until_words("$ 200.000", "$ 50.000")
    draw.signs()
    caribbean.seat(2)
    caribbean.holds("9h", "8h", "7h", "6h", "5h")
    caribbean.next("register")
    caribbean.screen.until_words("Escalera de Color")
    caribbean.signs()

    chief.screen.until_words(
        f"{DRAW} · posición 3 · Full", f"{DRAW} · posición 6 · Color", f"{CARIBBEAN} · posición 2 · Escalera de Color"
    )
    looked.at(chief.screen, "story-chief")
    for words in ((DRAW, "posición 3", "Full"), (DRAW, "posición 6", "Color")):
        chief.award(*words)
        chief.signs()
    chief.award(CARIBBEAN, "Escalera de Color")
    chief.signs(JULIA, LUIS)
    sign.until_words("confirmado")
    looked.at(draw.screen, "story-pay")

    for croupier, table in ((draw, DRAW), (caribbean, CARIBBEAN)):
        for one in (one for one in house.awards(table).values() if not one.confirmed):
            chief.award(table, one.prize)
            chief.signs()
        croupier.next("next")
        croupier.is_at("open")
        pays_everything(croupier, house, table)
    paid = {(one["award"]) for one in house.facts("award_paid")}
    confirmed = {(one["award"], one["by"], one.get("second", "")) for one in house.facts("award_confirmed")}
    assert len(paid) == 5, "three hands, and a star at each table"
    assert {award for award, by, _ in confirmed if by == "julia"} == paid
    assert [second for award, _, second in confirmed if second] == ["luis"], "above 250.000 two persons"
    assert {one["by"] for one in house.facts("claim_registered")} == {"carla"}


def test_r34_a_correction_that_the_croupier_begins_is_signed_by_the_chief_beside_him(house, at, chief, looked):
    croupier = at(DRAW)
    played(house, croupier, DRAW, s3=1, s6=1)
    croupier.seat(3)
    croupier.claims("color")
    croupier.next("register")
    croupier.screen.until_words("$ 50.000")
    croupier.signs()

    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Corregir el pase").first.tap()
    croupier.seat(3)
    croupier.page.locator("dialog .remove").tap()
    croupier.seat(6)
    croupier.claims("color")
    looked.at(croupier.screen, "story-correcting")
    croupier.next("register")
    croupier.page.get_by_role("button", name="Posición equivocada").tap()
    croupier.screen.until_words("Firman dos personas")
    looked.at(croupier.screen, "story-correction")
    croupier.signs(CARLA, JULIA)

    (award,) = of_hands(house, DRAW)
    assert (award.seat, award.prize) == (6, "color")
    corrected = house.facts("claim_corrected")[-1]
    assert (corrected["by"], corrected["second"], corrected["reason"]) == ("carla", "julia", "Posición equivocada")
    chief.screen.until_words(f"{DRAW} · posición 6 · Color")
    house.between(DRAW)


def test_r34_a_correction_that_the_croupier_leaves_to_the_chief_is_made_at_the_chiefs_tablet(house, at, chief, looked):
    croupier = at(DRAW)
    played(house, croupier, DRAW, s3=1, s6=1)
    croupier.seat(3)
    croupier.claims("color")
    croupier.next("register")
    croupier.screen.until_words("$ 50.000")
    croupier.signs()
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Corregir el pase").first.tap()
    croupier.seat(6)
    croupier.claims("color")

    chief.award(DRAW, "posición 3", "Color")
    chief.does("Corregir el pase")
    chief.looks_at_the_table()
    chief.page.locator(".pass-hand").nth(2).tap()
    chief.does("Quitar")
    chief.page.locator(".pass-hand").nth(5).tap()
    chief.does("Color")
    looked.at(chief.screen, "story-chief-corrects")
    chief.confirms()
    chief.does("Posición equivocada")
    chief.screen.until_words("Firman dos personas")
    chief.signs(JULIA, LUIS)

    (award,) = of_hands(house, DRAW)
    assert (award.seat, award.prize) == (6, "color")
    corrected = house.facts("claim_corrected")[-1]
    assert (corrected["by"], corrected["second"]) == ("julia", "luis")
    croupier.page.locator(".award", has_text="Color").locator(".number", has_text="6").wait_for()
    croupier.page.locator(".part.winners").wait_for(state="hidden")
    looked.at(croupier.screen, "story-corrected-elsewhere")
    house.between(DRAW)


def test_r35_a_late_winner_from_the_croupiers_side(house, at, chief, looked):
    """Until the next seal he enters it alone; a chief confirms it as every other."""
    croupier = at(DRAW)
    played(house, croupier, DRAW, s2=5)
    number = house.table(DRAW).number
    croupier.next("next")
    croupier.is_at("open")
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name=f"Ganadora tardía del pase {number}").tap()
    croupier.screen.until_words("Llame al jefe")
    looked.at(croupier.screen, "story-late")
    croupier.seat(2)
    croupier.claims("full")
    croupier.next("register")
    croupier.screen.until_words("$ 500.000")
    croupier.signs()

    chief.award(DRAW, "posición 2", "Full")
    chief.signs(JULIA, LUIS)
    croupier.page.locator(".award", has_text="Full").locator(".pay").tap()
    croupier.signs()
    late = house.facts("claim_corrected")[-1]
    assert (late["table"], late["number"], late["by"], late.get("second")) == (DRAW, number, "carla", None)
    house.until(lambda _: not of_hands(house, DRAW))
    house.between(DRAW)


def test_r25_a_void_hand_gives_its_bet_back_and_puts_back_the_prize_that_was_drawn_for_it(house, at, chief, looked):
    croupier = at(DRAW)
    played(house, croupier, DRAW, s4=2)
    croupier.screen.until_words("Estrella")
    before = next(one.credits for one in house.table(DRAW).seats if one.seat == 4)
    croupier.page.locator(".serve").tap()
    croupier.seat(4)
    croupier.page.get_by_role("button", name="Anular la mano").tap()
    croupier.page.get_by_role("button", name="Error al repartir").tap()
    croupier.screen.until_words("vuelve su apuesta")
    looked.at(croupier.screen, "story-void-hand")
    croupier.signs()

    croupier.page.locator(".award").wait_for(state="detached")
    assert not house.awards(DRAW), "who has no hand has no star"
    seat = next(one for one in house.table(DRAW).seats if one.seat == 4)
    assert (seat.credits, seat.unsigned) == (before + 2, 2_000)
    chief.screen.until_words("firmar lo anulado")
    looked.at(croupier.screen, "story-unsigned")
    chief.page.locator(".wait[data-kind=unsigned]").first.tap()
    chief.page.locator("dialog").get_by_role("button", name="Firmar lo anulado").first.tap()
    chief.signs()
    house.until(lambda view: not any(seat.unsigned for table in view.tables for seat in table.seats))
    house.between(DRAW)


def test_r25_a_void_pass_gives_everything_back_and_puts_back_its_prize(house, at, chief, looked):
    croupier = at(DRAW)
    pot = house.pot().main
    played(house, croupier, DRAW, s1=1, s5=5)
    number = house.table(DRAW).number
    croupier.screen.until_words("Estrella")
    croupier.page.locator("header .more").tap()
    looked.at(croupier.screen, "story-more")
    croupier.page.get_by_role("button", name="Anular el pase").tap()
    croupier.page.get_by_role("button", name="Barajadora trabada").tap()
    croupier.screen.until_words("Posición 1: vuelve su apuesta", "Posición 5: vuelve su apuesta")
    looked.at(croupier.screen, "story-void-pass")
    croupier.signs()

    croupier.is_at("between")
    assert f"Pase {number} anulado." in croupier.told()
    assert not house.awards(DRAW) and house.pot().main == pot
    assert house.facts("hands_voided")[-1]["whole_pass"]
    for left in (2, 1):
        chief.page.wait_for_function(
            "left => document.querySelectorAll('.wait[data-kind=unsigned]').length === left", arg=left
        )
        chief.page.locator(".wait[data-kind=unsigned]").first.tap()
        chief.page.locator("dialog").get_by_role("button", name="Firmar lo anulado").first.tap()
        chief.signs()
    house.until(lambda view: not any(seat.unsigned for table in view.tables for seat in table.seats))


def test_r36_a_table_in_training_says_so_at_the_console_the_tablet_and_the_sign(house, at, chief, sign, looked):
    croupier = at(TEXAS)
    house.between(TEXAS)
    chief.table(TEXAS)
    chief.does("Empezar un entrenamiento")
    chief.signs(CARLA, JULIA)
    croupier.page.locator("body[data-training]").wait_for()
    croupier.screen.until_words("nada de esto es dinero")
    croupier.buys(3, 10)
    assert "no cobre nada" in croupier.told()
    croupier.next("open")
    croupier.is_at("open")
    house.presses(TEXAS, 3, 1)
    looked.at(croupier.screen, "training")
    croupier.next("lock")
    croupier.is_at("sealed")
    sign.until_words("entrenamiento")
    looked.at_sign(sign, "training-sign")
    chief.screen.until_words("entrenamiento")
    looked.at(chief.screen, "training-chief")
    assert "repeating-linear-gradient" in croupier.page.evaluate("getComputedStyle(document.body).backgroundImage")
    assert not house.facts("credits_bought")[-1].get("amount") or house.facts("credits_bought")[-1]["practice"]

    house.between(TEXAS)
    chief.table(TEXAS)
    chief.does("Terminar el entrenamiento")
    chief.signs()
    croupier.page.locator("body:not([data-training])").wait_for()
