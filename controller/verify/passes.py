"""The pass of a table: opened, locked, proven, sealed, closed, or void, each in its turn (R-5, R-6, R-22 to R-25).

Theory. When a pass is sealed every seat has been proven and every lamp has said what it is. The valid bets are those
that were seen lit; each is split again, in seat order, with the fractions the pot and the casino were owed, and all
the rest goes back. Undoing is computed again in the same way. A pass of a neighbour's table is judged in links/bets.py.
"""

import hashlib
from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.facts import Refund, SealedBet
from controller.verify.links.bets import (
    Entered,
    closed_away,
    plan_hash,
    prove_closed,
    prove_given,
    prove_taken_back,
    sealed_away,
    taking,
    voided_away,
)
from controller.verify.links.names import is_away
from controller.verify.links.neighbours import prove_may_open
from controller.verify.links.plans import prove_open_to_passes
from controller.verify.seats import bet_in_vain, give_back, refund_of
from controller.verify.world import BETWEEN, LOCKING, OPEN, SEALED, SECOND_READING, Seat, Table, World
from controller.verify.wrong import must, must_be


def opened(world: World, fact: kinds.PassOpened) -> None:
    """R-5: one after the other, on a gaming day."""
    table = world.table(fact.table)
    must(table.phase == BETWEEN, "R-5", "había un pase en curso")
    must_be(fact.number, table.number + 1, "R-5", "el número del pase")
    must(world.day is not None or table.is_training, "R-27", "no había un día de juego abierto")
    if not table.is_training:
        prove_may_open(world, world.pots[table.pot])
        prove_open_to_passes(world, table)
    table.number, table.phase = fact.number, OPEN


def locked(world: World, fact: kinds.Locked) -> None:
    table = _in_phase(world, fact, OPEN)
    eyes = [
        number
        for number, seat in enumerate(table.seats, 1)
        if seat.bet and seat.lamp == "lit" and seat.lamp_by == "croupier"
    ]
    must_be(fact.attested, tuple(eyes), "R-6", "las luces que el cierre atestigua")
    table.phase = LOCKING


def closed(world: World, fact: kinds.PassClosed) -> None:
    """R-35: with the pot's levels, which a winner found later is settled on."""
    if is_away(fact.table):
        closed_away(world, fact)
        return
    table = _in_phase(world, fact, SEALED)
    must(not table.draws, "R-29", "faltaba un sorteo de este pase")
    if world.reading >= SECOND_READING:
        prove_closed(world, world.pots[table.pot], fact)
    table.end_pass()


def _in_phase(world: World, fact: kinds.OfPass, phase: str) -> Table:
    table = world.table(fact.table)
    if (table.phase, table.number) != (phase, fact.number):
        must_be(fact.number, table.number, "R-5", "el número del pase")
        must(False, "R-5", f"el pase estaba {table.phase}, no {phase}")
    return table


def sealed(world: World, fact: kinds.PassSealed) -> None:
    """R-5, R-6, R-22, R-23, R-24, R-30."""
    if is_away(fact.table):
        sealed_away(world, fact)
        return
    table = _in_phase(world, fact, LOCKING)
    pot = world.pots[table.pot]
    right_plan = plan_hash(pot) if pot.above else ""
    must_be((fact.above, fact.plan), (pot.above, right_plan), "R-28", "quién tiene el pozo, y con qué plan se jugó")
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")
    for number, seat in enumerate(table.seats, 1):
        proven = seat.proven or seat.is_out or seat.device is None  # read back locked, out of play, without a unit
        must(proven, "R-5", "una posición no había probado que está cerrada", f"fact {world.seq}")
        if seat.bet and not seat.is_out and seat.device is not None:
            must(seat.lamp != "dark", "R-6", f"faltaba saber de la luz de la posición {number}")
    valid = [(number, seat) for number, seat in enumerate(table.seats, 1) if seat.bet and seat.lamp == "lit"]
    others = [(number, seat) for number, seat in enumerate(table.seats, 1) if seat.bet and seat.lamp != "lit"]
    bets = [Entered(number, seat.bet, seat.promo, seat.bet if seat.slot else 0) for number, seat in valid]
    prove_given(world, pot, bets, fact, taking(world, pot))
    must_be(fact.closed, _closed_hash(world, table, fact.bets), "R-30", "la huella del pase")
    table.last_sealed = fact.number
    has_seed = world.day is not None and not world.day.lost
    due = [
        random.name
        for random in pot.law.randoms
        if has_seed
        and valid
        and not table.is_training
        and not (random.within_minutes and random.name in pot.given_today)
    ]
    must_be(fact.draws, tuple(due), "R-29", "los sorteos que corresponden")
    right = tuple(refund_of(seat, number) for number, seat in others)
    must_be(fact.returned, right, "R-6", "las apuestas que se devuelven")
    must_be(fact.dark, tuple(sorted(table.dark)), "R-6", "las apuestas que ya habían vuelto por su luz")
    for (number, seat), refund in zip(others, fact.returned, strict=True):
        give_back(seat, number, refund, pot.law.credit)
        bet_in_vain(world, table, number)
    # what was bet again went into the pots; what was returned here comes with the lines of this fact.
    returned = {refund.seat: refund.cash + refund.chips for refund in fact.returned}
    for number, seat in enumerate(table.seats, 1):
        seat.keep_unsigned(world.cashable(table, number) + returned.get(number, 0))
    table.phase, table.bets, table.sealed_at = SEALED, fact.bets, world.at
    table.closed_hash, table.draws = fact.closed, due
    table.skipped = world.day.skipped if world.day else 0


