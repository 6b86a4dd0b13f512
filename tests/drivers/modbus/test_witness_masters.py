"""Hosts that others wrote read, write and are refused by our simulated units, on a real pty and over real TCP."""

import re
import time

import pytest

from drivers.native import contract, writes
from drivers.native.blocks import FastPoll, Flaw, Identity, Ring, SeatDetail
from drivers.native.contract import LockState
from drivers.native.writes import Command, Config, Desired
from support.drivers import peers
from support.drivers.peers import ABSENT, UNIT, built, node, program, run

pytestmark = pytest.mark.process

ENDS = [("rtu", 1), ("rtu", 9), ("tcp", 1), ("tcp", 9)]
EACH_END = pytest.mark.parametrize(("kind", "seats"), ENDS, ids=[f"{kind} N={seats}" for kind, seats in ENDS])


@pytest.fixture
def unit_at(kind, seats, tmp_path):
    """A simulated unit, and its port's name or its port's number."""
    end = peers.a_unit_on_a_pty(tmp_path, seats) if kind == "rtu" else peers.a_unit_on_tcp(seats)
    with end as found:
        yield found


# ---------------------------------------------------------------------------------------------- mbpoll


class Mbpoll:
    def __init__(self, kind, where, unit=UNIT):
        end = ["-m", "tcp", "-p", where] if kind == "tcp" else ["-m", "rtu", "-b", "38400", "-P", "none"]
        self.command = [program("mbpoll"), *end, "-a", unit, "-0", "-1", "-o", "0.5", "-q"]
        self.place = "127.0.0.1" if kind == "tcp" else where

    def read(self, address, count, kind="4:hex"):
        done = run(*self.command, "-r", address, "-c", count, "-t", kind, self.place)
        words = re.findall(r"^\[(\d+)\]:\s+(\S+)", done.stdout, re.MULTILINE)
        return done, tuple(int(value, 16 if "hex" in kind else 10) for _, value in words)

    def write(self, address, words):
        return run(*self.command, "-r", address, "-t", "4", self.place, *words)


@EACH_END
def test_mbpoll_reads_every_block_whole(kind, seats, unit_at):
    _, where = unit_at
    poll = Mbpoll(kind, where)
    decoders = [
        (contract.IDENTITY, 32, lambda words: Identity.decode(words, UNIT)),
        (contract.RING, 100, lambda words: Ring.decode(words, UNIT)),
        (contract.CONFIG, 32, Config.decode),
        (contract.FAST_POLL, contract.fast_poll_words(seats), lambda words: FastPoll.decode(words, UNIT, seats)),
    ] + [
        (contract.detail_address(seat), 32, lambda words, seat=seat: SeatDetail.decode(words, UNIT, seat))
        for seat in range(1, seats + 1)
    ]

    for address, count, decode in decoders:
        done, words = poll.read(address, count)
        assert done.returncode == 0, done.stdout + done.stderr
        assert not isinstance(decode(words), Flaw), f"{address:04X}"
    assert poll.read(6, 1, "4:int")[0].returncode == 0
    assert poll.read(contract.IDENTITY, 2, "3:hex")[1] == (contract.MAGIC, contract.VERSION), "FC04 shows the same"


def test_mbpoll_sees_the_high_word_first(tmp_path):
    with peers.a_unit_on_a_pty(tmp_path) as (unit, where):
        poll = Mbpoll("rtu", where)
        poll.command.append("-B")

        assert poll.read(6, 1, "4:int")[1] == (unit.make.serial,)


@EACH_END
def test_mbpoll_writes_whole_blocks_and_is_refused_otherwise(kind, seats, unit_at):
    _, where = unit_at
    poll = Mbpoll(kind, where)
    lock = Desired(token=contract.NO_TOKEN, heartbeat=1).encode()
    session = Command(command_id=77, opcode=contract.Opcode.OPEN_SESSION, target=0xCAFEF00D).encode()

    assert "Written 8 references" in poll.write(contract.DESIRED, lock).stdout
    assert "Written 8 references" in poll.write(contract.COMMAND, session).stdout
    image = FastPoll.decode(poll.read(contract.FAST_POLL, contract.fast_poll_words(seats))[1], UNIT, seats)
    assert (image.command_id, image.result, image.token != 0) == (77, contract.Result.DONE, True)
    refusals = [
        (poll.write(contract.DESIRED, lock[:4]), "Illegal data value"),
        (poll.write(contract.DESIRED, (*lock[:7], lock[7] ^ 1)), "Illegal data value"),
        (poll.write(contract.DESIRED + 1, lock), "Illegal data address"),
        (poll.write(contract.DESIRED, lock[:1]), "Illegal function"),  # one word is FC06
        (poll.read(0x5000, 1)[0], "Illegal data address"),
        (poll.read(contract.IDENTITY + 20, 30)[0], "Illegal data address"),
    ]
    for done, why in refusals:
        assert done.returncode == 1
        assert why in done.stdout + done.stderr


