"""The pump: bytes move, time is kept, ports come back, and a broken thing is loud."""

import asyncio
import select
import threading
import time
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import serial

from drivers import pump as pump_module
from drivers.model import LINE_RESET, Notice
from drivers.port import MOST_READ, PortRefusal, PortSettings
from drivers.punctual import micros, precise_loop
from drivers.rack import PortClosed, PortNotOpened, PortOpened, Rack, RackLine
from firmware_sim.line.clock import Ticker
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.pty import PtyEnd
from support.drivers.line_talkers import Answers, Asks, Ear
from support.sim.line_desk import Desk, wait_for

pytestmark = pytest.mark.process


@pytest.fixture
def desk():
    with Desk() as desk:
        yield desk


@pytest.fixture
def ends(desk, tmp_path):
    """Ptys by name, each with its talker."""
    made = {}

    def make(name, talker):
        made[name] = desk.do(lambda: PtyEnd(talker, tmp_path / name))
        return made[name]

    yield make
    for end in made.values():
        desk.do(end.close)


class Told:
    """What the rack told, by line."""

    def __init__(self):
        self.events = []

    def __call__(self, line, event):
        self.events.append((line, event))

    def of(self, line):
        return [event for name, event in self.events if name == line]

    def kinds(self, line):
        return [event if isinstance(event, str) else type(event) for event in self.of(line)]


def line_of(name, end, session):
    return RackLine(name=name, url=str(end.link), session=session, port=PortSettings(parity="N"))


@pytest.fixture
def running():
    racks = []

    def run(*lines, told=None):
        rack = Rack(lines, told or Told())
        racks.append(rack)
        rack.start()
        return rack

    yield run
    for rack in racks:
        rack.stop()


