"""R-37: a foreign device that lies, in every way its protocol has words for, at seeded moments and over restarts of the host.

What must hold of every history: nothing is counted that was not dropped or pressed; a lie that cannot be is a fault of
the seat with an alarm, and the seat takes nothing until two persons have counted it (`take_anew`); an honest device
is never called a liar; and afterwards the seat plays again.
"""

from random import Random

import pytest
from conftest import CAMPAIGN

from drivers.cctalk.events import CoinEvent, following
from drivers.io_module.map import read_io_map
from drivers.io_module.unit import IoModule
from drivers.modbus.bus import Bus
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.model import DISBELIEVED, Down, Notice, SeatSeen, UnitDown
from drivers.session import MILLISECOND, SECOND
from firmware_sim.foreign.cctalk_coins import CoinMake
from firmware_sim.foreign.io_module import IoFirmware, IoMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from support.drivers.cctalk_line import CctalkAcceptor, CctalkMake, floor, settings
from support.sim.world import World

LIVES = range(300 if CAMPAIGN else 12)
CHIP = CoinEvent(1, 0)


# ---------------------------------------------------------------------------------------------------------- acceptors


class Slot:
    """One acceptor, and books that believe what they are told of each memory."""

    def __init__(self, seed, persistent=True):
        self.chance = Random(seed)
        self.sheet = settings(most=1_000, audit=2 * SECOND, accepted_total_persistent=persistent)
        self.sim = CctalkAcceptor(CctalkMake(coins=CoinMake(persistent_totals=persistent)))
        self.seed, self.bases, self.booked, self.dropped, self.round = seed, (), {}, 0, 0
        self.start()

    def start(self):
        self.desk = floor(
            sheets=[self.sheet], sims=[self.sim], seed=self.seed, bases=self.bases, start=getattr(self, "now", 0)
        )
        self.desk.until_up()

    def restart(self):
        self.look()
        self.bases, self.now = (self.desk.driver.base,), self.desk.world.now
        self.start()

    def look(self):
        for seen in self.desk.of(SeatSeen):
            self.booked[seen.device] = seen.totals.chips + seen.totals.late
        return self

    def play(self):
        self.round += 1
        self.desk.driver.unlock(self.round)
        self.run(700)
        if self.desk.seat.locked:
            return
        for _ in range(self.chance.randint(0, 4)):
            self.dropped += self.desk.insert(1)
            self.run(self.chance.randint(150, 900))
        self.desk.driver.lock()
        self.run(self.chance.randint(800, 4_000))
        self.desk.driver.acknowledge(self.desk.seat.device, self.desk.seat.seq)
        self.run(200)

    def run(self, milliseconds):
        self.desk.run(milliseconds)
        return self

    @property
    def disbelieved(self):
        return DISBELIEVED in self.desk.seat.faults

    def tell(self, many):
        for _ in range(many):
            self.sim.coins.tell(CHIP)

    # the lies: what it says and what is not so

    def chips_while_locked(self):
        self.run(3_000).tell(self.chance.randint(1, 5))

    def a_counter_that_went_back(self):
        coins = self.sim.coins
        self.tell(6)
        self.run(15_000)  # honest so far: an alarm and a count, for six chips at once were more than it can tell
        self.desk.driver.clear_faults(4)
        coins.counter = (coins.counter - 1 - self.chance.randint(1, 20)) % 255 + 1

    def a_counter_that_jumped(self):
        coins = self.sim.coins
        for _ in range(self.chance.randint(60, 200)):
            coins.counter = following(coins.counter)


LIES = [Slot.chips_while_locked, Slot.a_counter_that_went_back, Slot.a_counter_that_jumped]


@pytest.mark.campaign
@pytest.mark.parametrize("seed", LIVES)
@pytest.mark.parametrize("lie", LIES)
def test_r37_of_a_lying_acceptor_nothing_is_counted_and_it_is_taken_anew_after_a_count(lie, seed):
    slot = Slot(seed, persistent=bool(seed % 2))
    for _ in range(slot.chance.randint(0, 3)):
        slot.play()
    if slot.chance.random() < 0.3:
        slot.restart()
        slot.run(3_000)
    assert not slot.disbelieved
    honest = sum(slot.look().booked.values())
    lie(slot)
    slot.run(5_000).look()

    assert slot.disbelieved, slot.desk.told[-12:]
    assert DISBELIEVED in slot.desk.alarms
    assert sum(slot.booked.values()) == honest, "nothing of it is counted"
    slot.play()
    assert sum(slot.look().booked.values()) == honest, "and it takes nothing meanwhile"

    slot.restart()
    slot.run(3_000)
    assert slot.disbelieved, "over a restart of the host, too"
    slot.desk.driver.clear_faults(4)
    slot.run(1_000)
    assert slot.disbelieved, "one technician does not end it"
    slot.desk.act(lambda _now: (slot.desk.driver.take_anew(), slot.desk.driver.clear_faults(4)))
    slot.run(2_000)
    before = slot.dropped
    while slot.dropped == before:
        slot.play()
    slot.run(2_000).look()
    assert not slot.disbelieved and sum(slot.booked.values()) > honest


