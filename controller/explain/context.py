"""What stood before a fact: the plans, the pots, the fractions that were owed, the day and its commitment.

Theory. An explanation needs the figures from which a fact was computed, and those stand in the facts before it. The
fold follows them from the first one on; so an explanation rests on the record alone, and on nothing that a running
node would say.
"""

from collections.abc import Callable
from datetime import UTC, tzinfo
from typing import NamedTuple

from controller.core.facts import Entry
from controller.core.values import Hand, Levels
from controller.record.fold import NO_CURRENCY, Fold, Where
from controller.record.reading import ReportRefused, entries
from controller.record.record import Record
from controller.rules.cards import printed
from controller.rules.plan import Plan
from controller.rules.ruleset import Currency
from controller.spanish.names import part_name, prize_name, when
from controller.spanish.numbers import money, whole


class FactCase(NamedTuple):
    """A fact to explain, with what stood before it, and the record for what came after."""

    entry: Entry
    before: Fold
    where: Where
    record: Record
    zone: tzinfo = UTC

    @property
    def plan(self) -> Plan | None:
        """The plan in force; in training there is none to look at."""
        return self.before.plans.get(self.where.pot)

    @property
    def currency(self) -> Currency:
        return self.plan.ruleset.currency if self.plan is not None else NO_CURRENCY

    def cash(self, amount: int) -> str:
        return money(self.currency, amount).strip()

    def at(self, instant: int) -> str:
        return when(instant, self.zone)


def case_of(record: Record, seq: int, zone: tzinfo = UTC) -> FactCase:
    """The fact of that number with all that was before it, or a ReportRefused."""
    before, last = Fold(), 0
    for entry in entries(record, last=seq):
        last = entry.seq
        if last == seq:
            return FactCase(entry, before, before.place(entry), record, zone)
        before.follow(entry)
    if seq < 1:
        raise ReportRefused("Los hechos se numeran desde el 1.")
    raise ReportRefused(f"No hay un hecho {seq}; hay del 1 al {last}." if last else "Este registro está vacío.")


def levels_told(cash: Callable[[int], str], levels: Levels) -> str:
    """R-20: a pot with all its parts."""
    reserves = "".join(f", {part_name(name)} {cash(amount)}" for name, amount in levels.reserves.items())
    return f"principal {cash(levels.main)}{reserves}"


def agrees(computed: int, recorded: int) -> str:
    """Nothing where the record says the same; else the contradiction, so that no reader misses it."""
    return "" if computed == recorded else f" ¡NO CUADRA: el registro dice {whole(recorded)}!"


def hand_told(hand: Hand) -> str:
    """What was entered of it: the category that was claimed, and its cards."""
    words = [prize_name(hand.claimed)] if hand.claimed else []
    words += [" ".join(map(printed, hand.cards))] if hand.cards else []
    return ", ".join(words) or "sin jugada"
