"""What an owner's own people had decided before a restore, named one by one (R-26, R-28).

Theory. A claim, void or prize of a member is told again by its node, and booked as it was. What two persons decided
here nobody tells again: it came back in the log of the pot, and stands there with its number. They decide it again, or
leave it; which it was, and how the pot stood behind it, they need not guess.
"""

from collections.abc import Iterator

from controller.core.links.letters import (
    Bound,
    ClaimPutRight,
    Letter,
    PlanInForce,
    PlanOffered,
    PlanTakenBack,
    PotMoved,
    TakingBack,
)
from controller.core.links.names import is_away
from controller.core.values import Levels


def decided_here(taking: TakingBack) -> Iterator[tuple[Bound, str]]:
    """Each letter that nobody tells again, and in words what it says."""
    assert len({one.number for one in taking.bound}) == len(taking.bound), "letters have numbers"
    for one in taking.bound:
        if what := _said(one.letter):
            yield one, what


def _said(letter: Letter) -> str:
    match letter:
        case PlanOffered():
            return f"{letter.by} y {letter.second} propusieron un plan ({letter.resolution})"
        case PlanInForce():
            base = f", con base de {letter.base_put_in} de la casa {letter.casino}" if letter.base_put_in else ""
            return f"empezó a regir el plan de {letter.by} y {letter.second} ({letter.resolution}){base}"
        case PlanTakenBack():
            return f"{letter.by} retiró el plan que esperaba"
        case PotMoved() if letter.neighbour:
            return f"{letter.by} y {letter.second} dieron {letter.amount} a {letter.neighbour} ({letter.reason})"
        case PotMoved():
            stood = _levels(letter.after)
            return f"{letter.by} y {letter.second} movieron dinero ({letter.reason}), y el pozo quedó con {stood}"
        case ClaimPutRight() if not is_away(letter.table):
            return _put_right(letter)
    return ""


def _put_right(letter: ClaimPutRight) -> str:
    owed = sum(award.amount for award in letter.awards)
    gone = f", sin {', '.join(letter.cancelled)}" if letter.cancelled else ""
    who = f"{letter.by} y {letter.second}" if letter.second else letter.by
    assert letter.number > 0, "R-5: passes are numbered from 1"
    return f"{who} corrigieron el pase {letter.number} de {letter.table} ({letter.reason}): {owed} más{gone}"


def _levels(after: Levels) -> str:
    parts = {"main": after.main, **after.reserves}
    assert len(parts) == len(after.reserves) + 1, "R-24: parts have names of their own"
    return ", ".join(f"{amount} en {part}" for part, amount in parts.items())
