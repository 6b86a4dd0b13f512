"""A driver of a native unit face to face with the firmware of one, in virtual time and without a line between them.

Every exchange costs 10 ms. `wire` may be replaced: it is given the question and answers what the driver hears.
"""

import random
from collections.abc import Callable
from typing import Any, TypeVar

from drivers.line.failures import Failure
from drivers.modbus.pdu import Answer
from drivers.modbus.turn import Ask
from drivers.model import ConsoleSeen, DeviceEvent, DeviceKey, Down, SeatSeen, Settled, UnitDown, UnitUp
from drivers.native.contract import Bet, SeatMode, UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

Event = TypeVar("Event")
NUMBER = 11
EXCHANGE = 10 * MILLISECOND
NONCE, FIRST_COMMAND = 0x1234_5678, 500


def config(**changes: Any) -> Config:
    given: dict[str, Any] = {
        "credit_value": 500,
        "least": 1,
        "most": 10,
        "buttons": (1, 2, 5, 10),
        "unit": NUMBER,
        "first_seat": 1,
    }
    return Config(**(given | changes))


def settings_of(
    unit_class: UnitClass = UnitClass.ELECTRONIC,
    seats: int = 1,
    first_seat: int = 1,
    wanted: Config | None = None,
    **changes: Any,
) -> UnitSettings:
    return UnitSettings(NUMBER, unit_class, seats, first_seat, wanted or config(first_seat=first_seat), **changes)


class Pair:
    def __init__(
        self,
        unit_class: UnitClass = UnitClass.ELECTRONIC,
        seats: int = 1,
        *,
        live: Config | None = None,
        wanted: Config | None = None,
        books: dict[DeviceKey, int] | None = None,
        first_seat: int = 1,
        serial: int = 77,
        capabilities: int | None = None,
        modes: tuple[SeatMode, ...] = (),
        **settings: Any,
    ) -> None:
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
        self.wire: Callable[[Ask], Answer | Failure] = self.perfect
        self.asked: list[Ask] = []
        self.events: list[DeviceEvent] = []
        self.hosts = 0
        self.host()

    def host(self, nonce: int = NONCE, first_command: int | None = None) -> NativeUnit:
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

    def perfect(self, ask: Ask) -> Answer | Failure:
        return self.firmware.serve(ask.request, self.now) if self.firmware.powered else Failure.SILENT

    def lost_answer(self, ask: Ask) -> Failure:
        self.perfect(ask)
        return Failure.SILENT

    def lost_question(self, _ask: Ask) -> Failure:
        return Failure.SILENT

    def exchange(self) -> bool:
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

    def collect(self) -> None:
        while (event := self.unit.next_event()) is not None:
            self.events.append(event)
            if self.books is not None and isinstance(event, SeatSeen | ConsoleSeen):
                self.books[event.device] = event.seq
                self.unit.acknowledge(event.device, event.seq)

    def run(self, time: Micros = SECOND) -> "Pair":
        end = self.now + time
        while self.now < end:
            self.exchange()
        return self

    def run_until(self, true: Callable[[], bool], patience: Micros = 30 * SECOND) -> "Pair":
        end = self.now + patience
        while not true():
            assert self.now < end, f"it never happened; last: {self.events[-5:]}"
            self.exchange()
        return self

    def up(self) -> "Pair":
        return self.run_until(lambda: bool(self.all(UnitUp))).run(SECOND)

    def opened(self, round_id: int = 7, credit: int = 50) -> "Pair":
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

    def all(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[Any] = SeatSeen, seat: int | None = None) -> Any:
        return next(event for event in reversed(self.all(kind)) if seat is None or event.seat == seat)

    def reasons(self) -> list[Down]:
        return [event.reason for event in self.all(UnitDown)]

    def results(self) -> list[tuple[str, int, bool, str]]:
        return [(event.command, event.seat, event.done, event.result) for event in self.all(Settled)]

    def forget(self) -> "Pair":
        self.events.clear()
        self.asked.clear()
        return self

    def state(self, seat: int = 1) -> Bet:
        return self.firmware.seats[seat - 1].memory.bet
