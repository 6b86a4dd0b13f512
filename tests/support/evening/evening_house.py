"""A casino for one evening: a node of three tables and two pots in its own process, each table a desk in its own.

What a person would see is read at the desks (lamps, displays, slots, the sign); what is on record is read from the
file. Money here is only ever what the tests work out by hand.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from controller.core import inputs as ask
from controller.core.values import Role, Signature
from controller.core.view import SeatView, SignView, TableView
from controller.node.book.founding import Administrator, Member, found
from controller.node.settings.settings import read_node
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from support.evening.evening_tables import DESKS, LAW, PLANS, RULESET, SETTINGS, TX_SIGN
from support.node.node_process import ANA, CARLA, JEFE, LUIS, NODE, PATIENCE, POZO, START, Running, journal_of
from support.sim.desk_talk import obeyed
from support.sim.reference import Standing, console, standing, table

__all__ = [
    "ANA",
    "BY",
    "CARLA",
    "JEFE",
    "LUIS",
    "House",
    "ask",
    "opened",
    "opened_with_a_table_in_c",
    "pot_of",
    "until",
]
T = TypeVar("T")
BY = Signature("")
LATER = "import time; wall = time.time_ns; time.time_ns = lambda: wall() + {ns}; " + NODE


@contextmanager
def opened() -> Iterator["House"]:
    """Founded, its devices running; its node is not."""
    with ExitStack() as ending:
        place = _place(ending)
        desks = {name: ending.enter_context(_desk(place, name, file)) for name, file in DESKS.items()}
        yield _founded(place, desks, ending)


@contextmanager
def opened_with_a_table_in_c() -> Iterator["House"]:
    """The same, and the table TX-01 is the reference firmware, a program of its own; its sign is simulated."""
    with ExitStack() as ending:
        place = _place(ending)
        files = DESKS | {"TX-01": TX_SIGN}
        desks = {name: ending.enter_context(_desk(place, name, file)) for name, file in files.items()}
        program = ending.enter_context(standing(place / "in-c", table(6, 1, 1, 9001), console(20, 9020)))
        yield _founded(place, desks | {"TX-01": DeskInC(desks["TX-01"], program)}, ending)


def _place(ending: ExitStack) -> Path:
    place = Path(tempfile.mkdtemp(prefix="ev"))
    ending.callback(shutil.rmtree, place, ignore_errors=True)
    return place


def _founded(place: Path, desks: Mapping[str, "Desk"], ending: ExitStack) -> "House":
    for name, plan in PLANS.items():
        (place / f"{name}.toml").write_text(plan)
    (place / "laws").mkdir()
    (place / "laws" / f"{LAW}.toml").write_text(RULESET)
    ports = {name[:2].lower(): desk.ports for name, desk in desks.items()}
    (place / "node.toml").write_text(SETTINGS.format(**ports))
    people = [
        Member("carla", "Carla", (Role.CROUPIER,), CARLA.pin),
        Member("jefe", "Jefe", (Role.CHIEF,), JEFE.pin),
    ]
    administrators = Administrator("ana", "Ana", ANA.pin), Administrator("luis", "Luis", LUIS.pin)
    found(read_node(place / "node.toml"), administrators, people, START)
    return House(place, desks, ending)


@contextmanager
def _desk(place: Path, name: str, file: str) -> Iterator["Desk"]:
    (place / f"{name}.toml").write_text(file)
    command: list[str | Path] = [POZO, "sim", place / f"{name}.toml", "--ports", place / name, "--no-view"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        try:
            ports: dict[str, str] = {}
            assert process.stdout is not None, "it is a pipe"
            while "`help` lists" not in (line := process.stdout.readline()):
                assert line, f"{name} ended before it began"
                if found_ := re.match(r"  (\S+) +(?:rtu|tcp|cctalk|alpha) .* (\S+)$", line):
                    ports[found_[1]] = found_[2]
            yield Desk(place / name / "control", ports)
        finally:
            process.terminate()
            process.wait(5)


class Seen(NamedTuple):
    """One seat with a player's eyes."""

    lamp: str
    shows: str
    gate: str


