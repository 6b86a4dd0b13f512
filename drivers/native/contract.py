"""The native device contract in names and numbers (docs/device-contract.md; normative text: devices.md 2.1-2.6).

Addresses are PDU addresses. Everything that a driver and a unit's firmware must agree on stands here, once; what each
does with it stands elsewhere.
"""

from enum import IntEnum

MAGIC, VERSION = 0x4A50, 0x0101
MOST_SEATS = 9

IDENTITY, RING, CONFIG, DESIRED, COMMAND, DISPLAY, DETAIL, FAST_POLL = (
    0x0000, 0x0200, 0x0300, 0x0400, 0x0410, 0x0420, 0x1000, 0x2000,
)  # fmt: skip
DETAIL_STEP = 0x100
BLOCK_WORDS, RING_WORDS, WRITE_WORDS = 32, 100, 8
DETAIL_BOOKS_WORDS = 16  # of a detail, from its tag to its bet; none of them moves without an event
RING_DEPTH, RING_ENTRY = 12, 8
HEAD_WORDS, SEAT_WORDS = 16, 12
TAG_FAST_POLL, TAG_DETAIL, TAG_RING, TAG_CONFIG = 0xA501, 0xA502, 0xA503, 0xA504

LOCK, UNLOCK = 0x4C4F, 0x554E  # "LO", "UN"; every other value locks too (2.3 D)
NO_TOKEN = 0
NO_CURRENT = 0xFFFF


def fast_poll_words(seats: int) -> int:
    return HEAD_WORDS + SEAT_WORDS * seats


def detail_address(seat: int) -> int:
    """Seats of a unit count from 1 here, whatever the table calls them."""
    return DETAIL + DETAIL_STEP * (seat - 1)


class UnitClass(IntEnum):
    ELECTRONIC = 1
    CHIP_SLOT = 2
    CONSOLE = 3
    COUNTER = 4
    TABLE = 5  # one unit for several seats


# Enums of single bits are IntEnums, not IntFlags: `word & UnitFlag.LOCK_LINE` must cost nothing in every exchange.


class Capability(IntEnum):
    BUTTONS = 1 << 0
    CHIP_SLOT = 1 << 1
    LAMP = 1 << 2
    CURRENT_SENSE = 1 << 3
    LIGHT_SENSE = 1 << 4
    GATE = 1 << 5
    CREDIT_DISPLAY = 1 << 6
    NVM = 1 << 7
    LOCK_KEY = 1 << 8
    UNLOCK_KEY = 1 << 9
    LOCK_LINE = 1 << 10
    WRITE_READ = 1 << 11  # FC23: D and A in one exchange


class ResetCause(IntEnum):
    UNKNOWN = 0
    POWER_ON = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    COMMAND = 4
    EXTERNAL = 5
    FAULT = 6


class MemoryHealth(IntEnum):
    OK = 0
    RECOVERED = 1
    LOST = 2


class LockState(IntEnum):
    BOOT_LOCKED = 0
    OPEN = 1
    LOCKING = 2
    LOCKED = 3
    HOST_LOST = 4
    OUT_OF_SERVICE = 5


class UnitFlag(IntEnum):
    """The bits of A's state word above the lock state."""

    SESSION_OWNED = 1 << 4
    LOCK_LINE = 1 << 5
    LOCK_KEY_DOWN = 1 << 6
    CONFIG_STAGED = 1 << 7
    RING_OVERFLOW = 1 << 8
    SECOND_HOST = 1 << 10


class UnitFault(IntEnum):
    MEMORY_RECOVERED = 1 << 0
    TOTALS_LOST = 1 << 1
    WATCHDOG_RESET = 1 << 2
    BROWN_OUT = 1 << 3
    HOST_LOST = 1 << 4  # latched
    CONFIG_INVALID = 1 << 5
    BUS_ERRORS = 1 << 6
    CLOCK = 1 << 7
    SELF_TEST = 1 << 8


class Bet(IntEnum):
    NONE = 0
    PENDING = 1
    CONFIRMED = 2
    SEALED = 3
    VOIDED = 4
    RESTORED_DARK = 5


