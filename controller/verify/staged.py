"""What a plan must say to be staged under the second reading of the rules, asked a second time (R-22, R-26, R-28).

Theory. A plan of an older record may lack it, so it is asked only of plans that were staged since. Whether its main pot
can only shrink by complementary prizes is counted for the play that is kindest to it: every seat of every table bets
the most, each table plays as often as the others, and what falls once a day costs nothing beside so many passes.
"""

from fractions import Fraction

from controller.verify.law import WHOLE, Game, Law, Random
from controller.verify.money import MAIN
from controller.verify.wrong import must

_DEALS = 2_598_960
_HITS = {"escalera": 10_200, "color": 5_108, "full": 3_744, "poker": 624}


def prove_approvable(law: Law) -> None:
    casinos = {casino for casino, _ in law.tables.values()}
    must(len(casinos) == 1 or bool(law.registration), "R-26", "falta el registro del pozo entre casinos")
    must(_cost(law) < _kept(law), "R-22", "los premios complementarios vacían el pozo principal")


def _kept(law: Law) -> Fraction:
    """What the main pot keeps of each unit wagered in the highest bets, its fixed prizes paid."""
    kept = Fraction(WHOLE - law.commission, WHOLE) * Fraction(WHOLE - sum(law.reserves.values()), WHOLE)
    owed_for = law.most if law.unit_once else law.unit
    for name, prize in law.paytable.items():
        if not prize.ppm:
            kept -= Fraction(_HITS[name], _DEALS) * (prize.times + Fraction(prize.per_unit, owed_for))
    return kept


def _cost(law: Law) -> Fraction:
    """What its complementary prizes take of each unit wagered there."""
    games = [game for _, game in law.tables.values()]
    wagered = sum(game.seats for game in games) * law.most
    paid = [one for one in law.randoms if one.source == MAIN and one.one_in]
    return sum((_in_pass(one, game) for one in paid for game in games), Fraction(0)) / wagered


def _in_pass(one: Random, game: Game) -> Fraction:
    """R-29: a card is dealt to one of the full seats, or to none."""
    dealt = min(game.seats * game.own, 52) if one.drawn == "card" else 52
    return Fraction(one.amount * dealt, one.one_in * 52)
