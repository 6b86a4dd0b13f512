"""What the node wants of its devices, as values: made in the engine's thread, obeyed in the rack's.

Theory. A wish is desired state or one order that may be repeated (drivers compare and set), so a wish lost, late
or doubled does no harm, and whoever makes wishes may make the same one again after anything went down.
"""

from enum import StrEnum
from typing import NamedTuple

from controller.node.vocabulary.places import UnitKey


class Verb(StrEnum):
    """The drivers' own words (drivers/native/unit.py, drivers/cctalk/acceptor.py, drivers/io_module/unit.py, signs)."""

    LOCK = "lock"
    UNLOCK = "unlock"  # round
    ACKNOWLEDGE = "acknowledge"  # DeviceKey, seq
    LOAD = "load"  # seat, expected, target
    CASH = "cash"  # seat, expected, target
    VOID = "void"  # seat, bet_seq, reason
    ENABLE = "enable"  # seat
    DISABLE = "disable"  # seat
    RELIGHT = "relight"  # seat
    TEST_LAMPS = "test_lamps"
    END_LAMP_TEST = "end_lamp_test"
    CLEAR_FAULTS = "clear_faults"  # seat
    RECONCILED = "reconciled"  # DeviceKey
    HAND_OVER = "hand_over"
    COUNT = "count"  # value, on a table credit counter
    SHOW = "show"  # amount, increment, on a sign
    PRIZE = "prize"  # text, on a sign
    END_PRIZE = "end_prize"


class Wish(NamedTuple):
    """`function` of the driver at `unit`, with its arguments."""

    unit: UnitKey
    verb: Verb
    arguments: tuple[object, ...] = ()
