"""Mirrors in memory: what a box gives of its record and what its casino's node keeps of it, by the link's own halves.

What stands in is the file, which survives its node and whose disk may be full, and the thread: it has its turn when somebody
says so. A box that burned is made anew from what was kept by the product's own hand (node/book/remake.py).
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from controller.core.facts import Fact, LetterTold, NeighbourAccepted
from controller.core.links.known import MIRROR
from controller.core.values import Side
from controller.node.book.remake import _snapshots, _Walk
from controller.node.link.messages import MirrorWord
from controller.node.link.mirror_feed import follows, proof
from controller.node.link.mirror_words import (
    MirrorAsks,
    MirrorMark,
    MirrorMessage,
    MirrorSaid,
    digest_of,
    mirror_packed,
    mirror_unpacked,
)
from controller.node.link.mirroring import Copied, KeepFacts, KeepHead, MirrorDiffers, Mirroring
from controller.node.store.mirror import ChainPlace, MirroredFact
from controller.node.store.rows import Batch
from controller.node.vocabulary.inbox import LinkBroken, LinkChanged
from controller.record.record import CheckpointRow, FactRow, PersonRow
from drivers.session import SECOND, Micros
from support.links.kept import as_store

if TYPE_CHECKING:
    from support.links.live import LiveNode, MortalStore

_AGAIN: Micros = 10 * SECOND
Doing = Callable[[Mirroring], None]


class _Entry(msgspec.Struct, frozen=True):
    fact: LetterTold


class KeptMirror:
    """The file of one box. `is_full`: its disk takes nothing."""

    def __init__(self) -> None:
        self.is_full = False
        self._facts: list[MirroredFact] = []
        self._checkpoints: list[CheckpointRow] = []
        self._states: dict[str, bytes] = {}
        self._key = ""

    @property
    def rows(self) -> list[FactRow]:
        return [fact.row for fact in self._facts]

    def copied(self, *, is_stopped: bool) -> Copied:
        signed = self._checkpoints[-1].seq if self._checkpoints else 0
        end = self.at(len(self._facts))
        return Copied(end, signed, self._key, self.at, lambda *ends: digest_of(self.facts(*ends)), is_stopped)

    def at(self, seq: int) -> ChainPlace | None:
        if not 1 <= seq <= len(self._facts):
            return None
        epoch, row = self._facts[seq - 1]
        return ChainPlace(epoch, seq, row.hash)

    def facts(self, first: int, last: int) -> list[FactRow]:
        return self.rows[first - 1 : last]

    def keep(self, new: KeepFacts) -> None:
        if new.branch is not None:
            del self._facts[new.branch.first - 1 :]
            self._checkpoints = [row for row in self._checkpoints if row.seq < new.branch.first]
        self._facts += new.facts
        self._checkpoints += new.checkpoints
        if new.snapshot:
            self._states[sha256(new.snapshot).hexdigest()] = new.snapshot
        if self._facts and not self._key:
            self._key = msgspec.json.decode(self._facts[0].row.body)["fact"]["key"]

    def snapshot(self, state: str) -> bytes | None:
        return self._states.get(state)

    def told(self, stream: str) -> int:
        """The number of the last letter of a stream that it has."""
        for _, row in reversed(self._facts):
            if row.kind == "letter_told":
                fact = msgspec.json.decode(row.body, type=_Entry).fact
                if fact.stream == stream:
                    return fact.number
        return 0

    def remade(self, into: "MortalStore", people: Iterable[PersonRow]) -> "MortalStore":
        """The record of the box as the mirror has it. `people`: out of the escrow."""
        walk, batch = _Walk(), list[FactRow]()
        for row in self.rows:
            batch.append(row)
            if row.kind == "node_restored" or row is self.rows[-1]:
                signed = [one for one in self._checkpoints if batch[0].seq <= one.seq <= row.seq]
                into.commit(walk.batch(batch, signed, list(_snapshots(self, signed))))  # type: ignore[arg-type]
                batch = []
        known = walk._state.people
        into.commit(Batch(people=[one for one in people if one.id in known]))
        return into


class LiveMirrors:
    """The thread beside the mirrors, in one life of a node."""

    def __init__(self, node: "LiveNode") -> None:
        self._node = node
        self._came: list[MirrorSaid | LinkChanged] = []
        self._marks: dict[str, MirrorMark] = {}
        self._mirroring: dict[str, Mirroring] = {}
        self._next_try: Micros = 0

    def heard(self, event: MirrorSaid | LinkChanged) -> None:
        self._came.append(event)

    def committed(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, NeighbourAccepted) and fact.stream == MIRROR and fact.neighbour in self._mirroring:
                self._mirroring[fact.neighbour].accept(self._node.micros)

    def turn(self) -> None:
        came, self._came = self._came, []
        for event in came:
            one = self._node.state.neighbours.get(event.neighbour)
            if one is not None and one.inside and not one.revoked:
                self._take(event, one.side)
        for name, one in self._node.state.neighbours.items():
            if one.inside and one.side is Side.BELOW:
                self._settle(name, lambda mirroring: mirroring.tick(self._node.micros, self._node.now))
        for name, mark in list(self._marks.items()):
            self._answer(name, mark)

    def _take(self, event: MirrorSaid | LinkChanged, side: Side) -> None:
        name, now = event.neighbour, self._node.micros
        if isinstance(event, LinkChanged):
            self._marks.pop(name, None)
            if side is Side.BELOW:
                self._settle(name, lambda mirroring: mirroring.up(now) if event.up else mirroring.down())
            return
        message = mirror_unpacked(event.octets)
        assert message is not None, "what a node says is understood"
        if side is Side.BELOW:
            self._settle(name, lambda mirroring: mirroring.receive(message, now))
        elif isinstance(message, MirrorMark):
            self._marks[name] = message
        elif isinstance(message, MirrorAsks):
            self._say(name, proof(as_store(self._node.kept), message))

    # Of a box

    def _answer(self, name: str, mark: MirrorMark) -> None:
        answered = follows(as_store(self._node.kept), mark)
        end = self._node.ends.get(name)
        if end is None:
            return
        if end.talk.up:
            end.talk.held.mirrored(answered.has, self._node.micros)
        if answered.kinds or not answered.has:
            del self._marks[name]
        for message in answered.messages:
            self._say(name, message)

    def _say(self, name: str, message: MirrorMessage) -> None:
        if (end := self._node.ends.get(name)) is not None:
            end.talk.mirror(MirrorWord(mirror_packed(message)))

    # Of its casino's node

    def _settle(self, name: str, do: Doing) -> None:
        """Something for the mirror of this box, and what follows from it."""
        mirroring = self._opened(name)
        if mirroring is None:
            return
        do(mirroring)
        while (event := mirroring.next_event()) is not None:
            match event:
                case KeepFacts() if self._node.mirrors[name].is_full:
                    del self._mirroring[name]
                    self._next_try = self._node.micros + _AGAIN
                    return
                case KeepFacts():
                    self._node.mirrors[name].keep(event)
                    mirroring.kept(self._node.micros, self._node.now)
                case KeepHead(body, signature):
                    mirroring.kept_head(body, signature)
                case MirrorDiffers(why, said, _):
                    self._node.letters.heard(LinkBroken(name, MIRROR, why, said))
        for message in mirroring.to_send():
            self._say(name, message)

    def _opened(self, name: str) -> Mirroring | None:
        if name not in self._mirroring and self._node.micros >= self._next_try:
            node = self._node
            copied = node.mirrors[name].copied(is_stopped=MIRROR in node.state.neighbours[name].stopped)
            self._mirroring[name] = Mirroring(name, copied, node.key.countersign, node.name, node.key.public)
            if name in node.ends and node.ends[name].talk.up:
                self._mirroring[name].up(node.micros)
        return self._mirroring.get(name)
