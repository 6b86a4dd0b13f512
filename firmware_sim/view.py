"""What a person at the table sees: seats with their lamps, the sign, the console; below it what a technician would see.

Pure: a picture is rows of cells, a cell is text and the name of a style; nothing here knows a terminal. A lamp shows
what it really does at this instant, so whoever draws the picture often enough sees it blink. What players and the
croupier would read is Spanish. Looking changes nothing: no device is ticked for it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from drivers.native.contract import Lamp, SeatFault, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.desk import Desk
from firmware_sim.desk_devices import (
    BUTTONS,
    CHANNEL,
    AcceptorDevice,
    AnyDevice,
    ModuleDevice,
    NativeDevice,
    PanelDevice,
    TalkingSign,
)
from firmware_sim.desk_file import Console, Counter
from firmware_sim.desk_lines import AnyLine, SerialLine
from firmware_sim.native.counter import DASHES

FAST: Micros = 125 * MILLISECOND  # a fast blink is lit so long, and dark so long
WINK: Micros = 1_000 * MILLISECOND  # a wink is one short light in so long
_WINKS: Micros = 125 * MILLISECOND
_LEAST_CARD, _MOST_CARD, _GAP = 8, 14, 1
_ON, _FLASHING = 2, 10  # a ccTalk lamp's modes


class Cell(NamedTuple):
    text: str
    style: str = ""


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as a player has it before him."""

    number: int
    lamp: Lamp
    shows: int | None  # None: nothing, or dashes
    powered: bool
    keys: tuple[tuple[str, bool], ...] = ()  # what stands on each, and whether it is down
    gate_open: bool | None = None  # None: it has no slot
    trouble: str = ""


def is_lit(lamp: Lamp, now: Micros) -> bool:
    match lamp:
        case Lamp.STEADY | Lamp.TEST:
            return True
        case Lamp.PENDING:
            return now // FAST % 2 == 0
        case Lamp.FAULT:
            return now % WINK < _WINKS
        case _:
            return False


# ---------------------------------------------------------------------------------------------------- what is there


def seats_seen(desk: Desk, now: Micros) -> list[SeatView]:
    seen = [_seat_seen(device, seat, now) for device in desk.devices for seat in device.seats]
    return sorted(seen, key=lambda seat: seat.number)


def _seat_seen(device: AnyDevice, seat: int, now: Micros) -> SeatView:
    match device:
        case NativeDevice():
            return _native_seat(device, seat)
        case ModuleDevice():
            return _wired_seat(device, seat, now)
        case AcceptorDevice():
            return _acceptor_seat(device, seat)
        case _:
            raise AssertionError(f"{device.place} has no seats")


def _native_seat(device: NativeDevice, number: int) -> SeatView:
    unit, place = device.firmware, device.seats.index(number) + 1
    seat = unit.seats[place - 1]
    shows = unit.shows(place)
    slot = seat.mode == SeatMode.CHIPS
    jammed = slot and (seat.path.stuck or bool(seat.live & SeatFault.CHIP_JAM))
    return SeatView(
        number=number,
        lamp=seat.lamp.seen() if unit.powered else Lamp.OFF,
        shows=None if shows == DASHES else shows,
        powered=unit.powered,
        keys=() if slot else tuple((str(size), key in seat.contacts.down) for key, size in enumerate(BUTTONS, 1)),
        gate_open=unit.is_gate_open(place) if slot else None,
        trouble=_trouble(device, jammed=jammed),
    )


def _wired_seat(device: ModuleDevice, number: int, now: Micros) -> SeatView:
    wired = next(seat for seat in device.map.seats if seat.seat == number)
    return SeatView(
        number=number,
        lamp=Lamp.STEADY if device.firmware.light(number, now) else Lamp.OFF,
        shows=None,
        powered=device.firmware.powered,
        keys=tuple((str(button.credits), False) for button in wired.buttons),
        trouble=_trouble(device),
    )


def _acceptor_seat(device: AcceptorDevice, number: int) -> SeatView:
    acceptor, coins = device.firmware, device.firmware.coins
    mode = acceptor.lamp()
    return SeatView(
        number=number,
        lamp=Lamp.STEADY if mode == _ON else Lamp.PENDING if mode >= _FLASHING else Lamp.OFF,
        shows=len(coins.box),
        powered=acceptor.powered,
        gate_open=acceptor.powered and coins.master_open and bool(coins.mask >> (CHANNEL - 1) & 1),
        trouble=_trouble(device, jammed=coins.jammed),
    )


def _trouble(device: AnyDevice, *, jammed: bool = False) -> str:
    """What anybody would notice; the worst of it."""
    if not device.firmware.powered:
        return "apagado"
    if jammed:
        return "atascado"
    return "" if device.plugged else "suelto"


