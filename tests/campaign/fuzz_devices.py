"""Hostile bytes against our simulated devices: what they take was said to them, and their books stay true."""

import random

from campaign.fuzz_pieces import PAUSES, pieces, script, settle
from campaign.fuzz_targets import UNIT, Target
from drivers.cctalk.frames import Checksum, Frame, Header, encode
from drivers.modbus import mbap, pdu, rtu
from drivers.modbus.timing import LineTiming
from drivers.native import contract
from drivers.native.blocks import FastPoll, checked
from drivers.native.contract import UnitClass
from drivers.native.writes import Command, Config, Desired
from drivers.signs import alpha
from firmware_sim.foreign.alpha import AlphaFirmware, AlphaMake
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake
from firmware_sim.foreign.text_sign import TextSignFirmware, TextSignMake
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

TIMING = LineTiming(baud=38400)
CONFIG = Config(credit_value=100, least=1, most=2, buttons=(1, 2, 0, 0), unit=UNIT)
MAKE = Make(unit=UNIT, unit_class=UnitClass.ELECTRONIC, serial=7, config=CONFIG, capabilities=0xFFF)


class Recorder:
    """Stands for a unit behind a slave's framing: it answers everything with two bytes."""

    make = MAKE
    powered = True
    starts = 0

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def hear(self, message: bytes, _: int) -> bytes:
        self.heard.append(message)
        return message[:1] + b"\x01"

    def hear_broadcast(self, message: bytes, _: int) -> bytes:
        self.heard.append(message)
        return b""

    def deadline(self) -> None:
        return None

    def tick(self, now: int) -> None:
        pass


def rtu_slave(data: bytes) -> int:
    """What is heard stood on the line with a good checksum; what is said was asked."""
    unit = Recorder()
    slave, now, line, thrown = RtuSlave(unit, TIMING), 0, b"", pieces(data)
    for how, body in thrown:
        now += PAUSES[how & 7]
        raw = rtu.frame(UNIT if how & 8 else how >> 5, body) if how & 16 else body
        line += raw
        slave.receive(raw, now)
        said = settle(slave, now)
        assert len(said) <= 5
        assert len(slave._buffer) <= 512
    now += 100_000
    settle(slave, now)
    for message in unit.heard:
        assert rtu.frame(UNIT, message) in line or rtu.frame(0, message) in line
    return len(thrown)


def tcp_slave(data: bytes) -> int:
    unit = Recorder()
    slave, now, line, thrown = TcpSlave(unit), 0, b"", pieces(data)
    for how, body in thrown:
        now += PAUSES[how & 7]
        raw = mbap.frame(how, UNIT if how & 8 else how >> 5, body) if how & 16 else body
        line += raw
        slave.receive(raw, now)
        settle(slave, now)
        assert len(slave._buffer) <= 512
    for message in unit.heard:
        assert message in line
    return len(thrown)


def _read(unit: Firmware, address: int, count: int, now: int) -> tuple[int, ...]:
    answer = unit.serve(pdu.ReadWords(address, count), now)
    assert isinstance(answer, pdu.Words)
    return answer.words


_WRITES = ((contract.DESIRED, 8, 7), (contract.COMMAND, 8, 7), (contract.CONFIG, 32, 31))


def unit_hears(data: bytes) -> int:
    """Whatever good frames say, the unit's books stay true, and nothing but a good unlock opens it."""
    unit, now, thrown = Firmware(MAKE, Nvm(), random.Random(1)), 0, pieces(data)
    for how, body in thrown:
        now += PAUSES[how & 7]
        unit.tick(now)
        message = body
        if how & 8:
            address, size, place = _WRITES[(how >> 5) % 3]
            words = [body[at] << 8 | body[at + 1] for at in range(0, len(body) - 1, 2)][:size]
            words = list(checked(words + [0] * (size - len(words)), place))
            if how & 16:
                words[6 if address == contract.COMMAND else 0] = unit._token
                words = list(checked(words, place))
            message = pdu.encode_request(pdu.WriteWords(address, tuple(words)))
        answer = unit.hear(message, now) if message else b""
        assert len(answer) <= pdu.LONGEST_PDU
        if how & 0xE0 == 0xE0:
            unit.press(1, 1 + (how >> 3 & 1), now)
    poll = FastPoll.decode(_read(unit, contract.FAST_POLL, 28, now), UNIT, 1)
    assert isinstance(poll, FastPoll)
    seat = poll.seats[0]
    detail = _read(unit, contract.DETAIL, 4, now)
    memory = unit.memory.seats[0]
    assert (detail[2] << 16 | detail[3]) == (seat.loaded - memory.cashed - seat.bets + seat.voided) % 2**32
    assert seat.lamp != contract.LampDrive.STEADY or seat.bet in {contract.Bet.CONFIRMED, contract.Bet.SEALED}
    return len(thrown)


