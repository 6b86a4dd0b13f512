"""A month between nodes on paper: text, CSV, JSON and PDF, each signed by the node whose record it is (R-28).

Theory. Every form has, for each statement, its hash, and the whole form is under one signature, so a page that somebody
edited is found by itself, without any record; and two pages of two nodes are compared by their hashes. The first form
is for the accountant: what stands above nothing the member owes the one above, what stands below it is owed to him.
Each line says from which letters it comes, and where this node stands apart, that is said in words.
"""

import csv
import io
from collections.abc import Callable, Iterator
from datetime import UTC, tzinfo

import msgspec

from controller.core.values import Mark, Side
from controller.report.clearing_letters import LINES
from controller.report.clearing_value import Body, Clearing, Statement, StatementLine
from controller.report.forms import harmless_row, lay_out
from controller.report.layout import Block
from controller.report.pdf import Paper, printed
from controller.spanish.names import harmless, when
from controller.spanish.numbers import money, whole

PAGE = "pozo clearing page 1"
SEAL, KEY = "Firma: ", "Llave de "
_COLUMNS = (
    "mes", "pozo", "mesas_de", "pozo_de", "clave", "cifra", "unidad", "importe", "serie", "primera_carta",
    "ultima_carta", "cartas", "texto",
)  # fmt: skip
_SHORT = 16

Sign = Callable[[bytes], str]
"""The node's signature of a page, in hex."""


def title_of(found: Clearing) -> str:
    return f"COMPENSACIÓN DEL MES {found.month}"


def _heading(found: Clearing, zone: tzinfo) -> Iterator[tuple[str, str]]:
    yield "Nodo", f"{found.node}, época {found.epoch}"
    yield "Registro", f"hasta el hecho {found.last}, de {when(found.at, zone)}"
    yield "Testigo", found.witness.digits if _is_covered(found) else "ninguna firma cubre todavía el último hecho"
    if not found.holds:
        yield "ATENCIÓN", "NO CUADRA con el libro de este nodo; vea la comprobación"


def _is_covered(found: Clearing) -> bool:
    return bool(found.witness.digits) and found.witness.seq >= found.last


# What stands in it


def blocks_of(found: Clearing) -> Iterator[Block]:
    yield Block(
        "Resumen (R-28)",
        ("Pozo", "Mesas de", "Pozo de", "Apostado", "Comisión", "Premios pagados", "Saldo"),
        "lllrrrr",
        tuple(_in_short(one) for one in found.statements),
        "Saldo: lo que debe quien tiene las mesas a quien tiene el pozo; con -, lo que se le debe.",
    )
    for one in found.statements:
        body = one.body
        of = f"Pozo {body.pot}: mesas de {body.below}, pozo de {body.above}"
        header = ("Concepto", "Cartas", "Importe")
        yield Block(of, header, "llr", tuple(_rows(one)), _who_owes(one))
        yield Block(f"De dónde sale: {body.below} y {body.above}", ("Dato", "Valor"), "ll", tuple(_grounds(one)))


def _in_short(one: Statement) -> tuple[str, ...]:
    body = one.body
    amounts = [_net_of(body, "wagered"), -_net_of(body, "commission"), _amount(body, "paid"), body.closing]
    return (body.pot, body.below, body.above, *(money(one.currency, amount) for amount in amounts))


def _amount(body: Body, key: str) -> int:
    return body.lines[key].amount if key in body.lines else 0


def _net_of(body: Body, what: str) -> int:
    """Of bets, less what was given back."""
    return _amount(body, f"bets.{what}") + _amount(body, f"voids.{what}")


def _rows(one: Statement) -> Iterator[tuple[str, str, str]]:
    body = one.body
    yield "Saldo anterior", "", money(one.currency, body.opening)
    for key, line in body.lines.items():
        kind = LINES[key]
        label = kind.label if kind.moves else f"  {kind.label}"
        yield label, _letters(body, key, line), money(one.currency, line.amount)
    yield "Todo el mes", "", money(one.currency, body.closing - body.opening)
    yield "Saldo", "", money(one.currency, body.closing)


def _letters(body: Body, key: str, line: StatementLine) -> str:
    stream = "pozo" if LINES[key].of_log else body.below
    numbers = f"{line.first}" if line.first == line.last else f"{line.first} a {line.last}"
    return f"{stream} {numbers} ({whole(line.letters)})"


