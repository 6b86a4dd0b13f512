"""A unit that talks without being asked: named where it can be, the others play on, and the line recovers (4.10)."""

from random import Random

import pytest

from controller.core.view import Alarm
from controller.node.devices.ports import Ports
from drivers.modbus import babble
from drivers.modbus.babble import BABBLE, BABBLE_OVER, FLOOD_BYTES, Babble
from drivers.modbus.rtu import frame, speakers
from drivers.model import Down, Notice, UnitDown, UnitUp
from drivers.session import MILLISECOND as MS
from drivers.session import SECOND
from firmware_sim.line.babbler import Babbler
from support.drivers.native_line import line_of, table

ANSWER = frame(2, bytes((3, 40)) + bytes(range(40)))


class Repeats:
    """A unit whose head died within an answer: it says the same good frame for ever."""

    def __init__(self, said, pause, now):
        self._said, self._pause, self._next = said, pause, now + pause

    def receive(self, data, now): ...

    def to_send(self, now):
        said, due = self._said, now >= self._next
        if due:
            self._next = now + self._pause
        return said if due else b""

    def deadline(self):
        return self._next

    def tick(self, now): ...


class Casino:
    """Four single seats on one line, their alarms as people have them, and who is down."""

    def __init__(self, count=4):
        self.alarms, self.down, self.fell = {}, {}, set()
        ports = Ports(self.alarms.__setitem__)
        units, timing = table(count, baud=115200, think=2, adapter=2)

        def hear(event, _now):
            ports.heard("mesa", event)
            match event:
                case UnitUp(unit=unit):
                    self.down.pop(unit, None)
                case UnitDown(unit=unit, reason=reason):
                    self.down[unit] = reason
                    self.fell.add(unit)

        self.world, self.drivers, self.firmware, self.unplug = line_of(units, timing, hear)
        self.line = self.world.first.line
        self.run(3)
        assert not self.down

    def run(self, seconds):
        self.world.run_for(seconds * SECOND)
        return self

    def says(self):
        told = self.alarms.get("babble mesa")
        return told.sentence if isinstance(told, Alarm) else ""

    def answered(self):
        bus = self.world.first.host
        return {driver.number: bus.counters(driver.number).answered for driver in self.drivers}


def test_a_unit_that_repeats_itself_is_named_and_the_others_play_on():
    casino = Casino()
    casino.unplug(2)
    broken = Repeats(ANSWER, 150 * MS, casino.world.now)
    casino.line.attach(broken)
    before = casino.answered()
    casino.run(60)

    assert casino.says() == "Línea mesa: el aparato 2 habla sin que le pregunten; desconecte su cable de datos."
    assert casino.down == {2: Down.SILENT}
    assert not casino.fell & {1, 3, 4}
    gained = {unit: many - before[unit] for unit, many in casino.answered().items()}
    assert min(gained[unit] for unit in (1, 3, 4)) > 60, "heartbeats and images of the others go on"

    casino.line.detach(broken)
    casino.run(babble.OVER_AFTER // SECOND + 10)
    assert casino.says() == ""


@pytest.mark.parametrize("pause", [60, 100])
def test_rubbish_names_who_does_not_answer_any_more(pause):
    """The head of unit 3 is broken: it hears nothing, and talks rubbish now and then."""
    casino = Casino()
    plug = casino.unplug(3)
    broken = Babbler(Random(1), pause * MS, now=casino.world.now)
    casino.line.attach(broken)
    before = casino.answered()
    casino.run(120)

    assert casino.says() == "Línea mesa: el aparato 3 habla sin que le pregunten; desconecte su cable de datos."
    gained = {unit: many - before[unit] for unit, many in casino.answered().items()}
    assert min(gained[unit] for unit in (1, 2, 4)) > 120 * 8, "several exchanges a second get through"

    casino.line.detach(broken)
    plug()
    casino.run(60)
    assert (casino.says(), casino.down) == ("", {})


def test_one_that_never_stops_drowns_all_and_all_are_under_suspicion():
    """Nothing gets through: physics. A person pulls one after the other, and the line is back when it was the one."""
    casino = Casino()
    broken = Repeats(b"\xff" * 500, 40 * MS, casino.world.now)
    casino.line.attach(broken)
    casino.run(20)
    assert casino.says() == (
        "Línea mesa: un aparato habla sin que le pregunten, uno de 1, 2, 3, 4; desconéctelos uno por uno."
    )
    assert set(casino.down) == {1, 2, 3, 4}

    casino.line.detach(broken)
    casino.run(60)
    assert (casino.says(), casino.down) == ("", {})


def test_where_all_answer_it_is_the_cable_or_a_stranger():
    casino = Casino()
    casino.line.attach(Babbler(Random(2), 100 * MS, now=casino.world.now))
    casino.run(120)

    assert "revise el cable" in casino.says()
    assert casino.down == {}


def test_a_late_answer_names_nobody():
    assert speakers(b"\xff" + ANSWER + b"\x00\x02\x03", {1, 2, 3}) == {2}
    assert speakers(ANSWER, {1, 3}) == set()
    told = Babble(lambda: {1: 0, 2: 0}, speakers)
    for second in range(30):
        told.heard(ANSWER, 2, second * SECOND)
    assert told.news(30 * SECOND) == (BABBLE, "1 2"), "it was asked, so this may be its late answers"


def test_three_floods_in_a_minute_are_babble_and_two_are_weather():
    flood = b"\xff" * (FLOOD_BYTES + 1)
    told = Babble(lambda: {1: 0}, speakers)
    for second in (0, 30):
        told.heard(flood, 0, second * SECOND)
        assert told.news(second * SECOND) is None
    told.heard(flood, 0, 100 * SECOND)
    assert told.news(100 * SECOND) is None, "the first two are long ago"
    told.heard(flood, 0, 110 * SECOND)
    told.heard(flood, 0, 115 * SECOND)
    assert told.news(115 * SECOND) == (BABBLE, "1")
    assert told.news(116 * SECOND) is None, "said once"
    assert told.news(136 * SECOND) == (BABBLE_OVER, "")
    assert told.news(137 * SECOND) is None


def test_an_alarm_for_a_port_that_was_opened_again_begins_anew():
    alarms = {}
    ports = Ports(alarms.__setitem__)
    ports.heard("mesa", Notice(unit=0, seat=0, kind=BABBLE, detail="7"))
    assert alarms["babble mesa"].parts == {"line": "mesa", "unit": "7"}
    ports.heard("mesa", Notice(unit=0, seat=0, kind=BABBLE_OVER))
    assert alarms["babble mesa"] is None
