"""The language of the control socket: what a client may ask of a node, what it is answered, what it is shown.

Theory. Version 2, JSON, one message each. A request is an input of the core as it stands (`controller/core/inputs.py`,
by its tag) without signatures, and beside it who signs, each with a proof of his PIN (proof.py): no PIN is ever in a
message. Or it is one of the few things that only the node can do. Who signed in proves what a pass needs by his ticket
instead. `id` is 32 hexadecimal digits made by the client and
kept until it has heard: the same id again gets the same answer and has no second effect. The state is sent whole and
the newest one counts, so a client that missed some lost nothing. Nothing here decides anything.
docs/operators/control.md is the description for other programs.
"""

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from msgspec import Raw, Struct

from controller.core.values import Broken, Change, Mark, Side, Unpaid
from controller.core.view import Alarm, ClaimNow, Preview, SignView, TableView
from controller.node.vocabulary.house import PersonNow, TerminalNow

VERSION = 2
MOST_BYTES = 2**18
COMMANDS, STATE = "commands", "state"  # the two sockets of the control folder
STATE_TOPIC, FACT_TOPIC = b"state", b"fact"
_PIN = re.compile(r"[0-9]{6,12}")
_LONGEST_PATH = 107  # of a socket's name, in bytes: Linux


def too_long(folder: Path) -> bool:
    """Whether the system could not name a socket in this folder."""
    return len(os.fsencode(folder.absolute() / COMMANDS)) > _LONGEST_PATH


class Pin(NamedTuple):
    """Who signs, and with what: as long as it is with the person who typed it, and in no message."""

    person: str
    pin: str


class Ticket(NamedTuple):
    """What a client keeps of who signed in, in place of his PIN: good at one terminal for one table, for a while."""

    person: str
    terminal: str
    table: str
    number: str
    key: bytes
    node: str
    epoch: int


