"""Whether a unit can have counted what a fact says of it (R-37), worked out a second time.

Theory. A unit writes one event for each press, each returned bet and each chip, so between two of its images there are
at most as many of them as events, and each is worth at most what the record says that one of this unit can be. Written
from the rule: the events are spent one kind after the other, and what cannot be paid for with them is impossible. The
seats of one unit spend from the same purse.
"""

from typing import NamedTuple

from controller.verify.facts import Bounds, Device

_HALF, _WORD = 2**31, 2**32


def impossible(before: Device, after: Device, bounds: Bounds | None) -> str:
    """Why not, by its name; an empty word where it can be."""
    steps = {
        name: (getattr(after, name) - getattr(before, name)) % _WORD for name in ("bets", "voided", "chips", "late")
    }
    events = (after.seq - before.seq) % _WORD
    if not events:
        return "same_event" if any(steps.values()) else ""
    if any(step >= _HALF for step in (events, *steps.values())):
        return "went_back"
    if bounds is None:
        return ""
    if bounds.press == 0 and steps["bets"] + steps["voided"]:
        return "no_buttons"
    if bounds.chip == 0 and steps["chips"] + steps["late"]:
        return "no_slot"
    return "too_much" if taken(before, after, bounds) > events else ""


def taken(before: Device, after: Device, bounds: Bounds | None) -> int:
    """How many events a seat's move takes at least."""
    bets, voided, chips, late = (
        (getattr(after, name) - getattr(before, name)) % _WORD for name in ("bets", "voided", "chips", "late")
    )
    if bounds is None:
        return 1 if bets or voided or chips or late else 0
    press, chip = max(bounds.press, 1), max(bounds.chip, 1)
    of_kinds = ((bets, press), (voided, press), (chips, chip), (late * after.worth, max(chip, after.worth)))
    return sum((credits_ + most - 1) // most for credits_, most in of_kinds)


class Move(NamedTuple):
    """The last one of a seat: from which event of its unit to which, and how many it took."""

    first: int
    last: int
    took: int


def overdrawn(moves: list[Move]) -> bool:
    """Whether the seats of one unit took more events together than it had: the newest move stands first, and whatever
    began after some event took its events from those that came after it."""
    newest = moves[0].last
    ages = sorted(((newest - move.first) % _WORD, move.took) for move in moves if (newest - move.last) % _WORD < _HALF)
    took = 0
    for place, (age, events) in enumerate(ages):
        took += events
        is_last_of_its_age = place + 1 == len(ages) or ages[place + 1][0] > age
        if is_last_of_its_age and took > age:
            return True
    return False


def may_know_more(before: Device, after: Device) -> bool:
    """Whether it may have been acknowledged what the record lost: newer, and a bet or a chip stays of it. That it was,
    only the unit knows."""
    events = (after.seq - before.seq) % _WORD
    bets = ((after.bets - before.bets) - (after.voided - before.voided)) % _WORD
    chips = (after.chips - before.chips) % _WORD
    return 0 < events < _HALF and (0 < bets < _HALF or 0 < chips < _HALF)
