"""The line between: what it costs in time, who hears what, and what may happen to a message."""

from collections import deque
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_sim.line.babbler import Babbler
from firmware_sim.line.line import MOST_KEPT, MOST_WAITING, Line
from firmware_sim.line.mishap import Chunk, Clash, LineSettings, what_is_left, with_noise
from firmware_sim.line.run import MOST_IN_ONE_RUN
from support.drivers.line_talkers import Answers, Asleep, Ear

BAUD = 11_000  # one character of 11 bits in one millisecond
CHARACTER = 1_000


def line_of(*talkers, seed=0, **settings):
    line = Line(LineSettings(baud=BAUD, **settings), Random(seed))
    for talker in talkers:
        line.attach(talker)
    return line


def drain(line, until):
    """All that the host hears up to then, as (time, bytes)."""
    heard = []
    while (due := line.deadline()) is not None and due <= until:
        line.tick(due)
        if data := line.to_send(due):
            heard.append((due, data))
    line.tick(until)
    return heard


def test_a_message_is_heard_by_all_when_its_wire_time_is_over():
    one, two = Ear(), Ear()
    line = line_of(one, two)

    line.receive(b"", 0)
    line.receive(b"12345678", 100)
    line.tick(100 + 8 * CHARACTER - 1)
    assert not one.heard

    drain(line, 100_000)

    assert one.heard == two.heard == [(100 + 8 * CHARACTER, b"12345678")]
    assert line.to_send(100_000) == b"", "the host does not hear itself"


def test_an_answer_takes_its_wire_time_too_and_the_other_units_hear_it():
    other = Ear()
    line = line_of(Answers(1, b"abcd", wait=500), other)

    line.receive(b"\x01?", 0)

    assert drain(line, 100_000) == [(2 * CHARACTER + 500 + 4 * CHARACTER, b"abcd")]
    assert [data for _, data in other.heard] == [b"\x01?", b"abcd"]


def test_a_late_caller_does_not_slow_the_line():
    unit = Answers(1, b"abcd", wait=500)
    line = line_of(unit)

    line.receive(b"\x01?", 0)
    line.tick(1_000_000)

    assert unit.heard == [(2 * CHARACTER, b"\x01?")]
    assert line.to_send(1_000_000) == b"abcd"
    assert line.counters.busy == 6 * CHARACTER


def test_an_unpaced_line_is_instant_but_never_at_the_same_instant():
    line = Line(LineSettings(baud=0), Random(0))
    ear = Ear()
    line.attach(ear)

    line.receive(b"abc", 7)

    assert line.deadline() == 10
    line.tick(10)
    assert ear.heard == [(10, b"abc")]


def test_bytes_sent_without_a_pause_are_one_message_to_who_listens():
    ear = Ear()
    line = line_of(ear)

    line.receive(b"ab", 0)
    line.receive(b"cd", 500)
    drain(line, 100_000)

    assert ear.heard == [(4 * CHARACTER, b"abcd")]


def test_an_endless_message_is_heard_in_pieces():
    ear = Ear()
    line = line_of(ear)

    line.receive(bytes(3 * MOST_IN_ONE_RUN + 1), 0)
    drain(line, 10_000_000)

    assert [len(data) for _, data in ear.heard] == [MOST_IN_ONE_RUN] * 3 + [1]
    assert ear.heard[-1][0] == (3 * MOST_IN_ONE_RUN + 1) * CHARACTER


