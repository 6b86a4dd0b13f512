"""Which functions of the product ran, in the order of their first call: what docs/tour.md is held against.

A trace is taken on the real engine, book, floor and drivers in virtual time (`bench.node_virtual`). What an idle line
and a quiet engine call anyway is traced first and left out, so that a press shows what the press itself touches.
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import NamedTuple

from support.places import ROOT

PRODUCT = ("controller/", "drivers/")
SIMULATOR = "firmware_sim/"
"""It stands for the hardware: a tour may begin there, and no count holds it."""


class Hop(NamedTuple):
    path: str
    function: str

    def __str__(self) -> str:
        return f"{self.path}:{self.function}"


class Trace:
    """Every call, as long as `recorded` lasts."""

    def __init__(self) -> None:
        self._calls: list[CodeType] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._calls.append(frame.f_code)

    def hops(self) -> list[Hop]:
        """In their order, the simulator's among them; a comprehension is no function."""
        known = {code: _hop(code) for code in set(self._calls)}
        return [known[code] for code in self._calls if known[code].path.startswith((*PRODUCT, SIMULATOR))]


def _hop(code: CodeType) -> Hop:
    function = code.co_qualname.split(".<")[0]
    return Hop(code.co_filename.removeprefix(f"{ROOT}/"), function)


_recording: list[Trace] = []


def _tell(frame: FrameType, event: str, argument: object) -> None:
    for trace in _recording:
        trace(frame, event, argument)


@contextmanager
def threads_are_followed() -> Iterator[None]:
    """Threads that start in here are part of every trace that is recorded later."""
    threading.setprofile(_tell)
    try:
        yield
    finally:
        threading.setprofile(None)


@contextmanager
def recorded() -> Iterator[Trace]:
    trace = Trace()
    _recording.append(trace)
    sys.setprofile(_tell)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        _recording.remove(trace)


def files_beyond(idle: Trace, trace: Trace) -> list[str]:
    """The product's files of functions that ran here and not while nothing happened."""
    usual = set(idle.hops())
    return sorted({hop.path for hop in trace.hops() if hop not in usual and hop.path.startswith(PRODUCT)})
