"""Money of a pot that nodes share: what was asked, what the owner of the pot decided, and who bears what (R-18, R-28).

Theory. The node of the table says who won; a multiple or a fixed amount is certain there at once. The owner of the pot
says from where it comes, and how much a percentage is. Between both stands the account with the neighbour: what one
owes is what the other is owed.
"""

from collections.abc import Callable, Iterable, Iterator

from controller.core import facts
from controller.core.values import RegisteredAward, Unpaid
from controller.explain.context import FactCase, agrees, hand_told, levels_told
from controller.explain.links import told
from controller.rules.eligibility import WhyUnpaid
from controller.spanish.names import UNPAID_WORDS, clipped, part_name, people, prize_name

_ACTS = {
    "register_claim": "que se anoten manos que faltaban",
    "correct_claim": "que el pase quede como fue",
    "reject_claim": "que se rechace lo que no era cierto",
    "grant_anew": "que el premio complementario vaya a la posición sorteada",
    "void_hand": "que caiga lo que ganó una mano anulada",
    "void_pass": "que caiga lo que ganó un pase anulado",
}
"""What is asked of the owner of a pot, by the input of the table's node."""


def unpaid_told(unpaid: Iterable[Unpaid]) -> Iterator[str]:
    for one in unpaid:
        why = UNPAID_WORDS[WhyUnpaid(one.reason)] if one.reason in set(WhyUnpaid) else one.reason
        yield f"   Posición {one.seat}: nada, {why}."


def explain_asked(case: FactCase, fact: facts.ClaimAsked) -> Iterator[str]:
    """R-20: certain at once, or waiting."""
    yield f"Premios {fact.claim}, del pozo {fact.pot}, que es del nodo {fact.above} (R-20, R-28)."
    for award in fact.awards:
        name = f"{fact.claim}/{award.number}: {prize_name(award.prize)}, posición {award.seat}"
        if award.number in fact.waiting:
            yield f"   {name}: un porcentaje: espera a lo que decida el dueño del pozo (R-15)."
        else:
            yield f"   {name}: {case.cash(award.amount)}, cierto y retenido desde ya (R-11, R-20)."
        yield f"      `pozo explain {fact.claim}/{award.number}`"
    yield from unpaid_told(fact.unpaid)
    if fact.awards:
        yield f"De dónde sale, lo dice {fact.above}; hasta entonces está a su cuenta (R-28)."


def explain_decided(case: FactCase, fact: facts.ClaimDecided) -> Iterator[str]:
    """R-18, R-20: every award with its sources."""
    if fact.left:
        yield f"Dos personas de {fact.left} no tomaron los premios {fact.claim} en el pozo {fact.pot} (R-28)."
        yield "   Lo que esperaba es lo que dan las reglas con el pozo como estaba entonces; lo lleva la casa."
    else:
        yield f"El dueño del pozo {fact.pot} decidió los premios {fact.claim}; lo dice {fact.above} (R-20, R-28)."
    for award in fact.awards:
        name = f"{fact.claim}/{award.number}: {prize_name(award.prize)}, posición {award.seat}"
        now = ", que esperaba su monto" if award.number in fact.waited else ""
        yield f"   {name}: {case.cash(award.amount)}{now}; {given(case, award)} (R-18)."
    house = sum(award.house for award in fact.awards)
    if house:
        yield f"   Lo que al pozo le faltó, {case.cash(house)}, lo pone la casa de {fact.casino} (R-18)."
    if fact.base_back is not None:
        yield f"   La base: la casa de {fact.casino} pone {case.cash(-fact.base_back.house)} (R-19)."
    yield f"   El pozo antes: {levels_told(case.cash, fact.before)} (R-20)."
    yield f"   El pozo después: {levels_told(case.cash, fact.after)} (R-20)."
    wrong = _left(case, fact)
    if wrong:
        yield wrong


def given(case: FactCase, award: RegisteredAward) -> str:
    """R-18: from where."""
    parts = [f"{part_name(part)} {case.cash(amount)}" for part, amount in award.parts.items()]
    if award.house:
        parts.append(f"la casa {case.cash(award.house)}")
    total = sum(award.parts.values()) + award.house
    return f"de {'; '.join(parts) or 'nadie'}{agrees(total, award.amount)}"


def _left(_case: FactCase, fact: facts.ClaimDecided) -> str:
    """R-15: what was won left the pot, and the base came back."""
    before, after = (one.main + sum(one.reserves.values()) for one in (fact.before, fact.after))
    taken = sum(sum(award.parts.values()) for award in fact.awards)
    back = sum(fact.base_back.parts.values()) if fact.base_back is not None else 0
    wrong = agrees(before - taken + back, after)
    return f"  {wrong}" if wrong else ""


def explain_charged(case: FactCase, fact: facts.HouseCharged) -> Iterator[str]:
    yield (
        f"Al pozo {fact.pot} le faltó para {clipped(fact.cause)}: {case.cash(fact.amount)} los pone la casa de "
        f"{fact.casino} (mesa {fact.table}); lo dice {fact.above} (R-18, R-25)."
    )


def explain_share(case: FactCase, fact: facts.ShareHeard) -> Iterator[str]:
    """R-28: where it lies, and what it is for."""
    who = people(fact.by, fact.second)
    yield f"La parte de esta casa en el pozo {fact.pot}, que ya no alimenta: {case.cash(fact.amount)} (R-28)."
    yield f"   La fijó {clipped(fact.resolution)}; la dieron {who} en {fact.above}."
    yield "   Es de los jugadores: queda aparte hasta que dos personas de aquí la ponen en un pozo."


