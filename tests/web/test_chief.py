"""The chief's tablet in a real browser on a real node: what waits, who signs, and what a signature does (R-20, R-21, R-34 to R-36)."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.browser.boxes import faults_of_targets
from support.browser.casino import CARLA, JULIA, LUIS, MARIO, casino
from support.browser.enrolling import enrolled
from support.browser.light import mean_luminance
from support.browser.screen import TABLET_UPRIGHT, TEN_INCH, screen

pytestmark = pytest.mark.process

BY = Signature("")
MOST_LIGHT = 0.08


@pytest.fixture(scope="module")
def house():
    with casino() as opened:
        yield opened


@pytest.fixture
def tablet(house, browser):
    with screen(browser, house.origin, TEN_INCH) as shown:
        enrolled(shown, "chief")
        shown.until_words("dp-01", "tx-01")
        yield shown


def signs(shown, person, pin=None):
    """He finds himself among those who may, and types."""
    shown.page.locator("dialog .person", has_text=name_of(person)).tap()
    types(shown, pin or person.pin)


def types(shown, pin):
    for digit in pin:
        shown.page.locator(f"dialog .pin .key-{digit}").tap()


def name_of(person):
    return {"julia": "Julia", "mario": "Mario", "luis": "Luis", "ana": "Ana", "carla": "Carla"}[person.person]


def confirms(shown):
    shown.page.wait_for_function(
        "() => !document.querySelector('dialog[open] .confirm')?.hasAttribute('aria-disabled')"
    )
    shown.page.locator("dialog .confirm").tap()


def won(house, table, *hands, **bets):
    house.sealed(table, **bets)
    house.ask(ask.RegisterClaim(table, hands, BY), CARLA)
    return house.awards(table)


def looks(shown, name):
    """At rest or in a sheet: dark, and every finger finds what it looks for."""
    assert mean_luminance(shown.picture(name)) <= MOST_LIGHT
    assert faults_of_targets(shown.seen().targets, shown.glass.millimetre) == []
    assert not shown.seen().overflows


def test_nothing_waits_and_the_house_is_quiet(house, tablet):
    house.between("DP-01")
    tablet.until_words("nada espera", "entre pases")
    looks(tablet, "chief-quiet")


def test_r21_an_award_waits_with_its_clock_and_is_confirmed_by_one_who_did_not_enter_it(house, tablet):
    (award,) = won(house, "DP-01", Hand(3, claimed="full"), s3=2)
    tablet.until_words("dp-01 · posición 3 · full", "$\u00a0200.000", "por verificar", "quedan 30 min", "sin cartas")
    looks(tablet, "chief-waiting")
    tablet.page.locator(".wait[data-kind=award]").tap()
    tablet.until_words("la tabla paga", "100 x", "pozo $\u00a0200.000", "r-11", "carla")
    looks(tablet, "chief-award")
    assert tablet.page.locator("dialog .person[aria-pressed=true]").count() == 0, "nobody is chosen beforehand"
    signs(tablet, JULIA)
    confirms(tablet)
    house.until(lambda view: any(one.award == award and one.confirmed for pot in view.pots for one in pot.awards))
    assert house.awards("DP-01")[award].by == "julia"
    tablet.until_words("confirmado", "pagar")
    house.between("DP-01")


def test_a_wrong_pin_does_nothing_and_stays_nowhere(house, tablet):
    (award,) = won(house, "DP-01", Hand(3, claimed="color"), s3=1)
    tablet.page.locator(".wait[data-kind=award]").tap()
    signs(tablet, JULIA, "999999")
    confirms(tablet)
    tablet.page.locator("dialog .note[data-wrong]").wait_for()
    assert "pin" in tablet.page.locator("dialog .note").inner_text().lower()
    assert "●" not in tablet.page.locator("dialog .dots").inner_text()
    assert not house.awards("DP-01")[award].confirmed
    types(tablet, JULIA.pin)
    confirms(tablet)
    house.until(lambda view: any(one.award == award and one.confirmed for pot in view.pots for one in pot.awards))
    house.between("DP-01")


def test_r34_two_reject_a_claim_and_the_second_chooses_himself(house, tablet):
    pot = house.pot().main
    (award,) = won(house, "DP-01", Hand(4, cards=("As", "Ks", "Qs", "Js", "Ts")), s4=5)
    tablet.until_words("escalera real")
    tablet.page.locator(".wait[data-kind=award]").tap()
    tablet.page.get_by_role("button", name="Rechazar").tap()
    signs(tablet, JULIA)
    confirms(tablet)  # looks at the table
    tablet.until_words("rechazar la jugada")
    tablet.page.get_by_role("button", name="Jugada equivocada").tap()
    tablet.until_words("se anula")
    looks(tablet, "chief-reject")
    types(tablet, JULIA.pin)
    confirms(tablet)
    tablet.until_words("segunda persona")
    assert tablet.page.locator("dialog .person", has_text="Julia").count() == 0, "not the same one"
    signs(tablet, LUIS)
    confirms(tablet)
    house.until(lambda view: not any(one.award == award for pot in view.pots for one in pot.awards))
    rejected = house.facts("claim_corrected")[-1]
    assert (rejected["by"], rejected["second"]) == ("julia", "luis")
    assert house.pot().main >= pot
    house.between("DP-01")


def test_r35_a_late_winner_of_the_pass_that_ended_is_entered_by_the_chief(house, tablet):
    number = house.sealed("DP-01", s2=5)
    house.ask(ask.ClosePass("DP-01", BY), CARLA)
    tablet.page.locator(".table-card[data-phase=between]", has_text=f"pase {number}").tap()
    tablet.page.get_by_role("button", name="Ganadora tardía o corrección").tap()
    tablet.page.get_by_role("button", name=f"pase {number}", exact=True).tap()
    signs(tablet, JULIA)
    confirms(tablet)  # looks at the table
    tablet.page.locator(".pass-hand").nth(1).tap()
    tablet.page.locator("dialog .kind", has_text="Full").tap()
    tablet.until_words("full")
    looks(tablet, "chief-late")
    confirms(tablet)
    tablet.until_words("$\u00a0500.000")
    types(tablet, JULIA.pin)
    confirms(tablet)
    house.until(lambda view: any(one.table == "DP-01" for pot in view.pots for one in pot.awards))
    (award,) = house.awards("DP-01").values()
    assert (award.seat, award.prize, award.amount) == (2, "full", 500_000)
    house.ask(ask.ConfirmAward(award.award, BY, BY), MARIO, LUIS)
    house.ask(ask.PayAward(award.award, BY), CARLA)


def test_r36_what_was_voided_late_is_signed_and_seats_are_closed_and_opened(house, tablet):
    house.sealed("DP-01", s1=2)
    house.ask(ask.VoidHand("DP-01", 1, "misdeal", BY), CARLA)
    tablet.until_words("firmar lo anulado")
    tablet.page.locator(".wait[data-kind=unsigned]").tap()
    looks(tablet, "chief-table")
    tablet.page.get_by_role("button", name="Firmar lo anulado", exact=True).tap()
    signs(tablet, JULIA)
    confirms(tablet)
    house.until(lambda view: not any(seat.unsigned for table in view.tables for seat in table.seats))
    house.between("DP-01")
    tablet.page.locator(".table-card", has_text="DP-01").tap()
    tablet.page.get_by_role("button", name="Cerrar la posición").first.tap()
    tablet.page.get_by_role("button", name="Aparato en mal estado").tap()
    signs(tablet, JULIA)
    confirms(tablet)
    house.until(lambda view: any(seat.closed for table in view.tables for seat in table.seats))
    tablet.until_words("1 cerrada")
    tablet.page.locator(".table-card", has_text="DP-01").tap()
    tablet.page.get_by_role("button", name="Abrir la posición").tap()
    signs(tablet, JULIA)
    confirms(tablet)
    house.until(lambda view: not any(seat.closed for table in view.tables for seat in table.seats))


def test_the_other_language_and_a_tablet_that_stands(house, browser):
    with screen(browser, house.origin, TABLET_UPRIGHT) as shown:
        enrolled(shown, "chief")
        shown.until_words("dp-01")
        shown.page.locator(".bar .more").tap()
        shown.page.get_by_role("button", name="English").tap()
        shown.until_words("what waits", "dp-01", "between passes")
        looks(shown, "chief-upright-en")


def test_without_the_node_nothing_can_be_asked(house, tablet):
    house.kill_node()
    tablet.until_words("sin nodo")
    assert tablet.page.locator("main[inert]").count() == 1
    tablet.picture("chief-no-node")
    house.start_node()
    tablet.page.wait_for_function("() => document.documentElement.dataset.live === 'live'")
    assert tablet.page.locator("main[inert]").count() == 0
