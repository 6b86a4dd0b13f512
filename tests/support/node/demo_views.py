"""What a node shows of the demo's tables, for the tests of its croupiers."""

from collections.abc import Iterable

from controller.core.values import Phase
from controller.core.view import Alarm, AwardView, Light, SeatView, SignView, TableView
from controller.node.vocabulary.protocol import Health, NodeView, Reply, SeatNow, Trouble, UnitNow
from drivers.native.contract import LampDrive
from firmware_sim.desk.players import PlayerView as Seen


def seat(number: int, *, bet: int = 0, credits_: int = 0, promo: int = 0, owed: int = 0, closed: str = "") -> SeatView:
    return SeatView(number, Light.OFF, False, True, credits_, promo, bet, owed, 0, closed)


def seen(number: int, *, slot: bool = False, trouble: str = "") -> Seen:
    return Seen(
        number=number, lamp=LampDrive.OFF, shows="9", powered=True, gate_open=True if slot else None, trouble=trouble
    )


def now_at(
    number: int,
    *,
    locked: bool = False,
    faults: Iterable[str] = (),
    lamp: str = "dark",
    table: str = "DP-01",
    health: Health = Health.UP,
) -> SeatNow:
    return SeatNow(table, number, health, locked, lamp, "none", 0, tuple(faults))


def award(
    name: str = "DP-01/7/1/1", amount: int = 100_000, *, seat_: int = 3, confirmed: bool = False, prize: str = "full"
) -> AwardView:
    return AwardView(name, "DP-01", seat_, prize, amount, confirmed, overdue=False)


def view(
    phase: Phase = Phase.BETWEEN,
    number: int = 7,
    seats: Iterable[SeatView] = (),
    awards: Iterable[AwardView] = (),
    seq: int = 1,
    day: str = "2026-11-18",
    now: Iterable[SeatNow] = (),
    units: Iterable[UnitNow] = (),
    alarms: Iterable[Alarm] = (),
) -> NodeView:
    table = TableView("DP-01", phase, number, tuple(seats), (), {}, training=False)
    pot = SignView("pozo", "Pozo", "$", 0, 5_000_000, 0, 1000, 5000, {}, tuple(awards), training=False)
    return NodeView(1, "demo", seq, 0, day, (table,), (pot,), (), tuple(alarms), tuple(units), tuple(now), ())


def unit(health: Health = Health.UP) -> UnitNow:
    return UnitNow("dp", 1, "DP-01", "electronic", (1,), health)


def reply(seq: int = 1, trouble: Trouble | None = None) -> Reply:
    return Reply(v=1, id="0" * 32, ok=trouble is None, seq=seq, trouble=trouble)
