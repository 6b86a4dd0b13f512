"""`pozo report`: the figures of a day, a month, a pot, a table or an award, as one value.

Theory. One pass over the facts of the record. Those before the span make the opening balances, those of the span the
figures and the movements; what belongs elsewhere is left alone. Money is never taken from a balance that somebody else
kept: balances are added up here from what the facts move, and at the end the report proves itself (`report_proofs`).

A report of a table or of a pot has the accounts as its facts moved them: of a pot that is the pot, of a table it is
what the table brought to it. This file must not know how a report looks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.core.facts import AwardPaid, DayClosed, DayOpened
from controller.core.values import TRAINING
from controller.record.atlas import NO_CURRENCY, Atlas
from controller.record.reading import Dated, ReportRefused, Witness, dated, entries, witness
from controller.record.record import Record
from controller.report.accounts import Account, Book
from controller.report.award import AwardStory, story_of
from controller.report.figures import Figure, Item, Tally
from controller.report.items import counted, items
from controller.report.proofs import Proof, proofs
from controller.report.scope import Asked, Seen
from controller.rules.ruleset import Currency

FORMAT = 1
OF_POT = ("commission", "pot", "held", "paid", "house", "promo_issued")


@dataclass(frozen=True, slots=True)
class PotAbout:
    """A pot of the report, under the plan that was in force at its end."""

    name: str
    title: str
    resolution: str
    ruleset: str
    casinos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report says. `first` to `last` is its span, `facts` how many of them concern it."""

    format: int
    asked: Asked
    node: str
    pots: tuple[PotAbout, ...]
    currency: Currency
    witness: Witness
    first: int
    last: int
    facts: int
    since: int
    until: int
    days: tuple[str, ...]
    still_open: bool
    about: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...]
    accounts: tuple[Account, ...]
    proofs: tuple[Proof, ...]

    @property
    def holds(self) -> bool:
        return all(proof.holds for proof in self.proofs)

    def total(self, key: str, detail: str = "") -> Figure | None:
        """A figure over the whole report."""
        at_top = (one for one in self.figures if one.level == "total")
        return next((one for one in at_top if (one.key, one.detail) == (key, detail)), None)


def report(record: Record, asked: Asked, *, keep_facts: bool = False) -> Report:
    """The report that was asked for, or a ReportRefused; `keep_facts` keeps the numbers of all facts of each figure."""
    if asked.kind == "award":
        return _of_award(record, asked, keep_facts)
    work = _Work(asked, keep_facts)
    reached_the_end = work.read(record)
    work.seen.refuse_unknown(asked)
    work.end()
    accounts = work.book.accounts()
    figures = tuple(figure for figure in work.tally.figures() if figure.section != "award")
    balances = _ledger(record, asked, work.last) if reached_the_end and work.is_provisional else None
    return Report(
        FORMAT,
        asked,
        work.atlas.node,
        pots_about(work.atlas, asked),
        currency_of(work.atlas, asked),
        witness(record),
        work.first,
        work.last,
        work.facts,
        work.since,
        work.until,
        tuple(work.days),
        work.still_open,
        (),
        figures,
        accounts,
        proofs(figures, accounts, balances),
    )


def _ledger(record: Record, asked: Asked, last: int) -> dict[str, int] | None:
    """The balances that the ledger keeps of what is asked, but for those that a running node has moved since, and
    training. A table's accounts of its pot are not the pot's, so there is nothing to compare."""
    if asked.kind == "table":
        return None
    balances = {}
    for row in record.balance_rows():
        kind, _, rest = row.account.partition(":")
        of_pot = kind in OF_POT and rest.partition(":")[0] == asked.name
        if row.fact <= last and not rest.startswith(TRAINING) and (asked.is_everything or of_pot):
            balances[row.account] = row.amount
    return balances


def _of_award(record: Record, asked: Asked, keep: bool) -> Report:
    """One award: what it was, from where, and what became of it."""
    told: AwardStory = story_of(record, asked.name, keep)
    return Report(
        FORMAT,
        asked,
        told.atlas.node,
        pots_about(told.atlas, Asked("table", told.where.table)),
        currency_of(told.atlas, Asked("table", told.where.table)),
        witness(record),
        told.first,
        told.last,
        told.facts,
        told.since,
        told.until,
        (),
        told.pending,
        told.about,
        told.figures,
        (),
        told.proofs,
    )


