"""The device's own accept total (225) against the events it told: how many chips nobody heard of (2.7).

A total is compared only with what was counted since the last comparison, in 24 bits, and only when no event came
between its reading and the next reading of the events, so that no chip can fall between the two. Whether it outlives
a power cut is the manual's word, given by the settings; where it does, a reset costs a sentence instead of a count.
"""

_CYCLE = 1 << 24


class AcceptAudit:
    def __init__(self) -> None:
        self.counted = 0  # chips that the events told, whatever device told them
        self._agreed: tuple[int, int] | None = None  # the device's total and our count, when they were last compared
        self._read: tuple[int, int] | None = None
        self._suspected = 0

    def start_from(self, total: int | None) -> None:
        """Another device, or one that lost its total."""
        self._agreed = None if total is None else (total, self.counted)
        self._suspected = 0

    def read(self, data: bytes) -> None:
        self._read = int.from_bytes(data, "little"), self.counted

    @property
    def total_now(self) -> int | None:
        """What the device's total must be by our count."""
        return None if self._agreed is None else (self._agreed[0] + self.counted - self._agreed[1]) % _CYCLE

    def difference(self) -> int | None:
        """Chips more than the events told, negative when the total went back; `None`: it cannot be said."""
        read, self._read = self._read, None
        if read is None or read[1] != self.counted:
            return None
        before, self._agreed = self._agreed, read
        if before is None:
            return None
        difference = (read[0] - before[0] - (read[1] - before[1])) % _CYCLE
        return difference if difference < _CYCLE // 2 else difference - _CYCLE

    def proven_difference(self) -> int:
        """The same, but only what two readings in a row say: a device may count and tell at different moments."""
        before = self._agreed
        difference = self.difference()
        if difference is None:
            return 0
        if difference in {0, self._suspected}:
            self._suspected = 0
            return difference
        self._agreed, self._suspected = before, difference
        return 0
