"""Two neighbours over a seeded network that loses, doubles, delays and reorders, cuts at any step, and kills either end.

The protocol is the real one (node/link/conversation.py); the record of each side is a few lists that survive a kill, and its
engine commits what was heard some time later. `Pair.check` holds after every step, `Pair.calm` makes the world kind again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from controller.core.inputs import HearLetter
from controller.core.links.letters import READ, Letter, PassOver, hash_of, written
from controller.core.values import Mark, Side
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.happened import Dial, HangUp, TurnedDown
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import PROTOCOLS, Sent
from controller.node.link.streams import ToldLetter
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    LinkBroken,
    LinkChanged,
    MeterHeard,
    NeighbourAcknowledged,
)
from drivers.session import MILLISECOND, SECOND, Micros
from support.link.wire import Plug, Wire

UP, DOWN = "to:central", "pot:Gran Pozo"
"""The stream of the box, and that of the pot."""


def letter(text: str) -> Letter:
    return PassOver(pot="Gran Pozo", table=text, number=1, reviewed=False)


class Writing:
    """All letters of one stream, as its writer's record has them."""

    def __init__(self, node: str, stream: str) -> None:
        self.node, self.stream = node, stream
        self.letters: list[ToldLetter] = []

    @property
    def told(self) -> Mark:
        return self.letters[-1].mark if self.letters else START

    def tell(self, said: Letter, epoch: int = 1, version: int = 1, seq: int = 0) -> ToldLetter:
        previous, number = self.told.hash, self.told.number + 1
        own = hash_of(self.node, self.stream, version, Mark(epoch, number, ""), previous, said)
        made = ToldLetter(Sent(epoch, number, version, written(said)), previous, own, seq)
        self.letters.append(made)
        return made

    def after(self, mark: Mark) -> Sequence[ToldLetter]:
        return self.letters[mark.number : mark.number + 250]


