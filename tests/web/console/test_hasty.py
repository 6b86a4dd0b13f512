"""A finger that taps twice, on every kind of button that does or begins something: what it does stands on record once.

A turn has twelve such buttons, from credits that are sold to credits that are paid out; the second tap comes 30 to 400 ms after the
first. In a campaign a thousand double taps, else two turns.
"""

import os
import random
from collections import Counter

import pytest

from support.browser.casino import CARLA, DRAW
from support.browser.chief import Chief
from support.browser.enrolling import enrolled
from support.browser.screen import TEN_INCH

pytestmark = [pytest.mark.process, pytest.mark.campaign]
SEAT, A_TURN = 3, 12
TURNS = -(-1_000 // A_TURN) if os.environ.get("POZO_CAMPAIGN") else 2
ONCE_A_TURN = {
    "credits_bought": 1, "pass_opened": 2, "locked": 1, "claim_registered": 1, "award_confirmed": 1, "award_paid": 1,
    "hands_voided": 1, "credits_cashed": 1,
}  # fmt: skip


class Hasty:
    def __init__(self, page, chance):
        self.page, self._chance, self.taps = page, chance, 0

    def twice(self, selector):
        """As soon as it is awake, and again at the same place, whatever stands there by then."""
        button = self.page.locator(f"{selector}:not([aria-disabled])").last
        button.wait_for()
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.touchscreen.tap(*middle)
        self.page.wait_for_timeout(self._chance.uniform(30, 400))
        self.page.touchscreen.tap(*middle)
        self.taps += 1


def a_turn(house, croupier, chief, finger, tablet):
    signed = "dialog .confirm"
    croupier.seat(SEAT)
    croupier.page.locator("dialog.services .preset", has_text="10").first.tap()
    croupier.screen.until_words("Cobre")
    croupier.types(CARLA)
    finger.twice(signed)
    over(croupier)
    finger.twice(".next[data-next=open]")
    croupier.is_at("open")
    house.presses(DRAW, SEAT, 1)
    finger.twice(".next[data-next=lock]")
    croupier.is_at("sealed")
    croupier.seat(SEAT)
    croupier.claims("full")
    croupier.screen.until_words("$ 100.000")
    finger.twice(".next[data-next=register]")
    croupier.screen.until_words("R-11")
    croupier.types(CARLA)
    finger.twice(signed)
    over(croupier)
    tablet.twice(".wait[data-kind=award]")
    chief.chooses(chief.person)
    chief.types(chief.person.pin)
    tablet.twice(signed)
    over(chief)
    finger.twice(".award .pay")
    croupier.page.locator("dialog .key-0").wait_for()
    croupier.types(CARLA)
    finger.twice(signed)
    over(croupier)
    croupier.page.locator(".award").wait_for(state="detached")
    finger.twice(".next[data-next=next]")
    croupier.is_at("open")
    croupier.page.locator("header .more").tap()
    croupier.page.get_by_role("button", name="Anular el pase").tap()
    croupier.page.get_by_role("button", name="Barajadora trabada").tap()
    croupier.types(CARLA)
    finger.twice(signed)
    over(croupier)
    croupier.is_at("between")
    croupier.seat(SEAT)
    croupier.page.get_by_role("button", name="Retirar créditos").tap()
    croupier.screen.until_words("Entregue $")
    croupier.types(CARLA)
    finger.twice(signed)
    over(croupier)
    house.until(lambda view: not any(seat.credits for table in view.tables for seat in table.seats))


def over(who):
    """What was signed is done, and no other sheet has come of the second tap."""
    who.page.locator("dialog").wait_for(state="detached")


def test_nothing_that_is_tapped_twice_is_done_twice(house, opened, tell):
    croupier, chief = opened.at(DRAW), Chief(enrolled(opened.new(TEN_INCH), "chief"))
    chance = random.Random(16)
    finger, tablet = Hasty(croupier.page, chance), Hasty(chief.page, chance)
    house.between(DRAW)
    croupier.is_at("between")
    for turn in range(TURNS):
        before = len(house.facts())
        a_turn(house, croupier, chief, finger, tablet)
        done = Counter(one["kind"] for one in house.facts()[before:])
        assert {kind: done[kind] for kind in ONCE_A_TURN} == ONCE_A_TURN, (turn, done)
        assert not done["refused"], "a second tap is not even asked"
        if turn % 10 == 9:
            tell(f"{finger.taps + tablet.taps} double taps")
    assert finger.taps + tablet.taps == TURNS * A_TURN
    assert opened.quiet() == []
    tell(f"{finger.taps + tablet.taps} double taps")
