"""The map of a foreign module is refused with every fault at its place; its counters go round and never backwards."""

from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.io_module.counters import CounterWatch, OddReading, counts, number, question, word_order
from drivers.io_module.map import IoMapRefused, read_io_map
from drivers.modbus.pdu import HOLDING, INPUTS, ReadWords
from drivers.session import MILLISECOND, SECOND

GOOD = {
    "unit": 20,
    "serial": 4711,
    "product": "E1214",
    "seat": [
        {
            "seat": 3,
            "button": [{"counter": 0x10, "credits": 1}, {"counter": 0x12, "credits": 2}],
            "lamp": 0,
            "feedback": 2,
        },
        {"seat": 4, "button": [{"counter": 0x14, "credits": 1}], "lamp": 1, "feedback": 3},
    ],
    "console": {"lock": {"counter": 0x16}, "unlock": {"counter": 0x18}},
}


def changed(*path, to):
    document = deepcopy(GOOD)
    table = document
    for key in path[:-1]:
        table = table[key]
    if to is None:
        del table[path[-1]]
    else:
        table[path[-1]] = to
    return document


def test_a_good_map_reads_as_it_is_meant():
    io_map = read_io_map(GOOD, "mod")

    assert io_map.counters == (0x10, 0x12, 0x14, 0x16, 0x18)
    assert (io_map.coils, io_map.inputs, io_map.table_seats) == ((0, 1), (2, 3), (3, 4))
    assert (io_map.function, io_map.bits, io_map.width, io_map.high_first) == (INPUTS, 32, 2, True)
    assert io_map.has_console
    assert question(io_map) == ReadWords(0x10, 10, INPUTS)


def test_everything_may_be_said_otherwise():
    document = GOOD | {
        "bits": 16, "function": 3, "words": "low_first", "probe": {"address": 0x2000, "value": 0x1234AAAA},
        "heartbeat": 0x1003, "beat_ms": 200, "poll_ms": 20, "settle_ms": 30, "confirm_ms": 500, "per_second": 5,
        "console": {"lock": {"input": 7}},
    }  # fmt: skip
    io_map = read_io_map(document, "mod")

    assert (io_map.function, io_map.width, io_map.high_first, io_map.heartbeat) == (HOLDING, 1, False, 0x1003)
    assert (io_map.poll, io_map.beat, io_map.settle, io_map.confirm) == tuple(
        ms * MILLISECOND for ms in (20, 200, 30, 500)
    )
    assert (io_map.lock_input, io_map.lock_counter, io_map.inputs) == (7, None, (2, 3, 7))
    assert (io_map.probe.address, io_map.probe.value, io_map.per_second) == (0x2000, 0x1234AAAA, 5)


