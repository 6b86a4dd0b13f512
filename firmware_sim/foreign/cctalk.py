"""A simulated ccTalk coin or token acceptor at its end of a line (devices.md 1.2).

It hears every byte of the line, answers only frames to its own address with a good check, and to everything else
(unknown headers, wrong data, protected commands without the PIN) it is silent, as the real ones are. The inside is
in cctalk_coins.py. Whoever acts on it from outside gives the time, and says so to the line (`Line.touched`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from drivers.cctalk.frames import HOST, Checksum, Ear, Frame, Header, encode
from drivers.session import MILLISECOND, Micros
from firmware_sim.foreign.cctalk_coins import CHANNELS, CoinMake, CoinPath

_ENCRYPTION_SIGNATURE = bytes((170, 85, 0, 0, 85, 170))
_DECLARED = bytes((0, 21, 0, 128, 16, 1, 0, 0, 0))  # no encrypted protocol, encrypted commands with a key of 128 bits
_PROTECTED = {
    Header.READ_CREDIT, Header.SET_MASTER, Header.READ_MASTER, Header.SET_INHIBITS, Header.READ_INHIBITS,
    Header.ACCEPTED_TOTAL, Header.INSERTED_TOTAL, Header.TEST_LAMPS, Header.RESET,
}  # fmt: skip


class Secrets(Enum):
    NONE = auto()
    PIN = auto()
    ENCRYPTION = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class CctalkMake:
    address: int = 2
    checksum: Checksum = Checksum.SUM
    serial: int = 12_345_678
    category: str = "Coin Acceptor"
    manufacturer: str = "PZO"
    product: str = "FICHA1"
    software: str = "FS-1.04"
    coin_ids: Mapping[int, str] = field(default_factory=lambda: {1: "CL001A", 2: "CL005A", 3: "CL025A"})
    answer: Micros = 5 * MILLISECOND
    lamps: int = 1
    secrets: Secrets = Secrets.NONE
    pin: bytes = b"\x01\x02\x03\x04"
    silent_to: frozenset[int] = frozenset()  # headers this model never learnt
    coins: CoinMake = field(default_factory=CoinMake)

    def __post_init__(self) -> None:
        assert 1 < self.address < 256 and 0 <= self.serial < 1 << 24 and len(self.pin) == 4
        assert all(1 <= channel <= CHANNELS and len(name) == 6 for channel, name in self.coin_ids.items())


class CctalkAcceptor:
    """A `Talker`."""

    def __init__(self, make: CctalkMake) -> None:
        self.make = make
        self.powered = True
        self.coins = CoinPath(make.coins)
        self.fault_code = 0  # of the self-check
        self._start()
        self._answers: dict[int, Callable[[bytes, Micros], bytes | None]] = {
            Header.SIMPLE_POLL: _only_bare(lambda _: b""),
            Header.CATEGORY: _only_bare(lambda _: make.category.encode("ascii")),
            Header.MANUFACTURER: _only_bare(lambda _: make.manufacturer.encode("ascii")),
            Header.PRODUCT: _only_bare(lambda _: make.product.encode("ascii")),
            Header.SOFTWARE: _only_bare(lambda _: make.software.encode("ascii")),
            Header.SERIAL: _only_bare(lambda _: make.serial.to_bytes(3, "little")),
            Header.COMMS_REVISION: _only_bare(lambda _: bytes((1, 4, 6))),
            Header.POLLING_PRIORITY: _only_bare(lambda _: bytes((2, 20))),  # 20 times 10 ms
            Header.SELF_CHECK: _only_bare(lambda _: bytes((self.fault_code,))),
            Header.READ_CREDIT: _only_bare(lambda now: self.coins.poll(now).encode()),
            Header.ACCEPTED_TOTAL: _only_bare(lambda _: self.coins.accepted.to_bytes(3, "little")),
            Header.INSERTED_TOTAL: _only_bare(lambda _: self.coins.inserted.to_bytes(3, "little")),
            Header.READ_MASTER: _only_bare(lambda _: bytes((self.coins.master_open,))),
            Header.READ_INHIBITS: _only_bare(lambda _: self.coins.mask.to_bytes(2, "little")),
            Header.SET_MASTER: self._set_master,
            Header.SET_INHIBITS: self._set_inhibits,
            Header.COIN_ID: self._coin_id,
            Header.TEST_LAMPS: self._test_lamps,
            Header.ENTER_PIN: self._enter_pin,
            Header.ENCRYPTION_SUPPORT: self._encryption_support,
            Header.RESET: _only_bare(lambda _: b""),
        }

    def _start(self) -> None:
        self._ear = Ear(self.make.checksum)
        self._pending: tuple[Micros, bytes, bool] | None = None  # when, what, and whether a reset follows
        self._out = b""
        self._lamp_modes: dict[int, int] = {}
        self._opened = self.make.secrets is not Secrets.PIN

    # what people do and see

    def insert(self, channel: int, now: Micros) -> bool:
        """Whether it is taken; one that is not falls into the return tray."""
        if not self.powered:
            self.coins.returned += 1
            return False
        return self.coins.insert(channel, now)

    def jam(self) -> None:
        self.coins.jam()

    def unjam(self) -> None:
        self.coins.unjam()

    def lamp(self, number: int = 1) -> int:
        """The mode of header 151: 0 never set, 1 off, 2 on, 10-255 flashing; a dead device shows nothing."""
        return self._lamp_modes.get(number, 0) if self.powered else 0

    def power_off(self, now: Micros) -> None:
        self.coins.tick(now)
        self.coins.forget()
        self._start()
        self.powered = False

    def power_on(self) -> None:
        self.powered = True

    def reset(self, now: Micros) -> None:
        """What header 1 does, and what a glitch of the supply does without being asked."""
        self.power_off(now)
        self.power_on()

    # the talker

    def receive(self, data: bytes, now: Micros) -> None:
        if not self.powered:
            return
        for frame in self._ear.hear(data, now):
            if frame.destination == self.make.address:
                self._serve(frame, now)

    def to_send(self, now: Micros) -> bytes:
        del now
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        times = [self._pending[0] if self._pending else None, self.coins.deadline()]
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: Micros) -> None:
        self.coins.tick(now)
        if self._pending is not None and self._pending[0] <= now:
            _, answer, resets = self._pending
            self._pending = None
            if resets:
                self.reset(now)
            self._out = answer

    def _serve(self, frame: Frame, now: Micros) -> None:
        serve = self._answers.get(frame.header)
        if serve is None or frame.header in self.make.silent_to:
            return
        if frame.header in _PROTECTED and not self._opened:
            return
        data = serve(frame.data, now)
        if data is not None:
            answer = encode(Frame(HOST, self.make.address, Header.ANSWER, data), self.make.checksum)
            self._pending = now + self.make.answer, answer, frame.header == Header.RESET

    # the headers that carry data

    def _set_master(self, data: bytes, now: Micros) -> bytes | None:
        if len(data) != 1:
            return None
        self.coins.tick(now)
        self.coins.master_open = bool(data[0] & 1)
        return b""

    def _set_inhibits(self, data: bytes, now: Micros) -> bytes | None:
        if len(data) != 2:
            return None
        self.coins.tick(now)
        self.coins.mask = int.from_bytes(data, "little")
        return b""

    def _coin_id(self, data: bytes, _: Micros) -> bytes | None:
        if len(data) != 1:
            return None
        return self.make.coin_ids.get(data[0], "......").encode("ascii")

    def _test_lamps(self, data: bytes, _: Micros) -> bytes | None:
        if len(data) != 2 or not 1 <= data[0] <= self.make.lamps:
            return None
        self._lamp_modes[data[0]] = data[1]
        return b""

    def _enter_pin(self, data: bytes, _: Micros) -> bytes | None:
        """A wrong PIN is acknowledged like a right one."""
        if len(data) != len(self.make.pin):
            return None
        self._opened = self._opened or data == self.make.pin
        return b""

    def _encryption_support(self, data: bytes, _: Micros) -> bytes | None:
        if self.make.secrets is not Secrets.ENCRYPTION or data != _ENCRYPTION_SIGNATURE:
            return None
        return _DECLARED


def _only_bare(answer: Callable[[Micros], bytes]) -> Callable[[bytes, Micros], bytes | None]:
    """A question without data; with data it is another question, which this device does not know."""
    return lambda data, now: None if data else answer(now)
