"""A unit that answers after its time is called slow and one that says nothing silent, on a wire and on a network (4.1)."""

from dataclasses import replace

import pytest

from drivers.line.failures import Failure
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.mbap import frame as mbap_frame
from drivers.modbus.mbap import speakers as tcp_speakers
from drivers.modbus.pdu import Words, encode_answer
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.model import Down, UnitDown, UnitUp
from drivers.session import SECOND
from support.drivers.bus_cases import LINE, MS, READ, Asker, Desk, answering, good
from support.drivers.native_line import line_of, table

NET = LineTiming(baud=NETWORK, answer=20 * MS, latency=2 * MS)


def rtu(question, at, late):
    yield at + late, good(question[0])


def tcp(question, at, late):
    number, unit = int.from_bytes(question[:2], "big"), question[6]
    answer = mbap_frame(number, unit, bytes((3, 4, 0, 1, 0, 2)))
    yield at + late, answer[:5]
    yield at + late + 1, answer[5:]


WIRES = [(LINE, RtuFraming, rtu), (NET, MbapFraming, tcp)]


@pytest.mark.parametrize("wire", WIRES, ids=["rtu", "tcp"])
@pytest.mark.parametrize("late", [45 * MS, 100 * MS, 400 * MS, 3 * SECOND])
@pytest.mark.parametrize("others", [(), (12, 13)], ids=["alone", "among others"])
def test_a_unit_that_answers_too_late_is_called_late(wire, late, others):
    timing, framing, says = wire

    def hear(question, at):
        unit = question[0] if says is rtu else question[6]
        return says(question, at, 5 * MS if unit in others else late)

    units = [Asker(11), *(Asker(number, every=50 * MS) for number in others)]
    Desk(units, hear, timing, framing()).up().run(60 * SECOND)

    slow, *quick = units
    assert slow.whys[0] in {Failure.SILENT, Failure.FOREIGN}, "nobody knows before an answer came"
    assert slow.whys.count(Failure.LATE) > len(slow.whys) // 2 or len(slow.answers) > len(slow.whys)
    assert not [why for one in quick for why in one.whys]


@pytest.mark.parametrize("wire", WIRES, ids=["rtu", "tcp"])
def test_a_unit_that_says_nothing_is_silent_whoever_speaks_beside_it(wire):
    timing, framing, says = wire

    def hear(question, at):
        unit = question[0] if says is rtu else question[6]
        return says(question, at, 5 * MS) if unit == 12 else ()

    dead, lively = Asker(11), Asker(12, every=50 * MS)
    Desk([dead, lively], hear, timing, framing()).up().run(60 * SECOND)

    assert set(dead.whys) == {Failure.SILENT} and not lively.whys


def test_a_unit_that_was_late_once_and_then_died_is_silent():
    until = 20 * SECOND

    def hear(question, at):
        return rtu(question, at, 400 * MS) if at < until else ()

    unit = Asker(11)
    Desk([unit], hear).up().run(120 * SECOND)

    assert Failure.LATE in unit.whys
    assert set(unit.whys[-10:]) == {Failure.SILENT}


def test_a_unit_whose_answers_are_of_something_else_is_not_called_late():
    unit = Asker(11)
    unit.believes = False
    Desk([unit], answering(11)).up().run(5 * SECOND)

    assert set(unit.whys) == {Failure.FOREIGN}


def test_a_frame_is_known_wherever_it_stands_among_the_bytes_of_a_network():
    found = mbap_frame(700, 9, encode_answer(READ, Words((1, 2))))

    assert tcp_speakers(b"\0\0\0" + found + b"\xff", {9}) == {9}
    assert tcp_speakers(found, {8}) == set()
    assert tcp_speakers(found[:-1], {9}) == set()


@pytest.mark.parametrize("thinks", [60, 100, 400, 1_500])
def test_a_unit_alone_on_its_wire_that_becomes_slow_is_said_to_be_and_plays_again_when_it_is_quick(thinks):
    """Where others are asked all the time its late answer meets theirs on the wire, and only silence can be said."""
    told = []

    def hear(event, _now):
        if isinstance(event, UnitUp | UnitDown):
            told.append("up" if isinstance(event, UnitUp) else event.reason)

    units, timing = table(1, baud=115200, think=10, adapter=2)
    world, _, (firmware,), _ = line_of(units, timing, hear)
    world.run_for(3 * SECOND)
    quick = firmware.make
    firmware.make = replace(quick, answer=thinks * MS)
    world.run_for(60 * SECOND)
    assert told[0] == "up" and told[-1] is Down.SLOW, told

    firmware.make = quick
    world.run_for(20 * SECOND)
    assert told[-1] == "up"
