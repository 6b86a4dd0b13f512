"""The same scripted slave before pymodbus' own client and before our bus: what each takes for an answer.

pymodbus stands on a real pty with a thread as its slave; our bus hears the same bytes in virtual time. Each test says
by an assertion what pymodbus does, also where it does right; an assertion that fails after an update of pymodbus is
news, not a defect of ours.
"""

import contextlib
import os
import select
import threading
import tty

import pytest
from pymodbus.client import ModbusSerialClient
from pymodbus.exceptions import ModbusException

from drivers.line.failures import Failure
from drivers.modbus.pdu import ReadWords, Words, WriteWords, Written
from drivers.modbus.rtu import frame
from support.drivers.bus_cases import LINE, MS, Asker, Desk

pytestmark = pytest.mark.process

PATIENCE = 0.12  # seconds that pymodbus waits
LATE = "late"  # after the asker's time-out, and while its next question is open
ECHO = None  # instead of bytes: the question itself comes back
UNIT = 11
ASK_100, ASK_200 = ReadWords(100, 2), ReadWords(200, 2)
WRITE = WriteWords(0x0400, (7, 8))


def words(*values, unit=UNIT, function=3):
    return frame(unit, bytes([function, 2 * len(values)]) + b"".join(value.to_bytes(2, "big") for value in values))


def wrote(address, count, unit=UNIT):
    return frame(unit, b"\x10" + address.to_bytes(2, "big") + count.to_bytes(2, "big"))


class Script:
    """A slave that does not read what it is asked: each question gets the next line of its script, then nothing."""

    def __init__(self, *lines):
        self.lines = [line if isinstance(line, tuple) else (line, "at once") for line in lines]

    def answer(self, question):
        said, when = self.lines.pop(0) if self.lines else (b"", "at once")
        return (question if said is ECHO else said), when


@contextlib.contextmanager
def slave_on_a_pty(script):
    master, slave = os.openpty()
    tty.setraw(slave)
    stop = threading.Event()

    def serve():
        while not stop.is_set():
            if select.select([master], [], [], 0.005)[0]:
                said, when = script.answer(os.read(master, 256))
                if when == LATE:
                    stop.wait(PATIENCE * 1.4)
                os.write(master, said)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield os.ttyname(slave)
    finally:
        stop.set()
        thread.join()
        os.close(master)
        os.close(slave)


def pymodbus_hears(lines, *requests, unit=UNIT):
    """What pymodbus returns for each question: registers, "written", an error's number, or `None`."""
    with slave_on_a_pty(Script(*lines)) as port:
        client = ModbusSerialClient(port, baudrate=38400, parity="N", timeout=PATIENCE, retries=0)
        assert client.connect()
        try:
            return [one_of_pymodbus(client, unit, request) for request in requests]
        finally:
            client.close()


def one_of_pymodbus(client, unit, request):
    try:
        if isinstance(request, WriteWords):
            said = client.write_registers(request.address, list(request.words), device_id=unit)
        else:
            said = client.read_holding_registers(request.address, count=request.count, device_id=unit)
    except ModbusException:
        return None
    if said.isError():
        return said.exception_code
    return "written" if isinstance(request, WriteWords) else said.registers


class Questions(Asker):
    """Asks each of its questions until it has an answer, as a driver does."""

    def __init__(self, unit, requests):
        super().__init__(unit)
        self.left = list(requests)

    def unfinished(self):
        return False

    def next_ask(self, now):
        self.asks = bool(self.left)
        self.request = self.left[0] if self.left else None
        return super().next_ask(now)

    def taken(self, ask, answer, now):
        self.left.pop(0)
        return super().taken(ask, answer, now)


def our_bus_hears(lines, *requests, unit=UNIT):
    """What our bus gives to the driver that asks, and why a question failed first."""
    asker, script = Questions(unit, requests), Script(*lines)

    def hear(question, at):
        said, when = script.answer(question)
        moment = at + (LINE.drain(9) + 10 * MS if when == LATE else 5 * MS)
        return [(moment, said)] if said else []

    Desk([asker], hear).up().run(250 * MS)
    return asker.answers, next(iter(asker.whys), None)


def test_a_good_answer_is_taken_by_both():
    lines = [words(1, 2)]

    assert pymodbus_hears(lines, ASK_100) == [[1, 2]]
    assert our_bus_hears(lines, ASK_100) == ([Words((1, 2))], None)


