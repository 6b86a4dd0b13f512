"""A node that is put back to an old copy of itself, and what its neighbours then do, carried by hand.

The copy is of everything that a backup has: the record, and with it the state. What the node told or heard since is gone
there, and stands at its neighbours still.
"""

from copy import deepcopy
from typing import Any, NamedTuple

import msgspec

from controller.core import inputs as ask
from controller.core.facts import Entry, Fact, LetterHeard
from controller.core.inputs import HearAcknowledged, TakeBack
from controller.core.links.restored.bound import is_missing
from controller.core.state import State
from controller.core.values import Mark
from controller.node.book.book import Book
from support.links.kept import Kept, as_store
from support.links.nodes import TWO, Node, Nodes

_read = msgspec.json.Decoder(Entry).decode
START = Mark(0, 0, "")


class Backup(NamedTuple):
    kept: Kept
    state: State
    seq: int
    hash: bytes
    balances: dict[str, int]
    rest: dict[str, Any]


_REST = ("numbers", "units", "seeds", "day", "told")


def backup(node: Node) -> Backup:
    node.book.checkpoint()
    book = node.book
    rest = {name: deepcopy(getattr(node, name)) for name in _REST}
    return Backup(node.kept.backup(), book.state, book.seq, book.hash, dict(book.balances), rest)


def put_back(node: Node, copy: Backup, epoch: int = 2) -> None:
    """`pozo restore`: the record goes on from the copy, under a new epoch, by two persons."""
    node.kept = copy.kept.backup()
    node.book = Book(as_store(node.kept), node.key, copy.state, copy.seq, copy.hash, dict(copy.balances))
    for name, value in copy.rest.items():
        setattr(node, name, deepcopy(value))
    node.must(ask.RestoreNode(epoch, "se quemó el disco", **TWO))


def heard_letters(member: Node, owner: str, stream: str) -> list[tuple[str, LetterHeard]]:
    """What a member has of a log, each with the hash of the letter before."""
    found: list[tuple[str, LetterHeard]] = []
    previous = ""
    for row in member.kept.facts():
        if row.kind == "letter_heard":
            fact = _read(row.body).fact
            assert isinstance(fact, LetterHeard)
            if (fact.neighbour, fact.stream) == (owner, stream):
                found.append((previous, fact))
                previous = fact.mark.hash
    return found


def hand_back(nodes: Nodes, owner: str, member: str, stream: str, most: int = 1_000) -> list[Fact]:
    """The letters behind where the owner's log stands now; what the owner makes of them."""
    node, made = nodes[owner], list[Fact]()
    told = node.state.told.get(stream, START).number
    letters = heard_letters(nodes[member], owner, stream)
    for previous, fact in [one for one in letters if one[1].mark.number > told][:most]:
        assert fact.letter is not None
        made += node.ask(TakeBack(member, stream, fact.mark, previous, fact.version, fact.letter))
    return made


def meet(nodes: Nodes, owner: str) -> None:
    """Every neighbour below greets the owner: it hands back what the owner lacks, and says how far it has heard."""
    for below, above in nodes.links:
        if above == owner:
            greet(nodes, owner, below)


def greet(nodes: Nodes, owner: str, member: str) -> None:
    node, other = nodes[owner], nodes[member]
    for pot in [*node.state.pots]:
        stream = f"pot:{pot}"
        hand_back(nodes, owner, member, stream)
        mark = other.state.heard.get(f"{owner}/{stream}", START)
        if mark != node.state.acknowledged.get(f"{member}/{stream}") or is_missing(node.state, member, stream):
            node.ask(HearAcknowledged(member, stream, mark))
    stream = f"to:{owner}"
    has = node.state.heard.get(f"{member}/{stream}", START)
    if has.number < other.state.acknowledged.get(f"{owner}/{stream}", START).number:
        other.ask(ask.HearWentBack(owner, stream, node.state.epoch, has))
    if not node.state.neighbours[member].up:
        node.ask(ask.SeeLink(member, up=True))
