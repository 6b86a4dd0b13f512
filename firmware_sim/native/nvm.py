"""The non-volatile memory of a simulated device: an image is written whole or not at all, whenever the power goes.

Two banks hold the same image, each with a stamp and a check. A write goes to the first bank and then to the second, so
at every instant one of them is good: torn in the first, the second holds what was before; torn in the second, the
first holds what is now. The epoch stands apart, in cells that outlive both banks (2.3, I 0D): totals that were lost
must never look like totals that start at zero.
"""

import binascii
import struct

from drivers.native.contract import MemoryHealth as Health

_STAMP = struct.Struct("<QI")  # which write this was, and how long the image is
_CHECK = struct.Struct("<I")


class PowerCutError(Exception):
    """The power went while a byte was on its way to the memory."""


class Nvm:
    def __init__(self) -> None:
        self.epoch = 0
        self.writes = 0
        self._banks = [b"", b""]
        self._left: int | None = None

    def save(self, image: bytes) -> None:
        """Of the two banks the first is always written first; see `load` for what that proves."""
        self.writes += 1
        block = _STAMP.pack(self.writes, len(image)) + image
        block += _CHECK.pack(binascii.crc32(block))
        self._write(0, block)
        self._write(1, block)

    def load(self) -> tuple[bytes | None, Health]:
        """The newest good image; `None` and OK: a memory that was never written."""
        first, second = (_examined(bank) for bank in self._banks)
        if first is None and second is None:
            return None, Health.OK if self._banks == [b"", b""] else Health.LOST
        if first is None:
            assert second is not None
            self.writes = max(self.writes, second[0])
            return second[1], Health.RECOVERED
        return first[1], Health.OK

    def cut_after(self, bytes_written: int) -> None:
        """The power will go when this many bytes more have been written: a test's way to any instant."""
        self._left = bytes_written

    def damage(self) -> None:
        """One bank is no longer what was written; the other still is."""
        self._banks[0] = bytes(255 - byte for byte in self._banks[0]) or b"\xff"

    def lose(self) -> None:
        self._banks = [b"\xff" * 16, b"\xff" * 16]

    def _write(self, bank: int, block: bytes) -> None:
        if self._left is None or self._left >= len(block):
            self._left = None if self._left is None else self._left - len(block)
            self._banks[bank] = block
            return
        self._banks[bank] = block[: self._left] + self._banks[bank][self._left :]
        self._left = None
        raise PowerCutError


def _examined(bank: bytes) -> tuple[int, bytes] | None:
    if len(bank) < _STAMP.size + _CHECK.size:
        return None
    stamp, size = _STAMP.unpack_from(bank)
    end = _STAMP.size + size
    if len(bank) != end + _CHECK.size or _CHECK.unpack_from(bank, end)[0] != binascii.crc32(bank[:end]):
        return None
    return stamp, bank[_STAMP.size : end]
