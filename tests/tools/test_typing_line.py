"""What is typed becomes lines: keys, cursor, history; and no byte does harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.terminal.typing_line import MOST_LETTERS, MOST_REMEMBERED, TypingLine

UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"


def typed(*keys):
    typing = TypingLine()
    lines = [line for key in keys for line in typing.feed(key)]
    return lines, typing


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
def test_enter_ends_a_line_once(end):
    assert typed(b"status", end, b"help", end)[0] == ["status", "help"]


def test_two_enters_are_two_lines():
    assert typed(b"a\n\nb\r\r")[0] == ["a", "", "b", ""]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (b"seet\x7f\x7fat", "seat"),
        (b"\x7fx", "x"),
        (b"abc" + LEFT + LEFT + b"X", "aXbc"),
        (b"abc" + LEFT * 9 + b"X" + RIGHT * 9 + b"Y", "XabcY"),
        (b"abc\x01X\x05Y", "XabcY"),
        (b"abc\x02\x02\x06X", "abXc"),
        (b"abc\x1b[HX\x1b[FY", "XabcY"),
        (b"abc\x1b[1~X\x1b[4~Y", "XabcY"),
        (b"abc\x01\x1b[3~\x04", "c"),
        (b"seat 3 press\x17lamp", "seat 3 lamp"),
        (b"seat 3 press  \x17\x17\x17\x17x", "x"),
        (b"abc" + LEFT + b"\x15", "c"),
        (b"abc" + LEFT + b"\x0b", "ab"),
        (b"a\x1b[99;99zb\x1bOCc\x1bxd", "abcd"),
        (b"a\x00\x07\t\xc3\xb1b", "ab"),
    ],
)
def test_keys_do_what_they_do_everywhere(keys, text):
    assert typed(keys)[1].text == text


def test_what_was_typed_comes_back():
    typing = typed(b"one\rtwo\rtwo\r \r")[1]

    seen = []
    for key in (UP, UP, UP, DOWN, DOWN, DOWN):
        typing.feed(key)
        seen.append(typing.text)
    assert seen == ["two", "one", "one", "two", "", ""]


def test_the_past_is_bounded_and_so_is_a_line():
    typing = typed(*[f"line {number}\r".encode() for number in range(200)])[1]
    typing.feed(UP * 500)
    assert typing.text == f"line {200 - MOST_REMEMBERED}"

    assert len(typed(b"x" * 1000)[1].text) == MOST_LETTERS


def test_control_d_ends_only_an_empty_line():
    assert typed(b"\x04")[1].ended
    assert not typed(b"a\x04")[1].ended


@given(st.lists(st.binary(max_size=40) | st.sampled_from([UP, DOWN, LEFT, RIGHT, b"ab", b"\x7f", b"\r"]), max_size=60))
def test_no_bytes_do_harm_and_cuts_between_them_mean_nothing(pieces):
    lines, typing = typed(*pieces)

    assert 0 <= typing.cursor <= len(typing.text) <= MOST_LETTERS
    assert len(typing._sequence) <= 8
    assert all(line.isprintable() and line.isascii() for line in lines)
    assert typed(b"".join(pieces))[0] == lines
