"""The letters between nodes, written down a second time: every kind, its fields, their order and bounds (R-28).

Theory. A letter is proven by its bytes, as they stand in the record: whoever wrote them must have written them as one
writes a letter, and their hash vouches for all letters of the stream before it. Names in it are the writer's own.
"""

import hashlib
from typing import Any

import msgspec
from msgspec import Raw, Struct

from controller.verify.facts import (
    Amount,
    Count,
    Flow,
    Granted,
    Hand,
    Instant,
    Levels,
    Loss,
    Name,
    Position,
    Reached,
    Resettled,
    SealedBet,
    Signed,
    Undone,
    Unpaid,
)
from controller.verify.wrong import there

READ = (1, 2, 3)
"""The versions of letters that a record can hold; one that was told stays told, whatever versions came after it."""


class _Letter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="letter"):
    """The root: a letter says first what it is."""


# Up: what happened at a table


class BetsSealed(_Letter, frozen=True, tag="bets_sealed"):
    pot: Name
    table: Name
    number: Count
    casino: Name
    bets: tuple[SealedBet, ...]
    closed: str
    plan: str
    dark: tuple[Position, ...] = ()


class PassOver(_Letter, frozen=True, tag="pass_over"):
    pot: Name
    table: Name
    number: Count
    reviewed: bool
    by: str = ""


class ClaimMade(_Letter, frozen=True, tag="claim_made"):
    pot: Name
    claim: str
    table: Name
    number: Count
    casino: Name
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[Granted, ...]
    unpaid: tuple[Unpaid, ...]
    by: str


class BetsVoided(_Letter, frozen=True, tag="bets_voided"):
    pot: Name
    table: Name
    number: Count
    casino: Name
    whole_pass: bool
    undone: tuple[Undone, ...]
    reason: str
    by: str
    kept: bool = False


class AwardGiven(_Letter, frozen=True, tag="award_given"):
    pot: Name
    award: str
    amount: Amount
    by: str
    aside: bool = False


class PrizeDrawn(_Letter, frozen=True, tag="prize_drawn"):
    pot: Name
    claim: str
    table: Name
    number: Count
    casino: Name
    prize: str
    seat: Position
    amount: Amount
    promo: bool = False
    paid_in: str = ""
    card: str = ""
    by: str = ""


class CorrectionWanted(_Letter, frozen=True, tag="correction_wanted"):
    pot: Name
    number: Count
    act: str
    table: Name
    pass_number: Count
    casino: Name
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


class Ready(_Letter, frozen=True, tag="ready"):
    pot: Name
    plan: str


class DayOver(_Letter, frozen=True, tag="day_over"):
    pot: Name
    day: Name
    heard: Reached
    was: str = ""


class AdvanceGiven(_Letter, frozen=True, tag="advance_given"):
    pot: Name
    award: str
    amount: Amount
    by: str


# Down: a pot's log, the same for all who share it


class OwnerLeft(_Letter, frozen=True, tag="owner_left"):
    pot: Name
    amount: Signed
    resolution: str
    by: str
    second: str


class PlanOffered(_Letter, frozen=True, tag="plan_offered"):
    pot: Name
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str


class PlanInForce(_Letter, frozen=True, tag="plan_in_force"):
    pot: Name
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str
    casino: Name
    after: Levels
    base_put_in: Amount = 0


class PlanTakenBack(_Letter, frozen=True, tag="plan_taken_back"):
    pot: Name
    plan: str
    by: str


class ClaimSettled(_Letter, frozen=True, tag="claim_settled"):
    pot: Name
    claim: str
    table: Name
    number: Count
    casino: Name
    before: Levels
    awards: tuple[Granted, ...]
    after: Levels
    base_back: Flow | None = None
    left: Name = ""


class ClaimPutRight(_Letter, frozen=True, tag="claim_put_right"):
    pot: Name
    wanted: Count
    claim: str
    table: Name
    number: Count
    casino: Name
    after: Levels
    awards: tuple[Granted, ...] = ()
    cancelled: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    resettled: tuple[Resettled, ...] = ()
    unpaid: tuple[Unpaid, ...] = ()
    community: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    house: Signed = 0
    reason: str = ""
    by: str = ""
    second: str = ""
    confirmed: bool = False
    since: Instant = 0
    void: bool = False
    refused: str = ""
    refused_code: str = ""
    held: Signed = 0
    before: Levels = Levels(0, 0)


class HouseBears(_Letter, frozen=True, tag="house_bears"):
    pot: Name
    table: Name
    casino: Name
    amount: Amount
    cause: str
    after: Levels


class PotMoved(_Letter, frozen=True, tag="pot_moved"):
    pot: Name
    after: Levels
    reason: str
    by: str
    second: str
    neighbour: Name = ""
    amount: Amount = 0


class DisputeOver(_Letter, frozen=True, tag="dispute_over"):
    pot: Name
    neighbour: Name
    number: Count
    amount: Signed
    accepted: bool
    reason: str
    by: str
    second: str
    after: Levels | None = None
    table: Name = ""
    claim: str = ""


class ClaimNotBelieved(_Letter, frozen=True, tag="claim_not_believed"):
    pot: Name
    claim: str
    table: Name
    why: str


Letter = (
    BetsSealed | PassOver | ClaimMade | BetsVoided | AwardGiven | PrizeDrawn | CorrectionWanted | Ready | DayOver
    | OwnerLeft
    | PlanOffered | PlanInForce | PlanTakenBack | ClaimSettled | ClaimPutRight | HouseBears | PotMoved | DisputeOver
    | AdvanceGiven | ClaimNotBelieved
)  # fmt: skip

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Letter).decode


def version_of(letter: Letter) -> int:
    """R-28: the least with which it was ever written; a program between told the close of a day with the first."""
    newer = isinstance(letter, DisputeOver) and (letter.table or letter.claim)
    if newer or isinstance(letter, ClaimNotBelieved) or (isinstance(letter, ClaimSettled) and letter.left):
        return 3
    return 2 if isinstance(letter, AdvanceGiven) else 1


def written(letter: Letter) -> bytes:
    return _encode(letter)


def read(raw: Raw) -> Any:
    """R-28: the letter that these bytes are, if they are the canonical bytes of one."""
    body = bytes(raw)
    try:
        letter = _decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        letter = None
    found = letter if letter is not None and _encode(letter) == body else None
    return there(found, "R-28", "su carta no es una, o no está escrita como se escribe una")


def hash_of(writer: str, stream: str, version: int, mark: Reached, previous: str, body: bytes) -> str:
    """SHA-256 over six lines and the letter: node, stream, version, epoch, number, the hash before; each ends one."""
    digest = hashlib.sha256()
    for line in (writer, stream, str(version), str(mark.epoch), str(mark.number), previous):
        digest.update(line.encode() + b"\n")
    digest.update(body)
    return digest.hexdigest()
