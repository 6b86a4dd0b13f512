"""Two tables on one pot, each on its own wire, and a sign: a running node for errors that one table makes for another.

What a person asks goes through `pozo ctl`, as he would type it; what players do at the simulated devices; what the
public reads is taken from the sign itself.
"""

import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.core.view import TableView
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, SeatNow
from controller.report.counting import report
from controller.report.forms import as_text
from controller.report.scope import ask as scope
from controller.report.value import Report
from support.node.node_process import (
    CARLA,
    JEFE,
    LUIS,
    PLANS,
    POZO,
    START,
    Running,
    found_with_its_people,
    running,
    started,
    today,
    until_said,
)
from support.sim.desk_talk import obeyed

TABLES = ("DP-01", "CP-01")
_DESK = """
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
_SIGN = """
[[line]]
name = "letrero"
kind = "alpha"
[[line.unit]]
kind = "alpha"
"""
_TABLE = """
[[line]]
name = "{table}"
kind = "rtu"
url = "{place}/{table}/mesa"
baud = 115200
latency_ms = 2
[[table]]
name = "{table}"
[[table.unit]]
kind = "electronic"
line = "{table}"
number = 1
seat = 1
count = 6
beat_ms = 490
host_timeout_ms = 3100
[[table.unit]]
kind = "console"
line = "{table}"
number = 20
beat_ms = 490
host_timeout_ms = 3100
"""
_HEAD = """
name = "central"
folder = "folder"
control = "control"
rulesets = "laws"
[[plan]]
file = "plan.toml"
[[line]]
name = "letrero"
kind = "alpha"
url = "{place}/DP-01/letrero"
[[sign]]
kind = "alpha"
line = "letrero"
layout = "{{amount}}"
string_size = 60
address = "01"
reads = true
"""
NOBODY = Signature("")


@contextmanager
def two_tables(prizes: str = "", law: str = "") -> Iterator["House"]:
    """Founded, its day open, every unit up; with complementary prizes in its plan, under a law of its own."""
    place = Path(tempfile.mkdtemp(prefix="pz"))
    with ExitStack() as ending:
        ending.callback(shutil.rmtree, place, ignore_errors=True)
        whole = (PLANS / "pozo-estelar.toml").read_text()
        first, *tables = whole.split("[[tables]]")
        modal = tables[0].partition("#")[2].partition("\n")[2]
        other = modal.replace("DP-01", "CP-01")
        if law:
            first = first.replace("scj-2023", tomllib.loads(law)["name"])
        (place / "plan.toml").write_text(f"{first}{prizes}[[tables]]\n{modal}[[tables]]\n{other}")
        (place / "laws").mkdir()
        if law:
            (place / "laws/law.toml").write_text(law)
        settings = "".join(_TABLE.format(table=table, place=place) for table in TABLES)
        (place / "node.toml").write_text(_HEAD.format(place=place) + settings)
        found_with_its_people(place, START)
        for table, desk in zip(TABLES, (_DESK + _SIGN, _DESK), strict=True):
            (place / f"{table}.toml").write_text(desk)
            command: list[str | Path] = [POZO, "sim", place / f"{table}.toml", "--ports", place / table, "--no-view"]
            sim = ending.enter_context(started(command))
            assert sim.stdout is not None, "a pipe"
            until_said(sim.stdout, "`help` lists")
        node = ending.enter_context(running(place))
        node.ready()
        node.up()
        house = House(place, node)
        assert node.do(Deed.OPEN_DAY, JEFE, day=house.day).ok
        yield house


class House:
    """`day`, and the one that may follow it: both of one month, and near the real clock, at which the node looks (R-27)."""

    def __init__(self, place: Path, node: Running) -> None:
        self.place, self.node = place, node
        now = date.fromisoformat(today())
        first = now if now.day == 1 else now - timedelta(days=1)
        self.day, self.following = first.isoformat(), (first + timedelta(days=1)).isoformat()

    def play(self, table: str, *seats: int) -> int:
        """A pass up to its seal, one credit at each of these seats; its number."""
        for seat in seats:
            assert self.node.ask(ask.BuyCredits(table, seat, 1, NOBODY), CARLA).ok
        assert self.node.do(Deed.UNLOCK, CARLA, table=table).ok
        self.node.until(lambda view: all(not one.locked and one.credits for one in _seats(view, table, seats)))
        obeyed(self.place / table / "control", [f"seat {seat} press 1" for seat in seats])
        self.node.until(
            lambda view: all(one.lamp == "lit" and one.bet == "confirmed" for one in _seats(view, table, seats))
        )
        obeyed(self.place / table / "control", ["console lock"])
        view = self.node.until(lambda view: _table(view, table).phase == "sealed")
        return _table(view, table).number

    def next_pass(self, table: str) -> None:
        """The physical button, or F2: it ends the pass and opens the next."""
        assert self.node.do(Deed.UNLOCK, CARLA, table=table).ok

    def next_day(self) -> None:
        for table in TABLES:
            if _table(self.view(), table).phase != "between":
                is_sealed = _table(self.view(), table).phase == "sealed"
                asked = ask.ClosePass(table, NOBODY) if is_sealed else ask.VoidPass(table, "fin", NOBODY)
                assert self.node.ask(asked, JEFE).ok
        assert self.node.do(Deed.CLOSE_DAY, JEFE).ok
        assert self.node.do(Deed.OPEN_DAY, JEFE, day=self.following).ok

    def ctl(self, *words: str, by: Pin = CARLA, second: Pin | None = None) -> str:
        """What `pozo ctl` says; it was done."""
        code, said = self.tried(*words, by=by, second=second)
        assert code == 0, said
        return said

    def tried(self, *words: str, by: Pin = CARLA, second: Pin | None = None) -> tuple[int, str]:
        signs = {"POZO_POR": by.person, "POZO_PIN": by.pin}
        if second is not None:
            signs |= {"POZO_SEGUNDO": second.person, "POZO_PIN2": second.pin}
        command = [str(POZO), "ctl", "--node", str(self.place / "control"), *words]
        said = subprocess.run(
            command, env={**os.environ, **signs}, capture_output=True, text=True, timeout=60, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return said.returncode, said.stdout + said.stderr

    def pay(self, award: str) -> str:
        """R-36: confirmed by two, of whom one registered nothing all evening."""
        self.ctl("confirmar", award, by=JEFE, second=LUIS)
        return self.ctl("pagar", award)

    def view(self) -> NodeView:
        """With everything that was answered: a reply goes out before the view is made anew."""
        with Reader.open(self.place / "folder/node.db") as reader:
            head = reader.head()
        assert head is not None, "founded"
        return self.node.until(lambda view: view.seq >= head.seq)

    @property
    def pot(self) -> int:
        return self.view().pots[0].main

    @property
    def awards(self) -> dict[str, int]:
        """What is shown as owed, by its number."""
        return {one.award: one.amount for one in self.view().pots[0].awards}

    def sign_shows(self, words: str) -> None:
        """The public reads it, on the sign itself, before long."""
        self.node.until(lambda view: words in view.signs[0].showing)

    def report(self, kind: str, name: str) -> tuple[Report, str]:
        with Reader.open(self.place / "folder/node.db") as reader:
            made = report(reader, scope(kind, name))
        assert made.holds, [proof for proof in made.proofs if not proof.holds]
        return made, as_text(made)

    def verified(self) -> str:
        return self._pozo("verify", self.place / "folder/node.db")

    def explained(self, what: str) -> str:
        return self._pozo("explain", what, self.place / "folder/node.db")

    def _pozo(self, *words: str | Path) -> str:
        said = subprocess.run([POZO, *words], capture_output=True, text=True, timeout=60, check=False)
        return said.stdout + said.stderr


def _table(view: NodeView, table: str) -> TableView:
    return next(one for one in view.tables if one.table == table)


def _seats(view: NodeView, table: str, seats: Collection[int]) -> list[SeatNow]:
    return [one for one in view.seats if one.table == table and one.seat in seats]
