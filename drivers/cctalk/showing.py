"""The seat of an acceptor as its owner sees it: locked is what was read back, never what is wanted."""

from collections.abc import Iterator

from drivers.cctalk.counting import Counting
from drivers.cctalk.inhibits import Inhibits
from drivers.cctalk.lamp import SeatLamp
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.slot import Phase
from drivers.model import SeatSeen


def seat_seen(
    settings: AcceptorSettings, counting: Counting, inhibits: Inhibits, lamp: SeatLamp, check_code: int
) -> SeatSeen:
    slot = counting.slot
    return SeatSeen(
        unit=settings.unit,
        seat=settings.seat,
        device=slot.device,
        seq=slot.seq,
        totals=slot.totals,
        locked=slot.phase is Phase.LOCKED and inhibits.shut,
        cut=slot.cut,
        bet=slot.bet_seen,
        bet_credits=slot.bet,
        bet_seq=slot.bet_seq,
        lamp=lamp.seen,
        enabled=counting.usable,
        faults=tuple(_faults(counting, lamp, check_code)),
    )


def _faults(counting: Counting, lamp: SeatLamp, check_code: int) -> Iterator[str]:
    if counting.uncounted:
        yield "uncounted"
    if counting.jammed:
        yield "chip_jam"
    if check_code:
        yield f"self_check_{check_code}"
    if lamp.fault:
        yield "lamp_silent"