def pots_about(atlas: Atlas, asked: Asked) -> tuple[PotAbout, ...]:
    """The pots of a report; of a table, in its own casino."""
    table = atlas.tables.get(asked.name) if asked.kind == "table" else None
    return tuple(
        PotAbout(name, plan.title, plan.resolution, plan.ruleset.name, (table.casino,) if table else plan.casinos)
        for name, plan in ((name, atlas.plans[name]) for name in _pots_of(atlas, asked))
    )


def _pots_of(atlas: Atlas, asked: Asked) -> Iterator[str]:
    """Those of the node, the one that was asked for, or the one that the table feeds."""
    feeds = atlas.tables[asked.name].pot if asked.kind == "table" and asked.name in atlas.tables else ""
    wanted = {"pot": asked.name, "table": feeds}.get(asked.kind)
    yield from (name for name in atlas.plans if wanted in {None, name})


def currency_of(atlas: Atlas, asked: Asked) -> Currency:
    """R-1: sums are of one currency."""
    currencies = {atlas.plans[name].ruleset.currency.code: name for name in _pots_of(atlas, asked)}
    if len(currencies) > 1:
        both = ", ".join(f"{pot} ({code})" for code, pot in currencies.items())
        raise ReportRefused(f"Los pozos tienen monedas distintas: {both}; pida el informe de cada pozo.")
    return atlas.plans[next(iter(currencies.values()))].ruleset.currency if currencies else NO_CURRENCY


class _Work:
    """One pass over the record."""

    def __init__(self, asked: Asked, keep: bool) -> None:
        self.asked = asked
        self.atlas = Atlas()
        self.seen = Seen()
        self.tally = Tally(keep)
        self.book = Book(keep)
        self.first = self.last = self.facts = self.since = self.until = 0
        self.days: dict[str, None] = {}
        self.still_open = False

    @property
    def is_provisional(self) -> bool:
        """Whether it goes on: a day that is closed is told the same for ever, whatever came after."""
        return self.still_open or not self.asked.of_days

    def read(self, record: Record) -> bool:
        """Whether the span reaches to the end of the record."""
        for one in dated(entries(record)):
            inside = self.asked.covers(one.day)
            if self.first and not inside:
                return False
            if inside:
                self._walk(one)
            self._follow(one, inside)
        return True

    def _walk(self, one: Dated) -> None:
        """The span goes on to this fact."""
        if not self.first:
            self.first, self.since = one.entry.seq, one.entry.at
            self.book.begin()
            self._say_pending("awards.before")
        self.last, self.until = one.entry.seq, one.entry.at
        if one.day:
            self.days[one.day] = None
        if isinstance(one.entry.fact, DayOpened | DayClosed):
            self.still_open = isinstance(one.entry.fact, DayOpened)

    def _follow(self, one: Dated, inside: bool) -> None:
        """Take the fact in, and count it if it concerns the report."""
        entry = one.entry
        where = self.atlas.follow(entry)
        settled = self.atlas.settled(entry.fact)
        self.seen.note(one.day, entry.fact, self.atlas)
        if where.training or not self.asked.concerns(where):
            return
        if not inside:
            self.book.before(entry)
            return
        self.facts += 1
        self.book.during(entry)
        self.tally.add(entry.seq, where, items(entry.fact))
        if one.between and one.day and self.asked.of_days:
            self.tally.add(entry.seq, where, (Item("changes.between", 1),))
        key = "awards.paid" if isinstance(entry.fact, AwardPaid) else "awards.rejected"
        for award in settled:
            self.tally.add(entry.seq, award.where, counted(key, award.amount, award.prize))

    def _say_pending(self, key: str) -> None:
        """What is registered and not decided; its facts are those that registered it."""
        for award in self.atlas.pending.values():
            if self.asked.concerns(award.where):
                self.tally.add(award.registered, award.where, counted(key, award.amount, award.prize))

    def end(self) -> None:
        self._say_pending("awards.pending")
