"""Section 2.2: what is answered, what is refused with which exception, and what no answer may come to."""

from drivers.conformance.clause import SINCE_1_1, clause
from drivers.conformance.play import fresh, is_not_open, is_open, opened, stays
from drivers.conformance.steps import Exchange, Need, NotNow, Raw, Unmet, Wait, Walk
from drivers.conformance.subject import Subject, expect, said
from drivers.conformance.wire import spoilt
from drivers.modbus.crc import crc16
from drivers.modbus.pdu import HOLDING, INPUTS, Denial, Denied, ReadWords, Words, WriteReadWords, WriteWords
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, WordList
from drivers.native.contract import Capability, Opcode, UnitFlag
from drivers.native.writes import BROADCAST_LOCK
from drivers.session import MILLISECOND, Micros

_ANSWER: Micros = 20 * MILLISECOND  # (2.2)
_TRIES = 5
_FRAMES = 15  # bytes of the question and of its answer
_OF_A_GATEWAY = (Denied(0x0A), Denied(0x0B))
_NOWHERE = 0x5000
_SELF = ReadWords(at.IDENTITY, at.BLOCK_WORDS)


def _bad(words: WordList) -> WordList:
    """The same words with a wrong check word."""
    return (*words[:-1], words[-1] ^ 0x0001)


def _silent(frame: bytes, what: str, listen: Micros = 100 * MILLISECOND) -> Walk[None]:
    heard = yield Raw(frame, listen)
    expect(not heard.raw, f"silence after {what}", heard.raw.hex(" "))


def _answered_with(subject: Subject, pdu: bytes, answer: bytes, what: str) -> Walk[None]:
    frame = subject.wire.frame(subject.unit, pdu)
    heard = yield Raw(frame, 100 * MILLISECOND)
    wanted = subject.wire.answer_to(frame, answer)
    expect(heard.raw == wanted, f"{wanted.hex(' ')} to {what}", heard.raw.hex(" ") or "silence")


@clause("2.2-FC04-mirror", "FC04 reads the same image as FC03.")
def mirror(subject: Subject) -> Walk[None]:
    for address, words in ((at.IDENTITY, at.BLOCK_WORDS), (at.CONFIG, at.BLOCK_WORDS), (at.RING, at.RING_WORDS)):
        holding = yield from subject.words(address, words)
        inputs = yield from subject.words(address, words, INPUTS)
        expect(holding == inputs, f"the same words at {address:04X} by FC03 and FC04", f"{holding} and {inputs}")


@clause("2.2-part-read", "A part of a block may be read; a read that leaves its block is refused with 02.")
def part_read(subject: Subject) -> Walk[None]:
    part = yield from subject.words(at.IDENTITY + 6, 2)
    expect(part == (subject.who.serial >> 16, subject.who.serial & 0xFFFF), "the serial at 0006", part)
    yield from subject.refuse(ReadWords(at.IDENTITY + at.BLOCK_WORDS - 1, 2), Denial.ADDRESS)
    yield from subject.refuse(ReadWords(at.FAST_POLL, at.fast_poll_words(subject.who.seats) + 1), Denial.ADDRESS)


@clause("2.2-unknown-address", "What lies in no block is refused with 02, read or written.")
def unknown_address(subject: Subject) -> Walk[None]:
    for address in (_NOWHERE, at.IDENTITY + at.BLOCK_WORDS, at.detail_address(subject.who.seats + 1), 0xFFFF):
        yield from subject.refuse(ReadWords(address, 1), Denial.ADDRESS)
    yield from subject.refuse(WriteWords(_NOWHERE, (0,) * at.WRITE_WORDS), Denial.ADDRESS)


@clause("2.2-count-refused", "A read of no words, or of more than 125, is refused with 03.")
def count_refused(subject: Subject) -> Walk[None]:
    for count in (0, 126, 0xFFFF):
        pdu = bytes((HOLDING, 0, 0)) + count.to_bytes(2, "big")
        yield from _answered_with(subject, pdu, b"\x83\x03", f"a read of {count} words")


