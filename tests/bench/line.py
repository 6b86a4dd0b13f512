"""A simulated table on a paced line in a process of its own, for the devices' benches: it plays and takes the time.

It prints the name of its pty, reads one word a line (`press N`, `lock N`, `rate SECONDS`), and answers one line of JSON.
Times are the line's own instants: when a press was accepted, when a lamp went steady, when a lock took effect.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import IO, NamedTuple

from drivers.modbus.timing import LineTiming
from drivers.native.contract import Bet, LampDrive, LockState, UnitClass
from drivers.native.writes import Config
from drivers.punctual import micros, precise_loop
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.slave import RtuSlave
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.places import PATH

BAUD = 115_200
CONSOLE = 30
ANSWER = 5 * MILLISECOND  # as in devices.md 2.7
TIMING = LineTiming(baud=BAUD, latency=2 * MILLISECOND, turnaround=20 * MILLISECOND)


def config_of(unit: int, first_seat: int) -> Config:
    return Config(
        credit_value=1000, least=1, most=10, buttons=(1, 2, 5, 10), unit=unit, first_seat=first_seat, baud=BAUD, debounce=1,
        confirm_timeout=1000,
    )  # fmt: skip


def makes_of(shape: str) -> list[Make]:
    """`singles`: seven units of one seat; `table`: one unit of seven. And the croupier's console."""
    seats = (
        [
            Make(n, UnitClass.ELECTRONIC, 1, n, serial=100 + n, config=config_of(n, n), answer=ANSWER)
            for n in range(1, 8)
        ]
        if shape == "singles"
        else [Make(1, UnitClass.TABLE, 7, 1, serial=100, config=config_of(1, 1), answer=ANSWER)]
    )
    return [*seats, Make(CONSOLE, UnitClass.CONSOLE, 1, 1, serial=99, config=config_of(CONSOLE, 1), answer=ANSWER)]


class Pipes(NamedTuple):
    """To the table's process, and from it."""

    stdin: IO[str]
    stdout: IO[str]


@contextmanager
def real_table(shape: str) -> Iterator[tuple[Pipes, str]]:
    with tempfile.TemporaryDirectory() as folder:
        link = f"{folder}/line"
        environment = os.environ | PATH
        command = [sys.executable, __file__, shape, link]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        ) as sim:
            assert sim.stdin is not None and sim.stdout is not None
            assert sim.stdout.readline().strip() == link
            yield Pipes(sim.stdin, sim.stdout), link
            sim.stdin.close()


class Table:
    """The units on their line; a `Talker` that looks at every lamp whenever something happens. `number`: of the table,
    before a node that has several; no two boxes have one serial (R-37)."""

    def __init__(self, shape: str, timing: LineTiming, now: Micros | None = None, number: int = 0) -> None:
        self.line = Line(LineSettings(baud=BAUD), Random(1))
        makes = [replace(make, serial=make.serial + 1_000 * number) for make in self.makes(shape)]
        self.units = [Firmware(make, Nvm(), Random(make.unit), now=micros() if now is None else now) for make in makes]
        for unit in self.units:
            self.line.attach(RtuSlave(unit, timing), f"unit {unit.make.unit}")
        self.console = self.units[-1]
        self.seats = [(unit, seat) for unit in self.units[:-1] for seat in unit.seats]
        self.waiting: dict[tuple[int, int], Micros] = {}  # (unit, seat) -> when its press was accepted
        self.steady: list[Micros] = []
        self.lock_at: Micros | None = None
        self.locked: list[Micros] = []
        self._presses = 0

    @staticmethod
    def makes(shape: str) -> list[Make]:
        return makes_of(shape)

    def receive(self, data: bytes, now: Micros) -> None:
        self.line.receive(data, now)
        self.look(now)

    def to_send(self, now: Micros) -> bytes:
        return self.line.to_send(now)

    def deadline(self) -> Micros | None:
        return self.line.deadline()

    def tick(self, now: Micros) -> None:
        due = self.line.deadline()
        self.line.tick(now)
        self.look(now if due is None else min(now, due))

    def touched(self, now: Micros) -> None:
        self.line.touched(now)
        self.look(now)

    def look(self, now: Micros) -> None:
        for unit, seat in self.seats:
            key = (unit.make.unit, seat.number)
            if seat.memory.bet == Bet.PENDING and key not in self.waiting:
                self.waiting[key] = now
            elif key in self.waiting and seat.lamp.drive == LampDrive.STEADY:
                self.steady.append(now - self.waiting.pop(key))
        if self.console.memory.seats[0].loaded != self._presses:
            self._presses = self.console.memory.seats[0].loaded
            self.lock_at = now
        if self.lock_at is not None and all(unit._state != LockState.OPEN for unit in self.units[:-1]):
            self.locked.append(now - self.lock_at)
            self.lock_at = None

    @property
    def all_open(self) -> bool:
        return all(unit._state == LockState.OPEN for unit in self.units[:-1])


