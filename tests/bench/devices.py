"""`make bench`: the devices' part. Every figure beside what physics allows and beside the peers, in one run.

Two limits stand beside a real line. The bus time is arithmetic on bytes: half a round of images with its share of
heartbeats, the image that shows the press, the frame that confirms or locks; each with its silences and the unit's
thinking. The virtual run is the same scene of the same drivers and units where software costs nothing, details and
rings included. The real run has the line and the units in one process, on a real pty paced to 115200 baud, and the rack
with its drivers in another.
"""

import json
import resource
import statistics
from functools import partial
from random import Random
from typing import Any

from bench.line import ANSWER, BAUD, TIMING, Pipes, Table, config_of, makes_of, real_table
from bench.masters import bench_peers, bench_polls_on_the_line
from drivers.modbus.bus import Bus
from drivers.modbus.rtu import RtuFraming
from drivers.model import ConsoleSeen, SeatSeen, UnitUp
from drivers.native.contract import fast_poll_words
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.port import PortSettings
from drivers.rack import Rack, RackLine
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.native.make import Make
from support.drivers.bookkeeper import Books, Host, is_last
from support.sim.world import World

PRESSES, LOCKS = 200, 40
PAUSE = (200, 600)  # ms between what happens at the table


def quantiles(times: list[Micros]) -> tuple[float, Micros]:
    ordered = sorted(times)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


def settings_of(make: Make) -> UnitSettings:
    return UnitSettings(make.unit, make.unit_class, make.seats, make.first_seat, config_of(make.unit, make.first_seat))


class Croupier:
    """The owner of the drivers: books at once, locks when the console's button was pressed, opens a new pass."""

    def __init__(self, shape: str) -> None:
        self.drivers = [NativeUnit(settings_of(make), nonce=7, first_command=99) for make in makes_of(shape)]
        self.bus = Bus(self.drivers, TIMING, RtuFraming())
        self.host = Host(Books(), self.drivers)
        self.pressed: tuple[int, int] | None = None
        self.round = 0
        self.opened = False

    def hear(self, event: object, now: Micros = 0) -> None:
        self.host.hear(event, now)
        if isinstance(event, SeatSeen) and is_last(event):
            self.host.commit()  # a whole image, and then its acknowledgement
        if isinstance(event, UnitUp) and len(self.host.up) == len(self.drivers) and not self.opened:
            self.opened = True
            self.open()
        if isinstance(event, ConsoleSeen):
            self._console(event)

    def open(self) -> None:
        for seat in self.host.units:
            if not self.host.books.wanted.get(seat):
                self.host.sell(seat, 20_000)
        self.round += 1
        self.host.open(self.round)

    def _console(self, seen: ConsoleSeen) -> None:
        before, self.pressed = self.pressed, (seen.lock_presses, seen.unlock_presses)
        if before is None:
            return
        if before[0] != seen.lock_presses:
            self.bus.lock_all()
            self.host.lock()
        if before[1] != seen.unlock_presses:
            self.open()


# ------------------------------------------------------------------------------------------------- the limits


def bus_time(shape: str) -> tuple[float, float]:
    """From bytes alone: (half a round to the end of a steady lamp, half a round to the end of a locking broadcast)."""
    makes = makes_of(shape)
    question, desired, written = TIMING.wire(8), TIMING.wire(25), TIMING.wire(8)

    def image(make: Make) -> Micros:
        return question + TIMING.silence + ANSWER + TIMING.wire(5 + 2 * fast_poll_words(make.seats))

    images = sum(image(make) + TIMING.silence for make in makes)
    beats = len(makes) * (desired + TIMING.silence + ANSWER + written + TIMING.silence)
    half = images / (1 - beats / settings_of(makes[0]).beat) / 2
    frame = TIMING.silence + desired
    return half + image(makes[0]) + frame, half + image(makes[-1]) + frame


