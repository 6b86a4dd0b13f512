"""What each fact of a shared pot adds to the figures of what stands between this node and its neighbours (R-28).

Theory. Two casinos settle what their nodes owe each other from these figures, so each says why money moved: what was
wagered, what was won, what a house bore, and what was not believed. They are counted from what a fact says, never from
the lines that it moved; a proof compares the two (proofs.py). Upwards is whoever owns the pot, downwards whose tables
feed it. A fact of an own table and an own pot adds nothing here.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from controller.core import facts
from controller.core.accounts import SHARE
from controller.core.facts import ClaimCorrected, Fact
from controller.core.links.names import is_away, neighbour_of
from controller.core.past.lines import held_for_pass
from controller.core.values import RegisteredAward, Resettled
from controller.report.figures import Item

Items = Iterator[Item]


def borne(key: str, amount: int, table: str) -> Items:
    """R-18, R-28: what a house puts in: this one, or that of the neighbour whose table it is."""
    if not amount:
        return
    if table and is_away(table):
        yield Item("house.away", amount, neighbour_of(table))
        of = {"house.void": "house.away_void", "house.base": "house.away_base", "house.base_back": "house.away_base"}
        yield from [Item(of[key], amount)] if key in of else []
    else:
        yield Item(key, amount)
        yield Item("house.total", amount)


def _where_any(key: str, amount: int, neighbour: str) -> Items:
    if amount:
        yield Item(key, amount, neighbour)


def _below(key: str, amount: int, table: str) -> Items:
    """R-28: from a neighbour, or to him, where it happened at his table."""
    if table and is_away(table):
        yield from _where_any(key, amount, neighbour_of(table))


def _above(key: str, amount: int, above: str) -> Items:
    """R-28: to the owner of the pot, or from him, where that is a neighbour."""
    if above:
        yield from _where_any(key, amount, above)


def _sealed(fact: facts.PassSealed) -> Items:
    """R-22, R-23: what is left of each bet behind its commission, whoever took that."""
    net = sum(bet.amount - bet.commission for bet in fact.bets)
    theirs = sum(bet.commission for bet in fact.bets) - fact.flow.commission
    yield from _below("split.commission_away", theirs, fact.table)
    yield from _above("split.above", net, fact.above)
    yield from _below("links.bets_below", net + fact.flow.commission, fact.table)


def _voided(fact: facts.HandsVoided) -> Items:
    """R-25: the same back, where it had been sealed."""
    net = -sum(bet.amount - bet.commission for bet in fact.undone)
    if not fact.sealed:
        return
    theirs = fact.flow.commission - sum(bet.commission for bet in fact.undone)
    yield from _below("split.commission_away_undone", theirs, fact.table)
    yield from _above("split.above_undone", net, fact.above)
    yield from _below("links.bets_below", fact.flow.commission - net, fact.table)


def _sum_of(awards: Iterable[RegisteredAward]) -> int:
    return sum(award.amount for award in awards)


def _asked(fact: facts.ClaimAsked) -> Items:
    """R-20: what is certain; how many wait for an amount."""
    yield from [Item("awards.asked_count", len(fact.waiting))] if fact.waiting else []
    yield from _won(fact.table, fact.above, _sum_of(fact.awards))


def _won(table: str, above: str, amount: int) -> Items:
    yield from _above("links.awards_above", amount, above)
    yield from _below("links.awards_below", amount, table)


def _decided(fact: facts.ClaimDecided) -> Items:
    """R-18 to R-20: what had waited, and what the house of the casino bears of it."""
    shortfall = sum(award.house for award in fact.awards)
    base = -fact.base_back.house if fact.base_back is not None else 0
    yield from borne("house.shortfall", shortfall, fact.table)
    yield from borne("house.base_back", base, fact.table)
    yield from _above("links.house_above", shortfall + base, fact.above)
    yield from _won(fact.table, fact.above, _sum_of(one for one in fact.awards if one.number in fact.waited))


def _claimed(fact: facts.ClaimRegistered) -> Items:
    yield from _below("links.awards_below", _sum_of(fact.awards), fact.table)


def _late(fact: facts.LateRegistered) -> Items:
    yield from _below("links.awards_below", _sum_of(fact.awards), fact.claim.partition("/")[0])


def _prize(fact: facts.PrizeGranted) -> Items:
    """R-29: promotional credits are of no pot."""
    if not fact.promo:
        yield from _won(fact.table, fact.above, fact.amount)


def _charged(fact: facts.HouseCharged) -> Items:
    yield from borne("house.charged", fact.amount, fact.table)
    yield from _above("links.house_above", fact.amount, fact.above)


def _took_effect(fact: facts.PlanTookEffect) -> Items:
    yield from _above("links.house_above", fact.base_put_in, fact.above)


def _moved(fact: facts.MoneyMoved) -> Items:
    """R-28: the share of a casino that left."""
    if fact.target.startswith(SHARE):
        yield from _where_any("links.share_given", fact.amount, fact.target.removeprefix(SHARE))
    if fact.source.startswith(SHARE):
        yield from _where_any("links.share_placed", fact.amount, fact.source.rpartition(":")[2])


def _share(fact: facts.ShareHeard) -> Items:
    yield from _where_any("links.share_heard", fact.amount, fact.above)


def _left(fact: facts.PotLeft) -> Items:
    """R-28: what was owed to an owner who was left; what he owed, the house has lost."""
    yield from _where_any("links.left", fact.amount, fact.above)
    yield from borne("house.left", max(-fact.amount, 0), "")


def _corrected(fact: ClaimCorrected) -> Items:
    """R-34: of its own table; what other tables are owed counts there."""
    own = held_for_pass(fact) if fact.table else 0
    yield from _won(fact.table, fact.above, own)
    yield from _above("links.house_above", -fact.flow.house, fact.above)
    for one in fact.resettled:
        if one.table == fact.table:
            yield from resettled(fact, one)


def resettled(fact: ClaimCorrected, one: Resettled) -> Items:
    """R-28, R-34: what the winners of a table are owed when another pass was put right."""
    yield from _won(one.table, fact.above, _sum_of(one.awards))


def _disputed(fact: facts.LetterDisputed) -> Items:
    yield Item("incidents.disputed", 1, fact.neighbour)
    yield from _where_any("links.disputed", fact.amount, fact.neighbour)


def _dispute_ended(fact: facts.DisputeEnded) -> Items:
    key = "links.dispute_taken" if fact.accepted else "links.dispute_left"
    yield from _where_any(key, fact.amount, fact.neighbour)


def _dispute_heard(fact: facts.DisputeHeard) -> Items:
    """R-28: what its owner did not take is the house's, that has it already."""
    if not fact.accepted:
        yield from borne("house.dispute", -fact.amount, "")
        yield from _above("links.house_above", -fact.amount, fact.above)