class SeatMode(IntEnum):
    """What takes the bets of a seat; 0 is what the golden frames show."""

    BUTTONS = 0
    CHIPS = 1
    CONSOLE = 2
    COUNTER = 3


class SeatFlag(IntEnum):
    BUTTON_DOWN = 1 << 8
    PATH_BLOCKED = 1 << 9
    LAMP_STEADY = 1 << 10
    FEEDBACK_AGREES = 1 << 11
    ENABLED = 1 << 12
    PART_UNACKED = 1 << 13
    FAULT = 1 << 15


class LampDrive(IntEnum):
    """What the unit drives."""

    OFF = 0
    STEADY = 1
    PENDING = 2  # fast blink
    FAULT = 3  # wink
    TEST = 4


class Feedback(IntEnum):
    """What the unit measures, whatever it drives."""

    IN_WINDOW = 1 << 0
    OPEN = 1 << 1
    SHORT = 1 << 2
    CURRENT_WHILE_OFF = 1 << 3
    LIGHT_SEEN = 1 << 4
    MEASURED = 1 << 5
    LATCHED = 1 << 6


class SeatFault(IntEnum):
    LAMP_OPEN = 1 << 0
    LAMP_SHORT = 1 << 1
    LAMP_LIT_WHILE_OFF = 1 << 2
    BUTTON_STUCK = 1 << 3
    CHIP_JAM = 1 << 4
    TAMPER = 1 << 5
    GATE = 1 << 6
    ACCOUNTING = 1 << 7
    DISPLAY = 1 << 8
    DISABLED = 1 << 9


class EventType(IntEnum):
    PRESS_ACCEPTED = 1
    PRESS_REFUSED = 2
    CHIP = 3
    LATE_CHIP = 4
    JAM = 5
    LOCK = 6
    UNLOCK = 7
    LAMP_FAULT = 8
    LAMP_OK = 9
    BET_CONFIRMED = 10
    BET_VOIDED = 11
    CREDITS_LOADED = 12
    CASHED = 13
    BOOT = 14
    HOST_LOST = 15
    HOST_BACK = 16
    CONFIG = 17
    CROUPIER_LOCK = 18
    CROUPIER_UNLOCK = 19
    MEMORY = 20
    TAMPER = 21


class LockCause(IntEnum):
    """The argument of a LOCK event."""

    HOST = 1
    BROADCAST = 2
    KEY = 3
    LINE = 4
    WATCHDOG = 5
    BOOT = 6


class VoidCause(IntEnum):
    """The argument of a BET_VOIDED event, and the cause in a seat's detail."""

    NONE = 0
    CROUPIER = 1  # VOID_BET; the reason the host gave is the credits field's neighbour in the host's own record
    CONFIRM_TIMEOUT = 2
    HOST_LOST = 3
    BOOT = 4


class PressRefusal(IntEnum):
    """The argument of a PRESS_REFUSED event; `EDGE_BEFORE_LOCK` is added when the finger was faster than the lock."""

    LOCKED = 1
    DISABLED = 2
    SECOND_BET = 3
    OUTSIDE_LIMITS = 4
    NO_CREDIT = 5
    BUTTON_OFF = 6
    FAULT = 7


EDGE_BEFORE_LOCK = 0x0100


class LampCommand(IntEnum):
    """High byte of D's lamp word; the seat is the low byte, 0 = all."""

    AUTO = 0x00
    TEST = 0x01
    FORCE_OFF = 0x02
    RELIGHT = 0x03
    TEST_BETWEEN = 0x04


class Opcode(IntEnum):
    """High byte of K's second word; the seat is the low byte, 0 where none is meant."""

    OPEN_SESSION = 1
    LOADED_TO = 2
    CASHED_TO = 3
    VOID_BET = 4
    CONFIG_COMMIT = 5
    CLEAR_FAULTS = 6
    SEAT_ENABLE = 7
    REBOOT = 8


class Result(IntEnum):
    NONE = 0
    DONE = 1
    ALREADY = 2
    MISMATCH = 3
    REFUSED = 4
    BAD_CHECK = 5
    STALE_TOKEN = 6
    UNKNOWN = 7


class UnitParity(IntEnum):
    NONE = 0
    EVEN = 1
    ODD = 2
