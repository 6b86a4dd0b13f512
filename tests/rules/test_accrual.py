"""R-22, R-23: total wagered = commission + what the pots receive, exactly, always."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from controller.rules.accrual import Carries, Contribution, Shares, allot, contribute, covers_its_fractions, no_carries
from controller.rules.money import PPM, Money, Ppm

ppm = st.integers(0, PPM)
amounts = st.integers(-(10**9), 10**9)


@st.composite
def shares(draw):
    """Any approved percentages: a commission, and reserves that share at most the whole."""
    left, reserves = PPM, []
    for _ in range(draw(st.integers(0, 4))):
        reserves.append(Ppm(draw(st.integers(0, left))))
        left -= reserves[-1]
    return Shares(Ppm(draw(ppm)), tuple(reserves))


def contribute_all(approved, carries, many):
    rows = []
    for amount in many:
        row, carries = contribute(approved, carries, Money(amount))
        rows.append(row)
    return rows, carries


def test_r22_r23_the_example_of_the_issue():
    approved = Shares(Ppm(125_000), (Ppm(200_000),))

    rows, _ = contribute_all(approved, no_carries(approved), [1000, 7001, -1000])

    assert rows == [
        Contribution(Money(125), (Money(175),), Money(700)),
        Contribution(Money(875), (Money(1225),), Money(4901)),
        Contribution(Money(-125), (Money(-175),), Money(-700)),
    ]


@pytest.mark.long
def test_r23_a_third_of_one_unit_ripens_every_third_time_and_no_unit_is_lost():
    approved = Shares(Ppm(333_333))

    rows, carries = contribute_all(approved, no_carries(approved), [1] * 1_000_000)

    assert [row.commission for row in rows[:7]] == [0, 0, 0, 1, 0, 0, 1]
    assert sum(row.commission for row in rows) == 333_333
    assert sum(row.main for row in rows) == 666_667
    assert carries == Carries(0, ())


@pytest.mark.campaign
@given(shares(), st.lists(amounts, max_size=25))
def test_r22_nothing_is_lost_and_nobody_drifts_by_a_whole_unit(approved, many):
    rows, carries = contribute_all(approved, no_carries(approved), many)

    total = sum(many)
    commission = sum(row.commission for row in rows)
    assert commission == total * approved.commission // PPM
    for at, reserve in enumerate(approved.reserves):
        assert sum(row.reserves[at] for row in rows) == (total - commission) * reserve // PPM
    assert all(row.commission + sum(row.reserves) + row.main == amount for row, amount in zip(rows, many, strict=True))
    assert 0 <= carries.commission < PPM
    assert all(0 <= carry < PPM for carry in carries.reserves)


@pytest.mark.campaign
@given(shares(), st.lists(amounts, min_size=1, max_size=25))
def test_r23_one_step_with_the_sum_gives_what_many_steps_give(approved, many):
    rows, carries = contribute_all(approved, no_carries(approved), many)
    at_once, same = contribute(approved, no_carries(approved), Money(sum(many)))

    assert same == carries
    assert at_once.main == sum(row.main for row in rows)
    assert at_once.commission == sum(row.commission for row in rows)


@pytest.mark.campaign
@given(shares(), st.lists(amounts, max_size=10), st.lists(amounts, max_size=10))
def test_r23_r25_undoing_bets_in_any_order_restores_every_total_and_carry(approved, kept, undone):
    _, carries = contribute_all(approved, no_carries(approved), kept)
    more, between = contribute_all(approved, carries, undone)
    back, after = contribute_all(approved, between, [-amount for amount in undone])

    assert after == carries
    assert sum(row.main for row in [*more, *back]) == 0
    assert sum(row.commission for row in [*more, *back]) == 0


def test_r23_the_reserves_are_allotted_of_the_net_and_the_main_pot_takes_what_remains():
    given_to, main, carries = allot((Ppm(500_000), Ppm(250_000)), (0, 999_999), Money(1001))

    assert given_to == (500, 251)
    assert main == 250
    assert carries == (500_000, 249_999)


bets = st.one_of(st.integers(1, 60), st.integers(1, 10**7))


@pytest.mark.campaign
@given(shares(), bets, st.integers(0, 60), st.lists(bets, max_size=20))
def test_r18_no_bet_as_large_as_the_least_covered_one_takes_anything_out_of_the_main_pot(approved, least, more, before):
    assume(covers_its_fractions(approved, Money(least)))
    _, carries = contribute_all(approved, no_carries(approved), before)

    row, _ = contribute(approved, carries, Money(least + more))

    assert row.main >= 0


def test_r18_fractions_that_ripen_together_can_take_more_than_a_tiny_bet_gives():
    halves = Shares(Ppm(0), (Ppm(500_000), Ppm(500_000)))
    rows, _ = contribute_all(halves, no_carries(halves), [1, 1])
    assert [row.main for row in rows] == [1, -1]
    assert not covers_its_fractions(halves, Money(10**6))

    # A bet that never does it alone, and a larger one that does: six reserves of a tenth each.
    tenths = Shares(Ppm(0), (Ppm(100_000),) * 6)
    rows, _ = contribute_all(tenths, no_carries(tenths), [11] * 10)
    assert [row.main for row in rows] == [5] * 9 + [-1]
    assert not covers_its_fractions(tenths, Money(12))
    assert covers_its_fractions(tenths, Money(13))


def test_r18_one_reserve_alone_never_takes_anything_and_one_without_a_share_does_not_count():
    for commission, reserves in [
        (200_000, (100_000,)),
        (200_000, (950_000,)),
        (1, (0, 333_333, 0)),
        (0, ()),
        (999_999, (0, 0)),
    ]:
        assert covers_its_fractions(Shares(Ppm(commission), tuple(map(Ppm, reserves))), Money(1))


def test_r18_the_bound_is_exact_where_it_matters():
    ones = Shares(Ppm(0), (Ppm(1), Ppm(1)))
    assert contribute(ones, Carries(0, (PPM - 1, PPM - 1)), Money(1))[0].main == -1
    assert not covers_its_fractions(ones, Money(1))
    assert covers_its_fractions(ones, Money(2))
    # 239 x 958,159 ends in ...000,001: the commission ripens only if its carry is as large as it can be.
    just = Shares(Ppm(958_159), (Ppm(500_000), Ppm(400_000)))
    assert not covers_its_fractions(just, Money(239))
    assert covers_its_fractions(just, Money(240))


def test_r18_the_bound_is_the_worst_that_carries_can_do():
    """Every carry as large as it can be, by looking: two to four reserves, every small amount."""
    for reserves in [(500_000, 400_000), (100_000,) * 4, (333_333, 333_333, 1), (300_000, 300_000)]:
        for commission in (0, 1, 200_000):
            shares_ = Shares(Ppm(commission), tuple(map(Ppm, reserves)))
            full = Carries(PPM - 1, (PPM - 1,) * len(reserves))
            for amount in range(1, 60):
                if covers_its_fractions(shares_, Money(amount)):
                    assert contribute(shares_, full, Money(amount))[0].main >= 0
                    assert contribute(shares_, Carries(0, full.reserves), Money(amount))[0].main >= 0
            assert covers_its_fractions(shares_, Money(60))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Shares(Ppm(0), (Ppm(600_000), Ppm(400_001))), r"^R-22: the pots share 100 % of what remains"),
        (Shares(Ppm(PPM + 1)), None),
        (Shares(Ppm(0), (Ppm(-1),)), None),
        (Shares(Ppm(-1)), None),
    ],
)
def test_r22_shares_of_more_than_the_whole_are_a_broken_invariant(wrong, words):
    with pytest.raises(AssertionError, match=words):
        no_carries(wrong)


def test_r22_the_whole_may_go_to_one_alone():
    assert no_carries(Shares(Ppm(PPM), (Ppm(PPM),))) == Carries(0, (0,))
    row, _ = contribute(Shares(Ppm(PPM)), Carries(0, ()), Money(7))
    assert row == Contribution(Money(7), (), Money(0))
    row, _ = contribute(Shares(Ppm(0), (Ppm(PPM),)), Carries(0, (0,)), Money(7))
    assert row == Contribution(Money(0), (Money(7),), Money(0))


def test_r23_a_carry_belongs_to_its_own_beneficiary():
    with pytest.raises(ValueError, match="zip"):
        contribute(Shares(Ppm(0), (Ppm(1),)), Carries(0, ()), Money(1))
