"""The file of a desk: which simulated devices stand at it, and which line joins them to the host.

Strict: a key that this kind of line or device has not, a seat two devices claim, a unit number twice on one line are
refused in one sentence that names the file and the place. Everything that can have a default has one that works, so
the smallest desk is one line with one unit.
"""

import binascii
import tomllib
from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from drivers.cctalk.frames import Checksum
from drivers.io_module.map import IoMap, IoMapRefused, read_io_map
from drivers.native.contract import MOST_SEATS
from firmware_sim.desk.commands import RESERVED_NAMES, WORD

MOST_LETTERS = 65_536
LAST_UNIT, LAST_SEAT = 247, 99

Unit = Annotated[int, Meta(ge=1, le=LAST_UNIT)]
Seat = Annotated[int, Meta(ge=1, le=LAST_SEAT)]
Seats = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
Serial = Annotated[int, Meta(ge=0, le=2**32 - 1)]  # 0: one that no other device of any desk by another name has
Millis = Annotated[float, Meta(ge=0.1, le=100)]
Chance = Annotated[str, Meta(pattern=r"^(100|[0-9]{1,2}(\.[0-9]{1,3})?)%$")]
Name = Annotated[str, Meta(pattern=rf"^{WORD}$")]
LONGEST_NAME = 40
Title = Annotated[str, Meta(max_length=LONGEST_NAME)]
SERIALS = 0x40_0000  # from here on, and so many: an acceptor's has three bytes


class DeskRefused(Exception):  # noqa: N818  says what happened, like the refusals of the rules
    """The file and what is wrong in it."""


class DevicePlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """One device, or `count` equal ones with numbers, seats and serials counting up."""

    unit: Unit = 1
    count: Annotated[int, Meta(ge=1, le=32)] = 1


class NativePlan(DevicePlan, frozen=True, kw_only=True):
    serial: Serial = 0
    write_read: bool = True  # FC23
    answer_ms: Millis = 5.0
    lost: bool = False  # it has lost its memory once: its totals are of another epoch
    old: bool = False  # its totals are about to wrap


class ElectronicPlan(NativePlan, frozen=True, kw_only=True, tag="electronic"):
    seat: Seat = 1


class ChipSlotPlan(NativePlan, frozen=True, kw_only=True, tag="chip_slot"):
    seat: Seat = 1


class TableUnitPlan(NativePlan, frozen=True, kw_only=True, tag="table"):
    seat: Seat = 1
    seats: Seats = MOST_SEATS
    chips: bool = False  # its seats take chips


class ConsolePlan(NativePlan, frozen=True, kw_only=True, tag="console"):
    """The croupier's buttons and key."""


class CounterPlan(NativePlan, frozen=True, kw_only=True, tag="counter"):
    """The table's credit counter."""


class PanelPlan(DevicePlan, frozen=True, kw_only=True, tag="panel"):
    width: Annotated[int, Meta(ge=1, le=80)] = 6
    letters: bool = False  # two rows of text at 1000 and 2000 instead of one row of digits at 0


class ModulePlan(DevicePlan, frozen=True, kw_only=True, tag="io"):
    """Buttons and lamps on an off-the-shelf module; `map` is the document a host gets for it, else see `io_map_of`."""

    seat: Seat = 1
    seats: Seats = 1
    keys: bool = False  # the croupier's lock and unlock buttons are wired to it
    serial: Serial = 0
    map: dict[str, Any] | None = None


class AcceptorPlan(DevicePlan, frozen=True, kw_only=True, tag="cctalk"):
    unit: Annotated[int, Meta(ge=2, le=LAST_UNIT)] = 2
    seat: Seat = 1
    checksum: Checksum = Checksum.SUM
    serial: Annotated[int, Meta(ge=0, lt=2**24)] = 0


class AlphaSignPlan(DevicePlan, frozen=True, kw_only=True, tag="alpha"):
    battery: bool = True
    reads: bool = True
    acknowledges: bool = False


class TextSignPlan(DevicePlan, frozen=True, kw_only=True, tag="text"):
    width: Annotated[int, Meta(ge=1, le=80)] = 16
    encoding: Literal["ascii", "latin-1", "cp437", "cp850", "cp1252"] = "ascii"
    keeps: bool = False  # what it showed, over a power cut


