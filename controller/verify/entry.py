"""An entry of the chain, read strictly: the kinds of what is won, and the union of all kinds.

Theory: see verify_facts. Nothing that stands in a body can do more than fail to be read.
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.verify import facts as kinds
from controller.verify.facts import AtTable, Kind
from controller.verify.parts import Amount, Count, Flow, Granted, Hand, Instant, Levels, Name, Position, Unpaid


class ClaimRegistered(Kind, frozen=True, tag="claim_registered"):
    claim: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    before: Levels
    awards: tuple[Granted, ...]
    unpaid: tuple[Unpaid, ...]
    after: Levels
    by: str
    base_back: Flow | None = None


class ClaimRejected(Kind, frozen=True, tag="claim_rejected"):
    claim: str
    pot: Name
    casino: Name
    held: Amount
    flow: Flow
    reason: str
    by: str
    second: str
    overflow: Amount = 0


class AwardConfirmed(Kind, frozen=True, tag="award_confirmed"):
    award: str
    by: str
    second: str = ""


class AwardPaid(Kind, frozen=True, tag="award_paid"):
    award: str
    pot: Name
    casino: Name
    seat: Position
    amount: Amount
    by: str


class AwardOverdue(Kind, frozen=True, tag="award_overdue"):
    award: str
    since: Instant


class LateRegistered(Kind, frozen=True, tag="late_registered"):
    claim: str
    pot: Name
    casino: Name
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[Granted, ...]
    by: str
    second: str


class Drawn(AtTable, frozen=True, tag="drawn"):
    number: Count
    prize: str
    closed: str
    seats: tuple[Position, ...]
    hit: bool
    seat: Count = 0
    card: str = ""


class PrizeGranted(Kind, frozen=True, tag="prize_granted"):
    claim: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    prize: str
    seat: Position
    amount: Amount
    flow: Flow
    promo: bool = False
    by: str = ""


Fact = (
    kinds.NodeFounded
    | kinds.NodeRestored
    | kinds.PersonEnrolled
    | kinds.PersonUnlocked
    | kinds.PlanStaged
    | kinds.PlanWithdrawn
    | kinds.PlanTookEffect
    | kinds.DayOpened
    | kinds.DayClosed
    | kinds.PassOpened
    | kinds.CreditsBought
    | kinds.CreditsCashed
    | kinds.CreditsLeft
    | kinds.LeftPaid
    | kinds.OwedPaid
    | kinds.DeviceAdopted
    | kinds.BetMade
    | kinds.BetRefused
    | kinds.ChipsFell
    | kinds.DeviceVoided
    | kinds.DeviceSeen
    | kinds.DeviceTended
    | kinds.LampChanged
    | kinds.SeatClosed
    | kinds.SeatOpened
    | kinds.SeatCounted
    | kinds.SuspenseCleared
    | kinds.Locked
    | kinds.SeatProven
    | kinds.PassSealed
    | kinds.HandsVoided
    | kinds.PassClosed
    | ClaimRegistered
    | ClaimRejected
    | AwardConfirmed
    | AwardPaid
    | AwardOverdue
    | LateRegistered
    | Drawn
    | PrizeGranted
    | kinds.MoneyMoved
    | kinds.TrainingStarted
    | kinds.TrainingEnded
    | kinds.ClockWentBack
    | kinds.NothingNew
    | kinds.Refused
    | kinds.IdReused
)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    seq: Count
    at: Instant
    id: tuple[str, Count, Count]
    ask: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    fact: Fact


_decode = msgspec.json.Decoder(Entry).decode
_encode = msgspec.json.Encoder().encode


def read_entry(body: bytes) -> Entry | None:
    """The entry that these bytes are, if they are the canonical bytes of one."""
    try:
        entry = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return entry if _encode(entry) == body else None


def kind_of(fact: Fact) -> str:
    return str(fact.__struct_config__.tag)
