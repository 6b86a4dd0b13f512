"""The console's screen as rows of text, each piece with the name of a style; console.py knows the colours.

Theory. What a croupier must see from two metres comes first and large: is the table open or closed, and whom it waits
for. Then the seats as they stand before him, then what is to be paid in paying order (R-13), then what is wrong. It
fits 80 columns and 24 rows, and what does not fit is counted, never dropped in silence. Pure.
"""

from controller.core.values import Phase
from controller.core.view import AwardView, Light, SeatView, TableView
from controller.ctl.award_orders import labels
from controller.ctl.hands import PRIZES
from controller.ctl.link_words import age_of, cut_off
from controller.ctl.orders import ended_pass
from controller.ctl.words import PHASES, amount_of, award_state, cards_drawn, hour, money_at, seat_list, sign_of
from controller.node.vocabulary.protocol import Health, NodeView, SeatNow, Waits, reading
from controller.terminal.cells import Cell, Row, beside

_GAP, _MOST_CARD, _LEAST_CARD = 1, 14, 7  # seven seats stand in one row of 60 columns
_MINUTE = 60_000
_STYLE = {Phase.BETWEEN: "between", Phase.OPEN: "open", Phase.LOCKING: "locking", Phase.SEALED: "sealed"}
_HINT = {
    Phase.BETWEEN: "F2 abre el pase",
    Phase.OPEN: "F3 no más apuestas",
    Phase.LOCKING: "todavía no reparta",
    Phase.SEALED: "reparta · F4 anota manos · F2 pase siguiente",
}
_PAY = "verifique y pague en el orden de abajo · F2 pase siguiente"
KEYS = (
    ("F1", "Ayuda"), ("F2", "Abrir"), ("F3", "Cerrar"), ("F4", "Manos"), ("F5", "Créditos"),
    ("F6", "Verificar"), ("F7", "Pagar"), ("Tab", "Mesa"),
)  # fmt: skip


def waiting(width: int, sentence: str) -> list[Row]:
    """No node yet, or no more."""
    return [_bar(width, " POZO", "", "title"), (), *_banner(width, "SIN NODO", sentence, "silent")]


def picture(view: NodeView, table: str, person: str, width: int, height: int, silent: bool) -> list[Row]:
    """The node and one table of it, in at most `height` rows."""
    shown = next((one for one in view.tables if one.table == table), None)
    awards, alarms = _awards(view, table), _alarms(view, table)
    wrong = f"▲ {len(alarms)} · " if alarms else ""
    who = f"{wrong}{person or 'nadie firma'} · {hour(view.at)} "
    top = [
        _bar(width, f" POZO · {view.node} · jornada {view.day or 'cerrada'}", who, "title"),
        _tabs(view, table, width),
    ]
    if silent:
        top += _banner(width, "SIN NODO", "el nodo dejó de hablar: lo que se ve es de antes", "silent")
    elif view.stopping:
        top += _banner(width, "DETENIDO", "el nodo está fuera de servicio: las mesas quedan cerradas", "silent")
    elif shown:
        top += _phase(shown, bool(awards), width)
    top += [(Cell(f" {reading(one.percent).message} ".center(width), "warn"),) for one in view.inquiries]
    middle = [*_pot(view, table, width), (), *_seats(view, shown, width)] if shown else []
    room = height - len(top) - len(middle)
    return [*top, *middle, *_fitting(awards, alarms, room)][:height]


def _fitting(awards: list[Row], alarms: list[Row], room: int) -> list[Row]:
    """Awards before alarms; of what has no room, how much there is."""
    rows: list[Row] = []
    for title, style, lines in (("PREMIOS, en orden de pago", "head", awards), ("ALARMAS", "bad", alarms)):
        left = room - len(rows) - 1
        if not lines or left < 1:
            continue
        kept = lines if len(lines) <= left else lines[: left - 1]
        rows += [(Cell(f" {title}", style),), *kept]
        if len(kept) < len(lines):
            rows.append((Cell(f"   … y {len(lines) - len(kept)} más", "dim"),))
    return rows


def _bar(width: int, left: str, right: str, style: str) -> Row:
    room = max(0, width - len(right))
    return (Cell(left[:room].ljust(room) + right[:width], style),)


