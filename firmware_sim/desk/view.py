"""What a person at the table sees: lamps, displays, keys, the slot's gate, what is broken.

Pure, and looking changes nothing: no device is ticked for it. A lamp is what it really does, faults included; whether
it is lit at this instant says `is_lit` (players.py).
"""

from collections.abc import Sequence

from drivers.native.contract import LampDrive, SeatFault, SeatMode
from drivers.session import Micros
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
from firmware_sim.desk.file import CounterPlan
from firmware_sim.desk.players import PlayerView
from firmware_sim.native.counter import DASHES

_ON, _FLASHING = 2, 10  # a ccTalk lamp's modes


# ---------------------------------------------------------------------------------------------------- what is there


def seats_seen(devices: Sequence[AnyDevice], now: Micros) -> list[PlayerView]:
    seen = [_seat_seen(device, seat, now) for device in devices for seat in device.seats]
    return sorted(seen, key=lambda seat: seat.number)


def _seat_seen(device: AnyDevice, seat: int, now: Micros) -> PlayerView:
    match device:
        case NativeDevice():
            return _native_seat(device, seat)
        case ModuleDevice():
            return _wired_seat(device, seat, now)
        case AcceptorDevice():
            return _acceptor_seat(device, seat)
        case _:
            raise AssertionError(f"{device.place} has no seats")


def _native_seat(device: NativeDevice, number: int) -> PlayerView:
    unit, place = device.firmware, device.seats.index(number) + 1
    seat = unit.seats[place - 1]
    shows = unit.shows(place)
    slot = seat.mode == SeatMode.CHIPS
    jammed = slot and (seat.path.stuck or bool(seat.live & SeatFault.CHIP_JAM))
    return PlayerView(
        number=number,
        lamp=seat.lamp.seen() if unit.powered else LampDrive.OFF,
        shows="" if shows == DASHES else grouped(shows),
        powered=unit.powered,
        keys=() if slot else tuple((str(size), key in seat.contacts.down) for key, size in enumerate(BUTTONS, 1)),
        gate_open=unit.is_gate_open(place) if slot else None,
        trouble=trouble_of(device, jammed=jammed),
    )


def _wired_seat(device: ModuleDevice, number: int, now: Micros) -> PlayerView:
    wired = next(seat for seat in device.map.seats if seat.seat == number)
    return PlayerView(
        number=number,
        lamp=LampDrive.STEADY if device.firmware.light(number, now) else LampDrive.OFF,
        shows=None,
        powered=device.firmware.powered,
        keys=tuple((str(button.credits), False) for button in wired.buttons),
        trouble=trouble_of(device),
    )


def _acceptor_seat(device: AcceptorDevice, number: int) -> PlayerView:
    acceptor, coins = device.firmware, device.firmware.coins
    mode = acceptor.lamp()
    return PlayerView(
        number=number,
        lamp=LampDrive.STEADY if mode == _ON else LampDrive.PENDING if mode >= _FLASHING else LampDrive.OFF,
        shows=str(len(coins.box)) if acceptor.powered else "",
        powered=acceptor.powered,
        gate_open=acceptor.powered and coins.master_open and bool(coins.mask >> (CHANNEL - 1) & 1),
        trouble=trouble_of(device, jammed=coins.jammed),
    )


def trouble_of(device: AnyDevice, *, jammed: bool = False) -> str:
    """The worst trouble that a person at the table would notice."""
    if not device.firmware.powered:
        return "apagado"
    if jammed:
        return "atascado"
    return "" if device.plugged else "suelto"


# ---------------------------------------------------------------------------------------------------- in words


_LAMP_WORDS = {
    LampDrive.OFF: "dark", LampDrive.STEADY: "steady", LampDrive.PENDING: "fast blink",
    LampDrive.FAULT: "wink", LampDrive.TEST: "test",
}  # fmt: skip
_TROUBLE_WORDS = {"apagado": "no power", "atascado": "jammed", "suelto": "data wires off"}


def seat_words(seat: PlayerView) -> list[str]:
    words = [f"lamp {_LAMP_WORDS[seat.lamp]}"]
    if seat.shows:
        words.append(f"shows {seat.shows}")
    if seat.gate_open is not None:
        words.append("gate open" if seat.gate_open else "gate shut")
    words += [f"button {key} down" for key, (_, down) in enumerate(seat.keys, 1) if down]
    return words + ([_TROUBLE_WORDS[seat.trouble]] if seat.trouble else [])


def signs(devices: Sequence[AnyDevice]) -> list[AnySign]:
    return [device for device in devices if isinstance(device, TalkingSign | PanelDevice)]


def counters(devices: Sequence[AnyDevice]) -> list[tuple[str, str]]:
    found = []
    for device in devices:
        if isinstance(device, NativeDevice) and isinstance(device.standing.plan, CounterPlan):
            value = device.firmware.shows(1)
            text = "" if not device.firmware.powered else "-----" if value == DASHES else grouped(value)
            found.append((device.place, text))
    return found


def grouped(value: int) -> str:
    """The number as casinos of this country write it: 1.234.567."""
    return f"{value:,}".replace(",", ".")
