"""Which days a node must have told the owner of a pot that is fed here, worked out a second time (R-27, R-28).

Theory. People close a day, and its name is told of every pot of others. A node without tables has nobody who does: a
day of its boxes is over when none of them is in it any more: each has told it or a later one, or no bet came from it
since its last. Who leaves an owner, or is given his share with nothing of the pot under way, ends his day with that:
the open one, else that of the date, and always one that comes after the last.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from controller.verify import facts as kinds
from controller.verify.links import letters
from controller.verify.links.state import NOWHERE, Due
from controller.verify.world import World

OF_PEOPLE = (kinds.DayClosed, kinds.DayRenamed)
_WITH_DAYS = 2
"""The list by which a node tells the close of its day."""
_MS_OF_A_DAY = 86_400_000


def ends_day(fact: Any) -> bool:
    """Whether a day may be told because of it, though no pot is named in it."""
    if isinstance(fact, kinds.LetterHeard):
        return fact.stream.startswith("to:") and bool(bytes(fact.letter))
    return isinstance(fact, OF_PEOPLE)


def of_days(world: World, fact: Any) -> Iterator[Due]:
    """What is due to whom."""
    if isinstance(fact, OF_PEOPLE):
        if world.day is None and world.links.tells >= _WITH_DAYS:
            was = fact.was if isinstance(fact, kinds.DayRenamed) else ""
            fed = [pot for _, pot in sorted(world.pots.items()) if pot.above]
            yield from (_due(world, pot.above, pot.name, fact.day, was) for pot in fed)
    elif not world.links.tells_of_boxes:
        return
    elif isinstance(fact, kinds.LetterHeard) and ends_day(fact):
        yield from _of_boxes(world, letters.read(fact.letter))
    elif isinstance(fact, kinds.PotLeft):
        name = world.day.name if world.day else _next(world, fact.above, fact.pot).isoformat()
        yield _due(world, fact.above, fact.pot, name)
    elif isinstance(fact, kinds.ShareHeard) and world.day is None:
        on = any(fact.pot in one.in_play and not one.revoked for one in world.links.neighbours.values())
        following = _next(world, fact.above, fact.pot).isoformat()
        if not on and not _is_far(world, following):
            yield _due(world, fact.above, fact.pot, following)


def _due(world: World, above: str, pot: str, day: str, was: str = "") -> Due:
    heard = world.links.heard.get(f"{above}/pot:{pot}", NOWHERE)
    return Due(f"to:{above}", letters.DayOver(pot, day, heard, was))


def _of_boxes(world: World, letter: letters.DayOver) -> Iterator[Due]:
    above, pot = world.pots[letter.pot].above, letter.pot
    if not above or world.tables or world.day is not None:
        return
    boxes = [one for one in world.links.neighbours.values() if one.side == "below"]
    told = world.links.neighbours[above].last_days.get(pot, "")
    if letter.was:
        none_so = told == letter.was and told not in [box.last_days.get(pot) for box in boxes]
        if none_so and not _is_far(world, letter.day):
            yield _due(world, above, pot, letter.day, letter.was)
        return
    for day in sorted({day for box in boxes if (day := box.last_days.get(pot, "")) > told}):
        in_it = [one for one in boxes if pot in one.in_play and not one.revoked and one.last_days.get(pot, "") < day]
        if not in_it and not _is_far(world, day):
            yield _due(world, above, pot, day)


def _is_far(world: World, day: str) -> bool:
    """R-27: more than a day ahead of the clock here: whoever says so is wrong about it."""
    return date.fromisoformat(day) - _today(world) > timedelta(1)


def _today(world: World) -> date:
    return date(1970, 1, 1) + timedelta(world.at // _MS_OF_A_DAY)


def _next(world: World, above: str, pot: str) -> date:
    last = max(world.links.neighbours[above].last_days.get(pot, ""), world.last_day)
    try:
        return max(_today(world), date.fromisoformat(last) + timedelta(1))
    except ValueError:
        return _today(world)
