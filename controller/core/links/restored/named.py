"""What an owner's own people had decided before a restore, named one by one (R-26, R-28).

Theory. A claim, void or prize of a member is told again by its node, and booked as it was. What two persons decided
here nobody tells again: it came back in the log of the pot, and stands there with its number. They decide it again, or
leave it; which it was, and how the pot stood behind it, they need not guess.
"""

from collections.abc import Iterator

from controller.core.links.letters import (
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
from controller.core.view import Alarm, alarm

_BEFORE = "La carta {number} del pozo {pot}, de antes de restaurar, dice: "
_AGAIN = ". Nadie la cuenta otra vez: dos personas lo deciden de nuevo, o lo dejan."
_OFFERED = f"{_BEFORE}{{by}} y {{second}} propusieron un plan ({{resolution}}){_AGAIN}"
_IN_FORCE = f"{_BEFORE}empezó a regir el plan de {{by}} y {{second}} ({{resolution}}){_AGAIN}"
_WITH_BASE = (
    f"{_BEFORE}empezó a regir el plan de {{by}} y {{second}} ({{resolution}}), con base de {{amount}} de la casa"
    f" {{casino}}{_AGAIN}"
)
_TAKEN_BACK = f"{_BEFORE}{{by}} retiró el plan que esperaba{_AGAIN}"
_GIVEN = f"{_BEFORE}{{by}} y {{second}} dieron {{amount}} a {{neighbour}} ({{reason}}){_AGAIN}"
_MOVED = f"{_BEFORE}{{by}} y {{second}} movieron dinero ({{reason}}), y el pozo quedó con {{stood}}{_AGAIN}"
_PUT_RIGHT = f"{_BEFORE}{{who}} corrigieron el pase {{passed}} de {{table}} ({{reason}}): {{amount}} más"
_RIGHT = f"{_PUT_RIGHT}{_AGAIN}"
_RIGHT_WITHOUT = f"{_PUT_RIGHT}, sin {{cancelled}}{_AGAIN}"


def decided_here(pot: str, taking: TakingBack) -> Iterator[Alarm]:
    """Each letter that nobody tells again, and in words what it says."""
    assert len({one.number for one in taking.bound}) == len(taking.bound), "letters have numbers"
    for one in taking.bound:
        if (told := _told(pot, one.number, one.letter)) is not None:
            yield told


def _told(pot: str, number: int, letter: Letter) -> Alarm | None:
    assert number > 0, "R-28: letters are numbered from 1"
    match letter:
        case PlanOffered():
            return alarm(
                "decided_offer", pot, "R-28", _OFFERED, number=number, pot=pot,
                by=letter.by, second=letter.second, resolution=letter.resolution,
            )  # fmt: skip
        case PlanInForce():
            return _in_force(pot, number, letter)
        case PlanTakenBack():
            return alarm("decided_no_offer", pot, "R-28", _TAKEN_BACK, number=number, pot=pot, by=letter.by)
        case PotMoved():
            return _moved(pot, number, letter)
        case ClaimPutRight() if not is_away(letter.table):
            return _put_right(pot, number, letter)
    return None


def _in_force(pot: str, number: int, letter: PlanInForce) -> Alarm:
    assert letter.base_put_in >= 0, "R-24: a base comes in"
    if letter.base_put_in:
        return alarm(
            "decided_plan_base", pot, "R-28", _WITH_BASE, number=number, pot=pot, by=letter.by, second=letter.second,
            resolution=letter.resolution, amount=letter.base_put_in, casino=letter.casino,
        )  # fmt: skip
    return alarm(
        "decided_plan", pot, "R-28", _IN_FORCE, number=number, pot=pot,
        by=letter.by, second=letter.second, resolution=letter.resolution,
    )  # fmt: skip


def _moved(pot: str, number: int, letter: PotMoved) -> Alarm:
    if letter.neighbour:
        return alarm(
            "decided_gift", pot, "R-28", _GIVEN, number=number, pot=pot, by=letter.by, second=letter.second,
            amount=letter.amount, neighbour=letter.neighbour, reason=letter.reason,
        )  # fmt: skip
    return alarm(
        "decided_move", pot, "R-28", _MOVED, number=number, pot=pot, by=letter.by, second=letter.second,
        reason=letter.reason, stood=_levels(letter.after, " en "), levels=_levels(letter.after, " "),
    )  # fmt: skip


def _put_right(pot: str, number: int, letter: ClaimPutRight) -> Alarm:
    owed = sum(award.amount for award in letter.awards)
    both = [name for name in (letter.by, letter.second) if name]
    assert letter.number > 0, "R-5: passes are numbered from 1"
    if letter.cancelled:
        return alarm(
            "decided_right_less", pot, "R-28", _RIGHT_WITHOUT, number=number, pot=pot, who=" y ".join(both),
            signed=", ".join(both), passed=letter.number, table=letter.table, reason=letter.reason, amount=owed,
            cancelled=", ".join(letter.cancelled),
        )  # fmt: skip
    return alarm(
        "decided_right", pot, "R-28", _RIGHT, number=number, pot=pot, who=" y ".join(both),
        signed=", ".join(both), passed=letter.number, table=letter.table, reason=letter.reason, amount=owed,
    )  # fmt: skip


def _levels(after: Levels, between: str) -> str:
    """In Spanish, and in no language."""
    parts = {"main": after.main, **after.reserves}
    assert len(parts) == len(after.reserves) + 1, "R-24: parts have names of their own"
    return ", ".join(f"{amount}{between}{part}" for part, amount in parts.items())
