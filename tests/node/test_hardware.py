"""The devices of a node on simulated wires: what the settings name comes up, and what is wished reaches it."""

import asyncio
from contextlib import contextmanager

import pytest

from controller.node.devices.hardware import Hardware
from controller.node.settings.settings import read_node
from controller.node.vocabulary.commands import (
    Acknowledge,
    ClearSeatFaults,
    LoadCredits,
    Reconcile,
    ShowAmount,
    ShowCount,
    ShowPrize,
    UnlockUnit,
    Wish,
)
from controller.node.vocabulary.places import LinePlace, UnitKey, bits_of, timing_of
from drivers.cctalk.slot import ChipBase
from drivers.io_module.bets import Base
from drivers.modbus.timing import NETWORK
from drivers.model import BetSeen, ConsoleSeen, DeviceKey, SeatSeen, Settled, SignSeen, SignState, Totals, UnitUp
from drivers.native.unit import NativeUnit
from drivers.port import PortSettings
from drivers.rack import Rack
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.stage import Stage
from support.node.node_settings_cases import CONFIG, GOOD, changed, with_urls, write
from support.sim.desk_play import line, unit
from support.sim.line_desk import Desk, wait_for

CENTRAL_DESK = (
    line("draw", unit("electronic", 1, seat=1, count=6), unit("console", 20), unit("counter", 21), baud=115200),
    line("ranuras", unit("cctalk", 11, seat=7, count=2), kind="cctalk", echo=True),
    line("crupier", unit("chip_slot", 1, seat=9, count=5), baud=38400),
    line("texas", unit("table", 1, seat=14, seats=6), kind="tcp"),
    line("letrero", unit("alpha", 1), kind="alpha"),
)
"""One desk has one croupier and numbers its seats through: the console of the slots is away, and a table's first
seat is what its unit is told."""

CRUPIER = 'line = "crupier"\nnumber = 20\n'
SLOTS = '[[table.unit]]\nkind = "chip_slot"\nline = "crupier"\nnumber = 1\nseat = 3\ncount = 5\n'
QUICK = changed("count = 7", "count = 2").replace(CRUPIER, CRUPIER + SLOTS)
"""Seven new acceptors need a quarter of a minute to say who they are, twice; here two of CP-01's seats are such."""

MIXED = """
name = "mezcla"
folder = "libro"
control = "/run/pozo/mezcla"
[[plan]]
file = "../plans/pozo-estelar.toml"
[[line]]
name = "mesa"
kind = "rtu"
url = "x"
baud = 115200
[[line]]
name = "texto"
kind = "text"
url = "x"
[[table]]
name = "DP-01"
[[table.unit]]
kind = "chip_slot"
line = "mesa"
number = 1
seat = 1
count = 4
chip_credits = 2
[[table.unit]]
kind = "io"
line = "mesa"
number = 5
[table.unit.map]
serial = 77
seat = [
  { seat = 5, lamp = 0, feedback = 0, button = [{ counter = 0, credits = 1 }] },
  { seat = 6, lamp = 1, feedback = 1, button = [{ counter = 8, credits = 1 }] },
]
console = { lock = { counter = 16 }, unlock = { counter = 18 } }
[[sign]]
kind = "digits"
line = "mesa"
number = 30
width = 9
[[sign]]
kind = "text"
line = "texto"
width = 20
"""
MIXED_DESK = (
    line(
        "mesa", unit("chip_slot", 1, seat=1, count=4), unit("io", 5, seat=5, seats=2, keys=True),
        unit("panel", 30, width=9), baud=115200,
    ),
    line("texto", unit("text", 1, width=20), kind="text"),
)  # fmt: skip


class Running:
    """A node's hardware in its rack, and the desk it talks to."""

    def __init__(self, node, stage, do):
        self.node, self._stage, self._do = node, stage, do
        self.hardware = Hardware(node, nonce=0xBEEF, first_command=4711)
        self.events = []
        self.rack = Rack(self.hardware.lines, lambda line, event: self.events.append((line, event)))

    def at_the_desk(self, command):
        answer = self._do(lambda: self._stage.obey(command))
        assert not answer.startswith("no: "), answer
        return answer

    def wish(self, line, number, command):
        """What came of it, heard in the rack's thread."""
        told = []
        wish = Wish(UnitKey(line, number), command)
        self.rack.call(line, lambda _: told.append(self.hardware.obey(wish)))
        wait_for(lambda: told)
        return told[0]

    def beside(self, line, act):
        told = []
        self.rack.call(line, lambda _: told.append(act()))
        wait_for(lambda: told)
        return told[0]

    def of(self, line, kind):
        return [event for name, event in self.events if name == line and isinstance(event, kind)]

    def up(self):
        return {(name, event.unit) for name, event in self.events if isinstance(event, UnitUp)}

    def seat(self, line, seat):
        found = [event for event in self.of(line, SeatSeen) if event.seat == seat]
        return found[-1] if found else None


