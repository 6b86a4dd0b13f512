"""A pot that another node owns, and its cable cut: what a console, a tablet and a sign say of it, and what can still be paid (R-14, R-28, R-31)."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.play.cable import free_port
from support.browser.casino import WEB, until_answered
from support.browser.chief import Chief
from support.browser.croupier import Croupier
from support.browser.enrolling import enrolled
from support.browser.screen import SIGN, TEN_INCH, screen
from support.node.linked_casinos import POT, TABLE, linked
from support.node.node_process import ANA, CARLA, JEFE, LUIS, POZO, started

pytestmark = pytest.mark.process
NOBODY = Signature("")
AGED = 15
"""Seconds until a sign says how old its amount is, and some patience."""


@pytest.fixture(scope="module")
def three():
    """Two casinos and the owner of their pot; `puerto` has a web beside it."""
    with linked() as made:
        made.introduced()
        yield made


@pytest.fixture(scope="module")
def origin(three):
    place, port = three.puerto.place, free_port()
    (place / "web.toml").write_text(WEB.format(port=port))
    (place / "signs.toml").write_text(f'[[sign]]\nname = "sala"\npots = ["{POT}"]\ntheme = "sala"\n')
    with (place / "web.log").open("ab") as log, started([POZO, "web", place / "web.toml"], stdout=log, stderr=log):
        until_answered(port)
        yield f"http://127.0.0.1:{port}"


def test_while_its_owner_is_not_heard_multiples_are_paid_and_percentages_wait(three, origin, browser, looked):
    with (
        screen(browser, origin) as table,
        screen(browser, origin, TEN_INCH) as tablet,
        screen(browser, origin, SIGN) as hall,
    ):
        croupier = Croupier(enrolled(table, "table", TABLE, ANA, JEFE), CARLA)
        chief = Chief(enrolled(tablet, "chief", "", ANA, JEFE), JEFE)
        sign = enrolled(hall, "sign", "sala", ANA, JEFE)
        croupier.signs_in()
        sign.until_words("pozo norte", "10.000.000")
        three.puerto.bet(1, 5)
        croupier.is_at("sealed")
        three.cables.cut("puerto")
        three.is_cut(three.puerto)

        chief.screen.until_words("sin enlace con norte")
        croupier.screen.until_words("sin enlace", "los porcentajes esperan")
        looked.at(table, "far-cut")
        tablet.picture("far-chief")
        croupier.seat(1)
        croupier.claims("full")
        croupier.next("register")
        croupier.screen.until_words("$ 500.000")
        croupier.signs()
        chief.award(TABLE, "Full", "500.000")
        chief.signs(JEFE, LUIS)
        croupier.page.locator(".award .pay:visible").tap()
        croupier.signs()
        croupier.page.locator(".award").wait_for(state="detached")
        assert three.puerto.kinds().count("award_paid") == 1, "a multiple is certain, whoever is not heard (R-14)"

        three.puerto.bet(3, 5)
        croupier.is_at("sealed")
        croupier.seat(3)
        croupier.holds("9h", "8h", "7h", "6h", "5h")
        croupier.next("register")
        croupier.screen.until_words("Escalera de Color", "espera al dueño del pozo")
        looked.at(table, "far-register")
        croupier.signs()
        croupier.screen.until_words("espera al dueño", "por decidir")
        looked.at(table, "far-waits")
        assert croupier.page.locator(".award .pay:visible").count() == 0
        sign.page.locator(".age:has-text('de hace')").wait_for(timeout=AGED * 1_000)
        hall.picture("far-sign")
        chief.award(TABLE, "Escalera de Color")
        looked.at(tablet, "far-award")
        chief.page.keyboard.press("Escape")

        three.cables.join("puerto")
        croupier.page.locator(".award[data-standing=verify]").wait_for()
        (award,) = three.puerto.pot.awards
        assert award.amount > 0 and not award.waits
        sign.page.locator(".age:has-text('de hace')").wait_for(state="detached", timeout=AGED * 1_000)
        looked.at(table, "far-decided")


def test_r34_the_chief_hears_that_a_correction_waits_for_the_owner_before_he_closes_the_day(three, origin, browser):
    """The owner is cut off when a other hand is found in the first pass: what it gives is not known yet."""
    with screen(browser, origin, TEN_INCH) as tablet:
        chief = Chief(enrolled(tablet, "chief", "", ANA, JEFE), JEFE)
        three.cables.cut("puerto")
        three.is_cut(three.puerto)
        found = ask.CorrectClaim(TABLE, 1, (Hand(1, claimed="color"),), "se ve en cámara", NOBODY, NOBODY)
        three.puerto.ask(found, JEFE, LUIS)
        chief.screen.until_words(f"corrección de {TABLE.lower()}/1/1", "falta la palabra de norte")
        chief.page.locator("header .more").tap()
        chief.page.get_by_role("button", name="Cerrar la jornada").tap()
        chief.screen.until_words("espera a norte. lo que decida se paga otro día")
        chief.page.keyboard.press("Escape")

        three.cables.join("puerto")
        chief.page.locator(".wait[data-kind=asked]").wait_for(state="detached")
