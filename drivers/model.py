"""One model for every device at a table, whatever wire it speaks. The controller knows only this.

Three rules. Money is reported as running totals of one (serial, epoch), never as differences (devices.md 2.1.2): the
books subtract. State is reported as it was read back, never as it was wanted. Seats have the table's numbers.
Events are values; a driver puts them in order into `next_event()`.
"""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class DeviceKey:
    """Totals may be compared only within one key: another serial is another box, another epoch lost its memory."""

    serial: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Modulo 2^32, never reset. In credits; but `late` of a native chip slot counts pieces, as the unit does: what a
    chip is worth may change, so the books multiply each difference by the value of its own time."""

    loaded: int = 0
    cashed: int = 0
    bets: int = 0
    voided: int = 0
    chips: int = 0
    late: int = 0


class BetSeen(StrEnum):
    NONE = "none"
    PENDING = "pending"  # counted by the unit, not yet known to be in the ledger
    CONFIRMED = "confirmed"
    SEALED = "sealed"
    VOIDED = "voided"
    RESTORED = "restored"  # the unit rebooted in mid-hand: the bet stands, its lamp is dark


class LampProof(StrEnum):
    """What the feedback proves, not what is driven (R-6)."""

    LIT = "lit"
    DARK = "dark"
    BLINKING = "blinking"
    FAULT = "fault"  # driven and not lit, lit and not driven, open, short
    UNKNOWN = "unknown"  # not measured yet


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSeen:
    """A seat, whenever anything of it changed."""

    unit: int
    seat: int
    device: DeviceKey
    seq: int  # of the unit; equal numbers mean equal totals
    totals: Totals
    locked: bool
    cut: int  # the last number that still counts for the last lock
    bet: BetSeen
    bet_credits: int
    bet_seq: int  # number of the event that made the bet; never later than `seq`
    lamp: LampProof
    enabled: bool
    faults: tuple[str, ...] = ()
    last: bool = True  # of one image: only now may its seq be acknowledged, in the transaction that books them all


UNCOUNTED = "uncounted"  # a fault of a slot: chips may be in it that it told nobody of; until cleared it takes none
DISBELIEVED = "disbelieved"  # a fault of a seat: it said what cannot be, and takes nothing until taken anew


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSeen:
    """The croupier's buttons as totals: a press shorter than a poll is still a press."""

    unit: int
    device: DeviceKey
    seq: int
    lock_presses: int
    unlock_presses: int
    key_changes: int
    lock_key_down: bool
    key_on: bool | None = None  # the key switch; not read yet since it moved


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitUp:
    """Identified, configured, its session is ours. `rebooted`: it came back other than we left it (2.6). `goes_on`: its
    session is the one that broke off, nothing was locked, and what was wanted of it is wanted still."""

    unit: int
    device: DeviceKey
    product: str
    firmware: int
    seats: tuple[int, ...]
    rebooted: bool
    goes_on: bool = False
    firmware_check: int = 0  # of the program in it, where it says one


class Down(StrEnum):
    """Why a unit cannot be trusted now. Its seats are unsafe, not closed (2.5)."""

    SILENT = "silent"
    SLOW = "slow"  # it answers, after its time: as good as silent, and another cable to look at
    LINE_DOWN = "line_down"
    REBOOTED = "rebooted"
    REPLACED = "replaced"  # another serial answers at this address
    MEMORY_LOST = "memory_lost"  # another epoch: totals must be reconciled by hand
    FORGOT = "forgot"  # the same epoch, and it knows less than was seen or booked: held until its seats are counted
    NOT_NATIVE = "not_native"
    WRONG_VERSION = "wrong_version"
    WRONG_CLASS = "wrong_class"
    WRONG_SEATS = "wrong_seats"
    NO_MEMORY = "no_memory"  # its totals would not survive a power cut
    CONFIG_REFUSED = "config_refused"
    SECOND_HOST = "second_host"  # another master took the session: both stop (2.6)
    TWIN = "twin"  # another unit that is up says the same serial and epoch: the floor's finding, no driver's
    RESET = "reset"  # a foreign device lost its counters
    DEMANDS_SECRETS = "demands_secrets"  # a ccTalk device with PIN or encryption: not driven


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDown:
    unit: int
    seats: tuple[int, ...]
    reason: Down
    detail: str = ""  # English, for the technician's log


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A command to a unit came to its end: `done` now or before, or refused with the unit's own word for it."""

    unit: int
    seat: int
    command: str
    done: bool
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """Events out of a unit's ring, oldest first: explanations, never money. `missed`: how many were overwritten."""

    unit: int
    entries: tuple[object, ...]
    missed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a person should know that closes nothing by itself."""

    unit: int
    seat: int  # 0: the unit
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsSeen:
    """What a unit complains of itself, none of it of a seat, whenever that changed."""

    unit: int
    faults: tuple[str, ...]


LINE_RESET = "line_reset"  # an alarm's kind: the stream lost its place; who owns the port closes it and opens it again


class SignState(StrEnum):
    DOWN = "down"
    WRITTEN = "written"  # sent; this sign cannot say what it shows
    PROVEN = "proven"  # read back and equal
    DIFFERS = "differs"  # read back and not equal; it is being rewritten


@dataclass(frozen=True, slots=True, kw_only=True)
class SignSeen:
    unit: int
    state: SignState
    showing: str


DeviceEvent = SeatSeen | ConsoleSeen | UnitUp | UnitDown | Settled | Explained | Notice | FaultsSeen | SignSeen
