"""Whose turn it is: fairness, urgency, back-off, and the stated bound with dead, babbling and unplugged units."""

import random
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from drivers.line.failures import Failure
from drivers.modbus.pdu import ReadWords
from drivers.modbus.rota import DEAD_AFTER, FIRST_PAUSE, LONGEST_PAUSE, Rota
from drivers.modbus.rtu import frame
from drivers.native.contract import fast_poll_words
from support.drivers.bus_cases import LINE, MS, Asker, Desk, answering, good

ANSWERED = LINE.wire(8) + LINE.silence + 5 * MS + LINE.wire(9) + LINE.silence
FAILING = LINE.wait(8, 9) + LINE.drain(9)


def table(count=7, alive=None, **more):
    units = [Asker(number, **more) for number in range(1, count + 1)]
    return units, Desk(units, answering(*(alive or range(1, count + 1))))


def order(desk):
    return [question[0] for _, question in desk.sent]


def test_everybody_who_is_always_due_has_the_same_turns_in_the_same_order():
    units, desk = table(3)
    desk.up().run(1_000 * MS)

    turns = order(desk)
    assert turns[:3] == [1, 2, 3]
    assert all(turns[place] == turns[place % 3] for place in range(len(turns)))
    assert {b - a for a, b in pairwise(units[0].turns)} == {3 * ANSWERED}


def test_a_seldom_poll_takes_nothing_from_the_others():
    units, desk = table(3)
    units[2].every = 100 * MS
    desk.up().run(2_000 * MS)

    assert 18 <= len(units[2].turns) <= 20
    assert abs(len(units[0].turns) - len(units[1].turns)) <= 1
    assert all(b - a <= 100 * MS + 2 * ANSWERED for a, b in pairwise(units[2].turns))


def test_an_urgent_unit_comes_next_and_once():
    units, desk = table(5)
    desk.up().run(LINE.silence + 5 * ANSWERED + 1)
    units[3].hasty = True
    desk.run(LINE.silence + 16 * ANSWERED)

    # 1 is under way; 4 jumps; then nobody waits longer for it than that one turn; it jumps again only after all four.
    assert order(desk)[5:16] == [1, 4, 2, 3, 5, 1, 4, 2, 3, 5, 1]


def test_an_urgent_unit_may_have_a_turn_right_after_its_turn():
    """A press is seen in one exchange and acknowledged in the next: nobody's round is waited for."""
    units, desk = table(5)
    desk.up().run(LINE.silence + 5 * ANSWERED + 1)
    units[0].hasty = True
    desk.run(LINE.silence + 6 * ANSWERED + 1)
    units[0].hasty = False
    desk.run(LINE.silence + 12 * ANSWERED)

    assert order(desk)[5:12] == [1, 1, 2, 3, 4, 5, 1]


def test_when_all_are_urgent_nobody_is():
    units, desk = table(4)
    for unit in units:
        unit.hasty = True
    desk.up().run(2_000 * MS)

    assert desk.bus.bound(failures=0, jumps=3) >= max(b - a for unit in units for a, b in pairwise(unit.turns))
    assert max(len(unit.turns) for unit in units) - min(len(unit.turns) for unit in units) <= 1


def test_a_unit_that_failed_does_not_jump():
    units, desk = table(4, alive=(1, 2, 3))
    units[3].hasty = True
    desk.up().run(LINE.silence + FAILING + 3 * ANSWERED)

    assert order(desk)[:4] == [4, 1, 2, 3], "the second time it waits its turn"


def test_a_dead_unit_does_not_jump_however_urgent():
    units, desk = table(3, alive=(1, 2))
    units[2].hasty = True
    desk.up().run(10_000 * MS)

    turns = [b - a for a, b in pairwise(units[2].turns)]
    assert turns[DEAD_AFTER:] == sorted(turns[DEAD_AFTER:])
    assert len(units[2].turns) < 10


