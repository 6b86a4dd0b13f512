"""The simulated people bet while they may, now and then too late, and always alike for one seed."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.native.contract import LampDrive
from drivers.session import SECOND
from firmware_sim.desk.commands import read_command
from firmware_sim.desk.players import SHORTEST_WINDOW, Habits, Players, PlayerView, evening

ALWAYS, NEVER_LATE = Habits(bets=1.0, too_late=0.0), Habits(bets=1.0, too_late=0.0, leaves=0.0)


def seat(number, *, slot=False, trouble=""):
    return PlayerView(
        number=number, lamp=LampDrive.OFF, shows="9", powered=True, gate_open=True if slot else None, trouble=trouble
    )


def acts_of(players, until, step=10_000):
    return [(now, words) for now in range(0, until, step) for words in players.now(now)]


def test_everybody_bets_once_and_within_the_window():
    players = Players(range(1, 7), Random(1), ALWAYS)

    players.bets_open([seat(number) for number in range(1, 7)], 0, 4 * SECOND)
    acts = acts_of(players, 5 * SECOND)

    assert sorted(int(words.split()[1]) for _, words in acts) == [1, 2, 3, 4, 5, 6]
    assert all(250_000 <= now <= 4 * SECOND + 10_000 and " press " in words for now, words in acts)


def test_where_there_is_a_slot_chips_fall_one_after_the_other_and_never_more_than_a_bet_may_be():
    for seed in range(30):
        players = Players([1], Random(seed), ALWAYS, most=3)
        players.bets_open([seat(1, slot=True)], 0, 4 * SECOND)

        times = [now for now, words in acts_of(players, 9 * SECOND) if words == "seat 1 chip"]

        assert 1 <= len(times) <= 3
        assert all(later - sooner >= 290_000 for sooner, later in pairwise(times))


def test_after_the_call_nobody_goes_on_who_is_not_too_late():
    players = Players(range(1, 7), Random(1), NEVER_LATE)
    players.bets_open([seat(number) for number in range(1, 7)], 0, 4 * SECOND)

    players.bets_closed(300_000)

    assert players._plan == [] and acts_of(players, 9 * SECOND) == []


def test_who_is_too_late_presses_soon_after_the_call_and_only_once():
    players = Players([1, 2], Random(1), Habits(bets=0.0, too_late=1.0))
    players.bets_open([seat(1), seat(2)], 0, SECOND)

    players.bets_closed(SECOND)
    acts = acts_of(players, 3 * SECOND)
    players.bets_closed(3 * SECOND)

    assert sorted(words for _, words in acts) == ["seat 1 press 1", "seat 2 press 1"]
    assert all(SECOND < now < 2 * SECOND for now, _ in acts)
    assert players._plan == []


def test_nobody_sits_at_a_seat_that_is_broken_or_is_not_his():
    players = Players([1, 2], Random(1), ALWAYS)

    players.bets_open([seat(1, trouble="apagado"), seat(3)], 0, SECOND)

    assert players._plan == []


def test_who_has_few_credits_buys_and_who_throws_chips_does_not():
    players = Players([1], Random(1))

    assert players.wants_credits(seat(1), 4) in Habits().buys
    assert players.wants_credits(seat(1), 5) == 0
    assert players.wants_credits(seat(1, slot=True), 0) == 0
    assert players.wants_credits(seat(1, trouble="suelto"), 0) == 0


@pytest.mark.parametrize(("chance", "gone"), [(0.0, False), (1.0, True)])
def test_people_go_home_as_their_habits_say(chance, gone):
    assert Players([1], Random(1), Habits(leaves=chance)).leaves() is gone


@given(st.integers(0, 2**32), st.booleans(), st.integers(SHORTEST_WINDOW, 20 * SECOND))
def test_the_same_seed_plays_the_same_and_everything_is_a_command_of_the_desk(seed, slot, window):
    said = []
    for _ in range(2):
        chance = Random(seed)
        players = Players(range(1, 8), chance, evening(chance))
        players.bets_open([seat(number, slot=slot) for number in range(1, 8)], 0, window)
        before = acts_of(players, window, 50_000)
        players.bets_closed(window)
        said.append(
            [*before, *((now, words) for now in range(window, window + SECOND, 50_000) for words in players.now(now))]
        )

    assert said[0] == said[1]
    assert all(read_command(words) is not None for _, words in said[0])
