"""Alpha signs on the wire: our frames byte for byte, against the published vectors and against alphasignpy."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.signs import alpha
from drivers.signs.alpha import Code, File, Mode, SignCommand, TextPosition
from drivers.signs.alpha_answers import MOST_KEPT, Answers, ErrorRegister, Errors, Receipt, Stored
from drivers.signs.letters import LOST, WITHOUT_ACCENT, Unwritable, decoded, encoded
from support.drivers import peers
from support.places import ROOT

POT = b"POZO $12.345.678"


def answer(body, kind=b"0", address=b"00"):
    block = alpha.STX + body + alpha.ETX
    return 20 * alpha.NUL + alpha.SOH + kind + address + block + alpha.checksum(block) + alpha.EOT


# Frames.


def test_the_two_vectors_of_the_reference():
    text = b"".join(alpha.pieces([alpha.write_text("A", POT)]))
    string = b"".join(alpha.pieces([alpha.write_string("P", POT)]))

    assert text == bytes.fromhex("0000000000015a30300241411b2062") + POT + b"\x0304B0\x04"
    assert string == bytes.fromhex("0000000000015a3030024750") + POT + b"\x030428\x04"


def test_every_command_as_the_protocol_writes_it():
    def body(command):
        return b"".join(alpha.pieces([command], checked=False))[10:-1]

    files = [File("A", 40), File("P", 32, is_string=True)]
    assert body(alpha.memory_map(files)) == b"E$AAL0028FF00PBL00200000"
    assert body(alpha.memory_map([])) == b"E$"
    assert body(alpha.write_priority(b"GANO", Mode.ROTATE)) == b"A0\x1b aGANO"
    assert body(alpha.write_priority(b"")) == b"A0"
    assert body(alpha.write_text("B", b"x", Mode.ROTATE, TextPosition.FILL)) == b"AB\x1b&ax"
    assert body(alpha.run_sequence("AB")) == b"E.SLAB"
    assert body(alpha.soft_reset()) == b"E,"
    assert body(alpha.acknowledge_writes(on=True)) == b"Es1"
    assert body(alpha.acknowledge_writes(on=False)) == b"Es0"
    assert body(alpha.read_text("0")) == b"B0"
    assert body(alpha.read_string("P")) == b"HP"


def test_nested_commands_come_in_pieces_that_end_with_their_stx():
    commands = [alpha.write_string("P", b"1"), alpha.write_string("I", b"2")]
    one, two, three = alpha.pieces(commands, "^", "07")

    assert one == b"\0\0\0\0\0\x01^07\x02"
    assert two == b"GP1\x03" + alpha.checksum(b"\x02GP1\x03") + b"\x02"
    assert three == b"GI2\x03" + alpha.checksum(b"\x02GI2\x03") + b"\x04"
    assert b"".join(alpha.pieces(commands, checked=False)) == b"\0\0\0\0\0\x01Z00\x02GP1\x03\x02GI2\x03\x04"


@pytest.mark.parametrize(
    "made",
    [
        lambda: alpha.write_priority(b"x" * 126),
        lambda: alpha.write_string("P", b"x" * 126),
        lambda: SignCommand(Code.WRITE_TEXT, b"A\x04"),
        lambda: SignCommand(Code.WRITE_TEXT, b"A\xd1"),
        lambda: File("1", 10),
        lambda: File("0", 10),
        lambda: File("PP", 10),
        lambda: File("P", 126, is_string=True),
        lambda: alpha.pieces([]),
        lambda: alpha.pieces([alpha.soft_reset()], address="7"),
    ],
)
def test_what_a_sign_would_misunderstand_cannot_be_made(made):
    with pytest.raises(AssertionError):
        made()


# Letters.


def test_spanish_over_seven_bits():
    assert encoded("¡GANÓ EL POZO, SEÑOR!") == b"\x08JGANO EL POZO, SE\x08EOR!"
    assert encoded("ñáéíóúÁÉÍü¿") == b"\x08D\x08@\x08\x22\x08A\x08B\x08C\x08Z\x080\x08_\x08!\x08H"
    assert decoded(encoded("Peñón único, 15º")) == "Peñón único, 15º"
    assert WITHOUT_ACCENT.keys() == {"Ó", "Ú"}


@pytest.mark.parametrize("text", ["€", "^", "~", "\r", "\x1b", "漢"])
def test_a_letter_without_a_code_is_refused_and_named(text):
    refused = encoded(f"AB{text}C")

    assert isinstance(refused, Unwritable)
    assert repr(text) in refused.reason


@given(st.text(st.sampled_from([*sorted(set(map(chr, range(32, 127))) - {"^", "~"}), *"ñÑáéíóúÁÉÍüÜ¿¡°ºª"])))
def test_what_can_be_written_is_read_again(text):
    content = encoded(text)

    assert all(byte < 0x80 for byte in content)
    assert decoded(content) == text


@given(st.binary())
def test_any_bytes_read_as_something(data):
    assert len(decoded(data)) <= len(data)
    assert decoded(b"\xff") == decoded(b"\x08\x00") == decoded(b"\x08") == LOST


# Answers.


def test_a_file_comes_back_as_the_write_that_would_make_it():
    answers = Answers()
    text = answer(b"AA\x1b b\x10P")

    assert answers.receive(answer(b"GP$123")) == [Stored(Code.WRITE_STRING, "P", b"$123")]
    (stored,) = answers.receive(text)
    assert stored.words == b"\x10P"
    assert Stored(Code.WRITE_STRING, "P", b"\x1b b").words == b"\x1b b"
    assert Stored(Code.WRITE_TEXT, "0", b"").words == b""


def test_the_error_register_is_read_alone_and_behind_a_verdict():
    answers = Answers()

    assert answers.receive(answer(b"E*\x50")) == [Errors(ErrorRegister.ALWAYS | ErrorRegister.CHECKSUM)]
    assert answers.receive(b"\x15\x60\x60") == [
        Receipt(taken=False),
        Errors(ErrorRegister.ALWAYS | ErrorRegister.ILLEGAL),
    ]
    assert answers.receive(b"\x06") + answers.receive(b"\x40") == [Receipt(taken=True), Errors(ErrorRegister.ALWAYS)]
    assert answers.receive(b"\x06\x80\x40") == [Receipt(taken=True)]


@pytest.mark.parametrize(
    "data",
    [
        answer(b"GP1", kind=b"Z"),  # our own echo
        answer(b"GP1")[:-2] + b"0\x04",
        answer(b"GP1").replace(alpha.ETX, b""),
        answer(b"XP1"),
        answer(b"G"),
        answer(b"G\xd11"),
        answer(b"E*\x50\x50"),
        answer(b"E*\x10"),
        answer(b"E$A"),
        b"\x01\x04",
        b"\x01" + b"0" * (MOST_KEPT + 1) + b"\x04",
    ],
)
def test_what_is_not_exactly_right_is_no_answer_and_loses_none_behind_it(data):
    answers = Answers()

    assert answers.receive(data) == []
    assert answers.receive(answer(b"GP1")) == [Stored(Code.WRITE_STRING, "P", b"1")]


def test_another_question_forgets_half_an_answer():
    answers = Answers()
    whole = answer(b"GP1")
    answers.receive(whole[:30])
    answers.forget()

    assert answers.receive(whole[30:]) == []


@given(
    st.lists(st.one_of(st.binary(max_size=40), st.just(answer(b"GP1")), st.just(answer(b"A0")), st.just(b"\x06\x40")))
)
def test_hostile_bytes_neither_raise_nor_grow_and_every_cut_means_the_same(chunks):
    stream = b"".join(chunks)
    whole, bytewise = Answers(), Answers()
    found = whole.receive(stream)

    assert found == [one for byte in stream for one in bytewise.receive(bytes([byte]))]
    assert len(whole._frame or b"") <= MOST_KEPT


def test_a_flood_is_not_kept():
    answers = Answers()
    answers.receive(b"\x01")
    for _ in range(100):
        answers.receive(b"\xff" * 1000)

    assert len(answers._frame or b"") <= MOST_KEPT


# The oracle.


ORACLE = Path(os.environ.get("POZO_ALPHASIGN", ROOT / ".venv/alphasign/bin/python"))
CASES = [
    ([{"make": "text", "label": "A", "words": POT.decode()}], [alpha.write_text("A", POT)]),
    ([{"make": "text", "label": "0", "words": "GANO", "mode": "a"}], [alpha.write_priority(b"GANO", Mode.ROTATE)]),
    (
        [{"make": "text", "label": "B", "words": "x", "position": "&"}],
        [alpha.write_text("B", b"x", Mode.HOLD, TextPosition.FILL)],
    ),
    ([{"make": "string", "label": "P", "data": POT.decode()}], [alpha.write_string("P", POT)]),
    ([{"make": "string", "label": "I", "data": ""}], [alpha.write_string("I", b"")]),
    ([{"make": "sequence", "sequence": "SLA"}], [alpha.run_sequence("A")]),
    ([{"make": "reset"}], [alpha.soft_reset()]),
    ([{"make": "acks", "enabled": True}], [alpha.acknowledge_writes(on=True)]),
    ([{"make": "acks", "enabled": False}], [alpha.acknowledge_writes(on=False)]),
    ([{"make": "read_text", "label": "A"}], [alpha.read_text("A")]),
    ([{"make": "read_string", "label": "P"}], [alpha.read_string("P")]),
    ([{"make": "read_special", "function": "*"}], [alpha.SignCommand(alpha.Code.READ_SPECIAL, b"*")]),
    (
        [{"make": "memory", "files": [["A", "A", 40], ["P", "B", 32], ["I", "B", 24]]}],
        [alpha.memory_map([File("A", 40), File("P", 32, is_string=True), File("I", 24, is_string=True)])],
    ),
    (
        [{"make": "string", "label": "P", "data": "$1"}, {"make": "string", "label": "I", "data": "2"}],
        [alpha.write_string("P", b"$1"), alpha.write_string("I", b"2")],
    ),
]


@pytest.mark.process
def test_our_frames_are_alphasignpys_byte_for_byte():
    if not ORACLE.exists():
        peers.absent("alphasignpy (make; or POZO_ALPHASIGN=its python)")
    asked, ours = [], []
    for asks, commands in CASES:
        for kind, address, checked in (("Z", "00", True), ("^", "07", True), ("f", "FF", False)):
            asked.append(json.dumps({"kind": kind, "address": address, "checksum": checked, "commands": asks}))
            ours.append(b"".join(alpha.pieces(commands, kind, address, checked=checked)).hex())
    done = subprocess.run(
        [ORACLE, ROOT / "tests/foreign/alpha_oracle.py"],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ours