def test_a_dead_unit_is_probed_with_a_doubling_pause():
    unit = Asker(1)
    desk = Desk([unit], answering()).up().run(60_000 * MS)
    pauses = [asked - failed for (failed, _), asked in zip(unit.failures, unit.turns[1:], strict=False)]

    drain = LINE.drain(9)
    doubling = [200, 400, 800, 1600, 3200, 5000, 5000]
    assert pauses[: DEAD_AFTER - 1] == [drain, drain]
    assert pauses[DEAD_AFTER - 1 :][:7] == [pause * MS for pause in doubling]
    assert (FIRST_PAUSE, LONGEST_PAUSE) == (200 * MS, 5_000 * MS)
    assert desk.bus.counters(1).failed[Failure.SILENT] == len(unit.failures)


def test_a_dead_unit_that_answers_is_alive_at_once():
    unit = Asker(1)
    desk = Desk([unit], answering()).up().run(5_000 * MS)
    desk.slaves = answering(1)
    desk.run(12_000 * MS)
    back = next(at for at in unit.turns if at >= 5_000 * MS)

    assert sum(at >= back for at in unit.turns) - len(unit.answers) <= 1
    assert len(unit.answers) > 300

    desk.slaves = answering()
    desk.run(14_000 * MS)
    died = [when for when, _ in unit.failures if when >= 12_000 * MS][DEAD_AFTER - 1]
    assert next(at for at in unit.turns if at > died) - died == FIRST_PAUSE, "its next death begins like its first"


def test_between_two_probes_every_live_unit_has_a_turn():
    _units, desk = table(7, alive=(1, 2, 3))
    desk.up().run(30_000 * MS)
    turns = order(desk)[7 * DEAD_AFTER :]
    probes = [place for place, unit in enumerate(turns) if unit > 3]

    assert len(probes) > 20
    assert all({1, 2, 3} <= set(turns[a + 1 : b]) for a, b in pairwise(probes))
    assert {turns[place] for place in probes} == {4, 5, 6, 7}, "none of the dead is forgotten"


def test_probes_go_on_when_the_living_are_always_urgent():
    units, desk = table(3, alive=(1, 2))
    units[0].hasty = units[1].hasty = True
    desk.up().run(5_000 * MS)

    assert len(units[2].turns) > DEAD_AFTER + 3


def test_probes_need_nobody_alive():
    units, desk = table(3, alive=(0,))
    desk.up().run(20_000 * MS)

    assert all(len(unit.turns) >= DEAD_AFTER + 5 for unit in units)


def gaps(unit, after=0):
    return [b - a for a, b in pairwise(unit.turns) if a >= after]


def test_a_dead_a_babbling_and_an_unplugged_unit_do_not_delay_the_others_beyond_the_bound():
    """4 is dead, 5 answers garbage, 6 is unplugged for ten seconds and comes back."""
    units, desk = table(7)
    living = [units[0], units[1], units[2], units[6]]

    def hear(question, at):
        plugged = not 10_000 * MS < at < 20_000 * MS
        if question[0] == 5:
            yield at + 2 * MS, b"\x05\x03" + b"\x5a" * 90
        elif question[0] != 4 and (question[0] != 6 or plugged):
            yield at + LINE.silence + 20 * MS + LINE.wire(9), good(question[0])

    desk.slaves = hear
    desk.up().run(5_000 * MS)
    bound = desk.bus.bound(jumps=0)  # nobody is urgent
    assert bound == 5 * (LINE.wait(8, 9) + LINE.silence) + FAILING + LINE.silence
    desk.run(9_000 * MS)
    for unit in living:
        assert max(gaps(unit, 1_500 * MS)) <= bound, "one dead, one babbling"
    assert max(max(gaps(unit, 1_500 * MS)) for unit in living) > bound // 2, "a bound, not a wish"
    desk.run(40_000 * MS)
    both = desk.bus.bound(failures=2, jumps=0)  # the round in which the unplugged one dies
    for unit in living:
        assert max(gaps(unit, 1_500 * MS)) <= both
        assert not unit.failures
        assert max(gaps(unit, 12_000 * MS)) <= bound
    assert len(units[5].answers) > 100 and units[5].turns[-1] > 39_000 * MS


