"""Single seats with real drivers and real firmware on one simulated line, for tests of what the line does to them."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from drivers.modbus.bus import Bus
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config, Desired
from drivers.session import MILLISECOND as MS
from drivers.session import Micros
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.sim.world import World


def settings(number: int, baud: int, timeout: int, beat: int) -> UnitSettings:
    config = Config(
        credit_value=1000, least=1, most=20, buttons=(1, 2, 5, 10), unit=number, first_seat=number, baud=baud,
        host_timeout=timeout,
    )  # fmt: skip
    return UnitSettings(number, UnitClass.ELECTRONIC, 1, number, config, beat=beat * MS)


def table(
    count: int, baud: int, think: int, adapter: int, timeout: int = 1500, beat: int = 300
) -> tuple[list[UnitSettings], LineTiming]:
    units = [settings(number, baud, timeout, beat) for number in range(1, count + 1)]
    return units, LineTiming(baud=baud, answer=think * MS, latency=adapter * MS)


class Counted(Firmware):
    """It writes down when it was fed."""

    fed: tuple[Micros, ...] = ()

    def _obey(self, desired: Desired) -> None:
        self.fed = (*self.fed, self._now)
        super()._obey(desired)


def line_of(
    units: Sequence[UnitSettings], timing: LineTiming, hear: Callable[[Any, Micros], None]
) -> tuple[World, list[NativeUnit], list[Counted], Callable[[int], Callable[[], None]]]:
    """The world, its drivers, the units, and how one of these is unplugged; that says how it is plugged again."""
    line = Line(LineSettings(baud=timing.baud, latency=timing.latency), Random(1))
    firmware, slaves, drivers = [], [], []
    for unit in units:
        make = Make(unit.number, unit.unit_class, 1, unit.first_seat, serial=unit.number, config=unit.config,
                    answer=timing.answer)  # fmt: skip
        firmware.append(Counted(make, Nvm(), Random(unit.number)))
        slaves.append(RtuSlave(firmware[-1], timing))
        line.attach(slaves[-1], f"unit {unit.number}")
        drivers.append(NativeUnit(unit, nonce=7, first_command=99))
    world = World(Bus(drivers, timing, RtuFraming()), line, hear)

    def unplug(unit: int) -> Callable[[], None]:
        line.unplug(slaves[unit - 1])
        return lambda: line.plug(slaves[unit - 1])

    return world, drivers, firmware, unplug
