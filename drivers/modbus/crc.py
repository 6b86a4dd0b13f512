"""CRC-16/MODBUS: at the end of every RTU frame, and as the check word inside every block of the native contract.

Two bytes a step. The table is an array, not a list: between two exchanges on a slow line the processor forgets, and 128
kilobytes come back sooner than a list of objects.
"""

import struct
from array import array
from collections.abc import Sequence

_POLYNOMIAL = 0xA001


def _steps(value: int, bits: int) -> int:
    for _ in range(bits):
        value = (value >> 1) ^ _POLYNOMIAL if value & 1 else value >> 1
    return value


_BYTE = [_steps(value, 8) for value in range(256)]
_PAIR = array(
    "H", [(_BYTE[value & 0xFF] >> 8) ^ _BYTE[(_BYTE[value & 0xFF] ^ (value >> 8)) & 0xFF] for value in range(65536)]
)


def crc16(data: bytes) -> int:
    crc = 0xFFFF
    even = len(data) & ~1
    for pair in struct.unpack(f"<{even >> 1}H", data[:even]):
        crc = _PAIR[crc ^ pair]
    if len(data) & 1:
        crc = (crc >> 8) ^ _BYTE[(crc ^ data[-1]) & 0xFF]
    return crc


def check_word(words: Sequence[int]) -> int:
    """Of the words as sent, high byte first (2.2)."""
    return crc16(struct.pack(f">{len(words)}H", *words))