class Desk:
    """One table as a person sits at it."""

    def __init__(self, control: Path, ports: Mapping[str, str]) -> None:
        self._control, self.ports = control, ports

    def do(self, *commands: str) -> list[str]:
        return obeyed(self._control, commands)

    def status(self) -> list[str]:
        return self.do("status")[0].split("; ")

    def seats(self) -> dict[int, Seen]:
        words = dict(re.findall(r"seat (\d+): ([^;]*)", "; ".join(self.status())))

        def find(pattern: str, text: str) -> str:
            return found_[1] if (found_ := re.search(pattern, text)) else ""

        return {
            int(number): Seen(find("lamp ([a-z ]+)", said), find("shows ([0-9.]+)", said), find("gate ([a-z]+)", said))
            for number, said in words.items()
        }

    def seat(self, number: int) -> Seen:
        return self.seats()[number]

    def bet(self, presses: Mapping[int, int]) -> None:
        """Seat to button, pressed once: each becomes a bet, and its lamp is lit then and not before."""
        self.do(*[f"seat {seat} press {button}" for seat, button in presses.items()])
        until(lambda: presses.keys() - self.lit, set())

    def drop(self, seat: int, chips: int) -> None:
        """One after the other; what a slot will not take just then comes back, and is dropped again."""
        end = time.monotonic() + PATIENCE
        while (fallen := int(self.seat(seat).shows)) < chips:
            assert time.monotonic() < end, f"seat {seat} has {fallen} of {chips}: {self.status()}"
            self.do(f"seat {seat} chip")
            again = time.monotonic() + 1
            while time.monotonic() < again and int(self.seat(seat).shows) == fallen:
                time.sleep(0.03)

    @property
    def lit(self) -> set[int]:
        """The seats that have a valid bet, as everybody at the table sees."""
        return {number for number, seat in self.seats().items() if seat.lamp == "steady"}

    @property
    def console(self) -> str:
        return (
            next(line for line in self.status() if line.startswith("console")).removeprefix("console: ").split(",")[0]
        )

    @property
    def sign(self) -> str:
        return next(line for line in self.status() if line.startswith("sign")).partition(": ")[2]


class DeskInC(Desk):
    """A table of the reference firmware beside a simulated sign: one desk to whoever sits there."""

    def __init__(self, sign: Desk, program: Standing) -> None:
        super().__init__(program.hands, {**sign.ports, "mesa": program.url})
        self._sign = sign

    def status(self) -> list[str]:
        told = (one.strip() for one in (*super().status(), *self._sign.status()))
        return [one for one in told if one]


def until(look: Callable[[], T], wanted: object, patience: float = PATIENCE) -> T:
    """What is looked at, once it is as wanted; else both."""
    end = time.monotonic() + patience
    while True:
        seen = look()
        if wanted(seen) if callable(wanted) else seen == wanted:
            return seen
        assert time.monotonic() < end, f"it never became {wanted}: {seen}"
        time.sleep(0.03)


def table_of(view: NodeView, name: str) -> TableView:
    return next(table for table in view.tables if table.table == name)


def pot_of(view: NodeView, name: str) -> SignView:
    return next(pot for pot in view.pots if pot.pot == name)