@contextmanager
def running(folder, text, lines):
    """A settings file whose ports are the simulator's."""
    with Desk() as desk:
        made = {}

        async def build():
            made["stage"] = Stage(read_desk("seed = 5\n" + "".join(lines), "desk.toml"), folder / "p")
            made["open"] = made["stage"].open()
            await made["open"].__aenter__()

        desk.do(build)
        stage = made["stage"]
        node = read_node(write(folder, with_urls(text, stage.where)))
        found = Running(node, stage, desk.do)
        found.rack.start()
        try:
            yield found
            assert found.rack.failure is None
        finally:
            found.rack.stop()
            desk.do(lambda: made["open"].__aexit__(None, None, None))
            desk.do(lambda: asyncio.sleep(0.05))


@pytest.fixture(scope="module")
def central(tmp_path_factory):
    with running(tmp_path_factory.mktemp("c"), QUICK, CENTRAL_DESK) as found:
        units = {("draw", number) for number in (*range(1, 7), 20, 21)}
        units |= {("ranuras", 11), ("ranuras", 12), ("texas", 1)} | {("crupier", number) for number in range(1, 6)}
        wait_for(lambda: found.up() >= units, 20)
        yield found


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    with running(tmp_path_factory.mktemp("m"), MIXED, MIXED_DESK) as found:
        wait_for(lambda: found.up() >= {("mesa", number) for number in (1, 2, 3, 4, 5)}, 20)
        yield found


@pytest.mark.process
def test_every_kind_of_the_example_comes_up_with_its_own_seats(central):
    seats = {(name, event.unit): event.seats for name, event in central.events if isinstance(event, UnitUp)}
    for place in central.node.units:
        if place.key != ("crupier", 20):
            assert seats[place.key] == place.seats
            assert central.hardware._places[place.key] is place
    wait_for(lambda: central.of("draw", ConsoleSeen))


@pytest.mark.process
def test_wishes_reach_native_units_and_what_they_do_comes_back(central):
    wait_for(lambda: central.seat("draw", 2))
    seen = central.seat("draw", 2)
    assert seen.locked
    assert central.wish("draw", 2, Acknowledge(seen.device, seen.seq)) is None
    assert central.wish("draw", 2, LoadCredits(2, seen.totals.loaded, seen.totals.loaded + 20)) is None
    wait_for(lambda: any(event.command == "load" and event.done for event in central.of("draw", Settled)))
    assert central.wish("draw", 2, UnlockUnit(7)) is None
    wait_for(lambda: not central.seat("draw", 2).locked)
    central.at_the_desk("seat 2 press 2")
    wait_for(lambda: central.seat("draw", 2).bet is BetSeen.PENDING)
    assert central.seat("draw", 2).bet_credits == 2

    central.beside("draw", lambda: central.hardware.lock_all("draw"))
    wait_for(lambda: central.seat("draw", 2).locked)
    assert central.seat("draw", 1).locked


@pytest.mark.process
def test_wishes_reach_slots_on_cctalk_and_a_table_over_the_network(central):
    for name, number, seat in (("ranuras", 11, 1), ("texas", 1, 3)):
        wait_for(lambda: central.seat(name, seat))  # noqa: B023
        seen = central.seat(name, seat)
        central.wish(name, number, Acknowledge(seen.device, seen.seq))
        assert central.wish(name, number, UnlockUnit(9)) is None
        wait_for(lambda: not central.seat(name, seat).locked)  # noqa: B023
        central.beside(name, lambda: central.hardware.lock_all(name))  # noqa: B023
        wait_for(lambda: central.seat(name, seat).locked)  # noqa: B023


@pytest.mark.process
def test_a_sign_shows_what_is_wished_and_refuses_what_it_cannot_show(central):
    assert central.wish("letrero", 1, ShowAmount("$5.000.000", "$1.000")) is None
    wait_for(lambda: any(event.state is SignState.WRITTEN for event in central.of("letrero", SignSeen)), 20)
    assert central.of("letrero", SignSeen)[-1].showing == "POZO $5.000.000 +$1.000"
    assert "no letter" in central.wish("letrero", 1, ShowPrize("日本"))


@pytest.mark.process
def test_what_a_device_cannot_do_is_a_problem_and_no_crash(central):
    for name, number, command in (
        ("ranuras", 11, LoadCredits(1, 0, 5)),
        ("ranuras", 11, Reconcile(DeviceKey(1, 1))),
        ("draw", 1, ShowAmount("1", "")),
        ("draw", 1, ShowCount(5)),
        ("letrero", 1, ClearSeatFaults(1)),
        ("letrero", 1, UnlockUnit(3)),
    ):
        problem = central.wish(name, number, command)
        assert problem is not None, command
        assert problem.startswith(f"{name}/{number}: "), command
        assert type(command).__name__ in problem
    assert central.wish("draw", 21, ShowCount(42)) is None, "a counter counts"


