"""Two, three or more nodes at work, each with a Book in memory; letters go from one to another when a test carries them.

Nothing is lost, doubled or late unless the test wants it so: `carry` takes what a reader has not heard, so many letters as are
asked for, and acknowledges what was taken; `settle` carries until nobody has anything to tell any more. Nodes are known by name,
and each has the people, the day and the units of an evening's floor (record/verify_history.py).
"""

import hashlib
import random
from typing import Any

from controller.core import inputs as ask
from controller.core.facts import Fact, LetterTold
from controller.core.inputs import HearAcknowledged, HearLetter
from controller.core.links.letters import hash_of
from controller.core.links.restored.taken import waits
from controller.core.state import State
from controller.core.values import Mark, Side, Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import GENESIS
from controller.node.store.rows import OutcomeKey
from support.links.kept import Kept, as_store
from support.record import verify_history
from support.record.verify_history import START, Floor, Unit

TWO: dict[str, Any] = {"by": Signature("ana"), "second": Signature("bea")}


def key_of(name: str) -> str:
    """The public half of a node's link key, as others pin it."""
    return hashlib.sha256(f"llave de {name}".encode()).hexdigest()


class Node(Floor):
    """A floor whose book is in memory, and what it told: every letter, by stream, as whoever hears it is asked."""

    store: type[Kept] = Kept

    def __init__(self, name: str, seed: int = 1, now: int = START) -> None:
        self.name, self.now = name, now
        self.chance = random.Random(seed)
        self.key = verify_history.key_of(name)
        self.kept = self.store(name)
        self.book = Book(as_store(self.kept), self.key, State(), 0, GENESIS, {})
        founding = ask.FoundNode(name, self.key.public, ("ana", "bea"))
        self.book.take([Asked(OutcomeKey(name, 0, 1), self.now, founding)])
        self.numbers: dict[str, int] = {}
        self.waiting: list[Asked] = []
        self.units: dict[tuple[str, int], Unit] = {}
        self.seeds: dict[int, bytes] = {}
        self.day = 0
        self.told: dict[str, list[HearLetter]] = {}

    def commit(self) -> list[tuple[Fact, ...]]:
        answers = super().commit()
        for fact in (fact for answer in answers for fact in answer):
            if isinstance(fact, LetterTold):
                self._tell(fact)
        return answers

    def _tell(self, fact: LetterTold) -> None:
        place = Mark(fact.epoch, fact.number, "")
        hash_ = hash_of(self.name, fact.stream, fact.version, place, fact.previous, fact.letter)
        told = HearLetter(
            self.name, fact.stream, Mark(fact.epoch, fact.number, hash_), fact.previous, fact.version, fact.letter
        )
        self.told.setdefault(fact.stream, []).append(told)

    def hear(self, letter: HearLetter, **how: Any) -> tuple[Fact, ...]:
        """One letter, asked now."""
        return self.ask(letter, source=f"{letter.neighbour}/{letter.stream}", **how)

    def heard_of(self, neighbour: str, stream: str) -> int:
        mark = self.state.heard.get(f"{neighbour}/{stream}")
        return mark.number if mark else 0


class Nodes:
    """Nodes and who is whose neighbour: `links` are pairs (below, above)."""

    node: type[Node] = Node

    def __init__(self, *names: str) -> None:
        self.all = {name: self.node(name, seed) for seed, name in enumerate(names, 1)}
        self.links: list[tuple[str, str]] = []

    def __getitem__(self, name: str) -> Node:
        return self.all[name]

    def people(self) -> None:
        """Everybody at every node."""
        for node in self.all.values():
            node.people()

    def link(self, below: str, above: str, *, inside: bool = False) -> None:
        """Both pin each other, and the link stands."""
        for here, other, side in ((below, above, Side.ABOVE), (above, below, Side.BELOW)):
            self[here].must(ask.PinNeighbour(other, side, key_of(other), inside=inside, **TWO))
        self.links.append((below, above))
        self.see(below, above, up=True)

    def see(self, one: str, other: str, *, up: bool) -> None:
        """Both see the link stand, or break."""
        self[one].must(ask.SeeLink(other, up=up))
        self[other].must(ask.SeeLink(one, up=up))

    def streams(self, writer: str, reader: str) -> list[str]:
        """What one writes that the other reads: the stream to who is above, the logs of its pots to who is below."""
        up = (writer, reader) in self.links
        return [
            stream for stream in self[writer].told if (stream == f"to:{reader}" if up else stream.startswith("pot:"))
        ]

    def carry(self, writer: str, reader: str, most: int = 1_000, *, acknowledge: bool = True) -> int:
        """What the reader has not heard yet, in its order; how many letters that were."""
        carried = 0
        for stream in self.streams(writer, reader):
            heard = self[reader].heard_of(writer, stream)
            letters = self[writer].told[stream][heard : heard + most - carried]
            for many, letter in enumerate(letters):
                if waits(self[reader].state, letter):  # it stays with its writer
                    letters = letters[:many]
                    break
                self[reader].hear(letter)
            carried += len(letters)
            if letters and acknowledge:
                self.acknowledge(reader, writer, stream)
        return carried

    def acknowledge(self, reader: str, writer: str, stream: str) -> None:
        mark = self[reader].state.heard.get(f"{writer}/{stream}")
        if mark is not None:
            self[writer].ask(HearAcknowledged(reader, stream, mark), source=f"{reader}/ack:{stream}")

    def settle(self) -> int:
        """Until nobody has anything to tell; how many letters went."""
        many = 0
        while went := sum(self.carry(*pair) for link in self.links for pair in (link, link[::-1])):
            many += went
            assert many < 100_000, "it comes to rest"
        return many

    def tick(self, ms: int) -> None:
        """Time goes on everywhere."""
        for node in self.all.values():
            node.now += ms

    def clearing(self, pot: str) -> dict[tuple[str, str], int]:
        """What stands between each two, as each of them has it."""
        found: dict[tuple[str, str], int] = {}
        for link in self.links:
            for here, other in (link, link[::-1]):
                found[here, other] = self[here].book.balances.get(f"clearing:{pot}:{other}", 0)
        return found
