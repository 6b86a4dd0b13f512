"""Undoing what the rules allow to undo: a void hand, a void pass, a rejected claim (R-21, R-25, R-34).

Theory. Undoing a bet is contributing its amount below zero (R-23), and every player gets the whole bet back
as credits. What a pot gave to somebody else meanwhile cannot be taken back out of it: no pot is ever negative
(R-18), so what is missing comes from who stands behind the pot. A rejected claim is undone exactly, source by
source; a base that was put in goes back to where it came from. Once an award of the pass has been paid,
nothing of this is possible any more. This file must not know who decided it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.accrual import Carries, Contribution, Shares, contribute
from controller.rules.money import NOTHING, Money
from controller.rules.pot import Pot, Reserve, assert_sound, draw, pour, whole
from controller.rules.readings import Backing, Readings, VoidUndoes
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.settlement import Settlement


class BookedBet(NamedTuple):
    """A bet of the pass as it was booked, with the part that passed the ceiling then (R-24)."""

    seat: int
    amount: Money
    overflow: Money = NOTHING


class Voided(NamedTuple):
    """R-25: what each seat gets back as credits, what that undoes bet by bet, and what the house gives for it."""

    refunds: tuple[BookedBet, ...]
    undone: tuple[Contribution, ...]
    carries: Carries
    pot: Pot
    house: Money


def void_bets(
    readings: Readings, shares: Shares, carries: Carries, pot: Pot, bets: Sequence[BookedBet], any_award_paid: bool
) -> Voided | Refusal:
    """R-25: a void pass returns every bet, a void hand one; the contributions are undone.

    R-33 `void_undoes = "nothing"`: the pots keep what they got and the house refunds the players.
    """
    assert_sound(pot)
    if any_award_paid:
        return refuse(Reason.VOID_AFTER_PAYMENT, "pass")
    if readings.void_undoes is VoidUndoes.NOTHING:
        return Voided(tuple(bets), (), carries, pot, Money(sum(bet.amount for bet in bets)))
    undone: list[Contribution] = []
    before, house = pot, 0
    for bet in reversed(bets):  # the way they came, so that no pot is lower in between than it was then
        back, carries = contribute(shares, carries, Money(-bet.amount))
        pot, advanced = _take_back(readings.shortfall_from, pot, back, bet.overflow)
        undone.append(back)
        house += advanced
    assert_sound(pot)
    given_back = whole(before) - whole(pot) + house - sum(back.commission for back in undone)
    assert given_back == sum(bet.amount for bet in bets), "R-25: pot, house and commission give every bet back"
    assert len(undone) == len(bets), "R-25: each bet once"
    assert house >= 0, "R-25: the house gives, it never gains from a void"
    return Voided(tuple(bets), tuple(reversed(undone)), carries, pot, Money(house))


def _take_back(backing: Backing, pot: Pot, back: Contribution, overflow: Money) -> tuple[Pot, Money]:
    """R-18, R-25: take a contribution out again: what had passed the ceiling from the first reserve, the
    rest from the main pot. What a reserve no longer holds the house gives; what the main pot no longer holds comes
    from who stands behind it."""
    assert overflow >= 0, "R-24: what passed the ceiling"
    out_of_main = max(-back.main, 0)
    over = min(overflow, out_of_main)
    wanted = [-part for part in back.reserves]
    if over:
        wanted[0] += over
    house: int = 0
    left: list[Reserve] = []
    for reserve, part in zip(pot.reserves, wanted, strict=True):
        given = min(part, reserve.amount)
        house += part - given
        left.append(Reserve(reserve.name, Money(reserve.amount - given)))
    put_in = max(back.main, 0)  # an undone unit can be the fraction that ripens
    sources, after = draw(Pot(Money(pot.main + put_in), pot.base, tuple(left)), Money(out_of_main - over), backing)
    house += sources.house
    assert whole(pot) - whole(after) + house == -(back.main + sum(back.reserves)), "R-25: what the pot had got, exactly"
    return after, Money(house)


class Rejected(NamedTuple):
    """R-21: the pot afterwards, what the house gets back (below zero: what it must add), and what passed the
    ceiling only now that the held money is back (R-24)."""

    pot: Pot
    house_back: Money
    overflow: Money


def reject(
    readings: Readings, pot: Pot, settlement: Settlement, ceiling: Money | None, any_award_paid: bool
) -> Rejected | Refusal:
    """R-21, R-34: a claim rejected as a whole: its held money returns to the pots it came from, and a base
    put in by R-19 goes back to where it came from. What came in meanwhile and would have passed the ceiling
    without the claim goes to the first reserve now (R-24)."""
    assert_sound(pot)
    if any_award_paid:
        return refuse(Reason.ALREADY_PAID, "claim")
    start, house_back = pot, 0
    before = _main_before(settlement)
    for award in settlement.awards:
        pot = _give_back(pot, award.sources.main, award.sources.reserves)
        house_back += award.sources.house
    if settlement.reset is not None:
        # Others may have won from that base meanwhile; what is no longer there is owed like any shortfall.
        drawn, pot = draw(pot, settlement.reset.total, readings.shortfall_from)
        pot = _give_back(pot, NOTHING, settlement.reset.reserves)
        house_back += settlement.reset.house - drawn.house
    highest = None if ceiling is None else max(ceiling, before)
    assert_sound(pot)
    anew, overflow = pour(pot._replace(main=NOTHING), pot.main, (NOTHING,) * len(pot.reserves), highest)
    held = sum(award.amount for award in settlement.awards)
    assert whole(anew) + house_back == whole(start) + held, "R-21: exactly what was held, to pot and house"
    assert overflow == 0 or anew.main == highest, "R-24: over only when the main pot is full"
    return Rejected(anew, Money(house_back), overflow)


def _main_before(settlement: Settlement) -> Money:
    """What the main pot held when the claim was registered."""
    base = 0 if settlement.reset is None else settlement.reset.total
    before = settlement.pot.main - base + sum(award.sources.main for award in settlement.awards)
    assert before >= 0, "R-18: no pot is ever negative"
    return Money(before)


def _give_back(pot: Pot, main: Money, parts: tuple[Money, ...]) -> Pot:
    assert main >= 0 and min(parts, default=0) >= 0, "R-21: given back, never taken"
    reserves = tuple(
        Reserve(reserve.name, Money(reserve.amount + part)) for reserve, part in zip(pot.reserves, parts, strict=True)
    )
    return Pot(Money(pot.main + main), pot.base, reserves)


def is_overdue(held_seconds: int, verification_minutes: int) -> bool:
    """R-21: past the time the house may verify a prize it is overdue: an alarm, never a decision."""
    assert verification_minutes >= 0, "R-21: a time"
    return held_seconds > verification_minutes * 60
