"""The settings file of a node: what is right is read whole, and each mistake is one clear sentence at its place."""

import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

from controller.core.links.known import Proposed
from controller.core.state import State
from controller.core.values import Side
from controller.node.devices.hardware import Hardware
from controller.node.service.plan_files import PlanFiles
from controller.node.settings.settings import problems, read_form, read_node
from controller.node.settings.sheet import sheet_of
from controller.node.settings.signs import SignKind
from controller.node.settings.units import UnitKind
from controller.node.vocabulary.places import LineKind, NeighbourPlace, UnitKey, timing_of
from controller.rules.document import DocumentError
from drivers.io_module.map import IoMap
from drivers.native.contract import SeatMode, UnitClass, UnitParity
from drivers.native.pace import longest_round, pace_problem
from drivers.native.settings import UnitSettings
from support.node.node_settings_cases import CENTRAL, CONFIG, EXAMPLES, GOOD, PLANS, changed, without_comments, write
from support.node.node_settings_mistakes import COMPARED, FORM, LINKED, MAPS, PANEL, PRINTS

# what is right


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_valid(path):
    assert problems(path) == []


def test_the_complete_example_is_read_whole():
    node = read_node(CONFIG / "nodes" / "central.toml")
    assert (node.name, node.metrics, str(node.folder)) == ("central", 9471, "/var/lib/pozo/central")
    assert [(table.name, table.pot, table.seats) for table in node.tables] == [
        ("DP-01", "pozo-estelar", 6), ("CP-01", "pozo-estelar", 7), ("TX-01", "pozo-estelar", 6),
    ]  # fmt: skip
    kinds = {line.name: line.kind for line in node.lines}
    assert kinds == {
        "draw": LineKind.RTU, "ranuras": LineKind.CCTALK, "crupier": LineKind.RTU, "texas": LineKind.TCP,
        "letrero": LineKind.ALPHA,
    }  # fmt: skip
    of_draw = [unit for unit in node.units if unit.table == "DP-01"]
    assert [(unit.key.number, unit.seats) for unit in of_draw] == [
        (1, (1,)), (2, (2,)), (3, (3,)), (4, (4,)), (5, (5,)), (6, (6,)), (20, ()), (21, ()),
    ]  # fmt: skip
    assert of_draw[0].made.config.buttons == (1, 2, 5, 0)
    assert (of_draw[0].made.config.credit_value, of_draw[0].made.config.most) == (1000, 5), "both from the plan"
    assert of_draw[0].limits == (1000, 1000, 5000), "R-26: and it is known which plan that was"
    assert of_draw[6].limits is None, "a console takes no bets"
    slots = [unit for unit in node.units if unit.table == "CP-01" and unit.seats]
    assert all(unit.lamps_seen_by_croupier and unit.made.most == 5 for unit in slots)
    assert [unit.made.address for unit in slots] == list(range(11, 18))
    (plan,) = node.plans
    assert plan.documents.plan == (PLANS / "pozo-estelar.toml").read_text()
    assert plan.documents.ruleset == (CONFIG / "rulesets" / "scj-2023.toml").read_text()


def test_r28_neighbours_are_read_with_what_two_persons_are_to_hear(tmp_path):
    node = read_node(write(tmp_path, LINKED))

    assert node.listen == "tcp://0.0.0.0:7071"
    assert node.neighbours == (
        NeighbourPlace(name="caja-1", side=Side.BELOW, inside=True, address="", fingerprint=PRINTS[0]),
        NeighbourPlace(
            name="hub", side=Side.ABOVE, inside=False, address="tcp://hub.example:7071", fingerprint=PRINTS[1]
        ),
    )
    assert read_node(write(tmp_path, GOOD)).neighbours == ()


@pytest.mark.parametrize("place", ["tcp://[::]:7071", "tcp://10.0.0.1:1024", "tcp://127.0.0.1:65535"])
def test_r28_a_node_listens_at_an_address_of_its_machine(tmp_path, place):
    assert read_node(write(tmp_path, LINKED.replace("tcp://0.0.0.0:7071", place))).listen == place


@pytest.mark.parametrize("typed", ["AB12 " * 8, "ab12" * 8, "ab12:" * 7 + "ab12", " ab12-" * 8])
def test_r28_a_fingerprint_is_the_same_however_it_is_written(tmp_path, typed):
    place = read_node(write(tmp_path, LINKED.replace(PRINTS[0], typed.strip()))).neighbours[0]
    assert place.fingerprint == "-".join(["ab12"] * 8)


