"""What one node can tell another: one frozen type for each kind of letter (R-9, R-20, R-28).

Theory. A letter stands in its writer's record as it was sent, and for a pot's log in its readers' records too. So it is
the record's format: a kind may gain a field with a default at its end, it may never change one. Tables and claims have
the names that they have at the writer; whoever reads adds whose they are (names.py). It carries no PIN: who signed is
attested by the writer as `NODE/person`.

Upwards a node tells what happened at its tables; it alone decides hands, corrections, voids and payments. Downwards the
owner of a pot tells all who share it the same: what it decided, with the pot before and after.
"""

import hashlib

import msgspec
from msgspec import Struct

from controller.core.values import Flow, Hand, Levels, Loss, Mark, RegisteredAward, Resettled, SealedBet, Unpaid

VERSION = 3
"""The newest of the letters that this program writes. Each kind is written with the version that it came with, so an
older program understands all that it knows, and what it does not know waits for it (node/link)."""
READ = tuple(range(1, VERSION + 1))  # those that it reads
TELLS = 4
"""By which list this program tells what happened; its record says it, so nobody misses what an earlier one left out."""
DAYS, DAYS_OF_BOXES, DOUBTS = 2, 3, 4
"""What came with them: the close of a gaming day, and of a void that the pots keep it; the days of boxes behind a node
without tables, and of the day on which a pot was left; that a claim is not believed."""


class _Letter(Struct, frozen=True, tag_field="letter", omit_defaults=True):
    """The root: so that every letter is written with its kind."""


# Up: what happened at a table


class BetsSealed(_Letter, frozen=True, tag="bets_sealed"):
    """R-22: the valid bets of a pass; `commission` in each is what the writer's house took of it, and nothing where the
    reader takes it. `plan`: the hash of the documents under which it was played."""

    pot: str
    table: str
    number: int
    casino: str
    bets: tuple[SealedBet, ...]
    closed: str
    plan: str
    dark: tuple[int, ...] = ()


class PassOver(_Letter, frozen=True, tag="pass_over"):
    """R-35: the pass was closed; the owner notes how its pot stands then."""

    pot: str
    table: str
    number: int
    reviewed: bool
    by: str = ""


class ClaimMade(_Letter, frozen=True, tag="claim_made"):
    """R-20, R-34: who won in a pass. `awards`: numbered in paying order; those of a certain amount have it, a
    percentage has none yet."""

    pot: str
    claim: str
    table: str
    number: int
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[RegisteredAward, ...]
    unpaid: tuple[Unpaid, ...]
    by: str


class BetsVoided(_Letter, frozen=True, tag="bets_voided"):
    """R-25: sealed bets that were given back; `undone`: each with the commission that the writer's house gave back.
    `kept`: the law lets the pots keep what was bet (R-33); nothing is undone, and the writer's house gave it back."""

    pot: str
    table: str
    number: int
    casino: str
    whole_pass: bool
    undone: tuple[SealedBet, ...]
    reason: str
    by: str
    kept: bool = False


class AwardGiven(_Letter, frozen=True, tag="award_given"):
    """R-21, R-35: paid, or set aside as a debt without term."""

    pot: str
    award: str
    amount: int
    by: str
    aside: bool = False


class PrizeDrawn(_Letter, frozen=True, tag="prize_drawn"):
    """R-29: a complementary prize fell; its amount is certain."""

    pot: str
    claim: str
    table: str
    number: int
    casino: str
    prize: str
    seat: int
    amount: int
    promo: bool = False
    paid_in: str = ""
    card: str = ""
    by: str = ""


class CorrectionWanted(_Letter, frozen=True, tag="correction_wanted"):
    """R-34, R-35: a pass as it truly was, or a claim that was false. `act`: which input of the writer's it was;
    `before_next_seal`, `confirmed`, `at`, `first`: what only the writer's own record, people and clock say."""

    pot: str
    number: int
    act: str
    table: str
    pass_number: int
    casino: str
    claim: str = ""
    hands: tuple[Hand, ...] | None = None
    community: tuple[str, ...] = ()
    seats_out: tuple[int, ...] = ()
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
    at: int = 0
    first: int = 0


