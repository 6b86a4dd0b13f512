"""The file of a desk: which simulated devices stand at it, and which line joins them to the host.

Strict: a key nobody knows, a seat two units claim, a unit number twice on one line are refused in one sentence that
names the file and the place. Everything has a default that works, so the smallest desk is one line with one unit.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from drivers.native.contract import MOST_SEATS, UnitClass

Chance = Annotated[str, Meta(pattern=r"^(100|\d{1,2})(\.\d+)?%$")]
Native = Literal["electronic", "chip_slot", "console", "counter", "table"]
CLASS_OF = {
    "electronic": UnitClass.ELECTRONIC,
    "chip_slot": UnitClass.CHIP_SLOT,
    "console": UnitClass.CONSOLE,
    "counter": UnitClass.COUNTER,
    "table": UnitClass.TABLE,
}
_SEATED = {"electronic", "chip_slot", "table", "cctalk", "io"}


class DeskRefused(Exception):
    """The file and what is wrong in it."""


class UnitPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One device, or `count` equal ones with numbers and seats counting up."""

    kind: Literal["electronic", "chip_slot", "console", "counter", "table", "panel", "io", "cctalk", "alpha", "text"]
    unit: Annotated[int, Meta(ge=1, le=247)] = 1
    seat: Annotated[int, Meta(ge=1, le=99)] = 1
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 1
    count: Annotated[int, Meta(ge=1, le=32)] = 1
    serial: Annotated[int, Meta(ge=1, le=2**32 - 1)] = 0x4A50_0001
    chips: bool = False  # the seats of a table unit take chips
    write_read: bool = True  # FC23
    answer_ms: Annotated[float, Meta(ge=0, le=100)] = 5.0
    lost: bool = False  # it has lost its memory once: totals in another epoch


class LinePlan(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,24}$")]
    kind: Literal["rtu", "tcp", "cctalk", "alpha", "text"] = "rtu"
    unit: tuple[UnitPlan, ...] = ()
    port: Annotated[int, Meta(ge=0, le=65535)] = 0  # tcp only; 0: any free one
    baud: Annotated[int, Meta(ge=1200, le=921_600)] = 115_200
    loss: Chance = "0%"
    noise: Chance = "0%"
    duplication: Chance = "0%"
    echo: bool = False


class DeskPlan(Struct, frozen=True, forbid_unknown_fields=True):
    name: str = "mesa"
    seed: int = 1
    line: tuple[LinePlan, ...] = ()


def read_desk(text: str, place: str) -> DeskPlan:
    try:
        plan = msgspec.convert(tomllib.loads(text), DeskPlan)
    except tomllib.TOMLDecodeError as error:
        raise DeskRefused(f"{place}: not TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise DeskRefused(f"{place}: {error}") from None
    for problem in _problems(plan):
        raise DeskRefused(f"{place}: {problem}")
    return plan


def each(plan: LinePlan) -> Iterator[UnitPlan]:
    """Every device of a line on its own, `count` unrolled."""
    for unit in plan.unit:
        for step in range(unit.count):
            yield msgspec.structs.replace(
                unit, unit=unit.unit + step, seat=unit.seat + step * unit.seats, serial=unit.serial + step, count=1
            )


def seats_of(unit: UnitPlan) -> range:
    return range(unit.seat, unit.seat + unit.seats) if unit.kind in _SEATED else range(0)


_FITS = {
    "rtu": {"electronic", "chip_slot", "console", "counter", "table", "panel", "io"},
    "tcp": {"electronic", "chip_slot", "console", "counter", "table", "panel", "io"},
    "cctalk": {"cctalk"},
    "alpha": {"alpha"},
    "text": {"text"},
}


def _problems(plan: DeskPlan) -> Iterator[str]:
    if not plan.line:
        yield "a desk needs at least one [[line]] with a [[line.unit]]"
    for name, times in Counter(line.name for line in plan.line).items():
        if times > 1:
            yield f"line {name!r} is there {times} times; a line's name is unique"
    for line in plan.line:
        devices = list(each(line))
        if not devices:
            yield f"line {line.name!r} has no [[line.unit]]"
        for device in devices:
            if device.kind not in _FITS[line.kind]:
                yield f"line {line.name!r}: a {device.kind} does not speak {line.kind}"
            if device.unit > 247:
                yield f"line {line.name!r}: unit {device.unit}; the last address is 247"
            if device.kind != "table" and device.seats != 1:
                yield f"line {line.name!r}: unit {device.unit}: only a table unit has more than one seat"
        for number, times in Counter(device.unit for device in devices).items():
            if times > 1:
                yield f"line {line.name!r}: unit {number} is there {times} times"
    seats = Counter(seat for line in plan.line for unit in each(line) for seat in seats_of(unit))
    for seat, times in seats.items():
        if times > 1:
            yield f"seat {seat} belongs to {times} units"
