"""Which chips the device may take at all: the master inhibit, which is the lock, and one bit for each channel.

The lock goes before everything. To open, the channels are set first and the master last, so that no chip slips in
that has no room in the bet. All channels are never taken away, for that is what a reset looks like. Both are looked at
again from time to time: a device that was reset before its first event says so in no other way (1.2).
"""

from drivers.cctalk.frames import Header
from drivers.cctalk.register import Register
from drivers.cctalk.turn import Ask

_SHUT, _OPEN = b"\x00", b"\x01"


class Inhibits:
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

    def ask(self) -> Ask | None:
        if self._master.wanted == _SHUT:
            return self._master.ask() or self._channels.ask()
        return self._channels.ask() or self._master.ask()

    def taken(self, ask: Ask, data: bytes) -> bool:
        """Whether the device is proven to hold something else than we had left there."""
        if ask.header in {Header.SET_MASTER, Header.READ_MASTER}:
            return self._master.taken(ask, bytes(byte & 1 for byte in data))
        otherwise = self._channels.taken(ask, data)
        self._found = self._channels.known if self._found is None else self._found
        return otherwise
