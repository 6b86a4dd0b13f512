"""Random evenings of nodes that share a pot: whatever may happen at any of them, and letters carried late, in part, or not at all.

Nothing here knows what is right: the Books decide, and what they refuse is no part of the history. Chance comes from a seed.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from controller.core import inputs as ask
from controller.core.facts import Refused
from controller.core.inputs import Input
from controller.core.links.advances import bound
from controller.core.links.names import is_away
from controller.core.values import Hand, Lamp, Phase, Signature
from support.laws import naming
from support.links import evening
from support.links.evening import AT, POT, PRIZES, shared_plan
from support.links.nodes import Node, Nodes
from support.record.mistakes import cards_of
from support.record.verify_history import ruleset

EVA, CARLA, DARIO, ANA = (Signature(name) for name in ("eva", "carla", "dario", "ana"))
MADE = ("color", "full", "poker", "escalera_color", "escalera_real")

Acts = tuple[tuple[int, Callable[[Node], None]], ...]


class History:
    """`done`: what was taken, by the kind of what was asked. `tables`: of each node; `longest`: between two acts."""

    longest = 120_000
    tables: Mapping[str, Sequence[str]] = {name: (table,) for name, table in AT.items()}

    def __init__(self, seed: int, **readings: str) -> None:
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.nodes = self.linked()
        self.readings = readings
        self.resolution = 400
        self.begin()
        self.nodes.settle()
        for node in self.nodes.all.values():
            node.open_day()

    def linked(self) -> Nodes:
        return evening.linked()

    def begin(self) -> None:
        self.stage(shared_plan(extra=PRIZES, base=700_000, ceiling=900_000), cards=True)

    def at(self, node: Node) -> str:
        """One of its tables."""
        tables = self.tables[node.name]
        return tables[0] if len(tables) == 1 else self.chance.choice(tables)

    def stage(self, plan: str, *, cards: bool) -> None:
        law = ruleset(**self.readings)
        self.nodes[evening.OWNER].stage(plan, naming(law, "Carta Mágica") if cards else law)

    def acts(self) -> Acts:
        """What may happen at a node, and how often."""
        return (
            (8, self.play), (4, self.win), (4, self.close), (3, self.void), (3, self.correct), (6, self.pay), (2, self.show), (14, self.carry),
            (1, self.cut), (1, self.look), (1, self.put_in), (1, self.plan), (1, self.restart), (2, self.advance),
        )  # fmt: skip

    def advance(self, node: Node) -> None:
        """Two persons hand out part of what waits; now and then more than they may."""
        waiting = [
            (claim, name)
            for claim in node.state.claims.values()
            for name, one in claim.awards.items()
            if one.waits and not is_away(claim.table)
        ]
        if waiting:
            claim, name = self.chance.choice(waiting)
            amount = bound(node.state, claim, name).left * self.chance.choice((1, 1, 1, 2)) // self.chance.randint(1, 3)
            self.ask(node, ask.AdvanceAward(name, amount, "cable cortado", CARLA, self.chance.choice((ANA, DARIO))))

    def go(self, steps: int) -> Nodes:
        acts = self.acts()
        weights = [weight for weight, _ in acts]
        for _ in range(steps):
            act = self.chance.choices(acts, weights)[0][1]
            act(self.chance.choice(list(self.nodes.all.values())))
            self.nodes.tick(self.chance.randrange(1, self.longest))
        return self.nodes

    def rest(self) -> None:
        """Every pass over, every letter heard, every record signed."""
        for link in self.nodes.links:
            for here, other in (link, link[::-1]):
                self.ask(self.nodes[here], ask.SeeLink(other, up=True))
        self.nodes.settle()
        for node in self.nodes.all.values():
            self.close(node)
        self.nodes.settle()
        for node in self.nodes.all.values():
            node.book.checkpoint()

    def ask(self, node: Node, asked: Input) -> bool:
        taken = not any(isinstance(fact, Refused) for fact in node.ask(asked))
        self.done[type(asked).__name__] += taken
        return taken

    def play(self, node: Node) -> None:
        table = self.at(node)
        if node.state.tables[table].phase is not Phase.BETWEEN or not self.ask(node, ask.OpenPass(table, EVA)):
            return
        for seat in self.chance.sample(range(1, 7), self.chance.randint(0, 5)):
            node.bet(table, seat, self.chance.randint(1, 5), lit=self.chance.random() < 0.9)
        node.commit()
        if self.chance.random() < 0.1:
            self.ask(node, ask.VoidPass(table, "mazo", EVA))
            node.give_back(table)
            return
        for one in node.state.tables[table].seats:
            if one.bet and one.lamp is Lamp.DARK:
                lamp = self.chance.choice((Lamp.FAULT, Lamp.LIT))
                node.put(ask.LampSeen(table, one.number, lamp))
        node.lock(table)
        node.draws(table)

    def win(self, node: Node) -> None:
        table = node.state.tables[self.at(node)]
        if table.phase is not Phase.SEALED or not table.bets:
            return
        hands: list[Hand] = []
        for bet, suit in zip(table.bets, "cdhs", strict=False):
            made = self.chance.choice(("", "", *MADE))
            acts = ("folded",) if self.chance.random() < 0.1 else ()
            hands.append(Hand(bet.seat, acts, cards_of("DP-01", made, suit) if made else ()))
        self.ask(node, ask.RegisterClaim(table.name, tuple(hands), EVA))

    def close(self, node: Node) -> None:
        table = self.at(node)
        if node.state.tables[table].phase is Phase.SEALED:
            node.draws(table)
            self.ask(node, ask.ClosePass(table, EVA))
            node.give_back(table)

    def correct(self, node: Node) -> None:
        """R-34, R-35: any pass that was ever sealed here, with whatever cards; or nothing of a claim was true."""
        claims = [name for name, claim in node.state.claims.items() if not is_away(claim.table)]
        if claims and self.chance.random() < 0.3:
            self.ask(node, ask.RejectClaim(self.chance.choice(claims), "era otra mano", CARLA, DARIO))
            return
        bodies = (msgspec.json.decode(row.body)["fact"] for row in node.kept.facts() if row.kind == "pass_sealed")
        sealed = [fact for fact in bodies if fact["bets"] and not is_away(fact["table"])]
        if not sealed:
            return
        fact = self.chance.choice(sealed)
        hands = [
            Hand(bet["seat"], (), cards_of("DP-01", made, suit))
            for bet, suit in zip(fact["bets"], "cdhs", strict=False)
            if (made := self.chance.choice(("", *MADE)))
        ]
        by, second = (CARLA, DARIO) if self.chance.random() < 0.8 else (EVA, None)
        of = (fact["table"], fact["number"], tuple(hands))
        self.ask(node, ask.CorrectClaim(*of, "cámara", by, second, (), "cam 3"))

    def void(self, node: Node) -> None:
        table = node.state.tables[self.at(node)]
        if table.phase is not Phase.SEALED or not table.bets:
            return
        if self.chance.random() < 0.5:
            self.ask(node, ask.VoidPass(table.name, "mazo", EVA))
        else:
            self.ask(node, ask.VoidHand(table.name, table.bets[0].seat, "vista", EVA))
        node.give_back(table.name)
        node.empty(table.name)

    def pay(self, node: Node) -> None:
        owed = [
            name
            for claim in node.state.claims.values()
            if not is_away(claim.table)
            for name, award in claim.awards.items()
            if award.owed
        ]
        for award in self.chance.sample(owed, min(2, len(owed))):
            if self.chance.random() < 0.1:
                self.ask(node, ask.SetAside(award, "se fue", EVA, CARLA))
                continue
            self.ask(node, ask.ConfirmAward(award, CARLA, DARIO))
            self.ask(node, ask.PayAward(award, EVA))

    def show(self, node: Node) -> None:
        table = node.state.tables[self.at(node)]
        for prize in list(table.cards):
            if table.bets:
                self.ask(node, ask.ShowCard(table.name, prize, table.bets[0].seat, EVA))

    def carry(self, _node: Node) -> None:
        link = self.chance.choice(self.nodes.links)
        pair = link if self.chance.random() < 0.5 else link[::-1]
        self.nodes.carry(*pair, most=self.chance.randint(1, 12), acknowledge=self.chance.random() < 0.7)

    def cut(self, node: Node) -> None:
        for neighbour, one in node.state.neighbours.items():
            self.ask(node, ask.SeeLink(neighbour, up=not one.up or self.chance.random() < 0.7))
        if self.chance.random() < 0.3:
            self.nodes.tick(self.chance.randrange(60_000, 3_600_000))

    def look(self, node: Node) -> None:
        self.ask(node, ask.LookAtClock())

    def put_in(self, _node: Node) -> None:
        amount = self.chance.randint(1, 9_000)
        self.ask(self.nodes[evening.OWNER], ask.MoveMoney(POT, "house", "reserva0", amount, "Res. 9", ANA, CARLA))

    def plan(self, _node: Node) -> None:
        owner = self.nodes[evening.OWNER]
        if owner.state.staged:
            self.ask(owner, ask.WithdrawPlan(POT, ANA))
            return
        self.resolution += 1
        ceiling = self.chance.choice((900_000, 950_000, 5_000_000))
        self.stage(shared_plan(f"Res. {self.resolution}", extra=PRIZES, base=700_000, ceiling=ceiling), cards=True)

    def restart(self, node: Node) -> None:
        node.book.start(evening.BOOT, node.now)
        for neighbour in node.state.neighbours:
            if self.chance.random() < 0.8:
                self.ask(node, ask.SeeLink(neighbour, up=True))
