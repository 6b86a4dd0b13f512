"""A unit's end of the line: silent for others, never deaf, never answering what was not asked (4.9, 4.10)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.crc import crc16
from drivers.modbus.pdu import (
    ReadBits,
    ReadWords,
    Words,
    WriteBits,
    WriteReadWords,
    WriteWords,
    Written,
    decode_answer,
    encode_answer,
    encode_request,
)
from drivers.modbus.timing import LineTiming
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.native.contract import LockState, Opcode, ResetCause, UnitClass
from drivers.native.writes import BROADCAST_LOCK, Command, Desired
from firmware_sim.line.overheard import frame_at_rest, framed
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.sim.firmware_host import CONFIG, MS, Host, make_of

TIMING = LineTiming()
SILENCE, ANSWER = TIMING.silence, 5 * MS
POLL = ReadWords(at.FAST_POLL, 28)


def unit(number=11, **made):
    return Firmware(make_of(unit=number, **made), Nvm(), random.Random(number))


def rtu(number=11, **made):
    return RtuSlave(unit(number, **made), TIMING)


def question(request, number=11):
    return framed(bytes([number]) + encode_request(request))


def reply(request, answer, number=12):
    return framed(bytes([number]) + encode_answer(request, answer))


def heard_until(slave, now, end):
    """What the slave says up to `end`, called when it wants to be called: [(when, bytes)]."""
    said = []
    while True:
        if words := slave.to_send(now):
            said.append((now, words))
        deadline = slave.deadline()
        if deadline is None or deadline > end:
            return said
        now = max(now, deadline)
        slave.tick(now)
        again = slave.deadline()
        assert again is None or again > now or slave._answer, "a busy loop"


def ask(slave, data, now=0, wait=100 * MS):
    slave.receive(data, now)
    return b"".join(words for _, words in heard_until(slave, now, now + wait))


def poll_of(answer, number=11):
    assert answer[:1] == bytes([number])
    assert crc16(answer[:-2]) == int.from_bytes(answer[-2:], "little")
    words = decode_answer(POLL, answer[1:-2])
    assert isinstance(words, Words)
    poll = FastPoll.decode(words.words, number, 1)
    assert isinstance(poll, FastPoll)
    return poll


# ---------------------------------------------------------------------------------------------------- a question


def test_a_question_is_answered_after_the_silence_and_the_units_own_time():
    slave = rtu()
    slave.receive(question(POLL), 1000)
    [(when, answer)] = heard_until(slave, 1000, 10**6)

    assert when == 1000 + SILENCE + ANSWER
    assert poll_of(answer).lock == LockState.BOOT_LOCKED


def test_an_answer_is_said_once():
    slave = rtu()
    assert ask(slave, question(POLL))
    assert slave.to_send(10**9) == b""


def test_a_question_to_another_unit_is_not_answered():
    assert ask(rtu(), question(POLL, 12)) == b""


def test_a_wrong_check_is_not_answered():
    data = bytearray(question(POLL))
    data[-1] ^= 1

    assert ask(rtu(), bytes(data)) == b""


@pytest.mark.parametrize("cut", range(1, 8))
@pytest.mark.parametrize("pause", [0, 1 * MS, 10 * MS, 45 * MS])
def test_a_question_may_come_in_two_pieces(cut, pause):
    slave, data = rtu(), question(POLL)
    slave.receive(data[:cut], 0)
    assert heard_until(slave, 0, pause) == []

    assert poll_of(ask(slave, data[cut:], pause))


def test_a_question_may_come_byte_by_byte():
    slave, now = rtu(), 0
    for byte in question(WriteWords(at.DESIRED, BROADCAST_LOCK)):
        assert slave.to_send(now) == b""
        slave.receive(bytes([byte]), now)
        now += 15 * MS

    assert [words for _, words in heard_until(slave, now, now + 50 * MS)] == [
        reply(WriteWords(at.DESIRED, BROADCAST_LOCK), Written(), 11)
    ]


def test_what_was_cut_off_long_ago_is_forgotten():
    slave = rtu()
    slave.receive(question(POLL)[:6], 0)

    assert poll_of(ask(slave, question(POLL), 60 * MS))


def test_a_cut_question_before_a_whole_one_does_not_hide_it():
    slave = rtu()
    slave.receive(question(WriteWords(at.DESIRED, BROADCAST_LOCK))[:11], 0)

    assert poll_of(ask(slave, question(POLL), 20 * MS))


@pytest.mark.parametrize(
    "noise",
    [
        b"\x00",
        b"\xff",
        b"\x0b",
        b"\x0b\x03",
        b"\x0b\x10\x04",
        b"\x01\x10\0\0\0\1\xff",
        b"\x07\x03\xfe",
        b"\x0b\x17" + bytes(8) + b"\xff",
    ],
)
def test_noise_before_a_question_does_not_lose_it(noise):
    assert poll_of(ask(rtu(), noise + question(POLL)))


@given(noise=st.binary(max_size=40), piece=st.integers(1, 60))
def test_no_noise_of_any_kind_before_a_question_loses_it(noise, piece):
    slave, data = rtu(), noise + question(POLL)
    for start in range(0, len(data), piece):
        slave.receive(data[start : start + piece], 0)

    assert poll_of(b"".join(words for _, words in heard_until(slave, 0, 10**5))[-61:])


def test_bytes_after_a_question_put_the_answer_off():
    slave = rtu()
    slave.receive(question(POLL), 0)
    slave.receive(b"\x55", 4 * MS)
    slave.receive(b"\x55", 6 * MS)
    [(when, _)] = heard_until(slave, 6 * MS, 10**5)

    assert when == 6 * MS + SILENCE


def test_a_second_question_replaces_the_answer_to_the_first():
    slave = rtu()
    slave.receive(question(POLL), 0)
    assert heard_until(slave, 0, 2 * MS) == []
    slave.receive(question(ReadWords(at.IDENTITY, 1)), 2 * MS)
    [(when, answer)] = heard_until(slave, 2 * MS, 10**5)

    assert when == 2 * MS + SILENCE + ANSWER
    assert answer == reply(ReadWords(at.IDENTITY, 1), Words((at.MAGIC,)), 11)


def test_a_denial_is_an_answer():
    assert ask(rtu(), framed(b"\x0b\x06\x04\x00\x00\x01")) == framed(b"\x0b\x86\x01")
    assert ask(rtu(), question(ReadWords(0x5000, 1))) == framed(b"\x0b\x83\x02")
    assert ask(rtu(), framed(b"\x0b\x10\x04\x00\x00\x08\x02\x00\x00")) == framed(b"\x0b\x90\x03")
    assert ask(rtu(), framed(b"\x0b\x2b\x0e\x01\x00")) == framed(b"\x0b\xab\x01")
    assert ask(rtu(), question(ReadBits(0, 9))) == framed(b"\x0b\x81\x01")
    assert ask(rtu(), question(WriteBits(0, (True,) * 9))) == framed(b"\x0b\x8f\x01")


# ---------------------------------------------------------------------------------------------------- a shared line


def foreign_traffic():
    """Other units' questions with their answers, the longest among them."""
    words = tuple(range(1, 125))
    fc23 = WriteReadWords(at.DESIRED, BROADCAST_LOCK, at.FAST_POLL, 124)
    lamps = WriteBits(0, (True,) * 17)
    return [
        (question(ReadWords(0x2000, 124), 12), reply(ReadWords(0x2000, 124), Words(words))),
        (question(ReadWords(0, 1), 12), reply(ReadWords(0, 1), Words((0x4A50,)))),
        (question(ReadWords(5, 1, 4), 12), framed(b"\x0c\x84\x02")),
        (question(WriteWords(0x400, BROADCAST_LOCK), 12), reply(WriteWords(0x400, BROADCAST_LOCK), Written())),
        (question(fc23, 12), reply(fc23, Words(words))),
        (question(lamps, 12), reply(lamps, Written())),
        (framed(b"\x0c\x01\x00\x00\x00\x10"), framed(b"\x0c\x01\x02\x00\x00")),
        (framed(b"\x0c\x05\x00\x00\xff\x00"), framed(b"\x0c\x05\x00\x00\xff\x00")),
        (framed(b"\x0c\x2b\x0e\x01\x00"), framed(b"\x0c\x2b\x0e\x01\x01\x00\x00\x01\x00\x01A")),
    ]


