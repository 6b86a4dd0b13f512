"""What each fact adds to the figures of a report.

Theory. One function for each kind of fact that a report counts; it reads the fact and nothing else, so a figure can be
computed again by hand from the facts it names. What the house puts in is above zero here, what it gets back below.
"""

from collections.abc import Callable, Iterable, Iterator

from controller.core import facts as said
from controller.core.facts import (
    BetRefused,
    ChipsFell,
    ClaimRegistered,
    ClaimRejected,
    CreditsBought,
    CreditsCashed,
    CreditsLeft,
    Drawn,
    Fact,
    HandsVoided,
    LampChanged,
    LateRegistered,
    LeftPaid,
    MoneyMoved,
    OwedPaid,
    PassSealed,
    PlanTookEffect,
    PrizeGranted,
    Refused,
    SeatClosed,
    SeatCounted,
    SuspenseCleared,
)
from controller.core.values import Granted, Lamp, Refund
from controller.report.figures import Item

Items = Iterator[Item]


def _bought(fact: CreditsBought) -> Items:
    yield Item("cash.bought", fact.amount)
    yield from _into_cash(fact.amount)


def _chips(fact: ChipsFell) -> Items:
    yield Item("cash.chips", fact.amount)
    yield from _into_cash(fact.amount)


def _into_cash(amount: int) -> Items:
    yield Item("cash.in", amount)
    yield Item("cash.net", amount)


def _cashed(fact: CreditsCashed) -> Items:
    yield from _out_of_cash("cash.cashed", fact.amount)


def _left_paid(fact: LeftPaid) -> Items:
    yield from _out_of_cash("cash.left_paid", fact.amount)


def _owed_paid(fact: OwedPaid) -> Items:
    yield from _out_of_cash("cash.owed_paid", fact.amount)


def _out_of_cash(key: str, amount: int) -> Items:
    yield Item(key, amount)
    yield Item("cash.out", amount)
    yield Item("cash.net", -amount)


def _left(fact: CreditsLeft) -> Items:
    if fact.amount:
        yield Item("cash.left", fact.amount)
    if fact.lapsed:
        yield Item("cash.lapsed", fact.lapsed)


def _sealed(fact: PassSealed) -> Items:
    yield Item("play.sealed", 1)
    yield from _given_back("play.returned", fact.returned)
    if not fact.bets:
        return
    wagered = sum(bet.amount for bet in fact.bets)
    yield Item("play.bets", len(fact.bets))
    yield Item("play.wagered", wagered)
    yield Item("play.net", wagered)
    yield from _where_any("play.promo", sum(bet.promo for bet in fact.bets))
    yield from _where_any("play.chips", sum(bet.chips for bet in fact.bets))
    yield Item("split.commission", fact.flow.commission)
    yield Item("split.pots", sum(fact.flow.parts.values()))
    for part, amount in fact.flow.parts.items():
        yield Item("split.part", amount, f"{fact.pot}/{part}")
    yield from _where_any("split.overflow", sum(bet.overflow for bet in fact.bets))


def _where_any(key: str, amount: int) -> Items:
    if amount:
        yield Item(key, amount)


def _given_back(key: str, refunds: Iterable[Refund]) -> Items:
    for refund in refunds:
        yield Item(f"{key}_bets", 1)
        yield Item(key, refund.total)


def _voided(fact: HandsVoided) -> Items:
    yield Item("incidents.voided_passes" if fact.whole_pass else "incidents.voided_hands", 1)
    if not fact.sealed:
        yield from _given_back("play.voided", fact.refunds)
        return
    yield from _given_back("play.undone", fact.refunds)
    yield Item("play.net", -sum(refund.total for refund in fact.refunds))
    yield Item("split.commission_undone", -fact.flow.commission)
    yield Item("split.pots_undone", -sum(fact.flow.parts.values()))
    for part, amount in fact.flow.parts.items():
        yield Item("split.part_undone", -amount, f"{fact.pot}/{part}")
    yield from _from_house("house.void", -fact.flow.house)


def _from_house(key: str, amount: int) -> Items:
    if amount:
        yield Item(key, amount)
        yield Item("house.total", amount)


def _awards(awards: Iterable[Granted]) -> Items:
    for award in awards:
        yield from counted("awards.registered", award.amount, award.prize)


def counted(key: str, amount: int, detail: str) -> Items:
    """An amount with its number beside it."""
    yield Item(f"{key}_count", 1, detail)
    yield Item(key, amount, detail)


