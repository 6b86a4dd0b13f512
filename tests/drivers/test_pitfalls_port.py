"""devices.md 4.3, 4.4, 4.5 and «Also», each with real ptys: adapters are pulled, ports hang, somebody else opens them."""

import contextlib
import os
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from drivers.port import PortLost, PortRefusal, PortRefused, PortSettings, open_port
from drivers.rack import PortClosed, PortOpened, Rack, RackLine
from firmware_sim.line.pty import PtyEnd
from support.drivers.line_talkers import Answers, Asks
from support.sim.line_desk import Desk, deafen, wait_for

pytestmark = pytest.mark.process

EIGHT_NONE = PortSettings(parity="N")


@pytest.fixture
def desk():
    with Desk() as desk:
        yield desk


@pytest.fixture
def unit():
    return Answers(1, b"abc", 100)


@pytest.fixture
def end(desk, unit, tmp_path):
    end = desk.do(lambda: PtyEnd(unit, tmp_path / "usb-adapter-1"))
    yield end
    desk.do(end.close)


@pytest.fixture
def host():
    return Asks(b"\x01q", beat=5_000)


@pytest.fixture
def told():
    return []


@pytest.fixture
def rack(end, host, told):
    line = RackLine(name="bus", url=str(end.link), session=host, port=PortSettings(parity="N", write_time=200_000))
    rack = Rack([line], lambda _, event: told.append(event))
    rack.start()
    yield rack
    rack.stop()


def say(host, data):
    """What the session wants to send, if its port is there."""

    def want(_):
        if host.due is not None:
            host.says = data

    return want


def count(told, kind):
    return sum(isinstance(event, kind) for event in told)


def talks_again(host):
    before = len(host.heard)
    wait_for(lambda: len(host.heard) > before + 3)


def open_descriptors_of(path):
    """How many descriptors of this process lead to that device."""
    return sum(str(leads_to) == path for leads_to in descriptors())


def descriptors():
    found = []
    for number in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(number.readlink())
    return found


@pytest.mark.usefixtures("rack")
def test_4_3_pulled_while_idle_it_is_closed_at_once_and_opened_again_by_its_stable_name(desk, end, host, told):
    host.beat = 10**9
    wait_for(lambda: host.heard)
    time.sleep(0.05)
    desk.do(end.unplug)
    wait_for(lambda: host.down == 1)
    talks = len(host.heard)
    desk.do(end.plug)
    wait_for(lambda: len(host.heard) > talks)

    assert count(told, PortOpened) == 2 and count(told, PortClosed) == 1


def test_4_3_pulled_while_bytes_are_on_their_way_to_us(desk, end, rack, host, unit):
    unit.answer = bytes(400)
    host.beat = 1_000
    wait_for(lambda: len(host.heard) > 5)
    for _ in range(5):
        desk.do(end.unplug)
        desk.do(end.plug)
        talks_again(host)

    assert host.up == host.down + 1 == 6
    assert rack.failure is None


def test_4_3_pulled_while_we_write(desk, end, rack, host):
    wait_for(lambda: host.heard)
    desk.do(lambda: deafen(end, deaf=True))
    rack.call("bus", say(host, bytes(4_000)))
    for _ in range(8):
        rack.call("bus", say(host, bytes(2_000)))
    desk.do(end.unplug)
    wait_for(lambda: host.down == 1)
    desk.do(end.plug)
    talks_again(host)