def test_a_late_answer():
    lines = [(words(100, 101), LATE), words(200, 201)]

    assert pymodbus_hears(lines, ASK_100, ASK_200) == [None, [100, 101]], "asked 200, got what 100 holds"
    answers, why = our_bus_hears(lines, ASK_100)
    assert (answers, why) == ([Words((200, 201))], Failure.SILENT), "only what came after the second question"


@pytest.mark.parametrize("values", [(7,), (7, 8, 9)], ids=["one register for two", "three registers for two"])
def test_a_short_or_long_answer(values):
    lines = [words(*values)]

    assert pymodbus_hears(lines, ASK_100) == [list(values)], "taken"
    assert our_bus_hears(lines, ASK_100) == ([], Failure.FOREIGN)


def test_an_answer_with_half_a_register():
    lines = [frame(UNIT, bytes.fromhex("03 03 0001 00"))]

    assert pymodbus_hears(lines, ASK_100) == [[1]], "taken"
    assert our_bus_hears(lines, ASK_100) == ([], Failure.FOREIGN)


def test_a_foreign_answer():
    lines = [words(7, 8, unit=12)]

    assert pymodbus_hears(lines, ASK_100) == [None], "pymodbus does right"
    assert our_bus_hears(lines, ASK_100) == ([], Failure.FOREIGN)


def test_a_foreign_answer_in_front_of_ours():
    lines = [words(7, 8, unit=12) + words(1, 2)]

    assert pymodbus_hears(lines, ASK_100) == [None], "lost"
    assert our_bus_hears(lines, ASK_100) == ([Words((1, 2))], None)


@pytest.mark.parametrize(
    ("said", "taken"),
    [(words(7, 8, function=4), [7, 8]), (wrote(100, 2), []), (frame(UNIT, b"\x84\x02"), 2)],
    ids=["FC04 for FC03", "a write's answer for a read's", "another function's exception"],
)
def test_an_answer_to_another_function(said, taken):
    assert pymodbus_hears([said], ASK_100) == [taken], "taken"
    assert our_bus_hears([said], ASK_100) == ([], Failure.FOREIGN)


@pytest.mark.parametrize("said", [wrote(0x0401, 2), wrote(0x0400, 1)], ids=["another address", "another count"])
def test_a_write_answered_with_another_address_or_count(said):
    assert pymodbus_hears([said], WRITE) == ["written"], "taken"
    assert our_bus_hears([said], WRITE) == ([], Failure.FOREIGN)


def test_a_dead_unit_on_an_echoing_line():
    lines = [ECHO, ECHO]

    assert pymodbus_hears(lines, WRITE) == ["written"], "even by FC16, and nobody was there"
    assert our_bus_hears(lines, WRITE) == ([], Failure.SILENT)


def test_an_answer_with_a_wrong_checksum():
    lines = [words(1, 2)[:-1] + b"\x00"]

    assert pymodbus_hears(lines, ASK_100) == [None], "pymodbus does right"
    assert our_bus_hears(lines, ASK_100) == ([], Failure.GARBLED)


@pytest.mark.parametrize("noise", [b"\x00", b"\xff", b"\x0b"])
def test_one_noise_byte_in_front_of_a_read_of_unit_11(noise):
    lines = [noise + words(1, 2)]

    assert pymodbus_hears(lines, ASK_100) == [[1, 2]], "pymodbus does right: 11 is no function it knows"
    assert our_bus_hears(lines, ASK_100) == ([Words((1, 2))], None)


@pytest.mark.parametrize("noise", [b"\x00", b"\xff", b"\x03"])
def test_one_noise_byte_in_front_of_a_write_of_unit_3(noise):
    lines = [noise + wrote(0x0400, 2, unit=3)]

    assert pymodbus_hears(lines, WRITE, unit=3) == [None], "lost: it takes the 3 for a function and waits for the rest"
    assert our_bus_hears(lines, WRITE, unit=3) == ([Written()], None)


@pytest.mark.parametrize("noise", [b"\x00\x03", b"\xff\x17", b"\x0b\x03\x40", words(1, 2)[:-1]])
def test_more_noise_that_looks_like_a_beginning(noise):
    lines = [noise + words(1, 2)]

    assert pymodbus_hears(lines, ASK_100) == [None], "lost"
    assert our_bus_hears(lines, ASK_100) == ([Words((1, 2))], None)


def test_noise_behind_an_answer_is_shaken_off_by_both():
    lines = [words(1, 2) + b"\xff\xff", words(3, 4)]

    assert pymodbus_hears(lines, ASK_100, ASK_100) == [[1, 2], [3, 4]], "pymodbus does right"
    assert our_bus_hears(lines, ASK_100, ASK_100) == ([Words((1, 2)), Words((3, 4))], None)
