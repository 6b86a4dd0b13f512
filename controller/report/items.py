"""What each fact adds to the figures of a report.

Theory. One function for each kind of fact that a report counts; it reads the fact and nothing else, so a figure can be
computed again by hand from the facts it names. What the house puts in is above zero here, what it gets back below.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from controller.core import facts
from controller.core.accounts import SHARE
from controller.core.values import Lamp, Refund, RegisteredAward
from controller.report.figures import Item
from controller.report.links import borne, items_between
from controller.rules.prizes import Tender

Items = Iterator[Item]


def _into_cash(key: str) -> Callable[..., Items]:
    def count(fact: facts.CreditsBought | facts.ChipsFell) -> Items:
        yield Item(key, fact.amount)
        yield Item("cash.in", fact.amount)
        yield Item("cash.net", fact.amount)

    return count


def _out_of_cash(key: str) -> Callable[..., Items]:
    def count(fact: facts.CreditsCashed | facts.LeftPaid | facts.OwedPaid) -> Items:
        yield Item(key, fact.amount)
        yield Item("cash.out", fact.amount)
        yield Item("cash.net", -fact.amount)

    return count


def _left(fact: facts.CreditsLeft) -> Items:
    yield from _where_any("cash.left", fact.amount)
    yield from _where_any("cash.lapsed", fact.lapsed)


def _sealed(fact: facts.PassSealed) -> Items:
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


def _voided(fact: facts.HandsVoided) -> Items:
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
    yield from borne("house.void", -fact.flow.house, fact.table)


def _awards(awards: Iterable[RegisteredAward]) -> Items:
    for award in awards:
        yield from counted("awards.registered", award.amount, award.prize)


def counted(key: str, amount: int, detail: str) -> Items:
    """An amount with its number beside it."""
    yield Item(f"{key}_count", 1, detail)
    yield Item(key, amount, detail)


def _claim(fact: facts.ClaimRegistered) -> Items:
    yield from _awards(fact.awards)
    yield from borne("house.shortfall", sum(award.house for award in fact.awards), fact.table)
    if fact.base_back is not None:
        yield from borne("house.base_back", -fact.base_back.house, fact.table)
        reserves = -sum(amount for part, amount in fact.base_back.parts.items() if part != "main")
        yield from _where_any("house.base_reserves", reserves)


def _asked(fact: facts.ClaimAsked) -> Items:
    """R-20: of a neighbour's pot, what is certain when it is asked."""
    yield from _awards(award for award in fact.awards if award.number not in fact.waiting)


def _decided(fact: facts.ClaimDecided) -> Items:
    """R-20: and what waited for its amount."""
    yield from _awards(award for award in fact.awards if award.number in fact.waited)


def _rejected(fact: facts.ClaimRejected) -> Items:
    """What the house gets of it; which awards it takes back is known to the fold."""
    yield from borne("house.rejected", -fact.flow.house, fact.claim.partition("/")[0])


def _corrected(fact: facts.ClaimCorrected) -> Items:
    """R-34: what it moves and what it costs; the awards that it owes and cancels, of which tables, the fold knows."""
    yield from [Item("incidents.corrected", 1)] if fact.claim else []  # else it is another node's
    for part, amount in fact.flow.parts.items():
        yield Item("house.part_corrected", amount, f"{fact.pot}/{part}")
    yield from borne("house.corrected", -fact.flow.house, fact.table)
    yield from _where_any("house.lost", sum(one.amount for one in fact.lost))


def owed_by_correction(award: RegisteredAward) -> Items:
    """R-34: an award that a correction owes, also to a winner of another table."""
    yield from _awards([award])
    yield from counted("awards.corrected", award.amount, award.prize)


def _aside(fact: facts.AwardSetAside) -> Items:
    yield Item("awards.aside_count", 1)
    yield Item("awards.aside", fact.amount)


def _late(fact: facts.LateRegistered) -> Items:
    yield from _awards(fact.awards)
    for award in fact.awards:
        yield from counted("awards.late", award.amount, award.prize)
    yield from borne("house.late", sum(award.house for award in fact.awards), fact.claim.partition("/")[0])


def _drawn(fact: facts.Drawn) -> Items:
    yield Item("awards.draws", 1, fact.prize)
    if fact.hit:
        yield Item("awards.draws_hit", 1, fact.prize)


def _bought(fact: facts.CreditsBought) -> Items:
    yield from _into_cash("cash.bought")(fact)
    if fact.paid_in == Tender.CHIPS:
        yield Item("cash.bought_chips", fact.amount)


def _paid(fact: facts.AwardPaid) -> Items:
    """R-29: in what; how much of the pots' awards was paid is known to the fold."""
    if fact.promo:
        yield Item("cash.promo", fact.amount)
    elif fact.paid_in == Tender.CHIPS:
        yield Item("awards.paid_chips", fact.amount)


def _prize(fact: facts.PrizeGranted) -> Items:
    """R-29: promotional credits are counted when they come on a seat: when paid; in the first reading at once."""
    if fact.promo:
        if fact.held:
            yield from counted("awards.promo", fact.amount, fact.prize)
        else:
            yield Item("cash.promo", fact.amount, fact.prize)
        return
    yield from counted("awards.registered", fact.amount, fact.prize)
    yield from borne("house.prize", -fact.flow.house, fact.table)


