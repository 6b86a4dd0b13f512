"""Fifty consoles and two hundred signs look at once, and twenty that never read: the table does not notice, nobody waits, little is sent.

The bounds on time are the campaign's, on a quiet machine; the short form is a few of each and shows that none is lost.
"""

import os
import statistics
import time
from pathlib import Path

import pytest

from support.browser.amounts import bytes_a_minute
from support.browser.casino import ANA, DRAW, JULIA, TEXAS, casino
from support.browser.crowd import crowd
from support.browser.visitor import Visitor

pytestmark = [pytest.mark.process, pytest.mark.campaign]
CAMPAIGN = bool(os.environ.get("POZO_CAMPAIGN"))
CONSOLES, SIGNS, DEAF = (50, 200, 20) if CAMPAIGN else (10, 40, 4)
SECONDS = 600 if CAMPAIGN else 8
MOST_BYTES, MOST_MEGABYTES = 40_000, 150
OF_A_SESSION = 4
"""Streams that the web process lets one session have."""
UNCHANGED = 1.3
"""Times the press to steady lamp without anybody who looks."""


@pytest.fixture(scope="module")
def house():
    with casino() as made:
        yield made


def visitors(house, use, place, scope, streams, number):
    """So many streams, by terminals that come from addresses of their own: `number` opens those."""
    made = []
    for at in range(0, streams, OF_A_SESSION):
        visitor = Visitor(house.origin, f"{use}-{number}-{at}", f"127.0.{number}.{1 + at // OF_A_SESSION}")
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


def megabytes(process):
    told = Path(f"/proc/{process.pid}/status").read_text()
    return int(told.split("VmRSS:")[1].split()[0]) / 1_000


def test_a_crowd_that_looks_changes_nothing_at_a_table(house, tell):
    alone = lamps(house, TEXAS, 5 if CAMPAIGN else 1)
    looks = [
        *visitors(house, "table", DRAW, f"table:{DRAW}", CONSOLES, 1),
        *visitors(house, "sign", "sala", "sign:sala", SIGNS, 2),
    ]
    with crowd(looks, visitors(house, "sign", "condor", "sign:condor", DEAF, 3)) as there:
        began = time.monotonic()
        looked_at = lamps(house, TEXAS, 5 if CAMPAIGN else 1)
        while time.monotonic() - began < SECONDS:
            time.sleep(0.5)
        now = time.monotonic() * 1_000
        assert len(there.readers) == CONSOLES + SIGNS
        assert there.lost == []
        assert there.unheard(3_000) == []
        sent = [bytes_a_minute(one.pieces, now) for one in there.readers]
        tell(f"press to lamp {statistics.median(alone):.1f} ms alone, {statistics.median(looked_at):.1f} ms looked at")
        tell(f"{max(sent):.0f} bytes a minute at most, web {megabytes(house.web):.0f} MB")
        assert megabytes(house.web) < MOST_MEGABYTES
        if CAMPAIGN:
            assert max(sent) < MOST_BYTES
            assert statistics.median(looked_at) < UNCHANGED * statistics.median(alone)
