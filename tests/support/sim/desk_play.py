"""A desk from its file in virtual time, with a host before every line that books all it is told at once."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Self

from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.model import ConsoleSeen, SeatSeen
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.session import MILLISECOND, Micros
from firmware_sim.desk.commands import CommandRefused, read_command
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.devices import AnyDevice, NativeDevice
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.lines import AnyLine, NetLine
from firmware_sim.native.make import Make, delivered
from firmware_sim.native.nvm import Nvm
from support.drivers.line_talkers import Ear
from support.sim.stream import Stream
from support.sim.world import World

CREDITS = 100


def line(name: str, *units: Mapping[str, object], kind: str = "rtu", **more: object) -> str:
    """A [[line]] of a file: `units` are dictionaries."""
    text = f'[[line]]\nname = "{name}"\nkind = "{kind}"\n'
    text += "".join(f"{key} = {_toml(value)}\n" for key, value in more.items())
    for unit in units:
        text += "[[line.unit]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in unit.items())
    return text


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def unit(kind: str, number: int = 1, **more: object) -> dict[str, object]:
    return {"kind": kind, "unit": number, **more}


class Play:
    def __init__(
        self, *lines: str, hosts: bool = True, seed: int = 1, memory: Callable[[str], Nvm] | None = None
    ) -> None:
        self.woken = 0
        self.seats: dict[int, SeatSeen] = {}
        text = "".join(lines)
        memories = {} if memory is None else {"memory": memory}
        self.desk = Desk(read_desk(text, "desk.toml"), Random(seed), 0, wake=self._woken, **memories)
        self.units: dict[tuple[str, int], NativeUnit] = {}
        self.hosts: dict[str, Bus | Ear] = {}
        worlds: list[World] = []
        for one in self.desk.lines:
            net = isinstance(one, NetLine)
            host = self.hosts[one.name] = (self._host(one, net) if hosts else None) or Ear()
            far = Stream(one.connection) if isinstance(one, NetLine) else one
            if worlds:
                worlds[0].join(host, far, self._told)
            else:
                worlds.append(World(host, far, self._told))
        self.world = worlds[0]

    def _woken(self) -> None:
        self.woken += 1

    def _host(self, one: AnyLine, net: bool) -> Bus | None:
        natives = [device for device in one.devices if isinstance(device, NativeDevice)]
        units = [_driver(device.firmware.make) for device in natives]
        self.units |= {(one.name, driver.number): driver for driver in units}
        timing = LineTiming(baud=NETWORK, latency=20 * MILLISECOND) if net else LineTiming(baud=115200)
        return Bus(units, timing, MbapFraming() if net else RtuFraming()) if units else None

    def _told(self, event: object, now: Micros) -> None:
        if isinstance(event, SeatSeen):
            self.seats[event.seat] = event
            driver = next(one for one in self.units.values() if event.seat in one._settings.table_seats)
            driver.acknowledge(event.device, event.seq)
        if isinstance(event, ConsoleSeen):  # it opens only for who has heard of its lock key (2.4)
            next(one for one in self.units.values() if one.number == event.unit).acknowledge(event.device, event.seq)

    def do(self, *commands: str) -> list[str]:
        """Each at this instant; the answers."""
        return [self._do(command) for command in commands]

    def _do(self, command: str) -> str:
        answers: list[str] = []
        self.world.act(lambda now: answers.append(self._perform(command, now)))
        return answers[0]

    def _perform(self, command: str, now: Micros) -> str:
        try:
            act = read_command(command)
            assert act is not None, "an empty command"
            return self.desk.perform(act, now)
        except CommandRefused as refused:
            return f"no: {refused}"

    def run(self, milliseconds: float = 500) -> Self:
        self.world.run_for(int(milliseconds * MILLISECOND))
        return self

    def open(self, round_id: int = 1) -> Self:
        """Every seat has credits and may bet."""
        self.run(2000)
        for seat in list(self.seats.values()):
            driver = next(one for one in self.units.values() if seat.seat in one._settings.table_seats)
            driver.load(seat.seat, seat.totals.loaded, (seat.totals.loaded + CREDITS) % 2**32)
        self.run(1000)
        for driver in self.units.values():
            driver.unlock(round_id)
        return self.run(500)

    def device(self, place: str) -> AnyDevice:
        return next(device for device in self.desk.devices if device.place == place)

    def firmware(self, place: str) -> Any:
        return self.device(place).firmware


def _driver(make: Make) -> NativeUnit:
    assert make.config is not None, "delivered with a configuration"
    config = delivered(make, make.config)
    settings = UnitSettings(make.unit, make.unit_class, make.seats, make.first_seat, config)
    return NativeUnit(settings, make.serial, 1)