@pytest.mark.usefixtures("rack")
@pytest.mark.parametrize("error", [serial.SerialException("gone"), OSError(5, "gone"), OSError(19, "no device")])
def test_4_3_every_kind_of_error_while_it_is_open_is_a_lost_port(host, told, monkeypatch, error):
    wait_for(lambda: host.heard)

    def fails(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("drivers.port.os", SimpleNamespace(**{**vars(os), "read": fails}))
        wait_for(lambda: host.down >= 1)

    talks_again(host)
    assert count(told, PortClosed) >= 1


def test_4_3_an_error_of_termios_when_it_closes_or_opens_stops_nothing(desk, end, rack, host, monkeypatch):
    wait_for(lambda: host.heard)

    def fails(*_):
        raise termios.error(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("drivers.port.termios.tcflush", fails)
        patch.setattr("drivers.port.termios.tcgetattr", fails)
        desk.do(end.unplug)
        wait_for(lambda: host.down == 1)
        desk.do(end.plug)
        wait_for(lambda: rack.counters("bus").refused >= 2)

    talks_again(host)


def test_4_3_no_descriptor_is_left_behind_so_the_device_keeps_its_name(desk, end, rack, host):
    wait_for(lambda: host.heard)
    device = desk.do(lambda: end.device)
    assert open_descriptors_of(device) == 2, "the simulator's own, and ours"
    before = len(descriptors())
    for _ in range(5):
        desk.do(end.unplug)
        wait_for(lambda: rack.port("bus") is None)
        assert open_descriptors_of(device) == 0
        desk.do(end.plug)
        wait_for(lambda: rack.port("bus") is not None)
        device = desk.do(lambda: end.device)

    assert len(descriptors()) == before


def test_4_3_an_adapter_that_comes_back_under_another_name_is_found_behind_its_stable_one(desk, end, rack, host):
    wait_for(lambda: host.heard)
    first = desk.do(lambda: end.device)
    desk.do(end.unplug)
    wait_for(lambda: host.down == 1)
    taken = [os.openpty()]
    while os.ttyname(taken[-1][1]) != first and len(taken) < 100:  # somebody takes the old name meanwhile
        taken.append(os.openpty())
    desk.do(end.plug)
    second = desk.do(lambda: end.device)
    talks_again(host)

    assert first != second
    assert rack.port("bus").place == str(end.link)
    for pair in taken:
        for number in pair:
            os.close(number)


@pytest.mark.usefixtures("rack")
def test_4_4_our_simulated_end_comes_back_and_its_units_lived_on(desk, end, unit, host):
    wait_for(lambda: host.heard)
    desk.do(end.unplug)
    assert not end.plugged
    assert not os.path.lexists(end.link), "pulled adapters have no name"
    desk.do(lambda: end.act(lambda now: (setattr(unit, "due", now + 1_000), setattr(unit, "says", b"?"))))
    wait_for(lambda: unit.due is None)
    desk.do(end.plug)
    talks_again(host)

    for twice in (end.plug,):
        with pytest.raises(AssertionError):
            desk.do(twice)
    desk.do(end.unplug)
    for not_there in (end.unplug, lambda: end.device):
        with pytest.raises(AssertionError):
            desk.do(not_there)


def test_4_4_a_client_that_closes_and_opens_again_finds_the_same_end(end, unit):
    for _ in range(3):
        port = open_port(str(end.link), EIGHT_NONE)
        port.write(b"\x01q", 0)
        wait_for(port.read)
        port.close()

    assert unit.bytes.count(b"\x01q") == 3


def test_4_4_the_end_is_raw_for_a_client_that_sets_nothing_up(desk, end, unit):
    special = bytes(range(32)) + b"\x7f\xff"
    client = os.open(end.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    desk.do(lambda: end.act(lambda _: setattr(unit, "says", special)))
    os.write(client, b"\n")
    wait_for(lambda: unit.bytes)

    assert os.read(client, 100) == special  # BlockingIOError: it waits for the end of a line
    assert unit.bytes == b"\n"
    os.close(client)


def test_4_4_what_a_client_does_not_read_is_lost_and_blocks_nobody(desk, end, unit):
    port = open_port(str(end.link), EIGHT_NONE)
    for _ in range(20):
        desk.do(lambda: (setattr(unit, "says", bytes(4_000)), end.act(lambda _: None)))
    port.close()

    assert end.lost > 0


def test_4_5_a_port_that_takes_no_bytes_is_lost_in_time_and_holds_nobody_up(desk, end, rack, host):
    wait_for(lambda: host.heard)
    desk.do(lambda: deafen(end, deaf=True))
    began = time.monotonic()
    for _ in range(30):
        rack.call("bus", say(host, bytes(1_000)))
    wait_for(lambda: host.down >= 1)
    took = time.monotonic() - began

    assert took < 5.0
    assert rack.alive()
    desk.do(end.unplug)
    desk.do(end.plug)
    talks_again(host)
    assert rack.failure is None


def test_4_5_bytes_that_wait_too_long_are_a_lost_port_though_nobody_sends_more(desk, end, rack, host, told):
    wait_for(lambda: host.heard)
    host.beat = 10**9
    rack.call("bus", lambda now: setattr(host, "due", now + 10**9))
    desk.do(lambda: deafen(end, deaf=True))
    while not (port := rack.port("bus")).waiting:
        sent = rack.counters("bus").octets_out
        rack.call("bus", say(host, bytes(1_000)))
        wait_for(lambda before=sent: rack.counters("bus").octets_out > before)
    wait_for(lambda: host.down == 1)

    assert [event.detail for event in told if isinstance(event, PortClosed)] == ["it takes no bytes"]
    with pytest.raises(serial.PortNotOpenError):
        port._link.fileno()


def full_port(end, write_time=200_000):
    """A port in front of an end that takes nothing: filled to the brim, and something waits."""
    port = open_port(str(end.link), PortSettings(parity="N", write_time=write_time))
    while not port.waiting:
        port.write(bytes(512), 0)
    return port


def test_4_5_the_time_a_write_may_take_counts_from_its_last_progress(desk, end):
    desk.do(lambda: deafen(end, deaf=True))
    port = full_port(end)
    assert port.deadline() == 200_000

    port.push(199_999)
    with pytest.raises(PortLost, match="takes no bytes"):
        port.push(200_000)
    port.close()


def test_4_5_what_waits_goes_out_when_there_is_room_again(desk, end, rack, host, unit):
    wait_for(lambda: host.heard)
    host.beat = 10**9
    rack.call("bus", lambda now: setattr(host, "due", now + 10**9))
    desk.do(lambda: deafen(end, deaf=True))
    already = len(unit.bytes)
    sent = []
    for number in range(60):
        before = rack.counters("bus").octets_out
        sent.append(bytes([number]) * 1_000)
        rack.call("bus", say(host, sent[-1]))
        wait_for(lambda before=before: rack.counters("bus").octets_out > before)
        if rack.port("bus").waiting:
            break
    assert rack.port("bus").waiting
    desk.do(lambda: deafen(end, deaf=False))
    wait_for(lambda: not rack.port("bus").waiting)
    wait_for(lambda: len(unit.bytes) >= already + len(b"".join(sent)))

    assert unit.bytes.endswith(b"".join(sent))
    time.sleep(0.25)  # longer than a write may take: nobody calls it lost afterwards
    assert host.down == 0


def test_4_5_a_line_that_takes_a_little_now_and_then_is_slow_and_not_lost(desk, end):
    desk.do(lambda: deafen(end, deaf=True))
    port = full_port(end)
    for round_ in range(1, 6):
        desk.do(end._read)
        wait_for(lambda at=round_ * 150_000: port.push(at) or port.deadline() in (None, at))
        while not port.waiting:
            port.write(bytes(512), round_ * 150_000)
        assert port.deadline() >= round_ * 150_000
    port.close()


def test_4_5_closing_does_not_wait_for_what_never_goes_out(desk, end):
    desk.do(lambda: deafen(end, deaf=True))
    port = full_port(end)
    began = time.monotonic()
    port.close()

    assert time.monotonic() - began < 0.2


@pytest.mark.parametrize("format_", [{"bits": 8, "parity": "E"}, {"bits": 7, "parity": "E"}, {"stop": 2}])
def test_also_pty_parity_falls_back_to_8n1_on_a_pty_every_time_and_says_so(end, format_):
    settings = PortSettings(**format_)
    for _ in range(3):
        port = open_port(str(end.link), settings)
        assert port.notes == (f"8N1 instead of {settings.format}: a pty has no parity",)
        port.close()
    port = open_port(str(end.link), EIGHT_NONE)
    assert port.notes == ()
    port.close()


def test_also_pty_parity_the_note_reaches_who_owns_the_rack(end, told):
    line = RackLine(name="bus", url=str(end.link), session=Asks())
    rack = Rack([line], lambda _, event: told.append(event))
    rack.start()
    wait_for(lambda: told)
    rack.stop()

    assert "a pty has no parity" in told[0].notes[0]


def test_also_exclusive_use_a_second_opener_is_refused_in_this_process_and_in_another(end):
    first = open_port(str(end.link), EIGHT_NONE)
    with pytest.raises(PortRefused) as caught:
        open_port(str(end.link), EIGHT_NONE)
    assert caught.value.reason is PortRefusal.BUSY

    program = (
        "import sys\n"
        "from drivers.port import *\n"
        "try:\n"
        "    open_port(sys.argv[1], PortSettings(parity='N')).close()\n"
        "except PortRefused as refused:\n"
        "    print(refused.reason.value)\n"
    )
    asked = [sys.executable, "-c", program, str(end.link)]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "busy\n"

    first.close()
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == ""


def test_also_exclusive_use_the_lock_is_ours_even_if_pyserial_takes_none(end, monkeypatch):
    first = open_port(str(end.link), EIGHT_NONE)
    monkeypatch.setattr(serial.Serial, "exclusive", property(lambda _: None, lambda *_: None))

    with pytest.raises(PortRefused) as caught:
        open_port(str(end.link), EIGHT_NONE)

    assert caught.value.reason is PortRefusal.BUSY
    first.close()


def test_also_exclusive_use_whoever_dies_leaves_no_lock_behind(end):
    program = (
        "import sys, os\nfrom drivers.port import *\nopen_port(sys.argv[1], PortSettings(parity='N'))\nos._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(end.link)], check=False)

    open_port(str(end.link), EIGHT_NONE).close()


def test_also_concurrency_calls_from_many_threads_meet_the_session_in_one(rack, host):
    wait_for(lambda: host.heard)
    seen = []
    threads = [
        threading.Thread(
            target=lambda: [rack.call("bus", lambda _: seen.append(threading.get_ident())) for _ in range(200)]
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_for(lambda: len(seen) == 800)

    assert len(set(seen)) == 1
    assert set(seen).isdisjoint({threading.get_ident()})
