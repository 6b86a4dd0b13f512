"""The words of a person are understood whole or refused in one sentence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_sim.desk.commands import HELP, Act, CommandRefused, duration, read_command, share


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("seat 3 press 2", Act("seat", "press", 3, words=("2",))),
        ("  SEAT 12   Chip # a comment", Act("seat", "chip", 12)),
        ("seat 5 lamp open", Act("seat", "lamp", 5, words=("open",))),
        ("console lock", Act("console", "lock")),
        ("console key off", Act("console", "key", words=("off",))),
        ("console line pull", Act("console", "line", words=("pull",))),
        ("unit 4 unplug", Act("unit", "unplug", 4)),
        ("unit mesa/247 reboot", Act("unit", "reboot", 247, "mesa")),
        ("line loss 20%", Act("line", "loss", words=("20%",))),
        ("line mesa-2 noise 0.25%", Act("line", "noise", line="mesa-2", words=("0.25%",))),
        ("line delay 100% 50ms", Act("line", "delay", words=("100%", "50ms"))),
        ("line mesa hush", Act("line", "hush", line="mesa")),
        ("sign forget", Act("sign", "forget")),
        ("sign rotulo off", Act("sign", "off", line="rotulo")),
        ("wait 500ms", Act("wait", "wait", words=("500ms",))),
        ("status", Act("status", "status")),
        ("quit", Act("quit", "quit")),
        ("", None),
        ("   # nothing", None),
    ],
)
def test_what_is_said_is_understood(text, act):
    assert read_command(text) == act


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("dance", "'dance' is nobody here; try seat, console, unit, line, sign, wait, status, help, quit"),
        ("quit now", "'quit' is nobody here"),
        ("seat", "which seat? `seat 3 press 2`"),
        ("seat 0 press 1", "which seat?"),
        ("seat 100 press 1", "which seat?"),
        ("seat ³ press 1", "which seat?"),
        ("seat 3", "seat: 'nothing' cannot be done; it can be: press, hold, release,"),
        ("seat 3 kick", "seat: 'kick' cannot be done"),
        ("seat 3 press", "seat press: a button, 1 to 4 follows, not 'nothing'"),
        ("seat 3 press 5", "seat press: a button, 1 to 4 follows, not '5'"),
        ("seat 3 chip 2", "seat chip: nothing follows, not '2'"),
        ("seat 3 lamp off", "seat lamp: ok, open, short or lit follows, not 'off'"),
        ("console key", "console key: on or off follows, not 'nothing'"),
        ("unit", "which unit? `unit 4 unplug`"),
        ("unit a/b off", "which unit?"),
        ("unit 4 loss 3%", "unit: 'loss' cannot be done"),
        ("line loss", "line loss: a share such as 20% follows, not 'nothing'"),
        ("line loss 101%", "not '101%'"),
        ("line loss 100.5%", "not '100.5%'"),
        ("line loss ٣%", "not '٣%'"),
        ("line delay 5% 0ms", "line delay: a share, and the longest time if you like: 20% 50ms follows"),
        ("line a/b clean", "line: 'a/b' cannot be done"),
        ("line mesa", "line: 'mesa' cannot be done"),
        ("sign", "sign: 'nothing' cannot be done; it can be: off, on, forget"),
        ("wait", "how long? `wait 500ms` or `wait 2s`"),
        ("wait 5 minutes", "how long?"),
        ("seat 3 press " + "1" * 200, "a command has at most 200 letters"),
    ],
)
def test_what_is_not_understood_is_refused_in_one_sentence(text, why):
    with pytest.raises(CommandRefused) as refused:
        read_command(text)

    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_shares_and_times():
    assert [share(text) for text in ("0%", "20%", "0.5%", "100%")] == [0, 0.2, 0.005, 1]
    assert [duration(text) for text in ("500ms", "2s", "2", "s", "1h", "9999999s")] == [500_000, 2_000_000] + [None] * 4


def test_every_line_of_the_help_is_a_command():
    words = {r"\bN\b": "3", r"\bB\b": "2", r"\bK\b": "1000000", "CONDITION": "lit", r"\[NAME\] ": ""}
    said = [line.split("  ")[0] for line in HELP.splitlines() if line[0] != " "]
    for word, filled in words.items():
        said = [re.sub(word, filled, line) for line in said]

    assert all(read_command(text) for line in said for text in line.split(", "))


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                "seat",
                "console",
                "unit",
                "line",
                "sign",
                "wait",
                "status",
                "help",
                "quit",
                "press",
                "lamp",
                "key",
                "loss",
                "delay",
                "1",
                "3",
                "20%",
                "50ms",
                "mesa",
                "mesa/3",
                "on",
                "open",
                "#",
                "é",
                "٣",
            ]
        )
    ).map(" ".join)
)
def test_no_words_do_more_than_be_refused(text):
    try:
        act = read_command(text)
    except CommandRefused as refused:
        assert str(refused)  # noqa: PT017
    else:
        assert act is None or (act.who and act.what)
        if act is not None and act.who == "line" and act.words and act.words[0].endswith("%"):
            assert 0 <= share(act.words[0]) <= 1
