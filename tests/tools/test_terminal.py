"""What the three faces of the program share: rows that fit, a conversation, a prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.terminal.cells import Cell, beside, cut, length, wrapped
from controller.terminal.keys import SpanishLine, keys_in
from controller.terminal.screen import Conversation, newest, prompt


def text(row):
    return "".join(cell.text for cell in row)


@given(st.text("ab ", max_size=90), st.integers(0, 12), st.integers(4, 40))
def test_a_wrapped_row_fits_and_keeps_its_words_behind_its_margin(words, margin, width):
    rows = wrapped((Cell("·" * margin), Cell(words)), width)

    assert all(length(row) <= width for row in rows)
    if length(rows[0]) < margin + len(words) and margin < width // 2:
        assert all(text(row)[:margin] == " " * margin for row in rows[1:])
    if margin + len(max(words.split() or [""], key=len)) <= width:
        assert "".join(text(row)[margin:] for row in rows).split() == "".join(words).split() or len(rows) > 1


def test_a_row_is_cut_within_a_cell():
    assert cut((Cell("abc", "x"), Cell("def", "y")), 4) == (Cell("abc", "x"), Cell("d", "y"))


def test_blocks_stand_side_by_side_with_one_column_between_them():
    rows = beside([[(Cell("a"),), (Cell("b"),)], [(Cell("c"),), (Cell("d"),)]], margin=2)

    assert [text(row) for row in rows] == ["  a c", "  b d"]


def test_a_short_answer_stands_beside_its_command_and_a_long_one_below_it():
    said = Conversation()
    said.typed("seat 1 chip")
    said.say("ok", 40)
    said.typed("help")
    said.say("one\ntwo", 40)

    assert [text(row) for row in said.shown(40, 4)] == ["» seat 1 chip   ok", "» help", "one", "two"]
    assert said.wanted(40) == 3


def test_a_refusal_is_seen_as_one_and_an_empty_line_ends_the_last_answer():
    said = Conversation()
    said.typed("dance")
    said.say("no: nobody dances here", 12)
    styles = {cell.style for row in said.rows for cell in row}
    said.typed("")

    assert "refused" in styles
    assert said.wanted(12) == 0


@given(st.lists(st.text("xy ", max_size=60), max_size=30), st.integers(1, 30), st.integers(0, 12))
def test_of_what_was_said_the_newest_rows_are_shown(lines, width, room):
    rows = newest([(Cell(line),) for line in lines], width, room)

    assert len(rows) <= room
    assert all(length(row) <= width for row in rows)


def test_a_secret_shows_only_how_long_it_is():
    line = SpanishLine()
    line.feed(b"123456")

    assert text(prompt("PIN ", line, secret=True)) == "PIN •••••• "
    assert text(prompt("PIN ", line)) == "PIN 123456 "


@pytest.mark.parametrize(
    ("data", "names"),
    [(b"\x1bOQ", ["F2"]), (b"ab\x1b[15~c", [b"ab", "F5", b"c"]), (b"\t", ["Tab"]), (b"\x1b[A", [b"\x1b[A"])],
)
def test_keys_come_by_name_between_what_is_typed(data, names):
    assert list(keys_in(data)) == names
