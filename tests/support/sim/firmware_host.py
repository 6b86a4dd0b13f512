"""A host of one simulated unit that does exactly what a test says: no driver between the test and the contract."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from drivers.modbus.pdu import Answer, ReadWords, Words, WriteWords, Written
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, Ring, RingEntry, SeatDetail, SeatPoll, WordList
from drivers.native.contract import EventType, Opcode, Result, UnitClass
from drivers.native.writes import Command, Config, Desired, Display
from drivers.session import MILLISECOND
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

MS = MILLISECOND
CONFIG = Config(credit_value=1000, least=1, most=10, buttons=(1, 2, 5, 0), chip_credits=2, unit=11)


def make_of(unit_class: UnitClass = UnitClass.ELECTRONIC, **made: Any) -> Make:
    fields: dict[str, Any] = {"unit": 11, "unit_class": unit_class, "serial": 77, "config": CONFIG} | made
    return Make(**fields)


class Host:
    """Its clock is `self.now`; whatever it says takes no time."""

    def __init__(
        self,
        unit_class: UnitClass = UnitClass.ELECTRONIC,
        nvm: Nvm | None = None,
        kind: type[Firmware] = Firmware,
        seed: int = 1,
        **made: Any,
    ) -> None:
        self.nvm = nvm or Nvm()
        self.unit = kind(make_of(unit_class, **made), self.nvm, random.Random(seed))
        self.now, self.beat, self.token, self.command_id, self.round_id, self.nonce = 0, 0, 0, 0, 0, 5

    def wait(self, milliseconds: float) -> None:
        self.now += int(milliseconds * MS)
        self.unit.tick(self.now)

    def wait_fed(self, milliseconds: float, **desired: Any) -> None:
        """The same with a heartbeat every 100 ms."""
        while milliseconds > 0:
            self.wait(min(milliseconds, 100))
            milliseconds -= 100
            self.keep(**desired)

    def read(self, address: int, count: int) -> WordList:
        answer = self.unit.serve(ReadWords(address, count), self.now)
        assert isinstance(answer, Words), answer
        return answer.words

    def write(self, address: int, words: Sequence[int]) -> Answer:
        return self.unit.serve(WriteWords(address, tuple(words)), self.now)

    def poll(self) -> FastPoll:
        seats = self.unit.make.seats
        poll = FastPoll.decode(self.read(at.FAST_POLL, at.fast_poll_words(seats)), self.unit.make.unit, seats)
        assert isinstance(poll, FastPoll), poll
        return poll

    def seat(self, number: int = 1) -> SeatPoll:
        return self.poll().seats[number - 1]

    def detail(self, number: int = 1) -> SeatDetail:
        detail = SeatDetail.decode(self.read(at.detail_address(number), at.BLOCK_WORDS), self.unit.make.unit, number)
        assert isinstance(detail, SeatDetail), detail
        return detail

    def identity(self) -> Identity:
        identity = Identity.decode(self.read(at.IDENTITY, at.BLOCK_WORDS), self.unit.make.unit)
        assert isinstance(identity, Identity), identity
        return identity

    def events(self, after: int = 0) -> list[RingEntry]:
        ring = Ring.decode(self.read(at.RING, at.RING_WORDS), self.unit.make.unit)
        assert isinstance(ring, Ring), ring
        return [entry for entry in ring.entries if entry.seq > after]

    def kinds(self, after: int = 0) -> list[EventType]:
        return [EventType(entry.kind) for entry in self.events(after)]

    # -------------------------------------------------------------------------------------------- writes

    def desire(self, **fields: Any) -> Answer:
        """D as told, with the next heartbeat and the present token unless told otherwise."""
        self.beat = (self.beat + 1) & 0xFFFF
        values = {"token": self.token, "heartbeat": self.beat, "round_id": self.round_id, "ack": self.nothing()}
        return self.write(at.DESIRED, Desired(**values | fields).encode())

    def nothing(self) -> int:
        """An ack that confirms nothing."""
        return (self.unit.memory.seq - 2**30) % 2**32

    def keep(self, **fields: Any) -> None:
        """Lock word as it is, everything acknowledged."""
        word = at.UNLOCK if self.poll().lock == at.LockState.OPEN else at.LOCK
        assert self.desire(**{"lock": word, "ack": self.unit.memory.seq} | fields) == Written()

    def lock(self, **fields: Any) -> None:
        assert self.desire(**{"lock": at.LOCK} | fields) == Written()

    def unlock(self, **fields: Any) -> None:
        assert self.desire(**{"lock": at.UNLOCK} | fields) == Written()

    def ack(self, **fields: Any) -> None:
        self.keep(**fields)

    def command(self, opcode: Opcode, seat: int = 0, expected: int = 0, target: int = 0, **fields: Any) -> Result:
        self.command_id += 1
        values = {"command_id": self.command_id, "token": self.token} | fields
        command = Command(opcode=opcode, seat=seat, expected=expected, target=target, **values)
        assert self.write(at.COMMAND, command.encode()) == Written()
        poll = self.poll()
        assert poll.command_id == values["command_id"]
        return Result(poll.result)

    def open_session(self, nonce: int | None = None) -> None:
        assert self.command(Opcode.OPEN_SESSION, target=self.nonce if nonce is None else nonce, token=0) == Result.DONE
        self.token = self.poll().token

    def load(self, credit: int, seat: int = 1) -> None:
        was = self.seat(seat).loaded
        assert self.command(Opcode.LOADED_TO, seat, was, (was + credit) % 2**32) == Result.DONE

    def show(self, value: int, **fields: Any) -> Answer:
        self.beat = (self.beat + 1) & 0xFFFF
        words = Display(**{"token": self.token, "heartbeat": self.beat, "value": value} | fields).encode()
        return self.write(at.DISPLAY, words)

    def stage(self, **fields: Any) -> Config:
        config = replace(CONFIG, **fields)
        assert self.write(at.CONFIG, config.encode()) == Written()
        return config

    # -------------------------------------------------------------------------------------------- situations

    def start(self, credit: int = 50) -> Self:
        """A session, credits, a round that is open."""
        self.open_session()
        for seat in self.unit.seats:
            if credit and seat.mode == at.SeatMode.BUTTONS:
                self.load(credit, seat.number)
        self.round_id += 1
        self.unlock()
        assert self.poll().lock == at.LockState.OPEN
        return self

    def press(self, button: int = 2, seat: int = 1) -> None:
        """Long enough for the debounce, not for the release."""
        self.unit.press(seat, button, self.now)
        self.wait(CONFIG.debounce)

    def confirmed(self, button: int = 2, seat: int = 1) -> Self:
        self.press(button, seat)
        self.ack()
        self.wait(CONFIG.settle)
        return self

    def sealed(self) -> Self:
        self.confirmed()
        self.lock(ack=self.unit.memory.seq)
        return self
