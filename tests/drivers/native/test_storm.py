"""The driver against the firmware through a storm: lost, late, repeated and mixed-up answers, reboots, dead hosts.

Whatever happens: the books equal the unit's totals at rest, every load is applied exactly once, no lamp is steady for a
bet that is not in the books, and nothing opens that the owner did not open. The line itself is tested elsewhere.
"""

import random

import pytest

from drivers.line.failures import Failure
from drivers.line.numbers import newer
from drivers.model import SeatSeen, Settled
from drivers.native.contract import Bet, LockState, ResetCause, UnitClass
from drivers.session import MILLISECOND, SECOND
from support.drivers.native_pair import NONCE, Pair

WHOLE = 2**32


class Books:
    """What is durable: one entry for each memory and seat, written before anything is acknowledged."""

    def __init__(self):
        self.seq, self.totals, self.sums = {}, {}, {}

    def book(self, seen):
        key = (seen.device, seen.seat)
        before = self.totals.get(key)
        assert not newer(self.seq.get(seen.device, seen.seq), seen.seq), "the driver told of an older image"
        if before is not None:
            for name in seen.totals.__slots__:
                moved = (getattr(seen.totals, name) - getattr(before, name)) % WHOLE
                assert moved < 2**31, f"{name} went back"
                self.sums[key, name] = self.sums.get((key, name), 0) + moved
        else:
            self.sums |= {(key, name): getattr(seen.totals, name) for name in seen.totals.__slots__}
        self.totals[key] = seen.totals
        self.seq[seen.device] = seen.seq


class Storm:
    def __init__(self, seed, seats, capabilities=None):
        self.chance = random.Random(seed)
        unit_class = UnitClass.ELECTRONIC if seats == 1 else UnitClass.TABLE
        self.pair = Pair(unit_class, seats, capabilities=capabilities)
        self.pair.wire = self.wire
        self.books = Books()
        self.trouble = self.chance.choice([0, 5, 20, 40])
        self.heard = []
        self.round = 0
        self.wishes = {}  # seat: (expected, target), durable until settled
        self.applied = dict.fromkeys(range(1, seats + 1), 0)
        self.opened_by_owner = False

    def wire(self, ask):
        if self.chance.randrange(100) >= self.trouble:
            answer = self.pair.perfect(ask)
            self.heard = [*self.heard[-5:], answer]
            return answer
        match self.chance.randrange(5):
            case 0:
                return Failure.SILENT
            case 1:
                self.pair.perfect(ask)
                return Failure.GARBLED
            case 2 if self.heard:  # a late answer instead, of whatever was asked; its length is what the bus checks
                self.pair.perfect(ask)
                return self.late(ask)
            case 3:
                self.pair.perfect(ask)
                return self.pair.perfect(ask)
            case _:
                return Failure.SILENT

    def late(self, ask):
        right = self.pair.perfect(ask)
        fitting = [old for old in self.heard if type(old) is type(right) and self.size(old) == self.size(right)]
        return self.chance.choice(fitting) if fitting else Failure.SILENT

    @staticmethod
    def size(answer):
        return len(getattr(answer, "words", ()))

    def step(self):
        self.pair.exchange()
        for event in self.pair.events:
            self.tell(event)
        self.pair.events.clear()
        self.look()
        if self.chance.randrange(40) == 0:
            self.mishap()

    def tell(self, event):
        if isinstance(event, SeatSeen):
            self.books.book(event)
            if self.chance.randrange(10):
                self.pair.unit.acknowledge(event.device, event.seq)
        if isinstance(event, Settled) and event.command == "load" and event.done:
            self.applied[event.seat] += self.wishes.pop(event.seat)[1]

    def look(self):
        for seat in self.pair.firmware.seats:
            if seat.memory.bet in {Bet.CONFIRMED, Bet.SEALED}:
                booked = self.books.seq.get(self.device, None)
                assert booked is not None and not newer(seat.memory.bet_seq, booked), "a lamp before the ledger"
        if self.pair.firmware._state == LockState.OPEN:
            assert self.opened_by_owner

    @property
    def device(self):
        return next(iter(self.books.seq), None)

    def mishap(self):
        pair, chance = self.pair, self.chance
        seat = chance.randrange(1, pair.settings.seats + 1)
        match chance.randrange(12):
            case 0 | 1 | 2 | 3:
                pair.firmware.press(seat, chance.randrange(1, 5), pair.now)
            case 4:
                self.load(seat)
            case 5 | 6:
                self.round += 1
                self.opened_by_owner = True
                pair.unit.unlock(self.round)
            case 7 | 8:
                pair.unit.lock()
            case 9:
                pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
            case 10:
                self.new_host()
            case _:
                pair.now += chance.randrange(3 * SECOND)
                pair.firmware.tick(pair.now)

    def load(self, seat):
        key = (self.device, seat)
        if seat not in self.wishes and key in self.books.totals:
            base = self.books.totals[key].loaded
            self.wishes[seat] = (base, 10)
        if seat in self.wishes:
            base, more = self.wishes[seat]
            self.pair.unit.load(seat, base, (base + more) % WHOLE)

    def new_host(self):
        """It died before or after it acknowledged; what was booked, is."""
        self.pair.books = None
        self.pair.host(NONCE, self.chance.randrange(1, 2**16))
        for device, seq in self.books.seq.items():
            self.pair.unit.acknowledge(device, seq)

    def rest(self):
        self.trouble = 0
        self.pair.unit.lock()
        for _ in range(3):
            for seat in list(self.wishes):
                self.load(seat)
            end = self.pair.now + 6 * SECOND
            while self.pair.now < end:
                self.pair.exchange()
                for event in self.pair.events:
                    if isinstance(event, SeatSeen):
                        self.books.book(event)
                        self.pair.unit.acknowledge(event.device, event.seq)
                    else:
                        self.tell(event)
                self.pair.events.clear()


@pytest.mark.parametrize("seats", [1, 9])
@pytest.mark.parametrize("seed", range(15))
def test_through_any_storm_the_books_equal_the_unit_and_every_load_is_applied_once(seed, seats):
    storm = Storm(seed * 100 + seats, seats)
    for _ in range(1500):
        storm.step()
    storm.rest()

    assert not storm.wishes, "a load that never ends"
    for seat, place in zip(storm.pair.firmware.seats, range(1, seats + 1), strict=True):
        totals = storm.books.totals[storm.device, place]
        memory = seat.memory
        assert (totals.loaded, totals.bets, totals.voided) == (memory.loaded, memory.bets, memory.voided)
        assert storm.applied[place] == memory.loaded
    assert storm.pair.now > MILLISECOND