def test_who_talks_unasked_costs_what_it_talks_and_no_more():
    """Bursts in the middle of others' exchanges: each may spoil one exchange and hold the line for its length."""
    chance = random.Random(11)
    units, desk = table(7, alive=(1, 2, 3, 4, 5))
    at, bursts = 0, []
    while at < 30_000 * MS:
        at += chance.randrange(50 * MS, 500 * MS)
        bursts.append(at)
        for byte in range(chance.randrange(1, 60)):
            desk.say(at + byte * LINE.wire(1), chance.randbytes(1))
    desk.up().run(30_000 * MS)

    spoiled = [when for unit in units[:5] for when, _ in unit.failures]
    assert len(spoiled) > 10, "it does spoil"
    for unit in units[:5]:
        for a, b in pairwise(unit.turns):
            failed = sum(a <= when <= b for when in spoiled)
            talked = sum(a - LINE.patience <= when <= b for when in bursts)
            most = desk.bus.bound(failures=1 + failed, jumps=0) + talked * LINE.patience
            assert b - a <= most


def test_after_the_lock_every_live_unit_has_its_turn_within_the_bound():
    units, desk = table(7, alive=(1, 2, 3, 4, 5, 6), every=1_000 * MS)
    desk.up().run(5_100 * MS)
    desk.bus.lock_all()
    desk.run(5_101 * MS)
    free = desk.sent[-1][0] + LINE.wire(25) + LINE.turnaround
    desk.run(5_600 * MS)

    assert order(desk).count(0) == 1
    for unit in units[:6]:
        following = next(at for at in unit.turns if at > 5_100 * MS)
        assert free <= following <= free + desk.bus.bound(jumps=0)


@given(st.integers(0, 2**32))
def test_the_bound_holds_for_any_table(seed):
    chance = random.Random(seed)
    count = chance.randrange(1, 10)
    dead = {number for number in range(1, count + 1) if chance.random() < 0.3}
    flaky = {number for number in range(1, count + 1) if chance.random() < 0.2} - dead
    units = [
        Asker(n, chance.choice([0, 0, 40 * MS]), ReadWords(0x2000, chance.choice([2, 28, 124])))
        for n in range(1, count + 1)
    ]
    sizes = {unit.number: 5 + 2 * unit.request.count for unit in units}

    def hear(question, at):
        unit = question[0]
        if unit not in dead and (unit not in flaky or chance.random() < 0.8):
            size = sizes[unit]
            said = frame(unit, bytes([3, size - 5]) + bytes(size - 5))
            yield at + LINE.silence + chance.randrange(20 * MS) + LINE.wire(size), said

    desk = Desk(units, hear).up()
    for _ in range(20):
        chance.choice(units).hasty = chance.random() < 0.5
        desk.run(desk.now + chance.randrange(150 * MS))
    desk.run(desk.now + 2_000 * MS)

    everybody = sum(LINE.wait(8, size) + LINE.silence for size in sizes.values())
    longest = max(LINE.wait(8, size) for size in sizes.values()) + LINE.silence
    failing = longest + max(LINE.drain(size) for size in sizes.values())
    failed = sorted(when for unit in units for when, _ in unit.failures)
    for unit in units:
        if unit.number in dead | flaky or unit.every:
            continue
        for a, b in pairwise(unit.turns):
            fails = sum(a < when <= b for when in failed)
            assert b - a <= everybody + fails * failing + (count - 1) * longest


@given(st.integers(0, 2**32))
def test_the_bound_holds_as_it_is_for_hasty_unfinished_and_dead_units_together(seed):
    chance = random.Random(seed)
    count = chance.randrange(2, 9)
    dead = set(range(1, count + 1)) - {number for number in range(1, count + 1) if chance.random() < 0.8}
    units = [Asker(n, request=ReadWords(0x2000, chance.choice([2, 28, 124]))) for n in range(1, count + 1)]

    def hear(question, at):
        if question[0] not in dead:
            size = 2 * units[question[0] - 1].request.count + 5
            think = chance.choice([0, 20 * MS])
            yield (
                at + LINE.silence + think + LINE.wire(size),
                frame(question[0], bytes([3, size - 5]) + bytes(size - 5)),
            )

    desk = Desk(units, hear).up()
    for unit in units:
        unit.unfinished = lambda: chance.random() < 0.7
    desk.run(8_000 * MS)  # by then the dead are known, and every turn had its longest form
    for _ in range(60):
        chance.choice(units).hasty = chance.random() < 0.7
        desk.run(desk.now + chance.randrange(200 * MS))

    questions = [(at, question[0]) for at, question in desk.sent if at > 8_000 * MS]
    for unit in units:
        if unit.number not in dead:
            assert not unit.failures
            mine = [at for at, number in questions if number == unit.number]
            assert max((b - a for a, b in pairwise(mine)), default=0) <= desk.bus.bound()


