"""Floors of several nodes that share pots, with a wire of lists between them: what one tells the others hear, in order.

Every floor is a `Floor`, so after each fact its ledger and its state agree. `calm` delivers all that is on the way;
whoever is cut hears and says nothing until then. At rest the clearings of both sides of a link are the same, with
opposite sign.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from controller.core import inputs as ask
from controller.core.facts import Fact, LetterTold, PassSealed
from controller.core.inputs import Input
from controller.core.links.letters import Letter, hash_of
from controller.core.state import State
from controller.core.values import Mark, Side
from support.core.neighbour import pin
from support.floor.floor import ANA, JEFA, LUIS, PEOPLE, RULESETS, SECRET, TABLE, Floor, plan


class LinkedFloor(Floor):
    """One of them. `heard`: how many of a neighbour's letters it has heard, by stream."""

    def __init__(self, node: str) -> None:
        super().__init__(founded=False)
        self.node, self.asked = node, list[tuple[int, Input]]()
        self.ask(ask.FoundNode(node, "k" * 64, ("ana", "luis")))
        for name, role in PEOPLE.items():
            self.ask(ask.EnrolPerson(name, name.title(), (role,), SECRET, ANA, LUIS, known=True))

    def ask(self, asked: Input, *, after: int = 1_000) -> tuple[Fact, ...]:
        """As any floor; and what was asked when is kept, so that a book can be asked the same."""
        facts = super().ask(asked, after=after)
        self.asked.append((self.now, asked))
        return facts

    def sealed(self, bets: Mapping[int, int] | None = None, table: str = TABLE) -> Any:
        """The seal itself; of a neighbour's pot its letter comes after it."""
        super().sealed(bets, table)
        return self.heard(PassSealed)[-1]

    def told(self, stream: str = "") -> list[LetterTold]:
        return [fact for fact in self.heard(LetterTold) if stream in ("", fact.stream)]

    def letters(self, stream: str = "") -> list[Letter]:
        return [fact.letter for fact in self.told(stream)]

    def offer(self, document: str, ruleset: str = RULESETS["scj-2023"]) -> tuple[Fact, ...]:
        return self.ask(ask.StagePlan(document, ruleset, ANA, JEFA))


class Linked:
    """Nodes by name, each with the node above it, if there is one. `inside`: of the same casino as that."""

    def __init__(self, above: Mapping[str, str], inside: Iterable[str] = ()) -> None:
        self.above, self.cut = above, set[str]()
        self.at = {name: LinkedFloor(name) for name in above}
        for name, owner in above.items():
            if owner:
                self.at[name].ask(pin(owner, Side.ABOVE, inside=name in inside))
                self.at[owner].ask(pin(name, Side.BELOW, inside=name in inside))
                self.at[name].ask(ask.SeeLink(owner, up=True))
        self._given: dict[tuple[str, str, str], int] = {}

    def __getitem__(self, node: str) -> LinkedFloor:
        return self.at[node]

    def ask(self, node: str, asked: Input) -> tuple[Fact, ...]:
        return self.at[node].ask(asked)

    def calm(self) -> None:
        """Everything that is on the way is heard, and acknowledged, until nobody says anything more."""
        while ways := self.waiting():
            for way in ways:
                self.deliver(*way)
        if not self.cut:
            self.even()

    def waiting(self) -> list[tuple[str, str, str]]:
        """Who has something to tell whom, and on which stream; nobody who is cut."""
        return [way for way in self._ways() if len(self.at[way[0]].told(way[2])) > self._given.get(way, 0)]

    def _ways(self) -> Iterator[tuple[str, str, str]]:
        for below, owner in self.above.items():
            if owner and not {below, owner} & self.cut:
                yield below, owner, f"to:{owner}"
                logs = dict.fromkeys(one.stream for one in self.at[owner].told() if one.stream.startswith("pot:"))
                yield from ((owner, below, stream) for stream in logs)

    def deliver(self, writer: str, reader: str, stream: str) -> None:
        """The next letter, and that it was taken."""
        done = self._given.get((writer, reader, stream), 0)
        self.at[reader].ask(heard(writer, self.at[writer].told(stream)[done]))
        mark = self.at[reader].state.heard[f"{writer}/{stream}"]
        self.at[writer].ask(ask.HearAcknowledged(reader, stream, mark))
        self._given[writer, reader, stream] = done + 1

    def even(self) -> None:
        """R-28: at equal marks the clearing of both sides is the same, and no account goes by a stranger's name."""
        for below, owner in self.above.items():
            for pot in self.at[owner].state.pots if owner else ():
                mine, theirs = (
                    self.at[below].at(f"clearing:{pot}:{owner}"),
                    self.at[owner].at(f"clearing:{pot}:{below}"),
                )
                assert mine == -theirs, f"{pot}: {below} {mine}, {owner} {theirs}"


def heard(writer: str, told: LetterTold) -> ask.HearLetter:
    """As it arrives."""
    hash_ = hash_of(writer, told.stream, told.version, Mark(told.epoch, told.number, ""), told.previous, told.letter)
    mark = Mark(told.epoch, told.number, hash_)
    return ask.HearLetter(writer, told.stream, mark, told.previous, told.version, told.letter)


def shared(*tables: tuple[str, ...], name: str = "pozo", **other: Any) -> str:
    """A plan whose tables are (name, modality, casino, node), the node being empty for the owner's own."""
    head = plan(name, tables={"X": "draw"}, **other).partition("[[tables]]")[0]
    rows = []
    for table, modality, casino, node in tables:
        lines = [f'name = "{table}"', f'modality = "{modality}"', f'casino = "{casino}"']
        lines += [f'node = "{node}"'] if node else []
        rows.append("\n".join(["[[tables]]", *lines, *_limits(head)]))
    return head + "\n".join(rows) + "\n"


def _limits(head: str) -> list[str]:
    return [line for line in head.splitlines() if line.startswith(("min_bet", "max_bet"))]


def tables_of(state: State) -> tuple[set[str], set[str]]:
    """Its own, and those of neighbours below."""
    return set(state.tables), set(state.away)
