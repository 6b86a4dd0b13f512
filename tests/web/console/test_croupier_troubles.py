"""What goes wrong at a croupier's screen, in a real Chromium: dead processes, reloads, wrong PINs, hasty fingers, corrections, refusals."""

import time

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.vocabulary.protocol import Pin
from support.browser.casino import ANA, CARLA, DRAW, JULIA, LUIS
from support.browser.visitor import Visitor

pytestmark = pytest.mark.process
NOBODY = Signature("")
TRUE_AGAIN, ANEW = 3.0, 2.0
"""Seconds until a page shows what is so: after its node was back, after it was loaded anew."""


@pytest.fixture
def at(opened):
    yield opened.at
    assert opened.quiet() == []


def registered(croupier, house, **seats):
    """A pass with these bets, whose first seat wins a Full, registered at the page; its number."""
    number = house.sealed(DRAW, **seats)
    croupier.is_at("sealed")
    croupier.seat(int(min(seats)[1:]))
    croupier.claims("full")
    croupier.next("register")
    croupier.screen.until_words("R-11")
    croupier.signs()
    return number


def seconds_until(croupier, words):
    began = time.monotonic()
    croupier.screen.until_words(words)
    return time.monotonic() - began


def test_a_draft_survives_a_reload_and_the_page_is_there_again_at_once(house, at, looked):
    croupier = at(DRAW)
    house.sealed(DRAW, s3=1)
    croupier.is_at("sealed")
    croupier.seat(3)
    croupier.claims("full")
    croupier.screen.until_words("$ 100.000")

    began = time.monotonic()
    croupier.page.reload()
    croupier.is_at("sealed")
    croupier.screen.until_words("Full")
    took = time.monotonic() - began
    croupier.screen.until_words("$ 100.000")
    assert croupier.page.locator(".who-signs").inner_text() == "Carla Cruz", "her ticket is still good"
    looked.at(croupier.screen, "croupier-reloaded")
    assert took < ANEW


def test_a_node_that_dies_is_said_and_the_truth_is_back_soon_after_it_is(house, opened, looked):
    croupier = opened.at(DRAW)
    house.sealed(DRAW, s3=1)
    croupier.is_at("sealed")
    house.kill_node()
    croupier.screen.until_words("SIN NODO")
    assert croupier.screen.seen().marks["live"] == "no_node"
    looked.at(croupier.screen, "croupier-no-node")
    house.begin_node()
    house.node.ready()
    began = time.monotonic()
    croupier.page.locator("html[data-live=live]").wait_for()
    croupier.is_at("sealed")

    assert time.monotonic() - began < TRUE_AGAIN
    assert opened.quiet() == []
    house.node.up()
    opened.forget()


def test_a_web_that_dies_takes_nothing_along(house, opened, looked):
    croupier = opened.at(DRAW)
    number = house.sealed(DRAW, s3=1)
    croupier.is_at("sealed")
    croupier.seat(3)
    croupier.claims("full")
    house.kill_web()
    croupier.screen.until_words("SIN CONEXIÓN")
    looked.at(croupier.screen, "croupier-no-connection")
    house.unlocks(DRAW, number + 1)
    house.start_web()
    began = time.monotonic()
    croupier.page.locator("html[data-live=live]").wait_for()
    croupier.screen.until_words(f"Pase {number} sin registrar")
    assert time.monotonic() - began < TRUE_AGAIN
    looked.at(croupier.screen, "croupier-left-draft")

    croupier.page.locator(".left-draft .first").tap()
    croupier.page.locator("dialog.entering").wait_for()
    assert opened.quiet() == []
    opened.forget()


def test_wrong_pins_are_told_and_wait_and_a_right_one_is_good_again(house, opened, looked):
    croupier = opened.at(DRAW, number=3)
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Salir (").tap()
    croupier.page.locator(".who-signs[data-nobody]").tap()
    croupier.chooses(CARLA)
    before = len(house.facts("refused"))
    for _ in range(3):
        croupier.types(Pin("carla", "999999"))
        croupier.confirms()
        croupier.page.locator("dialog .note[data-wrong]").wait_for()
    looked.at(croupier.screen, "croupier-wrong-pin")
    assert len(house.facts("refused")) > before
    assert croupier.page.locator("dialog").count() == 1, "nobody is signed in"


def test_a_croupier_is_no_chief_by_address_nor_by_api(house, at):
    croupier = at(DRAW)
    number = registered(croupier, house, s3=1)
    (award,) = house.awards(DRAW)
    asks = "(path) => fetch(`/api/v1/${path}`).then((answer) => answer.status)"
    assert croupier.page.evaluate(asks, "whole?scope=floor") == 403
    assert croupier.page.evaluate(asks, "stream?scope=floor") == 403
    assert croupier.page.evaluate(asks, f"whole?scope=table:{DRAW}") == 200

    visitor = Visitor(house.origin, "consola-ajena")
    assert visitor.enrols("table", DRAW, ANA, JULIA).status == 200
    assert visitor.says_hello().status == 200
    for asked, second in (
        ({"ask": "confirm_award", "award": award}, LUIS),
        ({"ask": "reject_claim", "claim": award.rpartition("/")[0], "reason": "no"}, LUIS),
        ({"do": "close_day"}, None),
        ({"do": "enrol", "person": "eva", "name": "Eva", "roles": ["chief"], "known": True}, None),
    ):
        answer = visitor.acts(asked, CARLA, second)
        assert answer.status in {400, 403, 409}, (asked, answer)
        assert answer.reason
    assert visitor.get("whole?scope=floor").status == 403
    assert visitor.get("whole?scope=table:CP-01").status == 403
    assert not house.awards(DRAW)[award].confirmed and number
    house.between(DRAW)


def test_the_chiefs_refusal_is_seen_at_the_table(house, at):
    croupier = at(DRAW)
    registered(croupier, house, s3=1)
    (award,) = house.awards(DRAW)
    croupier.screen.until_words("Premios", "Full")
    house.ask(ask.RejectClaim(award.rpartition("/")[0], "no era esa mano", NOBODY, NOBODY), JULIA, LUIS)
    croupier.page.locator(".award").wait_for(state="detached")

    assert not house.awards(DRAW)


def test_a_page_says_everything_in_english_too(house, at, looked):
    croupier = at(DRAW)
    house.sealed(DRAW, s3=1)
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="English").tap()
    croupier.page.locator("html[lang=en]").wait_for()
    croupier.is_at("sealed")
    seen = croupier.screen.seen()
    looked.at(croupier.screen, "croupier-english")
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Español").tap()
    croupier.page.locator("html[lang=es]").wait_for()

    for spanish in ("CERRADA", "Mesa", "Jornada", "apuesta", "Pase siguiente", "Ningún"):
        assert spanish not in seen.words