# ---------------------------------------------------------------------------------------------------- in words


def told(desk: Desk, now: Micros) -> list[str]:
    """The same in sentences, one for each thing: for `status`, and for whoever has no terminal."""
    lines = [
        f"line {line.name}: {'up' if line.plugged else 'UNPLUGGED'}" + _joined(line.troubles) for line in desk.lines
    ]
    seats = [f"seat {seat.number}: {', '.join(_seat_words(seat))}" for seat in seats_seen(desk, now)]
    return [*lines, *seats, *_console_words(desk), *_shown_words(desk, now)]


def _plug_word(line: AnyLine) -> str:
    return "up" if line.plugged else "UNPLUGGED"


_LAMP_WORDS = {
    Lamp.OFF: "dark", Lamp.STEADY: "steady", Lamp.PENDING: "fast blink", Lamp.FAULT: "wink", Lamp.TEST: "test",
}  # fmt: skip
_TROUBLE_WORDS = {"apagado": "no power", "atascado": "jammed", "suelto": "data wires off"}


def _seat_words(seat: SeatView) -> list[str]:
    words = [f"lamp {_LAMP_WORDS[seat.lamp]}"]
    if seat.powered and seat.shows is not None:
        words.append(f"shows {seat.shows}")
    if seat.gate_open is not None:
        words.append("gate open" if seat.gate_open else "gate shut")
    words += [f"button {key} down" for key, (_, down) in enumerate(seat.keys, 1) if down]
    return words + ([_TROUBLE_WORDS[seat.trouble]] if seat.trouble else [])


def _console_words(desk: Desk) -> list[str]:
    words = []
    if isinstance(desk.console, NativeDevice):
        unit = desk.console.firmware
        light = "dark" if not unit.powered else "open" if unit.memory.open else "closed"
        words.append(f"console: {light}, key {'on' if unit.key_on else 'off'}")
    if desk.lock_line_pulled:
        words.append("hardware lock line: pulled")
    return words


def _shown_words(desk: Desk, now: Micros) -> list[str]:
    counters = [f"counter {place}: {text}" for place, text in _counters(desk)]
    return counters + [f"sign {sign.place}: {sign.firmware.displayed(now) or '(dark)'}" for sign in _signs(desk)]


def _signs(desk: Desk) -> list[TalkingSign | PanelDevice]:
    return [device for device in desk.devices if isinstance(device, TalkingSign | PanelDevice)]


def _counters(desk: Desk) -> list[tuple[str, str]]:
    found = []
    for device in desk.devices:
        if isinstance(device, NativeDevice) and isinstance(device.standing.plan, Counter):
            value = device.firmware.shows(1)
            text = "" if not device.firmware.powered else "-----" if value == DASHES else grouped(value)
            found.append((device.place, text))
    return found


def grouped(value: int) -> str:
    """As it is written where people play: 1.234.567."""
    return f"{value:,}".replace(",", ".")


# ---------------------------------------------------------------------------------------------------- the picture


def picture(desk: Desk, now: Micros, width: int, ports: Mapping[str, str]) -> list[Row]:
    """`ports`: where each line is to be found, by its name."""
    rows: list[Row] = [_title(desk, width), ()]
    for sign in _signs(desk):
        rows += _sign_rows(sign.firmware.displayed(now), sign.firmware.powered, width)
    rows += _table_rows(seats_seen(desk, now), now, width)
    rows += _croupier_rows(desk)
    return rows + [_line_row(line, ports.get(line.name, ""), width) for line in desk.lines]


def _title(desk: Desk, width: int) -> Row:
    name = f" {desk.name} "
    alarm = " línea de cierre cortada " if desk.lock_line_pulled else ""
    return (
        Cell(name, "title"),
        Cell("─" * max(0, width - len(name) - len(alarm)), "rule"),
        *([Cell(alarm, "bad")] if alarm else []),
    )