# ---------------------------------------------------------------------------------------------- other makers' devices


def acceptor_hears(data: bytes) -> int:
    """A ccTalk acceptor: it answers good frames to itself and nothing else, and credits nothing by itself."""
    device, now, thrown = CctalkAcceptor(CctalkMake()), 0, pieces(data)
    for how, body in thrown:
        now += PAUSES[how & 7]
        settle(device, now)
        raw = encode(Frame(2, 1, body[0], body[1:200]), Checksum.SUM) if how & 8 and body else body
        device.receive(raw, now)
        now += 100_000
        said = settle(device, now)
        assert len(said) <= 3 * 64
        due = device.deadline()
        assert due is None or due > now
    return len(thrown)


def sign_hears(data: bytes) -> int:
    """Two signs on one stream; whatever they show afterwards is text."""
    signs: tuple[AlphaFirmware | TextSignFirmware, ...] = AlphaFirmware(AlphaMake()), TextSignFirmware(TextSignMake())
    now, thrown = 0, pieces(data)
    for how, body in thrown:
        now += PAUSES[how & 7]
        raw = body
        if how & 8 and body:
            inner = alpha.STX + body.replace(alpha.ETX, b"").replace(alpha.EOT, b"") + alpha.ETX
            raw = b"\0\0\0\0\0\x01Z00" + inner + alpha.checksum(inner) + alpha.EOT
        for sign in signs:
            settle(sign, now)
            sign.receive(raw, now)
            assert len(settle(sign, now + 100_000)) <= 8 * 1024
            shown = sign.displayed(now)
            assert isinstance(shown, str)
            assert len(shown) < 70_000
        now += 100_000
    return len(thrown)


# ---------------------------------------------------------------------------------------------- good beginnings


def _bytes(words: tuple[int, ...]) -> bytes:
    return b"".join(word.to_bytes(2, "big") for word in words)


_READ_A = pdu.encode_request(pdu.ReadWords(contract.FAST_POLL, 28))
_OPEN = Command(command_id=1, opcode=1, target=5).encode()
_LOAD = Command(command_id=2, opcode=2, seat=1, expected=0, target=50).encode()
_UNLOCK = Desired(token=0, heartbeat=1, lock=contract.UNLOCK, round_id=1, ack=2**30).encode()
_ACK = Desired(token=0, heartbeat=2, lock=contract.UNLOCK, round_id=1, ack=9).encode()
_LOCK = Desired(token=0, heartbeat=3, lock=contract.LOCK, round_id=1, ack=9).encode()
_SESSION = script(
    (0x08 | 0x20, _bytes(_OPEN)), (0x18 | 0x20, _bytes(_LOAD)), (0x18, _bytes(_UNLOCK)), (0xE0, _READ_A),
    (0x04, _READ_A), (0x18, _bytes(_ACK)), (0x18, _bytes(_LOCK)), (0x00, _READ_A),
)  # fmt: skip
_ON_LINE = script((0x1F, _READ_A), (0x05, rtu.frame(UNIT, _READ_A)), (0x10, _READ_A), (0x07, b"\xff" * 60))
_ON_NET = script((0x18, _READ_A), (0x00, mbap.frame(5, UNIT, _READ_A)))
_COINS = script(
    (8, bytes((Header.SIMPLE_POLL,))), (8, bytes((Header.SET_INHIBITS, 255, 255))), (8, bytes((Header.SET_MASTER, 1))),
    (8, bytes((Header.READ_CREDIT,))), (0, bytes((2, 0, 1, 254, 255))),
)  # fmt: skip
_SIGNS = script((8, b"E$AAL0028FF00PBL00200000"), (8, b"AA\x1b b\x10P"), (8, b"GP12.345"), (8, b"HP"), (0, b"hello\r"))

DEVICES = (
    Target("rtu_slave", rtu_slave, (_ON_LINE,), 120),
    Target("tcp_slave", tcp_slave, (_ON_LINE, _ON_NET), 300),
    Target("unit_hears", unit_hears, (_SESSION,), 400),
    Target("acceptor_hears", acceptor_hears, (_COINS,), 200),
    Target("sign_hears", sign_hears, (_SIGNS,), 160),
)
