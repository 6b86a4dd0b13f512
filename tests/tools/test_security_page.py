"""docs/operators/security.md: the table "who can do what alone" has no empty cell, and each cell a proof that exists."""

import ast
import re

import pytest

from support.places import ROOT

PAGE = (ROOT / "docs/operators/security.md").read_text()
PART = PAGE.split("## Who can do what alone\n")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PART.splitlines() if line.startswith("|")]
NOTES = {
    code: " ".join(text.split())
    for code, text in re.findall(r"^- \*\*([PSN]\d+)\*\* (.*?)(?=^- \*\*|\Z)", PART, re.MULTILINE | re.DOTALL)
}
STORIES = {int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}
WHO = ["croupier", "chief", "technician", "administrator", "member of the group", "root", "thief of the disk", "vendor"]


def cited(note):
    return re.findall(r"`(tests/[\w/]+\.py):(\w+)`", note)


def stories(note):
    """`stories 1 to 3, 5`: all of them."""
    found = set()
    for said in re.findall(r"stor(?:y|ies) ((?:\d+(?: to \d+)?(?:, | and )?)+)", note):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", said):
            found |= set(range(int(first), int(last or first) + 1))
    return found


def test_everybody_has_his_row_and_every_cell_says_something():
    header, _, *rows = ROWS

    assert [row[0] for row in rows] == WHO and len(header) >= 10
    for row in rows:
        assert len(row) == len(header), row[0]
        assert all(re.fullmatch(r"[PSN]\d+( [PSN]\d+)*", cell) for cell in row[1:]), row


def test_what_the_cells_name_is_explained_and_nothing_else():
    used = {code for row in ROWS[2:] for cell in row[1:] for code in cell.split()}

    assert used == set(NOTES)


@pytest.mark.parametrize("code", sorted(NOTES))
def test_a_proof_is_there_or_how_it_is_seen(code):
    note = NOTES[code]
    if code.startswith("N"):
        assert " Seen: " in note, note
        return
    assert cited(note) or stories(note), note
    assert stories(note) <= STORIES
    for file, name in cited(note):
        tree = ast.parse((ROOT / file).read_text())
        tests = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
        assert name in tests and name.startswith("test_"), f"{file}:{name}"
