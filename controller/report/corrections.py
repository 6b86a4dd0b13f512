"""The corrections of a report: what was wrong, what was put right, who owes whom and why (R-34, R-35).

Theory. Each is one fact, told in full: a regulator who reads the day must not have to search the record for what became
of a wrong claim. Computes nothing that the facts do not say.
"""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from controller.core.facts import ClaimCorrected, Entry
from controller.record.fold import Pending
from controller.report.value import Correction, Debt
from controller.rules.ruleset import Currency
from controller.spanish.names import clipped, part_name, people, prize_name
from controller.spanish.numbers import money

_OWED, _AGAIN = "se le debe", "se le debe: su pase se liquidó de nuevo"
_CANCELLED, _LOST = "anulado, no se paga", "pagado sin deberse: lo pierde la casa"
_OWED_AFTER_ALL = "sí se debía: la casa ya no lo pierde"
_WIDE = 60


def correction_of(entry: Entry, fact: ClaimCorrected, cancelled: Iterable[Pending]) -> Correction:
    """`cancelled`: the awards that it takes back, as the record has them."""
    proofs = (("grabación", fact.recording), ("resolución", fact.resolution))
    moved = {**fact.flow.parts, "": fact.flow.house}
    return Correction(
        entry.seq,
        entry.at,
        fact.claim or "de otro nodo",
        fact.reason,
        fact.by,
        fact.second,
        "; ".join(f"{name} {number}" for name, number in proofs if number),
        tuple(_debts(fact, cancelled)),
        tuple((part, amount) for part, amount in moved.items() if amount),
    )


def _debts(fact: ClaimCorrected, cancelled: Iterable[Pending]) -> Iterator[Debt]:
    """In the order in which they are paid; then what is not."""
    for award in fact.awards:
        yield Debt(f"{fact.claim}/{award.number}", award.prize, award.amount, _OWED)
    for one in fact.resettled:
        for award in one.awards:
            yield Debt(f"{one.claim}/{award.number}", award.prize, award.amount, _AGAIN)
    for pending in cancelled:
        yield Debt(pending.award, pending.granted.prize, pending.granted.amount, _CANCELLED)
    for loss in fact.lost:
        yield Debt(loss.award, "", abs(loss.amount), _LOST if loss.amount > 0 else _OWED_AFTER_ALL)


def rows_of(one: Correction, currency: Currency) -> Iterator[tuple[str, str, str, str]]:
    """For paper: the pass and what was wrong, then who owes whom, then who gives it."""
    proof = f"; {one.proof}" if one.proof else ""
    why = wrap(clipped(f"{one.reason} ({people(one.by, one.second)}{proof})"), _WIDE)
    yield f"Jugada {one.claim}", why[0], "", str(one.fact)
    yield from (("", more, "", "") for more in why[1:])
    for debt in one.debts:
        prize = f"{prize_name(debt.prize)}: " if debt.prize else ""
        yield f"   {debt.award}", prize + debt.why, money(currency, debt.amount).strip(), ""
    for part, amount in one.moved:
        name = f"pozo, {part_name(part)}" if part else "la casa"
        yield f"   {name}", "recibe" if amount > 0 else "pone", money(currency, abs(amount)).strip(), ""