OnModbus = ElectronicPlan | ChipSlotPlan | TableUnitPlan | ConsolePlan | CounterPlan | PanelPlan | ModulePlan
AnyUnit = OnModbus | AcceptorPlan | AlphaSignPlan | TextSignPlan


class Serially(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """A pair of wires: bytes take their time, and things happen to them."""

    name: Name
    baud: Annotated[int, Meta(ge=1_200, le=921_600, multiple_of=100)] = 9_600
    loss: Chance = "0%"
    noise: Chance = "0%"
    duplication: Chance = "0%"
    delay: Chance = "0%"
    echo: bool = False


class RtuLine(Serially, frozen=True, kw_only=True, tag="rtu"):
    baud: Annotated[int, Meta(ge=1_200, le=921_600, multiple_of=100)] = 115_200
    unit: tuple[OnModbus, ...] = ()


class CctalkLine(Serially, frozen=True, kw_only=True, tag="cctalk"):
    unit: tuple[AcceptorPlan, ...] = ()


class AlphaLine(Serially, frozen=True, kw_only=True, tag="alpha"):
    unit: tuple[AlphaSignPlan, ...] = ()


class TextLine(Serially, frozen=True, kw_only=True, tag="text"):
    unit: tuple[TextSignPlan, ...] = ()


class TcpLine(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="tcp"):
    name: Name
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0  # 0: any free one
    unit: tuple[OnModbus, ...] = ()


Wire = RtuLine | CctalkLine | AlphaLine | TextLine
LinePlan = Wire | TcpLine


class DeskPlan(Struct, frozen=True, forbid_unknown_fields=True):
    name: Title = ""  # the file's
    seed: Annotated[int, Meta(ge=0, lt=2**62)] = 0  # 0: other dice at every start
    line: tuple[LinePlan, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """One device and where it stands."""

    line: LinePlan
    plan: AnyUnit
    serial: int

    @property
    def place(self) -> str:
        return f"{self.line.name}/{self.plan.unit}"


def read_desk(text: str, place: str) -> DeskPlan:
    if len(text) > MOST_LETTERS:
        raise DeskRefused(f"{place}: more than {MOST_LETTERS} letters are no desk")
    try:
        plan = msgspec.convert(tomllib.loads(text), DeskPlan)
    except msgspec.ValidationError as error:
        raise DeskRefused(f"{place}: {error}") from None
    except ValueError as error:  # tomllib: its own, and of numbers without end
        raise DeskRefused(f"{place}: not TOML: {error}") from None
    except RecursionError:
        raise DeskRefused(f"{place}: not TOML that anybody wrote: nested too deep") from None
    if not plan.name:
        plan = msgspec.structs.replace(
            plan, name=place.rsplit("/", maxsplit=1)[-1].removesuffix(".toml")[:LONGEST_NAME]
        )
    for problem in _problems(plan):
        raise DeskRefused(f"{place}: {problem}")
    return plan


def standing(plan: DeskPlan) -> Iterator[Standing]:
    """Every device on its own, `count` unrolled. A node refuses two boxes with one serial, so desks that may stand
    before one node count from different ones (R-37)."""
    first = binascii.crc32(plan.name.encode())
    for place, line in enumerate(plan.line, 1):
        for unit in line.unit:
            for step in range(unit.count):
                one = _nth(unit, step)
                given = (
                    one.serial + step if isinstance(one, NativePlan | ModulePlan | AcceptorPlan) and one.serial else 0
                )
                yield Standing(line, one, given or SERIALS + (first + place * 0x100 + one.unit) % SERIALS)


def seats_of(unit: AnyUnit) -> tuple[int, ...]:
    match unit:
        case TableUnitPlan(seat=seat, seats=seats) | ModulePlan(seat=seat, seats=seats, map=None):
            return tuple(range(seat, seat + seats))
        case ModulePlan():
            return io_map_of(unit, 1).table_seats
        case ElectronicPlan(seat=seat) | ChipSlotPlan(seat=seat) | AcceptorPlan(seat=seat):
            return (seat,)
        case _:
            return ()


def io_map_of(module: ModulePlan, serial: int) -> IoMap:
    """Without a map of its own: per seat four buttons of 1, 2, 5 and 10 credits, counted in registers 0, 2, 4, 6, 8 and
    so on; lamp and feedback 0, 1, 2; the lock and the unlock button behind the last bet button."""
    document: dict[str, Any] = {
        "seat": [
            {
                "seat": module.seat + place, "lamp": place, "feedback": place,
                "button": [{"counter": 8 * place + 2 * key, "credits": size} for key, size in enumerate((1, 2, 5, 10))],
            }
            for place in range(module.seats)
        ]
    }  # fmt: skip
    if module.keys:
        document["console"] = {"lock": {"counter": 8 * module.seats}, "unlock": {"counter": 8 * module.seats + 2}}
    given = document if module.map is None else module.map
    return read_io_map({"serial": serial, **given, "unit": module.unit}, f"io {module.unit}")


def _nth(unit: AnyUnit, step: int) -> AnyUnit:
    if isinstance(unit, TableUnitPlan | ModulePlan):
        return msgspec.structs.replace(unit, unit=unit.unit + step, seat=unit.seat + step * unit.seats, count=1)
    if isinstance(unit, ElectronicPlan | ChipSlotPlan | AcceptorPlan):
        return msgspec.structs.replace(unit, unit=unit.unit + step, seat=unit.seat + step, count=1)
    return msgspec.structs.replace(unit, unit=unit.unit + step, count=1)


def _problems(plan: DeskPlan) -> Iterator[str]:
    if not plan.line:
        yield "a desk needs at least one [[line]] with a [[line.unit]]"
    if not plan.name.isprintable():
        yield "its name is not printable"
    for line in plan.line:
        yield from _line_problems(plan, line)
    devices = list(standing(plan))
    for one in devices:
        yield from _unit_problems(one)
    yield from _desk_problems(devices)


def _desk_problems(devices: Sequence[Standing]) -> Iterator[str]:
    for seat, times in Tally(seat for one in devices for seat in seats_of(one.plan)).items():
        if times > 1:
            yield f"seat {seat} belongs to {times} units"
        if seat > LAST_SEAT:
            yield f"seat {seat}; the last seat is {LAST_SEAT}"
    for serial, times in Tally(one.serial for one in devices if isinstance(one.plan, NativePlan)).items():
        if times > 1:
            yield f"serial {serial} is on {times} units; no two boxes have one number"
    consoles = [one.place for one in devices if is_console(one.plan)]
    if len(consoles) > 1:
        yield f"{' and '.join(consoles)} are consoles; a desk has one croupier"


def is_console(unit: AnyUnit) -> bool:
    return isinstance(unit, ConsolePlan) or (isinstance(unit, ModulePlan) and io_map_of(unit, 1).has_console)


def _line_problems(plan: DeskPlan, line: LinePlan) -> Iterator[str]:
    same = sum(other.name == line.name for other in plan.line)
    if same > 1:
        yield f"line {line.name!r} is there {same} times; a line's name is unique"
    if line.name in RESERVED_NAMES:
        yield f"line {line.name!r}: that word means something in a command"
    if not line.unit:
        yield f"line {line.name!r} has no [[line.unit]]"
    units = [unit.unit + step for unit in line.unit for step in range(unit.count)]
    for number, times in Tally(units).items():
        if times > 1:
            yield f"line {line.name!r}: unit {number} is there {times} times"
        if number > LAST_UNIT:
            yield f"line {line.name!r}: unit {number}; the last address is {LAST_UNIT}"
    if isinstance(line, TextLine) and len(units) > 1:
        yield f"line {line.name!r}: a text sign has no address, so it is alone on its line"


def _unit_problems(one: Standing) -> Iterator[str]:
    if one.serial >= (2**24 if isinstance(one.plan, AcceptorPlan) else 2**32):
        yield f"{one.place}: serial {one.serial} is too long"
    if not isinstance(one.plan, ModulePlan):
        return
    if one.plan.map is not None and one.plan.seats > 1:
        yield f"{one.place}: its map says which seats it has"
    try:
        io_map_of(one.plan, one.serial)
    except IoMapRefused as refused:
        yield f"{one.place}: {refused.problems[0]}"