@dataclass
class End(Plug):
    """One node: what stands in its record, and what a kill takes from it."""

    name: str
    neighbour: str
    side: Side  # on which the neighbour is
    writing: Writing
    reads: str  # the stream that it hears
    protocols: Sequence[int] = PROTOCOLS
    versions: Sequence[int] = READ
    epoch: int = 1
    # the record
    heard: list[HearLetter] = field(default_factory=list)
    start: Mark = START
    acknowledged: Mark = START
    stopped: frozenset[str] = frozenset()
    # what a kill takes
    talk: NeighbourTalk = field(init=False)
    waiting: list[HearLetter] = field(default_factory=list)
    broken: list[LinkBroken] = field(default_factory=list)
    turned: list[TurnedDown] = field(default_factory=list)
    meters: list[MeterHeard] = field(default_factory=list)
    ups: list[bool] = field(default_factory=list)
    asked: list[tuple[str, Mark]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.begin(0)

    def begin(self, now: Micros) -> None:
        """A new process on the same record."""
        self.waiting.clear()
        self.asked.clear()
        self.session = 0
        self.talk = NeighbourTalk(self.name, self.neighbour, self.side, now, self.protocols, self.versions)
        self.knows()

    @property
    def mark(self) -> Mark:
        return self.heard[-1].mark if self.heard else self.start

    def knows(self) -> None:
        told = {self.writing.stream: self.writing.told} if self.writing.letters else {}
        heard = {self.reads: self.mark} if self.mark.number else {}
        acknowledged = {self.writing.stream: self.acknowledged} if self.acknowledged.number else {}
        self.talk.knows(LinkMarks(self.epoch, told, heard, acknowledged, self.stopped))

    def commit(self, most: int) -> None:
        """The engine takes letters that follow, as many as one commit has."""
        for one in self.waiting[:most]:
            assert one.mark.number == self.mark.number + 1, "no letter twice, and none left out"
            assert one.previous == self.mark.hash
            self.heard.append(one)
        del self.waiting[:most]
        self.knows()


class Pair:
    """A box below and its central above. Everything that happens is drawn from the seed."""

    def __init__(self, seed: int, faults: bool = True) -> None:
        self.chance = random.Random(seed)
        self.now: Micros = SECOND
        self.faults = faults
        self.box = End("caja", "central", Side.ABOVE, Writing("caja", UP), DOWN)
        self.central = End("central", "caja", Side.BELOW, Writing("central", DOWN), UP)
        self.sides = (self.box, self.central)
        self.wire = Wire(self.chance, self.box, self.central)
        self.wire.faults = faults

    def other(self, side: End) -> End:
        return self.central if side is self.box else self.box

    # One step.

    def step(self) -> None:
        self.now += self.chance.choice((0, MILLISECOND, 20 * MILLISECOND, 300 * MILLISECOND))
        act = self.chance.random()
        for side in self.sides:
            if act < 0.5 or not self.faults:
                for _ in range(self.chance.randrange(3)):
                    side.writing.tell(letter(f"M{side.writing.told.number}"))
                side.knows()
            if self.chance.random() < 0.5:
                side.commit(self.chance.choice((1, 3, 200)))
        if self.faults:
            self._mischief(act)
        self.turn()
        self.check()

    def _mischief(self, act: float) -> None:
        if act > 0.995:
            side = self.chance.choice(self.sides)
            self.wire.cut(self.now)
            side.begin(self.now)
        elif act > 0.98:
            self.wire.cut(self.now)
        elif act > 0.97:
            self.wire.reachable = not self.wire.reachable

    def turn(self) -> None:
        """Whatever is due now, in both sides and on the way."""
        for _ in range(4):
            for side in self.sides:
                self._serve(side)
            self.wire.deliver(self.now)
            for side in self.sides:
                self._serve(side)

    def _serve(self, side: End) -> None:
        side.talk.tick(self.now)
        side.asked += side.talk.wanted()
        late = self.faults and self.chance.random() < 0.3
        while side.asked and not late:
            stream, after = side.asked.pop(0)
            side.talk.give(stream, after, side.writing.after(after), self.now)
        self.wire.take(side, self.now)
        while (event := side.talk.next_event()) is not None:
            self._happened(side, event)

    def _happened(self, side: End, event: object) -> None:
        match event:
            case Dial():
                self.wire.dial(self.now)
            case HangUp():
                self.wire.cut(self.now)
            case FromNeighbour(_, _, letters):
                side.waiting += letters
            case NeighbourAcknowledged(_, _, mark):
                assert mark.number >= side.acknowledged.number
                side.acknowledged = mark
                side.knows()
            case LinkBroken():
                side.broken.append(event)
            case TurnedDown():
                side.turned.append(event)
            case MeterHeard():
                side.meters.append(event)
            case LinkChanged(_, up):
                side.ups.append(up)

    # What must hold.

    def check(self) -> None:
        for reader in self.sides:
            writer = self.other(reader)
            told = [(one.mark, one.previous) for one in writer.writing.letters]
            got = [(one.mark, one.previous) for one in reader.heard]
            assert got == told[: len(got)], "what is heard is a beginning of what was told"
            assert writer.acknowledged.number <= len(got), "nothing is acknowledged that is not in the record"
            assert len(reader.waiting) <= 200, "one batch at a time"
            assert not reader.broken and not reader.turned, (reader.broken, reader.turned)

    def calm(self, seconds: int = 120) -> None:
        """The network is kind again, and both engines commit."""
        self.faults = self.wire.faults = False
        self.wire.reachable = True
        until = self.now + seconds * SECOND
        while self.now < until and not self.settled():
            self.now += 50 * MILLISECOND
            for side in self.sides:
                side.commit(200)
            self.turn()
            self.check()

    def settled(self) -> bool:
        return all(
            side.mark == self.other(side).writing.told == self.other(side).acknowledged and not side.waiting
            for side in self.sides
        )