def _tabs(view: NodeView, table: str, width: int) -> Row:
    """Every table with a word on how it is: what happens elsewhere is seen, too."""
    cells: list[Cell] = [Cell(" ")]
    for one in view.tables:
        due = sum(award.table == one.table for pot in view.pots for award in pot.awards)
        name = f" {one.table} {PHASES[one.phase].lower()}{f' · {due} por pagar' if due else ''} "
        if sum(len(cell.text) for cell in cells) + len(name) > width:
            break
        cells += [Cell(name, "tab.on" if one.table == table else "tab"), Cell(" ")]
    return tuple(cells)


def _phase(table: TableView, due: bool, width: int) -> list[Row]:
    words = PHASES[table.phase]
    hint = f"{_HINT[table.phase]}{_late(table)}"
    hint = _PAY if due and table.phase is Phase.SEALED else hint
    if table.phase is Phase.LOCKING and table.unproven:
        hint = f"{'falta' if len(table.unproven) == 1 else 'faltan'} {seat_list(table.unproven)} · {hint}"
    training = "ENTRENAMIENTO · " if table.training else ""
    return _banner(width, words, f"{training}pase {table.number} · {hint}", _STYLE[table.phase])


def _late(table: TableView) -> str:
    """R-35: until the next seal a winner of the pass that has just ended is entered alone."""
    ended = ended_pass(table)
    return f" · F4 ganadora del pase {ended}" if ended else ""


def _banner(width: int, word: str, below: str, style: str) -> list[Row]:
    large = " ".join(word)
    lines = (("", style), (large, f"{style}.large"), (below, style))
    return [(Cell(text[:width].center(width), name),) for text, name in lines]


def _pot(view: NodeView, table: str, width: int) -> list[Row]:
    sign = sign_of(view, table)
    if sign is None:
        return []
    money = money_at(view, table)
    limits = f"apuesta de {money(sign.least)} a {money(sign.most)} "
    title, amount, age = f" {sign.title}  ", money(sign.main), age_of(view, sign.pot)
    gap = " " * max(1, width - len(title) - len(amount) - len(age) - len(limits))
    row = (Cell(title, "head"), Cell(amount, "pot"), Cell(age, "warn"), Cell(gap), Cell(limits, "dim"))
    cut = () if sign.training else cut_off(view, sign.pot)
    return [row, *((Cell(line[:width].center(width), "warn"),) for line in cut)]


