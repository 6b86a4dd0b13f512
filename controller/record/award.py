"""One award in the record: the facts that concern it, and the plan under which it was won.

Theory. The number of an award says its table, its pass and its claim, so one pass over the record finds everything
that concerns it: the bet, the registration, the confirmation, the payment or the rejection, and the corrections of its
pass. A report tells what became of it, an explanation why it is what it is; both read what was found here.
"""

from collections import deque
from dataclasses import dataclass

from controller.core import facts
from controller.core.facts import Entry
from controller.core.past.claims import Claims, note
from controller.core.values import TRAINING, Documents, RegisteredAward
from controller.record.fold import NOWHERE, Fold, Where, at, granted_in
from controller.record.reading import entries, not_there
from controller.record.record import Record
from controller.rules.plan import Plan
from controller.rules.ruleset import Modality

_NEWEST = 20
_PLAYED = (facts.BetMade, facts.ChipsFell, facts.LampChanged, facts.PassSealed, facts.Drawn)


@dataclass(frozen=True, slots=True)
class AwardFacts:
    """The facts of one award and where they belong, with the plan under which it was registered. `claimed` is the first
    registration of its claim, `played` what its seat did in the pass, `corrections` what put its pass right; `kept` is
    what its seat had of this claim already when a correction owed it this difference."""

    award: str
    fold: Fold
    where: Where
    granted: RegisteredAward
    plan: Plan
    modality: Modality
    played: tuple[Entry, ...]
    registered: Entry
    claimed: Entry | None = None
    sealed: Entry | None = None
    confirmed: Entry | None = None
    overdue: Entry | None = None
    ended: Entry | None = None
    aside: Entry | None = None
    documents: Documents | None = None
    corrections: tuple[Entry, ...] = ()
    kept: int = 0

    @property
    def granted_prize(self) -> facts.PrizeGranted | None:
        """R-29: the grant, where it is a complementary prize, also one that was granted anew."""
        found = (entry.fact for entry in (self.registered, self.claimed) if entry is not None)
        return next((fact for fact in found if isinstance(fact, facts.PrizeGranted)), None)

    @property
    def lost(self) -> int:
        """R-34: what of it was paid without being owed: the house's loss."""
        corrected = (entry.fact for entry in self.corrections if isinstance(entry.fact, facts.ClaimCorrected))
        return sum(loss.amount for fact in corrected for loss in fact.lost if loss.award == self.award)

    @property
    def all(self) -> tuple[Entry, ...]:
        found = (self.sealed, self.registered, self.overdue, self.confirmed, self.aside, self.ended, *self.corrections)
        return tuple(sorted({one.seq: one for one in found if one is not None}.values(), key=lambda one: one.seq))

    @property
    def bets(self) -> dict[int, int]:
        """The valid bets of that pass, by seat."""
        sealed = self.sealed.fact if self.sealed is not None else None
        return {bet.seat: bet.amount for bet in sealed.bets} if isinstance(sealed, facts.PassSealed) else {}

    @property
    def bet(self) -> int:
        """The winner's own bet."""
        return self.bets.get(self.granted.seat, 0)


def facts_of(record: Record, award: str) -> AwardFacts:
    """What the record says of one award, or a ReportRefused with the newest awards there are."""
    search = _Search(award)
    for entry in entries(record):
        search.look_at(entry)
    granted, plan, modality = search.granted, search.plan, search.modality
    if granted is None or plan is None or modality is None:
        raise not_there("un premio", award, search.newest)
    played = tuple(entry for entry in search.played if _is_of(entry, granted))
    corrections, kept = tuple(search.corrections), search.kept
    found = search.found
    return AwardFacts(
        award,
        search.fold,
        search.where,
        granted,
        plan,
        modality,
        played,
        corrections=corrections,
        kept=kept,
        documents=search.documents,
        **found,
    )


def _is_of(entry: Entry, granted: RegisteredAward) -> bool:
    """Whether it is of the winner's seat, or of the whole pass; of draws, the one for this prize."""
    if isinstance(entry.fact, facts.Drawn):
        return entry.fact.prize == granted.prize
    return getattr(entry.fact, "seat", granted.seat) == granted.seat


_SAID_OF_IT = {
    facts.ClaimRegistered: ("claimed", "claim"),
    facts.PrizeGranted: ("claimed", "claim"),
    facts.AwardConfirmed: ("confirmed", "award"),
    facts.AwardOverdue: ("overdue", "award"),
    facts.AwardSetAside: ("aside", "award"),
    facts.AwardPaid: ("ended", "award"),
    facts.ClaimRejected: ("ended", "claim"),
}
"""What a fact is to an award, and the field by which it names the award or its claim."""


class _Search:
    """One pass over the record for one award."""

    def __init__(self, award: str) -> None:
        self.names = {"award": award, "claim": award.rpartition("/")[0]}
        self.fold = Fold(concerns=lambda _where: False)
        self.where = NOWHERE
        self.granted: RegisteredAward | None = None
        self.plan: Plan | None = None
        self.modality: Modality | None = None
        self.found: dict[str, Entry] = {}
        self.played: list[Entry] = []
        self.newest: deque[str] = deque(maxlen=_NEWEST)
        self.corrections: list[Entry] = []
        self.claims: Claims = {}
        self.kept = 0
        self.documents: Documents | None = None

    def look_at(self, entry: Entry) -> None:
        fact, where = entry.fact, self.fold.follow(entry).where
        for award, granted in granted_in(fact):
            if not award.startswith(TRAINING):
                self.newest.append(award)
            if award == self.names["award"]:
                self.granted, self.where = granted, at(fact, where, award)
                self.found["registered"] = entry
                self._approved(self.where)
        if isinstance(fact, _PLAYED) and self.names["award"].startswith(f"{fact.table}/{fact.number}/"):
            self.played.append(entry)
            if isinstance(fact, facts.PassSealed):
                self.found["sealed"] = entry
                self._approved(where)
        is_to_it, field = _SAID_OF_IT.get(type(fact), ("", ""))
        if is_to_it and getattr(fact, field) == self.names[field]:
            self.found[is_to_it] = entry
        if isinstance(fact, facts.ClaimCorrected):
            self._correct(entry, fact)
        note(self.claims, entry)

    def _correct(self, entry: Entry, fact: facts.ClaimCorrected) -> None:
        """R-34: what was put right of its pass, and what that made of it."""
        award, claim = self.names["award"], self.names["claim"]
        if claim == fact.claim or claim in {one.claim for one in fact.resettled} or award in fact.cancelled:
            self.corrections.append(entry)
        if award in fact.cancelled:
            self.found["ended"] = entry
        if self.found.get("registered") is entry and self.granted is not None:
            past = self.claims[claim].awards if claim in self.claims else {}
            mine = {
                name: one for name, one in past.items() if one.award.seat == self.granted.seat and not one.cancelled
            }
            self.kept = sum(one.award.amount for name, one in mine.items() if name not in fact.cancelled)
            if fact.confirmed:
                self.found["confirmed"] = entry

    def _approved(self, where: Where) -> None:
        """R-26: what was approved when the pass was played holds for all that it won."""
        if self.plan is None and where.pot in self.fold.plans:
            self.plan, self.documents = self.fold.plans[where.pot], self.fold.documents[where.pot]
            self.modality = self.fold.games.get(where.table)
