"""Modbus messages, without frames: what is asked, what is answered, and which answer can belong to which question.

This is the door of pymodbus. Its classes pack and unpack the fields, all but the words that a read brings; they would
also take a short answer, an odd byte count or the answer to another function (devices.md 4.10), so length, function,
count and echo are examined here first, and a message that is not exactly right is no message. FC05 and FC06 are missing
on purpose: their answer equals the question, so a line with an echo fakes their success (4.6).
"""

import struct
from dataclasses import dataclass
from enum import IntEnum

from pymodbus.pdu.bit_message import (
    ReadCoilsRequest,
    ReadCoilsResponse,
    ReadDiscreteInputsRequest,
    ReadDiscreteInputsResponse,
    WriteMultipleCoilsRequest,
    WriteMultipleCoilsResponse,
)
from pymodbus.pdu.register_message import (
    ReadHoldingRegistersRequest,
    ReadInputRegistersRequest,
    ReadWriteMultipleRegistersRequest,
    WriteMultipleRegistersRequest,
    WriteMultipleRegistersResponse,
)

COILS, DISCRETE, HOLDING, INPUTS, WRITE_COILS, WRITE_WORDS, WRITE_READ = 1, 2, 3, 4, 15, 16, 23
MOST_READ, MOST_WRITTEN, MOST_BITS = 125, 123, 2000
MOST_WRITTEN_READING = 121
LONGEST_PDU = 253
_EXCEPTION = 0x80


class Denial(IntEnum):
    FUNCTION = 1
    ADDRESS = 2
    VALUE = 3
    FAILURE = 4
    BUSY = 6


@dataclass(frozen=True, slots=True)
class ReadWords:
    address: int
    count: int
    function: int = HOLDING  # or INPUTS


@dataclass(frozen=True, slots=True)
class WriteWords:
    address: int
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WriteReadWords:
    """FC23: first the write, then the read, in one exchange."""

    write_address: int
    words: tuple[int, ...]
    address: int
    count: int


@dataclass(frozen=True, slots=True)
class ReadBits:
    address: int
    count: int
    function: int = COILS  # or DISCRETE


@dataclass(frozen=True, slots=True)
class WriteBits:
    address: int
    bits: tuple[bool, ...]


Request = ReadWords | WriteWords | WriteReadWords | ReadBits | WriteBits


@dataclass(frozen=True, slots=True)
class Words:
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bits:
    bits: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """The unit repeats where and how much it wrote; that it matched is all there is to know."""


@dataclass(frozen=True, slots=True)
class Denied:
    """An exception; a code we have no name for stays a number."""

    code: int


Answer = Words | Bits | Written | Denied


def function_of(request: Request) -> int:
    match request:
        case ReadWords() | ReadBits():
            return request.function
        case WriteWords():
            return WRITE_WORDS
        case WriteReadWords():
            return WRITE_READ
        case WriteBits():
            return WRITE_COILS


def encode_request(request: Request) -> bytes:
    assert 0 <= request.address <= 0xFFFF, "an address is one word"
    return bytes([function_of(request)]) + _question(request)


def _question(request: Request) -> bytes:
    match request:
        case ReadWords(address, count):
            assert 1 <= count <= MOST_READ, "more words than an answer holds"
            message = ReadHoldingRegistersRequest if request.function == HOLDING else ReadInputRegistersRequest
            return message(address=address, count=count).encode()
        case ReadBits(address, count):
            assert 1 <= count <= MOST_BITS, "more bits than an answer holds"
            ask = ReadCoilsRequest if request.function == COILS else ReadDiscreteInputsRequest
            return ask(address=address, count=count).encode()
        case WriteWords(address, words):
            assert 1 <= len(words) <= MOST_WRITTEN, "more words than a question holds"
            return WriteMultipleRegistersRequest(address=address, registers=list(words)).encode()
        case WriteReadWords():
            assert 1 <= len(request.words) <= MOST_WRITTEN_READING, "more words than a question holds"
            assert 1 <= request.count <= MOST_READ, "more words than an answer holds"
            return ReadWriteMultipleRegistersRequest(
                request.address, request.count, request.write_address, list(request.words)
            ).encode()
        case WriteBits(address, bits):
            assert 1 <= len(bits) <= MOST_BITS, "more bits than a question holds"
            return WriteMultipleCoilsRequest(address=address, bits=list(bits)).encode()


def answer_size(request: Request) -> int:
    """Of the one good answer to this question, in bytes, function code included. An exception always has two."""
    match request:
        case ReadWords() | WriteReadWords():
            return 2 + 2 * request.count
        case ReadBits():
            return 2 + (request.count + 7) // 8
        case WriteWords() | WriteBits():
            return 5


