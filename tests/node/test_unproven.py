"""What nobody proved is counted by the user who tried: the clock is given."""

from controller.core.inputs import CountUnproven
from controller.core.values import Unproven
from controller.node.control.unproven import ONE_BY_ONE, SUMMED_EVERY, UnprovenCount

UNKNOWN, TOO_SOON = Unproven


def test_a_few_stand_for_themselves_and_the_rest_is_one_number_when_its_time_is_over():
    unproven = UnprovenCount()
    alone = [unproven.is_one_of_few(1_002, UNKNOWN, at, 5_000 + at) for at in range(1_000)]

    assert alone == [True] * ONE_BY_ONE + [False] * (1_000 - ONE_BY_ONE)
    assert unproven.sums(SUMMED_EVERY - 1) == []
    assert unproven.sums(SUMMED_EVERY) == [CountUnproven(UNKNOWN, 1_002, 1_000 - ONE_BY_ONE, 5_000)]
    assert unproven.sums(SUMMED_EVERY) == []
    assert unproven.is_one_of_few(1_002, UNKNOWN, SUMMED_EVERY, 0)


def test_users_and_kinds_are_counted_apart_and_what_never_stands_for_itself_is_only_counted():
    unproven = UnprovenCount()
    for user in (1, 2):
        assert unproven.is_one_of_few(user, UNKNOWN, 0, 7)
    for _ in range(3):
        unproven.count(2, TOO_SOON, 10, 8)

    assert unproven.sums(SUMMED_EVERY + 10) == [CountUnproven(TOO_SOON, 2, 3, 8)]
