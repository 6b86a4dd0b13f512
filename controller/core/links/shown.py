"""What somebody must know of a plan of a shared pot that waits: who holds it up, and why a table does not open (R-26).

Theory. A plan that waits for other nodes can wait long, and whoever stands at a closed table has not staged it. So the
owner of the pot sees which nodes have not said that they are ready, a node that has not sees what it has to end, and
one that has sees whose word is missing.
"""

from collections.abc import Iterator

from controller.core.links.known import Proposed
from controller.core.links.letters import ClaimSettled
from controller.core.links.restored.bound import lacking, missing_names
from controller.core.plans import members
from controller.core.state import State, plan_of
from controller.core.view import Alarm


def plans_that_wait(state: State) -> Iterator[Alarm]:
    """R-26: each with what it waits for."""
    for pot, staged in state.staged.items():
        missing = members(state, plan_of(staged.documents)) - {*staged.ready}
        if missing:
            what = f"El plan nuevo del pozo {pot} espera que estén listos: {', '.join(sorted(missing))}."
            yield Alarm(pot, "R-26", what)
    for pot, proposed in state.proposed.items():
        if state.neighbours[proposed.above].revoked:
            continue
        yield Alarm(pot, "R-26", _proposed(state, pot, proposed))
    for pot, tables in state.emptying.items():
        assert tables, "R-7: some table is to be emptied"
        what = f"El plan nuevo del pozo {pot} cambió mesas con dinero; se devuelve o aparta: {', '.join(tables)}."
        yield Alarm(pot, "R-26", what)


def decisions_that_come_back(state: State) -> Iterator[Alarm]:
    """R-28: after a restore, who has not said what he heard, or what the pot lacks for what it had decided."""
    for pot, taking in state.taking_back.items():
        missing = missing_names(state, pot)
        if missing:
            what = f"El pozo {pot} recupera lo que decidió antes de restaurar el nodo; falta: {missing}."
            yield Alarm(pot, "R-28", f"{what} Hasta entonces no decide nada; o dos personas siguen sin quien falta.")
        for one in taking.bound:
            lacks = lacking(state.pots[pot], one.letter) if isinstance(one.letter, ClaimSettled) else {}
            if lacks and not taking.missing:
                parts = ", ".join(f"{amount} en {part}" for part, amount in lacks.items())
                claim = getattr(one.letter, "claim", "")
                yield Alarm(pot, "R-18", f"Por {claim}, ya decidido, al pozo {pot} le faltan {parts}: dos los ponen.")
    assert len(state.taking_back) <= len(state.pots), "R-28: of pots of ours"


def _proposed(state: State, pot: str, proposed: Proposed) -> str:
    above, missing = proposed.above, members(state, plan_of(proposed.documents)) - {*proposed.below}
    assert above, "R-28: of a pot that a neighbour owns"
    if proposed.ready:
        return f"El pozo {pot} cambia de plan: sus mesas no abren hasta que {above} diga que ya rige."
    behind = f"; y falta que esté listo: {', '.join(sorted(missing))}" if missing else ""
    return (
        f"{above} propone un plan para el pozo {pot}: empieza cuando aquí no quede un pase en curso, un premio"
        f" pendiente ni dinero en una mesa que cambia{behind}."
    )
