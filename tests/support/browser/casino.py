"""A casino that was founded just now, with its web: three simulated tables, the real node, the real `pozo web`, the demo's people.

DP-01 and CP-01 feed one pot, TX-01 another, as in `make run`; nobody plays by himself. A module of tests shares one, so that it costs its
two seconds once: each test takes a table as it finds it, and `between` gives it a table that waits for a pass.
"""

import json
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from controller.core import inputs as ask
from controller.core.values import Phase, Signature
from controller.core.view import AwardView, SignView, TableView
from controller.node.book.founding import Administrator, Member, found
from controller.node.settings.settings import read_node
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from controller.play.cable import free_port
from controller.play.staff import ADMINISTRATORS, EVERYBODY
from support.browser.tables import SEATS, Tables
from support.node.node_process import POZO, Running, running, started
from support.places import CONFIG

DRAW, CARIBBEAN, TEXAS = SEATS
ANA, LUIS, CARLA, JULIA, MARIO, TITO = (Pin(one.person, one.pin) for one in EVERYBODY)
BUTTONS = {1: 1, 2: 2, 5: 3}
"""Of a seat, by the credits that a press of it bets."""
PATIENCE = 20
_A_WHILE, _UNLOCKS, _SLOWEST_START = 3.0, 5, 60
_BY = Signature("")
_NODE = """
folder = "folder"
control = "control"
[patience]
silent_ms = 12000
[[plan]]
file = "pozo-condor.toml"
signless = true
[[plan]]
file = "pozo-austral.toml"
signless = true
"""
_TABLE = """
[[line]]
name = "{table}"
kind = "tcp"
url = "{url}"
[[table]]
name = "{table}"
[[table.unit]]
kind = "table"
line = "{table}"
number = 1
seat = 1
seats = {seats}
[[table.unit]]
kind = "console"
line = "{table}"
number = 20
"""
WEB = """
control = "control"
listen = "127.0.0.1:{port}"
origins = ["http://127.0.0.1:{port}"]
folder = "web"
signs = "signs.toml"
[notices]
responsible_play = "El juego puede causar dependencia. Juegue con responsabilidad."
age = "Solo mayores de 18 años."
resolution = "Res. Ex. N° 300/2026 (demostración)"
"""
_SIGNS = """
[[sign]]
name = "sala"
pots = ["pozo-condor", "pozo-austral"]
theme = "sala"
[[sign]]
name = "condor"
pots = ["pozo-condor"]
theme = "contraste"
[[sign]]
name = "hall"
pots = ["pozo-condor"]
language = "en"
"""


@contextmanager
def casino(
    prizes: str = "", program: str = "", name: str = "central", more: str = "", boxes: str = ""
) -> Iterator["WebCasino"]:
    """Its day open, every unit up, its web answering; `prizes`: more complementary ones of the pot of DP-01 and CP-01;
    `program`: what its node runs in the place of the installed one; `name`, `more`: of its node and of its settings;
    `boxes`: more of the web's settings."""
    place = Path(tempfile.mkdtemp(prefix="pw"))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        tables = Tables(place / "ports")
        ending.enter_context(tables.standing())
        _founded(place, tables, prizes, f'name = "{name}"\n{_NODE}{more}')
        made = WebCasino(place, tables, ending, program, boxes)
        made.start_node()
        assert made.do(Deed.OPEN_DAY, JULIA, day=date.today().isoformat()).ok  # noqa: DTZ011  the date on the wall
        made.start_web()
        yield made


