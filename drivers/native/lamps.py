"""What is proven of a lamp (R-6, 1.8): the lamp is the evidence of a bet, so what is driven is never enough.

Lit is only what is driven steady, was measured since, and agrees: by the light where a light sensor is fitted, by the
current's window where not. A disagreement is a fault as soon as the lamp has had its time to settle.
"""

from drivers.model import LampSeen
from drivers.native.blocks import SeatPoll
from drivers.native.contract import Feedback, Lamp, SeatFlag

_BROKEN = Feedback.OPEN | Feedback.SHORT | Feedback.CURRENT_WHILE_OFF | Feedback.LATCHED
_CURRENT_OR_LIGHT = Feedback.IN_WINDOW | Feedback.LIGHT_SEEN


def lamp_seen(seat: SeatPoll, *, light_fitted: bool, settled: bool) -> LampSeen:
    if seat.lamp == Lamp.FAULT or seat.feedback & _BROKEN:
        return LampSeen.FAULT
    if seat.lamp == Lamp.PENDING:
        return LampSeen.BLINKING
    if seat.lamp == Lamp.TEST or not seat.feedback & Feedback.MEASURED:
        return LampSeen.UNKNOWN
    if _agrees(seat, Feedback.LIGHT_SEEN if light_fitted else Feedback.IN_WINDOW):
        return LampSeen.LIT if seat.lamp == Lamp.STEADY else LampSeen.DARK
    return LampSeen.FAULT if settled else LampSeen.UNKNOWN


def _agrees(seat: SeatPoll, proof: Feedback) -> bool:
    if not seat.flags & SeatFlag.FEEDBACK_AGREES:
        return False
    if seat.lamp == Lamp.STEADY:
        return bool(seat.flags & SeatFlag.LAMP_STEADY and seat.feedback & proof)
    return not seat.feedback & _CURRENT_OR_LIGHT
