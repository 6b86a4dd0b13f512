"""Opening ports: the door of pyserial, and the only place that knows what a serial line, a pty and a socket have apart.

A port is a descriptor that never blocks. Three rules. It is opened by a name that stays, so that a replugged adapter is
found again, and exclusively. Every error while it is open means one thing: it is lost, close it at once (4.3). What
cannot be opened is refused with a reason and the place; what is not quite as asked is said in `notes`.
"""

import contextlib
import errno
import fcntl
import os
import socket
import stat
import termios
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import serial  # type: ignore[import-untyped]
import serial.rs485  # type: ignore[import-untyped]

from drivers.session import SECOND, Micros

MOST_READ = 512  # no frame of ours is longer; a read that comes back full is a flood
MOST_WAITING = 4_096  # bytes a port may owe the wire
PTY_MAJORS = range(136, 144)  # of the kernel's device numbers
CONNECT_TIME = 3.0
DEAD_PEER_TIME = 3_000  # milliseconds without an acknowledgement from the network

_SYS_TTY = Path("/sys/class/tty")


@dataclass(frozen=True, slots=True, kw_only=True)
class PortSettings:
    """The defaults are Modbus' own (2.2)."""

    baud: int = 38400
    bits: Literal[7, 8] = 8
    parity: Literal["N", "E", "O"] = "E"
    stop: Literal[1, 2] = 1
    rs485: bool = False  # direction by the kernel driver; most adapters do it themselves
    write_time: Micros = SECOND  # a port that takes no byte for so long is lost (4.5)

    @property
    def format(self) -> str:
        return f"{self.bits}{self.parity}{self.stop}"


class PortRefusal(StrEnum):
    MISSING = "missing"  # no such device: not plugged in, or another name
    BUSY = "busy"  # somebody else has it
    NOT_PERMITTED = "not_permitted"
    NOT_A_PORT = "not_a_port"
    SETTINGS = "settings"  # the device cannot do what is asked of it
    UNREACHABLE = "unreachable"  # nothing answers at this address of the network
    BAD_URL = "bad_url"


class PortRefused(Exception):  # noqa: N818 - a refusal, not an error
    def __init__(self, reason: PortRefusal, place: str, detail: str = "") -> None:
        super().__init__(f"{place}: {reason.value}{': ' if detail else ''}{detail}")
        self.reason = reason
        self.place = place
        self.detail = detail


class PortLost(Exception):  # noqa: N818 - what happened, not who erred
    """It must be closed, and opened again by its name."""


class Port:
    """A descriptor, what still has to go out, and how to close it."""

    def __init__(self, link: "serial.Serial | socket.socket", place: str, write_time: Micros, notes: list[str]) -> None:
        self.place = place
        self.notes = tuple(notes)
        self.number = link.fileno()
        self._link = link
        self._write_time = write_time
        self._waiting = bytearray()
        self._stuck_since: Micros | None = None

    def read(self) -> bytes:
        """What has come, at most `MOST_READ`; empty when there is nothing."""
        try:
            data = os.read(self.number, MOST_READ)
        except BlockingIOError:
            return b""
        except OSError as lost:
            raise PortLost(str(lost)) from lost
        if not data:
            raise PortLost("the other end is gone")
        return data

    def write(self, data: bytes, now: Micros) -> None:
        """It goes out now as far as there is room, the rest in `push`. It never waits."""
        if len(self._waiting) + len(data) > MOST_WAITING:
            raise PortLost(f"{len(self._waiting)} bytes wait and do not go out")
        self._waiting += data
        self.push(now)

    def push(self, now: Micros) -> None:
        if self._stuck_since is not None and now - self._stuck_since >= self._write_time:
            raise PortLost("it takes no bytes")
        try:
            written = os.write(self.number, self._waiting) if self._waiting else 0
        except BlockingIOError:
            written = 0
        except OSError as lost:
            raise PortLost(str(lost)) from lost
        if not self._waiting or written == len(self._waiting):
            self._waiting.clear()
            self._stuck_since = None
        else:
            del self._waiting[:written]
            self._stuck_since = now if written or self._stuck_since is None else self._stuck_since

    @property
    def waiting(self) -> bool:
        """Call `push` when there is room again, and at `deadline`."""
        return bool(self._waiting)

    def deadline(self) -> Micros | None:
        return None if self._stuck_since is None else self._stuck_since + self._write_time

    def close(self) -> None:
        """At once: what did not go out never will; a close that waits for it hangs for half a minute (4.5)."""
        if isinstance(self._link, serial.Serial):
            with contextlib.suppress(termios.error, OSError):
                termios.tcflush(self.number, termios.TCOFLUSH)
        with contextlib.suppress(OSError, termios.error):
            self._link.close()


def open_port(url: str, settings: PortSettings) -> Port:
    """By an absolute path (`/dev/serial/by-id/...`) or as `socket://host:port`. It may take seconds: not in a loop."""
    if url.startswith("socket://"):
        return _open_socket(url, settings)
    if url.startswith("/"):
        return _open_serial(url, settings)
    raise PortRefused(PortRefusal.BAD_URL, url, "neither an absolute path nor socket://host:port")


