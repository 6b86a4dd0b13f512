"""What a browser is told of, thing by thing: a seat, a table, a pot, an award (docs/web.md, "Scopes and entities").

Theory. A view of a node is whole and long, and of one press hardly anything in it is new. So it is cut into entities,
each under a key that says what it is, each whole: who has all the newest ones has the view. The names of fields are
those of the view, and what has no default there is always said. Nothing is computed here. What goes on by itself is
left out: an age is told as the instant since when, so that a thing of which nothing happened stays the same value.
"""

import hashlib
from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from controller.core.values import Hand, Phase
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
    Waits,
)
from controller.web.live.notes import NoteEntity
from controller.web.live.shown import SignShown


class NodeEntity(Struct, frozen=True, omit_defaults=True):
    """What concerns every screen."""

    node: str
    day: str
    stopping: bool = False
    out_of_service: bool = False


class TableEntity(Struct, frozen=True, omit_defaults=True):
    """A table without its seats, and which pot it feeds with what."""

    table: str
    phase: Phase
    number: int
    unproven: tuple[int, ...]
    cards: dict[str, str]
    training: bool
    last_sealed: int = 0
    draws: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    community: tuple[str, ...] = ()
    left: int = 0
    suspense: int = 0
    pot: str = ""
    modality: str = ""
    credit: int = 0
    forfeits: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()


class SeatEntity(Struct, frozen=True, omit_defaults=True):
    """What a seat should be, and what its unit says; without a word of a unit, none of that."""

    seat: int
    light: Light
    locked: bool
    enabled: bool
    credits: int
    promo: int
    bet: int
    owed: int
    give_back: int
    closed: str
    unsigned: int = 0
    over: int = 0
    valid: bool = False
    why: str = ""
    health: Health | None = None
    unit_locked: bool | None = None
    lamp: str = ""
    unit_bet: str = ""
    unit_credits: int | None = None
    faults: tuple[str, ...] = ()
    waits: Waits = Waits.NOTHING


class PotEntity(Struct, frozen=True, omit_defaults=True):
    """What the public sees of a pot, what stands behind it, and of another node's pot what is known of its owner;
    `told`: when he spoke of it last, in milliseconds since 1970, in steps of some seconds; 0: nobody knows."""

    pot: str
    title: str
    symbol: str
    decimals: int
    main: int
    added: int
    least: int
    most: int
    paytable: dict[str, str]
    training: bool
    trains: tuple[str, ...] = ()
    reserves: dict[str, int] = {}
    held: int = 0
    house: dict[str, int] = {}
    owner: str = ""
    up: bool | None = None
    told: int = 0
    closes: int = 0
    percentages: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    plan_waits: bool = False
    silent: int = 0


class AwardEntity(AwardView, frozen=True, omit_defaults=True):
    """An award of which pot, and its place in paying order, from 1."""

    pot: str = ""
    order: int = 0


class LayoutEntity(Struct, frozen=True, omit_defaults=True):
    """What a sign shows and how, and what it must say to players: of the settings, not of the node."""

    name: str
    pots: tuple[str, ...]
    theme: str
    sound: bool = False
    reserve: bool = False
    quiet: str = ""
    dim: str = ""
    language: str = "es"
    responsible_play: str = ""
    age: str = ""
    resolution: str = ""


Entity = (
    NodeEntity | TableEntity | SeatEntity | PotEntity | AwardEntity | LayoutEntity | Alarm | ClaimNow | DisputeNow
    | InquiryNow | NeighbourNow | NoteEntity | PlanNow | SignNow | SignShown | UnitNow
)  # fmt: skip
Entities = dict[str, Entity]
"""By their keys."""


def node_entity(view: NodeView) -> NodeEntity:
    return NodeEntity(view.node, view.day, view.stopping, view.out_of_service)


