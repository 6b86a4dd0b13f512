"""One seat of a unit: its part of the memory, its lamp, its buttons, its chip path, and the arithmetic of one bet.

Only what follows from the seat itself. When a bet may be made, confirmed or voided is said in bets.py, and that every
change is explained by an event, too.
"""

from drivers.native.contract import Bet, SeatMode
from firmware_sim.native.contacts import Contacts
from firmware_sim.native.lamp import LampDriver
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG, SeatMemory
from firmware_sim.native.slot import ChipPath

_NOTHING_BET = (Bet.NONE, Bet.VOIDED)
_SHOWN = (Bet.CONFIRMED, Bet.SEALED)


class Seat:
    __slots__ = ("contacts", "lamp", "live", "memory", "mode", "number", "path")

    def __init__(self, number: int, make: Make) -> None:
        self.number = number  # of the unit: from 1
        self.mode = make.mode(number)
        self.lamp = LampDriver(make)
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
