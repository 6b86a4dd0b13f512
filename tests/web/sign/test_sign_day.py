"""A sign that hangs for a day (R-31): a page of real Chromium at 1080p lives 24 hours on a clock of ours while tables play and win.

No frame shows more than was committed, the page holds no more after a day than after an hour, and at rest it costs its little computer
next to nothing, in real time.
"""

import os
import time

import pytest

from bench.house import cpu_of, memory_of
from controller.core.facts import AwardConfirmed, ClaimCorrected
from controller.web.live.entities import LayoutEntity
from support.browser.amounts import Shown, above, standing
from support.browser.enrolling import enrolled
from support.browser.screen import SIGN, chromium, screen
from support.browser.sign_day import MINUTE, SignDay
from support.places import TESTS

CAMPAIGN = bool(os.environ.get("POZO_CAMPAIGN"))
pytestmark = [pytest.mark.process, pytest.mark.campaign]
MINUTES, WARM, GROWS = (24 * 60, 60, 1.05) if CAMPAIGN else (12, 4, 1.2)
"""Of the day; after so many the page has what it needs, and in the end it holds at most so many times that."""
FRAME = 1_000 / 60
LAYOUT = LayoutEntity("sala", ("pozo-condor", "pozo-austral"), "sala", responsible_play="Juegue con responsabilidad.", age="18", resolution="R")  # fmt: skip
CLOCK = (TESTS / "support/browser/virtual.js").read_text()
REST, MOST_CPU = (30, 5.0) if CAMPAIGN else (4, 50.0)
"""Real seconds that it hangs at rest, and percent of one core."""


@pytest.fixture(scope="module")
def browser():
    """It compiles no code that is hot any hotter: what it makes of a page all day is no part of what the page holds."""
    with chromium("--js-flags=--no-opt --no-maglev --no-sparkplug") as started:
        yield started


class Held:
    """What a page holds, once what it let go of is gone."""

    def __init__(self, shown):
        self._ask = shown.context.new_cdp_session(shown.page).send
        self._ask("Performance.enable")

    def now(self):
        for _ in range(2):
            self._ask("HeapProfiler.collectGarbage")
        told = {one["name"]: one["value"] for one in self._ask("Performance.getMetrics")["metrics"]}
        return {name: told[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}


class Hung:
    """A sign whose time passes when it is told; `seen`: of each pot, from which frame on it was what, since it heard its first word."""

    def __init__(self, shown):
        self._page = shown.page
        shown.context.add_init_script(CLOCK)
        enrolled(shown, "sign", LAYOUT.name)
        while not self._page.evaluate("virtual.isHeard()"):
            self._run(self._run(0)["now"] + 100)
        self._began = self._run(0)["now"]
        self.frames, self.seen = 0, {pot: [] for pot in LAYOUT.pots}

    def until(self, milliseconds, told):
        passed = self._run(self._began + milliseconds, [[self._began + at, event, data] for at, event, data in told])
        self.frames += passed["frames"]
        for at, pot, amount in passed["seen"]:
            self.seen[pot].append(Shown(at - self._began, amount))

    def _run(self, until, told=()):
        return self._page.evaluate("([until, told]) => virtual.run(until, told)", [until, list(told)])


def test_r31_a_day_on_the_wall_shows_nothing_that_was_not_committed_and_holds_no_more_in_the_evening(
    house, browser, tell
):
    day, real = SignDay(LAYOUT, seed=20261120), time.monotonic()
    with screen(browser, house.origin, SIGN) as shown:
        held, sign = Held(shown), Hung(shown)
        for minute, told in day.minutes():
            sign.until(minute * MINUTE, told)
            if minute == WARM:
                first = held.now()
            if minute % 60 == 0:
                pages = sum(memory_of(one["id"]) for one in processes(browser) if one["type"] == "renderer")
                tell(f"{minute // 60} h after {time.monotonic() - real:.0f} s: {held.now()}, renderers {pages:.0f} MB")
            if minute == MINUTES:
                break
        last = held.now()
    tell(f"{sign.frames} frames, {sum(map(len, sign.seen.values()))} amounts, {day.happened}; {first}, then {last}")
    for pot, amounts in sign.seen.items():
        committed = [one for one in day.committed[pot] if one.at <= MINUTES * MINUTE]
        soon_after = standing(amounts, [one.at + 2 * FRAME for one in committed])
        assert above(amounts, committed) == []
        assert above(soon_after, committed) == [], "a fall is seen at once"
        assert len(amounts) > 10 * MINUTES, "it climbed all the time"
        assert -1 not in {one.amount for one in amounts}, "there was always an amount"
    assert day.happened[AwardConfirmed] > MINUTES // 30
    assert day.happened[ClaimCorrected] or not CAMPAIGN
    assert last["JSHeapUsedSize"] < GROWS * first["JSHeapUsedSize"]
    assert last["Nodes"] < GROWS * first["Nodes"]
    assert last["JSEventListeners"] <= first["JSEventListeners"]


def test_at_rest_a_sign_costs_next_to_nothing(house, browser, tell):
    with screen(browser, house.origin, SIGN) as shown:
        enrolled(shown, "sign", "sala")
        shown.until_words("pozo cóndor", "5.000.000")
        time.sleep(REST / 6)
        its, webs, began = processors(browser), cpu_of(house.web.pid), time.monotonic()
        time.sleep(REST)
        took = time.monotonic() - began
        now = processors(browser)
        each = {kind: 100 * (now[kind] - its.get(kind, 0)) / took for kind in now}
        web = 100 * (cpu_of(house.web.pid) - webs) / took
    tell(f"at rest: {', '.join(f'{kind} {share:.1f} %' for kind, share in each.items())}; web {web:.1f} %")
    assert sum(each.values()) < MOST_CPU


def processes(browser):
    return browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]


def processors(browser):
    """Seconds of processor so far of the browser's processes, by their kind."""
    told = processes(browser)
    kinds = {one["type"] for one in told}
    return {kind: sum(one["cpuTime"] for one in told if one["type"] == kind) for kind in kinds}
