"""`pozo explain`: the arithmetic of one award, or of one fact, in short Spanish sentences with their rules.

Theory. An award is explained as to a player who disputes it. A fact is explained by what stands in it and before it;
its lines are listed one by one and add up to nothing. Nothing is looked up outside the record.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, tzinfo
from typing import Any

import msgspec

from controller.core import facts
from controller.explain.award import explain_award
from controller.explain.context import FactCase, case_of
from controller.explain.corrections import explain_corrected
from controller.explain.draw import explain_drawn
from controller.explain.passes import explain_rejected, explain_sealed, explain_voided
from controller.record.award import facts_of
from controller.record.fold import granted_in, lines_of
from controller.record.record import Record
from controller.rules.eligibility import WhyUnpaid
from controller.spanish.names import UNPAID_WORDS, account_name, clipped, harmless, part_name, people, prize_name, when

_MOST_DIGITS = 18
_KINDS = {
    "node_founded": "Se fundó el nodo",
    "node_restored": "El nodo se restauró desde una copia (R-27)",
    "person_enrolled": "Una persona se inscribió o cambió de papel (R-27)",
    "verifiers_sealed": "Los PIN quedaron guardados bajo el secreto del nodo; son los mismos (R-27)",
    "pins_replaced": "Dos personas con la llave del nodo hicieron PIN nuevos (R-26, R-27)",
    "person_unlocked": "Los PIN equivocados de una persona se dieron por vistos (R-27)",
    "plan_staged": "Un plan se presentó y espera (R-26)",
    "plan_withdrawn": "Un plan que esperaba se retiró (R-26)",
    "plan_took_effect": "Un plan entró en vigor (R-26)",
    "plan_proposed": "El nodo dueño de un pozo propuso un plan, que espera a todas sus mesas (R-26)",
    "plan_ready": "Las mesas de un nodo quedaron listas para el plan, y cerradas hasta que rija (R-26)",
    "plan_dropped": "El plan que el dueño de un pozo propuso fue retirado (R-26)",
    "day_opened": "Se abrió la jornada, con el compromiso de sus sorteos (R-30)",
    "day_closed": "Se cerró la jornada y se reveló su semilla (R-30)",
    "day_renamed": "Un día cambió de nombre; sus sorteos conservan el de su compromiso (R-27, R-30)",
    "seed_lost": "La semilla del día se perdió: sus sorteos ya no se pueden comprobar (R-30)",
    "pass_opened": "Se abrió un pase a apuestas (R-5)",
    "credits_bought": "Un jugador compró créditos (R-2)",
    "credits_cashed": "Un jugador cobró sus créditos (R-2)",
    "credits_left": "Se apartaron los créditos de un jugador ausente (R-2)",
    "left_paid": "Se pagó algo de lo apartado (R-2)",
    "owed_paid": "Se devolvió lo que se debía a un jugador (R-4)",
    "device_adopted": "Una unidad nueva: se cuenta desde aquí (R-2)",
    "bet_made": "Una apuesta (R-1)",
    "bet_refused": "Una apuesta que no se aceptó; la unidad la devuelve (R-4, R-5)",
    "chips_fell": "Cayeron fichas en una ranura (R-4)",
    "device_voided": "Una unidad devolvió créditos (R-6)",
    "device_tended": "Una persona atendió aparatos, sin mover dinero (R-27)",
    "device_seen": "Una unidad informó, sin mover dinero",
    "device_disbelieved": "Una unidad dijo lo que no puede ser: no se anota, y dos personas cuentan la posición (R-37)",
    "unproven_refused": "Pedidos que nadie probó, de un usuario de la máquina, sumados (R-27)",
    "lamps_tested": "Una persona miró las luces de una mesa (R-6)",
    "lamp_changed": "Lo que se vio de una lámpara (R-6)",
    "seat_closed": "Una posición se cerró (R-6)",
    "seat_opened": "Una posición se abrió (R-6)",
    "seat_counted": "Un recuento a mano; la diferencia queda en suspenso (R-27)",
    "suspense_cleared": "La casa asumió una diferencia (R-27)",
    "void_signed": "Un jefe firmó lo anulado tras el cierre; desde aquí se puede pagar (R-36)",
    "locked": "No más apuestas (R-5)",
    "seat_proven": "Una posición probó que estaba cerrada (R-5)",
    "pass_closed": "El pase terminó (R-5)",
    "money_moved": "Dinero movido por dos personas (R-26)",
    "training_started": "Empezó un entrenamiento, con dinero de práctica",
    "training_ended": "Terminó un entrenamiento; su dinero volvió a cero",
    "clock_went_back": "El reloj saltó atrás; el orden lo da el número (R-27)",
    "clock_stepped": "El reloj cambió sin que pasara ese tiempo, o se vio al arrancar; el orden lo da el número (R-27)",
    "clock_noted": "Alguien revisó el reloj y tomó nota (R-27)",
    "nothing_new": "Un informe que no cambió nada",
    "id_reused": "El mismo identificador llegó con otro contenido: no se hizo (R-27)",
}


def explain(record: Record, what: str, zone: tzinfo = UTC) -> str:
    """An award by its number ("DP-01/184/1/2"), or a fact by its own; or a ReportRefused that says what there is."""
    asked = what.strip()
    if asked.isascii() and asked.isdigit() and len(asked) <= _MOST_DIGITS:
        lines = _fact(case_of(record, int(asked)), zone)
    else:
        lines = explain_award(facts_of(record, asked), zone)
    return "\n".join(harmless(line.rstrip()) for line in lines) + "\n"


def _fact(case: FactCase, zone: tzinfo) -> Iterator[str]:
    entry = case.entry
    kind = str(type(entry.fact).__struct_config__.tag)
    yield f"HECHO {entry.seq} ({kind}), {when(entry.at, zone)}"
    yield f"Responde al pedido {'/'.join(map(str, entry.id))}."
    part = _PARTS.get(type(entry.fact))
    if part is not None:
        yield from part(case, entry.fact)
    else:
        yield f"{_KINDS[kind]}."
        yield from _fields(case)
    yield from _entry(case)


def _entry(case: FactCase) -> Iterator[str]:
    """Double entry: every line, and that they add up to nothing."""
    moved = lines_of(case.entry)
    if not moved:
        yield "No mueve dinero."
        return
    yield "Asientos (partida doble):"
    for one in moved:
        yield f"   {account_name(one.account)} ({one.account}, {one.cause}): {case.cash(one.amount)}"
    yield f"   suman {case.cash(sum(one.amount for one in moved))}"


def _fields(case: FactCase) -> Iterator[str]:
    """The fact as it stands, one value a line, in the words of the record."""
    fields: dict[str, Any] = msgspec.to_builtins(case.entry.fact)
    for name, value in fields.items():
        if name != "kind":
            yield f"   {name}: {clipped(str(value))}"


def _refused(_case: FactCase, fact: facts.Refused) -> Iterator[str]:
    yield f"Se pidió {fact.ask} y se rechazó: {fact.message} ({fact.rule})"
    yield f"Lo pidió {people(fact.by)}; el motivo es {fact.reason}, en {fact.where}."
    yield "El rechazo queda con su identificador para siempre: repetirlo da la misma respuesta (R-27)."


def _registered(case: FactCase, fact: facts.ClaimRegistered | facts.LateRegistered) -> Iterator[str]:
    """R-20, R-34: all awards of a claim, and the seats that are paid nothing."""
    late = " tardíos: los debe la casa" if isinstance(fact, facts.LateRegistered) else ""
    yield f"Premios {fact.claim}{late}, pozo {fact.pot} (R-20, R-34)."
    for award, granted in granted_in(fact):
        name = f"{prize_name(granted.prize)}, posición {granted.seat}"
        yield f"   {award}: {name}, {case.cash(granted.amount)} ({', '.join(granted.rules)}); `pozo explain {award}`"
    if isinstance(fact, facts.ClaimRegistered):
        for one in fact.unpaid:
            why = UNPAID_WORDS[WhyUnpaid(one.reason)] if one.reason in set(WhyUnpaid) else one.reason
            yield f"   Posición {one.seat}: nada, {why}."
        yield f"   El principal: antes {case.cash(fact.before.main)}, después {case.cash(fact.after.main)} (R-20)."


def _prize(case: FactCase, fact: facts.PrizeGranted) -> Iterator[str]:
    where = f"posición {fact.seat} de {fact.table}, pase {fact.number}"
    yield f"{fact.prize}: {case.cash(fact.amount)} a la {where} (R-29)."
    if fact.promo:
        told = f"`pozo explain {fact.claim}/1` lo detalla"
        yield f"En créditos promocionales de la casa: solo se apuestan, nunca se cobran (R-29). {told}."
        return
    parts = "; ".join(f"{part_name(part)} {case.cash(-amount)}" for part, amount in fact.flow.parts.items())
    house = f"; la casa {case.cash(-fact.flow.house)} (R-18)" if fact.flow.house else ""
    yield f"Sale de: {parts}{house}. `pozo explain {fact.claim}/1` lo detalla."


def _took_effect(case: FactCase, fact: facts.PlanTookEffect) -> Iterator[str]:
    """R-26: every value that changed."""
    who = f"por {people(fact.by, fact.second)}" if fact.by else "también en las mesas que se vaciaron"
    yield f"{_KINDS['plan_took_effect']}: {fact.pot}, {fact.resolution}, {who}."
    if fact.above:
        yield f"El pozo es del nodo {fact.above}, y lo aprobaron allá (R-26)."
    if fact.base_put_in:
        house = f"la casa de {fact.casino} (mesa {fact.base_table})" if fact.base_table else "la casa"
        yield f"Pozo nuevo: {house} pone su base, {case.cash(fact.base_put_in)} (R-24)."
    for change in fact.changes:
        yield f"   {change.key}: {clipped(change.old) or 'nada'} pasa a {clipped(change.new) or 'nada'}"


_OfAward = facts.AwardConfirmed | facts.AwardPaid | facts.AwardOverdue | facts.AwardSetAside


def _of_award(case: FactCase, fact: _OfAward) -> Iterator[str]:
    if isinstance(fact, facts.AwardPaid):
        what = f"{case.cash(fact.amount)}, posición {fact.seat}"
        yield f"Premio {fact.award} pagado por {people(fact.by)}: {what} (R-21)."
    elif isinstance(fact, facts.AwardConfirmed):
        yield f"Premio {fact.award} confirmado por {people(fact.by, fact.second)} (R-21)."
    elif isinstance(fact, facts.AwardSetAside):
        who = people(fact.by, fact.second)
        yield f"Premio {fact.award} apartado sin plazo por {who}: «{clipped(fact.reason)}» (R-35)."
        yield f"La casa sigue debiendo {case.cash(fact.amount)}, sin término."
    else:
        yield f"El premio {fact.award} pasó el tiempo de verificación: aviso, no decisión (R-21)."
    yield f"`pozo explain {fact.award}` lo detalla."


_PARTS: dict[type, Callable[..., Iterator[str]]] = {
    facts.PassSealed: explain_sealed,
    facts.HandsVoided: explain_voided,
    facts.ClaimRegistered: _registered,
    facts.LateRegistered: _registered,
    facts.ClaimRejected: explain_rejected,
    facts.ClaimCorrected: explain_corrected,
    facts.AwardSetAside: _of_award,
    facts.Drawn: explain_drawn,
    facts.PrizeGranted: _prize,
    facts.PlanTookEffect: _took_effect,
    facts.AwardConfirmed: _of_award,
    facts.AwardPaid: _of_award,
    facts.AwardOverdue: _of_award,
    facts.Refused: _refused,
}
