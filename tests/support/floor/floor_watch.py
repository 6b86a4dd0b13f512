"""What must hold on the floor at every instant of an evening: what lamps say, and how long a table waits.

A lamp that says something else than the books breaks the evening; so does a table that waits longer than it may.
"""

from typing import TYPE_CHECKING, Any

from controller.core.values import Phase
from controller.node.vocabulary.places import UnitPlace
from drivers.cctalk.controls import ON
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.native.contract import LampDrive, SeatMode
from drivers.session import SECOND, Micros
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware

if TYPE_CHECKING:
    from support.floor.floor_evening import Evening

WORD = 2**32
LATE = 5 * SECOND  # a line keeps a frame for less; one that lit lamps for a test may come when that is over


def look(evening: "Evening", now: Micros) -> bool:
    """At every instant."""
    if evening.stage.is_wired:
        wires(evening, now)
    for place, sim, seat in evening.lamps:
        if seat.lamp.drive == LampDrive.STEADY and sim.powered:
            look_at_lamp(evening, place, sim, seat)
        if seat.lamp.drive == LampDrive.TEST and sim.powered:
            look_at_test(evening, place, sim.make.first_seat + seat.number - 1)
    for place, sim, number in evening.outputs:
        look_at_output(evening, place, sim, number, now)
    for name in evening.tables:
        wait_for(evening, name, now)
    return not evening.broken


def look_at_lamp(evening: "Evening", place: UnitPlace, sim: Firmware, seat: UnitSeat) -> None:
    number, memory = sim.make.first_seat + seat.number - 1, seat.memory
    evening.seen["steady lamps"] += 1
    known = evening.accepted.get((sim.make.serial, sim.nvm.epoch, place.table, number), ())
    if seat.mode == SeatMode.CHIPS:
        good = any((memory.chips - chips) % WORD < memory.credits for _, chips in known)
    else:
        good = any(bets == memory.bets for bets, _ in known)
    if not good:
        evening.break_it(f"{place.key} seat {number}: steady without a booked bet, {memory}, {known[-3:]}")


def look_at_test(evening: "Evening", place: UnitPlace, number: int) -> None:
    """1.8: never inside a hand. A unit may have more seats than its table."""
    evening.seen["lamps tested"] += 1
    if number in place.seats and evening.core.seat(number, place.table).bet:
        evening.break_it(f"{place.key} seat {number}: a lamp test over a bet")


def look_at_output(evening: "Evening", place: UnitPlace, sim: Any, number: int, now: Micros) -> None:
    """When it goes on: what it stands for then is what its driver counted."""
    is_chips = isinstance(place.made, AcceptorSettings)
    is_on = sim.lamp() == ON if is_chips else is_driven(place, sim, number)
    was_on = (place.key, number) in evening.on
    (evening.on.add if is_on else evening.on.discard)((place.key, number))
    driver: Any = evening.drivers[place.key]
    if driver._testing:
        evening.tested[place.key] = now
    if not is_on or was_on or now - evening.tested.get(place.key, -LATE) < LATE:
        return
    evening.seen["outputs lit"] += 1
    shown = driver._slot if is_chips else driver._bets
    known = evening.accepted.get((shown.device.serial, shown.device.epoch, place.table, number), ())
    if is_chips:
        good = any((shown.totals.chips - chips) % WORD < shown.bet for _, chips in known)
    else:
        good = any(bets == shown.seats[number].totals.bets for bets, _ in known)
    if not good:
        evening.break_it(f"{place.key} seat {number}: lit without a booked bet, {shown.seq}, {known[-3:]}")


def is_driven(place: UnitPlace, module: Any, number: int) -> bool:
    assert isinstance(place.made, IoMap), "a module drives its lamps by coils"
    coil = next(one.lamp for one in place.made.seats if one.seat == number)
    return bool(module.powered and module._coils[coil])


def wires(evening: "Evening", now: Micros) -> None:
    """The hardware line from the console to the seats of its table, where there is one (2.5)."""
    for table in evening.tables:
        _, console = evening.stage.console_of(table)
        pulled = isinstance(console, Firmware) and console.pulls_line
        for place in evening.stage.node.units:
            sim = evening.stage.sims[place.key]
            at_the_wire = place.table == table and sim is not console and isinstance(sim, Firmware)
            if at_the_wire and sim.line_pulled != pulled:
                sim.lock_line(pulled, now)


def wait_for(evening: "Evening", name: str, now: Micros) -> None:
    table = evening.core.table(name)
    if table.phase is not Phase.LOCKING:
        evening.waiting.pop(name, None)
        return
    node = evening.stage.node
    since = evening.waiting.setdefault(name, now)
    if now - since > node.silent_after + node.lamp_after + 2 * SECOND:
        evening.break_it(f"{name} waits for proofs for {(now - since) // SECOND} s: {table}")
