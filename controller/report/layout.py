"""What a report puts on paper: its heading and its tables, as rows of text, the same for the terminal and the PDF.

Theory. One row is one figure with the facts it rests on, so that two reports can be compared line by line. What is
nothing is left out, but for the figures that everybody looks for. Tables and casinos have one matrix with the main
figures; every figure of every table stands in the CSV and the JSON. The layout computes nothing: it only reads a
`Report`.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, tzinfo
from typing import NamedTuple

from controller.report.corrections import rows_of
from controller.report.figures import CATALOGUE, SECTIONS, Figure
from controller.report.value import Account, Report
from controller.rules.refusal import Reason
from controller.spanish.names import (
    ACCOUNT_ORDER,
    account_name,
    clipped,
    listed,
    part_name,
    prize_name,
    trace,
    when,
)
from controller.spanish.numbers import money, whole

_TITLES = {
    "day": "INFORME DE LA JORNADA",
    "month": "INFORME DEL MES",
    "pot": "INFORME DEL POZO",
    "table": "INFORME DE LA MESA",
    "award": "INFORME DEL PREMIO",
}
_ALWAYS = {
    "cash.in", "cash.out", "cash.net", "play.sealed", "play.bets", "play.wagered", "play.net", "split.commission",
    "split.pots", "awards.before", "awards.registered", "awards.paid", "awards.rejected", "awards.pending",
    "house.total", "award.amount", "award.bet",
}  # fmt: skip
_MATRIX = {
    "cash.in": "Entró",
    "cash.out": "Salió",
    "play.sealed": "Pases",
    "play.bets": "Apuestas",
    "play.wagered": "Apostado",
    "split.commission": "Comisión",
    "split.pots": "A pozos",
    "awards.registered": "Premios",
    "awards.paid": "Pagado",
}
_OF_AWARDS = ("before", "registered", "paid", "rejected", "pending")
_REASONS = {reason.code: reason for reason in Reason}


class Block(NamedTuple):
    """One table: its title, its header, the side of each column (l or r), and its rows."""

    title: str
    header: tuple[str, ...]
    sides: str
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


_LAW_IS = {
    "shipped": "es el del programa",
    "earlier": "es el de una versión anterior del programa",
    "own": "propio de la casa",
    "borrowed": "¡NO ES el que el programa trae con ese nombre!",
}


def title_of(report: Report) -> str:
    return f"{_TITLES[report.asked.kind]} {report.asked.name}"


def heading_of(report: Report, zone: tzinfo = UTC) -> tuple[tuple[str, str], ...]:
    """What the report is about, as names and values."""
    return tuple((name, clipped(value)) for name, value in _heading(report, zone))


def _heading(report: Report, zone: tzinfo) -> Iterator[tuple[str, str]]:
    yield "Nodo", report.node
    casinos = dict.fromkeys(casino for pot in report.pots for casino in pot.casinos)
    yield "Casino", ", ".join(casinos) or "-"
    for pot in report.pots:
        yield "Pozo", f"{pot.name}: {pot.title}; {pot.resolution}; reglamento {pot.ruleset} (R-26)"
        yield "Plan", f"SHA-256 {pot.plan_print}"
        yield "Ley", f"SHA-256 {pot.law_print}; {_LAW_IS[pot.law_is]}"
    if report.asked.kind != "award":
        yield from _span(report)
    yield "Hechos", f"{report.first} a {report.last}; de este informe {whole(report.facts)}"
    yield "Desde", when(report.since, zone)
    yield "Hasta", when(report.until, zone)
    yield from report.about
    if report.currency.code:
        yield "Moneda", f"{report.currency.code}, {report.currency.decimals} decimales"
    yield "Testigo", witness_of(report)


def _span(report: Report) -> Iterator[tuple[str, str]]:
    if report.asked.of_days or report.asked.kind not in {"pot", "table"}:
        name = "Jornada" if report.asked.day else "Jornadas"
        yield name, f"{_days(report)}; desde el cierre de la anterior hasta su propio cierre"
    else:
        yield "Jornadas", f"todo el registro: {_days(report)}"
    state = f"ABIERTA: cifras provisionales, hasta el hecho {report.last}" if report.still_open else "cerrada"
    yield "Estado", state


def _days(report: Report) -> str:
    if not report.days:
        return "ninguna todavía"
    return report.days[0] if len(report.days) == 1 else f"{report.days[0]} a {report.days[-1]} ({len(report.days)})"


def witness_of(report: Report) -> str:
    """The digits of the first signature that covers this report; where there is none, that is what must be read."""
    if report.is_signed:
        return report.witness.digits
    if not report.witness.digits:
        return "NINGUNA FIRMA CUBRE ESTE INFORME"
    return f"NINGUNA FIRMA CUBRE ESTE INFORME: la última, {report.witness.digits}, llega al hecho {report.witness.seq}"


def blocks_of(report: Report) -> tuple[Block, ...]:
    """Every table of the report, in order; those without rows are left out."""
    found = (
        *_sections(report),
        _corrections(report),
        _by_prize(report),
        _by_table(report),
        _accounts(report),
        _proofs(report),
        _annex(report),
    )
    return tuple(block for block in found if block.rows)


def _sections(report: Report) -> Iterator[Block]:
    totals = [figure for figure in report.figures if figure.level == "total"]
    for section, title in SECTIONS.items():
        own = [figure for figure in totals if figure.section == section]
        rows = tuple(_row(report, figure) for figure in _in_order(own))
        yield Block(title, ("", "Total", "Hechos"), "lrr", rows)


def _in_order(figures: Iterable[Figure]) -> list[Figure]:
    """Each figure, then what it is made of; by prize there is a table of its own."""
    order = {key: at for at, key in enumerate(CATALOGUE)}
    shown = [one for one in figures if (one.facts or one.key in _ALWAYS) and not _has_own_table(one)]
    return sorted(shown, key=lambda one: (order[one.key], one.detail))


def _has_own_table(figure: Figure) -> bool:
    return figure.section == "awards" and bool(figure.detail) and figure.name.removesuffix("_count") in _OF_AWARDS


def _row(report: Report, figure: Figure) -> tuple[str, str, str]:
    return label_of(figure), amount_of(report, figure), trace(figure.first, figure.last, figure.facts)


def label_of(figure: Figure) -> str:
    """A figure in words; what is a part of the one above stands a little to the right."""
    label = CATALOGUE[figure.key].label
    indent = "" if label[0].isupper() else "   "
    return f"{indent}   {detail_of(figure)}" if figure.detail else f"{indent}{label}"


def detail_of(figure: Figure) -> str:
    """Of what a figure is: a part of a pot, a prize, the reason of a refusal."""
    return clipped(_detail(figure))


def _detail(figure: Figure) -> str:
    if figure.name in {"part", "part_undone", "part_corrected"}:
        pot, _, part = figure.detail.partition("/")
        return f"{pot}, {part_name(part)}"
    if figure.section in {"awards", "cash"}:
        return prize_name(figure.detail)
    if figure.key in {"incidents.refused", "incidents.bet_refused"} and figure.detail in _REASONS:
        return f"{figure.detail} ({_REASONS[figure.detail].rule})"
    return figure.detail


def amount_of(report: Report, figure: Figure) -> str:
    return money(report.currency, figure.amount).strip() if figure.unit == "money" else whole(figure.amount)


def _corrections(report: Report) -> Block:
    """R-34, R-35: each pass that was put right, and under it who owes whom."""
    rows = tuple(row for one in report.corrections for row in rows_of(one, report.currency))
    return Block("Correcciones (R-34, R-35)", ("", "Qué estaba mal, qué se debe", "Monto", "Hecho"), "llrr", rows)


def _by_prize(report: Report) -> Block:
    """R-11, R-29: how many of each, and how much."""
    found: dict[str, dict[str, Figure]] = {}
    for one in report.figures:
        if one.level == "total" and _has_own_table(one):
            found.setdefault(one.detail, {})[one.name] = one
    rows = tuple((clipped(prize_name(prize)), *_cells(report, found[prize])) for prize in found)
    header = ("Jugada o premio", "Al empezar", "Registrados", "Pagados", "Rechazados", "Al terminar")
    return Block("Premios por jugada", header, "lrrrrr", rows, "Cada celda: cuántos, y su monto.")


def _cells(report: Report, of_prize: dict[str, Figure]) -> Iterator[str]:
    for name in _OF_AWARDS:
        counted = of_prize.get(f"{name}_count")
        yield f"{whole(counted.amount)} · {amount_of(report, of_prize[name])}" if counted else "-"


def _by_table(report: Report) -> Block:
    """The main figures of every table, of every casino and pot where there are several, and of all."""
    matrix: dict[tuple[str, str], dict[str, Figure]] = {}
    for one in report.figures:
        if one.key in _MATRIX and not one.detail:
            matrix.setdefault((one.level, one.table or one.casino or one.pot), {})[one.key] = one
    rows = []
    for level, word in (("table", "Mesa"), ("casino", "Casino"), ("pot", "Pozo"), ("total", "Todo")):
        of_level = sorted(name for kind, name in matrix if kind == level)
        if len(of_level) > 1 or level in {"table", "total"}:
            rows += [(f"{word} {name}".strip(), *_across(report, matrix[level, name])) for name in of_level]
    header = ("", *_MATRIX.values())
    enough = report.asked.kind in {"day", "month", "pot"} and len(rows) > 1
    return Block("Por mesa, casino y pozo", header, "l" + "r" * len(_MATRIX), tuple(rows) if enough else ())


def _across(report: Report, of_row: dict[str, Figure]) -> Iterator[str]:
    for key in _MATRIX:
        yield amount_of(report, of_row[key]) if key in of_row else "-"


def _accounts(report: Report) -> Block:
    """What every account stood at and stands at; the seats of a table are one line."""
    together: dict[str, list[Account]] = {}
    for one in sorted(report.accounts, key=lambda account: ACCOUNT_ORDER.get(account.account.partition(":")[0], 99)):
        together.setdefault(account_name(one.account), []).append(one)
    rows = tuple((name, *_balances(report, of_name)) for name, of_name in together.items())
    header = ("Cuenta", "Inicial", "Sube", "Baja", "Final", "Hechos")
    note = "Bajo cero: lo que entró del mundo (caja, casa). Por asiento: en el CSV y el JSON."
    if report.asked.kind == "table":
        note += " Las cuentas del pozo dicen lo que esta mesa le trajo y le quitó."
    return Block("Cuentas (R-27)", header, "lrrrrr", rows, note)


def _balances(report: Report, accounts: list[Account]) -> Iterator[str]:
    for amount in (
        sum(one.opening for one in accounts),
        sum(one.rises for one in accounts),
        sum(one.falls for one in accounts),
        sum(one.closing for one in accounts),
    ):
        yield money(report.currency, amount).strip()
    moved = [one for one in accounts if one.facts]
    yield f"{min(one.first for one in moved)} a {max(one.last for one in moved)}" if moved else "-"


def _proofs(report: Report) -> Block:
    rows = tuple(
        (one.label, whole(one.left), whole(one.right), "cuadra" if one.holds else "NO CUADRA") for one in report.proofs
    )
    return Block("Comprobación (en unidades mínimas)", ("", "Uno", "Otro", ""), "lrrl", rows)


def _annex(report: Report) -> Block:
    """The numbers of all facts of each figure, where they were asked for."""
    totals = (one for one in report.figures if one.level == "total" and one.numbers)
    rows = [(_in_full(one), listed(one.numbers)) for one in totals]
    rows += [(one.account, listed(one.numbers)) for one in report.accounts if one.numbers]
    return Block("Anexo: los hechos de cada cifra", ("Cifra", "Hechos"), "ll", tuple(rows))


def _in_full(figure: Figure) -> str:
    """A figure with its section, where it stands alone."""
    words = [SECTIONS[figure.section].partition(" (")[0], CATALOGUE[figure.key].label]
    return ": ".join([*words, detail_of(figure)] if figure.detail else words)
