"""Which seats take bets: what the owner wants against what the unit shows; it is put right where they differ."""

from drivers.native.blocks import FastPoll
from drivers.native.commands import Order, Orders, enabling
from drivers.native.contract import Opcode, SeatFlag
from drivers.native.settings import UnitSettings
from drivers.session import Micros


class Seating:
    def __init__(self, settings: UnitSettings) -> None:
        self._settings = settings
        self._wanted: dict[int, bool] = {}
        self._again_at: Micros | None = None

    def want(self, seat: int, *, on: bool) -> Order:
        self._wanted[seat] = on
        return enabling(seat, on=on, name="enable" if on else "disable")

    def differs(self, poll: FastPoll) -> bool:
        return bool(self._wrong(poll))

    def correct(self, poll: FastPoll, orders: Orders, now: Micros) -> None:
        """Gently: a unit may have its own reasons."""
        if self._again_at is not None and now < self._again_at:
            return
        wrong = self._wrong(poll)
        for seat in wrong:
            if not orders.waits(Opcode.SEAT_ENABLE, seat):
                orders.add(enabling(seat, on=self._wanted[seat]))
        self._again_at = now + self._settings.retry if wrong else None

    def _wrong(self, poll: FastPoll) -> list[int]:
        """A seat that the configuration leaves out is never on."""
        return [
            seat
            for seat, on in self._wanted.items()
            if bool(poll.seats[seat - 1].flags & SeatFlag.ENABLED)
            != (on and bool(self._settings.config.enabled >> (seat - 1) & 1))
        ]
