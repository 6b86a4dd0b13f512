"""The engine that runs a walk over a line: what it sends when, what it takes for an answer, and what it never does."""

import pytest

from drivers.conformance.steps import (
    Exchange,
    HandsFree,
    HandsState,
    HandsWanted,
    Over,
    Prompt,
    PromptOver,
    Raw,
    Tell,
    TrailFrame,
    Wait,
)
from drivers.conformance.walker import Walker
from drivers.conformance.wire import Wire
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.pdu import ReadWords, Words
from drivers.modbus.rtu import RtuFraming, frame
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.session import MILLISECOND, SECOND
from support.sim.conformance_bench import UNIT

ONE = Exchange(UNIT, ReadWords(0, 1))
GOOD = frame(UNIT, bytes((3, 2, 0x4A, 0x50)))


class Line:
    """The other end by hand: what the engine said, and the time."""

    def __init__(self, *steps, tcp=False, timing=None):
        framing = MbapFraming() if tcp else RtuFraming()
        self.wire = Wire(framing, timing or LineTiming(baud=NETWORK if tcp else 115200, answer=20_000, latency=0))
        self.heard, self.said, self.events, self.now = [], [], [], 1000
        self.engine = Walker(self.wire, self._walk(steps))

    def _walk(self, steps):
        for step in steps:
            self.heard.append((yield step))

    def up(self):
        self.engine.line_up(self.now)
        return self.go(self.wire.timing.silence)

    def go(self, time):
        """Everything up to that time later."""
        end = self.now + time
        for _ in range(1000):
            self._collect()
            due = self.engine.deadline()
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            self.engine.tick(self.now)
            due = self.engine.deadline()
            assert due is None or due > self.now, "it wants to be ticked again at once"
        self.now = end
        return self

    def say(self, data):
        self.engine.receive(data, self.now)
        self._collect()
        return self

    def _collect(self):
        said = self.engine.to_send(self.now)
        if said:
            self.said.append((self.now, said))
        while (event := self.engine.next_event()) is not None:
            self.events.append(event)


def test_nothing_is_asked_before_the_line_is_up():
    line = Line(ONE)

    assert line.engine.deadline() is None
    assert not line.go(SECOND).said
    assert line.up().said == [(line.now, frame(UNIT, bytes((3, 0, 0, 0, 1))))]


def test_an_answer_ends_the_step_at_once_and_the_walk_goes_on():
    line = Line(ONE).up().go(5000).say(GOOD)

    [heard] = line.heard
    assert heard.answer == Words((0x4A50,))
    assert heard.raw == GOOD
    assert heard.now == line.now
    assert line.events == [Over()]
    assert line.engine.over
    assert line.engine.deadline() is None


def test_the_pause_before_an_answer_is_counted_from_the_end_of_the_question_to_the_first_byte():
    line = Line(ONE).up()
    wire = line.wire.timing.wire
    line.go(wire(8) + 3000 + wire(len(GOOD))).say(GOOD)

    assert line.heard[0].pause == 3000


def test_a_question_waits_until_the_line_was_silent():
    line = Line(Wait(9000), ONE).up().go(6900).say(b"\xff").go(5000)

    [(asked, _)] = line.said
    assert asked == 1000 + line.wire.timing.silence + 6900 + line.wire.timing.silence


def test_silence_is_an_answer_of_none_and_a_late_answer_is_not_taken_for_the_next():
    line = Line(ONE, ONE).up()
    wait = line.wire.timing.wait(8, 7)
    line.go(wait + 1).say(GOOD)

    assert not line.heard
    while len(line.said) < 2:
        line.go(1000)
    assert line.heard[0].answer is None
    assert line.heard[0].raw == GOOD
    line.say(GOOD)
    assert line.heard[1].answer == Words((0x4A50,))


def test_a_lost_question_is_asked_twice_more_only_where_the_step_allows_it():
    patient = Line(Exchange(UNIT, ReadWords(0, 1), again=True)).up().go(SECOND)
    strict = Line(ONE).up().go(SECOND)

    assert len(patient.said) == 3
    assert len(strict.said) == 1
    assert patient.heard[0].answer is None
    assert strict.heard[0].answer is None


def test_the_second_try_may_succeed():
    line = Line(Exchange(UNIT, ReadWords(0, 1), again=True)).up()
    while len(line.said) < 2:
        line.go(1000)

    assert line.go(5000).say(GOOD).heard[0].answer == Words((0x4A50,))


def test_raw_bytes_go_out_as_they_stand_and_everything_heard_comes_back():
    line = Line(Raw(b"\x01\x02", 10_000)).up().go(2000).say(b"abc").go(2000).say(b"de").go(20_000)

    assert line.said[0][1] == b"\x01\x02"
    assert line.heard[0].raw == b"abcde"
    assert list(line.wire.trail) == [TrailFrame(sent=True, data=b"\x01\x02"), TrailFrame(sent=False, data=b"abcde")]