def _who_owes(one: Statement) -> str:
    body, amount = one.body, money(one.currency, abs(one.body.closing))
    if not body.closing:
        return f"{body.below} y {body.above} no se deben nada."
    debtor, other = (body.below, body.above) if body.closing > 0 else (body.above, body.below)
    return f"{debtor} debe a {other} {amount}."


def _grounds(one: Statement) -> Iterator[tuple[str, str]]:
    body, beside = one.body, one.beside
    many = f"{len(body.days)} jornadas" if len(body.days) > 1 else "1 jornada"
    yield "Jornadas", f"de {body.below}: {body.days[0]} a {body.days[-1]} ({many}, R-27)"
    yield f"Cartas de {body.below}", f"desde {_mark(body.from_up)} hasta {_mark(body.until_up)}"
    yield "Cartas del pozo", f"desde {_mark(body.from_log)} hasta {_mark(body.until_log)}"
    if not beside.over:
        yield "Provisional", f"el mes puede seguir: la última jornada cerrada es la {body.days[-1]}"
    if body.waiting:
        names = ", ".join(body.waiting)
        yield "En espera", f"sin respuesta del dueño al cerrar la jornada, cuentan cuando la diga: {names} (R-20, R-34)"
    if body.advanced:
        yield "Adelantos", f"abiertos al cerrar la jornada: {money(one.currency, body.advanced)}, de la casa (R-20)"
    if beside.unknown:
        yield "En camino", f"{body.above} no ha acusado {whole(beside.unknown)} cartas de este mes: no las tiene aún"
    if beside.later:
        moved = money(one.currency, beside.later_amount)
        yield "Después", f"{whole(beside.later)} cartas posteriores, por {moved}: son de otra jornada"
    if beside.disputed:
        apart = money(one.currency, beside.disputed_amount)
        yield "En disputa", f"{whole(beside.disputed)} cartas que este nodo no creyó, sin decidir, por {apart} (R-28)"
    yield "Comprobación", _proof(one)
    yield "Huella", body.hash


def _mark(mark: Mark) -> str:
    return f"la {mark.number} (época {mark.epoch}, {mark.hash[:_SHORT]})" if mark.number else "el comienzo"


def _proof(one: Statement) -> str:
    beside, currency = one.beside, one.currency
    book, told = (money(currency, amount) for amount in (beside.book, beside.told))
    said = f"hoy el libro de este nodo tiene {book} y todas las cartas juntas dan {told}"
    if beside.book_then is not None:
        said += f"; al cerrar la jornada el libro tenía {money(currency, beside.book_then)}"
    return f"{said}: {'cuadra' if one.holds else 'NO CUADRA'}"


# The forms


def as_text(found: Clearing, zone: tzinfo = UTC, sign: Sign | None = None) -> str:
    """For reading; the last line signs all lines before it."""
    heading = tuple(_heading(found, zone))
    width = max(len(name) for name, _ in heading)
    lines = [title_of(found), "", *(f"   {name.ljust(width)}   {value}" for name, value in heading)]
    for number, block in enumerate(blocks_of(found), 1):
        lines += ["", f"{number}. {block.title}", *lay_out(block)]
        if block.note:
            lines.append(f"   {block.note}")
    lines += ["", "Huellas, las mismas en la página del otro nodo:", *_hashes(found)]
    lines.append(f"{KEY}{found.node}: {found.key}")
    text = "\n".join(harmless(line.rstrip()) for line in lines) + "\n"
    return f"{text}{SEAL}{sign(text.encode())}\n" if sign else f"{text}{SEAL}ninguna, la llave del nodo no está aquí\n"


def _hashes(found: Clearing) -> Iterator[str]:
    """One line for a program: month, pot, member, owner, last letters, balance, hash."""
    for body in (one.body for one in found.statements):
        marks = f"{body.until_up.number} {body.until_log.number}"
        yield f"   {body.month} {body.pot} {body.below} {body.above} {marks} {body.closing} {body.hash}"