@pytest.mark.parametrize("number", range(9))
@pytest.mark.parametrize("piece", [1, 7, 64, 400])
def test_others_questions_and_answers_are_stepped_over(number, piece):
    slave, now = rtu(), 0
    for data in foreign_traffic()[number]:
        for start in range(0, len(data), piece):
            slave.receive(data[start : start + piece], now)
            assert slave.to_send(now) == b""
        now += 4 * MS
        assert heard_until(slave, now - 4 * MS, now) == []

    assert poll_of(ask(slave, question(POLL), now))
    assert slave._buffer == b""


def test_a_question_inside_the_answer_of_another_unit_is_not_one():
    inner = question(WriteWords(at.DESIRED, BROADCAST_LOCK)) + question(POLL) + bytes(1)
    words = Words(tuple(int.from_bytes(inner[place : place + 2], "big") for place in range(0, len(inner), 2)))
    host = Host().start()
    slave = RtuSlave(host.unit, TIMING)
    outer = ReadWords(0x2000, len(words.words))
    for data in (question(outer, 12), reply(outer, words)):
        assert ask(slave, data, host.now, 10 * MS) == b""
        host.now += 10 * MS

    assert host.poll().lock == LockState.OPEN


def test_a_question_inside_an_answer_that_is_still_coming_is_not_one():
    inner = question(POLL) + bytes(40)
    data = reply(
        ReadWords(0, 24), Words(tuple(int.from_bytes(inner[place : place + 2], "big") for place in range(0, 48, 2)))
    )
    slave = rtu()
    for start in range(0, len(data), 5):
        slave.receive(data[start : start + 5], start * 300)

    assert heard_until(slave, len(data) * 300, 10**6) == []


