"""A month between two nodes, made a second time from one record that was proven: what both must say alike (R-28).

Theory. The program counts what letters say; here it is counted from facts and from what they moved in the ledger
between the two nodes, and put at the letter that told it. So the first hand and this one meet only in the result: the
body of a statement, word for word and byte for byte, whose hash stands on paper (docs/record.md, Clearing).
"""

import hashlib
import tomllib
from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import msgspec

from controller.record.record import Record
from controller.verify import facts as kinds
from controller.verify.books import SHARE, lines_of
from controller.verify.facts import Fact, Reached, read_entry
from controller.verify.links import letters
from controller.verify.links.names import is_away, neighbour_of, there
from controller.verify.links.pages import DETAILS, Stated, Which
from controller.verify.links.state import NOWHERE

_OF_A_MONTH = 7
_LEFT = "*"  # in the place of a name that waits no more: none does, for the owner was left
_UP: dict[type, tuple[type, ...]] = {
    letters.BetsSealed: (kinds.PassSealed,),
    letters.BetsVoided: (kinds.HandsVoided,),
    letters.ClaimMade: (kinds.ClaimAsked,),
    letters.PrizeDrawn: (kinds.PrizeGranted,),
    letters.AwardGiven: (kinds.AwardPaid, kinds.AwardSetAside),
    letters.CorrectionWanted: (kinds.CorrectionAsked,),
    letters.OwnerLeft: (kinds.PotLeft,),
    letters.AdvanceGiven: (kinds.AwardAdvanced, kinds.AdvanceHeard),
}
_LOG: dict[type, tuple[type, ...]] = {
    letters.ClaimSettled: (kinds.ClaimRegistered, kinds.ClaimDecided),
    letters.ClaimPutRight: (kinds.ClaimCorrected, kinds.CorrectionRefused),
    letters.HouseBears: (kinds.HandsVoided, kinds.PrizeGranted, kinds.HouseCharged),
    letters.PlanInForce: (kinds.PlanTookEffect,),
    letters.DisputeOver: (kinds.DisputeEnded,),
    letters.PotMoved: (kinds.MoneyMoved,),
}
"""From which facts a letter is told."""


class Row(NamedTuple):
    """A line of a statement at a letter; `up` of the member's stream, else of the log. Without a key, a name that
    waits from here on (1) or no more (0)."""

    up: bool
    key: str
    amount: int
    name: str = ""


class At(NamedTuple):
    """A row in its place: behind so many letters, under this number."""

    place: int
    number: int
    row: Row


class Between:
    """One pot and one neighbour, as this record has them."""

    def __init__(self, pot: str, other: str, me: str, is_above: bool) -> None:
        self.pot, self.other, self.is_above = pot, other, is_above
        self.member, self.owner = (me, other) if is_above else (other, me)
        self.rows: list[At] = []
        self.days: list[tuple[str, int, int]] = []
        self.asked: dict[int, list[str]] = {}
        self.open: list[list[Any]] = []
        self.seats: dict[str, int] = {}  # of awards that were not believed; 0: promotional credits
        self.ledger = 0

    def moved_by(self, fact: Fact) -> int:
        """By how much more the member owes."""
        account = f"clearing:{self.pot}:{self.other}"
        amount = sum(moved for name, moved, _ in lines_of(fact) if name == account)
        return amount if self.is_above else -amount

    def is_its(self, table: str) -> bool:
        """Whether it is a table of the member: all that are here, or those of that neighbour."""
        return self.is_above or (is_away(table) and neighbour_of(table) == self.other)

    def named(self, name: str) -> str:
        return name if self.is_above else there(name, self.other) or name

    def advances(self, award: str, seat: int, amount: int) -> None:
        self.open.append([(self.named(award).split("/")[:2], seat), amount])

    def gives_back(self, award: str, seat: int, amount: int) -> int:
        """R-20: of what this player was advanced in this pass, as much as he is paid for his hand."""
        name, left = self.named(award).split("/"), amount
        for one in self.open:
            if one[0] == (name[:2], seat) and seat and not name[2].startswith("p"):
                back = min(one[1], left)
                one[1], left = one[1] - back, left - back
        return amount - left


