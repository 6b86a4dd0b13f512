"""Live nodes, the wires between them, and one clock of all wires: every part gets its turn when the chance says so.

A step is the smallest thing that can happen: a node's links look, its engine looks, its mirrors look, a wire delivers, what a
letter needs is read. Before any of them a node may die. `settle` is a kind world: nothing is lost and everybody gets his turn, until nobody
has anything to tell any more; that it comes to rest is what must hold.
"""

import random
from collections import defaultdict
from collections.abc import Callable

from controller.core import inputs as ask
from controller.core.links.known import MIRROR
from controller.core.values import Side
from drivers.session import MILLISECOND, SECOND
from support.link.wire import Wire
from support.links.live import LiveNode
from support.links.nodes import TWO, Node, Nodes, key_of
from support.links.watch import START, Watch

_REST = 4_000  # steps of 50 ms: longer than any patience


class World(Nodes):
    node = LiveNode

    def __init__(self, *names: str, chance: random.Random | None = None) -> None:
        super().__init__(*names)
        self.chance = chance = chance or random.Random(0)
        self.wires: dict[tuple[str, str], Wire] = {}
        self.micros = SECOND
        self.watch = Watch(self.all)
        self.inside: set[tuple[str, str]] = set()
        """Boxes, and the nodes that mirror them."""
        self.held = 0
        """Looks at such a pair in which no alarm excused anything."""
        self.rewritten: set[str] = set()
        """Nodes whose record has another history than the one that was mirrored."""
        for node in self.live:
            node.wires = defaultdict(lambda: Wire(chance))
            node.on_commit = self._look
            self.watch.look(node.name)

    @property
    def live(self) -> list[LiveNode]:
        return list(self.all.values())  # type: ignore[arg-type]

    def _look(self, node: LiveNode) -> None:
        self.watch.look(node.name)
        self._is_mirrored(node)

    def _is_mirrored(self, node: LiveNode) -> None:
        """R-27: what a casino's node has heard of a box, and so acknowledges, stands in the box's mirror; or an alarm at the
        box said that it may not, when it was told."""
        for name in node.state.neighbours:
            if (name, node.name) not in self.inside or name in self.rewritten:
                continue
            heard = node.state.heard.get(f"{name}/to:{node.name}", START).number
            kept = node.mirrors[name].told(f"to:{node.name}")
            excused = self._live(name).excused.get(node.name, 0)
            self.held += heard > excused
            assert heard <= max(kept, excused), f"{node.name} acknowledges {heard} of {name}, whose mirror has {kept}"

    def link(self, below: str, above: str, *, inside: bool = False) -> None:
        """Both pin each other, and there is a wire."""
        wire = self.wires[below, above] = Wire(self.chance)
        wire.faults = False
        self.links.append((below, above))
        if inside:
            self.inside.add((below, above))
        for here, other, side in ((below, above, Side.ABOVE), (above, below, Side.BELOW)):
            self._live(here).wires[other] = wire
            self[here].must(ask.PinNeighbour(other, side, key_of(other), inside=inside, **TWO))

    def _live(self, name: str) -> LiveNode:
        node: Node = self[name]
        assert isinstance(node, LiveNode)
        return node

    def advance(self, micros: int) -> None:
        self.micros += micros
        for node in self.live:
            node.micros = self.micros

    # By chance

    def step(self) -> None:
        chance = self.chance
        self.advance(chance.choice((0, MILLISECOND, 20 * MILLISECOND, 300 * MILLISECOND)))
        what, node = chance.random(), chance.choice(self.live)
        if what < 0.3:
            node.mirroring.turn()
        if what < 0.4:
            node.serve(gives=chance.random() < 0.8)
        elif what < 0.7:
            node.turn()
        elif what < 0.95:
            chance.choice(list(self.wires.values())).deliver(self.micros)
        else:
            node.read_beside(fails=chance.random() < 0.2)

    # A kind world

    def kind(self) -> None:
        for wire in self.wires.values():
            wire.faults, wire.reachable = False, True
            wire.deaf.clear()

    def settle(self) -> int:
        """Until nobody has anything to tell."""
        for steps in range(_REST):
            self.turn_all()
            if not self.waits():
                return steps
        raise AssertionError(f"it does not come to rest: {self.waits()}")

    def settle_until(self, holds: Callable[[], bool]) -> None:
        for _ in range(_REST):
            if holds():
                return
            self.turn_all()
        raise AssertionError("it does not come to that")

    def turn_all(self) -> None:
        self.advance(50 * MILLISECOND)
        for node in self.live:
            node.serve()
        for wire in self.wires.values():
            wire.deliver(self.micros)
        for node in self.live:
            node.turn()
            node.mirroring.turn()
            node.read_beside()

    def waits(self) -> list[str]:
        """Who has something to tell that was not heard and acknowledged; whom two persons have stopped has nothing."""
        found: list[str] = []
        for link in self.links:
            for writer, reader in (link, link[::-1]):
                found += self._between(self._live(writer), self._live(reader))
        return found

    def _between(self, writer: LiveNode, reader: LiveNode) -> list[str]:
        one, other = writer.state.neighbours.get(reader.name), reader.state.neighbours.get(writer.name)
        if one is None or other is None or one.revoked or other.revoked or {*one.stopped, *other.stopped} - {MIRROR}:
            return []
        end = writer.ends.get(reader.name)
        if end is None or not end.talk.up or writer.letters.waiting or not one.up:
            return [f"{writer.name} and {reader.name} do not speak"]
        found: list[str] = []
        if writer.lacks(reader.name) and not (reader.mirrors[writer.name].is_full or MIRROR in other.stopped):
            found.append(f"the mirror of {writer.name} lacks what it told {reader.name}")
        for stream, mark in writer.recorded.marks(reader.name).told.items():
            heard = reader.state.heard.get(f"{writer.name}/{stream}")
            has = writer.state.acknowledged.get(f"{reader.name}/{stream}")
            if not heard == has == mark and writer.has_told(stream, heard):
                found.append(f"{stream} of {writer.name} for {reader.name}: {mark}, heard {heard}, acknowledged {has}")
        return found