def test_units_of_one_line_answer_each_for_itself():
    slaves = {number: rtu(number) for number in range(11, 16)}
    now = 0
    for number in (13, 11, 15, 13):
        data = question(POLL, number)
        said = {}
        for slave in slaves.values():
            slave.receive(data, now)
        for other, slave in slaves.items():
            said[other] = heard_until(slave, now, now + 10 * MS)
        assert [other for other, words in said.items() if words] == [number]
        when, answer = said[number][0]
        for other, slave in slaves.items():
            if other != number:
                slave.receive(answer, when + 15 * MS)
        now = when + 20 * MS


def test_its_own_answer_heard_as_an_echo_is_no_question():
    slave = rtu()
    for request in (POLL, ReadWords(at.RING, 100), WriteWords(at.DESIRED, BROADCAST_LOCK)):
        answer = ask(slave, question(request), slave._heard_at + 100 * MS)
        assert answer
        assert ask(slave, answer, slave._heard_at + 20 * MS) == b""


def test_questions_and_answers_that_come_in_one_piece_are_told_apart():
    slave = rtu()
    data = b"".join(one + two for one, two in foreign_traffic()[:7]) + question(POLL)

    assert poll_of(ask(slave, data))


def test_a_broadcast_is_executed_and_never_answered():
    host = Host().start()
    slave = RtuSlave(host.unit, TIMING)
    assert ask(slave, framed(bytes.fromhex("00100400000810000000004c4f0000000000000000d919")), host.now) == b""
    assert host.poll().lock == LockState.LOCKED

    assert ask(slave, framed(b"\x00\x06\x04\x00\x00\x01"), host.now) == b""
    assert ask(slave, framed(b"\x00\x03\x20\x00\x00\x1c"), host.now) == b""


def test_the_golden_broadcast_frame_is_what_it_is_made_of():
    frame = bytes.fromhex("00100400000810000000004c4f0000000000000000d9197f75")

    assert frame == question(WriteWords(at.DESIRED, BROADCAST_LOCK), 0)
    host = Host().start()
    assert ask(RtuSlave(host.unit, TIMING), frame, host.now) == b""
    assert host.poll().lock == LockState.LOCKED


# ---------------------------------------------------------------------------------------------------- power, time


def test_a_unit_without_power_is_silent_and_comes_back():
    slave = rtu()
    slave.firmware.power_off(0)
    assert ask(slave, question(POLL)) == b""
    assert slave.deadline() is None
    slave.firmware.power_on(200 * MS)

    assert poll_of(ask(slave, question(POLL), 300 * MS))


@pytest.mark.parametrize("how", ["reboot", "off", "off and on"])
def test_a_unit_that_goes_down_before_it_answers_does_not_answer(how):
    slave = rtu()
    slave.receive(question(POLL), 0)
    if how == "reboot":
        slave.firmware.reboot(ResetCause.BROWN_OUT, 2 * MS)
    else:
        slave.firmware.power_off(2 * MS)
        if how == "off and on":
            slave.firmware.power_on(2 * MS)

    assert heard_until(slave, 2 * MS, 100 * MS) == []


