"""What every winner of a pass is paid, in which order, and from where (R-11 to R-20).

Theory. The winners are sorted once, low category first and from seat 1 (R-13); everything then happens in
that order. Fixed prizes are owed in full whatever the pot holds (R-14, R-18). A percentage is taken of what
the pot still holds at its turn (R-15), shared by its winners in whole units (R-16), each cut at his own cap
(R-17). Where a 100 % prize was paid, the pot is set back to its base (R-19). Beside the pot runs what would be left of
it had no cap cut anything: an authority may say that 100 % is taken of that (R-33). The answer is a value that says
all of it, so that a ledger can post it, a croupier read it out and a rejection undo it.

Passes that win the same pot are settled one after the other, the later one with what the earlier one left:
the caller gives the pot as it is at that moment (R-20). The bet is not part of an award (R-12).
"""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from controller.rules.cards import Category
from controller.rules.money import NOTHING, PPM, Money, portion, split_one_each, split_to_nearest
from controller.rules.pot import Pot, Sources, assert_sound, draw, take_behind, whole
from controller.rules.readings import Cap, OddUnits, PerUnitOwed, Readings, RealAfterCap
from controller.rules.ruleset import PerUnit, Ruleset, Share, Times


class Win(NamedTuple):
    """A seat with a valid bet and a hand that counts. The order of the fields is the paying order (R-13)."""

    category: Category
    seat: int
    bet: Money


class Award(NamedTuple):
    """R-12: what is paid to a seat, from where, and the rules that made the amount."""

    seat: int
    category: Category
    amount: Money
    sources: Sources
    rules: tuple[str, ...]


class Settlement(NamedTuple):
    """One pass settled: the awards in paying order, who paid the base back, and the pot after all of it."""

    awards: tuple[Award, ...]
    reset: Sources | None
    pot: Pot

    @property
    def house_advance(self) -> Money:
        """R-18: what the house adds for shortfalls; an advance that stays on the books."""
        advance = sum([award.sources.house for award in self.awards])
        assert advance >= 0, "R-18: the house adds, it never takes"
        return Money(advance)


class _Owed(NamedTuple):
    """One winner's amount before it is known who pays it."""

    win: Win
    amount: Money
    rules: tuple[str, ...]


def settle(ruleset: Ruleset, pot: Pot, wins: Iterable[Win], unit: Money) -> Settlement:
    """R-13 to R-20: the winners of one pass, paid low category first and from seat 1."""
    assert_sound(pot)
    before, ordered = pot, sorted(wins)
    if not ordered:  # as nearly always
        return Settlement((), None, pot)
    seats = [win.seat for win in ordered]
    assert len(set(seats)) == len(seats), "R-7: one hand for each seat"
    awards: list[Award] = []
    reset: Sources | None = None
    readings, uncut = ruleset.readings, None
    for category, group in groupby(ordered, key=attrgetter("category")):
        prize = ruleset.paytable[category]
        winners = list(group)
        if isinstance(prize, Share):
            uncut = pot.main if uncut is None else uncut
            owed = shared_prize(prize, readings, pot.main, winners, uncut)
            uncut = Money(uncut - portion(uncut, prize.ppm))
        else:
            owed = [_Owed(win, fixed_prize(prize, win.bet, unit, readings), ("R-11", "R-14")) for win in winners]
        for one in owed:
            award, pot = _pay(readings, pot, one)
            awards.append(award)
        if isinstance(prize, Share) and prize.ppm == PPM:
            reset, pot = set_back_to_base(readings, pot)
    assert_sound(pot)
    assert [award.seat for award in awards] == seats, "R-13: each winner once, low category first, then from seat 1"
    settled = Settlement(tuple(awards), reset, pot)
    _assert_no_peso_is_made(before, settled)
    return settled


