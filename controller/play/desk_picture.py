"""The table as a picture of text: rows of cells, each with the name of a style; who draws it knows colours.

As much as fits is side by side, and when it would be too high it is drawn tighter. Seen often enough, its lamps blink.
What players and the croupier would read is Spanish.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.terminal.cells import Cell, Row, beside, cut, length
from drivers.session import Micros
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.devices import AnySign, NativeDevice
from firmware_sim.desk.lines import AnyLine, SerialLine
from firmware_sim.desk.players import PlayerView, is_lit
from firmware_sim.desk.view import counters, seats_seen, signs, trouble_of
from firmware_sim.native.console import ConsoleKey

_LEAST_CARD, _MOST_CARD, _GAP = 8, 14, 1
_LEAST_SIGN, _GLASS = 24, 6
_FELT = "on #0f4223"
STYLES = {
    "title": "bold #f2d27a", "rule": "#4a4a4a", "port": "#7fb4d8",
    "good": "#5fd38a", "bad": "bold #ff6b5e",
    "felt": _FELT, "seat": f"bold #d8e6d8 {_FELT}", "trouble": "bold #ffffff on #8f2d22",
    "lamp.lit": f"bold #ffcc33 {_FELT}", "lamp.dark": f"#3a3a3a {_FELT}",
    "glass": "#8dff9d on #05140a", "glass.off": "on #0b0b0b",
    "key": "#1a1a1a on #b9b9b0", "key.down": "bold #1a1a1a on #ffcc33",
    "open": f"#8dffb0 {_FELT}", "shut": f"#e0a08a {_FELT}",
    "sign": "bold #ff5a36 on #140403", "sign.off": "on #0b0b0b", "sign.frame": "#3a3a3a",
    "plate": "bold #f2d27a on #333333", "closed": "bold #ffffff on #b3261e",
    "prompt": "bold #f2d27a on #333333",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Size:
    """Which rows of a sign and of a card are drawn, and whether air stands between things."""

    sign: tuple[int, ...]
    card: tuple[int, ...]
    air: tuple[Row, ...]


_ROOMY, _TIGHT = _Size((0, 1, 2), (0, 1, 2, 3, 4, 5, 6), ((),)), _Size((1,), (0, 1, 4, 5, 6), ())


def picture(desk: Desk, now: Micros, width: int, height: int, ports: Mapping[str, str]) -> list[Row]:
    """`ports`: where each line is to be found, by its name. Tighter if it would be higher than `height`."""
    rows = _rows(desk, now, width, ports, _ROOMY)
    if len(rows) > height:
        rows = _rows(desk, now, width, ports, _TIGHT)
    return [cut(row, width) for row in rows]


def _rows(desk: Desk, now: Micros, width: int, ports: Mapping[str, str], size: _Size) -> list[Row]:
    return [
        _title(desk, width),
        *size.air,
        *_sign_rows(signs(desk.devices), now, width, size),
        *_table_rows(seats_seen(desk.devices, now), now, width, size),
        *_croupier_rows(desk, width),
        *[_line_row(line, ports[line.name], width) for line in desk.lines],
    ]


def _title(desk: Desk, width: int) -> Row:
    name = f" {desk.name} "
    alarm = " línea de cierre cortada " if desk.lock_line_pulled else ""
    rule = "─" * max(0, width - len(name) - len(alarm))
    return (Cell(name, "title"), Cell(rule, "rule"), Cell(alarm, "bad"))


def _sign_rows(signs: Sequence[AnySign], now: Micros, width: int, size: _Size) -> list[Row]:
    """Side by side, as many as there is room for."""
    faces = [_sign(sign, now, width) for sign in signs]
    across = max(1, (width + _GAP) // (max((length(face[0]) for face in faces), default=width) + _GAP))
    rows: list[Row] = []
    for start in range(0, len(faces), across):
        rows += _in_the_middle([[face[row] for row in size.sign] for face in faces[start : start + across]], width)
    return rows + [()] * bool(rows)


def _sign(sign: AnySign, now: Micros, width: int) -> list[Row]:
    text, face = sign.firmware.displayed(now), "sign" if sign.firmware.powered else "sign.off"
    inside = min(max(_LEAST_SIGN, len(text) + 4), width - 2)
    shown = text if len(text) <= inside else text[: inside - 1] + "…"
    return framed(shown.center(inside), face)


def framed(shown: str, face: str, title: str = "") -> list[Row]:
    """What a sign shows, in its frame, perhaps with a title on it."""
    inside = len(shown)
    left = (inside - len(title)) // 2
    top = (
        Cell(f"▗{'▄' * left}", "sign.frame"),
        Cell(title, "title"),
        Cell("▄" * (inside - left - len(title)) + "▖", "sign.frame"),
    )
    return [
        top,
        (Cell("▐", "sign.frame"), Cell(shown, face), Cell("▌", "sign.frame")),
        (Cell(f"▝{'▀' * inside}▘", "sign.frame"),),
    ]


def _table_rows(seats: Sequence[PlayerView], now: Micros, width: int, size: _Size) -> list[Row]:
    """Put as many cards side by side as there is room for, all of one width, in rows of about one length."""
    most = max(1, (width + _GAP) // (_LEAST_CARD + _GAP))
    ranks = max(1, -(-len(seats) // most))
    across = max(1, -(-len(seats) // ranks))
    card = max(_LEAST_CARD, min(_MOST_CARD, (width + _GAP) // across - _GAP))
    rows: list[Row] = []
    for start in range(0, len(seats), across):
        cards = [_card(seat, now, card) for seat in seats[start : start + across]]
        rows += _in_the_middle([[one[row] for row in size.card] for one in cards], width)
        rows += size.air
    return rows + [()] * (bool(rows) and not size.air)


def _in_the_middle(blocks: Sequence[Sequence[Row]], width: int) -> list[Row]:
    whole = sum(length(block[0]) for block in blocks) + _GAP * (len(blocks) - 1)
    return beside(blocks, (width - whole) // 2)


def _card(seat: PlayerView, now: Micros, width: int) -> list[Row]:
    light = "lamp.lit" if is_lit(seat.lamp, now) else "lamp.dark"
    left = (width - _GLASS) // 2
    glass = "felt" if seat.shows is None else "glass" if seat.powered else "glass.off"
    shown = (seat.shows or "")[-_GLASS:].rjust(_GLASS)
    return [
        (Cell(str(seat.number).center(width), "seat"),),
        (Cell("▟████▙".center(width), light),),
        (Cell("▜████▛".center(width), light),),
        (Cell(" " * width, "felt"),),
        (Cell(" " * left, "felt"), Cell(shown, glass), Cell(" " * (width - _GLASS - left), "felt")),
        _keys(seat, width),
        (Cell(seat.trouble.center(width), "trouble" if seat.trouble else "felt"),),
    ]


def _keys(seat: PlayerView, width: int) -> Row:
    if seat.gate_open is not None:
        return (Cell(("abierta" if seat.gate_open else "cerrada").center(width), "open" if seat.gate_open else "shut"),)
    size = sum(len(name) for name, _ in seat.keys) + max(0, len(seat.keys) - 1)
    left = max(0, (width - size) // 2)
    cells = [Cell(" " * left, "felt")]
    for place, (name, down) in enumerate(seat.keys):
        cells += [Cell(" ", "felt")] * bool(place) + [Cell(name, "key.down" if down else "key")]
    return (*cells, Cell(" " * max(0, width - size - left), "felt"))


def _croupier_rows(desk: Desk, width: int) -> list[Row]:
    """Side by side if there is room."""
    parts = [*_console_parts(desk), *(_counter_cells(text) for _, text in counters(desk.devices))]
    whole = sum(length(part) for part in parts)
    rows = [tuple(cell for part in parts for cell in part)] if whole <= width else parts
    return [*rows, ()] if parts else []


def _console_parts(desk: Desk) -> list[Row]:
    if desk.console is None:
        return []
    plate = (Cell(" "), Cell(" CONSOLA ", "plate"), Cell(" "))
    trouble = trouble_of(desk.console)
    last = Cell(f"  {trouble}" if trouble else "", "bad")
    if not isinstance(desk.console, NativeDevice):
        return [(*plate, Cell("cerrar y abrir: botones del módulo", "dim"), last)]
    unit = desk.console.firmware
    down = unit.seats[0].contacts.down
    closed = unit.powered and not unit.memory.open
    return [(
        *plate, Cell(" ● MESA CERRADA ", "closed") if closed else Cell(" ○ mesa cerrada ", "dim"), Cell("  "),
        Cell(" cerrar ", "key.down" if ConsoleKey.LOCK in down else "key"), Cell(" "),
        Cell(" abrir ", "key.down" if ConsoleKey.UNLOCK in down else "key"),
        Cell("  llave: sí" if unit.key_on else "  llave: no", "" if unit.key_on else "dim"), last,
    )]  # fmt: skip


def _counter_cells(text: str) -> Row:
    glass = Cell(f" {text:>9} ", "glass" if text else "glass.off")
    return (Cell("  "), Cell(" CRÉDITOS ", "plate"), Cell(" "), glass)


def _line_row(line: AnyLine, port: str, width: int) -> Row:
    """The line as a technician needs it. A port that is too long loses its beginning, for the ends differ."""
    what = f"{line.kind} {line.plan.baud}" if isinstance(line, SerialLine) else line.kind
    state = Cell(" ● ", "good") if line.plugged else Cell(" ○ ", "bad")
    troubles = [*line.troubles, *([] if line.plugged else ["unplugged"])]
    room = max(12, width - 3 - 13 - 13 - 2 - len(", ".join(troubles)))
    where = port if len(port) <= room else f"…{port[1 - room :]}"
    return (
        state, Cell(f"{line.name:<12} "), Cell(f"{what:<12} ", "dim"), Cell(f"{where}  ", "port"),
        Cell(", ".join(troubles), "bad"),
    )  # fmt: skip
