"""What the installation says of one acceptor: where it is, what its chips are worth, how patient we are with it.

Nothing here is learnt from the wire. A device whose chips are not the ones named here is refused, because it would
take bets of another value than the pot's (R-3).
"""

from dataclasses import dataclass

from drivers.cctalk.frames import HOST, Checksum
from drivers.session import MILLISECOND, SECOND, Micros

CHANNELS = 16
DEVICE_WATCHDOG: Micros = SECOND  # common acceptors stop taking chips after this without a poll


@dataclass(frozen=True, slots=True)
class Channel:
    number: int
    credits: int
    coin_id: str = ""  # as the device itself names it (184); empty: not compared

    def __post_init__(self) -> None:
        assert 1 <= self.number <= CHANNELS and self.credits > 0, "a chip is worth something"
        assert len(self.coin_id) <= 6 and self.coin_id.isascii(), "as header 184 answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptorSettings:
    unit: int  # the installation's number of it
    seat: int
    channels: tuple[Channel, ...]
    most: int  # credits of one bet
    address: int = 2
    checksum: Checksum = Checksum.SUM
    lamp: int | None = None  # number of the seat's lamp when it hangs on the acceptor (151)
    accepted_total_persistent: bool = False  # the manual says that 225 outlives a power cut
    category: str = "Coin Acceptor"
    poll: Micros = 200 * MILLISECOND  # not more often than this; how seldom at the worst: pace.py
    gate: Micros = 300 * MILLISECOND  # a chip that fell in before the lock is counted after this at the latest
    reapply: Micros = 2 * SECOND  # between two looks at the inhibits
    audit: Micros = 30 * SECOND  # between two self-checks, and two looks at the accept counter
    retry: Micros = 10 * SECOND  # after a device that is refused
    patience: int = 6  # failures in a row, of questions anybody answers, that are silence
    secrecy: int = 8  # failures of one question, others being answered, that are a refusal

    def __post_init__(self) -> None:
        numbers = [channel.number for channel in self.channels]
        assert numbers and len(set(numbers)) == len(numbers), "each channel once"
        assert max(channel.credits for channel in self.channels) <= self.most, "a chip above the limit of a bet"
        assert self.address not in {0, HOST} and 0 < self.address < 256, "not the address of a device"
        assert 0 < 3 * self.poll < DEVICE_WATCHDOG, "two polls may be lost before the device stops taking chips"
        assert min(self.gate, self.reapply, self.audit, self.retry) > 0
        assert self.patience > 1 and self.secrecy > 1

    def credits_of(self, channel: int) -> int | None:
        return next((one.credits for one in self.channels if one.number == channel), None)

    def mask(self, room: int) -> bytes:
        """The two bytes of 231: which channels may be taken when the bet has so much room."""
        bits = sum(1 << (one.number - 1) for one in self.channels if one.credits <= room)
        return bits.to_bytes(2, "little")