def as_csv(found: Clearing, sign: Sign | None = None) -> str:
    """For a spreadsheet, in whole minor units; the last row signs all rows before it."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for one in found.statements:
        for row in _csv_rows(one):
            writer.writerow(harmless_row(row))
    writer.writerow(_of_page("nodo", found.node))
    writer.writerow(_of_page("llave", found.key))
    signature = sign(sink.getvalue().encode()) if sign else ""
    writer.writerow(_of_page("firma", signature))
    return sink.getvalue()


def _of_page(key: str, value: str) -> tuple[str, ...]:
    return ("", "", "", "", key, *[""] * 7, value)


def _csv_rows(one: Statement) -> Iterator[tuple[object, ...]]:
    body, beside = one.body, one.beside
    of = (body.month, body.pot, body.below, body.above)
    unit = one.currency.code + (f"/{10**one.currency.decimals}" if one.currency.decimals else "")
    yield (*of, "saldo.anterior", "Saldo anterior", unit, body.opening, "", "", "", "", "")
    for key, line in body.lines.items():
        stream = f"pot:{body.pot}" if LINES[key].of_log else f"to:{body.above}"
        numbers = (stream, line.first, line.last, line.letters)
        yield (*of, key, LINES[key].label, unit, line.amount, *numbers, "" if LINES[key].moves else "detalle")
    yield (*of, "saldo", "Saldo", unit, body.closing, "", "", "", "", _who_owes(one))
    for key, label, mark in (
        ("desde.mesas", "Desde la carta", body.from_up),
        ("desde.pozo", "Desde la carta del pozo", body.from_log),
        ("hasta.mesas", "Hasta la carta", body.until_up),
        ("hasta.pozo", "Hasta la carta del pozo", body.until_log),
    ):
        yield (*of, key, label, "", "", "", "", mark.number, "", f"{mark.epoch} {mark.hash}")
    yield (*of, "adelantos", "Adelantos abiertos", unit, body.advanced, "", "", "", "", "")
    yield (*of, "jornadas", "Jornadas", "", "", "", "", "", "", " ".join(body.days))
    yield (*of, "espera", "En espera del dueño", "", "", "", "", "", "", " ".join(body.waiting))
    yield (*of, "libro", "El libro de este nodo, hoy", unit, beside.book, "", "", "", "", "")
    yield (*of, "despues", "Después del mes", unit, beside.later_amount, "", "", "", beside.later, "")
    yield (*of, "disputa", "En disputa, sin decidir", unit, beside.disputed_amount, "", "", "", beside.disputed, "")
    yield (*of, "huella", "Huella", "", "", "", "", "", "", body.hash)


def as_json(found: Clearing, sign: Sign | None = None) -> str:
    """For programs: `page` and the signature over its canonical bytes (sorted keys, no space)."""
    page = {
        "format": PAGE,
        "node": found.node,
        "epoch": found.epoch,
        "key": found.key,
        "month": found.month,
        "last": found.last,
        "at": found.at,
        "witness": found.witness.digits,
        "statements": [_as_fields(one) for one in found.statements],
    }
    body = msgspec.json.encode(page, order="sorted")
    sealed = {"page": msgspec.Raw(body), "signature": sign(body) if sign else ""}
    return msgspec.json.format(msgspec.json.encode(sealed), indent=1).decode() + "\n"


def _as_fields(one: Statement) -> dict[str, object]:
    beside = {**one.beside._asdict(), "side": "below" if one.beside.side is Side.BELOW else "above"}
    return {"body": one.body, "hash": one.body.hash, "beside": beside, "holds": one.holds}


def as_pdf(found: Clearing, zone: tzinfo = UTC, sign: Sign | None = None) -> bytes:
    """To be signed by two persons too. What the node signs is the text of the same page: its signature stands here."""
    text = as_text(found, zone, sign)
    seal = text.rstrip("\n").rpartition("\n")[2].removeprefix(SEAL)
    rows = [(f"{one.body.pot}, {one.body.below} y {one.body.above}", one.body.hash) for one in found.statements]
    rows += [(f"{KEY}{found.node}", found.key), ("Firma del texto de esta página", seal)]
    last = Block("Huellas, las mismas en la página del otro nodo", ("De qué", "Huella"), "ll", tuple(rows))
    alarms = () if found.holds else ("ATENCIÓN: NO CUADRA con el libro de este nodo; vea la comprobación.",)
    return printed(
        Paper(
            title_of(found),
            found.node,
            f"Nodo {found.node}",
            found.witness.digits,
            _is_covered(found),
            f"Hasta el hecho {found.last}",
            alarms,
            tuple(_heading(found, zone)),
            (*blocks_of(found), last),
        )
    )
