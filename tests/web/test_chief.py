"""The chief's tablet in a real browser on a real node: what waits, who signs, and what a signature does (R-20, R-21, R-34 to R-36)."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.browser.boxes import faults_of_targets
from support.browser.casino import CARLA, JULIA, LUIS, MARIO
from support.browser.chief import Chief
from support.browser.enrolling import enrolled
from support.browser.light import mean_luminance
from support.browser.screen import TABLET_UPRIGHT, TEN_INCH, screen

pytestmark = pytest.mark.process

BY = Signature("")
MOST_LIGHT = 0.08


@pytest.fixture
def chief(house, browser):
    """Julia's, with her tablet."""
    with screen(browser, house.origin, TEN_INCH) as shown:
        enrolled(shown, "chief")
        shown.until_words("dp-01", "tx-01")
        yield Chief(shown)


def won(house, table, *hands, **bets):
    house.sealed(table, **bets)
    house.ask(ask.RegisterClaim(table, hands, BY), CARLA)
    return house.awards(table)


def looks(chief, name):
    """At rest or in a sheet: dark, and every finger finds what it looks for."""
    shown = chief.screen
    assert mean_luminance(shown.picture(name)) <= MOST_LIGHT
    assert faults_of_targets(shown.seen().targets, shown.glass.millimetre) == []
    assert not shown.seen().overflows


def test_nothing_waits_and_the_house_is_quiet(house, chief):
    house.between("DP-01")
    chief.screen.until_words("nada espera", "entre pases")
    looks(chief, "chief-quiet")


def test_r21_an_award_waits_with_its_clock_and_is_confirmed_by_one_who_did_not_enter_it(house, chief):
    (award,) = won(house, "DP-01", Hand(3, claimed="full"), s3=2)
    chief.screen.until_words(
        "dp-01 · posición 3 · full", "$\u00a0200.000", "por verificar", "quedan 30 min", "sin cartas"
    )
    looks(chief, "chief-waiting")
    chief.page.locator(".wait[data-kind=award]").tap()
    chief.screen.until_words("la tabla paga", "100 x", "pozo $\u00a0200.000", "r-11", "carla")
    looks(chief, "chief-award")
    assert chief.page.locator("dialog .person[aria-pressed=true]").count() == 0, "nobody is chosen beforehand"
    chief.signs()
    house.until(lambda view: any(one.award == award and one.confirmed for pot in view.pots for one in pot.awards))
    assert house.awards("DP-01")[award].by == "julia"
    chief.screen.until_words("confirmado", "pagar")
    house.between("DP-01")


def test_a_wrong_pin_does_nothing_and_stays_nowhere(house, chief):
    (award,) = won(house, "DP-01", Hand(3, claimed="color"), s3=1)
    chief.page.locator(".wait[data-kind=award]").tap()
    chief.chooses(JULIA)
    chief.types("999999")
    chief.confirms()
    chief.page.locator("dialog .note[data-wrong]").wait_for()
    assert "pin" in chief.page.locator("dialog .note").inner_text().lower()
    assert "●" not in chief.page.locator("dialog .dots").inner_text()
    assert not house.awards("DP-01")[award].confirmed
    chief.types(JULIA.pin)
    chief.confirms()
    house.until(lambda view: any(one.award == award and one.confirmed for pot in view.pots for one in pot.awards))
    house.between("DP-01")


def test_r34_two_reject_a_claim_and_the_second_chooses_himself(house, chief):
    pot = house.pot().main
    (award,) = won(house, "DP-01", Hand(4, cards=("As", "Ks", "Qs", "Js", "Ts")), s4=5)
    chief.screen.until_words("escalera real")
    chief.page.locator(".wait[data-kind=award]").tap()
    chief.page.get_by_role("button", name="Rechazar").tap()
    chief.looks_at_the_table()
    chief.screen.until_words("rechazar la jugada")
    chief.page.get_by_role("button", name="Jugada equivocada").tap()
    chief.screen.until_words("se anula")
    looks(chief, "chief-reject")
    chief.types(JULIA.pin)
    chief.confirms()
    chief.screen.until_words("segunda persona")
    assert chief.page.locator("dialog .person", has_text="Julia").count() == 0, "not the same one"
    chief.signs(LUIS)
    house.until(lambda view: not any(one.award == award for pot in view.pots for one in pot.awards))
    rejected = house.facts("claim_corrected")[-1]
    assert (rejected["by"], rejected["second"]) == ("julia", "luis")
    assert house.pot().main >= pot
    house.between("DP-01")


