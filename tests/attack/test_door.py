"""What a member of the node's group can do to its door without any PIN: nothing that honest people feel (security.md 1, 7, 8).

Which of them succeeded on dc78732, and which the door of then bore: docs/campaigns.md, "Attacks, before and now".
"""

import pytest

from support.attack.child import HONEST
from support.attack.ground import SECONDS, ground

pytestmark = [pytest.mark.process, pytest.mark.campaign]

AT_THE_DOOR = {
    "deep": 1,
    "flat": 1,
    "idle": 1,
    "slow_handshakes": 1,
    "endless": 2,
    "half_long": 1,
    "deaf": 1,
    "changes_its_mind": 2,
    "comes_and_goes": 1,
    "floods": 4,
}
"""Attacks of support/attack/at_the_door.py, and how many processes each is."""


@pytest.fixture(scope="module")
def place(template):
    """One node bears them all, one after the other."""
    with ground(template) as made:
        yield made


@pytest.mark.parametrize(("attack", "times"), AT_THE_DOOR.items())
def test_honest_people_feel_nothing_of(place, attack, times):
    seen = place.under(f"support.attack.at_the_door:{attack}", times=times)

    print(seen.summary)
    seen.holds()
    assert seen.after.descriptors < 1_200


@pytest.mark.parametrize(("attack", "times"), [("idle", 2), ("floods", 6), ("comes_and_goes", 2)])
def test_nor_do_they_where_the_attacker_is_the_same_user(place, attack, times):
    """Shares are of processes too: who asks little goes first, and who takes much makes room."""
    seen = place.under(f"support.attack.at_the_door:{attack}", times=times, user=HONEST)

    print(seen.summary)
    seen.holds()


@pytest.mark.parametrize("length", [8, 60_000])
def test_names_of_nobody_leave_a_number_and_not_a_fact_each(place, length):
    """security.md 7: 1,004 facts a second with short names, 21 MB a second with long ones."""
    seen = place.under("support.attack.at_the_door:nobodys_names", SECONDS, length, times=4)

    print(seen.summary)
    seen.holds(facts=40)
