"""Evenings of four nodes that share one pot whose plan changes again and again, by chance.

Letters are delivered one by one, at any moment, in the order of their stream; nodes are cut off; passes are played and
won, players sit down with money. What must hold is looked at after every step.
"""

import random

from controller.core import inputs as ask
from controller.core.state import Table
from controller.core.values import Documents, Phase
from support.core.linked_floors import Linked, LinkedFloor, shared
from support.floor.floor import ANA, CARLA, JEFA, JEFE

STEPS = 300
ABOVE = {"hub": "", "costa": "hub", "norte": "hub", "caja": "costa"}
ROWS = (
    ("B1", "costa", "caja@costa"), ("C1", "costa", "costa"), ("M1", "norte", "norte"), ("M2", "norte", "norte"),
    ("H1", "casa", ""),
)  # fmt: skip


class PlanEvening:
    """A pot of four nodes. A plan may lack any of its tables, or have another game or other limits for them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.net = Linked(ABOVE, inside=["caja"])
        self.offered = 0
        self.begun: dict[tuple[str, str, int], Documents] = {}
        self.offer(1.0)
        self.net.calm()
        for floor in self.net.at.values():
            floor.open_day()

    def run(self) -> None:
        for _ in range(STEPS):
            what = (self.deliver, self.play, self.pay, self.visit, self.offer, self.withdraw, self.cut)
            self.chance.choices(what, (150, 60, 20, 8, 3, 1, 2))[0]()
            self.look()
        self.come_to_rest()
        self.look()

    def offer(self, each: float = 0.85) -> None:
        rows = [row for row in ROWS if self.chance.random() < each] or [ROWS[0]]
        self.offered += 1
        tables = [(name, self.chance.choice(("draw", "draw", "go")), casino, node) for name, casino, node in rows]
        most = self.chance.choice((5_000, 6_000))
        self.net["hub"].offer(shared(*tables, resolution=f"Res. {self.offered}", most=most))

    def withdraw(self) -> None:
        if "pozo" in self.net["hub"].state.staged:
            self.net["hub"].ask(ask.WithdrawPlan("pozo", ANA))

    def deliver(self) -> None:
        ways = self.net.waiting()
        if ways:
            self.net.deliver(*self.chance.choice(ways))

    def cut(self) -> None:
        self.net.cut ^= {self.chance.choice([*ABOVE])}

    def play(self) -> None:
        """The next thing at some table: emptied and opened, bet on and locked, claimed, closed."""
        floor = self.net[self.chance.choice([*ABOVE])]
        if not floor.state.tables:
            return
        table = self.chance.choice([*floor.state.tables.values()])
        if table.phase is Phase.BETWEEN:
            if self.chance.random() < 0.7:
                cash(floor, table)
            floor.open_pass(table.name)
        elif table.phase is Phase.OPEN:
            floor.buy(1, 2, table.name) if self.chance.random() < 0.3 else floor.bet(1, 2, table.name)
            floor.lock(table.name)
        elif self.chance.random() < 0.3 and table.bets and not table.attempts:
            floor.claim((1, "full"), table=table.name)
        else:
            floor.close_pass(table.name)

    def visit(self) -> None:
        """A player buys credits and sits down, whatever the table waits for."""
        floor = self.net[self.chance.choice([*ABOVE])]
        if floor.state.tables:
            floor.buy(self.chance.randint(1, 3), 1, self.chance.choice([*floor.state.tables]))

    def pay(self) -> None:
        for floor in self.net.at.values():
            awards = [one for claim in floor.state.claims.values() if "@" not in claim.id for one in claim.awards]
            for name in awards:
                if floor.held(name).pending:
                    floor.ask(ask.ConfirmAward(name, JEFA, JEFE))
                    floor.ask(ask.PayAward(name, CARLA))

    def look(self) -> None:
        for name, floor in self.net.at.items():
            assert not floor.state.disputes, [one.why for one in floor.state.disputes.values()]
            for table in floor.state.tables.values():
                if table.phase is not Phase.BETWEEN:
                    now = floor.state.pots[table.pot].documents
                    assert self.begun.setdefault((name, table.name, table.number), now) == now, "R-26: between passes"

    def come_to_rest(self) -> None:
        self.net.cut.clear()
        for _ in range(2):
            for floor in self.net.at.values():
                for table in [*floor.state.tables.values()]:
                    if table.phase is Phase.OPEN:
                        floor.lock(table.name)
                    if table.name in floor.state.tables and floor.table(table.name).phase is Phase.SEALED:
                        floor.close_pass(table.name)
                    cash(floor, table)
            self.pay()
            self.net.calm()
        documents = self.net["hub"].state.pots["pozo"].documents
        for floor in self.net.at.values():
            assert not floor.state.staged and not floor.state.proposed and not floor.state.emptying
            assert all(floor.state.pots[table.pot].documents == documents for table in floor.state.tables.values())


def cash(floor: LinkedFloor, table: Table) -> None:
    now = floor.state.tables.get(table.name)  # perhaps a plan has just taken it away
    for seat in now.seats if now is not None else ():
        if seat.credits:
            floor.ask(ask.CashOut(table.name, seat.number, CARLA))