def _took_effect(fact: facts.PlanTookEffect) -> Items:
    yield Item("changes.plan", 1)
    yield from borne("house.base", fact.base_put_in, fact.base_table)


def _moved(fact: facts.MoneyMoved) -> Items:
    yield Item("changes.moved", 1)
    if fact.source == "house":
        yield from borne("house.moved", fact.amount, "")
    elif not (fact.source.startswith(SHARE) or fact.target.startswith(SHARE)):
        yield Item("house.parts_moved", fact.amount, f"{fact.pot}/{fact.source} a {fact.target}")


def _seat_closed(fact: facts.SeatClosed) -> Items:
    yield Item("incidents.seat_closed", 1, fact.reason)
    yield from _one_back(fact)


def _lamp(fact: facts.LampChanged) -> Items:
    if fact.lamp is Lamp.FAULT:
        yield Item("incidents.lamp_fault", 1)
    yield from _one_back(fact)


def _firmware(fact: facts.FirmwareSeen) -> Items:
    """R-27: what was there first is no change."""
    if fact.was is not None:
        yield Item("incidents.firmware_changed", 1, fact.unit)


def _one_back(fact: facts.SeatClosed | facts.LampChanged | facts.DeviceVoided) -> Items:
    """R-6: the bet of one seat, given back before the pass is sealed."""
    if fact.refund is not None:
        yield from _given_back("play.voided", [fact.refund])


def _owed(fact: facts.OwedPaid) -> Items:
    yield from _out_of_cash("cash.owed_paid")(fact)
    if fact.told:
        yield Item("incidents.owed_told", 1, fact.told)


def _counted_by_hand(fact: facts.SeatCounted) -> Items:
    if fact.found != fact.booked:
        yield Item("incidents.suspense_counts", 1)
        yield Item("incidents.suspense", fact.found - fact.booked)


def _cleared(fact: facts.SuspenseCleared) -> Items:
    yield Item("incidents.suspense_cleared", 1)
    yield from borne("house.suspense", fact.amount, fact.table)


def _once(key: str, detail: str = "") -> Callable[[Any], Items]:
    """A fact that is counted and nothing more; `detail` is the field that says of what."""

    def count(fact: Any) -> Items:
        yield Item(key, 1, getattr(fact, detail) if detail else "")

    return count


def _stepped(fact: facts.ClockStepped) -> Items:
    """R-27: under way; what a start found is no incident by itself."""
    if not fact.stop:
        yield Item("incidents.clock_steps", 1, "")


_ITEMS: dict[type, Callable[..., Items]] = {
    facts.CreditsBought: _bought,
    facts.ChipsFell: _into_cash("cash.chips"),
    facts.CreditsCashed: _out_of_cash("cash.cashed"),
    facts.LeftPaid: _out_of_cash("cash.left_paid"),
    facts.OwedPaid: _owed,
    facts.CreditsLeft: _left,
    facts.PassSealed: _sealed,
    facts.HandsVoided: _voided,
    facts.ClaimRegistered: _claim,
    facts.ClaimAsked: _asked,
    facts.ClaimDecided: _decided,
    facts.ClaimRejected: _rejected,
    facts.LateRegistered: _late,
    facts.ClaimCorrected: _corrected,
    facts.AwardSetAside: _aside,
    facts.Drawn: _drawn,
    facts.AwardPaid: _paid,
    facts.PrizeGranted: _prize,
    facts.PlanTookEffect: _took_effect,
    facts.MoneyMoved: _moved,
    facts.SeatClosed: _seat_closed,
    facts.LampChanged: _lamp,
    facts.DeviceVoided: _one_back,
    facts.SeatCounted: _counted_by_hand,
    facts.SuspenseCleared: _cleared,
    facts.VoidSigned: _once("incidents.voids_signed"),
    facts.BetRefused: _once("incidents.bet_refused", "reason"),
    facts.Refused: _once("incidents.refused", "reason"),
    facts.PassOpened: _once("play.opened"),
    facts.DeviceAdopted: _once("incidents.device_adopted"),
    facts.FirmwareSeen: _firmware,
    facts.LampsTested: _once("incidents.lamps_tested", "table"),
    facts.DeviceDisbelieved: _once("incidents.device_disbelieved", "why"),
    facts.AwardOverdue: _once("incidents.overdue"),
    facts.IdReused: _once("incidents.id_reused"),
    facts.UnprovenRefused: _once("incidents.unproven", "what"),
    facts.ClockWentBack: _once("incidents.clock_back"),
    facts.ClockStepped: _stepped,
    facts.PlanStaged: _once("changes.staged"),
    facts.PlanWithdrawn: _once("changes.withdrawn"),
    facts.PersonEnrolled: _once("changes.people"),
    facts.PersonUnlocked: _once("changes.unlocked"),
    facts.TerminalEnrolled: _once("changes.terminals"),
    facts.TerminalWithdrawn: _once("changes.terminals"),
    facts.NodeRestored: _once("changes.restored"),
}


def items(fact: facts.Fact) -> Iterable[Item]:
    """What a fact adds, to which figures; most facts add nothing."""
    part = _ITEMS.get(type(fact))
    return (*(part(fact) if part is not None else ()), *items_between(fact))
