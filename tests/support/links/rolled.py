"""A seeded evening in which the owner of the shared pot is put back to a copy of some time ago, once or twice, and goes on.

What its own tables did since is lost with its record; what it decided of others is not, for they have it.
"""

from copy import deepcopy
from typing import Any

from controller.core import inputs as ask
from controller.core.links.restored.bound import awaited_of
from controller.core.values import Phase
from controller.node.link.messages import PROTOCOLS
from support.links.evening import OWNER
from support.links.histories import ANA, CARLA, EVA
from support.links.nodes import Node, Nodes
from support.links.schedule import SEA, Schedule, live


class Rolled(Schedule):
    """`plays`: whether tables of the owner play too, and people of it move money and plans."""

    def __init__(self, seed: int, *, plays: bool = False) -> None:
        self.plays = plays
        super().__init__(seed)
        self.loses = self.dies = False
        self.troubles = set()
        for node in self.world.live:  # a record that was put back is shorter than it was
            node.on_commit = lambda _node: None
        self.copy: Any = None
        self.persons = 0

    def linked(self) -> Nodes:
        nodes = super().linked()
        for node in nodes.all.values():
            live(node).speaks = PROTOCOLS
        return nodes

    def play(self, node: Node) -> None:
        if self.plays or node.name != OWNER:
            super().play(node)

    def plan(self, node: Node) -> None:
        if self.plays:
            super().plan(node)

    def put_in(self, node: Node) -> None:
        if self.plays:
            super().put_in(node)

    def keep(self) -> None:
        self.nodes[OWNER].book.checkpoint()
        self.copy = deepcopy(live(self.nodes[OWNER]).kept)

    def put_back(self) -> None:
        owner = live(self.nodes[OWNER])
        owner.restored(deepcopy(self.copy))

    def rest(self) -> None:
        self.world.kind()
        self.comes_to_rest()
        while self.help():
            self.comes_to_rest()
            assert self.persons < 20, self.nodes[OWNER].state.taking_back
        super().rest()

    def end_the_evening(self, node: Node) -> None:
        """A pass of the owner that its old record has locking: nobody knows its lamps any more."""
        for table in self.tables[node.name]:
            if node.state.tables[table].phase is Phase.LOCKING:
                node.must(ask.VoidPass(table, "respaldo", EVA))
                node.give_back(table)
        super().end_the_evening(node)

    def comes_to_rest(self) -> None:
        """As far as it goes without people."""
        for _ in range(400):
            self.world.turn_all()
            if not self.world.waits():
                return

    def help(self) -> bool:
        """Two persons of the owner put in what the pot lacks, or go on without what nobody can tell again."""
        owner = self.nodes[OWNER]
        taking = owner.state.taking_back.get(SEA)
        if taking is None:
            return False
        self.persons += 1
        waited = awaited_of(owner.state, SEA)
        names = tuple(name for name in waited if name)
        if waited:
            owner.must(ask.GoOnWithout(SEA, names, "se llamó a todos", ANA, CARLA))
        else:
            part = self.chance.choice(("main", "reserva0"))
            self.ask(owner, ask.MoveMoney(SEA, "house", part, 20_000, "Res. 8", ANA, CARLA))
        return True
