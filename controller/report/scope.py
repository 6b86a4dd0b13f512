"""What a report is asked for: a day, a month, a pot, a table or an award; and what there is to ask for.

Theory. A scope chooses whole facts, never lines of one, so the money it chooses adds up to nothing like the ledger
itself. A pot, and a table, can be narrowed to a day or a month.
"""

import re
from dataclasses import dataclass

from controller.core.facts import Fact, PlanTookEffect
from controller.record.fold import Fold, Where
from controller.record.reading import ReportRefused, not_there

KINDS = ("day", "month", "pot", "table", "award")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_AS_IN_A_DAY = 7  # the month is so much of a day's name


@dataclass(frozen=True, slots=True)
class Scope:
    """One report: its kind, the name, and the day or month to which it is narrowed."""

    kind: str
    name: str
    day: str = ""
    month: str = ""

    @property
    def is_everything(self) -> bool:
        """Whether every fact of the span concerns it."""
        return self.kind in {"day", "month"}

    @property
    def of_days(self) -> bool:
        """Whether the span is a day or a month."""
        return bool(self.day or self.month)

    def covers(self, day: str) -> bool:
        """Whether this gaming day is in the span; what belongs to no day yet is only in a span without end."""
        if self.day:
            return day == self.day
        return not self.month or day[:_AS_IN_A_DAY] == self.month

    def concerns(self, where: Where) -> bool:
        """Whether what belongs there is counted."""
        if self.kind == "pot":
            return where.pot == self.name
        return self.kind != "table" or where.table == self.name


def ask(kind: str, name: str, day: str = "", month: str = "") -> Scope:
    """A report that makes sense, or a ReportRefused."""
    if kind not in KINDS:
        raise not_there("un informe", kind, KINDS)
    if not name:
        raise ReportRefused(f"Un informe {kind} necesita un nombre.")
    if day and month:
        raise ReportRefused("Un informe es de una jornada o de un mes, no de ambos.")
    if (day or month) and kind not in {"pot", "table"}:
        raise ReportRefused("Solo el informe de un pozo o de una mesa se limita a una jornada o a un mes.")
    if kind == "day":
        return Scope(kind, name, day=name)
    wanted = name if kind == "month" else month
    if wanted and not _MONTH.fullmatch(wanted):
        raise ReportRefused(f"Un mes se escribe AAAA-MM, no {wanted}.")
    return Scope(kind, name, day, wanted)


class Inventory:
    """What there is in the record, so that a wrong name can be answered with the right ones."""

    def __init__(self) -> None:
        self.days: dict[str, None] = {}
        self.pots: dict[str, None] = {}
        self.tables: dict[str, None] = {}

    def note(self, day: str, fact: Fact, fold: Fold) -> None:
        """One more fact."""
        if day:
            self.days[day] = None
        if isinstance(fact, PlanTookEffect):
            self.pots.update(dict.fromkeys(fold.plans))
            self.tables.update(dict.fromkeys(fold.tables))

    def refuse_unknown(self, asked: Scope) -> None:
        """One error for a name that is not there; the narrowing first, because it decides how far was read."""
        if asked.day and asked.day not in self.days:
            raise not_there("una jornada", asked.day, self.days)
        months = list(dict.fromkeys(day[:_AS_IN_A_DAY] for day in self.days))
        if asked.month and asked.month not in months:
            raise not_there("jornadas del mes", asked.month, months)
        if asked.kind == "pot" and asked.name not in self.pots:
            raise not_there("un pozo", asked.name, self.pots)
        if asked.kind == "table" and asked.name not in self.tables:
            raise not_there("una mesa", asked.name, self.tables)