def _founded(place: Path, tables: Tables, prizes: str, settings: str) -> None:
    for plan in (CONFIG / "demo/plans").glob("*.toml"):
        text = plan.read_text()
        more = prizes if plan.stem == "pozo-condor" else ""
        (place / plan.name).write_text(text.replace("[[tables]]", f"{more}\n[[tables]]", 1))
    units = "".join(_TABLE.format(table=table, url=url, seats=SEATS[table]) for table, url in tables.where.items())
    (place / "node.toml").write_text(settings + units)
    (place / "signs.toml").write_text(_SIGNS)
    one, other = (Administrator(admin.person, admin.name, admin.pin) for admin in ADMINISTRATORS)
    members = [Member(who.person, who.name, (who.role,), who.pin) for who in EVERYBODY if who not in ADMINISTRATORS]
    found(read_node(place / "node.toml"), (one, other), members, time.time_ns() // 1_000_000)


class WebCasino:
    def __init__(self, place: Path, tables: Tables, ending: ExitStack, program: str, boxes: str) -> None:
        self.place, self.tables, self._ending, self._program = place, tables, ending, program
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.node: Running
        self.web: subprocess.Popen[str]
        (place / "web.toml").write_text(WEB.format(port=self.port) + boxes)

    # Its two processes.

    def start_node(self) -> None:
        """Until its units are met."""
        self.begin_node()
        self.node.ready(_SLOWEST_START)
        self.node.up()

    def begin_node(self) -> None:
        """That it is ready is not waited for."""
        with (self.place / "node.log").open("ab") as log:
            self.node = self._ending.enter_context(running(self.place, program=self._program, stdout=log, stderr=log))

    def kill_node(self) -> None:
        _kill(self.node.process)

    def start_web(self) -> None:
        with (self.place / "web.log").open("ab") as log:
            self.web = self._ending.enter_context(
                started([POZO, "web", self.place / "web.toml"], stdout=log, stderr=log)
            )
        until_answered(self.port)

    def kill_web(self) -> None:
        _kill(self.web)

    # What people ask without a browser, and what is so.

    def ask(self, asked: object, by: Pin, second: Pin | None = None) -> Reply:
        reply = self.node.ask(asked, by, second)
        assert reply.ok, reply.trouble
        return reply

    def do(self, deed: Deed, by: Pin, **told: Any) -> Reply:
        reply = self.node.do(deed, by, **told)
        assert reply.ok, reply.trouble
        return reply

    def until(self, condition: Callable[[NodeView], object]) -> NodeView:
        return self.node.until(condition)

    def table(self, name: str) -> TableView:
        return self._table(self.until(lambda view: view.tables), name)

    def _table(self, view: NodeView, name: str) -> TableView:
        return next(one for one in view.tables if one.table == name)

    def pot(self, name: str = "pozo-condor") -> SignView:
        return next(one for one in self.until(lambda view: view.pots).pots if one.pot == name)

    def awards(self, table: str) -> dict[str, AwardView]:
        view = self.until(lambda view: view.pots)
        return {one.award: one for pot in view.pots for one in pot.awards if one.table == table}

    def facts(self, kind: str = "") -> list[dict[str, Any]]:
        """Those on record, of one kind or all, oldest first."""
        with Reader.open(self.place / "folder/node.db") as reader:
            return [_as_told(row) for row in reader.facts() if not kind or row.kind == kind]

    # How a table comes to where a test begins.

    def buy(self, table: str, **seats: int) -> None:
        """`buy("DP-01", s3=10)`: credits at seats."""
        for seat, credits_ in seats.items():
            self.ask(ask.BuyCredits(table, int(seat[1:]), credits_, _BY), CARLA)

    def opens(self, table: str) -> int:
        """A pass, its seats unlocked; its number."""
        self.do(Deed.UNLOCK, CARLA, table=table)
        view = self.until(lambda view: self._table(view, table).phase is Phase.OPEN)
        return self._table(view, table).number

    def unlocks(self, table: str, number: int) -> None:
        """The table's own button, until this pass is open; who pressed while nobody listened presses again."""
        for _ in range(_UNLOCKS):
            self.tables.obey(table, "console unlock")
            if _within(_A_WHILE, lambda: self.table(table).number == number):
                return
        raise AssertionError(f"{table} does not open pass {number}")

    def presses(self, table: str, seat: int, credits_: int) -> None:
        """The player's own finger, and until the node shows the bet; whose seat was locked meanwhile presses again."""
        for _ in range(_UNLOCKS):
            self.unlocked(table, seat)
            self.tables.obey(table, f"seat {seat} press {BUTTONS[credits_]}")
            view = self.until(lambda view: _has_bet(view, table, seat) or _is_locked_without(view, table, seat))
            if _has_bet(view, table, seat):
                return
        raise AssertionError(f"{table} {seat} is locked each time he presses")

    def unlocked(self, table: str, seat: int) -> None:
        """A unit that was away for a moment stays locked until somebody opens it again (R-6)."""
        for _ in range(_UNLOCKS):
            if _within(_A_WHILE, lambda: self._is_unlocked(table, seat)):
                return
            self.do(Deed.UNLOCK, CARLA, table=table)
        raise AssertionError(f"{table} {seat} stays locked")

    def _is_unlocked(self, table: str, seat: int) -> bool:
        view = self.until(lambda view: view.seats)
        return any((one.table, one.seat, one.locked) == (table, seat, False) for one in view.seats)

    def locks(self, table: str) -> None:
        self.tables.obey(table, "console lock")
        self.until(lambda view: self._table(view, table).phase is Phase.SEALED)

    def sealed(self, table: str, **seats: int) -> int:
        """A pass with these bets, up to its seal: `sealed("DP-01", s3=2)`; its number."""
        self.between(table)
        self.buy(table, **dict.fromkeys(seats, 5))
        number = self.opens(table)
        for seat, credits_ in seats.items():
            self.presses(table, int(seat[1:]), credits_)
        self.locks(table)
        return number

    def between(self, table: str) -> None:
        """Whatever was left at it is over, and it waits for a pass."""
        for award in self.awards(table).values():
            if not award.confirmed:
                self.ask(ask.ConfirmAward(award.award, _BY, _BY), JULIA, LUIS)
        phase = self.table(table).phase
        if phase is Phase.SEALED:
            self.ask(ask.ClosePass(table, _BY), CARLA)
        elif phase is not Phase.BETWEEN:
            self.ask(ask.VoidPass(table, "de otra prueba", _BY), JULIA)
        for award in self.awards(table).values():
            self.ask(ask.PayAward(award.award, _BY), CARLA)


def _has_bet(view: NodeView, table: str, seat: int) -> bool:
    return any((one.table, one.seat, one.bet, one.lamp) == (table, seat, "confirmed", "lit") for one in view.seats)


def _is_locked_without(view: NodeView, table: str, seat: int) -> bool:
    """Without a bet of this pass, whatever its unit, which was away when the pass began, still shows of the last one."""
    booked = {one.seat: one.bet for known in view.tables if known.table == table for one in known.seats}
    return not booked[seat] and any((one.table, one.seat, one.locked) == (table, seat, True) for one in view.seats)


def until_answered(port: int) -> None:
    """By a web process that was started just now."""
    assert _within(PATIENCE, partial(_answers, port)), "the web does not answer; its web.log says why"


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not (so := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return so


def _kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)


def _as_told(row: Any) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(row.body)["fact"]
    return told