def _advanced(fact: facts.AwardAdvanced) -> Items:
    """R-20: the house has it back as far as the award goes."""
    yield from borne("house.advanced", fact.amount, "")


def _paid(fact: facts.AwardPaid) -> Items:
    yield from borne("house.advanced_back", -fact.advanced, "")


_ITEMS: dict[type, Callable[[Any], Items]] = {
    facts.PassSealed: _sealed,
    facts.HandsVoided: _voided,
    facts.ClaimRegistered: _claimed,
    facts.ClaimAsked: _asked,
    facts.ClaimDecided: _decided,
    facts.LateRegistered: _late,
    facts.PrizeGranted: _prize,
    facts.HouseCharged: _charged,
    facts.AwardAdvanced: _advanced,
    facts.AwardPaid: _paid,
    facts.AdvanceHeard: lambda fact: iter(
        [Item("links.advanced", fact.amount, neighbour_of(fact.award.partition("/")[0]))]
    ),
    facts.PlanTookEffect: _took_effect,
    facts.ClaimCorrected: _corrected,
    facts.LetterDisputed: _disputed,
    facts.DisputeEnded: _dispute_ended,
    facts.DisputeHeard: _dispute_heard,
    facts.MoneyMoved: _moved,
    facts.ShareHeard: _share,
    facts.PotLeft: _left,
    facts.NeighbourStopped: lambda fact: iter([Item("incidents.stopped", 1, fact.neighbour)]),
    facts.NeighbourPinned: lambda fact: iter([Item("changes.neighbours", 1, fact.neighbour)]),
    facts.NeighbourRevoked: lambda fact: iter([Item("changes.neighbours", 1, fact.neighbour)]),
    facts.WentOnWithout: lambda fact: iter([Item("changes.neighbours", len(fact.neighbours) or 1, fact.pot)]),
    facts.NeighbourAccepted: lambda fact: iter([Item("changes.neighbours", 1, fact.neighbour)]),
}


def items_between(fact: Fact) -> Iterable[Item]:
    """What a fact adds between nodes; without neighbours nothing."""
    part = _ITEMS.get(type(fact))
    return part(fact) if part is not None else ()
