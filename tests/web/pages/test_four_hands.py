"""The four persons who try a console, in a real Chromium: fingers in a hurry, a colleague at the tools, what lies, what stays on its disk."""

import json

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.browser.casino import CARIBBEAN, CARLA, DRAW, JULIA, LUIS, TEXAS
from support.browser.chief import Chief
from support.browser.enrolling import enrolled

pytestmark = pytest.mark.process
BY = Signature("")
SILENCE = 3_000
"""Milliseconds after which a screen shows what was done, or says that it hears nothing."""


@pytest.fixture
def at(opened):
    yield opened.at
    assert opened.quiet() == []


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# In a hurry


def test_a_long_touch_on_a_dimmed_screen_only_wakes_and_so_does_a_double_tap(house, at):
    croupier = at(DRAW)
    house.between(DRAW)
    number = house.opens(DRAW)
    croupier.is_at("open")
    button = croupier.page.locator(".felt .next[data-next=lock]:not([aria-disabled])")
    button.wait_for()
    where, mouse = middle(button), croupier.page.mouse
    dim = "document.documentElement.setAttribute('data-dimmed', '')"
    croupier.page.evaluate(dim)
    mouse.move(*where)
    mouse.down()
    croupier.page.wait_for_timeout(900)
    mouse.up()
    croupier.page.wait_for_timeout(800)
    croupier.page.evaluate(dim)
    croupier.page.touchscreen.tap(*where)
    croupier.page.touchscreen.tap(*where)
    croupier.page.wait_for_timeout(800)
    assert house.table(DRAW).number == number
    assert not [one for one in house.facts("locked") if one["number"] == number and one["table"] == DRAW]

    croupier.next("lock")
    croupier.is_at("sealed")
    house.between(DRAW)


def test_the_passes_of_a_training_do_not_answer_for_those_that_follow(house, at):
    """The same words of the same pass number, asked again minutes later, are another act."""
    croupier = at(TEXAS)
    house.between(TEXAS)
    first = house.table(TEXAS).number + 1
    for training in (True, False):
        if training:
            house.ask(ask.StartTraining(TEXAS, BY, BY), CARLA, JULIA)
            croupier.page.locator("body[data-training]").wait_for()
        croupier.next("open")
        croupier.is_at("open")
        croupier.next("lock")
        croupier.is_at("sealed")
        house.between(TEXAS)
        if training:
            house.ask(ask.EndTraining(TEXAS, BY), JULIA)
            croupier.page.locator("body:not([data-training])").wait_for()
            croupier.is_at("between")
    tables = [one["table"] for one in house.facts("locked") if one["number"] == first]
    assert f"~{TEXAS}" in tables and TEXAS in tables


def test_nothing_is_signed_before_the_node_has_said_what_it_would_do(house, at):
    croupier = at(CARIBBEAN)
    house.between(CARIBBEAN)
    croupier.page.route("**/api/v1/preview", lambda route: route.fulfill(status=202, json={"ok": False}))
    before = len(house.facts("credits_bought"))
    croupier.seat(2)
    croupier.page.locator("dialog.services .preset").first.tap()
    croupier.types(CARLA)
    croupier.confirms()
    croupier.screen.until_words("Calculando")
    assert len(house.facts("credits_bought")) == before
    croupier.page.unroute("**/api/v1/preview")
    croupier.page.locator("dialog .large-amount").wait_for()
    croupier.confirms()
    croupier.page.locator("dialog.signing").wait_for(state="detached")
    assert len(house.facts("credits_bought")) == before + 1


def test_a_pin_that_was_typed_where_the_reason_goes_is_no_reason(house, at):
    croupier = at(CARIBBEAN)
    house.between(CARIBBEAN)
    house.opens(CARIBBEAN)
    croupier.is_at("open")
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Anular el pase").tap()
    croupier.page.locator("dialog .reasons input").fill(CARLA.pin)
    croupier.types(CARLA)
    croupier.confirms()
    croupier.screen.until_words("Elija el motivo")
    assert CARLA.pin not in json.dumps(house.facts())
    croupier.page.keyboard.press("Escape")
    house.between(CARIBBEAN)


