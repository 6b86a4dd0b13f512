"""The map of an off-the-shelf Modbus module: which register is whose button, which output whose lamp.

It comes from the configuration as a document and is refused with every fault at its place. Two faults are of the
floor, not of the form: a bet button on a plain input loses presses shorter than the poll, and a lamp without a proving
input proves no bet (devices.md 1.6, R-6).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from drivers.io_module.document import DocumentReader, Spot
from drivers.modbus.pdu import HOLDING, INPUTS, MOST_BITS, MOST_READ
from drivers.session import MILLISECOND, Micros

MOST_BUTTONS = 4


@dataclass(frozen=True, slots=True)
class Button:
    counter: int  # address of its first word
    credits: int


@dataclass(frozen=True, slots=True)
class SeatMap:
    seat: int
    buttons: tuple[Button, ...]
    lamp: int  # coil
    feedback: int  # discrete input


@dataclass(frozen=True, slots=True)
class Probe:
    """A constant of 32 bits that the module shows; the order of its words is the order of the counters'."""

    address: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IoMap:
    unit: int
    serial: int  # written on the box: the module cannot say it
    product: str = "io"
    seats: tuple[SeatMap, ...]
    lock_counter: int | None = None
    lock_input: int | None = None  # held down = locked
    unlock_counter: int | None = None
    function: int = INPUTS  # the counters are read with
    bits: int = 32
    high_first: bool = True
    probe: Probe | None = None  # if there is one, it decides the order
    heartbeat: int | None = None  # register that must change, or the module lets its outputs fall
    beat: Micros = 300 * MILLISECOND
    poll: Micros = 50 * MILLISECOND
    settle: Micros = 50 * MILLISECOND  # from switching a lamp to believing its input (1.8)
    confirm: Micros = 1000 * MILLISECOND  # a bet that is not booked by then is none
    per_second: int = 20  # presses of one button; more is no finger

    @property
    def width(self) -> int:
        return self.bits // 16

    @property
    def counters(self) -> tuple[int, ...]:
        """Addresses, of all counters, ascending."""
        places = [button.counter for seat in self.seats for button in seat.buttons]
        return tuple(
            sorted(places + [place for place in (self.lock_counter, self.unlock_counter) if place is not None])
        )

    @property
    def inputs(self) -> tuple[int, ...]:
        places = [seat.feedback for seat in self.seats]
        return tuple(sorted([*places, *([] if self.lock_input is None else [self.lock_input])]))

    @property
    def coils(self) -> tuple[int, ...]:
        return tuple(sorted(seat.lamp for seat in self.seats))

    @property
    def table_seats(self) -> tuple[int, ...]:
        return tuple(seat.seat for seat in self.seats)

    @property
    def has_console(self) -> bool:
        return (self.lock_counter, self.lock_input, self.unlock_counter) != (None, None, None)


