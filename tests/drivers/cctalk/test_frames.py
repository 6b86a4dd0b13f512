"""ccTalk frames byte for byte (the vectors of devices.md 1.2), and what noise may do to them: nothing."""

from binascii import crc_hqx

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cctalk.frames import FORGET, HOST, Checksum, Ear, Frame, Header, decode, encode, find_answer

# question, its answer, and what both say
VECTORS = [
    ((2, 0, 1, 254, 255), (1, 0, 2, 0, 253), Frame(2, 1, 254), b""),
    ((2, 2, 1, 231, 255, 255, 22), (1, 0, 2, 0, 253), Frame(2, 1, 231, b"\xff\xff"), b""),
    (
        (2, 0, 1, 229, 24),
        (1, 11, 2, 0, 6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2, 158),
        Frame(2, 1, 229),
        bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2)),
    ),
    ((2, 0, 1, 242, 11), (1, 3, 2, 0, 78, 97, 188, 143), Frame(2, 1, 242), (12_345_678).to_bytes(3, "little")),
    ((2, 0, 1, 245, 8), (1, 13, 2, 0, *b"Coin Acceptor", 22), Frame(2, 1, 245), b"Coin Acceptor"),
]
frames = st.builds(
    Frame,
    destination=st.integers(0, 255),
    source=st.integers(0, 255),
    header=st.integers(0, 255),
    data=st.binary(max_size=252),
)
checksums = st.sampled_from(Checksum)


@pytest.mark.parametrize(("asked", "answered", "frame", "data"), VECTORS)
def test_the_frames_of_the_book_are_ours_byte_for_byte(asked, answered, frame, data):
    assert encode(frame, Checksum.SUM) == bytes(asked)
    assert decode(bytes(asked), Checksum.SUM) == frame
    assert encode(Frame(HOST, frame.destination, Header.ANSWER, data), Checksum.SUM) == bytes(answered)
    assert find_answer(bytes(answered), 2, range(len(data), len(data) + 1), Checksum.SUM) == data


def test_the_frames_of_the_book_with_a_crc():
    asked, answered = bytes((40, 0, 182, 254, 33)), bytes((1, 0, 48, 0, 55))

    assert encode(Frame(40, None, 254), Checksum.CRC) == asked
    assert decode(asked, Checksum.CRC) == Frame(40, None, 254)
    assert find_answer(answered, 40, range(1), Checksum.CRC) == b""


@given(frames)
def test_a_sum_is_never_256(frame):
    """Two hosts in the wild send 256 when the sum is 0; it is 0."""
    assert sum(encode(frame, Checksum.SUM)) % 256 == 0


@given(frames)
def test_the_crc_is_that_of_the_python_library(frame):
    data = encode(frame, Checksum.CRC)

    assert data[2] | data[-1] << 8 == crc_hqx(data[:2] + data[3:-1], 0)


@given(frames, checksums)
def test_what_is_encoded_is_decoded(frame, checksum):
    known = frame if checksum is Checksum.SUM else Frame(frame.destination, None, frame.header, frame.data)

    assert decode(encode(frame, checksum), checksum) == known


@given(frames, checksums, st.integers(0, 256), st.integers(1, 255))
def test_one_struck_byte_is_always_noticed(frame, checksum, place, turned):
    data = bytearray(encode(frame, checksum))
    data[place % len(data)] ^= turned

    assert decode(bytes(data), checksum) is None


@given(st.binary(max_size=300), checksums)
def test_rubbish_is_no_frame_or_a_frame_with_a_good_check(data, checksum):
    frame = decode(data, checksum)

    assert frame is None or encode(frame, checksum) == data


@given(st.lists(st.tuples(st.integers(0, 30), frames), max_size=5), checksums, st.data())
def test_any_cut_of_the_same_bytes_means_the_same(parts, checksum, draw):
    stream = b"".join(encode(frame, checksum) for _, frame in parts)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    ear, heard = Ear(checksum), []
    for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, len(stream)], strict=True)):
        heard += ear.hear(stream[begin:end], number * FORGET)

    assert heard == [decode(encode(frame, checksum), checksum) for _, frame in parts]


def test_a_pause_inside_a_message_makes_everybody_forget_it():
    whole = encode(Frame(2, 1, Header.SIMPLE_POLL), Checksum.SUM)
    just, longer = Ear(Checksum.SUM), Ear(Checksum.SUM)

    assert just.hear(whole[:2], 1000) == []
    assert just.hear(whole[2:], 1000 + FORGET) == [Frame(2, 1, 254)]
    assert longer.hear(whole[:2], 1000) == []
    assert longer.hear(whole[2:], 1001 + FORGET) == []
    assert longer.hear(whole, 2000 + 2 * FORGET) == [Frame(2, 1, 254)]


def test_a_device_that_lost_its_place_finds_it_after_the_pause():
    ear = Ear(Checksum.SUM)
    whole = encode(Frame(2, 1, Header.READ_CREDIT), Checksum.SUM)
    ear.hear(b"\x02\x80\x01", 0)

    assert ear.hear(whole * 3, 1000) == []
    assert ear.hear(whole, 1001 + FORGET) == [Frame(2, 1, 229)]


@given(st.lists(st.binary(max_size=400), max_size=20), checksums)
def test_hostile_bytes_never_grow_an_ear(chunks, checksum):
    ear = Ear(checksum)
    for number, chunk in enumerate(chunks):
        ear.hear(chunk, number)
        assert len(ear._heard) < 300


@given(st.binary(max_size=40), st.binary(min_size=11, max_size=11), st.binary(max_size=40), checksums)
def test_an_answer_is_found_behind_noise_and_before_noise(before, data, behind, checksum):
    answer = encode(Frame(HOST, 2, Header.ANSWER, data), checksum)
    sizes = range(11, 12)
    found = find_answer(before + answer + behind, 2, sizes, checksum)

    assert found is not None
    if find_answer((before + answer)[:-1], 2, sizes, checksum) is None:
        assert found == data


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (Frame(2, 1, 0, b"\x07"), "it is addressed to a device"),
        (Frame(HOST, 3, 0, b"\x07"), "another device says it"),
        (Frame(HOST, 2, Header.NAK, b"\x07"), "it is a refusal"),
        (Frame(HOST, 2, Header.BUSY, b"\x07"), "it is a delay"),
        (Frame(HOST, 2, 0, b""), "it is shorter than what was asked for"),
        (Frame(HOST, 2, 0, b"\x07\x07"), "it is longer than what was asked for"),
    ],
)
def test_what_is_no_answer_to_the_question_is_not_taken_for_one(frame, why):
    assert find_answer(encode(frame, Checksum.SUM), 2, range(1, 2), Checksum.SUM) is None, why
    assert find_answer(encode(Frame(HOST, 2, 0, b"\x07"), Checksum.SUM), 2, range(1, 2), Checksum.SUM) == b"\x07"


def test_only_a_frame_fits_into_a_frame():
    with pytest.raises(AssertionError, match="longer"):
        encode(Frame(2, 1, 0, bytes(253)), Checksum.SUM)
    with pytest.raises(AssertionError, match="who sent it"):
        encode(Frame(2, None, 0), Checksum.SUM)


def test_a_length_that_no_frame_has_is_none_however_good_its_checksum():
    """Found by the fuzz campaign: 253 bytes of data fit into no frame."""
    body = bytes((HOST, 253, 2, 0)) + bytes(253)
    whole = body + bytes((-sum(body) & 0xFF,))

    assert decode(whole, Checksum.SUM) is None
    assert Ear(Checksum.SUM).hear(whole, 0) == []
