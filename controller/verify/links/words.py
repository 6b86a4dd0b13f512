"""The words in which a neighbour below told what follows here, found again from the fact (R-28).

Theory. What a neighbour tells of his own tables is not kept word for word: the fact holds all of it, under the names
that things have here, with what was made of it. So the letter can be written again as he wrote it, and its hash must be
the one that was noted; a fact that says something else than its letter cannot have that hash. Of a claim alone it
cannot: by which rules an amount came about there depends on what was known there of the pot; both records show it.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from controller.verify import facts as kinds
from controller.verify.facts import Fact, SealedBet, Undone
from controller.verify.links import letters
from controller.verify.links.letters import Letter
from controller.verify.links.names import there
from controller.verify.world import World


def told_as(world: World, neighbour: str, fact: Fact) -> tuple[bytes, ...]:
    """The bytes of the letter, where the fact holds all that it said; of a void also as an earlier program told it."""
    if isinstance(fact, kinds.LetterDisputed):
        return (bytes(fact.letter),)
    write = _WRITE.get(type(fact))
    if write is None:
        return ()
    letter = write(_Teller(world, neighbour), fact)
    earlier = (msgspec.structs.replace(letter, kept=False),) if isinstance(letter, letters.BetsVoided) else ()
    return tuple(map(letters.written, (letter, *earlier)))


class _Teller:
    """A neighbour: what things are called there, who did them, and whether his commission is taken there."""

    def __init__(self, world: World, name: str) -> None:
        self.name, self.world = name, world
        self.inside = world.links.neighbours[name].inside

    def called(self, name: str) -> str:
        return there(name, self.name) or name

    def person(self, by: str) -> str:
        return by.removeprefix(f"{self.name}/")

    def commission(self, taken: int) -> int:
        return 0 if self.inside else taken


def _sealed(of: _Teller, fact: kinds.PassSealed) -> Letter:
    bets = tuple(
        SealedBet(bet.seat, bet.amount, of.commission(bet.commission), 0, promo=bet.promo, chips=bet.chips)
        for bet in fact.bets
    )
    table = of.called(fact.table)
    return letters.BetsSealed(
        fact.pot, table, fact.number, fact.casino, bets, fact.closed, fact.plan, fact.dark
    )  # fmt: skip


def _over(of: _Teller, fact: kinds.PassClosed) -> Letter:
    return letters.PassOver(fact.pot, of.called(fact.table), fact.number, fact.reviewed, of.person(fact.by))


def _voided(of: _Teller, fact: kinds.HandsVoided) -> Letter:
    back = {bet.seat: of.commission(bet.commission) for bet in fact.undone}
    undone = tuple(Undone(one.seat, -one.total, back.get(one.seat, 0), 0) for one in fact.refunds)
    return letters.BetsVoided(
        fact.pot, of.called(fact.table), fact.number, fact.casino, fact.whole_pass, undone, fact.reason,
        of.person(fact.by), bool(undone) and not back,
    )  # fmt: skip


def _given(of: _Teller, fact: kinds.AwardPaid | kinds.AwardSetAside) -> Letter:
    aside = isinstance(fact, kinds.AwardSetAside)
    return letters.AwardGiven(fact.pot, of.called(fact.award), fact.amount, of.person(fact.by), aside)


def _advanced(of: _Teller, fact: kinds.AdvanceHeard) -> Letter:
    return letters.AdvanceGiven(fact.pot, of.called(fact.award), fact.amount, of.person(fact.by))


def _prize(of: _Teller, fact: kinds.PrizeGranted) -> Letter:
    return letters.PrizeDrawn(
        fact.pot, of.called(fact.claim), of.called(fact.table), fact.number, fact.casino, fact.prize, fact.seat,
        fact.amount, fact.promo, fact.paid_in, fact.card, of.person(fact.by),
    )  # fmt: skip


def _ready(_of: _Teller, fact: kinds.PlanReady) -> Letter:
    return letters.Ready(fact.pot, fact.plan)


_WRITE: dict[type, Callable[[_Teller, Any], Letter]] = {
    kinds.PassSealed: _sealed,
    kinds.PassClosed: _over,
    kinds.HandsVoided: _voided,
    kinds.AwardPaid: _given,
    kinds.AwardSetAside: _given,
    kinds.PrizeGranted: _prize,
    kinds.PlanReady: _ready,
    kinds.AdvanceHeard: _advanced,
}