def test_bytes_events_and_time_pass_through_the_pump(ends, running):
    told, host, unit = Told(), Asks(b"\x01q", beat=20_000), Answers(1, b"abc", 500)
    end = ends("bus", unit)
    rack = running(line_of("bus", end, host), told=told)
    wait_for(lambda: len(host.heard) >= 15)

    beats = [b - a for (a, _), (b, _) in zip(host.heard, host.heard[1:], strict=False)]
    assert 18_000 < sorted(beats)[len(beats) // 2] < 25_000
    assert told.of("bus")[:3] == [PortOpened(str(end.link), ()), "up", ("heard", b"abc")]
    assert rack.alive()
    assert rack.counters("bus").octets_in >= 15
    assert rack.port("bus") is not None

    rack.stop()
    assert told.kinds("bus")[-2:] == [PortClosed, "down"]
    assert not rack.alive()
    assert rack.failure is None


def test_who_wants_something_of_a_session_calls_and_it_goes_out_at_once(ends, running):
    host, unit = Asks(beat=10**9), Answers(2, b"done", 100)
    rack = running(line_of("bus", ends("bus", unit), host))
    wait_for(lambda: unit.heard)

    before = time.monotonic()
    rack.call("bus", lambda _: setattr(host, "says", b"\x02lock"))
    wait_for(lambda: host.heard)

    rack.call("bus", lambda now: setattr(host, "due", now + 5_000))
    rack.call("bus", lambda _: rack._pumps["bus"]._read())  # a wake-up for nothing
    wait_for(lambda: unit.bytes.endswith(host.question))
    assert time.monotonic() - before < 5
    assert b"\x02lock" in unit.bytes


def test_an_answer_that_waits_to_be_read_is_heard_before_a_call_makes_it_late(ends, running):
    host, unit = Asks(b"\x01q", beat=10**9), Answers(1, b"in time", 0)
    rack = running(line_of("bus", ends("bus", unit), host))
    wait_for(lambda: host.heard)
    order = []

    def the_loop_was_held_up(now):
        """While it was: the answer came, and then its time was over."""
        receive, tick = host.receive, host.tick
        host.receive = lambda data, now: (order.append("heard"), receive(data, now))
        host.tick = lambda now: (order.append("late"), tick(now))
        pump = rack._pumps["bus"]
        pump.port.write(b"\x01q", now)
        assert select.select([pump.port.number], [], [], 5)[0]
        host.due = now
        pump.call(lambda _: order.append("called"))

    rack._loop.call_soon_threadsafe(the_loop_was_held_up, micros())

    wait_for(lambda: {"heard", "late"} <= set(order))
    assert order.index("heard") < order.index("late")


def test_who_is_told_may_want_something_at_once(ends, running):
    host, unit = Asks(b"\x01q", beat=10**9), Answers(1, b"abc", 100)

    def act(_, event):
        if event == ("heard", b"abc"):
            host.says = b"thanks"

    running(line_of("bus", ends("bus", unit), host), told=act)

    wait_for(lambda: unit.bytes.endswith(b"thanks"))


def test_each_line_has_its_own_port_and_a_missing_one_holds_nobody_up(ends, running, tmp_path):
    told, host, lost = Told(), Asks(b"\x01q", beat=5_000), Asks()
    missing = RackLine(name="sign", url=str(tmp_path / "nothing"), session=lost)
    running(line_of("bus", ends("bus", Answers(1, b"abc", 100)), host), missing, told=told)
    wait_for(lambda: len(host.heard) > 60)

    (refused,) = told.of("sign")
    assert isinstance(refused, PortNotOpened)
    assert refused.reason is PortRefusal.MISSING, "told once, though tried again and again"
    assert lost.up == 0


def test_a_port_that_is_refused_is_tried_again_ever_more_slowly_until_it_is_there(ends, running, tmp_path):
    told, host = Told(), Asks()
    late = RackLine(name="bus", url=str(tmp_path / "bus"), session=host, port=PortSettings(parity="N"))
    rack = running(late, told=told)
    wait_for(lambda: rack.counters("bus").refused >= 3)
    ends("bus", Answers(1, b"abc", 100))
    wait_for(lambda: host.heard)

    assert told.kinds("bus")[:3] == [PortNotOpened, PortOpened, "up"]
    assert rack.counters("bus").opened == 1


def test_each_try_in_vain_waits_longer_than_the_one_before_to_a_bound(running, tmp_path, monkeypatch):
    tries = []
    real = pump_module.open_port
    monkeypatch.setattr(pump_module, "open_port", lambda *port: tries.append(time.monotonic()) or real(*port))
    monkeypatch.setattr(pump_module, "LONGEST_WAIT", 300_000)
    rack = running(RackLine(name="bus", url=str(tmp_path / "nothing"), session=Asks()))
    wait_for(lambda: len(tries) == 4)

    assert all(b - a >= wait for (a, b), wait in zip(pairwise(tries), (0.1, 0.2, 0.3), strict=False))
    wait_for(lambda: rack._pumps["bus"]._wait == 300_000)


def test_opening_that_takes_its_time_stops_nobody(ends, running, monkeypatch):
    slow = threading.Event()
    real = pump_module.open_port

    def hangs(url, settings):
        if "slow" in url:
            slow.wait(10)
        return real(url, settings)

    monkeypatch.setattr(pump_module, "open_port", hangs)
    host, other = Asks(b"\x01q", beat=5_000), Asks()
    rack = running(
        line_of("slow", ends("slow", Ear()), other), line_of("bus", ends("bus", Answers(1, b"abc", 100)), host)
    )
    wait_for(lambda: len(host.heard) > 10)
    rack.stop()
    slow.set()
    wait_for(lambda: not any(thread.name.startswith("open") for thread in threading.enumerate()))

    assert other.up == 0


def test_a_port_that_opens_after_the_stop_in_a_loop_that_goes_on_is_closed(ends, desk, monkeypatch):
    go = threading.Event()
    real, made = pump_module.open_port, []

    def late(url, settings):
        if url.startswith("/dev"):
            return real(url, settings)
        go.wait(10)
        if "missing" not in url:
            made.append(real(url, settings))
            return made[-1]
        return real(url, settings)

    monkeypatch.setattr(pump_module, "open_port", late)
    host, end = Asks(), ends("bus", Ear())
    missing = RackLine(name="missing", url=str(end.link) + "missing", session=Asks())
    told = Told()

    async def begin_and_stop():
        never = Rack([RackLine(name="never", url="/dev/there/is/none", session=Asks())], lambda *_: None)
        ended = asyncio.ensure_future(never.run())
        await asyncio.sleep(0)
        await asyncio.to_thread(wait_for, lambda: never.counters("never").refused)
        never.stop()
        await ended
        rack = Rack([line_of("bus", end, host), missing], told)
        run = asyncio.ensure_future(rack.run())
        await asyncio.sleep(0.05)
        rack.stop()
        await run

    desk.do(begin_and_stop)
    go.set()
    wait_for(lambda: made)
    wait_for(lambda: not any(thread.name.startswith("open") for thread in threading.enumerate()))
    desk.do(lambda: asyncio.sleep(0.15))  # longer than before a port is tried again

    assert host.up == 0
    assert told.events == []
    with pytest.raises(serial.PortNotOpenError):
        made[0]._link.fileno()


def test_a_rack_may_run_in_a_given_loop(ends, desk):
    host, end = Asks(b"\x01q", beat=5_000), ends("bus", Answers(1, b"abc", 100))

    async def run_for_a_while():
        rack = Rack([line_of("bus", end, host)], lambda *_: None)
        run = asyncio.ensure_future(rack.run())
        await asyncio.to_thread(wait_for, lambda: len(host.heard) >= 5)
        rack.call("bus", lambda _: setattr(host, "says", b"bye"))
        await asyncio.sleep(0.01)
        rack.stop()
        rack.stop()
        await run
        rack.call("bus", lambda _: setattr(host, "says", b"nobody takes this"))

    desk.do(run_for_a_while)

    assert host.down == 1


def test_a_broken_assertion_ends_the_rack_loudly(ends, running, monkeypatch):
    died = []
    monkeypatch.setattr(threading, "excepthook", lambda death: died.append(death.exc_value))
    host = Asks(b"\x01q", beat=5_000)
    rack = running(line_of("bus", ends("bus", Answers(1, b"abc", 100)), host))
    wait_for(lambda: host.heard)

    def broken(_):
        raise AssertionError("what must hold does not")

    rack.call("bus", broken)
    rack.call("bus", broken)
    wait_for(lambda: died)

    assert rack.failure is died[0]
    assert not rack.alive()
    assert host.down == 1, "its port was closed"


def test_a_session_that_never_rests_is_a_broken_assertion(ends, running, monkeypatch):
    died = []
    monkeypatch.setattr(threading, "excepthook", lambda death: died.append(str(death.exc_value)))

    class Restless(Asks):
        def tick(self, now):
            pass

    running(line_of("bus", ends("bus", Ear()), Restless()))
    wait_for(lambda: died)

    assert "bus: the session was ticked and wants it again at once" in died[0]


def test_what_the_loop_only_remarks_ends_nothing(desk, capsys):
    async def remark():
        rack = Rack([], lambda *_: None)
        run = asyncio.ensure_future(rack.run())
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_exception_handler({"message": "by the way"})
        await asyncio.sleep(0)
        rack.stop()
        await run
        return rack.failure

    assert desk.do(remark) is None
    capsys.readouterr()


def test_nobody_calls_before_it_runs_and_two_lines_have_two_names(tmp_path):
    line = RackLine(name="bus", url=str(tmp_path / "x"), session=Asks())

    with pytest.raises(AssertionError):
        Rack([line], lambda *_: None).call("bus", print)
    with pytest.raises(AssertionError):
        Rack([line, line], lambda *_: None)


def test_it_starts_once(running):
    rack = running()

    with pytest.raises(AssertionError):
        rack.start()


def test_a_loop_that_does_not_turn_is_not_alive(ends, running):
    rack = running(line_of("bus", ends("bus", Ear()), Asks()))
    release = threading.Event()
    rack.call("bus", lambda _: release.wait(10))
    wait_for(lambda: not rack.alive(patience=300_000))
    release.set()

    wait_for(rack.alive)


def test_a_flood_is_read_at_a_bounded_rate_and_holds_nobody_up(ends, running):
    class Flood(Ear):
        def deadline(self):
            return self.due

        due = 0

        def tick(self, now):
            self.says, self.due = b"\xff" * 65_536, now + 1_000

    host, victim = Asks(b"\x01q", beat=5_000), Asks(beat=10**9)
    rack = running(
        line_of("bus", ends("bus", Answers(1, b"abc", 100)), host), line_of("flooded", ends("flooded", Flood()), victim)
    )
    began = time.monotonic()
    wait_for(lambda: rack.counters("flooded").floods > 20)
    wait_for(lambda: len(host.heard) > 40)
    lasted = time.monotonic() - began

    assert rack.counters("flooded").octets_in < (lasted + 0.2) / pump_module.FLOOD_PAUSE * MOST_READ
    gaps = sorted(b - a for (a, _), (b, _) in zip(host.heard, host.heard[1:], strict=False))
    assert gaps[len(gaps) // 2] < 15_000


def test_a_flooded_port_may_go_while_it_is_not_read(ends, running, desk, monkeypatch):
    monkeypatch.setattr(pump_module, "FLOOD_PAUSE", 0.2)
    talker = Ear()
    end = ends("bus", talker)
    told = Told()
    host = Asks(beat=10**9)
    rack = running(line_of("bus", end, host), told=told)
    wait_for(lambda: rack.counters("bus").opened)

    def flood_and_go():
        talker.says = bytes(MOST_READ)
        end.act(lambda _: None)

    desk.do(flood_and_go)
    wait_for(lambda: rack.counters("bus").floods)
    desk.do(end.unplug)
    rack.call("bus", lambda _: setattr(host, "says", b"a word into the void"))
    wait_for(lambda: PortClosed in told.kinds("bus"))
    desk.do(end.plug)
    wait_for(lambda: told.kinds("bus").count(PortOpened) == 2)
    time.sleep(0.25)
    talker.says = b"still read"
    desk.do(lambda: end.act(lambda _: None))
    wait_for(lambda: host.bytes.endswith(b"still read"))


def test_waits_are_not_rounded_up_to_whole_milliseconds():
    async def least_lateness():
        loop = asyncio.get_running_loop()
        late = []
        for _ in range(60):
            due = loop.time() + 0.0011
            done = loop.create_future()
            loop.call_at(due, done.set_result, None)
            await done
            late.append(loop.time() - due)
        return min(late)

    for make in (precise_loop, lambda: precise_loop(spin=200)):
        with asyncio.Runner(loop_factory=make) as runner:
            assert runner.run(least_lateness()) < 0.0005


def test_the_thread_of_a_rack_asks_the_kernel_to_be_woken_in_time(running):
    rack = running()
    slack = Path(f"/proc/{rack._thread.native_id}/timerslack_ns")

    wait_for(lambda: slack.read_text() == "1\n")


def test_a_simulated_end_that_never_rests_is_found(desk):
    class Restless(Ear):
        def deadline(self):
            return 0

        def tick(self, now):
            pass

    async def begin():
        Ticker(Restless(), lambda _: None)

    with pytest.raises(AssertionError, match="at once"):
        desk.do(begin)


def test_an_act_on_a_simulated_end_comes_after_what_was_due_before_it(ends, desk):
    order = []

    class Due(Answers):
        def tick(self, now):
            super().tick(now)
            order.append("tick")

    talker = Due()
    end = ends("bus", talker)

    def act_late():
        end.act(lambda now: setattr(talker, "due", now + 1_000))
        time.sleep(0.01)
        end.act(lambda _: order.append("act"))

    desk.do(act_late)

    assert order == ["tick", "act"]


def test_an_act_on_a_unit_of_a_line_is_noticed_by_the_line(ends, desk, running):
    unit, host = Ear(), Asks(beat=10**9)
    line = Line(LineSettings(baud=115_200), Random(0))
    line.attach(unit)
    end = ends("bus", line)
    running(line_of("bus", end, host))
    wait_for(lambda: unit.heard)

    desk.do(lambda: end.act(lambda _: setattr(unit, "says", b"press")))

    wait_for(lambda: host.bytes == b"press")


def test_a_stream_that_lost_its_place_is_closed_and_opened_again(ends, running):
    told, host = Told(), Asks(beat=10**9)
    rack = running(line_of("tcp", ends("tcp", Ear()), host), told=told)
    wait_for(lambda: rack.counters("tcp").opened == 1)

    rack.call("tcp", lambda _: host.events.append(Notice(unit=0, seat=0, kind=LINE_RESET)))
    wait_for(lambda: rack.counters("tcp").opened == 2)

    assert PortClosed in told.kinds("tcp")
    assert rack.counters("tcp").lost == 1