def _closed_hash(world: World, table: Table, bets: tuple[SealedBet, ...]) -> str:
    """R-30: of the node, the table, the pass, the instant, and every valid bet."""
    text = f"{world.node}/{table.name}/{table.number}/{world.at}\n"
    text += "".join(f"{bet.seat} {bet.amount} {bet.promo} {bet.chips}\n" for bet in bets)
    return hashlib.sha256(text.encode()).hexdigest()


def voided(world: World, fact: kinds.HandsVoided) -> None:
    """R-25: every bet of the pass, or one; before the seal off the table, after it out of the pots."""
    if is_away(fact.table):
        voided_away(world, fact)
        return
    table = world.table(fact.table)
    must(table.phase != BETWEEN and table.number == fact.number, "R-25", "el pase no estaba en curso")
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")
    must_be(fact.sealed, table.phase == SEALED, "R-25", "si el pase estaba sellado")
    named = [refund.seat for refund in fact.refunds]
    must(fact.whole_pass or len(named) == 1, "R-25", "una mano anulada es de una posición")
    if fact.sealed:
        _undo_sealed(world, table, named, fact)
    else:
        _undo_open(world, table, named, fact)
    if world.reading >= 2:
        must(bool(fact.reason.strip()), "R-36", "una anulación tiene un motivo")
        for refund in fact.refunds if table.phase != OPEN else ():
            _await_a_chief(table.seat(refund.seat), refund, fact.by)
    if fact.whole_pass:
        table.end_pass()


def _await_a_chief(seat: Seat, refund: Refund, by: str) -> None:
    """R-36: after the lock a void is entered by one, and its money is not cashed before a chief signed."""
    if refund.cash + refund.chips:
        seat.unsigned += refund.cash + refund.chips
        seat.voided_by.add(by)


def _undo_open(world: World, table: Table, named: list[int], fact: kinds.HandsVoided) -> None:
    betting = [number for number, seat in enumerate(table.seats, 1) if seat.bet]
    must_be(named, betting if fact.whole_pass else named, "R-25", "las posiciones que se devuelven")
    flow = (fact.flow.parts, fact.flow.house, fact.flow.commission)
    must_be((flow, fact.commission_carry, fact.reserve_carries), (({}, 0, 0), 0, ()), "R-25", "lo que mueve")
    for refund in fact.refunds:
        give_back(table.seat(refund.seat), refund.seat, refund, world.pots[table.pot].law.credit)


def _undo_sealed(world: World, table: Table, named: list[int], fact: kinds.HandsVoided) -> None:
    """R-25: impossible while an award of what is void is held or paid."""
    is_asked = (table.name, table.number) in world.links.awaited.values()  # what was won the pot's owner cancels
    won = [] if is_asked else _won(world, table, named)
    must(not won, "R-25", f"este pase tenía premios registrados ({', '.join(won)})")
    must((world.due_void or frozenset()) <= set(named), "R-25", "la corrección era por la anulación de otras manos")
    world.due_void = None
    bets = [bet for bet in table.bets if fact.whole_pass or bet.seat in named]
    right = tuple(Refund(bet.seat, bet.amount - bet.promo - bet.chips, bet.promo, bet.chips) for bet in bets)
    must_be(fact.refunds, right, "R-25", "lo que se devuelve")
    pot = world.pots[table.pot]
    must_be(fact.above, pot.above, "R-28", "quién tiene el pozo")
    prove_taken_back(world, pot, bets, fact, taking(world, pot))
    for refund in fact.refunds:
        give_back(table.seat(refund.seat), refund.seat, refund, pot.law.credit)
    table.bets = tuple(bet for bet in table.bets if bet not in bets)
    if not table.bets:
        table.draws = []
    _win_nothing(world, table)


def _won(world: World, table: Table, named: list[int]) -> list[str]:
    """R-25: the awards of these seats; under the first reading, every award of the pass."""
    pass_ = (table.name, table.number)
    claims = [claim for claim in world.claims.values() if (claim.table, claim.number) == pass_ and not claim.rejected]
    if world.reading < SECOND_READING:
        return [name for claim in claims for name in claim.awards]
    awards = [one for claim in claims for one in claim.awards.items()]
    return [name for name, award in awards if award.granted.seat in named and not award.cancelled]


def _win_nothing(world: World, table: Table) -> None:
    """R-25, R-34: what was given back wins nothing, also where a rejected claim of the pass is registered anew."""
    for claim in world.claims.values():
        if (claim.table, claim.number) == (table.name, table.number):
            claim.played = claim.played._replace(bets=table.bets)


CHECKS: dict[type, Callable[..., None]] = {
    kinds.PassOpened: opened,
    kinds.Locked: locked,
    kinds.PassSealed: sealed,
    kinds.HandsVoided: voided,
    kinds.PassClosed: closed,
}
