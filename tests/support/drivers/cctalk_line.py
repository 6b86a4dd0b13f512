"""A ccTalk line in virtual time: real drivers, simulated acceptors, and a keeper of books who believes what he is told."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.bus import CctalkBus
from drivers.cctalk.frames import Checksum
from drivers.cctalk.settings import AcceptorSettings, Channel
from drivers.cctalk.slot import ChipBase
from drivers.cctalk.turn import WireTiming
from drivers.model import DeviceEvent, Down, Notice, SeatSeen, Settled, UnitDown, UnitUp
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from support.sim.world import World

CHANNELS = (Channel(1, 1, "CL001A"), Channel(2, 5), Channel(3, 25))
Event = TypeVar("Event", SeatSeen, Notice, UnitDown, UnitUp, Settled)
CREDITS = {channel.number: channel.credits for channel in CHANNELS}


def settings(**changes: Any) -> AcceptorSettings:
    known: dict[str, Any] = {"unit": 21, "seat": 4, "channels": CHANNELS, "most": 50} | changes
    return AcceptorSettings(**known)


@dataclass
class Floor:
    """One line. `told` has every event with its time."""

    drivers: list[Acceptor]
    sims: list[CctalkAcceptor]
    line: Line
    bus: CctalkBus
    told: list[tuple[Micros, DeviceEvent]]
    world: World

    def run(self, milliseconds: int) -> None:
        self.world.run_for(milliseconds * MILLISECOND)

    def act(self, action: Callable[[Micros], None]) -> None:
        """Do it between two instants, and let everybody look up."""
        self.world.act(action)

    def of(self, kind: type[Event], unit: int | None = None) -> list[Event]:
        return [event for _, event in self.told if isinstance(event, kind) and unit in {None, event.unit}]

    @property
    def driver(self) -> Acceptor:
        return self.drivers[0]

    @property
    def sim(self) -> CctalkAcceptor:
        return self.sims[0]

    @property
    def seat(self) -> SeatSeen:
        return self.of(SeatSeen)[-1]

    @property
    def alarms(self) -> list[str]:
        return [event.kind for event in self.of(Notice)]

    @property
    def downs(self) -> list[Down]:
        return [event.reason for event in self.of(UnitDown)]

    def insert(self, channel: int = 1) -> bool:
        taken = []
        self.act(lambda now: taken.append(self.sim.insert(channel, now)))
        return taken[0]

    def until(self, condition: Callable[[], object], milliseconds: int = 5000) -> None:
        assert self.world.run_while(lambda: not condition(), self.world.now + milliseconds * MILLISECOND), self.told

    def until_up(self, milliseconds: int = 5000) -> None:
        self.until(lambda: self.told and len(self.of(UnitUp)) >= len(self.drivers), milliseconds)

    def open(self, round_id: int = 1) -> None:
        self.driver.unlock(round_id)
        self.until(lambda: self.sim.coins.master_open and self.sim.coins.mask)
        self.run(60)

    def close(self) -> None:
        self.driver.lock()
        self.until(lambda: self.seat.locked)

    def book(self) -> None:
        """The ledger has what was told last."""
        self.driver.acknowledge(self.seat.device, self.seat.seq)
        self.run(100)


def floor(
    makes: Sequence[CctalkMake] | None = None,
    sheets: Sequence[AcceptorSettings] | None = None,
    *,
    timing: WireTiming | None = None,
    line: LineSettings | None = None,
    seed: int = 1,
    bases: Sequence[ChipBase] = (),
    sims: Sequence[CctalkAcceptor] | None = None,
    start: Micros = 0,
) -> Floor:
    sheets = sheets or [settings()]
    sims = list(sims or []) or [CctalkAcceptor(make) for make in (makes or [CctalkMake()])]
    drivers = [Acceptor(sheet) for sheet in sheets]
    for driver in drivers:
        for base in bases:
            driver.resume(base)
    bus = CctalkBus(drivers, timing)
    wire = Line(line or LineSettings(baud=9600, bits=10, echo=True), random.Random(seed))
    for sim in sims:
        wire.attach(sim)
    told: list[tuple[Micros, DeviceEvent]] = []
    world = World(bus, wire, lambda event, now: told.append((now, event)), start)
    return Floor(drivers, sims, wire, bus, told, world)


__all__ = ["CHANNELS", "CREDITS", "MILLISECOND", "SECOND", "CctalkAcceptor", "CctalkMake", "Checksum", "Notice", "SeatSeen", "Settled", "UnitDown", "UnitUp", "floor", "settings"]  # fmt: skip
