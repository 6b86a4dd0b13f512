"""`Firmware`: one simulated unit, seen from its line: what it answers, and the images it shows (2.2, 2.3).

The top layer. It reads what the layers below know and writes through them; a read changes nothing but the snapshot
counter (2.1.1). Blocks that every poll asks for are packed by hand, because a simulated day asks for millions.
"""

import random
import struct
from collections.abc import Callable

from drivers.modbus import pdu
from drivers.modbus.crc import crc16
from drivers.native import contract as at
from drivers.native.blocks import Identity, Ring, SeatDetail, WordList
from drivers.session import Micros
from firmware_sim.native.counter import BLANK_WORD, DASHES
from firmware_sim.native.lamp import FAULTS as LAMP_FAULTS
from firmware_sim.native.make import Make
from firmware_sim.native.memory import LONG, WORD
from firmware_sim.native.nvm import Nvm, PowerCutError
from firmware_sim.native.seat import UnitSeat
from firmware_sim.native.world import World
from firmware_sim.native.writes import Writes

_HEAD = struct.Struct(">HBBHHIHHIIHHBB")
_SEAT = struct.Struct(">HBBHHIIII")
_NO_ADDRESS, _NO_VALUE, _NO_FUNCTION = (
    pdu.Denied(pdu.Denial.ADDRESS),
    pdu.Denied(pdu.Denial.VALUE),
    pdu.Denied(pdu.Denial.FUNCTION),
)


