"""`pozo report`: the figures of a day, a month, a pot, a table or an award, counted from the record.

Theory. One pass over the facts of the record. Those before the span make the opening balances, those of the span the
figures and the movements; what belongs elsewhere is left alone. The closing of an account is what the fold has come
to, its movements are added up apart, and at the end the report proves itself (proofs.py).

A report of a table or of a pot has the accounts as its facts moved them: of a pot that is the pot, of a table it is
what the table brought to it. This file must not know how a report looks.
"""

import hashlib
from collections.abc import Iterable, Iterator

from controller.core.accounts import Posting
from controller.core.facts import AwardPaid, ClaimCorrected, DayClosed, DayOpened, Entry, LampsTested, Locked
from controller.core.links.names import is_away
from controller.core.plans import content_of
from controller.core.values import TRAINING
from controller.record.award import facts_of
from controller.record.fold import NO_CURRENCY, Fold, Pending, Step, Where
from controller.record.reading import Dated, ReportRefused, dated, witness
from controller.record.record import Record
from controller.report.award import about_it, figures_of, proofs_of_award
from controller.report.corrections import correction_of
from controller.report.figures import Item, Sum, Tally
from controller.report.items import counted, items, owed_by_correction
from controller.report.links import resettled
from controller.report.proofs import proofs
from controller.report.scope import Inventory, Scope
from controller.report.unusual import Watch
from controller.report.value import FORMAT, Account, Correction, PotAbout, Report
from controller.rules.approval import SHIPPED, shipped_name
from controller.rules.ruleset import Currency

OF_POT = ("commission", "pot", "held", "paid", "house", "promo_issued", "clearing", "dispute")

_AWAY = {"awards.paid": "awards.paid_away", "awards.pending": "awards.pending_away"}
"""R-28: what of it is held and paid out where a neighbour's table is."""


def report(record: Record, asked: Scope, *, keep_facts: bool = False) -> Report:
    """The report that was asked for, or a ReportRefused; `keep_facts` keeps the numbers of all facts of each figure."""
    if asked.kind == "award":
        return _of_award(record, asked, keep_facts)
    work = _Work(asked, keep_facts)
    reached_the_end = work.read(record)
    work.inventory.refuse_unknown(asked)
    work.add_awards("awards.pending", work.fold.pending.values())
    work.add_untested()
    accounts = tuple(work.movements.accounts(work.fold.balances))
    figures = tuple(figure for figure in work.tally.figures() if figure.section != "award")
    balances = _ledger(record, asked, work.last) if reached_the_end and work.is_provisional else None
    return Report(
        FORMAT,
        asked,
        work.fold.node,
        pots_about(work.fold, asked),
        currency_of(work.fold, asked),
        witness(record, work.last),
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
        tuple(work.corrections),
        None if work.watch is None else work.watch.unusual(),
    )


def _of_award(record: Record, asked: Scope, keep: bool) -> Report:
    """One award: what it was, from where, and what became of it."""
    found = facts_of(record, asked.name)
    figures, of_table = figures_of(found, keep), Scope("table", found.where.table)
    facts = found.all
    return Report(
        FORMAT,
        asked,
        found.fold.node,
        pots_about(found.fold, of_table),
        currency_of(found.fold, of_table),
        witness(record, facts[-1].seq),
        facts[0].seq,
        facts[-1].seq,
        len(facts),
        facts[0].at,
        facts[-1].at,
        (),
        found.ended is None,
        tuple(about_it(found)),
        figures,
        (),
        proofs_of_award(figures),
    )


def _ledger(record: Record, asked: Scope, last: int) -> dict[str, int] | None:
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


def pots_about(fold: Fold, asked: Scope) -> tuple[PotAbout, ...]:
    """The pots of a report; of a table, in its own casino."""
    table = fold.tables.get(asked.name) if asked.kind == "table" else None
    return tuple(
        PotAbout(
            name,
            plan.title,
            plan.resolution,
            plan.ruleset.name,
            (table.casino,) if table else plan.casinos,
            _print_of(documents.plan),
            _print_of(documents.ruleset),
            _law_is(plan.ruleset.name, documents.ruleset),
        )
        for name, plan, documents in ((name, fold.plans[name], fold.documents[name]) for name in _pots_of(fold, asked))
    )


def _print_of(document: str) -> str:
    return hashlib.sha256(document.encode()).hexdigest()


def _law_is(name: str, ruleset: str) -> str:
    """R-26: a law under a shipped name says what was shipped under it, or it stands on record since before that was
    asked for."""
    known = shipped_name(name)
    if not known:
        return "own"
    contents, content = SHIPPED[known], content_of(ruleset)
    if name != known or content not in contents:
        return "borrowed"
    return "shipped" if content == contents[0] else "earlier"


def _pots_of(fold: Fold, asked: Scope) -> Iterator[str]:
    """Those of the node, the one that was asked for, or the one that the table feeds."""
    feeds = fold.tables[asked.name].pot if asked.kind == "table" and asked.name in fold.tables else ""
    wanted = {"pot": asked.name, "table": feeds}.get(asked.kind)
    yield from (name for name in fold.plans if wanted in {None, name})


def currency_of(fold: Fold, asked: Scope) -> Currency:
    """R-1: sums are of one currency."""
    currencies = {fold.plans[name].ruleset.currency.code: name for name in _pots_of(fold, asked)}
    if len(currencies) > 1:
        both = ", ".join(f"{pot} ({code})" for code, pot in currencies.items())
        raise ReportRefused(f"Los pozos tienen monedas distintas: {both}; pida el informe de cada pozo.")
    return fold.plans[next(iter(currencies.values()))].ruleset.currency if currencies else NO_CURRENCY


