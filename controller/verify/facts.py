"""The format of a record, written down a second time: every kind of fact, its fields, their order and bounds.

Theory. A verifier that read facts with the types that wrote them would share their mistakes. These are its own;
with the running program they have nothing in common but the names that stand in the record. Reading is strict: an
unknown kind, an unknown field, a number out of bounds or of another type is a fact that cannot be read. Because
fields and defaults stand here in the order of the record, writing a fact again must give the same bytes.
"""

from typing import Literal

from msgspec import Struct

from controller.verify.parts import (
    Amount,
    Change,
    Count,
    Device,
    Flow,
    Instant,
    Levels,
    Meters,
    Name,
    Parts,
    Position,
    Refund,
    SealedBet,
    Signed,
)


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """A fact."""


class NodeFounded(Kind, frozen=True, tag="node_founded"):
    node: Name
    key: str
    administrators: tuple[Name, Name]


class NodeRestored(Kind, frozen=True, tag="node_restored"):
    epoch: Count
    reason: str
    by: str
    second: str


class PersonEnrolled(Kind, frozen=True, tag="person_enrolled"):
    person: Name
    name: str
    roles: tuple[str, ...]
    secret: str
    by: str
    second: str


class PersonUnlocked(Kind, frozen=True, tag="person_unlocked"):
    person: str
    by: str


class PlanStaged(Kind, frozen=True, tag="plan_staged"):
    pot: Name
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str


class PlanWithdrawn(Kind, frozen=True, tag="plan_withdrawn"):
    pot: Name
    by: str


class PlanTookEffect(Kind, frozen=True, tag="plan_took_effect"):
    pot: Name
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str
    casino: Name
    changes: tuple[Change, ...] = ()
    base_put_in: Amount = 0


class DayOpened(Kind, frozen=True, tag="day_opened"):
    day: str
    commitment: str
    by: str


class DayClosed(Kind, frozen=True, tag="day_closed"):
    day: str
    seed: str
    by: str
    meters: dict[Name, Meters] = {}


class SuspenseCleared(Kind, frozen=True, tag="suspense_cleared"):
    table: Name
    amount: Signed
    pot: Name
    casino: Name
    reason: str
    by: str
    second: str


class MoneyMoved(Kind, frozen=True, tag="money_moved"):
    pot: Name
    casino: Name
    source: Name
    target: Name
    amount: Amount
    resolution: str
    by: str
    second: str


class TrainingStarted(Kind, frozen=True, tag="training_started"):
    table: Name
    pot: Name
    casino: Name
    by: str
    levels: Levels


class TrainingEnded(Kind, frozen=True, tag="training_ended"):
    table: Name
    by: str
    closing: Parts = {}


class ClockWentBack(Kind, frozen=True, tag="clock_went_back"):
    was: Instant
    now: Instant


class NothingNew(Kind, frozen=True, tag="nothing_new"):
    what: str


class Refused(Kind, frozen=True, tag="refused"):
    ask: str
    reason: str
    rule: str
    where: str
    message: str
    by: str = ""


class IdReused(Kind, frozen=True, tag="id_reused"):
    source: str
    epoch: Count
    number: Count


class AtTable(Kind, frozen=True):
    """A fact of a table."""

    table: Name


class PassOpened(AtTable, frozen=True, tag="pass_opened"):
    number: Count
    by: str = ""


class DeviceTended(Kind, frozen=True, tag="device_tended"):
    what: Literal["reopen", "lamp_test", "sign_test", "clear_faults"]
    by: str
    table: Name = ""
    seat: Count = 0
    sign: str = ""


class CreditsBought(AtTable, frozen=True, tag="credits_bought"):
    seat: Position
    amount: Amount
    by: str


class CreditsCashed(AtTable, frozen=True, tag="credits_cashed"):
    seat: Position
    amount: Amount
    by: str


class CreditsLeft(AtTable, frozen=True, tag="credits_left"):
    seat: Position
    amount: Amount
    by: str
    lapsed: Amount = 0
    pot: Name = ""
    casino: Name = ""


class LeftPaid(AtTable, frozen=True, tag="left_paid"):
    amount: Amount
    by: str


class OwedPaid(AtTable, frozen=True, tag="owed_paid"):
    seat: Position
    amount: Amount
    by: str


class DeviceAdopted(AtTable, frozen=True, tag="device_adopted"):
    seat: Position
    device: Device


class BetMade(AtTable, frozen=True, tag="bet_made"):
    number: Count
    seat: Position
    amount: Amount
    device: Device
    promo: Amount = 0


class BetRefused(AtTable, frozen=True, tag="bet_refused"):
    number: Count
    seat: Position
    credits: Count
    reason: str
    device: Device


class ChipsFell(AtTable, frozen=True, tag="chips_fell"):
    number: Count
    seat: Position
    amount: Signed
    bet: Signed
    owed: Signed
    device: Device
    counted: Amount = 0


class DeviceVoided(AtTable, frozen=True, tag="device_voided"):
    number: Count
    seat: Position
    credits: Count
    device: Device
    refund: Refund | None = None


class DeviceSeen(AtTable, frozen=True, tag="device_seen"):
    seat: Position
    device: Device


class LampChanged(AtTable, frozen=True, tag="lamp_changed"):
    number: Count
    seat: Position
    lamp: Literal["dark", "lit", "fault"]
    locked: bool = False
    refund: Refund | None = None
    before_lock: bool = False


class SeatClosed(AtTable, frozen=True, tag="seat_closed"):
    seat: Position
    reason: str
    after_pass: bool = False
    refund: Refund | None = None
    by: str = ""


class SeatOpened(AtTable, frozen=True, tag="seat_opened"):
    seat: Position
    by: str


class SeatCounted(AtTable, frozen=True, tag="seat_counted"):
    seat: Position
    found: Amount
    booked: Amount
    by: str
    second: str


class Locked(AtTable, frozen=True, tag="locked"):
    number: Count
    by: str = ""


class SeatProven(AtTable, frozen=True, tag="seat_proven"):
    number: Count
    seat: Position
    cut: Count


class PassSealed(AtTable, frozen=True, tag="pass_sealed"):
    number: Count
    pot: Name
    casino: Name
    bets: tuple[SealedBet, ...]
    flow: Flow
    commission_carry: Count
    reserve_carries: tuple[Count, ...]
    closed: str
    draws: tuple[str, ...] = ()
    returned: tuple[Refund, ...] = ()


class HandsVoided(AtTable, frozen=True, tag="hands_voided"):
    number: Count
    pot: Name
    casino: Name
    whole_pass: bool
    refunds: tuple[Refund, ...]
    reason: str
    by: str
    sealed: bool = False
    flow: Flow = Flow()
    commission_carry: Count = 0
    reserve_carries: tuple[Count, ...] = ()


class PassClosed(AtTable, frozen=True, tag="pass_closed"):
    number: Count
    by: str = ""
