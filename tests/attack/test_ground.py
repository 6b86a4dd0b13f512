"""The ground of attacks itself: where nobody attacks, everything holds, and what is broken is seen."""

import pytest

from support.attack.child import HONEST, STRANGER
from support.attack.ground import Seen, Size, Waits, ground, of_another_user
from support.node.node_process import founded

pytestmark = pytest.mark.process

CALM, SIZE = Waits((1.0, 2.0, 3.0), ()), Size(0, 0, 0, 0, 0)
GOOD = Seen(CALM, CALM, SIZE, SIZE, 0, alive=True, told="")


@of_another_user
def test_nobody_feels_who_only_rests_and_he_is_another_user(tmp_path):
    founded(tmp_path)
    with ground(tmp_path) as place:
        seen = place.under("support.attack.at_the_door:rests", 1.0, times=2)

    assert seen.told.split() == [str(STRANGER)] * 2 and HONEST != STRANGER
    seen.holds()
    assert seen.after.facts > seen.before.facts, "the honest sell credits"


@pytest.mark.parametrize(
    "bad",
    [
        {"alive": False},
        {"attacked": Waits(CALM.waits, ("nobody answered",))},
        {"attacked": Waits((200.0,) * 9, ())},
        {"peak": 40_000_000},
        {"after": SIZE._replace(record=3_000_000)},
        {"after": SIZE._replace(journal=3_000_000)},
        {"after": SIZE._replace(facts=1_000)},
    ],
)
def test_what_honest_people_felt_or_what_grew_is_a_failure(bad):
    GOOD.holds()
    with pytest.raises(AssertionError):
        GOOD._replace(**bad).holds()
