"""Alpha / BetaBrite signs («M-protocol», form 9708-8061): what is sent, as bytes. Answers: alpha_answers.py.

A transmission is NULs (the sign finds the speed by them), a header, and one or more commands. Commands nested in one
transmission take effect together; the sign then wants 100 ms of silence after each STX, so a transmission comes in
pieces. Nothing here knows what is worth showing or when (alpha_sign.py).

A file has a label of one letter: TEXTs are shown, STRINGs are called from inside a TEXT and can be changed without a
flicker; TEXT `0` always exists and silences the rest until it is written empty. The map says which exist, and writing
it clears everything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

NUL, SOH, STX, ETX, EOT, ESC = b"\0", b"\x01", b"\x02", b"\x03", b"\x04", b"\x1b"
ACK, NAK = 0x06, 0x15
CALL = b"\x10"  # followed by a STRING's label
HEAD = 5 * NUL
EVERY_SIGN, BETABRITE = "Z", "^"
BROADCAST = "00"
PRIORITY = "0"
MOST_PRIORITY = 125
MOST_STRING = 125
_RESERVED = frozenset("?12345")  # a wildcard, and the counters


class Code(StrEnum):
    """First letter of a command; a sign repeats a read as the write that would make it so."""

    WRITE_TEXT = "A"
    READ_TEXT = "B"
    WRITE_SPECIAL = "E"
    READ_SPECIAL = "F"
    WRITE_STRING = "G"
    READ_STRING = "H"


class Special(StrEnum):
    """Second letter of the special ones that we use."""

    MEMORY = "$"
    STATUS = "*"
    SOFT_RESET = ","
    RUN_SEQUENCE = "."
    ACKNOWLEDGE = "s"


class Mode(StrEnum):
    HOLD = "b"
    ROTATE = "a"


class TextPosition(StrEnum):
    MIDDLE = " "
    FILL = "&"


@dataclass(frozen=True, slots=True)
class SignCommand:
    code: Code
    data: bytes

    def __post_init__(self) -> None:
        assert not any(mark in self.data for mark in (NUL, SOH, STX, ETX, EOT)), "a frame inside a frame"
        assert all(byte < 0x80 for byte in self.data), "the line has 7 bits"


@dataclass(frozen=True, slots=True)
class File:
    """One line of the memory map."""

    label: str
    size: int
    is_string: bool = False

    def __post_init__(self) -> None:
        assert usable(self.label) and self.label != PRIORITY, "not a label that can be mapped"
        assert 0 < self.size <= (MOST_STRING if self.is_string else 0xFFFF)

    def entry(self) -> str:
        """A STRING must be locked against the remote control; a TEXT is, lest a guest writes; it runs always (FF)."""
        kind, times = ("B", "0000") if self.is_string else ("A", "FF00")
        return f"{self.label}{kind}L{self.size:04X}{times}"


def usable(label: str) -> bool:
    return len(label) == 1 and " " <= label <= "~" and label not in _RESERVED


def memory_map(files: Sequence[File]) -> SignCommand:
    """It clears the sign; without files that is all it does."""
    entries = "".join(file.entry() for file in files)
    return SignCommand(Code.WRITE_SPECIAL, (Special.MEMORY + entries).encode("ascii"))


def write_text(
    label: str, content: bytes, mode: Mode = Mode.HOLD, position: TextPosition = TextPosition.MIDDLE
) -> SignCommand:
    return SignCommand(Code.WRITE_TEXT, label.encode("ascii") + ESC + f"{position}{mode}".encode("ascii") + content)


def write_priority(content: bytes, mode: Mode = Mode.HOLD) -> SignCommand:
    """Silences all other files until it is written empty."""
    assert len(content) <= MOST_PRIORITY, "the sign would take a part of it"
    return write_text(PRIORITY, content, mode) if content else SignCommand(Code.WRITE_TEXT, PRIORITY.encode("ascii"))


def write_string(label: str, content: bytes) -> SignCommand:
    assert len(content) <= MOST_STRING, "the sign would take a part of it"
    return SignCommand(Code.WRITE_STRING, label.encode("ascii") + content)


def run_sequence(labels: str) -> SignCommand:
    """These TEXTs in this order, whatever their times; locked."""
    return SignCommand(Code.WRITE_SPECIAL, f"{Special.RUN_SEQUENCE}SL{labels}".encode("ascii"))


def soft_reset() -> SignCommand:
    return SignCommand(Code.WRITE_SPECIAL, Special.SOFT_RESET.encode("ascii"))


def acknowledge_writes(*, on: bool) -> SignCommand:
    """From Alpha 2.0 on; older signs take no notice."""
    return SignCommand(Code.WRITE_SPECIAL, f"{Special.ACKNOWLEDGE}{int(on)}".encode("ascii"))


def read_text(label: str) -> SignCommand:
    return SignCommand(Code.READ_TEXT, label.encode("ascii"))


def read_string(label: str) -> SignCommand:
    return SignCommand(Code.READ_STRING, label.encode("ascii"))


def checksum(block: bytes) -> bytes:
    """Of everything from STX to ETX, both included."""
    return f"{sum(block) & 0xFFFF:04X}".encode("ascii")


def pieces(
    commands: Sequence[SignCommand], kind: str = EVERY_SIGN, address: str = BROADCAST, *, checked: bool = True
) -> tuple[bytes, ...]:
    """One transmission. More than one piece: the sign wants silence between them."""
    assert commands, "a transmission says something"
    assert len(kind) == 1 and len(address) == 2, "one letter, two hexadecimal digits"
    head = HEAD + SOH + (kind + address).encode("ascii")
    nested = len(commands) > 1
    parts = []
    for command in commands:
        body = command.code.encode("ascii") + command.data
        if checked:
            body += ETX + checksum(STX + body + ETX)
        elif nested:
            body += ETX
        parts.append(body)
    if not nested:
        return (head + STX + parts[0] + EOT,)
    return (head + STX, *(part + STX for part in parts[:-1]), parts[-1] + EOT)