def test_one_unit_may_have_all_seats_of_a_table_and_a_module_those_of_its_map():
    (texas,) = [unit for unit in read_node(CONFIG / "nodes" / "central.toml").units if unit.table == "TX-01"]
    assert (texas.seats, texas.made.unit_class) == ((1, 2, 3, 4, 5, 6), UnitClass.TABLE)
    assert texas.made.mode is SeatMode.BUTTONS, "R-2: all of one kind"
    units = read_node(CONFIG / "nodes" / "modulo-io.toml").units
    assert {unit.made.mode for unit in units if unit.key.number >= 11} == {SeatMode.CHIPS}
    (module,) = [unit for unit in units if isinstance(unit.made, IoMap)]
    assert (module.seats, module.made.has_console, module.key) == ((1, 2), True, UnitKey("mesa", 5))


def test_r27_who_speaks_for_terminals_is_a_user_of_this_machine(tmp_path):
    told = changed("[patience]", '[terminals]\nuser = "root"\n[patience]')

    assert read_node(write(tmp_path, told)).relay == 0
    assert read_node(write(tmp_path, GOOD)).relay is None


def test_folders_and_plans_are_relative_to_the_file(tmp_path):
    (tmp_path / "plan.toml").write_text((PLANS / "pozo-estelar.toml").read_text())
    text = GOOD.replace("../plans/pozo-estelar.toml", "plan.toml").replace("/var/lib/pozo/central", "var/../libro")
    node = read_node(write(tmp_path, text))
    assert node.folder == tmp_path / "libro"
    assert node.plans[0].path == tmp_path / "plan.toml"


def test_a_ruleset_of_the_house_may_be_named_by_the_file_or_given(tmp_path):
    laws = tmp_path / "reglamentos"
    laws.mkdir()
    own = (CONFIG / "rulesets" / "scj-2023.toml").read_text().replace('"scj-2023"', '"casa"')
    (laws / "casa.toml").write_text(own)
    plan = (PLANS / "pozo-estelar.toml").read_text().replace('"scj-2023"', '"casa"')
    (tmp_path / "plan.toml").write_text(plan)
    text = GOOD.replace("../plans/pozo-estelar.toml", "plan.toml")
    assert "no existe el reglamento casa" in problems(write(tmp_path, text))[0]
    assert read_node(write(tmp_path, text), laws).plans[0].documents.ruleset == own
    assert read_node(write(tmp_path, 'rulesets = "reglamentos"\n' + text)).plans[0].documents.ruleset == own


def test_a_generation_follows_every_value_a_unit_runs_on(tmp_path):
    def generation(text):
        units = {unit.key: unit.made for unit in read_node(write(tmp_path, text)).units}
        return units["draw", 1].config.generation

    variants = [
        GOOD, changed("hold_s = 30", "hold_s = 31"), changed("buttons = [1, 2, 5]", "buttons = [1, 5, 2]"),
        changed("baud = 115200", "baud = 57600"), changed("lamp_max_ma = 30", "lamp_max_ma = 40"),
    ]  # fmt: skip
    found = [generation(text) for text in variants]
    assert len(set(found)) == len(variants)
    assert all(1 <= one <= 65_535 for one in found)
    assert generation(GOOD) == found[0], "the same values, the same generation"


def test_times_that_nobody_writes_are_the_shortest_that_the_line_keeps(tmp_path):
    node = read_node(write(tmp_path, GOOD))
    of_line = {
        line.name: [u.made for u in node.units if u.key.line == line.name and isinstance(u.made, UnitSettings)]
        for line in node.lines
    }
    assert {unit.config.host_timeout for unit in of_line["texas"]} == {1500}, "the contract's own where it fits"
    (timeout,) = {unit.config.host_timeout for unit in of_line["draw"]}
    assert 1500 < timeout <= 5000
    draw = next(line for line in node.lines if line.name == "draw")
    assert pace_problem(of_line["draw"], timing_of(draw)) is None
    hasty = [replace(unit, config=replace(unit.config, host_timeout=timeout - 100)) for unit in of_line["draw"]]
    assert pace_problem(hasty, timing_of(draw)) is not None


