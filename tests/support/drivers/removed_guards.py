"""What the schedules must catch: the same table with one guard taken away, at the unit, at the driver, or at the host.

Each is a way somebody once thought a device protocol could be made simpler (devices.md 2 and 2.7).
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

from drivers.modbus import rtu
from drivers.modbus.bus import Bus
from drivers.modbus.crc import crc16
from drivers.model import SeatSeen
from drivers.native import blocks, freshness
from drivers.native.contract import EventType, LampDrive, MemoryHealth, Result, UnitClass
from drivers.native.freshness import Freshness, ImageVerdict
from drivers.native.writes import Command
from drivers.session import Micros
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.unit import Firmware
from support.drivers import bookkeeper


class NoToken(Firmware):
    def _is_token_current(self, token: int) -> bool:
        return True


class NoHeartbeatOrder(Firmware):
    def _is_beat_newer(self, beat: int) -> bool:
        return True


class SteadyBeforeAck(Firmware):
    def _lamp_for(self, seat: UnitSeat) -> LampDrive:
        lamp = super()._lamp_for(seat)
        return LampDrive.STEADY if lamp == LampDrive.PENDING else lamp


class AckIsNotCompared(Firmware):
    def _confirms(self, ack: int, seq: int) -> bool:
        return True


class OpensUnseen(Firmware):
    """An UNLOCK of a host that has not heard of the lock key opens."""

    def _is_lock_seen(self) -> bool:
        return True


class CreditsAreAdded(Firmware):
    """«Add 20», and every repetition adds."""

    def _was_executed(self, command_id: int) -> bool:
        return False

    def _load(self, seat: UnitSeat, command: Command) -> Result:
        added = (command.target - command.expected) & LONG
        self._record(EventType.CREDITS_LOADED, seat.number, 0, added)
        seat.memory.loaded = (seat.memory.loaded + added) & LONG
        return Result.DONE


class CashIsPaidAgain(Firmware):
    """«Pay 20», and every repetition pays."""

    def _was_executed(self, command_id: int) -> bool:
        return False

    def _cash(self, seat: UnitSeat, command: Command) -> Result:
        paid = (command.target - command.expected) & LONG
        if paid > seat.balance:
            return Result.REFUSED
        self._record(EventType.CASHED, seat.number, 0, paid)
        seat.memory.cashed = (seat.memory.cashed + paid) & LONG
        return Result.DONE


class LockKeyInRam(Firmware):
    """A press of the console's key is forgotten by a reset."""

    def _read_memory(self) -> MemoryHealth:
        health = super()._read_memory()
        if self.make.unit_class == UnitClass.CONSOLE:
            self.memory.seats[0].loaded = 0
        return health


class TotalsInRam(Firmware):
    """They begin again where they were when the unit was switched on for the first time."""

    def __init__(self, make: Make, nvm: Nvm, chance: Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance, now)
        self._first = [(seat.loaded, seat.bets, seat.voided, seat.chips) for seat in self.memory.seats]

    def _read_memory(self) -> MemoryHealth:
        health = super()._read_memory()
        for seat, first in zip(self.memory.seats, getattr(self, "_first", ()), strict=False):
            seat.loaded, seat.bets, seat.voided, seat.chips = first
        return health


@contextmanager
def any_snapshot_counts() -> Iterator[None]:
    with patch.object(Freshness, "judge", lambda self, words, poll, booked: ImageVerdict.FRESH):
        yield


@contextmanager
def host_takes_any_snapshot() -> Iterator[None]:
    """Driver and books together believe an older image: the rule stands in both."""
    with any_snapshot_counts(), patch.object(bookkeeper, "newer", lambda one, other: False):
        yield


@contextmanager
def ack_before_commit() -> Iterator[None]:
    hear = bookkeeper.Host.hear

    def eager(self: bookkeeper.Host, event: Any, now: Micros = 0) -> None:
        hear(self, event, now)
        if isinstance(event, SeatSeen):
            self.by_number[event.unit].acknowledge(event.device, event.seq)

    with patch.object(bookkeeper.Host, "hear", eager):
        yield


@contextmanager
def checks_are_not_checked() -> Iterator[None]:
    """Neither the frame's sum at the host nor the block's check word: noise is news."""
    real = crc16

    def lax(data: Any) -> int:
        return 0 if isinstance(data, bytes) and sys._getframe(1).f_code.co_name == "_look" else real(data)

    believed = patch.object(blocks, "check_holds", lambda words, place: True)
    also = patch.object(freshness, "check_holds", lambda words, place: True)
    with patch.object(rtu, "crc16", lax), believed, also:
        yield


@contextmanager
def base_and_booking_apart() -> Iterator[None]:
    """Two transactions where one is needed: first the base, then what the difference to it was."""
    commit = bookkeeper.Host.commit

    def in_two(self: bookkeeper.Host) -> None:
        bases = dict(self.books.base)
        for seen in self._waiting:
            if (seen.device, seen.seat) in bases:
                self.books.base[seen.device, seen.seat] = seen.totals
        self._perhaps_crash("before")
        self.books.base.update(bases)
        commit(self)

    with patch.object(bookkeeper.Host, "commit", in_two):
        yield


@contextmanager
def broadcast_and_nothing_more() -> Iterator[None]:
    """A lock that is said once: the drivers go on wanting what they wanted."""

    def lock_all(self: Bus) -> None:
        self._lock_wanted = True

    with patch.object(Bus, "lock_all", lock_all):
        yield


@dataclass
class Removal:
    name: str
    known: int  # a seed that missed it once: tried first, because most do not
    firmware: type[Firmware] = Firmware
    patched: Any = nullcontext


REMOVED = [
    Removal("no token", 414, NoToken),
    Removal("no heartbeat order", 94, NoHeartbeatOrder),
    Removal("lamp before ack", 3, SteadyBeforeAck),
    Removal("ack is not compared", 3, AckIsNotCompared),
    Removal("credits are added", 10, CreditsAreAdded),
    Removal("totals are not persistent", 1, TotalsInRam),
    Removal("any snapshot counts", 9, patched=host_takes_any_snapshot),
    Removal("ack before commit", 3, patched=ack_before_commit),
    Removal("base and booking apart", 66, patched=base_and_booking_apart),
    Removal("cash is paid again", 10, CashIsPaidAgain),
    Removal("lock key in RAM", 11, LockKeyInRam),
    Removal("lock key not heard", 439, OpensUnseen),
    Removal("broadcast and nothing more", 28, patched=broadcast_and_nothing_more),
    Removal("checks are not checked", 0, patched=checks_are_not_checked),
]
