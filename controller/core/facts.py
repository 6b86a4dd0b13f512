"""Everything that can stand on record: one frozen type for each kind of fact, complete in itself (R-27).

Theory. A fact says what happened with every figure that an auditor needs to compute it again, and its postings
follow from the fact alone. Facts are never rewritten; a correction is a new fact that names the old one. The
names and fields here are the record's format: a kind may gain a field with a default, it may never change one.
"""

from msgspec import Struct

from controller.core.facts_award import (
    AwardConfirmed,
    AwardOverdue,
    AwardPaid,
    ClaimRegistered,
    ClaimRejected,
    Drawn,
    LateRegistered,
    PrizeGranted,
)
from controller.core.facts_node import (
    ClockWentBack,
    DayClosed,
    DayOpened,
    IdReused,
    MoneyMoved,
    NodeFounded,
    NodeRestored,
    NothingNew,
    PersonEnrolled,
    PersonUnlocked,
    PlanStaged,
    PlanTookEffect,
    PlanWithdrawn,
    Refused,
    SuspenseCleared,
    TrainingEnded,
    TrainingStarted,
)
from controller.core.facts_table import (
    BetMade,
    BetRefused,
    ChipsFell,
    CreditsBought,
    CreditsCashed,
    CreditsLeft,
    DeviceAdopted,
    DeviceSeen,
    DeviceTended,
    DeviceVoided,
    HandsVoided,
    LampChanged,
    LeftPaid,
    Locked,
    OwedPaid,
    PassClosed,
    PassOpened,
    PassSealed,
    SeatClosed,
    SeatCounted,
    SeatOpened,
    SeatProven,
)

__all__ = [
    "AwardConfirmed",
    "AwardOverdue",
    "AwardPaid",
    "BetMade",
    "BetRefused",
    "ChipsFell",
    "ClaimRegistered",
    "ClaimRejected",
    "ClockWentBack",
    "CreditsBought",
    "CreditsCashed",
    "CreditsLeft",
    "DayClosed",
    "DayOpened",
    "DeviceAdopted",
    "DeviceSeen",
    "DeviceTended",
    "DeviceVoided",
    "Drawn",
    "Entry",
    "Fact",
    "HandsVoided",
    "IdReused",
    "LampChanged",
    "LateRegistered",
    "LeftPaid",
    "Locked",
    "MoneyMoved",
    "NodeFounded",
    "NodeRestored",
    "NothingNew",
    "OwedPaid",
    "PassClosed",
    "PassOpened",
    "PassSealed",
    "PersonEnrolled",
    "PersonUnlocked",
    "PlanStaged",
    "PlanTookEffect",
    "PlanWithdrawn",
    "PrizeGranted",
    "Refused",
    "SeatClosed",
    "SeatCounted",
    "SeatOpened",
    "SeatProven",
    "SuspenseCleared",
    "TrainingEnded",
    "TrainingStarted",
]

Fact = (
    NodeFounded
    | NodeRestored
    | PersonEnrolled
    | PersonUnlocked
    | PlanStaged
    | PlanWithdrawn
    | PlanTookEffect
    | DayOpened
    | DayClosed
    | PassOpened
    | CreditsBought
    | CreditsCashed
    | CreditsLeft
    | LeftPaid
    | OwedPaid
    | DeviceAdopted
    | BetMade
    | BetRefused
    | ChipsFell
    | DeviceVoided
    | DeviceSeen
    | DeviceTended
    | LampChanged
    | SeatClosed
    | SeatOpened
    | SeatCounted
    | SuspenseCleared
    | Locked
    | SeatProven
    | PassSealed
    | HandsVoided
    | PassClosed
    | ClaimRegistered
    | ClaimRejected
    | AwardConfirmed
    | AwardPaid
    | AwardOverdue
    | LateRegistered
    | Drawn
    | PrizeGranted
    | MoneyMoved
    | TrainingStarted
    | TrainingEnded
    | ClockWentBack
    | NothingNew
    | Refused
    | IdReused
)


class Entry(Struct, frozen=True):
    """One fact as it stands in the chain: its number, the instant, the id of the input it answers, the fingerprint of
    that input's content, and the fact."""

    seq: int
    at: int
    id: tuple[str, int, int]
    ask: str
    fact: Fact
