"""Every rule number has code, a test, a fact and a report that name it; the lists are compared both ways.

The list is docs/rules-index.md, in two tables: one row a rule, with what it is, where it lives, and whether its second
reading is still open; and one row a rule with its tests, its facts and where it is read. Only a rule whose second
reading is open may live nowhere yet. What a fact or a report names and the list does not is as wrong as the contrary.
"""

import ast
import re
from pathlib import Path

import pytest

from controller.report.figures import CATALOGUE, SECTIONS
from support.places import ROOT

RULE = re.compile(r"\bR-(\d+)\b")
INDEX = ROOT / "docs/rules-index.md"
LAW = ROOT / "docs/rules.md"
ROW = re.compile(r"^\| R-(\d+) \|([^|]*)\|([^|]*)\| (open|-) \|$", re.MULTILINE)
ROWS = {int(number): (what, where) for number, what, where, _ in ROW.findall(INDEX.read_text())}
OPEN = {int(number) for number, _, _, reading in ROW.findall(INDEX.read_text()) if reading == "open"}
AWAITED = {number for number, (_, where) in ROWS.items() if where == " - "}


def named_in_code():
    files = [*(ROOT / "controller/rules").rglob("*.py"), *(ROOT / "controller/core").rglob("*.py")]
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
    assert INDEX.read_text().count("\n| R-") == 2 * 37


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
    for name in re.findall(r"`([\w/]+\.py)`", where):
        assert f"R-{number}" in [f"R-{found}" for found in RULE.findall((ROOT / "controller" / name).read_text())], name


# ------------------------------------------------------------------------------------ on record, and in reports

KEPT = re.compile(r"^\| R-(\d+) \|([^|]*)\|([^|]*)\|([^|]*)\|$", re.MULTILINE)
WORD = re.compile(r"`([^`]+)`")
WITNESS = {int(n): [WORD.findall(column) for column in columns] for n, *columns in KEPT.findall(INDEX.read_text())}
RANGE = re.compile(r"\bR-(\d+) (?:a|to) R-(\d+)\b")
EVERY_MOVEMENT = 27
"""R-27: the rule of a fact that rests on no other."""


def cited(text: str) -> set[int]:
    """Every rule that a text names, those within a range too."""
    between = (set(range(int(first), int(last) + 1)) for first, last in RANGE.findall(text))
    return {int(number) for number in RULE.findall(text)}.union(*between)


def sources(*names: str) -> str:
    paths: list[Path] = []
    for name in names:
        place = ROOT / "controller" / name
        paths += sorted(place.glob("*.py")) if place.is_dir() else [place]
    return "".join(path.read_text() for path in paths)


def rules_of_facts() -> dict[str, set[int]]:
    """By kind: what its docstring says it is the record of."""
    found: dict[str, set[int]] = {}
    for node in ast.parse(sources("core/facts.py")).body:
        for keyword in node.keywords if isinstance(node, ast.ClassDef) else ():
            if keyword.arg == "tag" and isinstance(keyword.value, ast.Constant):
                found[str(keyword.value.value)] = cited(ast.get_docstring(node) or "") or {EVERY_MOVEMENT}
    return found


def rules_of_reports() -> dict[str, set[int]]:
    """By the place where it is read: a section of the reports, an explanation, the approval sheet, a sign."""
    found = {section: cited(title) for section, title in SECTIONS.items()}
    for key, figure in CATALOGUE.items():
        found[key.split(".")[0]] |= cited(figure.label)
    found["explain"] = cited(sources("explain", "spanish/names.py"))
    found["sheet"] = cited(sources("approval/terms.py", "approval/sheet.py"))
    found["signs"] = cited(sources("node/signs"))
    return found


def rows(found: dict[str, set[int]]) -> dict[int, set[str]]:
    return {number: {name for name, rules in found.items() if number in rules} for number in ROWS}


def test_the_second_table_lists_every_rule_once():
    assert list(WITNESS) == list(ROWS)


@pytest.mark.parametrize("number", sorted(ROWS))
def test_every_rule_has_a_test_in_the_files_that_are_named_for_it(number):
    tests, _, _ = WITNESS[number]
    assert tests or number in AWAITED, "no test is named"
    for name in tests:
        text = (ROOT / "tests" / name).read_text()
        assert re.search(rf"def test_\w*?(?<![a-z])r{number}(?=_)", text), name


def test_every_rule_has_the_facts_that_say_they_are_its_record_and_no_others():
    assert {number: set(facts) for number, (_, facts, _) in WITNESS.items()} == rows(rules_of_facts())
    assert all(facts for _, facts, _ in WITNESS.values()), "a rule of which nothing is on record"


def test_every_rule_is_read_where_a_report_names_it_and_nowhere_else():
    assert {number: set(reports) for number, (_, _, reports) in WITNESS.items()} == rows(rules_of_reports())
    assert all(reports for _, _, reports in WITNESS.values()), "a rule that nobody reads of"
