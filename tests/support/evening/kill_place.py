"""A casino that outlives its node: simulated devices on ptys in this process, a founded record, and a node to be killed.

The devices go on whatever happens to the node, as they do on a floor; their own totals are the truth that the record is
held against. One table has every kind of seat: electronic units, a native chip slot, a module, a ccTalk acceptor.
"""

import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from drivers.punctual import micros
from drivers.session import Micros
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.players import PlayerView
from firmware_sim.desk.stage import Stage
from firmware_sim.desk.view import seats_seen
from support.node.node_process import NODE, POZO, one_table_plan
from support.sim.desk_play import line, unit
from support.sim.line_desk import Desk

P = TypeVar("P", bound="Place")
TABLE = "DP-01"
ELECTRONIC, SLOT, MODULE, ACCEPTOR = (1, 2, 3), 4, 5, 6
SEATS = (*ELECTRONIC, SLOT, MODULE, ACCEPTOR)
PATIENCE = 30.0
DESK = line(
    "mesa",
    unit("electronic", 1, seat=1, count=3),
    unit("chip_slot", 4, seat=SLOT),
    unit("console", 20),
    baud=115200,
)
DESK += line("modulo", unit("io", 5, seat=MODULE, serial=77), baud=115200)
DESK += line("ranuras", unit("cctalk", 11, seat=ACCEPTOR), kind="cctalk")
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
url = "{ports}/mesa"
baud = 115200
latency_ms = 2
[[line]]
name = "modulo"
kind = "rtu"
url = "{ports}/modulo"
baud = 115200
latency_ms = 2
[[line]]
name = "ranuras"
kind = "cctalk"
url = "{ports}/ranuras"
[[table]]
name = "DP-01"
[[table.unit]]
kind = "electronic"
line = "mesa"
number = 1
seat = 1
count = 3
beat_ms = 490
host_timeout_ms = 3100
[[table.unit]]
kind = "chip_slot"
line = "mesa"
number = 4
seat = 4
beat_ms = 490
host_timeout_ms = 3100
[[table.unit]]
kind = "io"
line = "modulo"
number = 5
[table.unit.map]
serial = 77
seat = [{{ seat = 5, lamp = 0, feedback = 0, button = [
  {{ counter = 0, credits = 1 }}, {{ counter = 2, credits = 2 }}, {{ counter = 4, credits = 5 }} ] }}]
[[table.unit]]
kind = "console"
line = "mesa"
number = 20
beat_ms = 490
host_timeout_ms = 3100
[[table.unit]]
kind = "cctalk"
line = "ranuras"
number = 11
seat = 6
lamps_seen_by = "croupier"
[[table.unit.channel]]
number = 1
credits = 1
"""
LINES = {MODULE: "modulo", ACCEPTOR: "ranuras"}  # of devices that no watchdog of their own darkens
FOUND_AGAIN = 10.0  # seconds after its cable was plugged, also when the node is started meanwhile
SILENT, LAMP = 5.0, 3.0  # seconds: what the settings say without a word


class Home:
    """The folder of a node, and the lives it had there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal = folder, folder / "journal"
        self.environment: Mapping[str, str] = os.environ
        self.lives: list[Life] = []


