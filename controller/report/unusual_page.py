"""The page of what is unusual, as tables: one by one, by person, by seat, beside what chance would give (R-36).

Theory. It stands last and on a page of its own, so that it can be handed to whoever supervises. A column that nobody
has anything in is left out. It computes nothing: it only reads the report's `Unusual`.
"""

from collections.abc import Iterator
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
    "aside": "Prem. ap.", "signed": "Firmó an.", "moved": "Traspasó", "plan": "Planes", "people": "Personas",
    "lamp": "Luces", "seat": "Posiciones", "device": "Aparatos", "tried": "Intentos",
}  # fmt: skip
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
        yield _beside(f"{SECTION}: por persona, junto a lo que trae el azar", "Persona", found.persons, _NOTE)
    if found.seats:
        yield _beside(f"{SECTION}: por posición, junto a lo que trae el azar", "Posición", found.seats, "")
    if found.together:
        yield _pairs(found.together)
    if found.oddities:
        header = ("Hecho", "Cuándo", "Qué", "Dónde", "Quién", "Monto", "Detalle")
        rows = tuple(_row(report, one, zone) for one in found.oddities)
        yield Block(f"{SECTION}: uno por uno", header, "rllllrl", rows)


def _beside(title: str, who: str, sums: tuple[Beside, ...], note: str) -> Block:
    kinds = [kind for kind in KINDS if any(kind in one.odd for one in sums)]
    header = (who, "Apuestas", "Premios", "Por azar", *(_SHORT[kind] for kind in kinds))
    rows = tuple(
        (
            clipped(one.who), whole(one.bets), whole(one.awards), thousandths(one.by_chance),
            *(whole(one.odd[kind]) if kind in one.odd else "-" for kind in kinds),
        )
        for one in sums
    )  # fmt: skip
    return Block(title, header, "l" + "r" * (len(header) - 1), rows, note)


def _pairs(pairs: tuple[Together, ...]) -> Block:
    kinds = [kind for kind in KINDS if any(kind in one.odd for one in pairs)]
    rows = tuple(
        (clipped(people(*one.who)), *(whole(one.odd[kind]) if kind in one.odd else "-" for kind in kinds))
        for one in pairs
    )
    header = ("Quiénes", *(_SHORT[kind] for kind in kinds))
    return Block(f"{SECTION}: quiénes firmaron juntos", header, "l" + "r" * len(kinds), rows, "")


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
