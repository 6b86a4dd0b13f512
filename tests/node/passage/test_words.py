"""What two ends of a passage say: understood to the octet, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.node.passage.words import (
    CHUNK,
    MOST_TAKEN,
    Closed,
    Octets,
    OpenChannel,
    StillHere,
    Taken,
    packed,
    unpacked,
)

NUMBERS = st.integers(0, 2**32 - 1)
WORDS = st.one_of(
    st.just(StillHere()),
    st.builds(OpenChannel, NUMBERS, st.sampled_from(["commands", "state", "x"])),
    st.builds(Octets, NUMBERS, st.binary(min_size=1, max_size=300)),
    st.builds(Taken, NUMBERS, st.integers(1, MOST_TAKEN)),
    st.builds(Closed, NUMBERS),
)


@given(WORDS)
def test_what_is_said_is_understood(word):
    assert unpacked(packed(word)) == word


@given(st.binary(max_size=40))
def test_what_anybody_says_is_one_word_or_none(said):
    word = unpacked(said)
    assert word is None or packed(word) == said


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\0\0\0\0",
        b"\0\0\0\0\1",
        packed(StillHere()) + b"x",
        packed(Closed(1)) + b"x",
        packed(Octets(1, b"x"))[:-1],
        packed(Octets(1, b"x" * CHUNK)) + b"x",
        packed(Taken(1, 7))[:-1],
        b"\3\0\0\0\1\0\0\0\0",
        b"\1\0\0\0\1../state",
        b"\1\0\0\0\1" + "état".encode(),
        b"\1\0\0\0\1" + b"x" * 17,
        b"\5\0\0\0\1",
    ],
)
def test_what_is_none_of_our_words_is_none(said):
    assert unpacked(said) is None
