"""A node as its links see it: a state that follows the facts, an inbox, letters in a record; the links are the real ones.

It stands for the engine: what neighbours said is taken by `turn`, in the test's own thread, and becomes facts as the core
makes them. Letters that were told long ago are found by a reader that looks like the store's.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self, cast

import msgspec
import zmq
from msgspec.structs import replace
from zmq.utils import z85

from controller.core.facts import Fact, LetterAcknowledged, LetterHeard, LetterTold, NeighbourPinned, NeighbourRevoked
from controller.core.links.known import Neighbour
from controller.core.links.letters import VERSION
from controller.core.links.streams import letter_told
from controller.core.state import State
from controller.core.values import Side
from controller.node.link.judgement import START
from controller.node.link.links import LinkPlaces, Links
from controller.node.link.sockets import OwnKey
from controller.node.store.rows import Head
from controller.node.store.store import Reader
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    Item,
    LinkBroken,
    LinkChanged,
    MeterHeard,
    NeighbourAcknowledged,
)
from controller.record.record import FactRow
from drivers.punctual import micros
from support.link.pair import letter

LOG = "pot:pozo"
LONGEST = 20.0  # seconds that a test waits for what must come


def new_key() -> OwnKey:
    public, secret = zmq.curve_keypair()
    return OwnKey(z85.decode(public), z85.decode(secret))


class Record:
    """The letters of a node, as a reader of its store would find them. `asked`: how often it was opened."""

    def __init__(self, told: list[LetterTold]) -> None:
        self._told = told
        self.asked = 0

    def __call__(self) -> Reader:
        self.asked += 1
        return cast("Reader", self)

    def head(self) -> Head:
        return Head(10 * len(self._told), b"")

    def facts_since(self, first: int, _kinds: tuple[str, ...]) -> Iterator[FactRow]:
        """Every tenth fact is a letter."""
        for at in range(max(0, -(-first // 10) - 1), len(self._told)):
            body = msgspec.json.encode({"fact": self._told[at]})
            yield FactRow(10 * (at + 1), 0, "letter_told", body, b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


class SmallNode:
    """`heard`: what it took of each neighbour's streams; `shares`: the neighbours below that hear the log of the pot."""

    def __init__(self, name: str, folder: Path, listen: str = "", key: OwnKey | None = None) -> None:
        self.name, self.key = name, key or new_key()
        self.state = State(node=name, epoch=1)
        self.told: list[LetterTold] = []
        self.record = Record(self.told)
        self.heard: dict[str, list[str]] = {}
        self.inbox: SimpleQueue[Item] = SimpleQueue()
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.items: list[Item] = []
        self.up: dict[str, bool] = {}
        self.later = 0  # by which its clock is put forward
        self._folder, self._listen = folder, listen

    def start(self, **addresses: str) -> Self:
        self._folder.mkdir(exist_ok=True)
        places = LinkPlaces(self.name, self._folder, self._listen, addresses, self.key)
        say = lambda event, fields: self.said.append((event, dict(fields)))
        self.links = Links(places, self.record, self.inbox.put, say, lambda: micros() + self.later)
        self.links.start(self.state, self.seq)
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.links.stop()

    @property
    def address(self) -> str:
        assert self.links.place is not None
        return f"tcp://127.0.0.1:{self.links.place[1]}"

    # Facts.

    @property
    def seq(self) -> int:
        """Of the last fact that is a letter."""
        return 10 * len(self.told)

    def follows(self, change: Callable[[State], State], *facts: Fact) -> None:
        self.state = change(self.state)
        if hasattr(self, "links"):
            self.links.committed(self.state, facts, self.seq)

    def pin(self, neighbour: str, side: Side, key: bytes) -> None:
        """One below hears the log of the pot: it did so before."""
        one = Neighbour(neighbour, side, key.hex())
        facts: list[Fact] = [NeighbourPinned(neighbour, side, key.hex(), "ana", "beto")]
        known = self.state.acknowledged
        if side is Side.BELOW:
            facts.append(LetterAcknowledged(neighbour, LOG, START))
            known = {f"{neighbour}/{LOG}": START, **known}
        neighbours = {**self.state.neighbours, neighbour: one}
        self.follows(lambda state: replace(state, neighbours=neighbours, acknowledged=known), *facts)

    def revoke(self, neighbour: str) -> None:
        one = replace(self.state.neighbours[neighbour], revoked=True)
        fact = NeighbourRevoked(neighbour, "robo", "ana", "beto")
        self.follows(lambda state: replace(state, neighbours={**state.neighbours, neighbour: one}), fact)

    def tell(self, stream: str, *texts: str) -> None:
        facts = []
        for text in texts:
            last = self.state.told.get(stream, START)
            fact = LetterTold(stream, self.state.epoch, last.number + 1, last.hash, VERSION, letter(text))
            self.state = letter_told(self.state, fact)
            facts.append(fact)
        self.told += facts
        self.follows(lambda state: state, *facts)

    # What came.

    def turn(self) -> None:
        try:
            while True:
                item = self.inbox.get_nowait()
                self.items.append(item)
                self._take(item)
        except Empty:
            return

    def _take(self, item: Item) -> None:
        match item:
            case FromNeighbour(name, stream, letters):
                place = f"{name}/{stream}"
                for one in letters:
                    assert one.mark.number == len(self.heard.setdefault(place, [])) + 1, "in order, and each once"
                    self.heard[place].append(one.letter.table)  # type: ignore[union-attr]
                mark = letters[-1].mark
                facts = [LetterHeard(name, stream, one.mark) for one in letters]
                self.follows(lambda state: replace(state, heard={**state.heard, place: mark}), *facts)
            case NeighbourAcknowledged(name, stream, mark):
                marks = {**self.state.acknowledged, f"{name}/{stream}": mark}
                fact = LetterAcknowledged(name, stream, mark)
                self.follows(lambda state: replace(state, acknowledged=marks), fact)
            case LinkChanged(name, up):
                self.up[name] = up

    def of(self, kind: type[Item]) -> list[Any]:
        return [item for item in self.items if isinstance(item, kind)]


def until(nodes: "list[SmallNode] | tuple[SmallNode, ...]", true: Callable[[], bool], longest: float = LONGEST) -> None:
    """The nodes live until this is true; it must become so."""
    end = time.monotonic() + longest
    while not true():
        assert time.monotonic() < end, [(node.name, str(node.items[-2:])[-400:], node.said[-3:]) for node in nodes]
        for node in nodes:
            node.turn()
        time.sleep(0.002)


__all__ = ["LinkBroken", "MeterHeard", "SmallNode", "new_key", "until"]
