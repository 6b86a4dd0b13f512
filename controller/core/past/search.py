"""What is read of a record for an act about the past: kinds of facts, from where, and which way (R-34, R-35).

Theory. A record of years is not read whole: facts of these kinds are found without looking at the others.
"""

from collections.abc import Generator
from typing import NamedTuple

from controller.core.facts import Entry

NEWEST = 2**63 - 1
BACK = (
    "pass_sealed", "pass_closed", "hands_voided", "claim_registered", "claim_asked", "claim_rejected",
    "claim_corrected", "prize_granted", "training_started",
)  # fmt: skip
PLANS = ("plan_took_effect",)
FORWARD = (
    *BACK, *PLANS, "late_registered", "award_paid", "award_set_aside", "money_moved", "dispute_ended",
)  # fmt: skip


class Search(NamedTuple):
    """What to read next: facts of these kinds from this number on, forwards, or backwards to the first."""

    kinds: tuple[str, ...]
    start: int
    forwards: bool


Steps = Generator[Search, Entry | None, None]
"""One search after the other, each given its facts and, where there are no more, nothing."""
