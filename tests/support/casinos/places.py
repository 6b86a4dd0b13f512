"""The nodes as processes: founded, introduced, started, killed, put to sleep; each with a clock that can be set wrong.

A node's wall clock is the machine's and an offset that lies in a file beside it, read at every look, so it can be
stepped while the node runs. Who asks here is a person with the demo's PINs.
"""

import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from controller.core import inputs as ask
from controller.core.values import Side, Signature
from controller.node.book.link_key import LinkKey
from controller.node.control.client import Client, NodeSilent, NotOurs, ToSign, asking, doing
from controller.node.settings.settings import read_node
from controller.node.store.store import Reader
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.protocol import Deed, NodeView, Pin
from controller.play.cable import LOOPBACK, free_port
from controller.play.casino import found_if_new
from controller.play.staff import ANA, JULIA, LUIS, pin_of
from support.casinos.cables import Cables
from support.casinos.floor import Floor, desk, settings
from support.casinos.spaces import PORT, Wires
from support.node.node_process import NODE, POZO

BY = Signature("")
PATIENCE = 40.0
CLOCK = (
    "import mmap, struct, time; file = open({file!r}, 'rb'); at = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ); "
    "wall = time.time_ns; time.time_ns = lambda: wall() + struct.unpack('q', at[:8])[0]; "
)


def pins(*people: Any) -> list[Pin]:
    found = [pin_of(one.person) for one in people]
    return [pin for pin in found if pin is not None]


