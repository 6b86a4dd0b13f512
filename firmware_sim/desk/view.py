"""What a person at the table sees: lamps, displays, keys, the slot's gate, what is broken; and the same in words.

Pure, and looking changes nothing: no device is ticked for it. A lamp is what it really does, faults included; whether
it is lit at this instant is `is_lit`. A picture of it is drawn in picture.py.
"""

from dataclasses import dataclass

from drivers.native.contract import Lamp, SeatFault, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.devices import (
    BUTTONS,
    CHANNEL,
    AcceptorDevice,
    AnyDevice,
    AnySign,
    ModuleDevice,
    NativeDevice,
    PanelDevice,
    TalkingSign,
)
from firmware_sim.desk.file import Counter
from firmware_sim.desk.lines import AnyLine
from firmware_sim.native.counter import DASHES

FAST: Micros = 125 * MILLISECOND  # a fast blink is lit so long, and dark so long
WINK: Micros = 1_000 * MILLISECOND  # a wink is one short light in so long
_WINKS: Micros = 125 * MILLISECOND
_ON, _FLASHING = 2, 10  # a ccTalk lamp's modes


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as a player has it before him."""

    number: int
    lamp: Lamp
    shows: str | None  # None: it has no display
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
        shows="" if shows == DASHES else grouped(shows),
        powered=unit.powered,
        keys=() if slot else tuple((str(size), key in seat.contacts.down) for key, size in enumerate(BUTTONS, 1)),
        gate_open=unit.is_gate_open(place) if slot else None,
        trouble=trouble_of(device, jammed=jammed),
    )


def _wired_seat(device: ModuleDevice, number: int, now: Micros) -> SeatView:
    wired = next(seat for seat in device.map.seats if seat.seat == number)
    return SeatView(
        number=number,
        lamp=Lamp.STEADY if device.firmware.light(number, now) else Lamp.OFF,
        shows=None,
        powered=device.firmware.powered,
        keys=tuple((str(button.credits), False) for button in wired.buttons),
        trouble=trouble_of(device),
    )


def _acceptor_seat(device: AcceptorDevice, number: int) -> SeatView:
    acceptor, coins = device.firmware, device.firmware.coins
    mode = acceptor.lamp()
    return SeatView(
        number=number,
        lamp=Lamp.STEADY if mode == _ON else Lamp.PENDING if mode >= _FLASHING else Lamp.OFF,
        shows=str(len(coins.box)) if acceptor.powered else "",
        powered=acceptor.powered,
        gate_open=acceptor.powered and coins.master_open and bool(coins.mask >> (CHANNEL - 1) & 1),
        trouble=trouble_of(device, jammed=coins.jammed),
    )


def trouble_of(device: AnyDevice, *, jammed: bool = False) -> str:
    """What anybody would notice; the worst of it."""
    if not device.firmware.powered:
        return "apagado"
    if jammed:
        return "atascado"
    return "" if device.plugged else "suelto"


# ---------------------------------------------------------------------------------------------------- in words


def told(desk: Desk, now: Micros) -> list[str]:
    """The same in sentences, one for each thing: for `status`, and for whoever has no terminal."""
    lines = [", ".join((f"line {line.name}: {_plug_word(line)}", *line.troubles)) for line in desk.lines]
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
    if seat.shows:
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
    values = [f"counter {place}: {text or '(dark)'}" for place, text in counters(desk)]
    return values + [f"sign {sign.place}: {sign.firmware.displayed(now) or '(dark)'}" for sign in signs(desk)]


def signs(desk: Desk) -> list[AnySign]:
    return [device for device in desk.devices if isinstance(device, TalkingSign | PanelDevice)]


def counters(desk: Desk) -> list[tuple[str, str]]:
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