def test_r37_events_that_the_devices_own_total_denies_are_not_believed():
    slot = Slot(1)
    slot.play()
    slot.run(5_000)
    slot.desk.driver.unlock(99)
    slot.run(1_000).tell(2)  # while it is open: told, and never taken
    slot.run(10_000)

    assert (
        slot.disbelieved
        and "events told more" in next(one for one in slot.desk.of(Notice) if one.kind == DISBELIEVED).detail
    )


@pytest.mark.campaign
@pytest.mark.parametrize("seed", LIVES)
def test_r37_an_honest_acceptor_is_never_called_a_liar(seed):
    """Resets, pulled wires, a host that dies, chips at the lock."""
    slot = Slot(seed, persistent=bool(seed % 2))
    for _ in range(12):
        slot.play()
        drawn = slot.chance.random()
        if drawn < 0.2:
            slot.desk.act(lambda now: (slot.sim.power_off(now), slot.sim.power_on()))
            slot.run(4_000)
            slot.desk.driver.clear_faults(4)
        elif drawn < 0.4:
            slot.restart()
        elif drawn < 0.6:
            slot.desk.driver.unlock(slot.round + 1_000)
            slot.run(700)
            slot.dropped += slot.desk.insert(1)
            slot.desk.driver.lock()
            slot.run(3_000)
        assert not slot.disbelieved, slot.desk.told[-12:]
    assert sum(slot.look().booked.values()) <= slot.dropped


# ------------------------------------------------------------------------------------------------------------ modules

DOCUMENT = {
    "unit": 20, "serial": 4711, "product": "E1214",
    "seat": [
        {"seat": 3, "button": [{"counter": 0x10, "credits": 1}, {"counter": 0x12, "credits": 2}], "lamp": 0, "feedback": 2},
        {"seat": 4, "button": [{"counter": 0x14, "credits": 5}], "lamp": 1, "feedback": 3},
    ],
}  # fmt: skip
MAP = read_io_map(DOCUMENT, "mod")
TIMING = LineTiming(baud=38400, latency=MILLISECOND)


class Module:
    def __init__(self, seed):
        self.chance, self.module, self.base, self.now = Random(seed), IoFirmware(IoMake(map=MAP)), None, 0
        self.round, self.seats, self.notices, self.downs = 0, {}, [], []
        self.start()

    def start(self):
        self.unit = IoModule(MAP)
        if self.base is not None:
            self.unit.resume(self.base)
        line = Line(LineSettings(baud=38400), Random(1))
        line.attach(RtuSlave(self.module, TIMING))
        self.world = World(Bus([self.unit], TIMING, RtuFraming()), line, self.hear, self.now)
        self.run(SECOND)

    def restart(self):
        self.base, self.now = self.unit.base, self.world.now
        self.start()

    def hear(self, event, _now):
        if isinstance(event, SeatSeen):
            self.seats[event.seat] = event
            self.unit.acknowledge(event.device, event.seq)
        elif isinstance(event, Notice):
            self.notices.append(event)
        elif isinstance(event, UnitDown):
            self.downs.append(event.reason)

    def run(self, time):
        self.world.run_for(time)
        return self

    def play(self, seat):
        """Whether the press became a bet."""
        self.round += 1
        self.world.act(lambda _now: self.unit.unlock(self.round))
        self.run(SECOND)
        before = self.seats[seat].totals.bets
        self.world.act(lambda now: self.module.press(seat, 1, now))
        self.run(SECOND)
        self.world.act(lambda _now: self.unit.lock())
        self.run(SECOND)
        return self.seats[seat].totals.bets > before

    def liars(self):
        return {number for number, seen in self.seats.items() if DISBELIEVED in seen.faults}


@pytest.mark.campaign
@pytest.mark.parametrize("seed", LIVES)
def test_r37_a_counter_that_jumps_further_than_a_finger_makes_no_bet_and_its_seat_alone_is_not_believed(seed):
    table = Module(seed)
    assert table.play(3) and table.play(4)
    if table.chance.random() < 0.5:
        table.restart()
    assert table.liars() == set()
    table.world.act(lambda _now: table.unit.unlock(500))
    table.run(SECOND)
    before = {number: seen.totals.bets for number, seen in table.seats.items()}
    counters = table.module._counters
    table.world.act(lambda _now: counters.__setitem__(0x10, counters[0x10] + table.chance.randint(1_000, 2**30)))
    table.run(SECOND)

    assert table.liars() == {3} and table.downs[-1] is Down.RESET
    assert [(one.seat, one.kind) for one in table.notices if one.kind == DISBELIEVED] == [(3, DISBELIEVED)]
    assert {number: seen.totals.bets for number, seen in table.seats.items()} == before
    assert not table.play(3), "it takes nothing"
    assert table.play(4), "its neighbour plays on"
    table.restart()
    assert table.liars() == {3}, "over a restart, too"
    table.world.act(lambda _now: table.unit.take_anew())
    table.run(SECOND)
    assert table.liars() == set() and table.play(3)


def test_a_module_that_lost_its_power_is_no_liar():
    table = Module(1)
    table.play(3)
    table.world.act(lambda _now: table.module._counters.update(dict.fromkeys(table.module._counters, 0)))
    table.run(3 * SECOND)

    assert table.downs[-1] is Down.RESET and table.liars() == set()
