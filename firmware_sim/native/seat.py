"""One seat of a unit: its part of the memory, its lamp, its buttons, its chip path, and the arithmetic of one bet.

Only what follows from the seat itself. When a bet may be made, confirmed or voided is said in bets.py, and that every
change is explained by an event, too. Buttons and chip path are the world outside: they do not lose their state when
the unit loses power. Whether an edge becomes a press is the unit's business (2.4).
"""

from collections import deque
from dataclasses import dataclass

from drivers.native.contract import Bet, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.lamp import LampDriver
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG, SeatMemory

PRESS: Micros = 80 * MILLISECOND  # how long a finger stays
STUCK: Micros = 10_000 * MILLISECOND  # a finger does not press that long
BUTTONS = (1, 2, 3, 4)
_MOST_FALLING = 8  # no more fit between two sensors

_NOTHING_BET = (Bet.NONE, Bet.VOIDED)
_SHOWN = (Bet.CONFIRMED, Bet.SEALED)


@dataclass(slots=True)
class Contact:
    edge: Micros
    release: Micros | None  # None: held until somebody lets go


class Contacts:
    """The buttons or keys as a finger works them: what is down since when, and until when."""

    def __init__(self) -> None:
        self.down: dict[int, Contact] = {}

    def put_down(self, button: int, now: Micros, release: Micros | None) -> bool:
        """False: it was down already, there is no edge."""
        assert button in BUTTONS, "a seat has four buttons"
        if button in self.down:
            return False
        self.down[button] = Contact(now, release)
        return True

    def let_go(self, button: int) -> None:
        self.down.pop(button, None)

    def pass_time(self, now: Micros) -> None:
        """Fingers do not wait for a unit that is off."""
        self.down = {
            button: contact for button, contact in self.down.items() if contact.release is None or contact.release > now
        }

    def bits(self) -> int:
        return sum(1 << (button - 1) for button in self.down)


@dataclass(slots=True)
class Chip:
    entry: Micros
    admitted: bool


class ChipPath:
    """A gate, an entry sensor, a fall, an exit sensor (2.5).

    A chip that entered while the gate was open is `admitted`: it will count when it leaves, if it leaves within the
    gate time. Chips leave in the order they came. A chip that sticks holds all behind it.
    """

    def __init__(self) -> None:
        self.falling: deque[Chip] = deque()
        self.stuck = False

    @property
    def full(self) -> bool:
        return self.stuck or len(self.falling) >= _MOST_FALLING

    @property
    def admitted(self) -> int:
        return sum(chip.admitted for chip in self.falling)

    def enter(self, now: Micros, *, admitted: bool) -> None:
        self.falling.append(Chip(now, admitted))

    def give_up(self) -> None:
        """Its time is over: whatever is still in there, was given back or falls late, but does not count."""
        for chip in self.falling:
            chip.admitted = False

    def restart(self, now: Micros) -> None:
        """The unit was off: what fell is gone unseen, what sticks still sticks, and its time begins anew."""
        self.falling.clear()
        if self.stuck:
            self.enter(now, admitted=False)

    def empty(self) -> None:
        self.falling.clear()
        self.stuck = False


class UnitSeat:
    __slots__ = ("contacts", "lamp", "live", "memory", "mode", "number", "path")

    def __init__(self, number: int, make: Make) -> None:
        self.number = number  # of the unit: from 1
        self.mode = make.mode(number)
        self.lamp = LampDriver(make.abilities, make.milliamps)
        self.contacts = Contacts()
        self.path = ChipPath()
        self.memory = SeatMemory()
        self.live = 0  # SeatFault

    @property
    def balance(self) -> int:
        """loaded - cashed - bets + voided; a slot's credit is the chips themselves (2.3 S)."""
        if self.mode != SeatMode.BUTTONS:
            return 0
        memory = self.memory
        return (memory.loaded - memory.cashed - memory.bets + memory.voided) & LONG

    @property
    def is_free(self) -> bool:
        return self.memory.bet in _NOTHING_BET

    @property
    def is_unbooked(self) -> bool:
        """Something in it is counted here and not yet known to be in the ledger."""
        return self.memory.bet == Bet.PENDING or self.memory.unacked

    @property
    def stands(self) -> bool:
        return self.memory.bet in _SHOWN

    @property
    def void_pending(self) -> bool:
        """Only credits can be given back by the unit itself; a chip is in the box (2.4)."""
        return self.memory.bet == Bet.PENDING and self.mode == SeatMode.BUTTONS

    def place(self, credit: int, seq: int, round_id: int) -> None:
        memory = self.memory
        memory.bets = (memory.bets + credit) & LONG
        memory.bet, memory.credits, memory.cause = Bet.PENDING, credit, 0
        memory.bet_seq, memory.round_id = seq, round_id

    def add_chip(self, credit: int, seq: int, round_id: int) -> None:
        memory = self.memory
        memory.chips = (memory.chips + credit) & LONG
        if self.is_free:
            memory.bet, memory.credits, memory.cause, memory.unacked = Bet.PENDING, 0, 0, False
            memory.first_seq, memory.round_id = seq, round_id
        elif memory.bet != Bet.PENDING:
            memory.unacked = True
        memory.credits += credit
        memory.bet_seq = seq

    def void(self, cause: int) -> None:
        memory = self.memory
        memory.voided = (memory.voided + memory.credits) & LONG
        memory.bet, memory.cause, memory.unacked = Bet.VOIDED, cause, False

    def clear(self) -> None:
        memory = self.memory
        memory.bet, memory.credits, memory.cause, memory.unacked = Bet.NONE, 0, 0, False
