"""A driver of a native unit face to face with the firmware of one, in virtual time and without a line between them.

Every exchange costs 10 ms. `wire` may be replaced: it is given the question and answers what the driver hears.
"""

import random

from drivers.line.failures import Failure
from drivers.model import SeatSeen, Settled, UnitDown, UnitUp
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

NUMBER = 11
EXCHANGE = 10 * MILLISECOND
NONCE, FIRST_COMMAND = 0x1234_5678, 500


def config(**changes):
    given = {
        "credit_value": 500,
        "least": 1,
        "most": 10,
        "buttons": (1, 2, 5, 10),
        "unit": NUMBER,
        "first_seat": 1,
    }
    return Config(**(given | changes))


def settings_of(unit_class=UnitClass.ELECTRONIC, seats=1, first_seat=1, wanted=None, **changes):
    return UnitSettings(NUMBER, unit_class, seats, first_seat, wanted or config(first_seat=first_seat), **changes)


class Pair:
    def __init__(
        self,
        unit_class=UnitClass.ELECTRONIC,
        seats=1,
        *,
        live=None,
        wanted=None,
        books=None,
        first_seat=1,
        serial=77,
        capabilities=None,
        modes=(),
        **settings,
    ):
        self.now = 1_000 * SECOND
        self.settings = settings_of(unit_class, seats, first_seat, wanted, **settings)
        self.make = Make(
            NUMBER,
            unit_class,
            seats,
            first_seat,
            serial,
            capabilities=capabilities,
            modes=modes,
            config=self.settings.config if live is None else live,
        )
        self.firmware = Firmware(self.make, Nvm(), random.Random(serial), self.now)
        self.books = books  # acknowledges everything it is told of, if it is a dict of key: seq
        self.wire = self.perfect
        self.asked = []
        self.events = []
        self.hosts = 0
        self.host()

    def host(self, nonce=NONCE, first_command=None):
        """A (new) host process: everything the driver knew is gone, the books are not. Its commands count from
        elsewhere, or a unit would take its first for the one that opened the session before."""
        self.hosts += 1
        first_command = first_command or FIRST_COMMAND + 1000 * (self.hosts - 1)
        self.unit = NativeUnit(self.settings, nonce, first_command)
        for device, seq in (self.books or {}).items():
            self.unit.acknowledge(device, seq)
        self.unit.line_up(self.now)
        return self.unit

    # The line.

    def perfect(self, ask):
        return self.firmware.serve(ask.request, self.now) if self.firmware.powered else Failure.SILENT

    def lost_answer(self, ask):
        self.perfect(ask)
        return Failure.SILENT

    def lost_question(self, _ask):
        return Failure.SILENT

    def exchange(self):
        """One turn; False when the driver has nothing to ask."""
        due = self.unit.due()
        ask = self.unit.next_ask(self.now) if due is not None and due <= self.now else None
        if ask is None:
            self.now += MILLISECOND
            self.firmware.tick(self.now)
            return False
        self.asked.append(ask)
        self.now += EXCHANGE // 2
        heard = self.wire(ask)
        self.now += EXCHANGE // 2
        if isinstance(heard, Failure):
            self.unit.failed(ask, heard, self.now)
        elif not self.unit.taken(ask, heard, self.now):
            self.unit.failed(ask, Failure.FOREIGN, self.now)
        self.firmware.tick(self.now)
        self.collect()
        return True

    def collect(self):
        while (event := self.unit.next_event()) is not None:
            self.events.append(event)
            if self.books is not None and hasattr(event, "seq"):
                self.books[event.device] = event.seq
                self.unit.acknowledge(event.device, event.seq)

    def run(self, time=SECOND):
        end = self.now + time
        while self.now < end:
            self.exchange()
        return self

    def run_until(self, true, patience=30 * SECOND):
        end = self.now + patience
        while not true():
            assert self.now < end, f"it never happened; last: {self.events[-5:]}"
            self.exchange()
        return self

    def up(self):
        return self.run_until(lambda: bool(self.all(UnitUp))).run(SECOND)

    def opened(self, round_id=7, credit=50):
        """Up, loaded with credit, and open."""
        self.up()
        for place in range(self.settings.seats):
            seat = self.settings.first_seat + place
            if self.firmware.seats[place].balance < credit:
                loaded = self.firmware.seats[place].memory.loaded
                self.unit.load(seat, loaded, loaded + credit)
        self.run(2 * SECOND)
        self.unit.unlock(round_id)
        return self.run(SECOND)

    # What was told.

    def all(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind=SeatSeen, seat=None):
        return next(event for event in reversed(self.all(kind)) if seat is None or event.seat == seat)

    def reasons(self):
        return [event.reason for event in self.all(UnitDown)]

    def results(self):
        return [(event.command, event.seat, event.done, event.result) for event in self.all(Settled)]

    def forget(self):
        self.events.clear()
        self.asked.clear()
        return self

    def state(self, seat=1):
        return self.firmware.seats[seat - 1].memory.bet
