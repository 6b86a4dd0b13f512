"""Advances on a percentage that waits for the owner of its pot, judged a second time (R-15 to R-20, R-28).

Theory. How much may be advanced follows from what the record has at that fact: the pot as its owner said it last, and
the claims of this node that nobody had decided yet, each settled again from its own hands in the order in which they
were asked. What an advance is given back from is whatever its seat was paid of that pass, first come, first taken.
"""

from collections.abc import Callable, Iterator

from controller.verify import claims as again
from controller.verify import facts as kinds
from controller.verify.claims import Owed
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.world import Award, Claim, World
from controller.verify.wrong import must, must_be


def advanced(world: World, fact: kinds.AwardAdvanced) -> None:
    """R-20: what waits and is not being corrected, by two, within what the plan lets the house risk."""
    claim, award = world.award(fact.award)
    must(not is_away(claim.table), "R-28", "su mesa es de un vecino: allí se adelanta")
    must(award.waits, "R-20", "ya no esperaba al dueño del pozo")
    must(not claim.frozen, "R-34", "su pase se está corrigiendo")
    must_be((fact.pot, fact.casino), (claim.pot, claim.casino), "R-28", "el pozo y el casino")
    must_be(fact.seat, award.granted.seat, "R-12", "la posición")
    must(bool(fact.reason.strip()), "R-27", "falta el motivo")
    law = world.pot(claim.pot).law
    most = _would_be(world, fact.award.rpartition("/")[0], fact.seat) * law.advance_percent // 100
    must(fact.amount > 0, "R-20", "no adelanta nada")
    award.advanced += fact.amount
    must(award.advanced <= most, "R-28", f"se adelantaron {award.advanced}, y se podía hasta {most}")
    signed = {fact.by, fact.second}
    must(bool(signed - award.entered), "R-36", f"lo firmó quien lo anotó: {', '.join(sorted(signed))}")
    above = law.none_registered_above
    apart = above is None or award.advanced <= above or not signed & award.entered
    must(apart, "R-36", f"{award.advanced} no los adelanta quien lo anotó")


def _would_be(world: World, name: str, seat: int) -> int:
    """R-20: had its owner decided now, on the pot as he said it last."""
    claim = world.claims[name]
    pot = world.pot(claim.pot)
    purse = world.purse(pot)
    owed: list[Owed] = []
    for other, (of, was, played) in world.undecided.items():
        if of.pot != claim.pot or other not in world.claims:
            continue
        bets = {bet.seat: bet.amount for bet in played.bets}
        judged = again.judge(played.law, played.game, bets, was.hands, was.community, played.dark)
        owed = again.settle(pot.law, purse, pot.law.base, judged.winners).awards
        if other == name:
            break
    return next(one.amount for one in owed if one.seat == seat)


def heard(world: World, fact: kinds.AdvanceHeard) -> None:
    """R-28: of a table of the neighbour who told it; it is between that casino and its player."""
    claim, award = world.award(fact.award)
    must(is_away(claim.table), "R-28", "su mesa es de este nodo: aquí se adelanta")
    world.links.heard_of(neighbour_of(claim.table), fact)
    must_be((fact.pot, fact.casino), (claim.pot, claim.casino), "R-28", "el pozo y el casino")
    must_be(fact.seat, award.granted.seat, "R-12", "la posición")
    must(fact.amount > 0 and not award.paid and not claim.prize, "R-20", "no podía adelantarse")
    award.advanced += fact.amount


def take_advanced(world: World, claim: Claim, fact: kinds.AwardPaid) -> int:
    """R-20: how much of a payment goes to the house that had advanced it; it is owed to it no more."""
    if claim.prize or is_away(claim.table):
        return 0
    left = fact.amount
    for award in _of_seat(world, claim, fact.seat):
        back = min(left, award.advanced)
        award.advanced, left = award.advanced - back, left - back
    return fact.amount - left


def _of_seat(world: World, claim: Claim, seat: int) -> Iterator[Award]:
    """R-7, R-34: one player, in all claims of the hands of his pass."""
    of = (claim.table, claim.number)
    for one in world.claims.values():
        if not one.prize and (one.table, one.number) == of:
            yield from (award for award in one.awards.values() if award.granted.seat == seat)


CHECKS: dict[type, Callable[..., None]] = {kinds.AwardAdvanced: advanced, kinds.AdvanceHeard: heard}
