"""Hostile bytes against our drivers: each question has one end, what is believed was said, and they come to rest."""

from campaign.fuzz_devices import CONFIG, TIMING
from campaign.fuzz_pieces import PAUSES, pieces, script, settle
from campaign.fuzz_targets import UNIT, Target
from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.bus import CctalkBus
from drivers.cctalk.frames import Checksum, Frame, encode
from drivers.cctalk.settings import AcceptorSettings, Channel
from drivers.line.failures import Failure
from drivers.modbus import pdu, rtu
from drivers.modbus.bus import Bus
from drivers.modbus.turn import Ask
from drivers.model import DeviceKey
from drivers.native import contract
from drivers.native.blocks import FastPoll, Identity, Ring, SeatDetail, SeatPoll, checked
from drivers.native.contract import LockState, UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.signs import alpha
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign


class Asker:
    """A driver of one unit that asks one question for ever and believes what comes."""

    broadcast_lock = NativeUnit.broadcast_lock

    def __init__(self, number: int) -> None:
        self.number = number
        self.request = pdu.ReadWords(contract.FAST_POLL, 28)
        self.believed: list[pdu.Answer] = []

    def lock(self) -> None:
        pass

    def lock_was_broadcast(self) -> None:
        pass

    def due(self) -> int:
        return 0

    def urgent(self) -> bool:
        return False

    def unfinished(self) -> bool:
        return False

    def next_ask(self, _: int) -> Ask:
        return Ask(self.number, self.request)

    def taken(self, _: Ask, answer: pdu.Answer, __: int) -> bool:
        self.believed.append(answer)
        return True

    def failed(self, ask: Ask, failure: Failure, now: int) -> None:
        pass

    def next_event(self) -> None:
        return None

    def line_up(self, now: int) -> None:
        pass

    def line_down(self, now: int) -> None:
        pass


def bus(data: bytes) -> int:
    """However bytes come, each question has one end, and what is believed stood on the line."""
    askers = [Asker(UNIT), Asker(UNIT + 1)]
    master, now, line, thrown = Bus(askers, TIMING, rtu.RtuFraming()), 0, b"", pieces(data)
    master.line_up(now)
    for how, body in thrown:
        now += PAUSES[how & 7]
        settle(master, now)
        if how & 32:
            master.lock_all()
        raw = rtu.frame(UNIT + (how >> 3 & 1), body) if how & 16 else body
        line += raw
        master.receive(raw, now)
        settle(master, now)
    now += 5_000_000
    settle(master, now)
    master.line_down(now)
    for asker in askers:
        seen = master.counters(asker.number)
        assert seen.asked == seen.answered + sum(seen.failed.values())
        assert seen.answered == len(asker.believed)
        for answer in asker.believed:
            assert rtu.frame(asker.number, pdu.encode_answer(asker.request, answer)) in line
    return len(thrown)


_SETTINGS = UnitSettings(UNIT, UnitClass.ELECTRONIC, 1, 1, CONFIG)
_STILL = {
    contract.IDENTITY: Identity(unit_class=1, capabilities=0xCCD, seats=1, unit=UNIT, first_seat=1, serial=9,
                                config_generation=1, config_check=CONFIG.check, boot_id=5).encode(),
    contract.CONFIG: CONFIG.encode(),
    contract.DETAIL: SeatDetail(unit=UNIT, seat=1).encode(),
    contract.RING: Ring(unit=UNIT, newest=0).encode(),
}  # fmt: skip
_POLL = FastPoll(
    unit=UNIT, snapshot=1, boot_id=5, uptime=1, lock=LockState.LOCKED, token=7, seats=(SeatPoll(),)
).encode()


class Puppet:
    """A unit that answers truly, in as little time as possible: what it says may be changed on its way."""

    def __init__(self) -> None:
        self._poll = list(_POLL)

    def answer(self, request: pdu.Request, now: int) -> pdu.Answer:
        if isinstance(request, pdu.WriteWords | pdu.WriteReadWords):
            self._hear(request.words, is_command=request_address(request) == contract.COMMAND)
        if isinstance(request, pdu.WriteWords | pdu.WriteBits):
            return pdu.Written()
        still = _STILL.get(request.address)
        if still is not None:
            return pdu.Words(still[: request.count])
        poll = self._poll
        poll[2] = (poll[2] + 1) & 0xFFFF
        poll[4], poll[5] = now // 1000 >> 16 & 0xFFFF, now // 1000 & 0xFFFF
        return pdu.Words(checked(poll, 0x0F)[: request.count])

    def _hear(self, words: tuple[int, ...], is_command: bool) -> None:
        poll = self._poll
        if not is_command:
            poll[6] = poll[6] & 0xFFF0 | (LockState.OPEN if words[2] == contract.UNLOCK else LockState.LOCKED)
            return
        poll[0xD], poll[0xE] = words[0], 0x0100
        if words[1] >> 8 == contract.Opcode.OPEN_SESSION:
            poll[0xC] = poll[0xC] % 0xFFFF + 1
            poll[6] |= contract.UnitFlag.SESSION_OWNED


def request_address(request: pdu.WriteWords | pdu.WriteReadWords) -> int:
    return request.address if isinstance(request, pdu.WriteWords) else request.write_address


