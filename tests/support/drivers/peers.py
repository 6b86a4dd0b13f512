"""Foreign programs, and the real lines they are tried on. One that is not on this machine skips its test by name; where
POZO_CI is set none may be absent, and it fails its test by name.

`make test` brings them: Debian's by apt-get, npm's into var/npm, the C programs of tests/foreign into var/foreign.
Our simulated units stand on real ptys and real TCP (support/sim/line_desk.py) while a foreign host talks to them.
"""

import importlib
import os
import random
import shutil
import socket
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from drivers.modbus.timing import NETWORK, LineTiming
from drivers.native.contract import Capability, UnitClass
from drivers.native.writes import Config
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.line.tcp import TcpEnd
from firmware_sim.native.make import USUAL, Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.places import ROOT
from support.sim.line_desk import Desk, wait_for

FOREIGN = ROOT / "tests" / "foreign"
UNIT, ABSENT = 11, 12
LONGEST = 60  # seconds of any foreign program

# What tests/foreign/slave.c runs on; firmware_sim is given the same.
CONFIG = Config(credit_value=100, least=1, most=2, buttons=(1, 2, 0, 0), unit=UNIT, enabled=1, generation=7)
RTU, NET = LineTiming(latency=5_000), LineTiming(baud=NETWORK, latency=20_000)


# ---------------------------------------------------------------------------------------------- where they are


def absent(what: str) -> NoReturn:
    """No peer of this name is here."""
    if os.environ.get("POZO_CI"):
        pytest.fail(f"no peer on CI: {what}", pytrace=False)
    pytest.skip(f"no peer: {what}")


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        absent(name)
    return found


def library(name: str) -> Any:
    """A foreign package of Python; what it is warned of while it is loaded is its own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            absent(name)


def built(name: str) -> str:
    """One of ours on a foreign library, made by `make`."""
    path = ROOT / "var" / "foreign" / name
    if not path.exists():
        absent(f"libmodbus (var/foreign/{name} is not built)")
    return str(path)


def node(script: str, package: str, *arguments: object) -> list[str]:
    """The command that runs a script of tests/foreign on a package of npm."""
    folder = ROOT / "var" / "npm" / "node_modules" / package
    found = program("node")
    if not folder.exists():
        absent(f"npm {package}")
    return [found, str(FOREIGN / script), *map(str, arguments)]


def _environment() -> dict[str, str]:
    return os.environ | {"NODE_PATH": str(ROOT / "var" / "npm" / "node_modules"), "LANG": "C"}


def run(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """A foreign program from its beginning to its end."""
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True, text=True, timeout=LONGEST, check=False, env=_environment(), **options,
    )  # fmt: skip


@contextmanager
def running(*command: object, until: str = "ready") -> Iterator[subprocess.Popen[str]]:
    """A foreign program that serves: from when it says it is ready. It ends with its standard input."""
    with subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment(),
    ) as served:  # fmt: skip
        assert served.stdin is not None and served.stdout is not None, "both are pipes"
        try:
            said = served.stdout.readline() if until else ""
            assert until in said, f"{command}: {said}{served.stdout.read() if not said else ''}"
            yield served
        finally:
            served.stdin.close()
            try:
                served.wait(5)
            except subprocess.TimeoutExpired:
                served.kill()


@contextmanager
def pty_pair(folder: Path) -> Iterator[list[str]]:
    """Two names of one line, by socat: what goes in at one end comes out at the other."""
    ends = [folder / "ours", folder / "theirs"]
    with subprocess.Popen(
        [program("socat"), *(f"pty,raw,echo=0,link={end}" for end in ends)], stderr=subprocess.PIPE
    ) as joined:
        try:
            wait_for(lambda: all(end.exists() for end in ends))
            yield [str(end) for end in ends]
        finally:
            joined.terminate()
            joined.wait()


def free_port() -> int:
    """Nobody listens there now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# ---------------------------------------------------------------------------------------------- our devices, in real time


def a_unit(seats: int = 1, write_read: bool = True) -> Firmware:
    """A seat, or a table of several, as it leaves the factory; answering is what a foreign host may ask of it."""
    unit_class = UnitClass.ELECTRONIC if seats == 1 else UnitClass.TABLE
    capabilities = USUAL[unit_class] | (Capability.WRITE_READ if write_read else 0)
    config = replace(CONFIG, enabled=2**seats - 1)
    make = Make(UNIT, unit_class, seats, serial=0xC0FFEE, capabilities=capabilities, config=config)
    return Firmware(make, Nvm(), random.Random(seats))


@contextmanager
def a_unit_on_a_pty(folder: Path, seats: int = 1) -> Iterator[tuple[Firmware, str]]:
    """On a line that takes its time, as 38400 baud does."""
    unit, line, link = a_unit(seats), Line(LineSettings(baud=RTU.baud), random.Random(0)), folder / "line"
    line.attach(RtuSlave(unit, RTU))
    with Desk() as desk:
        end = desk.do(lambda: PtyEnd(line, link))
        yield unit, str(link)
        desk.do(end.close)


@contextmanager
def a_unit_on_tcp(seats: int = 1) -> Iterator[tuple[Firmware, int]]:
    unit = a_unit(seats)
    end = TcpEnd(lambda: TcpSlave(unit))
    with Desk() as desk:
        desk.do(end.open)
        yield unit, end.port
        desk.do(end.close)
