"""What hostile bytes are thrown at: one target for each codec, and what must hold whatever comes.

A target takes bytes and raises when something is wrong. It is a pure function of them: what it needs is made anew each
time, so that one input is enough to see a fault again. Where a checksum would turn away nearly everything, the first
byte may ask for it to be put right, so that what is behind it is fuzzed too. Here stand codecs; whole devices and
drivers, with a clock, in campaign/fuzz_devices.py and campaign/fuzz_drivers.py; the door of a node in campaign/fuzz_door.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

from drivers.cctalk import events, frames
from drivers.line.failures import Failure
from drivers.modbus import mbap, pdu, rtu
from drivers.modbus.crc import crc16
from drivers.native import contract, writes
from drivers.native.blocks import FastPoll, Flaw, Identity, Ring, SeatDetail, SeatPoll, checked
from drivers.native.writes import Command, Config, Desired, Display
from drivers.signs import alpha
from drivers.signs.alpha_answers import MOST_KEPT, Answers, Stored
from firmware_sim.desk.commands import CommandRefused, read_command
from firmware_sim.desk.file import DeskRefused, read_desk

UNIT = 0x0B
REQUESTS: tuple[pdu.Request, ...] = (
    pdu.ReadWords(contract.FAST_POLL, 28),
    pdu.ReadWords(contract.DETAIL, 32),
    pdu.ReadWords(contract.IDENTITY, 2),
    pdu.ReadWords(9, 1, pdu.INPUTS),
    pdu.WriteWords(contract.DESIRED, writes.BROADCAST_LOCK),
    pdu.WriteReadWords(contract.DESIRED, writes.BROADCAST_LOCK, contract.FAST_POLL, 28),
    pdu.ReadBits(0, 16),
    pdu.WriteBits(0, (True, False, True, True, False, False, True, False)),
)


@dataclass(frozen=True, slots=True)
class Target:
    name: str
    run: Callable[[bytes], int | None]  # how many frames that were; None: one
    seeds: tuple[bytes, ...]
    longest: int = 280


# ---------------------------------------------------------------------------------------------- Modbus messages


def pdu_request(data: bytes) -> None:
    request = pdu.decode_request(data)
    if isinstance(request, pdu.Denied):
        assert request.code in {pdu.Denial.FUNCTION, pdu.Denial.VALUE}
    elif isinstance(request, pdu.WriteBits):
        assert pdu.decode_request(pdu.encode_request(request)) == request
    else:
        assert pdu.encode_request(request) == data


def pdu_answer(data: bytes) -> None:
    """A message that is taken is the message that a unit would have made of it."""
    request, message = REQUESTS[data[0] % len(REQUESTS)] if data else REQUESTS[0], data[1:]
    answer = pdu.decode_answer(request, message)
    if answer is not None:
        assert pdu.encode_answer(request, answer) == message


# ---------------------------------------------------------------------------------------------- frames


def pieces(data: bytes) -> list[bytes]:
    """The first byte says where the rest is cut: no cut, or pieces of that size."""
    size = data[0] & 0x3F if data else 0
    rest = data[1:]
    return [rest[start : start + size] for start in range(0, len(rest), size)] if size else [rest]


def rtu_answer(data: bytes) -> None:
    """What is taken for the answer stood in the bytes, whole and framed."""
    if len(data) < 2:
        return
    request = REQUESTS[data[0] % len(REQUESTS)]
    body = data[1:]
    if data[0] & 0x80:
        body = body[:1] + rtu.frame(UNIT, body[1:]) if len(body) < 200 else body
    framing = rtu.RtuFraming()
    sent = framing.question(UNIT, request)
    heard = b""
    if data[0] & 0x40:
        framing.receive(sent)
    for piece in pieces(body):
        heard += piece
        answer = framing.receive(piece)
        assert len(framing._buffer) <= 1024
        if isinstance(answer, Failure):
            assert answer is Failure.COLLISION
            return
        if answer is not None:
            assert rtu.frame(UNIT, pdu.encode_answer(request, answer)) in heard
            return
    assert framing.verdict() in Failure


def mbap_answer(data: bytes) -> None:
    if len(data) < 2:
        return
    request = REQUESTS[data[0] % len(REQUESTS)]
    framing = mbap.MbapFraming()
    framing.question(UNIT, request)
    body = data[1:]
    if data[0] & 0x80:
        body = body[:1] + mbap.frame(1, UNIT, body[1:240])
    heard = b""
    for piece in pieces(body):
        heard += piece
        answer = framing.receive(piece)
        assert len(framing._buffer) <= 512
        if answer is not None:
            assert mbap.frame(1, UNIT, pdu.encode_answer(request, answer)) in heard
            return
    assert framing.verdict() in Failure


# ---------------------------------------------------------------------------------------------- the contract's blocks


def _polls(seats: int) -> tuple[int, int, Callable[[tuple[int, ...]], FastPoll | Flaw]]:
    return contract.fast_poll_words(seats), 0x0F, lambda words: FastPoll.decode(words, UNIT, seats)


BLOCKS = (
    _polls(1),
    _polls(9),
    (32, 0x1F, lambda words: Identity.decode(words, UNIT)),
    (32, 0x1F, lambda words: SeatDetail.decode(words, UNIT, 1)),
    (100, None, lambda words: Ring.decode(words, UNIT)),
    (32, 0x1F, Config.decode),
    (8, 7, Desired.decode),
    (8, 7, Command.decode),
    (8, 7, Display.decode),
)


def native_block(data: bytes) -> None:
    """A block that is taken says the same when it is said again."""
    if not data:
        return
    size, place, decode = BLOCKS[(data[0] & 0x3F) % len(BLOCKS)]
    rest = data[1:]
    if data[0] & 0x80:
        rest = rest[: 2 * size].ljust(2 * size, b"\0")
    words = tuple(rest[at] << 8 | rest[at + 1] for at in range(0, len(rest) - 1, 2))
    if data[0] & 0x40 and place is not None and len(words) == size:
        words = checked(list(words), place)
    image = decode(words)
    if isinstance(image, Flaw):
        return
    again = image.encode()
    assert len(again) == size
    assert decode(again) == image
    if isinstance(image, Config):
        assert image.flaw() in {None, Flaw.VALUE}


# ---------------------------------------------------------------------------------------------- ccTalk


def cctalk_frames(data: bytes) -> None:
    if len(data) < 2:
        return
    checksum = frames.Checksum.CRC if data[0] & 1 else frames.Checksum.SUM
    body = data[1:]
    if data[0] & 2 and len(body) > 3:
        made = frames.Frame(frames.HOST, 2, body[0] if data[0] & 8 else 0, body[1:200])
        body = body[:1] + frames.encode(made, checksum) + body[-2:]
    found = frames.find_answer(body, 2, range(33) if data[0] & 4 else range(11, 12), checksum)
    if found is not None:
        assert found in body
    ear = frames.Ear(checksum)
    now = 0
    for piece in pieces(body):
        now += len(piece) * 700
        for frame in ear.hear(piece, now):
            again = frames.Frame(frame.destination, frame.source, frame.header, frame.data)
            assert frames.encode(again, checksum) in body
        assert len(ear._heard) < 300


def cctalk_events(data: bytes) -> None:
    """However the counter jumps: never more news than the counter moved, and none is believed at once."""
    if not data:
        return
    twice, last, known = events.HeardTwice(), data[0], None
    for start in range(1, len(data) - events.READING_SIZE + 1, events.READING_SIZE):
        reading = events.Reading.decode(data[start : start + events.READING_SIZE])
        assert reading.encode() == data[start : start + events.READING_SIZE]
        first = twice.believe(reading)
        believed = first or twice.believe(reading)
        assert believed == reading
        told = events.since(last, reading, known)
        assert len(told.events) <= min(told.count, events.SLOTS)
        assert told.verdict is not events.Continuity.NEWS or len(told.events) == told.count
        last, known = reading.counter, reading.slots


# ---------------------------------------------------------------------------------------------- Alpha


def alpha_answers(data: bytes) -> None:
    """Any cut of the same bytes gives the same answers, and what a sign is said to hold stood in them."""
    if len(data) < 2:
        return
    body = data[1:]
    if data[0] & 0x80:
        inner = alpha.STX + body[1:200] + alpha.ETX
        body = body[:1] + b"\x01000" + inner + alpha.checksum(inner) + alpha.EOT
    whole = Answers()
    answers = whole.receive(body)
    if data[0] & 0x40:
        cut = Answers()
        assert [answer for piece in pieces(data[:1] + body) for answer in cut.receive(piece)] == answers
    assert whole._frame is None or len(whole._frame) <= MOST_KEPT
    for answer in answers:
        if isinstance(answer, Stored):
            assert alpha.STX + f"{answer.code}{answer.label}".encode() + answer.content + alpha.ETX in body


# ---------------------------------------------------------------------------------------------- words of a person


def sim_command(data: bytes) -> None:
    try:
        act = read_command(data.decode("utf-8", "replace"))
    except CommandRefused:
        return
    assert act is None or act.who


def desk_file(data: bytes) -> None:
    try:
        plan = read_desk(data.decode("utf-8", "replace"), "desk.toml")
    except DeskRefused:
        return
    assert plan is not None


# ---------------------------------------------------------------------------------------------- good beginnings

_SEAT = SeatPoll(loaded=50, bets=31, voided=1)


def _packed(*words_of: tuple[int, ...]) -> list[bytes]:
    return [b"".join(word.to_bytes(2, "big") for word in words) for words in words_of]


_POLL = FastPoll(unit=UNIT, snapshot=7, boot_id=1, uptime=5, lock=contract.LockState.OPEN, seats=(_SEAT,)).encode()
_POLL_9 = FastPoll(
    unit=UNIT, snapshot=7, boot_id=1, uptime=5, lock=contract.LockState.OPEN, seats=(_SEAT,) * 9
).encode()
_DETAIL = SeatDetail(unit=UNIT, seat=1, balance=3).encode()
_IMAGES = _packed(
    _POLL,
    _POLL_9,
    Identity(unit_class=1, capabilities=7, seats=1, unit=UNIT, first_seat=1, serial=9, product="POZO").encode(),
    _DETAIL,
    Ring(unit=UNIT, newest=3).encode(),
    Config(credit_value=100, least=1, most=2, buttons=(1, 2, 0, 0)).encode(),
    Desired(token=1, heartbeat=2).encode(),
    Command(command_id=1, opcode=2).encode(),
    Display(token=1, heartbeat=1, value=3).encode(),
)
_GOOD: tuple[pdu.Answer, ...] = (
    pdu.Words(_POLL), pdu.Words(_DETAIL), pdu.Words((0x4A50, 0x0100)), pdu.Words((7,)), pdu.Written(),
    pdu.Words(_POLL), pdu.Bits((True,) * 16), pdu.Written(),
)  # fmt: skip
_ANSWERS = [pdu.encode_answer(request, answer) for request, answer in zip(REQUESTS, _GOOD, strict=True)]
_CREDIT = bytes((1, 11, 2, 0, 6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2, 158))
_DESK = b'[[line]]\nname = "a"\nkind = "rtu"\nbaud = 38400\n[[line.unit]]\nkind = "electronic"\nunit = 1\nseat = 1\n'


def _each(mark: int, bodies: list[bytes]) -> tuple[bytes, ...]:
    return tuple(bytes([mark | index]) + body for index, body in enumerate(bodies))


CODECS = (
    Target("pdu_request", pdu_request, tuple(pdu.encode_request(request) for request in REQUESTS), 256),
    Target("pdu_answer", pdu_answer, _each(0, _ANSWERS), 256),
    Target("rtu_answer", rtu_answer, (*_each(0x80, [b"\0\0" + answer for answer in _ANSWERS]),
                                      *_each(0, [b"\5" + rtu.frame(UNIT, answer) for answer in _ANSWERS])), 72),
    Target("mbap_answer", mbap_answer, (*_each(0x80, [b"\0" + answer for answer in _ANSWERS]),
                                        *_each(0, [b"\7" + mbap.frame(1, UNIT, answer) for answer in _ANSWERS]))),
    Target("native_block", native_block, (*_each(0, _IMAGES), *_each(0xC0, _IMAGES)), 260),
    Target("cctalk_frames", cctalk_frames, (b"\4\0" + _CREDIT, b"\2\0\x05hello", b"\3\3\x05hello", b"\0\1" + _CREDIT)),
    Target("cctalk_events", cctalk_events, (b"\0" + bytes(11), b"\xfb" + _CREDIT[4:15] * 2), 140),
    Target("alpha_answers", alpha_answers, (b"\x80\0GP12.345", b"\x80\5AA\x1b b\x10P", b"\x43\x06\x41\x15\x42"), 90),
    Target("sim_command", sim_command, (b"seat 3 press 2", b"line loss 20%", b"unit a/4 unplug", b"wait 500ms"), 220),
    Target("desk_file", desk_file, (_DESK, _DESK.replace(b"electronic", b"table"), b'[[line]]\nname = "b"'), 400),
)  # fmt: skip

assert crc16(b"123456789") == 0x4B37, "the checksum everybody knows"
