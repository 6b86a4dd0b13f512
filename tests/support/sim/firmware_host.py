"""A host of one simulated unit that does exactly what a test says: no driver between the test and the contract."""

import random
from dataclasses import replace

from drivers.modbus.pdu import ReadWords, Words, WriteWords, Written
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, Ring, SeatDetail
from drivers.native.contract import EventType, Opcode, Result, UnitClass
from drivers.native.writes import Command, Config, Desired, Display
from drivers.session import MILLISECOND
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

MS = MILLISECOND
CONFIG = Config(credit_value=1000, least=1, most=10, buttons=(1, 2, 5, 0), chip_credits=2, unit=11)


def make_of(unit_class=UnitClass.ELECTRONIC, **made):
    return Make(**{"unit": 11, "unit_class": unit_class, "serial": 77, "config": CONFIG} | made)


class Host:
    """Its clock is `self.now`; whatever it says takes no time."""

    def __init__(self, unit_class=UnitClass.ELECTRONIC, nvm=None, kind=Firmware, seed=1, **made):
        self.nvm = nvm or Nvm()
        self.unit = kind(make_of(unit_class, **made), self.nvm, random.Random(seed))
        self.now, self.beat, self.token, self.command_id, self.round_id, self.nonce = 0, 0, 0, 0, 0, 5

    def wait(self, milliseconds):
        self.now += int(milliseconds * MS)
        self.unit.tick(self.now)

    def wait_fed(self, milliseconds, **desired):
        """The same with a heartbeat every 100 ms."""
        while milliseconds > 0:
            self.wait(min(milliseconds, 100))
            milliseconds -= 100
            self.keep(**desired)

    def read(self, address, count):
        answer = self.unit.serve(ReadWords(address, count), self.now)
        assert isinstance(answer, Words), answer
        return answer.words

    def write(self, address, words):
        return self.unit.serve(WriteWords(address, tuple(words)), self.now)

    def poll(self):
        seats = self.unit.make.seats
        poll = FastPoll.decode(self.read(at.FAST_POLL, at.fast_poll_words(seats)), self.unit.make.unit, seats)
        assert isinstance(poll, FastPoll), poll
        return poll

    def seat(self, number=1):
        return self.poll().seats[number - 1]

    def detail(self, number=1):
        detail = SeatDetail.decode(self.read(at.detail_address(number), at.BLOCK_WORDS), self.unit.make.unit, number)
        assert isinstance(detail, SeatDetail), detail
        return detail

    def identity(self):
        identity = Identity.decode(self.read(at.IDENTITY, at.BLOCK_WORDS), self.unit.make.unit)
        assert isinstance(identity, Identity), identity
        return identity

    def events(self, after=0):
        ring = Ring.decode(self.read(at.RING, at.RING_WORDS), self.unit.make.unit)
        assert isinstance(ring, Ring), ring
        return [entry for entry in ring.entries if entry.seq > after]

    def kinds(self, after=0):
        return [EventType(entry.kind) for entry in self.events(after)]

    # -------------------------------------------------------------------------------------------- writes

    def desire(self, **fields):
        """D as told, with the next heartbeat and the present token unless told otherwise."""
        self.beat = (self.beat + 1) & 0xFFFF
        values = {"token": self.token, "heartbeat": self.beat, "round_id": self.round_id, "ack": self.nothing()}
        return self.write(at.DESIRED, Desired(**values | fields).encode())

    def nothing(self):
        """An ack that confirms nothing."""
        return (self.unit.memory.seq - 2**30) % 2**32

    def keep(self, **fields):
        """Lock word as it is, everything acknowledged."""
        word = at.UNLOCK if self.poll().lock == at.LockState.OPEN else at.LOCK
        assert self.desire(**{"lock": word, "ack": self.unit.memory.seq} | fields) == Written()

    def lock(self, **fields):
        assert self.desire(**{"lock": at.LOCK} | fields) == Written()

    def unlock(self, **fields):
        assert self.desire(**{"lock": at.UNLOCK} | fields) == Written()

    def ack(self, **fields):
        self.keep(**fields)

    def command(self, opcode, seat=0, expected=0, target=0, **fields):
        self.command_id += 1
        values = {"command_id": self.command_id, "token": self.token} | fields
        command = Command(opcode=opcode, seat=seat, expected=expected, target=target, **values)
        assert self.write(at.COMMAND, command.encode()) == Written()
        poll = self.poll()
        assert poll.command_id == values["command_id"]
        return Result(poll.result)

    def open_session(self, nonce=None):
        assert self.command(Opcode.OPEN_SESSION, target=self.nonce if nonce is None else nonce, token=0) == Result.DONE
        self.token = self.poll().token

    def load(self, credit, seat=1):
        was = self.seat(seat).loaded
        assert self.command(Opcode.LOADED_TO, seat, was, (was + credit) % 2**32) == Result.DONE

    def show(self, value, **fields):
        self.beat = (self.beat + 1) & 0xFFFF
        words = Display(**{"token": self.token, "heartbeat": self.beat, "value": value} | fields).encode()
        return self.write(at.DISPLAY, words)

    def stage(self, **fields):
        config = replace(CONFIG, **fields)
        assert self.write(at.CONFIG, config.encode()) == Written()
        return config

    # -------------------------------------------------------------------------------------------- situations

    def start(self, credit=50):
        """A session, credits, a round that is open."""
        self.open_session()
        for seat in self.unit.seats:
            if credit and seat.mode == at.SeatMode.BUTTONS:
                self.load(credit, seat.number)
        self.round_id += 1
        self.unlock()
        assert self.poll().lock == at.LockState.OPEN
        return self

    def press(self, button=2, seat=1):
        """Long enough for the debounce, not for the release."""
        self.unit.press(seat, button, self.now)
        self.wait(CONFIG.debounce)

    def confirmed(self, button=2, seat=1):
        self.press(button, seat)
        self.ack()
        self.wait(CONFIG.settle)
        return self

    def sealed(self):
        self.confirmed()
        self.lock(ack=self.unit.memory.seq)
        return self
