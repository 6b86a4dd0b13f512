"""Facts of what is won: claims, awards, complementary draws.

Theory: see facts.
"""

from controller.core.values import FactRoot, Flow, Granted, Hand, Levels, Unpaid


class ClaimRegistered(FactRoot, frozen=True, tag="claim_registered"):
    """R-13 to R-20, R-34: the hands, the pot as it was, every award with its sources, and the pot afterwards."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    before: Levels
    awards: tuple[Granted, ...]
    unpaid: tuple[Unpaid, ...]
    after: Levels
    by: str
    base_back: Flow | None = None


class ClaimRejected(FactRoot, frozen=True, tag="claim_rejected"):
    """R-21: undone exactly; `flow` is what the pot and the house get back."""

    claim: str
    pot: str
    casino: str
    held: int
    flow: Flow
    reason: str
    by: str
    second: str
    overflow: int = 0


class AwardConfirmed(FactRoot, frozen=True, tag="award_confirmed"):
    award: str
    by: str
    second: str = ""


class AwardPaid(FactRoot, frozen=True, tag="award_paid"):
    award: str
    pot: str
    casino: str
    seat: int
    amount: int
    by: str


class AwardOverdue(FactRoot, frozen=True, tag="award_overdue"):
    """R-21: an alarm, never a decision."""

    award: str
    since: int


class LateRegistered(FactRoot, frozen=True, tag="late_registered"):
    """R-34: winners found after a payment, paid by the house."""

    claim: str
    pot: str
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[Granted, ...]
    by: str
    second: str


class Drawn(FactRoot, frozen=True, tag="drawn"):
    """R-30: one draw; `seats` are those who took part, so that the seed shows it was this and nothing else."""

    table: str
    number: int
    prize: str
    closed: str
    seats: tuple[int, ...]
    hit: bool
    seat: int = 0
    card: str = ""


class PrizeGranted(FactRoot, frozen=True, tag="prize_granted"):
    """R-29: a complementary prize, held like any award, or given as promotional credits at once."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    prize: str
    seat: int
    amount: int
    flow: Flow
    promo: bool = False
    by: str = ""