def test_a_power_cut_while_a_question_is_executed_leaves_it_unanswered():
    host = Host().start()
    slave = RtuSlave(host.unit, TIMING)
    host.nvm.cut_after(3)

    assert ask(slave, question(WriteWords(at.DESIRED, BROADCAST_LOCK)) + question(POLL), host.now) == b""
    assert not host.unit.powered


def test_a_commanded_reboot_is_answered_first():
    host = Host()
    host.open_session()
    slave = RtuSlave(host.unit, TIMING)
    boot = host.poll().boot_id
    words = Command(command_id=77, opcode=Opcode.REBOOT, expected=boot, token=host.token).encode()

    assert ask(slave, question(WriteWords(at.COMMAND, words)), host.now) == reply(
        WriteWords(at.COMMAND, words), Written(), 11
    )
    host.wait(200)
    assert host.poll().boot_id != boot


def test_the_slave_lets_the_time_of_its_unit_pass():
    host = Host().start()
    host.wait(100)
    host.unlock()
    slave = RtuSlave(host.unit, TIMING)
    assert slave.deadline() == host.now + CONFIG.host_timeout * MS
    heard_until(slave, host.now, host.now + CONFIG.host_timeout * MS)

    assert host.unit._state == LockState.HOST_LOST


def test_a_frame_behind_noise_is_found_at_its_time_though_the_tick_is_late():
    slave = rtu()
    slave.receive(b"\x01" + question(POLL), 0)
    slave.tick(10**6)

    assert poll_of(slave.to_send(10**6))


def test_nothing_received_is_nothing():
    slave = rtu()
    slave.receive(b"", 5)

    assert slave.deadline() is None or slave.deadline() > 5


@pytest.mark.parametrize("flood", [b"\xff", b"\x00", b"\x0b", b"\x10", b"\x03", b"\x17", b"\x0b\x10", b"\x0b\x03"])
def test_a_flood_grows_nothing_and_ends_in_answers_again(flood):
    slave = rtu()
    for turn in range(30):
        slave.receive(flood * 1000, turn)
    assert len(slave._buffer) <= 512
    heard_until(slave, 30, 100 * MS)

    assert poll_of(ask(slave, question(POLL), 200 * MS))


@given(data=st.binary(max_size=2000), piece=st.integers(1, 300), pause=st.integers(0, 3000))
def test_no_bytes_raise_hang_or_grow(data, piece, pause):
    slave, now = rtu(), 0
    for start in range(0, len(data), piece):
        slave.receive(data[start : start + piece], now)
        heard_until(slave, now, now + pause)
        now += pause
        assert len(slave._buffer) <= 512


@given(cuts=st.lists(st.tuples(st.integers(1, 30), st.integers(0, 40 * MS)), min_size=1, max_size=30))
def test_any_cut_of_a_conversation_means_the_same(cuts):
    """Every question is answered exactly once, whatever pieces an adapter makes of it."""
    slave, now, answers = rtu(), 0, 0
    traffic = foreign_traffic()
    for number in range(4):
        for whole in (*traffic[number], question(POLL)):
            place = 0
            for size, pause in cuts:
                if place < len(whole):
                    slave.receive(whole[place : place + size], now)
                    place += size
                    answers += len(heard_until(slave, now, now + pause))
                    now += pause
            slave.receive(whole[place:], now)
            answers += len(heard_until(slave, now, now + 30 * MS))
            now += 30 * MS

    assert answers == 4


def test_a_frame_that_no_unit_may_have_sent_is_none():
    assert frame_at_rest(bytearray(framed(b"\xf8\x03\x00\x00\x00\x01")), 0) is None


# ---------------------------------------------------------------------------------------------------- TCP


def tcp(number=11):
    return TcpSlave(unit(number))


def packet(request, transaction=1, number=11, protocol=0):
    message = bytes([number]) + encode_request(request)
    return transaction.to_bytes(2, "big") + protocol.to_bytes(2, "big") + len(message).to_bytes(2, "big") + message


def packets(data):
    found = []
    while data:
        length = int.from_bytes(data[4:6], "big")
        found.append((int.from_bytes(data[:2], "big"), data[6], data[7 : 6 + length]))
        data = data[6 + length :]
    return found


def talk(slave, data, now=0):
    slave.receive(data, now)
    said, end = b"", now + 100 * MS
    while (deadline := slave.deadline()) is not None and deadline <= end:
        slave.tick(deadline)
        said += slave.to_send(deadline)
    return packets(said)


