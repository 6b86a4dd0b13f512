"""Where each fact belongs: to which pot, which table, which casino; what is in force there, what is pending.

Theory. A fact names what it must name and no more: a bet says its table, an award its number. An atlas follows the
facts in their order and knows the rest from those before: which pot a table feeds, what an award is for. It keeps the
plans in force and the awards that are neither paid nor rejected, so it does not grow with the record. Training
(names that begin with "~") is another book: no report counts it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from controller.core.facts import (
    AwardPaid,
    ClaimRegistered,
    ClaimRejected,
    Entry,
    Fact,
    LateRegistered,
    NodeFounded,
    PlanTookEffect,
    PrizeGranted,
    TrainingEnded,
    TrainingStarted,
)
from controller.core.state import Documents, plan_of
from controller.core.values import TRAINING, Granted
from controller.record.reading import ReportRefused
from controller.rules.document import DocumentError
from controller.rules.plan import Plan
from controller.rules.ruleset import Currency

NO_CURRENCY = Currency("", "", 0, "")
"""Before the first plan there is no money, and what there is of it is nothing."""


class Where(NamedTuple):
    """What a fact belongs to; empty where it belongs to the node as a whole."""

    pot: str = ""
    table: str = ""
    casino: str = ""
    training: bool = False


NOWHERE = Where()


class Pending(NamedTuple):
    """An award that is registered, and neither paid nor rejected yet."""

    award: str
    claim: str
    prize: str
    amount: int
    where: Where
    registered: int


class Atlas:
    """Follows the facts in their order."""

    def __init__(self) -> None:
        self.node = ""
        self.plans: dict[str, Plan] = {}
        self.tables: dict[str, Where] = {}
        self.pending: dict[str, Pending] = {}

    def follow(self, entry: Entry) -> Where:
        """Take one fact in, and say where it belongs."""
        fact = entry.fact
        if isinstance(fact, NodeFounded):
            self.node = fact.node
        elif isinstance(fact, PlanTookEffect):
            self._take_effect(entry.seq, fact)
        where = self._where(fact)
        if not where.training:
            for award in _registered(entry, where):
                self.pending[award.award] = award
        return where

    def settled(self, fact: Fact) -> tuple[Pending, ...]:
        """The awards that this fact pays or rejects; they are pending no more."""
        if isinstance(fact, AwardPaid):
            ids = [fact.award]
        elif isinstance(fact, ClaimRejected):
            ids = [award for award, pending in self.pending.items() if pending.claim == fact.claim]
        else:
            return ()
        return tuple(self.pending.pop(award) for award in ids if award in self.pending)

    def _take_effect(self, seq: int, fact: PlanTookEffect) -> None:
        try:
            plan = plan_of(Documents(fact.plan, fact.ruleset))
        except DocumentError as error:
            raise ReportRefused(f"El plan del hecho {seq} no se puede leer: {error}") from None
        self.plans[fact.pot] = plan
        for table in plan.tables:
            self.tables[table.name] = Where(fact.pot, table.name, table.casino)

    def _where(self, fact: Fact) -> Where:
        """A claim begins with its table's name, an award with its claim's."""
        claim: str = getattr(fact, "award", "") or getattr(fact, "claim", "")
        table: str = getattr(fact, "table", "") or claim.partition("/")[0]
        known = self.tables.get(table, NOWHERE)
        pot: str = getattr(fact, "pot", "") or known.pot
        casino: str = getattr(fact, "casino", "") or known.casino or self._casino_of(pot)
        training = isinstance(fact, TrainingStarted | TrainingEnded)
        return Where(pot, table, casino, training or table.startswith(TRAINING) or pot.startswith(TRAINING))

    def _casino_of(self, pot: str) -> str:
        """A pot of one casino is that casino's; one of many is nobody's alone (R-28)."""
        casinos = self.plans[pot].casinos if pot in self.plans else ()
        return casinos[0] if len(casinos) == 1 else ""


def _registered(entry: Entry, where: Where) -> Iterator[Pending]:
    """R-20: the awards that a fact registers; promotional credits are given at once and never pending."""
    fact = entry.fact
    if isinstance(fact, ClaimRegistered | LateRegistered):
        for award in fact.awards:
            yield _pending(fact.claim, award, where, entry.seq)
    elif isinstance(fact, PrizeGranted) and not fact.promo:
        yield Pending(f"{fact.claim}/1", fact.claim, fact.prize, fact.amount, where, entry.seq)


def _pending(claim: str, award: Granted, where: Where, seq: int) -> Pending:
    return Pending(f"{claim}/{award.number}", claim, award.prize, award.amount, where, seq)
