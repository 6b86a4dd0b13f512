"""The money on a seat: credits bought, cashed, left over, and what is owed back (R-1, R-2, R-4).

Theory. Only the croupier moves credits; where a table trains nobody pays for them, nor is paid (R-36). A bet moves
them only through its unit. Whatever a player had and did not take is still his: what is left over is set aside by the
table, what a slot took too much is owed until it is handed back. What a count by hand finds differs from the book in
suspense, which must be nothing, and which two persons clear.

After the lock a player has seen that he will not win, perhaps his cards too; a void gives his bet back, and the
croupier enters it at once, alone. So that nobody decides alone about money that he entered (R-36), what it gives back
can be bet again but is not cashed before a chief signs who did not enter it. What is bet again lies in the bet until
its pass is sealed; then it is gone, and nothing is left to sign.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.core import facts as said
from controller.core.inputs import (
    BuyCredits,
    CashOut,
    ClearSuspense,
    CountSeat,
    LeaveCredits,
    PayLeft,
    PayOwed,
    SignVoid,
)
from controller.core.state import Seat, State, Table, plan_at, with_seat, with_table
from controller.core.values import Lamp, Refund, Role
from controller.rules.money import MOST_BET, Money
from controller.rules.refusal import Reason, Refusal, refuse


def buy(state: State, table: Table, seat: Seat, asked: BuyCredits) -> tuple[said.CreditsBought] | Refusal:
    """R-2: at an open seat, in whole credits; under AJ for chips, and the record says so (R-29)."""
    value = plan_at(state, table).limits.credit_value
    most = MOST_BET // value
    if not 1 <= asked.credits <= most:
        return refuse(Reason.AMOUNT_WRONG, "credits", amount=asked.credits, most=most)
    if seat.out_of_play:
        return refuse(Reason.SEAT_CLOSED, "seat", seat=seat.number)
    assert value > 0, "R-1: a credit is worth something"
    payment = plan_at(state, table).ruleset.payment
    paid_in = payment.credits_for.value if payment is not None and not table.training else ""
    amount, by = asked.credits * value, asked.by.person
    return (said.CreditsBought(table.name, seat.number, amount, by, table.training, paid_in),)


def cash_out(_state: State, table: Table, seat: Seat, asked: CashOut) -> tuple[said.CreditsCashed] | Refusal:
    """R-2: all of them; promotional ones are never cash (R-29)."""
    if not seat.credits:
        return refuse(Reason.NOTHING_THERE, "seat", what=f"créditos en la posición {seat.number}")
    assert seat.credits > 0, "R-18: nothing is negative"
    return refuse_unsigned(seat, seat.credits) or (
        said.CreditsCashed(table.name, seat.number, seat.credits, asked.by.person, table.training),
    )


def leave(_state: State, table: Table, seat: Seat, asked: LeaveCredits) -> tuple[said.CreditsLeft] | Refusal:
    """R-36: the player is gone; two set his credits aside, promotional ones lapse (R-29)."""
    if not seat.credits and not seat.promo:
        return refuse(Reason.NOTHING_THERE, "seat", what=f"créditos en la posición {seat.number}")
    assert not seat.bet or seat.bet > 0, "a bet stays where it is"
    refusal = refuse_unsigned(seat, seat.credits)
    if refusal is not None:
        return refusal
    by = asked.by.person
    second = asked.second.person
    return (said.CreditsLeft(table.name, seat.number, seat.credits, by, seat.promo, table.pot, table.casino, second),)


def pay_left(_state: State, table: Table, asked: PayLeft) -> tuple[said.LeftPaid] | Refusal:
    if not 1 <= asked.amount <= table.left:
        return refuse(Reason.NOT_ENOUGH, "amount", part="lo apartado", held=table.left, amount=asked.amount)
    assert table.left > 0, "something is set aside"
    return (said.LeftPaid(table.name, asked.amount, asked.by.person, asked.second.person, table.training),)


MOST_BETS_ALONE = 10


def pay_owed(state: State, table: Table, seat: Seat, asked: PayOwed) -> tuple[said.OwedPaid] | Refusal:
    """R-4: handed back, after a chief was told of what a slot took beyond the bet."""
    if not seat.owed:
        return refuse(Reason.NOTHING_THERE, "seat", what=f"nada que devolver en la posición {seat.number}")
    assert seat.owed > 0, "R-18: nothing is negative"
    refusal = refuse_unsigned(seat, seat.owed) or _refuse_untold(state, table, seat, asked)
    second = asked.second.person if asked.second is not None else ""
    return refusal or (
        said.OwedPaid(table.name, seat.number, seat.owed, asked.by.person, asked.told if seat.over else "", second),
    )


def _refuse_untold(state: State, table: Table, seat: Seat, asked: PayOwed) -> Refusal | None:
    """R-4, R-37: what a void gave back as chips needs nobody to be told; it was within the limits."""
    if not seat.over:
        return None
    if not asked.told:
        return refuse(Reason.CHIEF_NOT_TOLD, "told", amount=seat.over)
    chief = state.people.get(asked.told)
    if chief is None or Role.CHIEF not in chief.roles:
        return refuse(Reason.NOT_A_CHIEF, "told", person=asked.told)
    most = MOST_BETS_ALONE * plan_at(state, table).limits.most
    assert 0 < seat.over <= seat.owed, "R-4: a part of what is owed"
    if asked.second is None and seat.over_paid + seat.over > most:
        return refuse(Reason.TWO_PERSONS_NEEDED, "second")
    return None


def count(
    _state: State, table: Table, seat: Seat, asked: CountSeat
) -> tuple[said.SeatCounted | said.NothingNew] | Refusal:
    """What a person found on the seat is what the player has; the difference waits for an explanation."""
    if not 0 <= asked.found <= MOST_BET:
        return refuse(Reason.AMOUNT_WRONG, "found", amount=asked.found, most=MOST_BET)
    if asked.found == seat.credits and not seat.doubted:
        return (said.NothingNew("un conteo igual al libro"),)
    assert seat.credits >= 0, "R-18: nothing is negative"
    return (said.SeatCounted(table.name, seat.number, asked.found, seat.credits, asked.by.person, asked.second.person),)


def clear(_state: State, table: Table, asked: ClearSuspense) -> tuple[said.SuspenseCleared] | Refusal:
    """The house takes over what nobody could explain."""
    if not table.suspense:
        return refuse(Reason.NOTHING_THERE, "table", what=f"diferencias sin explicar en la mesa {table.name}")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        said.SuspenseCleared(
            table.name,
            -table.suspense,
            table.pot,
            table.casino,
            asked.reason,
            asked.by.person,
            asked.second.person,
        ),
    )


def bought(state: State, fact: said.CreditsBought) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert fact.amount > 0, "R-1: at least one credit"
    return with_seat(state, table, replace(seat, credits=seat.credits + fact.amount))


def cashed(state: State, fact: said.CreditsCashed) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.credits == fact.amount, "R-2: all of them"
    return with_seat(state, table, replace(seat, credits=0))


def set_aside(state: State, fact: said.CreditsLeft) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert (seat.credits, seat.promo) == (fact.amount, fact.lapsed), "all of them"
    state = with_seat(state, table, replace(seat, credits=0, promo=0))
    return with_table(state, replace(state.tables[fact.table], left=table.left + fact.amount))


def left_paid(state: State, fact: said.LeftPaid) -> State:
    table = state.tables[fact.table]
    assert table.left >= fact.amount, "R-18: nothing is negative"
    return with_table(state, replace(table, left=table.left - fact.amount))


def owed_paid(state: State, fact: said.OwedPaid) -> State:
    """R-4: chips that were handed back no longer count towards a bet."""
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.owed == fact.amount, "R-4: all of it"
    # `slot` is what counts towards the bet when more chips fall; those that were handed back do not lie in it any more.
    paid = seat.over_paid + seat.over
    return with_seat(state, table, replace(seat, over=0, over_paid=paid, owed=0, slot=seat.bet if seat.slot else 0))


def counted(state: State, fact: said.SeatCounted) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.credits == fact.booked, "the book as it was"
    after = still_unsigned(replace(seat, credits=fact.found), in_bet=seat.bet)
    if seat.doubted:
        # two persons looked; what its unit says next is where counting starts.
        after = replace(after, device=None, giving_back=0, bounds=None, counted=None, doubted=False)
    state = with_seat(state, table, after)
    return with_table(state, replace(state.tables[fact.table], suspense=table.suspense + fact.booked - fact.found))


def cleared(state: State, fact: said.SuspenseCleared) -> State:
    table = state.tables[fact.table]
    assert table.suspense + fact.amount == 0, "all of it"
    return with_table(state, replace(table, suspense=0))


def refund_of(seat: Seat) -> Refund:
    """R-25: what is given back of a bet, in the form in which it was made."""
    assert seat.bet > 0 and 0 <= seat.bet_promo <= seat.bet, "R-25: a bet is given back"
    if seat.slot:
        return Refund(seat.number, chips=seat.bet)
    return Refund(seat.number, cash=seat.bet - seat.bet_promo, promo=seat.bet_promo)


def given_back(seats: tuple[Seat, ...], refunds: Iterable[Refund], credit: Money) -> tuple[Seat, ...]:
    """R-25: bets back on their seats; an electronic unit is told to give them back too."""
    of_seat = {refund.seat: refund for refund in refunds}
    assert all(1 <= number <= len(seats) for number in of_seat), "R-7: seats of this table"
    return tuple(_with_back(seat, of_seat[seat.number], credit) if seat.number in of_seat else seat for seat in seats)


def _with_back(seat: Seat, refund: Refund, credit: Money) -> Seat:
    assert refund.total == seat.bet, "R-25: the whole bet"
    return replace(
        seat,
        credits=seat.credits + refund.cash,
        promo=seat.promo + refund.promo,
        owed=seat.owed + refund.chips,
        bet=0,
        bet_promo=0,
        slot=0,
        lamp=Lamp.DARK,
        # The unit still counts these credits as bet; until it says that it gave them back, it is told to.
        giving_back=seat.giving_back + (refund.cash + refund.promo) // credit,
    )


def sign_void(_state: State, table: Table, seat: Seat, asked: SignVoid) -> tuple[said.VoidSigned] | Refusal:
    """R-36: all that waits at the seat, by a chief who entered none of it."""
    if not seat.unsigned:
        return refuse(Reason.NOTHING_THERE, "seat", what=f"una anulación por firmar en la posición {seat.number}")
    if asked.by.person in seat.voided_by:
        return refuse(Reason.OWN_ENTRY, "by", person=asked.by.person)
    assert seat.voided_by, "R-27: somebody entered it"
    return (said.VoidSigned(table.name, seat.number, seat.unsigned, asked.by.person),)


def refuse_unsigned(seat: Seat, leaves: int) -> Refusal | None:
    """R-36: money may leave a seat while as much stays as waits for a signature."""
    assert 0 <= leaves <= seat.credits + seat.owed, "R-18: what is there"
    if seat.unsigned <= seat.credits + seat.owed - leaves:
        return None
    return refuse(Reason.VOID_UNSIGNED, "seat", seat=seat.number, amount=seat.unsigned)


def voided_late(seats: tuple[Seat, ...], refunds: Iterable[Refund], by: str) -> tuple[Seat, ...]:
    """R-36: what was given back after the lock waits for a signature."""
    cash_of = {refund.seat: refund.cash + refund.chips for refund in refunds}
    assert all(1 <= number <= len(seats) for number in cash_of), "R-7: seats of this table"
    return tuple(_waiting(seat, cash_of.get(seat.number, 0), by) for seat in seats)


def _waiting(seat: Seat, amount: int, by: str) -> Seat:
    if not amount:
        return seat
    assert by, "R-27: a person voids"
    return replace(seat, unsigned=seat.unsigned + amount, voided_by=tuple(sorted({*seat.voided_by, by})))


def still_unsigned(seat: Seat, in_bet: int = 0) -> Seat:
    """R-36: never more than lies on the seat; what was bet and sealed is nobody's to cash any more."""
    unsigned = min(seat.unsigned, seat.credits + seat.owed + in_bet)
    if unsigned == seat.unsigned:
        return seat
    assert unsigned >= 0, "R-18: nothing is negative"
    return replace(seat, unsigned=unsigned, voided_by=seat.voided_by if unsigned else ())


def void_signed(state: State, fact: said.VoidSigned) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.unsigned == fact.amount and fact.by not in seat.voided_by, "R-36: all of it, by somebody else"
    return with_seat(state, table, replace(seat, unsigned=0, voided_by=()))


def with_promo(state: State, table: Table, number: int, amount: int) -> State:
    """R-29: promotional credits on a seat."""
    seat = table.seat(number)
    assert amount > 0, "R-29: a prize is something"
    return with_seat(state, table, replace(seat, promo=seat.promo + amount))
