"""A running node with one table of six seats, and everybody who could cheat in it: croupiers, chiefs, a technician, an auditor,
two administrators. Each act goes through the control socket with a PIN, as theirs would; the seats are simulated units.

The first week of every fraud is honest play: `sealed` plays a pass up to "no más apuestas".
"""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from controller.core import inputs as ask
from controller.core.values import Role, Signature
from controller.core.view import TableView
from controller.node.book.founding import Administrator, Member, found
from controller.node.control.client import Client, asking, doing
from controller.node.settings.settings import read_node
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from controller.report.counting import report
from controller.report.scope import ask as asked_for
from controller.report.value import Report
from support.node.node_process import PATIENCE, SETTINGS, START, Casino, Running, casino, one_table_plan, today
from support.places import CONFIG

TABLE, POT = "DP-01", "pozo-estelar"
BY = Signature("")
ANA, LUIS, CARLA, DIEGO, JEFE, JEFA, TITO, INES = (
    Pin(person, f"{number}" * 6)
    for number, person in enumerate(("ana", "luis", "carla", "diego", "jefe", "jefa", "tito", "ines"), 1)
)
ROLES = {
    CARLA: Role.CROUPIER, DIEGO: Role.CROUPIER, JEFE: Role.CHIEF, JEFA: Role.CHIEF,
    TITO: Role.TECHNICIAN, INES: Role.AUDITOR,
}  # fmt: skip


@contextmanager
def opened(template: Path) -> Iterator["House"]:
    """A node before its first day; every seat has a unit that answers."""
    (template / "plan.toml").write_text(one_table_plan())
    (template / "node.toml").write_text(SETTINGS.format(place=template))
    people = [Member(pin.person, pin.person.title(), (role,), pin.pin) for pin, role in ROLES.items()]
    one, other = (Administrator(pin.person, pin.person.title(), pin.pin) for pin in (ANA, LUIS))
    found(read_node(template / "node.toml"), (one, other), people, START)
    with casino(template) as place, ExitStack() as ending:
        node = place.start()
        node.ready()
        house = House(place, node, ending.enter_context(Client(node.place / "control")))
        house.until(lambda view: view.units and all(unit.health == "up" for unit in view.units))
        yield house


class House:
    def __init__(self, casino: Casino, node: Running, client: Client) -> None:
        self.casino, self.node, self._client = casino, node, client
        self.record = casino.place / "folder/node.db"
        self.day = today()

    # Acts

    def ask(self, asked: object, by: Pin, second: Pin | None = None) -> list[dict[str, Any]]:
        return _done(self._client.ask(asking(asked, by, second), PATIENCE))

    def do(self, deed: Deed, by: Pin, second: Pin | None = None, **told: Any) -> list[dict[str, Any]]:
        return _done(self._client.ask(doing(deed, by, second, **told), PATIENCE))

    def refuses(self, asked: object, by: Pin, second: Pin | None = None, **told: Any) -> str:
        """The name of the refusal: of an act, or of a deed."""
        made = doing(asked, by, second, **told) if isinstance(asked, Deed) else asking(asked, by, second)
        reply = self._client.ask(made, PATIENCE)
        assert not reply.ok and reply.trouble is not None, f"it was done: {asked}"
        return reply.trouble.reason

    # Play

    def opens_the_day(self) -> None:
        self.do(Deed.OPEN_DAY, JEFE, day=self.day)

    def until(self, condition: Any) -> NodeView:
        return self.node.until(condition)

    def table(self) -> TableView:
        return self._client.state(PATIENCE).tables[0]

    def opens(self, *seats: int) -> int:
        """A pass is open, at these seats there are credits: its number."""
        self.do(Deed.UNLOCK, CARLA, table=TABLE)
        for seat in seats:
            if self.table().seats[seat - 1].credits < 5:
                self.ask(ask.BuyCredits(TABLE, seat, 20, BY), CARLA)
        self.until(lambda view: all(seat.credits and not seat.locked for seat in view.seats if seat.seat in seats))
        return self.table().number

    def bets(self, *seats: int) -> None:
        """One credit at each; a press that a unit did not take is pressed again, as a player would."""
        end = time.monotonic() + PATIENCE
        while waiting := [seat for seat in seats if not self.table().seats[seat - 1].bet]:
            assert time.monotonic() < end, f"no bet at {waiting}: {self.casino.desk('status')}"
            self.casino.desk(*(f"seat {seat} press 1" for seat in waiting))
            again = time.monotonic() + 1
            while time.monotonic() < again and not all(self.table().seats[seat - 1].bet for seat in waiting):
                time.sleep(0.03)
        self.until(lambda view: all(view.tables[0].seats[seat - 1].light == "steady" for seat in seats))

    def sealed(self, *seats: int) -> int:
        """A pass in which these seats bet one credit, after "no más apuestas": its number."""
        number = self.opens(*seats)
        self.bets(*seats)
        self.ask(ask.Lock(TABLE, BY), CARLA)
        self.until(lambda view: view.tables[0].phase == "sealed")
        return number

    def closes(self) -> None:
        self.ask(ask.ClosePass(TABLE, BY), CARLA)

    def ends_the_pass(self) -> None:
        """An open one, in which perhaps nobody bet."""
        self.ask(ask.Lock(TABLE, BY), CARLA)
        if self.until(lambda view: view.tables[0].phase in {"sealed", "between"}).tables[0].phase == "sealed":
            self.closes()

    def documents(self) -> tuple[str, str]:
        """The plan in force and its law, word for word."""
        plan = (self.casino.place / "plan.toml").read_text()
        return plan, (CONFIG / "rulesets/scj-2023.toml").read_text()

    def renames(self, by: Pin, second: Pin) -> None:
        """The open day gets the date of tomorrow, or of yesterday where the clock is past midnight there."""
        day = (date.fromisoformat(self.day) - timedelta(days=1)).isoformat()
        self.ask(ask.RenameDay(day, "error de fecha", BY, BY), by, second)
        self.day = day

    def cashes(self) -> None:
        """Players are paid what they have; what was voided, once a chief signed."""
        for seat in self.table().seats:
            if seat.unsigned:
                self.ask(ask.SignVoid(TABLE, seat.seat, BY), JEFA)
            if seat.credits:
                self.ask(ask.CashOut(TABLE, seat.seat, BY), CARLA)

    # What is left of it

    def ends(self) -> None:
        """Players are paid what they have, the day is closed, and the node ends as it is asked to."""
        self.cashes()
        self.do(Deed.CLOSE_DAY, JEFE)
        code, _ = self.node.end()
        assert code == 0

    def report(self) -> Report:
        with Reader.open(self.record) as reader:
            return report(reader, asked_for("day", self.day))


def _done(reply: Reply) -> list[dict[str, Any]]:
    assert reply.ok, reply.trouble
    return [json.loads(bytes(fact)) for fact in reply.facts]
