"""A seeded evening of four nodes over a hostile network, with everything that may happen to them, and then calm (R-18 to R-28).

`mar` owns a pot that its own table feeds, with the casinos `sol` and `rey`, and `caja`, a box of `sol`. `sol` owns a second
pot of a table of its own and one of `caja`. Tables of three casinos have one name. Which faults there are is drawn too, so
that no fault hides another one.
"""

import random

from controller.core import inputs as ask
from controller.core.links.names import is_away
from controller.core.values import Phase, Signature
from controller.verify.links.across import compare, side_of
from support.laws import naming
from support.links.evening import PRIZES, shared_plan
from support.links.histories import ANA, CARLA, Acts, History
from support.links.live import LiveNode
from support.links.nodes import Node, Nodes
from support.links.watch import Watch
from support.links.world import World
from support.record.verify_history import ruleset
from support.record.verifying import verify

OWNER, CASINO, BOX, SECOND = "mar", "sol", "caja", "rey"
SEA, SUN = "pozo-del-mar", "pozo-del-sol"
OWNERS = {SEA: OWNER, SUN: CASINO}
PLACES = {
    SEA: (
        ("DP-01", "mar", "draw", ""), ("DP-01", "sol", "draw", "sol"), ("CP-01", "sol", "caribbean_plus", "caja@sol"),
        ("DP-01", "rey", "draw", "rey"), ("DP-03", "rey", "draw", "rey"),
    ),
    SUN: (("DP-02", "sol", "draw", ""), ("CP-02", "sol", "caribbean_plus", "caja")),
}  # fmt: skip
READINGS: tuple[dict[str, str], ...] = (
    {}, {}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"}, {"real_after_cap": "uncut"}, {"late_from": "house"},
)  # fmt: skip


