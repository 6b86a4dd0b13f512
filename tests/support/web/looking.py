"""A browser that looks at a stream, as pages/ground does: it applies what it is told, and asks for the whole after a gap.

And views of a small casino in which anything may have become of anything, for tests of what browsers are told.
"""

import json
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from controller.core.values import Phase, Side
from controller.core.view import Alarm, AwardView, ClaimNow, Light, SeatView, SignView, TableView
from controller.node.vocabulary.protocol import (
    DisputeNow,
    FarPotNow,
    Feed,
    Health,
    InquiryNow,
    NeighbourNow,
    NodeView,
    PlanNow,
    PotFunds,
    SeatNow,
    SignNow,
    UnitNow,
)
from controller.web.live.entities import LayoutEntity

LAYOUTS = {"sala": LayoutEntity("sala", ("estelar", "norte"), "sala"), "bar": LayoutEntity("bar", ("norte",), "sala")}
SCOPES = ("table:T1", "table:T2", "floor", "sign:sala", "sign:bar")
PERSON = "persona-"
"""Whatever is about a person in these views, begins so."""


class LookingBrowser:
    """What it knows of each scope. `whole`: asks for all of one."""

    def __init__(self, whole: Callable[[str], Any]) -> None:
        self._whole = whole
        self.known: dict[str, dict[str, Any]] = {}
        self._place: dict[str, tuple[str, int]] = {}
        self.beats: list[dict[str, Any]] = []
        self.wholes = 0

    def hear(self, text: bytes) -> None:
        for block in text.decode().split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines())
            if "data" in fields:
                self._event(fields["event"], json.loads(fields["data"]))

    def _event(self, event: str, said: dict[str, Any]) -> None:
        if event == "beat":
            self.beats.append(said)
        elif event == "whole":
            self._all(said)
        else:
            self._change(said)

    def _all(self, said: dict[str, Any]) -> None:
        self.wholes += 1
        self.known[said["scope"]] = said["set"]
        self._place[said["scope"]] = said["epoch"], said["n"]

    def _change(self, said: dict[str, Any]) -> None:
        scope = said["scope"]
        epoch, number = self._place.get(scope, ("", -1))
        if epoch != said["epoch"] or number + 1 != said["n"]:
            if epoch != said["epoch"] or said["n"] > number:
                self._all(self._whole(scope))
            return
        self.known[scope] |= said["set"]
        for key in said["gone"]:
            self.known[scope].pop(key, None)
        self._place[scope] = epoch, said["n"]


class GrowingText:
    """A stream of events as it comes, squeezed or not; what is complete is given."""

    def __init__(self, *, squeezed: bool) -> None:
        self._unsqueeze = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16) if squeezed else None
        self._rest = b""

    def add(self, octets: bytes) -> bytes:
        self._rest += self._unsqueeze.decompress(octets) if self._unsqueeze is not None else octets
        done, mark, self._rest = self._rest.rpartition(b"\n\n")
        return done + mark


# Views in which anything may have become of anything.

_small = st.integers(0, 2)
_people = st.sampled_from(("", f"{PERSON}carla", f"{PERSON}julia"))


@st.composite
def _tables(draw: st.DrawFn, name: str) -> TableView:
    numbers = draw(st.lists(st.integers(1, 2), unique=True))
    light, flag = st.sampled_from(Light), st.booleans()
    seats = tuple(
        SeatView(number, draw(light), draw(flag), True, draw(_small), 0, draw(_small), 0, 0, "", valid=draw(flag))
        for number in numbers
    )
    return TableView(name, draw(st.sampled_from(Phase)), draw(_small), seats, (), {}, training=draw(flag))


@st.composite
def _awards(draw: st.DrawFn, name: str) -> AwardView:
    table = draw(st.sampled_from(("T1", "T2")))
    return AwardView(
        name, table, 1, "full", draw(_small), draw(st.booleans()), overdue=False, entered=(f"{PERSON}carla",),
        by=draw(_people), second=draw(_people), doubted=draw(_people), left=draw(_people), advanced=draw(_small),
    )  # fmt: skip


@st.composite
def _pots(draw: st.DrawFn, name: str) -> SignView:
    awards = [draw(_awards(one)) for one in draw(st.lists(st.sampled_from((f"{name}/1", f"{name}/2")), unique=True))]
    return SignView(
        name, "Pozo", "$", 0, draw(st.integers(0, 5)), draw(_small), 1, 5, {"full": "100 x"}, tuple(awards),
        training=draw(st.booleans()),
    )  # fmt: skip


@st.composite
def _many(draw: st.DrawFn, make: Callable[[str], st.SearchStrategy[Any]], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(draw(make(name)) for name in draw(st.lists(st.sampled_from(list(names)), unique=True)))


@st.composite
def views(draw: st.DrawFn) -> NodeView:
    """`seq` and `at` are for the test to say."""
    tables = draw(_many(_tables, ("T1", "T2")))
    pots = draw(_many(_pots, ("estelar", "norte")))
    kinds = draw(st.sets(st.sampled_from(range(9))))
    number = draw(_small)

    def one_of(kind: int, made: Any) -> tuple[Any, ...]:
        return (made,) if kind in kinds else ()

    return NodeView(
        v=2, node="central", seq=0, at=0, day=draw(st.sampled_from(("", "2026-11-18"))), tables=tables, pots=pots,
        claims=one_of(0, ClaimNow("T1/1/1", "T1", number, 5, by=f"{PERSON}carla")),
        alarms=one_of(1, Alarm(draw(st.sampled_from(("T1", "T1/2", "T11", "reloj"))), "R-6", f"{PERSON}{number}")),
        units=one_of(2, UnitNow("bus", 1, "T1", "native", (1,), draw(st.sampled_from(Health)))),
        seats=one_of(3, SeatNow("T1", 1, Health.UP, draw(st.booleans()), "lit", "valid", number)),
        signs=one_of(4, SignNow("bus", 9, "estelar", f"{number}", "", "", "shown")),
        feeds=one_of(5, Feed("T1", "estelar", "caribbean", 500)),
        funds=one_of(6, PotFunds("estelar", {"reserva0": number}, number, {"puerto": number})),
        inquiries=one_of(7, InquiryNow("ab", "T1", number)),
        neighbours=one_of(8, NeighbourNow("norte", Side.ABOVE, draw(st.booleans()), 7, waits=number)),
        far_pots=one_of(8, FarPotNow("norte", "norte", up=True, age=draw(st.integers(-1, 9_000)))),
        disputes=one_of(7, DisputeNow("norte", 3, "norte", "T1", "a", number, "b")),
        plans=one_of(6, PlanNow("norte", "Res. 1", by=f"{PERSON}ana")),
    )  # fmt: skip