def _claim(fact: ClaimRegistered) -> Items:
    yield from _awards(fact.awards)
    yield from _from_house("house.shortfall", sum(award.house for award in fact.awards))
    if fact.base_back is not None:
        yield from _from_house("house.base_back", -fact.base_back.house)
        reserves = -sum(amount for part, amount in fact.base_back.parts.items() if part != "main")
        yield from _where_any("house.base_reserves", reserves)


def _rejected(fact: ClaimRejected) -> Items:
    """Which awards it takes back the atlas knows; here is what the house gets of it."""
    yield from _from_house("house.rejected", -fact.flow.house)


def _late(fact: LateRegistered) -> Items:
    yield from _awards(fact.awards)
    for award in fact.awards:
        yield from counted("awards.late", award.amount, award.prize)
    yield from _from_house("house.late", sum(award.house for award in fact.awards))


def _drawn(fact: Drawn) -> Items:
    yield Item("awards.draws", 1, fact.prize)
    if fact.hit:
        yield Item("awards.draws_hit", 1, fact.prize)


def _prize(fact: PrizeGranted) -> Items:
    if fact.promo:
        yield Item("cash.promo", fact.amount, fact.prize)
        return
    yield from counted("awards.registered", fact.amount, fact.prize)
    yield from _from_house("house.prize", -fact.flow.house)


def _took_effect(fact: PlanTookEffect) -> Items:
    yield Item("changes.plan", 1)
    yield from _from_house("house.base", fact.base_put_in)


def _moved(fact: MoneyMoved) -> Items:
    yield Item("changes.moved", 1)
    if fact.source == "house":
        yield from _from_house("house.moved", fact.amount)
    else:
        yield Item("house.parts_moved", fact.amount, f"{fact.pot}/{fact.source} a {fact.target}")


def _seat_closed(fact: SeatClosed) -> Items:
    yield Item("incidents.seat_closed", 1, fact.reason)
    if fact.refund is not None:
        yield from _given_back("play.voided", [fact.refund])


def _lamp(fact: LampChanged) -> Items:
    if fact.lamp is Lamp.FAULT:
        yield Item("incidents.lamp_fault", 1)
    if fact.refund is not None:
        yield from _given_back("play.voided", [fact.refund])


def _device_voided(fact: said.DeviceVoided) -> Items:
    if fact.refund is not None:
        yield from _given_back("play.voided", [fact.refund])


def _counted_by_hand(fact: SeatCounted) -> Items:
    if fact.found != fact.booked:
        yield Item("incidents.suspense_counts", 1)
        yield Item("incidents.suspense", fact.found - fact.booked)


def _cleared(fact: SuspenseCleared) -> Items:
    yield Item("incidents.suspense_cleared", 1)
    yield from _from_house("house.suspense", fact.amount)


def _bet_refused(fact: BetRefused) -> Items:
    yield Item("incidents.bet_refused", 1, fact.reason)


def _refused(fact: Refused) -> Items:
    yield Item("incidents.refused", 1, fact.reason)


def _once(key: str) -> Callable[[Fact], Items]:
    """A fact that is counted and nothing more."""

    def count(_fact: Fact) -> Items:
        yield Item(key, 1)

    return count


_ITEMS: dict[type, Callable[..., Items]] = {
    CreditsBought: _bought,
    ChipsFell: _chips,
    CreditsCashed: _cashed,
    LeftPaid: _left_paid,
    OwedPaid: _owed_paid,
    CreditsLeft: _left,
    PassSealed: _sealed,
    HandsVoided: _voided,
    ClaimRegistered: _claim,
    ClaimRejected: _rejected,
    LateRegistered: _late,
    Drawn: _drawn,
    PrizeGranted: _prize,
    PlanTookEffect: _took_effect,
    MoneyMoved: _moved,
    SeatClosed: _seat_closed,
    LampChanged: _lamp,
    said.DeviceVoided: _device_voided,
    SeatCounted: _counted_by_hand,
    SuspenseCleared: _cleared,
    BetRefused: _bet_refused,
    Refused: _refused,
    said.PassOpened: _once("play.opened"),
    said.DeviceAdopted: _once("incidents.device_adopted"),
    said.AwardOverdue: _once("incidents.overdue"),
    said.IdReused: _once("incidents.id_reused"),
    said.ClockWentBack: _once("incidents.clock_back"),
    said.PlanStaged: _once("changes.staged"),
    said.PlanWithdrawn: _once("changes.withdrawn"),
    said.PersonEnrolled: _once("changes.people"),
    said.PersonUnlocked: _once("changes.unlocked"),
    said.NodeRestored: _once("changes.restored"),
}


def items(fact: Fact) -> Iterable[Item]:
    """What a fact adds, to which figures; most facts add nothing."""
    part = _ITEMS.get(type(fact))
    return part(fact) if part is not None else ()
