"""The gaming day of who feeds a shared pot, told to who owns it: where a month of both begins and ends (R-27, R-28).

Theory. Two nodes have two clocks, and a letter carries no instant; so a month that both can count must end at something
that stands in both records. That is the close of the member's gaming day: its last letter of the day says the day's
name, and how far the pot's log was heard when it closed. What was told behind it is of the next day, whatever any clock
says; so no letter can be led over midnight, and nobody needs to ask the owner where a month ends.
"""

import re
from collections.abc import Iterator

from controller.core.facts import DayClosed, DayRenamed, Fact
from controller.core.links.bets import Unbelieved
from controller.core.links.letters import TELLS, DayOver
from controller.core.state import State
from controller.core.values import Mark
from controller.rules.calendar import day_number

START = Mark(0, 0, "")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def told_above(state: State, fact: Fact) -> Iterator[tuple[str, DayOver]]:
    """To the owner of each pot that is fed here; `state`: behind the whole answer. An open day that was renamed is told
    by its right name when it closes."""
    assert state.neighbours, "R-28: somebody is told"
    was = fact.was if isinstance(fact, DayRenamed) else ""
    if not isinstance(fact, DayClosed | DayRenamed) or state.day is not None or state.tells < TELLS:
        return
    for name, pot in sorted(state.pots.items()):
        if pot.above:
            yield pot.above, DayOver(name, fact.day, state.heard.get(f"{pot.above}/pot:{name}", START), was)


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