def test_a_bet_has_three_rounds_of_its_line_to_be_booked_where_nobody_says_otherwise(tmp_path):
    def waits(text):
        node = read_node(write(tmp_path, text))
        return {unit.key: unit.made.config.confirm_timeout for unit in node.units if unit.key.line in {"draw", "texas"}}

    usual, said = waits(GOOD), waits(changed("count = 6", "count = 6\nconfirm_ms = 700"))

    node = read_node(write(tmp_path, GOOD))
    draw = next(line for line in node.lines if line.name == "draw")
    whole = longest_round([unit.made for unit in node.units if unit.key.line == "draw"], timing_of(draw))
    assert usual["draw", 1] == -(-3 * whole // 1000) > 1000
    assert {wait for key, wait in usual.items() if key.line == "texas"} == {1000}
    assert {said["draw", number] for number in range(1, 7)} == {700}


def test_a_unit_is_told_the_format_of_its_own_line(tmp_path):
    text = changed('parity = "E"\nstop = 1', 'parity = "N"\nstop = 2')
    units = {unit.key: unit.made for unit in read_node(write(tmp_path, text)).units}
    of_draw, of_crupier = units["draw", 1].config, units["crupier", 20].config
    assert (of_draw.baud, of_draw.parity, of_draw.stop_bits) == (115200, UnitParity.NONE, 2)
    assert (of_crupier.baud, of_crupier.parity, of_crupier.stop_bits) == (38400, UnitParity.EVEN, 1)


SECOND_PANEL = PANEL.format(number=31, width=9).replace("draw", "mesa") + "[[sign]]"


@pytest.mark.parametrize(
    ("name", "short", "long"),
    [("modulo-io", "counter = 18", "counter = 110"), ("electronicos-rtu", "[[sign]]", SECOND_PANEL)],
)
def test_modules_and_panels_take_their_part_of_a_round(name, short, long, tmp_path):
    text = without_comments((CONFIG / "nodes" / f"{name}.toml").read_text())

    def beat(text):
        return next(u.made.beat for u in read_node(write(tmp_path, text)).units if isinstance(u.made, UnitSettings))

    assert beat(text) < beat(text.replace(short, long)), "the more it asks, the rarer the turns of the others"


def test_what_a_refused_pace_suggests_is_taken(tmp_path):
    wrong = changed("count = 6", "count = 6\nbeat_ms = 300\nhost_timeout_ms = 1500")
    (problem,) = problems(write(tmp_path, wrong))
    beat, timeout = re.search(r"beat_ms = (\d+) y host_timeout_ms = (\d+)", problem).groups()
    right = wrong.replace("beat_ms = 300", f"beat_ms = {beat}").replace(
        "host_timeout_ms = 1500", f"host_timeout_ms = {timeout}"
    )
    assert problems(write(tmp_path, right)) == []


# what is wrong


@pytest.mark.parametrize(("text", "key", "words"), FORM + COMPARED, ids=lambda value: None)
def test_each_mistake_is_one_sentence_with_file_key_and_what_would_be_right(text, key, words, tmp_path):
    path = write(tmp_path, text)
    with pytest.raises(DocumentError) as refused:
        read_node(path)
    told = [problem for problem in problems(path) if f": {key}: " in problem]
    assert told, f"{key} is not told in {problems(path)}"
    assert all(problem.startswith(f"{path}: ") for problem in told)
    assert any(words in problem for problem in told), told
    assert refused.value.rule
    assert str(refused.value) in problems(path)


def test_there_are_at_least_sixty_mistakes_and_none_twice():
    assert len({text for text, _, _ in FORM + COMPARED}) == len(FORM + COMPARED) >= 60


def test_mistakes_that_show_when_places_are_compared_are_told_at_once(tmp_path):
    text = changed("count = 6", "count = 5").replace("seats = 6", "seats = 5").replace("A50285CJ", "A50285BI")
    told = problems(write(tmp_path, text.replace('pot = "pozo-estelar"', 'pot = "x"')))
    keys = [problem.split(": ")[1] for problem in told]
    assert keys == ["line[1].url", "table[0].unit", "table[2].unit", "sign[0].pot", "plan[0].signless"]


def test_a_mistake_of_a_plan_is_told_with_the_plans_own_file_and_no_table_is_blamed(tmp_path):
    bad = tmp_path / "plan.toml"
    bad.write_text((PLANS / "pozo-estelar.toml").read_text().replace("main_ppm = 900000", "main_ppm = 900001"))
    told = problems(write(tmp_path, GOOD.replace("../plans/pozo-estelar.toml", "plan.toml")))
    assert len(told) == 1
    assert told[0].startswith(f"{bad}: allocation.main_ppm: ")


def test_a_table_may_feed_one_pot_only(tmp_path):
    other = (PLANS / "pozo-estelar.toml").read_text().replace('name = "pozo-estelar"', 'name = "otro"')
    (tmp_path / "otro.toml").write_text(other)
    told = problems(write(tmp_path, changed("[[plan]]", '[[plan]]\nfile = "otro.toml"\nsignless = true\n\n[[plan]]')))
    assert any(": plan[1].file: la mesa DP-01 ya alimenta el pozo otro" in problem for problem in told)


def test_a_sign_that_a_technician_says_is_wide_enough_for_now_is_taken(tmp_path):
    narrow = PANEL.format(number=30, width=8)
    assert problems(write(tmp_path, GOOD + narrow))
    assert problems(write(tmp_path, GOOD + narrow + "greatest = 99999999\n")) == []


def test_an_unstable_name_is_taken_when_somebody_insists(tmp_path):
    text = re.sub(r'url = "/dev/\S+', 'url = "/dev/ttyUSB0"\nunstable_name = true', GOOD, count=1)
    assert problems(write(tmp_path, text)) == []


@pytest.mark.parametrize(("old", "new", "key", "words"), MAPS)
def test_a_mistake_in_the_map_of_a_module_is_told_in_the_same_words(old, new, key, words, tmp_path):
    text = without_comments((CONFIG / "nodes" / "modulo-io.toml").read_text())
    assert old in text
    told = problems(write(tmp_path, text.replace(old, new, 1)))
    place = "table[0].unit[0].map" + (f".{key}" if key else "")
    assert any(f": {place}: " in problem and words in problem for problem in told), told


def test_a_file_that_is_not_there_is_one_problem(tmp_path):
    (told,) = problems(tmp_path / "nada.toml")
    assert "nada.toml" in told


ODD = [
    "0",
    "1",
    "-1",
    "2",
    "9",
    "247",
    "99999999999999999999",
    "true",
    '""',
    '"x"',
    '"draw"',
    '"none"',
    "[]",
    "[1]",
    "{}",
    "1.5",
]
LINES = GOOD.splitlines()


@st.composite
def spoilt(draw):
    """The good example with a few lines lost, doubled, exchanged or given another value."""
    lines = list(LINES)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["lose", "double", "exchange", "value", "value", "value"])):
            case "lose":
                del lines[at]
            case "double":
                lines.insert(at, lines[at])
            case "exchange":
                other = draw(st.integers(0, len(lines) - 1))
                lines[at], lines[other] = lines[other], lines[at]
            case _ if " = " in lines[at]:
                lines[at] = lines[at].split(" = ")[0] + " = " + draw(st.sampled_from(ODD))
            case _:
                pass
    return "\n".join(lines)


