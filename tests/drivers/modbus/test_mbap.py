"""Modbus TCP: an answer is known by its number, a stream is followed frame by frame, and a lost place is said."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.line.failures import Failure
from drivers.modbus.mbap import MbapFraming, frame
from drivers.modbus.pdu import Denied, ReadWords, Words, WriteWords, Written

READ = ReadWords(0x2000, 2)
SAID = bytes.fromhex("03 04 0001 0002")


def asked(request=READ):
    framing = MbapFraming()
    framing.line_up()
    sent = framing.question(11, request)
    return framing, int.from_bytes(sent[:2], "big")


def test_a_question_is_the_frame_of_the_standard():
    framing = MbapFraming()

    assert framing.question(11, READ) == bytes.fromhex("0001 0000 0006 0b 03 2000 0002")
    assert framing.answer_bytes == 13
    assert framing.broadcast(WriteWords(1, (5,))) == bytes.fromhex("0002 0000 0009 00 10 0001 0001 02 0005")


def test_numbers_go_round_and_leave_out_none_but_0():
    framing = MbapFraming()
    numbers = [int.from_bytes(framing.question(1, READ)[:2], "big") for _ in range(65537)]

    assert numbers == [*range(1, 65536), 1, 2]


@given(st.data(), st.lists(st.tuples(st.integers(0, 0xFFFF), st.binary(min_size=1, max_size=20)), max_size=4))
def test_any_cut_of_the_same_stream_means_the_same(draw, others):
    framing, number = asked()
    stream = b"".join(frame(other, 11, said) for other, said in others if other != number) + frame(number, 11, SAID)
    cuts = [0, *sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=6))), len(stream)]
    found = [framing.receive(stream[a:b]) for a, b in itertools.pairwise(cuts)]

    assert [answer for answer in found if answer is not None] == [Words((1, 2))]


def test_an_answer_with_another_number_protocol_or_unit_is_skipped():
    framing, number = asked()
    good = frame(number, 11, SAID)

    for foreign in (frame(number + 1, 11, SAID), good[:3] + b"\1" + good[4:], frame(number, 12, SAID)):
        assert framing.receive(foreign) is None
    assert framing.receive(good) == Words((1, 2))


def test_an_answer_in_the_right_frame_with_the_wrong_content_is_none():
    for said in ("04 04 0001 0002", "03 02 0001", "03 06 0001 0002 0003", "84 02"):
        framing, number = asked()
        assert framing.receive(frame(number, 11, bytes.fromhex(said))) is None
        assert framing.verdict() is Failure.FOREIGN
    framing, number = asked(WriteWords(0x400, (1,)))
    assert framing.receive(frame(number, 11, bytes.fromhex("10 0401 0001"))) is None
    assert framing.receive(frame(number, 11, bytes.fromhex("10 0400 0001"))) == Written()


def test_an_exception_is_an_answer():
    framing, number = asked()

    assert framing.receive(frame(number, 11, b"\x83\x02")) == Denied(2)


def test_failures_have_their_names():
    framing, _number = asked()
    assert framing.verdict() is Failure.SILENT

    framing.question(11, READ)
    assert framing.receive(b"\0") is None
    assert framing.verdict() is Failure.GARBLED


def test_a_late_answer_cut_in_two_by_the_next_question_loses_nothing():
    framing, number = asked()
    late = frame(number, 11, SAID)
    framing.verdict()
    assert framing.receive(late[:5]) is None

    framing.question(11, READ)
    assert framing.receive(late[5:] + frame(number + 1, 11, bytes.fromhex("03 04 0003 0004"))) == Words((3, 4))
    assert framing.receive(late) is None, "nobody asks any more"


@pytest.mark.parametrize("size", [0, 1, 255, 0xFFFF])
def test_an_impossible_length_loses_the_stream_until_it_is_opened_anew(size):
    framing, number = asked()
    good = frame(number, 11, SAID)

    assert framing.receive(good[:4] + size.to_bytes(2, "big") + bytes(10)) is None
    assert framing.lost
    assert framing.receive(good) is None, "whatever comes now may be the middle of anything"
    assert framing.verdict() is Failure.GARBLED

    framing.line_up()
    number = int.from_bytes(framing.question(11, READ)[:2], "big")
    assert not framing.lost
    assert framing.receive(frame(number, 11, SAID)) == Words((1, 2))


def test_an_answer_in_front_of_an_impossible_length_still_counts():
    framing, number = asked()

    assert framing.receive(frame(number, 11, SAID) + b"\xff" * 6) == Words((1, 2))
    assert framing.lost


@given(st.lists(st.binary(max_size=400), max_size=8))
def test_hostile_streams_never_raise_and_never_grow(stream):
    framing, _ = asked()
    for cut in stream:
        framing.receive(cut)
        assert len(framing._buffer) < 6 + 254


def test_a_long_stream_of_foreign_frames_costs_each_byte_once():
    def seconds(count):
        framing, _ = asked()
        stream = frame(9, 9, SAID) * count
        before = time.process_time()
        framing.receive(stream)
        return time.process_time() - before

    once = min(seconds(2_000) for _ in range(3))
    assert min(seconds(8_000) for _ in range(3)) < 10 * once + 0.01