def test_what_is_heard_while_waiting_is_kept_for_the_trail_and_silence_is_not():
    line = Line(Wait(3000), Wait(3000)).up().go(2000).say(b"x").go(8000)

    assert [heard.raw for heard in line.heard] == [b"", b"x"]
    assert list(line.wire.trail) == [TrailFrame(sent=False, data=b"x")]
    assert str(line.wire.trail[0]) == "< 78"
    assert str(TrailFrame(sent=False, data=b"")) == "< silence"


def test_an_echo_is_learned_and_no_longer_heard():
    line = Line(ONE, ONE, Raw(b"\x09\x09", 10_000)).up()
    line.say(line.said[0][1]).go(5000).say(GOOD).go(2000)
    line.say(line.said[1][1]).go(200_000)
    line.say(line.said[2][1]).go(200_000)

    assert line.heard[0].answer == Words((0x4A50,))
    assert line.heard[1].raw == b""
    assert line.heard[2].raw == b""


def test_a_collision_is_silence_and_no_answer():
    line = Line(ONE, ONE).up()
    line.say(line.said[0][1] + GOOD).go(5000)
    line.say(b"\x55" + GOOD).go(200_000)

    assert line.heard[1].answer is None


def test_while_the_port_is_away_everything_is_silence():
    line = Line(ONE, ONE, ONE).up()
    line.engine.line_down(line.now)
    line.go(60_000)

    assert line.heard[0].answer is None
    assert len(line.said) == 1
    line.engine.line_up(line.now)
    line.go(SECOND)
    assert len(line.said) >= 2


def test_a_babbling_line_fills_no_memory_and_what_comes_afterwards_is_nothing():
    line = Line(Wait(3000)).up()
    for _ in range(100):
        line.say(bytes(100))
    line.go(2000)

    assert len(line.heard[0].raw) == 1024
    line.say(b"more").engine.tick(line.now)
    assert len(line.engine._raw) <= 1024


def test_empty_bytes_and_early_ticks_mean_nothing():
    line = Line(Wait(3000), ONE).up()
    line.say(b"").engine.tick(line.now)
    line.go(1000)
    assert not line.heard
    line.engine.tick(line.now)
    line.go(500).say(b"\xff")
    line.engine.tick(line.now)
    assert len(line.said) <= 1


def test_a_tick_before_the_silence_is_over_asks_nothing():
    line = Line(ONE)
    line.engine.line_up(line.now)
    for _ in range(3):
        line.engine.tick(line.now)

    assert line.engine.to_send(line.now) == b""
    assert line.go(line.wire.timing.silence).said


def test_hands_are_asked_and_their_state_comes_with_every_step():
    steps = (Wait(10_000), Wait(10_000), Wait(10_000), HandsFree(), Wait(10_000))
    line = Line(HandsWanted("seat 1 press 2", "Press."), *steps).up()
    assert line.events == [Prompt("seat 1 press 2", "Press.")]
    line.go(12_000)
    line.engine.hands_done()
    line.go(10_000)
    line.engine.hands_refused("it hurts")
    line.go(30_000)

    states = [heard.hands for heard in line.heard]
    assert states == [
        HandsState.ASKED,
        HandsState.ASKED,
        HandsState.DONE,
        HandsState.REFUSED,
        HandsState.NONE,
        HandsState.NONE,
    ]
    assert line.heard[3].refusal == "it hurts"
    assert line.events[1:] == [PromptOver(seen=True), Over()]


def test_hands_nobody_asked_for_change_nothing():
    line = Line(HandsFree(), Wait(10_000)).up()
    line.engine.hands_done()
    line.engine.hands_refused("no")
    line.go(20_000)

    assert {heard.hands for heard in line.heard} == {HandsState.NONE}
    assert line.events == [Over()]


def test_what_a_walk_tells_comes_in_order():
    assert Line(Tell("one"), Tell("two")).up().events == ["one", "two", Over()]


def test_a_stream_that_lost_its_place_is_begun_anew_by_the_next_question():
    line = Line(ONE, ONE, tcp=True).up().say(b"\0\1\0\0\xff\xff" + bytes(300)).go(45_000)

    assert line.heard[0].answer is None
    sent = line.said[1][1]
    answer = sent[:4] + b"\0\5" + bytes((UNIT, 3, 2, 0x4A, 0x50))
    assert line.say(answer).heard[1].answer == Words((0x4A50,))


@pytest.mark.parametrize("cut", range(1, len(GOOD)))
def test_an_answer_in_two_pieces_is_the_same_answer(cut):
    line = Line(ONE).up().go(5000).say(GOOD[:cut]).go(200).say(GOOD[cut:])

    assert line.heard[0].answer == Words((0x4A50,))


def test_frames_of_a_network_carry_numbers_of_their_own():
    wire = Line(tcp=True).wire
    first, second = wire.frame(UNIT, b"\x07"), wire.frame(UNIT, b"\x07")

    assert first[:2] != second[:2]
    assert wire.answer_to(first, b"\x87\x01") == first[:2] + b"\0\0\0\3" + bytes((UNIT, 0x87, 1))
    assert not wire.serial


def test_the_time_of_a_whole_run_is_bounded_by_its_steps():
    line = Line(*[ONE] * 20).up().go(20 * 100 * MILLISECOND)

    assert len(line.heard) == 20
