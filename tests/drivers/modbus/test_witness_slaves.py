"""Our driver and our bus master against units that others wrote: a libmodbus slave in C and npm's modbus-serial.

The C slave is a small unit of its own: it holds a session, locks, unlocks and acts on a broadcast, so the whole driver
runs against it. npm's server is a still image: each kind of question is asked once by a driver that only reads.
"""

import threading
from contextlib import contextmanager

import pytest

from drivers.line.failures import Failure
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.pdu import Denied, ReadWords, Words, WriteReadWords, WriteWords, Written
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import Ask
from drivers.model import BetSeen, DeviceKey, LampProof, SeatSeen, UnitUp
from drivers.native import contract, writes
from drivers.native.blocks import FastPoll, Identity, Ring, SeatDetail
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Command, Config, Desired
from drivers.port import PortSettings
from drivers.rack import Rack, RackLine
from support.drivers.peers import ABSENT, CONFIG, NET, RTU, UNIT, built, free_port, node, pty_pair, running
from support.sim.line_desk import wait_for

pytestmark = pytest.mark.process

KINDS = pytest.mark.parametrize("kind", ["rtu", "tcp"])
SLOW_RTU = LineTiming(answer=120_000, latency=20_000)  # npm's server waits 30 ms for the end of a frame
SLOW_NET = LineTiming(baud=0, answer=100_000, latency=20_000)


@contextmanager
def served(kind, folder, command):
    """A foreign slave, and the URL where our side finds it."""
    if kind == "rtu":
        with pty_pair(folder) as (ours, theirs), running(*command(theirs)):
            yield ours
    else:
        port = free_port()
        with running(*command(port)):
            yield f"socket://127.0.0.1:{port}"


class Listener:
    """The owner of a rack: it keeps what it is told."""

    def __init__(self, url, units, timing):
        framing = MbapFraming() if url.startswith("socket:") else RtuFraming()
        self.bus = Bus(units, timing, framing)
        self.told = []
        self._lock = threading.Lock()
        self.rack = Rack([RackLine(name="line", url=url, session=self.bus, port=PortSettings())], self._take)

    def _take(self, _, event):
        with self._lock:
            self.told.append(event)

    def __enter__(self):
        self.rack.start()
        return self

    def __exit__(self, *_):
        self.rack.stop()

    def last(self, kind):
        with self._lock:
            return next((event for event in reversed(self.told) if isinstance(event, kind)), None)

    def do(self, action):
        self.rack.call("line", lambda _: action())


# ---------------------------------------------------------------------------------------------- libmodbus


def c_slave(kind):
    program = built("slave")
    return lambda where: [program, kind, where, *(["38400"] if kind == "rtu" else []), UNIT]


@KINDS
def test_the_driver_runs_a_unit_on_libmodbus(kind, tmp_path):
    unit = NativeUnit(UnitSettings(UNIT, UnitClass.ELECTRONIC, 1, 1, CONFIG), nonce=0xCAFE, first_command=1)
    with (
        served(kind, tmp_path, c_slave(kind)) as url,
        Listener(url, [unit], RTU if kind == "rtu" else NET) as host,
    ):
        wait_for(lambda: host.last(UnitUp) is not None)
        up = host.last(UnitUp)
        wait_for(lambda: host.last(SeatSeen) is not None)
        seat = host.last(SeatSeen)
        host.do(lambda: unit.acknowledge(up.device, 42))
        host.do(lambda: unit.unlock(78))
        wait_for(lambda: not host.last(SeatSeen).locked)
        host.do(host.bus.lock_all)
        host.do(unit.lock)
        wait_for(lambda: host.last(SeatSeen).locked)
        counters = host.bus.counters(UNIT)

    assert (up.device, up.product, up.seats) == (DeviceKey(0x00C0FFEE, 1), "LIBMODBUS", (1,))
    assert (seat.totals.loaded, seat.totals.bets, seat.totals.voided, seat.seq, seat.cut) == (50, 31, 1, 42, 40)
    assert (seat.bet, seat.bet_credits, seat.bet_seq, seat.lamp) == (BetSeen.CONFIRMED, 2, 40, LampProof.LIT)
    assert counters.answered > 5
    assert not any(counters.failed[failure] for failure in Failure if failure is not Failure.LINE_DOWN), counters


@KINDS
def test_a_broadcast_alone_locks_a_unit_on_libmodbus(kind, tmp_path):
    """On RTU nobody answers it, and the next question still has its own answer."""
    open_it = Desired(token=0x1234, heartbeat=1, lock=contract.UNLOCK, round_id=1).encode()
    reader = Questions(UNIT, [WriteWords(contract.DESIRED, open_it), ReadWords(contract.FAST_POLL, 28)])
    with served(kind, tmp_path, c_slave(kind)) as url, Listener(url, [reader], RTU if kind == "rtu" else NET) as host:
        wait_for(lambda: reader.done)
        before = FastPoll.decode(reader.answers[1].words, UNIT, 1)
        host.do(host.bus.lock_all)
        host.do(lambda: reader.ask_again([ReadWords(contract.FAST_POLL, 28)]))
        wait_for(lambda: len(reader.answers) == 3)
        after = FastPoll.decode(reader.answers[-1].words, UNIT, 1)

    assert (before.lock, after.lock) == (contract.LockState.OPEN, contract.LockState.LOCKED)
    assert not reader.failures


