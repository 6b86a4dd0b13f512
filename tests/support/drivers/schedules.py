"""One seeded history of a table: real drivers, real simulated units, a hostile line, and everybody reboots (2.7).

`play(seed)` answers the table; what was broken stands in `table.broken`, a sentence for each of these that did not hold:
- at rest the books equal the units' totals, and the sums of differences of each memory equal what really happened;
- every credit that was sold is loaded once, and every one that was cashed out is paid once;
- every press of the console's lock key is told once;
- numbers that are equal are told with totals that are equal;
- at no instant is a lamp driven steady for a bet that is not in the books;
- no console opens before a host has heard of the last press of its lock key;
- no frame of the past opens a unit that its host knows to be locked, and at rest nothing is open.

A host that dies leaves its books behind and nothing else. The line stays as it is: what was on it arrives later.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from drivers.line.numbers import newer
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.model import DeviceKey
from drivers.native.contract import Capability, LampDrive, LockState, SeatMode, UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.native.books import wound_up
from firmware_sim.native.make import USUAL, Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware
from support.core.happenings import happen
from support.drivers.bookkeeper import WORD, Books, CrashError, Host
from support.sim.stream import Stream
from support.sim.world import World

NONCE = 0x1234_5678
BAUD = 115_200
TIMING = LineTiming(baud=BAUD, latency=2 * MILLISECOND)
NET_TIMING = LineTiming(baud=NETWORK, latency=2 * MILLISECOND)
LONG_AWAY = 8000
KINDS = ("loaded", "cashed", "bets", "voided", "chips", "late")
CONSOLE, ELECTRONIC, SLOT = (UnitClass.CONSOLE, 1), (UnitClass.ELECTRONIC, 1), (UnitClass.CHIP_SLOT, 1)


def config_of(unit: int, first_seat: int, **other: Any) -> Config:
    values: dict[str, Any] = {
        "credit_value": 1000, "least": 1, "most": 20, "buttons": (1, 2, 5, 10), "unit": unit, "first_seat": first_seat,
        "baud": BAUD, "hold": 5, "host_timeout": 1000, "confirm_timeout": 600,
    }  # fmt: skip
    return Config(**(values | other))


class Table:
    """What outlives hosts: units, the line, the books."""

    def __init__(
        self, chance: Random, firmware: type[Firmware] = Firmware, shape: Sequence[tuple[UnitClass, int]] | None = None
    ) -> None:
        self.chance = chance
        self.now = 0
        self.books = Books()
        self.units = []
        self.chip_credits = 1
        self.round = 0
        self.net = shape is None and chance.random() < 0.15  # one unit behind a connection of its own
        self._fast = chance.random() < 0.3  # units that write and read in one turn (FC23)
        several = [(UnitClass.TABLE, chance.randint(2, 9))]
        shapes = [several] if self.net else [[ELECTRONIC] * 3, several, [SLOT, ELECTRONIC], [CONSOLE, SLOT, ELECTRONIC]]
        seat = 1
        for number, (kind, seats) in enumerate(shape or chance.choice(shapes), 1):
            self.units.append(self._unit(firmware, number, kind, seats, seat))
            seat += seats if kind != UnitClass.CONSOLE else 0
        self.line = self._line()
        self.console = next((unit for unit in self.units if unit.make.unit_class == UnitClass.CONSOLE), None)
        self.seats = [
            (unit, k) for unit in self.units if unit is not self.console for k in range(1, unit.make.seats + 1)
        ]
        self.pressed_before = 0
        self.presses = 0  # of the console's lock key
        self.start: dict[tuple[DeviceKey, int], dict[str, int]] = {}
        self.lost: dict[tuple[DeviceKey, int], dict[str, int]] = {}  # what a memory that was lost had counted
        self.was_open = {unit.make.unit: False for unit in self.units}
        self.broken: list[str] = []
        self.seen: Counter[str] = Counter()  # a history in which nothing happened proves nothing
        self.seen["tables on TCP"] += self.net
        self.seen["tables with FC23"] += self._fast

    def _unit(self, firmware: type[Firmware], number: int, kind: UnitClass, seats: int, seat: int) -> Firmware:
        able = USUAL[kind] | (Capability.WRITE_READ if self._fast else 0)
        make = Make(
            number, kind, seats, seat, serial=1000 + number, capabilities=able, config=config_of(number, seat),
            answer=2 * MILLISECOND,
        )  # fmt: skip
        nvm = wound_up(make, 2**32 - self.chance.randint(1, 60)) if self.chance.random() < 0.5 else Nvm()
        return firmware(make, nvm, Random(self.chance.random()))

    def _line(self) -> Stream | Line:
        if self.net:
            return Stream(lambda: TcpSlave(self.units[0]), latency=MILLISECOND)
        line = Line(LineSettings(baud=BAUD), Random(self.chance.random()))
        for unit in self.units:
            line.attach(RtuSlave(unit, TIMING), f"unit {unit.make.unit}")
        return line

    def trouble(self, **faults: Any) -> None:
        """Of a wire; a connection has none but its end."""
        if isinstance(self.line, Line):
            self.line.settings = LineSettings(baud=BAUD, **faults)

    def seat_of(self, unit: Firmware, k: int) -> int:
        return unit.make.first_seat + k - 1

    def key_of(self, unit: Firmware) -> DeviceKey:
        return DeviceKey(unit.make.serial, unit.nvm.epoch)

    def bus(self, drivers: Sequence[NativeUnit]) -> Bus:
        return Bus(drivers, NET_TIMING, MbapFraming()) if self.net else Bus(drivers, TIMING, RtuFraming())

    def drivers(self) -> list[NativeUnit]:
        return [
            NativeUnit(
                UnitSettings(unit.make.unit, unit.make.unit_class, unit.make.seats, unit.make.first_seat,
                             config_of(unit.make.unit, unit.make.first_seat, chip_credits=self.chip_credits)),
                nonce=NONCE, first_command=self.chance.randint(1, 0xFFFF),
            )
            for unit in self.units
        ]  # fmt: skip


class Life:
    """One host process on the table."""

    def __init__(self, table: Table, crash_after: tuple[str, int] | None = None) -> None:
        self.table = table
        self.drivers = table.drivers()
        self.bus = table.bus(self.drivers)
        self.host = Host(table.books, self.drivers, crash_after)
        self.planned = False
        self.world = World(self.bus, table.line, self._hear, now=table.now)

    def _hear(self, event: object, now: Micros) -> None:
        self.host.hear(event, now)
        if self.host.waiting and not self.planned:
            self.planned = True
            self.world.after(self.table.chance.choice([0, 0, 1, 3, 20]) * MILLISECOND, self._commit)

    def _commit(self, now: Micros) -> None:
        self.planned = False
        self.host.commit()

    def pull_the_cable(self, time: Micros) -> None:
        """The adapter, or the connection; somebody puts it in again."""
        cable = self.world.first
        if not cable.connected:
            return
        cable.disconnect(self.world.now)
        if isinstance(self.table.line, Stream):
            self.table.line.drop()
        self.world.after(time, self._put_in)

    def _put_in(self, now: Micros) -> None:
        if isinstance(self.table.line, Stream):
            self.table.line.connect()
        self.world.first.connect(now)

    def run_for(self, time: Micros) -> None:
        """Every instant is looked at."""
        end = self.world.now + time
        try:
            self.world.run_while(self._look, end)
        finally:
            self.table.now = self.world.now

    def _look(self) -> bool:
        return look_at_all(self.table, self.host)


def look_at_all(table: Table, host: Host | None) -> bool:
    for unit in table.units:
        look_at(table, unit, host)
    return True


def look_at(table: Table, unit: Firmware, host: Host | None) -> None:
    number = unit.make.unit
    is_open = unit.powered and unit._state == LockState.OPEN
    if is_open and not table.was_open[number] and host is not None and number in host.proven:
        table.broken.append(f"unit {number} opened although its host knows it locked")
    if is_open and not table.was_open[number] and unit is table.console and not is_the_key_heard(table, unit):
        table.broken.append(f"unit {number} opened although no host has heard of its lock key")
    table.seen["opened"] += is_open and not table.was_open[number]
    table.was_open[number] = is_open
    if not unit.powered:
        return
    for seat in unit.seats:
        if seat.lamp.drive == LampDrive.STEADY:
            if not is_booked(table, unit, seat):
                table.broken.append(f"unit {number} seat {seat.number}: steady without a booked bet")
            table.seen["looks at steady lamps"] += 1


def is_the_key_heard(table: Table, console: Firmware) -> bool:
    return table.books.lock_presses.get(console.make.unit) == console.memory.seats[0].loaded


def is_booked(table: Table, unit: Firmware, seat: UnitSeat) -> bool:
    """By its number, and by its money: of a bet of several chips the first is enough (2.4)."""
    key, memory, chips = table.key_of(unit), seat.memory, seat.mode == SeatMode.CHIPS
    booked, base = table.books.seqs.get(key), table.books.base.get((key, table.seat_of(unit, seat.number)))
    if booked is None or base is None or newer(memory.first_seq if chips else memory.bet_seq, booked):
        return False
    unbooked = memory.chips - base.chips if chips else memory.bets - base.bets
    return unbooked % WORD < memory.credits


def play(seed: int, firmware: type[Firmware] = Firmware, length: Micros = 20 * SECOND) -> Table:
    chance = Random(seed)
    table = Table(chance, firmware)
    life = Life(table)
    life.run_for(4 * SECOND)  # a clean line: everybody is known, the books have their base
    assert len(life.host.up) == len(table.units), (
        f"seed {seed}: not all units came up on a clean line: {life.host.downs}"
    )
    begin(table)
    for unit, k in table.seats:
        if unit.seats[k - 1].mode == SeatMode.BUTTONS:
            life.host.sell(table.seat_of(unit, k), chance.randint(5, 60))
    bad = chance.choice([0.0, 0.05, 0.2, 0.5])
    table.trouble(
        loss=bad * chance.random(), noise=bad * chance.random(), duplication=bad * chance.random(),
        delay=bad * chance.random(), delay_time=chance.choice([20, 200, 2500]) * MILLISECOND,
    )  # fmt: skip
    if seed % 5 == 4:  # a line that loses nothing and says much too late: what order and token are for
        table.trouble(delay=0.2, delay_time=2500 * MILLISECOND)
    end = table.now + length
    while table.now < end and not table.broken:
        life = step(table, life)
    if not table.broken:
        rest(table, life)
    table.broken += table.books.contradictions
    return table


def begin(table: Table) -> None:
    for unit, k in table.seats:
        table.start[table.key_of(unit), table.seat_of(unit, k)] = totals(unit, k)
    table.pressed_before = table.console.memory.seats[0].loaded if table.console else 0


def step(table: Table, life: Life) -> "Life":
    """A while, and then something happens."""
    try:
        life.run_for(table.chance.choice([30, 100, 300, 900, 2000]) * MILLISECOND)
        happen(table, life)
    except CrashError:
        table.seen["host crashes"] += 1
        return reborn(table)
    return life


class Silent:
    """A host that is dead: it hears nothing and says nothing."""

    def receive(self, data: bytes, now: Micros) -> None: ...
    def to_send(self, now: Micros) -> bytes:
        return b""

    def deadline(self) -> None:
        return None

    def tick(self, now: Micros) -> None: ...


def reborn(table: Table) -> Life:
    """The host is away for a while, perhaps longer than the units wait for it."""
    if isinstance(table.line, Stream):
        if table.line.connected:
            table.line.drop()
        table.line.connect()
    away = World(Silent(), table.line, now=table.now)
    time = table.chance.choice([1, 10, 300, 1500, LONG_AWAY]) * MILLISECOND
    away.run_while(lambda: look_at_all(table, None), table.now + time)
    table.now = away.now
    if table.chance.random() < 0.3 and all(map(is_idle, table.units)):
        value = table.chance.choice([2, 3, 5])
        if time == LONG_AWAY * MILLISECOND:  # or an UNLOCK of the dead host may still be on the line
            table.chip_credits = value
            table.seen["chips of another value"] += 1
    return Life(table)


def is_idle(unit: Firmware) -> bool:
    """Between two rounds: only then does anybody change what a chip is worth."""
    locked = unit.powered and unit._state != LockState.OPEN
    return locked and all(seat.is_free and not seat.path.falling for seat in unit.seats)


def totals(unit: Firmware, k: int) -> dict[str, int]:
    memory = unit.seats[k - 1].memory
    return {kind: getattr(memory, kind) for kind in KINDS}


def rest(table: Table, life: Life) -> None:
    """A clean line, nobody touches anything: everything finds its place. Then the books are compared."""
    host = life.host
    table.trouble()
    host.crash_after = None
    life.world.act(lambda now: power_all_on(table, now))
    life.world.act(lambda now: host.lock() if table.chance.random() < 0.5 else host.lock_by(life.bus))
    for seat in table.books.paid:
        if host.unpaid(seat):  # the player bet it meanwhile; he buys again what he is to be paid
            host.sell(seat, host.unpaid(seat))
    life.run_for(25 * SECOND)
    if table.broken:
        return
    for unit in table.units:
        if unit.make.unit not in host.up:
            table.broken.append(f"unit {unit.make.unit} did not come back: {host.downs[-3:]}")
        if unit._state == LockState.OPEN:
            table.broken.append(f"unit {unit.make.unit} is open although its host locked")
    if not table.broken:
        compare_books(table)
        compare_console(table, host)


def power_all_on(table: Table, now: Micros) -> None:
    for unit in table.units:
        if not unit.powered:
            unit.power_on(now)


def compare_books(table: Table) -> None:
    books = table.books
    for unit, k in table.seats:
        seat, now = table.seat_of(unit, k), totals(unit, k)
        place = (table.key_of(unit), seat)
        for kind in KINDS:
            start = table.start[place][kind] if place in table.start else getattr(books.first[place], kind)
            grown, booked = (now[kind] - start) % WORD, books.sums[place][kind]
            table.seen[kind] += grown
            if grown != booked or now[kind] != getattr(books.base[place], kind):
                table.broken.append(f"seat {seat}: {kind} grew by {grown}, booked {booked}, {books.base[place]}")
        for kind, wanted in (("loaded", books.wanted), ("cashed", books.paid)):
            if books.sum_of(seat, kind) != wanted.get(seat, 0):
                table.broken.append(f"seat {seat}: {kind} {books.sum_of(seat, kind)}, wanted {wanted.get(seat, 0)}")
    for place, before in table.lost.items():
        for kind, booked in books.sums[place].items() if place in table.start else ():
            grown = (before[kind] - table.start[place][kind]) % WORD
            if booked > grown:
                table.broken.append(f"{place}: {kind} grew by {grown} before it was lost, booked {booked}")


def compare_console(table: Table, host: Host) -> None:
    if table.console is None:
        return
    told = host.consoles[table.console.make.unit].lock_presses
    if (told - table.pressed_before) % WORD != table.presses:
        table.broken.append(f"{table.presses} presses of the lock key, told {told} after {table.pressed_before}")
