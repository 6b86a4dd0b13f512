"""R-11 to R-20: the golden vectors, every reading, and an independent model over random passes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.documents import read_laws
from controller.rules.cards import CATEGORIES, LABELS, Category
from controller.rules.money import Money
from controller.rules.pot import Pot, Reserve, Sources, assert_sound
from controller.rules.readings import Backing, Cap, OddUnits, PerUnitOwed, Readings, RealAfterCap
from controller.rules.ruleset import Share
from controller.rules.settlement import Win, set_back_to_base, settle
from support.core import model

RULESETS = read_laws().rulesets
UNIT = Money(1)
SHORT = {"C": "color", "F": "full", "P": "poker", "EC": "escalera_color", "ER": "escalera_real", "E": "escalera"}


def pot_of(main, base=0, **reserves):
    return Pot(Money(main), Money(base), tuple(Reserve(name, Money(amount)) for name, amount in reserves.items()))


def wins_of(text, bet=1000):
    """`"2 EC, 5 ER"` as wins; `"2 EC 500"` with a bet of its own."""
    words = (part.split() for part in text.split(","))
    return [Win(CATEGORIES[SHORT[hand]], int(seat), Money(int(own[0]) if own else bet)) for seat, hand, *own in words]


def paid(settlement):
    return [(award.seat, award.amount) for award in settlement.awards]


# Part 7 of the domain study, number by number. "left" is what the main pot holds before the base is put back.
GOLDEN = [
    ("G1", 10_000_000, "3 C", [(3, 50_000)], 9_950_000),
    ("G2", 10_000_000, "1 C, 2 F, 5 P", [(1, 50_000), (2, 100_000), (5, 500_000)], 9_350_000),
    ("G3", 10_000_000, "4 EC", [(4, 1_000_000)], 9_000_000),
    ("G4", 80_000_000, "4 EC", [(4, 5_000_000)], 75_000_000),
    ("G5", 10_000_001, "2 ER, 6 ER", [(2, 5_000_001), (6, 5_000_000)], 0),
    ("G6", 10_000_003, "1 ER, 3 ER, 7 ER", [(1, 3_333_335), (3, 3_333_334), (7, 3_333_334)], 0),
    ("G7", 10_000_004, "1 ER, 3 ER, 7 ER", [(1, 3_333_336), (3, 3_333_334), (7, 3_333_334)], 0),
    ("G8", 10_000_000, "2 EC, 5 ER", [(2, 1_000_000), (5, 9_000_000)], 0),
    ("G9", 10_000_017, "2 EC, 3 EC, 5 ER, 6 ER", [(2, 500_001), (3, 500_000), (5, 4_500_008), (6, 4_500_008)], 0),
    ("G10", 10_000_000, "1 C, 2 P, 3 EC, 4 ER", [(1, 50_000), (2, 500_000), (3, 945_000), (4, 8_505_000)], 0),
    ("G11", 80_000_000, "2 EC, 5 EC", [(2, 4_000_000), (5, 4_000_000)], 72_000_000),
    ("G12", 80_000_000, "2 EC, 5 ER", [(2, 5_000_000), (5, 75_000_000)], 0),
    ("G13", 400_000, "1 P", [(1, 500_000)], 0),
    ("G14", 400_000, "1 P, 2 ER", [(1, 500_000), (2, 0)], 0),
]


@pytest.mark.parametrize(("pot", "wins", "prizes", "left"), [row[1:] for row in GOLDEN], ids=[row[0] for row in GOLDEN])
def test_golden_vectors_of_the_domain_study(scj, pot, wins, prizes, left):
    settled = settle(scj, pot_of(pot), wins_of(wins), UNIT)

    assert paid(settled) == prizes
    assert settled.pot.main == left
    assert settled.house_advance == sum(amount for _, amount in prizes) + left - pot


def test_golden_g7_r16_r33_one_odd_unit_each(scj, reading):
    settled = settle(reading(scj, odd_units=OddUnits.ONE_EACH), pot_of(10_000_004), wins_of("1 ER, 3 ER, 7 ER"), UNIT)

    assert paid(settled) == [(1, 3_333_335), (3, 3_333_335), (7, 3_333_334)]


def test_golden_g11_r17_r33_the_cap_on_the_category(scj, reading):
    settled = settle(reading(scj, cap=Cap.CATEGORY), pot_of(80_000_000), wins_of("2 EC, 5 EC"), UNIT)

    assert paid(settled) == [(2, 2_500_000), (5, 2_500_000)]
    assert settled.pot.main == 75_000_000
    assert settled.awards[0].rules == ("R-11", "R-15", "R-16", "R-17")


def test_r17_r33_the_cap_on_the_category_is_that_of_the_smallest_winning_bet(scj, reading):
    by_category = reading(scj, cap=Cap.CATEGORY)

    settled = settle(by_category, pot_of(80_000_000), wins_of("2 EC 1000, 5 EC 300"), UNIT)
    below = settle(by_category, pot_of(10_000_000), wins_of("2 EC 1000, 5 EC 300"), UNIT)
    exact = settle(by_category, pot_of(15_000_000), wins_of("2 EC 1000, 5 EC 300"), UNIT)

    assert paid(settled) == [(2, 750_000), (5, 750_000)]
    assert paid(below) == [(2, 500_000), (5, 500_000)]
    assert below.awards[0].rules == ("R-11", "R-15", "R-16")
    assert exact.awards[0].rules == ("R-11", "R-15", "R-16")


def test_r17_each_winner_is_cut_at_his_own_cap_and_the_rest_stays_in_the_pot(scj):
    settled = settle(scj, pot_of(80_000_000), wins_of("2 EC 1000, 5 EC 300"), UNIT)

    assert paid(settled) == [(2, 4_000_000), (5, 1_500_000)]
    assert settled.pot.main == 74_500_000
    assert settled.awards[0].rules == ("R-11", "R-15", "R-16")
    assert settled.awards[1].rules == ("R-11", "R-15", "R-16", "R-17")


def test_r17_exactly_the_cap_is_not_cut(scj):
    settled = settle(scj, pot_of(50_000_000), wins_of("1 EC"), UNIT)

    assert paid(settled) == [(1, 5_000_000)]
    assert settled.awards[0].rules == ("R-11", "R-15")


def test_r19_the_example_of_the_issue(scj):
    settled = settle(scj, pot_of(80_000_000, base=5_000_000, reserva0=700), wins_of("2 ER"), UNIT)

    (award,) = settled.awards
    assert award == (
        2,
        Category.ESCALERA_REAL,
        80_000_000,
        Sources(Money(80_000_000), (Money(0),), Money(0)),
        ("R-11", "R-15"),
    )
    assert settled.reset == Sources(Money(0), (Money(700),), Money(4_999_300))
    assert settled.pot == pot_of(5_000_000, base=5_000_000, reserva0=0)
    assert settled.house_advance == 0


def test_r19_r33_the_house_alone_puts_the_base_back(scj, reading):
    settled = settle(reading(scj, base_from=Backing.HOUSE), pot_of(10, base=5, reserva0=700), wins_of("1 ER"), UNIT)

    assert settled.reset == Sources(Money(0), (Money(0),), Money(5))
    assert settled.pot == pot_of(5, base=5, reserva0=700)


def test_r19_only_a_100_percent_prize_sets_the_pot_back(scj):
    settled = settle(scj, pot_of(100, base=5_000), wins_of("1 C, 2 EC"), UNIT)

    assert settled.reset is None
    assert settled.pot.main == 0


def test_r18_a_shortfall_comes_from_the_reserves_in_order_then_from_the_house(scj):
    settled = settle(scj, pot_of(400_000, reserva0=30_000, reserva1=20_000), wins_of("1 P"), UNIT)

    (award,) = settled.awards
    assert award.sources == Sources(Money(400_000), (Money(30_000), Money(20_000)), Money(50_000))
    assert award.rules == ("R-11", "R-14", "R-18")
    assert settled.house_advance == 50_000


def test_r18_r33_a_shortfall_from_the_house_alone(scj, reading):
    settled = settle(
        reading(scj, shortfall_from=Backing.HOUSE), pot_of(400_000, reserva0=30_000), wins_of("1 P, 2 P"), UNIT
    )

    assert [award.sources.house for award in settled.awards] == [100_000, 500_000]
    assert settled.house_advance == 600_000
    assert settled.pot == pot_of(0, reserva0=30_000)


def test_r18_a_percentage_never_exceeds_the_pot_and_an_award_of_nothing_stands(scj):
    settled = settle(scj, pot_of(0, base=3, reserva0=9), wins_of("1 EC, 2 ER"), UNIT)

    assert paid(settled) == [(1, 0), (2, 0)]
    assert settled.awards[0].sources == Sources(Money(0), (Money(0),), Money(0))
    assert settled.pot == pot_of(3, base=3, reserva0=6)


def test_r11_r12_the_amounts_of_arica_are_per_unit_and_without_a_cap(arica):
    wins = wins_of("1 E 1000, 2 C 2000, 3 F 3000, 4 P 1000, 5 EC 1000, 6 ER 1000")

    settled = settle(arica, pot_of(100_210_000), wins, Money(1000))

    assert paid(settled) == [(1, 20_000), (2, 50_000), (3, 120_000), (4, 100_000), (5, 9_992_000), (6, 89_928_000)]


def test_r13_low_category_first_and_within_it_from_seat_1(scj):
    settled = settle(scj, pot_of(10**8), wins_of("1 ER, 2 EC, 7 C, 3 P, 5 F, 6 C, 4 F"), UNIT)

    assert [award.seat for award in settled.awards] == [6, 7, 4, 5, 3, 2, 1]


def test_r20_a_later_pass_is_paid_from_what_the_earlier_one_left(scj):
    first = settle(scj, pot_of(10_000_000, base=1_000_000), wins_of("1 ER"), UNIT)
    second = settle(scj, first.pot, wins_of("4 EC"), UNIT)

    assert paid(first) == [(1, 10_000_000)]
    assert paid(second) == [(4, 100_000)]


def test_a_pass_without_winners_changes_nothing(scj):
    assert settle(scj, pot_of(5, base=9), [], UNIT) == ((), None, pot_of(5, base=9))


def test_r18_a_negative_pot_and_r11_half_a_unit_are_broken_invariants(scj, arica):
    with pytest.raises(AssertionError, match="R-18"):
        settle(scj, pot_of(-1), [], UNIT)
    with pytest.raises(AssertionError, match=r"^R-11: a bet is whole units"):
        settle(arica, pot_of(10**6), wins_of("1 C 1500"), Money(1000))


def test_r19_a_pot_that_still_holds_money_is_not_set_back(scj):
    with pytest.raises(AssertionError, match=r"^R-15: the whole pot was paid"):
        set_back_to_base(scj.readings, pot_of(1, base=5))


def test_r14_every_winner_is_paid_on_his_own_bet_however_many_there_are(scj):
    """6.6 2): 6 colours of bets from 1,000 to 6,000 come to fifty times each of them, from a pot that has less."""
    wins = [Win(Category.COLOR, seat, Money(seat * 1_000)) for seat in range(1, 7)]
    settled = settle(scj, pot_of(1_000_000), wins, UNIT)

    assert paid(settled) == [(seat, seat * 50_000) for seat in range(1, 7)]
    assert all("R-14" in award.rules for award in settled.awards)
    assert settled.house_advance == 50_000


UNCUT = [
    # main, base, reserve; who wins; what is paid; who puts what into the base; the pot after
    ("cut, more is left than the base", 80_000_000, 1_000_000, 0, "2 EC, 5 ER", [5_000_000, 72_000_000], (0, 0), 3_000_000),
    ("cut, less is left than the base", 80_000_000, 5_000_000, 0, "2 EC, 5 ER", [5_000_000, 72_000_000], (0, 2_000_000), 5_000_000),
    ("cut, the reserve puts it in", 80_000_000, 5_000_000, 9, "2 EC, 5 ER", [5_000_000, 72_000_000], (9, 1_999_991), 5_000_000),
    ("two Reales share the ninety per cent", 80_000_001, 0, 0, "2 EC, 3 ER, 5 ER", [5_000_000, 36_000_001, 36_000_000], (0, 0), 3_000_000),
    ("cut twice", 80_000_000, 0, 0, "1 EC 500, 2 EC, 5 ER", [2_500_000, 4_000_000, 72_000_000], (0, 0), 1_500_000),
    ("after a multiple", 80_100_000, 0, 0, "1 F, 2 EC, 5 ER", [100_000, 5_000_000, 72_000_000], (0, 0), 3_000_000),
    ("the cap cuts nothing", 10_000_000, 7, 0, "2 EC, 5 ER", [1_000_000, 9_000_000], (0, 7), 7),
    ("no lower percentage", 80_000_000, 7, 0, "5 ER", [80_000_000], (0, 7), 7),
    ("no Real: what was cut stays", 80_000_000, 7, 0, "2 EC", [5_000_000], None, 75_000_000),
]  # fmt: skip


@pytest.mark.parametrize("row", UNCUT, ids=[row[0] for row in UNCUT])
def test_r17_r19_r33_real_of_what_would_be_left_had_the_cap_cut_nothing(scj, row):
    _, main, base, reserve, wins, amounts, put_in, left = row
    uncut = replace(scj, readings=Readings(real_after_cap=RealAfterCap.UNCUT))
    settled = settle(uncut, pot_of(main, base, r0=reserve), wins_of(wins), UNIT)

    assert [award.amount for award in settled.awards] == amounts
    assert settled.pot.main == left
    assert (None if settled.reset is None else (settled.reset.reserves[0], settled.reset.house)) == put_in
    rest = settle(scj, pot_of(main, base, r0=reserve), wins_of(wins), UNIT)
    differs = [award.amount for award in rest.awards] != amounts
    assert {"R-33" in award.rules for award in settled.awards if award.category is Category.ESCALERA_REAL} <= {differs}


def test_r17_r33_the_cap_of_the_category_is_read_the_same_way(scj):
    read = replace(scj, readings=Readings(cap=Cap.CATEGORY, real_after_cap=RealAfterCap.UNCUT))
    settled = settle(read, pot_of(80_000_000), wins_of("1 EC 500, 2 EC, 5 ER"), UNIT)

    assert [award.amount for award in settled.awards] == [1_250_000, 1_250_000, 72_000_000]
    assert settled.pot.main == 5_500_000


def test_r17_r33_two_capped_percentages_below_the_real_cut_one_after_the_other(scj):
    """No published law has two; what the lower one would have taken is not there for the higher one either."""
    paytable = {**scj.paytable, Category.POKER: Share(scj.paytable[Category.ESCALERA_COLOR].ppm, 1, "x")}
    two = replace(scj, paytable=paytable, readings=Readings(real_after_cap=RealAfterCap.UNCUT))
    settled = settle(two, pot_of(100_000), wins_of("1 P, 2 EC, 5 ER"), UNIT)

    # 10,000 of poker cut to 1,000; 10 % of the 99,000 left: 9,900; the Real of 100,000 - 10,000 - 9,000.
    assert [award.amount for award in settled.awards] == [1_000, 9_900, 81_000]
    assert settled.pot.main == 8_100


def test_r11_r33_an_amount_per_unit_is_owed_for_each_unit_or_once_for_the_bet(arica):
    once = replace(arica, readings=Readings(per_unit=PerUnitOwed.BET))
    pot, wins = pot_of(10**7), wins_of("1 E 5000, 2 C 1000, 3 P 3000")

    assert paid(settle(arica, pot, wins, Money(1000))) == [(1, 100_000), (2, 25_000), (3, 300_000)]
    assert paid(settle(once, pot, wins, Money(1000))) == [(1, 20_000), (2, 25_000), (3, 100_000)]
    with pytest.raises(AssertionError, match=r"^R-11: a bet is whole units"):
        settle(once, pot, wins_of("1 C 1500"), Money(1000))


# Random passes against the model.

money = st.one_of(st.integers(0, 30_000), st.integers(0, 10**12))


@st.composite
def passes(draw):
    """Any law with any readings, any pot, any winners of one pass."""
    name = draw(st.sampled_from(sorted(RULESETS)))
    readings = Readings(
        draw(st.sampled_from(Cap)),
        draw(st.sampled_from(OddUnits)),
        draw(st.sampled_from(Backing)),
        draw(st.sampled_from(Backing)),
        real_after_cap=draw(st.sampled_from(RealAfterCap)),
        per_unit=draw(st.sampled_from(PerUnitOwed)),
    )
    ruleset = replace(RULESETS[name], readings=readings)
    unit = draw(st.sampled_from([1, 7, 500])) if ruleset.pays_per_unit else 1
    seats = draw(st.lists(st.integers(1, 7), unique=True, max_size=7))
    hands = st.sampled_from([LABELS[category] for category in ruleset.paytable])
    wins = [(seat, draw(hands), unit * draw(st.integers(1, 5_000))) for seat in seats]
    reserves = {f"r{at}": draw(money) for at in range(draw(st.integers(0, 3)))}
    return ruleset, {"main": draw(money), "base": draw(money), "reserves": reserves}, wins, unit


def settle_both(ruleset, pot, wins, unit):
    ours = settle(
        ruleset,
        pot_of(pot["main"], pot["base"], **pot["reserves"]),
        [Win(CATEGORIES[hand], seat, Money(bet)) for seat, hand, bet in wins],
        Money(unit),
    )
    readings = {
        name: getattr(ruleset.readings, name).value
        for name in ("cap", "odd_units", "base_from", "shortfall_from", "real_after_cap", "per_unit")
    }
    return ours, model.settle(model.LAWS[ruleset.name], readings, pot, wins, unit)


def named(sources, pot):
    parts = {"main": sources.main, **{r.name: part for r, part in zip(pot.reserves, sources.reserves, strict=True)}}
    return {name: part for name, part in {**parts, "house": sources.house}.items() if part}


@pytest.mark.campaign
@given(passes())
def test_r11_to_r19_the_independent_model_says_the_same(case):
    ours, (awards, reset, pot) = settle_both(*case)

    assert [(a.seat, LABELS[a.category], a.amount, named(a.sources, ours.pot)) for a in ours.awards] == awards
    assert (None if ours.reset is None else named(ours.reset, ours.pot)) == reset
    assert ours.pot == pot_of(pot["main"], pot["base"], **pot["reserves"])


@pytest.mark.campaign
@given(passes(), st.randoms(use_true_random=False))
def test_r18_r19_prizes_and_pots_after_are_pots_before_and_house_and_order_changes_nothing(case, chance):
    ruleset, pot, wins, unit = case
    ours, _ = settle_both(*case)
    shuffled = chance.sample(wins, len(wins))

    before = pot["main"] + sum(pot["reserves"].values())
    after = ours.pot.main + sum(reserve.amount for reserve in ours.pot.reserves)
    house = ours.house_advance + (ours.reset.house if ours.reset else 0)
    assert sum(award.amount for award in ours.awards) + after == before + house
    assert settle_both(ruleset, pot, shuffled, unit)[0] == ours
    assert_sound(ours.pot)
    assert all(
        min(award.amount, *award.sources.reserves, award.sources.main, award.sources.house) >= 0
        for award in ours.awards
    )
    assert all(award.sources.total == award.amount for award in ours.awards)