class _Movements:
    """What moves every account in the span, added up apart from the balances of the fold."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._opening: dict[str, int] = {}
        self._moves: dict[str, Sum] = {}
        self._rises: dict[str, int] = {}

    def begin(self, balances: dict[str, int]) -> None:
        """The span begins here."""
        self._opening = dict(balances)

    def add(self, seq: int, moved: Iterable[Posting]) -> None:
        for line in moved:
            found = self._moves.get(line.account)
            if found is None:
                found = self._moves[line.account] = Sum()
            found.add(seq, line.amount, self._keep)
            if line.amount > 0:
                self._rises[line.account] = self._rises.get(line.account, 0) + line.amount

    def accounts(self, balances: dict[str, int]) -> Iterator[Account]:
        """Every account that held something or was moved, by name."""
        for name in sorted(balances):
            moved, opening = self._moves.get(name, Sum()), self._opening.get(name, 0)
            if moved.facts or opening:
                rises = self._rises.get(name, 0)
                falls = rises - moved.amount
                span = (moved.first, moved.last, moved.facts, moved.ranges)
                yield Account(name, opening, rises, falls, balances[name], *span)


class _Work:
    """One pass over the record."""

    def __init__(self, asked: Scope, keep: bool) -> None:
        self.asked = asked
        self.fold = Fold(asked.concerns)
        self.inventory = Inventory()
        self.tally = Tally(keep)
        self.movements = _Movements(keep)
        self.first = self.last = self.facts = self.since = self.until = 0
        self.days: dict[str, None] = {}
        self.still_open = False
        self.corrections: list[Correction] = []
        self.watch = Watch() if asked.is_everything else None
        self._by_eye: dict[tuple[str, str], tuple[int, Where]] = {}  # day and table, where a croupier saw lamps lit
        self._tested: set[tuple[str, str]] = set()

    @property
    def is_provisional(self) -> bool:
        """Whether it goes on: the report of a closed day stays the same for ever."""
        return self.still_open or not self.asked.of_days

    def read(self, record: Record) -> bool:
        """Whether the span reaches to the end of the record."""
        for one in dated(record):
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
            self.movements.begin(self.fold.balances)
            self.add_awards("awards.before", self.fold.pending.values())
        self.last, self.until = one.entry.seq, one.entry.at
        if one.day:
            self.days[one.day] = None
        if isinstance(one.entry.fact, DayOpened | DayClosed):
            self.still_open = isinstance(one.entry.fact, DayOpened)

    def _follow(self, one: Dated, inside: bool) -> None:
        """Take the fact in, and count it if it concerns the report."""
        entry, step = one.entry, self.fold.follow(one.entry)
        self.inventory.note(one.day, entry.fact, self.fold)
        if self.watch is not None:
            plan = self.fold.plans.get(step.where.pot)
            self.watch.follow(step, plan.ruleset if plan else None, inside=inside)
        if inside and isinstance(entry.fact, ClaimCorrected):
            self._correct(entry, entry.fact, step)
        if not (inside and step.is_counted):
            return
        self.facts += 1
        self.movements.add(entry.seq, step.moved)
        self.tally.add(entry.seq, step.where, items(entry.fact))
        self._look_at_lamps(one, step.where)
        if one.between and one.day and self.asked.of_days:
            self.tally.add(entry.seq, step.where, (Item("changes.between", 1),))
        key = "awards.paid" if isinstance(entry.fact, AwardPaid) else "awards.rejected"
        self.add_awards(key, step.settled, entry.seq)

    def _look_at_lamps(self, one: Dated, where: Where) -> None:
        """R-6: where a croupier sees, his lock attests; and once a day somebody looks at all of them."""
        fact = one.entry.fact
        if isinstance(fact, Locked) and fact.attested:
            self._by_eye.setdefault((one.day, fact.table), (one.entry.seq, where))
        elif isinstance(fact, LampsTested):
            self._tested.add((one.day, fact.table))

    def add_untested(self) -> None:
        """R-6: days on which a croupier saw the lamps of a table and nobody tested them."""
        for key, (seq, where) in self._by_eye.items():
            if key not in self._tested:
                self.tally.add(seq, where, (Item("incidents.lamps_untested", 1, key[1]),))

    def _correct(self, entry: Entry, fact: ClaimCorrected, step: Step) -> None:
        """R-34: it owes to winners of its own table and of others, each in his own table's report."""
        owed = [one for one in step.registered if self.asked.concerns(one.where)]
        for one in owed:
            self.tally.add(entry.seq, one.where, owed_by_correction(one.granted))
        for again in fact.resettled:
            there = step.where._replace(table=again.table, casino=again.casino)
            if again.table != fact.table and self.asked.concerns(there):
                self.tally.add(entry.seq, there, resettled(fact, again))
        if not step.is_counted and step.moved:
            self.facts += 1
            self.movements.add(entry.seq, step.moved)
        if step.is_counted or owed:
            self.corrections.append(correction_of(entry, fact, step.settled))

    def add_awards(self, key: str, awards: Iterable[Pending], seq: int = 0) -> None:
        """Awards with their number beside them; what is pending rests on the facts that registered it."""
        for award in awards:
            if self.asked.concerns(award.where):
                amount, prize = award.granted.amount, award.granted.prize
                self.tally.add(seq or award.registered, award.where, counted(key, amount, prize))
                if key in _AWAY and is_away(award.where.table):
                    self.tally.add(seq or award.registered, award.where, (Item(_AWAY[key], amount),))
