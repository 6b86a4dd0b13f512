"""Why a correction moved what it moved: what was wrong, what is true, who is owed what, who bears it (R-34, R-35).

Theory. The pass is settled here once more with the hands that are true, on the pot as the correction found it at that
place; the differences, what falls away and what the house bears stand under it, and add up to nothing.
"""

from collections.abc import Iterator

from controller.core import facts
from controller.core.past.claims import is_prize
from controller.core.past.hands import Played, judge_hands
from controller.core.values import Levels, RegisteredAward
from controller.explain.context import FactCase, agrees, hand_told
from controller.record.award import AwardFacts
from controller.rules.cards import LABELS
from controller.rules.eligibility import WhyUnpaid
from controller.rules.money import Money
from controller.rules.pot import Pot, Reserve
from controller.rules.refusal import Refusal
from controller.rules.settlement import settle
from controller.spanish.names import UNPAID_WORDS, clipped, part_name, people, prize_name


def settled_by(found: AwardFacts, fact: facts.ClaimCorrected) -> list[RegisteredAward]:
    """R-34: all that the pass would have paid at once, in paying order."""
    sealed = found.sealed.fact if found.sealed is not None else None
    if found.documents is None or not isinstance(sealed, facts.PassSealed):
        return []
    member = found.fold.node if fact.above else ""
    judged = judge_hands(Played(fact.table, found.documents, sealed.bets, (), member), fact.hands, fact.community)
    if isinstance(judged, Refusal):
        return []
    settled = settle(found.plan.ruleset, _pot(fact.before), judged.wins, found.plan.unit)
    return [
        RegisteredAward(number, one.seat, LABELS[one.category], one.amount, rules=one.rules)
        for number, one in enumerate(settled.awards, 1)
    ]


def _pot(levels: Levels) -> Pot:
    reserves = tuple(Reserve(name, Money(amount)) for name, amount in levels.reserves.items())
    return Pot(Money(levels.main), Money(levels.base), reserves)


def explain_corrected(case: FactCase, fact: facts.ClaimCorrected) -> Iterator[str]:
    who = people(fact.by, fact.second)
    mine = f"El pase {fact.number} de la mesa {fact.table}"
    what = mine if fact.table else f"Un pase de otro nodo del pozo {fact.pot}"
    yield f"{what} se puso en lo cierto, por {who} (R-34, R-35)."
    yield f"Qué estaba mal: «{clipped(fact.reason)}»."
    for name, number in (("la grabación", fact.recording), ("la resolución", fact.resolution)):
        if number:
            yield f"La prueba es {name} {clipped(number)} (R-35)."
    if fact.void:
        yield "Lo que ganaron las manos anuladas cae con ellas (R-25)."
    at = f"como lo dice {fact.above}, su dueño" if fact.above else f"como estaba en el hecho {fact.place}"
    yield (
        f"Vale el pozo {at}, sin el error: principal {case.cash(fact.before.main)}"
        + (
            "".join(f", {part_name(name)} {case.cash(amount)}" for name, amount in fact.before.reserves.items())
            + " (R-20)."
        )
    )
    if is_prize(fact.claim):
        won = f"Se concede otra vez {fact.claim}" if fact.awards else f"{fact.claim} no se había ganado"
        yield f"{won}: un premio complementario va a la posición sorteada, o a nadie (R-29)."
    elif fact.claim:
        yield from _hands(fact)
    yield from _owed(case, fact)
    yield from _taken_back(case, fact)
    yield from _borne(case, fact)
    if fact.confirmed:
        yield "La firmaron dos, uno de ellos jefe que no había anotado la jugada: es su propia confirmación (R-36)."


def _hands(fact: facts.ClaimCorrected) -> Iterator[str]:
    yield "Las manos que valen:" if fact.hands else "Ninguna mano vale."
    why = {one.seat: one.reason for one in fact.unpaid}
    for hand in fact.hands:
        unpaid = f"; no se paga: {UNPAID_WORDS[WhyUnpaid(why[hand.seat])]}" if hand.seat in why else ""
        yield f"   Posición {hand.seat}: {hand_told(hand)}{unpaid}."


def _owed(case: FactCase, fact: facts.ClaimCorrected) -> Iterator[str]:
    for award in fact.awards:
        yield from _one_owed(case, fact.claim, award, "le falta")
    for one in fact.resettled:
        yield f"La jugada {one.claim} se liquidó de nuevo, en su orden (R-34)."
        for award in one.awards:
            yield from _one_owed(case, one.claim, award, "la casa le debe la diferencia")


def _one_owed(case: FactCase, claim: str, award: RegisteredAward, why: str) -> Iterator[str]:
    name = f"{claim}/{award.number}"
    what = f"{prize_name(award.prize)}, posición {award.seat}"
    yield f"   {name}: {what}: {why}: {case.cash(award.amount)}. `pozo explain {name}` lo detalla."


def _taken_back(case: FactCase, fact: facts.ClaimCorrected) -> Iterator[str]:
    for name in fact.cancelled:
        pending = case.before.pending.get(name)
        amount = f", {case.cash(pending.granted.amount)}" if pending is not None else ""
        yield f"   {name}{amount}: no se debía y no se había pagado: anulado (R-34)."
    for loss in fact.lost:
        why, bears = ("se pagó sin deberse", "los") if loss.amount > 0 else ("sí se debía", "ya no los")
        yield f"   {loss.award}: {why}; {case.cash(abs(loss.amount))} {bears} pierde la casa (R-34)."


def _borne(case: FactCase, fact: facts.ClaimCorrected) -> Iterator[str]:
    """R-34: the pot to where it would stand; the house makes the sum."""
    yield "El pozo queda como si todo se hubiera hecho bien a la vez (R-34):"
    for part, amount in fact.flow.parts.items():
        yield f"   {part_name(part)} {'recibe' if amount >= 0 else 'da'} {case.cash(abs(amount))}"
    if fact.flow.house:
        yield f"   la casa {'recupera' if fact.flow.house > 0 else 'pone'} {case.cash(abs(fact.flow.house))}"
    more = sum(award.amount for award in (*fact.awards, *(one for of in fact.resettled for one in of.awards)))
    less = sum(case.before.pending[name].granted.amount for name in fact.cancelled if name in case.before.pending)
    if fact.above:  # by how much what is held for the pass changed, as the owner of the pot said it
        less = sum(award.amount for award in fact.awards) - fact.held
    yield f"   retenido para premios: {case.cash(more)} más, {case.cash(less)} menos"
    total = sum(fact.flow.parts.values()) + fact.flow.house + more - less
    if fact.above:
        yield f"   en la cuenta con {fact.above}: {case.cash(-total)}"
        total = 0
    yield f"   suman {case.cash(total)}.{agrees(total, 0)}"
