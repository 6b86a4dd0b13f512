"""Undoing what the rules allow to undo: a void hand, a void pass (R-25); and when a prize is overdue (R-21).

Theory. Undoing a bet is contributing its amount below zero (R-23), and every player gets the whole bet back
as credits. What a pot gave to somebody else meanwhile cannot be taken back out of it: no pot is ever negative
(R-18), so what is missing comes from who stands behind the pot. This file must not know who decided it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.accrual import Carries, Contribution, Shares, contribute
from controller.rules.money import NOTHING, Money
from controller.rules.pot import Pot, Reserve, assert_sound, draw, whole
from controller.rules.readings import Backing, Readings, VoidUndoes


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


def void_bets(readings: Readings, shares: Shares, carries: Carries, pot: Pot, bets: Sequence[BookedBet]) -> Voided:
    """R-25: a void pass returns every bet, a void hand one; the contributions are undone.

    R-33 `void_undoes = "nothing"`: the pots keep what they got and the house refunds the players.
    """
    assert_sound(pot)
    if readings.void_undoes is VoidUndoes.NOTHING:
        return Voided(tuple(bets), (), carries, pot, Money(sum(bet.amount for bet in bets)))
    undone: list[Contribution] = []
    before, house = pot, 0
    for bet in reversed(bets):  # the way they came, so that no pot is lower in between than it was then
        back, carries = contribute(shares, carries, Money(-bet.amount))
        pot, advanced = take_back(readings.shortfall_from, pot, back, bet.overflow)
        undone.append(back)
        house += advanced
    assert_sound(pot)
    given_back = whole(before) - whole(pot) + house - sum(back.commission for back in undone)
    assert given_back == sum(bet.amount for bet in bets), "R-25: pot, house and commission give every bet back"
    assert len(undone) == len(bets), "R-25: each bet once"
    assert house >= 0, "R-25: the house gives, it never gains from a void"
    return Voided(tuple(bets), tuple(reversed(undone)), carries, pot, Money(house))


def take_back(backing: Backing, pot: Pot, back: Contribution, overflow: Money) -> tuple[Pot, Money]:
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


def is_overdue(held_seconds: int, verification_minutes: int) -> bool:
    """R-21: past the time the house may verify a prize it is overdue: an alarm, never a decision."""
    assert verification_minutes >= 0, "R-21: a time"
    return held_seconds > verification_minutes * 60
