"""The report of one award: what it was, from which part it came, and what became of it.

Theory. The number of an award says its table, its pass and its claim, so one pass over the record finds everything
that concerns it: the bet, the registration, the confirmation, the payment or the rejection. What it is worth and why is
`explain`'s business.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from controller.core.facts import (
    AwardConfirmed,
    AwardOverdue,
    AwardPaid,
    BetMade,
    ChipsFell,
    ClaimRegistered,
    ClaimRejected,
    Drawn,
    Entry,
    LampChanged,
    LateRegistered,
    PassSealed,
    PrizeGranted,
)
from controller.core.values import TRAINING, Granted
from controller.record.atlas import Atlas, Where
from controller.record.reading import entries, not_there
from controller.record.record import Record
from controller.report.figures import Figure, Item, Tally
from controller.report.proofs import Proof, proof
from controller.rules.plan import Plan
from controller.rules.ruleset import Modality
from controller.spanish.names import people, prize_name, when

_NEWEST = 20
_PLAYED = (BetMade, ChipsFell, LampChanged, PassSealed, Drawn)


@dataclass(frozen=True, slots=True)
class AwardStory:
    """Everything that a report of an award says."""

    atlas: Atlas
    where: Where
    first: int
    last: int
    facts: int
    since: int
    until: int
    pending: bool
    about: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...]
    proofs: tuple[Proof, ...]


class AwardFacts(NamedTuple):
    """The facts of one award and where they belong, with the plan under which it was registered. `claimed` is the first
    registration of its claim, `played` what its seat did in the pass."""

    award: str
    atlas: Atlas
    where: Where
    granted: Granted
    registered: Entry
    sealed: Entry | None
    confirmed: Entry | None
    overdue: Entry | None
    ended: Entry | None
    plan: Plan
    modality: Modality
    claimed: Entry | None
    played: tuple[Entry, ...]

    @property
    def all(self) -> tuple[Entry, ...]:
        found = (self.sealed, self.registered, self.overdue, self.confirmed, self.ended)
        return tuple(sorted((one for one in found if one is not None), key=lambda one: one.seq))

    @property
    def bet(self) -> int:
        """The valid bet of the seat in that pass."""
        if self.sealed is None or not isinstance(self.sealed.fact, PassSealed):
            return 0
        return next((bet.amount for bet in self.sealed.fact.bets if bet.seat == self.granted.seat), 0)


def facts_of(record: Record, award: str) -> AwardFacts:
    """What the record says of one award, or a ReportRefused with the newest awards there are."""
    search = _Search(award)
    for entry in entries(record):
        search.look_at(entry)
    if search.granted is None or search.registered is None or search.plan is None or search.modality is None:
        raise not_there("un premio", award, search.newest)
    return AwardFacts(
        award,
        search.atlas,
        search.where,
        search.granted,
        search.registered,
        search.sealed,
        search.confirmed,
        search.overdue,
        search.ended,
        search.plan,
        search.modality,
        search.claimed,
        tuple(entry for entry in search.played if _is_of(entry, search.granted)),
    )


def granted_in(entry: Entry) -> tuple[tuple[str, Granted], ...]:
    """The awards that a fact registers, by their numbers."""
    fact = entry.fact
    if isinstance(fact, ClaimRegistered | LateRegistered):
        return tuple((f"{fact.claim}/{one.number}", one) for one in fact.awards)
    if isinstance(fact, PrizeGranted) and not fact.promo:
        parts = {part: -amount for part, amount in fact.flow.parts.items()}
        one = Granted(1, fact.seat, fact.prize, fact.amount, parts, -fact.flow.house, ("R-29",))
        return ((f"{fact.claim}/1", one),)
    return ()


def _is_of(entry: Entry, granted: Granted) -> bool:
    """Whether it is of the winner's seat, or of the whole pass; of draws, the one for this prize."""
    if isinstance(entry.fact, Drawn):
        return entry.fact.prize == granted.prize
    return getattr(entry.fact, "seat", granted.seat) == granted.seat


def _modality(plan: Plan | None, where: Where) -> Modality | None:
    tables = plan.tables if plan is not None else ()
    return next((table.modality for table in tables if table.name == where.table), None)


