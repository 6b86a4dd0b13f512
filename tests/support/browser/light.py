"""How bright a picture is, as WCAG 2.2 counts it: relative luminance, contrast of two colours, flashes of many pictures.

Pictures are read by Pillow, which is here anyway (reportlab needs it): a decoder of PNG in Python takes twenty seconds for a
screen of 3840×2160, and a hundred such screens are measured. Everything below the reading is arithmetic of a few numbers.

A flash is a pair of opposing changes of relative luminance by 0.1 or more, the darker below 0.8, on a quarter of any field
as large as a third of the picture's sides (that is what WCAG's 341×256 of 1024×768 is), within one second.
"""

import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PIL import Image

Colour = tuple[int, int, int]
_SHARE = (0.2126, 0.7152, 0.0722)
_STEP, _DARKER = 0.1, 0.8
_FIELD, _AREA = 3, 0.25
COLUMNS, ROWS = 36, 24
SECOND = 1_000


def linear(value: int) -> float:
    """One channel of sRGB, 0 to 255, as the light it gives, 0 to 1."""
    part = value / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


_LINEAR = tuple(linear(value) for value in range(256))


def luminance(colour: Colour) -> float:
    """0: black, 1: white."""
    return sum(share * _LINEAR[value] for share, value in zip(_SHARE, colour, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mean_luminance(png: bytes) -> float:
    """Of all points of a picture, exactly: light adds up, so each channel's histogram says it."""
    counts = _picture(png).histogram()
    points = sum(counts[:256])
    channels = (counts[at * 256 : (at + 1) * 256] for at in range(3))
    light = sum(
        share * sum(count * _LINEAR[value] for value, count in enumerate(channel))
        for share, channel in zip(_SHARE, channels, strict=True)
    )
    return light / points


def seen_contrast(png: bytes, least: float = 0.01) -> float:
    """Between the brightest and the darkest that a picture shows on at least this share of it: of a text, cut out, what is seen."""
    counts = _light(_picture(png)).histogram()
    enough = least * sum(counts)
    dark = _reached(range(256), counts, enough) / 255
    bright = _reached(range(255, -1, -1), counts, enough) / 255
    return (bright + 0.05) / (dark + 0.05)


def _reached(values: Iterable[int], counts: Sequence[int], enough: float) -> int:
    passed = 0.0
    for value in values:
        passed += counts[value]
        if passed >= enough:
            return value
    raise AssertionError("a picture has points")


def _picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _light(picture: Image.Image) -> Image.Image:
    """Its relative luminance, point by point, in 255 steps."""
    lit = picture.point([round(255 * _LINEAR[value]) for value in range(256)] * 3)
    return lit.convert("L", (*_SHARE, 0))


# ---------------------------------------------------------------------------------------------------- flashes


class Frame(NamedTuple):
    """A picture of a sequence, coarse: the luminance of its cells, row by row."""

    at: float  # milliseconds
    cells: Sequence[float]


def frame(at: float, picture: bytes) -> Frame:
    """PNG or JPEG."""
    small = _light(_picture(picture)).resize((COLUMNS, ROWS), Image.Resampling.BOX)
    return Frame(at, [value / 255 for value in small.tobytes()])


class _Cell:
    """One cell through time: where it turned last."""

    def __init__(self, first: float) -> None:
        self.low = self.high = first

    def turns(self, now: float) -> int:
        """1: it has become so much brighter than it was darkest, -1: the other way round; 0: neither."""
        if now - self.low >= _STEP and self.low < _DARKER:
            self.low = self.high = now
            return 1
        if self.high - now >= _STEP and now < _DARKER:
            self.low = self.high = now
            return -1
        self.low, self.high = min(self.low, now), max(self.high, now)
        return 0


def flashes(frames: Sequence[Frame]) -> int:
    """The most in any second, in the field that flashes most."""
    if not frames:
        return 0
    cells = [_Cell(first) for first in frames[0].cells]
    wide, high = COLUMNS // _FIELD, ROWS // _FIELD
    fields = [
        [row * COLUMNS + column for row in range(top, top + high) for column in range(left, left + wide)]
        for top in range(0, ROWS - high + 1, high // 2)
        for left in range(0, COLUMNS - wide + 1, wide // 2)
    ]
    changes: list[list[tuple[float, int]]] = [[] for _ in fields]
    for one in frames[1:]:
        turned = [cell.turns(now) for cell, now in zip(cells, one.cells, strict=True)]
        for change, field in zip(changes, fields, strict=True):
            _note(change, one.at, [turned[at] for at in field])
    return max(_most_in_a_second(change) for change in changes)


def _note(change: list[tuple[float, int]], at: float, turned: Sequence[int]) -> None:
    for way in (1, -1):
        opposite = not change or change[-1][1] != way
        if opposite and turned.count(way) >= _AREA * len(turned):
            change.append((at, way))


def _most_in_a_second(change: Sequence[tuple[float, int]]) -> int:
    """Pairs of opposing changes."""
    times = [at for at, _ in change]
    return max((sum(start <= at < start + SECOND for at in times) // 2 for start in times), default=0)
