"""What a finger has to hit and an eye has to read, judged by the boxes of a page: pure, and in millimetres or shares of a height.

The boxes come from a real page (support/browser/screen.py); here is only what the issue asks of them: targets of 15 mm, first ones of
20 mm, 2 mm between two of them; digits of a sign 15 % of its height, other text 5 %, legal text 2.7 %.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

TARGET, FIRST, GAP = 15.0, 20.0, 2.0
"""Millimetres."""
DIGITS, TEXT, LEGAL = 0.15, 0.05, 0.027
_ROUNDING = 0.05
"""Millimetres: a box is drawn on whole points."""


class Target(NamedTuple):
    """Something to touch, in CSS pixels."""

    name: str
    x: float
    y: float
    width: float
    height: float
    first: bool = False  # the page's one next thing


class Text(NamedTuple):
    """Letters on a page, in CSS pixels: `em` as it is set, `tall` as high as a digit of it is drawn."""

    words: str
    em: float
    tall: float
    kind: str = "text"  # digits, text, legal


def faults_of_targets(targets: Sequence[Target], pixels_a_millimetre: float) -> list[str]:
    """Nothing, where everybody's finger finds what it looks for."""
    assert pixels_a_millimetre > 0, "nobody held a card to the screen"
    return [*_small(targets, pixels_a_millimetre), *_near(targets, pixels_a_millimetre)]


def _small(targets: Iterable[Target], scale: float) -> Iterator[str]:
    for one in targets:
        wide, high = one.width / scale, one.height / scale
        wanted = FIRST if one.first else TARGET
        if min(wide, high) < wanted - _ROUNDING:
            yield f"{one.name}: {wide:.1f} x {high:.1f} mm, {wanted:.0f} mm are needed"


def _near(targets: Iterable[Target], scale: float) -> Iterator[str]:
    for one, other in combinations(targets, 2):
        between = gap(one, other) / scale
        if between < GAP - _ROUNDING:
            yield f"{one.name} and {other.name}: {between:.1f} mm between them, {GAP:.0f} mm are needed"


def gap(one: Target, other: Target) -> float:
    """The shortest way from one box to the other; 0 where they touch or lie over each other."""
    across = max(other.x - one.x - one.width, one.x - other.x - other.width, 0.0)
    down = max(other.y - one.y - one.height, one.y - other.y - other.height, 0.0)
    return math.hypot(across, down)


def faults_of_texts(texts: Iterable[Text], height: float) -> list[str]:
    """Of a sign so many pixels high: what could not be read from ten metres."""
    wanted = {"digits": DIGITS, "text": TEXT, "legal": LEGAL}
    shares = [(one, (one.tall if one.kind == "digits" else one.em) / height) for one in texts]
    return [
        f"{one.words!r}: {share:.1%} of the height, {wanted[one.kind]:.1%} are needed"
        for one, share in shares
        if share < wanted[one.kind] - 0.0005
    ]