def test_a_console_alone_may_have_no_counter():
    io_map = read_io_map({"unit": 1, "serial": 1, "console": {"lock": {"input": 0}}}, "mod")

    assert question(io_map) is None
    assert io_map.coils == ()


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (changed("seat", 0, "button", 1, to={"input": 5, "credits": 2}), "mod.seat[1].button[2]: a bet button needs a counter: a plain input loses presses shorter than the poll"),
        (changed("console", "unlock", to={"input": 5}), "mod.console.unlock: an unlock button needs a counter"),
        (changed("seat", 1, "feedback", to=None), "mod.seat[2]: feedback is missing: a lamp that nothing proves proves no bet (R-6)"),
        (changed("seat", 1, "button", 0, "counter", to=0x13), "mod: button 2 of seat 3 and button 1 of seat 4 share register 0013h"),
        (changed("console", "lock", "counter", to=0x11), "mod: button 1 of seat 3 and lock share register 0011h"),
        (changed("seat", 1, "lamp", to=0), "mod: lamp of seat 3 and lamp of seat 4 share coil 0000h"),
        (changed("seat", 1, "feedback", to=2), "mod: feedback of seat 3 and feedback of seat 4 share input 0002h"),
        (changed("console", "lock", to={"input": 2}), "mod: feedback of seat 3 and lock share input 0002h"),
        (changed("console", "lock", to={"input": 5, "counter": 0x20}), "mod.console.lock: a counter or an input, not both"),
        (changed("seat", 1, "seat", to=3), "mod: seat 3 twice"),
        (changed("seat", 1, "button", to=[]), "mod: seat 4 has no button"),
        (changed("seat", 1, "button", to=[{"counter": 2 * place, "credits": 1} for place in range(5)]), "mod.seat[2]: 5 buttons; a seat has at most 4"),
        (changed("seat", 1, "button", 0, "counter", to=0x200), "mod: its counters span 498 places; one reading, of one instant, has 125"),
        (changed("seat", 1, "feedback", to=5000), "mod: its inputs span 4999 places; one reading, of one instant, has 2000"),
        (changed("seat", 1, "lamp", to=5000), "mod: its lamps span 5001 places; one reading, of one instant, has 2000"),
        (changed("unit", to=None), "mod: unit is missing"),
        (changed("unit", to=248), "mod: unit is 248; a whole number from 1 to 247 belongs here"),
        (changed("unit", to=True), "mod: unit is True; a whole number"),
        (changed("serial", to=1.5), "mod: serial is 1.5; a whole number"),
        (changed("product", to="x" * 33), "mod: product is no text of at most 32 letters"),
        (changed("product", to=5), "mod: product is no text"),
        (changed("bits", to=24), "mod: bits is 24; it may be 16 or 32"),
        (changed("bits", to="16"), "mod: bits is '16'; it may be 16 or 32"),
        (changed("words", to="abcd"), "mod: words is 'abcd'; it may be high_first or low_first"),
        (changed("seat", to=5), "mod: seat: a list of tables belongs here"),
        (changed("seat", 1, to=5), "mod.seat[2]: a table belongs here"),
        (changed("console", to=[]), "mod.console: a table belongs here"),
        (changed("probe", to={"address": 5}), "mod.probe: value is missing"),
        (changed("seat", 0, "lampe", to=1), "mod.seat[1]: 'lampe' is a key nobody knows"),
        (changed("poll", to=1), "mod: 'poll' is a key nobody knows"),
        (changed("console", "lock", "button", to=1), "mod.console.lock: 'button' is a key nobody knows"),
        ({"unit": 1, "serial": 1}, "mod: neither a seat nor a console"),
    ],
)  # fmt: skip
def test_every_fault_is_named_at_its_place(document, sentence):
    with pytest.raises(IoMapRefused) as refused:
        read_io_map(document, "mod")

    assert any(problem.startswith(sentence) for problem in refused.value.problems), refused.value.problems


def test_the_last_counter_ends_before_the_last_register():
    document = {"unit": 1, "serial": 1, "console": {"unlock": {"counter": 0xFFFF}}}
    with pytest.raises(IoMapRefused, match="the last of its counters ends behind the last register"):
        read_io_map(document, "mod")

    assert read_io_map(document | {"bits": 16}, "mod").counters == (0xFFFF,)


def test_all_faults_come_together():
    document = changed("unit", to=0) | {"bits": 8}
    document["seat"][0].pop("lamp")
    with pytest.raises(IoMapRefused) as refused:
        read_io_map(document, "mod")

    assert len(refused.value.problems) == 3
    assert str(refused.value).count("\n") == 2


json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 70_000), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from([*GOOD, "button", "lock", "unlock", "counter", "lamp", "x"]), inner, max_size=5
        ),
    ),
)


@given(st.dictionaries(st.sampled_from([*GOOD, "probe", "bits", "words", "heartbeat"]), json))
def test_any_document_is_read_or_refused(document):
    with suppress(IoMapRefused):
        assert read_io_map(document, "mod").unit in range(1, 248)


# Counters.


MAP = read_io_map(changed("console", to=None), "mod")
MAP16 = read_io_map(
    {
        "unit": 1,
        "serial": 1,
        "bits": 16,
        "seat": [{"seat": 1, "button": [{"counter": 5, "credits": 1}], "lamp": 0, "feedback": 0}],
    },
    "mod",
)


def words(*values):
    return tuple(word for value in values for word in (value >> 16, value & 0xFFFF))


