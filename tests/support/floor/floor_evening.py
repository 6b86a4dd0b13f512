"""One seeded evening on the floor: real drivers, simulated devices, the core, and a floor that dies and begins anew.

`play(seed)` answers the evening; what was broken stands in `evening.broken`, a sentence for each that did not hold:
- no lamp is driven steady, and no output of a module or acceptor goes on, for a bet that the core never had;
- no lamp is tested at a seat that has a bet in the core, and no seat that is closed makes one;
- what the floor asks always changes something, and it soon asks nothing more;
- no table waits for proofs longer than the settings say;
- no credit is loaded on a unit that was not sold;
- at rest every pass that was locked is sealed, the books have what the units counted, and the credits of the books are
  the credits on the units.

A process that dies leaves the ledger and the memories behind, and nothing else.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, cast

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.facts import Fact, NothingNew, Refused
from controller.core.inputs import Input
from controller.core.values import Phase
from controller.node.devices.hardware import tell
from controller.node.devices.memories import AnyBase
from controller.node.floor.floor import Floor
from controller.node.floor.seats import VOIDABLE
from controller.node.vocabulary.commands import Wish
from controller.node.vocabulary.places import UnitKey, UnitPlace
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.model import SeatSeen
from drivers.native.contract import SeatMode
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.native.unit import Firmware
from support.floor.floor import CARLA, plan
from support.floor.floor import Floor as Ledger
from support.floor.floor_happenings import DiedError, happen
from support.floor.floor_tables import VALUE, Stage, UnitDriver, shapes
from support.floor.floor_watch import WORD, look
from support.sim.world import Pair, World

MOST_ROUNDS = 30


class Silent:
    """Nobody is there."""

    def receive(self, data: bytes, now: Micros) -> None: ...
    def to_send(self, now: Micros) -> bytes:
        return b""

    def deadline(self) -> Micros | None:
        return None

    def tick(self, now: Micros) -> None: ...


class Evening:
    """What outlives every process."""

    def __init__(
        self, seed: int, shape: str | None = None, stage: Stage | None = None, core: Ledger | None = None
    ) -> None:
        """`shape` names a stage of another's making, if there is one."""
        self.chance = Random(seed)
        names = list(shapes())
        self.shape = shape or names[seed % len(names)]
        self.stage = stage or Stage(shapes()[self.shape], self.chance)
        self.core = core or Ledger(plan())
        self.memories: dict[UnitKey, tuple[AnyBase, ...]] = {}
        self.now = 0
        self.broken: list[str] = []
        self.seen = Counter({self.shape: 1})
        self.tested: dict[UnitKey, Micros] = {}  # units of outputs: when their lamps were last under test
        self.accepted: dict[
            tuple[int, int, str, int], list[tuple[int, int]]
        ] = {}  # bets that the core had: (serial, epoch, seat of the table) -> totals as they were then
        self.bought: Counter[tuple[str, int]] = Counter()
        self.tables = sorted({place.table for place in self.stage.node.units})
        self.waiting: dict[str, Micros] = {}  # when a table began to wait for proofs, as far as a process was there
        self.start: dict[tuple[UnitKey, int], tuple[int, int]] = {}
        sims = ((place, self.stage.sims[place.key]) for place in self.stage.node.units)
        self.lamps = [(place, sim, seat) for place, sim in sims if isinstance(sim, Firmware) for seat in sim.seats]
        self.outputs = [
            (place, self.stage.sims[place.key], number)
            for place in self.stage.node.units
            if isinstance(place.made, IoMap | AcceptorSettings)
            for number in place.seats
        ]
        self.on: set[tuple[UnitKey, int]] = set()  # outputs that were on a moment ago
        self.drivers: dict[UnitKey, UnitDriver] = {}  # of the newest process

    def ask(self, asked: Input) -> tuple[Fact, ...]:
        closed = {(name, seat.number) for name in self.tables for seat in self.core.table(name).seats if seat.closed}
        facts = self.core.ask(asked, after=1)
        for fact in facts:
            self._note(fact)
            if isinstance(fact, said.BetMade) and (fact.table, fact.seat) in closed:
                self.break_it(f"a bet at a closed seat: {fact}")
        return facts

    def _note(self, fact: Any) -> None:
        self.seen[type(fact).__name__] += 1
        if isinstance(fact, said.CreditsBought):
            self.bought[fact.table, fact.seat] += fact.amount // VALUE
        device = getattr(fact, "device", None)
        if device is None:
            return
        seat = self.core.state.tables[fact.table].seat(fact.seat)
        if isinstance(fact, said.BetMade | said.ChipsFell) or seat.bet:
            totals = self.accepted.setdefault((device.serial, device.epoch, fact.table, fact.seat), [])
            totals.append((device.bets, device.chips))

    def break_it(self, what: str) -> None:
        if what not in self.broken:
            self.broken.append(what)


