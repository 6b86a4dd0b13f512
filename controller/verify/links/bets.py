"""What the bets of a pass give and take back: to the pot, the house, the neighbour who owns the pot (R-22 to R-25).

Theory. The commission is taken once in each casino, by the node that stands above all its tables; every node on the way
works it out and finds the same, since there is one carry for a pot and a casino. What is left of a bet is allotted by
the owner of the pot alone, in the order of its own record. A pass of a neighbour's table is judged by the plan that it
was played under; what the plan does not allow is in dispute, and no pass.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from controller.verify import facts as kinds
from controller.verify.facts import Levels, Refund, SealedBet, Undone
from controller.verify.law import WHOLE
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.links.state import AwayTable
from controller.verify.links.taken import charged_as_told
from controller.verify.money import Fractions, Purse, Split, contribute, undo_bets
from controller.verify.money import Undone as BetsUndone
from controller.verify.people import DIGEST
from controller.verify.world import SECOND_READING, Pot, World
from controller.verify.wrong import must, must_be, shown, there


class Entered(NamedTuple):
    """A valid bet, before anything is made of it."""

    seat: int
    amount: int
    promo: int
    chips: int


class Taking(NamedTuple):
    """R-23: whether this casino's commission is known here, and whether it is this node that takes it."""

    known: bool
    here: bool


def taking(world: World, pot: Pot, neighbour: str = "") -> Taking:
    """R-23: at the node of the casino; what a box tells is gross, what a casino tells is net."""
    if neighbour:
        return Taking(known=True, here=world.links.neighbours[neighbour].inside)
    collects = not pot.above or not world.links.neighbours[pot.above].inside
    return Taking(known=collects, here=collects)


def hash_of_plan(plan: str, ruleset: str) -> str:
    """R-26: of both documents, with a line's end between them."""
    return hashlib.sha256((plan + "\n" + ruleset).encode()).hexdigest()


def plan_hash(pot: Pot) -> str:
    return hash_of_plan(pot.plan, pot.ruleset)


def prove_given(world: World, pot: Pot, entered: Iterable[Entered], fact: kinds.PassSealed, how: Taking) -> None:
    """R-22, R-23, R-24: every valid bet in seat order, with the fractions that were owed."""
    before, fractions = world.purse(pot), pot.fractions(fact.casino)
    purse = before.copy()
    right: list[SealedBet] = []
    for one in entered:
        split, over = _given(pot, purse, fractions, one.amount, how)
        right.append(
            SealedBet(one.seat, one.amount, split.commission, split.main, split.reserves, over, one.promo, one.chips)
        )
    if fact.bets != tuple(right):
        must_be([bet.seat for bet in fact.bets], [bet.seat for bet in right], "R-6", "las apuestas válidas")
        for found, wanted in zip(fact.bets, right, strict=True):
            must_be(found, wanted, "R-22", f"el reparto de la posición {found.seat}")
    commission = sum(bet.commission for bet in right)
    flow = (fact.flow.parts, fact.flow.house, fact.flow.commission)
    wanted_flow = (purse.moved_from(before), 0, commission if how.here else 0)
    must_be(flow, wanted_flow, "R-22", "lo que reciben el pozo y la comisión")
    _prove_fractions(fact, fractions)
    pot.keep(fact.casino, fractions)
    meters, over = pot.meters, sum(bet.overflow for bet in right)
    meters.wagered += sum(bet.amount for bet in right)
    meters.commission += commission
    meters.into_main += sum(bet.main for bet in right) - over
    meters.into_reserves += sum(sum(bet.reserves) for bet in right) + over
    meters.overflow += over


def _given(pot: Pot, purse: Purse, fractions: Fractions, amount: int, how: Taking) -> tuple[Split, int]:
    if not pot.above:
        return contribute(pot.law, purse, fractions, amount)
    return Split(_commission(pot, fractions, amount, how), (), 0), 0


def _commission(pot: Pot, fractions: Fractions, amount: int, how: Taking) -> int:
    """R-23: the same step as in a pot of our own; the rest is somebody else's to allot."""
    if not how.known:
        return 0
    taken, fractions.commission = divmod(fractions.commission + amount * pot.law.commission, WHOLE)
    return taken


def _prove_fractions(fact: kinds.PassSealed | kinds.HandsVoided, fractions: Fractions) -> None:
    right = (fractions.commission, tuple(fractions.reserves))
    must_be((fact.commission_carry, fact.reserve_carries), right, "R-23", "las fracciones que quedan")


def prove_taken_back(world: World, pot: Pot, bets: list[SealedBet], fact: kinds.HandsVoided, how: Taking) -> None:
    """R-25: what each bet had given, the last one first, from who has it; in a pot of another, what we had of it."""
    before, fractions = world.purse(pot), pot.fractions(fact.casino)
    purse = before.copy()
    undone = _undo_far(pot, fractions, bets, how) if pot.above else undo_bets(pot.law, purse, fractions, bets)
    if world.reading >= SECOND_READING:
        right = tuple(
            Undone(bet.seat, -bet.amount, back.commission, back.main, back.reserves, bet.overflow)
            for bet, back in zip(bets, undone.splits, strict=bool(undone.splits))
        )
        must_be(fact.undone, right, "R-25", "lo que cada apuesta había dado")
    flow = (fact.flow.parts, fact.flow.house, fact.flow.commission)
    taken = undone.commission if how.here else 0
    keeps_there = is_away(fact.table) and pot.law.void_undoes_nothing  # the house of its casino gave it back, there
    house = 0 if keeps_there else -undone.house
    cause = f"{fact.table}/{fact.number}"
    parts, house = charged_as_told(world, fact, cause, purse.moved_from(before), house)
    must_be(flow, (parts, house, taken), "R-25", "de dónde sale")
    _prove_fractions(fact, fractions)
    pot.keep(fact.casino, fractions)
    pot.meters.undone += sum(bet.amount for bet in bets)
    pot.meters.commission += undone.commission