@given(spoilt())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_wrong_is_told_and_what_is_told_nothing_of_can_be_run(tmp_path, text):
    path = write(tmp_path, text)
    told = problems(path)
    if told:
        assert all(problem.startswith(str(path)) for problem in told)
        with pytest.raises(DocumentError):
            read_node(path)
    else:
        Hardware(read_node(path), 1, 1)


# docs/operators/settings.md


OTHER_DISKS = (
    '[seeds]\ncopy = "/mnt/x"\n[heads]\nplaces = ["/mnt/x"]\n[disk]\nfree_mb = 500\n[terminals]\nuser = "root"\n'
)


WEBS = '[webs]\nlisten = "tcp://0.0.0.0:7072"\n'


def keys_asked(folder):
    """Every key that the reader looked for in any example, with the tables that are commented out there."""
    asked = set()
    with_seeds = write(folder, changed("[patience]", f"{OTHER_DISKS}[patience]"))
    with_neighbours = write(folder, LINKED + WEBS, "linked.toml")
    for path in [*EXAMPLES, with_seeds, with_neighbours]:
        asked |= read_form(path).sheet.asked
    return asked


def test_the_manual_names_every_key_and_no_other(tmp_path):
    manual = (CONFIG.parent / "docs" / "operators" / "settings.md").read_text()
    rows = set(re.findall(r"^\| `([a-z0-9_.]+)` \|", manual, flags=re.MULTILINE))
    asked = keys_asked(tmp_path)
    assert asked - rows == set(), "the manual must explain them"
    assert rows - asked == set(), "nobody reads them"


