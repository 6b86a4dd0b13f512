"""The alphabet of Alpha signs over 7 bits: ASCII as it is, and an extended set behind a byte 08H.

Its codes are 80H-C1H, sent as 08H and the code less 60H. Up to A5H they are those of code page 437, so Ñ, ñ and the
accents of Spanish are there; three capitals were added later (Á, À, Í). **Ó and Ú have no code** and are written
without their accent; `^` and `~` are other figures on a sign. What has no code and no plain form is refused, never
replaced by a question mark.

A layout is a sentence with gaps, such as `POZO {amount} +{increment}`. A gap is a name in braces and nothing else; any
other brace is refused, because it was meant to be something.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

EXTENDED = 0x08
_SHIFT = 0x60
_AS_CODE_PAGE_437 = [*range(0x80, 0x9E), *range(0xA0, 0xA8)]
_LATER = {"¿": 0xA8, "°": 0xA9, "¡": 0xAA, "Á": 0xBA, "À": 0xBB, "Í": 0xBF}
_CODES = {bytes([code]).decode("cp437"): code for code in _AS_CODE_PAGE_437} | _LATER
_LETTERS = {code: letter for letter, code in _CODES.items()}
WITHOUT_ACCENT = {"Ó": "O", "Ú": "U"}
_ASCII = frozenset(chr(code) for code in range(0x20, 0x7F)) - {"^", "~"}
LOST = "\ufffd"


@dataclass(frozen=True, slots=True)
class Unwritable:
    """Why a sign cannot show a text; the sign goes on showing what it showed."""

    reason: str


def encoded(text: str) -> bytes | Unwritable:
    out = bytearray()
    for letter in text:
        plain = WITHOUT_ACCENT.get(letter, letter)
        if plain in _ASCII:
            out.append(ord(plain))
        elif plain in _CODES:
            out += bytes((EXTENDED, _CODES[plain] - _SHIFT))
        else:
            return Unwritable(f"the sign has no letter {letter!r}")
    return bytes(out)


def decoded(data: bytes) -> str:
    """What a reader sees; bytes that are no letter become one mark each."""
    text = []
    rest = iter(data)
    for byte in rest:
        if byte == EXTENDED:
            text.append(_LETTERS.get(next(rest, 0) + _SHIFT, LOST))
        else:
            text.append(chr(byte) if chr(byte) in _ASCII else LOST)
    return "".join(text)


_GAP = re.compile(r"\{([a-z]+)\}")

Part = tuple[str, str | None]  # letters, and the gap behind them


def parts(layout: str, known: Collection[str], needed: str) -> list[Part] | Unwritable:
    pieces = _GAP.split(layout)
    literals, gaps = pieces[::2], pieces[1::2]
    for literal in literals:
        if "{" in literal or "}" in literal:
            return Unwritable(f"{literal!r} has a brace that is no gap")
    for gap in gaps:
        if gap not in known:
            return Unwritable(f"{{{gap}}} is nothing; it knows {', '.join(sorted(known))}")
    if needed not in gaps:
        return Unwritable(f"it has no {{{needed}}}")
    return list(zip(literals, [*gaps, None], strict=True))


def filled(layout: str, texts: Mapping[str, str]) -> str:
    return _GAP.sub(lambda gap: texts[gap[1]], layout)
