"""The devices of the floor as a screen shows them, beside what the record wants of them."""

from collections.abc import Iterator

from controller.node.floor.units import WORD, Unit
from controller.node.floor.words import what_to_do
from controller.node.vocabulary.protocol import Health, SeatNow, UnitNow
from drivers.model import BetSeen, LampProof, Totals


def unit_now(unit: Unit, locked_for: str) -> UnitNow:
    """`locked_for`: why one that is up stays locked, if it does."""
    health = _health(unit)
    down = what_to_do(unit.kind, unit.reason) if unit.reason is not None and not unit.up else ""
    return UnitNow(
        unit.key.line,
        unit.key.number,
        unit.place.table,
        unit.kind,
        unit.place.seats,
        health,
        locked_for or down,
        unit.product,
        unit.device.serial if unit.device is not None else 0,
        unit.firmware,
    )


def _health(unit: Unit) -> Health:
    if unit.up:
        return Health.UP
    return Health.STARTING if unit.reason is None else Health.DOWN


def seats_now(unit: Unit) -> Iterator[SeatNow]:
    """Of one that is not up nothing is known."""
    health = _health(unit)
    for number in unit.place.seats:
        seen = unit.seats.get(number) if unit.up else None
        if seen is None:
            yield SeatNow(
                unit.place.table, number, health, False, LampProof.UNKNOWN.value, BetSeen.NONE.value, 0
            )  # fmt: skip
            continue
        on_unit = _balance(seen.totals) if unit.keeps_credits else 0
        yield SeatNow(
            unit.place.table, number, health, seen.locked, seen.lamp.value, seen.bet.value, on_unit, seen.faults
        )  # fmt: skip


def _balance(totals: Totals) -> int:
    """A seat whose totals do not add up shows nothing rather than thousands of millions."""
    balance = (totals.loaded - totals.cashed - totals.bets + totals.voided) % WORD
    return balance if balance < WORD // 2 else 0
