"""The life of the bets of seats whose unit has no head of its own (devices.md 2.4): what firmware would do, done here.

Rules, the native contract's as far as they go. One bet for each seat and round. A bet is PENDING until the books have
it, and only then has a lamp; one that was not booked in time is void. Locked, nothing new counts; a press is counted
when its reading came before the lock. Every change of a total is one step of `seq`. Nothing here knows a register.

A module keeps no totals of ours, so all of it starts from what the books know (`Base`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from drivers.line.numbers import newer
from drivers.model import DISBELIEVED, BetSeen, DeviceKey, Totals
from drivers.session import Micros

_WORD = 2**32
STANDING = frozenset({BetSeen.CONFIRMED, BetSeen.SEALED})
OPEN_TO_VOID = STANDING | {BetSeen.PENDING, BetSeen.RESTORED}


@dataclass(frozen=True, slots=True)
class SeatBase:
    totals: Totals = field(default_factory=Totals)
    bet: BetSeen = BetSeen.NONE
    bet_credits: int = 0
    bet_seq: int = 0
    disbelieved: bool = False  # its counter said what cannot be, and nobody took it anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What the books know of a module, and what they need to go on. `counters`: raw, by address, as of `seq`."""

    device: DeviceKey
    seq: int = 0
    cut: int = 0
    round_id: int = 0
    seats: Mapping[int, SeatBase] = field(default_factory=dict)
    lock_presses: int = 0
    unlock_presses: int = 0
    counters: Mapping[int, int] | None = None


@dataclass(slots=True)
class ModuleSeat:
    number: int
    totals: Totals = field(default_factory=Totals)
    bet: BetSeen = BetSeen.NONE
    bet_credits: int = 0
    bet_seq: int = 0
    bet_at: Micros = 0
    enabled: bool = True
    disbelieved: bool = False

    def faults(self, lamp: tuple[str, ...]) -> tuple[str, ...]:
        return (DISBELIEVED, *lamp) if self.disbelieved else lamp

    def base(self) -> SeatBase:
        return SeatBase(self.totals, self.bet, self.bet_credits, self.bet_seq, self.disbelieved)


class SeatBets:
    def __init__(self, seats: tuple[int, ...], serial: int, confirm: Micros) -> None:
        self.seats = {number: ModuleSeat(number) for number in seats}
        self.device = DeviceKey(serial, 1)
        self.seq = self.cut = 0
        self.locked = True
        self.round_id = 0
        self._confirm = confirm
        self._wanted_round: int | None = None
        self._booked: int | None = None

    def take_anew(self) -> None:
        """R-37: two persons have counted the seats that were not believed."""
        for seat in self.seats.values():
            seat.disbelieved = False

    # From the books, and to them.

    def resume(self, base: Base) -> None:
        """A bet that stood then stands, dark; one that was not booked does not."""
        assert base.device.serial == self.device.serial, "the books of another box"
        self.device, self.seq, self.cut, self.round_id = base.device, base.seq, base.cut, base.round_id
        for number, known in base.seats.items():
            seat = self.seats.get(number)
            if seat is not None:
                seat.totals, seat.bet = known.totals, known.bet
                seat.bet_credits, seat.bet_seq = known.bet_credits, known.bet_seq
                seat.disbelieved = known.disbelieved
        self.darken()

    def darken(self) -> None:
        """The lamps cannot be trusted any more: what was registered waits to be relit, the rest is void."""
        self.lock()
        for seat in self.seats.values():
            if seat.bet in STANDING:
                seat.bet = BetSeen.RESTORED
        self.void_pending()

    def lose_memory(self) -> None:
        """Another epoch: totals may not be compared across it."""
        self.device = replace(self.device, epoch=self.device.epoch + 1)
        self._booked = None
        self.step()
        self.darken()

    # Lock and round.

    def lock(self) -> None:
        self._wanted_round = None
        if not self.locked:
            self.locked, self.cut = True, self.seq
        self._seal()

    def unlock(self, round_id: int) -> None:
        assert 0 <= round_id <= 0xFFFF, "a round is one word"
        self._wanted_round = round_id

    def wants(self, round_id: int) -> bool:
        return self._wanted_round == round_id

    def open_if_it_may(self, *, held: bool) -> None:
        """A new round, or the current one as long as none of its bets is sealed; nothing pending, no lock key held."""
        wanted = self._wanted_round
        if wanted is None or held or self.pending:
            return
        if wanted != self.round_id:
            for seat in self.seats.values():
                seat.bet, seat.bet_credits = BetSeen.NONE, 0
        elif not self.locked or any(seat.bet in {BetSeen.SEALED, BetSeen.RESTORED} for seat in self.seats.values()):
            return
        self.locked, self.round_id = False, wanted

    @property
    def pending(self) -> bool:
        return any(seat.bet is BetSeen.PENDING for seat in self.seats.values())

    def _seal(self) -> None:
        if self.locked:
            for seat in self.seats.values():
                if seat.bet is BetSeen.CONFIRMED:
                    seat.bet = BetSeen.SEALED

    # Bets.

    def press(self, number: int, amount: int, now: Micros) -> bool:
        seat = self.seats[number]
        if self.locked or seat.disbelieved or not seat.enabled or seat.bet not in {BetSeen.NONE, BetSeen.VOIDED}:
            return False
        self.step()
        seat.totals = replace(seat.totals, bets=(seat.totals.bets + amount) % _WORD)
        seat.bet, seat.bet_credits, seat.bet_seq, seat.bet_at = BetSeen.PENDING, amount, self.seq, now
        return True

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        """Cumulative, forwards only, and never beyond what happened."""
        if device != self.device or newer(seq, self.seq) or (self._booked is not None and newer(self._booked, seq)):
            return
        self._booked = seq
        for seat in self.seats.values():
            if seat.bet is BetSeen.PENDING and not newer(seat.bet_seq, seq):
                seat.bet = BetSeen.CONFIRMED
        self._seal()

    def void(self, number: int, bet_seq: int) -> bool:
        """Credits back; a bet that is void already is."""
        seat = self.seats[number]
        if seat.bet_seq != bet_seq or seat.bet is BetSeen.NONE:
            return False
        self._void(seat)
        return True

    def relight(self, number: int) -> bool:
        seat = self.seats[number]
        if seat.bet is not BetSeen.RESTORED:
            return seat.bet in STANDING
        seat.bet = BetSeen.SEALED
        return True

    def void_pending(self) -> None:
        for seat in self.seats.values():
            if seat.bet is BetSeen.PENDING:
                self._void(seat)

    def void_late(self, now: Micros) -> None:
        """The bets that were not booked in time."""
        for seat in self.seats.values():
            if seat.bet is BetSeen.PENDING and now - seat.bet_at >= self._confirm:
                self._void(seat)

    def next_late(self) -> Micros | None:
        times = [seat.bet_at + self._confirm for seat in self.seats.values() if seat.bet is BetSeen.PENDING]
        return min(times, default=None)

    def _void(self, seat: ModuleSeat) -> None:
        if seat.bet in OPEN_TO_VOID:
            self.step()
            seat.totals = replace(seat.totals, voided=(seat.totals.voided + seat.bet_credits) % _WORD)
            seat.bet = BetSeen.VOIDED

    def step(self) -> None:
        """Something was counted that the owner must hear of."""
        self.seq = (self.seq + 1) % _WORD
