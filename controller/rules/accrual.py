"""From a bet to commission, reserve pots and main pot, exactly (R-22, R-23).

Theory. A percentage of a whole number is rarely whole. Each beneficiary but the main pot keeps the fraction
as a carry and is given the unit when it is full; the main pot receives what remains. So after any number of
bets each beneficiary has exactly floor(percentage x total), nobody ever drifts, and one call with the sum of
many bets gives the same as many calls. Undoing a bet is the same step with the amount below zero.

The commission carry belongs to the casino that collects, the reserve carries to the pot's owner; that is why
there are two steps, and `contribute`, which takes both. This file must not know pots or plans.
"""

from typing import NamedTuple

from controller.rules.money import PPM, Money, Ppm, share


class Shares(NamedTuple):
    """R-22: the approved percentages: commission of all, reserves of what is left after it."""

    commission: Ppm
    reserves: tuple[Ppm, ...] = ()


class Carries(NamedTuple):
    """R-23: the fraction, in millionths of a unit, that each beneficiary is still owed."""

    commission: int
    reserves: tuple[int, ...]


class Contribution(NamedTuple):
    """R-22: what one amount gave to whom; the parts add up to the amount, always."""

    commission: Money
    reserves: tuple[Money, ...]
    main: Money


def no_carries(shares: Shares) -> Carries:
    """R-23: every carry starts at 0."""
    assert 0 <= shares.commission <= PPM and min(shares.reserves, default=0) >= 0, "R-22: percentages"
    assert sum(shares.reserves) <= PPM, "R-22: the pots share 100 % of what remains"
    return Carries(0, (0,) * len(shares.reserves))


def allot(
    reserves: tuple[Ppm, ...], carries: tuple[int, ...], net: Money
) -> tuple[tuple[Money, ...], Money, tuple[int, ...]]:
    """R-23: net money to the reserves by their percentages; the main pot receives what remains of it."""
    given: list[Money] = []
    kept: list[int] = []
    for ppm, carry in zip(reserves, carries, strict=True):
        whole, fraction = share(net, ppm, carry)
        given.append(whole)
        kept.append(fraction)
    return tuple(given), Money(net - sum(given)), tuple(kept)


def contribute(shares: Shares, carries: Carries, amount: Money) -> tuple[Contribution, Carries]:
    """R-22, R-23: one amount wagered, or undone when it is negative, to all its beneficiaries."""
    commission, commission_carry = share(amount, shares.commission, carries.commission)
    net = Money(amount - commission)
    given, main, reserve_carries = allot(shares.reserves, carries.reserves, net)
    assert commission + sum(given) + main == amount, "R-22: total wagered = commission + what the pots receive"
    return Contribution(commission, given, main), Carries(commission_carry, reserve_carries)


def covers_its_fractions(shares: Shares, amount: Money) -> bool:
    """R-18, R-23: if so, no amount of this size or larger ever takes something out of the main pot.

    Each reserve may just then be given one unit that its fractions had saved up. The bound is the least that remains
    for the main pot of the net, with every carry as large as it can be.
    """
    most_commission, _ = share(amount, shares.commission, PPM - 1)
    main = PPM - sum(shares.reserves)
    ripening = sum(ppm > 0 for ppm in shares.reserves)
    assert 0 <= main <= PPM and most_commission <= amount, "R-22: the main pot has what is left"
    return (amount - most_commission) * main > (ripening - 1) * PPM - ripening
