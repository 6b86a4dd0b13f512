"""A pot: its main part, its base, its reserves; filled up to a ceiling, drawn on, never negative.

Theory. What is owed leaves a pot by `draw`: from the main pot and, where that is too small, from whoever stands
behind it (R-18). What was wagered enters by `pour`, up to the ceiling (R-24). Both say exactly which account
gave or got how much, so that a ledger can write it down; undoing them is `reversal`'s business.
This file must not know why money moves.
"""

from collections.abc import Sequence
from typing import NamedTuple

from controller.rules.money import NOTHING, Money
from controller.rules.readings import Backing

MOST_RESERVES = 16
_OTHER_PARTS = ("main", "house", "commission")


class Reserve(NamedTuple):
    """R-24: a reserve pot, in its configured order."""

    name: str
    amount: Money


class Pot(NamedTuple):
    """R-24: one main pot with its base, and any number of reserves."""

    main: Money
    base: Money
    reserves: tuple[Reserve, ...] = ()


class Sources(NamedTuple):
    """Who gave the parts of one amount: the main pot, each reserve in its order, the house."""

    main: Money
    reserves: tuple[Money, ...]
    house: Money

    @property
    def total(self) -> Money:
        assert self.main >= 0 and self.house >= 0, "R-18: what is given is not negative"
        return Money(self.main + sum(self.reserves) + self.house)


def first_name_taken(names: Sequence[str]) -> int | None:
    """R-24: the place of the first reserve whose name another one, or another part of a pot, already has."""
    seen = set(_OTHER_PARTS)
    for at, name in enumerate(names):
        if name in seen:
            return at
        seen.add(name)
    assert len(seen) == len(names) + len(_OTHER_PARTS), "R-24: each part of a pot has a name of its own"
    return None


def assert_sound(pot: Pot) -> None:
    """R-18: no pot is ever negative; R-24: neither is a base."""
    assert pot.main >= 0 and pot.base >= 0, "R-18: a pot is never negative"
    for reserve in pot.reserves:
        assert reserve.amount >= 0, "R-18: a reserve is never negative"


def whole(pot: Pot) -> int:
    """What is in all parts of a pot together: what every movement is held against, before and after."""
    assert pot.base >= 0, "R-24: a base is money that is put in"
    return pot.main + sum([reserve.amount for reserve in pot.reserves])


def take_behind(reserves: tuple[Reserve, ...], amount: Money, backing: Backing) -> tuple[Sources, tuple[Reserve, ...]]:
    """R-18, R-19: an amount from the reserves in their order as far as they go, the rest from the house.

    R-33: where the reading is `house`, the reserves are left alone.
    """
    assert amount >= 0, "R-18: an amount is owed, never taken"
    if amount == NOTHING:  # as nearly always: the main pot had it all
        return Sources(NOTHING, (NOTHING,) * len(reserves), NOTHING), reserves
    missing: int = amount
    taken: list[Money] = []
    left: list[Reserve] = []
    for reserve in reserves:
        part = min(missing, reserve.amount) if backing is Backing.RESERVES_THEN_HOUSE else 0
        missing -= part
        taken.append(Money(part))
        left.append(Reserve(reserve.name, Money(reserve.amount - part)))
    assert missing >= 0, "R-18: the house gives only what is missing"
    return Sources(NOTHING, tuple(taken), Money(missing)), tuple(left)


def draw(pot: Pot, amount: Money, backing: Backing) -> tuple[Sources, Pot]:
    """R-18: an amount owed in full: from the main pot first, the rest from who stands behind it."""
    assert amount >= 0, "R-18: an amount is owed, never taken"
    from_main = min(amount, pot.main)
    behind, reserves = take_behind(pot.reserves, Money(amount - from_main), backing)
    drawn = Sources(Money(from_main), behind.reserves, behind.house)
    assert drawn.total == amount, "R-18: owed in full"
    return drawn, Pot(Money(pot.main - from_main), pot.base, reserves)


def pour(pot: Pot, main: Money, reserves: tuple[Money, ...], ceiling: Money | None) -> tuple[Pot, Money]:
    """R-24: contributions enter; what would pass the ceiling goes to the first reserve, and is told.

    A plan is refused whose smallest bet could leave a negative part for the main pot (R-23).
    """
    assert len(reserves) == len(pot.reserves), "R-22: one contribution for each reserve"
    kept = main if ceiling is None else min(main, max(ceiling - pot.main, 0))
    overflow = Money(main - kept)
    into = reserves
    if overflow:
        assert into, "R-24: a ceiling needs a reserve for what passes it"
        into = (Money(into[0] + overflow), *into[1:])
    filled = [Reserve(one.name, Money(one.amount + part)) for one, part in zip(pot.reserves, into, strict=True)]
    poured = Pot(Money(pot.main + kept), pot.base, tuple(filled))
    assert_sound(poured)
    assert kept + sum(into) == main + sum(reserves), "R-22: all that was contributed is in the pot"
    assert ceiling is None or poured.main <= max(ceiling, pot.main), "R-24: nothing passes the ceiling"
    return poured, overflow


def pour_all(
    pot: Pot, contributions: Sequence[tuple[Money, tuple[Money, ...]]], ceiling: Money | None
) -> tuple[Pot, tuple[Money, ...]]:
    """R-24: one after another, each to the main pot and the reserves, and what of each passed the ceiling. Where it is
    far, as nearly always, none does: then they enter together."""
    whole_main = sum([main for main, _ in contributions])
    is_far = ceiling is None or pot.main + whole_main <= ceiling
    if not contributions or not is_far or min([main for main, _ in contributions]) < 0:
        told: list[Money] = []
        for main, reserves in contributions:
            pot, overflow = pour(pot, main, reserves, ceiling)
            told.append(overflow)
        return pot, tuple(told)
    columns = zip(*[reserves for _, reserves in contributions], strict=True)
    poured, overflow = pour(pot, Money(whole_main), tuple([Money(sum(column)) for column in columns]), ceiling)
    assert overflow == NOTHING, "R-24: what fits together fits one by one"
    return poured, (NOTHING,) * len(contributions)
