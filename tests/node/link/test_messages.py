"""What two nodes say to each other, octet by octet; and that nothing else is taken for it."""

import msgspec
import pytest

from controller.core.values import Levels, Mark
from controller.node.link.messages import (
    MOST_BATCH,
    MOST_LETTERS,
    MOST_OCTETS,
    MOST_STREAMS,
    Ack,
    Beat,
    Burned,
    Hello,
    LetterBatch,
    MirrorWord,
    Place,
    PotMeter,
    Sent,
    TurnedAway,
    fits,
    packed,
    unpacked,
)

A, B = "a" * 64, "b" * 64
HELLO = Hello((1, 2), "caja-1", 3, (1,), {"pot:Gran Pozo": Place(2, 9, A)}, {"to:central": Place(3, 7, B)})
BATCH = LetterBatch("to:central", A, (Sent(3, 8, 1, b'{"letter":"x"}'), Sent(3, 9, 1, b"{}")))
GOLDEN = [
    (
        HELLO,
        b"\x97\xa5hello\x92\x01\x02\xa6caja-1\x03\x91\x01"
        b"\x81\xadpot:Gran Pozo\x93\x02\x09\xd9\x40"
        + A.encode()
        + b"\x81\xaato:central\x93\x03\x07\xd9\x40"
        + B.encode(),
    ),
    (
        BATCH,
        b"\x94\xa5batch\xaato:central\xd9\x40"
        + A.encode()
        + b'\x92\x94\x03\x08\x01\xc4\x0e{"letter":"x"}\x94\x03\x09\x01\xc4\x02{}',
    ),
    (Ack("pot:p", Place(1, 2, A)), b"\x93\xa3ack\xa5pot:p\x93\x01\x02\xd9\x40" + A.encode()),
    (
        PotMeter("p", 5, 1_000, 200, {"r": 3}, 70_000),
        b"\x97\xa5meter\xa1p\x05\xcd\x03\xe8\xcc\xc8\x81\xa1r\x03\xce\x00\x01\x11\x70",
    ),
    (MirrorWord(b"abc"), b"\x92\xa6mirror\xc4\x03abc"),
    (Burned((1,), "caja-1", b"abc"), b"\x94\xa6burned\x91\x01\xa6caja-1\xc4\x03abc"),
    (Beat(), b"\x91\xa4beat"),
    (TurnedAway("protocol"), b"\x92\xa7refused\xa8protocol"),
]


@pytest.mark.parametrize(("said", "octets"), GOLDEN, ids=lambda one: type(one).__name__)
def test_each_message_has_these_octets_for_ever(said, octets):
    assert packed(said) == octets
    assert unpacked(octets) == said


def test_a_place_becomes_a_mark_and_a_meter_levels():
    assert Place(1, 2, A).mark() == Mark(1, 2, A)
    assert PotMeter("p", 5, 1_000, 200, {"r": 3}, 1).levels() == Levels(1_000, 200, {"r": 3})


def raw(*parts):
    return msgspec.msgpack.encode(parts)


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"\xc0",
        raw("hallo"),
        raw("beat", 1),
        raw("ack", "to:a"),
        raw("ack", "to:a", (1, 2, A), 1),
        raw("ack", "from:a", (1, 2, A)),
        raw("ack", "to:a b", (1, 2, A)),
        raw("ack", "to:a\n", (1, 2, A)),
        raw("ack", "pot:", (1, 2, A)),
        raw("ack", "pot:a\nb", (1, 2, A)),
        raw("ack", "pot:" + "x" * 201, (1, 2, A)),
        raw("ack", "to:a", (1, 2, "")),
        raw("ack", "to:a", (1, 0, A)),
        raw("ack", "to:a", (1, 0, "")),
        raw("ack", "to:a", (-1, 2, A)),
        raw("ack", "to:a", (1, 2**63, A)),
        raw("ack", "to:a", (1, 2, A.upper())),
        raw("ack", "to:a", (1, 2.0, A)),
        raw("ack", "to:a", ("1", 2, A)),
        raw("batch", "to:a", A, ()),
        raw("batch", "to:a", A, ((1, 0, 1, b"x"),)),
        raw("batch", "to:a", A, ((1, 1, 0, b"x"),)),
        raw("batch", "to:a", A, ((1, 1, 1, b""),)),
        raw("batch", "to:a", A, ((1, 1, 1, "text"),)),
        raw("batch", "to:a", A, ((1, 1, 1, b"x"),) * (MOST_LETTERS + 1)),
        raw("batch", "to:a", A, ((1, 1, 1, b"x" * (MOST_BATCH // 2 + 1)),) * 2),
        raw("batch", "to:a", A, ((1, 1, 1, b"x" * MOST_OCTETS),)),
        raw("hello", (), "a", 1, (1,), {}, {}),
        raw("hello", (1,), "", 1, (1,), {}, {}),
        raw("hello", (1,), "a@b", 1, (1,), {}, {}),
        raw("hello", (1,), "a", 1, (1,), {}),
        raw("hello", (1,), "a", 1, (1,), {f"pot:{n}": (1, 1, A) for n in range(MOST_STREAMS + 1)}, {}),
        raw("meter", "p", 1, 2**63, 0, {}, 1),
        raw("meter", "p", 1, 1, 0, {"r": None}, 1),
        raw("burned", (), "a", b"x"),
        raw("burned", (1,), "a b", b"x"),
        raw("burned", (1,), "a", b""),
        raw("burned", (1,), "a"),
        raw("refused", "Ñ"),
        b"\x94\xa5batch\xa4to:a\xa0\xdd\xff\xff\xff\xff",  # four thousand million letters, it says
        b"\x97\xa5hello\xdd\xff\xff\xff\xff",
        b"\x98" + packed(HELLO)[1:] + b"\x91" * 400_000,  # as deep
    ],
)  # fmt: skip
def test_nothing_else_is_taken(octets):
    assert unpacked(octets) is None


def test_a_hello_of_a_later_version_is_read():
    assert unpacked(b"\x98" + packed(HELLO)[1:] + b"\xa3new") == HELLO


def test_one_letter_may_be_longer_than_a_batch():
    letter = Sent(1, 1, 1, b"x" * (MOST_BATCH + 1))

    assert fits([letter])
    assert not fits([letter, letter])
    assert unpacked(packed(LetterBatch("to:a", "", (letter,)))) is not None
