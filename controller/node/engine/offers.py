"""Plan files that the settings name, held against what is in force: the node offers, two persons decide (R-26).

Theory. A file changes nothing. At the start and on SIGHUP the files are read again, and where one differs from what is
in force or staged for its pot, that is said until two persons have staged it or it was put back; who stages sends the
documents themselves, with two signatures (`pozo ctl`).
"""

from collections.abc import Iterable
from typing import NamedTuple

from controller.core.state import State
from controller.core.view import Alarm
from controller.node.vocabulary.places import Node, PlanFile


class Offer(NamedTuple):
    """A plan file that is neither in force nor staged; `new`: its pot has no plan yet."""

    plan: PlanFile
    new: bool

    @property
    def alarm(self) -> Alarm:
        what = "todavía no rige" if self.new else "no es el que rige"
        sentence = (
            f"El plan {self.plan.path.name} del pozo {self.plan.pot} {what}: lo aprueban dos personas (pozo ctl)."
        )
        return Alarm(self.plan.pot, "R-26", sentence)


def offers(node: Node, state: State) -> list[Offer]:
    found = []
    for plan in node.plans:
        pot, staged = state.pots.get(plan.pot), state.staged.get(plan.pot)
        known = [one.documents for one in (pot, staged) if one is not None]
        if plan.documents not in known:
            found.append(Offer(plan, pot is None))
    return found


def tables_without_plan(node: Node, state: State) -> Iterable[Alarm]:
    """R-9: a table that the settings have and no plan in force links cannot play."""
    for table in node.tables:
        if table.name not in state.tables:
            yield Alarm(table.name, "R-9", f"La mesa {table.name} no está en ningún plan que rija: no puede jugar.")
