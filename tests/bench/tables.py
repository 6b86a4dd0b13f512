"""What one event costs the engine, with 1, 8, 32 and 64 tables at its node: the cost must not grow with the tables.

An evening is played once in virtual time, with simulated units, and everything that its engine hears is kept. Then an
engine of its own hears it all again, one event a turn, and nothing else runs: what the processor is charged is the
engine's alone, its book, floor, signs and shown state in it. Then the daemon as installed plays on simulated TCP units.
"""

import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeVar

from bench.house import SEATS, founded, millis, node, quantiles, row
from bench.line import Table
from bench.node_virtual import VirtualNode
from controller.core.inputs import BuyCredits
from controller.core.values import Signature
from controller.node.telemetry.journal import set_up
from controller.node.vocabulary.inbox import FromLine, Item
from controller.node.vocabulary.places import Node
from drivers.session import MILLISECOND, SECOND, Micros
from support.node.node_process import START

HOUSES = (1, 8, 32, 64)
PLAYED = 10 * SECOND
PAUSES = (300, 900)  # milliseconds between two acts at a table
MOST_TIMES = 1.2
EVENING, PASS = 40, 10.0  # seconds; of one pass, in which every seat bets

Heeded = tuple[Micros, Item | None]
Made = TypeVar("Made", bound=VirtualNode)


class Played(VirtualNode):
    """Keeps everything that its engine heard: (instant, item); a turn without one is (instant, None)."""

    def __init__(self, node: Node) -> None:
        self.heard: list[Heeded] = []
        self._names = [table.name for table in node.tables]
        super().__init__(node, "table", START)

    def _beat(self, now: Micros) -> None:
        self.heard.append((now, None))
        super()._beat(now)

    def evening(self, played: Micros) -> int:
        """How much was heard before anybody played."""
        self._keep_what_is_put()
        first, *others = self._names
        self.open_day(first, SEATS, 20_000)
        for name in others:
            for seat in range(1, SEATS + 1):
                self.asks(BuyCredits(name, seat, 20_000, Signature("carla")))
        for table in self.tables:
            self.world.act(table.console.unlock_key)
        self.world.run_for(3 * SECOND)
        assert all(table.all_open for table in self.tables), "they do not open"
        began = len(self.heard)
        for seed, table in enumerate(self.tables):
            self._plays(table, Random(seed), self.now() + played)
        self.world.run_for(played)
        return began

    def _keep_what_is_put(self) -> None:
        put = self.inbox.put

        def kept(item: Item) -> bool:
            self.heard.append((self.now(), item))
            return put(item)

        self.inbox.put = kept  # type: ignore[method-assign]

    def _plays(self, table: Table, chance: Random, until: Micros) -> None:
        """Somebody presses; when everybody has bet, the croupier locks, and opens anew."""

        def act(now: Micros) -> None:
            free = [(unit, seat) for unit, seat in table.seats if not seat.memory.bet]
            if table.all_open and free:
                unit, seat = chance.choice(free)
                unit.press(seat.number, 1, now)
            elif table.all_open:
                table.console.lock_key(now)
            else:
                table.console.unlock_key(now)
            pause = chance.randint(*PAUSES) * MILLISECOND
            if now + pause < until:
                self.world.at(now + pause, act)

        self.world.at(self.now() + chance.randint(*PAUSES) * MILLISECOND, act)


class Heard(VirtualNode):
    """An engine that hears it again; what it wants of its devices reaches nobody."""

    def __init__(self, node: Node) -> None:
        self._instant: Micros = 0
        super().__init__(node, "table", START)
        del self.world

    def now(self) -> Micros:
        return self._instant

    def call(self, _line: str, function: Callable[[Micros], None]) -> None:
        pass

    def _hear(self, line: str, event: object, now: Micros) -> None:
        pass

    def hears(self, heard: Sequence[Heeded]) -> None:
        for now, item in heard:
            self._instant = now
            if item is not None:
                self.inbox.put(item)
            self.engine.turn(now)


@contextmanager
def standing(kind: Callable[[Node], Made], tables: int) -> Iterator[Made]:
    with tempfile.TemporaryDirectory(prefix="bt", dir=Path("var").absolute()) as name:
        made = kind(founded(Path(name), ["table"] * tables))
        yield made
        made.book.close()


def cost(tables: int, played: Micros = PLAYED) -> tuple[float, int, int]:
    """Microseconds of the engine for one event of a line, the events, and the facts."""
    with standing(Played, tables) as made:
        began = made.evening(played)
        heard, facts = made.heard, made.book.seq
    with standing(Heard, tables) as made:
        made.hears(heard[:began])
        before, before_facts = time.thread_time(), made.book.seq
        made.hears(heard[began:])
        took = time.thread_time() - before
        assert made.book.seq == facts, "the same record"
    events = sum(isinstance(item, FromLine) for _, item in heard[began:])
    return 1e6 * took / events, events, facts - before_facts


def evening(tables: int) -> tuple[float, float, float, list[Micros]]:
    """The daemon as installed: (its share of a core, that of its engine, megabytes, presses to steady lamps)."""
    with node(*["table"] * tables, net=True) as house:
        house.play(f"play {PASS} {PASS}")
        start, cpu, engine = time.monotonic(), house.cpu(), house.engine()
        house.play(f"play {EVENING} {PASS}")
        took = time.monotonic() - start
        whole, its_engine = 100 * (house.cpu() - cpu) / took, 100 * (house.engine() - engine) / took
        return whole, its_engine, house.memory(), house.play("steady")


def main() -> None:
    set_up(io.StringIO(), under_systemd=False)
    houses = [int(one) for one in sys.argv[1:]] or HOUSES
    print("\n### Houses of many tables\n")
    row("tables", "engine alone, us an event", "times that of one table", "events", "facts")
    row(*["---"] * 5)
    one = 0.0
    for tables in houses:
        each, events, facts = cost(tables)
        one = one or each
        row(tables, f"{each:.0f}", f"{each / one:.2f}; goal {MOST_TIMES}", f"{events:,}", f"{facts:,}")
    print("\nThe daemon as installed, a unit of seven and a console at each table behind Modbus/TCP:\n")
    row("busy tables", "% of one core", "of it the engine", "MB", "press to steady, p50 / p99")
    row(*["---"] * 5)
    for tables in houses:
        cpu, engine, memory, steady = evening(tables)
        row(tables, f"{cpu:.1f}", f"{engine:.1f}", f"{memory:.0f}", f"{millis(quantiles(steady))} of {len(steady)}")


if __name__ == "__main__":
    main()