class Place:
    """One node: its folder, and the life that it has there now."""

    def __init__(self, name: str, place: Path, before: Sequence[str]) -> None:
        self.name, self.place, self._before = name, place, list(before)
        self.process: subprocess.Popen[bytes] | None = None
        self.lives = 0
        self._spent = 0.0
        self._offset = place / "clock"
        self.sleeps = False

    @property
    def folder(self) -> Path:
        return self.place / "folder"

    @property
    def record(self) -> Path:
        return self.folder / "node.db"

    @property
    def settings(self) -> Path:
        return self.place / "node.toml"

    def clock_is_off_by(self, seconds: float) -> None:
        with self._offset.open("r+b" if self._offset.exists() else "wb") as file:
            file.write(struct.pack("q", int(seconds * 1e9)))

    def start(self) -> None:
        if not self._offset.exists():
            self.clock_is_off_by(0)
        self.lives += 1
        program = CLOCK.format(file=str(self._offset)) + NODE
        with (self.place / "journal").open("ab") as journal:
            self.process = subprocess.Popen(
                [*self._before, sys.executable, "-c", program, str(self.settings)],
                stdin=subprocess.DEVNULL, stdout=journal, stderr=journal,
            )  # fmt: skip

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def spent(self) -> float:
        """Seconds of a processor, over its lives; of one that ended by itself nobody knows."""
        return self._spent + (processor_of(self.process.pid) if self.process is not None and self.runs else 0.0)

    def kill(self) -> None:
        assert self.process is not None and self.runs, f"{self.name} ended by itself: {self.last_words()}"
        self._spent = self.spent
        self.process.kill()
        self.process.wait(20)
        self.sleeps = False

    def sleep(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        self.sleeps = True

    def wake(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)
        self.sleeps = False

    def end(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def last_words(self, lines: int = 12) -> str:
        with (self.place / "journal").open(errors="replace") as journal:
            return "".join(journal.readlines()[-lines:])

    def journal(self) -> Iterator[dict[str, Any]]:
        for line in (self.place / "journal").read_text(errors="replace").splitlines():
            with suppress(json.JSONDecodeError):
                yield json.loads(line)

    # What a person does

    def ask(self, asked: object, *people: Any) -> Any:
        by, second, *_ = (*pins(*people), None, None)
        return self._answered(asking(asked, by, second))

    def do(self, deed: Deed, person: Any, **told: Any) -> None:
        (pin,) = pins(person)
        reply = self._answered(doing(deed, pin, **told))
        assert reply.ok, (self.name, deed, reply.trouble)

    def _answered(self, request: ToSign) -> Any:
        """Until it is answered: the same request, over restarts."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with Client(self.place / "control") as client:
                    return client.ask(request, 5.0)
            except (NodeSilent, NotOurs):
                assert time.monotonic() < end, f"{self.name} does not answer: {self.last_words()}"
                time.sleep(0.1)

    def done(self, asked: object, *people: Any) -> Any:
        reply = self.ask(asked, *people)
        assert reply.ok, (self.name, asked, reply.trouble)
        return reply

    def view(self) -> NodeView | None:
        try:
            with Client(self.place / "control") as client:
                return client.state(2.0)
        except (NodeSilent, NotOurs):
            return None

    def until(self, condition: Callable[[NodeView], object], what: str, patience: float = PATIENCE) -> NodeView:
        end, view = time.monotonic() + patience, None
        while True:
            view = self.view() or view
            if view is not None and condition(view):
                return view
            assert time.monotonic() < end, f"{self.name}: {what} never came true\n{view}\n{self.last_words()}"
            time.sleep(0.05)

    def balances(self) -> dict[str, int]:
        with Reader.open(self.record) as reader:
            return reader.balances()

    def command(self, *words: object, typed: str = "") -> str:
        """`pozo` at this box."""
        signs = {"POZO_POR": ANA.person, "POZO_SEGUNDO": LUIS.person, "POZO_PIN": ANA.pin, "POZO_PIN2": LUIS.pin}
        done = subprocess.run(
            [POZO, *map(str, words)], input=typed, capture_output=True, text=True, timeout=120, check=False,
            cwd=self.place, env={**os.environ, **signs},
        )  # fmt: skip
        assert done.returncode == 0, (self.name, words, done.stdout, done.stderr)
        return done.stdout + done.stderr


class Casinos:
    """All nodes, the lines between them, the people and devices."""

    def __init__(self, top: Path, floor: Floor, lines: "Cables | Wires", places: dict[str, Place]) -> None:
        self.top, self.floor, self.lines, self.places = top, floor, lines, places
        self.said: dict[str, Any] = {}
        self.crowd: subprocess.Popen[str]

    def __getitem__(self, node: str) -> Place:
        return self.places[node]

    def __iter__(self) -> Iterator[Place]:
        return iter(self.places.values())

    def start(self) -> None:
        for place in self:
            place.start()
        for place in self:
            place.until(lambda _: True, "it answers", 3 * PATIENCE)  # they all begin at once

    def introduced(self) -> None:
        """Two persons pin each key; each owner's two stage its plans, and they take effect everywhere."""
        keys = {place.name: key_of(place) for place in self}
        for link in self.floor.links:
            below, above = self[link.below], self[link.above]
            below.done(ask.PinNeighbour(above.name, Side.ABOVE, keys[above.name], BY, BY, link.inside), ANA, LUIS)
            above.done(ask.PinNeighbour(below.name, Side.BELOW, keys[below.name], BY, BY, link.inside), ANA, LUIS)
        for link in self.floor.links:
            self[link.below].until(lambda view: all(one.up for one in view.neighbours), f"the link {link.name} is up")
        for pot, owner in self.floor.pots.items():
            files = {plan_name(file): file for file in read_node(self[owner].settings).plans}
            known = self[owner].until(lambda _: True, "it answers")
            if pot not in {one.pot for one in known.pots}:
                documents = files[pot].documents
                self[owner].done(ask.StagePlan(documents.plan, documents.ruleset, BY, BY), ANA, LUIS)
        for node in self.floor.nodes:
            self[node].until(
                partial(_has_in_force, self.floor.pots_at(node)),
                f"the plans of {self.floor.pots_at(node)} are in force",
            )

    def between(self, deed: Deed, **told: Any) -> None:
        """The gaming day of the casinos' nodes that have no table, but lie between their boxes and a pot (R-27, R-28)."""
        for node in self.floor.casinos:
            if node not in self.floor.tables and node != self.floor.owner:
                self[node].do(deed, JULIA, **told)

    @contextmanager
    def crowded(self, seed: int, speed: float) -> Iterator[None]:
        """The people come in; who they are and what they do follows from the seed."""
        houses = [
            {"place": str(self[node].place), "tables": dict(tables)} for node, tables in self.floor.tables.items()
        ]
        file = self.top / "crowd.json"
        file.write_text(json.dumps({"seed": seed, "speed": speed, "houses": houses}))
        command = [sys.executable, "-m", "support.casinos.crowd", str(file)]
        with (
            (self.top / "crowd.err").open("w") as complaints,
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True
            ) as crowd,
        ):
            self.crowd = crowd
            assert crowd.stdin is not None and crowd.stdout is not None, "pipes"
            listening = threading.Thread(target=self._listen, args=(crowd.stdout,), daemon=True)
            try:
                assert crowd.stdout.readline() == "up\n", (self.top / "crowd.err").read_text()
                listening.start()
                yield
            finally:
                crowd.stdin.close()
                try:
                    crowd.wait(20)
                except subprocess.TimeoutExpired:
                    crowd.kill()
                listening.join(5)

    def _listen(self, stdout: IO[str]) -> None:
        for line in stdout:
            self.said = json.loads(line)

    @property
    def passes(self) -> int:
        return sum(sum(one["passes"].values()) for one in self.said.values())

    def played(self) -> None:
        """Until there was a pass: from then on the evening's time is counted."""
        end = time.monotonic() + PATIENCE
        while not self.passes:
            assert time.monotonic() < end and self.crowd.poll() is None, (self.top / "crowd.err").read_text()
            time.sleep(0.1)

    def people(self, what: str) -> None:
        assert self.crowd.stdin is not None, "a pipe"
        self.crowd.stdin.write(f"{what}\n")
        self.crowd.stdin.flush()

    def close(self, patience: float, meanwhile: Callable[[], None]) -> None:
        """Everybody goes home: tables are emptied, prizes paid, the days closed."""
        self.people("close")
        end = time.monotonic() + patience
        while not (self.said and all(one["over"] for one in self.said.values())):
            assert self.crowd.poll() is None, (self.top / "crowd.err").read_text()
            meanwhile()
            if time.monotonic() > end:
                raise AssertionError(f"the days were not closed in {patience:.0f} s: {self.said}; {self._owed()}")
            time.sleep(0.2)

    def _owed(self) -> dict[str, Any]:
        """What keeps people from going home: prizes, and money on tables."""
        views = {node: self[node].view() for node in self.floor.tables}
        return {
            node: ([one for pot in view.pots for one in pot.awards], list(view.tables))
            for node, view in views.items()
            if view is not None
        }


def processor_of(pid: int) -> float:
    """Seconds, from proc(5): what stands behind the name, which may have anything in it."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, after_name[11:13])) / os.sysconf("SC_CLK_TCK")


def _has_in_force(pots: Sequence[str], view: NodeView) -> bool:
    return {*pots} <= {one.pot for one in view.pots}


def plan_name(file: Any) -> str:
    text: str = file.documents.plan
    return next(line.partition('"')[2].rstrip('"') for line in text.splitlines() if line.startswith("name = "))


def key_of(place: Place) -> str:
    return LinkKey.load_or_make(place.folder).public.hex()


@contextmanager
def on_relays(top: Path, floor: Floor, seed: int) -> Iterator[Casinos]:
    ports = {node: free_port() for node in floor.nodes}
    cables = Cables({link.name: ports[link.above] for link in floor.links}, seed)
    listens = {node: f"tcp://{LOOPBACK}:{ports[node]}" for node in floor.nodes}
    addresses = {link.name: f"tcp://{LOOPBACK}:{cables.relays[link.name].near}" for link in floor.links}
    with cables.laid():
        yield from _founded(top, floor, cables, listens, addresses, {node: [] for node in floor.nodes})


@contextmanager
def in_spaces(top: Path, floor: Floor) -> Iterator[Casinos]:
    wires = Wires(floor.nodes, {link.name: (link.below, link.above) for link in floor.links})
    listens = dict.fromkeys(floor.nodes, f"tcp://0.0.0.0:{PORT}")
    addresses = {link.name: f"tcp://{wires.address(link.name)}:{PORT}" for link in floor.links}
    with wires.laid():
        yield from _founded(top, floor, wires, listens, addresses, {node: wires.command(node) for node in floor.nodes})


def _founded(
    top: Path,
    floor: Floor,
    lines: "Cables | Wires",
    listens: dict[str, str],
    addresses: dict[str, str],
    before: dict[str, list[str]],
) -> Iterator[Casinos]:
    places = {node: Place(node, top / node, before[node]) for node in floor.nodes}
    for place in places.values():
        place.folder.mkdir(parents=True, mode=0o700)
        for pot in floor.pots_at(place.name):
            (place.place / f"{pot}.toml").write_text(floor.plan(pot))
    prints = {place.name: fingerprint_of(key_of(place)) for place in places.values()}
    for place in places.values():
        for table in floor.tables.get(place.name, {}):
            (place.place / f"{table}.desk.toml").write_text(desk(place.name, table))
        mine = {link.above: addresses[link.name] for link in floor.links if link.below == place.name}
        place.settings.write_text(settings(floor, place.name, place.place, listens[place.name], mine, prints))
        found_if_new(place.settings)
    with ExitStack() as ending:
        for place in places.values():
            ending.callback(_ended, place)
        yield Casinos(top, floor, lines, places)


def _ended(place: Place) -> None:
    if place.process is not None and place.runs:
        place.process.kill()
        place.process.wait(20)
