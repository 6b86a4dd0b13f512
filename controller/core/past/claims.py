"""The claims of a pot's past, as their facts left them: who was owed what, and what became of each award (R-34).

Theory. A correction compares what winners are owed with what they were given, and most of those claims left the state
long ago. Their facts are noted here one after the other; nothing is decided.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

from controller.core import facts as said
from controller.core.facts import Entry
from controller.core.values import Levels, RegisteredAward

Pass = tuple[str, int]
"""A table and the number of its pass."""


class Granted(NamedTuple):
    """An award of a claim as the record has it; `lost`: what the house already bears of it."""

    award: RegisteredAward
    paid: bool = False
    cancelled: bool = False
    lost: int = 0


class PastClaim(NamedTuple):
    """A claim as the record has it: whose it is, since when, and its awards by their full names."""

    table: str
    number: int
    casino: str
    at: int
    awards: dict[str, Granted]
    promo: bool = False


def is_prize(claim: str) -> bool:
    """R-29: the claims of complementary prizes are numbered p1, p2, ..."""
    return claim.rpartition("/")[2].startswith("p")


def prize_of(claim: str) -> str:
    """R-29: which prize of the plan: what is granted after a rejection to another seat has a number behind it."""
    return claim.rpartition("/")[2].partition("-")[0]


def pass_of(claim: str) -> Pass | None:
    """The pass that a claim's name names, if it is a claim's name."""
    table, _, rest = claim.partition("/")
    number, _, attempt = rest.partition("/")
    if not (table and number.isascii() and number.isdecimal() and len(number) < 16 and attempt):
        return None
    return table, int(number)


def prizes_in(fact: said.ClaimCorrected) -> set[str]:
    """R-29: the complementary prizes that a correction took back, or granted anew."""
    return {claim for claim in (fact.claim, *away_in(fact)) if is_prize(claim)}


def away_in(fact: said.ClaimCorrected) -> set[str]:
    """The claims of which a correction cancelled something, or said that it was paid for nothing."""
    awards = (*fact.cancelled, *(loss.award for loss in fact.lost if loss.amount > 0))
    return {name.rpartition("/")[0] for name in awards}


def levels_in(fact: said.Fact) -> Levels | None:
    """What a pot held then, where a fact says so."""
    match fact:
        case said.ClaimRegistered() | said.PrizeGranted():
            return fact.before
        case said.PassClosed() | said.TrainingStarted():
            return fact.levels
    return None


def winners_of(fact: said.ClaimCorrected) -> set[int]:
    """The seats that truly won, as a correction has them."""
    return {hand.seat for hand in fact.hands} - {one.seat for one in fact.unpaid}


Claims = dict[str, PastClaim]


def note(claims: Claims, entry: Entry) -> None:
    """What a fact makes of the claims so far."""
    part = _NOTES.get(type(entry.fact))
    if part is not None:
        part(claims, entry.at, entry.fact)


def _registered(claims: Claims, at: int, fact: said.ClaimRegistered) -> None:
    if fact.awards:
        claims[fact.claim] = PastClaim(fact.table, fact.number, fact.casino, at, {})
        _add(claims[fact.claim], fact.claim, fact.awards)


def _granted(claims: Claims, at: int, fact: said.PrizeGranted) -> None:
    award = RegisteredAward(1, fact.seat, fact.prize, fact.amount)
    paid = fact.promo and not fact.held
    held = {f"{fact.claim}/1": Granted(award, paid)}
    claims[fact.claim] = PastClaim(fact.table, fact.number, fact.casino, at, held, fact.promo)


def _added_late(claims: Claims, _at: int, fact: said.LateRegistered) -> None:
    if fact.claim in claims:
        _add(claims[fact.claim], fact.claim, fact.awards)


def _rejected(claims: Claims, _at: int, fact: said.ClaimRejected) -> None:
    if fact.claim in claims:
        of = claims[fact.claim].awards
        of.update({name: one._replace(cancelled=True) for name, one in of.items()})


def _corrected(claims: Claims, at: int, fact: said.ClaimCorrected) -> None:
    for name in fact.cancelled:
        _change(claims, name, lambda one: one._replace(cancelled=True))
    for loss in fact.lost:
        _change(claims, loss.award, partial(_lose, loss.amount))
    if fact.claim not in claims and (fact.awards or winners_of(fact)):
        claims[fact.claim] = PastClaim(fact.table, fact.number, fact.casino, fact.since or at, {})
    if fact.awards:
        _add(claims[fact.claim], fact.claim, fact.awards)
    for one in fact.resettled:  # they came after its place, and the anchor lies before it
        _add(claims[one.claim], one.claim, one.awards)


def _paid(claims: Claims, _at: int, fact: said.AwardPaid) -> None:
    _change(claims, fact.award, lambda one: one._replace(paid=True))


def _add(past: PastClaim, claim: str, awards: Iterable[RegisteredAward]) -> None:
    past.awards.update({f"{claim}/{award.number}": Granted(award) for award in awards})


def _lose(amount: int, one: Granted) -> Granted:
    return one._replace(lost=one.lost + amount)


def _change(claims: Claims, award: str, change: Callable[[Granted], Granted]) -> None:
    """Of a claim that lies behind the anchor nothing is known, and nothing asked."""
    past = claims.get(award.rpartition("/")[0])
    if past is not None:
        past.awards[award] = change(past.awards[award])


_NOTES: dict[type, Callable[[Claims, int, Any], None]] = {
    said.ClaimRegistered: _registered,
    said.PrizeGranted: _granted,
    said.LateRegistered: _added_late,
    said.ClaimRejected: _rejected,
    said.ClaimCorrected: _corrected,
    said.AwardPaid: _paid,
}
