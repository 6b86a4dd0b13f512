"""What a unit can have counted since its last image on record, and what it cannot (R-37).

Theory. A device's word is bounded by what the device is. Every change of a total is one event of its unit (devices.md
2.1), so equal event numbers mean equal totals, and k new events are at most k presses, chips or returned bets, each of
at most what one of that unit can be worth (`MostAtOnce`). No total goes back, and none is older than what was booked:
the node asks with the newest reading and waits for the answer before it asks again, so an older image is a memory that
went back. Everything is mod 2^32 and within one serial and epoch. Where nobody said yet what a unit can be, only what
holds for every unit is asked.
"""

from enum import StrEnum
from typing import NamedTuple

WORD = 2**32
_AHEAD = WORD // 2


class Image(NamedTuple):
    """What a unit said of itself: its event number, its totals, and what one late chip is worth."""

    seq: int
    bets: int
    voided: int
    chips: int
    late: int
    worth: int


class MostAtOnce(NamedTuple):
    """The most credits of one press and of one chip; 0: it has no buttons, or no slot."""

    press: int
    chip: int


class Disbelief(StrEnum):
    """Why what a unit says cannot be."""

    SAME_EVENT = "same_event"
    WENT_BACK = "went_back"
    NO_BUTTONS = "no_buttons"
    NO_SLOT = "no_slot"
    TOO_MUCH = "too_much"
    KNOWS_MORE = "knows_more"
    FORGOT = "forgot"


DISBELIEVED_WORDS = {
    Disbelief.SAME_EVENT: "contó sin que pasara nada",
    Disbelief.WENT_BACK: "cuenta hacia atrás",
    Disbelief.NO_BUTTONS: "apuestas sin tener botones",
    Disbelief.NO_SLOT: "fichas sin tener ranura",
    Disbelief.TOO_MUCH: "contó más de lo que puede",
    Disbelief.KNOWS_MORE: "sabe más que el registro",
    Disbelief.FORGOT: "perdió lo que sabía",
}


def newer(new: int, old: int) -> bool:
    """Serial-number arithmetic: whether an event number comes after another one, mod 2^32."""
    assert 0 <= new < WORD and 0 <= old < WORD, "devices.md 2.1: 32 bits"
    return 0 < (new - old) % WORD < _AHEAD


def disbelief(old: Image, new: Image, bounds: MostAtOnce | None) -> Disbelief | None:
    """Why the new totals cannot follow from the old ones; None if they can."""
    assert bounds is None or min(bounds.press, bounds.chip) >= 0, "worth something, or there is none"
    grown = tuple(
        (after - before) % WORD
        for after, before in (
            (new.bets, old.bets),
            (new.voided, old.voided),
            (new.chips, old.chips),
            (new.late, old.late),
        )
    )
    if not any(grown):
        return None
    events = (new.seq - old.seq) % WORD
    if events == 0:
        return Disbelief.SAME_EVENT
    if events >= _AHEAD or max(grown) >= _AHEAD:
        return Disbelief.WENT_BACK
    return _beyond(bounds, events, grown, new.worth) if bounds is not None else None


def stands_beyond(old: Image, new: Image) -> bool:
    """Whether newer totals hold a bet or chips that the older ones do not. A unit gives back by itself every press that
    nobody acknowledged, so what stays was taken into some record."""
    kept = (new.bets - old.bets - (new.voided - old.voided)) % WORD
    assert 0 <= kept < WORD, "mod 2^32"
    return newer(new.seq, old.seq) and (0 < kept < _AHEAD or 0 < (new.chips - old.chips) % WORD < _AHEAD)


def _beyond(bounds: MostAtOnce, events: int, grown: tuple[int, ...], worth: int) -> Disbelief | None:
    bets, voided, chips, late = grown
    if (bets or voided) and not bounds.press:
        return Disbelief.NO_BUTTONS
    if (chips or late) and not bounds.chip:
        return Disbelief.NO_SLOT
    # A native slot counts late chips in pieces, each worth what was said with it; the others count them in credits.
    least = sum(-(-many // max(bounds.press, 1)) for many in (bets, voided))
    least += -(-chips // max(bounds.chip, 1)) + -(-late * worth // max(bounds.chip, worth))
    assert least > 0, "something was counted"
    return Disbelief.TOO_MUCH if least > events else None