def test_r35_a_late_winner_of_the_pass_that_ended_is_entered_by_the_chief(house, chief):
    number = house.sealed("DP-01", s2=5)
    house.ask(ask.ClosePass("DP-01", BY), CARLA)
    chief.page.locator(".table-card[data-phase=between]", has_text=f"pase {number}").tap()
    chief.page.get_by_role("button", name="Ganadora tardía o corrección").tap()
    chief.page.get_by_role("button", name=f"pase {number}", exact=True).tap()
    chief.looks_at_the_table()
    chief.page.locator(".pass-hand").nth(1).tap()
    chief.page.locator("dialog .kind", has_text="Full").tap()
    chief.screen.until_words("full")
    looks(chief, "chief-late")
    chief.confirms()
    chief.screen.until_words("$\u00a0500.000")
    chief.types(JULIA.pin)
    chief.confirms()
    house.until(lambda view: any(one.table == "DP-01" for pot in view.pots for one in pot.awards))
    (award,) = house.awards("DP-01").values()
    assert (award.seat, award.prize, award.amount) == (2, "full", 500_000)
    house.ask(ask.ConfirmAward(award.award, BY, BY), MARIO, LUIS)
    house.ask(ask.PayAward(award.award, BY), CARLA)


def test_r36_what_was_voided_late_is_signed_and_seats_are_closed_and_opened(house, chief):
    house.sealed("DP-01", s1=2)
    house.ask(ask.VoidHand("DP-01", 1, "misdeal", BY), CARLA)
    chief.screen.until_words("firmar lo anulado")
    chief.page.locator(".wait[data-kind=unsigned]").tap()
    looks(chief, "chief-table")
    chief.page.get_by_role("button", name="Firmar lo anulado", exact=True).tap()
    chief.signs()
    house.until(lambda view: not any(seat.unsigned for table in view.tables for seat in table.seats))
    house.between("DP-01")
    chief.page.locator(".table-card", has_text="DP-01").tap()
    chief.page.get_by_role("button", name="Cerrar la posición").first.tap()
    chief.page.get_by_role("button", name="Aparato en mal estado").tap()
    chief.signs()
    house.until(lambda view: any(seat.closed for table in view.tables for seat in table.seats))
    chief.screen.until_words("1 cerrada")
    chief.page.locator(".table-card", has_text="DP-01").tap()
    chief.page.get_by_role("button", name="Abrir la posición").tap()
    chief.signs()
    house.until(lambda view: not any(seat.closed for table in view.tables for seat in table.seats))


def test_a_sheet_that_is_open_follows_its_table(house, chief):
    """The floor is told of seats once a second: whoever opens a table before that sees it come."""
    house.between("DP-01")
    chief.table("DP-01")
    chief.page.get_by_role("button", name="Cerrar la posición").nth(3).wait_for()
    house.ask(ask.CloseSeat("DP-01", 4, "de prueba", BY), CARLA)
    opens = chief.page.locator(".seat-row", has_text="CERRADA").get_by_role("button", name="Abrir la posición")
    opens.tap()
    chief.signs()
    house.until(lambda view: not any(seat.closed for table in view.tables for seat in table.seats))
    chief.table("DP-01")
    pass_ = house.opens("DP-01")
    chief.screen.until_words(f"abierta · pase {pass_}")
    chief.page.locator("dialog").get_by_role("button", name="No más apuestas").wait_for()
    house.between("DP-01")


def test_the_other_language_and_a_tablet_that_stands(house, browser):
    with screen(browser, house.origin, TABLET_UPRIGHT) as shown:
        enrolled(shown, "chief")
        shown.until_words("dp-01")
        shown.page.locator(".bar .more").tap()
        shown.page.get_by_role("button", name="English").tap()
        shown.until_words("what waits", "dp-01", "between passes")
        house.ask(ask.CloseSeat("DP-01", 2, "Aparato en mal estado", BY), CARLA)
        house.ask(ask.CloseSeat("DP-01", 4, "se cayó un vaso", BY), CARLA)
        shown.until_words("table dp-01, seat 2: closed (unit out of order).", "seat 4: closed (se cayó un vaso).")
        looks(Chief(shown), "chief-upright-en")
        Chief(shown).table("DP-01")
        shown.until_words("unit out of order", "se cayó un vaso", "open the seat")
        for seat in (2, 4):
            house.ask(ask.OpenSeat("DP-01", seat, BY), JULIA)


def test_a_browser_that_has_chosen_none_speaks_the_language_of_the_settings(house, browser):
    settings = house.place / "web.toml"
    spanish = settings.read_text()
    house.kill_web()
    settings.write_text(f'language = "en"\n{spanish}')
    house.start_web()
    with screen(browser, house.origin, TEN_INCH) as shown:
        enrolled(shown, "chief")
        shown.until_words("what waits", "dp-01")
        shown.page.locator(".bar .more").tap()
        shown.page.get_by_role("button", name="Español").tap()
        shown.until_words("lo que espera", "dp-01")
        shown.page.reload()
        shown.until_words("lo que espera", "dp-01")
    house.kill_web()
    settings.write_text(spanish)
    house.start_web()


def test_without_the_node_nothing_can_be_asked(house, chief):
    house.kill_node()
    chief.screen.until_words("sin nodo")
    assert chief.page.locator("main > [inert]").count() == 2
    chief.screen.picture("chief-no-node")
    house.start_node()
    chief.page.wait_for_function("() => document.documentElement.dataset.live === 'live'")
    assert chief.page.locator("main > [inert]").count() == 0
