"""Ports by URL: what opens, what is refused and why, and that nothing about them ever waits."""

import asyncio
import errno
import socket
import termios
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from drivers import port as port_module
from drivers.port import MOST_READ, MOST_WAITING, PortLost, PortRefusal, PortRefused, PortSettings, open_port
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.tcp import MOST_CONNECTIONS, MOST_UNREAD, TcpEnd
from support.drivers.line_talkers import Answers, Ear
from support.sim.line_desk import Desk, deafen, wait_for

pytestmark = pytest.mark.process

EIGHT_NONE = PortSettings(parity="N")


@pytest.fixture
def desk():
    with Desk() as desk:
        yield desk


@pytest.fixture
def ear():
    return Ear()


@pytest.fixture
def end(desk, ear, tmp_path):
    end = desk.do(lambda: PtyEnd(ear, tmp_path / "adapter"))
    yield end
    desk.do(end.close)


@pytest.fixture
def opened(end):
    port = open_port(str(end.link), EIGHT_NONE)
    yield port
    port.close()


def read_all(port, count):
    got = b""

    def more():
        nonlocal got
        got += port.read()
        return len(got) >= count

    wait_for(more)
    return got


def refusal(url, settings=EIGHT_NONE):
    with pytest.raises(PortRefused) as caught:
        open_port(url, settings)
    assert caught.value.place == url
    assert caught.value.reason.value in str(caught.value)
    return caught.value.reason


def test_bytes_pass_both_ways_through_a_pty(opened, ear, desk, end):
    opened.write(b"\x00\x11\x13\x0d\x0a\xff", 0)
    wait_for(lambda: ear.bytes == b"\x00\x11\x13\x0d\x0a\xff")
    desk.do(lambda: end.act(lambda _: setattr(ear, "says", b"\x0d\x11\x03\x1a\x00")))

    assert read_all(opened, 5) == b"\x0d\x11\x03\x1a\x00"
    assert opened.read() == b"", "nothing has come, and that is not the end"
    assert not opened.waiting


def test_bytes_pass_both_ways_through_a_socket(desk):
    made = []
    end = TcpEnd(lambda: made.append(Answers(1, b"abc", 100)) or made[-1])
    desk.do(end.open)
    one, two = open_port(end.url, PortSettings()), open_port(end.url, PortSettings())
    one.write(b"\x01q", 0)

    assert read_all(one, 3) == b"abc"
    assert two.read() == b""
    assert desk.do(lambda: len(end.connections)) == 2
    assert not one.notes

    one.close()
    wait_for(lambda: desk.do(lambda: len(end.connections)) == 1)
    desk.do(end.drop)
    with pytest.raises(PortLost):
        wait_for(two.read)
    two.close()
    desk.do(end.unplug)
    assert refusal(end.url) is PortRefusal.UNREACHABLE
    desk.do(end.open)
    open_port(end.url, PortSettings()).close()
    wait_for(lambda: len(made) == 4)  # one for each connection, and one for nobody
    desk.do(end.close)


def test_what_lives_behind_a_listener_is_ticked_without_a_connection_and_touched_through_any(desk):
    made = []
    end = TcpEnd(lambda: made.append(Answers(1, b"abc", 100)) or made[-1])
    desk.do(end.open)
    desk.do(lambda: end.act(lambda now: setattr(made[0], "due", now + 1_000)))
    wait_for(lambda: made[0].due is None)

    port, other = open_port(end.url, PortSettings()), open_port(end.url, PortSettings())
    wait_for(lambda: len(made) == 3)
    desk.do(lambda: end.act(lambda _: setattr(made[1], "says", b"press")))
    assert read_all(port, 5) == b"press"

    made[2].says = b"too"
    port.write(b"?", 0)
    assert read_all(other, 3) == b"too", "what one host does may concern another"
    port.close()
    other.close()
    desk.do(end.close)


def test_what_a_closed_connection_left_behind_is_not_ticked_for_ever(desk):
    class Counts(Ear):
        ticks, due = 0, 0

        def deadline(self):
            return self.due

        def tick(self, now):
            self.ticks, self.due = self.ticks + 1, now + 1_000

    made = []
    end = TcpEnd(lambda: made.append(Counts()) or made[-1])
    desk.do(end.open)
    open_port(end.url, PortSettings()).close()
    wait_for(lambda: len(made) == 2)
    wait_for(lambda: desk.do(lambda: len(end.connections)) == 0)
    ticks = [talker.ticks for talker in made]
    wait_for(lambda: made[0].ticks > ticks[0] + 5)

    assert made[1].ticks == ticks[1]
    desk.do(end.close)
    ticks = made[0].ticks
    desk.do(lambda: asyncio.sleep(0.02))
    assert made[0].ticks == ticks


