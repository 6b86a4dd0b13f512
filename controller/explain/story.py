"""One award and what its explanation is told from: the facts that concern it, and the words for its money.

Theory. What a claim was settled on stands in one of three facts: registered where the pot is, decided by its owner
where it is a neighbour's (R-28), or put right later (R-34). Every part of the explanation asks here.
"""

from datetime import tzinfo

from controller.core import facts
from controller.core.facts import Entry
from controller.core.links.names import AT, is_away, neighbour_of
from controller.core.values import Levels, RegisteredAward
from controller.explain.corrections import settled_by
from controller.record.award import AwardFacts
from controller.rules.cards import CATEGORIES
from controller.spanish.names import when
from controller.spanish.numbers import money

_NO_LEVELS = Levels(0, 0)


class Story:
    """One award, and the words for its money."""

    def __init__(self, found: AwardFacts, zone: tzinfo) -> None:
        self.found, self.zone = found, zone
        self.granted, self.plan, self.ruleset = found.granted, found.plan, found.plan.ruleset
        self.bets = found.bets

    def cash(self, amount: int) -> str:
        return money(self.ruleset.currency, amount).strip()

    def at(self, entry: Entry) -> str:
        return f"hecho {entry.seq}, {when(entry.at, self.zone)}"

    @property
    def above(self) -> str:
        """R-28: the neighbour from whom the pot is heard; nobody, where it is this node's."""
        return str(getattr(self.found.registered.fact, "above", ""))

    @property
    def below(self) -> str:
        """R-28: the neighbour whose table won it; nobody, where it is this node's."""
        return neighbour_of(self.found.where.table) if is_away(self.found.where.table) else ""

    @property
    def table_at(self) -> str:
        """R-28: the node that has the table, by the way to it from here."""
        return self.found.where.table.partition(AT)[2]

    @property
    def waits(self) -> bool:
        """R-20: a percentage of a neighbour's pot has no amount until its owner decides."""
        asked = self.found.registered.fact
        is_asked = isinstance(asked, facts.ClaimAsked) and self.granted.number in asked.waiting
        return is_asked and self.found.decided is None

    @property
    def settled(self) -> facts.ClaimRegistered | facts.ClaimDecided | None:
        """R-20: what says from where the claim's money comes, with the pot before and after."""
        claimed, decided = self.found.claimed, self.found.decided
        if decided is not None and isinstance(decided.fact, facts.ClaimDecided):
            return decided.fact
        return claimed.fact if claimed is not None and isinstance(claimed.fact, facts.ClaimRegistered) else None

    @property
    def before(self) -> Levels:
        """R-20, R-34: the pot as the claim found it; a late winner is owed what he would have been paid then."""
        if isinstance(self.found.registered.fact, facts.ClaimCorrected):
            return self.found.registered.fact.before
        return self.settled.before if self.settled is not None else _NO_LEVELS

    @property
    def awards(self) -> list[RegisteredAward]:
        """R-13: every award of the claim in paying order, late ones in their place; of a correction, as it should have
        been at once."""
        if isinstance(self.found.registered.fact, facts.ClaimCorrected):
            return settled_by(self.found, self.found.registered.fact)
        awards = list(self.settled.awards) if self.settled is not None else []
        if isinstance(self.found.registered.fact, facts.LateRegistered):
            awards += self.found.registered.fact.awards
        return sorted(awards, key=lambda award: (CATEGORIES.get(award.prize, 0), award.seat))

    @property
    def owed(self) -> int:
        """R-34: what the seat is owed of this claim; a correction owes what is lacking of it."""
        return self.granted.amount + self.found.kept

    @property
    def is_resettled(self) -> bool:
        """R-34: of a later claim of the pot than the one that was corrected."""
        fact = self.found.registered.fact
        return isinstance(fact, facts.ClaimCorrected) and fact.claim != self.found.award.rpartition("/")[0]
