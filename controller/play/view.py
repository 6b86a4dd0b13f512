"""The demo casino as a picture of text: signs above, a row of seats for each table, what happened, what to try.

Pure. Lamps and signs are those of the simulated devices, as anybody in the room sees them; phases and bets are what the
node shows. What does not fit is left out from the least important on: air, hints, old prizes.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from controller.core.values import Phase
from controller.core.view import TableView
from controller.play.desk_picture import framed
from controller.play.news import money
from controller.terminal.cells import Cell, Row, beside, cut
from controller.terminal.screen import newest
from drivers.session import MILLISECOND, Micros
from firmware_sim.desk.players import PlayerView, is_lit

_GAP = 1
_LEAST_CARD, _MOST_CARD = 8, 13
_LEAST_SAID = 3
_SCROLL: Micros = 150 * MILLISECOND
_PHASES = {
    Phase.BETWEEN: (" mesa cerrada ", "dim"),
    Phase.OPEN: (" HAGAN SUS APUESTAS ", "good"),
    Phase.LOCKING: (" cerrando… ", "port"),
    Phase.SEALED: (" NO MÁS APUESTAS ", "bad"),
}
_HINTS_OF_TWO = (
    "Pruebe aquí:  cable corta · {casino} gana DP-01 escalera_color · cable une · {casino} pausa DP-01 · ayuda",
    "En otra terminal:  pozo ctl --node {control} vecinos  ·  pozo ctl --node {control}   (.venv/bin/pozo)",
)
_HINTS = (
    "Pruebe aquí:  DP-01 seat 3 press 2 · DP-01 seat 3 lamp open · pausa DP-01 · gana TX-01 poker · ayuda",
    "En otra terminal:  pozo ctl --node {control}  ·  pozo verify {record}   (.venv/bin/pozo)",
)


class SignPicture(NamedTuple):
    title: str
    text: str
    lit: bool


class TablePicture(NamedTuple):
    name: str
    game: str
    pot: str
    seats: Sequence[PlayerView]
    view: TableView | None
    yours: bool  # a person has taken it over


class Evening(NamedTuple):
    """Everything that is drawn."""

    day: str
    speed: str
    passes: int
    node: str
    node_well: bool
    signs: Sequence[SignPicture]
    tables: Sequence[TablePicture]
    said: Sequence[Row]
    control: str
    record: str
    casino: str = ""  # the first of several
    address: str = ""  # of its faces in a browser


def picture(evening: Evening, now: Micros, width: int, height: int) -> list[Row]:
    """The rows above the prompt, at most `height` of them."""
    head = [_title(evening, width), *_signs(evening.signs, now, width)]
    tables = [_table(table, now, width) for table in evening.tables]
    room = height - len(head) - sum(map(len, tables)) - _LEAST_SAID
    hints_ = _HINTS_OF_TWO if evening.casino else _HINTS
    hints = [(Cell(" " + _filled(hint, evening), "dim"),) for hint in hints_][: max(0, room)]
    air: list[Row] = [()] if room - len(hints) > len(tables) else []
    rows = [*head]
    for table in tables:
        rows += [*air, *table]
    rows += air
    left = max(0, height - len(rows) - len(hints))
    said = newest(evening.said, width, left)
    filler: list[Row] = [()] * (left - len(said))
    return [cut(row, width) for row in [*rows, *said, *filler, *hints]][:height]


def _filled(hint: str, evening: Evening) -> str:
    return hint.format(control=evening.control, record=evening.record, casino=evening.casino)


def _title(evening: Evening, width: int) -> Row:
    name = " POZO · casino de demostración " if not evening.address else f" POZO · {evening.address} "
    node = f" {evening.node} "
    told = f" día {evening.day or '—'} · ritmo ×{evening.speed} · {evening.passes} pases "
    rule = "─" * max(1, width - len(name) - len(told) - len(node))
    return Cell(name, "title"), Cell(rule, "rule"), Cell(told), Cell(node, "good" if evening.node_well else "bad")


def _signs(signs: Sequence[SignPicture], now: Micros, width: int) -> list[Row]:
    if not signs:
        return []
    inside = (width - _GAP * (len(signs) - 1)) // len(signs) - 2
    faces = [(_scrolled(sign.text, inside - 2, now).center(inside), sign) for sign in signs]
    return beside([framed(shown, "sign" if sign.lit else "sign.off", f" {sign.title} ") for shown, sign in faces])


def _scrolled(text: str, width: int, now: Micros) -> str:
    """A long text runs through, as on the real ones."""
    if len(text) <= width:
        return text
    round_ = text + "   ★   "
    at = now // _SCROLL % len(round_)
    return (round_ + round_)[at : at + width]


def _table(table: TablePicture, now: Micros, width: int) -> list[Row]:
    view = table.view
    word, style = _PHASES[view.phase] if view is not None else (" sin nodo ", "bad")
    number = f" pase {view.number} " if view is not None else ""
    yours: tuple[Cell, ...] = (Cell(" en sus manos ", "plate"),) if table.yours else ()
    name = (Cell(f" {table.name} ", "plate"), Cell(f" {table.game} → {table.pot} ", "dim"), Cell(number))
    heading = (*name, Cell(word, style), *yours)
    bets = {seat.seat: (seat.bet, seat.closed) for seat in view.seats} if view is not None else {}
    card = max(_LEAST_CARD, min(_MOST_CARD, (width + _GAP) // max(1, len(table.seats)) - _GAP))
    cards = [_card(seat, *bets.get(seat.number, (0, "")), now, card) for seat in table.seats]
    return [heading, *beside(cards, _GAP)]


def _card(seat: PlayerView, bet: int, closed: str, now: Micros, width: int) -> list[Row]:
    """Number and lamp, the glass with credits or chips, the bet or what is wrong."""
    lamp = Cell("●", "lamp.lit" if is_lit(seat.lamp, now) else "lamp.dark")
    side = (width - 3) // 2
    top = (Cell(" " * side, "felt"), Cell(f"{seat.number} ", "seat"), lamp, Cell(" " * (width - side - 3), "felt"))
    glass = (seat.shows or "").rjust(width - 4)[: width - 4]
    face = "glass" if seat.powered else "glass.off"
    middle = (Cell("  ", "felt"), Cell(glass, face), Cell("  ", "felt"))
    trouble = seat.trouble or ("cerrada" if closed else "")
    if trouble:
        last = Cell(trouble[:width].center(width), "trouble")
    elif bet:
        last = Cell(money(bet).center(width), "lamp.lit")
    else:
        last = Cell(" " * width, "felt")
    return [top, middle, (last,)]


STYLES_OF_NEWS: Mapping[str, str] = {
    "PREMIO": "title", "Pagado": "good", "Verificado": "good", "Rechazado": "bad", "¡": "bad",
}  # fmt: skip


def style_of(sentence: str) -> str:
    """Prizes are gold; what went well is green."""
    return next((style for start, style in STYLES_OF_NEWS.items() if sentence.startswith(start)), "said")
