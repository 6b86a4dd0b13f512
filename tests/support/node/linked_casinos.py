"""Two casinos and the node that owns the pot they share: three real nodes, tables on ptys, cables that can be cut.

The settings are the smallest that do it: at each casino one table of six electronic seats that feeds the pot of
`norte`. What a person would see is asked at the nodes; what is on record is read from the files.
"""

import asyncio
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from controller.core import inputs as ask
from controller.core.values import Hand, Role, Side, Signature
from controller.core.view import AwardView, SignView, TableView
from controller.node.book.founding import Administrator, Member, found
from controller.node.book.link_key import LinkKey
from controller.node.settings.settings import read_node
from controller.node.store.store import Reader
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.protocol import Deed, NodeView, Pin
from controller.play.cable import LOOPBACK, Cable, free_port
from support.node.node_process import (
    ANA,
    CARLA,
    DESK,
    JEFE,
    LUIS,
    PATIENCE,
    POZO,
    Running,
    running,
    started,
    today,
    until_said,
)
from support.places import CONFIG
from support.sim.desk_talk import obeyed

BY = Signature("")
OWNER, POT, TABLE = "norte", "pozo-norte", "DP-01"
PLAN = CONFIG / "demo/two/plans/pozo-norte.toml"
BUTTONS = {1: 1, 2: 2, 5: 3}
"""Of a seat unit, by the credits that a press of it bets."""
_OF_ALL = """
name = "{name}"
folder = "folder"
control = "control"
[[plan]]
file = "plan.toml"
signless = true
"""
_OWNER = """
[link]
listen = "{listen}"
[[neighbour]]
name = "puerto"
side = "below"
fingerprint = "{puerto}"
[[neighbour]]
name = "valle"
side = "below"
fingerprint = "{valle}"
"""
_CASINO = """
[[neighbour]]
name = "norte"
side = "above"
inside = {inside}
address = "{address}"
fingerprint = "{norte}"
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
[[table.unit]]
kind = "console"
line = "mesa"
number = 20
"""


class Cables:
    """They lie in a thread of their own, so that a test may wait as it likes."""

    def __init__(self, far: int) -> None:
        self.of = {name: Cable(free_port(), far) for name in ("puerto", "valle")}
        self._loop = asyncio.new_event_loop()
        self._ending: asyncio.Event
        self._lie = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._laid(),), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._lie.wait(PATIENCE), "laid"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    async def _laid(self) -> None:
        self._ending = asyncio.Event()
        async with self.of["puerto"].laid(), self.of["valle"].laid():
            self._lie.set()
            await self._ending.wait()

    def cut(self, *names: str) -> None:
        for name in names:
            self._loop.call_soon_threadsafe(self.of[name].cuts)

    def join(self, *names: str) -> None:
        for name in names:
            self._loop.call_soon_threadsafe(self.of[name].joins)


class LinkedNode:
    """One of the three. `how`: as `running` takes it, where it is started otherwise than it is installed."""

    def __init__(self, name: str, place: Path, ending: ExitStack, how: dict[str, Any]) -> None:
        self.name, self.place, self._ending, self._how = name, place, ending, how
        self.killed_by = signal.SIGKILL
        self.node: Running
        self._journal = place / "journal"

    @property
    def record(self) -> Path:
        return self.place / "folder/node.db"

    def as_installed(self) -> None:
        """From now on it is started so."""
        self._how, self.killed_by = {}, signal.SIGKILL

    def start(self, patience: float = PATIENCE) -> None:
        self.begin()
        self.node.ready(patience)

    def begin(self) -> None:
        """Its process; that it is ready is not waited for."""
        journal = self._ending.enter_context(self._journal.open("a"))
        self.node = self._ending.enter_context(running(self.place, **{"stderr": journal, **self._how}))

    def kill(self) -> None:
        self.node.process.send_signal(self.killed_by)
        self.node.process.communicate(timeout=PATIENCE)

    def end(self) -> Path:
        """In order; its record."""
        assert self.node.end()[0] == 0
        return self.record

    def ask(self, asked: object, *people: Pin) -> Any:
        reply = self.node.ask(asked, *people)
        assert reply.ok, (reply.trouble, self.of_its_units(), self.node.until(bool))
        return reply

    def until(self, condition: Callable[[NodeView], object]) -> NodeView:
        return self.node.until(condition)

    @property
    def pot(self) -> SignView:
        return next(pot for pot in self.node.until(lambda view: view.pots).pots if pot.pot == POT)

    def meter(self, amount: int) -> None:
        """The pot is shown with so much in it."""
        self.until(lambda view: any(pot.pot == POT and pot.main == amount for pot in view.pots))

    def of_its_units(self) -> list[str]:
        """What its journal says of them, of all its lives."""
        return [line for line in self._journal.read_text().splitlines() if "unit" in line][-30:]

    def balances(self) -> dict[str, int]:
        with Reader.open(self.record) as reader:
            return reader.balances()

    def kinds(self) -> list[str]:
        with Reader.open(self.record) as reader:
            return [row.kind for row in reader.facts()]

    def desk(self, *commands: str) -> None:
        obeyed(self.place / "ports/control", commands)

    # A pass, as its croupier sees it

    def bet(self, seat: int, credits_: int) -> None:
        """A pass with one bet of so many credits, sealed."""
        self.ask(ask.BuyCredits(TABLE, seat, credits_, BY), CARLA)
        assert self.node.do(Deed.UNLOCK, CARLA, table=TABLE).ok
        self.until(lambda view: _unlocked(view, seat, credits_))
        self.desk(f"seat {seat} press {BUTTONS[credits_]}")
        self.until(lambda view: _table(view).seats[seat - 1].bet == credits_ * 1_000)
        self.ask(ask.Lock(TABLE, BY), CARLA)
        self.until(lambda view: _table(view).phase == "sealed")

    def claims(self, *hands: Hand) -> AwardView:
        self.ask(ask.RegisterClaim(TABLE, hands, BY), CARLA)
        return self.award()

    def award(self) -> AwardView:
        return self.pot.awards[0]

    def pays(self, award: AwardView) -> None:
        self.ask(ask.ConfirmAward(award.award, BY, BY), JEFE, ANA)
        self.ask(ask.PayAward(award.award, BY), CARLA)


