"""A table as its players see it: what lies on the felt, what their lamps do, what the sign says. Pure.

Lamps, glasses, gates and plugs are those of the simulated devices; bets, credits and prizes are the node's, and are
not there while it is not heard; cards are the dealer's, from the lock to the next pass.
"""

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from controller.core.values import Phase
from controller.core.view import SeatView, SignView, TableView
from controller.node.vocabulary.protocol import NodeView
from controller.play.dealing import Dealt
from controller.rules.cards import CARDS, LABELS, Category, classify
from drivers.native.contract import LampDrive
from drivers.session import Micros
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.devices import NativeDevice
from firmware_sim.desk.players import PlayerView
from firmware_sim.desk.view import seats_seen
from firmware_sim.native.lamp import LampCondition

_LAMPS = {
    LampDrive.OFF: "dark", LampDrive.STEADY: "lit", LampDrive.PENDING: "blinking", LampDrive.FAULT: "wink",
    LampDrive.TEST: "lit",
}  # fmt: skip
_TROUBLES = {"apagado": "off", "atascado": "jammed", "suelto": "loose"}


class Game(NamedTuple):
    """What is played at a table, for which pot; `credit`: what one credit is worth."""

    pot: str
    title: str
    modality: str
    credit: int


class TableListed(Struct, frozen=True):
    """A table in the list of all. `croupier`: demo, leaving, person."""

    table: str
    title: str
    modality: str
    seats: int
    croupier: str


class CasinoShown(Struct, frozen=True):
    tables: tuple[TableListed, ...]
    day: str
    heard: bool


class SeatShown(Struct, frozen=True, omit_defaults=True):
    """`keys`: what stands on each button, `down` which are pressed; `gate`: of a slot, whether a chip falls in;
    `glass`: what its display shows, if it has one; `broken`: its lamp; its `unit` on its `line`, by which its cables
    are named; `locked`: its unit takes no bet."""

    seat: int
    lamp: str
    unit: int
    line: str
    keys: tuple[int, ...] = ()
    down: tuple[int, ...] = ()
    glass: str | None = None
    gate: bool | None = None
    trouble: str = ""
    broken: bool = False
    can_break: bool = False
    guest: bool = False
    cards: tuple[str, ...] = ()
    hand: str = ""
    bet: int = 0
    credits: int = 0
    promo: int = 0
    owed: int = 0
    valid: bool = False
    locked: bool = False
    closed: str = ""


class LineShown(Struct, frozen=True):
    name: str
    kind: str
    plugged: bool


class PrizeShown(Struct, frozen=True, omit_defaults=True):
    award: str
    seat: int
    prize: str
    amount: int
    confirmed: bool
    waits: bool = False


class TableShown(Struct, frozen=True):
    """`phase`: empty while the node is not heard, as `number`, `main` and `prizes` then are."""

    table: str
    title: str
    modality: str
    credit: int
    croupier: str
    day: str
    phase: str
    number: int
    symbol: str
    decimals: int
    main: int
    seats: tuple[SeatShown, ...]
    community: tuple[str, ...]
    lines: tuple[LineShown, ...]
    prizes: tuple[PrizeShown, ...]


def table_shown(
    name: str,
    game: Game,
    desk: Desk,
    now: Micros,
    view: NodeView | None,
    dealt: Dealt,
    guests: frozenset[int],
    croupier: str,
) -> TableShown:
    table = next((one for one in view.tables if one.table == name), None) if view is not None else None
    pot = next((one for one in view.pots if one.pot == game.pot and not one.training), None) if view else None
    lies = table is not None and table.number == dealt.number and table.phase in {Phase.SEALED, Phase.BETWEEN}
    cards = dealt if lies else dealt._replace(hands={}, community=())
    return TableShown(
        table=name,
        title=game.title,
        modality=game.modality,
        credit=game.credit,
        croupier=croupier,
        day=view.day if view is not None else "",
        phase=table.phase if table is not None else "",
        number=table.number if table is not None else 0,
        symbol=pot.symbol if pot is not None else "$",
        decimals=pot.decimals if pot is not None else 0,
        main=pot.main if pot is not None else 0,
        seats=_seats(desk, now, table, cards, guests, _locked(name, view)),
        community=cards.community,
        lines=tuple(LineShown(line.name, line.kind, line.plugged) for line in desk.lines),
        prizes=_prizes(name, pot),
    )


def _locked(table: str, view: NodeView | None) -> frozenset[int]:
    return frozenset(one.seat for one in (view.seats if view else ()) if one.table == table and one.locked)


def _seats(
    desk: Desk,
    now: Micros,
    table: TableView | None,
    dealt: Dealt,
    guests: frozenset[int],
    locked: frozenset[int],
) -> tuple[SeatShown, ...]:
    booked = {one.seat: one for one in table.seats} if table is not None else {}
    where = {seat: device for device in desk.devices for seat in device.seats}
    made = []
    for seen in seats_seen(desk.devices, now):
        device = where[seen.number]
        line = next(line.name for line in desk.lines if device in line.devices)
        native = device if isinstance(device, NativeDevice) else None
        lamp = native.firmware.seats[native.seats.index(seen.number)].lamp if native else None
        made.append(
            _seat(
                seen, booked.get(seen.number), dealt, guests,
                SeatShown(seen.number, _LAMPS[seen.lamp], device.number, line,
                          broken=lamp is not None and lamp.condition != LampCondition.OK, can_break=lamp is not None,
                          locked=seen.number in locked),
            )
        )  # fmt: skip
    return tuple(made)


def _seat(
    seen: PlayerView, booked: SeatView | None, dealt: Dealt, guests: frozenset[int], made: SeatShown
) -> SeatShown:
    own = dealt.hands.get(seen.number, ())
    told = {} if booked is None else {
        "bet": booked.bet, "credits": booked.credits, "promo": booked.promo, "owed": booked.owed,
        "valid": booked.valid, "closed": booked.closed,
    }  # fmt: skip
    return replace(
        made,
        keys=tuple(int(name) for name, _ in seen.keys),
        down=tuple(int(name) for name, is_down in seen.keys if is_down),
        glass=(seen.shows if seen.powered else ""),
        gate=seen.gate_open,
        trouble=_TROUBLES.get(seen.trouble, ""),
        guest=seen.number in guests,
        cards=own,
        hand=_hand(own, dealt.community),
        **told,
    )


def _hand(own: tuple[str, ...], community: tuple[str, ...]) -> str:
    """R-10: what five cards make; nothing where they make nothing that any law pays."""
    if not own:
        return ""
    made = classify(CARDS[name] for name in (*own, *community))
    return "" if made is Category.NOTHING else LABELS[made]


def _prizes(table: str, pot: SignView | None) -> tuple[PrizeShown, ...]:
    awards = () if pot is None else pot.awards
    return tuple(
        PrizeShown(one.award, one.seat, one.prize, one.amount, one.confirmed, one.waits)
        for one in awards
        if one.table == table
    )
