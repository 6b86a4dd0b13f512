"""devices.md 2.7: the real drivers against the real simulated units over a hostile line, as seeded histories.

4,000 of them under `make campaign`. And each guard the contract has, taken away, is missed by one of the histories.
"""

from collections import Counter

import pytest
from conftest import CAMPAIGN
from removed_guards import REMOVED
from schedules import play

HISTORIES = 4000 if CAMPAIGN else 96
PARTS = 16 if CAMPAIGN else 8
MOST_TRIED = 400


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_loses_or_invents_a_credit_lights_an_unbooked_bet_or_opens_by_a_stale_frame(part):
    seen = Counter()
    for seed in range(part, HISTORIES, PARTS):
        table = play(seed)
        assert not table.broken, f"seed {seed}: {table.broken}"
        seen += table.seen

    happened = {"loaded", "bets", "voided", "opened", "reboots", "host crashes", "looks at steady lamps"}
    assert happened <= {what for what, times in seen.items() if times}, "a history in which nothing happens"
    print(f"part {part}: {dict(seen)}")


@pytest.mark.parametrize("removal", REMOVED, ids=lambda removal: removal.name)
def test_a_removed_guard_is_missed(removal):
    tried = [*range(removal.known, removal.known + 4), *range(MOST_TRIED)]
    with removal.patched():
        broken = next((table.broken for seed in tried if (table := play(seed, removal.firmware)).broken), [])

    assert broken, f"{removal.name}: nothing missed it in {MOST_TRIED} histories"
