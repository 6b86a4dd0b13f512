"""The report of one award: what it was, from which part it came, and what became of it.

Theory. What the record holds of the award was found by `record.award`; here it becomes the figures of a report, two
equations, and its story in the order in which it happened. What it is worth and why is `explain`'s business.
"""

from collections import Counter
from collections.abc import Iterator

from controller.core.facts import AwardPaid, ClaimCorrected, Entry
from controller.record.award import AwardFacts
from controller.report.figures import Figure, Item, Tally
from controller.report.proofs import equation
from controller.report.value import Equation
from controller.spanish.names import people, prize_name, when


def figures_of(found: AwardFacts, keep: bool) -> tuple[Figure, ...]:
    """The amounts of an award, each with its fact."""
    tally = Tally(keep)
    for entry, item in _items(found):
        tally.add(entry.seq, found.where, (item,))
    return tuple(figure for figure in tally.figures() if figure.section == "award")


def _items(found: AwardFacts) -> list[tuple[Entry, Item]]:
    granted, registered = found.granted, found.registered
    items = [(registered, Item("award.amount", granted.amount))]
    if found.sealed is not None:
        items.append((found.sealed, Item("award.bet", found.bet)))
    for part, amount in granted.parts.items():
        items.append((registered, Item("award.part", amount, f"{found.where.pot}/{part}")))
    items.append((registered, Item("award.parts", sum(granted.parts.values()))))
    items.append((registered, Item("award.house", granted.house)))
    if getattr(registered.fact, "above", "") and not isinstance(registered.fact, ClaimCorrected):
        untold = granted.amount - granted.house - sum(granted.parts.values())
        items += [(registered, Item("award.above", untold))] if untold else []
    if isinstance(registered.fact, ClaimCorrected):
        items.append((registered, Item("award.corrected", granted.amount)))
    if found.lost:
        items.append((found.corrections[-1], Item("award.lost", found.lost)))
    if found.ended is None:
        items.append((registered, Item("award.pending", granted.amount)))
    else:
        key = "award.paid" if isinstance(found.ended.fact, AwardPaid) else "award.rejected"
        items.append((found.ended, Item(key, granted.amount)))
        advanced = getattr(found.ended.fact, "advanced", 0)
        items += [(found.ended, Item("award.advanced", advanced))] if advanced else []
    return items


def proofs_of_award(figures: tuple[Figure, ...]) -> tuple[Equation, ...]:
    """R-18, R-21: an award comes from somewhere, and ends once."""
    totals = Counter({one.key: one.amount for one in figures if one.level == "total" and not one.detail})
    sources = totals["award.parts"] + totals["award.house"] + totals["award.corrected"] + totals["award.above"]
    ends = totals["award.paid"] + totals["award.rejected"] + totals["award.pending"]
    return (
        equation("sources", "Monto = pozos + casa + corrección (R-18, R-34)", totals["award.amount"], sources),
        equation("once", "Monto = pagado + rechazado + pendiente (R-21)", totals["award.amount"], ends),
    )


def about_it(found: AwardFacts) -> Iterator[tuple[str, str]]:
    """Who, where and when, in the order in which it happened."""
    yield "Premio", f"{found.award}: {prize_name(found.granted.prize)}, posición {found.granted.seat}"
    yield "Mesa", f"{found.where.table}, pase {found.award.split('/')[1]}, casino {found.where.casino}"
    for title, entry in (
        ("Apuestas cerradas", found.sealed),
        ("Registrado", found.registered),
        ("Vencido (R-21)", found.overdue),
        *(("Adelantado (R-20)", entry) for entry in found.advances),
        ("Confirmado", found.confirmed),
        ("Apartado sin plazo (R-35)", found.aside),
        *(("Su pase, corregido (R-34)", entry) for entry in found.corrections),
    ):
        if entry is not None:
            yield title, _who_and_when(entry)
    if found.ended is None:
        yield "Estado", "retenido: ni pagado ni rechazado"
    else:
        title = "Pagado" if isinstance(found.ended.fact, AwardPaid) else "Rechazado"
        yield title, _who_and_when(found.ended)
    if found.lost:
        yield "Pérdida de la casa", "se pagó sin deberse (R-34)"


def _who_and_when(entry: Entry) -> str:
    by, second = getattr(entry.fact, "by", ""), getattr(entry.fact, "second", "")
    who = f", por {people(by, second)}" if by else ""
    return f"hecho {entry.seq}, {when(entry.at)}{who}"
