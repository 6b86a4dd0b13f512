"""The page of what is unusual, as tables: one by one, by person, by seat, beside what chance would give (R-36).

Theory. It stands last and on a page of its own, so that it can be handed to whoever supervises. A column that nobody
has anything in is left out. It computes nothing: it only reads the report's `Unusual`.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, tzinfo

from controller.report.layout import Block
from controller.report.unusual import KINDS, Beside, Oddity, Together
from controller.report.value import Report
from controller.spanish.names import clipped, people, when
from controller.spanish.numbers import money, whole

SECTION = "Lo inusual (R-36)"
_SHORT = {
    "no_cards": "Sin cartas", "same_person": "Misma pers.", "void_late": "Anuló tarde", "late": "Tardíos",
    "corrected": "Corregidas", "rejected": "Rechazadas", "pin": "PIN", "door": "Sin probar", "clock": "Reloj",
    "count": "Conteos", "training": "Entrenó", "day": "Jornadas", "left": "Apartados", "cleared": "Aclaró",
    "aside": "Prem. ap.", "advance": "Adelantos", "signed": "Firmó an.", "moved": "Traspasó",
    "plan": "Planes", "people": "Personas",
    "lamp": "Luces", "seat": "Posiciones", "device": "Aparatos", "tried": "Intentos",
    "restored": "Restauró",
}  # fmt: skip
_MOST_KINDS = 6
assert _SHORT.keys() == KINDS.keys(), "each unusual thing has its column"
_NOTE = (
    "Por azar: los premios que tantas manos traen en promedio, si ninguna se retira. Un pase cuenta para quien firmó "
    "por última vez en su mesa. Nada de esto es por sí mismo una falta."
)


def unusual_blocks(report: Report, zone: tzinfo = UTC) -> Iterator[Block]:
    """The tables of the page, those without rows left out; none where the report has no such page."""
    found = report.unusual
    if found is None:
        return
    if found.persons:
        yield from _beside(f"{SECTION}: por persona, junto a lo que trae el azar", "Persona", found.persons, _NOTE)
    if found.seats:
        yield from _beside(f"{SECTION}: por posición, junto a lo que trae el azar", "Posición", found.seats, "")
    if found.together:
        yield from _pairs(found.together)
    if found.oddities:
        header = ("Hecho", "Cuándo", "Qué", "Dónde", "Quién", "Monto", "Detalle")
        rows = tuple(_row(report, one, zone) for one in found.oddities)
        yield Block(f"{SECTION}: uno por uno", header, "rllllrl", rows)


def _beside(title: str, who: str, sums: tuple[Beside, ...], note: str) -> Iterator[Block]:
    """What chance gives stands beside the first kinds; a page has no room for all of them in one table."""
    first, *more = _shares([kind for kind in KINDS if any(kind in one.odd for one in sums)])
    header = (who, "Apuestas", "Premios", "Por azar", *(_SHORT[kind] for kind in first))
    rows = tuple(
        (clipped(one.who), whole(one.bets), whole(one.awards), thousandths(one.by_chance), *_times(one.odd, first))
        for one in sums
    )
    yield Block(title, header, "l" + "r" * (len(header) - 1), rows, note)
    for kinds in more:
        yield _counted(title, who, kinds, [(clipped(one.who), one.odd) for one in sums])


def _counted(title: str, who: str, kinds: Sequence[str], sums: Sequence[tuple[str, Mapping[str, int]]]) -> Block:
    """How often each of these kinds was whose; who has none of them is left out."""
    rows = tuple((name, *_times(odd, kinds)) for name, odd in sums if any(kind in odd for kind in kinds))
    return Block(title, (who, *(_SHORT[kind] for kind in kinds)), "l" + "r" * len(kinds), rows, "")


def _times(odd: Mapping[str, int], kinds: Sequence[str]) -> tuple[str, ...]:
    return tuple(whole(odd[kind]) if kind in odd else "-" for kind in kinds)


def _shares(kinds: Sequence[str]) -> list[Sequence[str]]:
    return [kinds[at : at + _MOST_KINDS] for at in range(0, len(kinds), _MOST_KINDS)] or [()]


def _pairs(pairs: tuple[Together, ...]) -> Iterator[Block]:
    sums = [(clipped(people(*one.who)), one.odd) for one in pairs]
    for kinds in _shares([kind for kind in KINDS if any(kind in one.odd for one in pairs)]):
        yield _counted(f"{SECTION}: quiénes firmaron juntos", "Quiénes", kinds, sums)


def thousandths(amount: int) -> str:
    """So many awards, with three places: 0,042."""
    assert amount >= 0, "chance gives, or nothing"
    units, rest = divmod(amount, 1000)
    return f"{whole(units)},{rest:03}"


def _row(report: Report, one: Oddity, zone: tzinfo) -> tuple[str, ...]:
    where = f"{one.table}/{one.seat}" if one.seat else one.table
    amount = money(report.currency, one.amount).strip() if one.amount else "-"
    who = clipped(people(*one.persons)) if one.persons else "-"
    place = clipped(where) or "-"
    return (str(one.seq), when(one.at, zone), KINDS[one.kind], place, who, amount, clipped(one.what))
