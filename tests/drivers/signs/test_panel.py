"""Modbus panels: too narrow for the pot is found when configured; what is shown is read back; it heals by itself."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.line.failures import Failure
from drivers.modbus.bus import Bus
from drivers.modbus.pdu import Bits, Denied, ReadBits, ReadWords, Words, WriteWords, Written
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import Ask
from drivers.model import Notice, SignSeen, SignState
from drivers.session import SECOND
from drivers.signs.amount import AmountForm
from drivers.signs.panel import Panel, Row, digit_panel, panel_problem, text_panel
from firmware_sim.foreign.panel import PanelFirmware, PanelMake
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave
from support.sim.world import World

TEXT, NUMBER = text_panel(7), digit_panel(8, 8)
TEXT_ROWS, NUMBER_ROWS = (TEXT.amount, TEXT.increment), (NUMBER.amount,)
TIMING = LineTiming(baud=9600, bits=10)


class Hall:
    """A text panel that cannot be read and a digit panel that can, on one line."""

    def __init__(self, text=TEXT, number=NUMBER, line=None, **make):
        self.text, self.number = Panel(text), Panel(number)
        self.boards = [
            PanelFirmware(PanelMake(unit=7, rows=TEXT_ROWS, digits_only=False, readable=text.reads)),
            PanelFirmware(PanelMake(unit=8, rows=NUMBER_ROWS, **make)),
        ]
        self.line = Line(line or LineSettings(baud=9600, bits=10), Random(1))
        for board in self.boards:
            self.line.attach(RtuSlave(board, TIMING))
        self.events = []
        bus = Bus([self.text, self.number], TIMING, RtuFraming())
        self.world = World(bus, self.line, lambda event, now: self.events.append(event))

    def show(self, amount, run=2 * SECOND):
        form = AmountForm()
        self.world.act(lambda now: (self.text.show(form.text(amount), "5"), self.number.show(str(amount))))
        return self.run(run)

    def run(self, time):
        self.world.run_for(time)
        return self

    @property
    def shown(self):
        return [board.displayed(self.world.now) for board in self.boards]

    def of(self, unit):
        return [event for event in self.events if event.unit == unit]


def seen(unit, state, showing):
    return SignSeen(unit=unit, state=state, showing=showing)


# Widths.


def test_a_panel_too_narrow_for_the_pot_is_a_configuration_error_that_says_so():
    assert panel_problem(digit_panel(8, 8), 99_999_999) is None
    assert panel_problem(digit_panel(8), 1_000_000) == (
        "panel 8 is too narrow for this pot: a row of 6 and '1000000' needs 7"
    )
    assert "'$1.000.000.000' needs 14" in panel_problem(text_panel(7, 13), 1_000_000_000)


def test_a_map_that_contradicts_itself_is_a_configuration_error():
    close = replace(TEXT, increment=Row(address=1007, width=16, per_word=2))

    assert panel_problem(close, 5) == "panel 7: its two rows share registers"
    assert panel_problem(replace(close, increment=Row(address=1008, width=16)), 5) is None
    assert "has '$', which the panel cannot show" in panel_problem(replace(NUMBER, form=AmountForm()), 5)


@pytest.mark.parametrize(
    ("address", "width", "hit"), [(1000, 48, False), (1000, 49, True), (1031, 2, True), (1032, 16, False)]
)
def test_a_row_that_a_broadcast_lock_would_overwrite_is_a_configuration_error(address, width, hit):
    said = panel_problem(replace(TEXT, amount=Row(address=address, width=width, per_word=2)), 5)
    if hit:
        assert said == "panel 7: a row covers register 1024, and the broadcast lock would overwrite it"
    else:
        assert said is None or "register" not in said


def test_a_text_panel_as_wide_as_the_lock_is_far_is_refused():
    assert panel_problem(text_panel(7, 48), 5) is None
    assert "broadcast lock" in panel_problem(text_panel(7, 49), 5)


def test_a_panel_that_is_told_to_lock_goes_on_showing():
    panel = Panel(TEXT)
    panel.line_up(0)
    panel.show("$5")
    before = panel.next_ask(0)
    panel.lock()
    assert panel.next_ask(0) == before
    assert panel.next_event() is None


@pytest.mark.parametrize(
    "made",
    [lambda: Row(address=0, width=0), lambda: Row(address=0, width=8, per_word=3), lambda: Row(address=0, width=124)],
)
def test_a_row_that_cannot_be_written_cannot_be_made(made):
    with pytest.raises(AssertionError):
        made()


def test_letters_stand_on_the_right_one_or_two_to_a_word():
    assert Row(address=0, width=4).encode("12") == (0x20, 0x20, 0x31, 0x32)
    assert Row(address=0, width=4, per_word=2).encode("12") == (0x2020, 0x3132)
    assert Row(address=0, width=5, per_word=2).encode("12") == (0x2020, 0x2031, 0x3220)
    assert Row(address=0, width=3).decode((0x31, 7, 0x141)) == "1??"


@given(st.integers(1, 40), st.sampled_from([1, 2]), st.data())
def test_a_row_reads_as_it_was_written(width, per_word, data):
    text = data.draw(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=width))
    row = Row(address=0, width=width, per_word=per_word)

    assert row.decode(row.encode(text)) == text
    assert len(row.encode(text)) == row.words


def test_what_does_not_fit_is_refused_and_the_panel_keeps_what_it_shows():
    hall = Hall().show(12)

    assert "needs 9" in hall.number.show("123456789").reason
    assert "'.'" in hall.number.show("1.234").reason
    assert "'G'" in hall.number.prize("GANO").reason
    assert "'Ó'" in hall.text.show("$5", "Ó").reason
    assert hall.run(5 * SECOND).shown == ["$12 5", "12"]


# On a line.


def test_nothing_is_asked_before_the_owner_says_what_to_show():
    hall = Hall().run(60 * SECOND)

    assert hall.text.due() is None
    assert hall.text.next_ask(0) is None
    assert hall.line.counters.messages == 0


def test_a_readable_panel_is_proven_and_another_is_written():
    hall = Hall().show(12_345_678)

    assert hall.shown == ["$12.345.678 5", "12345678"]
    assert hall.of(7) == [seen(7, SignState.WRITTEN, "$12.345.678 5")]
    assert hall.of(8) == [seen(8, SignState.PROVEN, "12345678")]
    assert not hall.text.urgent()


def test_the_digits_of_a_smaller_amount_leave_nothing_of_the_greater_one():
    assert Hall().show(12_345_678).show(7).shown == ["$7 5", "7"]


def test_only_what_changed_is_written():
    hall = Hall().show(1)
    writes = [board.writes for board in hall.boards]
    hall.show(2)

    assert [board.writes for board in hall.boards] == [count + 1 for count in writes]


def test_a_prize_stands_in_the_first_row_until_it_is_ended():
    hall = Hall().show(5)
    hall.world.act(lambda now: (hall.text.prize("GANO ASIENTO 3"), hall.number.prize("55555")))
    assert hall.run(2 * SECOND).shown == ["GANO ASIENTO 3", "55555"]
    assert hall.show(6).shown == ["GANO ASIENTO 3", "55555"]

    hall.world.act(lambda now: (hall.text.end_prize(), hall.number.end_prize()))
    assert hall.run(2 * SECOND).shown == ["$6 5", "6"]


def test_a_panel_that_lost_its_power_is_down_and_then_right_again():
    hall = Hall().show(5)
    hall.world.act(lambda now: [board.power_off(now) for board in hall.boards])
    hall.run(90 * SECOND)
    assert [hall.of(unit)[-1] for unit in (7, 8)] == [seen(unit, SignState.DOWN, "") for unit in (7, 8)]

    hall.world.act(lambda now: [board.power_on(now) for board in hall.boards])
    assert hall.run(20 * SECOND).shown == ["$5 5", "5"]
    assert [event.state for event in hall.of(8)] == [SignState.PROVEN, SignState.DOWN, SignState.PROVEN]


def test_a_short_power_cut_is_found_by_reading_or_else_by_the_rewrite():
    hall = Hall().show(5)
    hall.world.act(lambda now: [(board.power_off(now), board.power_on(now)) for board in hall.boards])
    assert hall.shown == ["", ""]

    assert hall.run(12 * SECOND).shown == ["", "5"]
    assert hall.run(60 * SECOND).shown == ["$5 5", "5"]
    assert seen(8, SignState.DIFFERS, "") in hall.events


def test_a_panel_of_another_map_is_said_by_name_and_once():
    number = replace(NUMBER, amount=Row(address=100, width=8))
    hall = Hall(number=number).show(5, 60 * SECOND)

    alarm = Notice(unit=8, seat=0, kind="panel_refused", detail="exception 2 to WriteWords at 100")
    assert hall.of(8) == [alarm, seen(8, SignState.DOWN, "")]


def test_a_panel_that_cannot_be_read_after_all_is_said_by_name():
    hall = Hall(readable=False).show(5)

    assert "exception 1 to ReadWords" in hall.of(8)[0].detail


def test_a_line_that_breaks_takes_nothing_for_written():
    hall = Hall().show(5)
    hall.world.first.disconnect(hall.world.now)
    assert hall.of(8)[-1] == seen(8, SignState.DOWN, "")
    assert hall.number.due() is None
    hall.show(6)
    hall.world.first.connect(hall.world.now)

    assert hall.run(3 * SECOND).shown == ["$6 5", "6"]


@pytest.mark.parametrize("seed", range(8))
def test_a_bad_line_never_leaves_a_readable_panel_wrong(seed):
    hall = Hall(text=replace(TEXT, reads=True), line=LineSettings(baud=9600, bits=10, loss=0.2, noise=0.2, delay=0.1))
    hall.line._chance.seed(seed)
    for amount in range(50):
        hall.show(amount, SECOND)
    hall.line.settings = LineSettings(baud=9600, bits=10)

    assert hall.run(30 * SECOND).shown == ["$49 5", "49"]
    assert [hall.of(unit)[-1].state for unit in (7, 8)] == [SignState.PROVEN] * 2


# Turn by turn.


def turn(panel, answer, now=0):
    ask = panel.next_ask(now)
    return ask, panel.taken(ask, answer, now)


def test_one_amount_after_another_is_proven_before_the_next_is_written():
    panel = Panel(NUMBER)
    panel.line_up(0)
    panel.show("1")
    ask, _ = turn(panel, Written())
    assert isinstance(ask.request, WriteWords)
    panel.show("2")
    ask, _ = turn(panel, Words(NUMBER.amount.encode("1")))
    assert ask.request == ReadWords(0, 8)
    assert panel.next_event() == seen(8, SignState.PROVEN, "1")

    ask, _ = turn(panel, Written())
    assert ask.mark == (NUMBER.amount, "2")


def test_an_answer_of_another_kind_is_foreign():
    panel = Panel(NUMBER)
    panel.line_up(0)

    assert not panel.taken(Ask(8, ReadBits(0, 1)), Bits((True,)), 0)


def test_a_few_failures_are_no_death_and_a_broken_line_is():
    panel = Panel(NUMBER)
    panel.line_up(0)
    panel.show("1")
    ask = panel.next_ask(0)
    panel.failed(ask, Failure.SILENT, 0)
    panel.failed(ask, Failure.GARBLED, 0)
    assert panel.next_event() is None
    panel.failed(ask, Failure.SILENT, 0)
    assert panel.next_event() == seen(8, SignState.DOWN, "")
    panel.failed(ask, Failure.SILENT, 0)
    assert panel.next_event() is None

    panel.line_up(0)
    turn(panel, Written())
    turn(panel, Words(NUMBER.amount.encode("1")))
    assert panel.next_event().state is SignState.PROVEN
    panel.failed(ask, Failure.LINE_DOWN, 0)
    assert panel.next_event().state is SignState.DOWN


def test_two_rows_are_proven_when_both_were_read_and_written_again_each_minute():
    settings = replace(TEXT, reads=True)
    panel = Panel(settings)
    panel.line_up(0)
    panel.show("$1", "5")
    asks = [turn(panel, answer)[0] for answer in (Written(), Words(settings.amount.encode("$1")), Written())]
    assert [(type(ask.request), ask.request.address) for ask in asks] == [
        (WriteWords, 1000), (ReadWords, 1000), (WriteWords, 2000)
    ]  # fmt: skip
    assert panel.next_event() is None

    again, _ = turn(panel, Written(), settings.rewrite)
    assert isinstance(again.request, WriteWords)


@given(st.lists(st.one_of(
    st.builds(Words, st.lists(st.integers(0, 0xFFFF), min_size=8, max_size=8).map(tuple)),
    st.builds(Denied, st.integers(0, 255)),
    st.sampled_from(list(Failure)),
)))  # fmt: skip
def test_hostile_answers_raise_nowhere_and_pile_up_nowhere(answers):
    panel = Panel(NUMBER)
    panel.line_up(0)
    panel.show("1")
    now = 0
    for answer in answers:
        now = max(now, panel.due())
        ask = panel.next_ask(now)
        if isinstance(answer, Failure):
            panel.failed(ask, answer, now)
        elif isinstance(answer, Words) and isinstance(ask.request, WriteWords):
            panel.taken(ask, Written(), now)
        else:
            panel.taken(ask, answer, now)

    assert len(panel._news._events) <= 16
    assert len(panel._unproven) <= 1


# The simulated panel.


def test_the_simulated_panel_denies_what_it_has_not():
    board = PanelFirmware(PanelMake(unit=8, rows=NUMBER_ROWS))

    assert board.serve(WriteWords(0, (0x31,) * 8), 0) == Written()
    assert board.serve(WriteWords(0, (0x31,) * 9), 0) == Denied(2)
    assert board.serve(WriteWords(0, (0x41,)), 0) == Denied(3)
    assert board.serve(WriteWords(50, (0x31,)), 0) == Denied(2)
    assert board.serve(ReadWords(0, 8), 0) == Words((0x31,) * 8)
    assert board.serve(ReadWords(0, 9), 0) == Denied(2)
    assert board.serve(ReadWords(5, 1), 0) == Denied(2)
    assert board.serve(ReadBits(0, 1), 0) == Denied(1)
    assert board.displayed(0) == "11111111"
    assert board.hear(b"\x03\x00\x00\x00\x00", 0) == b"\x83\x03"
    assert board.hear_broadcast(b"\x10", 0) == b""
    board.power_off(0)
    assert board.displayed(0) == ""
    board.tick(0)
    assert board.deadline() is None
