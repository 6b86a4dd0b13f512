"""The letters between a node and each neighbour, of each pot, in their order, read from one record (R-28).

Theory. Letters that do not follow each other are no ground for any figure, so a gap, another epoch that nobody accepted
or a hash that is not of the letter ends the reading. A month ends where the member told that its day was closed; a day
that is not later than the one before, or that names letters which the log does not have, ends nothing, at both ends.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from controller.core import facts
from controller.core.facts import Entry
from controller.core.ledger import postings
from controller.core.links.letters import DayOver, Letter, PlanInForce, hash_of
from controller.core.state import plan_of
from controller.core.values import Documents, Mark, Side
from controller.record.reading import ReportRefused
from controller.report.clearing_letters import NOTHING, Brought, Heard, Log, base_of, upwards
from controller.rules.calendar import day_number
from controller.rules.ruleset import Currency

START = Mark(0, 0, "")


class LetterAt(NamedTuple):
    """A letter by its place in its stream, and what it says of one pot."""

    at: int
    number: int
    said: Brought


class DayEnd(NamedTuple):
    """Where a day of the member ended: behind so many letters of each stream, and how the ledger stood."""

    day: str
    up: int
    log: int
    book: int


BEGINNING = DayEnd("", 0, 0, 0)


class Link:
    """Two nodes and one pot: the letters of both streams in their order. Places of the stream upwards are counted over
    all pots, because its numbers are."""

    def __init__(self, pot: str, other: str, me: str, *, is_above: bool) -> None:
        self.pot, self.other, self.is_above = pot, other, is_above
        self.member, self.owner = (me, other) if is_above else (other, me)
        self.up: list[LetterAt] = []
        self.log: list[LetterAt] = []
        self.read = Log(self.member)
        self.ended: list[DayEnd] = []
        self.book = 0
        self.advanced: dict[str, int] = {}
        self.disputed: dict[int, int] = {}
        self.left = False

    @property
    def is_shared(self) -> bool:
        """Whether anything was ever told of it."""
        return bool(self.up or self.log or self.ended)

    def told_up(self, at: int, number: int, said: Brought) -> None:
        if said.player:
            said = self._advanced(said)
        if said != NOTHING:
            self.up.append(LetterAt(at, number, said))
            self.read.note(number, said)

    def _advanced(self, said: Brought) -> Brought:
        """R-20: what a player is paid gives back first what he was advanced."""
        ((key, amount),) = said.lines or (("paid", 0),)
        if key == "advances.given":
            self.advanced[said.player] = self.advanced.get(said.player, 0) + amount
            return said
        back = min(self.advanced.get(said.player, 0), amount)
        if not back:
            return said
        self.advanced[said.player] -= back
        return said._replace(lines=(*said.lines, ("advances.back", -back)))

    def day_over(self, at: int, letter: DayOver, log: int | None) -> None:
        """R-27: a later day, or another name for the last one; what is neither ends nothing. `log`: the place that its
        member had heard."""
        renamed = bool(self.ended) and letter.was == self.ended[-1].day
        *_, before = (BEGINNING, *self.ended[:-1]) if renamed else (BEGINNING, *self.ended)
        if log is None or log < before.log or not before.day < letter.day or day_number(letter.day) is None:
            return
        if renamed:
            self.ended[-1] = self.ended[-1]._replace(day=letter.day)
        elif not letter.was:
            self.ended.append(DayEnd(letter.day, at, log, self.book))


class LetterReader:
    """Follows a record in its order, and every letter in its stream."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.key, self.last, self.at = "", 0, 0
        self.above: set[str] = set()
        self.owners: dict[str, str] = {}
        self.documents: dict[str, Documents] = {}
        self.currencies: dict[str, Currency] = {}
        self.links: dict[tuple[str, str], Link] = {}
        self.marks: dict[tuple[str, str], Mark] = {}
        self.places: dict[tuple[str, str], list[Mark]] = {}
        self.place_of: dict[tuple[str, str, Mark], int] = {}
        self.has: dict[tuple[str, str], Mark] = {}
        self.heard: dict[str, Heard] = {}
        self._answer: tuple[str, int, int] = ("", 0, 0)
        self._before: list[facts.Fact] = []

    def follow(self, entry: Entry) -> None:
        if entry.id != self._answer:
            self._answer, self._before = entry.id, []
        fact = entry.fact
        self.last, self.at = entry.seq, entry.at
        if isinstance(fact, facts.LetterTold):
            self._told(entry.seq, fact)
        elif isinstance(fact, facts.LetterHeard):
            self._heard(entry.seq, fact)
        else:
            self._note(fact)
            self._before.append(fact)
        self._book(fact)

    def mark_at(self, stream: tuple[str, str], place: int) -> Mark:
        return self.places[stream][place - 1] if place else START

    def _note(self, fact: facts.Fact) -> None:
        if isinstance(fact, facts.NodeFounded):
            self.key = fact.key
        elif isinstance(fact, facts.NeighbourPinned):
            if fact.side is Side.ABOVE:
                self.above.add(fact.neighbour)
        elif isinstance(fact, facts.LetterAcknowledged):
            self.has[fact.neighbour, fact.stream] = fact.mark
        elif isinstance(fact, facts.NeighbourAccepted):
            self._accept(fact)
        elif isinstance(fact, facts.PlanTookEffect):
            self.documents[fact.pot] = documents = Documents(fact.plan, fact.ruleset)
            self.currencies[fact.pot] = plan_of(documents).ruleset.currency
            self.owners[fact.pot] = fact.above
        elif isinstance(fact, facts.PotLeft):
            self._link(fact.pot, fact.above).left = True
        elif isinstance(fact, facts.LetterDisputed):
            self._link(fact.pot, fact.neighbour).disputed[fact.number] = fact.amount
        elif isinstance(fact, facts.DisputeEnded):
            self._link(fact.pot, fact.neighbour).disputed.pop(fact.number, None)

    def _link(self, pot: str, other: str) -> Link:
        if (pot, other) not in self.links:
            self.links[pot, other] = Link(pot, other, self.node, is_above=other in self.above)
        return self.links[pot, other]

    def _book(self, fact: facts.Fact) -> None:
        """R-28: as the member has it: above nothing, it owes."""
        for line in postings(fact):
            kind, *names = line.account.split(":")
            if kind == "clearing":
                link = self._link(*names)
                link.book += line.amount if link.is_above else -line.amount

    # Letters in their streams

    def _next(self, seq: int, writer: str, stream: str, mark: Mark, previous: str | None) -> int:
        """The letter follows the one before; its place."""
        before = self.marks.get((writer, stream), START)
        follows = mark.number == before.number + 1 and mark.epoch >= before.epoch
        if not follows or previous not in (None, before.hash):
            what = f"la carta {mark.number} de {writer} ({stream}) no sigue a la {before.number}"
            raise ReportRefused(f"Hecho {seq}: {what}; `pozo verify` dice qué le pasa al registro.")
        self.marks[writer, stream] = mark
        places = self.places.setdefault((writer, stream), [])
        places.append(mark)
        self.place_of[writer, stream, mark] = len(places)
        return len(places)

    def _accept(self, fact: facts.NeighbourAccepted) -> None:
        """R-28: two persons looked, and the stream goes on there."""
        ours = fact.stream.startswith("to:") is (fact.neighbour in self.above)
        place = (self.node if ours else fact.neighbour, fact.stream)
        if not ours or fact.mark.number > self.marks.get(place, START).number:
            self.marks[place] = fact.mark

    def _told(self, seq: int, fact: facts.LetterTold) -> None:
        mark = Mark(fact.epoch, fact.number, "")
        hash_ = hash_of(self.node, fact.stream, fact.version, mark, fact.previous, fact.letter)
        mark = Mark(fact.epoch, fact.number, hash_)
        at = self._next(seq, self.node, fact.stream, mark, fact.previous)
        if fact.stream.startswith("pot:"):
            self._of_log(at, fact.number, fact.letter, tuple(self._below(fact.letter.pot)))
            return
        link = self._link(fact.letter.pot, fact.stream.removeprefix("to:"))
        if isinstance(fact.letter, DayOver):
            link.day_over(at, fact.letter, self._log_of(link, fact.letter.heard))
        else:
            link.told_up(at, fact.number, upwards(fact.letter, self._before))

    def _heard(self, seq: int, fact: facts.LetterHeard) -> None:
        number, letter = fact.mark.number, fact.letter
        if letter is not None:
            before = self.marks.get((fact.neighbour, fact.stream), START)
            said = hash_of(fact.neighbour, fact.stream, fact.version, fact.mark, before.hash, letter)
            if said != fact.mark.hash:
                raise ReportRefused(f"Hecho {seq}: la carta {number} de {fact.neighbour} no es la que se oyó.")
        at = self._next(seq, fact.neighbour, fact.stream, fact.mark, None)
        if isinstance(letter, DayOver):
            link = self._link(letter.pot, fact.neighbour)
            link.day_over(at, letter, self._log_of(link, letter.heard))
        elif letter is not None:
            self._of_log(at, number, letter, (self._link(letter.pot, fact.neighbour),))
        else:
            of = self.heard.setdefault(fact.neighbour, Heard(fact.neighbour, self.documents))
            pot, heard = of.read(self._before)
            if pot:
                self._link(pot, fact.neighbour).told_up(at, number, heard)

    def _log_of(self, link: Link, mark: Mark) -> int | None:
        """Where this letter of the pot's log stands; nothing where there is none."""
        return 0 if mark == START else self.place_of.get((link.owner, f"pot:{link.pot}", mark))

    def _below(self, pot: str) -> Iterator[Link]:
        """Who hears a log of ours."""
        yield from (link for link in self.links.values() if link.pot == pot and not link.is_above)

    def _of_log(self, at: int, number: int, letter: Letter, links: Iterable[Link]) -> None:
        for link in links:
            if link.left:  # what an owner who was left says, nobody here believes
                continue
            base = 0
            if isinstance(letter, PlanInForce):
                base = next(base_of(self._before, link.member, link.owner if link.is_above else ""), 0)
            said = link.read.read(letter, base)
            if said != NOTHING:
                link.log.append(LetterAt(at, number, said))
