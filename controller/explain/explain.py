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
from controller.explain.far import (
    explain_advance_heard,
    explain_advanced,
    explain_asked,
    explain_charged,
    explain_decided,
    explain_dispute_ended,
    explain_dispute_heard,
    explain_disputed,
    explain_left,
    explain_not_put_right,
    explain_share,
    explain_wanted,
    handed,
    unpaid_told,
)
from controller.explain.kinds import KINDS
from controller.explain.links import (
    explain_accepted,
    explain_acknowledged,
    explain_heard,
    explain_link,
    explain_owner_seen,
    explain_pinned,
    explain_returned,
    explain_revoked,
    explain_stopped,
    explain_taken,
    explain_told,
    explain_went_back,
    explain_went_on,
)
from controller.explain.passes import explain_rejected, explain_sealed, explain_voided
from controller.record.award import facts_of
from controller.record.fold import granted_in, lines_of
from controller.record.record import Record
from controller.spanish.names import account_name, clipped, harmless, part_name, people, prize_name

_MOST_DIGITS = 18


def explain(record: Record, what: str, zone: tzinfo = UTC) -> str:
    """An award by its number ("DP-01/184/1/2"), or a fact by its own; or a ReportRefused that says what there is."""
    asked = what.strip()
    if asked.isascii() and asked.isdigit() and len(asked) <= _MOST_DIGITS:
        lines = _fact(case_of(record, int(asked), zone))
    else:
        lines = explain_award(facts_of(record, asked), zone)
    return "\n".join(harmless(line.rstrip()) for line in lines) + "\n"


def _fact(case: FactCase) -> Iterator[str]:
    entry = case.entry
    kind = str(type(entry.fact).__struct_config__.tag)
    yield f"HECHO {entry.seq} ({kind}), {case.at(entry.at)}"
    yield f"Responde al pedido {'/'.join(map(str, entry.id))}."
    part = PARTS.get(type(entry.fact))
    if part is not None:
        yield from part(case, entry.fact)
    else:
        yield f"{KINDS[kind]}."
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
        yield from unpaid_told(fact.unpaid)
        yield f"   El principal: antes {case.cash(fact.before.main)}, después {case.cash(fact.after.main)} (R-20)."


def _prize(case: FactCase, fact: facts.PrizeGranted) -> Iterator[str]:
    where = f"posición {fact.seat} de {fact.table}, pase {fact.number}"
    yield f"{fact.prize}: {case.cash(fact.amount)} a la {where} (R-29)."
    if fact.promo:
        told = f"`pozo explain {fact.claim}/1` lo detalla"
        yield f"En créditos promocionales de la casa: solo se apuestan, nunca se cobran (R-29). {told}."
        return
    if fact.above:
        house = f"lo que al pozo le falte lo pone la casa de {fact.casino}"
        yield f"Sale del pozo, por la cuenta con {fact.above}; {house} (R-18, R-28)."
        yield f"`pozo explain {fact.claim}/1` lo detalla."
        return
    parts = "; ".join(f"{part_name(part)} {case.cash(-amount)}" for part, amount in fact.flow.parts.items())
    house = f"; la casa {case.cash(-fact.flow.house)} (R-18)" if fact.flow.house else ""
    yield f"Sale de: {parts}{house}. `pozo explain {fact.claim}/1` lo detalla."


def _took_effect(case: FactCase, fact: facts.PlanTookEffect) -> Iterator[str]:
    """R-26: every value that changed."""
    who = f"por {people(fact.by, fact.second)}" if fact.by else "también en las mesas que se vaciaron"
    yield f"{KINDS['plan_took_effect']}: {fact.pot}, {fact.resolution}, {who}."
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
        if fact.advanced:
            yield f"   {handed(case.cash, fact.amount, fact.advanced)} (R-20)."
    elif isinstance(fact, facts.AwardConfirmed):
        yield f"Premio {fact.award} confirmado por {people(fact.by, fact.second)} (R-21)."
    elif isinstance(fact, facts.AwardSetAside):
        who = people(fact.by, fact.second)
        yield f"Premio {fact.award} apartado sin plazo por {who}: «{clipped(fact.reason)}» (R-35)."
        yield f"La casa sigue debiendo {case.cash(fact.amount)}, sin término."
    else:
        yield f"El premio {fact.award} pasó el tiempo de verificación: aviso, no decisión (R-21)."
    yield f"`pozo explain {fact.award}` lo detalla."


PARTS: dict[type, Callable[..., Iterator[str]]] = {
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
    facts.NeighbourPinned: explain_pinned,
    facts.NeighbourRevoked: explain_revoked,
    facts.LinkSeen: explain_link,
    facts.OwnerSeen: explain_owner_seen,
    facts.NeighbourStopped: explain_stopped,
    facts.NeighbourAccepted: explain_accepted,
    facts.DecisionTaken: explain_taken,
    facts.MemberReturned: explain_returned,
    facts.WentOnWithout: explain_went_on,
    facts.NeighbourWentBack: explain_went_back,
    facts.LetterTold: explain_told,
    facts.LetterHeard: explain_heard,
    facts.LetterAcknowledged: explain_acknowledged,
    facts.LetterDisputed: explain_disputed,
    facts.DisputeEnded: explain_dispute_ended,
    facts.DisputeHeard: explain_dispute_heard,
    facts.ClaimAsked: explain_asked,
    facts.ClaimDecided: explain_decided,
    facts.CorrectionAsked: explain_wanted,
    facts.CorrectionRefused: explain_not_put_right,
    facts.HouseCharged: explain_charged,
    facts.ShareHeard: explain_share,
    facts.AwardAdvanced: explain_advanced,
    facts.AdvanceHeard: explain_advance_heard,
    facts.PotLeft: explain_left,
}
"""What needs more words than the sentence of its kind (kinds.py)."""
