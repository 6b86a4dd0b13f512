"""A ccTalk line in virtual time: real drivers, simulated acceptors, and a keeper of books who believes what he is told."""

import random
from dataclasses import dataclass, field

from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.bus import CctalkBus
from drivers.cctalk.frames import Checksum
from drivers.cctalk.settings import AcceptorSettings, Channel
from drivers.model import Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.session import MILLISECOND, SECOND
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from support.sim.world import World

CHANNELS = (Channel(1, 1, "CL001A"), Channel(2, 5), Channel(3, 25))
CREDITS = {channel.number: channel.credits for channel in CHANNELS}


def settings(**changes):
    known = {"unit": 21, "seat": 4, "channels": CHANNELS, "most": 50} | changes
    return AcceptorSettings(**known)


@dataclass
class Floor:
    """One line. `told` has every event with its time."""

    drivers: list
    sims: list
    line: Line
    bus: CctalkBus
    world: World = None
    told: list = field(default_factory=list)

    def run(self, milliseconds):
        self.world.run_for(milliseconds * MILLISECOND)

    def act(self, action):
        """Do it between two instants, and let everybody look up."""
        self.world.act(action)

    def of(self, kind, unit=None):
        return [event for _, event in self.told if isinstance(event, kind) and unit in {None, event.unit}]

    @property
    def driver(self):
        return self.drivers[0]

    @property
    def sim(self):
        return self.sims[0]

    @property
    def seat(self):
        return self.of(SeatSeen)[-1]

    @property
    def alarms(self):
        return [event.kind for event in self.of(Notice)]

    @property
    def downs(self):
        return [event.reason for event in self.of(UnitDown)]

    def insert(self, channel=1):
        taken = []
        self.act(lambda now: taken.append(self.sim.insert(channel, now)))
        return taken[0]

    def until(self, condition, milliseconds=5000):
        assert self.world.run_while(lambda: not condition(), self.world.now + milliseconds * MILLISECOND), self.told

    def until_up(self, milliseconds=5000):
        self.until(lambda: self.told and len(self.of(UnitUp)) >= len(self.drivers), milliseconds)

    def open(self, round_id=1):
        self.driver.unlock(round_id)
        self.until(lambda: self.sim.coins.master_open and self.sim.coins.mask)
        self.run(60)

    def close(self):
        self.driver.lock()
        self.until(lambda: self.seat.locked)

    def book(self):
        """The ledger has what was told last."""
        self.driver.acknowledge(self.seat.device, self.seat.seq)
        self.run(100)


def floor(makes=None, sheets=None, *, timing=None, line=None, seed=1, bases=(), sims=None, start=0):
    sheets = sheets or [settings()]
    sims = sims or [CctalkAcceptor(make) for make in (makes or [CctalkMake()])]
    drivers = [Acceptor(sheet) for sheet in sheets]
    for driver in drivers:
        for base in bases:
            driver.resume(base)
    bus = CctalkBus(drivers, timing)
    wire = Line(line or LineSettings(baud=9600, bits=10, echo=True), random.Random(seed))
    for sim in sims:
        wire.attach(sim)
    desk = Floor(drivers, sims, wire, bus)
    desk.world = World(bus, wire, lambda event, now: desk.told.append((now, event)), start)
    return desk


__all__ = ["CHANNELS", "CREDITS", "MILLISECOND", "SECOND", "CctalkAcceptor", "CctalkMake", "Checksum", "Notice", "SeatSeen", "Settled", "UnitDown", "UnitUp", "floor", "settings"]  # fmt: skip