def explain_left(case: FactCase, fact: facts.PotLeft) -> Iterator[str]:
    """R-28: whose it was, by whom, and what became of the money."""
    who = people(fact.by, fact.second)
    yield f"El pozo {fact.pot} era de {fact.above}, que no vuelve: {who} lo dejaron (R-28)."
    yield f"   Lo permite {clipped(fact.resolution)}. Lo que esperaba a {fact.above} se decidió justo antes."
    if fact.amount >= 0:
        yield f"   Esta casa le debía {case.cash(fact.amount)}: con eso sigue el pozo, que desde aquí es de este nodo."
    else:
        yield f"   {fact.above} debía {case.cash(-fact.amount)}, que pierde la casa de {fact.casino}."


def explain_wanted(_case: FactCase, fact: facts.CorrectionAsked) -> Iterator[str]:
    who = people(fact.by, fact.second)
    yield f"Corrección {fact.wanted}, pedida por {who} al dueño del pozo {fact.pot} (R-34, R-35)."
    yield f"   Mesa {fact.table}, pase {fact.number}: {_ACTS.get(fact.act, fact.act)}: «{clipped(fact.reason)}»."
    for name, number in (("la grabación", fact.recording), ("la resolución", fact.resolution)):
        if number:
            yield f"   La prueba es {name} {clipped(number)} (R-35)."
    for hand in fact.hands or ():
        yield f"   Posición {hand.seat}: {hand_told(hand)}."
    yield f"Hasta que {fact.above} conteste, nada de ese pase se paga."


def explain_not_put_right(_case: FactCase, fact: facts.CorrectionRefused) -> Iterator[str]:
    yield f"La corrección {fact.wanted} de la mesa {fact.table}, pase {fact.number}, no puede ser (R-34)."
    yield f"   El dueño del pozo {fact.pot} contestó: {clipped(fact.sentence)} ({fact.code})."
    yield "Lo que estaba detenido sigue como estaba."


def explain_disputed(case: FactCase, fact: facts.LetterDisputed) -> Iterator[str]:
    """R-28: acknowledged, and not believed."""
    yield f"La carta {fact.number} de {fact.neighbour} no se creyó: {clipped(fact.why)} (R-28)."
    yield f"   Dice {told(fact.letter)}."
    if fact.amount:
        yield f"   Su dinero, {case.cash(fact.amount)}, queda aparte hasta que dos personas decidan."
    else:
        yield "   No trae dinero; espera a que dos personas la miren."


def explain_dispute_ended(case: FactCase, fact: facts.DisputeEnded) -> Iterator[str]:
    who, why = people(fact.by, fact.second), clipped(fact.reason)
    what = "se tomó" if fact.accepted else "no se tomó"
    yield f"La carta {fact.number} de {fact.neighbour} {what}, por {who}: «{why}» (R-28)."
    if fact.claim and fact.accepted:
        yield f"   Los premios {fact.claim} se deciden enseguida, con el pozo como está (R-20)."
    elif not fact.amount:
        yield "   No traía dinero."
    elif fact.accepted:
        yield f"   {case.cash(fact.amount)} pasan al principal del pozo {fact.pot}."
    else:
        yield f"   {case.cash(fact.amount)} quedan con el casino que la escribió."


def explain_dispute_heard(case: FactCase, fact: facts.DisputeHeard) -> Iterator[str]:
    what = "se tomó al fin" if fact.accepted else "no se tomó"
    yield f"La carta {fact.number} de este lado {what} en {fact.above}: «{clipped(fact.reason)}» (R-28)."
    if not fact.amount:
        yield "   No traía dinero."
    elif fact.accepted:
        yield f"   {case.cash(fact.amount)} son del pozo {fact.pot}, como se había anotado aquí."
    else:
        yield f"   {case.cash(fact.amount)} vuelven a la casa de {fact.casino}."


def explain_advanced(case: FactCase, fact: facts.AwardAdvanced) -> Iterator[str]:
    """R-15 to R-20: from what its owner had said of the pot last."""
    who = people(fact.by, fact.second)
    yield f"{who} adelantaron {case.cash(fact.amount)} del premio {fact.award}, posición {fact.seat} (R-20, R-36)."
    yield f"   El motivo: «{clipped(fact.reason)}»."
    levels = case.before.levels.get(fact.pot)
    if levels is not None and case.plan is not None:
        yield f"   El pozo, por lo último que dijo su dueño: {levels_told(case.cash, levels)} (R-28)."
        percent = case.plan.advance_percent
        yield f"   De lo que el premio sería así, tras lo que se pidió antes, se adelanta hasta el {percent} % (R-15)."
    yield f"   Lo pone la casa de {fact.casino}, y lo recupera del premio; lo que no se deba lo pierde (R-18)."
    yield f"`pozo explain {fact.award}` lo detalla."


def explain_advance_heard(case: FactCase, fact: facts.AdvanceHeard) -> Iterator[str]:
    what = f"{case.cash(fact.amount)} del premio {fact.award}"
    yield f"La casa de {fact.casino} adelantó {what}; lo dijo {people(fact.by)} (R-20, R-28)."
    yield "   Aquí no mueve dinero: es entre esa casa y su jugador."


def handed(cash: Callable[[int], str], amount: int, advanced: int) -> str:
    """R-20: what the winner had, and what he was still paid."""
    return f"{cash(amount)} - {cash(advanced)} adelantados, que vuelven a la casa = {cash(amount - advanced)} en mano"