def test_words_are_numbers_in_either_order():
    assert number((0x1234, 0x5678), high_first=True) == 0x12345678
    assert number((0x1234, 0x5678), high_first=False) == 0x56781234
    assert counts(MAP, words(1, 2, 0x30004), high_first=True) == {0x10: 1, 0x12: 2, 0x14: 0x30004}


def test_a_constant_proves_the_order_or_that_this_is_another_module():
    assert word_order((0x1234, 0xAAAA), 0x1234AAAA) is True
    assert word_order((0xAAAA, 0x1234), 0x1234AAAA) is False
    assert word_order((0, 0), 0x1234AAAA) is None


def test_differences_only_from_reading_to_reading():
    watch = CounterWatch(MAP)

    assert watch.read(words(7, 8, 9), 0) is OddReading.FIRST
    assert watch.read(words(7, 9, 9), SECOND) == {0x10: 0, 0x12: 1, 0x14: 0}
    watch.look_away()
    assert not watch.looks
    assert watch.read(words(7, 9, 9), 9 * SECOND) is OddReading.FIRST
    watch.look_away()
    assert watch.read(words(7, 12, 9), 9 * SECOND) is OddReading.UNWATCHED
    assert watch.looks


@given(st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_a_counter_goes_round(before, step):
    watch = CounterWatch(MAP)
    watch.read(words(0, before, 0), 0)

    assert watch.read(words(0, (before + step) % 2**32, 0), SECOND) == {0x10: 0, 0x12: step, 0x14: 0}


def test_a_counter_of_sixteen_bits_goes_round_sooner():
    watch = CounterWatch(MAP16)
    watch.read((0xFFFF,), 0)

    assert watch.read((1,), SECOND) == {5: 2}
    assert watch.read((0,), 2 * SECOND) is OddReading.DOUBTED


@pytest.mark.parametrize(
    ("after", "odd", "jumped"),
    [
        ((0, 0, 0), OddReading.RESET, set()),
        ((99, 100, 99), OddReading.RESET, set()),
        ((100, 200, 100), OddReading.IMPOSSIBLE, {0x12}),
    ],
)
def test_backwards_or_faster_than_a_finger_is_looked_at_again_and_then_true(after, odd, jumped):
    watch = CounterWatch(MAP)
    watch.read(words(100, 100, 100), 0)

    assert watch.read(words(*after), SECOND // 10) is OddReading.DOUBTED
    assert watch.last == {0x10: 100, 0x12: 100, 0x14: 100}
    assert watch.read(words(*after), SECOND // 10) is odd
    assert watch.jumped == jumped
    assert watch.last == dict(zip((0x10, 0x12, 0x14), after, strict=True))
    assert not watch.looks


def test_one_torn_reading_is_forgotten():
    watch = CounterWatch(MAP)
    watch.read(words(0xFFFF, 0, 0), 0)

    assert watch.read(words(0x1FFFF, 0, 0), SECOND) is OddReading.DOUBTED
    assert watch.read(words(0x10000, 0, 0), SECOND) == {0x10: 1, 0x12: 0, 0x14: 0}
    assert watch.read(words(0xFFFF, 0, 0), SECOND) is OddReading.DOUBTED


def test_a_reset_while_nobody_looked_is_found_by_what_the_books_know():
    watch = CounterWatch(MAP)
    watch.resume({0x10: 5, 0x12: 5, 0x14: 5, 0x99: 1})
    assert watch.read(words(0, 0, 0), 0) is OddReading.DOUBTED
    assert watch.read(words(0, 0, 0), 0) is OddReading.RESET

    other = CounterWatch(MAP)
    other.resume({0x10: 5})  # of another map: it begins anew
    assert other.last is None


@given(st.lists(st.lists(st.integers(0, 0xFFFF), min_size=6, max_size=6)))
def test_any_words_read_as_something(readings):
    watch = CounterWatch(MAP)
    for time, reading in enumerate(readings):
        found = watch.read(tuple(reading), time)
        assert isinstance(found, OddReading) or all(0 <= step <= 3 for step in found.values())
