"""The same node in virtual time, where processor and disk cost nothing: what its own questions make of a table's line.

The engine, floor, book and drivers are the real ones, the lines and units simulated; between two things that happen no
time passes. What stands above the bus time here is the order of questions, what stands above this is the machine.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import Any, NoReturn, cast

from bench.line import TIMING
from bench.node_tables import OPEN_FOR, Watched
from controller.core.facts import PassSealed
from controller.core.inputs import BuyCredits, Input
from controller.core.node import AGREES
from controller.core.values import Signature
from controller.node.book.book import Answer, Asked, open_book, record_of
from controller.node.book.seeds import Seeds
from controller.node.control.control import Control
from controller.node.devices.dispatch import Dispatcher, Listener
from controller.node.devices.hardware import Hardware
from controller.node.devices.memories import Memories
from controller.node.engine.due import Draws
from controller.node.engine.engine import Engine
from controller.node.engine.inquiries import Inquiries
from controller.node.engine.reception import Reception
from controller.node.floor.floor import Floor
from controller.node.publish.show import Show, Surroundings
from controller.node.signs.signboard import Signboard
from controller.node.store.store import Reader
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import journal
from controller.node.vocabulary.clock import Clock, Millis, SteppedClock
from controller.node.vocabulary.house import House
from controller.node.vocabulary.inbox import FromPerson, Inbox
from controller.node.vocabulary.places import Node
from controller.node.vocabulary.protocol import Deed, NodeView, Reply, Request
from drivers.rack import Rack
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware
from support.sim.world import World

BEAT = 100 * MILLISECOND
SETTLED = 500 * MILLISECOND


class Nobody:
    """Nobody asks and nobody looks."""

    def unproven(self, _now: Micros) -> Sequence[Input]:
        return ()

    def people(self, verifiers: dict[str, str], house: House) -> None:
        pass

    def show(self, view: NodeView, facts: Iterable[bytes]) -> None:
        pass


def nobody_at(_inbox: Inbox) -> Control:
    return cast("Control", Nobody())


class VirtualNode:
    """A line for each table of `node`, which is founded, and its day is not open; `table` is the first."""

    world: World  # stands when every line is connected; until then it is instant 0

    def __init__(
        self, node: Node, shape: str, start: Millis, control_at: Callable[[Inbox], Control] = nobody_at
    ) -> None:
        self._start, self._ids = start, iter(range(1, 10_000))
        self._replies: list[Reply] = []
        self.tables = [Watched(shape, TIMING, now=0, number=number) for number, _ in enumerate(node.tables)]
        self.table = self.tables[0]
        self.book = open_book(node)
        hardware = Hardware(node, 7, 99)
        clock = Clock(self.now, lambda: start + self.now() // 1000, self.now)
        self.inbox = Inbox(self.now)
        hands = Dispatcher(cast("Rack", self), hardware, node, self._impossible)
        self.control = control_at(self.inbox)
        around = Surroundings(Floor(node), Signboard(node), hands, self.control, Memories(node.folder / "memories"))
        counts, said = Counts(), journal()
        show = Show(node.name, self.book, around, clock, said, counts, lambda _: ())
        reception = Reception(Seeds.of_node(node), around.floor, around.signs, self.book.store, clock)
        draws = Draws(Seeds.of_node(node), self._impossible)
        self.engine = Engine(
            self.book, self.inbox, around, show, reception, draws, self._inquiries(node), clock, SteppedClock(clock, AGREES), said, counts,
            lambda: None, lambda _: None,
        )  # fmt: skip
        self.listener = Listener(node, self.inbox, hardware, self.now, hands.lock_table)
        self.sealed: list[Micros] = []
        self._watch_book()
        first, *others = zip(hardware.lines, self.tables, strict=True)
        self.world = World(first[0].session, first[1], partial(self._hear, first[0].name))
        for line, table in others:
            self.world.join(line.session, table, partial(self._hear, line.name))
        self.world.at(BEAT, self._beat)

    def now(self) -> Micros:
        return self.world.now if hasattr(self, "world") else 0

    def _inquiries(self, node: Node) -> Inquiries:
        return Inquiries(lambda: Reader.open(record_of(node.folder)), self.inbox.put)

    def _impossible(self, why: str) -> NoReturn:
        raise AssertionError(why)

    def _watch_book(self) -> None:
        take = self.book.take

        def watched(asks: Sequence[Asked]) -> list[Answer]:
            answers = take(asks)
            facts = [fact for answer in answers for fact in answer.facts]
            self.sealed += [self.now() for fact in facts if isinstance(fact, PassSealed)]
            return answers

        self.book.take = watched  # type: ignore[method-assign]

    def call(self, _line: str, function: Callable[[Micros], None]) -> None:
        """The rack: what is wanted of a session is wanted at once."""
        function(self.now())

    def _hear(self, line: str, event: object, now: Micros) -> None:
        self.listener(line, event)
        self.engine.turn(now)

    def _beat(self, now: Micros) -> None:
        self.engine.turn(now)
        self.world.at(now + BEAT, self._beat)

    # What people do.

    def asks(self, asked: Input | None = None, *people: Signature, **told: Any) -> None:
        request = Request(1, f"{next(self._ids):032x}", **told)
        heard = FromPerson(request, asked, "", self._replies.append, people)
        self.inbox.put(heard)
        self.world.act(self.engine.turn)
        assert self._replies[-1].ok, self._replies[-1]

    def open_day(self, table: str, seats: int, credits_: int) -> None:
        units = self.engine._around.floor.units
        some_down = lambda: any(unit.health != "up" for unit in units())
        assert self.world.run_while(some_down, 60 * SECOND), "not every unit comes up"
        self.asks(None, Signature("jefe"), do=Deed.OPEN_DAY, day="2026-11-01", nonce="0" * 64)
        for seat in range(1, seats + 1):
            self.asks(BuyCredits(table, seat, credits_, Signature("carla")))
        self.world.run_for(3 * SECOND)

    def open(self) -> None:
        self.world.act(self.table.console.unlock_key)
        opened = self.world.run_while(lambda: not self.table.all_open, self.world.now + 5 * SECOND)
        assert opened, "it does not open"

    def press(self, unit: Firmware, seat: UnitSeat) -> None:
        """Until a lamp is steady, two seconds at most."""
        seen = len(self.table.steady)
        self.world.act(partial(unit.press, seat.number, 1))
        self.world.run_while(lambda: len(self.table.steady) == seen, self.world.now + 2 * SECOND)

    def turn(self) -> None:
        self.world.act(self.table.console.lock_key)
        self.world.run_while(lambda: not self.table.all_shut, self.world.now + 2 * SECOND)
        self.world.run_for(SETTLED)
        self.open()


def virtually(
    node: Node, shape: str, start: Millis, seats: int, presses: int, locks: int
) -> tuple[list[Micros], list[Micros]]:
    """The scenes of bench_node: (press to steady, lock button to the seal), each in microseconds."""
    made, chance = VirtualNode(node, shape, start), Random(0)
    world, table = made.world, made.table
    made.open_day(node.tables[0].name, seats, 20_000)
    made.open()
    while len(table.steady) < presses:
        world.run_for(chance.randint(200, 600) * MILLISECOND)
        free = [(unit, seat) for unit, seat in table.seats if not seat.memory.bet]
        if free:
            made.press(*chance.choice(free))
        else:
            made.turn()
    first = len(table.lock_presses)
    while len(table.lock_presses) < first + locks:
        world.run_for(int(chance.uniform(*OPEN_FOR) * SECOND))
        made.turn()
    pressed = table.lock_presses[first:]
    sealed = [next(at for at in made.sealed if at > press) - press for press in pressed]
    made.book.close()
    return table.steady, sealed
