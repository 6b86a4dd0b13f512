"""Money of voids after the lock, until a chief signed them (R-36).

Theory. After the lock a player has seen that he will not win, perhaps his cards too; a void gives his bet back, and the
croupier enters it at once, alone. So that nobody decides alone about money that he entered, what it gives back can be
bet again but is not cashed before a chief signs who did not enter it. How much of a seat's money that is stands with
the seat; promotional credits are never cash, so they are none of it. What is bet again lies in the bet until its pass
is sealed; then it is gone, and nothing is left to sign.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.core.facts import VoidSigned
from controller.core.inputs import SignVoid
from controller.core.state import Seat, State, Table, with_seat
from controller.core.values import Refund
from controller.rules.refusal import Reason, Refusal, refuse


def sign_void(_state: State, table: Table, seat: Seat, asked: SignVoid) -> tuple[VoidSigned] | Refusal:
    """R-36: all that waits at the seat, by a chief who entered none of it."""
    if not seat.unsigned:
        return refuse(Reason.NOTHING_THERE, "seat", what=f"una anulación por firmar en la posición {seat.number}")
    if asked.by.person in seat.voided_by:
        return refuse(Reason.OWN_ENTRY, "by", person=asked.by.person)
    assert seat.voided_by, "R-27: somebody entered it"
    return (VoidSigned(table.name, seat.number, seat.unsigned, asked.by.person),)


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


def void_signed(state: State, fact: VoidSigned) -> State:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.unsigned == fact.amount and fact.by not in seat.voided_by, "R-36: all of it, by somebody else"
    return with_seat(state, table, replace(seat, unsigned=0, voided_by=()))
