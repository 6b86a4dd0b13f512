"""Tables for evenings on the floor: what stands on which line, simulated, and the settings that name it.

A shape is a list of lines; each line a list of devices. The line, the devices and what they remember outlive every
process that drives them; drivers are made anew for each.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from controller.core.state import State
from controller.core.values import Device
from controller.node.devices.memories import AnyBase, chip_bases, module_base
from controller.node.vocabulary.places import LineKind, LinePlace, Node, TablePlace, UnitKey, UnitPlace
from controller.rules.bets import Limits
from controller.rules.money import Money
from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.bus import CctalkBus
from drivers.cctalk.settings import AcceptorSettings, Channel
from drivers.io_module.map import IoMap, read_io_map
from drivers.io_module.unit import IoModule
from drivers.modbus.bus import Bus
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.session import MILLISECOND
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake
from firmware_sim.foreign.io_module import IoFirmware, IoMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.books import wound_up
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.floor.floor import TABLE

OTHER = "GO-01"
SEATS = {TABLE: 6, OTHER: 7}
BAUD = 115_200
TIMING = LineTiming(baud=BAUD, latency=2 * MILLISECOND)
VALUE = 1_000
Made = UnitSettings | AcceptorSettings | IoMap
UnitDriver = NativeUnit | Acceptor | IoModule
Shape = list[list[tuple[str, Made]]]
"""Lines of (table, what stands there)."""
CHIP_WORTH = 2
LIMITS = Limits(Money(VALUE), Money(1_000), Money(5_000))  # of the plan, whatever buttons there are


def native(
    number: int, unit_class: UnitClass, first_seat: int, seats: int = 1, *, used: int | None = None
) -> UnitSettings:
    """Its buttons reach beyond the limits of the pot, so that the core has something to refuse."""
    config = Config(
        credit_value=VALUE, least=1, most=20, buttons=(1, 2, 5, 10), unit=number, first_seat=first_seat, baud=BAUD,
        hold=5, host_timeout=1000, confirm_timeout=900, chip_credits=1 if unit_class != UnitClass.CHIP_SLOT else 2,
        enabled=(1 << (used or seats)) - 1,
    )  # fmt: skip
    return UnitSettings(number, unit_class, seats, first_seat, config)


def acceptor(number: int, seat: int) -> AcceptorSettings:
    return AcceptorSettings(
        unit=number, seat=seat, channels=(Channel(1, 1, "CL001A"), Channel(2, 3)), most=5, address=number, lamp=1
    )


def module(number: int, seats: Sequence[int], *, console: bool) -> IoMap:
    """Two buttons a seat, a lamp and its proof."""
    document = {
        "unit": number,
        "serial": 4000 + number,
        "seat": [
            {
                "seat": seat,
                "button": [{"counter": 0x40 + 4 * at, "credits": 1}, {"counter": 0x42 + 4 * at, "credits": 2}],
                "lamp": at,
                "feedback": 20 + at,
            }
            for at, seat in enumerate(seats)
        ],
    }
    keys = {"lock": {"counter": 0x10}, "unlock": {"counter": 0x12}}
    return read_io_map(document | ({"console": keys} if console else {}), "mod")


CONSOLE, ELECTRONIC, SLOT, WHOLE, COUNTER = (
    UnitClass.CONSOLE, UnitClass.ELECTRONIC, UnitClass.CHIP_SLOT, UnitClass.TABLE, UnitClass.COUNTER,
)  # fmt: skip


def shapes() -> dict[str, Shape]:
    """Name: lines of (table, what it is made of)."""
    singles = [(TABLE, native(1 + seat, ELECTRONIC, seat)) for seat in (1, 2, 3)]
    slots = [(TABLE, native(10 + seat, SLOT, seat)) for seat in (4, 5)]
    whole = (TABLE, native(2, WHOLE, 1, 9, used=6))
    return {
        "single seats": [[(TABLE, native(1, CONSOLE, 1)), *singles]],
        "one unit of nine for six": [[(TABLE, native(1, CONSOLE, 1)), whole, (TABLE, native(3, COUNTER, 1))]],
        "console on another line": [[whole], [(TABLE, native(1, CONSOLE, 1))]],
        "slots and buttons": [[(TABLE, native(1, CONSOLE, 1)), *singles[:2], *slots]],
        "two tables on one line": [
            [(TABLE, native(1, CONSOLE, 1)), (TABLE, native(2, WHOLE, 1, 3)), (OTHER, native(3, CONSOLE, 1)),
             (OTHER, native(4, WHOLE, 1, 7)), (TABLE, native(5, SLOT, 4))]
        ],
        "acceptors": [
            [(TABLE, acceptor(21, 1)), (TABLE, acceptor(22, 2))], [(TABLE, native(1, CONSOLE, 1)), singles[2]],
        ],
        "a module": [[(TABLE, module(20, (1, 2, 3), console=True)), slots[0]]],
        "a module for seats": [[(TABLE, module(20, (1, 2), console=False)), (TABLE, native(1, CONSOLE, 1)), singles[2]]],
    }  # fmt: skip


def seats_of(made: Made) -> tuple[int, ...]:
    match made:
        case UnitSettings():
            return tuple(seat for seat in made.table_seats if made.config.enabled >> (seat - made.first_seat) & 1)
        case AcceptorSettings():
            return (made.seat,)
        case _:
            return made.table_seats


def place_of(line: str, table: str, made: Made) -> UnitPlace:
    number = made.number if isinstance(made, UnitSettings) else made.unit
    worth = CHIP_WORTH if isinstance(made, UnitSettings) and made.unit_class == SLOT else 1
    return UnitPlace(
        key=UnitKey(line, number), table=table, seats=seats_of(made), made=made, chip_worth=worth,
        lamps_seen_by_croupier=isinstance(made, AcceptorSettings), limits=LIMITS if seats_of(made) else None,
    )  # fmt: skip


class Stage:
    """Lines with devices on them, and the settings that name both."""

    def __init__(self, shape: Shape, chance: Random) -> None:
        self.chance = chance
        self.node = node_of(shape)
        self.sims: dict[UnitKey, Any] = {}
        self.lines: dict[str, Line] = {}
        self.is_wired = False
        for place in self.node.units:
            self._put(place)

    def _put(self, place: UnitPlace) -> None:
        line = place.key.line
        made, number = place.made, place.key.number
        is_chips = isinstance(made, AcceptorSettings)
        if line not in self.lines:
            settings = LineSettings(baud=9600, bits=10, echo=True) if is_chips else LineSettings(baud=BAUD)
            self.lines[line] = Line(settings, Random(self.chance.random()))
        sim = self._sim(made, number)
        self.sims[place.key] = sim
        self.lines[line].attach(sim if is_chips else RtuSlave(sim, TIMING), str(place.key))

    def _sim(self, made: Made, number: int) -> Any:
        match made:
            case UnitSettings():
                make = Make(
                    number, made.unit_class, made.seats, made.first_seat, serial=1000 + number, config=made.config,
                    answer=2 * MILLISECOND,
                )  # fmt: skip
                old = self.chance.random() < 0.5
                nvm = wound_up(make, 2**32 - self.chance.randint(1, 60)) if old else Nvm()
                return Firmware(make, nvm, Random(self.chance.random()))
            case AcceptorSettings():
                return CctalkAcceptor(CctalkMake(address=number, serial=9_000 + number))
            case _:
                return IoFirmware(IoMake(map=made))

    def is_chips(self, line: str) -> bool:
        return any(place.key.line == line and isinstance(place.made, AcceptorSettings) for place in self.node.units)

    def trouble(self, **faults: Any) -> None:
        """Only of the native lines: a ccTalk line is short."""
        for name, line in self.lines.items():
            if not self.is_chips(name):
                line.settings = LineSettings(baud=BAUD, **faults)

    def drivers(self, memories: Mapping[UnitKey, tuple[AnyBase, ...]], state: State) -> dict[UnitKey, UnitDriver]:
        """New ones, each with what its memory and the books say."""
        made = {}
        for place in self.node.units:
            table = state.tables[place.table]
            devices = {seat: table.seat(seat).device for seat in place.seats}
            made[place.key] = self._driver(place, memories.get(place.key, ()), devices)
        return made

    def _driver(self, place: UnitPlace, known: tuple[AnyBase, ...], devices: Mapping[int, Device | None]) -> UnitDriver:
        match place.made:
            case UnitSettings():
                return NativeUnit(place.made, nonce=7, first_command=self.chance.randint(1, 0xFFFF))
            case AcceptorSettings():
                driver = Acceptor(place.made)
                for base in chip_bases(known, next(iter(devices.values()))):
                    driver.resume(base)
                return driver
            case _:
                module = IoModule(place.made)
                counted = module_base(known, place.made.serial, devices)
                if counted is not None:
                    module.resume(counted)
                return module

    def buses(self, drivers: Mapping[UnitKey, UnitDriver]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in self.lines:
            units: list[Any] = [driver for key, driver in drivers.items() if key.line == line]
            found[line] = CctalkBus(units) if self.is_chips(line) else Bus(units, TIMING, RtuFraming())
        return found

    def unit_at(self, table: str, seat: int) -> tuple[UnitPlace, Any]:
        place = next(place for place in self.node.units if place.table == table and seat in place.seats)
        return place, self.sims[place.key]

    def console_of(self, table: str) -> tuple[UnitPlace, Any]:
        for place in self.node.units:
            if place.table == table and is_console(place):
                return place, self.sims[place.key]
        raise AssertionError("every table has a console")

    def seats(self) -> list[tuple[str, int]]:
        return [(place.table, seat) for place in self.node.units for seat in place.seats]


def is_console(place: UnitPlace) -> bool:
    made = place.made
    return made.has_console if isinstance(made, IoMap) else getattr(made, "unit_class", None) == CONSOLE


def node_of(shape: Shape) -> Node:
    units, lines = [], []
    for number, devices in enumerate(shape):
        name = f"línea {number}"
        lines.append(LinePlace(name=name, kind=LineKind.RTU, url=name))
        units += [place_of(name, table, made) for table, made in devices]
    tables = tuple(
        TablePlace(name=name, pot="pozo", seats=SEATS[name]) for name in sorted({one.table for one in units})
    )
    return Node(
        name="central", file=Path("nodo.toml"), folder=Path("var"), control=Path("var"), lines=tuple(lines), tables=tables,
        units=tuple(units), signs=(), plans=(),
    )  # fmt: skip
