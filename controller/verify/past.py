"""What a record says of a pot's past, from a mark on: its claims, and the pass that is to be put right (R-34, R-35).

Theory. A record of years is too much to hold, so it is read again where a pass is put right: what was claimed is little
and is kept here, all else goes by twice. A claim is what is known of it now: who truly held what, and what became of
each award. Nothing is decided here.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from controller.verify import facts as kinds
from controller.verify.facts import Hand
from controller.verify.law import Law
from controller.verify.money import Purse

OF_A_POT = (
    "plan_took_effect", "money_moved", "pass_sealed", "hands_voided", "pass_closed", "prize_granted",
    "claim_registered", "claim_rejected", "claim_corrected", "late_registered", "award_paid",
    "dispute_ended",
)  # fmt: skip
"""The kinds of facts that make a pot what it is, or say what is known of it."""

Pass = tuple[str, int]


class Mark(NamedTuple):
    """Behind fact `seq`, while none of its tables played, the pot was this, under this law."""

    seq: int
    purse: Purse
    law: Law


@dataclass
class Won:
    """An award: handed over, struck out because it was false, or waiting."""

    seat: int
    prize: str
    amount: int
    paid: bool = False
    struck: bool = False
    lost: int = 0


@dataclass
class Known:
    """A claim, or a complementary prize, as it is known to have been. `place` is the fact at whose instant it is
    settled; `by` are who entered it first; `late` are winners whom the house pays beside the pot. `is_none`: nothing of
    it was true; `as_written`: it was rejected under the first reading, and counts by what stands in its facts. `card`:
    the one that its seat had; `told`: it was decided before a restore, or `taken` by two persons though its
    pass was perhaps never believed, and counts by what it was told."""

    name: str
    of: Pass
    casino: str
    place: int
    at: int
    by: frozenset[str]
    hands: tuple[Hand, ...] = ()
    community: tuple[str, ...] = ()
    late: frozenset[int] = frozenset()
    awards: dict[str, Won] = field(default_factory=dict)
    is_prize: bool = False
    card: str = ""
    paid_in: str = ""
    is_none: bool = False
    as_written: bool = False
    told: bool = False
    taken: bool = False

    def kept(self, winners: dict[int, str]) -> dict[int, int]:
        """R-34: what each seat has for good: all that was paid to it, and what is held and true."""
        kept: dict[int, int] = {}
        for won in self.awards.values():
            if won.paid or (not won.struck and winners.get(won.seat) == won.prize):
                kept[won.seat] = kept.get(won.seat, 0) + won.amount
        return kept

    def won(self, awards: Iterable[kinds.Granted]) -> None:
        for one in awards:
            self.awards[f"{self.name}/{one.number}"] = Won(one.seat, one.prize, one.amount)


class Past:
    """The claims of a pot since a mark, and of one pass when it was sealed, void or closed."""

    def __init__(self, pot: str, since: int, of: Pass) -> None:
        self.pot, self.since, self.of = pot, since, of
        self.claims: dict[str, Known] = {}
        self.voided: dict[Pass, set[int]] = {}
        self.sealed: kinds.PassSealed | None = None
        self.seals: set[Pass] = set()
        self.is_void = False
        self.closed_at = self.attempts = 0

    @property
    def is_whole(self) -> bool:
        """Whether the mark is before the seals of all that was claimed."""
        return {self.of, *(one.of for one in self.claims.values() if not one.taken)} <= self.seals

    @property
    def standing(self) -> Known | None:
        """R-34: all winners of a pass are one claim; one that was rejected is none."""
        last = self.of_pass[-1] if self.of_pass else None
        return None if last is None or last.is_none or last.as_written else last

    @property
    def of_pass(self) -> list[Known]:
        """Every claim there was of the pass that is to be put right."""
        return [one for one in self.claims.values() if one.of == self.of and not one.is_prize]

    def read(self, seq: int, at: int, fact: Any) -> None:
        """One fact more."""
        if isinstance(fact, kinds.PassSealed | kinds.PassClosed | kinds.HandsVoided):
            self._of_pass(seq, fact)
        elif getattr(fact, "pot", "") != self.pot:
            return
        elif isinstance(fact, kinds.ClaimRegistered | kinds.PrizeGranted):
            if isinstance(fact, kinds.ClaimRegistered):
                self._attempted(fact)
            self._claimed(seq, at, fact)
        elif isinstance(fact, kinds.ClaimCorrected):
            self._attempted(fact)
            self._corrected(at, fact)
        elif isinstance(fact, kinds.ClaimRejected | kinds.LateRegistered | kinds.AwardPaid):
            self._decided(fact)

    def _attempted(self, fact: kinds.ClaimRegistered | kinds.ClaimCorrected) -> None:
        attempt = fact.claim.rpartition("/")[2]
        if (fact.table, fact.number) == self.of and attempt.isdecimal():
            self.attempts = max(self.attempts, int(attempt))

    def _of_pass(self, seq: int, fact: kinds.PassSealed | kinds.PassClosed | kinds.HandsVoided) -> None:
        of = (fact.table, fact.number)
        if isinstance(fact, kinds.HandsVoided):
            if fact.sealed:
                self.voided.setdefault(of, set()).update(refund.seat for refund in fact.refunds)
            self.is_void = self.is_void or (fact.whole_pass and of == self.of)
        elif isinstance(fact, kinds.PassSealed):
            self.seals.add(of)
            self.sealed = fact if of == self.of else self.sealed
        elif of == self.of:
            self.closed_at = seq

    def _claimed(self, seq: int, at: int, fact: kinds.ClaimRegistered | kinds.PrizeGranted) -> None:
        """A claim that paid nobody is none."""
        known = Known(fact.claim, (fact.table, fact.number), fact.casino, seq, at, frozenset({fact.by}))
        if isinstance(fact, kinds.PrizeGranted):
            known.is_prize, known.card, known.paid_in = True, fact.card, fact.paid_in
            given = fact.promo and not fact.held
            known.awards[f"{fact.claim}/1"] = Won(fact.seat, fact.prize, fact.amount, paid=given)
        elif fact.awards:
            known.hands, known.community = fact.hands, fact.community
            known.won(fact.awards)
            known.told, known.taken = bool(fact.log) or fact.taken, fact.taken
        else:
            return
        self.claims[fact.claim] = known

    def _corrected(self, at: int, fact: kinds.ClaimCorrected) -> None:
        """What stands before the mark is in the mark; of what was registered behind it, what is known now."""
        for other in fact.resettled:
            if other.claim in self.claims:
                self.claims[other.claim].won(other.awards)
        if fact.place <= self.since:
            return
        known = self.claims.get(fact.claim)
        if known is None:
            of = (fact.table, fact.number)
            since = fact.since or at
            by = frozenset({fact.by, fact.second})
            known = self.claims[fact.claim] = Known(fact.claim, of, fact.casino, fact.place, since, by)
        stood = not known.is_none
        known.told = known.taken = False
        known.place, known.late = fact.place, frozenset(fact.late)
        known.hands, known.community = fact.hands, fact.community
        for name in fact.cancelled:
            if (struck := self._behind_mark(name)) is not None:
                struck.awards[name].struck = True
                struck.is_none = struck.is_none or struck.is_prize
        for loss in fact.lost:
            if (bears := self._behind_mark(loss.award)) is not None:
                bears.awards[loss.award].lost += loss.amount
        known.won(fact.awards)
        losers = {one.seat for one in fact.unpaid}
        # A prize that stands can only be taken back, one that does not only be granted.
        known.is_none = (stood or fact.void) if known.is_prize else all(hand.seat in losers for hand in fact.hands)

    def _behind_mark(self, award: str) -> Known | None:
        """The claim of an award; none of a prize that lies before the mark: it is in it. Where a neighbour plays on
        over our day's end, his prize may be drawn before the mark and its pass be sealed behind it."""
        return self.claims.get(award.rpartition("/")[0])

    def _decided(self, fact: kinds.ClaimRejected | kinds.LateRegistered | kinds.AwardPaid) -> None:
        name = fact.award.rpartition("/")[0] if isinstance(fact, kinds.AwardPaid) else fact.claim
        known = self.claims.get(name)
        if known is None:
            return
        if isinstance(fact, kinds.AwardPaid):
            known.awards[fact.award].paid = True
        elif isinstance(fact, kinds.LateRegistered):
            known.hands, known.community = fact.hands, fact.community
            known.late |= {award.seat for award in fact.awards}
            known.won(fact.awards)
        else:
            known.as_written = True
            for won in known.awards.values():
                won.struck = True
