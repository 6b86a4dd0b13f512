"""Which of two numbers came later, where numbers go round: event numbers, totals, heartbeats (devices.md 2.1.2)."""


def newer(one: int, other: int) -> bool:
    """Serial-number arithmetic mod 2^32: `one` was counted after `other`."""
    return 0 < (one - other) % 2**32 < 2**31


def newer_beat(one: int, other: int) -> bool:
    """The same for the 16-bit heartbeat and the snapshot (2.6)."""
    return 0 < (one - other) % 2**16 < 2**15
