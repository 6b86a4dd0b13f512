"""`pozo verify A B C`: what several records say of each other, each of them proven before (R-28).

Theory. A letter is fixed where it was told and noted where it was heard, and its hash vouches for all letters before
it; so two records say the same if under every number that both have stands the same hash. A claim is the one thing of
which the hash is not made again at its reader, so it is compared word for word. And wherever both sides stand at the
same marks, of what one told the other and what he told him, what stands between them is the same with the other sign.
What differs is named with its place; nothing is put right.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from controller.record.record import Record
from controller.verify import facts as kinds
from controller.verify.books import lines_of
from controller.verify.facts import Reached, read_entry
from controller.verify.links import letters
from controller.verify.links.months import Months
from controller.verify.links.names import here
from controller.verify.links.pages import Stated, Which
from controller.verify.wrong import shown

Place = tuple[int, int]
"""The epoch and the number of a letter."""


class Told(NamedTuple):
    """A letter where it was told: the fact, its hash, and of a claim its words; `is_day`: that a day was closed."""

    fact: int
    hash: str
    claim: letters.ClaimMade | None
    is_day: bool


class Heard(NamedTuple):
    """A letter where it was heard: the fact, its hash, and of a claim what became of it; whether its words stand
    there, kept or in dispute."""

    fact: int
    hash: str
    claim: kinds.ClaimRegistered | kinds.ClaimAsked | None
    has_words: bool


class Side:
    """What one record says of its neighbours: letters, acknowledgements, and what stood between both at each mark."""

    def __init__(self, record: Record) -> None:
        self.node, self.place = record.node, record.place
        self.told: dict[str, dict[Place, Told]] = {}
        self.heard: dict[tuple[str, str], dict[Place, Heard]] = {}
        self.has: dict[tuple[str, str], Reached] = {}
        self.accepted: dict[tuple[str, str], int] = {}
        self.above: set[str] = set()
        self.months: dict[Which, Stated] = {}
        self.left: dict[tuple[str, str], tuple[int, int]] = {}
        """By neighbour and pot: from which letter upwards on the pot was left, and with how much (R-28)."""
        self.balance: dict[tuple[str, str], int] = {}
        self.at_marks: dict[tuple[str, str], dict[tuple[int, int], int]] = {}
        """By neighbour and pot: at (letters upwards, letters of the log) so much."""

    def mark(self, stream: str) -> int:
        told = self.told.get(stream)
        return next(reversed(told))[1] if told else 0

    def mark_heard(self, neighbour: str, stream: str) -> int:
        heard = self.heard.get((neighbour, stream))
        return next(reversed(heard))[1] if heard else 0

    def note_marks(self, me: str) -> None:
        """Behind an answer: what stands between this node and each neighbour, at the marks of both streams."""
        for (neighbour, pot), amount in self.balance.items():
            log = f"pot:{pot}"
            if neighbour in self.above:
                marks = (self.mark(f"to:{neighbour}"), self.mark_heard(neighbour, log))
            else:
                marks = (self.mark_heard(neighbour, f"to:{me}"), self.mark(log))
            self.at_marks.setdefault((neighbour, pot), {})[marks] = amount


def side_of(record: Record) -> Side:
    """One record that was proven, read once more."""
    side, answer, claim, disputed = Side(record), ("", 0, 0), None, False
    months = Months(record.node)
    for row in record.facts():
        entry = read_entry(row.body)
        assert entry is not None, "it was proven before"
        if entry.id != answer:
            side.note_marks(record.node)
            answer, claim, disputed = entry.id, None, False
        fact = entry.fact
        months.follow(entry.id, fact)
        if isinstance(fact, kinds.ClaimRegistered | kinds.ClaimAsked):
            claim = fact
        disputed = disputed or isinstance(fact, kinds.LetterDisputed)
        _note(side, row.seq, fact, claim, disputed=disputed)
        for account, amount, _ in lines_of(fact):
            kind, *names = account.split(":")
            if kind == "clearing":
                pot, neighbour = names
                side.balance[neighbour, pot] = side.balance.get((neighbour, pot), 0) + amount
    side.note_marks(record.node)
    side.months = dict(months.stated())
    return side


def _note(
    side: Side, seq: int, fact: Any, claim: kinds.ClaimRegistered | kinds.ClaimAsked | None, *, disputed: bool
) -> None:
    if isinstance(fact, kinds.NeighbourPinned) and fact.side == "above":
        side.above.add(fact.neighbour)
    elif isinstance(fact, kinds.LetterTold):
        mark = Reached(fact.epoch, fact.number, "")
        hash_ = letters.hash_of(side.node, fact.stream, fact.version, mark, fact.previous, bytes(fact.letter))
        said = letters.read(fact.letter)
        words = said if isinstance(said, letters.ClaimMade) else None
        side.told.setdefault(fact.stream, {})[fact.epoch, fact.number] = Told(
            seq, hash_, words, isinstance(said, letters.DayOver)
        )
        if isinstance(said, letters.OwnerLeft):
            side.left[fact.stream.removeprefix("to:"), said.pot] = (fact.number, said.amount)
    elif isinstance(fact, kinds.LetterHeard):
        heard = side.heard.setdefault((fact.neighbour, fact.stream), {})
        heard[fact.mark.epoch, fact.mark.number] = Heard(
            seq, fact.mark.hash, claim, disputed or bool(bytes(fact.letter))
        )
    elif isinstance(fact, kinds.LetterAcknowledged | kinds.NeighbourWentBack):
        side.has[fact.neighbour, fact.stream] = fact.mark
    elif isinstance(fact, kinds.NeighbourAccepted):
        side.accepted[fact.neighbour, fact.stream] = fact.mark.number


class Cleared(NamedTuple):
    """What stands between two neighbours of a pot: how often both stood at the same marks, and what it was the last
    time, as the one above has it; `up` letters of the one below, `log` letters of the pot."""

    pot: str
    times: int
    up: int
    log: int
    amount: int


class Month(NamedTuple):
    """What both say alike of a month of a pot: the balance at its end, as the one below owes it, and the hash that
    stands on the pages of both."""

    month: str
    pot: str
    closing: int
    hash: str


class Compared(NamedTuple):
    """Two neighbours, and how many letters both have."""

    above: str
    below: str
    letters: int
    clearing: tuple[Cleared, ...]
    months: tuple[Month, ...] = ()


class Across(NamedTuple):
    """What several records say of each other: who was compared, what differs, and what cannot be known from these."""

    compared: tuple[Compared, ...]
    different: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        return not self.different


def compare(sides: list[Side]) -> Across:
    """Each two that are neighbours."""
    by_name = {side.node: side for side in sides}
    compared: list[Compared] = []
    different: list[str] = []
    still_open: list[str] = []
    if len(by_name) < len(sides):
        different.append("dos de estos registros son del mismo nodo")
    for below in sides:
        for name in sorted(below.above):
            above = by_name.get(name)
            if above is None:
                still_open.append(f"lo que {below.node} y {shown(name)} se dijeron: falta el registro de {shown(name)}")
                continue
            many = 0
            for writer, reader in ((below, above), (above, below)):
                for stream in _between(writer, reader):
                    many += _same_letters(writer, reader, stream, different, still_open)
            still_open += _where_left(below, name)
            cleared = tuple(_same_clearing(above, below, different))
            months = tuple(_same_months(above, below, different, still_open))
            compared.append(Compared(name, below.node, many, cleared, months))
    return Across(tuple(compared), tuple(different), tuple(still_open))


def _where_left(below: Side, above: str) -> Iterator[str]:
    """R-28: from there on both books may differ, and people decide what is owed."""
    for (neighbour, pot), (number, amount) in below.left.items():
        if neighbour == above:
            owed = f"le debía {amount}" if amount >= 0 else f"{above} le debía {-amount}"
            where = f"{below.node} dejó el pozo {pot} de {above} en su carta {number}, donde {owed}"
            yield f"{where}: desde ahí no se compara"


def _between(writer: Side, reader: Side) -> list[str]:
    """The streams that one tells the other."""
    told = [stream for stream in writer.told if stream == f"to:{reader.node}" or stream.startswith("pot:")]
    heard = [stream for neighbour, stream in reader.heard if neighbour == writer.node]
    up = reader.node in writer.above
    return [stream for stream in dict.fromkeys([*told, *heard]) if stream.startswith("to:") is up]


def _same_letters(writer: Side, reader: Side, stream: str, different: list[str], still_open: list[str]) -> int:
    """R-28: under each number the same hash; nothing heard that was not told, or acknowledged that was not heard. What
    only one of them has because two persons there went on from it stays open."""
    told, heard = writer.told.get(stream, {}), reader.heard.get((writer.node, stream), {})
    lost_to = writer.accepted.get((reader.node, stream), 0)  # it was put back, and two took there what was heard of it
    same = 0
    for place, found in heard.items():
        right = told.get(place)
        where = f"{reader.place}, fact {found.fact}: la carta {place[1]} de {shown(stream)} (época {place[0]})"
        if right is None:
            left = place[1] <= lost_to or place[1] > reader.accepted.get((writer.node, stream), place[1])
            said = f"{where}: en el registro de {writer.node} no está"
            (still_open if left else different).append(said)
        elif right.hash != found.hash:
            different.append(f"{where} dice otra cosa que en {writer.place}, fact {right.fact}")
        else:
            same += 1
            different += [f"{where}: {why}" for why in _other_claim(right, found, writer.node)]
            if right.is_day and not found.has_words:
                different.append(f"{where}: dice que la jornada se cerró, y aquí no consta cuál")
    mark = writer.has.get((reader.node, stream))
    if mark is not None and mark.number:
        known = heard.get((mark.epoch, mark.number))
        if known is None or known.hash != mark.hash:
            say = f"{reader.node} acusó la carta {mark.number} de {shown(stream)}, y en {reader.place} no está"
            different.append(f"{writer.place}: {say}")
    behind = len(told) - len(heard)
    if behind > 0:
        still_open.append(f"{behind} cartas de {shown(stream)} que {reader.node} no ha oído todavía")
    return same


def _other_claim(told: Told, heard: Heard, writer: str) -> Iterator[str]:
    """R-20, R-34: a claim where it was made and where it was heard: the same hands, winners and certain amounts."""
    if told.claim is None or heard.claim is None:
        return
    made, taken = told.claim, heard.claim
    pairs = (
        ("los premios", here(made.claim, writer), taken.claim),
        ("la mesa y el pase", (here(made.table, writer), made.number), (taken.table, taken.number)),
        ("las manos", (made.hands, made.community), (taken.hands, taken.community)),
        ("quién no gana", made.unpaid, taken.unpaid),
        ("quién los anotó", f"{writer}/{made.by}", taken.by),
        ("quién gana", [(one.number, one.seat, one.prize) for one in made.awards], _winners(taken)),
    )
    for what, there, now in pairs:
        if there != now:
            yield f"{what}: allá {shown(there)}, aquí {shown(now)}"
    amounts = {one.number: one.amount for one in taken.awards}
    for one in made.awards:
        if one.amount and amounts.get(one.number) != one.amount:
            yield f"el premio {one.number}: allá {one.amount}, aquí {shown(amounts.get(one.number))}"


def _winners(claim: kinds.ClaimRegistered | kinds.ClaimAsked) -> list[tuple[int, int, str]]:
    return [(one.number, one.seat, one.prize) for one in claim.awards]


def _same_clearing(above: Side, below: Side, different: list[str]) -> Iterator[Cleared]:
    """R-28: at every mark where both stood, what one owes is what the other is owed."""
    for neighbour, pot in below.at_marks:
        if neighbour != above.node:
            continue
        ours, theirs = above.at_marks.get((below.node, pot), {}), below.at_marks[neighbour, pot]
        end = below.left.get((neighbour, pot))
        common = [marks for marks in ours if marks in theirs and (end is None or marks[0] < end[0])]
        for marks in common:
            if ours[marks] != -theirs[marks]:
                where = f"pozo {pot}, carta {marks[0]} de {below.node} y {marks[1]} del pozo"
                say = f"{above.node} tiene {ours[marks]} con {below.node}, y {below.node} tiene {theirs[marks]}"
                different.append(f"{where}: {say}")
        if common:
            yield Cleared(pot, len(common), *common[-1], ours[common[-1]])


def _same_months(above: Side, below: Side, different: list[str], still_open: list[str]) -> Iterator[Month]:
    """R-28: of every month whose days both have, the same statement; one that ends later on one side is under way."""
    for of, ours in below.months.items():
        month, pot, member, owner = of
        if (member, owner) != (below.node, above.node):
            continue
        theirs = above.months.get(of)
        where = f"la compensación de {month}, pozo {pot}, {member} y {owner}"
        if theirs == ours:
            yield Month(month, pot, ours.closing, ours.hash)
        elif theirs is not None and (theirs.up, theirs.log) == (ours.up, ours.log):
            said = f"{ours.closing} ({ours.hash[:16]}) y {theirs.closing} ({theirs.hash[:16]})"
            different.append(f"{where}: con las mismas cartas dicen {said}")
        else:
            still_open.append(f"{where}: los dos registros no llegan a la misma jornada")