@pytest.mark.parametrize(("key", "kinds"), [("line.kind", LineKind), ("unit.kind", UnitKind), ("sign.kind", SignKind)])
def test_the_manual_names_every_kind(key, kinds):
    manual = (CONFIG.parent / "docs" / "operators" / "settings.md").read_text()
    rows = re.findall(rf"^\| `(?:table\.)?{re.escape(key)}` \|(.*)$", manual, flags=re.MULTILINE)
    assert rows
    assert {kind.value for kind in kinds} <= set(re.findall(r"`(\w+)`", " ".join(rows)))


def test_the_complete_example_says_each_key_that_a_node_without_modules_may_have(tmp_path):
    said = set(re.findall(r"^(?:# )?([a-z_0-9]+) = ", CENTRAL, flags=re.MULTILINE))
    own = {"format", "prize_format", "encoding"}
    asked = {key.rsplit(".", 1)[-1] for key in keys_asked(tmp_path) if ".map" not in key}
    tables = {
        "line",
        "table",
        "plan",
        "sign",
        "unit",
        "channel",
        "metrics",
        "seeds",
        "heads",
        "disk",
        "terminals",
        "patience",
        "map",
        "link",
        "neighbour",
        "webs",
    }
    assert asked - said - tables - own == set()


def test_a_sheet_remembers_keys_without_their_places():
    sheet = sheet_of("[[a]]\n[[a.b]]\nc = 1", "x")
    for a in sheet.sheets("a"):
        for b in a.sheets("b"):
            b.has("c")
    assert sheet.asked == {"a", "a.b", "a.b.c"}


def test_r29_promotional_credits_are_not_promised_where_only_chips_can_be_bet(tmp_path):
    prize = '[[complementary]]\nname = "Estrella"\namount = 5000\ndrawn = "seat"\n{paid}one_in = 40\n'
    in_credits = 'paid_in = "promotional_credits"\nfrom = "house"\n'

    def told(paid):
        plan = (PLANS / "pozo-estelar.toml").read_text() + prize.format(paid=paid)
        (tmp_path / "plan.toml").write_text(plan)
        return problems(write(tmp_path, GOOD.replace("../plans/pozo-estelar.toml", "plan.toml")))

    (problem,) = told(in_credits)
    assert "Estrella" in problem and "R-29" in problem and ".kind: " in problem
    assert told('paid_in = "cash"\nfrom = "main"\n') == []


@pytest.mark.parametrize(
    ("lamps", "key", "word"),
    [
        ("", "", ""),
        ('lamps = "croupier"', "table[0].name", "sensor"),
        ('lamps = "sensor"', "table[1].unit[0].lamps_seen_by", "croupier"),
    ],
)
def test_r6_who_sees_the_lamps_is_what_the_plan_says(tmp_path, lamps, key, word):
    """Of the good example DP-01 and TX-01 measure, CP-01 cannot; a plan of before says nothing."""
    (tmp_path / "plans").mkdir()
    plan = (PLANS / "pozo-estelar.toml").read_text()
    (tmp_path / "plans/pozo-estelar.toml").write_text(f"{lamps}\n{plan}")
    (tmp_path / "nodes").mkdir()
    file = tmp_path / "nodes/central.toml"
    file.write_text(GOOD)
    found = [str(one) for one in problems(file) if "R-6" in str(one)]

    assert len(found) == {"": 0, "table[0].name": 2}.get(key, 1), found
    assert not key or (key in found[0] and word in found[0])


def at_nodes(tmp_path, text=LINKED, **nodes):
    """The good example with its neighbours, and the tables of its plan at these nodes, as the pot's owner sees them."""
    plan = (PLANS / "pozo-estelar.toml").read_text()
    for table, node in nodes.items():
        name = f'name = "{table.replace("_", "-")}"'
        plan = plan.replace(name, f'{name}\nnode = "{node}"')
    (tmp_path / "plan.toml").write_text(plan)
    return write(tmp_path, text.replace("../plans/pozo-estelar.toml", "plan.toml"))


