"""One seeded history of a table: real drivers, real simulated units, a hostile line, and everybody reboots (2.7).

`play(seed)` answers the table; what was broken stands in `table.broken`, a sentence for each of these that did not hold:
- at rest the books equal the units' totals, and the sums of differences equal what really happened;
- every credit that was sold is loaded once;
- at no instant is a lamp driven steady for a bet that is not in the books;
- no frame of the past opens a unit that its host knows to be locked.

A host that dies leaves its books behind and nothing else. The line stays as it is: what was on it arrives later.
"""

from collections import Counter
from random import Random

from bookkeeper import WORD, Books, CrashError, Host

from drivers.modbus.bus import Bus
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.model import DeviceKey
from drivers.native.contract import Lamp, LockState, ResetCause, SeatMode, UnitClass, newer
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND
from firmware_sim.line import Line, LineSettings
from firmware_sim.native.make import Make
from firmware_sim.native.memory import wound_up
from firmware_sim.native.unit import Firmware
from firmware_sim.nvm import Nvm
from firmware_sim.slave import RtuSlave
from firmware_sim.world import World

NONCE = 0x1234_5678
BAUD = 115_200
TIMING = LineTiming(baud=BAUD, latency=2 * MILLISECOND)


def config_of(unit, first_seat, **other):
    values = {
        "credit_value": 1000, "least": 1, "most": 20, "buttons": (1, 2, 5, 10), "unit": unit, "first_seat": first_seat,
        "baud": BAUD, "hold": 5, "host_timeout": 1000, "confirm_timeout": 600,
    }  # fmt: skip
    return Config(**(values | other))


class Silent:
    """A host that is dead: it hears nothing and says nothing."""

    def receive(self, data, now): ...
    def to_send(self, now):
        return b""

    def deadline(self):
        return None

    def tick(self, now): ...


class Table:
    """What outlives hosts: units, the line, the books."""

    def __init__(self, chance, firmware=Firmware, shape=None):
        self.chance = chance
        self.now = 0
        self.books = Books()
        self.line = Line(LineSettings(baud=BAUD), Random(chance.random()))
        self.units = []
        self.slaves = []
        shapes = [[(UnitClass.ELECTRONIC, 1)] * 3, [(UnitClass.TABLE, chance.randint(2, 9))],
                  [(UnitClass.CHIP_SLOT, 1), (UnitClass.ELECTRONIC, 1)]]  # fmt: skip
        seat = 1
        for number, (kind, seats) in enumerate(shape or chance.choice(shapes), 1):
            make = Make(
                number, kind, seats, seat, serial=1000 + number, config=config_of(number, seat), answer=2 * MILLISECOND
            )
            nvm = wound_up(make, 2**32 - chance.randint(1, 60)) if chance.random() < 0.5 else Nvm()
            unit = firmware(make, nvm, Random(chance.random()))
            self.units.append(unit)
            self.slaves.append(RtuSlave(unit, TIMING))
            self.line.attach(self.slaves[-1], f"unit {number}")
            seat += seats
        self.seats = [(unit, k) for unit in self.units for k in range(1, unit.make.seats + 1)]
        self.start = {}
        self.was_open = {unit.make.unit: False for unit in self.units}
        self.broken = []
        self.seen = Counter()  # a history in which nothing happened proves nothing

    def seat_of(self, unit, k):
        return unit.make.first_seat + k - 1

    def drivers(self):
        return [
            NativeUnit(
                UnitSettings(unit.make.unit, unit.make.unit_class, unit.make.seats, unit.make.first_seat,
                             config_of(unit.make.unit, unit.make.first_seat)),
                nonce=NONCE, first_command=self.chance.randint(1, 0xFFFF),
            )
            for unit in self.units
        ]  # fmt: skip


class Life:
    """One host process on the table."""

    def __init__(self, table, crash_after=None):
        self.table = table
        self.drivers = table.drivers()
        self.bus = Bus(self.drivers, TIMING, RtuFraming())
        self.host = Host(table.books, self.drivers, crash_after)
        self.planned = False
        self.world = World(self.bus, table.line, self._hear, now=table.now)

    def _hear(self, event, now):
        self.host.hear(event, now)
        if self.host.waiting and not self.planned:
            self.planned = True
            self.world.after(self.table.chance.choice([0, 0, 1, 3, 20]) * MILLISECOND, self._commit)

    def _commit(self, now):
        self.planned = False
        self.host.commit()

    def run_for(self, time):
        """Every instant is looked at."""
        end = self.world.now + time
        try:
            self.world.run_while(self._look, end)
        finally:
            self.table.now = self.world.now

    def _look(self):
        table = self.table
        for unit in table.units:
            look_at(table, unit, self.host)
        return True


def look_at(table, unit, host):
    number = unit.make.unit
    is_open = unit.powered and unit._state == LockState.OPEN
    if is_open and not table.was_open[number] and host is not None and number in host.proven:
        table.broken.append(f"unit {number} opened although its host knows it locked")
    table.seen["opened"] += is_open and not table.was_open[number]
    table.was_open[number] = is_open
    if not unit.powered:
        return
    key = DeviceKey(unit.make.serial, unit.nvm.epoch)
    booked = table.books.seqs.get(key)
    for seat in unit.seats:
        if seat.lamp.drive == Lamp.STEADY:
            first = seat.memory.first_seq if seat.mode == SeatMode.CHIPS else seat.memory.bet_seq
            if not seat.memory.credits or booked is None or newer(first, booked):
                table.broken.append(f"unit {number} seat {seat.number}: steady without a booked bet")
            table.seen["looks at steady lamps"] += 1


