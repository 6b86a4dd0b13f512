"""Small types that inputs, facts and state share: a seat's device, a move of a pot, an award, a signature.

Theory. Everything here is frozen, has whole numbers for money, and is written to the record as it stands, so a
name that is changed here is a record that nobody can read any more. `~` before the name of a table or a pot
says that it is training: money of another book, that no posting can mix with the live one.
"""

from enum import StrEnum

from msgspec import Struct

from controller.rules.belief import WORD, Image, MostAtOnce
from controller.rules.money import Money

TRAINING = "~"
KNOWS_MORE = "el aceptor sabe más que el registro: cuente dos personas"
"""R-37: why a seat is closed whose unit was acknowledged what the record does not have."""


class FactRoot(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """The root: so that every fact is written with its kind."""


class Role(StrEnum):
    """design.md, People."""

    CROUPIER = "croupier"
    CHIEF = "chief"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


class Tending(StrEnum):
    """What a person may tell devices beside the play."""

    REOPEN = "reopen"
    LAMPS = "lamp_test"
    SIGN = "sign_test"
    FAULTS = "clear_faults"


class Side(StrEnum):
    """R-28: above, a neighbour owns pots that our tables feed; below, its tables feed pots of ours."""

    ABOVE = "above"
    BELOW = "below"


class TerminalUse(StrEnum):
    """R-36: what a browser was let in for: the acts of one table, those of a chief, or to show a sign. `web`: a web
    process of another box, that asks here for its chiefs."""

    TABLE = "table"
    CHIEF = "chief"
    SIGN = "sign"
    WEB = "web"


_FIRST_WEB = 2**32
"""No user of a machine has a number as high as this."""


def web_user(key: str) -> int:
    """R-36: as which user the web with this CURVE key counts: always the same, and nobody of this machine."""
    assert len(key) == 64, "in hexadecimal"
    return _FIRST_WEB + int(key[:8], 16)


MOST_TERMINALS = 256
"""R-36: that are enrolled at a time."""


class Terminal(Struct, frozen=True):
    """R-36: a browser that two persons let in, or another box's web process. `place`: its table, or the layout of its
    sign; `key`, in hexadecimal: of a browser the uncompressed point of P-256 that checks what it signs, of a web the
    32 octets of its CURVE key."""

    use: TerminalUse
    place: str
    key: str


class Broken(StrEnum):
    """Why nothing more is heard from a neighbour until two persons have looked."""

    GAP = "gap"  # a letter is missing, and it has none to send again
    FORK = "fork"  # another letter under a number that was heard already
    ROLLED_BACK = "rolled_back"  # it has forgotten what it had acknowledged or said
    FOREIGN_EPOCH = "foreign_epoch"  # restored, and not where it had been
    UNKNOWN_LETTER = "unknown_letter"  # of a program that this one does not understand
    AHEAD = "ahead"  # it has letters of ours that this record does not know: this node has forgotten them


class Unproven(StrEnum):
    """What a member of the node's group tries at the door, and proves to be nobody's right."""

    UNKNOWN = "person_unknown"
    TOO_SOON = "too_soon"  # a PIN while he had to wait


class Signature(Struct, frozen=True, omit_defaults=True):
    """Who does it, and whether the PIN was verified for this act. Nobody ever sees a PIN in here."""

    person: str
    verified: bool = True


class Box(Struct, frozen=True):
    """R-27: what answers at a place of the settings: which box, and the version and check word of the program in it."""

    serial: int
    firmware: int
    check: int


class Device(Struct, frozen=True):
    """What a seat unit says of itself (devices.md 2.1): persistent totals mod 2^32, and its event number.

    Totals are comparable only within one (serial, epoch). They are in credits; but what a native slot counts late, it
    counts in pieces, and `worth` is what one of them is worth now, in credits: whoever subtracts multiplies.
    """

    serial: int
    epoch: int
    seq: int
    bets: int = 0
    voided: int = 0
    chips: int = 0
    late: int = 0
    worth: int = 1

    @property
    def image(self) -> Image:
        assert 1 <= self.worth < WORD, "a late piece is worth something"
        return Image(self.seq, self.bets, self.voided, self.chips, self.late, self.worth)


class Bounds(Struct, frozen=True):
    """R-37: the most credits that one press and one chip of a unit can be worth; 0: it has no buttons, or no slot."""

    press: int = 0
    chip: int = 0

    @property
    def most(self) -> MostAtOnce:
        assert 0 <= self.press < WORD and 0 <= self.chip < WORD, "what a unit can count to"
        return MostAtOnce(self.press, self.chip)

    def wider(self, known: "Bounds | None") -> "Bounds":
        """What may be believed of a memory of which both were said. What was pressed or thrown in before a technician
        changed its buttons counts as what it was worth then; so it never narrows until the seat is counted."""
        assert known is None or min(known.press, known.chip) >= 0, "worth something, or there is none"
        return self if known is None else Bounds(max(known.press, self.press), max(known.chip, self.chip))


class Counted(Struct, frozen=True):
    """R-37: the last move of a seat's totals on record: after which event of its unit, and how many it took."""

    since: int
    events: int


class Phase(StrEnum):
    """R-5: where a table is in its pass."""

    BETWEEN = "between"
    OPEN = "open"
    LOCKING = "locking"
    SEALED = "sealed"


class ClaimPhase(StrEnum):
    """R-21, R-34: nothing of a claim was paid yet, something was, or nothing of it was true."""

    HELD = "held"
    PAID = "paid"
    REJECTED = "rejected"


class AwardPhase(StrEnum):
    """R-21, R-34, R-35: where an award is between its registration and its payment. Aside: a debt without term, because
    its winner could not be found. Rejected: it was false, and not paid."""

    HELD = "held"
    CONFIRMED = "confirmed"
    ASIDE = "aside"
    PAID = "paid"
    REJECTED = "rejected"


class Lamp(StrEnum):
    """R-6: what is known of the lamp of a seat with a bet."""

    DARK = "dark"
    LIT = "lit"
    FAULT = "fault"


class Flow(Struct, frozen=True):
    """What one event moves: the parts of a pot by name ("main" and the reserves), the house, the commission. Signed."""

    parts: dict[str, int] = {}
    house: int = 0
    commission: int = 0


class Mark(Struct, frozen=True):
    """How far a stream of letters has come: the epoch of its writer, and the number and hash of the last one."""

    epoch: int
    number: int
    hash: str


class HeadLeft(Struct, frozen=True):
    """Where a record is known to have stood that a restore did not go on from: the newest such place."""

    epoch: int
    seq: int
    hash: str


class Refund(Struct, frozen=True, omit_defaults=True):
    """What a seat gets back of a bet, in the form in which it was made: credits, promotional credits, chips."""

    seat: int
    cash: int = 0
    promo: int = 0
    chips: int = 0

    @property
    def total(self) -> Money:
        assert min(self.cash, self.promo, self.chips) >= 0, "R-25: given back, never taken"
        return Money(self.cash + self.promo + self.chips)


class SealedBet(Struct, frozen=True, omit_defaults=True):
    """R-22, R-23: a valid bet when its pass was sealed, and what it gave to whom."""

    seat: int
    amount: int
    commission: int
    main: int
    reserves: tuple[int, ...] = ()
    overflow: int = 0
    promo: int = 0
    chips: int = 0


class Hand(Struct, frozen=True, omit_defaults=True):
    """What the croupier enters for a seat: what its player did, its cards, or what he says they make."""

    seat: int
    acts: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    claimed: str = ""


class RegisteredAward(Struct, frozen=True, omit_defaults=True):
    """R-12, R-13: one award as registered: its place in the paying order, from where, and by which rules."""

    number: int
    seat: int
    prize: str
    amount: int
    parts: dict[str, int] = {}
    house: int = 0
    rules: tuple[str, ...] = ()


class Unpaid(Struct, frozen=True):
    """A seat of a claim that is paid nothing, and why."""

    seat: int
    reason: str


class Resettled(Struct, frozen=True, omit_defaults=True):
    """R-34: a later claim of the pot, settled again because an earlier one was put right: the differences that are now
    owed, numbered on from its own awards; `since`: when the claim was registered (R-21)."""

    claim: str
    table: str
    number: int
    casino: str
    awards: tuple[RegisteredAward, ...]
    since: int = 0


class Loss(Struct, frozen=True):
    """R-34: what was paid for a false award beyond what was true: the house bears it. Below nothing: what was said to
    be lost and was owed after all."""

    award: str
    amount: int


class Levels(Struct, frozen=True):
    """R-20: a pot as it stood at one instant."""

    main: int
    base: int
    reserves: dict[str, int] = {}


class Hit(Struct, frozen=True):
    """One line of the last 25 hits."""

    at: int
    award: str
    prize: str
    amount: int


class Meters(Struct, frozen=True, omit_defaults=True):
    """What a pot has seen in its life. Views of the facts: they only grow, and nothing ever clears them."""

    wagered: int = 0
    undone: int = 0
    commission: int = 0
    into_main: int = 0
    into_reserves: int = 0
    overflow: int = 0
    base_put_in: int = 0
    hits: int = 0
    wins: int = 0
    rejected_hits: int = 0
    rejected: int = 0
    paid_hits: int = 0
    paid: int = 0
    last: tuple[Hit, ...] = ()


class Change(Struct, frozen=True):
    """R-26: one value of a plan, old and new, as the documents write it."""

    key: str
    old: str
    new: str


class Documents(Struct, frozen=True):
    """R-26: an approved plan with its ruleset, word for word."""

    plan: str
    ruleset: str


class Day(Struct, frozen=True, omit_defaults=True):
    """R-27, R-30: the open day. `committed_as`: the name under which its seed was committed, where it has another one
    now; `lost`: why nobody has its seed any more; `nonce`: of who opened it; `skipped`: what the wall clock has moved
    since it was opened without time going on."""

    name: str
    commitment: str
    opened: int
    committed_as: str = ""
    lost: str = ""
    nonce: str = ""
    skipped: int = 0

    @property
    def first_name(self) -> str:
        """R-30: draws are made under it for ever."""
        assert self.name, "a day has a name"
        return self.committed_as or self.name