def _open_socket(url: str, settings: PortSettings) -> Port:
    try:
        address = urlsplit(url)
        host, number = address.hostname, address.port
    except ValueError as wrong:
        raise PortRefused(PortRefusal.BAD_URL, url, str(wrong)) from wrong
    if not host or not number or address.path or address.query or address.fragment:
        raise PortRefused(PortRefusal.BAD_URL, url, "socket://host:port")
    try:
        link = socket.create_connection((host, number), CONNECT_TIME)
    except OSError as refused:
        raise PortRefused(PortRefusal.UNREACHABLE, url, str(refused)) from refused
    link.setblocking(False)
    for level, option, value in (
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 3),
        (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_TIME),
    ):
        link.setsockopt(level, option, value)
    return Port(link, url, settings.write_time, [])


def _open_serial(path: str, settings: PortSettings) -> Port:
    notes = []
    if settings.baud <= 0:
        raise PortRefused(PortRefusal.SETTINGS, path, f"{settings.baud} baud")  # zero would hang up
    pty = is_pty(path)
    if pty and settings.format != "8N1":
        # The kernel drops parity and 7 bits on a pty without a word, and glibc says EINVAL the second time ("Also").
        notes.append(f"8N1 instead of {settings.format}: a pty has no parity")
        settings = PortSettings(baud=settings.baud, parity="N", rs485=settings.rs485, write_time=settings.write_time)
    link = serial.Serial()
    link.port, link.baudrate, link.exclusive, link.timeout, link.write_timeout = path, settings.baud, True, 0, 0
    link.bytesize, link.parity, link.stopbits = settings.bits, settings.parity, settings.stop
    with contextlib.ExitStack() as unless_it_opens:
        unless_it_opens.callback(link.close)
        try:
            link.open()
            _set_up(link, path, settings, pty)
        except (OSError, termios.error, ValueError) as refused:
            raise _refused(path, refused) from refused
        unless_it_opens.pop_all()
    return Port(link, path, settings.write_time, notes + _hasten(link, path))


def is_pty(path: str) -> bool:
    try:
        found = Path(path).stat()
    except OSError as refused:
        raise _refused(path, refused) from refused
    if not stat.S_ISCHR(found.st_mode):
        raise PortRefused(PortRefusal.NOT_A_PORT, path, "not a device")
    return os.major(found.st_rdev) in PTY_MAJORS


def _set_up(link: serial.Serial, path: str, settings: PortSettings, pty: bool) -> None:
    """What pyserial leaves open: a lock of our own, proof of the format, a read that tells `nothing` from `gone`."""
    fcntl.flock(link.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # root passes TIOCEXCL; no process of ours passes this
    if not pty:  # a pty would keep the mark after we close it
        fcntl.ioctl(link.fd, termios.TIOCEXCL)
    if settings.rs485:
        link.rs485_mode = serial.rs485.RS485Settings()
    state = termios.tcgetattr(link.fd)
    if _format_of(state[2]) != settings.format:
        raise PortRefused(
            PortRefusal.SETTINGS, path, f"it stays at {_format_of(state[2])}, {settings.format} was asked"
        )
    state[6][termios.VMIN] = 1
    termios.tcsetattr(link.fd, termios.TCSANOW, state)


def _format_of(flags: int) -> str:
    bits = {termios.CS5: 5, termios.CS6: 6, termios.CS7: 7, termios.CS8: 8}[flags & termios.CSIZE]
    odd = "O" if flags & termios.PARODD else "E"
    return f"{bits}{odd if flags & termios.PARENB else 'N'}{2 if flags & termios.CSTOPB else 1}"


def _hasten(link: serial.Serial, path: str) -> list[str]:
    """An FTDI adapter keeps what came for 16 ms unless it is set otherwise (1.7). Most ports have nothing of the
    kind."""
    with contextlib.suppress(ValueError, OSError):
        link.set_low_latency_mode(True)
    timer = _SYS_TTY / Path(path).resolve().name / "device" / "latency_timer"
    try:
        kept = int(timer.read_text())
        if kept > 1:
            timer.write_text("1")
            kept = int(timer.read_text())
    except FileNotFoundError:
        return []
    except (OSError, ValueError):
        return ["the adapter keeps what came for up to 16 ms, and may not be told otherwise"]
    return [f"the adapter keeps what came for {kept} ms"] if kept > 1 else []


_REASONS = {
    errno.ENOENT: PortRefusal.MISSING,
    errno.ENODEV: PortRefusal.MISSING,
    errno.ENXIO: PortRefusal.MISSING,
    errno.EIO: PortRefusal.MISSING,
    errno.ENOTDIR: PortRefusal.MISSING,
    errno.ELOOP: PortRefusal.MISSING,
    errno.EBUSY: PortRefusal.BUSY,
    errno.EWOULDBLOCK: PortRefusal.BUSY,
    errno.EACCES: PortRefusal.NOT_PERMITTED,
    errno.EPERM: PortRefusal.NOT_PERMITTED,
    errno.ENOTTY: PortRefusal.NOT_A_PORT,
    errno.EINVAL: PortRefusal.SETTINGS,
}


def _refused(path: str, error: Exception) -> PortRefused:
    """SerialException is an OSError but does not always carry its number; termios.error is none at all."""
    number = error.errno if isinstance(error, OSError) else error.args[0] if error.args else None
    cause = error.__cause__ or error.__context__
    if number is None and isinstance(cause, termios.error) and cause.args:
        number = cause.args[0]
    fallback = PortRefusal.SETTINGS if isinstance(error, ValueError) else PortRefusal.NOT_A_PORT
    return PortRefused(_REASONS.get(number, fallback) if isinstance(number, int) else fallback, path, str(error))
