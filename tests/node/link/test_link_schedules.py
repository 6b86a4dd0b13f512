"""R-18 to R-28: nodes that share pots, the real core, letters and protocol under a hostile network, as seeded histories.

2,000 of them under `make campaign`. After every commit what must hold is looked at; then the world is kind, and everything
comes to rest, with every record good to a second hand and all of them saying the same. And each guard of protocol, letters
and core, taken away, is missed by one of the histories.
"""

from collections import Counter

import pytest
from conftest import CAMPAIGN

from support.links.removed import REMOVED
from support.links.schedule import Schedule

SCHEDULES = 2_000 if CAMPAIGN else 8
PARTS = 40 if CAMPAIGN else 4
STEPS = 200
MOST_TRIED = 300


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_the_network_does_no_peso_is_lost_or_doubled_and_everybody_comes_to_rest(part):
    done: Counter[str] = Counter()
    broken: list[str] = []
    for seed in range(part, SCHEDULES, PARTS):
        schedule = Schedule(seed)
        try:
            schedule.run(STEPS)
        except Exception as error:  # noqa: BLE001  whatever was broken: the others are played all the same
            broken.append(
                f"seed {seed} {schedule.troubles} {schedule.readings}: {type(error).__name__} {str(error)[:500]}"
            )
            print(broken[-1])
        done += schedule.done + schedule.trouble
    assert not broken, "\n".join(broken)
    assert done["OpenPass"] and done["PayAward"], "a history in which nothing happens"
    print(f"part {part}: {dict(done)}")


@pytest.mark.parametrize("removal", REMOVED, ids=lambda removal: removal.name)
def test_a_removed_guard_is_missed(removal):
    """By a history in which nothing is broken where the guard is there."""
    with removal.patched():
        seed = next(filter(breaks, (removal.known, *range(MOST_TRIED))), None)
    assert seed is not None, f"nothing missed it in {MOST_TRIED} histories"
    assert not breaks(seed)


def breaks(seed: int) -> bool:
    try:
        Schedule(seed).run(STEPS)
    except Exception:  # noqa: BLE001  whatever a removed guard brings
        return True
    return False