def _assert_no_peso_is_made(before: Pot, settled: Settlement) -> None:
    """R-15, R-18, R-19: the sum of a pass, asked once for all its winners: settling is measured by `make bench`."""
    awarded = sum([award.amount for award in settled.awards])
    base_by_house = 0 if settled.reset is None else settled.reset.house
    given = whole(before) - whole(settled.pot) + settled.house_advance + base_by_house
    assert given == awarded, "R-18: pot, reserves and house gave what was awarded, and nothing else"


def fixed_prize(prize: Times | PerUnit, bet: Money, unit: Money, readings: Readings) -> Money:
    """R-11, R-14: a multiple of the winner's own bet, or an amount for each unit he bet; R-33: or once, whatever he
    bet."""
    if isinstance(prize, Times):
        return Money(prize.times * bet)
    units, rest = divmod(bet, unit)
    assert rest == 0, "R-11: a bet is whole units"
    return prize.amount if readings.per_unit is PerUnitOwed.BET else Money(prize.amount * units)


def shared_prize(prize: Share, readings: Readings, left: Money, winners: list[Win], uncut: Money) -> list[_Owed]:
    """R-15, R-16, R-17: a percentage of what is left, in equal whole units, each cut at the winner's cap.

    R-33 `real_after_cap = "uncut"`: 100 % is taken of what would be left had the cap cut nothing.
    """
    assert winners, "R-16: a percentage has winners"
    assert 0 <= uncut <= left, "R-17: a cap leaves more in the pot, never less"
    rules = ["R-11", "R-15"]
    total = portion(left, prize.ppm)
    if prize.ppm == PPM and uncut < left and readings.real_after_cap is RealAfterCap.UNCUT:
        total = uncut
        rules.append("R-33")
    if len(winners) > 1:
        rules.append("R-16")
    if prize.cap_times is not None and readings.cap is Cap.CATEGORY:
        smallest = prize.cap_times * min(win.bet for win in winners)
        if total > smallest:
            total = Money(smallest)
            rules.append("R-17")
    split = split_one_each if readings.odd_units is OddUnits.ONE_EACH else split_to_nearest
    owed = [_Owed(win, part, tuple(rules)) for win, part in zip(winners, split(total, len(winners)), strict=True)]
    if prize.cap_times is not None and readings.cap is Cap.EACH_WINNER:
        owed = [_cut(one, prize.cap_times) for one in owed]
    assert sum(one.amount for one in owed) <= total <= left, "R-16, R-17: never more than the percentage of the pot"
    return owed


def _cut(owed: _Owed, cap_times: int) -> _Owed:
    """R-17: at most the cap in multiples of the winner's own bet; what is cut off stays in the main pot."""
    cap = Money(cap_times * owed.win.bet)
    assert cap > 0, "R-17: a cap leaves something of what was bet"
    if owed.amount <= cap:
        return owed
    return _Owed(owed.win, cap, (*owed.rules, "R-17"))


def _pay(readings: Readings, pot: Pot, owed: _Owed) -> tuple[Award, Pot]:
    """R-18: in full; what the main pot cannot give comes from who stands behind it."""
    sources, after = draw(pot, owed.amount, readings.shortfall_from)
    rules = owed.rules if sources.main == owed.amount else (*owed.rules, "R-18")
    return Award(owed.win.seat, owed.win.category, owed.amount, sources, rules), after


def set_back_to_base(readings: Readings, pot: Pot) -> tuple[Sources, Pot]:
    """R-19: after 100 % the main pot starts again from its base, put in by the reserves and the house; R-33: less what
    a cap left in it."""
    left_by_cap = readings.real_after_cap is RealAfterCap.UNCUT
    assert pot.main == NOTHING or left_by_cap, "R-15: the whole pot was paid"
    payers, reserves = take_behind(pot.reserves, Money(max(pot.base - pot.main, 0)), readings.base_from)
    assert pot.main + payers.total == max(pot.base, pot.main), "R-19: the whole base"
    return payers, Pot(Money(pot.main + payers.total), pot.base, reserves)
