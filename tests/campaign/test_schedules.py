"""devices.md 2.7: the real drivers against the real simulated units over a hostile line, as seeded histories.

4,000 of them under `make campaign`. And each guard the contract has, taken away, is missed by one of the histories.
"""

from collections import Counter

import pytest
from conftest import CAMPAIGN

from support.drivers.removed_guards import REMOVED
from support.drivers.schedules import play

HISTORIES = 4000 if CAMPAIGN else 96
PARTS = 16 if CAMPAIGN else 8
MOST_TRIED = 400
EVERYTHING = (85, 31, 33)  # in these three every kind of happening happened once: they are tried first
OFTEN = {"loaded", "cashed", "bets", "voided", "opened", "reboots", "host crashes", "looks at steady lamps"}
RARELY = {
    "chips", "late", "jams", "lamp faults", "console presses", "cables pulled", "memory losses", "locks by broadcast",
    "cash-outs", "chips of another value", "tables on TCP", "tables with FC23",
}  # fmt: skip


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_loses_or_invents_a_credit_lights_an_unbooked_bet_or_opens_by_a_stale_frame(part):
    seen = Counter()
    for seed in range(part, HISTORIES, PARTS):
        table = play(seed)
        assert not table.broken, f"seed {seed}: {table.broken}"
        seen += table.seen

    wanted = OFTEN | RARELY if CAMPAIGN else {"loaded", "bets", "opened"}
    assert wanted <= {what for what, times in seen.items() if times}, "a history in which nothing happens"
    print(f"part {part}: {dict(seen)}")


def test_every_kind_of_happening_happens_in_the_short_form_too():
    missing = OFTEN | RARELY
    for seed in (*EVERYTHING, *range(96)):
        missing -= {what for what, times in play(seed).seen.items() if times}
        if not missing:
            break

    assert not missing


@pytest.mark.parametrize("removal", REMOVED, ids=lambda removal: removal.name)
def test_a_removed_guard_is_missed(removal):
    tried = [*range(removal.known, removal.known + 4), *range(MOST_TRIED)]
    with removal.patched():
        broken = next((table.broken for seed in tried if (table := play(seed, removal.firmware)).broken), [])

    assert broken, f"{removal.name}: nothing missed it in {MOST_TRIED} histories"