def _rows(between: Between, fact: Fact, law: dict[str, Any]) -> Iterator[Row]:
    """What a fact says of this link. `law`: the prizes of the pot's law, by name."""
    moved = between.moved_by(fact)
    its = between.is_its(getattr(fact, "table", "") or getattr(fact, "award", "").partition("/")[0])
    if isinstance(fact, kinds.PassSealed) and its:
        yield from _bets("bets", moved, sum(bet.amount for bet in fact.bets))
    elif isinstance(fact, kinds.HandsVoided) and its and fact.sealed:
        borne = 0 if fact.above else -fact.flow.house
        yield from _bets("voids", moved - borne, sum(bet.amount for bet in fact.undone))
        yield Row(False, "house.borne", borne)
    elif isinstance(fact, kinds.PrizeGranted) and its:
        borne = 0 if fact.above else -fact.flow.house
        yield from (Row(True, "prizes", moved - borne), Row(False, "house.borne", borne))
    elif isinstance(fact, kinds.ClaimRegistered) and its:
        yield from _claimed(between, fact, moved, law)
    elif isinstance(fact, kinds.ClaimAsked) and its:
        yield from (Row(True, "awards.certain", moved), Row(True, "", 1, between.named(fact.claim)))
    elif isinstance(fact, kinds.ClaimDecided) and its:
        yield from _settled(between, fact, moved) if fact.left != between.other else ()
    elif isinstance(fact, _GIVEN) and its:
        yield from _given(between, fact)
    elif isinstance(fact, kinds.LetterDisputed) and not between.is_above:
        yield from _disputed(between, letters.read(fact.letter), moved)
    else:
        yield from _decided(between, fact, moved)


_GIVEN = kinds.AwardSetAside | kinds.AwardPaid | kinds.AwardAdvanced | kinds.AdvanceHeard


def _given(between: Between, fact: Fact) -> Iterator[Row]:
    """R-20, R-21: what players had of it."""
    if isinstance(fact, kinds.AwardSetAside):
        yield Row(True, "aside", fact.amount)
    elif isinstance(fact, kinds.AwardPaid) and not fact.promo:
        yield Row(True, "paid", fact.amount)
        yield Row(True, "advances.back", -between.gives_back(fact.award, fact.seat, fact.amount))
    elif isinstance(fact, kinds.AwardAdvanced | kinds.AdvanceHeard):
        between.advances(fact.award, fact.seat, fact.amount)
        yield Row(True, "advances.given", fact.amount)


def _bets(kind: str, net: int, wagered: int) -> Iterator[Row]:
    yield Row(True, f"{kind}.net", net)
    yield Row(True, f"{kind}.wagered", wagered)
    yield Row(True, f"{kind}.commission", net - wagered)


def _claimed(between: Between, fact: kinds.ClaimRegistered, moved: int, law: dict[str, Any]) -> Iterator[Row]:
    """R-11, R-20: what the law gives without looking at the pot was certain where it was won."""
    certain = -sum(one.amount for one in fact.awards if not law[one.prize].get("percent_ppm"))
    if not fact.taken:  # else they were told with the letter that was not believed
        yield from (Row(True, "awards.certain", certain), Row(True, "", 1, between.named(fact.claim)))
    yield from _settled(between, fact, moved - certain)


def _settled(between: Between, fact: kinds.ClaimRegistered | kinds.ClaimDecided, moved: int) -> Iterator[Row]:
    shortfall = sum(one.house for one in fact.awards)
    base = -fact.base_back.house if fact.base_back is not None else 0
    yield Row(False, "awards.decided", moved - shortfall - base)
    yield from (Row(False, "house.base", base), Row(False, "house.shortfall", shortfall))
    yield Row(False, "", 0, between.named(fact.claim))


