"""The pitfalls of devices.md, section 4, that a bus master must not fall into; each test is named for its number."""

import re
import time
import tomllib
from importlib.metadata import version
from itertools import pairwise

import pytest

from drivers.line.failures import Failure
from drivers.modbus.babble import BABBLE
from drivers.modbus.pdu import (
    Bits,
    ReadBits,
    ReadWords,
    Words,
    WriteReadWords,
    WriteWords,
    Written,
    decode_answer,
    decode_request,
    encode_answer,
    encode_request,
)
from drivers.modbus.rtu import RtuFraming, frame
from support.drivers.bus_cases import LINE, MS, READ, Asker, Desk, answering, good
from support.places import ROOT

WRITE = WriteWords(0x0400, (1, 2, 3, 4, 5, 6, 7, 8))
WROTE = bytes.fromhex("10 0400 0008")


def test_4_1_a_late_answer_is_not_taken_for_the_next_one():
    """The same unit, asked twice for the same block: only the drain tells the two answers apart."""
    values = iter(range(100, 200))

    def late_once(_question, at):
        value = next(values)
        lateness = 25 * MS if value == 100 else 0
        yield at + LINE.silence + 20 * MS + LINE.wire(9) + lateness, good(11, value, value + 1)

    unit = Asker(11)
    desk = Desk([unit], late_once).up().run(300 * MS)

    assert unit.whys == [Failure.SILENT]
    assert [answer.words[0] for answer in unit.answers] == list(range(101, 101 + len(unit.answers)))
    assert len(unit.answers) >= 3
    assert desk.sent[1][0] - unit.failures[0][0] >= LINE.drain(9), "the longest reply time"


def test_4_1_an_answer_later_than_every_drain_is_left_to_what_the_block_says():
    """No wait is long enough for a unit without shame: the block's own tag and counter are the last guard (2.1.6)."""

    def very_late(question, at):
        value = 7 if question[0] == 11 else 8
        yield at + 120 * MS, good(question[0], value, value)

    unit, other = Asker(11), Asker(12, every=1_000 * MS)
    unit.believes = False
    Desk([unit, other], very_late).up().run(2_000 * MS)

    assert Failure.FOREIGN in unit.whys
    assert set(unit.whys) <= {Failure.FOREIGN, Failure.SILENT, Failure.LATE, Failure.GARBLED}


def test_4_2_one_dead_unit_does_not_silence_the_bus():
    units = [Asker(number) for number in (11, 12, 13)]
    desk = Desk(units, answering(12, 13)).up().run(60_000 * MS)
    without = [Asker(number) for number in (12, 13)]
    Desk(without, answering(12, 13)).up().run(60_000 * MS)

    assert len(units[0].turns) <= 20
    for unit, undisturbed in zip(units[1:], without, strict=True):
        assert not unit.failures
        assert len(unit.answers) > 0.97 * len(undisturbed.answers)
        assert max(b - a for a, b in pairwise(unit.turns)) <= desk.bus.bound()


def test_4_2_a_time_out_closes_no_port():
    """A bus has no word for closing one: after any number of time-outs it has told nobody anything but the unit."""
    unit = Asker(11)
    desk = Desk([unit], answering()).up().run(600_000 * MS)

    assert len(unit.failures) > 100
    assert desk.events == []
    assert unit.lines == [("up", 0)]
    assert desk.bus.deadline() is not None, "and it goes on asking"


def echoing(slaves):
    def hear(question, at):
        for place, byte in enumerate(question):
            yield at - LINE.wire(len(question) - 1 - place), bytes([byte])
        yield from slaves(question, at)

    return hear


def test_4_6_an_echo_does_not_fake_the_success_of_a_dead_units_write():
    for request in (WRITE, READ):
        unit = Asker(11, request=request)
        Desk([unit], echoing(answering())).up().run(5_000 * MS)

        assert unit.answers == []
        assert set(unit.whys) == {Failure.SILENT}


def test_4_6_an_echo_is_found_by_the_first_read_and_stripped_from_then_on():
    framing = RtuFraming()
    reader = Asker(11)

    def hear(question, at):
        said = good(11) if question[1] == 3 else frame(11, WROTE)
        yield at + 5 * MS, said

    desk = Desk([reader], echoing(hear), framing=framing).up().run(20 * MS)
    assert framing.echoes is True
    reader.request = WRITE
    desk.run(200 * MS)

    assert not reader.failures
    assert len(reader.answers) > 5