class Firmware(Writes, World):
    """Comes up with power on. Seats have the unit's own numbers, from 1."""

    def __init__(self, make: Make, nvm: Nvm, chance: random.Random, now: Micros = 0) -> None:
        super().__init__(make, nvm, chance)
        self._snapshot = 0
        seats = make.seats
        self._reads: dict[int, tuple[int, Callable[[], WordList]]] = {
            at.IDENTITY: (at.BLOCK_WORDS, self._identity),
            at.RING: (at.RING_WORDS, self._ring),
            at.CONFIG: (at.BLOCK_WORDS, lambda: struct.unpack(">32H", self.memory.config)),
            at.DESIRED: (at.WRITE_WORDS, lambda: self._desired),
            at.FAST_POLL: (at.fast_poll_words(seats), self._fast_poll),
        }
        for seat in self.seats:
            self._reads[at.detail_address(seat.number)] = (at.BLOCK_WORDS, self._detail_of(seat))
        self._writes: dict[int, tuple[int, Callable[[WordList], pdu.Answer]]] = {
            at.CONFIG: (at.BLOCK_WORDS, self._write_config),
            at.DESIRED: (at.WRITE_WORDS, self._write_desired),
            at.COMMAND: (at.WRITE_WORDS, self._write_command),
        }
        if make.unit_class == at.UnitClass.COUNTER:
            self._reads[at.DISPLAY] = (at.WRITE_WORDS, lambda: self._counter.words)
            self._writes[at.DISPLAY] = (at.WRITE_WORDS, self._write_display)
        self.power_on(now)

    def _restart(self) -> None:
        super()._restart()
        self._snapshot = 0

    def shows(self, seat: int) -> int:
        """The number on the credit display; `DASHES` when there is none."""
        place = self.seats[seat - 1]
        if not self.powered or place.mode == at.SeatMode.CONSOLE:
            return DASHES
        if place.mode == at.SeatMode.COUNTER:
            return self._counter.value
        if place.mode == at.SeatMode.CHIPS:
            return 0 if place.is_free else place.memory.credits
        return place.balance

    # ------------------------------------------------------------------------------------------------ the line

    def miscount(self, seat: int, total: str, more: int) -> None:
        """What the contract rules out: a total moves, and no event says why."""
        memory = self.memory.seats[seat - 1]
        setattr(memory, total, (getattr(memory, total) + more) & LONG)
        self._commit()

    def hear(self, message: bytes, now: Micros) -> bytes:
        """A message to this unit, without its frame; the answer to it, empty when the power went meanwhile."""
        request = pdu.decode_request(message)
        if isinstance(request, pdu.Denied):
            return pdu.encode_denial(message[0], request.code)
        answer = self.serve(request, now)
        return pdu.encode_answer(request, answer) if self.powered else b""

    def hear_broadcast(self, message: bytes, now: Micros) -> bytes:
        """A message to all units: never an answer, not even an exception (2.2)."""
        request = pdu.decode_request(message)
        if not isinstance(request, pdu.Denied):
            self.broadcast(request, now)
        return b""

    def serve(self, request: pdu.Request, now: Micros) -> pdu.Answer:
        """Do what the host asks; it is in the memory when this returns. A unit without power is not asked."""
        assert self.powered, "a unit without power hears nothing"
        try:
            self._catch_up(now)
            answer = self._do(request)
            self._finish()
        except PowerCutError:
            self._go_dark()
            return pdu.Denied(pdu.Denial.FAILURE)  # which no host hears any more
        return answer

    def broadcast(self, request: pdu.Request, now: Micros) -> None:
        if self.powered and isinstance(request, pdu.WriteWords) and request.address == at.DESIRED:
            self._at(now, lambda: self._hear_broadcast(request.words))

    def _do(self, request: pdu.Request) -> pdu.Answer:
        match request:
            case pdu.ReadWords(address, count):
                return self._read(address, count)
            case pdu.WriteWords(address, words):
                return self._write(address, words)
            case pdu.WriteReadWords() if self.make.able(at.Capability.WRITE_READ):
                return self._write_and_read(request)
            case _:
                return _NO_FUNCTION

    def _read(self, address: int, count: int) -> pdu.Answer:
        """Wholly inside one block; a part of one is for technicians."""
        block = self._reads.get(address)
        if block is not None and block[0] == count:
            return pdu.Words(block[1]())
        for start, (length, image) in self._reads.items():
            if start <= address < start + length:
                part = image()[address - start : address - start + count]
                return pdu.Words(part) if len(part) == count else _NO_ADDRESS
        return _NO_ADDRESS

    def _write(self, address: int, words: WordList) -> pdu.Answer:
        """Whole blocks only (2.2)."""
        block = self._writes.get(address)
        if block is None:
            return _NO_ADDRESS
        return block[1](words) if len(words) == block[0] else _NO_VALUE

    def _write_and_read(self, request: pdu.WriteReadWords) -> pdu.Answer:
        """FC23 writes D and nothing else; nothing is written when the read part cannot be answered."""
        if request.write_address != at.DESIRED or not self._is_readable(request.address, request.count):
            return _NO_ADDRESS
        wrote = self._write(at.DESIRED, request.words)
        return wrote if isinstance(wrote, pdu.Denied) else self._read(request.address, request.count)

    def _is_readable(self, address: int, count: int) -> bool:
        return any(start <= address and address + count <= start + length for start, (length, _) in self._reads.items())

    # ------------------------------------------------------------------------------------------------ the images

    def _fast_poll(self) -> WordList:
        self._snapshot = (self._snapshot + 1) & WORD
        memory = self.memory
        head = _HEAD.pack(
            at.TAG_FAST_POLL, self.make.unit, len(self.seats), self._snapshot, memory.boot_id, self._uptime(),
            self._state | self._flags(), self._faults, memory.seq, memory.cut, self._token, self._command_id,
            self._result, self._heartbeat_age(),
        )  # fmt: skip
        seats = b"".join([self._seat_image(seat) for seat in self.seats])
        check = crc16(head + seats)
        return struct.unpack(f">{at.fast_poll_words(len(self.seats))}H", head + check.to_bytes(2, "big") + seats)

    def _seat_image(self, seat: UnitSeat) -> bytes:
        memory, lamp = seat.memory, seat.lamp
        loaded, feedback = memory.loaded, lamp.feedback
        if seat.mode == at.SeatMode.COUNTER:
            loaded = BLANK_WORD if self._counter.value == DASHES else self._counter.value
        if memory.latched & LAMP_FAULTS:
            feedback |= at.Feedback.LATCHED
        credit = min(memory.credits, WORD)
        return _SEAT.pack(
            memory.bet | seat.mode << 4 | self._seat_flags(seat), lamp.drive, feedback, lamp.milliamps, credit,
            loaded, memory.bets, memory.voided, memory.chips,
        )  # fmt: skip

    def _seat_flags(self, seat: UnitSeat) -> int:
        memory = seat.memory
        flags: int = at.SeatFlag.ENABLED if self._enabled(seat) else 0
        if seat.contacts.down:
            flags |= at.SeatFlag.BUTTON_DOWN
        if seat.path.falling:
            flags |= at.SeatFlag.PATH_BLOCKED
        if seat.lamp.drive == 1:
            flags |= at.SeatFlag.LAMP_STEADY
        if seat.lamp.agrees:
            flags |= at.SeatFlag.FEEDBACK_AGREES
        if memory.unacked:
            flags |= at.SeatFlag.PART_UNACKED
        if seat.live or memory.latched:
            flags |= at.SeatFlag.FAULT
        return flags

    def _identity(self) -> WordList:
        make, config, faults = self.make, self._live_config, self.memory.faults
        health = at.MemoryHealth.LOST if faults & at.UnitFault.TOTALS_LOST else at.MemoryHealth.OK
        if faults & at.UnitFault.MEMORY_RECOVERED and health == at.MemoryHealth.OK:
            health = at.MemoryHealth.RECOVERED
        return Identity(
            unit_class=make.unit_class, capabilities=make.abilities, seats=make.seats, unit=make.unit,
            first_seat=config.first_seat if config else make.first_seat, serial=make.serial, hardware=make.hardware,
            firmware=make.firmware, firmware_crc=make.firmware_crc,
            config_generation=config.generation if config else 0, config_check=config.check if config else 0,
            totals_epoch=self.nvm.epoch, boots=self.memory.boots, boot_id=self.memory.boot_id,
            reset_cause=self._reset_cause, memory=health, product=make.product,
        ).encode()  # fmt: skip

    def _ring(self) -> WordList:
        return Ring(unit=self.make.unit, newest=self.memory.seq, entries=self.memory.events()).encode()

    def _detail_of(self, seat: UnitSeat) -> Callable[[], WordList]:
        return lambda: self._detail(seat)

    def _detail(self, seat: UnitSeat) -> WordList:
        memory = seat.memory
        disabled = 0 if self._enabled(seat) else at.SeatFault.DISABLED
        return SeatDetail(
            unit=self.make.unit, seat=seat.number, balance=seat.balance, cashed=memory.cashed, late=memory.late,
            presses=memory.presses, refused=memory.refused, bet_seq=memory.bet_seq, round_id=memory.round_id,
            bet=memory.bet, cause=memory.cause, faults=seat.live | disabled, latched=memory.latched,
            inputs=self._inputs(seat), switches=(memory.switches + seat.lamp.blinked(self._now)) & WORD,
        ).encode()  # fmt: skip

    def _inputs(self, seat: UnitSeat) -> int:
        """Raw: buttons 1-4, the chip path, the lock line, the key switch."""
        switch = self.key_on and seat.mode == at.SeatMode.CONSOLE
        return seat.contacts.bits() | bool(seat.path.falling) << 4 | self.line_pulled << 5 | switch << 6