def _decided(between: Between, fact: Fact, moved: int) -> Iterator[Row]:
    """What the log of the pot says beside claims."""
    if isinstance(fact, kinds.CorrectionAsked | kinds.ClaimCorrected | kinds.CorrectionRefused):
        yield from _corrected(between, fact, moved)
    elif isinstance(fact, kinds.HouseCharged):
        yield Row(False, "house.borne", moved)
    elif isinstance(fact, kinds.PotLeft):
        yield from (Row(True, "left", -fact.stood), Row(True, "", 0, _LEFT))
    elif isinstance(fact, kinds.PlanTookEffect):
        yield Row(False, "house.plan", moved)
    elif isinstance(fact, kinds.ShareHeard) or (
        isinstance(fact, kinds.MoneyMoved) and fact.target == f"{SHARE}{between.other}"
    ):
        yield Row(False, "share", moved)
    elif isinstance(fact, kinds.DisputeEnded | kinds.DisputeHeard):
        who = fact.neighbour if isinstance(fact, kinds.DisputeEnded) else fact.above
        if who == between.other:
            taken = fact.accepted
            yield Row(False, "disputes.taken" if taken else "disputes.left", fact.amount if taken else moved)
            yield from (Row(False, "", 0, name) for name in between.asked.get(fact.number, ()))


def _corrected(
    between: Between, fact: kinds.CorrectionAsked | kinds.ClaimCorrected | kinds.CorrectionRefused, moved: int
) -> Iterator[Row]:
    """R-34: a pass of a table of the member; or another one, and winners of his are owed more."""
    its = bool(fact.table) and between.is_its(fact.table)
    name = f"{between.named(fact.table)}#{fact.wanted}"
    if its and (isinstance(fact, kinds.CorrectionAsked) or not _is_from_above(fact, between)):
        yield Row(True, "", 1, name)
    if isinstance(fact, kinds.CorrectionAsked):
        return
    if isinstance(fact, kinds.ClaimCorrected):
        house = -fact.flow.house if its else 0
        yield from (Row(False, "awards.corrected", moved - house), Row(False, "house.corrected", house))
    if its:
        yield Row(False, "", 0, name)


def _is_from_above(fact: kinds.ClaimCorrected | kinds.CorrectionRefused, between: Between) -> bool:
    """Whether it was asked on before; the owner of a pot answers as he hears."""
    return between.is_above or (isinstance(fact, kinds.ClaimCorrected) and bool(fact.above))


def _disputed(between: Between, letter: Any, moved: int) -> Iterator[Row]:
    if isinstance(letter, letters.BetsSealed):
        yield from _bets("bets", moved, sum(bet.amount for bet in letter.bets))
    elif isinstance(letter, letters.BetsVoided) and not letter.kept:
        yield from _bets("voids", moved, sum(bet.amount for bet in letter.undone))
    elif isinstance(letter, letters.ClaimMade):
        between.seats.update({f"{letter.claim}/{one.number}": one.seat for one in letter.awards})
        yield from (Row(True, "awards.certain", moved), Row(True, "", 1, letter.claim))
    elif isinstance(letter, letters.PrizeDrawn):
        between.seats[f"{letter.claim}/1"] = 0 if letter.promo else letter.seat
        yield Row(True, "prizes", moved)
    elif isinstance(letter, letters.AwardGiven | letters.AdvanceGiven):
        yield from _given_there(between, letter, between.seats.get(letter.award, -1))
    elif isinstance(letter, letters.OwnerLeft):
        yield from (Row(True, "left", moved), Row(True, "", 0, _LEFT))
    elif isinstance(letter, letters.CorrectionWanted):
        yield Row(True, "", 1, f"{letter.table}#{letter.number}")