def test_a_listener_takes_only_so_many(desk):
    end = TcpEnd(Ear)
    desk.do(end.open)
    ports = [open_port(end.url, PortSettings()) for _ in range(MOST_CONNECTIONS)]
    wait_for(lambda: desk.do(lambda: len(end.connections)) == MOST_CONNECTIONS)

    one_more = open_port(end.url, PortSettings())
    with pytest.raises(PortLost):
        wait_for(one_more.read)

    for port in [*ports, one_more]:
        port.close()
    desk.do(end.close)


def test_a_listener_drops_who_does_not_read(desk):
    made = []
    end = TcpEnd(lambda: made.append(Ear()) or made[-1])
    desk.do(end.open)
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    link.connect((end.host, end.port))
    wait_for(lambda: len(made) == 2)

    def speak():
        made[1].says = bytes(MOST_UNREAD * 64)
        end.act(lambda _: None)

    desk.do(speak)
    wait_for(lambda: desk.do(lambda: len(end.connections)) == 0)
    link.close()
    desk.do(end.close)


def test_what_is_not_there_is_missing(tmp_path):
    dangling = tmp_path / "by-id"
    dangling.symlink_to(tmp_path / "ttyUSB7")

    assert refusal(str(tmp_path / "nothing")) is PortRefusal.MISSING
    assert refusal(str(dangling)) is PortRefusal.MISSING


def test_what_is_no_port_is_not_taken_for_one(tmp_path):
    (tmp_path / "file").write_text("x")

    assert refusal(str(tmp_path / "file")) is PortRefusal.NOT_A_PORT
    assert refusal(str(tmp_path)) is PortRefusal.NOT_A_PORT
    assert refusal("/dev/null") is PortRefusal.NOT_A_PORT


@pytest.mark.parametrize(
    "url",
    ["", "ttyUSB0", "COM3", "socket://", "socket://host", "socket://:502", "socket://host:0", "socket://host:99999",
     "socket://host:x", "socket://host:502/path", "socket://host:502?a=b", "socket://[::1", "rfc2217://host:1"],
)  # fmt: skip
def test_an_address_that_makes_no_sense_is_said_so(url):
    assert refusal(url) is PortRefusal.BAD_URL


def test_a_host_that_nobody_knows_is_unreachable():
    assert refusal("socket://no-such-host.invalid:502") is PortRefusal.UNREACHABLE


def test_who_may_not_open_it_is_told(end, monkeypatch):
    def forbidden(*_):
        raise serial.SerialException(errno.EACCES, "Permission denied")

    monkeypatch.setattr(serial.Serial, "open", forbidden)

    assert refusal(str(end.link)) is PortRefusal.NOT_PERMITTED


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (termios.error(errno.EINVAL, "Invalid argument"), PortRefusal.SETTINGS),
        (termios.error(errno.EIO, "Input/output error"), PortRefusal.MISSING),
        (OSError(errno.EIO, "Input/output error"), PortRefusal.MISSING),
        (serial.SerialException("something else"), PortRefusal.NOT_A_PORT),
        (ValueError("Invalid baud rate"), PortRefusal.SETTINGS),
        (termios.error(), PortRefusal.NOT_A_PORT),
    ],
)
def test_every_way_of_failing_is_a_refusal_and_leaves_nothing_open(end, monkeypatch, error, reason):
    def fails(*_):
        raise error

    before = len(list(Path("/proc/self/fd").iterdir()))
    monkeypatch.setattr(port_module, "_set_up", fails)

    assert refusal(str(end.link)) is reason
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_what_pyserial_says_without_a_number_is_understood_from_its_cause(end, monkeypatch):
    def fails(*_):
        raise serial.SerialException("Could not configure port") from termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr(port_module, "_set_up", fails)

    assert refusal(str(end.link)) is PortRefusal.MISSING


def test_a_rate_that_is_none_is_refused(end):
    for baud in (0, -5):
        assert refusal(str(end.link), PortSettings(baud=baud, parity="N")) is PortRefusal.SETTINGS


