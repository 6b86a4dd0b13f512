"""The money on a seat beside its bets: bought, cashed, set aside, owed back, counted (R-1, R-2, R-4, R-26, R-36).

Theory. Only persons move it. What a player had and did not take stays his, and what a count by hand finds differs from
the book in suspense, which two persons clear.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.world import SECOND_READING, Seat, Table, World
from controller.verify.wrong import must, must_be, shown

MOST_BET = 10**10
_BETS_ALONE = 10


def _prove_practice(
    world: World, table: Table, fact: kinds.CreditsBought | kinds.CreditsCashed | kinds.LeftPaid
) -> None:
    """R-36: where a table trains nothing is sold for cash, and only there nothing is paid."""
    right = table.is_training and world.reading >= 2
    must_be(fact.practice, right, "R-36", "si es práctica, sin dinero")


def bought(world: World, fact: kinds.CreditsBought) -> None:
    """R-1, R-2: whole credits, at a seat that plays."""
    table = world.table(fact.table)
    _prove_practice(world, table, fact)
    credit = world.pots[table.pot].law.credit
    must(not table.seat(fact.seat).is_out, "R-6", "la posición estaba cerrada")
    must(0 < fact.amount <= MOST_BET and fact.amount % credit == 0, "R-1", "no son créditos enteros")
    if world.reading >= SECOND_READING:
        right = "" if table.is_training else world.pots[table.pot].law.credits_for
        must_be(fact.paid_in, right, "R-29", "con qué se compraron")


def cashed(world: World, fact: kinds.CreditsCashed) -> None:
    """R-2: all of them."""
    table = world.table(fact.table)
    table.seat(fact.seat)
    _prove_practice(world, table, fact)
    held = world.at_seat("credits", fact.table, fact.seat)
    must(0 < held == fact.amount, "R-2", "no son todos los créditos de la posición")
    _stays(world, fact)


def left(world: World, fact: kinds.CreditsLeft) -> None:
    """All of them; promotional ones lapse (R-29)."""
    table = world.table(fact.table)
    table.seat(fact.seat)
    right = tuple(world.at_seat(kind, fact.table, fact.seat) for kind in ("credits", "promo"))
    must_be((fact.amount, fact.lapsed), right, "R-2", "los créditos de la posición")
    must(any(right), "R-2", "no había créditos")
    _stays(world, fact)
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")


def left_paid(world: World, fact: kinds.LeftPaid) -> None:
    table = world.table(fact.table)
    _prove_practice(world, table, fact)
    held = world.set_aside(table)
    must(1 <= fact.amount <= held, "R-18", "no había tanto apartado")


def owed_paid(world: World, fact: kinds.OwedPaid) -> None:
    """R-4: all of it; chips handed back no longer count towards a bet."""
    table = world.table(fact.table)
    seat = table.seat(fact.seat)
    owed = world.at_seat("owed", fact.table, fact.seat)
    must(0 < owed == fact.amount, "R-4", "no es lo que se debía")
    _prove_told(world, table, seat, fact)
    _stays(world, fact)
    seat.slot = seat.bet if seat.slot else 0


def _prove_told(world: World, table: Table, seat: Seat, fact: kinds.OwedPaid) -> None:
    """R-4, R-37: a chief was told of what a slot took beyond a bet; above ten largest bets two handed it back."""
    if not seat.over:
        must(not fact.told, "R-4", "se avisó a un jefe de lo que estaba dentro de los límites")
        return
    told = world.people.get(fact.told)
    must(told is not None and "chief" in told.roles, "R-4", f"avisado {shown(fact.told)}, que no es un jefe")
    seat.over_paid += seat.over
    alone = seat.over_paid <= _BETS_ALONE * world.pots[table.pot].law.most
    must(alone or bool(fact.second), "R-37", f"una sola persona devolvió {seat.over_paid} en la jornada")
    seat.over = 0


def counted(world: World, fact: kinds.SeatCounted) -> None:
    """The difference from the book stands in suspense."""
    table = world.table(fact.table)
    seat = table.seat(fact.seat)
    must_be(fact.booked, world.at_seat("credits", fact.table, fact.seat), "R-27", "lo que decía el libro")
    must((fact.found != fact.booked or seat.doubted) and fact.found <= MOST_BET, "R-27", "lo contado")
    seat.keep_unsigned(world.cashable(table, fact.seat) - fact.booked + fact.found + seat.bet)
    if seat.doubted:  # its unit is looked at anew
        seat.device, seat.bounds, seat.giving_back, seat.doubted = None, None, 0, False


def _stays(world: World, fact: kinds.CreditsCashed | kinds.CreditsLeft | kinds.OwedPaid) -> None:
    """R-36: what a void after the lock gave back stays until a chief signed it."""
    table = world.table(fact.table)
    left_there = world.cashable(table, fact.seat) - fact.amount
    must(table.seat(fact.seat).unsigned <= left_there, "R-36", "de una anulación sin la firma de un jefe")


def void_signed(world: World, fact: kinds.VoidSigned) -> None:
    """R-36: all of it, by a chief who entered none of it."""
    seat = world.table(fact.table).seat(fact.seat)
    must(0 < fact.amount == seat.unsigned, "R-36", "no es lo que esperaba una firma")
    must(fact.by not in seat.voided_by, "R-36", f"firma {shown(fact.by)}, que lo anotó")
    seat.keep_unsigned(0)


def cleared(world: World, fact: kinds.SuspenseCleared) -> None:
    """R-26: all of it."""
    table = world.table(fact.table)
    suspense = world.books.at(f"suspense:{table.name}")
    must(suspense != 0 and fact.amount == -suspense, "R-27", "no es la diferencia sin explicar")
    must_be((fact.pot, fact.casino), (table.pot, table.casino), "R-28", "el pozo y el casino")


CHECKS: dict[type, Callable[..., None]] = {
    kinds.CreditsBought: bought,
    kinds.CreditsCashed: cashed,
    kinds.CreditsLeft: left,
    kinds.LeftPaid: left_paid,
    kinds.OwedPaid: owed_paid,
    kinds.SeatCounted: counted,
    kinds.SuspenseCleared: cleared,
    kinds.VoidSigned: void_signed,
}