def decode_answer(request: Request, pdu: bytes) -> Answer | None:
    """`None`: whatever this is, it is not the answer to this question."""
    function = function_of(request)
    if len(pdu) == 2 and pdu[0] == function | _EXCEPTION:
        return Denied(pdu[1])
    if len(pdu) != answer_size(request) or pdu[0] != function:
        return None
    match request:
        case ReadWords() | WriteReadWords():
            return _words(pdu)
        case ReadBits():
            return _bits(request, pdu)
        case WriteWords(address, words):
            done = WriteMultipleRegistersResponse()
            done.decode(pdu[1:])
            return Written() if (done.address, done.count) == (address, len(words)) else None
        case WriteBits(address, bits):
            wrote = WriteMultipleCoilsResponse()
            wrote.decode(pdu[1:])
            return Written() if (wrote.address, wrote.count) == (address, len(bits)) else None


def _words(pdu: bytes) -> Words | None:
    """Every image of every unit comes this way: unpacked at once, which pymodbus does register by register."""
    return Words(struct.unpack(f">{pdu[1] >> 1}H", pdu[2:])) if pdu[1] == len(pdu) - 2 else None


def _bits(request: ReadBits, pdu: bytes) -> Bits | None:
    if pdu[1] != len(pdu) - 2:
        return None
    answer = ReadCoilsResponse() if request.function == COILS else ReadDiscreteInputsResponse()
    answer.decode(pdu[1:])
    return Bits(tuple(bool(bit) for bit in answer.bits[: request.count]))


def decode_request(pdu: bytes) -> Request | Denied:
    """What a unit makes of a question whose frame was good; `Denied` is the exception it owes."""
    if not pdu:
        return Denied(Denial.FUNCTION)
    function, size = pdu[0], len(pdu)
    if function in (HOLDING, INPUTS, COILS, DISCRETE):
        address, count = int.from_bytes(pdu[1:3], "big"), int.from_bytes(pdu[3:5], "big")
        most = MOST_READ if function in (HOLDING, INPUTS) else MOST_BITS
        if size != 5 or not 1 <= count <= most:
            return Denied(Denial.VALUE)
        kind = ReadWords if function in (HOLDING, INPUTS) else ReadBits
        return kind(address, count, function)
    if function == WRITE_WORDS and size >= 6:
        asked = WriteMultipleRegistersRequest()
        count = int.from_bytes(pdu[3:5], "big")
        if not (1 <= count <= MOST_WRITTEN and pdu[5] == 2 * count and size == 6 + 2 * count):
            return Denied(Denial.VALUE)
        asked.decode(pdu[1:])
        return WriteWords(asked.address, tuple(asked.registers))
    if function == WRITE_COILS and size >= 6:
        count = int.from_bytes(pdu[3:5], "big")
        if not (1 <= count <= MOST_BITS and pdu[5] == (count + 7) // 8 == size - 6):
            return Denied(Denial.VALUE)
        coils = WriteMultipleCoilsRequest()
        coils.decode(pdu[1:])
        return WriteBits(coils.address, tuple(bool(bit) for bit in coils.bits))
    if function == WRITE_READ and size >= 10:
        reads, writes = int.from_bytes(pdu[3:5], "big"), int.from_bytes(pdu[7:9], "big")
        fits = pdu[9] == 2 * writes and size == 10 + 2 * writes
        if not (1 <= reads <= MOST_READ and 1 <= writes <= MOST_WRITTEN_READING and fits):
            return Denied(Denial.VALUE)
        both = ReadWriteMultipleRegistersRequest()
        both.decode(pdu[1:])
        return WriteReadWords(both.write_address, tuple(both.write_registers), both.read_address, both.read_count)
    known = (WRITE_WORDS, WRITE_COILS, WRITE_READ)
    return Denied(Denial.VALUE if function in known else Denial.FUNCTION)


def encode_answer(request: Request, answer: Answer) -> bytes:
    """A unit's answer to a question it understood."""
    function = function_of(request)
    match answer:
        case Denied(code):
            return encode_denial(function, code)
        case Words(words):
            return bytes([function, 2 * len(words)]) + b"".join(word.to_bytes(2, "big") for word in words)
        case Bits(bits):
            packed = sum(bit << place for place, bit in enumerate(bits)).to_bytes((len(bits) + 7) // 8, "little")
            return bytes([function, len(packed)]) + packed
        case Written():
            assert isinstance(request, WriteWords | WriteBits), "only a write is answered by what was written"
            count = len(request.words) if isinstance(request, WriteWords) else len(request.bits)
            return bytes([function]) + request.address.to_bytes(2, "big") + count.to_bytes(2, "big")


def encode_denial(function: int, code: int) -> bytes:
    return bytes([function | _EXCEPTION, code])
