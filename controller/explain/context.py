"""What stood before a fact: the plans, the pots, the fractions that were owed, the day and its commitment.

Theory. An explanation needs the figures from which a fact was computed, and those stand in the facts before it. They
are followed from the first one on; so an explanation rests on the record alone, and on nothing that a running node
would say.
"""

from fractions import Fraction
from typing import NamedTuple

from controller.core.facts import DayOpened, Entry, HandsVoided, PassSealed
from controller.record.atlas import NO_CURRENCY, Atlas, Where
from controller.record.reading import ReportRefused, entries
from controller.record.record import Record
from controller.report.accounts import Book
from controller.rules.money import PPM
from controller.rules.plan import Plan
from controller.rules.ruleset import Currency
from controller.spanish.numbers import money, percent, whole


class Before:
    """Follows the facts up to the one that is explained."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self.book = Book(keep=False)
        self.day: Entry | None = None
        self._commission: dict[tuple[str, str], int] = {}
        self._reserves: dict[str, dict[str, int]] = {}

    def follow(self, entry: Entry) -> None:
        """One more fact that is before."""
        fact = entry.fact
        self.atlas.follow(entry)
        self.atlas.settled(fact)
        self.book.before(entry)
        if isinstance(fact, DayOpened):
            self.day = entry
        elif isinstance(fact, PassSealed) or (isinstance(fact, HandsVoided) and fact.sealed):
            self._commission[fact.pot, fact.casino] = fact.commission_carry
            if fact.pot in self.atlas.plans:
                names = self.atlas.plans[fact.pot].reserve_names
                self._reserves[fact.pot] = dict(zip(names, fact.reserve_carries, strict=False))

    def commission_carry(self, pot: str, casino: str) -> int:
        """R-23: the fraction that this casino's commission was owed."""
        return self._commission.get((pot, casino), 0)

    def reserve_carry(self, pot: str, reserve: str) -> int:
        """R-23: the fraction that a reserve was owed; a new one none."""
        return self._reserves.get(pot, {}).get(reserve, 0)


class Case(NamedTuple):
    """A fact to explain, with what stood before it, and the record for what came after."""

    entry: Entry
    before: Before
    where: Where
    record: Record

    @property
    def plan(self) -> Plan | None:
        """The plan in force; in training there is none to look at."""
        return self.before.atlas.plans.get(self.where.pot)

    @property
    def currency(self) -> Currency:
        return self.plan.ruleset.currency if self.plan is not None else NO_CURRENCY

    def cash(self, amount: int) -> str:
        return money(self.currency, amount).strip()


def case_of(record: Record, seq: int) -> Case:
    """The fact of that number with all that was before it, or a ReportRefused."""
    before, last = Before(), 0
    for entry in entries(record, last=seq):
        last = entry.seq
        if last == seq:
            return Case(entry, before, before.atlas.follow(entry), record)
        before.follow(entry)
    if seq < 1:
        raise ReportRefused("Los hechos se numeran desde el 1.")
    raise ReportRefused(f"No hay un hecho {seq}; hay del 1 al {last}." if last else "Este registro está vacío.")


def share_words(ppm: int) -> str:
    """A share in millionths as a percentage."""
    return percent(Fraction(ppm, PPM), 4)


def agrees(computed: int, recorded: int) -> str:
    """Nothing where the record says the same; else the contradiction, so that nobody reads over it."""
    return "" if computed == recorded else f" ¡NO CUADRA: el registro dice {whole(recorded)}!"