def test_jumps_are_in_the_bound_unless_the_caller_knows_better():
    """The second waits while the first has its turn and jumps, and that is longer than a round."""
    units, desk = table(3)
    desk.up().run(2_000 * MS)
    turn = LINE.wait(8, 9) + LINE.silence

    assert desk.bus.bound(failures=0) == 5 * turn
    assert desk.bus.bound(failures=0, jumps=1) == 4 * turn
    assert desk.bus.bound(failures=0, jumps=0) == 3 * turn
    assert len(units) == 3


def test_the_order_needs_no_line():
    rota = Rota([Asker(1), Asker(2)])
    first = rota.next(0)
    assert first.unit.number == 1
    rota.gave_away(first, 0)
    assert rota.next(0).unit.number == 2
    assert rota.next(0).unit.number == 2, "the other one gave its turn away a moment ago"
    assert rota.next_due(0) == 0
    rota.hurry()
    rota.forgive()
    assert rota.next(0).unit.number == 1, "forgiven, and the one whose turn was next"


def test_a_whole_table_in_one_unit_has_its_own_bound():
    unit = Asker(1, request=ReadWords(0x2000, fast_poll_words(9)))
    desk = Desk([unit], answering()).up().run(LINE.silence)

    assert desk.bus.bound(failures=0) == LINE.wait(8, 253) + LINE.silence


def test_an_unfinished_turn_has_one_more_question_before_anybody_else_and_not_two():
    units, desk = table(3)
    units[1].unfinished = lambda: True
    desk.up().run(LINE.silence + 12 * ANSWERED)

    assert order(desk)[:8] == [1, 2, 2, 3, 1, 2, 2, 3]


def test_the_second_half_of_a_turn_keeps_the_silence_and_yields_to_the_lock():
    units, desk = table(3)
    units[0].unfinished = lambda: True
    desk.up().run(LINE.silence + ANSWERED // 2)
    desk.bus.lock_all()
    desk.run(LINE.silence + 4 * ANSWERED + LINE.turnaround)

    assert order(desk)[:3] == [1, 0, 1]
    assert all(b - a >= LINE.silence for (a, _), (b, _) in pairwise(desk.sent))


def test_a_failed_first_half_ends_the_turn():
    units, desk = table(2, alive=[2])
    units[0].unfinished = units[1].unfinished = lambda: True
    desk.up().run(LINE.silence + FAILING + 3 * ANSWERED)

    assert order(desk)[:4] == [1, 2, 2, 1]


def test_a_line_that_was_lost_forgets_whose_turn_was_half_done():
    units, desk = table(2)
    units[0].unfinished = lambda: True
    desk.up().run(LINE.silence + ANSWERED - LINE.silence // 2)
    assert units[0].answers, "the first half is answered, the second not asked"

    desk.bus.line_down(desk.now)
    desk.up().run(desk.now + LINE.silence)
    assert order(desk) == [1, 2]


def test_a_round_of_unfinished_turns_stays_within_the_bound():
    units, desk = table(7, alive=[1, 2, 3, 4, 5, 6])
    for unit in units:
        unit.unfinished = lambda: True
    desk.up().run(10_000 * MS)

    longest = max(b - a for a, b in pairwise(at for at, question in desk.sent if question[0] == 3))
    assert longest <= desk.bus.bound(jumps=0)
    firsts = [at for (at, one), (_, before) in zip(desk.sent[1:], desk.sent, strict=False) if one[0] == 3 != before[0]]
    assert max(b - a for a, b in pairwise(firsts)) <= desk.bus.bound(jumps=0)
    assert max(b - a for a, b in pairwise(firsts)) > 10 * ANSWERED, "each of six has two questions a round"


def test_a_second_half_that_the_unit_gives_away_costs_nothing():
    units, desk = table(2)
    units[0].unfinished = lambda: True
    desk.up().run(LINE.silence + ANSWERED // 2)
    units[0].asks = False
    desk.run(LINE.silence + 2 * ANSWERED)

    assert order(desk)[:2] == [1, 2]
