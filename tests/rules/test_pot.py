"""R-18, R-24: money enters a pot up to its ceiling and leaves it in full, and no pot is ever negative."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.money import Money
from controller.rules.pot import (
    Pot,
    Reserve,
    Sources,
    assert_sound,
    draw,
    first_name_taken,
    pour,
    pour_all,
    take_behind,
)
from controller.rules.readings import Backing

BOTH = Backing.RESERVES_THEN_HOUSE


def pot_of(main, *reserves, base=0):
    return Pot(Money(main), Money(base), tuple(Reserve(f"r{at}", Money(amount)) for at, amount in enumerate(reserves)))


def test_r18_the_main_pot_then_the_reserves_in_their_order_then_the_house():
    sources, after = draw(pot_of(100, 30, 50), Money(200), BOTH)

    assert sources == Sources(Money(100), (Money(30), Money(50)), Money(20))
    assert after == pot_of(0, 0, 0)


def test_r18_the_second_reserve_helps_only_when_the_first_is_empty():
    sources, after = draw(pot_of(100, 30, 50), Money(140), BOTH)

    assert sources == Sources(Money(100), (Money(30), Money(10)), Money(0))
    assert after == pot_of(0, 0, 40)


def test_r18_r33_the_reading_house_leaves_the_reserves_alone():
    sources, after = draw(pot_of(100, 30), Money(140), Backing.HOUSE)

    assert sources == Sources(Money(100), (Money(0),), Money(40))
    assert after == pot_of(0, 30)


def test_r18_a_pot_that_is_enough_gives_alone():
    sources, after = draw(pot_of(100, 30, base=7), Money(100), BOTH)

    assert sources == Sources(Money(100), (Money(0),), Money(0))
    assert after == pot_of(0, 30, base=7)


def test_r19_behind_the_pot_stand_the_reserves_then_the_house():
    sources, left = take_behind(pot_of(0, 700, 5).reserves, Money(1000), BOTH)

    assert sources == Sources(Money(0), (Money(700), Money(5)), Money(295))
    assert [reserve.amount for reserve in left] == [0, 0]
    assert [reserve.name for reserve in left] == ["r0", "r1"]


@given(
    st.integers(0, 10**9), st.lists(st.integers(0, 10**9), max_size=4), st.integers(0, 10**10), st.sampled_from(Backing)
)
def test_r18_drawing_moves_exactly_the_amount_and_never_goes_below_zero(main, reserves, amount, backing):
    before = pot_of(main, *reserves)

    sources, after = draw(before, Money(amount), backing)

    assert_sound(after)
    assert sources.total == amount
    assert after.main == before.main - sources.main
    assert min(sources.main, sources.house, *sources.reserves, 0) == 0
    if backing is BOTH and sources.house:
        assert after.main == sum(reserve.amount for reserve in after.reserves) == 0


@pytest.mark.parametrize(
    ("ceiling", "main", "overflow"),
    [(None, 1070, 0), (1069, 1069, 1), (1070, 1070, 0), (1071, 1070, 0), (1000, 1000, 70), (990, 1000, 70)],
)
def test_r24_what_would_pass_the_ceiling_goes_to_the_first_reserve(ceiling, main, overflow):
    poured, over = pour(
        pot_of(1000, 5, 6), Money(70), (Money(10), Money(20)), None if ceiling is None else Money(ceiling)
    )

    assert over == overflow
    assert poured == pot_of(main, 15 + overflow, 26)


def test_r24_a_unit_that_ripens_leaves_a_pot_at_its_ceiling():
    poured, over = pour(pot_of(1000, 5), Money(-1), (Money(2),), Money(1000))

    assert (poured, over) == (pot_of(999, 7), 0)


MANY = st.lists(st.tuples(st.integers(-3, 40), st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=9)


@given(MANY, st.none() | st.integers(0, 400))
def test_r24_poured_at_once_or_one_after_another_is_the_same(many, ceiling):
    pot, overflows = pot_of(100, 5, 26), []
    for main, reserves in many:
        pot, over = pour(pot, Money(main), reserves, ceiling)
        overflows.append(over)

    assert pour_all(pot_of(100, 5, 26), many, ceiling) == (pot, tuple(overflows))


def test_r24_only_what_passes_the_ceiling_goes_on_to_the_first_reserve_bet_by_bet():
    poured, overflows = pour_all(pot_of(970, 0), [(Money(20), (Money(1),))] * 3, Money(1000))

    assert (poured, overflows) == (pot_of(1000, 33), (0, 10, 20))


def test_r24_without_bets_nothing_is_poured():
    assert pour_all(pot_of(1000, 5), [], Money(10)) == (pot_of(1000, 5), ())


def test_r18_no_bet_takes_out_what_the_next_one_brings():
    with pytest.raises(AssertionError, match="R-18"):
        pour_all(pot_of(0), [(Money(-1), ()), (Money(2), ())], None)


def test_r24_nothing_poured_changes_nothing():
    assert pour(pot_of(1000, 5), Money(0), (Money(0),), Money(1000)) == (pot_of(1000, 5), 0)


def test_r24_a_ceiling_without_a_reserve_is_a_broken_invariant():
    with pytest.raises(AssertionError, match=r"^R-24: a ceiling needs a reserve for what passes it"):
        pour(pot_of(1000), Money(1), (), Money(1000))


@pytest.mark.parametrize(
    ("names", "at"),
    [([], None), (["a", "b"], None), (["a", "b", "a"], 2), (["a", "b", "b"], 2), (["main"], 0), (["a", "house"], 1),
     (["commission"], 0), (["Main", "HOUSE"], None)],
)  # fmt: skip
def test_r24_a_reserve_has_a_name_of_its_own(names, at):
    assert first_name_taken(names) == at


def test_r18_a_negative_pot_is_a_broken_invariant():
    for broken, which in ((pot_of(-1), "pot"), (pot_of(0, -1), "reserve"), (pot_of(0, base=-1), "pot")):
        with pytest.raises(AssertionError, match=rf"^R-18: a {which} is never negative"):
            assert_sound(broken)
    with pytest.raises(AssertionError, match="R-18"):
        pour(pot_of(0), Money(-1), (), None)
    with pytest.raises(AssertionError, match=r"^R-22: one contribution for each reserve"):
        pour(pot_of(0, 5), Money(1), (), None)
