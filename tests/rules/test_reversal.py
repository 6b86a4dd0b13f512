"""R-21, R-25, R-34: undoing restores every total, and what is gone meanwhile is owed by who stands behind."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.test_accrual import shares
from rules.test_settlement import passes, pot_of, wins_of

from controller.rules.accrual import Shares, contribute, no_carries
from controller.rules.cards import CATEGORIES
from controller.rules.money import NOTHING, Money, Ppm
from controller.rules.pot import Pot, Reserve, assert_sound, draw, pour
from controller.rules.readings import Backing, Readings, VoidUndoes
from controller.rules.refusal import Reason
from controller.rules.reversal import BookedBet, is_overdue, reject, void_bets
from controller.rules.settlement import Win, settle

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

    voided = void_bets(READINGS, approved, carries, pot, booked, any_award_paid=False)

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

    voided = void_bets(READINGS, approved, carries, spent, [one], any_award_paid=False)

    assert_sound(voided.pot)
    commission_back = -sum(row.commission for row in voided.undone)
    assert one.amount == commission_back + total(spent) - total(voided.pot) + voided.house


def test_r18_r25_what_another_table_won_meanwhile_comes_from_who_stands_behind():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 1000])
    emptied = pot_of(300, r0=100)

    voided = void_bets(READINGS, SPLIT, carries, emptied, booked, any_award_paid=False)
    by_house = void_bets(
        replace(READINGS, shortfall_from=Backing.HOUSE), SPLIT, carries, emptied, booked, any_award_paid=False
    )

    assert pot == pot_of(1440, r0=160)
    # From the last bet back: 80 of the reserve and 720 of the pot, then the same again.
    assert (voided.pot, voided.house) == (pot_of(0, r0=0), 1200)
    assert (by_house.pot, by_house.house) == (pot_of(0, r0=0), 1200)
    few, carries, _ = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000])
    helped = void_bets(READINGS, SPLIT, carries, pot_of(700, r0=100), few, any_award_paid=False)
    alone = void_bets(
        replace(READINGS, shortfall_from=Backing.HOUSE), SPLIT, carries, pot_of(700, r0=100), few, any_award_paid=False
    )
    assert (helped.pot, helped.house) == (pot_of(0, r0=0), 0)
    assert (alone.pot, alone.house) == (pot_of(0, r0=20), 20)


def test_r24_r25_what_passed_the_ceiling_comes_back_out_of_the_first_reserve():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(900, r0=0), [1000], ceiling=Money(1000))
    assert booked == [BookedBet(1, Money(1000), Money(620))]
    assert pot == pot_of(1000, r0=700)

    voided = void_bets(READINGS, SPLIT, carries, pot, booked, any_award_paid=False)

    assert voided.pot == pot_of(900, r0=0)


def test_r25_nothing_is_void_after_an_award_was_paid():
    refusal = void_bets(READINGS, SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [], any_award_paid=True)

    assert (refusal.reason, refusal.where) == (Reason.VOID_AFTER_PAYMENT, "pass")
    assert refusal.reason.rule == "R-25"


def test_r25_r33_the_reading_nothing_leaves_the_pots_and_the_house_refunds():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 500])

    voided = void_bets(
        replace(READINGS, void_undoes=VoidUndoes.NOTHING), SPLIT, carries, pot, booked, any_award_paid=False
    )

    assert voided.pot == pot
    assert voided.carries == carries
    assert voided.house == 1500
    assert voided.undone == ()
    assert voided.refunds == tuple(booked)


@pytest.mark.campaign
@given(passes())
def test_r21_r34_a_claim_rejected_at_once_is_undone_exactly(case):
    ruleset, pot, wins, unit = case
    before = pot_of(pot["main"], pot["base"], **pot["reserves"])
    settled = settle(
        ruleset, before, [Win(CATEGORIES[hand], seat, Money(bet)) for seat, hand, bet in wins], Money(unit)
    )

    rejected = reject(ruleset.readings, settled.pot, settled, None, any_award_paid=False)

    assert rejected.pot == before
    assert rejected.house_back == settled.house_advance + (settled.reset.house if settled.reset else 0)


def test_r21_the_held_money_goes_back_and_the_base_to_who_put_it_in(scj):
    settled = settle(scj, pot_of(80_000_000, base=5_000_000, r0=700), wins_of("2 ER"), Money(1))
    grown = settled.pot._replace(main=Money(settled.pot.main + 1_000))

    rejected = reject(READINGS, grown, settled, None, any_award_paid=False)

    assert rejected.pot == pot_of(80_001_000, base=5_000_000, r0=700)
    assert rejected.house_back == 4_999_300


def test_r18_r21_a_base_that_others_have_won_meanwhile_stays_owed(scj):
    settled = settle(scj, pot_of(1_000, base=5_000_000, r0=700), wins_of("2 ER"), Money(1))
    emptied = settled.pot._replace(main=Money(0))

    rejected = reject(READINGS, emptied, settled, None, any_award_paid=False)

    assert rejected.pot == pot_of(0, base=5_000_000, r0=700)
    assert rejected.house_back == 4_999_300 - 4_999_000
    # a reserve that has filled again helps before the house, and then gets its own part back.
    helped = reject(READINGS, pot_of(0, base=5_000_000, r0=400), settled, None, any_award_paid=False)
    assert helped.pot == pot_of(0, base=5_000_000, r0=700)
    assert helped.house_back == 4_999_300 - 4_998_600


def test_r23_r25_the_unit_that_ripened_meanwhile_goes_back_into_the_main_pot():
    halves = Shares(Ppm(0), (Ppm(500_000), Ppm(500_000)))
    booked, carries, pot = book(halves, no_carries(halves), pot_of(7, r0=0, r1=0), [1, 1])
    assert pot == pot_of(7, r0=1, r1=1)

    voided = void_bets(READINGS, halves, carries, pot, booked[:1], any_award_paid=False)

    assert voided.pot == pot_of(8, r0=0, r1=0)
    assert voided.house == 0


def test_r21_r25_money_never_goes_back_to_another_number_of_reserves(scj):
    booked, carries, _ = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000])
    with pytest.raises(ValueError, match="zip"):
        void_bets(READINGS, SPLIT, carries, pot_of(9_000, r0=900, r1=0), booked, any_award_paid=False)

    settled = settle(scj, pot_of(1_000, r0=5), wins_of("2 ER"), Money(1))
    with pytest.raises(ValueError, match="zip"):
        reject(READINGS, pot_of(0, r0=5, r1=0), settled, None, any_award_paid=False)


def test_r34_nothing_is_rejected_after_an_award_was_paid(scj):
    settled = settle(scj, pot_of(1_000), wins_of("2 ER"), Money(1))

    refusal = reject(READINGS, settled.pot, settled, None, any_award_paid=True)

    assert (refusal.reason, refusal.where) == (Reason.ALREADY_PAID, "claim")


def test_r21_r24_a_rejected_claim_leaves_the_pot_as_if_nobody_had_claimed(scj):
    """The pot is at its ceiling, is won, grows again, and the claim is rejected."""
    ceiling = Money(100_000_000)
    before = pot_of(100_000_000, base=5_000_000, r0=7)
    settled = settle(scj, before, wins_of("2 ER"), Money(1))
    grown, _ = pour(settled.pot, Money(1_000_000), (Money(50),), ceiling)
    unclaimed, _ = pour(before, Money(1_000_000), (Money(50),), ceiling)

    rejected = reject(READINGS, grown, settled, ceiling, any_award_paid=False)

    assert unclaimed == pot_of(100_000_000, base=5_000_000, r0=1_000_057)
    assert rejected.pot == unclaimed
    assert rejected.overflow == 1_000_000
    exactly = reject(READINGS, settled.pot, settled, ceiling, any_award_paid=False)
    assert exactly.pot == before


def test_r21_a_pot_that_stood_above_a_lowered_ceiling_gets_its_held_money_back(scj):
    before = pot_of(500_000_000, r0=0)
    for wins in ("1 EC", "1 ER", "1 C, 2 EC, 3 ER"):
        settled = settle(scj, before, wins_of(wins), Money(1))

        assert reject(READINGS, settled.pot, settled, Money(400_000_000), any_award_paid=False).pot == before


@pytest.mark.campaign
@given(passes(), st.lists(st.tuples(st.sampled_from(["bet", "win"]), st.integers(1, 10**9)), max_size=8))
def test_r18_r21_rejecting_after_other_events_loses_nothing(case, events):
    ruleset, pot, wins, unit = case
    before = pot_of(pot["main"], pot["base"], **pot["reserves"])
    settled = settle(
        ruleset, before, [Win(CATEGORIES[hand], seat, Money(bet)) for seat, hand, bet in wins], Money(unit)
    )
    now, moved = settled.pot, 0
    for kind, amount in events:
        if kind == "bet":
            now, _ = pour(now, Money(amount), (NOTHING,) * len(now.reserves), None)
            moved += amount
        else:
            sources, now = draw(now, Money(amount), Backing.RESERVES_THEN_HOUSE)
            moved -= amount - sources.house

    rejected = reject(ruleset.readings, now, settled, None, any_award_paid=False)

    assert_sound(rejected.pot)
    house_in = settled.house_advance + (settled.reset.house if settled.reset else 0) - rejected.house_back
    assert total(rejected.pot) == total(before) + moved + house_in


def test_r25_what_is_undone_stands_in_the_order_of_the_bets():
    booked, carries, pot = book(SPLIT, no_carries(SPLIT), pot_of(0, r0=0), [1000, 2000, 3000])

    voided = void_bets(READINGS, SPLIT, carries, pot, booked, any_award_paid=False)

    assert [-(row.commission + sum(row.reserves) + row.main) for row in voided.undone] == [1000, 2000, 3000]
    assert [bet.amount for bet in voided.refunds] == [1000, 2000, 3000]


def test_r21_past_the_minutes_of_the_law_a_held_award_is_overdue():
    assert not is_overdue(0, 30)
    assert not is_overdue(30 * 60, 30)
    assert is_overdue(30 * 60 + 1, 30)
