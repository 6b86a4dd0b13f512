"""One award in the record: the facts that concern it, and the plan under which it was won.

Theory. The number of an award says its table, its pass and its claim, so one pass over the record finds everything
that concerns it: the bet, the registration, the confirmation, the payment or the rejection, and the corrections of its
pass. A report tells what became of it, an explanation why it is what it is; both read what was found here.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from controller.core import facts
from controller.core.facts import Entry
from controller.core.past.claims import Claims, Granted, PastClaim, note
from controller.core.values import TRAINING, Documents, RegisteredAward
from controller.record.fold import NOWHERE, Fold, Where, at, granted_in
from controller.record.reading import entries, not_there
from controller.record.record import Record
from controller.rules.plan import Plan
from controller.rules.ruleset import Modality

_NEWEST = 20
_MOST_DIGITS = 16
ADVANCES = (facts.AwardAdvanced, facts.AdvanceHeard)
_PLAYED = (facts.BetMade, facts.ChipsFell, facts.LampChanged, facts.PassSealed, facts.Drawn)


@dataclass(frozen=True, slots=True)
class AwardFacts:
    """The facts of one award and where they belong, with the plan under which it was registered. `claimed` is the first
    registration of its claim, `played` what its seat did in the pass, `corrections` what put its pass right; `kept` is
    what its seat had of this claim already when a correction owed it this difference. Of a pot that a neighbour owns:
    `decided` by its owner, `charged` to the house here, `frozen` by what was asked of him and is not answered,
    `advances` that the winner was handed meanwhile."""

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
    decided: Entry | None = None
    charged: Entry | None = None
    frozen: Entry | None = None
    documents: Documents | None = None
    corrections: tuple[Entry, ...] = ()
    advances: tuple[Entry, ...] = ()
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
        found = (
            self.sealed,
            self.registered,
            self.overdue,
            self.confirmed,
            self.aside,
            self.ended,
            *self.corrections,
            *self.advances,
        )
        found = (*found, self.decided, self.charged, self.frozen)
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
        advances=tuple(search.advances),
        kept=kept,
        documents=search.documents,
        **found,
    )


def _is_of(entry: Entry, granted: RegisteredAward) -> bool:
    """Whether it is of the winner's seat, or of the whole pass; of draws, the one for this prize."""
    if isinstance(entry.fact, facts.Drawn):
        return entry.fact.prize == granted.prize
    return getattr(entry.fact, "seat", granted.seat) == granted.seat


def _registered_in(fact: facts.Fact) -> Iterator[tuple[str, RegisteredAward]]:
    """R-20: an award of a neighbour's pot is registered when it is asked, also a percentage that has no amount yet."""
    if isinstance(fact, facts.ClaimAsked):
        yield from ((f"{fact.claim}/{award.number}", award) for award in fact.awards)
    elif not isinstance(fact, facts.ClaimDecided):
        yield from granted_in(fact)


def _pass_in(rest: str) -> int:
    """The number of the pass in what stands behind the table in a claim's name."""
    number = rest.partition("/")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < _MOST_DIGITS else 0


_SAID_OF_IT = {
    facts.ClaimRegistered: ("claimed", "claim"),
    facts.PrizeGranted: ("claimed", "claim"),
    facts.ClaimAsked: ("claimed", "claim"),
    facts.ClaimDecided: ("decided", "claim"),
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
        self.advances: list[Entry] = []
        self.claims: Claims = {}
        self.kept = 0
        self.documents: Documents | None = None

    def look_at(self, entry: Entry) -> None:
        fact, where = entry.fact, self.fold.follow(entry).where
        for award, granted in _registered_in(fact):
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
        elif isinstance(fact, ADVANCES) and fact.award == self.names["award"]:
            self.advances.append(entry)
        self._hear(entry)
        note(self.claims, entry)

    def _hear(self, entry: Entry) -> None:
        """R-28: what the owner of the pot said of it, and what was asked of him."""
        fact, (table, _, rest) = entry.fact, self.names["claim"].partition("/")
        if isinstance(fact, facts.ClaimAsked | facts.ClaimDecided) and fact.awards:
            self._note_far(entry, fact)
        elif isinstance(fact, facts.HouseCharged) and fact.table == table and fact.cause.partition("/")[2] == rest:
            self.found["charged"] = entry
        elif getattr(fact, "table", "") == table and getattr(fact, "number", 0) == _pass_in(rest):
            if isinstance(fact, facts.CorrectionAsked):
                self.found["frozen"] = entry
            elif isinstance(fact, facts.ClaimCorrected | facts.CorrectionRefused):
                self.found.pop("frozen", None)

    def _note_far(self, entry: Entry, fact: facts.ClaimAsked | facts.ClaimDecided) -> None:
        """R-34: among the claims of the past, which a correction changes; with its amounts, once they are known."""
        past = self.claims.setdefault(fact.claim, PastClaim(fact.table, fact.number, fact.casino, entry.at, {}))
        for award in fact.awards:
            name = f"{fact.claim}/{award.number}"
            past.awards[name] = past.awards.get(name, Granted(award))._replace(award=award)
            if name == self.names["award"]:
                self.granted = award

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
