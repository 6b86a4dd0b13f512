"""A house for the benches: the installed daemon in its own process, with tables on paced lines in another one.

How it is founded is said from outside: by itself with a pot of its own, or as a casino of a shared pot (link_ground.py). A
daemon with a pencil says on its stdout what it committed, and when (node_daemon.py).
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from bench.line import Pipes
from controller.core import inputs as ask
from controller.core.values import Role, Signature
from controller.node.book.founding import Administrator, Member, found
from controller.node.settings.settings import read_node
from controller.node.vocabulary import places
from controller.node.vocabulary.protocol import Deed, Health
from drivers.session import Micros
from support.node.node_process import ANA, CARLA, JEFE, LUIS, PATIENCE, START, Running, today
from support.places import PATH, TESTS

SEATS = 7
BY = Signature("")
KEEP = 20_000  # credits on a seat: nobody runs dry

PLAN = """
name = "pozo"
title = "Pozo"
ruleset = "scj-2023"
resolution = "Res. 1"
commission_ppm = 200000
[allocation]
main_ppm = 900000
[[allocation.reserves]]
name = "reserva0"
ppm = 100000
[pot]
base = 5000000
[bets]
credit_value = 1000
min_bet = 1000
max_bet = 5000
"""
PLAN_TABLE = """
[[tables]]
name = "{name}"
casino = "central"
modality = "caribbean_plus"
min_bet = 1000
max_bet = 5000
"""
SETTINGS = """
name = "central"
folder = "folder"
control = "control"
[[plan]]
file = "plan.toml"
signless = true
"""
TABLE = """
[[line]]
name = "{name}"
url = "{wire}
[[table]]
name = "{name}"
[[table.unit]]
{seats}
line = "{name}"
number = 1
seat = 1
debounce_ms = 5
[[table.unit]]
kind = "console"
line = "{name}"
number = 30
"""
SERIAL = '"\nkind = "rtu"\nbaud = 115200\nlatency_ms = 2'
NET = '"\nkind = "tcp"\nanswer_ms = 45\nlatency_ms = 5'
KINDS = {"singles": f'kind = "electronic"\ncount = {SEATS}', "table": f'kind = "table"\nseats = {SEATS}'}
NAMES = {"singles": "7 single units", "table": "one unit of 7"}


def names_of(shapes: Sequence[str]) -> list[str]:
    return [f"M{number:02}" for number in range(1, len(shapes) + 1)]


def tables_of(place: Path, shapes: Sequence[str], ports: Sequence[str] = ()) -> str:
    """The lines and tables of the settings: M01 and so on, on serial lines or behind these TCP ports."""
    names = names_of(shapes)
    wires = [f"{place}/{name}.port{SERIAL}" for name in names]
    if ports:
        wires = [f"socket://127.0.0.1:{port}{NET}" for port in ports]
    return "".join(
        TABLE.format(name=name, wire=wire, seats=KINDS[shape])
        for name, wire, shape in zip(names, wires, shapes, strict=True)
    )


def founded(place: Path, shapes: Sequence[str], ports: Sequence[str] = ()) -> places.Node:
    """A node with a table of each shape and a pot of its own; its settings."""
    plan = PLAN + "".join(PLAN_TABLE.format(name=name) for name in names_of(shapes))
    return founded_there(place, SETTINGS + tables_of(place, shapes, ports), plan)


def founded_there(place: Path, lines: str, plan: str) -> places.Node:
    """A node with these settings and this plan, and its people."""
    (place / "node.toml").write_text(lines)
    (place / "plan.toml").write_text(plan)
    settings = read_node(place / "node.toml")
    people = [Member("carla", "Carla", (Role.CROUPIER,), CARLA.pin), Member("jefe", "J", (Role.CHIEF,), JEFE.pin)]
    found(settings, (Administrator("ana", "A", ANA.pin), Administrator("luis", "L", LUIS.pin)), people, START)
    return settings


Founding = Callable[[Path, Sequence[str], Sequence[str]], places.Node]
"""How a house is founded: where, its tables' shapes, and the TCP ports behind which they are, if they are."""