class House:
    def __init__(self, place: Path, desks: Mapping[str, Desk], ending: ExitStack) -> None:
        self.place, self.desks, self._ending = place, desks, ending
        self.record = place / "folder/node.db"
        self.node: Running
        self._seq = 0
        self.shown: list[str] = []  # what the sign showed this evening, each text once in a row
        self._over = threading.Event()
        self._night: ExitStack

    def __getitem__(self, table: str) -> Desk:
        return self.desks[table]

    # The node

    def start(self, later_minutes: int = 0) -> Running:
        self._night = ExitStack()
        self._ending.push(self._night)
        program = LATER.format(ns=later_minutes * 60 * 10**9) if later_minutes else NODE
        self.node = self._night.enter_context(_node(self.place, program))
        try:
            assert self.node.ready()["STATUS"]
        except TimeoutError as silent:
            silent.add_note((self.place / "journal").read_text())
            raise
        return self.node

    def end(self) -> tuple[int, list[dict[str, Any]]]:
        self.node.process.terminate()
        code = self.node.process.wait(PATIENCE)
        self._night.close()
        return code, journal_of((self.place / "journal").read_text())

    def last_words(self) -> list[str]:
        with (self.place / "journal").open() as journal:
            return journal.readlines()[-8:]

    def ask(self, asked: Any, *people: Pin) -> list[dict[str, Any]]:
        return self._done(self.node.ask(asked, *people))

    def do(self, deed: Deed, *people: Pin, **told: Any) -> list[dict[str, Any]]:
        return self._done(self.node.do(deed, *people, **told))

    def _done(self, reply: Reply) -> list[dict[str, Any]]:
        assert reply.ok, reply.trouble
        self._seq = reply.seq
        return [json.loads(bytes(fact)) for fact in reply.facts]

    def refuses(self, asked: Any, *people: Pin, **told: Any) -> str:
        """The name of the refusal."""
        reply = self.node.do(asked, *people, **told) if isinstance(asked, Deed) else self.node.ask(asked, *people)
        assert not reply.ok, reply
        assert reply.trouble is not None and reply.trouble.message, "a sentence for the person"
        return str(reply.trouble.reason)

    # What there is to see

    def phase(self, name: str, phase: str) -> NodeView:
        return self.until(lambda view: table_of(view, name).phase == phase)

    def open(self, table: str) -> NodeView:
        """Betting is open, and every seat is."""
        self.phase(table, "open")
        return self.until(lambda view: not any(seat.locked for seat in view.seats if seat.table == table))

    def up(self, table: str) -> NodeView:
        return self.until(lambda view: all(unit.health == "up" for unit in view.units if unit.table == table))

    def core_seat(self, name: str, number: int) -> SeatView:
        return table_of(self.until(lambda _: True), name).seats[number - 1]

    def until(self, condition: Callable[[NodeView], object]) -> NodeView:
        """The first view in which it is true, and all that was answered to us."""
        seen: NodeView = self.node.until(lambda view: view.seq >= self._seq and condition(view))
        return seen

    def pot(self, name: str) -> SignView:
        return pot_of(self.until(lambda _: True), name)

    def facts(self, kind: str) -> list[dict[str, Any]]:
        with Reader.open(self.record) as reader:
            return [json.loads(row.body)["fact"] for row in reader.facts() if row.kind == kind]

    def kinds(self, table: str) -> list[str]:
        """What happened at a table, in its order."""
        with Reader.open(self.record) as reader:
            return [row.kind for row in reader.facts() if json.loads(row.body)["fact"].get("table") == table]

    def balances(self) -> dict[str, int]:
        with Reader.open(self.record) as reader:
            return {account: amount for account, amount in reader.balances().items() if amount}

    def told(self, *words: str, by: Pin | None = None, second: Pin | None = None) -> list[str]:
        """What `pozo ctl` says to whoever asks with it."""
        done = self._ctl(*words, by=by, second=second)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()

    def told_no(self, *words: str, by: Pin | None = None, second: Pin | None = None) -> str:
        """Why `pozo ctl`, or the node through it, does not do it."""
        done = self._ctl(*words, by=by, second=second)
        assert done.returncode in {1, 2}, done.stdout + done.stderr
        return done.stdout + done.stderr

    def _ctl(self, *words: str, by: Pin | None, second: Pin | None) -> subprocess.CompletedProcess[str]:
        signs = {"POZO_POR": by.person, "POZO_PIN": by.pin} if by else {}
        signs |= {"POZO_SEGUNDO": second.person, "POZO_PIN2": second.pin} if second else {}
        command: list[str | Path] = [POZO, "ctl", "--node", self.place / "control", *words]
        return subprocess.run(
            command, env={**os.environ, **signs}, capture_output=True, text=True, timeout=60, check=False
        )

    def verify(self) -> str:
        done = subprocess.run([POZO, "verify", self.record], capture_output=True, text=True, timeout=60, check=False)
        return done.stdout

    # The sign, watched all evening

    def watch_the_sign(self) -> None:
        def watch() -> None:
            while not self._over.wait(0.1):
                text = self["DP-01"].sign
                if not self.shown or self.shown[-1] != text:
                    self.shown.append(text)

        thread = threading.Thread(target=watch)
        thread.start()
        self._ending.callback(thread.join)
        self._ending.callback(self._over.set)

    def sign_says(self, text: str) -> None:
        """It did since we began to watch, or does soon."""
        until(lambda: self.shown, lambda shown: any(text in one for one in shown), 30)

    def sign_shows(self, text: str) -> None:
        until(lambda: self["DP-01"].sign, lambda shown: text in shown, 30)


@contextmanager
def _node(place: Path, program: str) -> Iterator[Running]:
    """Its journal in a file: a long evening fills a pipe."""
    with ExitStack() as ending:
        systemd = ending.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        ear = place / f"notify{time.monotonic_ns()}"
        systemd.bind(str(ear))
        systemd.settimeout(PATIENCE)
        journal = ending.enter_context((place / "journal").open("w"))
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(place / "node.toml")], stdin=subprocess.DEVNULL, stdout=journal,
            stderr=journal, text=True, env={**os.environ, "NOTIFY_SOCKET": str(ear)},
        )  # fmt: skip
        ending.callback(_end, process)
        yield Running(place, process, systemd)


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait(PATIENCE)
