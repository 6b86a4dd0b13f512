"""What a node shows of the demo's tables, for the tests of its croupiers."""

from controller.core.values import Phase
from controller.core.view import AwardView, SeatView, SignView, TableView
from controller.node.vocabulary.protocol import Health, NodeView, Reply, SeatNow, UnitNow
from drivers.native.contract import LampDrive
from firmware_sim.desk.players import PlayerView as Seen


def seat(number, *, bet=0, credits_=0, promo=0, owed=0, closed=""):
    return SeatView(number, "off", False, True, credits_, promo, bet, owed, 0, closed)


def seen(number, *, slot=False, trouble=""):
    return Seen(
        number=number, lamp=LampDrive.OFF, shows="9", powered=True, gate_open=True if slot else None, trouble=trouble
    )


def now_at(number, *, locked=False, faults=(), lamp="dark", table="DP-01", health=Health.UP):
    return SeatNow(table, number, health, locked, lamp, "none", 0, tuple(faults))


def award(name="DP-01/7/1/1", amount=100_000, *, seat_=3, confirmed=False, prize="full"):
    return AwardView(name, "DP-01", seat_, prize, amount, confirmed, overdue=False)


def view(phase=Phase.BETWEEN, number=7, seats=(), awards=(), seq=1, day="2026-11-18", now=(), units=(), alarms=()):
    table = TableView("DP-01", phase, number, tuple(seats), (), {}, training=False)
    pot = SignView("pozo", "Pozo", "$", 0, 5_000_000, 0, 1000, 5000, {}, tuple(awards), training=False)
    return NodeView(1, "demo", seq, 0, day, (table,), (pot,), (), tuple(alarms), tuple(units), tuple(now), ())


def unit(health=Health.UP):
    return UnitNow("dp", 1, "DP-01", "electronic", (1,), health)


def reply(seq=1, trouble=None):
    return Reply(v=1, id="0" * 32, ok=trouble is None, seq=seq, trouble=trouble)