def test_who_sends_more_than_the_wire_takes_loses_it_and_memory_stays():
    ear = Ear()
    line = line_of(ear)

    for _ in range(20):
        line.receive(bytes(MOST_WAITING // 10), 0)

    assert line.counters.messages == 10
    assert line.counters.overflowed == 10


def test_a_host_that_does_not_listen_loses_the_oldest():
    line = line_of()
    talker = Ear()
    line.attach(talker)

    for round_ in range(3):
        talker.says = bytes([round_]) * MOST_WAITING
        now = (round_ + 1) * MOST_WAITING * CHARACTER
        line.touched(now)
        line.tick(now + MOST_WAITING * CHARACTER)

    assert line.to_send(10**9) == bytes([2]) * MOST_WAITING
    assert line.counters.overflowed


def test_byte_by_byte_each_byte_comes_at_its_own_time():
    unit = Answers(1, b"xyz", wait=1_500)
    line = line_of(unit, chunk=Chunk.BYTES)

    line.receive(b"\x01b", 0)

    assert drain(line, 100_000) == [(3_500, b"x"), (4_500, b"y"), (5_500, b"z")]
    assert unit.heard == [(CHARACTER, b"\x01"), (2 * CHARACTER, b"b")]


def test_byte_by_byte_more_may_be_said_while_it_is_under_way():
    ear = Ear()
    line = line_of(ear, chunk=Chunk.BYTES)

    line.receive(b"ab", 0)
    line.tick(1_500)
    line.receive(b"cd", 1_500)
    drain(line, 100_000)

    assert ear.heard == [(1_000, b"a"), (2_000, b"b"), (3_000, b"c"), (4_000, b"d")]


def test_an_adapter_hands_over_what_has_come_every_latency():
    line = line_of(talker := Ear(), unit := Ear(), chunk=Chunk.ADAPTER, latency=4_000)
    talker.says = b"abcdefghij"
    line.touched(1_000)

    assert drain(line, 100_000) == [(4_000, b"abc"), (8_000, b"defg"), (12_000, b"hij")]
    assert unit.heard == [(11_000, b"abcdefghij")], "units have no adapter"


def test_latency_keeps_the_host_waiting_and_nobody_else():
    line = line_of(talker := Ear(), unit := Ear(), latency=700)
    talker.says = b"ab"
    line.touched(0)

    assert drain(line, 100_000) == [(2_700, b"ab")]
    assert unit.heard == [(2_000, b"ab")]


def test_the_host_hears_its_echo_where_the_adapter_gives_it():
    line = line_of(Answers(1, b"abc", wait=500), echo=True)

    line.receive(b"\x01q", 0)

    assert drain(line, 100_000) == [(2_000, b"\x01q"), (5_500, b"abc")]


def test_two_who_talk_at_once_spoil_each_other():
    line = line_of(unit := Ear(), listener := Ear(), echo=True)
    unit.says = b"ABCD"
    line.touched(0)
    line.receive(b"12345", 2_000)

    heard = drain(line, 100_000)

    assert [len(data) for _, data in listener.heard] == [4, 3], "six characters of time are six bytes"
    assert listener.heard[0][1][:2] == b"AB"
    assert listener.heard[0][1][2] != ord("C") and listener.heard[0][1][3] != ord("D")
    assert listener.heard[1][1] == b"345"
    assert heard[1][1] == b"345", "its own echo shows the host that somebody else talked"
    assert line.counters.clashed == 1


def test_a_message_that_begins_under_another_goes_under_wholly():
    line = line_of(unit := Ear(), other := Ear(), listener := Ear())
    unit.says = b"ABCDEF"
    line.touched(0)
    other.says = b"xy"
    line.touched(1_500)
    drain(line, 100_000)

    (when, data), *rest = listener.heard
    assert (when, len(data), rest) == (6_000, 6, [])
    assert data[:1] == b"A" and data[4:] == b"EF"
    assert all(struck != good for struck, good in zip(data[1:4], b"BCD", strict=True))


def test_byte_by_byte_a_collision_spoils_only_what_is_still_to_come():
    line = line_of(unit := Ear(), listener := Ear(), chunk=Chunk.BYTES)
    unit.says = b"ABCD"
    line.touched(0)
    line.tick(2_000)
    line.receive(b"1", 2_100)
    drain(line, 100_000)

    assert listener.bytes[:2] == b"AB"
    assert listener.bytes[2:3] != b"C"
    assert len(listener.bytes) == 4


def test_a_line_with_two_pairs_knows_no_collision():
    line = line_of(unit := Ear(), listener := Ear(), clash=Clash.PASS)
    unit.says = b"ABCD"
    line.touched(0)
    line.receive(b"12", 500)
    drain(line, 100_000)

    assert listener.heard == [(2_500, b"12"), (4_000, b"ABCD")]


def test_messages_one_after_the_other_do_not_collide():
    line = line_of(unit := Ear())
    unit.says = b"AB"
    line.touched(0)
    drain(line, 2_000)
    line.receive(b"xy", 2_000)
    drain(line, 10_000)

    assert line.counters.clashed == 0
    assert unit.heard == [(4_000, b"xy")]


def test_an_unplugged_unit_hears_nothing_says_nothing_and_lives_on():
    unit = Answers(1, b"abc", wait=500)
    line = line_of(unit)

    line.unplug(unit)
    line.receive(b"\x01", 0)
    assert drain(line, 50_000) == []
    assert not unit.heard

    line.plug(unit)
    line.receive(b"\x01", 60_000)
    assert drain(line, 100_000) == [(64_500, b"abc")]

    unit.due = 100_500
    line.unplug(unit)
    line.tick(100_000)
    assert drain(line, 200_000) == []
    assert unit.due is None, "its own time went on"


def test_what_a_unit_was_saying_breaks_off_when_it_is_unplugged():
    line = line_of(unit := Ear(), listener := Ear())
    unit.says = b"ABCD"
    line.touched(0)
    line.tick(2_500)
    line.unplug(unit)
    drain(line, 100_000)

    assert listener.heard == [(2_500, b"AB")]


def test_a_unit_that_is_taken_away_before_its_first_byte_was_never_heard():
    line = line_of(unit := Ear(), listener := Ear())
    line.receive(b"hello", 0)
    unit.says = b"ABCD"
    line.touched(0)
    line.detach(unit)
    drain(line, 100_000)

    assert len(listener.heard) == 1
    assert len(listener.bytes) == 5


def test_a_collision_whose_other_half_is_pulled_spoils_no_byte_that_never_came():
    line = line_of(unit := Ear(), listener := Ear())
    unit.says = b"ABCD"
    line.touched(0)
    line.receive(b"xy", 1_500)
    line.tick(1_600)
    line.unplug(unit)
    drain(line, 100_000)

    assert listener.bytes[:1] == b"A"
    assert len(listener.bytes) <= 3


def test_the_same_talker_stands_on_a_line_once():
    line = line_of(unit := Ear())

    with pytest.raises(AssertionError):
        line.attach(unit)


def test_settings_change_while_the_line_runs_and_what_is_under_way_keeps_its_time():
    line = line_of(ear := Ear())
    line.receive(b"ab", 0)
    line.settings = LineSettings(baud=2 * BAUD)
    line.receive(b"cd", 500)
    drain(line, 100_000)

    assert ear.heard == [(2_000, b"ab"), (3_000, b"cd")]


def test_a_unit_that_wants_to_be_ticked_for_ever_is_a_busy_loop_and_is_named():
    line = line_of()
    line.attach(Asleep(), "seat 4")

    with pytest.raises(AssertionError, match="seat 4"):
        line.tick(5)


def test_what_went_over_the_wire_can_be_kept_with_its_times():
    line = line_of(Answers(1, b"abc", wait=500))
    line.capture = deque(maxlen=2)

    for round_ in range(2):
        line.receive(b"\x01q", round_ * 100_000)
        drain(line, round_ * 100_000 + 50_000)

    assert [(heard.source, heard.start, heard.end, heard.data) for heard in line.capture] == [
        ("host", 100_000, 102_000, b"\x01q"),
        ("talker 1", 102_500, 105_500, b"abc"),
    ]


def sent_many(settings, count=2_000, seed=5, listeners=2, length=6):
    ears = [Ear() for _ in range(listeners)]
    line = Line(LineSettings(baud=115_200, **settings), Random(seed))
    for ear in ears:
        line.attach(ear)
    for number in range(count):
        line.receive(number.to_bytes(length, "big"), number * 200_000)
        drain(line, number * 200_000 + 100_000)
    drain(line, count * 200_000 + 10**7)
    return line, ears


def test_loss_takes_messages_or_parts_of_them_at_its_rate_sometimes_from_one_alone():
    line, (one, two) = sent_many({"loss": 0.25})

    assert 0.2 < line.counters.lost / 2_000 < 0.3
    assert 0.15 < (2_000 - sum(len(data) == 6 for _, data in one.heard)) / 2_000 < 0.25, "of these, 3 in 4 hit it"
    assert any(0 < len(data) < 6 for _, data in one.heard)
    assert one.bytes != two.bytes


def test_noise_changes_bytes_or_adds_some():
    line, (one, _) = sent_many({"noise": 0.25})
    seen = {bytes(data) for _, data in one.heard}
    spoilt = [data for data in seen if data not in {number.to_bytes(6, "big") for number in range(2_000)}]

    assert 0.2 < line.counters.noisy / 2_000 < 0.3
    assert any(len(data) == 6 for data in spoilt) and any(len(data) > 6 for data in spoilt)


def test_a_message_may_come_twice_and_may_come_late_and_be_overtaken():
    line = line_of(ear := Ear(), duplication=1.0, delay=1.0, delay_time=100_000)
    for number in range(50):
        line.receive(bytes([number]), number * 10_000)
    drain(line, 10**7)

    order = [data[0] for _, data in ear.heard]
    assert sorted(order) == sorted([*range(50), *range(50)])
    assert order != sorted(order)
    assert all(when - (data[0] * 10_000 + CHARACTER) <= 100_000 for when, data in ear.heard)
    assert line.counters.doubled == line.counters.late == 50


def test_late_messages_do_not_pile_up_without_end():
    line = Line(LineSettings(baud=0, delay=1.0, delay_time=10**9), Random(1))
    line.attach(Ear())
    for number in range(MOST_KEPT + 10):
        line.receive(b"x", number * 10)
        line.tick(number * 10 + 5)

    assert line.counters.overflowed == 10


def test_what_a_unit_would_have_heard_late_is_forgotten_when_it_is_pulled():
    line = line_of(ear := Ear(), delay=1.0)
    line.receive(b"x", 0)
    line.tick(CHARACTER)
    line.unplug(ear)
    line.plug(ear)
    drain(line, 10**6)

    assert ear.heard == []


def test_a_message_with_a_mishap_comes_whole_even_on_a_line_of_bytes():
    line = line_of(ear := Ear(), chunk=Chunk.BYTES, duplication=1.0)
    line.receive(b"abc", 0)
    drain(line, 10**6)

    assert [data for _, data in ear.heard] == [b"abc", b"abc"]


def test_the_same_seed_is_the_same_history():
    faults = {"loss": 0.2, "noise": 0.2, "duplication": 0.2, "delay": 0.2}

    histories = [[ear.heard for ear in sent_many(faults, count=300, seed=seed)[1]] for seed in (3, 3, 4)]

    assert histories[0] == histories[1] != histories[2]


def test_a_babbler_talks_unasked_and_spoils_what_others_say():
    line = line_of(ear := Ear())
    babbler = Babbler(Random(1), pause=40_000)
    line.attach(babbler)
    for number in range(200):
        line.receive(b"question", number * 20_000)
        drain(line, number * 20_000 + 15_000)

    assert line.counters.clashed > 20
    assert 0 < sum(b"question" in data for _, data in ear.heard) < 200
    babbler.receive(b"be quiet", 0)


@given(data=st.binary(max_size=20), seed=st.integers())
def test_noise_is_never_silence_and_what_is_left_is_never_all(data, seed):
    assert with_noise(data, Random(seed)) != data
    assert len(what_is_left(data, Random(seed))) < max(1, len(data))


@given(
    seed=st.integers(0, 2**32),
    chunk=st.sampled_from(Chunk),
    clash=st.sampled_from(Clash),
    echo=st.booleans(),
    chances=st.tuples(*[st.sampled_from([0.0, 0.3])] * 4),
    acts=st.lists(st.tuples(st.integers(0, 8_000), st.integers(0, 4), st.binary(min_size=1, max_size=12)), max_size=25),
)
def test_whatever_happens_time_goes_on_and_the_line_comes_to_rest(seed, chunk, clash, echo, chances, acts):
    loss, noise, duplication, delay = chances
    units = [Ear(), Answers(2, b"reply", wait=100)]
    line = line_of(
        *units, seed=seed, chunk=chunk, clash=clash, echo=echo, latency=1_500,
        loss=loss, noise=noise, duplication=duplication, delay=delay,
    )  # fmt: skip
    now = 0
    for wait, act, data in acts:
        drain(line, now := now + wait)
        if act == 0:
            units[0].says = data
            line.touched(now)
        elif act == 1:
            line.unplug(units[0])
        elif act == 2:
            line.plug(units[0])
        else:
            line.receive(data, now)
    drain(line, now + 10**7)

    assert line.deadline() is None
    for unit in units:
        assert [when for when, _ in unit.heard] == sorted(when for when, _ in unit.heard)


def test_nonsense_settings_are_refused():
    for nonsense in ({"baud": -1}, {"loss": 1.1}, {"delay_time": 0}, {"chunk": Chunk.ADAPTER}):
        with pytest.raises(AssertionError):
            LineSettings(**nonsense)