@pytest.mark.process
def test_how_often_a_unit_was_asked_is_counted(central):
    for key in (UnitKey("draw", 1), UnitKey("ranuras", 11)):
        counted = central.beside(key.line, lambda: central.hardware.counts(key))  # noqa: B023
        assert counted["asked"] >= counted["answered"] > 0
    assert central.hardware.counts(UnitKey("letrero", 1)) == {}


@pytest.mark.process
def test_modules_slots_and_panels_share_a_line(mixed):
    wait_for(lambda: mixed.seat("mesa", 5))
    seen = mixed.seat("mesa", 5)
    assert mixed.wish("mesa", 5, Acknowledge(seen.device, seen.seq)) is None
    assert mixed.wish("mesa", 5, UnlockUnit(3)) is None
    wait_for(lambda: not mixed.seat("mesa", 5).locked)
    mixed.at_the_desk("seat 5 press 1")
    wait_for(lambda: mixed.seat("mesa", 5).totals.bets == 1)
    assert mixed.beside("mesa", lambda: mixed.hardware.base_of(UnitKey("mesa", 5))).seats[5].totals.bets == 1
    assert mixed.beside("mesa", lambda: mixed.hardware.base_of(UnitKey("mesa", 1))) is None, "it remembers by itself"
    assert mixed.hardware._places[UnitKey("mesa", 1)].chip_worth == 2

    assert mixed.wish("mesa", 30, ShowAmount("400000000", "")) is None
    wait_for(lambda: any(event.state is SignState.PROVEN for event in mixed.of("mesa", SignSeen)), 20)
    assert mixed.wish("texto", 1, ShowAmount("400000000", "")) is None
    wait_for(lambda: mixed.of("texto", SignSeen)[-1:] and mixed.of("texto", SignSeen)[-1].showing == "400000000", 20)
    assert "needs" in mixed.wish("texto", 1, ShowAmount("4" * 21, ""))


def test_a_table_is_locked_without_the_others_of_its_line(tmp_path):
    """Two tables on one line: no broadcast."""
    text = GOOD.replace('line = "crupier"', 'line = "draw"').replace(
        '[[line]]\nname = "crupier"\nkind = "rtu"\nurl = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285DK-if00-port0"\n', ""
    )  # fmt: skip
    node = read_node(write(tmp_path, text.replace('line = "draw"\nnumber = 20', 'line = "draw"\nnumber = 40', 1)))
    hardware = Hardware(node, 1, 1)
    locked = []
    for key, driver in hardware._drivers.items():
        if isinstance(driver, NativeUnit):
            driver.lock = lambda key=key: locked.append(key)
    hardware.lock_table("draw", "CP-01")
    assert locked == [("draw", 20)]
    locked.clear()
    hardware.lock_all("draw")
    assert len(locked) == 9
    locked.clear()
    hardware.lock_table("texas", "TX-01")
    assert locked == [("texas", 1)]


def test_what_has_no_memory_of_ours_goes_on_from_the_books():
    ranuras = Hardware(read_node(CONFIG / "nodes" / "central.toml"), 1, 1)
    base = ChipBase(DeviceKey(99, 1), 0x105, Totals(chips=40))
    ranuras.resume(UnitKey("ranuras", 11), base)
    module = Hardware(read_node(CONFIG / "nodes" / "modulo-io.toml"), 1, 1)
    module.resume(UnitKey("mesa", 5), Base(device=DeviceKey(4870001, 3), seq=12))
    assert module.base_of(UnitKey("mesa", 5)).device == DeviceKey(4870001, 3)
    with pytest.raises(AssertionError, match="does not go on"):
        ranuras.resume(UnitKey("draw", 1), base)


def test_each_unit_knows_its_host_by_another_number_and_after_a_restart_by_the_same():
    node = read_node(CONFIG / "nodes" / "central.toml")
    keys = [place.key for place in node.units]
    one, again, other = (Hardware(node, nonce, first) for nonce, first in ((5, 1), (5, 2), (6, 1)))
    assert len({one._nonce_of(key) for key in keys}) == len(keys)
    assert [one._nonce_of(key) for key in keys] == [again._nonce_of(key) for key in keys]
    assert all(one._nonce_of(key) != other._nonce_of(key) for key in keys)
    assert all(one._first_command_of(key) != again._first_command_of(key) for key in keys)
    assert all(0 < one._first_command_of(key) <= 0xFFFF for key in keys)


def test_a_line_is_timed_as_its_port_is_set():
    kind = read_node(CONFIG / "nodes" / "central.toml").lines
    of = {place.name: place for place in kind}
    assert (timing_of(of["draw"]).baud, timing_of(of["draw"]).bits) == (115200, 11)
    assert timing_of(of["texas"]).baud == NETWORK
    assert bits_of(LinePlace(name="x", kind=of["draw"].kind, url="/x", port=PortSettings(parity="N"))) == 10
    assert bits_of(of["letrero"]) == 10, "7E1"