@KINDS
def test_a_libmodbus_unit_is_asked_everything_and_the_absent_one_is_silent(kind, tmp_path):
    lock = Desired(token=0, heartbeat=9).encode()
    asked = [*EVERY_READ, WriteReadWords(contract.DESIRED, lock, contract.FAST_POLL, 28), *EVERY_WRITE, NOWHERE]
    reader, absent = Questions(UNIT, asked), Questions(ABSENT, [])
    timing = RTU if kind == "rtu" else NET
    with served(kind, tmp_path, c_slave(kind)) as url, Listener(url, [reader, absent], timing) as host:
        wait_for(lambda: reader.done)
        # Last: a libmodbus slave takes whatever follows a question to somebody else for that one's answer.
        host.do(lambda: absent.ask_again([ReadWords(0, 2)]))
        wait_for(lambda: absent.failures or absent.answers)

    examine_reads(reader.answers)
    assert FastPoll.decode(reader.answers[5].words, UNIT, 1).seq == 42
    assert reader.answers[6:8] == [Written(), Written()]
    assert reader.answers[8] == Denied(2)
    assert not reader.failures
    if kind == "rtu":
        assert absent.failures == [Failure.SILENT]


# ---------------------------------------------------------------------------------------------- npm


@KINDS
def test_a_modbus_serial_unit_is_asked_everything_and_the_absent_one_is_silent(kind, tmp_path):
    def command(where):
        return node("modbus_serial_server.js", "modbus-serial", kind, where, UNIT)

    reader = Questions(UNIT, [*EVERY_READ, *EVERY_WRITE, NOWHERE])
    absent = Questions(ABSENT, [ReadWords(0, 2)])
    timing = SLOW_RTU if kind == "rtu" else SLOW_NET
    with served(kind, tmp_path, command) as url, Listener(url, [reader, absent], timing):
        wait_for(lambda: reader.done and absent.done)

    examine_reads(reader.answers)
    assert reader.answers[5:7] == [Written(), Written()]
    assert isinstance(reader.answers[7], Denied)
    assert not reader.failures
    assert absent.failures == [Failure.SILENT]


# ---------------------------------------------------------------------------------------------- a driver that only asks

EVERY_READ = [
    ReadWords(contract.IDENTITY, 32), ReadWords(contract.FAST_POLL, 28), ReadWords(contract.DETAIL, 32),
    ReadWords(contract.RING, 100), ReadWords(contract.CONFIG, 32),
]  # fmt: skip
EVERY_WRITE = [
    WriteWords(contract.DESIRED, writes.BROADCAST_LOCK),
    WriteWords(contract.COMMAND, Command(command_id=3, opcode=contract.Opcode.OPEN_SESSION, target=1).encode()),
]
NOWHERE = ReadWords(0x5000, 1)


class Questions:
    """Asks each of these once, in order."""

    def __init__(self, number, requests):
        self.number = number
        self.answers, self.failures = [], []
        self._left = list(requests)
        self._asked = 0

    @property
    def done(self):
        return not self._left and self._asked == len(self.answers) + len(self.failures)

    def ask_again(self, requests):
        self._left += requests

    broadcast_lock = WriteWords(contract.DESIRED, writes.BROADCAST_LOCK)

    def lock(self):
        pass

    def lock_was_broadcast(self):
        pass

    def due(self):
        return 0 if self._left else None

    def urgent(self):
        return False

    def unfinished(self):
        return False

    def next_ask(self, _):
        if not self._left:
            return None
        self._asked += 1
        return Ask(self.number, self._left.pop(0))

    def taken(self, _, answer, __):
        self.answers.append(answer)
        return True

    def failed(self, _, failure, __):
        self.failures.append(failure)

    def next_event(self):
        return None

    def line_up(self, _):
        pass

    def line_down(self, _):
        pass


def examine_reads(answers):
    """The five blocks, whole, each with the check word that the foreigner computed."""
    assert all(isinstance(answer, Words) for answer in answers[:5]), answers
    images = [
        Identity.decode(answers[0].words, UNIT), FastPoll.decode(answers[1].words, UNIT, 1),
        SeatDetail.decode(answers[2].words, UNIT, 1), Ring.decode(answers[3].words, UNIT), Config.decode(answers[4].words),
    ]  # fmt: skip
    assert [type(image) for image in images] == [Identity, FastPoll, SeatDetail, Ring, Config], images


def test_the_reader_here_counts_what_it_asked():
    reader = Questions(UNIT, [NOWHERE])
    assert not reader.done
    ask = reader.next_ask(0)
    assert not reader.done
    reader.failed(ask, Failure.SILENT, 0)
    assert reader.done
    assert reader.next_ask(0) is None
