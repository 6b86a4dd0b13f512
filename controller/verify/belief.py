"""Whether a unit can have counted what a fact says of it (R-37), worked out a second time.

Theory. A unit writes one event for each press, each returned bet and each chip, so between two of its images there are
at most as many of them as events, and each is worth at most what the record says that one of this unit can be. Written
from the rule: the events are spent one kind after the other, and what cannot be paid for with them is impossible.
"""

from controller.verify.facts import Bounds, Device

_HALF, _WORD = 2**31, 2**32


def impossible(before: Device, after: Device, bounds: Bounds | None) -> str:
    """Why not, by its name; an empty word where it can be."""
    steps = {
        name: (getattr(after, name) - getattr(before, name)) % _WORD for name in ("bets", "voided", "chips", "late")
    }
    if not any(steps.values()):
        return ""
    events = (after.seq - before.seq) % _WORD
    if not events:
        return "same_event"
    if any(step >= _HALF for step in (events, *steps.values())):
        return "went_back"
    if bounds is None:
        return ""
    if bounds.press == 0 and steps["bets"] + steps["voided"]:
        return "no_buttons"
    if bounds.chip == 0 and steps["chips"] + steps["late"]:
        return "no_slot"
    credits_late = steps["late"] * after.worth
    for credits_, most in (
        (steps["bets"], bounds.press),
        (steps["voided"], bounds.press),
        (steps["chips"], bounds.chip),
        (credits_late, max(bounds.chip, after.worth)),
    ):
        if credits_:
            events -= (credits_ + most - 1) // most
    return "too_much" if events < 0 else ""


def may_know_more(before: Device, after: Device) -> bool:
    """Whether it may have been acknowledged what the record lost: newer, and a bet or a chip stays of it. That it was,
    only the unit knows."""
    events = (after.seq - before.seq) % _WORD
    bets = ((after.bets - before.bets) - (after.voided - before.voided)) % _WORD
    chips = (after.chips - before.chips) % _WORD
    return 0 < events < _HALF and (0 < bets < _HALF or 0 < chips < _HALF)
