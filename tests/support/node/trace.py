"""Which functions of the product ran, in the order of their first call: what docs/tour.md is held against.

A trace is taken on the real engine, book, floor and drivers in virtual time (`bench.node_virtual`). What an idle line
and a quiet engine call anyway is traced first and left out, so that a press shows what the press itself touches.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from support.places import ROOT

PRODUCT = ("controller/", "drivers/")
"""The simulator stands for the hardware, so it is no part of a trace."""


class Hop(NamedTuple):
    path: str
    function: str

    def __str__(self) -> str:
        return f"{self.path}:{self.function}"


class Trace:
    """Filled while `recorded` holds it."""

    def __init__(self) -> None:
        self._calls: dict[Any, None] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._calls.setdefault(frame.f_code)

    def hops(self) -> list[Hop]:
        start = f"{ROOT}/"
        found = [
            Hop(code.co_filename.removeprefix(start), code.co_qualname.replace("<locals>.", "")) for code in self._calls
        ]
        return [hop for hop in found if hop.path.startswith(PRODUCT) and not hop.function.startswith("<")]


@contextmanager
def recorded() -> Iterator[Trace]:
    """Of this thread, and of every thread that starts meanwhile."""
    trace = Trace()
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def files(hops: list[Hop]) -> list[str]:
    return list(dict.fromkeys(hop.path for hop in hops))
