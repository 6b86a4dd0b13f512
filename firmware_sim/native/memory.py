"""What a unit must still know after a power cut (2.1.1): money, bets, the ring of explanations, its configuration.

This is the working copy in the unit's RAM and its image in bytes. Everything is one image, so a total and the event
that explains it cannot be parted by a power cut.
"""

import struct
from dataclasses import dataclass, field

from drivers.native import contract as at
from drivers.native.blocks import RingEntry
from drivers.native.contract import Bet
from drivers.native.writes import Config

WORD, LONG = 0xFFFF, 0xFFFFFFFF

_UNIT = struct.Struct("<IIIHHBBH64s192s")
_SEAT = struct.Struct("<11I5HBB")
_ENTRY = struct.Struct("<IIBBHHH")


@dataclass(slots=True)
class SeatMemory:
    loaded: int = 0  # a console's lock presses
    cashed: int = 0
    bets: int = 0  # a console's unlock presses
    voided: int = 0  # a console's key-switch changes
    chips: int = 0
    late: int = 0
    presses: int = 0
    refused: int = 0
    bet_seq: int = 0
    first_seq: int = 0  # of the bet's first chip: the lamp is steady from the first acked one (2.4)
    switches: int = 0
    credits: int = 0
    round_id: int = 0
    cause: int = 0
    latched: int = 0
    bet: Bet = Bet.NONE
    unacked: bool = False  # a later chip of a confirmed bet is not booked yet (A b13)
    enabled: bool = True

    def image(self) -> bytes:
        return _SEAT.pack(
            self.loaded, self.cashed, self.bets, self.voided, self.chips, self.late, self.presses, self.refused,
            self.bet_seq, self.first_seq, self.switches, self.credits, self.round_id, self.cause, self.latched,
            self.bet, self.unacked, self.enabled,
        )  # fmt: skip

    @staticmethod
    def read(image: bytes, place: int) -> "SeatMemory":
        *numbers, bet, unacked, enabled = _SEAT.unpack_from(image, place)
        seat = SeatMemory(*numbers)
        seat.bet, seat.unacked, seat.enabled = Bet(bet), bool(unacked), bool(enabled)
        return seat


@dataclass(slots=True)
class UnitMemory:
    seats: list[SeatMemory]
    seq: int = 0
    cut: int = 0
    boots: int = 0
    boot_id: int = 0
    round_id: int = 0
    open: bool = False  # a unit that was open when the power went is locked by its boot
    sealed: bool = False  # the current round reached LOCKED with a bet in it
    faults: int = 0  # of the unit, latched
    config: bytes = bytes(64)
    ring: bytearray = field(default_factory=lambda: bytearray(_ENTRY.size * at.RING_DEPTH))

    @staticmethod
    def new(seats: int) -> "UnitMemory":
        return UnitMemory([SeatMemory() for _ in range(seats)])

    def image(self) -> bytes:
        head = _UNIT.pack(
            self.seq, self.cut, self.boots, self.boot_id, self.round_id, self.open, self.sealed, self.faults,
            self.config, bytes(self.ring),
        )  # fmt: skip
        return head + b"".join([seat.image() for seat in self.seats])

    @staticmethod
    def read(image: bytes) -> "UnitMemory":
        seq, cut, boots, boot_id, round_id, opened, sealed, faults, config, ring = _UNIT.unpack_from(image)
        seats = [SeatMemory.read(image, place) for place in range(_UNIT.size, len(image), _SEAT.size)]
        return UnitMemory(
            seats, seq, cut, boots, boot_id, round_id, bool(opened), bool(sealed), faults, config, bytearray(ring)
        )

    def store_config(self, config: Config) -> None:
        self.config = struct.pack(">32H", *config.encode())

    def read_config(self) -> Config | None:
        """`None`: never configured, or not by anything a unit may run on."""
        config = Config.decode(struct.unpack(">32H", self.config))
        return config if isinstance(config, Config) and config.flaw() is None else None

    def add_event(self, uptime: int, kind: int, seat: int, argument: int, credit: int) -> int:
        self.seq = (self.seq + 1) & LONG
        place = _ENTRY.size * (self.seq % at.RING_DEPTH)
        _ENTRY.pack_into(
            self.ring, place, self.seq, uptime, kind, seat, argument & WORD, credit & WORD, self.boots & WORD
        )
        return self.seq

    def events(self) -> tuple[RingEntry, ...]:
        """Oldest first; a slot that was never written has type 0."""
        slots = [_ENTRY.unpack_from(self.ring, place) for place in range(0, len(self.ring), _ENTRY.size)]
        entries = [
            RingEntry(seq=seq, uptime=uptime, kind=kind, seat=seat, argument=argument, credits=credit, boots=boots)
            for seq, uptime, kind, seat, argument, credit, boots in slots
            if kind
        ]
        return tuple(sorted(entries, key=lambda entry: (entry.seq - self.seq - 1) & LONG))
