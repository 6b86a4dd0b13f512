"""The non-volatile memory of a simulated unit as a file: to kill the simulator is to cut the unit's power.

Each bank has its place in the file and is written there by one call, so a killed process leaves a bank as it was or as
it is to be; what may lie between two banks is what `Nvm` is made for. Every bank carries the epoch, the greater one
counts. It is not made to survive the power of the machine it runs on. A file has one owner at a time.
"""

import fcntl
import os
import struct
from pathlib import Path

from firmware_sim.native.nvm import Nvm

_ROOM = 8_192  # of a bank; the longest image is below 1 KB
_HEAD = struct.Struct("<II")  # epoch, length


class NvmBusy(Exception):  # noqa: N818  says what happened
    """Another simulator has this memory."""


class NvmFile(Nvm):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise NvmBusy(f"{path}: another simulator keeps its memory there") from None
        for bank in range(len(self._banks)):
            self._recall(bank)

    def close(self) -> None:
        os.close(self._file)

    def damage(self) -> None:
        super().damage()
        self._keep(0)

    def lose(self) -> None:
        super().lose()
        self._keep(0)
        self._keep(1)

    def _write(self, bank: int, block: bytes) -> None:
        try:
            super()._write(bank, block)
        finally:
            self._keep(bank)

    def _keep(self, bank: int) -> None:
        record = _HEAD.pack(self.epoch, len(self._banks[bank])) + self._banks[bank]
        assert len(record) <= _ROOM, "an image of this size was not foreseen"
        written = os.pwrite(self._file, record, bank * _ROOM)
        assert written == len(record), "a regular file takes all or raises"

    def _recall(self, bank: int) -> None:
        head = os.pread(self._file, _HEAD.size, bank * _ROOM)
        if len(head) == _HEAD.size:
            epoch, length = _HEAD.unpack(head)
            self.epoch = max(self.epoch, epoch)
            self._banks[bank] = os.pread(self._file, min(length, _ROOM - _HEAD.size), bank * _ROOM + _HEAD.size)
