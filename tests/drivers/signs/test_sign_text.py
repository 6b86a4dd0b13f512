"""Amounts as text, and the plain serial sign: nothing is cut, the newest wins, it heals by being sent again."""

from collections import deque
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.model import SignSeen, SignState
from drivers.session import MILLISECOND, SECOND
from drivers.signs.amount import PLAIN, AmountForm
from drivers.signs.letters import Unwritable
from drivers.signs.text_sign import TextSign, TextSignSettings, text_sign_problem
from firmware_sim.foreign.text_sign import TextSignFirmware, TextSignMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from support.sim.world import World

SETTINGS = TextSignSettings(number=4)


# Amounts.


@pytest.mark.parametrize(
    ("form", "amount", "text"),
    [
        (AmountForm(), 12_345_678, "$12.345.678"),
        (AmountForm(), 0, "$0"),
        (AmountForm(), 999, "$999"),
        (AmountForm(), 1_000, "$1.000"),
        (PLAIN, 12_345_678, "12345678"),
        (AmountForm(before="US$ ", decimals=2), 123_456_789, "US$ 1.234.567,89"),
        (AmountForm(before="", thousands=",", decimals=2, point="."), 5, "0.05"),
    ],
)
def test_amounts_as_they_are_written(form, amount, text):
    assert form.text(amount) == text


@given(st.integers(0, 10**15), st.integers(0, 3))
def test_no_digit_is_ever_lost(amount, decimals):
    text = AmountForm(decimals=decimals).text(amount)

    assert int("".join(letter for letter in text if letter.isdecimal())) == amount


@pytest.mark.parametrize(
    "made",
    [
        lambda: AmountForm(before="2"),
        lambda: AmountForm(decimals=2, point=""),
        lambda: AmountForm(decimals=9),
        lambda: AmountForm().text(-1),
    ],
)
def test_a_form_that_would_lie_cannot_be_made(made):
    with pytest.raises(AssertionError):
        made()


# The sign.


class Stage:
    def __init__(self, settings=SETTINGS, line=None, **make):
        self.driver = TextSign(settings)
        self.sign = TextSignFirmware(TextSignMake(**make))
        self.line = Line(line or LineSettings(baud=9600, bits=10), Random(1))
        self.line.attach(self.sign)
        self.events = []
        self.world = World(self.driver, self.line, lambda event, now: self.events.append(event))

    def say(self, action, run=SECOND):
        self.world.act(lambda now: action())
        self.world.run_for(run)
        return self

    def show(self, amount, increment="", run=SECOND):
        return self.say(lambda: self.driver.show(amount, increment), run)

    @property
    def shown(self):
        return self.sign.displayed(self.world.now)


def test_it_shows_what_it_was_sent_last():
    stage = Stage()
    stage.world.run_for(SECOND)
    assert stage.driver.deadline() is None

    assert stage.show("$12.345.678").shown == "$12.345.678"
    assert stage.say(lambda: stage.driver.prize("GANO")).shown == "GANO"
    assert stage.show("$5").shown == "GANO"
    assert stage.say(stage.driver.end_prize).shown == "$5"
    assert stage.events == [
        SignSeen(unit=4, state=SignState.WRITTEN, showing=text) for text in ("$12.345.678", "GANO", "$5")
    ]


def test_the_newest_amount_wins_and_the_line_sets_the_pace():
    stage = Stage().show("$0")
    stage.line.capture = deque(maxlen=1000)
    for amount in range(1000):
        stage.show(f"${amount}", run=MILLISECOND)
    stage.world.run_for(200 * MILLISECOND)

    assert stage.shown == "$999"
    assert len(stage.line.capture) < 15


def test_a_sign_that_was_switched_off_is_right_again_within_the_rewrite():
    stage = Stage().show("$5")
    stage.say(lambda: (stage.sign.power_off(stage.world.now), stage.sign.power_on(stage.world.now)))
    assert stage.shown == ""

    stage.world.run_for(10 * SECOND)
    assert stage.shown == "$5"


