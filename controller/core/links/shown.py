"""What somebody must know of a shared pot: why a plan waits, or winners, and who has to decide (R-21, R-26, R-28).

Theory. A plan that waits for other nodes can wait long, and whoever stands at a closed table has not staged it. So the
owner of the pot sees which nodes have not said that they are ready, a node that has not sees what it has to end, and
one that has sees whose word is missing.
"""

from collections.abc import Iterator

from controller.core.links.known import Proposed
from controller.core.links.letters import ClaimSettled
from controller.core.links.restored.bound import lacking, missing_names
from controller.core.links.restored.named import decided_here
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


def winners_in_doubt(state: State) -> Iterator[Alarm]:
    """R-21, R-28: at their table, that the owner of the pot does not believe them, or left them here."""
    for claim in state.claims.values():
        above = state.pots[claim.pot].above
        assert above or not claim.doubted, "R-28: of a pot that a neighbour owns"
        if claim.doubted:
            what = (
                f"{above} no cree la jugada {claim.id} ({claim.doubted}): la deciden dos personas del dueño del pozo."
            )
            yield Alarm(
                claim.id, "R-21", f"{what} Al jugador: su porcentaje espera esa decisión; lo seguro se le paga."
            )
        elif claim.left and claim.pending:
            what = f"{claim.left} no tomó la jugada {claim.id} en su pozo: la paga la casa de {claim.casino}."
            yield Alarm(
                claim.id, "R-28", f"{what} Se verifica y se paga, o dos la rechazan; decide la autoridad si no."
            )


def decisions_that_come_back(state: State) -> Iterator[Alarm]:
    """R-28: after a restore, who has not said what he heard, or what the pot lacks for what it had decided."""
    for above in state.recalls:
        pots = ", ".join(pot.name for pot in state.pots.values() if pot.above == above)
        what = f"El nodo se restauró, y {above} no ha dicho hasta dónde lo oyó: nada de {pots or 'sus pozos'} se abre"
        yield Alarm(above, "R-28", f"{what} ni paga. Basta el enlace; o dos personas siguen sin {above}.")
    for pot, taking in state.taking_back.items():
        missing = missing_names(state, pot)
        if missing:
            what = f"El pozo {pot} recupera lo que decidió antes de restaurar el nodo; falta: {missing}."
            yield Alarm(pot, "R-28", f"{what} Hasta entonces no decide nada; o dos personas siguen sin quien falta.")
        for one, said in decided_here(taking):
            what = f"La carta {one.number} del pozo {pot}, de antes de restaurar, dice: {said}."
            yield Alarm(pot, "R-28", f"{what} Nadie la cuenta otra vez: dos personas lo deciden de nuevo, o lo dejan.")
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
