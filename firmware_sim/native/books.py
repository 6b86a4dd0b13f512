"""The lowest layer of a unit: its memory, its clock, its agenda, and the rule that no change is without an event.

Layers of a unit, each knowing only those below: books, bets, locking, power; then world and writes side by side; unit.
What a layer changes it changes in the working memory; `_commit` makes all of it last in one write, before anything is
answered or lit.
"""

import random

from drivers.native.contract import EventType, UnitFault
from drivers.native.contract import MemoryHealth as Health
from drivers.native.writes import Config
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.agenda import Agenda
from firmware_sim.native.make import UNCONFIGURED, Make, delivered
from firmware_sim.native.memory import LONG, UnitMemory
from firmware_sim.native.nvm import Nvm


class Books:
    def __init__(self, make: Make, nvm: Nvm, chance: random.Random) -> None:
        self.make = make
        self.nvm = nvm
        self.chance = chance
        self.powered = False
        self.starts = 0  # how often this unit came up: its slave sees by it that a question is forgotten
        self.memory = UnitMemory.new(make.seats)
        self._restart_books(0)

    def _restart_books(self, now: Micros) -> None:
        """What a reset clears."""
        self._now = now
        self._started_at = now
        self._agenda = Agenda()
        self._staged: Config | None = None
        self._unsaved = False
        self._live_config: Config | None = None
        self._values = UNCONFIGURED

    def _read_memory(self) -> Health:
        """2.6: recovered from the copy, or lost; then nothing of before may be compared with what comes (epoch)."""
        image, health = self.nvm.load()
        if image is None:
            self.memory = UnitMemory.new(self.make.seats)
            if health == Health.OK and self.make.config is not None:
                self.memory.store_config(delivered(self.make, self.make.config))
        else:
            self.memory = UnitMemory.read(image)
        if health == Health.RECOVERED:
            self.memory.faults |= UnitFault.MEMORY_RECOVERED
        if health == Health.LOST:
            self.nvm.epoch += 1
            self.memory.faults |= UnitFault.TOTALS_LOST
        self._use_config(self.memory.read_config())
        return health

    def _use_config(self, config: Config | None) -> None:
        self._live_config = config
        self._values = config or UNCONFIGURED

    def _record(self, kind: EventType, seat: int = 0, argument: int = 0, credit: int = 0) -> int:
        """2.1.1: the event and what it explains are saved together; the number is the event's."""
        self._unsaved = True
        return self.memory.add_event(self._uptime(), kind, seat, argument, credit)

    def _uptime(self) -> int:
        return (self._now - self._started_at) // MILLISECOND & LONG

    def _commit(self) -> None:
        self.nvm.save(self.memory.image())
        self._unsaved = False

    @property
    def _faults(self) -> int:
        return self.memory.faults | (0 if self._live_config else UnitFault.CONFIG_INVALID)


def wound_up(make: Make, start: int = 2**32 - 5) -> Nvm:
    """The memory of an old unit whose totals are about to wrap (2.1.1); its balances are 0."""
    memory = UnitMemory.new(make.seats)
    memory.seq = memory.cut = start
    for seat in memory.seats:
        seat.loaded = seat.cashed = seat.bets = seat.voided = seat.chips = start
    if make.config is not None:
        memory.store_config(delivered(make, make.config))
    nvm = Nvm()
    nvm.save(memory.image())
    return nvm
