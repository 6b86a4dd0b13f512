"""Simulated tables on paced lines in a process of their own, for the node's bench: they play, and take the time.

Named on the command line as `shape:link`, one line each; prints `ready`, then reads words (`press N`, `lock N`,
`play SECONDS PASS`) and answers one line of JSON each. Instants are those of the machine's one monotonic clock, so that
another process can compare them with its own.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from bench.line import TIMING, Player, Table
from drivers.modbus.timing import LineTiming
from drivers.native.contract import Bet, LockState
from drivers.punctual import micros, precise_loop
from drivers.session import SECOND, Micros
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.tcp import TcpEnd

PATIENCE = 20.0
SETTLED = 0.5  # seconds after the last lock until the record has surely sealed
OPEN_FOR = (1.0, 1.6)  # seconds until the croupier locks


class Desk:
    """One table, its line, and who plays there."""

    def __init__(self, table: "Watched", end: PtyEnd | TcpEnd, seed: int) -> None:
        self.table, self.end = table, end
        self.chance = Random(seed)
        self.player = Player(self.table, self.chance)
        self.passes = self.bets = self.dark = self.unopened = 0

    def act(self, what: Callable[[Micros], None]) -> None:
        self.end.act(what)

    async def until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> bool:
        for _ in range(int(patience * 500)):
            if condition():
                return True
            await asyncio.sleep(0.002)
        return False

    async def open(self) -> None:
        """The croupier presses until it opens, as he would."""
        for _ in range(int(PATIENCE)):
            if self.table.all_open:
                return
            self.act(self.player.unlock)
            await self.until(lambda: self.table.all_open, 1.5)
        states = [(unit.make.unit, unit._state.name) for unit in self.table.units]
        raise AssertionError(f"the table does not open: {states}")

    async def shut(self) -> None:
        self.act(self.player.lock)
        assert await self.until(lambda: self.table.all_shut), "the table does not lock"

    async def turn(self) -> None:
        await self.shut()
        await asyncio.sleep(SETTLED)
        await self.open()

    def press(self) -> bool:
        """Whether a seat had not bet yet."""
        pressed: list[bool] = []
        self.act(lambda now: pressed.append(self.player.press(now)))
        return pressed[0]

    async def steady_after(self, seen: int) -> bool:
        """One steady lamp more than those seen; or no press waits for its lamp."""
        return await self.until(lambda: len(self.table.steady) > seen or not self.table.waiting)

    async def play_a_pass(self, length: float) -> None:
        """One bet a seat at chance moments of the first half, the lock, the cards; so many seconds in all."""
        start = micros()
        await self.open()
        spare = max(0.0, length * 0.5 - (micros() - start) / SECOND)
        moments = sorted(self.chance.uniform(0, spare) for _ in self.table.seats)
        seats = self.chance.sample(self.table.seats, len(self.table.seats))
        began = micros()
        for moment, (unit, seat) in zip(moments, seats, strict=True):
            await asyncio.sleep(max(0.0, moment - (micros() - began) / SECOND))
            self.act(partial(unit.press, seat.number, 1))
        await self.until(lambda: all(seat.memory.bet == Bet.CONFIRMED for _, seat in self.table.seats), 2.0)
        self.dark += sum(seat.memory.bet != Bet.CONFIRMED for _, seat in self.table.seats)
        self.bets += len(seats)
        await self.shut()
        self.passes += 1
        await asyncio.sleep(max(SETTLED, length - (micros() - start) / SECOND))


class Watched(Table):
    """Remembers when the lock button was pressed, too."""

    def __init__(self, shape: str, timing: LineTiming, now: Micros | None = None, number: int = 0) -> None:
        super().__init__(shape, timing, now, number)
        self.lock_presses: list[Micros] = []

    def look(self, now: Micros) -> None:
        before = self.lock_at
        super().look(now)
        if self.lock_at is not None and self.lock_at != before:
            self.lock_presses.append(self.lock_at)
        elif before is None and self.locked and self._presses > len(self.lock_presses):
            self.lock_presses.append(now - self.locked[-1])

    @property
    def all_shut(self) -> bool:
        return all(unit._state != LockState.OPEN for unit in self.units[:-1])


async def presses(desks: Sequence[Desk], count: float) -> list[Micros]:
    """Press, wait for steady; when every seat has bet, the croupier locks and opens a new pass."""
    (desk,) = desks
    table = desk.table
    await desk.open()
    table.steady.clear()
    while len(table.steady) < count:
        await asyncio.sleep(desk.chance.uniform(0.2, 0.6))
        if desk.press():
            assert await desk.steady_after(len(table.steady)), f"no steady lamp: {table.waiting}"
        else:
            await desk.turn()
    return table.steady[: int(count)]


async def locks(desks: Sequence[Desk], count: float) -> list[list[Micros]]:
    """The instants of the presses, and how long the units took."""
    (desk,) = desks
    await desk.open()
    desk.table.locked.clear()
    first = len(desk.table.lock_presses)
    while len(desk.table.locked) < count:
        await asyncio.sleep(desk.chance.uniform(*OPEN_FOR))
        await desk.turn()
    return [desk.table.lock_presses[first:], desk.table.locked[: int(count)]]


async def play(desks: Sequence[Desk], seconds: float, length: float) -> list[int]:
    """All tables side by side."""
    end = micros() + int(seconds * SECOND)

    async def evening(desk: Desk) -> None:
        desk.passes = desk.bets = desk.dark = 0
        await asyncio.sleep(desk.chance.uniform(0, min(length, 5.0)))
        while micros() < end:
            await desk.play_a_pass(length)

    for desk in desks:
        desk.table.steady.clear()
    await asyncio.gather(*(evening(desk) for desk in desks))
    return [sum(desk.passes for desk in desks), sum(desk.bets for desk in desks), sum(desk.dark for desk in desks)]


async def steady(desks: Sequence[Desk]) -> list[Micros]:
    """From press to steady lamp, of every bet since the last play began."""
    return [time for desk in desks for time in desk.table.steady]


PLAYS: dict[str, Callable[..., Awaitable[object]]] = {"press": presses, "lock": locks, "play": play, "steady": steady}


async def main(places: Sequence[str]) -> None:
    named = [place.split(":", 1) for place in places]
    tables = [(Watched(shape, TIMING, number=number), Path(link)) for number, (shape, link) in enumerate(named)]
    ends = [PtyEnd(table, link) for table, link in tables]
    print("ready", flush=True)
    await hear([Desk(table, end, seed) for seed, ((table, _), end) in enumerate(zip(tables, ends, strict=True))])
    for end in ends:
        end.close()


async def hear(desks: Sequence[Desk]) -> None:
    """What is read is played."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while words := (await reader.readline()).decode().split():
        print(json.dumps(await PLAYS[words[0]](desks, *map(float, words[1:]))), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=precise_loop) as runner:
        runner.run(main(sys.argv[1:]))
