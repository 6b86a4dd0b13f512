"""What an acceptor may take, and what its lamp means for the bet (R-1 to R-7).

Theory. Only a device makes a bet, never a word (R-4). An electronic acceptor asks before it takes: one press of
so many credits is the bet of this seat in this pass, or is refused and costs nothing; changing one's mind is a
void by the croupier. A chip slot has already swallowed the chips: the question there is how much of them is the
bet and how much is owed back at once. Either way the bet is whole credits within the limits of the pot, which
are the same at every table linked to it (R-3). Once the pass is closed nothing changes any more (R-5).
"""

from typing import NamedTuple

from controller.rules.money import NOTHING, Money
from controller.rules.refusal import Reason, Refusal, refuse


class Limits(NamedTuple):
    """R-1, R-3: what one bet may be, in money; the same at every table linked to the pot."""

    credit_value: Money
    least: Money
    most: Money


class BettingSeat(NamedTuple):
    """What the controller knows of a seat while betting is open."""

    seat: int
    credits: int
    bet: Money
    closed: bool = False


class Slot(NamedTuple):
    """R-4: what of the chips in a slot is the bet, and what is owed back at once."""

    bet: Money
    owed_back: Money


class LampFailure(NamedTuple):
    """R-6: what a failing lamp does to the bet and to the seat."""

    bet_stands: bool
    seat_closes_now: bool


def press(limits: Limits, locked: bool, seat: BettingSeat, pressed: int) -> BettingSeat | Refusal:
    """R-2, R-5: a press of so many credits on an electronic acceptor: the seat afterwards, or why not."""
    assert pressed > 0, "R-1: a press is at least one credit"
    assert seat.credits >= 0 and seat.bet >= 0, "R-2: a seat owes nothing"
    where = f"seat {seat.seat}"
    bet = Money(pressed * limits.credit_value)
    if locked:
        return refuse(Reason.TABLE_LOCKED, where, seat=seat.seat)
    if seat.closed:
        return refuse(Reason.SEAT_CLOSED, where, seat=seat.seat)
    if seat.bet:
        return refuse(Reason.BET_MADE, where, seat=seat.seat)
    if pressed > seat.credits:
        return refuse(Reason.NOT_ENOUGH_CREDITS, where, seat=seat.seat, held=seat.credits, pressed=pressed)
    if bet < limits.least:
        return refuse(Reason.BELOW_LIMIT, where, seat=seat.seat, bet=bet, limit=limits.least)
    if bet > limits.most:
        return refuse(Reason.ABOVE_LIMIT, where, seat=seat.seat, bet=bet, limit=limits.most)
    after = BettingSeat(seat.seat, seat.credits - pressed, bet)
    assert after.credits + after.bet // limits.credit_value == seat.credits, "R-2: credits become the bet, none is lost"
    return after


def slot(limits: Limits, while_open: Money, out_of_play: Money) -> Slot:
    """R-1, R-3, R-4: the whole credits of a slot up to the max are the bet; too little is none at all.

    What fell after the lock, or at a closed seat, is owed back whole (R-5, R-6).
    """
    assert while_open >= 0 and out_of_play >= 0, "R-4: chips fall in, never out"
    bet = Money(min(while_open - while_open % limits.credit_value, limits.most))
    if bet < limits.least:
        bet = NOTHING
    owed_back = Money(while_open - bet + out_of_play)
    assert bet == NOTHING or limits.least <= bet <= limits.most, "R-3: a bet within the limits"
    assert bet % limits.credit_value == 0 and owed_back >= 0, "R-1: whole credits; R-4: the rest is owed back"
    return Slot(bet, owed_back)


def lamp_failed(locked: bool) -> LampFailure:
    """R-6: while betting is open the bet goes back and the seat closes; after the lock the bet was valid
    when the pass closed, stays valid, and the seat closes after the pass."""
    return LampFailure(bet_stands=locked, seat_closes_now=not locked)