class Node:
    """A daemon and the tables at its lines: serial ones, or with `net` behind Modbus/TCP. `found`: how it is founded;
    `hear`: takes what the pencil says."""

    def __init__(
        self,
        place: Path,
        shapes: Sequence[str],
        ending: ExitStack,
        *,
        pencil: bool,
        net: bool = False,
        found: Founding = founded,
        hear: Callable[[str], object] | None = None,
    ) -> None:
        self.place = place
        ports = [f"{shape}:{place}/{name}.port" for name, shape in zip(names_of(shapes), shapes, strict=True)]
        tables = ["bench/net_tables.py", str(len(shapes))] if net else ["bench/node_tables.py", *ports]
        self._sim = ending.enter_context(spoken([sys.executable, str(TESTS / tables[0]), *tables[1:]]))
        ready, *behind = self._sim.stdout.readline().split()
        assert ready == "ready"
        self.settings = found(place, shapes, behind)
        self.names = [table.name for table in self.settings.tables]
        self.daemon = ending.enter_context(started(place, pencil=pencil))
        self.daemon.ready()
        self.sealed: defaultdict[str, list[Micros]] = defaultdict(list)
        self.bet_bytes: list[int] = []
        self.bet_times: list[Micros] = []
        self.journal: deque[str] = deque(maxlen=20)
        process = self.daemon.process
        assert process.stdout is not None and process.stderr is not None
        for stream, listener in ((process.stdout, hear or self._hear), (process.stderr, self.journal.append)):
            threading.Thread(target=hear_all, args=(stream, listener), daemon=True).start()
        ending.push(self._said)

    def _said(
        self, kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        """The daemon's last words, when something went wrong."""
        if kind is not None:
            sys.stderr.writelines(self.journal)

    def open_day(self) -> None:
        """Once its pot is there: units up, credits on every seat."""
        self.daemon.until(lambda view: len(view.tables) == len(self.names))
        wanted = len(self.settings.units)
        self.daemon.until(lambda view: sum(unit.health is Health.UP for unit in view.units) == wanted)
        assert self.daemon.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        for name in self.names:
            for seat in range(1, SEATS + 1):
                bought = self.daemon.ask(ask.BuyCredits(name, seat, KEEP, BY), CARLA)
                assert bought.ok, bought
        self.daemon.until(lambda view: all(seat.credits == KEEP for seat in view.seats))

    def _hear(self, line: str) -> None:
        what, *rest = line.split()
        if what == "sealed":
            self.sealed[rest[0]].append(int(rest[2]))
        elif what == "bet":
            self.bet_bytes.append(int(rest[0]))
            self.bet_times.append(int(rest[1]))

    def play(self, words: str) -> Any:
        self._sim.stdin.write(words + "\n")
        self._sim.stdin.flush()
        said = self._sim.stdout.readline()
        assert said, "the tables' process ended"
        return json.loads(said)

    def cpu(self) -> float:
        """Seconds of processor so far, of all its threads."""
        return cpu_of(self.daemon.process.pid)

    def engine(self) -> float:
        """Seconds of processor so far of the engine, which is the daemon's first thread."""
        pid = self.daemon.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9

    def memory(self) -> float:
        """Megabytes held."""
        return memory_of(self.daemon.process.pid)

    def seq(self) -> int:
        return self.daemon.do(Deed.STATE).seq


def cpu_of(pid: int) -> float:
    """Seconds of processor so far of a process, of all its threads, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(one.read_text(encoding="ascii").split()[0]) for one in threads) / 1e9


def memory_of(pid: int) -> float:
    """Megabytes that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def hear_all(stream: IO[str], hear: Callable[[str], object]) -> None:
    for line in stream:
        hear(line)


@contextmanager
def folder() -> Iterator[Path]:
    """On the disk of the work tree; a short name, because sockets must have one."""
    with tempfile.TemporaryDirectory(prefix="bn", dir=Path("var").absolute()) as name:
        yield Path(name)


@contextmanager
def node(*shapes: str, pencil: bool = False, net: bool = False) -> Iterator[Node]:
    with ExitStack() as ending:
        made = Node(ending.enter_context(folder()), shapes, ending, pencil=pencil, net=net)
        made.open_day()
        yield made


@contextmanager
def spoken(command: Sequence[str]) -> Iterator[Pipes]:
    environment = os.environ | PATH
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield Pipes(process.stdin, process.stdout)
        finally:
            process.stdin.close()
            process.wait(10)


@contextmanager
def started(place: Path, *, pencil: bool, record: str = "") -> Iterator[Running]:
    """As node_process.running, with a pencil beside its book if that is wanted; `record`: of a database, where it has one
    there."""
    command = [sys.executable, str(TESTS / "bench/node_daemon.py"), str(place / "node.toml")]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        ear = place / "notify"
        ear.unlink(missing_ok=True)
        systemd.bind(str(ear))
        systemd.settimeout(PATIENCE)
        wanted = {"POZO_PENCIL": "1" if pencil else "", "POZO_RECORD": record}
        environment = os.environ | {"NOTIFY_SOCKET": str(ear)} | wanted
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        ) as process:
            try:
                yield Running(place, process, systemd)
            finally:
                process.terminate()
                process.wait(PATIENCE)


def quantiles(times: Iterable[float]) -> tuple[float, float]:
    ordered = sorted(times)
    return statistics.median(ordered), ordered[len(ordered) * 99 // 100]


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def millis(times: Iterable[float], digits: int = 1) -> str:
    return " / ".join(f"{time / 1000:.{digits}f}" for time in times) + " ms"
