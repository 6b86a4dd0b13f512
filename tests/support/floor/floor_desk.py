"""A floor of one line before a real core, for tests of single rules: units say what the test says."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

from controller.core import inputs as ask
from controller.core.facts import Fact, NothingNew, Refused
from controller.core.inputs import Input
from controller.core.state import Seat, plan_at
from controller.node.floor.floor import Floor
from controller.node.vocabulary.commands import Command, LockUnit, Reconcile, UnlockUnit, Wish
from controller.node.vocabulary.places import Node
from drivers.model import (
    BetSeen,
    ConsoleSeen,
    DeviceKey,
    Down,
    SeatSeen,
    Settled,
    Totals,
    UnitDown,
    UnitUp,
)
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import TABLE, Kind, plan
from support.floor.floor import Floor as Ledger
from support.floor.floor_tables import CONSOLE, ELECTRONIC, SLOT, WHOLE, Made, native, node_of

LINE = "línea 0"
KEY = DeviceKey(77, 1)
LOST = 2**32


def key_of(unit: int) -> DeviceKey:
    """Unit 2, at seat 1, is what most tests look at."""
    return KEY if unit == 2 else DeviceKey(KEY.serial + 100 * unit, KEY.epoch)


class Desk:
    """A floor of one line before a real core; units say what the test says."""

    def __init__(self, *made: Made, ledger: Ledger | None = None, heard: bool = True) -> None:
        self.core = ledger or Ledger(plan())
        self.node = made_for(self.core, node_of([[(TABLE, one) for one in made]]))
        self.floor = Floor(self.node)
        self.now = 0
        self.seen: dict[tuple[int, int], SeatSeen] = {}
        if heard:
            for place in self.node.units:
                self.up(place.key.number)

    # units

    def up(self, unit: int, key: DeviceKey | None = None, rebooted: bool = False, goes_on: bool = False) -> None:
        seats = next(place.seats for place in self.node.units if place.key.number == unit)
        key = key or key_of(unit)
        came = UnitUp(
            unit=unit, device=key, product="p", firmware=1, seats=seats, rebooted=rebooted, goes_on=goes_on
        )  # fmt: skip
        self.hear(came)
        for number in seats:
            if (unit, number) in self.seen:
                self.say(unit, number, device=key)

    def down(self, unit: int, reason: Down = Down.SILENT) -> None:
        self.hear(UnitDown(unit=unit, seats=(), reason=reason))

    def say(self, unit: int = 2, seat: int = 1, **other: Any) -> Self:
        """The seat as it was but for this; `totals` as words."""
        known = self.seen.get((unit, seat))
        values: dict[str, Any] = {
            "unit": unit, "seat": seat, "device": key_of(unit), "seq": 10, "totals": Totals(), "locked": True, "cut": 9,
            "bet": BetSeen.NONE, "bet_credits": 0, "bet_seq": 0, "lamp": Light.DARK, "enabled": True,
        }  # fmt: skip
        if known is not None:
            values = {name: getattr(known, name) for name in values}
        self.seen[unit, seat] = SeatSeen(**(values | other))
        self.hear(self.seen[unit, seat])
        return self

    def press(self, credits_: int, unit: int = 2, seat: int = 1, **other: Any) -> Self:
        """A bet, pending; its number is the newest."""
        before = self.seen[unit, seat]
        totals = before.totals
        bets = Totals(**{name: getattr(totals, name) for name in ("loaded", "cashed", "voided", "chips", "late")},
                      bets=(totals.bets + credits_) % LOST)  # fmt: skip
        seq = before.seq + 1
        values = {"bet": BetSeen.PENDING, "bet_credits": credits_, "bet_seq": seq, "lamp": Light.BLINKING}
        return self.say(unit, seat, seq=seq, totals=bets, **(values | other))

    def chip(self, credits_: int, unit: int = 2, seat: int = 1, **other: Any) -> Self:
        before = self.seen[unit, seat]
        values = {
            "totals": Totals(chips=before.totals.chips + credits_, late=before.totals.late), "bet": BetSeen.PENDING,
            "bet_credits": before.bet_credits + credits_, "seq": before.seq + 1, "bet_seq": before.seq + 1,
            "lamp": Light.BLINKING,
        }  # fmt: skip
        return self.say(unit, seat, **(values | other))

    def void(self, unit: int = 2, seat: int = 1, **other: Any) -> Self:
        before = self.seen[unit, seat]
        totals = Totals(
            loaded=before.totals.loaded, cashed=before.totals.cashed, bets=before.totals.bets,
            voided=before.totals.voided + before.bet_credits, chips=before.totals.chips, late=before.totals.late,
        )  # fmt: skip
        values = {"totals": totals, "bet": BetSeen.VOIDED, "seq": before.seq + 1, "lamp": Light.DARK}
        return self.say(unit, seat, **(values | other))

    def hear(self, event: object) -> None:
        self.floor.heard(LINE, event, self.now)

    def console(self, locks: int = 0, unlocks: int = 0, unit: int = 1) -> Self:
        self.hear(ConsoleSeen(unit=unit, device=key_of(unit), seq=5 + locks + unlocks, lock_presses=locks, unlock_presses=unlocks,
                              key_changes=0, lock_key_down=False))  # fmt: skip
        return self

    # the engine

    def asks(self) -> list[Input]:
        return self.floor.asks(self.core.state, self.now)

    def settle(self) -> list[Fact]:
        """Ask until nothing is left; nothing is asked that changes nothing."""
        answered: list[Fact] = []
        asks: list[Input] = []
        for _ in range(10):
            asks = self.asks()
            if not asks:
                return answered
            for one in asks:
                facts = self.core.ask(one)
                assert not any(isinstance(fact, NothingNew | Refused) for fact in facts), (one, facts)
                answered += facts
        raise AssertionError(f"it does not stop: {asks}")

    def wishes(self) -> list[Command]:
        """Those that matter here."""
        self.settle()
        return [
            wish.command
            for wish in self.floor.wishes(self.core.state, self.now)
            if not isinstance(wish.command, Reconcile | LockUnit)
        ]

    def raw(self) -> list[Wish]:
        self.settle()
        return self.floor.wishes(self.core.state, self.now)

    def after(self, seconds: float) -> Self:
        self.now += int(seconds * SECOND)
        return self

    def seat(self, number: int = 1) -> Seat:
        return self.core.seat(number)

    def opened(self, credits_: int = 20) -> Self:
        """Everybody is known, the pass is open, credits are loaded."""
        self.wishes()
        self.core.open_pass()
        if credits_:
            self.core.buy(1, credits_)
        self.wishes()
        for (unit, number), seen in list(self.seen.items()):
            has = credits_ if number == 1 and isinstance_electronic(self.node, unit) else 0
            self.say(unit, number, locked=False, seq=seen.seq + 2, totals=Totals(loaded=has))
            if has:
                self.hear(Settled(unit=unit, seat=number, command="load", done=True, result="done"))
        self.wishes()
        return self

    def lit(self, unit: int = 2, seat: int = 1, bet: BetSeen = BetSeen.CONFIRMED) -> Self:
        return self.say(unit, seat, bet=bet, lamp=Light.LIT, seq=self.seen[unit, seat].seq + 1)


def made_for(core: Ledger, node: Node) -> Node:
    """R-26: as of the plan that is in force when the settings are read."""
    limits = plan_at(core.state, core.table()).limits
    units = tuple(replace(place, limits=limits) if place.seats else place for place in node.units)
    return replace(node, units=units)


def isinstance_electronic(node: Node, unit: int) -> bool:
    made = next(place.made for place in node.units if place.key.number == unit)
    return getattr(made, "unit_class", None) in {ELECTRONIC, WHOLE}


def electronic(**other: Any) -> Desk:
    desk = Desk(native(1, CONSOLE, 1), native(2, ELECTRONIC, 1), **other)
    return desk.say()


def slot() -> Desk:
    return Desk(native(1, CONSOLE, 1), native(2, SLOT, 1)).say()


def of(asks: Iterable[Any], kind: type[Kind]) -> list[Kind]:
    return [one for one in asks if isinstance(one, kind)]


def fields(seen: SeatSeen) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in SeatSeen.__dataclass_fields__}


def locking() -> Desk:
    desk = electronic().opened()
    desk.core.ask(ask.Lock(TABLE))
    return desk


def notes(desk: Desk) -> list[str]:
    told = []
    while (note := desk.floor.next_note()) is not None:
        told.append(note.event)
    return told


def rounds(desk: Desk) -> list[int]:
    return [wish.command.round for wish in desk.raw() if isinstance(wish.command, UnlockUnit)]
