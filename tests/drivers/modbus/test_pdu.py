"""Modbus messages: what goes out is what the standard says, and an answer that is not exactly right is no answer."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drivers.modbus import pdu
from drivers.modbus.pdu import (
    Bits,
    Denial,
    Denied,
    ReadBits,
    ReadWords,
    Words,
    WriteBits,
    WriteReadWords,
    WriteWords,
    Written,
)

word = st.integers(0, 0xFFFF)
requests = st.one_of(
    st.builds(ReadWords, word, st.integers(1, 125), st.sampled_from([pdu.HOLDING, pdu.INPUTS])),
    st.builds(ReadBits, word, st.integers(1, 2000), st.sampled_from([pdu.COILS, pdu.DISCRETE])),
    st.builds(WriteWords, word, st.lists(word, min_size=1, max_size=123).map(tuple)),
    st.builds(WriteBits, word, st.lists(st.booleans(), min_size=1, max_size=300).map(tuple)),
    st.builds(WriteReadWords, word, st.lists(word, min_size=1, max_size=121).map(tuple), word, st.integers(1, 125)),
)


def an_answer(request):
    match request:
        case ReadWords() | WriteReadWords():
            return Words(tuple(range(request.count)))
        case ReadBits():
            return Bits(tuple(place % 3 == 0 for place in range(request.count)))
        case _:
            return Written()


@pytest.mark.parametrize(
    ("request_", "sent"),
    [
        (ReadWords(0x2000, 28), "03 2000 001c"),
        (ReadWords(0x2000, 28, pdu.INPUTS), "04 2000 001c"),
        (ReadBits(0x13, 19), "01 0013 0013"),
        (ReadBits(0x13, 19, pdu.DISCRETE), "02 0013 0013"),
        (WriteWords(1, (0x000A, 0x0102)), "10 0001 0002 04 000a 0102"),
        (WriteBits(0x13, (True, False, True, True, False, False, True, True, True)), "0f 0013 0009 02 cd01"),
        (WriteReadWords(0x0E, (0xFF, 0xFE), 3, 6), "17 0003 0006 000e 0002 04 00ff 00fe"),
    ],
)
def test_questions_are_written_as_the_standard_says(request_, sent):
    assert pdu.encode_request(request_) == bytes.fromhex(sent)


@pytest.mark.parametrize(
    "request_",
    [
        ReadWords(0, 0),
        ReadWords(0, 126),
        ReadWords(0x10000, 1),
        ReadBits(0, 2001),
        WriteWords(0, ()),
        WriteWords(0, (0,) * 124),
        WriteBits(0, ()),
        WriteReadWords(0, (0,) * 122, 0, 1),
        WriteReadWords(0, (0,), 0, 126),
    ],
)
def test_a_question_no_unit_could_answer_is_never_sent(request_):
    with pytest.raises(AssertionError):
        pdu.encode_request(request_)


@given(requests)
def test_what_one_end_asks_and_answers_the_other_end_understands(request):
    answer = an_answer(request)

    assert pdu.decode_request(pdu.encode_request(request)) == request
    said = pdu.encode_answer(request, answer)
    assert len(said) == pdu.answer_size(request) <= pdu.LONGEST_PDU
    assert pdu.decode_answer(request, said) == answer
    denied = pdu.encode_answer(request, Denied(Denial.ADDRESS))
    assert pdu.decode_answer(request, denied) == Denied(Denial.ADDRESS)


@given(requests, st.data())
def test_an_answer_cut_or_lengthened_is_no_answer(request, draw):
    said = pdu.encode_answer(request, an_answer(request))
    cut = draw.draw(st.integers(0, len(said) - 1))

    assert pdu.decode_answer(request, said[:cut]) is None
    assert pdu.decode_answer(request, said + b"\0") is None


def test_the_answer_to_another_question_is_no_answer():
    read = ReadWords(0x2000, 2)

    assert pdu.decode_answer(read, bytes.fromhex("03 04 0001 0002")) == Words((1, 2))
    assert pdu.decode_answer(read, bytes.fromhex("04 04 0001 0002")) is None, "another function"
    assert pdu.decode_answer(read, bytes.fromhex("03 02 0001")) is None, "one register for two"
    assert pdu.decode_answer(read, bytes.fromhex("03 03 0001 0002")) is None, "a count that lies"
    assert pdu.decode_answer(ReadBits(0, 8), bytes.fromhex("01 02 00")) is None, "a count that lies"
    assert pdu.decode_answer(read, bytes.fromhex("84 02")) is None, "another function's exception"
    assert pdu.decode_answer(read, bytes.fromhex("83 0b")) == Denied(11), "a code without a name stays a number"


def test_a_write_is_answered_by_its_own_address_and_count():
    write = WriteWords(0x0400, (1, 2))
    coils = WriteBits(0x0013, (True,))

    assert pdu.decode_answer(write, bytes.fromhex("10 0400 0002")) == Written()
    assert pdu.decode_answer(write, bytes.fromhex("10 0401 0002")) is None
    assert pdu.decode_answer(write, bytes.fromhex("10 0400 0003")) is None
    assert pdu.decode_answer(coils, bytes.fromhex("0f 0013 0001")) == Written()
    assert pdu.decode_answer(coils, bytes.fromhex("0f 0013 0002")) is None


@pytest.mark.parametrize(
    ("asked", "denial"),
    [
        ("", Denial.FUNCTION),
        ("05 0000 ff00", Denial.FUNCTION),
        ("06 0000 0001", Denial.FUNCTION),
        ("2b 0e 01 00", Denial.FUNCTION),
        ("03 0000 0000", Denial.VALUE),
        ("03 0000 007e", Denial.VALUE),
        ("03 0000", Denial.VALUE),
        ("01 0000 07d1", Denial.VALUE),
        ("10 0000 0001", Denial.VALUE),
        ("10 0000 0002 04 0000", Denial.VALUE),
        ("10 0000 0000 00", Denial.VALUE),
        ("0f 0000 0009 01 00", Denial.VALUE),
        ("0f 0000", Denial.VALUE),
        ("17 0000 0001 0000 0001 02", Denial.VALUE),
        ("17 0000 007e 0000 0001 02 0000", Denial.VALUE),
        ("17 0000", Denial.VALUE),
    ],
)
def test_a_unit_owes_an_exception_to_what_it_cannot_do(asked, denial):
    assert pdu.decode_request(bytes.fromhex(asked)) == Denied(denial)


def test_nothing_but_a_write_is_answered_by_what_was_written():
    with pytest.raises(AssertionError):
        pdu.encode_answer(ReadWords(0, 1), Written())


@given(st.binary(max_size=260))
@example(bytes.fromhex("10 0000 007b f6") + bytes(246))
def test_hostile_questions_are_understood_or_denied(asked):
    understood = pdu.decode_request(asked)

    if not isinstance(understood, Denied):
        pdu.encode_request(understood)


@given(requests, st.binary(max_size=260))
def test_hostile_answers_never_raise(request, said):
    pdu.decode_answer(request, said)


@given(requests, st.binary(max_size=260))
def test_hostile_answers_of_the_right_length_and_function_never_raise(request, noise):
    said = (pdu.encode_request(request)[:1] + noise).ljust(pdu.answer_size(request), b"\xff")
    answer = pdu.decode_answer(request, said[: pdu.answer_size(request)])

    assert answer is None or isinstance(answer, Words | Bits | Written)