@clause("2.2-functions-refused", "A function the contract does not have is refused with 01.")
def functions_refused(subject: Subject) -> Walk[None]:
    asked = [bytes((1, 0, 0, 0, 1)), bytes((2, 0, 0, 0, 1)), bytes((15, 4, 0, 0, 1, 1, 1)), b"\x07", b"\x41\x00"]
    if not subject.who.capabilities & Capability.WRITE_READ:
        asked.append(bytes((23, 0, 0, 0, 1, 4, 0, 0, 1, 2, 0, 0)))
    for pdu in asked:
        yield from _answered_with(subject, pdu, bytes((pdu[0] | 0x80, 1)), f"function {pdu[0]:02X}")


@clause("2.2-FC05-FC06-refused", "FC05 and FC06 are refused with 01: their answers equal the questions (4.6).")
def single_writes_refused(subject: Subject) -> Walk[None]:
    before = yield from subject.words(at.DESIRED, at.WRITE_WORDS)
    yield from _answered_with(subject, bytes((5, 4, 2, 0xFF, 0)), b"\x85\x01", "FC05 at 0402")
    other = (before[3] ^ 0x00FF).to_bytes(2, "big")
    yield from _answered_with(subject, bytes((6, 4, 3)) + other, b"\x86\x01", "FC06 at 0403")
    after = yield from subject.words(at.DESIRED, at.WRITE_WORDS)
    expect(after == before, f"D as it was, {before}", after)


