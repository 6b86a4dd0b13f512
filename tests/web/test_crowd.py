"""Fifty consoles and two hundred signs look at once, twenty never read, hostile ones come without end, eight windows of one browser look.

The table does not notice, nobody waits, little is sent, nothing grows. The bounds on time and memory's course are the campaign's, on a
quiet machine; the short form is a few of each and shows that none is lost.
"""

import os
import statistics
import time
from pathlib import Path

import pytest

from support.browser.amounts import Sample, bytes_a_minute, slope_an_hour
from support.browser.casino import ANA, JULIA, TEXAS
from support.browser.crowd import crowd
from support.browser.enrolling import PAGES, enrolled
from support.browser.hostile import OF_A_SESSION, hostile
from support.browser.screen import screen
from support.browser.visitor import Visitor

pytestmark = [pytest.mark.process, pytest.mark.campaign]
CAMPAIGN = bool(os.environ.get("POZO_CAMPAIGN"))
CONSOLES, SIGNS, DEAF = (50, 200, 20) if CAMPAIGN else (10, 40, 4)
SECONDS, PASSES = (int(os.environ.get("POZO_CROWD", "600")), 5) if CAMPAIGN else (6, 1)
"""POZO_CROWD=3600 is the hour of issue 16."""
REST = 60
"""Seconds from one pass to the next while everybody looks: faster than casinos play."""
WINDOWS = 8
MOST_BYTES, MOST_MEGABYTES = 40_000, 150
UNCHANGED = 1.3
"""Times the press to steady lamp without anybody who looks."""
FLAT = 0.05
"""Of its memory: the most that it would grow in an hour."""
SETTLED = 60
"""Seconds until everybody has come and memory counts."""
KINDS = {"garbage", "half", "oversize", "churn", "deaf", "slow"}


def visitors(house, use, place, scope, streams, number):
    """So many streams, by terminals that come from addresses of their own: `number` opens those."""
    made = []
    for at in range(0, streams, OF_A_SESSION):
        visitor = Visitor(house.origin, f"{use}-{number}-{at}", f"127.0.{number}.{1 + at // OF_A_SESSION}", "gzip")
        assert visitor.enrols(use, place, ANA, JULIA).status == 200
        assert visitor.says_hello().status == 200
        made.append((visitor, scope, min(OF_A_SESSION, streams - at)))
    return made


def lamps(house, table, passes):
    """From press to steady lamp at every seat, pass after pass."""
    took = []
    for _ in range(passes):
        house.between(table)
        house.buy(table, **{f"s{seat}": 1 for seat in range(1, 7)})
        house.opens(table)
        for seat in range(1, 7):
            house.unlocked(table, seat)
            took.append(house.tables.lit_after(table, seat, 1))
        house.locks(table)
    return took


def megabytes(process, line):
    told = Path(f"/proc/{process.pid}/status").read_text()
    return int(told.split(f"{line}:")[1].split()[0]) / 1_000


def looked_at_for(house, table):
    """Pass after pass as long as it lasts: from press to lamp, and the memory of the web each second.

    What is its own beside what it shares with files says which of the two grew, if anything did.
    """
    took, weighed, own = lamps(house, table, PASSES), [], []
    began = last = time.monotonic()
    while (now := time.monotonic()) - began < SECONDS:
        weighed.append(Sample(now, megabytes(house.web, "VmRSS")))
        own.append(megabytes(house.web, "RssAnon"))
        if now - last > REST:
            took += lamps(house, table, 1)
            last = now
        time.sleep(1)
    settled = [one for one in weighed if one.at - began > SETTLED] or weighed
    return took, settled, own


def eight_windows(shown):
    """Of one browser, all at the same page; what is under way of its streams is kept."""
    streams = []
    shown.context.on("request", lambda one: "/stream?" in one.url and streams.append(one))
    for ended in ("requestfinished", "requestfailed"):
        shown.context.on(ended, lambda one: one in streams and streams.remove(one))
    enrolled(shown, "table", TEXAS)
    pages = [shown.page, *(shown.window() for _ in range(WINDOWS - 1))]
    for page in pages[1:]:
        page.goto(shown.origin + PAGES["table"])
    return pages, streams


def test_a_crowd_that_looks_changes_nothing_at_a_table(house, browser, tell):
    alone = lamps(house, TEXAS, PASSES)
    looks = [
        *visitors(house, "table", TEXAS, f"table:{TEXAS}", CONSOLES, 1),
        *visitors(house, "sign", "sala", "sign:sala", SIGNS, 2),
    ]
    bad = [one for one, _, _ in visitors(house, "table", TEXAS, f"table:{TEXAS}", DEAF + OF_A_SESSION, 3)]
    with screen(browser, house.origin) as shown, hostile(bad, f"table:{TEXAS}") as did, crowd(looks) as there:
        pages, streams = eight_windows(shown)
        looked_at, weighed, own = looked_at_for(house, TEXAS)
        now = time.monotonic() * 1_000
        assert len(there.readers) == CONSOLES + SIGNS
        assert there.lost == []
        assert there.unheard(3_000) == []
        assert [shown.seen(page).marks.get("live") for page in pages] == ["live"] * WINDOWS
        assert len(streams) == 1, "one stream for all windows of a browser"
        sent = [bytes_a_minute(one.pieces, now) for one in there.readers]
    alone += lamps(house, TEXAS, PASSES)
    assert did.keys() == KINDS, "each of them came"

    grows = slope_an_hour(weighed)
    for who, times in (("alone", alone), ("looked at", looked_at)):
        tell(f"press to lamp {who}: p50 {statistics.median(times):.1f} ms, longest {max(times):.1f} ms of {len(times)}")
    tell(f"{max(sent[:CONSOLES]):.0f} bytes a minute at most at a console, {max(sent[CONSOLES:]):.0f} at a sign")
    tell(f"web MB {[round(one.value, 1) for one in weighed[::60]]}, {grows:+.2f} an hour; hostile ones did {did}")
    tell(f"of it its own {[round(one, 1) for one in own[::60]]}")
    assert max(one.value for one in weighed) < MOST_MEGABYTES
    if CAMPAIGN:
        assert max(sent) < MOST_BYTES
        assert statistics.median(looked_at) < UNCHANGED * statistics.median(alone)
        assert grows < FLAT * weighed[0].value