class Ready(_Letter, frozen=True, tag="ready"):
    """R-26: no pass in progress and nothing pending at the writer's tables of this pot, and no pass opens until the pot
    tells what became of the plan."""

    pot: str
    plan: str


class DayOver(_Letter, frozen=True, tag="day_over"):
    """R-27, R-28: the writer's gaming day is closed; what it tells from here on is of the next one. `heard`: how far it
    had heard the pot's log then. `was`: no day was closed, but the last one has another name now."""

    pot: str
    day: str
    heard: Mark
    was: str = ""


class AdvanceGiven(_Letter, frozen=True, tag="advance_given"):
    """R-18, R-20: part of a percentage that waits, in the winner's hand, from the house of the writer's casino."""

    pot: str
    award: str
    amount: int
    by: str


class OwnerLeft(_Letter, frozen=True, tag="owner_left"):
    """R-28: the writer's two have left an owner who never comes back; `amount`: what they owed it then, and keep."""

    pot: str
    amount: int
    resolution: str
    by: str
    second: str


# Down: a pot's log, the same for all who share it


class PlanOffered(_Letter, frozen=True, tag="plan_offered"):
    """R-26: a plan that waits until everybody is ready."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str


class PlanInForce(_Letter, frozen=True, tag="plan_in_force"):
    """R-26: from here on this plan holds for all; `base_put_in`: by the house of `casino` (R-24)."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str
    casino: str
    after: Levels
    base_put_in: int = 0


class PlanTakenBack(_Letter, frozen=True, tag="plan_taken_back"):
    """R-26: the plan that waited does not come; `plan`: the hash of its documents."""

    pot: str
    plan: str
    by: str


class ClaimSettled(_Letter, frozen=True, tag="claim_settled"):
    """R-20: what the winners of a claim are owed and from where, with the pot before and after. A table `T@N` is the
    neighbour N's; one of the owner's own has no `@`. `left`: whose two left it with the house of its casino (R-28)."""

    pot: str
    claim: str
    table: str
    number: int
    casino: str
    before: Levels
    awards: tuple[RegisteredAward, ...]
    after: Levels
    base_back: Flow | None = None
    left: str = ""


class ClaimPutRight(_Letter, frozen=True, tag="claim_put_right"):
    """R-34: a pass settled anew, and every later claim of the pot with it. `refused`: why what was wanted cannot be, in
    the words of the rules; then nothing else is said. `wanted`: the number under which its table's node asked, if it
    did. `held`: by how much what is held for the winners of the pass changed; `house`: what the house of its casino
    gets back, or puts in, below nothing."""

    pot: str
    wanted: int
    claim: str
    table: str
    number: int
    casino: str
    after: Levels
    awards: tuple[RegisteredAward, ...] = ()
    cancelled: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    resettled: tuple[Resettled, ...] = ()
    unpaid: tuple[Unpaid, ...] = ()
    community: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    house: int = 0
    reason: str = ""
    by: str = ""
    second: str = ""
    confirmed: bool = False
    since: int = 0
    void: bool = False
    refused: str = ""
    refused_code: str = ""
    held: int = 0
    before: Levels = Levels(0, 0)


class HouseBears(_Letter, frozen=True, tag="house_bears"):
    """R-18, R-25: what the pot lacked for a void or a prize, and the house bears. `cause`: table and pass, or claim."""

    pot: str
    table: str
    casino: str
    amount: int
    cause: str
    after: Levels


class PotMoved(_Letter, frozen=True, tag="pot_moved"):
    """R-26: two of the owner's people moved money into the pot, or between its parts; or gave this much of it to
    `neighbour`, a casino that left it (R-28)."""

    pot: str
    after: Levels
    reason: str
    by: str
    second: str
    neighbour: str = ""
    amount: int = 0


