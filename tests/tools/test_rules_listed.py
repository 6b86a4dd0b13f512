"""Every rule number has pure code that names it and a test that names it; three lists, compared.

The list is docs/rules-index.md: one row a rule, with what it is, where it lives, and whether its second reading is
still open. Only a rule whose second reading is open may live nowhere yet.
"""

import ast
import re

import pytest

from support.places import ROOT

RULE = re.compile(r"\bR-(\d+)\b")
INDEX = ROOT / "docs/rules-index.md"
LAW = ROOT / "docs/rules.md"
ROW = re.compile(r"^\| R-(\d+) \|([^|]*)\|([^|]*)\| (open|-) \|$", re.MULTILINE)
ROWS = {int(number): (what, where) for number, what, where, _ in ROW.findall(INDEX.read_text())}
OPEN = {int(number) for number, _, _, reading in ROW.findall(INDEX.read_text()) if reading == "open"}
AWAITED = {number for number, (_, where) in ROWS.items() if where == " - "}


def named_in_code():
    files = [*(ROOT / "controller/rules").glob("*.py"), *(ROOT / "controller/core").glob("*.py")]
    return {int(number) for path in files if path.name != "__init__.py" for number in RULE.findall(path.read_text())}


def named_in_tests():
    """A test names its rules in its own name: test_r17_r33_..., test_r11_to_r19_..."""
    named = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named |= {int(number) for number in re.findall(r"(?:^|_)r(\d+)(?=_)", node.name)}
                for first, last in re.findall(r"_r(\d+)_to_r(\d+)_", node.name):
                    named |= set(range(int(first), int(last) + 1))
    return named


def test_the_index_lists_every_rule_once():
    assert list(ROWS) == list(range(1, 38))
    assert INDEX.read_text().count("\n| R-") == 37


def test_the_index_is_the_rules_page():
    bold = {int(number) for number in re.findall(r"\*\*R-(\d+)\*\*", LAW.read_text())}
    tables = {
        int(number)
        for number in re.findall(r"^\| R-(\d+) \| (?:modality|Color|setting)", LAW.read_text(), re.MULTILINE)
    }

    assert bold | tables == set(ROWS)


def test_what_the_second_reading_changed_is_what_may_be_open():
    paragraph = re.search(r"\*\*Second reading, .*?\n\n", LAW.read_text(), re.DOTALL)
    assert paragraph
    named, new = paragraph[0].split(" changed, ")
    first, last = re.findall(r"R-(\d+)", new)

    assert {int(number) for number in RULE.findall(named)} | set(range(int(first), int(last) + 1)) >= OPEN


def test_every_rule_has_code_and_a_test_and_none_is_named_that_is_not_listed():
    assert set(ROWS) - named_in_code() <= AWAITED, "listed, but no code names it"
    assert set(ROWS) - named_in_tests() <= AWAITED, "listed, but no test names it"
    assert named_in_code() <= set(ROWS)
    assert named_in_tests() <= set(ROWS)
    assert AWAITED <= OPEN, "lives nowhere, and nothing says that it is still to come"


@pytest.mark.parametrize("number", sorted(ROWS))
def test_the_files_named_in_the_index_name_the_rule(number):
    _, where = ROWS[number]
    for name in re.findall(r"`((?:rules|core)/\w+\.py)`", where):
        assert f"R-{number}" in [f"R-{found}" for found in RULE.findall((ROOT / "controller" / name).read_text())], name