def _table(view: NodeView) -> TableView:
    return next(one for one in view.tables if one.table == TABLE)


def _unlocked(view: NodeView, seat: int, credits_: int) -> bool:
    there = next(one for one in view.seats if (one.table, one.seat) == (TABLE, seat))
    return not there.locked and there.credits >= credits_


class Linked:
    """`norte`, `puerto`, `valle`, and the cables between them."""

    def __init__(self, nodes: dict[str, LinkedNode], cables: Cables, box: str) -> None:
        self.nodes, self.cables, self._box = nodes, cables, box
        self.norte, self.puerto, self.valle = nodes["norte"], nodes["puerto"], nodes["valle"]

    @property
    def casinos(self) -> Sequence[LinkedNode]:
        return self.puerto, self.valle

    def introduced(self) -> None:
        """Two persons pin each key, the owner's two stage the plan, and it takes effect everywhere."""
        for casino in self.casinos:
            for node, other, side in ((casino, self.norte, Side.ABOVE), (self.norte, casino, Side.BELOW)):
                pin = ask.PinNeighbour(other.name, side, key_of(other.place), BY, BY, casino.name == self._box)
                node.ask(pin, ANA, LUIS)
        documents = read_node(self.norte.place / "node.toml").plans[0].documents
        self.norte.ask(ask.StagePlan(documents.plan, documents.ruleset, BY, BY), ANA, LUIS)
        for node in self.nodes.values():
            node.until(lambda view: any(pot.pot == POT for pot in view.pots))
        for casino in self.casinos:
            casino.node.up()
            assert casino.node.do(Deed.OPEN_DAY, JEFE, day=today()).ok

    def rest(self) -> None:
        """Nothing waits any more, at any of the three."""
        for node in self.nodes.values():
            node.until(lambda view: view.neighbours and not any(one.waits or not one.up for one in view.neighbours))

    def is_cut(self, *casinos: LinkedNode) -> None:
        for casino in casinos:
            casino.until(lambda view: not view.neighbours[0].up)


def key_of(place: Path) -> str:
    return LinkKey.load_or_make(place / "folder").public.hex()


@contextmanager
def linked(box: str = "", how: Callable[[Path], dict[str, Any]] = lambda _: {}) -> Iterator[Linked]:
    """Founded and started, and strangers to each other; `box`: one of the casinos is a box of `norte`, which mirrors it;
    `how` each is started whose place this is."""
    top = Path(tempfile.mkdtemp(prefix="lk"))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, top, ignore_errors=True)
        port = free_port()
        cables = ending.enter_context(Cables(port))
        places = {name: top / name for name in (OWNER, "puerto", "valle")}
        for place in places.values():
            (place / "folder").mkdir(parents=True, mode=0o700)
            (place / "plan.toml").write_text(PLAN.read_text())
        said = {name: fingerprint_of(key_of(place)) for name, place in places.items()}
        nodes = {}
        for name, place in places.items():
            more = _OWNER.format(listen=f"tcp://{LOOPBACK}:{port}", **said)
            more = more.replace(f'name = "{box}"', f'name = "{box}"\ninside = true') if box else more
            if name != OWNER:
                ending.enter_context(_devices(place))
                address = f"tcp://{LOOPBACK}:{cables.of[name].near}"
                more = _CASINO.format(address=address, place=place, inside=str(name == box).lower(), **said)
            (place / "node.toml").write_text(_OF_ALL.format(name=name) + more)
            _found(place)
            nodes[name] = LinkedNode(name, place, ending, how(place))
            nodes[name].start()
        yield Linked(nodes, cables, box)


@contextmanager
def _devices(place: Path) -> Iterator[None]:
    (place / "desk.toml").write_text(DESK)
    with started([POZO, "sim", place / "desk.toml", "--ports", place / "ports", "--no-view"]) as sim:
        assert sim.stdout is not None, "a pipe"
        until_said(sim.stdout, "`help` lists")
        yield


def _found(place: Path) -> None:
    people = [Member("carla", "Carla", (Role.CROUPIER,), CARLA.pin), Member("jefe", "Jefe", (Role.CHIEF,), JEFE.pin)]
    administrators = Administrator("ana", "Ana", ANA.pin), Administrator("luis", "Luis", LUIS.pin)
    found(read_node(place / "node.toml"), administrators, people, time.time_ns() // 1_000_000)
