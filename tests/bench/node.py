"""The node's part of `make bench`: what a player, a croupier and a small computer feel of the whole daemon.

The daemon runs as installed, in its own process, on real ptys paced to 115200 baud; the tables are simulated in another
one. Beside each time stands what the bytes alone take on that line, a synced write of what the daemon gave the disk for
one bet, in the same run and on the same disk, and the same scene in virtual time, where processor and disk cost nothing.
CPU is what the kernel charged the daemon's threads, memory is what its process holds. `POZO_CAMPAIGN=1` plays 24 hours
at fifty times speed, half an hour; otherwise one hour, a minute and a half.
"""

import io
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from bench.line import Pipes
from bench.node_virtual import virtually
from controller.core import inputs as ask
from controller.core.values import Role, Signature
from controller.node.book.founding import Administrator, Member, found
from controller.node.control.client import Client
from controller.node.settings.settings import read_node
from controller.node.telemetry.journal import set_up
from controller.node.vocabulary import places
from controller.node.vocabulary.places import UnitPlace, timing_of
from controller.node.vocabulary.protocol import Deed, Health
from drivers.native.contract import fast_poll_words
from drivers.native.settings import UnitSettings
from drivers.punctual import micros
from drivers.session import MILLISECOND, Micros
from support.node.node_process import ANA, CARLA, JEFE, LUIS, PATIENCE, START, Running, today
from support.places import PATH, TESTS

ANSWER = 5 * MILLISECOND  # what a simulated unit thinks (bench_line)
CONSOLE, SEATS = 30, 7
PRESSES, LOCKS = 120, 25
QUIET, BUSY, PASS = 20, 60, 60.0  # seconds: nobody plays, four tables play, one pass at real speed
SPEED = 50
REAL_PASS = 100.0  # seconds of a pass at real speed, as casinos play them
HOURS = 24 if os.environ.get("POZO_CAMPAIGN") else 1
MOST_TIMES, MOST_CPU, MOST_MB = 1.3, 15, 120
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


def founded(place: Path, shapes: Sequence[str], ports: Sequence[str] = ()) -> places.Node:
    """A node with a table of each shape, M01 and so on, on serial lines or behind these TCP ports; its settings."""
    names = names_of(shapes)
    wires = [f"{place}/{name}.port{SERIAL}" for name in names]
    if ports:
        wires = [f"socket://127.0.0.1:{port}{NET}" for port in ports]
    lines = [
        TABLE.format(name=name, wire=wire, seats=KINDS[shape])
        for name, wire, shape in zip(names, wires, shapes, strict=True)
    ]
    (place / "node.toml").write_text(SETTINGS + "".join(lines))
    (place / "plan.toml").write_text(PLAN + "".join(PLAN_TABLE.format(name=name) for name in names))
    settings = read_node(place / "node.toml")
    people = [Member("carla", "Carla", (Role.CROUPIER,), CARLA.pin), Member("jefe", "J", (Role.CHIEF,), JEFE.pin)]
    found(settings, (Administrator("ana", "A", ANA.pin), Administrator("luis", "L", LUIS.pin)), people, START)
    return settings


