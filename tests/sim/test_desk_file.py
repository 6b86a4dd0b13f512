"""The file of a desk is strict: what is wrong in it is refused in one sentence with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_sim.desk.file import DeskRefused, ElectronicPlan, read_desk, seats_of, standing
from support.places import CONFIG
from support.sim.desk_play import line, unit

DESKS = sorted((CONFIG / "desks").glob("*.toml"))
GOOD = line("mesa", unit("electronic", 1))


def refusal(text):
    with pytest.raises(DeskRefused) as refused:
        read_desk(text, "desk.toml")
    sentence = str(refused.value)
    assert sentence.startswith("desk.toml: ")
    assert "\n" not in sentence
    return sentence.removeprefix("desk.toml: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a desk needs at least one [[line]] with a [[line.unit]]"),
        ("[[line]\n", "not TOML: "),
        ("x = " + "[" * 4000, "nested too deep"),
        ("seed = " + "9" * 5000, "not TOML: "),
        ("# " + "x" * 70_000, "more than 65536 letters are no desk"),
        ('colour = "green"', "Object contains unknown field `colour`"),
        ("name = 3\n" + GOOD, "Expected `str`, got `int` - at `$.name`"),
        ('name = "a\\nb"\n' + GOOD, "its name is not printable"),
        ("seed = -1\n" + GOOD, "`$.seed`"),
        (line("mesa"), "line 'mesa' has no [[line.unit]]"),
        (line("Mesa 1", unit("electronic")), "at `$.line[0].name`"),
        (line("control", unit("electronic")), "line 'control': that word means something in a command"),
        (line("loss", unit("electronic")), "line 'loss': that word means something in a command"),
        (GOOD + GOOD.replace("unit = 1", "unit = 1\nseat = 2"), "line 'mesa' is there 2 times"),
        ('[[line]]\nname = "a"\n', "missing required field `kind` - at `$.line[0]`"),
        (line("a", unit("electronic"), kind="rs232"), "'rs232' - at `$.line[0].kind`"),
        (line("a", unit("robot")), "'robot' - at `$.line[0].unit[0].kind`"),
        (line("a", unit("alpha")), "'alpha' - at `$.line[0].unit[0].kind`"),
        (line("a", unit("electronic"), kind="cctalk"), "'electronic' - at `$.line[0].unit[0].kind`"),
        (line("a", unit("electronic", colour="red")), "unknown field `colour` - at `$.line[0].unit[0]`"),
        (line("a", unit("console", seat=3)), "unknown field `seat` - at `$.line[0].unit[0]`"),
        (line("a", unit("electronic", 248)), "at `$.line[0].unit[0].unit`"),
        (line("a", unit("electronic", 0)), "at `$.line[0].unit[0].unit`"),
        (line("a", unit("cctalk", 1), kind="cctalk"), "at `$.line[0].unit[0].unit`"),
        (line("a", unit("electronic", 246, count=3)), "line 'a': unit 248; the last address is 247"),
        (line("a", unit("electronic", 1), unit("console", 1)), "line 'a': unit 1 is there 2 times"),
        (line("a", unit("electronic", 1, count=3), unit("console", 2)), "line 'a': unit 2 is there 2 times"),
        (line("a", unit("electronic", 1), unit("electronic", 2)), "seat 1 belongs to 2 units"),
        (line("a", unit("table", 1, seats=9), unit("chip_slot", 2, seat=9)), "seat 9 belongs to 2 units"),
        (line("a", unit("electronic", 1, seat=98, count=3)), "seat 100; the last seat is 99"),
        (line("a", unit("table", 1, seats=10)), "at `$.line[0].unit[0].seats`"),
        (line("a", unit("electronic", 1, serial=7), unit("console", 2, serial=7)), "serial 7 is on 2 units"),
        (line("a", unit("electronic", 1, serial=2**32 - 1, count=2)), "a/2: serial 4294967296 is too long"),
        (line("a", unit("cctalk", 2, serial=2**24 - 1, count=2), kind="cctalk"), "a/3: serial 16777216 is too long"),
        (line("a", unit("console", 1), unit("console", 2)), "a/1 and a/2 are consoles; a desk has one croupier"),
        (line("a", unit("console", 1), unit("io", 2, keys=True)), "a/1 and a/2 are consoles"),
        (line("a", unit("electronic"), baud=115_250), "at `$.line[0].baud`"),
        (line("a", unit("electronic"), loss="150%"), "at `$.line[0].loss`"),
        (line("a", unit("electronic"), loss=0.2), "Expected `str`, got `float` - at `$.line[0].loss`"),
        (line("a", unit("electronic"), kind="tcp", loss="1%"), "unknown field `loss` - at `$.line[0]`"),
        (line("a", unit("electronic"), port=5020), "unknown field `port` - at `$.line[0]`"),
        (line("a", unit("electronic"), kind="tcp", port=70_000), "at `$.line[0].port`"),
        (line("a", unit("electronic", answer_ms=0)), "at `$.line[0].unit[0].answer_ms`"),
        (line("a", unit("text", 1, count=2), kind="text"), "a text sign has no address"),
        (line("a", unit("text", encoding="utf-8"), kind="text"), "at `$.line[0].unit[0].encoding`"),
        (line("a", unit("io", 1)) + "map = { seat = [] }", "a/1: io 1: neither a seat nor a console"),
        (line("a", unit("io", 1, seats=2)) + "map = { seat = [] }", "a/1: its map says which seats it has"),
        (line("a", unit("io", 1)) + "map = { seats = 1 }", "a/1: io 1: "),
    ],
)
def test_each_mistake_is_refused_with_its_place(text, why):
    assert why in refusal(text)


@pytest.mark.parametrize("path", DESKS, ids=lambda path: path.stem)
def test_the_desks_that_come_along_are_good(path):
    plan = read_desk(path.read_text(encoding="utf-8"), path.name)

    assert plan.name == path.stem
    assert list(standing(plan))


def test_four_desks_come_along():
    assert {path.stem for path in DESKS} == {"draw", "caribe", "texas", "todo"}


def test_equal_devices_count_up():
    text = line("a", unit("electronic", 11, seat=3, serial=70, count=3), unit("table", 20, seat=20, seats=4, count=2))
    devices = list(standing(read_desk(text, "desk.toml")))

    assert [one.plan.unit for one in devices] == [11, 12, 13, 20, 21]
    assert [seats_of(one.plan) for one in devices] == [(3,), (4,), (5,), (20, 21, 22, 23), (24, 25, 26, 27)]
    assert [one.serial for one in devices[:3]] == [70, 71, 72]
    assert [one.place for one in devices] == ["a/11", "a/12", "a/13", "a/20", "a/21"]


def test_devices_without_a_serial_get_one_of_their_own():
    text = line("a", unit("console", 1, serial=5), unit("counter", 2)) + line("b", unit("counter", 2), kind="tcp")
    serials = [one.serial for one in standing(read_desk(text, "desk.toml"))]

    assert serials[0] == 5
    assert len(set(serials)) == 3


def test_desks_by_other_names_have_no_serial_in_common():
    """They may stand before one node, which refuses two boxes with one serial (R-37)."""
    text = line("a", unit("table", 1, seat=1, seats=2), unit("console", 20))
    names = ["a/DP-01.toml", "a/DP-02.toml", "TX-01"]
    serials = [one.serial for name in names for one in standing(read_desk(text, name))]
    named = [one.serial for one in standing(read_desk('name = "DP-01"\n' + text, "desk.toml"))]

    assert len(set(serials)) == 6
    assert named == serials[:2], "a desk that says no name has its file's"


def test_the_smallest_desk_needs_three_words():
    plan = read_desk('[[line]]\nname = "a"\nkind = "rtu"\n[[line.unit]]\nkind = "electronic"\n', "desk.toml")

    assert (plan.name, plan.line[0].baud) == ("desk", 115_200)
    assert [one.plan for one in standing(plan)] == [ElectronicPlan()]


def test_a_module_may_bring_its_own_map():
    given = (
        "map = { serial = 9, seat = [{ seat = 8, lamp = 0, feedback = 0, button = [{ counter = 0, credits = 5 }] }] }"
    )
    (device,) = standing(read_desk(line("a", unit("io", 4)) + given, "desk.toml"))

    assert seats_of(device.plan) == (8,)


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("utf-8", "replace")))
def test_no_text_does_more_than_be_refused(text):
    try:
        read_desk(text, "desk.toml")
    except DeskRefused as refused:
        assert str(refused).startswith("desk.toml: ")  # noqa: PT017


VALUES = st.one_of(
    st.integers(-(2**70), 2**70), st.booleans(), st.floats(), st.text(max_size=5), st.just([]), st.just({}),
    st.sampled_from(["rtu", "tcp", "electronic", "io", "table", "5%", "a"]), st.integers(1, 99),
)  # fmt: skip
KEYS = st.sampled_from(
    ["name", "kind", "unit", "seat", "seats", "count", "baud", "loss", "serial", "map", "keys", "port"]
)


@given(st.lists(st.dictionaries(KEYS, VALUES, max_size=6), max_size=3))
def test_no_value_anywhere_does_more_than_be_refused(units):
    text = '[[line]]\nname = "a"\nkind = "rtu"\n' + "".join(
        "[[line.unit]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in one.items()) for one in units
    )
    try:
        for one in standing(read_desk(text, "desk.toml")):
            assert seats_of(one.plan) is not None
    except DeskRefused as refused:
        assert str(refused).startswith("desk.toml: ")  # noqa: PT017


def _toml(value):
    if isinstance(value, bool | str):
        return (
            '"' + value.encode("unicode_escape").decode().replace('"', "'") + '"'
            if isinstance(value, str)
            else str(value).lower()
        )
    return str(value)