class _Search:
    """One pass over the record for one award."""

    def __init__(self, award: str) -> None:
        self.award = award
        self.claim = award.rpartition("/")[0]
        self.atlas = Atlas()
        self.where = Where()
        self.granted: Granted | None = None
        self.registered: Entry | None = None
        self.sealed: Entry | None = None
        self.confirmed: Entry | None = None
        self.overdue: Entry | None = None
        self.ended: Entry | None = None
        self.plan: Plan | None = None
        self.modality: Modality | None = None
        self.claimed: Entry | None = None
        self.played: list[Entry] = []
        self.newest: deque[str] = deque(maxlen=_NEWEST)

    def look_at(self, entry: Entry) -> None:
        fact = entry.fact
        where = self.atlas.follow(entry)
        self.atlas.settled(fact)
        for award, granted in granted_in(entry):
            if not award.startswith(TRAINING):
                self.newest.append(award)
            if award == self.award:
                self.granted, self.registered, self.where = granted, entry, where
                self._approved(where)
        if isinstance(fact, _PLAYED) and self.award.startswith(f"{fact.table}/{fact.number}/"):
            self.played.append(entry)
            if isinstance(fact, PassSealed):
                self.sealed = entry
                self._approved(where)
        elif isinstance(fact, ClaimRegistered) and fact.claim == self.claim:
            self.claimed = entry
        elif isinstance(fact, AwardConfirmed) and fact.award == self.award:
            self.confirmed = entry
        elif isinstance(fact, AwardOverdue) and fact.award == self.award:
            self.overdue = entry
        elif (isinstance(fact, AwardPaid) and fact.award == self.award) or (
            isinstance(fact, ClaimRejected) and fact.claim == self.claim
        ):
            self.ended = entry

    def _approved(self, where: Where) -> None:
        """R-26: what was approved when the pass was played holds for all that it won."""
        if self.plan is None:
            self.plan = self.atlas.plans.get(where.pot)
            self.modality = _modality(self.plan, where)


def story_of(record: Record, award: str, keep: bool) -> AwardStory:
    """The pieces of a report of one award."""
    found = facts_of(record, award)
    tally = Tally(keep)
    for entry, item in _items(found):
        tally.add(entry.seq, found.where, (item,))
    figures = tuple(figure for figure in tally.figures() if figure.section == "award")
    told = found.all
    first, last = told[0], told[-1]
    return AwardStory(
        found.atlas,
        found.where,
        first.seq,
        last.seq,
        len(told),
        first.at,
        last.at,
        found.ended is None,
        tuple(_about(found)),
        figures,
        _proofs(figures),
    )


def _items(found: AwardFacts) -> list[tuple[Entry, Item]]:
    granted, registered = found.granted, found.registered
    items = [(registered, Item("award.amount", granted.amount))]
    if found.sealed is not None:
        items.append((found.sealed, Item("award.bet", found.bet)))
    for part, amount in granted.parts.items():
        items.append((registered, Item("award.part", amount, f"{found.where.pot}/{part}")))
    items.append((registered, Item("award.parts", sum(granted.parts.values()))))
    items.append((registered, Item("award.house", granted.house)))
    if found.ended is None:
        items.append((registered, Item("award.pending", granted.amount)))
    else:
        key = "award.paid" if isinstance(found.ended.fact, AwardPaid) else "award.rejected"
        items.append((found.ended, Item(key, granted.amount)))
    return items


def _proofs(figures: tuple[Figure, ...]) -> tuple[Proof, ...]:
    totals = {figure.key: figure.amount for figure in figures if figure.level == "total" and not figure.detail}
    sources = totals["award.parts"] + totals["award.house"]
    ends = totals["award.paid"] + totals["award.rejected"] + totals["award.pending"]
    return (
        proof("sources", "Monto = pozos + casa (R-18)", totals["award.amount"], sources),
        proof("once", "Monto = pagado + rechazado + pendiente (R-21)", totals["award.amount"], ends),
    )


def _about(found: AwardFacts) -> list[tuple[str, str]]:
    """Who, where and when, in the order in which it happened."""
    about = [
        ("Premio", f"{found.award}: {prize_name(found.granted.prize)}, posición {found.granted.seat}"),
        ("Mesa", f"{found.where.table}, pase {found.award.split('/')[1]}, casino {found.where.casino}"),
    ]
    for title, entry in (
        ("Apuestas cerradas", found.sealed),
        ("Registrado", found.registered),
        ("Vencido (R-21)", found.overdue),
        ("Confirmado", found.confirmed),
    ):
        if entry is not None:
            about.append((title, _who_and_when(entry)))
    if found.ended is None:
        about.append(("Estado", "retenido: ni pagado ni rechazado"))
    else:
        title = "Pagado" if isinstance(found.ended.fact, AwardPaid) else "Rechazado"
        about.append((title, _who_and_when(found.ended)))
    return about


def _who_and_when(entry: Entry) -> str:
    by, second = getattr(entry.fact, "by", ""), getattr(entry.fact, "second", "")
    who = f", por {people(by, second)}" if by else ""
    return f"hecho {entry.seq}, {when(entry.at)}{who}"
