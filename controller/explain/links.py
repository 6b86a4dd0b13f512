"""What neighbours told each other, and how far each of them is heard (R-28).

Theory. Nodes that share a pot write letters; each stands in the record of who wrote it, and who heard it has its mark.
A letter says here what it is about. What followed from it are facts of their own, which stand before it.
"""

from collections.abc import Iterator

from controller.core import facts
from controller.core.links.letters import Letter
from controller.core.values import Broken, Mark, Side
from controller.explain.context import FactCase
from controller.spanish.names import clipped, people

_DIGITS = 16

LETTERS = {
    "bets_sealed": "las apuestas de un pase cerrado (R-22)",
    "pass_over": "el fin de un pase (R-35)",
    "claim_made": "los ganadores de un pase (R-20, R-34)",
    "bets_voided": "apuestas que se anularon (R-25)",
    "award_given": "un premio que se pagó o se apartó (R-21, R-35)",
    "advance_given": "un adelanto de un premio que espera (R-20)",
    "prize_drawn": "un premio complementario que salió (R-29)",
    "correction_wanted": "un pase que se pide corregir (R-34, R-35)",
    "ready": "que sus mesas están listas para el plan (R-26)",
    "owner_left": "que dejó el pozo, porque su dueño no volvía (R-28)",
    "day_over": "que su jornada se cerró (R-27)",
    "plan_offered": "un plan que espera a todas las mesas (R-26)",
    "plan_in_force": "un plan que desde aquí rige (R-26)",
    "plan_taken_back": "un plan que ya no viene (R-26)",
    "claim_settled": "los montos de los premios de un pase, y de dónde salen (R-18, R-20)",
    "claim_put_right": "un pase corregido, o por qué no se corrige (R-34)",
    "house_bears": "lo que al pozo le faltó, y pone la casa (R-18, R-25)",
    "pot_moved": "dinero que dos personas movieron en el pozo (R-26)",
    "claim_not_believed": "unos premios que el dueño del pozo no cree, y por qué (R-21)",
    "dispute_over": "qué se decidió de una carta que no se creyó (R-28)",
}
"""Of each kind of letter, what it tells."""

BROKEN = {
    Broken.GAP: "falta una carta, y no la tiene para repetirla",
    Broken.FORK: "dijo otra cosa con un número que ya se había oído",
    Broken.ROLLED_BACK: "olvidó lo que había dicho o acusado",
    Broken.FOREIGN_EPOCH: "fue restaurado, y no está donde estaba",
    Broken.UNKNOWN_LETTER: "dice lo que este programa no entiende",
    Broken.AHEAD: "tiene cartas de este nodo que este registro no conoce",
}
"""Why a neighbour is not heard any more."""


def told(letter: Letter) -> str:
    """What a letter tells, of which pot, and of which table, claim or award, as its writer calls them."""
    about = getattr(letter, "award", "") or getattr(letter, "claim", "")
    table = getattr(letter, "table", "")
    if not about and table:
        about = f"mesa {table}, pase {getattr(letter, 'pass_number', 0) or getattr(letter, 'number', 0)}"
    named = f": {clipped(about)}" if about else ""
    return f"{LETTERS[str(letter.__struct_config__.tag)]}, pozo {letter.pot}{named}"


def mark_of(mark: Mark) -> str:
    return f"la carta {mark.number} de la época {mark.epoch} (huella {mark.hash[:_DIGITS] or '-'})"


def explain_told(_case: FactCase, fact: facts.LetterTold) -> Iterator[str]:
    yield f"Una carta de este nodo, la {fact.number} de la serie {fact.stream}: dice {told(fact.letter)}."
    before = f"la huella {fact.previous[:_DIGITS]}" if fact.previous else "nada: es la primera"
    yield f"Sigue a {before}. Queda escrita aquí, y se repite hasta que la acusen (R-28)."


def explain_heard(_case: FactCase, fact: facts.LetterHeard) -> Iterator[str]:
    yield f"Se oyó de {fact.neighbour}, en la serie {fact.stream}, hasta {mark_of(fact.mark)} (R-28)."
    if fact.letter is not None:
        yield f"Dice {told(fact.letter)}."
    yield "Lo que se sigue de ella son los hechos anteriores del mismo pedido."


