"""Plan files that the settings name, held against what is in force: the node offers, two persons decide (R-26).

Theory. A file changes nothing. At the start and on SIGHUP the files are read again, and where one differs from what is
in force or staged for its pot, that is said until two persons have staged it or it was put back; who stages sends the
documents themselves, with two signatures (`pozo ctl`).
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from controller.core.links.placed import is_named
from controller.core.state import State, plan_of
from controller.core.view import Alarm, alarm
from controller.node.settings.settings import read_node
from controller.node.telemetry.journal import Journal, Says
from controller.node.vocabulary.places import Node, PlanFile
from controller.rules.document import DocumentError

_NEW = "El plan {file} del pozo {pot} todavía no rige"
_OTHER = "El plan {file} del pozo {pot} no es el que rige"
_HERE = "lo aprueban dos personas (pozo ctl)"
_FAR = "lo propone el nodo dueño del pozo"


class Offer(NamedTuple):
    """A plan file that is neither in force nor staged; `new`: its pot has no plan yet; `far`: another node owns it, and
    there its plan is decided (R-28)."""

    plan: PlanFile
    new: bool
    far: bool

    @property
    def alarm(self) -> Alarm:
        file, pot = self.plan.path.name, self.plan.pot
        if self.far and self.new:
            return alarm("plan_new_far", pot, "R-26", f"{_NEW}: {_FAR}.", file=file, pot=pot)
        if self.far:
            return alarm("plan_other_far", pot, "R-26", f"{_OTHER}: {_FAR}.", file=file, pot=pot)
        if self.new:
            return alarm("plan_new", pot, "R-26", f"{_NEW}: {_HERE}.", file=file, pot=pot)
        return alarm("plan_other", pot, "R-26", f"{_OTHER}: {_HERE}.", file=file, pot=pot)


def _offers(node: Node, state: State) -> list[Offer]:
    found = []
    for plan in node.plans:
        pot, staged, proposed = (kept.get(plan.pot) for kept in (state.pots, state.staged, state.proposed))
        known = [one.documents for one in (pot, staged, proposed) if one is not None]
        if plan.documents not in known:
            found.append(Offer(plan, pot is None, is_named(plan_of(plan.documents), node.name)))
    return found


class PlanFiles:
    """What is said of them: in the journal, and as alarms while they differ."""

    def __init__(self, node: Node, journal: Journal) -> None:
        self._node, self._journal = node, journal

    def tell(self, state: State) -> None:
        for offer in _offers(self._node, state):
            self._journal.warning(Says.PLAN_DIFFERS, pot=offer.plan.pot, path=str(offer.plan.path), new=offer.new)

    def read_again(self, state: State) -> None:
        """Only plans: everything else of the settings asks for a restart."""
        try:
            fresh = read_node(self._node.file)
        except DocumentError as error:
            self._journal.error(Says.PLAN_UNREADABLE, message=str(error))
            return
        self._node = replace(self._node, plans=fresh.plans)
        self._journal.info(Says.RELOADED, plans=len(fresh.plans), differing=len(_offers(self._node, state)))
        self.tell(state)

    def alarms(self, state: State) -> Iterable[Alarm]:
        yield from (offer.alarm for offer in _offers(self._node, state))
        for table in self._node.tables:
            if table.name not in state.tables:
                what = "La mesa {table} no está en ningún plan que rija: no puede jugar."
                yield alarm("table_unplanned", table.name, "R-9", what, table=table.name)
