"""A node as it is installed: its own process, a simulated table on ptys, its control socket, a systemd that listens.

A casino is founded once for all tests and copied; folders have short names, because sockets must.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from typing import IO, Any

from controller.core.values import Role
from controller.node.book.founding import Administrator, Member, found
from controller.node.control.client import Client, asking, doing
from controller.node.settings.settings import read_node
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from support.places import CONFIG
from support.sim.desk_talk import obeyed

PLANS = CONFIG / "plans"
START = 1_793_491_200_000
PATIENCE = 20
POZO = Path(sys.executable).with_name("pozo")
NODE = "from controller.cli.node import node; node()"
DESK = """
[[line]]
name = "mesa"
kind = "rtu"
baud = 115200
[[line.unit]]
kind = "electronic"
unit = 1
seat = 1
count = 6
[[line.unit]]
kind = "console"
unit = 20
"""
SETTINGS = """
name = "central"
folder = "folder"
control = "control"
[[plan]]
file = "plan.toml"
signless = true
[[line]]
name = "mesa"
kind = "rtu"
url = "{place}/ports/mesa"
baud = 115200
latency_ms = 2
[[table]]
name = "DP-01"
[[table.unit]]
kind = "electronic"
line = "mesa"
number = 1
seat = 1
count = 6
beat_ms = 490
host_timeout_ms = 3100
[[table.unit]]
kind = "console"
line = "mesa"
number = 20
beat_ms = 490
host_timeout_ms = 3100
"""
CARLA, JEFE, ANA, LUIS = (
    Pin(person, f"{number}" * 6) for number, person in enumerate(("carla", "jefe", "ana", "luis"), 1)
)


def today() -> str:
    """What a day is called that a running node opens: it looks at the real clock (R-27)."""
    return date.today().isoformat()  # noqa: DTZ011  within a day of any clock


@contextmanager
def casino(template: Path, desk: str = DESK, more: str = "") -> "Iterator[Casino]":
    """A founded casino in a folder of its own, its devices running; its node is not."""
    place = Path(tempfile.mkdtemp(prefix="pz"))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        shutil.copytree(template / "folder", place / "folder")
        _write(place, more)
        (place / "desk.toml").write_text(desk)
        sim = ending.enter_context(started([POZO, "sim", place / "desk.toml", "--ports", place / "ports", "--no-view"]))
        assert sim.stdout is not None, "a pipe"
        until_said(sim.stdout, "`help` lists")
        yield Casino(place, ending)


def founded(place: Path) -> None:
    """The record that tests begin with."""
    _write(place, "")
    found_with_its_people(place, START)


def found_with_its_people(place: Path, at: int) -> None:
    """The record of the casino whose settings and plan lie there; its first fact has this instant."""
    people = [Member("carla", "Carla", (Role.CROUPIER,), CARLA.pin), Member("jefe", "Jefe", (Role.CHIEF,), JEFE.pin)]
    administrators = Administrator("ana", "Ana", ANA.pin), Administrator("luis", "Luis", LUIS.pin)
    found(read_node(place / "node.toml"), administrators, people, at)


def _write(place: Path, more: str) -> None:
    (place / "plan.toml").write_text(one_table_plan())
    (place / "node.toml").write_text(SETTINGS.format(place=place) + more)


def one_table_plan() -> str:
    whole = (PLANS / "pozo-estelar.toml").read_text()
    first, tables = whole.split("[[tables]]", 1)
    table = tables.split("[[tables]]")[0].partition("#")[2].partition("\n")[2]
    return f"{first}[[tables]]\n{table}"


@contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **{**pipes, **options}) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()


def until_said(stream: IO[str], word: str) -> None:
    while word not in (line := stream.readline()):
        assert line, f"it ended before {word}"


class Casino:
    def __init__(self, place: Path, ending: ExitStack) -> None:
        self.place, self._ending = place, ending
        self.settings = place / "node.toml"

    def command(self, *options: str, **more: Any) -> subprocess.CompletedProcess[str]:
        """`pozo node` to its end."""
        return subprocess.run(
            [sys.executable, "-c", NODE, str(self.settings), *options],
            capture_output=True, text=True, timeout=60, check=False, **more,
        )  # fmt: skip

    def start(self, **options: Any) -> "Running":
        return self._ending.enter_context(running(self.place, **options))

    def desk(self, *commands: str) -> list[str]:
        said: list[str] = obeyed(self.place / "ports/control", commands)
        return said

    def verify(self) -> str:
        record = self.place / "folder/node.db"
        return subprocess.run([POZO, "verify", record], capture_output=True, text=True, timeout=60, check=False).stdout


@contextmanager
def running(
    place: Path, watchdog: int = 0, more: Mapping[str, str] | None = None, program: str = "", **options: Any
) -> "Iterator[Running]":
    """`more`: of its environment; `program`: instead of NODE, and ends in it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        ear = place / f"notify{time.monotonic_ns()}"
        systemd.bind(str(ear))
        systemd.settimeout(PATIENCE)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(ear),
            **({"WATCHDOG_USEC": str(watchdog)} if watchdog else {}),
            **(more or {}),
        }
        with started(
            [sys.executable, "-c", program or NODE, str(place / "node.toml")], env=environment, **options
        ) as process:
            yield Running(place, process, systemd)


class Running:
    def __init__(self, place: Path, process: subprocess.Popen[str], systemd: socket.socket) -> None:
        self.place, self.process, self._systemd = place, process, systemd

    def heard(self) -> dict[str, str]:
        """The next thing systemd hears."""
        return dict(line.split("=", 1) for line in self._systemd.recv(4096).decode().splitlines())

    def ready(self, patience: float = PATIENCE) -> dict[str, str]:
        self._systemd.settimeout(patience)
        while "READY" not in (said := self.heard()):
            pass
        return said

    def ask(
        self, asked: object, by: Pin | None = None, second: Pin | None = None, *, patience: float = PATIENCE
    ) -> Reply:
        with Client(self.place / "control") as client:
            return client.ask(asking(asked, by, second), patience)

    def do(self, deed: Deed, by: Pin | None = None, second: Pin | None = None, **told: Any) -> Reply:
        with Client(self.place / "control") as client:
            return client.ask(doing(deed, by, second, **told), PATIENCE)

    def until(self, condition: Callable[[NodeView], object]) -> NodeView:
        """The state in which it is true."""
        end = time.monotonic() + PATIENCE
        with Client(self.place / "control") as client:
            while not condition(view := client.state(PATIENCE)):
                assert time.monotonic() < end, f"it never came true: {view}"
                time.sleep(0.02)
        return view

    def seq(self) -> int:
        """The number of the last fact."""
        with Client(self.place / "control") as client:
            return client.state(PATIENCE).seq

    def up(self) -> NodeView:
        return self.until(lambda view: view.units and all(unit.health == "up" for unit in view.units))

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, list[dict[str, Any]]]:
        """The exit code and the journal."""
        self.process.send_signal(number)
        return self.over()

    def over(self) -> tuple[int, list[dict[str, Any]]]:
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, journal_of(said or "")  # nothing, where it went to a file


def journal_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def events(journal: Sequence[dict[str, Any]]) -> list[str]:
    return [str(line["event"]) for line in journal]
