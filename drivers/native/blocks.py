"""The images of the contract's read blocks: words on the wire, names in the program, and the examination between.

A block says what it is (2.1.6): tag or magic, unit, seat, check word. `decode` answers the image or the `Flaw` that
makes these words something else, and never raises. `encode` is what a unit's firmware sends. Written blocks: writes.py.
"""

import struct
from dataclasses import dataclass
from enum import StrEnum

from drivers.modbus.crc import check_word
from drivers.native import contract as at
from drivers.native.contract import Bet, Feedback, LampDrive, LockState, SeatFlag, SeatMode, UnitFlag

WordList = tuple[int, ...]


class Flaw(StrEnum):
    """Why these words are not the block that was asked for."""

    LENGTH = "length"
    TAG = "tag"
    UNIT = "unit"
    SEAT = "seat"
    CHECK = "check"
    VALUE = "value"


def high(value: int) -> int:
    return (value >> 16) & 0xFFFF


def low(value: int) -> int:
    return value & 0xFFFF


def both(words: WordList, place: int) -> int:
    return words[place] << 16 | words[place + 1]


def checked(words: list[int], place: int) -> WordList:
    """With the check word of all others at its place."""
    words[place] = check_word(words[:place] + words[place + 1 :])
    return tuple(words)


def _printable(text: bytes) -> str:
    """A name goes to terminals and logs, and the device at an address chose these bytes."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in text.rstrip(b"\0 "))


def check_holds(words: WordList, place: int) -> bool:
    return words[place] == check_word(words[:place] + words[place + 1 :])


def misfit(words: WordList, size: int, tag: int | None = None) -> Flaw | None:
    """What is wrong with a block whose check word is its last, as far as every block of its kind is alike."""
    if len(words) != size:
        return Flaw.LENGTH
    if tag is not None and words[0] != tag:
        return Flaw.TAG
    return None if check_holds(words, size - 1) else Flaw.CHECK


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """I: who the unit is. `unit_class` and the rest stay numbers: a unit of a later contract must still be nameable."""

    version: int = at.VERSION
    unit_class: int
    capabilities: int
    seats: int
    unit: int
    first_seat: int
    serial: int
    hardware: int = 1
    firmware: int = 1
    firmware_crc: int = 0
    config_generation: int = 0
    config_check: int = 0
    totals_epoch: int = 0
    boots: int = 0
    boot_id: int = 0
    reset_cause: int = 1
    memory: int = 0
    ring_depth: int = at.RING_DEPTH
    product: str = ""

    def encode(self) -> WordList:
        name = self.product.encode("ascii", "replace")[:16].ljust(16, b"\0")
        words = [
            at.MAGIC, self.version, self.unit_class, self.capabilities, self.seats, self.unit << 8 | self.first_seat,
            high(self.serial), low(self.serial), self.hardware, self.firmware, self.firmware_crc,
            self.config_generation, self.config_check, self.totals_epoch, high(self.boots), low(self.boots),
            self.boot_id, self.reset_cause, self.memory, self.ring_depth, *struct.unpack(">8H", name), 0, 0, 0, 0,
        ]  # fmt: skip
        return checked(words, 0x1F)

    @staticmethod
    def decode(words: WordList, unit: int) -> "Identity | Flaw":
        flaw = misfit(words, at.BLOCK_WORDS, at.MAGIC)
        if flaw is not None or words[5] >> 8 != unit:
            return flaw or Flaw.UNIT
        return Identity(
            version=words[1], unit_class=words[2], capabilities=words[3], seats=words[4], unit=words[5] >> 8,
            first_seat=words[5] & 0xFF, serial=both(words, 6), hardware=words[8], firmware=words[9],
            firmware_crc=words[0xA], config_generation=words[0xB], config_check=words[0xC], totals_epoch=words[0xD],
            boots=both(words, 0xE), boot_id=words[0x10], reset_cause=words[0x11], memory=words[0x12],
            ring_depth=words[0x13],
            product=_printable(struct.pack(">8H", *words[0x14:0x1C])),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPoll:
    """One seat in A. `bet` and `lamp` are what the unit says; `flags` (SeatFlag) and `feedback` are its evidence."""

    bet: Bet = Bet.NONE
    mode: SeatMode = SeatMode.BUTTONS
    flags: int = 0
    lamp: LampDrive = LampDrive.OFF
    feedback: int = 0
    milliamps: int = at.NO_CURRENT
    bet_credits: int = 0
    loaded: int = 0  # a console's lock presses; a counter's shown value
    bets: int = 0  # a console's unlock presses
    voided: int = 0  # a console's key-switch changes
    chips: int = 0

    def encode(self) -> list[int]:
        return [
            self.bet | self.mode << 4 | self.flags, self.lamp << 8 | self.feedback, self.milliamps, self.bet_credits,
            high(self.loaded), low(self.loaded), high(self.bets), low(self.bets),
            high(self.voided), low(self.voided), high(self.chips), low(self.chips),
        ]  # fmt: skip

    @staticmethod
    def decode(words: WordList) -> "SeatPoll | Flaw":
        state, lamp, milliamps, bet_credits, loaded, bets, voided, chips = _SEAT.unpack(struct.pack(">12H", *words))
        if state & 0xF > Bet.RESTORED_DARK or (state >> 4) & 0xF > SeatMode.COUNTER or lamp >> 8 > LampDrive.TEST:
            return Flaw.VALUE
        return SeatPoll(
            bet=_BETS[state & 0xF], mode=_MODES[(state >> 4) & 0xF], flags=state & _SEAT_FLAGS,
            lamp=_LAMPS[lamp >> 8], feedback=lamp & _FEEDBACK, milliamps=milliamps, bet_credits=bet_credits,
            loaded=loaded, bets=bets, voided=voided, chips=chips,
        )  # fmt: skip


_SEAT = struct.Struct(">4H4I")
_BETS, _MODES, _LAMPS, _LOCKS = tuple(Bet), tuple(SeatMode), tuple(LampDrive), tuple(LockState)
_SEAT_FLAGS, _FEEDBACK, _UNIT_FLAGS = sum(SeatFlag), sum(Feedback), sum(UnitFlag)


@dataclass(frozen=True, slots=True, kw_only=True)
class FastPoll:
    """A: everything the money and the lock need, of all seats at one instant."""

    unit: int
    snapshot: int
    boot_id: int
    uptime: int
    lock: LockState
    flags: int = 0  # UnitFlag
    faults: int = 0  # UnitFault
    seq: int = 0
    cut: int = 0
    token: int = at.NO_TOKEN
    command_id: int = 0
    result: int = 0
    heartbeat_age: int = 0xFF  # in 10 ms, saturating
    seats: tuple[SeatPoll, ...] = ()

    def encode(self) -> WordList:
        words = [
            at.TAG_FAST_POLL, self.unit << 8 | len(self.seats), self.snapshot, self.boot_id,
            high(self.uptime), low(self.uptime), self.lock | self.flags, int(self.faults),
            high(self.seq), low(self.seq), high(self.cut), low(self.cut), self.token, self.command_id,
            self.result << 8 | self.heartbeat_age, 0,
        ]  # fmt: skip
        for seat in self.seats:
            words += seat.encode()
        return checked(words, 0xF)

    @staticmethod
    def decode(words: WordList, unit: int, seats: int) -> "FastPoll | Flaw":
        if len(words) != at.fast_poll_words(seats):
            return Flaw.LENGTH
        if words[0] != at.TAG_FAST_POLL:
            return Flaw.TAG
        if words[1] >> 8 != unit:
            return Flaw.UNIT
        if words[1] & 0xFF != seats:
            return Flaw.SEAT
        if not check_holds(words, 0xF):
            return Flaw.CHECK
        if words[6] & 0xF > LockState.OUT_OF_SERVICE:
            return Flaw.VALUE
        polls = []
        for place in range(at.HEAD_WORDS, len(words), at.SEAT_WORDS):
            seat = SeatPoll.decode(words[place : place + at.SEAT_WORDS])
            if isinstance(seat, Flaw):
                return seat
            polls.append(seat)
        return FastPoll(
            unit=unit, snapshot=words[2], boot_id=words[3], uptime=both(words, 4), lock=_LOCKS[words[6] & 0xF],
            flags=words[6] & _UNIT_FLAGS, faults=words[7], seq=both(words, 8),
            cut=both(words, 0xA), token=words[0xC], command_id=words[0xD], result=words[0xE] >> 8,
            heartbeat_age=words[0xE] & 0xFF, seats=tuple(polls),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDetail:
    """S(n): what a technician and the books want to know of one seat, besides A."""

    unit: int
    seat: int
    balance: int = 0
    cashed: int = 0
    late: int = 0
    presses: int = 0
    refused: int = 0
    bet_seq: int = 0
    round_id: int = 0
    bet: int = 0
    cause: int = 0
    faults: int = 0
    latched: int = 0
    inputs: int = 0
    switches: int = 0  # how often the lamp was switched

    def encode(self) -> WordList:
        words = [
            at.TAG_DETAIL, self.unit << 8 | self.seat, high(self.balance), low(self.balance),
            high(self.cashed), low(self.cashed), high(self.late), low(self.late),
            high(self.presses), low(self.presses), high(self.refused), low(self.refused),
            high(self.bet_seq), low(self.bet_seq), self.round_id, self.bet << 8 | self.cause,
            self.faults, self.latched, high(self.inputs), low(self.inputs), self.switches & 0xFFFF, *[0] * 11,
        ]  # fmt: skip
        return checked(words, 0x1F)

    @staticmethod
    def decode(words: WordList, unit: int, seat: int) -> "SeatDetail | Flaw":
        if len(words) != at.BLOCK_WORDS:
            return Flaw.LENGTH
        if words[0] != at.TAG_DETAIL:
            return Flaw.TAG
        if words[1] >> 8 != unit:
            return Flaw.UNIT
        if words[1] & 0xFF != seat:
            return Flaw.SEAT
        if not check_holds(words, 0x1F):
            return Flaw.CHECK
        return SeatDetail(
            unit=unit, seat=seat, balance=both(words, 2), cashed=both(words, 4), late=both(words, 6),
            presses=both(words, 8), refused=both(words, 0xA), bet_seq=both(words, 0xC), round_id=words[0xE],
            bet=words[0xF] >> 8, cause=words[0xF] & 0xFF, faults=words[0x10], latched=words[0x11],
            inputs=both(words, 0x12), switches=words[0x14],
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RingEntry:
    """One event of the ring: why something changed. The totals say what; losing an entry loses no money."""

    seq: int
    uptime: int
    kind: int
    seat: int
    argument: int = 0
    credits: int = 0
    boots: int = 0

    def encode(self) -> list[int]:
        return [
            high(self.seq), low(self.seq), high(self.uptime), low(self.uptime), self.kind << 8 | self.seat,
            self.argument, self.credits, self.boots & 0xFFFF,
        ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """E: the newest twelve events. It has no check word; each slot proves itself by standing where its number says."""

    unit: int
    newest: int
    entries: tuple[RingEntry, ...] = ()

    def encode(self) -> WordList:
        words = [0] * at.RING_WORDS
        words[:4] = [at.TAG_RING, self.unit, high(self.newest), low(self.newest)]
        for entry in self.entries[-at.RING_DEPTH :]:
            place = 4 + at.RING_ENTRY * (entry.seq % at.RING_DEPTH)
            words[place : place + at.RING_ENTRY] = entry.encode()
        return tuple(words)

    @staticmethod
    def decode(words: WordList, unit: int) -> "Ring | Flaw":
        if len(words) != at.RING_WORDS:
            return Flaw.LENGTH
        if words[0] != at.TAG_RING:
            return Flaw.TAG
        if words[1] != unit:
            return Flaw.UNIT
        newest = both(words, 2)
        entries = []
        for age in reversed(range(at.RING_DEPTH)):
            seq = (newest - age) % 2**32
            place = 4 + at.RING_ENTRY * (seq % at.RING_DEPTH)
            slot = words[place : place + at.RING_ENTRY]
            if both(slot, 0) == seq and slot[4]:
                entries.append(
                    RingEntry(seq=seq, uptime=both(slot, 2), kind=slot[4] >> 8, seat=slot[4] & 0xFF, argument=slot[5],
                          credits=slot[6], boots=slot[7])
                )  # fmt: skip
        return Ring(unit=unit, newest=newest, entries=tuple(entries))
