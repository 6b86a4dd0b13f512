"""R-21, R-25, R-34: undoing restores every total, and what is gone meanwhile is owed by who stands behind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.test_accrual import shares
from rules.test_settlement import pot_of

from controller.rules.accrual import Shares, contribute, no_carries
from controller.rules.money import NOTHING, Money, Ppm
from controller.rules.pot import Pot, Reserve, assert_sound, pour
from controller.rules.readings import Backing, Readings, VoidUndoes
from controller.rules.reversal import BookedBet, is_overdue, void_bets

READINGS = Readings()
SPLIT = Shares(Ppm(200_000), (Ppm(100_000),))


def book(approved, carries, pot, amounts, ceiling=None):
    """Bets of a pass as they are booked."""
    booked = []
    for seat, amount in enumerate(amounts, 1):
        row, carries = contribute(approved, carries, Money(amount))
        pot, overflow = pour(pot, row.main, row.reserves, ceiling)
        booked.append(BookedBet(seat, Money(amount), overflow))
    return booked, carries, pot


def total(pot):
    return pot.main + sum(reserve.amount for reserve in pot.reserves)


@pytest.mark.campaign
@given(
    shares(), st.lists(st.integers(1, 10**6), max_size=7), st.integers(0, 10**6), st.sampled_from([None, 0, 900_000])
)
def test_r25_voiding_a_pass_at_once_restores_every_total(approved, amounts, main, above):
    reserves = tuple(Reserve(f"r{at}", Money(10)) for at in range(len(approved.reserves)))
    before = Pot(Money(main + 10), NOTHING, reserves)
    ceiling = Money(main + 10 + above) if above is not None and reserves else None
    start = no_carries(approved)
    booked, carries, pot = book(approved, start, before, amounts, ceiling)

    voided = void_bets(READINGS, approved, carries, pot, booked)

    assert voided.pot == before
    assert voided.carries == start
    assert voided.house == 0
    assert voided.refunds == tuple(booked)


@pytest.mark.campaign
@given(shares(), st.lists(st.integers(1, 10**5), min_size=2, max_size=7), st.data())
def test_r25_voiding_one_hand_later_loses_nothing_and_no_pot_goes_below_zero(approved, amounts, data):
    reserves = tuple(Reserve(f"r{at}", Money(data.draw(st.integers(0, 50)))) for at in range(len(approved.reserves)))
    booked, carries, pot = book(approved, no_carries(approved), Pot(Money(50), NOTHING, reserves), amounts)
    spent = Pot(Money(data.draw(st.integers(0, pot.main))), NOTHING,
                tuple(Reserve(r.name, Money(data.draw(st.integers(0, r.amount)))) for r in pot.reserves))  # fmt: skip
    one = data.draw(st.sampled_from(booked))

    voided = void_bets(READINGS, approved, carries, spent, [one])

    assert_sound(voided.pot)
    commission_back = -sum(row.commission for row in voided.undone)
    assert one.amount == commission_back + total(spent) - total(voided.pot) + voided.house


def test_r18_r25_what_another_table_won_meanwhile_comes_from_who_stands_behind():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 1000])
    emptied = pot_of(300, r0=100)

    voided = void_bets(READINGS, SPLIT, carries, emptied, booked)
    by_house = void_bets(replace(READINGS, shortfall_from=Backing.HOUSE), SPLIT, carries, emptied, booked)

    assert pot == pot_of(1440, r0=160)
    # From the last bet back: 80 of the reserve and 720 of the pot, then the same again.
    assert (voided.pot, voided.house) == (pot_of(0, r0=0), 1200)
    assert (by_house.pot, by_house.house) == (pot_of(0, r0=0), 1200)
    few, carries, _ = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000])
    helped = void_bets(READINGS, SPLIT, carries, pot_of(700, r0=100), few)
    alone = void_bets(replace(READINGS, shortfall_from=Backing.HOUSE), SPLIT, carries, pot_of(700, r0=100), few)
    assert (helped.pot, helped.house) == (pot_of(0, r0=0), 0)
    assert (alone.pot, alone.house) == (pot_of(0, r0=20), 20)


def test_r24_r25_what_passed_the_ceiling_comes_back_out_of_the_first_reserve():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(900, r0=0), [1000], ceiling=Money(1000))
    assert booked == [BookedBet(1, Money(1000), Money(620))]
    assert pot == pot_of(1000, r0=700)

    voided = void_bets(READINGS, SPLIT, carries, pot, booked)

    assert voided.pot == pot_of(900, r0=0)


def test_r25_r33_the_reading_nothing_leaves_the_pots_and_the_house_refunds():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 500])

    voided = void_bets(replace(READINGS, void_undoes=VoidUndoes.NOTHING), SPLIT, carries, pot, booked)

    assert voided.pot == pot
    assert voided.carries == carries
    assert voided.house == 1500
    assert voided.undone == ()
    assert voided.refunds == tuple(booked)


def test_r23_r25_the_unit_that_ripened_meanwhile_goes_back_into_the_main_pot():
    halves = Shares(Ppm(0), (Ppm(500_000), Ppm(500_000)))
    booked, carries, pot = book(halves, no_carries(halves), pot_of(7, r0=0, r1=0), [1, 1])
    assert pot == pot_of(7, r0=1, r1=1)

    voided = void_bets(READINGS, halves, carries, pot, booked[:1])

    assert voided.pot == pot_of(8, r0=0, r1=0)
    assert voided.house == 0


def test_r21_r25_money_never_goes_back_to_another_number_of_reserves(scj):
    booked, carries, _ = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000])
    with pytest.raises(ValueError, match="zip"):
        void_bets(READINGS, SPLIT, carries, pot_of(9_000, r0=900, r1=0), booked)


def test_r25_what_is_undone_stands_in_the_order_of_the_bets():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 2000, 3000])

    voided = void_bets(READINGS, SPLIT, carries, pot, booked)

    assert [-(row.commission + sum(row.reserves) + row.main) for row in voided.undone] == [1000, 2000, 3000]
    assert [bet.amount for bet in voided.refunds] == [1000, 2000, 3000]


def test_r21_past_the_minutes_of_the_law_a_held_award_is_overdue():
    assert not is_overdue(0, 30)
    assert not is_overdue(30 * 60, 30)
    assert is_overdue(30 * 60 + 1, 30)