class Place(Home):
    """The folder, and the devices."""

    def __init__(self, folder: Path, desk: Desk, stage: Stage) -> None:
        super().__init__(folder)
        self._desk, self.stage = desk, stage
        self.control, self.record = folder / "control", folder / "folder/node.db"
        self._in_reach_from: dict[str, float] = {}  # lines whose cable was pulled

    def do(self, act: Callable[[], Any]) -> Any:
        """In the devices' own thread: nothing moves meanwhile."""
        return self._desk.do(act)

    def say(self, command: str) -> bool:
        """As a person at the desk; whether it could be done."""
        match command.split():
            case "line" | "unit", what, "unplug":
                self._in_reach_from[what.split("/")[0]] = math.inf
            case "line" | "unit", what, "plug":
                self._in_reach_from[what.split("/")[0]] = time.monotonic() + FOUND_AGAIN
        return not self.do(lambda: self.stage.obey(command)).startswith("no: ")

    def kill_what_lives(self) -> None:
        for life in self.lives:
            if not life.ended:
                life.kill()

    def is_out_of_reach(self, seat: int) -> bool:
        """Its cable is pulled, or was a moment ago: no host in the world could darken its lamp."""
        return time.monotonic() < self._in_reach_from.get(LINES.get(seat, ""), 0)

    def now(self) -> Micros:
        return micros()

    def device(self, seat: int) -> Any:
        return self.stage.desk.at_seat(seat)

    def seen(self) -> list[PlayerView]:
        """What a player has before him, at each seat."""
        return seats_seen(self.stage.desk.devices, self.now())

    def verify(self) -> str:
        done = subprocess.run([POZO, "verify", self.record], capture_output=True, text=True, timeout=120, check=False)
        return done.stdout + done.stderr

    def said(self) -> list[dict[str, Any]]:
        """The journal of all lives; the last line of one that was killed may be cut short."""
        found = []
        for one in self.journal.read_text().splitlines() if self.journal.exists() else ():
            with suppress(json.JSONDecodeError):
                found.append(json.loads(one))
        return found


def place_of(template: Path, seed: int) -> AbstractContextManager[Place]:
    """A casino that was founded at `template`, with its devices running; the node is not."""
    return standing_at(template, seed, DESK, SETTINGS, Place)


@contextmanager
def standing_at(
    template: Path, seed: int, devices: str, settings: str, kind: Callable[[Path, Desk, Stage], P], **places: Path
) -> Iterator[P]:
    """`places`: what the settings name beside the ports of the simulated devices."""
    folder = Path(tempfile.mkdtemp(prefix="pz"))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, folder, ignore_errors=True)
        shutil.copytree(template / "folder", folder / "folder")
        (folder / "plan.toml").write_text(one_table_plan())
        (folder / "node.toml").write_text(settings.format(ports=folder / "ports", **places))
        desk = ending.enter_context(Desk())

        async def build() -> Stage:
            return Stage(read_desk(f"seed = {seed}\n{devices}", "desk.toml"), folder / "ports")

        stage = desk.do(build)
        standing = stage.open()
        desk.do(standing.__aenter__)
        ending.callback(lambda: desk.do(lambda: standing.__aexit__(None, None, None)))
        place = kind(folder, desk, stage)
        ending.callback(place.kill_what_lives)  # of a test that failed
        yield place


class Life:
    """One process of the node, from its start to its end."""

    def __init__(self, place: Home) -> None:
        self.place = place
        place.lives.append(self)
        self._ear = place.folder / f"n{time.monotonic_ns()}"
        self._systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._systemd.bind(str(self._ear))
        self.began = time.monotonic()
        with place.journal.open("ab") as journal:
            self._process = subprocess.Popen(
                [sys.executable, "-c", NODE, str(place.folder / "node.toml")],
                env={**place.environment, "NOTIFY_SOCKET": str(self._ear), "PYTHONFAULTHANDLER": "1"},
                stdin=subprocess.DEVNULL, stdout=journal, stderr=journal,
            )  # fmt: skip

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def ready(self, seconds: float = PATIENCE) -> float | None:
        """How long it took, or None: not yet."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.ended:
            self._systemd.settimeout(min(left, 0.5))
            with suppress(TimeoutError):
                if b"READY=1" in self._systemd.recv(4096):
                    return time.monotonic() - self.began
        return None

    def kill(self) -> None:
        """The power of the machine, so to say, without its disk's."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)
        self._gone()

    def say_where(self) -> None:
        """Into the journal, where each of its threads is; that ends it."""
        self._process.send_signal(signal.SIGABRT)
        self._process.wait(PATIENCE)

    def stop(self) -> int:
        """As systemd does; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE)
        self._gone()
        return self._process.returncode

    def _gone(self) -> None:
        self._systemd.close()
        self._ear.unlink(missing_ok=True)
