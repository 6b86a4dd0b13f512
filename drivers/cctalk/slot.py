"""The chip slot that we make of an acceptor: its running totals, the bet of the round, and what the books must keep.

A ccTalk device has no totals that outlive it, so the driver counts for it, from what the books last knew (`ChipBase`).
Three rules. `seq` is one number with two meanings: its low byte is the device's own event counter, the rest counts
what happened; so books that keep (device, seq, totals) in one transaction keep all that a restart needs. Whatever
cannot be known begins a new epoch, and nothing is credited for it. A chip belongs to the bet while the slot is open
or closing and the bet has room; every other chip is late, and is handed back by the croupier.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto

from drivers.line.numbers import newer
from drivers.model import BetSeen, DeviceKey, Totals

_WORD = 1 << 32
_COUNTER = 0xFF


@dataclass(frozen=True, slots=True)
class ChipBase:
    """What the books know of one device. `round_id` is 0 unless that round was open when they were last written."""

    device: DeviceKey
    seq: int
    totals: Totals
    round_id: int = 0
    bet: int = 0
    bet_seq: int = 0
    accepted: int | None = None  # the device's own accept total (225) at `seq`, where it is known
    booked: int | None = None  # what the books have of it, by their own word; `None`: all of it
    disbelieved: bool = False  # it said what cannot be, and nobody took it anew

    @property
    def nothing_booked(self) -> int:
        """A number that confirms nothing of this device."""
        return (self.seq - _WORD // 4) % _WORD

    @property
    def counter(self) -> int:
        return self.seq & _COUNTER


class SlotPhase(Enum):
    LOCKED = auto()
    OPEN = auto()
    LOCKING = auto()  # the lock is wanted or read back; a chip may still be falling


class _Bet(Enum):
    NONE = auto()
    STANDING = auto()
    VOIDED = auto()
    RESTORED = auto()


class ChipSlot:
    def __init__(self, most: int) -> None:
        self._most = most
        self.device = DeviceKey(0, 0)
        self.totals = Totals()
        self.counter = 0
        self._happened = 0
        self.phase = SlotPhase.LOCKED
        self.round_id = 0
        self.bet = 0
        self.bet_seq = 0
        self._first_seq = 0
        self._state = _Bet.NONE
        self.booked: int | None = None  # the newest number that is known to be in the ledger
        self._sealing = False
        self._sealed = False
        self.cut = 0

    @property
    def seq(self) -> int:
        return (self._happened << 8 | self.counter) % _WORD

    @property
    def base(self) -> ChipBase:
        round_id = 0 if self.phase is SlotPhase.LOCKED else self.round_id
        return ChipBase(self.device, self.seq, self.totals, round_id, self.bet, self.bet_seq)

    def go_on_from(self, base: ChipBase) -> None:
        self.device, self.totals, self.counter = base.device, base.totals, base.counter
        self._happened = base.seq >> 8
        self.round_id, self.bet, self.bet_seq, self._first_seq = base.round_id, base.bet, base.bet_seq, base.bet_seq
        self._state = _Bet.STANDING if base.bet else _Bet.NONE
        # A base is on the disk before the books: a chip that they do not have is pending, and has no lamp.
        self.booked = base.seq if base.booked is None else base.booked
        self._sealed = False
        self.phase = SlotPhase.LOCKING if base.round_id else SlotPhase.LOCKED
        self.cut = self.seq

    def begin_epoch(self, device: DeviceKey, counter: int) -> None:
        """Totals from zero, under a key that was never used; a bet that stood is known to the ledger alone."""
        self.device, self.totals, self.counter = device, Totals(), counter
        self._happened += 1
        if self._state is _Bet.STANDING:
            self._state, self._sealed = _Bet.RESTORED, True
        self.phase = SlotPhase.LOCKED
        self.cut = self.seq

    # what the device tells

    def passed(self, counter: int) -> None:
        """An event that moved no chip of ours."""
        self._happened += 1
        self.counter = counter

    def takes(self, credits_: int) -> bool:
        return self.phase is not SlotPhase.LOCKED and credits_ <= self.room

    @property
    def room(self) -> int:
        """What may still be added to the bet of this round."""
        return self._most - (self.bet if self._state in {_Bet.STANDING, _Bet.RESTORED} else 0)

    def chip(self, credits_: int, counter: int) -> None:
        assert self.takes(credits_)
        self.passed(counter)
        self.totals = replace(self.totals, chips=(self.totals.chips + credits_) % _WORD)
        if self._state is not _Bet.STANDING:
            self._state, self.bet, self._first_seq = _Bet.STANDING, 0, self.seq
        self.bet += credits_
        self.bet_seq = self.seq

    def late(self, credits_: int, counter: int) -> None:
        self.passed(counter)
        self.totals = replace(self.totals, late=(self.totals.late + credits_) % _WORD)

    # what the owner says

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        if device == self.device and not newer(seq, self.seq) and (self.booked is None or newer(seq, self.booked)):
            self.booked = seq

    def may_open(self, round_id: int) -> bool:
        return self.phase is SlotPhase.LOCKED and not self.pending and not (self._sealed and round_id == self.round_id)

    def open(self, round_id: int) -> None:
        assert self.may_open(round_id)
        if round_id != self.round_id:
            self.round_id, self.bet, self.bet_seq, self._state = round_id, 0, 0, _Bet.NONE
        self._sealing = self._sealed = False
        self.phase = SlotPhase.OPEN

    def lock(self) -> None:
        """Once said it holds: also a round that was found open after a restart is sealed when it is closed."""
        self._sealing = True
        if self.phase is SlotPhase.OPEN:
            self.phase = SlotPhase.LOCKING
        elif self.phase is SlotPhase.LOCKED:
            self._sealed = self._sealed or self._state is _Bet.STANDING

    def fall(self) -> None:
        """The device cannot be trusted: it closes, and the round may go on when its owner unlocks it anew."""
        if self.phase is SlotPhase.OPEN:
            self.phase, self._sealing = SlotPhase.LOCKING, False

    def closed(self) -> None:
        """Nothing that fell in before the lock can still come."""
        assert self.phase is SlotPhase.LOCKING
        self.phase, self.cut = SlotPhase.LOCKED, self.seq
        self._sealed = self._sealing and self._state is _Bet.STANDING

    def void(self, bet_seq: int) -> str:
        if bet_seq != self.bet_seq or self._state is _Bet.NONE:
            return "mismatch"
        if self._state is _Bet.VOIDED:
            return "already"
        self._happened += 1
        self.totals = replace(self.totals, voided=(self.totals.voided + self.bet) % _WORD)
        self._state = _Bet.VOIDED
        return "done"

    def relight(self) -> str:
        """The ledger has this bet, and its round: it stands again."""
        if self._state is not _Bet.RESTORED:
            return "refused"
        self._state, self.booked, self._first_seq = _Bet.STANDING, self.seq, self.bet_seq
        return "done"

    # what is shown

    @property
    def pending(self) -> bool:
        return self._state is _Bet.STANDING and not self._has_booked(self.bet_seq)

    @property
    def lit(self) -> bool:
        """From the first chip that is in the ledger (2.4)."""
        return self._state is _Bet.STANDING and self._has_booked(self._first_seq)

    @property
    def bet_seen(self) -> BetSeen:
        if self._state is not _Bet.STANDING:
            return {_Bet.NONE: BetSeen.NONE, _Bet.VOIDED: BetSeen.VOIDED, _Bet.RESTORED: BetSeen.RESTORED}[self._state]
        if self.pending:
            return BetSeen.PENDING
        return BetSeen.SEALED if self._sealed else BetSeen.CONFIRMED

    def _has_booked(self, seq: int) -> bool:
        return self.booked is not None and not newer(seq, self.booked)