def table_entities(table: TableView, feed: Feed | None, units: Iterable[SeatNow]) -> Entities:
    """The table and each of its seats."""
    name, by_seat = table.table, {one.seat: one for one in units}
    found: Entities = {f"table/{name}": _table(table, feed)}
    found.update((f"seat/{name}/{seat.seat}", _seat(seat, by_seat.get(seat.seat))) for seat in table.seats)
    return found


def _table(table: TableView, feed: Feed | None) -> TableEntity:
    fed = (feed.pot, feed.modality, feed.credit, feed.forfeits, feed.acts) if feed is not None else ()
    return TableEntity(
        table.table, table.phase, table.number, table.unproven, table.cards, table.training, table.last_sealed,
        table.draws, table.hands, table.community, table.left, table.suspense, *fed,
    )  # fmt: skip


def _seat(seat: SeatView, unit: SeatNow | None) -> SeatEntity:
    if unit is None:
        return SeatEntity(*astuple(seat))
    told: tuple[Any, ...] = (unit.health, unit.locked, unit.lamp, unit.bet, unit.credits, unit.faults, unit.waits)
    return SeatEntity(*astuple(seat), *told)


def pot_entity(sign: SignView, funds: PotFunds | None, far: FarPotNow | None, told: int) -> PotEntity:
    behind = (funds.reserves, funds.held, funds.house) if funds is not None else ({}, 0, {})
    of_owner = (
        (far.owner, far.up, told, far.closes, far.percentages, far.corrections, far.plan_waits, far.silent)
        if far is not None
        else ()
    )
    return PotEntity(
        sign.pot, sign.title, sign.symbol, sign.decimals, sign.main, sign.added, sign.least, sign.most, sign.paytable,
        sign.training, sign.trains, *behind, *of_owner,
    )  # fmt: skip


def public(pot: PotEntity) -> PotEntity:
    """As a sign may know it: not what the house put in, and not which tables wait for what."""
    fields = pot.__struct_fields__
    hidden: dict[str, object] = {"house": {}, "percentages": (), "corrections": (), "plan_waits": False}
    return PotEntity(*(hidden.get(name, value) for name, value in zip(fields, astuple(pot), strict=True)))  # type: ignore[arg-type]


def award_key(award: AwardView) -> str:
    """Two casinos may call their tables alike."""
    return f"award/{award.casino}/{award.award}" if award.casino else f"award/{award.award}"


def award_entity(award: AwardView, pot: str, order: int) -> AwardEntity:
    of_pot: tuple[Any, ...] = (pot, order)
    return AwardEntity(*astuple(award), *of_pot)


def public_award(award: AwardView, pot: str, order: int) -> AwardEntity:
    """As a sign may know it: nothing about who entered, signed, doubted or was paid."""
    return AwardEntity(
        award.award, award.table, award.seat, award.prize, award.amount, award.confirmed, award.overdue,
        promo=award.promo, since=award.since, waits=award.waits, frozen=award.frozen, due=award.due,
        casino=award.casino, pot=pot, order=order,
    )  # fmt: skip


def alarm_key(alarm: Alarm) -> str:
    """The same sentence about the same place is the same alarm."""
    said = f"{alarm.where}\n{alarm.rule}\n{alarm.sentence}"
    return f"alarm/{hashlib.sha256(said.encode()).hexdigest()[:16]}"


def is_of_table(alarm: Alarm, table: str) -> bool:
    return alarm.where == table or alarm.where.startswith(f"{table}/")


def floor_entities(view: NodeView) -> Entities:
    """What only a chief sees."""
    found: Entities = {f"plan/{one.pot}": one for one in view.plans}
    found.update((f"dispute/{one.neighbour}/{one.number}", one) for one in view.disputes)
    found.update((f"neighbour/{one.neighbour}", one) for one in view.neighbours)
    found.update((f"unit/{one.line}/{one.number}", one) for one in view.units)
    found.update((f"sign_seen/{one.line}/{one.number}", one) for one in view.signs)
    return found