def test_4_6_what_comes_back_otherwise_than_it_went_is_a_collision():
    spoiled = []

    def hear(question, at):
        wrong = len(spoiled) == 3
        spoiled.append(wrong)
        yield at, question[:-1] + bytes([question[-1] ^ wrong])
        yield at + 5 * MS, good(11)

    unit = Asker(11)
    desk = Desk([unit], hear).up().run(300 * MS)

    assert unit.whys == [Failure.COLLISION]
    assert desk.bus.counters(11).failed[Failure.COLLISION] == 1
    assert {answer.words for answer in unit.answers} == {(1, 2)}
    assert len(unit.answers) + 1 <= len(unit.turns) <= len(unit.answers) + 2, "one collided, one may be under way"


def test_4_6_the_functions_an_echo_can_fake_cannot_be_asked():
    """FC05 and FC06 are answered by their own question; there is no request that becomes one."""
    functions = {encode_request(request)[0] for request in (READ, WRITE)}

    assert not functions & {5, 6}
    unit = Asker(11, request=WRITE)
    Desk([unit], echoing(lambda question, at: [(at + 5 * MS, question)])).up().run(100 * MS)
    assert unit.answers == [], "not even a unit that answers with the question"


def test_4_6_a_unit_that_answers_with_its_question_does_not_deafen_the_bus_to_the_others():
    units = [Asker(number) for number in (11, 12, 13)]

    def hear(question, at):
        yield from [(at + 5 * MS, question)] if question[0] == 11 else answering(12, 13)(question, at)

    Desk(units, hear).up().run(5_000 * MS)

    assert not units[0].answers
    for unit in units[1:]:
        assert not unit.failures
        assert len(unit.answers) > 100


def test_4_7_a_broadcast_is_the_lock_alone_and_only_it_is_followed_by_a_turnaround():
    units = [Asker(number) for number in (11, 12)]
    desk = Desk(units, answering(11, 12)).up().run(100 * MS)
    desk.bus.lock_all()
    desk.run(400 * MS)
    [lock] = [place for place, (_, question) in enumerate(desk.sent) if question[0] == 0]
    after = [b - a for (a, _), (b, _) in pairwise(desk.sent)]

    assert after[lock] == LINE.wire(25) + LINE.turnaround
    assert max(gap for place, gap in enumerate(after) if place != lock) < LINE.turnaround / 5
    assert not units[0].failures and not units[1].failures, "nobody was expected to answer"


def test_4_7_a_broadcast_proves_nothing_so_every_unit_is_read_at_once():
    units = [Asker(number, every=900 * MS) for number in (11, 12, 13)]
    desk = Desk(units, answering(11, 12, 13)).up().run(100 * MS)
    desk.bus.lock_all()
    desk.run(300 * MS)

    assert [question[0] for _, question in desk.sent] == [11, 12, 13, 0, 11, 12, 13]


def test_4_7_an_answer_to_a_broadcast_is_nobodys_answer():
    def hear(question, at):
        if question[0] == 0:
            yield at + 5 * MS, frame(0, WROTE)
            yield at + 9 * MS, frame(11, WROTE)
        else:
            yield from answering(11)(question, at)

    unit = Asker(11)
    desk = Desk([unit], hear).up().run(100 * MS)
    desk.bus.lock_all()
    desk.run(400 * MS)

    assert set(unit.answers) == {Words((1, 2))}
    assert not unit.failures


GOLDEN = [
    (ReadWords(0x2000, 2), Words((0x1234, 0xFFFF)), "0b 03 2000 0002 cf61", "0b 03 04 1234 ffff 1535"),
    (
        WRITE,
        Written(),
        "0b 10 0400 0008 10 0001 0002 0003 0004 0005 0006 0007 0008 3457",
        "0b 10 0400 0008 c055",
    ),
    (
        ReadBits(0x13, 9),
        Bits((True, False, True, True, False, False, True, True, True)),
        "0b 01 0013 0009 0d63",
        "0b 01 02 cd01 b4ad",
    ),
    (
        WriteReadWords(0x0400, (0x00FF,), 0x2000, 2),
        Words((0x1234, 0xFFFF)),
        "0b 17 2000 0002 0400 0001 02 00ff a2f1",
        "0b 17 04 1234 ffff 1621",
    ),
]


