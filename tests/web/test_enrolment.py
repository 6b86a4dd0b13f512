"""A browser becomes a terminal under the fingers of two persons, and nothing is shown to one that is none."""

import pytest

from support.browser.boxes import faults_of_targets
from support.browser.casino import ANA, DRAW, JULIA
from support.browser.screen import FIFTEEN_INCH, FIFTEEN_INCH_UPRIGHT, TEN_INCH, screen

pytestmark = pytest.mark.process

_ASKED_TO_KEEP = """
StorageManager.prototype.persist = async () => {
    localStorage.setItem("test.kept", "asked");
    throw new Error("not here");
};
"""
"""A browser that says no, by an error: the screen is a terminal all the same."""


def test_two_persons_enrol_a_screen_that_was_measured_by_a_card(house, browser, looked):
    with screen(browser, house.origin, FIFTEEN_INCH) as seen:
        page = seen.page
        page.add_init_script(_ASKED_TO_KEEP)
        seen.goes(f"/croupier/?place={DRAW}")
        page.wait_for_url("**/ground/enrol.html*")
        wide = 85.6 * seen.glass.millimetre
        page.get_by_role("slider").fill(f"{round(wide * 2) / 2}")
        assert seen.seen().millimetre == pytest.approx(seen.glass.millimetre, abs=0.01)
        looked.at(seen, "enrolment")
        page.get_by_label("Qué mesa").fill(DRAW)
        for fields, person in zip(page.locator("fieldset").all(), (ANA, JULIA), strict=True):
            fields.get_by_role("textbox").first.fill(person.person)
            fields.get_by_label("PIN").fill(person.pin)
        page.get_by_role("button", name="Inscribir", exact=True).tap()
        page.wait_for_url("**/croupier/*")
        assert page.evaluate("localStorage.getItem('test.kept')") == "asked", "the browser throws no key away for room"
        (fact,) = house.facts("terminal_enrolled")
    assert (fact["use"], fact["place"], fact["by"], fact["second"]) == ("table", DRAW, "ana", "julia")


def test_a_wrong_pin_enrols_nothing_and_no_key_is_kept(house, browser):
    with screen(browser, house.origin, TEN_INCH) as seen:
        seen.goes("/ground/enrol.html?use=chief")
        page = seen.page
        page.wait_for_url("**/ground/enrol.html*")
        for fields, person in zip(page.locator("fieldset").all(), (ANA, JULIA), strict=True):
            fields.get_by_role("textbox").first.fill(person.person)
            fields.get_by_label("PIN").fill("999999")
        before = len(house.facts("terminal_enrolled"))
        page.get_by_role("button", name="Inscribir", exact=True).tap()
        page.locator(".said[data-wrong]").wait_for()
        assert len(house.facts("terminal_enrolled")) == before
        assert page.evaluate("indexedDB.databases().then((all) => all.length)") == 0, (
            "no key is kept that nobody let in"
        )


def types(page, words):
    """With a finger, on the keys of the sheet that is open."""
    for letter in words:
        if letter.isupper():
            page.locator("dialog .letters .wide .key").first.tap()
        page.locator("dialog .letters > .key").get_by_text(letter, exact=True).tap()
        if letter.isupper():
            page.locator("dialog .letters .wide .key").first.tap()
    page.locator("dialog .confirm:not([aria-disabled])").tap()
    page.locator("dialog").wait_for(state="detached")


@pytest.mark.parametrize("glass", [TEN_INCH, FIFTEEN_INCH_UPRIGHT], ids=lambda glass: glass.name)
def test_whoever_has_no_keyboard_types_with_a_finger(house, browser, looked, glass):
    with screen(browser, house.origin, glass) as seen:
        seen.goes("/ground/enrol.html?use=table")
        page = seen.page
        page.evaluate(
            "localStorage.setItem('pozo.mm', String(arguments[0]))".replace("arguments[0]", str(glass.millimetre))
        )
        page.reload()
        page.get_by_label("Qué mesa").tap()
        if glass is TEN_INCH:  # the page below is longer than this glass, and scrolls
            assert faults_of_targets(seen.seen().targets, glass.millimetre) == []
            seen.picture("sheet-letters")
        else:
            looked.at(seen, "sheet-letters")
        types(page, DRAW)
        assert page.get_by_label("Qué mesa").input_value() == DRAW
        for fields, person in zip(page.locator("fieldset").all(), (ANA, JULIA), strict=True):
            fields.get_by_role("textbox").first.tap()
            types(page, person.person)
            fields.get_by_label("PIN").tap()
            page.locator("dialog .letters[data-numbers]").wait_for()
            types(page, person.pin)
        before = len(house.facts("terminal_enrolled"))
        page.get_by_role("button", name="Inscribir", exact=True).tap()
        page.wait_for_url("**/croupier/*")
        assert len(house.facts("terminal_enrolled")) == before + 1