# The record


def test_r25_a_usual_reason_goes_on_record_in_spanish_from_an_english_page(house, opened):
    croupier = opened.at(CARIBBEAN, number=2)
    house.between(CARIBBEAN)
    house.buy(CARIBBEAN, s1=5)
    house.opens(CARIBBEAN)
    house.presses(CARIBBEAN, 1, 1)
    croupier.page.evaluate("localStorage.setItem('pozo.language', 'en')")
    croupier.page.reload()
    croupier.is_at("open")
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Void the pass").tap()
    with croupier.page.expect_response("**/api/v1/preview"):
        croupier.page.get_by_role("button", name="Shuffler jammed").tap()
    croupier.signs()
    assert house.facts("hands_voided")[-1]["reason"] == "Barajadora trabada"
    croupier.page.evaluate("localStorage.setItem('pozo.language', 'es')")


# A colleague at the tools


def test_r34_what_the_first_signed_is_what_goes_on_record_whatever_is_chosen_before_the_second(house, opened):
    house.sealed(DRAW, s4=5)
    house.ask(ask.RegisterClaim(DRAW, (Hand(4, cards=("As", "Ks", "Qs", "Js", "Ts")),), BY), CARLA)
    chief = Chief(enrolled(opened.new(), "chief"))
    chief.page.locator(".wait[data-kind=award]").tap()
    chief.page.get_by_role("button", name="Rechazar").tap()
    chief.looks_at_the_table()
    chief.page.get_by_role("button", name="Jugada equivocada").tap()
    chief.screen.until_words("se anula")
    chief.types(JULIA.pin)
    chief.confirms()
    chief.screen.until_words("segunda persona")
    assert chief.page.locator("dialog .what").evaluate("(part) => part.inert"), "no finger reaches it"
    chief.page.locator("dialog .reasons button", has_text="Posición equivocada").evaluate("(one) => one.click()")
    chief.signs(LUIS)
    house.until(lambda view: not any(pot.awards for pot in view.pots))
    assert house.facts("claim_corrected")[-1]["reason"] == "Jugada equivocada"
    house.between(DRAW)
    assert opened.quiet() == []


def test_a_ready_draft_that_nobody_touches_does_not_keep_its_persons_ticket_alive(house, at):
    croupier = at(DRAW)
    house.sealed(DRAW, s3=1)
    croupier.is_at("sealed")
    croupier.seat(3)
    with croupier.page.expect_request("**/api/v1/preview"):
        croupier.claims("full")
    asked = []
    croupier.page.on("request", lambda request: asked.append(request.url))
    croupier.page.evaluate("document.documentElement.setAttribute('data-dimmed', '')")
    croupier.page.wait_for_timeout(200)
    asked.clear()
    croupier.page.wait_for_timeout(2 * SILENCE)
    assert not [one for one in asked if one.endswith("/preview")]
    croupier.page.evaluate("document.documentElement.removeAttribute('data-dimmed')")
    house.between(DRAW)


# What lies, and what stays


def test_a_browser_keeps_no_pin_and_no_key_that_leaves_it(house, at):
    croupier = at(CARIBBEAN)
    kept = croupier.page.evaluate(
        """async () => {
            const {terminalsHere} = await import("/ground/key.js");
            const [terminal] = await terminalsHere();
            const leaves = (how) => crypto.subtle.exportKey(how, terminal.pair.privateKey).then(() => true, () => false);
            const out = [await leaves("pkcs8"), await leaves("jwk")];
            return {out, storage: JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage}), cookie: document.cookie};
        }"""
    )
    assert kept["out"] == [False, False]
    assert kept["cookie"] == ""
    for person in (CARLA, JULIA, LUIS):
        assert person.pin not in kept["storage"]