def a_real_port(monkeypatch):
    """A pty that is taken for a real port."""
    monkeypatch.setattr(port_module, "is_pty", lambda _: False)


def test_a_real_port_that_does_not_take_the_format_is_refused_not_driven_wrong(end, monkeypatch):
    a_real_port(monkeypatch)

    assert refusal(str(end.link), PortSettings(parity="E")) is PortRefusal.SETTINGS
    assert refusal(str(end.link), PortSettings(bits=7, parity="O")) is PortRefusal.SETTINGS


def test_a_real_port_is_marked_exclusive_for_everybody_else_too(end, monkeypatch):
    a_real_port(monkeypatch)
    marks = []
    real = port_module.fcntl.ioctl
    monkeypatch.setattr(port_module.fcntl, "ioctl", lambda fd, what, *rest: marks.append(what) or real(fd, what, *rest))

    port = open_port(str(end.link), EIGHT_NONE)
    real(port.number, termios.TIOCNXCL)
    port.close()

    assert termios.TIOCEXCL in marks


def test_rs485_is_refused_where_the_kernel_has_none(end):
    assert refusal(str(end.link), PortSettings(parity="N", rs485=True)) is not None


@pytest.mark.parametrize(
    ("before", "writable", "note"),
    [("16", True, ()), ("1", False, ()), ("16", False, ("16 ms",)), ("rubbish", True, ("16 ms",)), (None, True, ())],
)
def test_an_adapter_that_hoards_is_told_not_to(end, desk, monkeypatch, tmp_path, before, writable, note):
    timer = tmp_path / Path(desk.do(lambda: end.device)).name / "device" / "latency_timer"
    if before is not None:
        timer.parent.mkdir(parents=True)
        timer.write_text(before)
    monkeypatch.setattr(port_module, "_SYS_TTY", tmp_path)
    if not writable:
        monkeypatch.setattr(type(timer), "write_text", lambda *_: (_ for _ in ()).throw(PermissionError()))

    port = open_port(str(end.link), EIGHT_NONE)
    port.close()

    assert all(part in said for part, said in zip(note, port.notes, strict=True))
    if before == "16" and writable:
        assert timer.read_text() == "1"


def test_an_adapter_that_takes_the_order_and_does_not_follow_is_named(end, desk, monkeypatch, tmp_path):
    timer = tmp_path / Path(desk.do(lambda: end.device)).name / "device" / "latency_timer"
    timer.parent.mkdir(parents=True)
    timer.write_text("16")
    monkeypatch.setattr(port_module, "_SYS_TTY", tmp_path)
    monkeypatch.setattr(type(timer), "write_text", lambda *_: 1)

    port = open_port(str(end.link), EIGHT_NONE)
    port.close()

    assert port.notes == ("the adapter keeps what came for 16 ms",)


def test_a_read_takes_only_so_much(opened, ear, desk, end):
    desk.do(lambda: end.act(lambda _: setattr(ear, "says", bytes(3 * MOST_READ))))

    wait_for(lambda: len(data := opened.read()) == MOST_READ or data)
    assert len(read_all(opened, 2 * MOST_READ)) == 2 * MOST_READ


def test_more_than_the_wire_can_take_is_a_lost_port_not_a_growing_buffer(opened, desk, end):
    desk.do(lambda: deafen(end, deaf=True))
    while not opened.waiting:
        opened.write(bytes(1_024), 0)
    with pytest.raises(PortLost, match="do not go out"):
        opened.write(bytes(MOST_WAITING), 0)
    assert len(opened._waiting) <= MOST_WAITING


def test_the_settings_read_as_technicians_write_them():
    assert PortSettings().format == "8E1"
    assert PortSettings(bits=7, parity="O", stop=2).format == "7O2"
    assert port_module._format_of(termios.CS7 | termios.PARENB | termios.PARODD | termios.CSTOPB) == "7O2"


def test_a_write_that_fails_is_a_lost_port(opened, monkeypatch):
    for error in (OSError(errno.EIO, "gone"), BrokenPipeError()):
        monkeypatch.setattr(port_module, "os", SimpleNamespace(write=_raises(error)))
        with pytest.raises(PortLost):
            opened.write(b"x", 0)
    monkeypatch.undo()


def _raises(error):
    def fails(*_):
        raise error

    return fails