def virtually(shape: str, presses: int, locks: int) -> tuple[list[Micros], list[Micros], float]:
    """The scene of bench_line in virtual time: (press times, lock times, exchanges a second)."""
    croupier = Croupier(shape)
    table = Table(shape, TIMING, now=0)
    world = World(croupier.bus, table, croupier.hear)
    chance = Random(3)
    assert world.run_while(lambda: not table.all_open, 20 * SECOND), "the virtual table does not open"
    while len(table.steady) < presses:
        world.run_for(chance.randint(*PAUSE) * MILLISECOND)
        free = [(unit, seat) for unit, seat in table.seats if not seat.memory.bet]
        if free:
            unit, seat = chance.choice(free)
            seen = len(table.steady)
            world.act(partial(unit.press, seat.number, 1))
            world.run_while(partial(_is_as_many, table, seen), world.now + SECOND)
        else:
            _turn_virtually(world, table)
    table.locked.clear()
    while len(table.locked) < locks:
        world.run_for(chance.randint(50, 200) * MILLISECOND)
        _turn_virtually(world, table)
    before = table.line.counters.messages
    world.run_for(10 * SECOND)
    return table.steady, table.locked, (table.line.counters.messages - before) / 2 / 10


def _is_as_many(table: Table, lamps: int) -> bool:
    return len(table.steady) == lamps


def _turn_virtually(world: World, table: Table) -> None:
    world.act(table.console.lock_key)
    world.run_while(lambda: table.all_open, world.now + 2 * SECOND)
    world.run_for(300 * MILLISECOND)
    world.act(table.console.unlock_key)
    assert world.run_while(lambda: not table.all_open, world.now + 5 * SECOND), "it does not open again"


# ------------------------------------------------------------------------------------------------- the real line


def really(shape: str, presses: int, locks: int) -> tuple[list[Micros], list[Micros], float, float]:
    croupier = Croupier(shape)
    with real_table(shape) as (sim, link):
        rack = Rack(
            [RackLine(name="table", url=link, session=croupier.bus, port=PortSettings(baud=BAUD, parity="N"))],
            lambda _, event: croupier.hear(event),
        )
        rack.start()
        steady = ask(sim, f"press {presses}")
        locked = ask(sim, f"lock {locks}")
        before = resource.getrusage(resource.RUSAGE_SELF)
        rate = ask(sim, "rate 10")[0]
        after = resource.getrusage(resource.RUSAGE_SELF)
        rack.stop()
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / (rate * 10)
    return steady, locked, rate, cpu


def ask(sim: Pipes, words: str) -> list[Any]:
    sim.stdin.write(words + "\n")
    sim.stdin.flush()
    answer: list[Any] = json.loads(sim.stdout.readline())
    return answer


def bench_table(shape: str, name: str) -> None:
    limits = virtually(shape, PRESSES, LOCKS)
    steady, locked, rate, cpu = really(shape, PRESSES, LOCKS)
    scenes = (("press to steady lamp", steady, limits[0]), ("console lock to all locked", locked, limits[1]))
    for (what, times, limit), bus in zip(scenes, bus_time(shape), strict=True):
        ours, ideal = quantiles(times), quantiles(limit)
        print(
            f"| {name}: {what}, p50 / p99 | {ours[0] / 1000:.1f} / {ours[1] / 1000:.1f} ms "
            f"| bus time {bus / 1000:.1f} ms; virtual {ideal[0] / 1000:.1f} / {ideal[1] / 1000:.1f} ms "
            f"| p50 {ours[0] / bus:.2f} times the bus time, {ours[0] / ideal[0]:.2f} the virtual |",
            flush=True,
        )
    print(
        f"| {name}: exchanges a second | {rate:.1f} | {limits[2]:.1f} the line allows | {100 * rate / limits[2]:.1f} %, "
        f"{cpu * 1e6:.0f} us CPU an exchange |",
        flush=True,
    )


if __name__ == "__main__":
    print("| devices | pozo | limit or peer | |\n|---|---|---|---|")
    print(
        f"| (units think {ANSWER // 1000} ms before they answer, as in devices.md 2.7; {PRESSES} presses, {LOCKS} locks) | | | |"
    )
    for shape, name in (("singles", "7 single units"), ("table", "one unit of 7")):
        bench_table(shape, name)
    bench_polls_on_the_line()
    bench_peers()
