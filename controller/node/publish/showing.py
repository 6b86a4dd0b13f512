"""What a screen is shown of a node: the core's view, the devices as they are, and what a person must look at.

Theory. One value with everything in it, made from values; a screen decides nothing and asks nothing more. It is
only ever made after everything that was committed has been handed to the devices.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.accounts import held
from controller.core.plans import changes_between, members
from controller.core.state import State, in_play, plan_of
from controller.core.values import TRAINING, Change, Documents
from controller.core.view import Alarm, View
from controller.node.publish.neighbours import disputes_now
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.protocol import (
    VERSION,
    FarPotNow,
    Feed,
    InquiryNow,
    NeighbourNow,
    NodeView,
    PlanNow,
    PotFunds,
    SeatNow,
    SignNow,
    UnitNow,
)

_HOUSE = "house:"


class Devices(NamedTuple):
    """What is known of everything that hangs on the lines."""

    units: tuple[UnitNow, ...]
    seats: tuple[SeatNow, ...]
    signs: tuple[SignNow, ...]


class LinksNow(NamedTuple):
    """What is known of neighbours, and of the pots of others that tables here feed."""

    neighbours: tuple[NeighbourNow, ...] = ()
    far_pots: tuple[FarPotNow, ...] = ()


NONE_LINKED = LinksNow()


def node_view(
    name: str,
    state: State,
    seq: int,
    view: View,
    devices: Devices,
    alarms: Iterable[Alarm],
    at: Millis,
    balances: Mapping[str, int],
    *,
    stopping: bool,
    inquiries: tuple[InquiryNow, ...] = (),
    links: LinksNow = NONE_LINKED,
) -> NodeView:
    return NodeView(
        v=VERSION,
        node=name,
        seq=seq,
        at=at,
        day=state.day.name if state.day else "",
        tables=view.tables,
        pots=view.signs,
        claims=view.claims,
        alarms=(*alarms, *view.alarms),
        units=devices.units,
        seats=devices.seats,
        signs=devices.signs,
        stopping=stopping,
        feeds=feeds(state),
        funds=funds(state, balances),
        inquiries=inquiries,
        neighbours=links.neighbours,
        far_pots=links.far_pots,
        disputes=disputes_now(state),
        plans=plans_now(state),
    )


def feeds(state: State) -> tuple[Feed, ...]:
    """Which pot each table feeds, by its approved documents (R-9, R-26); in training by the table's own copy."""
    names = (name for name in state.tables if not name.startswith(TRAINING))
    tables = ((name, state.tables[in_play(state, name)]) for name in names)
    return tuple(_feed(name, table.pot, table.modality, state.pots[table.pot].documents) for name, table in tables)


def funds(state: State, balances: Mapping[str, int]) -> tuple[PotFunds, ...]:
    """R-18, R-19: what stands behind each pot. An advance is what a house put in and has not got back."""
    advanced: dict[str, dict[str, int]] = {name: {} for name in state.pots}
    for account, amount in balances.items():
        if amount and account.startswith(_HOUSE):
            pot, _, casino = account.removeprefix(_HOUSE).rpartition(":")
            advanced.setdefault(pot, {})[casino] = -amount
    return tuple(
        PotFunds(name, pot.reserves, balances.get(held(name), 0), advanced[name]) for name, pot in state.pots.items()
    )


def plans_now(state: State) -> tuple[PlanNow, ...]:
    """R-26: what waits to take effect. Nearly always nothing does."""
    return tuple(_plans(state)) if state.staged or state.proposed else ()


def _plans(state: State) -> Iterator[PlanNow]:
    for name, one in state.staged.items():
        yield _plan(state, name, one.documents, one.ready, PlanNow(name, one.resolution, by=one.by, second=one.second))
    for name, far in state.proposed.items():
        bare = PlanNow(name, far.resolution, by=far.by, second=far.second, above=far.above)
        yield _plan(state, name, far.documents, far.below, bare)


def _plan(state: State, name: str, documents: Documents, ready: Iterable[str], bare: PlanNow) -> PlanNow:
    pot, all_ready = state.pots.get(name), {*ready}
    changes = _compared(pot.documents, documents) if pot is not None else ()
    missing = members(state, plan_of(documents)) - all_ready
    return replace(
        bare,
        changes=changes,
        is_new=pot is None,
        ready=tuple(sorted(all_ready)),
        missing=tuple(sorted(missing)),
    )


@lru_cache(maxsize=16)
def _compared(old: Documents, new: Documents) -> tuple[Change, ...]:
    """Each document is read for it, so once."""
    return changes_between(old, new)


@lru_cache(maxsize=256)
def _feed(table: str, pot: str, modality: str, documents: Documents) -> Feed:
    plan = plan_of(documents)
    game = plan.ruleset.modalities[modality]
    forfeits, acts = tuple(sorted(game.forfeits)), tuple(sorted(game.acts))
    return Feed(table, pot, modality, plan.limits.credit_value, forfeits, acts)


def empty_view(name: str, alarm: Alarm, devices: Devices, at: Millis) -> NodeView:
    """Of a node that is out of service: no table plays, and why."""
    view = node_view(name, State(), 0, View((), (), ()), devices, [alarm], at, {}, stopping=True)
    return replace(view, out_of_service=True)