@EACH_END
@pytest.mark.usefixtures("seats")
def test_mbpoll_hears_nothing_from_a_unit_that_is_not_there(kind, unit_at):
    _, where = unit_at
    done, words = Mbpoll(kind, where, ABSENT).read(contract.IDENTITY, 2)

    assert (done.returncode, words) == (1, ())
    assert "Connection timed out" in done.stdout + done.stderr


# ---------------------------------------------------------------------------------------------- libmodbus, npm


@EACH_END
@pytest.mark.usefixtures("seats")
def test_a_libmodbus_master_walks_the_contract(kind, unit_at):
    _, where = unit_at
    done = run(built("master"), kind, where, *(["38400"] if kind == "rtu" else []), UNIT, ABSENT)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("good\n")
    assert ("the broadcast locked" in done.stdout) == (kind == "rtu")


@EACH_END
@pytest.mark.usefixtures("seats")
def test_modbus_serial_walks_the_contract(kind, unit_at):
    _, where = unit_at
    done = run(*node("modbus_serial_client.js", "modbus-serial", kind, where, UNIT, ABSENT))

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("nobody answers for another unit\ngood\n")


@pytest.mark.parametrize("seats", [1, 9])
def test_jsmodbus_walks_the_contract_over_tcp(seats):
    command = node("jsmodbus_client.js", "jsmodbus")
    with peers.a_unit_on_tcp(seats) as (_, port):
        done = run(*command, port, UNIT)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("good\n")


# ---------------------------------------------------------------------------------------------- minimalmodbus


@pytest.fixture
def minimal(tmp_path):
    library = peers.library("minimalmodbus")
    with peers.a_unit_on_a_pty(tmp_path) as (unit, where):
        master = library.Instrument(where, UNIT)
        master.serial.baudrate, master.serial.timeout = 38400, 0.3
        yield unit, master, library
        master.serial.close()


def test_minimalmodbus_reads_and_opens_a_session(minimal):
    unit, master, _ = minimal
    assert master.read_registers(contract.IDENTITY, 3) == [contract.MAGIC, contract.VERSION, 1]
    assert master.read_long(6) == unit.make.serial
    assert master.read_registers(contract.FAST_POLL, 2, functioncode=4) == [contract.TAG_FAST_POLL, UNIT << 8 | 1]
    command = Command(command_id=5, opcode=contract.Opcode.OPEN_SESSION, target=3).encode()

    master.write_registers(contract.COMMAND, list(command))

    image = FastPoll.decode(tuple(master.read_registers(contract.FAST_POLL, 28)), UNIT, 1)
    unlock = Desired(token=image.token, heartbeat=1, lock=contract.UNLOCK, round_id=9).encode()
    master.write_registers(contract.DESIRED, list(unlock))
    opened = FastPoll.decode(tuple(master.read_registers(contract.FAST_POLL, 28)), UNIT, 1)
    assert (image.lock, opened.lock) == (LockState.LOCKED, LockState.OPEN)


def test_minimalmodbus_is_refused_and_locks_by_broadcast(minimal):
    _, master, library = minimal
    with pytest.raises(library.IllegalRequestError):
        master.write_register(contract.DESIRED, 1, functioncode=6)
    with pytest.raises(library.IllegalRequestError):
        master.read_registers(0x5000, 1)
    everyone = library.Instrument(master.serial.port, 0)
    try:
        everyone.write_registers(contract.DESIRED, list(writes.BROADCAST_LOCK))
    finally:
        master.serial.reset_input_buffer()
    time.sleep(0.15)

    assert FastPoll.decode(tuple(master.read_registers(contract.FAST_POLL, 28)), UNIT, 1).lock == LockState.LOCKED
