"""Which files our Alpha sign has, and what stands in each: one TEXT that calls two STRINGs, and the priority text.

The layout is a sentence such as `POZO {amount} +{increment}`; a change of the pot changes a STRING and nothing else, so
the sign does not flicker. What does not fit is refused here, before a byte is sent: a text is never cut.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs import alpha
from drivers.signs.alpha import Mode, SignCommand
from drivers.signs.letters import Unwritable, decoded, encoded, filled, parts

SCROLLS = 0
MINUTE: Micros = 60 * SECOND


class Part(Enum):
    """The files, in the order in which they are written: a prize comes first, and no half line is ever shown."""

    MAP = "map"
    PRIZE = alpha.PRIORITY
    AMOUNT = "P"
    INCREMENT = "I"
    LINE = "A"


STRINGS = {"amount": Part.AMOUNT, "increment": Part.INCREMENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaSettings:
    number: int  # its name in what it tells
    address: str = alpha.BROADCAST
    kind: str = alpha.EVERY_SIGN
    layout: str = "{amount}"
    width: int = SCROLLS  # letters it shows at once
    string_size: int = 32  # bytes of each STRING
    reads: bool = False  # it can be read back
    acknowledges: bool = False  # Alpha 2.0
    baud: int = 9600
    bits: int = 10  # 7E1
    gap: Micros = 100 * MILLISECOND  # between two transmissions
    nested: Micros = 100 * MILLISECOND  # after each STX of a nested one (1.5)
    clearing: Micros = 500 * MILLISECOND  # after a memory map
    answer: Micros = SECOND
    patience: int = 3  # this many silences are a dead sign
    retry: Micros = 5 * SECOND
    check: Micros = 20 * SECOND  # it is read although nothing changed
    rewrite: Micros = 15 * MINUTE  # the only cure for a sign that cannot be read and lost its memory

    @property
    def mode(self) -> Mode:
        return Mode.HOLD if self.width != SCROLLS else Mode.ROTATE

    def wire(self, size: int) -> Micros:
        return -(-size * self.bits * SECOND // self.baud)


def alpha_problem(settings: AlphaSettings, greatest_amount: str, greatest_increment: str) -> str | None:
    """One sentence for the person who configures it; `None`: everything up to these texts can be shown."""
    name = f"sign {settings.number}"
    if len(settings.kind) != 1 or not re.fullmatch("[0-9A-F]{2}", settings.address):
        return f"{name}: an address is two hexadecimal digits and a kind one letter"
    line = _line(settings.layout)
    if isinstance(line, Unwritable):
        return f"{name}: layout {settings.layout!r}: {line.reason}"
    texts = {"amount": greatest_amount, "increment": greatest_increment}
    for field, text in texts.items():
        content = encoded(text)
        if isinstance(content, Unwritable):
            return f"{name}: {field} {text!r}: {content.reason}"
        if len(content) > settings.string_size:
            return f"{name}: {field} {text!r} needs {len(content)} bytes and its file has {settings.string_size}"
    refusal = too_wide(settings, greatest_amount, greatest_increment)
    return f"{name}: {refusal.reason}" if refusal is not None else None


def too_wide(settings: AlphaSettings, amount: str, increment: str) -> Unwritable | None:
    """A sign that holds its text shows a part of one that is too long, and half an amount is a wrong amount."""
    shown = filled(settings.layout, {"amount": amount, "increment": increment})
    if settings.width == SCROLLS or len(shown) <= settings.width:
        return None
    return Unwritable(f"it shows {settings.width} letters at once; {shown!r} needs {len(shown)}")


def memory_map(settings: AlphaSettings) -> SignCommand:
    strings = [alpha.File(part.value, settings.string_size, is_string=True) for part in STRINGS.values()]
    return alpha.memory_map([alpha.File(Part.LINE.value, max(len(line_content(settings)), 1) + 8), *strings])


def line_content(settings: AlphaSettings) -> bytes:
    line = _line(settings.layout)
    assert not isinstance(line, Unwritable), "examined when it was configured"
    return line


def _line(layout: str) -> bytes | Unwritable:
    found = parts(layout, STRINGS.keys(), "amount")
    if isinstance(found, Unwritable):
        return found
    line = b""
    for literal, gap in found:
        content = encoded(literal)
        if isinstance(content, Unwritable):
            return content
        line += content
        if gap is not None:
            line += alpha.CALL + STRINGS[gap].value.encode("ascii")
    return line


def write(settings: AlphaSettings, part: Part, content: bytes) -> SignCommand:
    match part:
        case Part.MAP:
            return memory_map(settings)
        case Part.PRIZE:
            holds = settings.width >= len(decoded(content))
            return alpha.write_priority(content, Mode.HOLD if holds else Mode.ROTATE)
        case Part.LINE:
            return alpha.write_text(part.value, content, settings.mode)
        case _:
            return alpha.write_string(part.value, content)


def read(part: Part) -> SignCommand:
    assert part is not Part.MAP, "the files prove the map"
    return alpha.read_string(part.value) if part in STRINGS.values() else alpha.read_text(part.value)


def showing(settings: AlphaSettings, has: Mapping[Part, bytes]) -> str:
    """What a person reads when the files stand like that."""
    if has.get(Part.PRIZE):
        return decoded(has[Part.PRIZE])
    if Part.LINE not in has:
        return ""
    return filled(settings.layout, {gap: decoded(has.get(part, b"")) for gap, part in STRINGS.items()})
