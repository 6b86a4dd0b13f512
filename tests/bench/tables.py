"""What one event costs the engine, with 1, 8, 32 and 64 tables at its node: the cost must not grow with the tables.

Two scenes. In virtual time the real engine, book, floor and drivers play in this process, one event a turn, and the
processor's time of the engine alone is taken. Then the daemon as installed plays an evening on simulated TCP units, and
the kernel says what its threads and its memory cost.
"""

import io
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from bench.node import SEATS, founded
from bench.node_virtual import VirtualNode
from controller.node.telemetry.journal import set_up
from drivers.session import MILLISECOND, SECOND
from support.node.node_process import START

HOUSES = (1, 8, 32, 64)
PLAYED = 10 * SECOND
PAUSES = (300, 900)  # milliseconds between two acts at a table


class Timed(VirtualNode):
    """Knows how long its engine worked, without the drivers that obey it, and how often it was turned."""

    def __init__(self, node, shapes, start):
        self.worked = self.obeying = self.turns = 0
        super().__init__(node, shapes, start)
        turn = self.engine.turn

        def timed(latest=None):
            before, obeying = time.thread_time_ns(), self.obeying
            turn(latest)
            self.worked += time.thread_time_ns() - before - (self.obeying - obeying)
            self.turns += 1

        self.engine.turn = timed

    def call(self, line, function):
        before = time.thread_time_ns()
        super().call(line, function)
        self.obeying += time.thread_time_ns() - before


def play(made, table, chance, until):
    """Somebody presses; when everybody has bet, the croupier locks, and opens anew."""

    def act(now):
        free = [(unit, seat) for unit, seat in table.seats if not seat.memory.bet]
        pause = chance.randint(*PAUSES) * MILLISECOND
        if table.all_open and free:
            unit, seat = chance.choice(free)
            unit.press(seat.number, 1, now)
        elif table.all_open:
            table.console.lock_key(now)
        else:
            table.console.unlock_key(now)
        if now + pause < until:
            made.world.at(now + pause, act)

    made.world.at(made.now() + chance.randint(*PAUSES) * MILLISECOND, act)


def cost(tables, played=PLAYED):
    """Microseconds of the engine for one event, and how many events there were."""
    with tempfile.TemporaryDirectory(prefix="bt", dir=Path("var").absolute()) as name:
        shapes = ["table"] * tables
        node = founded(Path(name), shapes)
        made = Timed(node, shapes, START)
        made.open_day([table.name for table in node.tables], SEATS, 20_000)
        made.open()
        made.worked = made.turns = 0
        heard = made.engine._counts.heard
        for seed, table in enumerate(made.tables):
            play(made, table, Random(seed), made.now() + played)
        made.world.run_for(played)
        made.book.close()
        return made.worked / 1000 / (made.engine._counts.heard - heard), made.engine._counts.heard - heard


def main():
    set_up(io.StringIO(), under_systemd=False)
    for tables in map(int, sys.argv[1:]) if sys.argv[1:] else HOUSES:
        each, events = cost(tables)
        print(f"| {tables} tables | {each:.0f} us each | {events} events |", flush=True)


if __name__ == "__main__":
    main()
