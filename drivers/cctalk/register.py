"""A thing in a device that has a wish, a way to write it and a way to read it back.

Three rules. Nothing is known because it was written: known is what was read back, and from the moment of a write until
then it is unknown; so a write that was lost, or lost its answer, costs a turn and nothing else. Nothing new is known
that was read once: an answer of one byte does not say which question it answers; one that says what we had left there
adds nothing to what we went by anyway. What was known is compared before it is written over: a device that holds
something else than we left there was reset.
"""

from drivers.cctalk.frames import Header
from drivers.cctalk.turn import Ask


class Register:
    def __init__(self, write: Header, read: Header, wanted: bytes) -> None:
        self.known: bytes | None = None
        self.wanted = wanted
        self._write = write
        self._read = read
        self._acknowledged = False  # the last write was heard
        self._unseen = False  # it is to be read before it is written
        self._left: bytes | None = None  # what it must still hold, to be compared with the next reading
        self._once: bytes | None = None  # read once

    @property
    def agrees(self) -> bool:
        return self.known == self.wanted

    @property
    def stands(self) -> bool:
        """It agreed when it was last read, and was not written since."""
        return self.held(self.wanted)

    def held(self, value: bytes) -> bool:
        return value in {self.known, self._left}

    def want(self, value: bytes) -> None:
        if value != self.wanted:
            self.wanted, self._acknowledged = value, False

    def doubt(self) -> None:
        """Read it again before anything else is done with it."""
        if self.known is not None:
            self._left, self.known, self._acknowledged = self.known, None, False

    def look_first(self) -> None:
        """The same, also when nothing is known of it."""
        self.doubt()
        self._unseen = True

    def ask(self) -> Ask | None:
        if self.agrees:
            return None
        if self._acknowledged or self._unseen or self._left is not None:
            return Ask(self._read, sizes=range(len(self.wanted), len(self.wanted) + 1))
        self.known = self._once = None
        return Ask(self._write, self.wanted)

    def taken(self, ask: Ask, data: bytes) -> bool:
        """Whether the device is proven to hold something else than we had left there."""
        if ask.header == self._write:
            self._acknowledged = ask.data == self.wanted
            return False
        if data not in {self._once, self._left}:
            self._once = data
            return False
        otherwise = self._left not in {None, data}
        self.known, self._left, self._once, self._unseen = data, None, None, False
        self._acknowledged = self.agrees
        return otherwise