def test_r9_r28_of_a_pot_that_nodes_share_only_the_tables_of_this_one_have_devices_here(tmp_path):
    for shared in (
        {"DP_01": "central", "CP_01": "central", "TX_01": "central"},  # the pot is another node's, as GO-01
        {"DP_01": "central@hub", "CP_01": "central@hub", "TX_01": "central@hub", "GO_01": "caja-1@central@hub"},
        {"GO_01": "caja-1"},  # the pot is ours, and one table a box's
    ):
        file = at_nodes(tmp_path, **shared)
        assert problems(file) == []
        assert [table.name for table in read_node(file).tables] == ["DP-01", "CP-01", "TX-01"]


@pytest.mark.parametrize(
    ("nodes", "says"),
    [
        ({"TX_01": "caja-1"}, "pone la mesa TX-01 en el nodo caja-1: su [[table]] va allá"),
        (
            {"DP_01": "central", "CP_01": "central"},
            "pone la mesa TX-01 en el nodo dueño del pozo: su [[table]] va allá",
        ),
    ],
)
def test_r9_r28_a_table_whose_plan_puts_it_at_another_node_has_no_devices_here(tmp_path, nodes, says):
    found = problems(at_nodes(tmp_path, **nodes))

    assert any(says in one and "table[2].name" in one and "R-9" in one for one in found), found


def test_r28_whoever_shares_a_pot_by_its_plan_is_a_neighbour_on_that_side(tmp_path):
    mine = {"DP_01": "central", "CP_01": "central", "TX_01": "central"}
    through = {name: f"{node}@red" for name, node in mine.items()}
    for text, nodes, says in (
        (GOOD, mine, 'y se llega a su nodo dueño: falta su [[neighbour]] con side = "above"'),
        (LINKED, through, 'y se llega por el nodo red: falta su [[neighbour]] con side = "above"'),
        (LINKED, {"GO_01": "caja-2"}, 'pone mesas en el nodo caja-2: falta su [[neighbour]] con side = "below"'),
        (LINKED, {"GO_01": "hub"}, 'pone mesas en el nodo hub: falta su [[neighbour]] con side = "below"'),
    ):
        (found,) = problems(at_nodes(tmp_path, text, **nodes))
        assert says in found and "plan[0].file" in found and "R-28" in found


def test_r9_of_two_pots_the_tables_elsewhere_may_have_one_name_and_those_here_not(tmp_path):
    other = (PLANS / "pozo-estelar.toml").read_text().replace('name = "pozo-estelar"', 'name = "otro"')
    for table in ("DP-01", "CP-01", "GO-01", "TX-01"):
        other = other.replace(f'name = "{table}"', f'name = "{table}"\nnode = "caja-1"')
    (tmp_path / "otro.toml").write_text(other)
    text = LINKED + '[[plan]]\nfile = "otro.toml"\nsignless = true\n'
    found = problems(write(tmp_path, text))
    assert not any("R-9" in one for one in found), found

    (tmp_path / "otro.toml").write_text(other.replace('name = "DP-01"\nnode = "caja-1"', 'name = "DP-01"'))
    found = problems(write(tmp_path, text))
    assert any("la mesa DP-01 ya alimenta el pozo pozo-estelar" in one for one in found), found


def test_r26_r28_a_plan_file_that_is_not_in_force_says_who_decides_it(tmp_path):
    state, mine = State(node="central"), at_nodes(tmp_path)
    (alarm, *_) = PlanFiles(read_node(mine), None).alarms(state)
    assert alarm.sentence.endswith("todavía no rige: lo aprueban dos personas (pozo ctl).")

    theirs = at_nodes(tmp_path, DP_01="central", CP_01="central", TX_01="central")
    (alarm, *_) = PlanFiles(read_node(theirs), None).alarms(state)
    assert alarm.sentence.endswith("todavía no rige: lo propone el nodo dueño del pozo.")

    documents = read_node(theirs).plans[0].documents
    proposed = structs.replace(state, proposed={"pozo-estelar": Proposed(documents, "Res. 1", "red")})
    assert not any(one.rule == "R-26" for one in PlanFiles(read_node(theirs), None).alarms(proposed))