@clause("2.2-part-write-refused", "Only whole blocks are written: another start or length is refused and does nothing.")
def part_write_refused(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    good = subject.desired().encode()
    somewhere = (Denial.ADDRESS, Denial.VALUE)
    yield from subject.refuse(WriteWords(at.DESIRED + 1, good[1:]), *somewhere)
    yield from subject.refuse(WriteWords(at.DESIRED, good[:-1]), Denial.VALUE)
    yield from subject.refuse(WriteWords(at.DESIRED, (*good, 0)), *somewhere)
    yield from subject.refuse(WriteWords(at.COMMAND, subject.next_command(Opcode.REBOOT).encode()[:7]), Denial.VALUE)
    yield from subject.refuse(WriteWords(at.CONFIG, (at.TAG_CONFIG,) * 31), Denial.VALUE)
    for address in (at.IDENTITY, at.FAST_POLL, at.RING, at.detail_address(1)):
        yield from subject.refuse(WriteWords(address, good), *somewhere)
    after = yield from subject.poll()
    same = (before.boot_id, before.seq, before.command_id, before.flags) == (
        after.boot_id, after.seq, after.command_id, after.flags,
    )  # fmt: skip
    expect(same, "nothing done", f"before {before}, after {after}")


@clause("2.2-check-word", "A write with a wrong check word is refused with 03 and does nothing, not even lock.")
def check_word(subject: Subject) -> Walk[None]:
    wrong = Denial.VALUE
    yield from fresh(subject)
    before = yield from subject.poll()
    order = subject.next_command(Opcode.LOADED_TO, 1, before.seats[0].loaded, before.seats[0].loaded + 1)
    yield from subject.refuse(WriteWords(at.COMMAND, _bad(order.encode())), wrong)
    after = yield from subject.poll()
    same = (before.command_id, before.seats[0].loaded) == (after.command_id, after.seats[0].loaded)
    expect(same, "the command not executed", f"id {after.command_id:04X}, loaded {after.seats[0].loaded}")
    yield from subject.refuse(WriteWords(at.CONFIG, _bad(subject.live.encode())), wrong)
    poll = yield from subject.poll()
    expect(not poll.flags & UnitFlag.CONFIG_STAGED, "nothing staged", "b7 of the state set")
    unlock = subject.desired(lock=at.UNLOCK, round_id=subject.round_id % 0xFFFF + 1)
    yield from subject.refuse(WriteWords(at.DESIRED, _bad(unlock.encode())), wrong)
    yield from stays(subject, is_not_open, "still locked after an UNLOCK with a wrong check word")
    yield from opened(subject)
    yield from subject.refuse(WriteWords(at.DESIRED, _bad(subject.desired(lock=at.LOCK).encode())), wrong)
    yield from stays(subject, is_open, "still OPEN after a LOCK with a wrong check word")


@clause("2.2-other-units-silent", "Questions for other units are not answered.")
def other_units_silent(subject: Subject) -> Walk[None]:
    asked = 0
    for other in (subject.unit ^ 0x80, subject.unit ^ 0x40, subject.unit % 247 + 1, 247):
        if not 1 <= other <= 247 or other == subject.unit:
            continue
        heard = yield Exchange(other, _SELF)
        if isinstance(heard.answer, Words):
            neighbour = Identity.decode(heard.answer.words, other)
            foreign = isinstance(neighbour, Identity) and neighbour.serial != subject.who.serial
            expect(foreign, f"silence to a question for unit {other}", "this unit's own answer")
        elif subject.wire.serial or heard.answer not in _OF_A_GATEWAY:
            asked += 1
            expect(not heard.raw, f"silence to a question for unit {other}", f"{said(heard)}: {heard.raw.hex(' ')}")
    if not asked:
        raise NotNow("every other address that was tried is taken")


@clause("2.2-broadcast", "A broadcast lock is executed and nothing sent to unit 0 is ever answered.")
def broadcast(subject: Subject) -> Walk[None]:
    if not subject.wire.serial and subject.who.version < SINCE_1_1:
        raise NotNow(f"over TCP, a unit of contract {subject.who.version:04X} need not obey unit 0")
    yield from opened(subject)
    wire = subject.wire
    for frame, what in (
        (wire.question(0, _SELF), "a broadcast read"),
        (wire.frame(0, bytes((6, 4, 2, 0x4C, 0x4F))), "a broadcast FC06"),
        (wire.question(0, WriteWords(at.DESIRED, _bad(BROADCAST_LOCK))), "a broadcast lock with a wrong check word"),
        (wire.question(0, WriteWords(_NOWHERE, BROADCAST_LOCK)), "a broadcast to an unknown address"),
    ):
        yield from _silent(frame, what)
        yield from subject.tell()
    yield from stays(subject, is_open, "still OPEN after broadcasts that are not a lock")
    yield from _silent(wire.question(0, WriteWords(at.DESIRED, BROADCAST_LOCK)), "a broadcast lock")
    yield from stays(subject, is_not_open, "locked by the broadcast")


@clause("2.2-bad-crc", "A frame with a wrong CRC is not answered and does nothing.", Need.RTU)
def bad_crc(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    yield from _silent(spoilt(subject.wire.question(subject.unit, _SELF)), "a question with a wrong CRC")
    order = subject.next_command(Opcode.LOADED_TO, 1, before.seats[0].loaded, before.seats[0].loaded + 1)
    frame = subject.wire.question(subject.unit, WriteWords(at.COMMAND, order.encode()))
    yield from _silent(spoilt(frame), "a command with a wrong CRC")
    after = yield from subject.poll()
    expect(after.command_id == before.command_id, "the command not executed", f"id {after.command_id:04X}")


@clause("2.2-noise-before-a-question", "Noise on the line, a pause, a good question: it is answered.", Need.RTU)
def noise(subject: Subject) -> Walk[None]:
    for rubbish in (b"\x00", b"\xff\xff\xff", bytes((subject.unit,)), bytes(range(64))):
        yield Raw(rubbish, 20 * MILLISECOND)
        heard = yield from subject.ask(_SELF)
        expect(isinstance(heard.answer, Words), f"an answer after the noise {rubbish[:8].hex(' ')}", said(heard))


@clause("2.2-half-a-question", "Half a question, a pause, a whole one: only the whole one is answered.", Need.RTU)
def half_question(subject: Subject) -> Walk[None]:
    question = subject.wire.question(subject.unit, _SELF)
    write = subject.wire.question(subject.unit, WriteWords(at.DESIRED, subject.desired().encode()))
    for half in (question[:4], question[:-1], write[:9], write[:-1]):
        if crc16(half) == 0:  # where the checksum ends with 00, a frame without its last byte has a good one too
            continue
        yield from _silent(half, "half a question", 30 * MILLISECOND)
        heard = yield from subject.ask(_SELF)
        expect(isinstance(heard.answer, Words), "an answer to the whole question", said(heard))


@clause("2.2-answers-of-others", "What other units are asked and answer is passed over.", Need.RTU)
def answers_of_others(subject: Subject) -> Walk[None]:
    wire, other = subject.wire, subject.unit % 247 + 1
    yield from fresh(subject)
    inner = wire.question(subject.unit, WriteWords(at.DESIRED, subject.desired().encode()))
    answer = wire.frame(other, bytes((HOLDING, len(inner) + 1)) + inner + b"\0")
    yield from _silent(answer, "another unit's answer that holds a question to this unit")
    heard = yield from subject.ask(_SELF)
    expect(isinstance(heard.answer, Words), "an answer after another unit's", said(heard))


@clause("2.2-answer-time", "An answer begins within 20 ms and, on a serial line, not before 3.5 characters of silence.")
def answer_time(subject: Subject) -> Walk[None]:
    timing, pauses = subject.wire.timing, []
    for _ in range(_TRIES):
        heard = yield from subject.ask(ReadWords(at.IDENTITY, 1))
        if heard.pause is None:
            raise Unmet("an answer", said(heard))
        pauses.append(heard.pause)
    quick, slow = min(pauses), max(pauses)
    spent = 0 if subject.wire.takes_time else timing.wire(_FRAMES) + timing.silence  # a pty of a simulated line
    late = timing.latency + spent
    expect(quick <= _ANSWER + late, f"an answer within 20 ms (and {late} us of the adapter)", f"at best {quick} us")
    if subject.wire.serial and subject.wire.takes_time:
        wanted = f"at least {timing.silence} us of silence before an answer"
        expect(slow >= timing.silence, wanted, f"at most {slow} us")


@clause("2.2-tcp-stream", "Two questions in one piece get two answers; one in two pieces gets one.", Need.TCP)
def tcp_stream(subject: Subject) -> Walk[None]:
    pdu = bytes((HOLDING, 0, 0, 0, 2))
    first, second = (subject.wire.frame(subject.unit, pdu) for _ in range(2))
    words = bytes((HOLDING, 4)) + at.MAGIC.to_bytes(2, "big") + subject.who.version.to_bytes(2, "big")
    wanted = [subject.wire.answer_to(frame, words) for frame in (first, second)]
    heard = yield Raw(first + second, 150 * MILLISECOND)
    expect(heard.raw == b"".join(wanted), b"".join(wanted).hex(" "), heard.raw.hex(" ") or "silence")
    yield from _silent(first[:5], "a piece of a question", 30 * MILLISECOND)
    heard = yield Raw(first[5:], 100 * MILLISECOND)
    expect(heard.raw == wanted[0], wanted[0].hex(" "), heard.raw.hex(" ") or "silence")


@clause("2.2-FC23", "FC23 writes D and reads A in one exchange.", capability=Capability.WRITE_READ)
def write_read(subject: Subject) -> Walk[None]:
    yield from opened(subject)
    words = at.fast_poll_words(subject.who.seats)
    yield Wait(50 * MILLISECOND)
    good = subject.desired(lock=at.LOCK).encode()
    heard = yield from subject.ask(WriteReadWords(at.DESIRED, good, at.FAST_POLL, words))
    if not isinstance(heard.answer, Words):
        raise Unmet("A as the answer to FC23", said(heard))
    poll = FastPoll.decode(heard.answer.words, subject.unit, subject.who.seats)
    expect(isinstance(poll, FastPoll) and is_not_open(poll), "A as it is after the lock in the same exchange", poll)
    yield from subject.refuse(WriteReadWords(at.DESIRED, _bad(good), at.FAST_POLL, words), Denial.VALUE)


FRAMES = (
    mirror, part_read, unknown_address, count_refused, functions_refused, single_writes_refused, part_write_refused,
    check_word, other_units_silent, broadcast, bad_crc, noise, half_question, answers_of_others, answer_time,
    tcp_stream, write_read,
)  # fmt: skip