def _sign_rows(text: str, powered: bool, width: int) -> list[Row]:
    inside = min(max(24, len(text) + 4), width - 4)
    face = "sign" if powered else "sign.off"
    pad = " " * ((width - inside - 2) // 2)
    shown = text if len(text) <= inside else text[: inside - 1] + "…"
    frame = [f"▗{'▄' * inside}▖", f"▝{'▀' * inside}▘"]
    return [
        (Cell(pad), Cell(frame[0], "sign.frame")),
        (Cell(pad), Cell("▐", "sign.frame"), Cell(shown.center(inside), face), Cell("▌", "sign.frame")),
        (Cell(pad), Cell(frame[1], "sign.frame")),
        (),
    ]


def _table_rows(seats: Sequence[SeatView], now: Micros, width: int) -> list[Row]:
    """As many cards side by side as there is room for, all of one width, rows of about one length."""
    if not seats:
        return []
    most = max(1, (width + _GAP) // (_LEAST_CARD + _GAP))
    ranks = -(-len(seats) // most)
    across = -(-len(seats) // ranks)
    card = min(_MOST_CARD, (width + _GAP) // across - _GAP)
    rows: list[Row] = []
    for start in range(0, len(seats), across):
        cards = [_card(seat, now, card) for seat in seats[start : start + across]]
        pad = " " * ((width - across * (card + _GAP) + _GAP) // 2)
        for line in zip(*cards, strict=True):
            row = [Cell(pad)]
            for cells in line:
                row += [*cells, Cell(" " * _GAP)]
            rows.append(tuple(row[:-1]))
        rows.append(())
    return rows


def _card(seat: SeatView, now: Micros, width: int) -> list[Row]:
    light = "lamp.lit" if is_lit(seat.lamp, now) else "lamp.dark"
    shown = "" if not seat.powered else "" if seat.shows is None else grouped(seat.shows)
    glass = "glass" if seat.powered else "glass.off"
    left = (width - 6) // 2
    edge, rest = Cell(" " * left, "felt"), Cell(" " * (width - 6 - left), "felt")
    return [
        (Cell(str(seat.number).center(width), "seat"),),
        (Cell("▟████▙".center(width), light),),
        (Cell("▜████▛".center(width), light),),
        (Cell(" " * width, "felt"),),
        (edge, Cell(shown[-6:].rjust(6), glass), rest),
        _keys(seat, width),
        (Cell(seat.trouble.center(width), "trouble" if seat.trouble else "felt"),),
    ]


def _keys(seat: SeatView, width: int) -> Row:
    if seat.gate_open is not None:
        return (Cell(("abierta" if seat.gate_open else "cerrada").center(width), "open" if seat.gate_open else "shut"),)
    size = sum(len(name) for name, _ in seat.keys) + max(0, len(seat.keys) - 1)
    left = max(0, (width - size) // 2)
    cells = [Cell(" " * left, "felt")]
    for place, (name, down) in enumerate(seat.keys):
        cells += [Cell(" ", "felt")] * bool(place) + [Cell(name, "key.down" if down else "key")]
    return (*cells, Cell(" " * max(0, width - size - left), "felt"))


def _croupier_rows(desk: Desk) -> list[Row]:
    cells: list[Cell] = []
    if isinstance(desk.console, NativeDevice):
        cells += _console_cells(desk.console)
    elif desk.console is not None:
        cells += [Cell(" CONSOLA ", "plate"), Cell("  botones de cerrar y abrir, por módulo", "dim")]
    for _, text in _counters(desk):
        gap = [Cell("     ")] if cells else [Cell(" ")]
        cells += [*gap, Cell(" CRÉDITOS ", "plate"), Cell(" "), Cell(f" {text:>9} ", "glass" if text else "glass.off")]
    return [tuple(cells), ()] if cells else []


def _console_cells(console: NativeDevice) -> list[Cell]:
    unit = console.firmware
    down = unit.seats[0].contacts.down
    closed = unit.powered and not unit.memory.open
    light = Cell(" ● MESA CERRADA ", "closed") if closed else Cell(" ○ mesa cerrada ", "dim")
    key = "key.down"
    assert isinstance(console.standing.plan, Console), "a console of another kind"
    return [
        Cell(" "), Cell(" CONSOLA ", "plate"), Cell(" "), light, Cell("  "),
        Cell(" cerrar ", key if 1 in down else "key"), Cell(" "), Cell(" abrir ", key if 2 in down else "key"),
        Cell(f"  llave {'puesta' if unit.key_on else 'quitada'}", "" if unit.key_on else "dim"),
        *([Cell(f"  {_trouble(console)}", "bad")] if _trouble(console) else []),
    ]  # fmt: skip


def _line_row(line: AnyLine, port: str, width: int) -> Row:
    """For the technician."""
    what = f"{line.kind} {line.plan.baud}" if isinstance(line, SerialLine) else line.kind
    state = Cell(" ● ", "good") if line.plugged else Cell(" ○ ", "bad")
    trouble = ", ".join((*line.troubles, *([] if line.plugged else ["unplugged"])))
    row = [
        state,
        Cell(f"{line.name:<12} "),
        Cell(f"{what:<12} ", "dim"),
        Cell(f"{port} ", "port"),
        Cell(trouble, "bad"),
    ]
    return _cut(row, width)


def _cut(row: Iterable[Cell], width: int) -> Row:
    cells: list[Cell] = []
    for cell in row:
        if len(cell.text) > width:
            return (*cells, Cell(cell.text[:width], cell.style))
        width -= len(cell.text)
        cells.append(cell)
    return tuple(cells)


def as_text(row: Row) -> str:
    return "".join(cell.text for cell in row).rstrip()
