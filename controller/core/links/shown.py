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
from controller.core.view import Alarm, alarm

_PROPOSED = (
    "{above} propone un plan para el pozo {pot}: empieza cuando aquí no quede un pase en curso, un premio pendiente ni"
    " dinero en una mesa que cambia"
)
_DOUBTED = (
    "{above} no cree la jugada {claim} ({why}): la deciden dos personas del dueño del pozo. Al jugador: su porcentaje"
    " espera esa decisión; lo seguro se le paga."
)
_LEFT = (
    "{left} no tomó la jugada {claim} en su pozo: la paga la casa de {casino}. Se verifica y se paga, o dos la"
    " rechazan; decide la autoridad si no."
)
_RECALLED = (
    "El nodo se restauró, y {above} no ha dicho hasta dónde lo oyó: nada de {pots} se abre ni paga. Basta el enlace; o"
    " dos personas siguen sin {above}."
)
_TAKES_BACK = (
    "El pozo {pot} recupera lo que decidió antes de restaurar el nodo; falta: {missing}. Hasta entonces no decide nada;"
    " o dos personas siguen sin quien falta."
)
_LACKS = "Por {claim}, ya decidido, al pozo {pot} le faltan {amount} en {part}: dos los ponen."


def plans_that_wait(state: State) -> Iterator[Alarm]:
    """R-26: each with what it waits for."""
    for pot, staged in state.staged.items():
        missing = members(state, plan_of(staged.documents)) - {*staged.ready}
        if missing:
            what = "El plan nuevo del pozo {pot} espera que estén listos: {missing}."
            yield alarm("plan_waits", pot, "R-26", what, pot=pot, missing=", ".join(sorted(missing)))
    for pot, proposed in state.proposed.items():
        if state.neighbours[proposed.above].revoked:
            continue
        yield _proposed(state, pot, proposed)
    for pot, tables in state.emptying.items():
        assert tables, "R-7: some table is to be emptied"
        money = "El plan nuevo del pozo {pot} cambió mesas con dinero; se devuelve o aparta: {tables}."
        yield alarm("plan_empties", pot, "R-26", money, pot=pot, tables=", ".join(tables))


def winners_in_doubt(state: State) -> Iterator[Alarm]:
    """R-21, R-28: at their table, that the owner of the pot does not believe them, or left them here."""
    for claim in state.claims.values():
        above = state.pots[claim.pot].above
        assert above or not claim.doubted, "R-28: of a pot that a neighbour owns"
        if claim.doubted:
            yield alarm("claim_doubted", claim.id, "R-21", _DOUBTED, above=above, claim=claim.id, why=claim.doubted)
        elif claim.left and claim.pending:
            yield alarm(
                "claim_left", claim.id, "R-28", _LEFT, left=claim.left, claim=claim.id, casino=claim.casino
            )  # fmt: skip


def decisions_that_come_back(state: State) -> Iterator[Alarm]:
    """R-28: after a restore, who has not said what he heard, or what the pot lacks for what it had decided."""
    for above in state.recalls:
        pots = ", ".join(pot.name for pot in state.pots.values() if pot.above == above)
        yield alarm("letters_come_back", above, "R-28", _RECALLED, above=above, pots=pots or "sus pozos")
    for pot, taking in state.taking_back.items():
        missing = missing_names(state, pot)
        if missing:
            yield alarm("decisions_come_back", pot, "R-28", _TAKES_BACK, pot=pot, missing=missing)
        yield from decided_here(pot, taking)
        for one in taking.bound:
            lacks = lacking(state.pots[pot], one.letter) if isinstance(one.letter, ClaimSettled) else {}
            claim = getattr(one.letter, "claim", "")
            for part, amount in lacks.items() if not taking.missing else ():
                yield alarm("pot_lacks", pot, "R-18", _LACKS, claim=claim, pot=pot, part=part, amount=amount)
    assert len(state.taking_back) <= len(state.pots), "R-28: of pots of ours"


def _proposed(state: State, pot: str, proposed: Proposed) -> Alarm:
    above, missing = proposed.above, members(state, plan_of(proposed.documents)) - {*proposed.below}
    assert above, "R-28: of a pot that a neighbour owns"
    if proposed.ready:
        comes = "El pozo {pot} cambia de plan: sus mesas no abren hasta que {above} diga que ya rige."
        return alarm("plan_comes", pot, "R-26", comes, pot=pot, above=above)
    if missing:
        behind = f"{_PROPOSED}; y falta que esté listo: {{missing}}."
        return alarm(
            "plan_proposed_behind", pot, "R-26", behind, pot=pot, above=above, missing=", ".join(sorted(missing))
        )
    return alarm("plan_proposed", pot, "R-26", f"{_PROPOSED}.", pot=pot, above=above)