def test_a_question_over_tcp_is_answered_with_its_transaction():
    [(transaction, number, message)] = talk(tcp(), packet(POLL, 0xBEEF))

    assert (transaction, number) == (0xBEEF, 11)
    assert isinstance(decode_answer(POLL, message), Words)


def test_an_answer_over_tcp_takes_the_units_time():
    slave = tcp()
    slave.receive(packet(POLL), 1000)
    assert slave.to_send(1000 + ANSWER - 1) == b""
    assert slave.deadline() == 1000 + ANSWER

    assert slave.to_send(1000 + ANSWER)


def test_several_questions_in_one_piece_are_answered_in_order():
    data = packet(POLL, 1) + packet(ReadWords(0, 1), 2) + packet(ReadWords(0x5000, 1), 3)
    answers = talk(tcp(), data)

    assert [transaction for transaction, _, _ in answers] == [1, 2, 3]
    assert answers[2][2] == b"\x83\x02"


@pytest.mark.parametrize("cut", range(1, 24))
def test_a_question_over_tcp_may_be_cut_anywhere(cut):
    slave, data = tcp(), packet(POLL, 1) + packet(POLL, 2)
    slave.receive(data[:cut], 0)
    slave.receive(data[cut:], 1)

    assert [transaction for transaction, _, _ in talk(slave, b"", 1)] == [1, 2]


def test_another_unit_is_not_answered_over_tcp():
    assert talk(tcp(), packet(POLL, number=12)) == []


def test_unit_0_over_tcp_locks_and_is_not_answered():
    host = Host().start()
    slave = TcpSlave(host.unit)
    slave.receive(packet(WriteWords(at.DESIRED, BROADCAST_LOCK), number=0), host.now)

    assert slave.to_send(host.now + 10**6) == b""
    assert host.poll().lock == LockState.LOCKED


@pytest.mark.parametrize(
    "header", [b"\0\1\0\1\0\6", b"\0\1\0\0\0\1", b"\0\1\0\0\0\0", b"\0\1\0\0\1\0", b"\0\1\0\0\xff\xff"]
)
def test_a_header_that_is_none_drops_what_came_with_it(header):
    slave = tcp()
    assert talk(slave, header + bytes(20) + packet(POLL)) == []

    assert len(talk(slave, packet(POLL), 10)) == 1


def test_what_is_asked_faster_than_it_is_answered_is_not_kept():
    slave = tcp()
    slave.receive(packet(POLL) * 100, 0)

    assert len(slave._answers) == 16


def test_a_reboot_forgets_what_was_asked_over_tcp():
    slave = tcp()
    slave.receive(packet(POLL) + packet(POLL)[:5], 0)
    slave.firmware.reboot(ResetCause.WATCHDOG, 1)
    assert slave.to_send(10**6) == b""
    slave.firmware.power_off(10)
    slave.receive(packet(POLL), 20)
    assert slave.deadline() is None
    slave.firmware.power_on(30)

    assert len(talk(slave, packet(POLL), 40)) == 1


def test_a_power_cut_over_tcp_leaves_the_question_unanswered():
    host = Host().start()
    slave = TcpSlave(host.unit)
    host.nvm.cut_after(3)
    slave.receive(packet(WriteWords(at.DESIRED, BROADCAST_LOCK)) + packet(POLL), host.now)

    assert slave.to_send(host.now + 10**6) == b""


def test_the_slave_over_tcp_lets_the_time_of_its_unit_pass():
    host = Host().start()
    slave = TcpSlave(host.unit)
    slave.tick(host.now + CONFIG.host_timeout * MS)

    host.now += CONFIG.host_timeout * MS
    assert host.poll().lock == LockState.HOST_LOST


@given(data=st.binary(max_size=600), piece=st.integers(1, 300))
def test_no_bytes_over_tcp_raise_hang_or_grow(data, piece):
    slave = tcp()
    for start in range(0, len(data), piece):
        slave.receive(data[start : start + piece], start)
        assert len(slave._buffer) <= 260 + piece
        assert len(slave._answers) <= 16


def test_a_d_over_tcp_feeds_as_over_a_line():
    host = Host(UnitClass.ELECTRONIC)
    host.open_session()
    slave = TcpSlave(host.unit)
    words = Desired(token=host.token, heartbeat=1, lock=at.UNLOCK, round_id=1, ack=host.nothing()).encode()
    slave.receive(packet(WriteWords(at.DESIRED, words)), host.now)

    assert host.poll().lock == LockState.OPEN