class Proof(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who signs, and what proves it: his PIN, or the ticket of this number."""

    person: str
    proof: str = ""
    ticket: str = ""


def is_pin(pin: str) -> bool:
    """Six to twelve digits."""
    return _PIN.fullmatch(pin) is not None


class Deed(StrEnum):
    """What only the node can do, beside the inputs of the core."""

    STATE = "state"
    DESCRIBE = "describe"  # what this node takes and says, field by field
    FACTS = "facts"  # since: a page of the record
    SALTS = "salts"  # people: what a client needs to make their proofs
    PEOPLE = "people"  # who may sign, and which terminals are enrolled
    PREVIEW = "preview"  # ask: what it would do; nothing is done, and one person looks
    OPEN_DAY = "open_day"  # the node makes the seed: day, nonce
    CLOSE_DAY = "close_day"  # the node reveals it
    LOSE_SEED = "lose_seed"  # reason; two persons; the node says whether it still has it
    ENROL = "enrol"  # person, name, roles, known, new_salt, new_key
    SIGN_IN = "sign_in"  # table: one PIN for what a pass needs, at one terminal
    SIGN_OUT = "sign_out"  # table: the ticket that signs this is over
    UNLOCK = "unlock"  # table: opens the pass, or opens again the seats that came back; closes a sealed pass first
    LAMP_TEST = "lamp_test"  # table, between passes
    SIGN_TEST = "sign_test"  # sign
    CLEAR_FAULTS = "clear_faults"  # table, seat: after a technician looked


WHOEVER_LOOKS = frozenset({Deed.STATE, Deed.DESCRIBE, Deed.FACTS, Deed.SALTS, Deed.PEOPLE})
"""Needs no signature: every client of the socket may look, and is sent every fact anyway."""


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Exactly one of `ask` (an input of the core) and `do`; a preview has both. `saw`: of an `ask`, the fingerprint of
    the preview that its person confirms; with other amounts by then nothing is registered (R-20)."""

    v: int
    id: str
    ask: Raw = Raw(b"")
    do: Deed | None = None
    by: Proof | None = None
    second: Proof | None = None
    terminal: str = ""
    table: str = ""
    seat: int = 0
    sign: str = ""
    day: str = ""
    person: str = ""
    name: str = ""
    roles: tuple[str, ...] = ()
    known: bool = False
    new_salt: str = ""
    new_key: str = ""
    since: int = 0
    reason: str = ""
    people: tuple[str, ...] = ()
    nonce: str = ""
    saw: str = ""


class Trouble(Struct, frozen=True, omit_defaults=True):
    """A refusal: its name, the rule, the place, a sentence for the person who asked, and what it was filled with."""

    reason: str
    rule: str
    where: str
    message: str
    parts: dict[str, str] = {}


BUSY = Trouble("busy", "", "", "El nodo tiene demasiados pedidos en espera; repita este mismo en un momento.")


WAIT = "wait"
"""The reason of an answer to whoever gave too many wrong PINs: what he gave now was not even looked at."""

TICKET_OVER = "ticket_over"
"""The reason of an answer to whoever signs with a ticket that is none any more, or none of his, or not for this."""

PIN_NEEDED = "pin_needed"
"""The reason of an answer to whoever signs with a ticket what only a PIN may sign."""

TOO_MANY_REFUSED = "too_many_refused"
"""The reason of an answer to whoever was refused too much: what he asks now was not even looked at."""

AMOUNTS_CHANGED = Trouble(
    "amounts_changed",
    "R-20",
    "saw",
    "Los montos ya no son los que se mostraron; no se registró nada. Mírelos otra vez.",
)

READING = "reading"
"""The reason of an answer that is none yet: the record is read for this request; ask again, the same."""


def reading(percent: int) -> Trouble:
    return Trouble(READING, "", "", f"Revisando el registro: {percent} %")


class Salt(Struct, frozen=True):
    """What a person's PIN is salted with, in hex, and argon2id's figures: `time`, `memory` in KiB, `lanes`."""

    person: str
    salt: str
    time: int
    memory: int
    lanes: int


class Reply(Struct, frozen=True, omit_defaults=True):
    """`facts`: what it did, as the record has it, each with its kind. `seq`: the last fact of the record then. A claim
    says how many it pays, and whom it does not: `ok` alone would sound as if somebody were paid. `preview`: what an act
    would do, and with `would` the facts of it, none of which is on record."""

    v: int
    id: str
    ok: bool
    seq: int = 0
    facts: tuple[Raw, ...] = ()
    trouble: Trouble | None = None
    state: "NodeView | None" = None
    pays: int | None = None
    unpaid: tuple[Unpaid, ...] = ()
    entries: tuple[Raw, ...] = ()
    description: Raw = Raw(b"")
    node: str = ""
    epoch: int = 0
    salts: tuple[Salt, ...] = ()
    ticket: str = ""
    idle: int = 0
    preview: Preview | None = None
    would: tuple[Raw, ...] = ()
    people: tuple[PersonNow, ...] = ()
    terminals: tuple[TerminalNow, ...] = ()


class Health(StrEnum):
    """Whether a unit answers."""

    UP = "up"
    DOWN = "down"
    STARTING = "starting"


class UnitNow(Struct, frozen=True, omit_defaults=True):
    """A device as it is: who it says it is, and why it cannot be trusted if it cannot."""

    line: str
    number: int
    table: str
    kind: str
    seats: tuple[int, ...]
    health: Health
    why: str = ""  # Spanish
    product: str = ""
    serial: int = 0
    firmware: int = 0
    faults: tuple[str, ...] = ()


class Waits(StrEnum):
    """What a seat that came back in an open pass, and stays locked, waits for."""

    NOTHING = ""
    BUTTON = "button"
    NEXT = "pass"  # the next one: its unit locked itself with a bet, and opens in no round of that bet (2.4)


class SeatNow(Struct, frozen=True, omit_defaults=True):
    """A seat as its unit last reported it, beside what the record wants (SeatView)."""

    table: str
    seat: int
    health: Health
    locked: bool
    lamp: str  # drivers.model.LampProof
    bet: str  # drivers.model.BetSeen
    credits: int  # on the unit, in credits
    faults: tuple[str, ...] = ()
    waits: Waits = Waits.NOTHING


class SignNow(Struct, frozen=True, omit_defaults=True):
    """A sign: what it should show, what is known of it."""

    line: str
    number: int
    pot: str
    amount: str
    second: str
    prize: str
    state: str  # drivers.model.SignState
    showing: str = ""


class Feed(Struct, frozen=True, omit_defaults=True):
    """R-9: which pot a table feeds, and what is dealt at it; in training the pot is the table's own copy.
    `acts`: what a player of its game can do with his hand, `forfeits`: what of it loses the pot (R-8)."""

    table: str
    pot: str
    modality: str
    credit: int = 0  # what one credit is worth
    forfeits: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()


class PotFunds(Struct, frozen=True, omit_defaults=True):
    """R-18, R-19: what stands behind a pot, from the ledger: reserves, held awards, what each house advanced."""

    pot: str
    reserves: dict[str, int]
    held: int = 0
    house: dict[str, int] = {}


class PlanNow(Struct, frozen=True, omit_defaults=True):
    """R-26: an approved plan that waits for a pot, value by value against the one in force: the key, and how it is
    written there and here; of a new pot nothing stands there. `ready` and `missing`: neighbours that have said that
    their tables wait for it, and that have not. `above`: the neighbour that proposed it, whose pot it is (R-28)."""

    pot: str
    resolution: str
    changes: tuple[Change, ...] = ()
    is_new: bool = False
    by: str = ""
    second: str = ""
    ready: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    above: str = ""


class InquiryNow(Struct, frozen=True):
    """A request that waits while the record is read for it (R-34, R-35), and how far that is, in percent."""

    id: str
    table: str
    percent: int


WHY_STOPPED = {
    Broken.GAP: "falta parte de lo que dijo",
    Broken.FORK: "dijo dos cosas distintas en el mismo lugar",
    Broken.ROLLED_BACK: "olvidó lo que ya había dicho",
    Broken.FOREIGN_EPOCH: "fue restaurado en otro punto",
    Broken.UNKNOWN_LETTER: "dice lo que este programa no entiende",
    Broken.AHEAD: "tiene lo que este registro no recuerda haber dicho",
}


class StoppedNow(Struct, frozen=True, omit_defaults=True):
    """R-28: why nothing more is heard from a neighbour until two persons have looked; `said`: where it says that the
    stream stands, which is what they accept; `here`: of a stream of its, where it was heard last, which they may accept
    too."""

    stream: str
    why: Broken
    said: Mark
    here: Mark | None = None


class NeighbourNow(Struct, frozen=True, omit_defaults=True):
    """R-28: another node that shares a pot with this one. `since`: the link stands since then, or was last heard then;
    `waits`: how many of our letters it has not acknowledged, the oldest of them written at `oldest`; `acknowledged`:
    how many it has; `key`: that was pinned for its links."""

    neighbour: str
    side: Side
    up: bool
    since: int
    waits: int = 0
    oldest: int = 0
    acknowledged: int = 0
    inside: bool = False
    revoked: bool = False
    stopped: tuple[StoppedNow, ...] = ()
    key: str = ""


class FarPotNow(Struct, frozen=True, omit_defaults=True):
    """R-20, R-28: a pot of a neighbour that tables here feed. `age`: how many milliseconds ago its owner spoke of it;
    `closes`: from then on no pass opens here, while the link is down. What is multiple or fixed is paid always;
    `percentages` wait for the owner while they stand here, and so do claims whose correction was asked. `silent`: since
    when its owner is not heard behind the neighbour `owner`, whose link stands."""

    pot: str
    owner: str
    up: bool
    age: int
    closes: int = 0
    percentages: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    plan_waits: bool = False
    silent: int = 0


class DisputeNow(Struct, frozen=True):
    """R-28: what a neighbour told and cannot be, until two persons decide; `amount`: money, signed."""

    neighbour: str
    number: int
    pot: str
    table: str
    about: str
    amount: int
    why: str


class NodeView(Struct, frozen=True):
    """Everything a screen needs. `at`: milliseconds since 1970 UTC, of this message. `out_of_service`: the node broke
    again and again, and a technician looks before its tables play."""

    v: int
    node: str
    seq: int
    at: int
    day: str
    tables: tuple[TableView, ...]
    pots: tuple[SignView, ...]
    claims: tuple[ClaimNow, ...]
    alarms: tuple[Alarm, ...]
    units: tuple[UnitNow, ...]
    seats: tuple[SeatNow, ...]
    signs: tuple[SignNow, ...]
    stopping: bool = False
    feeds: tuple[Feed, ...] = ()
    funds: tuple[PotFunds, ...] = ()
    inquiries: tuple[InquiryNow, ...] = ()
    neighbours: tuple[NeighbourNow, ...] = ()
    far_pots: tuple[FarPotNow, ...] = ()
    disputes: tuple[DisputeNow, ...] = ()
    plans: tuple[PlanNow, ...] = ()
    out_of_service: bool = False
