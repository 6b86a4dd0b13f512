"""Terminals: browsers that two persons let in, each with a key of its own, and that one takes away (R-36)."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import NothingNew, TerminalEnrolled, TerminalWithdrawn
from controller.core.values import MOST_TERMINALS, Signature, Terminal, TerminalUse, web_user
from support.core.points import point_of, web_key_of
from support.floor.floor import ANA, CARLA, INES, JEFA, JEFE, LUIS, TABLE, TITO, Floor, kinds

TABLE_USE, CHIEF, SIGN, WEB = TerminalUse.TABLE, TerminalUse.CHIEF, TerminalUse.SIGN, TerminalUse.WEB
FIELD = 2**255 - 19
KEY, OTHER = point_of(1), point_of(2)
PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def enrol(terminal="consola-1", use=TABLE_USE, place=TABLE, key=KEY, by=JEFA, second=ANA):
    return ask.EnrolTerminal(terminal, use, place, key, by, second)


def withdraw(terminal="consola-1", reason="se perdió", by=JEFA):
    return ask.WithdrawTerminal(terminal, reason, by)


def refusal(floor, asked):
    (fact,) = floor.ask(asked)
    return fact.reason, fact.rule, fact.where


def test_r36_two_persons_let_a_browser_in_for_one_use():
    floor = Floor()
    assert floor.ask(enrol()) == (TerminalEnrolled("consola-1", TABLE_USE, TABLE, KEY, "jefa", "ana"),)
    floor.ask(enrol("tableta", CHIEF, "", OTHER, ANA, JEFE))
    floor.ask(enrol("letrero-1", SIGN, "grande", point_of(3)))

    assert floor.state.terminals == {
        "consola-1": Terminal(TABLE_USE, TABLE, KEY),
        "tableta": Terminal(CHIEF, "", OTHER),
        "letrero-1": Terminal(SIGN, "grande", point_of(3)),
    }


@pytest.mark.parametrize(
    ("by", "second", "reason"),
    [
        (CARLA, ANA, "role_missing"),
        (JEFA, CARLA, "role_missing"),
        (TITO, ANA, "role_missing"),
        (INES, ANA, "role_missing"),
        (JEFA, JEFA, "two_persons_needed"),
        (Signature("ana", verified=False), JEFA, "pin_wrong"),
        (JEFA, Signature("ana", verified=False), "pin_wrong"),
        (JEFA, Signature("nadie"), "person_unknown"),
    ],
)
def test_r36_nobody_lets_a_browser_in_alone_nor_do_two_who_may_not(by, second, reason):
    assert Floor().reason(enrol(by=by, second=second)) == reason


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"terminal": "consola 1"}, ("name_wrong", "R-27", "terminal")),
        ({"terminal": ""}, ("name_wrong", "R-27", "terminal")),
        ({"terminal": "x" * 65}, ("name_wrong", "R-27", "terminal")),
        ({"place": "XX-01"}, ("table_unknown", "R-9", "place")),
        ({"place": ""}, ("table_unknown", "R-9", "place")),
        ({"use": CHIEF}, ("terminal_no_place", "R-36", "place")),
        ({"use": SIGN, "place": ""}, ("name_wrong", "R-27", "place")),
        ({"use": SIGN, "place": "../grande"}, ("name_wrong", "R-27", "place")),
        ({"key": ""}, ("terminal_key_wrong", "R-36", "key")),
        ({"use": CHIEF, "key": "zz"}, ("terminal_no_place", "R-36", "place")),
        ({"terminal": " ", "place": "XX", "key": "zz"}, ("name_wrong", "R-27", "terminal")),
        ({"place": "XX", "key": "zz"}, ("table_unknown", "R-9", "place")),
    ],
)
def test_r36_a_terminal_that_is_none_is_refused_in_this_order(change, found):
    assert refusal(Floor(), replace(enrol(), **change)) == found


def test_r36_a_terminal_of_a_table_is_of_the_live_one_not_of_its_training_copy():
    floor = Floor()
    floor.ask(ask.StartTraining(TABLE, CARLA, JEFA))
    assert f"~{TABLE}" in floor.state.tables

    assert floor.reason(enrol(place=f"~{TABLE}")) == "table_unknown"
    assert kinds(floor.ask(enrol())) == [TerminalEnrolled]


@pytest.mark.parametrize(
    "key",
    [
        KEY[:-1],
        KEY + "0",
        KEY.upper(),
        "02" + KEY[2:66],
        "00" + KEY[2:],
        KEY[:-1] + ("0" if KEY[-1] != "0" else "1"),
        "04" + "0" * 128,
        "04" + f"{PRIME + 5:064x}" + KEY[66:],
        KEY[:66] + "f" * 64,
    ],
    ids=["short", "long", "capitals", "compressed", "another mark", "beside the curve", "nothing", "x too large", "y"],
)
def test_r36_a_key_is_a_point_of_the_curve(key):
    assert Floor().reason(enrol(key=key)) == "terminal_key_wrong"


def test_r36_the_key_of_an_honest_browser_is_always_taken():
    for number in range(1, 100):
        assert kinds(Floor().ask(enrol(key=point_of(number)))) == [TerminalEnrolled]


def test_r36_a_point_is_written_in_one_way():
    """Modulo the prime x and x + p are the same; who checks signatures takes only the smaller."""
    x, y = next(
        (x, y)
        for x in range(1_000)
        for y in [pow(x**3 - 3 * x + B, (PRIME + 1) // 4, PRIME)]
        if (y * y - (x**3 - 3 * x + B)) % PRIME == 0
    )
    assert kinds(Floor().ask(enrol(key=f"04{x:064x}{y:064x}"))) == [TerminalEnrolled]
    assert Floor().reason(enrol(key=f"04{x + PRIME:064x}{y:064x}")) == "terminal_key_wrong"


def test_r36_two_persons_let_the_web_of_another_box_in_by_its_curve_key():
    floor = Floor()
    assert floor.ask(enrol("web-sur", WEB, "", web_key_of(1))) == (
        TerminalEnrolled("web-sur", WEB, "", web_key_of(1), "jefa", "ana"),
    )
    assert floor.reason(enrol("web-norte", WEB, "", web_key_of(1))) == "terminal_key_taken"
    assert floor.reason(enrol("web-norte", WEB, TABLE, web_key_of(2))) == "terminal_no_place"
    assert floor.reason(enrol("web-norte", WEB, "", KEY)) == "web_key_wrong"
    assert floor.reason(enrol("web-norte", WEB, "", web_key_of(2).upper())) == "web_key_wrong"
    assert floor.reason(enrol(key=web_key_of(2))) == "terminal_key_wrong"


def test_r36_a_far_web_counts_as_one_that_no_user_of_the_machine_is():
    assert web_user("ffffffff" + 56 * "0") == 2**33 - 1 and web_user(64 * "0") == 2**32


@pytest.mark.parametrize("number", [0, 1, FIELD - 1, FIELD, FIELD + 1, 2**255 + 9, 2**256 - 1])
def test_r36_no_web_has_a_key_that_anybody_could_prove_nor_one_written_in_another_way(number):
    assert Floor().reason(enrol("web-sur", WEB, "", number.to_bytes(32, "little").hex())) == "web_key_wrong"


@pytest.mark.parametrize(
    "key",
    [
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    ],
)
def test_r36_nor_one_of_the_small_group(key):
    assert Floor().reason(enrol("web-sur", WEB, "", key)) == "web_key_wrong"


def test_r36_each_terminal_has_a_key_of_its_own():
    floor = Floor()
    floor.ask(enrol())
    (refused,) = floor.ask(enrol("consola-2"))

    assert (refused.reason, refused.where) == ("terminal_key_taken", "key")
    assert refused.message == "Esa llave es de la terminal consola-1: cada una tiene la suya."


def test_r36_enrolled_anew_a_terminal_has_another_key_and_the_record_says_which_one_it_had():
    floor = Floor()
    floor.ask(enrol())
    (again,) = floor.ask(enrol(key=OTHER, by=LUIS, second=JEFE))
    assert again == TerminalEnrolled("consola-1", TABLE_USE, TABLE, OTHER, "luis", "jefe", replaces=KEY)
    (moved,) = floor.ask(enrol(use=CHIEF, place="", key=OTHER))
    assert moved.replaces == OTHER

    assert floor.state.terminals == {"consola-1": Terminal(CHIEF, "", OTHER)}
    assert kinds(floor.ask(enrol("consola-2"))) == [TerminalEnrolled], "the key it had is nobody's now"


def test_r36_the_same_terminal_again_is_nothing_new():
    floor = Floor()
    floor.ask(enrol())

    assert floor.ask(enrol(by=LUIS, second=JEFE)) == (NothingNew("una terminal"),)


@pytest.mark.parametrize("by", [JEFA, JEFE, ANA, LUIS])
def test_r36_one_chief_or_administrator_takes_a_terminal_away(by):
    floor = Floor()
    floor.ask(enrol())
    assert floor.ask(withdraw(by=by)) == (TerminalWithdrawn("consola-1", "se perdió", by.person),)

    assert floor.state.terminals == {}
    assert floor.reason(withdraw()) == "terminal_unknown"
    assert kinds(floor.ask(enrol())) == [TerminalEnrolled], "two let it in again"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (withdraw(by=CARLA), ("role_missing", "R-27", "by")),
        (withdraw(by=TITO), ("role_missing", "R-27", "by")),
        (withdraw(by=Signature("jefa", verified=False)), ("pin_wrong", "R-27", "by")),
        (withdraw("otra", " "), ("terminal_unknown", "R-36", "terminal")),
        (withdraw(reason=" \t"), ("reason_missing", "R-27", "reason")),
    ],
)
def test_r36_a_terminal_is_not_taken_away_by_whoever_nor_without_a_reason(asked, found):
    floor = Floor()
    floor.ask(enrol())

    assert refusal(floor, asked) == found
    assert floor.state.terminals


def test_r36_a_terminal_is_taken_away_in_the_middle_of_a_pass():
    floor = Floor()
    floor.ask(enrol())
    floor.sealed({1: 2})

    assert kinds(floor.ask(withdraw())) == [TerminalWithdrawn]


def test_r36_terminals_are_bounded_and_one_that_is_there_can_have_another_key_all_the_same():
    floor = Floor()
    for number in range(1, MOST_TERMINALS + 1):
        floor.ask(enrol(f"t{number}", key=point_of(number)))
    assert len(floor.state.terminals) == MOST_TERMINALS == 256

    (refused,) = floor.ask(enrol("otra", key=point_of(1_000)))
    assert (refused.reason, refused.where) == ("terminals_full", "terminal")
    assert kinds(floor.ask(enrol("t7", key=point_of(1_000)))) == [TerminalEnrolled]
    floor.ask(withdraw("t8"))
    assert kinds(floor.ask(enrol("otra", key=point_of(1_001)))) == [TerminalEnrolled]
