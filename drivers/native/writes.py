"""The blocks a host writes: configuration, desired state, command, display. A unit takes them whole or not at all.

`decode` is the unit's side of it: the image, or the `Flaw` for which it answers exception 03 (2.2).
"""

from dataclasses import dataclass

from drivers.native import contract as at
from drivers.native.blocks import Flaw, WordList, both, checked, high, low, misfit
from drivers.native.contract import UnitParity


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """C: what a seat may do. Staged when written, live after CONFIG_COMMIT, and only LOCKED with no bet."""

    credit_value: int
    least: int
    most: int
    buttons: tuple[int, int, int, int]  # credits of each; 0 = off
    chip_credits: int = 1
    debounce: int = 30  # ms
    host_timeout: int = 1500  # ms, 300-5000
    hold: int = 30  # s (2.6)
    confirm_timeout: int = 1000  # ms
    lamp_least: int = 10  # mA
    lamp_most: int = 30
    settle: int = 30  # ms
    gate: int = 300  # ms
    baud: int = 38400
    parity: int = UnitParity.EVEN
    stop_bits: int = 1
    unit: int = 1
    first_seat: int = 1
    enabled: int = 0x1FF  # bitmap of seats
    generation: int = 1

    def encode(self) -> WordList:
        assert self.baud % 100 == 0, "the register counts hundreds of baud"
        words = [
            at.TAG_CONFIG, high(self.credit_value), low(self.credit_value), self.least, self.most, *self.buttons,
            self.chip_credits, self.debounce, self.host_timeout, self.hold, self.confirm_timeout,
            self.lamp_least, self.lamp_most, self.settle, self.gate, self.baud // 100,
            self.parity << 8 | self.stop_bits, self.unit, self.first_seat, self.enabled, *[0] * 9,
        ]  # fmt: skip
        words[0x1E] = self.generation
        return checked(words, 0x1F)

    @property
    def check(self) -> int:
        """What CONFIG_COMMIT names and identity shows: these words and no others."""
        return self.encode()[0x1F]

    @staticmethod
    def decode(words: WordList) -> "Config | Flaw":
        flaw = misfit(words, at.BLOCK_WORDS, at.TAG_CONFIG)
        if flaw is not None:
            return flaw
        return Config(
            credit_value=both(words, 1), least=words[3], most=words[4],
            buttons=(words[5], words[6], words[7], words[8]), chip_credits=words[9], debounce=words[0xA],
            host_timeout=words[0xB], hold=words[0xC], confirm_timeout=words[0xD], lamp_least=words[0xE],
            lamp_most=words[0xF], settle=words[0x10], gate=words[0x11], baud=words[0x12] * 100,
            parity=words[0x13] >> 8, stop_bits=words[0x13] & 0xFF, unit=words[0x14], first_seat=words[0x15],
            enabled=words[0x16], generation=words[0x1E],
        )  # fmt: skip

    def flaw(self) -> Flaw | None:
        """Values no unit may run on; a host timeout of 0 would be no watchdog at all."""
        fits = (
            self.credit_value > 0
            and 0 < self.least <= self.most
            and self.chip_credits > 0
            and 300 <= self.host_timeout <= 5000
            and self.confirm_timeout > 0
            and self.lamp_least <= self.lamp_most
            and self.parity <= UnitParity.ODD
            and self.stop_bits in {1, 2}
            and 1 <= self.unit <= 247
        )
        return None if fits else Flaw.VALUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Desired:
    """D: what the host wants, repeated every cycle; the heartbeat, the lock, and how far the ledger has come."""

    token: int
    heartbeat: int
    lock: int = at.LOCK  # everything but UNLOCK locks
    round_id: int = 0
    ack: int = 0
    lamp: int = 0  # LampCommand << 8 | seat

    def encode(self) -> WordList:
        words = [self.token, self.heartbeat, self.lock, self.round_id, high(self.ack), low(self.ack), self.lamp, 0]
        return checked(words, 7)

    @staticmethod
    def decode(words: WordList) -> "Desired | Flaw":
        flaw = misfit(words, at.WRITE_WORDS)
        if flaw is not None:
            return flaw
        return Desired(
            token=words[0], heartbeat=words[1], lock=words[2], round_id=words[3], ack=both(words, 4), lamp=words[6]
        )


BROADCAST_LOCK = Desired(token=at.NO_TOKEN, heartbeat=0).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """K: compare and set. `expected` is what the host believes; a unit where it is not so does nothing."""

    command_id: int
    opcode: int
    seat: int = 0
    expected: int = 0
    target: int = 0
    token: int = at.NO_TOKEN

    def encode(self) -> WordList:
        words = [
            self.command_id, self.opcode << 8 | self.seat, high(self.expected), low(self.expected),
            high(self.target), low(self.target), self.token, 0,
        ]  # fmt: skip
        return checked(words, 7)

    @staticmethod
    def decode(words: WordList) -> "Command | Flaw":
        flaw = misfit(words, at.WRITE_WORDS)
        if flaw is not None:
            return flaw
        return Command(
            command_id=words[0], opcode=words[1] >> 8, seat=words[1] & 0xFF, expected=both(words, 2),
            target=both(words, 4), token=words[6],
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """V: what a table credit counter shows; blank (dashes) after 5 s without one."""

    token: int
    heartbeat: int
    value: int = 0
    mode: int = 0

    def encode(self) -> WordList:
        return checked([self.token, self.heartbeat, high(self.value), low(self.value), self.mode, 0, 0, 0], 7)

    @staticmethod
    def decode(words: WordList) -> "Display | Flaw":
        flaw = misfit(words, at.WRITE_WORDS)
        if flaw is not None:
            return flaw
        return Display(token=words[0], heartbeat=words[1], value=both(words, 2), mode=words[4])
