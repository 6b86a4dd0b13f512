"""Where a frame begins and ends on a Modbus RTU line that others talk on too: by length and check, never by a pause.

A question and an answer with the same function have different lengths; both are tried, and the check decides. What
begins no frame is noise. The functions a native unit knows are not enough: other units answer others (4.9).
"""

from typing import NamedTuple

from drivers.modbus.crc import crc16

SHORTEST, LONGEST = 4, 256
_LAST_UNIT = 247
_READS, _SINGLES, _MULTIPLES, _WRITE_READ = (1, 2, 3, 4), (5, 6), (15, 16), 23
_EXCEPTION = 0x80
_UNKNOWN = LONGEST + 1


class FrameSpan(NamedTuple):
    size: int
    is_question: bool


def framed(body: bytes) -> bytes:
    return body + crc16(body).to_bytes(2, "little")


def frame_so_far(buffer: bytearray) -> FrameSpan | None:
    """What begins at the first byte while more may come. `None`: that is not decided yet. Size 0: nothing does."""
    if buffer[0] > _LAST_UNIT:
        return _NOTHING
    lengths = _possible(buffer, 0)
    if not lengths:
        return None
    for frame in lengths:
        if frame.size > len(buffer):
            return None
        if _is_good(buffer, 0, frame.size):
            return frame
    return _NOTHING


def frame_at_rest(buffer: bytearray, place: int) -> FrameSpan | None:
    """What begins at this byte when no more comes; a function of unknown length must end where the bytes end."""
    if buffer[place] > _LAST_UNIT:
        return None
    have = len(buffer) - place
    for frame in _possible(buffer, place) or [FrameSpan(have, is_question=True)]:
        if frame.size <= have and _is_good(buffer, place, frame.size):
            return frame
    return None


_NOTHING = FrameSpan(0, is_question=False)


def _possible(buffer: bytearray, place: int) -> list[FrameSpan]:
    """Likelier first. Empty: a function whose length this file does not know."""
    function = buffer[place + 1]
    if function & _EXCEPTION:
        return [FrameSpan(5, is_question=False)]
    if function in _SINGLES:
        return [FrameSpan(8, is_question=True)]
    if function in _READS:
        return [FrameSpan(8, is_question=True), *_within(5 + buffer[place + 2], is_question=False)]
    if function in _MULTIPLES:
        return _possible_multiple(buffer, place)
    if function == _WRITE_READ:
        question = 13 + buffer[place + 10] if len(buffer) - place > 10 else _UNKNOWN
        return [*_within(5 + buffer[place + 2], is_question=False), FrameSpan(question, is_question=True)]
    return []


def _possible_multiple(buffer: bytearray, place: int) -> list[FrameSpan]:
    """The answer has eight bytes; the seventh of a question says how many follow, and agrees with its count."""
    if len(buffer) - place < 7:
        return [FrameSpan(8, is_question=False)]
    counted, follow = int.from_bytes(buffer[place + 4 : place + 6], "big"), buffer[place + 6]
    fits = follow == (2 * counted if buffer[place + 1] == 16 else (counted + 7) // 8)
    question, answer = FrameSpan(9 + follow, is_question=True), FrameSpan(8, is_question=False)
    return [question, answer] if fits else [answer, question]


def _within(size: int, *, is_question: bool) -> list[FrameSpan]:
    return [FrameSpan(size, is_question)] if size <= LONGEST else []


def _is_good(buffer: bytearray, place: int, size: int) -> bool:
    end = place + size
    return size >= SHORTEST and crc16(bytes(buffer[place : end - 2])) == buffer[end - 2] | buffer[end - 1] << 8
