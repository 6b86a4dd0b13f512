"""What a unit can have counted since its last image on record, and what it cannot (R-37).

Theory. A device's word is bounded by what the device is. Every change of a total is one event of its unit (devices.md
2.1), so equal event numbers mean equal totals, and k new events are at most k presses, chips or returned bets, each of
at most what one of that unit can be worth (`MostAtOnce`). The events are the unit's: its seats share them, so what all
of them counted in a time is paid for by what happened in that time (`Span`). No total goes back, and no event number is
older than what was booked: the node asks with the newest reading and waits for the answer before it asks again, so an
older image is a memory that went back, also where its totals are equal. Everything is mod 2^32 and within one serial
and epoch. Where nobody said yet what a unit can be, only what holds for every unit is asked.
"""

from collections.abc import Sequence
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


class Span(NamedTuple):
    """What one seat counted between two images on record: it took at least so many of its unit's events."""

    since: int
    until: int
    events: int


class Disbelief(StrEnum):
    """Why what a unit says cannot be."""

    SAME_EVENT = "same_event"
    WENT_BACK = "went_back"
    NO_BUTTONS = "no_buttons"
    NO_SLOT = "no_slot"
    TOO_MUCH = "too_much"
    KNOWS_MORE = "knows_more"
    FORGOT = "forgot"
    UNORDERED = "unordered"
    IMAGES = "images"


DISBELIEVED_WORDS = {
    Disbelief.SAME_EVENT: "contó sin que pasara nada",
    Disbelief.WENT_BACK: "cuenta hacia atrás",
    Disbelief.NO_BUTTONS: "apuestas sin tener botones",
    Disbelief.NO_SLOT: "fichas sin tener ranura",
    Disbelief.TOO_MUCH: "contó más de lo que puede",
    Disbelief.KNOWS_MORE: "sabe más que el registro",
    Disbelief.FORGOT: "perdió lo que sabía",
    Disbelief.UNORDERED: "movió créditos sin orden",
    Disbelief.IMAGES: "dijo más de lo que pasó",
}
BETWEEN_IMAGES = frozenset({Disbelief.UNORDERED, Disbelief.IMAGES})
"""What no two totals on record show: the node saw two images, and the record has at most one of them."""


def newer(new: int, old: int) -> bool:
    """Serial-number arithmetic: whether an event number comes after another one, mod 2^32."""
    assert 0 <= new < WORD and 0 <= old < WORD, "devices.md 2.1: 32 bits"
    return 0 < (new - old) % WORD < _AHEAD


def disbelief(old: Image, new: Image, bounds: MostAtOnce | None) -> Disbelief | None:
    """Why the new totals cannot follow from the old ones; None if they can."""
    assert bounds is None or min(bounds.press, bounds.chip) >= 0, "worth something, or there is none"
    grown, events = _grown(old, new), (new.seq - old.seq) % WORD
    if events == 0:
        return Disbelief.SAME_EVENT if any(grown) else None
    if events >= _AHEAD or max(grown) >= _AHEAD:
        return Disbelief.WENT_BACK
    if bounds is None:
        return None
    if (grown.bets or grown.voided) and not bounds.press:
        return Disbelief.NO_BUTTONS
    if (grown.chips or grown.late) and not bounds.chip:
        return Disbelief.NO_SLOT
    return Disbelief.TOO_MUCH if _least(grown, new.worth, bounds) > events else None


def span_of(old: Image, new: Image, bounds: MostAtOnce | None) -> Span:
    """What a seat counted between two images, in events of its unit."""
    assert 0 <= old.seq < WORD and 0 <= new.seq < WORD, "devices.md 2.1: 32 bits"
    return Span(old.seq, new.seq, _least(_grown(old, new), new.worth, bounds))


def are_too_many(spans: Sequence[Span]) -> bool:
    """Whether what the seats of one unit counted takes more events than it had. The first span is of the image that is
    judged; what was counted after it is of another time."""
    assert spans, "of the seat that is judged, at least"
    until = spans[0].until
    past = [((until - span.since) % WORD, span.events) for span in spans if not newer(span.until, until)]
    return any(sum(many for ago, many in past if ago <= since) > since for since, _ in past)


def stands_beyond(old: Image, new: Image) -> bool:
    """Whether newer totals hold a bet or chips that the older ones do not. A unit gives back by itself every press that
    nobody acknowledged, so what stays was taken into some record."""
    kept = (new.bets - old.bets - (new.voided - old.voided)) % WORD
    assert 0 <= kept < WORD, "mod 2^32"
    return newer(new.seq, old.seq) and (0 < kept < _AHEAD or 0 < (new.chips - old.chips) % WORD < _AHEAD)


class _Grown(NamedTuple):
    bets: int
    voided: int
    chips: int
    late: int


def _grown(old: Image, new: Image) -> _Grown:
    assert min(old) >= 0 and min(new) >= 0, "devices.md 2.1: totals are not below nothing"
    return _Grown(
        (new.bets - old.bets) % WORD,
        (new.voided - old.voided) % WORD,
        (new.chips - old.chips) % WORD,
        (new.late - old.late) % WORD,
    )


def _least(grown: _Grown, worth: int, bounds: MostAtOnce | None) -> int:
    """The events that it takes to count so much. A native slot counts late chips in pieces, each worth what was said
    with it; the others count them in credits."""
    if bounds is None:
        return int(any(grown))
    least = sum(-(-many // max(bounds.press, 1)) for many in (grown.bets, grown.voided))
    least += -(-grown.chips // max(bounds.chip, 1)) + -(-grown.late * worth // max(bounds.chip, worth))
    assert least >= 0, "totals are compared mod 2^32"
    return least