class Player:
    """What is done at the table: at chance moments, one thing at a time, so that each meets the line anywhere."""

    def __init__(self, table: Table, chance: Random) -> None:
        self.table = table
        self.chance = chance

    def press(self, now: Micros) -> bool:
        free = [(unit, seat) for unit, seat in self.table.seats if seat.memory.bet == Bet.NONE]
        if free and not self.table.waiting:
            unit, seat = self.chance.choice(free)
            unit.press(seat.number, 1, now)
        return bool(free)

    def lock(self, now: Micros) -> None:
        self.table.console.lock_key(now)

    def unlock(self, now: Micros) -> None:
        self.table.console.unlock_key(now)


async def main(shape: str, link: str) -> None:
    table = Table(shape, TIMING)
    end = PtyEnd(table, Path(link))
    player = Player(table, Random(3))
    print(link, flush=True)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while words := (await reader.readline()).decode().split():
        answer = await PLAYS[words[0]](table, end, player, int(words[1]))
        print(json.dumps(answer), flush=True)
    end.close()


async def until(condition: Callable[[], bool], patience: float = 20.0) -> None:
    for _ in range(int(patience * 1000)):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("the table is stuck")


async def presses(table: Table, end: PtyEnd, player: Player, count: int) -> list[Micros]:
    """Press, wait for steady; when every seat has bet, the croupier locks and opens a new pass."""
    table.steady.clear()
    await until(lambda: table.all_open)
    while len(table.steady) < count:
        await asyncio.sleep(player.chance.uniform(0.2, 0.6))
        held: list[bool] = []
        end.act(lambda now, held=held: held.append(player.press(now)))  # type: ignore[misc]  # a default is the loop's own
        if held[0]:
            seen = len(table.steady)
            await until(lambda seen=seen: len(table.steady) > seen or not table.waiting)  # type: ignore[misc]
        else:
            await turn_the_pass(table, end, player)
    return table.steady[:count]


async def turn_the_pass(table: Table, end: PtyEnd, player: Player) -> None:
    end.act(player.lock)
    await until(lambda: not table.all_open)
    await asyncio.sleep(0.3)
    end.act(player.unlock)
    await until(lambda: table.all_open)


async def locks(table: Table, end: PtyEnd, player: Player, count: int) -> list[Micros]:
    await until(lambda: table.all_open)
    table.locked.clear()
    while len(table.locked) < count:
        await asyncio.sleep(player.chance.uniform(0.05, 0.2))
        await turn_the_pass(table, end, player)
    return table.locked[:count]


async def rate(table: Table, _end: PtyEnd, _player: Player, seconds: int) -> list[float]:
    """Messages and wire time while nobody does anything."""
    before, start = table.line.counters.messages, micros()
    await asyncio.sleep(seconds)
    return [(table.line.counters.messages - before) / 2 * SECOND / (micros() - start)]


PLAYS = {"press": presses, "lock": locks, "rate": rate}

if __name__ == "__main__":
    with asyncio.Runner(loop_factory=lambda: precise_loop(spin=300)) as runner:
        runner.run(main(*sys.argv[1:]))
