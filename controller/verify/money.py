"""Where money goes, computed a second time: the split of a bet, its undoing, a shortfall, a rejected claim.

Theory. Plain arithmetic on whole numbers, from the text of the rules and not from the program: amounts are moved by
hand in a dictionary, in the order in which the rules name them (R-18, R-22, R-23, R-24, R-25, R-21).
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.verify.facts import Granted, SealedBet
from controller.verify.law import WHOLE, Law

MAIN, HOUSE = "main", "house"


class Purse:
    """A pot while it is being computed: its main part and its reserves, in their order."""

    def __init__(self, main: int, reserves: dict[str, int]) -> None:
        self.main = main
        self.reserves = dict(reserves)

    def moved_from(self, before: "Purse") -> dict[str, int]:
        """What each part gained or lost since, without the parts that did not move."""
        moved = {MAIN: self.main - before.main}
        for name, amount in self.reserves.items():
            moved[name] = amount - before.reserves[name]
        return {name: amount for name, amount in moved.items() if amount}

    def copy(self) -> "Purse":
        return Purse(self.main, self.reserves)


def from_behind(purse: Purse, amount: int, by_house: bool) -> dict[str, int]:
    """R-18, R-19: the reserves in their order as far as they go, then the house; or the house alone (R-33)."""
    gave: dict[str, int] = {}
    for name in () if by_house else purse.reserves:
        part = min(purse.reserves[name], amount)
        purse.reserves[name] -= part
        amount -= part
        if part:
            gave[name] = part
    if amount:
        gave[HOUSE] = amount
    return gave


def take(purse: Purse, amount: int, by_house: bool) -> dict[str, int]:
    """R-18: the main pot first."""
    main = min(purse.main, amount)
    purse.main -= main
    gave = {MAIN: main} if main else {}
    return {**gave, **from_behind(purse, amount - main, by_house)}


def fill(purse: Purse, main: int, ceiling: int | None) -> int:
    """R-24: into the main pot up to its ceiling; what passes it goes to the first reserve, and is the answer."""
    room = main if ceiling is None else max(ceiling - purse.main, 0)
    over = max(main - room, 0)
    purse.main += main - over
    if over:
        first = next(iter(purse.reserves))
        purse.reserves[first] += over
    return over


class Split(NamedTuple):
    """R-22: one amount, to whom."""

    commission: int
    reserves: tuple[int, ...]
    main: int


class Fractions:
    """R-23: what commission and reserves are still owed, in millionths of a unit."""

    def __init__(self, commission: int, reserves: Iterable[int]) -> None:
        self.commission = commission
        self.reserves = list(reserves)

    def split(self, law: Law, amount: int) -> Split:
        """R-23: floor with the carry, the commission of all, each reserve of the rest, the main pot what remains."""
        commission, self.commission = divmod(amount * law.commission + self.commission, WHOLE)
        net = amount - commission
        given = []
        for at, ppm in enumerate(law.reserves.values()):
            part, self.reserves[at] = divmod(net * ppm + self.reserves[at], WHOLE)
            given.append(part)
        return Split(commission, tuple(given), net - sum(given))


def contribute(law: Law, purse: Purse, fractions: Fractions, amount: int) -> tuple[Split, int]:
    """R-22, R-23, R-24: one valid bet enters; what it gave, and how much of it passed the ceiling."""
    split = fractions.split(law, amount)
    overflow = fill(purse, split.main, law.ceiling)
    for name, part in zip(purse.reserves, split.reserves, strict=True):
        purse.reserves[name] += part
    return split, overflow


class Undone(NamedTuple):
    """R-25: the commission given back (negative), what the house adds, and each bet's parts taken back."""

    commission: int
    house: int
    splits: tuple[Split, ...]


def undo_bets(law: Law, purse: Purse, fractions: Fractions, bets: list[SealedBet]) -> Undone:
    """R-25: each bet as a contribution below zero, the last one first; or all from the house (R-33)."""
    if law.void_undoes_nothing:
        return Undone(0, sum(bet.amount for bet in bets), ())
    commission = house = 0
    splits: list[Split] = []
    for bet in reversed(bets):
        back = fractions.split(law, -bet.amount)
        splits.insert(0, back)
        commission += back.commission
        house += take_back(law, purse, back, bet.overflow)
    return Undone(commission, house, tuple(splits))


def take_back(law: Law, purse: Purse, back: Split, overflow: int) -> int:
    """R-18, R-25: out of the parts again, what had passed the ceiling from the first reserve; the house adds."""
    out_of_main = max(-back.main, 0)
    over = min(overflow, out_of_main)
    house = 0
    for at, name in enumerate(purse.reserves):
        wanted = -back.reserves[at] + (over if at == 0 else 0)
        given = min(wanted, purse.reserves[name])
        purse.reserves[name] -= given
        house += wanted - given
    purse.main += max(back.main, 0)
    return house + take(purse, out_of_main - over, law.shortfall_by_house).get(HOUSE, 0)


class Returned(NamedTuple):
    """R-21: what the house gets back (below zero: adds), and what passes the ceiling only now."""

    house: int
    overflow: int


def undo_claim(
    law: Law, purse: Purse, main_then: int, awards: Iterable[Granted], base: dict[str, int] | None
) -> Returned:
    """R-21: the held money to where it came from, a base that was put in to where that came from, and the pot filled
    anew up to its ceiling, or to what it held when the claim was registered if that was more.

    `base` is who put it in, and how much each.
    """
    house = 0
    for award in awards:
        house += award.house
        for name, amount in award.parts.items():
            _give(purse, name, amount)
    if base is not None:
        house -= take(purse, sum(base.values()), law.shortfall_by_house).get(HOUSE, 0)
        for name, amount in base.items():
            if name == HOUSE:
                house += amount
            else:
                _give(purse, name, amount)
    main, purse.main = purse.main, 0
    ceiling = None if law.ceiling is None else max(law.ceiling, main_then)
    return Returned(house, fill(purse, main, ceiling))


def _give(purse: Purse, name: str, amount: int) -> None:
    if name == MAIN:
        purse.main += amount
    else:
        purse.reserves[name] += amount
