"""R-16, R-22, R-23: shares and splits lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.money import PPM, Money, Ppm, portion, share, split_one_each, split_to_nearest

amounts = st.integers(-(10**12), 10**12)
ppms = st.integers(0, PPM)


@given(st.lists(amounts, max_size=30), ppms)
def test_r23_a_share_of_many_amounts_is_the_share_of_their_sum(many, ppm):
    given_so_far, carry = 0, 0
    for amount in many:
        whole, carry = share(amount, Ppm(ppm), carry)
        given_so_far += whole

    assert given_so_far == sum(many) * ppm // PPM
    assert carry == sum(many) * ppm % PPM


@given(amounts, ppms, st.integers(0, PPM - 1))
def test_r23_undoing_is_the_same_step_with_the_amount_below_zero(amount, ppm, carry):
    there, between = share(amount, Ppm(ppm), carry)
    back, after = share(-amount, Ppm(ppm), between)

    assert (there + back, after) == (0, carry)


@given(st.integers(0, 10**15), st.integers(1, 8))
def test_r16_splits_are_whole_complete_and_as_equal_as_can_be(total, winners):
    nearest = split_to_nearest(Money(total), winners)
    one_each = split_one_each(Money(total), winners)

    assert sum(nearest) == sum(one_each) == total
    assert len(nearest) == len(one_each) == winners
    assert nearest[0] - total // winners == total % winners
    assert set(nearest[1:]) <= {total // winners}
    assert one_each == sorted(one_each, reverse=True)
    assert one_each[0] - one_each[-1] <= 1


def test_r16_the_odd_units_of_the_golden_vectors():
    assert split_to_nearest(Money(10_000_004), 3) == [3_333_336, 3_333_334, 3_333_334]
    assert split_one_each(Money(10_000_004), 3) == [3_333_335, 3_333_335, 3_333_334]


@pytest.mark.parametrize("carry", [-1, PPM])
def test_r23_a_carry_that_is_no_fraction_is_a_broken_invariant(carry):
    with pytest.raises(AssertionError, match=r"^R-23: a carry is a proper fraction"):
        share(1, Ppm(1), carry)


@pytest.mark.parametrize("split", [split_to_nearest, split_one_each])
def test_r16_a_split_needs_something_and_somebody(split):
    for total, winners in ((-1, 1), (1, 0), (0, -1)):
        with pytest.raises(AssertionError):
            split(Money(total), winners)


def test_r17_a_portion_is_of_a_pot_and_at_most_the_whole():
    assert portion(Money(9), Ppm(0)) == 0
    for amount, ppm in ((-1, 5), (1, -1), (1, PPM + 1)):
        with pytest.raises(AssertionError):
            portion(Money(amount), Ppm(ppm))


def test_r17_a_portion_leaves_what_does_not_divide():
    assert portion(Money(10_000_017), Ppm(100_000)) == 1_000_001
    assert portion(Money(9), Ppm(100_000)) == 0
    assert portion(Money(9), Ppm(PPM)) == 9