def test_a_broken_line_is_down_and_everything_is_sent_anew():
    stage = Stage().show("$5")
    stage.show("$6", run=0)
    stage.world.first.disconnect(stage.world.now)
    assert stage.events[-1] == SignSeen(unit=4, state=SignState.DOWN, showing="")
    stage.world.run_for(SECOND)

    stage.world.first.connect(stage.world.now)
    stage.world.run_for(SECOND)
    assert stage.shown == "$6"


def test_the_format_of_the_settings_stands_around_the_text():
    settings = replace(
        SETTINGS, format="\x02\x0c{amount}|{increment}\x03", prize_format="\x02\x07{prize}\x03", encoding="latin-1"
    )
    stage = Stage(settings, end=b"\x03", encoding="latin-1")

    assert stage.show("$5", "7").shown == "$5|7"
    assert stage.say(lambda: stage.driver.prize("GANÓ")).shown == "GANÓ"
    assert stage.events[-1].showing == "GANÓ"


def test_what_would_be_cut_or_has_no_letter_is_refused():
    stage = Stage().show("$5")
    sign = stage.driver

    assert sign.show("x" * 17).reason == f"it shows 16 letters; {'x' * 17!r} needs 17"
    assert "'Ó'" in sign.prize("GANÓ").reason
    assert "not only letters" in sign.show("5\r6").reason
    assert isinstance(sign.show("5", "\x1b"), Unwritable)
    stage.world.run_for(SECOND)
    assert stage.shown == "$5"


def test_the_configuration_is_examined():
    assert text_sign_problem(SETTINGS, "$99.999.999", "") is None
    for settings, words in (
        (replace(SETTINGS, encoding="utf-16"), "encoding 'utf-16' is none of"),
        (replace(SETTINGS, format="{amount"), "format '{amount'"),
        (replace(SETTINGS, format="{pot}"), "{pot} is nothing; it knows amount, increment"),
        (replace(SETTINGS, format="{increment}\r"), "it has no {amount}"),
        (replace(SETTINGS, prize_format="\r"), "it has no {prize}"),
        (replace(SETTINGS, width=6), "it shows 6 letters; '$99.999.999' needs 11"),
    ):
        assert words in text_sign_problem(settings, "$99.999.999", ""), words


@given(st.lists(st.binary(max_size=700), max_size=10))
def test_hostile_bytes_raise_nowhere_and_pile_up_nowhere(talk):
    driver, sign = TextSign(SETTINGS), TextSignFirmware(TextSignMake(keeps=True))
    for data in talk:
        driver.receive(data, 0)
        sign.receive(data, 0)
        sign.displayed(0)

    assert len(sign._line) <= 512


def test_a_line_without_an_end_is_forgotten():
    sign = TextSignFirmware(TextSignMake())
    sign.receive(b"x" * 600, 0)
    sign.receive(b"$5\r", 0)

    assert sign.displayed(0) == "$5"


def test_the_simulated_sign_cuts_what_is_too_long_and_may_keep_or_lose_its_text():
    sign = TextSignFirmware(TextSignMake(keeps=True, width=4))
    sign.receive(b"$12.345\r$6", 0)
    assert sign.displayed(0) == "$12."

    sign.power_off(0)
    sign.receive(b"7\r", 0)
    assert sign.displayed(0) == ""
    sign.power_on(0)
    assert sign.displayed(0) == "$12."
    sign.lose_memory()
    assert sign.displayed(0) == ""


def test_events_that_nobody_fetches_do_not_pile_up():
    driver = TextSign(SETTINGS)
    driver.line_up(0)
    now = 0
    for amount in range(100):
        driver.show(f"${amount}")
        now = driver.deadline()
        driver.tick(now - 1)
        driver.tick(now)

    events = list(iter(driver.next_event, None))
    assert len(events) == 16
    assert events[-1].showing == "$99"