class Life:
    """One process."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.core = evening, evening.core
        self.floor = Floor(evening.stage.node)
        self.drivers = evening.drivers = evening.stage.drivers(evening.memories, self.core.state)
        self.buses = evening.stage.buses(self.drivers)
        self.die_at: tuple[str, int] | None = None  # a step of a turn, and how many of it are left
        self.planned: Micros | None = None
        self.world = cast("Any", None)  # a World; it tells something while it is made
        self.cables: dict[str, Pair] = {}
        for line, bus in self.buses.items():
            self._join(line, bus)
        evening.waiting.clear()
        self.world.act(self.turn)

    def _join(self, line: str, bus: Any) -> None:
        wire = self.evening.stage.lines[line]

        def hear(event: object, now: Micros) -> None:
            self._hear(line, event, now)

        if self.world is None:
            self.world = World(bus, wire, hear, now=self.evening.now)
            self.cables[line] = self.world.first
        else:
            self.cables[line] = self.world.join(bus, wire, hear)

    def _hear(self, line: str, event: object, now: Micros) -> None:
        if isinstance(event, SeatSeen) and event.last:
            self._remember(line, event)
        self.floor.heard(line, event, now)
        if self.world is not None and self.planned is None:
            self.planned = now
            self.world.after(self.evening.chance.choice([0, 0, 1, 3, 20]) * MILLISECOND, self._planned)

    def _remember(self, line: str, event: SeatSeen) -> None:
        for key, driver in self.drivers.items():
            if key == (line, event.unit) and hasattr(driver, "base"):
                known = [b for b in self.evening.memories.get(key, ()) if b.device.serial != driver.base.device.serial]
                self.evening.memories[key] = (*known, driver.base)

    def _planned(self, now: Micros) -> None:
        self.planned = None
        self.turn(now)

    def turn(self, now: Micros) -> None:
        """What the engine does: ask until nothing is left, then tell."""
        asks: list[Input] = []
        for _ in range(MOST_ROUNDS):
            asks = self.floor.asks(self.core.state, now)
            if not asks:
                break
            self._perhaps_die("before the commit")
            for asked in asks:
                self._answer(asked)
            self._perhaps_die("after the commit")
        else:
            self.evening.break_it(f"the floor does not stop asking: {asks}")
        for wish in self.floor.wishes(self.core.state, now):
            self._obey(wish)
            self._perhaps_die("between two wishes")
        while self.floor.next_note() is not None:
            pass
        due = self.floor.deadline()
        if due is not None:
            assert due > now, "a deadline is not of the past"
            self.world.at(due, self.turn)

    def _answer(self, asked: Input) -> None:
        facts = self.evening.ask(asked)
        for fact in facts:
            if isinstance(fact, NothingNew | Refused):
                self.evening.break_it(f"asked for nothing: {asked}: {fact}")

    def _obey(self, wish: Wish) -> None:
        self.evening.seen[type(wish.command).__name__] += 1
        assert tell(self.drivers[wish.unit], wish.command) is None, wish

    def _perhaps_die(self, step: str) -> None:
        if self.die_at is not None and self.die_at[0] == step:
            self.die_at = (step, self.die_at[1] - 1)
            if self.die_at[1] < 0:
                raise DiedError(step)

    def act(self, action: Callable[[Micros], object]) -> None:
        """Somebody does something, and the engine turns."""
        self.world.act(action)
        self.world.act(self.turn)

    def run_for(self, time: Micros) -> None:
        end = self.world.now + time
        try:
            self.world.run_while(lambda: look(self.evening, self.world.now), end)
        finally:
            self.evening.now = self.world.now


# ------------------------------------------------------------------------------------------------ at rest


def rest(evening: Evening, life: Life) -> None:
    """Clean lines, power everywhere, nobody plays: a press of the lock, and everything finds its place."""
    stage = evening.stage
    stage.trouble()
    life.die_at = None
    for cable in life.cables.values():
        if not cable.connected:
            cable.connect(life.world.now)
    for sim in stage.sims.values():
        if not sim.powered:
            sim.power_on() if sim.__class__.__name__ == "CctalkAcceptor" else sim.power_on(life.world.now)
    life.run_for(15 * SECOND)
    if evening.broken:
        return
    for name in evening.tables:
        press_lock(stage, name, life)
    life.run_for(20 * SECOND)
    if not evening.broken:
        compare(evening, life)


def press_lock(stage: Stage, name: str, life: Life) -> None:
    place, console = stage.console_of(name)
    life.act(console.press_lock if isinstance(place.made, IoMap) else console.lock_key)


def compare(evening: Evening, life: Life) -> None:
    for name in evening.tables:
        table = evening.core.table(name)
        if table.phase not in {Phase.SEALED, Phase.BETWEEN}:
            evening.break_it(f"{name} is {table.phase} although its lock was pressed: {table}")
    for unit in life.floor.units():
        if unit.health != "up":
            evening.break_it(f"{unit} is not up on a clean line")
    for place in evening.stage.node.units:
        for number in place.seats:
            compare_seat(evening, life, place, number)


def compare_seat(evening: Evening, life: Life, place: UnitPlace, number: int) -> None:
    sim, seat = evening.stage.sims[place.key], evening.core.seat(number, place.table)
    seen = life.floor._units[place.key].seats.get(number)
    where = f"{place.key} seat {number}"
    if seen is None or seat.device is None:
        evening.break_it(f"{where}: {seen} {seat}")
        return
    key = (seat.device.serial, seat.device.epoch)
    if key != (seen.device.serial, seen.device.epoch):
        evening.break_it(f"{where}: books of {key}, unit {seen.device}")
        return
    booked = (seat.device.bets, seat.device.chips, seat.device.late)
    if booked != (seen.totals.bets, seen.totals.chips, seen.totals.late):
        evening.break_it(f"{where}: booked {booked}, counted {seen.totals}")
    if not isinstance(sim, Firmware) or isinstance(place.made, AcceptorSettings):
        return
    memory = sim.seats[number - sim.make.first_seat].memory
    if seat.giving_back and seen.bet in VOIDABLE and not seat.bet:
        evening.break_it(f"{where}: {seat.giving_back} credits still to give back, {seen}")
    if sim.seats[number - sim.make.first_seat].mode == SeatMode.CHIPS:
        return
    on_unit = (memory.loaded - memory.cashed - memory.bets + memory.voided) % WORD
    wanted = seat.credits // VALUE + seat.promo // VALUE
    if on_unit != wanted and not (seat.closed and wanted):
        evening.break_it(f"{where}: {on_unit} credits on the unit, {wanted} in the books: {seat} {seen}")
    start = evening.start.get((place.key, number))
    if start is not None and start[0] == sim.nvm.epoch:
        loaded = (memory.loaded - start[1]) % WORD
        if loaded > evening.bought[place.table, number]:
            evening.break_it(f"{where}: loaded {loaded}, sold {evening.bought[place.table, number]}")


# ------------------------------------------------------------------------------------------------ an evening


def play(seed: int, length: Micros = 20 * SECOND, shape: str | None = None) -> Evening:
    evening = Evening(seed, shape)
    stage, chance = evening.stage, evening.chance
    stage.is_wired = chance.random() < 0.4
    life = Life(evening)
    life.run_for(8 * SECOND)
    not_up = [unit for unit in life.floor.units() if unit.health != "up"]
    assert not not_up, f"seed {seed}: {not_up}"
    for place in stage.node.units:
        sim = stage.sims[place.key]
        if isinstance(sim, Firmware):
            for number in place.seats:
                start = sim.seats[number - sim.make.first_seat].memory.loaded
                evening.start[place.key, number] = (sim.nvm.epoch, start)
    for table, seat in stage.seats():
        if chance.random() < 0.7:
            evening.ask(ask.BuyCredits(table, seat, chance.randint(5, 40), CARLA))
    bad = chance.choice([0.0, 0.0, 0.05, 0.2])
    stage.trouble(
        loss=bad * chance.random(), noise=bad * chance.random(), duplication=bad * chance.random(),
        delay=bad * chance.random(), delay_time=chance.choice([20, 200, 2500]) * MILLISECOND,
    )  # fmt: skip
    end = evening.now + length
    while evening.now < end and not evening.broken:
        life = step(evening, life)
    if not evening.broken:
        rest(evening, life)
    return evening


def step(evening: Evening, life: Life) -> Life:
    try:
        happen(evening, life)
        life.run_for(evening.chance.choice([30, 100, 300, 900, 2000]) * MILLISECOND)
    except DiedError:
        evening.seen["deaths"] += 1
        return reborn(evening)
    return life


def reborn(evening: Evening) -> Life:
    """Nobody drives the devices for a while, perhaps longer than they wait."""
    lines = list(evening.stage.lines.values())
    away = World(Silent(), lines[0], now=evening.now)
    for line in lines[1:]:
        away.join(Silent(), line)
    time = evening.chance.choice([1, 10, 300, 1500, 8000]) * MILLISECOND
    away.run_while(lambda: not look_away(evening, away.now), evening.now + time)
    evening.now = away.now
    return Life(evening)


def look_away(evening: Evening, now: Micros) -> bool:
    evening.waiting.clear()
    return not look(evening, now)
