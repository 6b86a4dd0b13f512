"""A console whose machine or page slept: it says within two seconds what is so by then, and nothing that was so before may be asked."""

import time

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.values import Signature
from support.browser.casino import CARLA, DRAW

pytestmark = pytest.mark.process
NOBODY = Signature("")
AWAKE = 2.0 if CAMPAIGN else 3.0
"""Seconds, two on a quiet machine; in a test that others' tests slow down, some patience."""


def sleeps(screen, meanwhile):
    """As a browser freezes a page; the true picture is waited for afterwards, and how long that took."""
    session = screen.context.new_cdp_session(screen.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    meanwhile()
    session.send("Page.setWebLifecycleState", {"state": "active"})
    return time.monotonic()


@pytest.mark.campaign
@pytest.mark.parametrize("seconds", [1, 12])
def test_a_page_that_was_frozen_shows_what_is_so_within_two_seconds(house, opened, seconds, tell):
    console = opened.at(DRAW)
    house.between(DRAW)
    house.buy(DRAW, s3=5)
    number = house.opens(DRAW)
    console.is_at("open")

    def meanwhile():
        house.presses(DRAW, 3, 1)
        house.locks(DRAW)
        house.ask(ask.ClosePass(DRAW, NOBODY), CARLA)
        house.opens(DRAW)
        time.sleep(seconds)  # a page is frozen by the browser, and no clock can be given to that

    woke = sleeps(console.screen, meanwhile)
    console.screen.until_words(f"pase {number + 1}")
    console.is_at("open")
    console.page.locator("html[data-live=live]").wait_for()
    took = time.monotonic() - woke
    tell(f"true again {1000 * took:.0f} ms after a sleep of {seconds} s")
    assert took < AWAKE
    console.next("lock")
    console.is_at("sealed")
    assert opened.quiet() == []
