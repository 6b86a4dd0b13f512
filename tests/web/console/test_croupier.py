"""A croupier's whole work in a real Chromium, from his sign-in to paid winners, with the taps that it takes him."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from support.browser.casino import CARIBBEAN, DRAW, JULIA, LUIS, TEXAS
from support.browser.light import seen_contrast
from support.browser.screen import FIFTEEN_INCH

pytestmark = pytest.mark.process
NOBODY = Signature("")


@pytest.fixture
def at(opened):
    yield opened.at
    assert opened.quiet() == []


def claims_of(house, table, number):
    return [one for one in house.facts("claim_registered") if (one["table"], one["number"]) == (table, number)]


def confirmed(house, table):
    """As a chief and an administrator do it."""
    for award in house.awards(table).values():
        if not award.confirmed:
            house.ask(ask.ConfirmAward(award.award, NOBODY, NOBODY), JULIA, LUIS)


def test_a_pass_without_winners_takes_no_tap_beyond_its_button(house, at, looked):
    croupier = at(DRAW)
    house.between(DRAW)
    house.buy(DRAW, s3=2)
    croupier.is_at("between")
    croupier.taps = 0
    croupier.next("open")
    croupier.is_at("open")
    looked.at(croupier.screen, "croupier-open")
    house.presses(DRAW, 3, 1)
    croupier.next("lock")
    croupier.is_at("sealed")
    looked.at(croupier.screen, "croupier-sealed")
    croupier.next("next")
    croupier.is_at("open")

    assert croupier.taps == 3, "open, lock, next: nothing is touched for a pass that nobody won"


def test_the_word_of_the_state_stands_out_from_the_felt(house, at):
    croupier = at(DRAW)
    house.between(DRAW)
    croupier.is_at("between")

    assert seen_contrast(croupier.page.locator(".state strong").screenshot()) >= 8


def test_credits_are_sold_by_a_preset_and_the_new_balance_is_in_the_answer(house, at, looked):
    croupier = at(DRAW)
    house.between(DRAW)
    before = next(one.credits for one in house.table(DRAW).seats if one.seat == 5)
    croupier.seat(5)
    looked.at(croupier.screen, "croupier-services")
    croupier.page.locator("dialog.services .cancel").tap()
    croupier.buys(5, 10)

    assert f"Posición 5: {before + 10} créditos" in croupier.told()
    assert house.facts("credits_bought")[-1] == house.facts("credits_bought")[-1] | {
        "seat": 5,
        "amount": 10_000,
        "by": "carla",
    }


def test_one_full_takes_three_taps_and_a_signature(house, at, looked):
    croupier = at(DRAW)
    number = house.sealed(DRAW, s3=2)
    croupier.is_at("sealed")
    croupier.taps = 0
    croupier.seat(3)
    croupier.claims("full")
    croupier.screen.until_words("$ 200.000")
    looked.at(croupier.screen, "croupier-draft")
    croupier.next("register")
    assert croupier.taps == 3
    croupier.screen.until_words("R-11", "$ 200.000")
    looked.at(croupier.screen, "croupier-register")
    croupier.signs()

    (claim,) = claims_of(house, DRAW, number)
    assert claim["by"] == "carla"
    (award,) = house.awards(DRAW).values()
    assert (award.seat, award.prize, award.amount) == (3, "full", 200_000)


def test_fifteen_inches_have_room_for_every_target(house, at, looked):
    """Thirteen cards of 15 mm in a row need 219 mm; a screen of 10.1 inches has 217.7 mm, where their keys are 14.9 mm wide."""
    croupier = at(DRAW, FIFTEEN_INCH)
    house.sealed(DRAW, s3=2)
    croupier.is_at("sealed")
    croupier.seat(3)
    looked.at(croupier.screen, "croupier-hand")
    croupier.claims("full")
    croupier.screen.until_words("$ 200.000")
    looked.at(croupier.screen, "croupier-draft")
    croupier.next("register")
    croupier.screen.until_words("R-11")
    looked.at(croupier.screen, "croupier-register")
    croupier.page.locator("dialog .cancel").tap()


def test_three_winners_of_three_categories_on_two_linked_tables_are_paid(house, at, looked):
    draw, caribbean = at(DRAW), at(CARIBBEAN)
    first, second = house.sealed(DRAW, s3=2, s6=1), house.sealed(CARIBBEAN, s2=1)
    draw.is_at("sealed")
    draw.taps = 0
    draw.seat(3)
    draw.claims("full")
    draw.seat(6)
    draw.claims("color")
    draw.next("register")
    assert draw.taps == 5
    draw.screen.until_words("$ 200.000")
    draw.signs()

    caribbean.is_at("sealed")
    caribbean.taps = 0
    caribbean.seat(2)
    caribbean.holds("9h", "8h", "7h", "6h", "5h")
    caribbean.screen.until_words("Escalera de Color")
    caribbean.next("register")
    assert caribbean.taps == 7
    caribbean.signs()

    assert [len(claims_of(house, *one)) for one in ((DRAW, first), (CARIBBEAN, second))] == [1, 1]
    prizes = {one.prize: one.amount for table in (DRAW, CARIBBEAN) for one in house.awards(table).values()}
    assert prizes.keys() == {"full", "color", "escalera_color"} and all(prizes.values())
    for croupier, table in ((draw, DRAW), (caribbean, CARIBBEAN)):
        confirmed(house, table)
        for _ in house.awards(table):
            croupier.page.locator(".award .pay:visible").first.tap()
            croupier.signs()
        house.until(lambda view, table=table: not any(one.table == table for pot in view.pots for one in pot.awards))
    paid = [one["award"] for one in house.facts("award_paid")]
    assert len(paid) == len(set(paid)) and len(paid) >= 3


def test_a_royal_of_community_and_own_cards_is_one_suit_and_community_cards_are_entered_once(house, at, looked):
    croupier = at(TEXAS)
    house.sealed(TEXAS, s1=1, s4=1)
    croupier.is_at("sealed")
    croupier.seat(1)
    croupier.holds("As", "Ks", "Qs")
    croupier.royal("s")
    croupier.screen.until_words("Escalera Real")
    croupier.taps = 0
    croupier.seat(4)
    croupier.holds("2c", "2h")
    assert croupier.taps == 3, "the community cards are there"
    looked.at(croupier.screen, "croupier-texas")


def test_a_seat_without_a_bet_says_why_and_cannot_be_tapped(house, at, looked):
    croupier = at(DRAW)
    house.sealed(DRAW, s3=1)
    croupier.is_at("sealed")

    seat = croupier.page.locator(".places .seat >> nth=0")
    assert seat.get_attribute("aria-disabled") == "true"
    assert "NO APOST" in seat.inner_text()


def test_a_second_console_of_a_table_registers_nothing_twice(house, at, looked):
    one, other = at(DRAW), at(DRAW, number=2)
    number = house.sealed(DRAW, s3=1)
    for console in (one, other):
        console.is_at("sealed")
        console.seat(3)
        console.claims("full")
        console.next("register")
        console.screen.until_words("$ 100.000")
        console.types(console.person)
    for console in (one, other):
        console.page.locator("dialog .confirm:not([aria-disabled])").tap(no_wait_after=True)
    for console in (one, other):
        console.page.wait_for_function(
            "() => !document.querySelector('dialog.signing') || document.querySelector('dialog .note[data-wrong]')"
        )
    refused = [console for console in (one, other) if console.page.locator("dialog .note[data-wrong]").count()]

    assert len(claims_of(house, DRAW, number)) == 1
    assert len(refused) == 1
    assert refused[0].page.locator("dialog .note").inner_text().strip(), "it says why"
    looked.at(refused[0].screen, "croupier-second-console")
    refused[0].page.locator("dialog .cancel").tap()
