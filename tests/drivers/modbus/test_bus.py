"""The bus, one exchange after another: when it speaks, how long it waits, what it believes, what it tells."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.line.failures import Counters, Failure
from drivers.modbus.babble import BABBLE
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.mbap import frame as mbap_frame
from drivers.modbus.pdu import Denied, Words
from drivers.modbus.rtu import RtuFraming, frame
from drivers.modbus.timing import LineTiming
from drivers.modbus.turn import Ask
from drivers.model import LINE_RESET, Down, Notice, UnitDown
from support.drivers.bus_cases import LINE, MS, READ, Asker, Desk, answering, good

QUESTION = bytes.fromhex("0b 03 20 00 00 02")
WAIT = LINE.wait(8, 9)
LOCK = bytes.fromhex("00 10 04 00 00 08 10 00 00 00 00 4c 4f 00 00 00 00 00 00 00 00 d9 19 7f 75")


def silent(_question, _at):
    return ()


def one(slaves=silent, **more):
    unit = Asker(11, **more)
    return unit, Desk([unit], slaves)


def test_nothing_is_said_before_the_line_is_up():
    unit, desk = one()
    desk.say(5, b"\0")

    assert desk.run(10_000).sent == []
    assert desk.bus.deadline() is None
    assert (unit.turns, unit.lines) == ([], [])
    desk.bus.tick(20_000)
    assert desk.bus.to_send(20_000) == b""


def test_the_first_question_comes_after_a_silence():
    unit, desk = one()
    desk.up().run(10_000)

    assert unit.lines == [("up", 0)]
    assert desk.sent == [(LINE.silence, frame(11, QUESTION[1:]))]


def test_an_answer_reaches_its_driver_and_the_next_question_waits_for_silence():
    unit, desk = one(answering(11))
    desk.up().run(100 * MS)

    assert unit.answers == [Words((1, 2))] * len(unit.answers)
    assert len(unit.answers) >= 5 and not unit.failures
    last_bytes = [at for at, _ in desk.heard][1::2]
    assert [at for at, _ in desk.sent][1:] == [at + LINE.silence for at in last_bytes][: len(desk.sent) - 1]


def test_a_denial_is_an_answer():
    unit, desk = one(lambda _question, at: [(at + 9 * MS, frame(11, b"\x83\x02"))])
    desk.up().run(20 * MS)

    assert unit.answers == [Denied(2)]


def test_an_answer_may_come_byte_by_byte_and_behind_noise():
    def slowly(_question, at):
        return [(at + 2 * MS + 290 * place, bytes([byte])) for place, byte in enumerate(b"\x0b\x00" + good(11))]

    unit, desk = one(slowly)
    desk.up().run(16 * MS)

    assert unit.answers == [Words((1, 2))]


def test_a_question_is_given_up_at_its_exact_time():
    unit, desk = one()
    bus = desk.up().bus
    asked_at = LINE.silence
    bus.tick(asked_at)

    assert bus.deadline() == asked_at + WAIT
    bus.tick(asked_at + WAIT - 1)
    assert not unit.failures
    bus.tick(asked_at + WAIT)
    assert unit.failures == [(asked_at + WAIT, Failure.SILENT)]


def test_an_answer_in_the_last_moment_counts_and_a_moment_later_it_does_not():
    for lateness, answered in ((-1, True), (1, False)):
        unit, desk = one(lambda _question, at, extra=lateness: [(at + LINE.drain(9) + extra, good(11))])
        desk.up().run(LINE.silence + WAIT + 2)
        assert bool(unit.answers) is answered
        assert bool(unit.failures) is not answered


def test_an_answer_read_late_is_an_answer_while_its_question_is_open():
    """A busy machine reads the port before it looks at the clock; the question is open, so no other is meant."""
    unit, desk = one()
    desk.up().run(LINE.silence)
    desk.bus.receive(good(11), LINE.silence + WAIT + 30 * MS)

    assert unit.answers == [Words((1, 2))]


def test_after_a_failure_the_line_is_drained_before_anybody_speaks():
    first, second = Asker(11), Asker(12)
    Desk([first, second], silent).up().run(LINE.silence + WAIT + LINE.drain(9))

    assert second.turns == [LINE.silence + WAIT + LINE.drain(9)]


def test_what_the_driver_does_not_believe_is_foreign_and_drained():
    unit, desk = one(answering(11))
    unit.believes = False
    desk.up().run(LINE.silence + WAIT + LINE.drain(9))
    told, why = unit.failures[0]

    assert why is Failure.FOREIGN
    assert told == desk.heard[1][0], "at once"
    assert unit.turns[1] == max(LINE.silence + WAIT, told + LINE.drain(9))
    assert desk.bus.counters(11).failed[Failure.FOREIGN] == len(unit.failures)
    assert desk.bus.counters(11).answered == 0


def test_a_changed_echo_fails_at_once_and_the_line_is_drained():
    def echo(question, at):
        yield at, question if len(desk.sent) < 2 else question[:3] + b"\x55" + question[4:]
        yield at + 5 * MS, good(11)

    unit, desk = one(echo)
    desk.up().run(120 * MS)

    assert unit.answers[0] == Words((1, 2))
    assert unit.whys[0] is Failure.COLLISION
    second, _ = desk.sent[1]
    assert unit.failures[0][0] == second + LINE.wire(8)
    assert unit.turns[2] == second + WAIT, "the unit may have heard the question and answer it in its time"


@pytest.mark.parametrize(
    ("said", "why"),
    [(b"", Failure.SILENT), (good(11)[:-1], Failure.GARBLED), (good(12), Failure.FOREIGN)],
)
def test_each_failure_is_told_and_counted_by_its_name(said, why):
    unit, desk = one(lambda _question, at: [(at + 5 * MS, said)] if said else [], every=1_000 * MS)
    desk.up().run(500 * MS)

    assert unit.whys == [why]
    assert desk.bus.counters(11) == Counters(1, 0, {**dict.fromkeys(Failure, 0), why: 1})


def test_a_unit_is_asked_when_it_is_due_and_not_before():
    unit, desk = one(answering(11), every=300 * MS)
    desk.up().run(1_000 * MS)

    assert unit.turns == [LINE.silence, LINE.silence + 300 * MS, LINE.silence + 600 * MS, LINE.silence + 900 * MS]
    assert desk.bus.deadline() == LINE.silence + 1_200 * MS


def test_a_unit_that_waits_to_be_told_is_asked_when_it_is_urgent():
    unit, desk = one(answering(11))
    unit.at = None
    assert desk.up().run(50 * MS).sent == []
    assert desk.bus.deadline() is None

    unit.hasty = True
    desk.run(51 * MS)
    assert unit.turns == [50 * MS], "at once"


def test_a_unit_that_gives_its_turn_away_while_due_is_not_asked_without_end():
    unit, other = Asker(11), Asker(12)
    unit.asks = False
    Desk([unit, other], answering(12)).up().run(1_000 * MS)

    assert len(other.answers) > 50
    assert 50 < len(unit.turns) <= 201
    alone, quiet = one()
    alone.asks = False
    assert len(quiet.up().run(1_000 * MS).sent) == 0
    assert len(alone.turns) <= 201


def test_events_of_all_units_are_told_each_in_its_order():
    first, second = Asker(11), Asker(12)
    desk = Desk([first, second], answering(11, 12))
    downs = [
        UnitDown(unit=unit, seats=(), reason=Down.SILENT, detail=str(place)) for unit in (11, 12) for place in (1, 2)
    ]
    first.events.extend(downs[:2])
    second.events.extend(downs[2:])
    desk.up().run(30 * MS)

    assert desk.events == downs


def test_two_units_of_one_number_or_none_are_no_bus():
    with pytest.raises(AssertionError):
        Bus([Asker(1), Asker(1)], LINE, RtuFraming())
    for number in (0, 248):
        with pytest.raises(AssertionError):
            Bus([Asker(number)], LINE, RtuFraming())


def test_no_driver_broadcasts():
    unit, desk = one()
    unit.next_ask = lambda _now: Ask(0, READ)

    with pytest.raises(AssertionError, match="lock"):
        desk.up().run(10 * MS)


def test_a_bus_without_units_is_silent():
    desk = Desk([], silent).up().run(1_000 * MS)

    assert desk.sent == []
    assert desk.bus.bound() == 0


# The port goes and comes.


def test_a_line_that_goes_down_fails_the_question_and_tells_every_unit():
    first, second = Asker(11), Asker(12)
    desk = Desk([first, second], silent).up().run(5 * MS)
    desk.bus.line_down(6 * MS)

    assert first.failures == [(6 * MS, Failure.LINE_DOWN)]
    assert first.lines[-1] == second.lines[-1] == ("down", 6 * MS)
    assert desk.bus.deadline() is None
    desk.bus.line_down(7 * MS)
    assert len(first.lines) == 2, "down is told once"


def test_bytes_not_yet_collected_die_with_their_line():
    unit, desk = one()
    desk.bus.line_up(0)
    desk.bus.tick(LINE.silence)
    desk.bus.line_down(LINE.silence)
    desk.bus.receive(good(11), LINE.silence)

    assert desk.bus.to_send(LINE.silence) == b""
    assert unit.answers == []


def test_a_line_that_comes_back_forgives_everybody():
    unit, desk = one()
    desk.up().run(20_000 * MS)
    assert desk.bus.deadline() - desk.now > 1_000 * MS, "it is dead"
    desk.bus.line_down(desk.now)
    turns = len(unit.turns)
    desk.run(20_500 * MS).up().run(20_501 * MS + LINE.silence)

    assert unit.turns[turns:] == [20_500 * MS + LINE.silence]


def test_a_line_that_is_up_again_without_having_been_down_was_down():
    unit, desk = one()
    desk.up().run(5 * MS).up()

    assert unit.whys == [Failure.LINE_DOWN]
    assert [what for what, _ in unit.lines] == ["up", "down", "up"]


def test_the_echo_of_a_new_adapter_is_learned_anew():
    framing = RtuFraming()
    unit = Asker(11)
    desk = Desk([unit], lambda question, at: [(at, question), (at + 5 * MS, good(11))], framing=framing)
    desk.up().run(50 * MS)
    assert framing.echoes is True
    desk.bus.line_down(desk.now)
    desk.slaves = answering(11)
    answered = len(unit.answers)
    desk.up().run(100 * MS)

    assert framing.echoes is False
    assert len(unit.answers) > answered + 2


# Bytes nobody asked for.


def test_nobody_is_interrupted_but_nobody_is_waited_for_without_end():
    unit, desk = one(every=1_000 * MS)
    unit.at = 5 * MS
    for at in range(3 * MS, 200 * MS, MS):
        desk.say(at, b"\xff")
    desk.up().run(200 * MS)

    assert unit.turns == [3 * MS + LINE.patience], "a longest frame was given its time"


def test_a_short_burst_moves_the_question_by_a_silence():
    unit, desk = one()
    unit.at = 5 * MS
    desk.say(4 * MS, b"\xff")
    desk.up().run(10 * MS)

    assert unit.turns == [4 * MS + LINE.silence]


def test_babble_is_told_once_with_who_may_be_it():
    unit, desk = one()
    for at in range(0, 130_000 * MS, 10 * MS):
        desk.say(at, b"\xff" * 30)
    desk.up().run(130_000 * MS)

    assert desk.events == [Notice(unit=0, seat=0, kind=BABBLE, detail="11")]
    assert set(unit.whys) == {Failure.GARBLED}


def test_late_and_noisy_answers_are_no_babble():
    unit, desk = one(lambda _question, at: [(at + 40 * MS, b"\0\0" + good(11))], every=100 * MS)
    desk.up().run(60_000 * MS)

    assert desk.events == []
    assert not unit.answers


def test_bytes_are_counted_once():
    unit, desk = one(answering(11), every=1_000 * MS)
    for at in range(500 * MS, 60_000 * MS, 500 * MS):
        desk.say(at, b"\xff" * 5)
    desk.up().run(60_000 * MS)

    assert desk.events == [], "100 bytes in ten seconds are not more than a hundred"
    assert len(unit.answers) == 60


# The lock for everybody.


def test_the_lock_goes_out_at_once_on_a_quiet_line_and_is_kept_quiet_after():
    units = [Asker(number, every=1_000 * MS) for number in (11, 12)]
    desk = Desk(units, answering(11, 12)).up().run(300 * MS)
    desk.bus.lock_all()
    desk.run(500 * MS)

    assert desk.sent[2] == (300 * MS, LOCK)
    assert desk.sent[3][0] == 300 * MS + LINE.wire(len(LOCK)) + LINE.turnaround
    assert [question[0] for _, question in desk.sent[3:]] == [11, 12], "everybody is due at once"
    assert desk.bus.counters(0) == Counters(asked=1)


def test_every_driver_is_told_to_lock_before_the_broadcast_goes_out():
    """What only the broadcast says, a unit may miss, and the next heartbeat of its driver may unsay."""
    units = [Asker(number, every=1_000 * MS) for number in (11, 12)]
    desk = Desk(units, answering(11, 12)).up().run(300 * MS)
    desk.bus.lock_all()
    assert [unit.locks for unit in units] == [1, 1]
    assert len(desk.sent) == 2, "and nothing is on the line yet"
    desk.run(500 * MS)
    assert [unit.locks for unit in units] == [1, 1]

    down = Desk([lonely := Asker(11)], answering(11))
    down.bus.lock_all()
    assert lonely.locks == 1, "also while there is no line"


def test_the_lock_comes_right_after_the_answer_that_is_awaited():
    unit, desk = one(answering(11))
    desk.up().run(5 * MS)
    desk.bus.lock_all()
    desk.run(30 * MS)

    assert len(unit.answers) == 1, "the answer is not thrown away"
    assert desk.sent[1] == (desk.heard[1][0] + LINE.silence, LOCK)


def test_the_lock_waits_for_a_time_out_but_not_for_the_drain():
    _, desk = one()
    desk.up().run(5 * MS)
    desk.bus.lock_all()
    desk.run(300 * MS)

    assert desk.sent[1] == (LINE.silence + WAIT, LOCK)
    assert desk.sent[2][0] == LINE.silence + WAIT + LINE.wire(len(LOCK)) + LINE.turnaround
    _unit, desk = one()
    desk.up().run(LINE.silence + WAIT + 10 * MS)
    desk.bus.lock_all()
    desk.run(300 * MS)
    assert desk.sent[1] == (LINE.silence + WAIT + 10 * MS, LOCK), "in the middle of the drain"


def test_the_lock_waits_for_silence_but_not_for_ever():
    _unit, desk = one(every=10_000 * MS)
    desk.up().run(200 * MS)
    for at in range(200 * MS, 500 * MS, MS):
        desk.say(at, b"\xff")
    desk.run(201 * MS)
    desk.bus.lock_all()
    desk.bus.tick(desk.now)
    assert desk.bus.to_send(desk.now) == b""
    desk.run(500 * MS)

    assert desk.sent[1] == (200 * MS + LINE.patience, LOCK)


def test_the_lock_does_not_cut_into_our_own_question():
    unit, desk = one(lambda question, at: [(at, question), (at + 5 * MS, good(11))], every=200 * MS)
    desk.up().run(LINE.silence + 200 * MS)
    asked, question = desk.sent[1]
    desk.say(asked + 1 * MS, b"\x55")
    desk.bus.lock_all()
    desk.run(asked + 4 * MS + 100)

    assert unit.whys == [Failure.COLLISION]
    through = asked + LINE.wire(len(question))
    assert desk.sent[2:] == [(through + LINE.silence, LOCK)]


def test_a_lock_in_the_turnaround_of_a_lock_comes_after_it():
    _unit, desk = one(every=10_000 * MS)
    desk.up().run(200 * MS)
    desk.bus.lock_all()
    desk.run(201 * MS)
    desk.bus.lock_all()
    desk.run(400 * MS)

    assert desk.sent[2] == (200 * MS + LINE.wire(len(LOCK)) + LINE.turnaround, LOCK)


def test_a_lock_wanted_on_a_dead_line_is_the_first_thing_said_on_it():
    _unit, desk = one()
    desk.bus.lock_all()
    desk.up().run(10 * MS)

    assert desk.sent == [(LINE.silence, LOCK)]


def test_the_echo_of_a_lock_is_nobodys_answer_and_no_babble():
    unit, desk = one(lambda question, at: [(at, question), *([(at + 5 * MS, good(11))] if question[0] else [])])
    desk.up().run(100 * MS)
    for _ in range(100):
        desk.bus.lock_all()
        desk.run(desk.now + 120 * MS)

    assert desk.bus.counters(0).asked == 100
    assert unit.failures == [] and desk.events == []


# TCP.


def test_over_tcp_the_same_bus_asks_and_ignores_what_is_numbered_otherwise():
    network = LineTiming(baud=0, answer=100 * MS, latency=10 * MS)

    def hear(question, at):
        number = int.from_bytes(question[:2], "big")
        yield at + 2 * MS, mbap_frame(number - 1, 11, bytes.fromhex("03 04 0009 0009"))
        yield at + 3 * MS, mbap_frame(number, 11, bytes.fromhex("03 04 0001 0002"))

    unit = Asker(11, every=10 * MS)
    desk = Desk([unit], hear, network, MbapFraming()).up().run(1_000 * MS)
    desk.bus.lock_all()
    desk.run(1_050 * MS)

    assert len(unit.answers) == 101
    assert set(unit.answers) == {Words((1, 2))}
    assert desk.sent[-1][1][6:] == LOCK[:-2]


def test_a_stream_that_lost_its_place_is_said_once_until_the_line_is_new():
    network = LineTiming(baud=0, answer=100 * MS)
    unit = Asker(11)
    desk = Desk([unit], lambda _question, at: [(at + MS, b"\xff" * 20)], network, MbapFraming())
    desk.up().run(1_000 * MS)
    assert [(event.kind, event.unit) for event in desk.events] == [(LINE_RESET, 0)], "of the line, of no unit"
    assert unit.whys[:2] == [Failure.GARBLED, Failure.SILENT]

    desk.up().run(2_000 * MS)
    assert [event.kind for event in desk.events] == [LINE_RESET, LINE_RESET]


# Anything.


def bad_slaves(chance):
    """They answer late, twice, with wrong bits, in pieces, and talk on."""

    def hear(question, at):
        for _ in range(chance.choice([0, 1, 1, 1, 2])):
            said = bytearray(good(question[0]) if question[0] else b"")
            if said and chance.random() < 0.3:
                said[chance.randrange(len(said))] ^= 1 << chance.randrange(8)
            cut = chance.randrange(len(said) + 1)
            start = at + chance.choice([2, 5, 20, 40, 90]) * MS
            yield start, bytes(said[:cut])
            yield start + chance.randrange(5 * MS), bytes(said[cut:])
            if chance.random() < 0.2:
                yield start + chance.randrange(20 * MS), chance.randbytes(chance.randrange(400))

    return hear


def something(chance, desk, units):
    match chance.randrange(8):
        case 0:
            desk.bus.lock_all()
        case 1:
            desk.bus.line_down(desk.now)
            desk.run(desk.now + 20 * MS).up()
        case 2:
            chance.choice(units).hasty = chance.random() < 0.5


def nobody_was_interrupted(desk):
    line = [(at, at) for at, data in desk.heard if data] + [(at, at + LINE.wire(len(out))) for at, out in desk.sent]
    line.sort()
    for spoken, _ in desk.sent:
        talk = [entry for entry in line if entry[0] < spoken]
        first = spoken  # of what is on the line without a silence in between
        while talk and first - talk[-1][1] < LINE.silence:
            first = talk.pop()[0]
        assert first == spoken or spoken - first >= LINE.patience, "patience came to its end"


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_no_line_however_bad_breaks_the_promises(seed, count):
    chance = random.Random(seed)
    units = [Asker(number, every=chance.choice([0, 20 * MS, 300 * MS])) for number in range(1, count + 1)]
    framing = RtuFraming()
    desk = Desk(units, bad_slaves(chance), framing=framing).up()
    for _ in range(20):
        something(chance, desk, units)
        desk.run(desk.now + chance.randrange(200 * MS))

    nobody_was_interrupted(desk)
    for unit in units:
        seen = desk.bus.counters(unit.number)
        assert seen.asked == len(unit.turns)
        assert 0 <= seen.asked - seen.answered - sum(seen.failed.values()) <= 1
        assert sum(seen.failed.values()) == len(unit.failures)
        assert len(framing._buffer) <= 520