def test_4_8_the_pinned_pymodbus_still_packs_and_unpacks_our_golden_frames():
    """Its minor versions break what is called; a new one is let in when these bytes are the same."""
    for request, answer, asked, said in GOLDEN:
        question, reply = bytes.fromhex(asked), bytes.fromhex(said)
        assert frame(11, encode_request(request)) == question
        assert decode_request(question[1:-2]) == request
        assert frame(11, encode_answer(request, answer)) == reply
        assert decode_answer(request, reply[1:-2]) == answer


def test_4_8_one_minor_version_of_pymodbus_is_let_in_and_by_one_door():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    [pin] = [line for line in wanted if line.startswith("pymodbus")]
    least, most = re.fullmatch(r"pymodbus>=3\.(\d+)(?:\.\d+)?,<3\.(\d+)", pin).groups()
    assert int(most) == int(least) + 1
    assert version("pymodbus").startswith(f"3.{least}.")

    importing = re.compile(r"^\s*(from|import) pymodbus", re.MULTILINE)
    ours = [path for folder in ("drivers", "firmware_sim", "controller") for path in (ROOT / folder).rglob("*.py")]
    assert [path.relative_to(ROOT).as_posix() for path in ours if importing.search(path.read_text())] == [
        "drivers/modbus/pdu.py"
    ]


def test_4_9_the_answer_of_another_unit_is_not_ours():
    """A unit that answers to every number, and a line on which two talk at once."""
    unit, other = Asker(11), Asker(12)
    desk = Desk([unit, other], lambda _question, at: [(at + 5 * MS, good(12, 7, 7))]).up().run(1_000 * MS)

    assert unit.answers == []
    assert set(unit.whys) == {Failure.FOREIGN}
    assert set(other.answers) == {Words((7, 7))}
    both = Desk([Asker(11)], lambda _question, at: [(at + 5 * MS, good(12) + good(11))])
    assert both.up().run(10 * MS).bus.counters(11).answered == 1, "behind another's answer stands ours"
    assert desk.bus.counters(12).failed[Failure.FOREIGN] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        frame(11, bytes.fromhex("03 02 0007")),
        frame(11, bytes.fromhex("04 04 0007 0007")),
        frame(11, bytes.fromhex("03 06 0007 0007 0007")),
        frame(11, bytes.fromhex("84 02")),
        good(12),
        good(11)[:-1] + b"\x00",
    ],
    ids=["one register for two", "another function", "too long", "another function's exception", "another unit", "CRC"],
)
def test_4_10_a_malformed_answer_is_never_taken_and_is_shaken_off(wrong):
    said = iter([wrong])
    unit = Asker(11)
    desk = Desk([unit], lambda _question, at: [(at + 5 * MS, next(said, good(11)))]).up().run(300 * MS)

    assert len(unit.whys) == 1
    assert unit.whys[0] in {Failure.FOREIGN, Failure.GARBLED}
    assert set(unit.answers) == {Words((1, 2))}
    assert len(unit.answers) > 5, "the next answer is taken as if nothing had been"
    assert desk.events == []


def test_4_10_a_stray_byte_in_front_loses_nothing():
    unit = Asker(11)
    Desk([unit], lambda _question, at: [(at + 5 * MS, b"\xfe" + good(11) + b"\xfe")]).up().run(300 * MS)

    assert not unit.failures
    assert len(unit.answers) > 5


@pytest.mark.parametrize("byte", [b"\xff", b"\x00"])
def test_4_10_a_flood_costs_neither_time_nor_memory_is_told_and_ends(byte):
    framing = RtuFraming()
    unit = Asker(11, request=ReadWords(0x2000, 124))
    desk = Desk([unit], lambda _question, at: [(at + 9 * MS, frame(11, b"\x03\xf8" + bytes(248)))], framing=framing)
    for place in range(5_000):
        desk.say(100 * MS + place * 10 * MS, byte * 35)
    desk.up().run(99 * MS)
    before = len(unit.answers)
    spent = time.process_time()
    desk.run(50_099 * MS)
    spent = time.process_time() - spent

    assert [event.kind for event in desk.events] == [BABBLE]
    assert len(framing._buffer) <= 520
    assert spent < 2, "175,000 bytes are fifty seconds of this line at its full speed"
    desk.run(60_000 * MS)
    assert len(unit.answers) > before + 50, "and when it is over, all is as before"