class Node:
    """A daemon and the tables at its lines: serial ones, or with `net` behind Modbus/TCP."""

    def __init__(
        self, place: Path, shapes: Sequence[str], ending: ExitStack, *, pencil: bool, net: bool = False
    ) -> None:
        self.place = place
        ports = [f"{shape}:{place}/{name}.port" for name, shape in zip(names_of(shapes), shapes, strict=True)]
        tables = ["bench/net_tables.py", str(len(shapes))] if net else ["bench/node_tables.py", *ports]
        self._sim = ending.enter_context(_spoken([sys.executable, str(TESTS / tables[0]), *tables[1:]]))
        ready, *found = self._sim.stdout.readline().split()
        assert ready == "ready"
        self.settings = founded(place, shapes, found)
        self.names = [table.name for table in self.settings.tables]
        self.daemon = ending.enter_context(_daemon(place, pencil=pencil))
        self.sealed: defaultdict[str, list[Micros]] = defaultdict(list)
        self.bet_bytes: list[int] = []
        self.bet_times: list[Micros] = []
        self.journal: deque[str] = deque(maxlen=20)
        process = self.daemon.process
        assert process.stdout is not None and process.stderr is not None
        for stream, hear in ((process.stdout, self._hear), (process.stderr, self.journal.append)):
            threading.Thread(target=_hear_all, args=(stream, hear), daemon=True).start()
        ending.push(self._said)
        self._open_day()

    def _said(
        self, kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        """The daemon's last words, when something went wrong."""
        if kind is not None:
            sys.stderr.writelines(self.journal)

    def _open_day(self) -> None:
        self.daemon.ready()
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
        """Seconds of processor so far, of all its threads, to the nanosecond."""
        threads = Path(f"/proc/{self.daemon.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text(encoding="ascii").split()[0]) for one in threads) / 1e9

    def engine(self) -> float:
        """Seconds of processor so far of the engine, which is the daemon's first thread."""
        pid = self.daemon.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9

    def memory(self) -> float:
        """Megabytes held."""
        lines = Path(f"/proc/{self.daemon.process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def seq(self) -> int:
        return self.daemon.do(Deed.STATE).seq


def _hear_all(stream: IO[str], hear: Callable[[str], None]) -> None:
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
        yield Node(ending.enter_context(folder()), shapes, ending, pencil=pencil, net=net)


@contextmanager
def _spoken(command: Sequence[str]) -> Iterator[Pipes]:
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
def _daemon(place: Path, *, pencil: bool) -> Iterator[Running]:
    """As node_process.running, with a pencil beside its book if that is wanted."""
    command = [sys.executable, str(TESTS / "bench/node_daemon.py"), str(place / "node.toml")]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        ear = place / "notify"
        systemd.bind(str(ear))
        systemd.settimeout(PATIENCE)
        environment = os.environ | {"NOTIFY_SOCKET": str(ear)} | ({"POZO_PENCIL": "1"} if pencil else {})
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


# ------------------------------------------------------------------------------------------------- the limits


def bus_times(settings: places.Node) -> tuple[float, float]:
    """From bytes alone, on the line of the one table: (press to steady, lock button to the last proof read).

    A press is met anywhere in a round: half a round, the image that shows it, the frame that confirms it. A lock: half a
    round, the console's image, the broadcast and the turnaround after it; then an image of every unit with seats, because
    nothing else proves it.
    """
    timing = timing_of(settings.lines[0])
    question, desired = timing.wire(8), timing.wire(25)
    thinking = timing.silence + ANSWER

    def image(unit: UnitPlace) -> Micros:
        return question + thinking + timing.wire(5 + 2 * fast_poll_words(max(1, len(unit.seats))))

    images = {unit.key: image(unit) + timing.silence for unit in settings.units}
    seated = [unit for unit in settings.units if unit.seats]
    (console,) = (unit for unit in settings.units if not unit.seats)
    written = desired + thinking + timing.wire(8) + timing.silence
    natives = [unit.made for unit in settings.units if isinstance(unit.made, UnitSettings)]
    assert len(natives) == len(settings.units), "units of our own kind"
    beats = sum(written / made.beat for made in natives)
    half = sum(images.values()) / (1 - beats) / 2
    press = half + image(seated[0]) + timing.silence + desired
    lock = half + image(console) + timing.silence + desired + timing.turnaround
    return press, lock + sum(images[one.key] for one in seated) - timing.silence


def synced_writes(folder: Path, size: int, count: int = 200) -> list[Micros]:
    """Microseconds of each, appended and on the disk."""
    took = []
    body = os.urandom(size)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        for _ in range(count):
            start = micros()
            file.write(body)
            os.fdatasync(file.fileno())
            took.append(micros() - start)
    return took


# ------------------------------------------------------------------------------------------------- the scenes


def bench_times(shape: str) -> None:
    with folder() as place:
        ideal = virtually(founded(place, [shape]), shape, START, SEATS, PRESSES, LOCKS)
    with node(shape, pencil=True) as table:
        steady = table.play(f"press {PRESSES}")
        size = int(statistics.median(table.bet_bytes))
        disk = synced_writes(table.place, size)
        pressed, locked = table.play(f"lock {LOCKS}")
        time.sleep(0.5)
        disk += synced_writes(table.place, size)
        sealed = [next(at for at in table.sealed["M01"] if at > press) - press for press in pressed]
        commits = quantiles(table.bet_times)
    write, worst = quantiles(disk)
    scenes = (("press to steady lamp", steady), ("lock button to all proven, on the disk", sealed))
    for (what, times), bus, virtual in zip(scenes, bus_times(table.settings), ideal, strict=True):
        limit = bus + write
        row(
            f"{NAMES[shape]}: {what}, p50 / p99",
            millis(quantiles(times)),
            f"bus time {bus / 1000:.1f} ms, synced write {write / 1000:.1f} ms; virtual {millis(quantiles(virtual))}",
            f"p50 {quantiles(times)[0] / limit:.2f} times; goal {MOST_TIMES}",
        )
    row(
        f"{NAMES[shape]}: lock button to all locked, p50 / p99",
        millis(quantiles(locked)),
        "nobody waits for a disk",
        "",
    )
    beside = f"a synced write of its {size:,} bytes {write / 1000:.2f} / {worst / 1000:.2f} ms"
    row(f"{NAMES[shape]}: commit of one bet, p50 / p99", millis(commits, 2), beside, "")


def millis(times: Iterable[float], digits: int = 1) -> str:
    return " / ".join(f"{time / 1000:.{digits}f}" for time in times) + " ms"


def bench_processor() -> None:
    """Four tables of seven single units each, a screen at each."""
    with node(*["singles"] * 4) as floor:
        idle = _share(floor, lambda: time.sleep(QUIET))
        row("4 tables, nobody plays", f"{idle:.1f} % of one core", "", "")
        for _ in floor.names:
            threading.Thread(target=_look_on, args=(floor.place / "control",), daemon=True).start()
        played: list[int] = []
        busy = _share(floor, lambda: played.extend(floor.play(f"play {BUSY} {PASS}")))
        row(
            "4 busy tables, a pass a minute, a screen each",
            f"{busy:.1f} % of one core",
            f"{played[0]} passes, {played[1]} bets, {played[2]} of them dark after 2 s",
            f"goal {MOST_CPU} %",
        )


def _look_on(control: Path) -> None:
    with Client(control) as screen:
        for _ in screen.views(silence=1.0):
            if not control.exists():
                return


def _share(floor: Node, scene: Callable[[], object]) -> float:
    start, before = time.monotonic(), floor.cpu()
    scene()
    return 100 * (floor.cpu() - before) / (time.monotonic() - start)


def bench_growth() -> None:
    """So many hours at four tables, fifty times as fast as people play."""
    with node(*["singles"] * 4) as floor:
        memory, seq, passes = [floor.memory()], floor.seq(), 0
        start, before = time.monotonic(), floor.cpu()
        for hour in range(1, HOURS + 1):
            done, _, dark = floor.play(f"play {3600 / SPEED} {REAL_PASS / SPEED}")
            passes += done
            memory.append(floor.memory())
            if HOURS > 1:
                said = f"{memory[-1]:.1f} MB, {passes} passes, {dark} bets dark"
                print(f"hour {hour}: {said}, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)
        share = 100 * (floor.cpu() - before) / (time.monotonic() - start)
        facts, record = floor.seq() - seq, (floor.place / "folder/node.db").stat().st_size / 2**20
        row(
            "memory after an hour of play",
            f"{memory[1]:.1f} MB",
            f"{memory[0]:.1f} MB when ready",
            f"goal {MOST_MB} MB",
        )
        row(
            f"{HOURS} h of play at {SPEED} times speed",
            _growth(memory) if HOURS > 1 else "no more than that hour",
            f"{passes} passes, {facts:,} facts, a record of {record:.0f} MB; {share:.0f} % of one core",
            "goal: no growth",
        )


def _growth(memory: Sequence[float]) -> str:
    """Of megabytes by the hour. Bounded caches (the store's pages, the questions of the lines) fill before the half."""
    half = HOURS // 2
    return (
        f"{memory[-1] - memory[half]:+.2f} MB in the last {HOURS - half} hours,"
        f" {memory[-1] - memory[1]:+.2f} MB since the first"
    )


def main() -> None:
    set_up(io.StringIO(), under_systemd=False)  # of the virtual node
    print(f"\n### The node\n\nLoad {os.getloadavg()[0]:.2f} at the start; {PRESSES} presses, {LOCKS} locks a table.\n")
    print("| the whole daemon | pozo | limit, and beside it | |\n|---|---|---|---|", flush=True)
    for shape in NAMES:
        bench_times(shape)
    bench_processor()
    bench_growth()


if __name__ == "__main__":
    main()