def play(seed, firmware=Firmware, length=20 * SECOND):
    chance = Random(seed)
    table = Table(chance, firmware)
    life = Life(table)
    life.run_for(4 * SECOND)  # a clean line: everybody is known, the books have their base
    assert len(life.host.up) == len(table.units), (
        f"seed {seed}: not all units came up on a clean line: {life.host.downs}"
    )
    for unit, k in table.seats:
        table.start[unit.make.unit, k] = totals(unit, k)
    for unit, k in table.seats:
        if unit.seats[k - 1].mode == SeatMode.BUTTONS:
            life.host.sell(table.seat_of(unit, k), chance.randint(5, 60))
    bad = chance.choice([0.0, 0.05, 0.2, 0.5])
    table.line.settings = LineSettings(
        baud=BAUD, loss=bad * chance.random(), noise=bad * chance.random(), duplication=bad * chance.random(),
        delay=bad * chance.random(), delay_time=chance.choice([20, 200, 2500]) * MILLISECOND,
    )  # fmt: skip
    end = table.now + length
    round_id = 0
    while table.now < end and not table.broken:
        life, round_id = step(table, life, round_id)
    rest(table, life)
    return table


def step(table, life, round_id):
    """A while, and then something happens."""
    chance = table.chance
    try:
        life.run_for(chance.choice([30, 100, 300, 900, 2000]) * MILLISECOND)
        what = chance.random()
        unit, k = chance.choice(table.seats)
        if what < 0.40:
            life.world.act(
                lambda now: [touch(*chance.choice(table.seats), chance, now) for _ in range(chance.randint(1, 3))]
            )
        elif what < 0.50:
            round_id += 1
            life.world.act(lambda now: life.host.open(round_id))
        elif what < 0.60:
            life.world.act(lambda now: life.host.lock())
        elif what < 0.68 and unit.seats[k - 1].mode == SeatMode.BUTTONS:
            life.world.act(lambda now: life.host.sell(table.seat_of(unit, k), chance.randint(1, 30)))
        elif what < 0.73:
            life.world.act(lambda now: void(table, life, unit, k))
        elif what < 0.83:
            life.world.act(lambda now: reboot(table, life, unit, chance, now))
        elif what < 0.87:
            life.bus.lock_all()
        elif what < 0.92:
            life.host.crash_after = (chance.choice(["before", "after"]), chance.randint(0, 3))
        elif what < 0.94:
            raise CrashError  # at any other moment
        else:  # a word that is still on its way when its speaker is gone
            round_id += 1
            life.world.act(lambda now: life.host.open(round_id))
            life.run_for(chance.randint(1, 40) * MILLISECOND)
            if chance.random() < 0.5:
                raise CrashError
            life.world.act(
                lambda now: reboot(table, life, unit, chance, now) if chance.random() < 0.5 else life.host.lock()
            )
    except CrashError:
        table.seen["host crashes"] += 1
        life = reborn(table)
    return life, round_id


def reborn(table):
    """The host is away for a while, perhaps longer than the units wait for it."""
    away = World(Silent(), table.line, now=table.now)
    away.run_while(lambda: all(look_at(table, unit, None) is None for unit in table.units),
                   table.now + table.chance.choice([1, 10, 300, 1500, 8000]) * MILLISECOND)  # fmt: skip
    table.now = away.now
    return Life(table)


def touch(unit, k, chance, now):
    if unit.seats[k - 1].mode == SeatMode.CHIPS:
        unit.chip(k, now)
    else:
        unit.press(k, chance.randint(1, 4), now)


def void(table, life, unit, k):
    seen = life.host.latest.get(table.seat_of(unit, k))
    if seen is not None and seen.unit in life.host.up:
        life.host.units[seen.seat].void(seen.seat, seen.bet_seq, 1)


def reboot(table, life, unit, chance, now):
    table.seen["reboots"] += 1
    if not unit.powered:
        unit.power_on(now)
    elif chance.random() < 0.5:
        unit.reboot(chance.choice([ResetCause.WATCHDOG, ResetCause.BROWN_OUT]), now)
    else:
        unit.power_off(now)
        life.world.after(
            chance.choice([5, 400, 3000]) * MILLISECOND, lambda later: unit.powered or unit.power_on(later)
        )


def totals(unit, k):
    memory = unit.seats[k - 1].memory
    return {kind: getattr(memory, kind) for kind in ("loaded", "cashed", "bets", "voided", "chips")}


def rest(table, life):
    """A clean line, nobody touches anything: everything finds its place. Then the books are compared."""
    table.line.settings = LineSettings(baud=BAUD)
    if life.host.crash_after:
        life.host.crash_after = None
    life.world.act(lambda now: [unit.powered or unit.power_on(now) for unit in table.units])
    life.world.act(lambda now: life.host.lock())
    life.run_for(25 * SECOND)
    if table.broken:
        return
    for unit, k in table.seats:
        number, seat = unit.make.unit, table.seat_of(unit, k)
        if number not in life.host.up:
            table.broken.append(f"unit {number} did not come back: {life.host.downs[-3:]}")
            continue
        start, now = table.start[number, k], totals(unit, k)
        for kind in start:
            table.seen[kind] += (now[kind] - start[kind]) % WORD
            grown, booked = (now[kind] - start[kind]) % WORD, table.books.sum_of(seat, kind)
            if grown != booked:
                table.broken.append(f"seat {seat}: {kind} grew by {grown}, booked {booked}")
        sold = table.books.wanted.get(seat, 0)
        if (now["loaded"] - start["loaded"]) % WORD != sold:
            table.broken.append(f"seat {seat}: sold {sold}, loaded {(now['loaded'] - start['loaded']) % WORD}")
