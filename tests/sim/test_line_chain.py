"""The whole chain in real time: rack, port, bus and native driver against simulated units, over a pty and over TCP."""

from random import Random

import pytest

from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.model import BetSeen, Down, LampProof, SeatSeen, UnitDown, UnitUp
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.native.writes import Config
from drivers.port import PortSettings
from drivers.rack import Rack, RackLine
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.line.tcp import TcpEnd
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.sim.line_desk import Desk, wait_for

pytestmark = pytest.mark.process

BAUD = 115_200
TIMING = LineTiming(baud=BAUD)
CREDITS = 50


def config_of(number):
    return Config(credit_value=1_000, least=1, most=5, buttons=(1, 2, 3, 5), baud=BAUD, unit=number, first_seat=number)


def settings_of(number):
    return UnitSettings(number, UnitClass.ELECTRONIC, 1, number, config_of(number))


def firmware_of(number):
    make = Make(number, UnitClass.ELECTRONIC, first_seat=number, serial=1_000 + number, config=config_of(number))
    return Firmware(make, Nvm(), Random(number))


class Table:
    """What the node would do: books what it sees, opens the round, acknowledges."""

    def __init__(self, framing, numbers):
        self.units = {number: NativeUnit(settings_of(number), nonce=7, first_command=1) for number in numbers}
        self.bus = Bus(list(self.units.values()), TIMING, framing)
        self.seats, self.down, self.up = {}, {}, set()

    def __call__(self, _, event):
        if isinstance(event, UnitUp):
            self.up.add(event.unit)
            self.down.pop(event.unit, None)
        elif isinstance(event, UnitDown):
            self.up.discard(event.unit)
            self.down[event.unit] = event.reason
        elif isinstance(event, SeatSeen):
            self.seats[event.seat] = event
            self.units[event.unit].acknowledge(event.device, event.seq)

    def shows(self, seat, **wanted):
        seen = self.seats.get(seat)
        return seen is not None and all(getattr(seen, name) == value for name, value in wanted.items())


@pytest.fixture
def desk():
    with Desk() as desk:
        yield desk


def racked(table, url, settings):
    rack = Rack([RackLine(name="table 1", url=url, session=table.bus, port=settings)], table)
    rack.start()
    return rack


def play_a_bet(rack, table, act, firmware, seat):
    """Credits are loaded, the round opens, the player presses, the lamp proves it."""
    unit = table.units[seat]
    wait_for(lambda: seat in table.up)
    rack.call("table 1", lambda _: unit.load(seat, 0, CREDITS))
    rack.call("table 1", lambda _: unit.unlock(1))
    wait_for(lambda: table.shows(seat, locked=False))
    wait_for(lambda: table.seats[seat].totals.loaded == CREDITS)
    act(lambda now: firmware.press(1, 2, now))
    wait_for(lambda: table.shows(seat, bet=BetSeen.CONFIRMED, lamp=LampProof.LIT))

    assert table.seats[seat].totals.bets == table.seats[seat].bet_credits == 2


def test_a_bet_is_made_and_lit_over_a_real_pty_and_a_pulled_adapter_is_survived(desk, tmp_path):
    firmwares = {number: firmware_of(number) for number in (1, 2)}
    line = Line(LineSettings(baud=BAUD), Random(0))
    for firmware in firmwares.values():
        line.attach(RtuSlave(firmware, TIMING))
    end = desk.do(lambda: PtyEnd(line, tmp_path / "adapter"))
    table = Table(RtuFraming(), [1, 2])
    rack = racked(table, str(end.link), PortSettings(baud=BAUD))

    def act(action):
        desk.do(lambda: end.act(action))

    for seat, firmware in firmwares.items():
        play_a_bet(rack, table, act, firmware, seat)
    desk.do(end.unplug)
    wait_for(lambda: table.down == {1: Down.LINE_DOWN, 2: Down.LINE_DOWN})
    desk.do(end.plug)
    wait_for(lambda: table.up == {1, 2})
    wait_for(lambda: table.shows(1, lamp=LampProof.LIT))

    assert line.counters.clashed == 0
    rack.stop()
    desk.do(end.close)


def test_a_bet_is_made_and_lit_over_tcp_and_a_broken_connection_is_survived(desk):
    firmware = firmware_of(1)
    end = TcpEnd(lambda: TcpSlave(firmware))
    desk.do(end.open)
    table = Table(MbapFraming(), [1])
    rack = racked(table, end.url, PortSettings())
    play_a_bet(rack, table, lambda action: desk.do(lambda: end.act(action)), firmware, 1)
    desk.do(end.drop)
    wait_for(lambda: table.down == {1: Down.LINE_DOWN})
    wait_for(lambda: table.up == {1})

    rack.stop()
    desk.do(end.close)
