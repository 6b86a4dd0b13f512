"""The croupier's console as totals (2.3 A, class 3): a press shorter than a poll is still a press.

Its totals stand where a seat's money stands: lock presses, unlock presses, changes of the key switch. No event type
was foreseen for the switch; it is explained as a lock or an unlock with `KEY_SWITCH` as its argument.
"""

from enum import IntEnum

from drivers.native.contract import EventType
from firmware_sim.native.memory import LONG, SeatMemory

BUTTON, KEY_SWITCH = 0, 1


class ConsoleKey(IntEnum):
    """By the number of its contact."""

    LOCK = 1
    UNLOCK = 2
    SWITCH_OFF = 3
    SWITCH_ON = 4


def count(memory: SeatMemory, key: ConsoleKey) -> tuple[EventType, int]:
    """The total goes up; the event that explains it."""
    if key == ConsoleKey.LOCK:
        memory.loaded = (memory.loaded + 1) & LONG
        return EventType.CROUPIER_LOCK, BUTTON
    if key == ConsoleKey.UNLOCK:
        memory.bets = (memory.bets + 1) & LONG
        return EventType.CROUPIER_UNLOCK, BUTTON
    memory.voided = (memory.voided + 1) & LONG
    return EventType.CROUPIER_LOCK if key == ConsoleKey.SWITCH_OFF else EventType.CROUPIER_UNLOCK, KEY_SWITCH