class DisputeOver(_Letter, frozen=True, tag="dispute_over"):
    """R-28: what became of what a neighbour had told and was not believed: taken after all, or left with it. `after`:
    the pot behind it. `table`: whose house bears it, if they are of several; `claim`: it was about these winners."""

    pot: str
    neighbour: str
    number: int
    amount: int
    accepted: bool
    reason: str
    by: str
    second: str
    after: Levels | None = None
    table: str = ""
    claim: str = ""


class ClaimNotBelieved(_Letter, frozen=True, tag="claim_not_believed"):
    """R-21, R-28: winners whom the owner does not believe, and why; two of his people end it."""

    pot: str
    claim: str
    table: str
    why: str


Letter = (
    BetsSealed
    | PassOver
    | ClaimMade
    | BetsVoided
    | AwardGiven
    | PrizeDrawn
    | CorrectionWanted
    | Ready
    | DayOver
    | OwnerLeft
    | PlanOffered
    | PlanInForce
    | PlanTakenBack
    | ClaimSettled
    | ClaimPutRight
    | HouseBears
    | PotMoved
    | DisputeOver
    | AdvanceGiven
    | ClaimNotBelieved
)

_SINCE: dict[type, int] = {DayOver: 2, OwnerLeft: 2, AdvanceGiven: 2, ClaimNotBelieved: 3}
"""The version that a kind came with, if not with the first."""
_FIELDS: dict[type, tuple[tuple[str, ...], int]] = {
    BetsVoided: (("kept",), 2),
    PotMoved: (("neighbour",), 2),
    DisputeOver: (("table", "claim"), 3),
    ClaimSettled: (("left",), 3),
}
"""Fields that came later, and with which version: where one says something, an older program cannot read the letter."""


class Bound(Struct, frozen=True):
    """R-28: a decision that was told as this number of a log and is not booked again yet."""

    number: int
    letter: Letter


class TakingBack(Struct, frozen=True, omit_defaults=True):
    """R-28: a pot of ours after a restore. `missing`: neighbours that may still hold decisions of it; `bound`: what was
    decided and is to be booked as it was told, in the order of the log; `without`: for whom nobody waits any more."""

    missing: tuple[str, ...] = ()
    bound: tuple[Bound, ...] = ()
    without: tuple[str, ...] = ()


class Recall(Struct, frozen=True, omit_defaults=True):
    """R-28: what stands with a neighbour above after a restore. `missing`: it has not said yet how far it heard us."""

    missing: bool = False


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Letter)


def written(letter: Letter) -> bytes:
    """As it is sent: these bytes are what the hash is of."""
    body = _encode(letter)
    assert body.startswith(b'{"letter":'), "a letter says first what it is"
    return body


def version_of(letter: Letter) -> int:
    """With which it is written."""
    fields, since = _FIELDS.get(type(letter), ((), 1))
    assert since <= VERSION, "no letter is newer than the program"
    return since if any(getattr(letter, field) for field in fields) else _SINCE.get(type(letter), 1)


def read(body: bytes) -> Letter | None:
    """What the bytes say, if this program knows such a letter, to the last byte."""
    try:
        letter = _decode.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return letter if written(letter) == body else None


def hash_of(writer: str, stream: str, version: int, mark: Mark, previous: str, letter: Letter) -> str:
    """A letter in its place: whoever has this hash has all letters before it, word for word. `mark`: its epoch and
    number; its hash is not looked at."""
    return hash_of_written(writer, stream, version, mark, previous, written(letter))


def hash_of_written(writer: str, stream: str, version: int, mark: Mark, previous: str, body: bytes) -> str:
    """The same of a letter as it is sent."""
    head = f"{writer}\n{stream}\n{version}\n{mark.epoch}\n{mark.number}\n{previous}\n".encode()
    assert mark.number > 0, "letters are numbered from 1"
    return hashlib.sha256(head + body).hexdigest()