def native_unit(data: bytes) -> int:
    """A driver that is told anything at all by its unit: it never raises, and always has a next question or none."""
    unit, puppet, now, thrown = NativeUnit(_SETTINGS, nonce=1, first_command=1), Puppet(), 0, pieces(data)
    unit.line_up(now)
    if data[:1] > b"\x0f":  # into its second life, or to the questions of the first
        for _ in range(8):
            now += 20_000
            ask = unit.next_ask(now)
            if ask is not None:
                unit.taken(ask, puppet.answer(ask.request, now), now)
    for how, body in thrown:
        now += PAUSES[how & 7] + 1_000
        ask = unit.next_ask(now)
        if ask is None:
            continue
        answer = _changed(ask.request, puppet.answer(ask.request, now), how, body)
        if not unit.taken(ask, answer, now):
            unit.failed(ask, Failure.FOREIGN, now)
        if how & 0xC0 == 0xC0:
            _wish(unit, how)
        for _ in range(64):
            if unit.next_event() is None:
                break
        else:
            raise AssertionError("it never stops telling")
    return len(thrown)


def _wish(unit: NativeUnit, how: int) -> None:
    match how & 7:
        case 0:
            unit.unlock(1 + (how >> 3 & 1))
        case 1:
            unit.lock()
        case 2:
            unit.load(1, 0, 50)
        case 3:
            unit.void(1, 1, 1)
        case 4:
            unit.disable(1)
        case 5:
            unit.clear_faults(1)
        case 6:
            unit.acknowledge(DeviceKey(9, 0), 3)
        case _:
            unit.relight(1)


def _changed(request: pdu.Request, answer: pdu.Answer, how: int, body: bytes) -> pdu.Answer:
    """The first byte of three says which word becomes the other two; the check word may be put right again."""
    if how & 8:
        return pdu.Denied(body[0] if body else 2)
    if not isinstance(answer, pdu.Words):
        return answer
    words = list(answer.words)
    for at in range(0, len(body) - 2, 3):
        words[body[at] % len(words)] = body[at + 1] << 8 | body[at + 2]
    place = 0x0F if request.address == contract.FAST_POLL else 0x1F
    if how & 32 and request.address != contract.RING and place < len(words):  # a part of a block has no check word
        words = list(checked(words, place))
    return pdu.Words(tuple(words))


_CHANNELS = (Channel(1, 1), Channel(2, 5))


def cctalk_bus(data: bytes) -> int:
    """Nothing a line brings makes a credit: that takes the same reading twice, in frames that answer what was asked."""
    driver = Acceptor(AcceptorSettings(unit=21, seat=4, channels=_CHANNELS, most=50))
    master, now, thrown, told = CctalkBus([driver]), 0, pieces(data), 0
    master.line_up(now)
    for how, body in thrown:
        now += PAUSES[how & 7]
        asked = settle(master, now)
        if how & 64:
            master.receive(asked, now)  # an echo
        raw = encode(Frame(1, 2, 0, body[:200]), Checksum.SUM) if how & 8 else body
        master.receive(raw, now)
        settle(master, now)
        if how & 128:
            driver.unlock(1 + (how >> 4 & 1))
        for _ in range(64):
            event = master.next_event()
            if event is None:
                break
            told += 1
        else:
            raise AssertionError("it never stops telling")
        assert len(master._heard) <= 512
    seen = master.counters(2)
    assert seen.asked >= seen.answered
    return len(thrown)


def alpha_sign(data: bytes) -> int:
    """A sign that answers anything at all."""
    sign, now, thrown = AlphaSign(AlphaSettings(number=1)), 0, pieces(data)
    sign.line_up(now)
    sign.show("12.345.678")
    for how, body in thrown:
        now += PAUSES[how & 7]
        settle(sign, now)
        raw = body
        if how & 8:
            inner = alpha.STX + body.replace(alpha.ETX, b"").replace(alpha.EOT, b"") + alpha.ETX
            raw = b"\0\x01000" + inner + alpha.checksum(inner) + alpha.EOT
        sign.receive(raw, now)
        settle(sign, now)
        if how & 128:
            sign.prize("GANO 5")
        while sign.next_event() is not None:
            pass
    return len(thrown)


# ---------------------------------------------------------------------------------------------- good beginnings

_GOOD_A = pdu.encode_answer(pdu.ReadWords(contract.FAST_POLL, 28), pdu.Words(_POLL))
_TALK = script((0x12, _GOOD_A), (0x1A, _GOOD_A), (0x22, rtu.frame(UNIT, _GOOD_A)), (0x07, b"\x0b" * 40))
_SEAT_BETS = bytes((9, 0, 1, 16, 16, 1, 19, 0, 2, 23, 0, 2))  # a bet is pending, and counted
_TOLD = script((0x33, b""), *[(0x20, b"")] * 4, (0xE0, _SEAT_BETS), (0x20, _SEAT_BETS), (0x20, _SEAT_BETS))
_LOST = script((0x30, b""), (0x20, b"\x03\x01\x02"), (0x08, b"\x03"), (0xE2, b""), (0x23, b"\x0c\x00\x09"))
_OPENS = script((0x00, b""), (0x20, b"\x01\x02\x00"), (0x20, b"\x06\x00\x00"), (0x20, b""), (0x23, b""))
_CREDIT = bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2))
_COINS = script((8, b""), (8, b"Coin Acceptor"), (8, bytes((78, 97, 188))), (8, b"PZO"), (8, _CREDIT), (8, _CREDIT))
_SIGNS = script((6, b""), (8, b"GA12.345.678"), (6, b"\x06"), (0x80, b"\x15"), (8, b"AB\x1b bx"), (6, b""))

DRIVERS = (
    Target("bus", bus, (_TALK,), 300),
    Target("native_unit", native_unit, (_TOLD, _LOST, _OPENS), 200),
    Target("cctalk_bus", cctalk_bus, (_COINS,), 200),
    Target("alpha_sign", alpha_sign, (_SIGNS,), 200),
)
