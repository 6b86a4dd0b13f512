"""Claims on the pot of a neighbour: asked here, decided where the pot is, and judged in both records (R-15 to R-21).

Theory. What is asked is judged by the hands like any claim: a multiple or a fixed amount is certain, a percentage has
none yet. What was decided is settled again from the pot as its owner said that he found it, by this program's own
settlement and under the law of the pass: every amount, from which part it came, the base, and the pot behind it.
"""

from collections.abc import Callable

from controller.verify import claims as again
from controller.verify import facts as kinds
from controller.verify.awards import levels_of, played_of, prove_awards, prove_base, prove_judged, prove_levels
from controller.verify.claims import Owed
from controller.verify.law import Law
from controller.verify.money import Purse
from controller.verify.world import Award, Claim, World
from controller.verify.wrong import must, must_be, shown, there


def asked(world: World, fact: kinds.ClaimAsked) -> None:
    """R-13, R-14, R-20: all winners in paying order; certain amounts, and which awards wait."""
    played = played_of(world, fact)
    pot, law = world.pot(played.pot), played.law
    must(bool(pot.above), "R-28", "el pozo es de este nodo: nadie lo decide por él")
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    judged = prove_judged(world, played, fact)
    purse = world.purse(pot)
    owed = again.settle(law, purse.copy(), pot.law.base, judged.winners).awards
    right = [_asked(law, one) for one in owed]
    waiting = tuple(number for number, one in enumerate(owed, 1) if law.paytable[one.prize].ppm)
    must_be(fact.waiting, waiting, "R-20", "los premios que esperan al dueño del pozo")
    prove_awards(fact.awards, right, 1)
    claim = Claim(played, fact.number, world.at, levels_of(purse, pot.law.base))
    claim.hands = fact.hands
    world.undecided[fact.claim] = (claim, fact, played)  # as it was asked, whatever becomes of the pass meanwhile
    if fact.awards:
        world.claims[fact.claim] = claim
    bets = {bet.seat: bet.amount for bet in played.bets}
    for one in fact.awards:
        award = claim.awards[f"{fact.claim}/{one.number}"] = Award(one, claim.at, fact.by)
        award.waits, award.bet = one.number in waiting, bets[one.seat]


def _asked(law: Law, owed: Owed) -> Owed:
    """What of an award is certain."""
    amount = 0 if law.paytable[owed.prize].ppm else owed.amount
    return owed._replace(amount=amount, parts={}, house=0)


def decided(world: World, fact: kinds.ClaimDecided) -> None:
    """R-15 to R-20: once, and exactly what the law gives on the pot that its owner found."""
    world.links.heard_of(fact.above, fact)
    asked = (name for name, one in world.undecided.items() if name in world.claims and one[0].pot == fact.pot)
    world.links.skipped |= next(asked, fact.claim) != fact.claim
    claim, was, played = there(
        world.undecided.pop(fact.claim, None), "R-20", f"nadie esperaba los premios {shown(fact.claim)}"
    )
    pot, law = world.pot(claim.pot), played.law
    of = (fact.table, fact.number, fact.pot, fact.casino, fact.above)
    must_be(of, (claim.table, claim.number, claim.pot, claim.casino, pot.above), "R-28", "de qué se decide")
    must_be(fact.before.base, pot.law.base, "R-19", "la base del pozo")
    purse = Purse(fact.before.main, fact.before.reserves)
    if fact.left:
        must_be(fact.after, fact.before, "R-28", "el pozo, que no dio nada")
    bets = {bet.seat: bet.amount for bet in played.bets}
    judged = again.judge(law, played.game, bets, was.hands, was.community, played.dark)
    settled = again.settle(law, purse, pot.law.base, judged.winners)
    if fact.left:
        is_here = fact.claim in world.claims
        right = [_borne(claim, fact, one, number) for number, one in enumerate(settled.awards if is_here else [], 1)]
        prove_awards(fact.awards, right, 1)
        prove_base(fact.base_back, None)
        claim.left = fact.left
    else:
        prove_awards(fact.awards, settled.awards, 1)
        prove_base(fact.base_back, settled.base)
        prove_levels(fact.after, levels_of(purse, pot.law.base), "el pozo después")
    claim.doubted = ""
    waited = tuple(award.granted.number for award in claim.awards.values() if award.waits)
    must_be(fact.waited, waited, "R-20", "los premios que esperaban")
    for one in fact.awards:
        award = claim.awards[f"{fact.claim}/{one.number}"]
        certain = award.waits or award.granted.amount == one.amount
        must(certain, "R-14", f"posición {one.seat}: lo que era seguro era {award.granted.amount}")
        award.granted, award.waits = one, False
        pot.meters.hit(world.at, f"{fact.claim}/{one.number}", one)


def _borne(claim: Claim, fact: kinds.ClaimDecided, owed: Owed, number: int) -> Owed:
    """R-28: what waited, all from the house; what was certain, as it was asked."""
    waits = claim.awards[f"{fact.claim}/{number}"].waits
    return owed._replace(parts={}, house=owed.amount if waits else 0)


def doubted(world: World, fact: kinds.ClaimDoubted) -> None:
    """R-21, R-28: of a claim that waits, said by the owner of its pot."""
    world.links.heard_of(fact.above, fact)
    must(fact.claim in world.undecided and fact.claim in world.claims, "R-28", f"{shown(fact.claim)} no esperaba")
    claim = world.claims[fact.claim]
    of = (fact.table, fact.number, fact.pot, fact.above)
    must_be(of, (claim.table, claim.number, claim.pot, world.pot(claim.pot).above), "R-28", "de qué se duda")
    must(bool(fact.why.strip()), "R-28", "falta por qué no se creyó")
    claim.doubted = fact.why


def charged(world: World, fact: kinds.HouseCharged) -> None:
    """R-18, R-25: at the casino where it happened, by a table of this node or of one below."""
    world.links.heard_of(fact.above, fact)
    pot = world.pot(fact.pot)
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    must(fact.amount > 0, "R-18", "la casa no pone nada")
    must_be((fact.pot, fact.casino), world.feeds(fact.table), "R-28", "el pozo y el casino de la mesa")


CHECKS: dict[type, Callable[..., None]] = {
    kinds.ClaimAsked: asked,
    kinds.ClaimDecided: decided,
    kinds.ClaimDoubted: doubted,
    kinds.HouseCharged: charged,
}