def _given_there(between: Between, letter: letters.AwardGiven | letters.AdvanceGiven, seat: int) -> Iterator[Row]:
    """R-20, R-29: what players had of awards not believed; `seat`: 0 of promotional credits, -1 if unknown."""
    if isinstance(letter, letters.AdvanceGiven):
        if seat > 0:
            between.advances(letter.award, seat, letter.amount)
        yield Row(True, "advances.given", letter.amount)
    elif letter.aside:
        yield Row(True, "aside", letter.amount)
    elif seat:
        yield Row(True, "paid", letter.amount)
        if seat > 0:
            yield Row(True, "advances.back", -between.gives_back(letter.award, seat, letter.amount))


class Months:
    """Follows a record, fact by fact, and puts what each says at its letter."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.above: set[str] = set()
        self.laws: dict[str, dict[str, Any]] = {}
        self.between: dict[tuple[str, str], Between] = {}
        self.marks: dict[tuple[str, str], list[Reached]] = {}
        self.answer: tuple[str, int, int] = ("", 0, 0)
        self.facts: list[Fact] = []
        self.left: dict[bool, list[Fact]] = {True: [], False: []}

    def follow(self, id_: tuple[str, int, int], fact: Fact) -> None:
        if id_ != self.answer:
            self.answer, self.facts, self.left = id_, [], {True: [], False: []}
        if isinstance(fact, kinds.LetterTold):
            self._told(fact)
        elif isinstance(fact, kinds.LetterHeard):
            self._heard(fact)
        else:
            if isinstance(fact, kinds.NeighbourPinned) and fact.side == "above":
                self.above.add(fact.neighbour)
            elif isinstance(fact, kinds.PlanTookEffect):
                self.laws[fact.pot] = tomllib.loads(fact.ruleset)["paytable"]
            self.facts.append(fact)
            for left in self.left.values():
                left.append(fact)
            for account, amount, _ in lines_of(fact):
                kind, *names = account.split(":")
                if kind == "clearing":
                    one = self._of(*names)
                    one.ledger += amount if one.is_above else -amount

    def _of(self, pot: str, other: str) -> Between:
        if (pot, other) not in self.between:
            self.between[pot, other] = Between(pot, other, self.node, other in self.above)
        return self.between[pot, other]

    def _told(self, fact: kinds.LetterTold) -> None:
        said, mark = letters.read(fact.letter), Reached(fact.epoch, fact.number, "")
        hash_ = letters.hash_of(self.node, fact.stream, fact.version, mark, fact.previous, bytes(fact.letter))
        marks = self.marks.setdefault((self.node, fact.stream), [])
        marks.append(Reached(fact.epoch, fact.number, hash_))
        is_up = fact.stream.startswith("to:")
        if isinstance(said, letters.DayOver):
            self._day_over(self._of(said.pot, fact.stream.removeprefix("to:")), len(marks), said)
            return
        from_ = (_UP if is_up else _LOG).get(type(said), ())
        told = next((one for one in self.left[is_up] if isinstance(one, from_)), None) if from_ else None
        if told is None:
            return
        self.left[is_up].remove(told)
        for between in list(self.between.values()) if not is_up else [self._of(said.pot, fact.stream[3:])]:
            if between.pot == said.pot and between.is_above is is_up:
                self._put(between, told, is_up, len(marks), fact.number)

    def _heard(self, fact: kinds.LetterHeard) -> None:
        marks = self.marks.setdefault((fact.neighbour, fact.stream), [])
        marks.append(fact.mark)
        is_log = fact.stream.startswith("pot:")
        said = letters.read(fact.letter) if bytes(fact.letter) else None
        if isinstance(said, letters.DayOver):
            self._day_over(self._of(said.pot, fact.neighbour), len(marks), said)
            return
        for one in self.facts:
            if pot := fact.stream[4:] if is_log else _pot_of(one):
                self._put(self._of(pot, fact.neighbour), one, not is_log, len(marks), fact.mark.number)

    def _put(self, between: Between, fact: Fact, is_up: bool, place: int, number: int) -> None:
        if isinstance(fact, kinds.LetterDisputed) and (between.is_above or fact.neighbour != between.other):
            return
        for row in _rows(between, fact, self.laws.get(between.pot, {})):
            if row.up is is_up and (row.amount or row.name):
                between.rows.append(At(place, number, row))
                if row.up and row.name:
                    between.asked.setdefault(number, []).append(row.name)

    def _day_over(self, between: Between, place: int, said: letters.DayOver) -> None:
        """R-27: a date, later than the last one, and of the log as it was told."""
        log = self.marks.get((between.owner, f"pot:{between.pot}"), [])
        heard = 0 if said.heard == NOWHERE else log.index(said.heard) + 1 if said.heard in log else None
        days = between.days
        renames = bool(days) and said.was == days[-1][0]
        last = ("", 0, 0) if len(days) == renames else days[-2 if renames else -1]
        if heard is None or heard < last[2] or said.day <= last[0] or not _is_date(said.day):
            return
        if renames:
            days[-1] = (said.day, *days[-1][1:])
        elif not said.was:
            days.append((said.day, place, heard))

    def stated(self) -> Iterator[tuple[Which, Stated]]:
        """Every month of every pot and neighbour, with the hash of its body."""
        for between in self.between.values():
            for month in dict.fromkeys(day[:_OF_A_MONTH] for day, _, _ in between.days):
                yield (month, between.pot, between.member, between.owner), self._statement(between, month)

    def _statement(self, of: Between, month: str) -> Stated:
        days = [day for day in of.days if day[0][:_OF_A_MONTH] == month]
        first = of.days.index(days[0])
        since, until = of.days[first - 1] if first else ("", 0, 0), days[-1]
        upto = [one for one in of.rows if one.place <= (until[1] if one.row.up else until[2])]
        before = [one for one in upto if one.place <= (since[1] if one.row.up else since[2])]
        within = [one for one in upto if one.place > (since[1] if one.row.up else since[2])]
        lines = dict[str, dict[str, int]]()
        for one in sorted(within, key=lambda one: not one.row.up):
            if one.row.key:
                line = lines.setdefault(one.row.key, {"amount": 0, "letters": 0, "first": one.number, "last": 0})
                line["amount"] += one.row.amount
                line["letters"] += 1
                line["last"] = one.number
        over = {one.row.name for one in upto if one.row.name and not one.row.amount}
        waiting = {one.row.name for one in upto if one.row.amount and one.row.name and _LEFT not in over} - over
        up, log = (of.member, f"to:{of.owner}"), (of.owner, f"pot:{of.pot}")
        closing = _sum(upto)
        body = {
            "format": "pozo clearing 1", "pot": of.pot, "above": of.owner, "below": of.member, "month": month,
            "days": [day for day, _, _ in days], "from_up": self._mark(up, since[1]),
            "from_log": self._mark(log, since[2]), "until_up": self._mark(up, until[1]),
            "until_log": self._mark(log, until[2]), "opening": _sum(before), "lines": lines, "closing": closing,
            "advanced": sum(one.row.amount for one in upto if one.row.key.startswith("advances.")),
            "waiting": sorted(waiting),
        }  # fmt: skip
        digest = hashlib.sha256(msgspec.json.encode(body, order="sorted")).hexdigest()
        return Stated(self._mark(up, until[1]).number, self._mark(log, until[2]).number, closing, digest)

    def _mark(self, stream: tuple[str, str], place: int) -> Reached:
        return self.marks[stream][place - 1] if place else NOWHERE


def _sum(rows: list[At]) -> int:
    return sum(one.row.amount for one in rows if one.row.key and one.row.key not in DETAILS)


def _pot_of(fact: Fact) -> str:
    """Also of what was told of a pot that is not here."""
    return str(letters.read(fact.letter).pot if isinstance(fact, kinds.LetterDisputed) else getattr(fact, "pot", ""))


def _is_date(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


def months_of(record: Record) -> dict[Which, Stated]:
    """Of a record that was proven, read once more."""
    months = Months(record.node)
    for row in record.facts():
        entry = read_entry(row.body)
        assert entry is not None, "it was proven before"
        months.follow(entry.id, entry.fact)
    return dict(months.stated())
