"""When the node signs: which facts must be followed by a signature, and how long others may wait for one.

Theory. A chain that nobody signed proves nothing: whoever can write the file can write it anew. So the answer to an
input ends with a signed checkpoint, in the same commit, where it founded, started or stopped the node, opened or closed
a day, let a terminal in or took it away, moved what two persons must sign for, registered, confirmed or paid an award,
said that the clock was set, or came five minutes after the oldest fact that no signature covers yet. `pozo verify` asks
for each of them (docs/record.md), so what stands here is the record's format: a kind that earlier records have may be
added with the next number of `core/node.py:SIGNING`, which each start says; none is ever taken away.
"""

from controller.core.facts import (
    AwardAdvanced,
    AwardConfirmed,
    AwardPaid,
    AwardSetAside,
    ClaimCorrected,
    ClaimRegistered,
    ClockStepped,
    ClockWentBack,
    DayClosed,
    DayOpened,
    DayRenamed,
    Fact,
    MoneyMoved,
    NodeFounded,
    NodeRestored,
    NodeStarted,
    NodeStopped,
    PersonEnrolled,
    PinsReplaced,
    PlanStaged,
    PlanTookEffect,
    PotLeft,
    PrizeGranted,
    ReadingAdopted,
    SeedLost,
    TerminalEnrolled,
    TerminalWithdrawn,
    VerifiersSealed,
)
from controller.node.vocabulary.clock import Millis

SIGNED_WITHIN: Millis = 300_000
"""By the facts' own instants; a clock that steps back is signed at once, so that within a stretch they only rise."""

SIGNED_AT: frozenset[type[Fact]] = frozenset(
    {
        NodeFounded,
        ReadingAdopted,
        NodeRestored,
        NodeStarted,
        NodeStopped,
        ClockStepped,
        ClockWentBack,
        PersonEnrolled,
        VerifiersSealed,
        PinsReplaced,
        TerminalEnrolled,
        TerminalWithdrawn,
        PlanStaged,
        PlanTookEffect,
        MoneyMoved,
        PotLeft,
        DayOpened,
        DayClosed,
        DayRenamed,
        SeedLost,
        PrizeGranted,
        ClaimRegistered,
        ClaimCorrected,
        AwardConfirmed,
        AwardPaid,
        AwardSetAside,
        AwardAdvanced,
    }
)
_WITH_A_SNAPSHOT = (NodeStopped, ReadingAdopted, NodeRestored)
"""From here the next start begins."""


class Unsigned:
    """What stands in the chain after its last signature: since when, and whether it must be signed now."""

    def __init__(self, since: Millis | None) -> None:
        self.since, self.is_due, self.wants_snapshot = since, False, False

    def add(self, at: Millis, fact: Fact) -> None:
        """One more fact that no signature covers."""
        if self.since is None:
            self.since = at
        if type(fact) in SIGNED_AT or at - self.since >= SIGNED_WITHIN:
            self.is_due = True
            self.wants_snapshot = self.wants_snapshot or isinstance(fact, _WITH_A_SNAPSHOT)

    def signed(self) -> None:
        self.since, self.is_due = None, False