def _undo_far(pot: Pot, fractions: Fractions, bets: list[SealedBet], how: Taking) -> BetsUndone:
    if pot.law.void_undoes_nothing:
        return BetsUndone(0, sum(bet.amount for bet in bets), ())
    backs = [Split(_commission(pot, fractions, -bet.amount, how), (), 0) for bet in reversed(bets)]
    return BetsUndone(sum(back.commission for back in backs), 0, tuple(reversed(backs)))


def prove_closed(world: World, pot: Pot, fact: kinds.PassClosed) -> None:
    """R-35: the levels of a pot of ours; of another's only its owner says how it stood."""
    purse = world.purse(pot)
    levels = None if pot.above else Levels(purse.main, pot.law.base, purse.reserves)
    must_be((fact.pot, fact.above), (pot.name, pot.above), "R-28", "el pozo, y quién lo tiene")
    must_be(fact.levels, levels, "R-35", "los niveles del pozo")
    must_be(fact.reviewed, pot.law.reviews, "R-35", "si se revisó cada mano que podía ganar")


# Tables of neighbours


def _of_neighbour(world: World, fact: kinds.PassSealed | kinds.HandsVoided | kinds.PassClosed) -> tuple[AwayTable, Pot]:
    """R-9, R-28: a node speaks for its own tables, and of the pot that they feed."""
    table = there(world.links.away.get(fact.table), "R-9", f"ningún plan enlaza la mesa {shown(fact.table)}")
    pot = world.pot(table.pot)
    must_be((fact.pot, fact.above), (table.pot, pot.above), "R-28", "el pozo, y quién lo tiene")
    world.links.heard_of(neighbour_of(fact.table), fact)
    return table, pot


def sealed_away(world: World, fact: kinds.PassSealed) -> None:
    """R-5, R-22, R-26: of bets that the plan allows; what was drawn and given back there stands in the other record."""
    table, pot = _of_neighbour(world, fact)
    must_be(fact.casino, table.casino, "R-28", "el casino")
    must(fact.number > table.number, "R-5", f"el último pase de la mesa {shown(table.name)} era el {table.number}")
    must_be(fact.plan, plan_hash(pot), "R-26", "el plan con que se jugó")
    must(bool(DIGEST.fullmatch(fact.closed)), "R-30", "la huella del pase")
    must(not (fact.draws or fact.returned), "R-28", "dice lo que solo sabe la mesa")
    seats = [bet.seat for bet in fact.bets]
    must(sorted(set(seats)) == seats, "R-7", "una posición dos veces, o en otro orden")
    must(
        all(1 <= seat <= table.game.seats for seat in (*seats, *fact.dark)), "R-7", "una posición que la mesa no tiene"
    )
    for bet in fact.bets:
        fits = pot.law.least <= bet.amount <= pot.law.most and not bet.amount % pot.law.credit
        must(fits and bet.promo + bet.chips <= bet.amount, "R-3", f"posición {bet.seat}: una apuesta de {bet.amount}")
    entered = [Entered(bet.seat, bet.amount, bet.promo, bet.chips) for bet in fact.bets]
    prove_given(world, pot, entered, fact, taking(world, pot, neighbour_of(table.name)))
    table.number, table.bets, table.dark, table.closed = fact.number, fact.bets, fact.dark, False
    if world.links.tells_of_boxes:
        world.links.neighbours[neighbour_of(table.name)].plays(pot.name)


def voided_away(world: World, fact: kinds.HandsVoided) -> None:
    """R-25: of the pass in progress; who it was given back to, and how, is known from the bets."""
    table, pot = _of_neighbour(world, fact)
    must(fact.sealed and not table.closed, "R-25", "el pase no estaba cerrado a las apuestas, o había terminado")
    must_be((fact.casino, fact.number), (table.casino, table.number), "R-25", "el casino y el pase")
    named = [refund.seat for refund in fact.refunds]
    bets = [bet for bet in table.bets if bet.seat in named]
    right = tuple(Refund(bet.seat, bet.amount - bet.promo - bet.chips, bet.promo, bet.chips) for bet in bets)
    must_be(fact.refunds, right, "R-25", "lo que se devuelve")
    prove_taken_back(world, pot, bets, fact, taking(world, pot, neighbour_of(table.name)))
    table.bets = tuple(bet for bet in table.bets if bet not in bets)
    table.closed = fact.whole_pass


def closed_away(world: World, fact: kinds.PassClosed) -> None:
    table, pot = _of_neighbour(world, fact)
    must_be((fact.number, table.closed), (table.number, False), "R-5", "el pase en curso")
    prove_closed(world, pot, fact)
    table.bets, table.dark, table.closed = (), (), True