class Schedule(History):
    tables = {OWNER: ("DP-01",), CASINO: ("DP-01", "DP-02"), BOX: ("CP-01", "CP-02"), SECOND: ("DP-01", "DP-03")}

    def __init__(self, seed: int) -> None:
        drawn = random.Random(seed)
        self.commission = drawn.choice((200_000, 123_457, 99_999))
        self.base = drawn.choice((0, 20_000, 700_000))
        self.loses, self.dies, self.cuts = (drawn.random() < 0.7 for _ in range(3))
        super().__init__(seed, **drawn.choice(READINGS))

    @property
    def world(self) -> World:
        assert isinstance(self.nodes, World)
        return self.nodes

    @property
    def watch(self) -> Watch:
        return self.world.watch

    def linked(self) -> Nodes:
        world = World(OWNER, CASINO, BOX, SECOND, chance=self.chance)
        world.people()
        world.link(CASINO, OWNER)
        world.link(BOX, CASINO, inside=True)
        world.link(SECOND, OWNER)
        return world

    def begin(self) -> None:
        for pot in OWNERS:
            self.offer(pot)
            self.world.settle()

    def offer(self, pot: str) -> None:
        self.resolution += 1
        ceiling = self.chance.choice((900_000, 950_000, 5_000_000))
        text = shared_plan(
            f"Res. {self.resolution}", PRIZES, PLACES[pot], pot,
            base=self.base, ceiling=ceiling, commission_ppm=self.commission,
        )  # fmt: skip
        law = naming(ruleset(**self.readings), "Carta Mágica")
        self.nodes[OWNERS[pot]].stage(text, law)

    def acts(self) -> Acts:
        return (
            (8, self.play), (4, self.win), (4, self.close), (3, self.void), (2, self.correct), (6, self.pay), (2, self.show), (40, self.carry),
            (1, self.cut), (1, self.look), (1, self.put_in), (1, self.plan), (1, self.restart), (1, self.day),
        )  # fmt: skip

    def run(self, steps: int) -> None:
        for wire in self.world.wires.values():
            wire.faults = self.loses
        self.go(steps)
        self.rest()

    def carry(self, node: Node) -> None:
        for _ in range(self.chance.randint(1, 30)):
            self._mischief()
            self.world.step()

    def _mischief(self) -> None:
        what = self.chance.random()
        wire = self.chance.choice(list(self.world.wires.values()))
        if self.dies and what < 0.005:
            self.chance.choice(self.world.live).begin()
        elif self.dies and what < 0.012:
            self.chance.choice(self.world.live).kept.dies = self.chance.choice(("before", "after"))
        elif self.cuts and what < 0.02:
            wire.cut(self.world.micros)
        elif self.cuts and what < 0.024:
            wire.deaf ^= {self.chance.choice((0, 1))}
        elif what < 0.04 and not wire.reachable:
            wire.reachable = True

    def cut(self, _node: Node) -> None:
        """Somebody pulls a cable, for minutes or hours."""
        if not self.cuts:
            return
        wire = self.chance.choice(list(self.world.wires.values()))
        wire.reachable = False
        wire.cut(self.world.micros)
        if self.chance.random() < 0.3:
            for node in self.world.live:
                node.serve()
                node.turn()
            self.nodes.tick(self.chance.randrange(60_000, 3_600_000))

    def restart(self, node: Node) -> None:
        """In order: the next life begins from a snapshot."""
        if self.dies:
            live(node).kept.dies = ""
            node.book.checkpoint()
            live(node).begin()

    def plan(self, _node: Node) -> None:
        pot = self.chance.choice(list(OWNERS))
        if pot in self.nodes[OWNERS[pot]].state.staged:
            self.ask(self.nodes[OWNERS[pot]], ask.WithdrawPlan(pot, ANA))
        else:
            self.offer(pot)

    def put_in(self, _node: Node) -> None:
        pot = self.chance.choice(list(OWNERS))
        amount = self.chance.randint(1, 9_000)
        self.ask(self.nodes[OWNERS[pot]], ask.MoveMoney(pot, "house", "reserva0", amount, "Res. 9", ANA, CARLA))

    def day(self, node: Node) -> None:
        """Closed if that can be, also when cut off, and the next one begins."""
        for table in self.tables[node.name]:
            if node.state.tables[table].phase is Phase.BETWEEN:
                node.empty(table)
        if node.day < 25 and self.ask(node, ask.CloseDay(node.seeds[node.day].hex(), CARLA)):
            node.open_day()

    # And then calm

    def rest(self) -> None:
        self.world.kind()
        for node in self.world.live:
            node.kept.dies = ""
        self.world.settle()
        for _ in range(2):
            for node in self.world.live:
                self.end_the_evening(node)
            self.world.settle()
        for pot in OWNERS:
            self.offer(pot)
            self.world.settle()
        self.is_at_rest()
        self.is_the_same_to_a_second_hand()

    def end_the_evening(self, node: Node) -> None:
        for table in self.tables[node.name]:
            now = node.state.tables[table]
            if now.phase is Phase.OPEN:
                node.lock(table)
            if node.state.tables[table].phase is Phase.SEALED:
                node.draws(table)
                node.must(ask.ClosePass(table, Signature("eva")))
                node.give_back(table)
            node.empty(table)
        for claim, one in list(node.state.claims.items()):
            if not is_away(one.table):
                self.pay_what_is_owed(node, claim)

    def pay_what_is_owed(self, node: Node, claim: str) -> None:
        for award, held in list(node.state.claims[claim].awards.items()):
            if held.pending and not held.waits and not node.state.claims[claim].frozen:
                if not held.confirmed:
                    self.ask(node, ask.ConfirmAward(award, Signature("carla"), Signature("ana")))
                if not self.ask(node, ask.PayAward(award, Signature("eva"))):
                    node.must(ask.ConfirmAward(award, Signature("dario"), Signature("ana")))
                    node.must(ask.PayAward(award, Signature("eva")))

    def is_at_rest(self) -> None:
        """Nobody waits for anything, and all have the same plan."""
        for node in self.world.live:
            state = node.state
            waits = (state.undecided, state.awaited, state.staged, state.proposed, state.emptying, state.disputes)
            assert not any(waits), (node.name, waits)
            owed = [
                name
                for one in state.claims.values()
                for name, award in one.awards.items()
                if award.pending or award.waits
            ]
            assert not owed, (node.name, owed)
            for pot, owner in OWNERS.items():
                assert pot not in state.pots or state.pots[pot].documents == self.nodes[owner].state.pots[pot].documents
        for pot in OWNERS:
            found = self.nodes.clearing(pot)
            assert all(amount == -found[other, one] for (one, other), amount in found.items()), found

    def is_the_same_to_a_second_hand(self) -> None:
        for node in self.world.live:
            node.book.checkpoint()
            verdict = verify(node.kept, None, lambda _seq: None)
            assert verdict.wrong is None, f"{node.name}: {verdict.wrong}"
        across = compare([side_of(node.kept) for node in self.world.live])
        assert across.is_good and across.open == (), across


def live(node: Node) -> LiveNode:
    assert isinstance(node, LiveNode)
    return node
