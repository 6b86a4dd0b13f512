"""The gaming day of who feeds a shared pot, told to who owns it: where a month of both begins and ends (R-27, R-28).

Theory. Two nodes have two clocks, and a letter carries no instant; so a month that both can count must end at something
that stands in both records. That is the close of the member's gaming day: its last letter of the day says the day's
name, and how far the pot's log was heard when it closed. What was told behind it is of the next day, whatever any clock
says; so no letter can be led over midnight, and nobody needs to ask the owner where a month ends.

Where people close a day, that is its end. A node without tables has nobody who does: its day of a pot ends when the
last of its boxes has closed that day; a box of which no bet came since its last day is not waited for, or one that is
switched off would hold up the month of all. And what ends a pot for its member ends his day too: he left the owner, or
was given his share when nothing of the pot was played here any more. That day is the open one, or the next.
"""

import re
from collections.abc import Iterator

from controller.core.facts import DayClosed, DayRenamed, Fact, LetterHeard, PotLeft, ShareHeard
from controller.core.links.bets import Unbelieved
from controller.core.links.letters import DAYS, DAYS_OF_BOXES, TELLS, DayOver
from controller.core.state import State
from controller.core.values import Mark, Side
from controller.rules.calendar import date_at, date_of, day_number, days_away

START = Mark(0, 0, "")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_AHEAD = 1
"""Days by which a day that nobody closed here may be ahead of the clock: a far one would end all that come before."""

Told = tuple[str, DayOver]
"""To whom, and what."""


def is_over(fact: Fact) -> bool:
    """Whether it is the close of a neighbour's day."""
    assert TELLS >= DAYS_OF_BOXES, "what is told now"
    return isinstance(fact, LetterHeard) and isinstance(fact.letter, DayOver) and fact.stream.startswith("to:")


def told_above(state: State, fact: Fact) -> Iterator[Told]:
    """To the owner of each pot that is fed here; `state`: behind the whole answer."""
    assert state.neighbours, "R-28: somebody is told"
    match fact:
        case DayClosed() | DayRenamed():
            yield from _of_people(state, fact) if state.tells >= DAYS else ()
        case _ if state.tells < DAYS_OF_BOXES:
            return
        case LetterHeard(letter=DayOver() as letter) if is_over(fact):
            yield from _of_boxes(state, letter)
        case PotLeft():
            open_now = state.day.name if state.day is not None else _next(state, fact.above, fact.pot)
            yield _day(state, fact.above, fact.pot, open_now)
        case ShareHeard():
            yield from _of_share(state, fact)


def _day(state: State, above: str, pot: str, day: str, was: str = "") -> Told:
    assert day, "R-27: a day has a name"
    return above, DayOver(pot, day, state.heard.get(f"{above}/pot:{pot}", START), was)


def _of_people(state: State, fact: DayClosed | DayRenamed) -> Iterator[Told]:
    """An open day that was renamed is told by its right name when it closes."""
    was = fact.was if isinstance(fact, DayRenamed) else ""
    assert fact.day, "R-27: a day has a name"
    if state.day is None:
        fed = [pot for _, pot in sorted(state.pots.items()) if pot.above]
        yield from (_day(state, pot.above, pot.name, fact.day, was) for pot in fed)


def _of_boxes(state: State, letter: DayOver) -> Iterator[Told]:
    """Of a node without tables: each day that no box is in any more; its name changes when no box calls it so."""
    above, pot = state.pots[letter.pot].above, letter.pot
    if not above or state.tables or state.day is not None:
        return
    boxes = [one for one in state.neighbours.values() if one.side is Side.BELOW]
    ended = state.neighbours[above].days.get(pot, "")
    if letter.was:
        is_other = letter.was == ended and all(box.days.get(pot) != ended for box in boxes)
        if is_other and not _is_far(state, letter.day):
            yield _day(state, above, pot, letter.day, letter.was)
        return
    for day in sorted({day for box in boxes if (day := box.days.get(pot, "")) > ended}):
        still_on = any(pot in box.playing and box.days.get(pot, "") < day and not box.revoked for box in boxes)
        if not still_on and not _is_far(state, day):
            yield _day(state, above, pot, day)


def _of_share(state: State, fact: ShareHeard) -> Iterator[Told]:
    """R-28: if no day is open here that will be told; in several parts it names no day that lies far ahead."""
    day = _next(state, fact.above, fact.pot)
    plays = any(fact.pot in one.playing for one in state.neighbours.values() if not one.revoked)
    if state.day is None and not plays and not _is_far(state, day):
        yield _day(state, fact.above, fact.pot, day)


def _is_far(state: State, day: str) -> bool:
    away = days_away(day, state.clock)
    assert away is not None, "R-27: a day has a date"
    return away > _MOST_AHEAD


def _next(state: State, above: str, pot: str) -> str:
    """The date of the clock, or the one after the last day."""
    today, last = date_at(state.clock), max(state.neighbours[above].days.get(pot, ""), state.last_day)
    number = day_number(last)
    assert day_number(today) is not None, "a date"
    return today if number is None else max(today, date_of(number + 1))


def hear_over(state: State, letter: DayOver) -> tuple[()]:
    """R-27: a day has a date; and nobody has heard more of a log than was told in it, or something else."""
    told, heard = state.told.get(f"pot:{letter.pot}", START), letter.heard
    if day_number(letter.day) is None or (letter.was and day_number(letter.was) is None):
        raise Unbelieved(f"la jornada {letter.day} no tiene fecha")
    if not (0 <= heard.number <= told.number and 0 <= heard.epoch <= state.epoch) or (
        heard.number and not _DIGEST.fullmatch(heard.hash)
    ):
        raise Unbelieved(f"del pozo {letter.pot} no se dijo la carta {heard.number}")
    if (heard.number == told.number and heard.hash != told.hash) or (not heard.number and heard != START):
        raise Unbelieved(f"del pozo {letter.pot} se dijo otra carta {heard.number}")
    assert letter.pot in state.pots, "R-28: of a pot that is here"
    return ()
