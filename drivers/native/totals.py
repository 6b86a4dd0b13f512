"""A seat's totals, from the image all seats share and the seat's own detail, and the proof that they add up."""

from drivers.model import Totals
from drivers.native.blocks import SeatDetail, SeatPoll
from drivers.native.contract import SeatMode

_MODULUS = 2**32


def totals_of(seat: SeatPoll, detail: SeatDetail) -> Totals:
    """Late chips stay pieces: their whole history times the value of today would jump when that value changes."""
    return Totals(
        loaded=seat.loaded,
        cashed=detail.cashed,
        bets=seat.bets,
        voided=seat.voided,
        chips=seat.chips,
        late=detail.late,
    )


def imbalance(seat: SeatPoll, detail: SeatDetail) -> int:
    """0 when balance = loaded - cashed - bets + voided (2.3 S). Only an electronic seat has a balance."""
    if seat.mode != SeatMode.BUTTONS:
        return 0
    owed = seat.loaded - detail.cashed - seat.bets + seat.voided
    return (detail.balance - owed) % _MODULUS
