"""Every rule number has pure code that names it and a test that names it; three lists, compared.

The list is docs/rules-index.md: one row a rule, with what it is and where it lives. `../shared/rules.md`, the
page the rules come from, is compared too where it is at hand.
"""

import ast
import re

import pytest

from support.places import ROOT

RULE = re.compile(r"\bR-(\d+)\b")
INDEX = ROOT / "docs/rules-index.md"
ORIGIN = ROOT.parent / "shared/rules.md"


def rows():
    """rule number -> (what, where it lives)"""
    return {
        int(number): (what.strip(), where.strip())
        for number, what, where in re.findall(r"^\| R-(\d+) \|([^|]*)\|([^|]*)\|$", INDEX.read_text(), re.MULTILINE)
    }


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
    assert sorted(rows()) == list(range(1, 35))
    assert INDEX.read_text().count("\n| R-") == 34


def test_the_index_is_the_rules_page():
    if not ORIGIN.exists():
        pytest.skip("shared/rules.md is absent: a clone alone does not have it")
    bold = {int(number) for number in re.findall(r"\*\*R-(\d+)\*\*", ORIGIN.read_text())}
    tables = {
        int(number)
        for number in re.findall(r"^\| R-(\d+) \| (?:modality|Color|setting)", ORIGIN.read_text(), re.MULTILINE)
    }

    assert bold | tables == set(rows())


def test_every_rule_has_code_and_a_test_and_none_is_named_that_is_not_listed():
    assert set(rows()) - named_in_code() == set(), "listed, but no code names it"
    assert set(rows()) - named_in_tests() == set(), "listed, but no test names it"
    assert named_in_code() <= set(rows())
    assert named_in_tests() <= set(rows())


@pytest.mark.parametrize("number", range(1, 35))
def test_the_files_named_in_the_index_name_the_rule(number):
    _, where = rows()[number]
    for name in re.findall(r"`((?:rules|core)/\w+\.py)`", where):
        assert f"R-{number}" in [f"R-{found}" for found in RULE.findall((ROOT / "controller" / name).read_text())], name
