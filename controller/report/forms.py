"""A report as text, as CSV and as JSON.

Theory. The text is for reading, one figure a line. The CSV has one row for each figure at every level (everything, a
pot, a casino, a table) and one for each account, in whole minor units of the currency, for a spreadsheet. The JSON is
the `Report` itself, key by key.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, tzinfo
from textwrap import wrap

import msgspec

from controller.report.figures import CATALOGUE, SECTIONS, Figure
from controller.report.layout import Block, blocks_of, heading_of, title_of
from controller.report.unusual import KINDS, Beside, Oddity
from controller.report.unusual_page import SECTION, unusual_blocks
from controller.report.value import Account, Report
from controller.spanish.names import harmless, listed

_WIDE = 96
_LEVEL_WORDS = {"total": "total", "pot": "pozo", "casino": "casino", "table": "mesa"}
_COLUMNS = (
    "seccion", "clave", "cifra", "detalle", "nivel", "pozo", "mesa", "casino", "unidad", "cantidad", "primer_hecho",
    "ultimo_hecho", "hechos",
)  # fmt: skip
_ACCOUNT_WORDS = {"opening": "Saldo inicial", "rises": "Sube", "falls": "Baja", "closing": "Saldo final"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_text(report: Report, zone: tzinfo = UTC) -> str:
    """For a terminal."""
    heading = heading_of(report, zone)
    width = max(len(name) for name, _ in heading)
    lines = [title_of(report), "", *(f"   {name.ljust(width)}   {value}" for name, value in heading)]
    for number, block in enumerate((*blocks_of(report), *unusual_blocks(report, zone)), 1):
        lines += ["", f"{number}. {block.title}", *lay_out(block)]
        if block.note:
            lines.append(f"   {block.note}")
    return "\n".join(harmless(line.rstrip()) for line in lines) + "\n"


def lay_out(block: Block) -> Iterator[str]:
    """Columns as wide as they need; a long last cell goes on below itself."""
    rows = [block.header, *block.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(block.header))]
    for row in rows:
        cells = [
            cell.ljust(width) if side == "l" else cell.rjust(width)
            for side, cell, width in zip(block.sides, row, widths, strict=True)
        ]
        before = "   " + "   ".join(cells[:-1]) + "   "
        last = wrap(row[-1], max(_WIDE - len(before), 30)) if widths[-1] > _WIDE else [cells[-1]]
        yield before + (last[0] if last else "")
        yield from (" " * len(before) + more for more in last[1:])


def as_csv(report: Report) -> str:
    """For a spreadsheet; with the numbers of all facts where the report kept them."""
    sink = io.StringIO()
    writer = csv.writer(sink)
    keep = any(figure.numbers for figure in report.figures)
    writer.writerow((*_COLUMNS, "numeros") if keep else _COLUMNS)
    for row in _rows(report):
        writer.writerow(harmless_row(row if keep else row[:-1]))
    return sink.getvalue()


def _rows(report: Report) -> Iterator[tuple[object, ...]]:
    scale = f"/{10**report.currency.decimals}" if report.currency.decimals else ""
    unit = f"{report.currency.code}{scale}"
    for figure in report.figures:
        yield _figure_row(figure, unit)
    for account in report.accounts:
        yield from _account_rows(account, unit)
    if report.unusual is not None:
        yield from (_odd_row(one, unit) for one in report.unusual.oddities)
        for level, sums in (("persona", report.unusual.persons), ("posición", report.unusual.seats)):
            for one in sums:
                yield from _beside_rows(one, level)
        for pair in report.unusual.together:
            for kind, number in pair.odd.items():
                who = ", ".join(pair.who)
                row = (SECTION, f"unusual.pareja.{kind}", KINDS[kind], who, "pareja", "", "", "", "cuenta", number)
                yield (*row, "", "", "", "")


def _odd_row(one: Oddity, unit: str) -> tuple[object, ...]:
    """One unusual fact; its detail says who."""
    detail = "; ".join(filter(None, (", ".join(one.persons), f"posición {one.seat}" * bool(one.seat), one.what)))
    where = (one.pot, one.table, one.casino)
    return (
        SECTION,
        f"unusual.{one.kind}",
        KINDS[one.kind],
        detail,
        "hecho",
        *where,
        unit,
        one.amount,
        *(one.seq,) * 2,
        1,
        "",
    )


def _beside_rows(one: Beside, level: str) -> Iterator[tuple[object, ...]]:
    """What a person or a seat had, and what chance gives, in thousandths of an award."""
    counts = [("bets", "Apuestas", "cuenta", one.bets), ("awards", "Premios", "cuenta", one.awards)]
    counts += [("by_chance", "Premios por azar", "milésimas", one.by_chance)]
    counts += [(kind, KINDS[kind], "cuenta", number) for kind, number in one.odd.items()]
    for key, label, unit, number in counts:
        yield (SECTION, f"unusual.{level}.{key}", label, one.who, level, "", "", "", unit, number, "", "", "", "")


def _figure_row(figure: Figure, unit: str) -> tuple[object, ...]:
    return (
        SECTIONS[figure.section],
        figure.key,
        CATALOGUE[figure.key].label,
        figure.detail,
        _LEVEL_WORDS[figure.level],
        figure.pot,
        figure.table,
        figure.casino,
        unit if figure.unit == "money" else "cuenta",
        figure.amount,
        figure.first,
        figure.last,
        figure.facts,
        listed(figure.numbers),
    )


def _account_rows(account: Account, unit: str) -> Iterator[tuple[object, ...]]:
    """The opening rests on all facts before the span, so it names none."""
    moved = (account.first, account.last, account.facts, listed(account.numbers))
    for name, label in _ACCOUNT_WORDS.items():
        facts = moved if name in {"rises", "falls"} else ("", "", "", "")
        amount = getattr(account, name)
        yield ("Cuentas (R-27)", f"accounts.{name}", label, account.account, "total", "", "", "", unit, amount, *facts)


def harmless_row(row: Iterable[object]) -> Iterator[object]:
    """A text from the record is never a formula of the spreadsheet that opens it."""
    for cell in row:
        yield f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def as_json(report: Report) -> str:
    """For programs."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1).decode() + "\n"
