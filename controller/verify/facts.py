"""The format of a record, written down a second time: every kind of fact, its fields, their order and bounds.

Theory. A verifier that read facts with the types that wrote them would share their mistakes. These are its own; with
the running program they have nothing in common but the names that stand in the record. Reading is strict: an unknown
kind, an unknown field, a number out of bounds or of another type is a fact that cannot be read, and a body can do no
more than that. Because fields and defaults stand here in the order of the record, writing a fact again must give the
same bytes.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

MOST = 4 * 10**15

Signed = Annotated[int, Meta(ge=-MOST, le=MOST)]
Amount = Annotated[int, Meta(ge=0, le=MOST)]
Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Instant = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Position = Annotated[int, Meta(ge=1, le=64)]
Name = Annotated[str, Meta(max_length=200)]
Parts = dict[Name, Signed]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands inside a fact, with all its fields."""


class _Spare(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands inside a fact, without the fields that hold their default."""


class Device(_Part, frozen=True):
    serial: Count
    epoch: Count
    seq: Count
    bets: Count = 0
    voided: Count = 0
    chips: Count = 0
    late: Count = 0
    worth: Count = 1


class Box(_Part, frozen=True):
    serial: Count
    firmware: Count
    check: Count


class Bounds(_Part, frozen=True):
    press: Count = 0
    chip: Count = 0


class Reached(_Part, frozen=True):
    """How far a stream of letters has come."""

    epoch: Count
    number: Count
    hash: Name


class HeadLeft(_Part, frozen=True):
    epoch: Count
    seq: Count
    hash: Name


class Flow(_Part, frozen=True):
    parts: Parts = {}
    house: Signed = 0
    commission: Signed = 0


class Refund(_Spare, frozen=True):
    seat: Position
    cash: Amount = 0
    promo: Amount = 0
    chips: Amount = 0

    @property
    def total(self) -> int:
        return self.cash + self.promo + self.chips


class SealedBet(_Spare, frozen=True):
    seat: Position
    amount: Amount
    commission: Amount
    main: Signed
    reserves: tuple[Amount, ...] = ()
    overflow: Amount = 0
    promo: Amount = 0
    chips: Amount = 0


class Hand(_Spare, frozen=True):
    seat: Count
    acts: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    claimed: str = ""


class Granted(_Spare, frozen=True):
    number: Count
    seat: Position
    prize: str
    amount: Amount
    parts: Parts = {}
    house: Signed = 0
    rules: tuple[str, ...] = ()


class Unpaid(_Part, frozen=True):
    seat: Count
    reason: str


class Resettled(_Spare, frozen=True):
    claim: str
    table: Name
    number: Count
    casino: Name
    awards: tuple[Granted, ...]
    since: Instant = 0


class Loss(_Part, frozen=True):
    award: str
    amount: Signed


class Undone(_Spare, frozen=True):
    """A sealed bet taken back: what each gets is below zero."""

    seat: Position
    amount: Signed
    commission: Signed
    main: Signed
    reserves: tuple[Signed, ...] = ()
    overflow: Amount = 0
    promo: Amount = 0
    chips: Amount = 0


class Levels(_Part, frozen=True):
    main: Amount
    base: Amount
    reserves: dict[Name, Amount] = {}


class Hit(_Part, frozen=True):
    at: Instant
    award: str
    prize: str
    amount: Amount


class Meters(_Spare, frozen=True):
    wagered: Count = 0
    undone: Count = 0
    commission: int = 0
    into_main: int = 0
    into_reserves: int = 0
    overflow: int = 0
    base_put_in: Count = 0
    hits: Count = 0
    wins: Count = 0
    rejected_hits: Count = 0
    rejected: Count = 0
    paid_hits: Count = 0
    paid: Count = 0
    last: tuple[Hit, ...] = ()


class Change(_Part, frozen=True):
    key: str
    old: str
    new: str


class Kind(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind"):
    """A fact."""


class NodeFounded(Kind, frozen=True, tag="node_founded"):
    node: Name
    key: str
    administrators: tuple[Name, Name]
    reading: Count = 1


class ReadingAdopted(Kind, frozen=True, tag="reading_adopted"):
    reading: Count


class NodeStarted(Kind, frozen=True, tag="node_started"):
    program: str
    boot: str
    signing: Count = 1
    tells: Count = 1


class NodeStopped(Kind, frozen=True, tag="node_stopped"):
    pass


class NodeRestored(Kind, frozen=True, tag="node_restored"):
    epoch: Count
    reason: str
    by: str
    second: str
    left: HeadLeft | None = None
    asks: tuple[Name, ...] = ()
    asks_above: tuple[Name, ...] = ()


class PersonEnrolled(Kind, frozen=True, tag="person_enrolled"):
    person: Name
    name: str
    roles: tuple[str, ...]
    secret: str
    by: str
    second: str
    known: bool = False


class PersonUnlocked(Kind, frozen=True, tag="person_unlocked"):
    person: str
    by: str


class VerifiersSealed(Kind, frozen=True, tag="verifiers_sealed"):
    secrets: dict[str, str]


class PinsReplaced(Kind, frozen=True, tag="pins_replaced"):
    secrets: dict[str, str]
    reason: str
    proof: str


class TerminalEnrolled(Kind, frozen=True, tag="terminal_enrolled"):
    terminal: Name
    use: Literal["table", "chief", "sign", "web"]
    place: Name
    key: Name
    by: str
    second: str
    replaces: Name = ""


class TerminalWithdrawn(Kind, frozen=True, tag="terminal_withdrawn"):
    terminal: Name
    reason: str
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
    plan: str = ""


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
    above: Name = ""
    base_table: Name = ""
    after: Levels | None = None


class DayOpened(Kind, frozen=True, tag="day_opened"):
    day: str
    commitment: str
    by: str
    nonce: str = ""


class DayClosed(Kind, frozen=True, tag="day_closed"):
    day: str
    seed: str
    by: str
    meters: dict[Name, Meters] = {}
    lost: str = ""


class DayRenamed(Kind, frozen=True, tag="day_renamed"):
    was: str
    day: str
    reason: str
    by: str
    second: str


class SeedLost(Kind, frozen=True, tag="seed_lost"):
    day: str
    reason: str
    by: str
    second: str


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
    stood: Signed = 0


class TrainingStarted(Kind, frozen=True, tag="training_started"):
    table: Name
    pot: Name
    casino: Name
    by: str
    levels: Levels
    second: str = ""


class TrainingEnded(Kind, frozen=True, tag="training_ended"):
    table: Name
    by: str
    closing: Parts = {}


class ClockWentBack(Kind, frozen=True, tag="clock_went_back"):
    was: Instant
    now: Instant


class ClockStepped(Kind, frozen=True, tag="clock_stepped"):
    ms: Instant
    stop: bool = False


class ClockNoted(Kind, frozen=True, tag="clock_noted"):
    by: str


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


class AtSeat(AtTable, frozen=True):
    seat: Position


class OfPass(AtTable, frozen=True):
    number: Count


class AtSeatOfPass(OfPass, frozen=True):
    seat: Position


class PassOpened(OfPass, frozen=True, tag="pass_opened"):
    by: str = ""


class DeviceTended(Kind, frozen=True, tag="device_tended"):
    what: Literal["reopen", "lamp_test", "sign_test", "clear_faults"]
    by: str
    table: Name = ""
    seat: Count = 0
    sign: str = ""
    unseen: bool = False


class FirmwareSeen(AtTable, frozen=True, tag="firmware_seen"):
    unit: str
    box: Box
    was: Box | None = None


class CreditsBought(AtSeat, frozen=True, tag="credits_bought"):
    amount: Amount
    by: str
    practice: bool = False
    paid_in: str = ""


class CreditsCashed(AtSeat, frozen=True, tag="credits_cashed"):
    amount: Amount
    by: str
    practice: bool = False


class CreditsLeft(AtSeat, frozen=True, tag="credits_left"):
    amount: Amount
    by: str
    lapsed: Amount = 0
    pot: Name = ""
    casino: Name = ""
    second: str = ""


class LeftPaid(AtTable, frozen=True, tag="left_paid"):
    amount: Amount
    by: str
    second: str = ""
    practice: bool = False


class OwedPaid(AtSeat, frozen=True, tag="owed_paid"):
    amount: Amount
    by: str
    told: str = ""
    second: str = ""


class DeviceAdopted(AtSeat, frozen=True, tag="device_adopted"):
    device: Device
    bounds: Bounds | None = None


class BetMade(AtSeatOfPass, frozen=True, tag="bet_made"):
    amount: Amount
    device: Device
    promo: Amount = 0


class BetRefused(AtSeatOfPass, frozen=True, tag="bet_refused"):
    credits: Count
    reason: str
    device: Device


class ChipsFell(AtSeatOfPass, frozen=True, tag="chips_fell"):
    amount: Signed
    bet: Signed
    owed: Signed
    device: Device
    counted: Amount = 0


class DeviceVoided(AtSeatOfPass, frozen=True, tag="device_voided"):
    credits: Count
    device: Device
    refund: Refund | None = None


class DeviceSeen(AtSeat, frozen=True, tag="device_seen"):
    device: Device
    bounds: Bounds | None = None
    holds: Count | None = None


class DeviceDisbelieved(AtSeat, frozen=True, tag="device_disbelieved"):
    device: Device
    why: Literal[
        "same_event", "went_back", "no_buttons", "no_slot", "too_much", "knows_more", "forgot", "unordered", "images"
    ]  # fmt: skip


class LampChanged(AtSeatOfPass, frozen=True, tag="lamp_changed"):
    lamp: Literal["dark", "lit", "fault"]
    locked: bool = False
    refund: Refund | None = None
    before_lock: bool = False
    seen_by: Literal["", "sensor", "croupier"] = ""
    by: str = ""


class UnprovenRefused(Kind, frozen=True, tag="unproven_refused"):
    what: Literal["person_unknown", "too_soon"]
    user: Count
    count: Count
    since: Instant


class LampsTested(AtTable, frozen=True, tag="lamps_tested"):
    dark: tuple[Position, ...]
    by: str


class SeatClosed(AtSeat, frozen=True, tag="seat_closed"):
    reason: str
    after_pass: bool = False
    refund: Refund | None = None
    by: str = ""


class SeatOpened(AtSeat, frozen=True, tag="seat_opened"):
    by: str


class SeatCounted(AtSeat, frozen=True, tag="seat_counted"):
    found: Amount
    booked: Amount
    by: str
    second: str


class VoidSigned(AtSeat, frozen=True, tag="void_signed"):
    amount: Amount
    by: str


class Locked(OfPass, frozen=True, tag="locked"):
    by: str = ""
    attested: tuple[Position, ...] = ()


class SeatProven(AtSeatOfPass, frozen=True, tag="seat_proven"):
    cut: Count


class PassSealed(OfPass, frozen=True, tag="pass_sealed"):
    pot: Name
    casino: Name
    bets: tuple[SealedBet, ...]
    flow: Flow
    commission_carry: Count
    reserve_carries: tuple[Count, ...]
    closed: str
    draws: tuple[str, ...] = ()
    returned: tuple[Refund, ...] = ()
    dark: tuple[int, ...] = ()
    above: Name = ""
    plan: Name = ""


class HandsVoided(OfPass, frozen=True, tag="hands_voided"):
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
    undone: tuple[Undone, ...] = ()
    above: Name = ""
    log: Count = 0


class PassClosed(OfPass, frozen=True, tag="pass_closed"):
    by: str = ""
    pot: Name = ""
    levels: Levels | None = None
    reviewed: bool = False
    above: Name = ""


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
    log: Count = 0
    taken: bool = False


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


class ClaimCorrected(Kind, frozen=True, tag="claim_corrected"):
    claim: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    place: Count
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    before: Levels
    awards: tuple[Granted, ...]
    unpaid: tuple[Unpaid, ...]
    cancelled: tuple[str, ...]
    lost: tuple[Loss, ...]
    resettled: tuple[Resettled, ...]
    flow: Flow
    overflows: tuple[tuple[str, Position, Amount], ...]
    reason: str
    by: str
    second: str = ""
    recording: str = ""
    resolution: str = ""
    late: tuple[Position, ...] = ()
    confirmed: bool = False
    since: Instant = 0
    void: bool = False
    above: Name = ""
    wanted: Count = 0
    held: Signed = 0
    log: Count = 0


class AwardSetAside(Kind, frozen=True, tag="award_set_aside"):
    award: str
    pot: Name
    amount: Amount
    reason: str
    by: str
    second: str


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
    promo: bool = False
    paid_in: str = ""
    table: Name = ""
    advanced: Amount = 0


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


class Drawn(OfPass, frozen=True, tag="drawn"):
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
    held: bool = False
    paid_in: str = ""
    before: Levels | None = None
    card: str = ""
    above: Name = ""
    log: Count = 0


class NeighbourPinned(Kind, frozen=True, tag="neighbour_pinned"):
    neighbour: Name
    side: Literal["above", "below"]
    key: Name
    by: str
    second: str
    inside: bool = False
    tells: Count = 1


class NeighbourRevoked(Kind, frozen=True, tag="neighbour_revoked"):
    neighbour: Name
    reason: str
    by: str
    second: str


class LinkSeen(Kind, frozen=True, tag="link_seen"):
    neighbour: Name
    up: bool
    since: Instant


class OwnerSeen(Kind, frozen=True, tag="owner_seen"):
    pot: Name
    neighbour: Name
    up: bool
    since: Instant


class NeighbourStopped(Kind, frozen=True, tag="neighbour_stopped"):
    neighbour: Name
    stream: Name
    why: Literal["gap", "fork", "rolled_back", "foreign_epoch", "unknown_letter", "ahead"]
    said: Reached


class NeighbourAccepted(Kind, frozen=True, tag="neighbour_accepted"):
    neighbour: Name
    stream: Name
    mark: Reached
    reason: str
    by: str
    second: str


class LetterTold(Kind, frozen=True, tag="letter_told"):
    """`letter`: its bytes, which links/letters.py reads."""

    stream: Name
    epoch: Count
    number: Count
    previous: Name
    version: Count
    letter: Raw


class LetterHeard(Kind, frozen=True, tag="letter_heard"):
    neighbour: Name
    stream: Name
    mark: Reached
    letter: Raw = Raw()  # empty: none was kept
    version: Count = 0


class LetterAcknowledged(Kind, frozen=True, tag="letter_acknowledged"):
    neighbour: Name
    stream: Name
    mark: Reached


class LetterDisputed(Kind, frozen=True, tag="letter_disputed"):
    neighbour: Name
    number: Count
    pot: Name
    table: Name
    about: str
    amount: Signed
    why: str
    letter: Raw


class DisputeEnded(Kind, frozen=True, tag="dispute_ended"):
    neighbour: Name
    number: Count
    pot: Name
    amount: Signed
    accepted: bool
    reason: str
    by: str
    second: str
    log: Count = 0
    of_table: Name = ""
    claim: str = ""


class DisputeHeard(Kind, frozen=True, tag="dispute_heard"):
    pot: Name
    casino: Name
    above: Name
    number: Count
    amount: Signed
    accepted: bool
    reason: str


class ClaimAsked(Kind, frozen=True, tag="claim_asked"):
    claim: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    above: Name
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[Granted, ...]
    waiting: tuple[Count, ...]
    unpaid: tuple[Unpaid, ...]
    by: str


class ClaimDecided(Kind, frozen=True, tag="claim_decided"):
    claim: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    above: Name
    before: Levels
    awards: tuple[Granted, ...]
    after: Levels
    waited: tuple[Count, ...]
    base_back: Flow | None = None
    left: Name = ""


class ClaimDoubted(Kind, frozen=True, tag="claim_doubted"):
    claim: str
    table: Name
    number: Count
    pot: Name
    above: Name
    why: str


class CorrectionAsked(Kind, frozen=True, tag="correction_asked"):
    wanted: Count
    act: str
    table: Name
    number: Count
    pot: Name
    casino: Name
    above: Name
    claim: str = ""
    hands: tuple[Hand, ...] | None = None
    community: tuple[str, ...] = ()
    seats_out: tuple[Position, ...] = ()
    prizes_out: tuple[str, ...] = ()
    prize_in: str = ""
    reason: str = ""
    by: str = ""
    second: str = ""
    recording: str = ""
    resolution: str = ""
    before_next_seal: bool = False
    confirmed: bool = False
    void: bool = False
    at: Instant = 0
    first: Instant = 0


class CorrectionRefused(Kind, frozen=True, tag="correction_refused"):
    wanted: Count
    table: Name
    number: Count
    pot: Name
    code: str
    sentence: str
    log: Count = 0


class HouseCharged(Kind, frozen=True, tag="house_charged"):
    pot: Name
    table: Name
    casino: Name
    above: Name
    amount: Amount
    cause: str


class ShareHeard(Kind, frozen=True, tag="share_heard"):
    pot: Name
    above: Name
    amount: Amount
    resolution: str
    by: str
    second: str


class PotLeft(Kind, frozen=True, tag="pot_left"):
    pot: Name
    casino: Name
    above: Name
    stood: Signed
    amount: Signed
    after: Levels
    resolution: str
    by: str
    second: str
    plan: str = ""


class PlanProposed(Kind, frozen=True, tag="plan_proposed"):
    pot: Name
    plan: str
    ruleset: str
    resolution: str
    above: Name
    by: str = ""
    second: str = ""


class PlanReady(Kind, frozen=True, tag="plan_ready"):
    pot: Name
    plan: str
    neighbour: Name = ""


class PlanDropped(Kind, frozen=True, tag="plan_dropped"):
    pot: Name
    plan: str
    above: Name
    by: str = ""


class AwardAdvanced(Kind, frozen=True, tag="award_advanced"):
    award: str
    pot: Name
    casino: Name
    seat: Position
    amount: Amount
    reason: str
    by: str
    second: str


class AdvanceHeard(Kind, frozen=True, tag="advance_heard"):
    award: str
    pot: Name
    casino: Name
    seat: Position
    amount: Amount
    by: str


class DecisionTaken(Kind, frozen=True, tag="decision_taken"):
    neighbour: Name
    stream: Name
    mark: Reached


class MemberReturned(Kind, frozen=True, tag="member_returned"):
    neighbour: Name
    stream: Name
    mark: Reached


class WentOnWithout(Kind, frozen=True, tag="went_on_without"):
    pot: Name
    neighbours: tuple[Name, ...]
    reason: str
    by: str
    second: str


class NeighbourWentBack(Kind, frozen=True, tag="neighbour_went_back"):
    neighbour: Name
    stream: Name
    epoch: Count
    mark: Reached


Fact = (
    NodeFounded | ReadingAdopted | NodeRestored | PersonEnrolled | PersonUnlocked
    | VerifiersSealed | PinsReplaced | TerminalEnrolled | TerminalWithdrawn | PlanStaged | PlanWithdrawn
    | PlanTookEffect | DayOpened | DayClosed | DayRenamed | SeedLost
    | PassOpened | CreditsBought | CreditsCashed | CreditsLeft | LeftPaid
    | OwedPaid | DeviceAdopted | BetMade | BetRefused | ChipsFell | DeviceVoided | DeviceSeen | DeviceTended
    | FirmwareSeen
    | LampChanged | SeatClosed | SeatOpened | SeatCounted | SuspenseCleared | VoidSigned | Locked | SeatProven
    | PassSealed | HandsVoided | PassClosed | ClaimRegistered | ClaimRejected | ClaimCorrected | AwardSetAside
    | AwardConfirmed | AwardPaid | AwardOverdue | LateRegistered | Drawn | PrizeGranted | MoneyMoved | TrainingStarted
    | TrainingEnded | ClockWentBack | NothingNew | Refused | IdReused
    | DeviceDisbelieved | LampsTested | NodeStarted | NodeStopped | UnprovenRefused | ClockStepped | ClockNoted
    | NeighbourPinned | NeighbourRevoked | LinkSeen | OwnerSeen | NeighbourStopped | NeighbourAccepted
    | LetterTold | LetterHeard | LetterAcknowledged | LetterDisputed | DisputeEnded | DisputeHeard
    | ClaimAsked | ClaimDecided | ClaimDoubted | CorrectionAsked | CorrectionRefused | HouseCharged
    | PlanProposed | PlanReady | PlanDropped | ShareHeard | AwardAdvanced | AdvanceHeard | PotLeft
    | DecisionTaken | MemberReturned | WentOnWithout | NeighbourWentBack
)  # fmt: skip


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