def explain_acknowledged(_case: FactCase, fact: facts.LetterAcknowledged) -> Iterator[str]:
    yield f"{fact.neighbour} tiene en su registro la serie {fact.stream} hasta {mark_of(fact.mark)} (R-28)."


def explain_pinned(_case: FactCase, fact: facts.NeighbourPinned) -> Iterator[str]:
    yield f"{people(fact.by, fact.second)} fijaron la llave del vecino {fact.neighbour} (R-28)."
    where = "sus pozos los alimentan mesas de aquí" if fact.side is Side.ABOVE else "sus mesas alimentan pozos de aquí"
    inside = "; es del mismo casino: uno solo toma la comisión (R-23)" if fact.inside else ""
    yield f"   {where}{inside}; llave {fact.key}."


def explain_revoked(_case: FactCase, fact: facts.NeighbourRevoked) -> Iterator[str]:
    yield f"{people(fact.by, fact.second)} revocaron al vecino {fact.neighbour}: «{clipped(fact.reason)}» (R-28)."
    yield "Desde aquí nada se oye de él."


def explain_link(case: FactCase, fact: facts.LinkSeen) -> Iterator[str]:
    """R-28: no pass of a far pot opens without a word from its owner for too long."""
    if fact.up:
        yield f"El enlace con {fact.neighbour} volvió (R-28)."
        return
    yield f"El enlace con {fact.neighbour} se cortó; lo último se oyó {case.at(fact.since)} (R-28)."
    yield "Las mesas siguen; si dura más de lo que dice el plan, no se abre un pase de sus pozos."


def explain_owner_seen(_case: FactCase, fact: facts.OwnerSeen) -> Iterator[str]:
    """R-28: for how long a pot is played without a word of its owner."""
    if fact.up:
        yield f"Detrás de {fact.neighbour} se oye otra vez al dueño del pozo {fact.pot} (R-28)."
        return
    yield f"Detrás de {fact.neighbour} no se oye al dueño del pozo {fact.pot} (R-28)."
    yield "Si dura más de lo que dice el plan, no se abre un pase de ese pozo."


def explain_stopped(_case: FactCase, fact: facts.NeighbourStopped) -> Iterator[str]:
    yield f"No se oye más la serie {fact.stream} de {fact.neighbour}: {BROKEN[fact.why]} (R-28)."
    yield f"Dice estar en {mark_of(fact.said)}. Espera a que dos personas lo miren."


def explain_accepted(_case: FactCase, fact: facts.NeighbourAccepted) -> Iterator[str]:
    who, why = people(fact.by, fact.second), clipped(fact.reason)
    yield f"{who} dieron por buena la serie {fact.stream} de {fact.neighbour}: «{why}» (R-28)."
    yield f"Sigue desde {mark_of(fact.mark)}."


def explain_taken(_case: FactCase, fact: facts.DecisionTaken) -> Iterator[str]:
    """R-28: the letter itself is the next fact."""
    yield f"{fact.neighbour} devolvió una carta de la serie {fact.stream} que este nodo perdió al restaurarse (R-28)."
    yield f"Es {mark_of(fact.mark)}; lo que decidió obliga como antes."


def explain_returned(_case: FactCase, fact: facts.MemberReturned) -> Iterator[str]:
    yield f"{fact.neighbour} dijo hasta dónde oyó la serie {fact.stream}: no tiene nada que aquí falte (R-28)."


def explain_went_on(_case: FactCase, fact: facts.WentOnWithout) -> Iterator[str]:
    who, why = people(fact.by, fact.second), clipped(fact.reason)
    missing = ", ".join(fact.neighbours) or "lo de este nodo"
    yield f"{who} siguieron con el pozo {fact.pot} sin la respuesta de {missing}: «{why}» (R-28)."
    yield "Lo que se decidió de un premio obliga todavía, si vuelve a decirse."
    yield "A un dueño de pozo se le cuenta lo nuevo con números que nunca se usaron."


def explain_went_back(_case: FactCase, fact: facts.NeighbourWentBack) -> Iterator[str]:
    yield f"{fact.neighbour} se restauró desde una copia y vive en la época {fact.epoch} (R-27, R-28)."
    yield f"De la serie {fact.stream} tiene hasta {mark_of(fact.mark)}; lo que sigue se le dice otra vez."