def _seats(view: NodeView, table: TableView | None, width: int) -> list[Row]:
    """Side by side; as many as there is room for."""
    if table is None:
        return []
    seen = {seat.seat: seat for seat in view.seats if seat.table == table.table}
    across = max(1, min(len(table.seats), (width + _GAP) // (_LEAST_CARD + _GAP)))
    size = min(_MOST_CARD, (width + _GAP) // across - _GAP)
    rows: list[Row] = []
    for start in range(0, len(table.seats), across):
        cards = [_card(view, table, seat, seen.get(seat.seat), size) for seat in table.seats[start : start + across]]
        rows += beside(cards, (width - len(cards) * (size + _GAP) + _GAP) // 2)
    if table.cards:
        rows.append((Cell(f" Carta sorteada: {cards_drawn(table.cards)}", "head"),))
    return rows


def _card(view: NodeView, table: TableView, seat: SeatView, seen: SeatNow | None, size: int) -> list[Row]:
    """Number, lamp, bet, credits, and what is the matter."""
    lamp, light = _lamp(seat, seen)
    money = money_at(view, table.table)
    bet = money(seat.bet) if seat.bet else "–"
    bet = bet if len(bet) <= size else money.bare(seat.bet)
    credits_ = f"{seat.credits} créd." if seat.credits else ""
    credits_ = credits_ if len(credits_) <= size else f"{seat.credits} cr"
    credits_ = f"{seat.credits}+{seat.promo} cr." if seat.promo else credits_
    word, style = _matter(table, seat, seen)
    word = word if len(word) <= size else _NARROW.get(word, word)
    lines = (
        (str(seat.seat), "seat"),
        (lamp, light),
        (bet, "seat.bet" if seat.bet else "seat.dim"),
        (credits_, "seat.text"),
        (word, style),
    )
    return [(Cell(text[:size].center(size), style),) for text, style in lines]


_NARROW = {
    "SIN SEÑAL": "S.SEÑAL", "POR FIRMAR": "FIRMAR", "DEVOLVER": "DEBE", "próx. pase": "próximo", "bloqueada": "bloq.",
}  # fmt: skip


def _lamp(seat: SeatView, seen: SeatNow | None) -> tuple[str, str]:
    """The lamp that the unit reports, beside the one it should show: only a steady lamp is a bet (R-6)."""
    if seat.light is Light.FAULT or (seen is not None and seen.lamp == "fault"):
        return "✖", "lamp.fault"
    if seen is not None and seen.lamp == "lit":
        return "▟██▙", "lamp.lit"
    return ("▗▄▄▖", "lamp.waits") if seat.light is Light.STEADY else ("▗▄▄▖", "lamp.dark")


def _matter(table: TableView, seat: SeatView, seen: SeatNow | None) -> tuple[str, str]:
    """The one thing to say of a seat, the worst first."""
    matters = (
        (bool(seat.closed), "CERRADA", "trouble"),
        (seen is not None and seen.health is not Health.UP, "SIN SEÑAL", "trouble"),
        (bool(seat.unsigned), "POR FIRMAR", "warn"),
        (bool(seat.owed), "DEVOLVER", "warn"),
        (seat.seat in table.unproven, "FALTA", "warn"),
        (seen is not None and bool(seen.faults), "FALLA", "warn"),
        (seen is not None and seen.waits is Waits.NEXT and not seat.bet, "próx. pase", "warn"),
        (table.phase is Phase.OPEN and seen is not None and seen.locked, "bloqueada", "warn"),
    )
    return next(((word, style) for holds, word, style in matters if holds), ("", "seat.text"))


def _awards(view: NodeView, table: str) -> list[Row]:
    awards = [award for pot in view.pots for award in pot.awards if award.table == table]
    called = labels(awards)
    return [_award(view, called[award.award], award) for award in awards]


def _award(view: NodeView, name: str, award: AwardView) -> Row:
    """An award, and how long it waits: the house may verify for 30 minutes (R-21)."""
    minutes = max(0, view.at - award.since) // _MINUTE
    state = award_state(view, award)
    style = "bad" if award.overdue else "good" if award.confirmed else "warn"
    order = "" if award.waits or award.frozen else f"p {name}" if award.confirmed else f"k {name}"
    return (
        Cell(f" {name:>2}  ", "head"),
        Cell(f"posición {award.seat:<2} ", "text"),
        Cell(f"{PRIZES.get(award.prize, award.prize):<18}", "text"),
        Cell(f"{amount_of(view, award):>16}  ", "amount"),
        Cell(f" {state.upper()} ", f"state.{style}"),
        Cell(f"  {order:<5}", "key"),
        Cell(f"{minutes} min" if not award.confirmed else "", "dim"),
    )


def _alarms(view: NodeView, table: str) -> list[Row]:
    """The alarms of this table, then those of others."""
    here = [alarm for alarm in view.alarms if alarm.where.split("/")[0] == table]
    elsewhere = [alarm for alarm in view.alarms if alarm not in here]
    rows: list[Row] = [(Cell("  ▲ ", "bad"), Cell(alarm.sentence, "text")) for alarm in (*here, *elsewhere)]
    for unit in view.units:
        if unit.health is Health.DOWN or unit.why:
            seats = f", posición {seat_list(unit.seats)}" if unit.seats else ""
            trouble = f"Mesa {unit.table}{seats}: {unit.why or 'no responde'} ({unit.line}/{unit.number})"
            rows.append((Cell("  ✖ ", "bad"), Cell(trouble, "text")))
    return rows


def keys_row(width: int) -> Row:
    """The keys and what each does, as far as there is room."""
    cells: list[Cell] = []
    for name, does in KEYS:
        if sum(len(cell.text) for cell in cells) + len(name) + len(does) + 2 > width:
            break
        cells += [Cell(f" {name}", "key.name"), Cell(f"{does} ", "key.does")]
    return tuple(cells)
