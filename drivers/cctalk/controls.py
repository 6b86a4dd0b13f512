"""What we set in an acceptor: the inhibits, which are the lock, and the lamp.

A register has a wish, a way to write it and a way to read it back. Three rules. Nothing is known because it was
written: known is what was read back, and from the moment of a write until then it is unknown; so a write that was lost,
or lost its answer, costs a turn and nothing else. Nothing new is known that was read once: an answer of one byte does
not say which question it answers; one that says what we had left there adds nothing to what we went by anyway. What was
known is compared before it is written over: a device that holds something else than we left there was reset.
"""

from drivers.cctalk.frames import Header
from drivers.cctalk.turn import LineAsk
from drivers.model import LampProof


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

    def ask(self) -> LineAsk | None:
        if self.agrees:
            return None
        if self._acknowledged or self._unseen or self._left is not None:
            return LineAsk(self._read, sizes=range(len(self.wanted), len(self.wanted) + 1))
        self.known = self._once = None
        return LineAsk(self._write, self.wanted)

    def taken(self, ask: LineAsk, data: bytes) -> bool:
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


_SHUT, _OPEN = b"\x00", b"\x01"


class Inhibits:
    """Which chips the device may take at all: the master inhibit, which is the lock, and one bit for each channel.

    The lock goes before everything. To open, the channels are set first and the master last, so that no chip slips in
    that has no room in the bet. All channels are never taken away, for that is what a reset looks like. Both are looked
    at again from time to time: a device that was reset before its first event says so in no other way (1.2).
    """

    def __init__(self) -> None:
        self._master = Register(Header.SET_MASTER, Header.READ_MASTER, _SHUT)
        self._channels = Register(Header.SET_INHIBITS, Header.READ_INHIBITS, bytes(2))
        self._found: bytes | None = None  # the channels, when we began

    def want(self, *, shut: bool, mask: bytes) -> None:
        assert any(mask), "a device without a free channel looks as after a reset"
        self._master.want(_SHUT if shut else _OPEN)
        self._channels.want(mask)

    def begin(self) -> None:
        """The device may have been off. The lock may be written unseen, the channels not: they tell."""
        self._master.doubt()
        self._channels.look_first()
        self._found = None

    @property
    def found_blank(self) -> bool:
        """No channel was free when we began: as after a reset, and as we never leave a device."""
        return self._found == bytes(2)

    @property
    def settled(self) -> bool:
        return self._master.agrees and self._channels.agrees

    @property
    def shut(self) -> bool:
        """The lock is wanted, was read back, and nothing read since says otherwise."""
        return self._master.wanted == _SHUT and self._master.stands

    @property
    def still_shut(self) -> bool:
        """Whatever is wanted, it was shut when it was last read, and not written since."""
        return self._master.held(_SHUT)

    @property
    def urgent(self) -> bool:
        """It takes chips that it must not take, as far as we know."""
        return (self._master.wanted == _SHUT and not self._master.stands) or not self._channels.stands

    def doubt(self) -> None:
        """Both are read before anything else is done with them."""
        self._master.doubt()
        self._channels.doubt()

    def ask(self) -> LineAsk | None:
        if self._master.wanted == _SHUT:
            return self._master.ask() or self._channels.ask()
        return self._channels.ask() or self._master.ask()

    def taken(self, ask: LineAsk, data: bytes) -> bool:
        """Whether the device is proven to hold something else than we had left there."""
        if ask.header in {Header.SET_MASTER, Header.READ_MASTER}:
            return self._master.taken(ask, bytes(byte & 1 for byte in data))
        otherwise = self._channels.taken(ask, data)
        self._found = self._channels.known if self._found is None else self._found
        return otherwise


OFF, ON, FLASH = 1, 2, 20  # 10-255 flash


class SeatLamp:
    """The lamp of a seat, when it hangs on the acceptor: written with header 151, and never seen.

    ccTalk has no way to read a lamp back: an acknowledged write says that the device heard, not that there is light. So
    the lamp is reported as unknown (R-6), and a seat that needs the proof has a sensor beside it. A device that does
    not answer is reported as a fault and asked again later.
    """

    def __init__(self, number: int | None) -> None:
        self._number = number
        self._heard: int | None = None
        self._wanted = OFF
        self.fault = False

    def want(self, mode: int) -> None:
        self._wanted = mode

    def ask(self) -> LineAsk | None:
        if self._number is None or self.fault or self._heard == self._wanted:
            return None
        return LineAsk(Header.TEST_LAMPS, bytes((self._number, self._wanted)))

    def taken(self, ask: LineAsk) -> None:
        self._heard = ask.data[1]

    def forget(self) -> None:
        """Written again, also where it failed before."""
        self._heard, self.fault = None, False

    @property
    def seen(self) -> LampProof:
        return LampProof.FAULT if self.fault else LampProof.UNKNOWN