class IoMapRefused(Exception):  # noqa: N818  says what happened, like the refusals of the rules
    """Everything that is wrong, each with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def read_io_map(document: Mapping[str, Any], name: str) -> IoMap:
    """`name` is what the configuration calls this module: it opens every sentence."""
    reader = DocumentReader()
    found = _module(reader.spot(document, name))
    problems = reader.problems or _clashes(found, name)
    if problems:
        raise IoMapRefused(problems)
    return found


def _module(spot: Spot) -> IoMap:
    bits = spot.one_of("bits", (16, 32), 32)
    counters = spot.one_of("function", (HOLDING, INPUTS), INPUTS)
    probe, console = spot.table("probe"), spot.table("console")
    lock, unlock = console.table("lock"), console.table("unlock")
    if unlock.has("input"):
        unlock.wrong("an unlock button needs a counter: a plain input loses presses shorter than the poll")
    found = IoMap(
        unit=spot.whole("unit", 1, 247),
        serial=spot.whole("serial", 1, 2**32 - 1),
        product=spot.text("product", "io"),
        seats=tuple(_seat(seat) for seat in spot.tables("seat")),
        lock_counter=lock.maybe("counter", 0, 0xFFFF),
        lock_input=lock.maybe("input", 0, 0xFFFF),
        unlock_counter=unlock.maybe("counter", 0, 0xFFFF),
        function=counters,
        bits=bits,
        high_first=spot.one_of("words", ("high_first", "low_first"), "high_first") == "high_first",
        probe=Probe(probe.whole("address", 0, 0xFFFE), probe.whole("value", 1, 2**32 - 1)) if probe.given else None,
        heartbeat=spot.maybe("heartbeat", 0, 0xFFFF),
        beat=spot.whole("beat_ms", 10, 60_000, 300) * MILLISECOND,
        poll=spot.whole("poll_ms", 5, 1_000, 50) * MILLISECOND,
        settle=spot.whole("settle_ms", 0, 1_000, 50) * MILLISECOND,
        confirm=spot.whole("confirm_ms", 100, 10_000, 1_000) * MILLISECOND,
        per_second=spot.whole("per_second", 1, 1_000, 20),
    )
    for part in (probe, lock, unlock, console, spot):
        part.nothing_else()
    return found


def _seat(spot: Spot) -> SeatMap:
    buttons = []
    for button in spot.tables("button"):
        if button.has("input"):
            button.wrong("a bet button needs a counter: a plain input loses presses shorter than the poll")
        buttons.append(Button(button.whole("counter", 0, 0xFFFF, 0), button.whole("credits", 1, 0xFFFF)))
        button.nothing_else()
    if len(buttons) > MOST_BUTTONS:
        spot.wrong(f"{len(buttons)} buttons; a seat has at most {MOST_BUTTONS}")
    if not spot.has("feedback"):
        spot.wrong("feedback is missing: a lamp that nothing proves proves no bet (R-6)")
    found = SeatMap(
        spot.whole("seat", 1, 99), tuple(buttons), spot.whole("lamp", 0, 0xFFFF), spot.whole("feedback", 0, 0xFFFF, 0)
    )
    spot.nothing_else()
    return found


def _clashes(found: IoMap, name: str) -> list[str]:
    problems = []
    if not found.seats and not found.has_console:
        problems.append(f"{name}: neither a seat nor a console")
    if found.lock_input is not None and found.lock_counter is not None:
        problems.append(f"{name}.console.lock: a counter or an input, not both")
    problems += [f"{name}: seat {seat.seat} has no button" for seat in found.seats if not seat.buttons]
    problems += _twice(name, "seat", [(seat.seat, f"seat {seat.seat}") for seat in found.seats], 1)
    problems += _twice(name, "register", _counter_owners(found), found.width)
    problems += _twice(name, "coil", [(seat.lamp, f"lamp of seat {seat.seat}") for seat in found.seats], 1)
    inputs = [(seat.feedback, f"feedback of seat {seat.seat}") for seat in found.seats]
    inputs += [(found.lock_input, "lock")] if found.lock_input is not None else []
    problems += _twice(name, "input", inputs, 1)
    for what, places, width, most in (
        ("counters", found.counters, found.width, MOST_READ),
        ("inputs", found.inputs, 1, MOST_BITS),
        ("lamps", found.coils, 1, MOST_BITS),
    ):
        span = places[-1] + width - places[0] if places else 0
        if span > most:
            problems.append(f"{name}: its {what} span {span} places; one reading, of one instant, has {most}")
        elif places and places[-1] + width > 0x10000:
            problems.append(f"{name}: the last of its {what} ends behind the last register")
    return problems


def _counter_owners(found: IoMap) -> list[tuple[int, str]]:
    owners = [
        (button.counter, f"button {number} of seat {seat.seat}")
        for seat in found.seats
        for number, button in enumerate(seat.buttons, 1)
    ]
    console = ((found.lock_counter, "lock"), (found.unlock_counter, "unlock"))
    return owners + [(place, who) for place, who in console if place is not None]


def _twice(name: str, what: str, owners: list[tuple[int, str]], width: int) -> list[str]:
    return [
        f"{name}: {one} and {other} share {what} {max(here, there):04X}h" if what != "seat" else f"{name}: {one} twice"
        for (here, one), (there, other) in combinations(owners, 2)
        if abs(here - there) < width
    ]
