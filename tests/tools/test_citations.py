"""Every citation leads somewhere: pages, sections, rules, decisions, files, functions, clauses of the contract.

Code and documents cite each other as `devices.md 2.6`, `design.md, Money`, `(2.3 C)` (the device contract, in drivers and
simulated devices), `R-17`, `D-4`, `core/seats.py:report`, `tests/tools/` or `[text](page.md)`. A citation that leads nowhere
is worse than none: it sends a tired stranger looking.
"""

import ast
import re
import subprocess

import pytest

from support.citations import (
    AWAITED,
    CONTRACT,
    NAMES_OURS,
    SPEAKS_OF_THE_CONTRACT,
    TREES,
    clauses,
    dangling_clauses,
    dangling_decisions,
    dangling_files,
    dangling_folders,
    dangling_links,
    dangling_modules,
    dangling_names,
    dangling_pages,
    dangling_rules,
    dangling_sections,
    dangling_types,
    readable,
    said_in,
    text_of,
    tracked,
)
from support.places import ROOT

NOT_WORTH_A_LINE = {"tests/sim", "tests/foreign", "tests/corpus", "docs/examples"}


def of_all(look, names, read=text_of):
    return [one for name in names for one in look(name, read(name))]


@pytest.mark.parametrize("look", [dangling_pages, dangling_rules, dangling_files, dangling_folders, dangling_decisions])
def test_what_code_and_documents_cite_is_there(look):
    assert not (found := of_all(look, readable())), "\n".join(found)


def test_links_lead_somewhere():
    assert of_all(dangling_links, [name for name in readable() if name.endswith(".md")]) == []


def test_functions_that_are_named_are_there():
    """`module.function` or `Class.method`: in documents, and in what the package docstrings say."""
    named = [name for name in readable() if name in NAMES_OURS or name.endswith("/__init__.py")]

    assert not (found := of_all(dangling_names, named)), "\n".join(found)


def test_sections_of_the_device_contract_are_there():
    sources = [name for name in readable() if name.endswith(".py") and name.startswith(SPEAKS_OF_THE_CONTRACT)]

    assert of_all(dangling_sections, sources, said_in) == []


@pytest.mark.parametrize("look", [dangling_modules, dangling_types])
def test_modules_and_types_that_comments_name_are_there(look):
    found = of_all(look, [name for name in readable() if name.endswith(".py")], said_in)

    assert not found, "\n".join(found)


def test_clauses_of_the_examination_are_there():
    sources = [name for name in readable() if name.startswith(SPEAKS_OF_THE_CONTRACT) or name in CONTRACT]

    assert len(clauses()) > 50
    assert of_all(dangling_clauses, sources) == []


def test_the_readme_and_the_design_name_every_folder():
    """And no other: a list of folders that is not true is worse than none."""
    source = (ROOT / "README.md").read_text().split("## Source")[1].split("```")[1]
    tree = (ROOT / "docs/design.md").read_text().split("## Folders and who may import whom")[1].split("```")[1]
    folders = {tuple(name.split("/")[:2]) for name in tracked() if name.count("/") > 1 and name.startswith(TREES)}

    assert {"/".join(one) for one in folders if one[1] not in re.findall(r"\w+", source)} <= NOT_WORTH_A_LINE
    assert {"/".join(one) for one in folders if one[1] not in re.findall(r"\w+", tree)} <= NOT_WORTH_A_LINE
    for name in re.findall(rf"(?:{'|'.join(TREES)})/[\w/.]*", source):
        assert (ROOT / name).exists(), name


LISTED = re.compile(r"^(?: {4})?((?:\w+, )*\w+) {2,}\S", re.MULTILINE)
LISTS = [
    init
    for init in sorted(path for tree in TREES[:3] for path in (ROOT / tree).rglob("__init__.py"))
    if LISTED.search(ast.get_docstring(ast.parse(init.read_text())) or "")
]


@pytest.mark.parametrize("init", LISTS, ids=lambda init: init.parent.name)
def test_a_package_that_lists_its_parts_lists_them_all(init):
    text = ast.get_docstring(ast.parse(init.read_text()))
    listed = [part for row in LISTED.findall(text) for part in row.split(", ")]
    parts = {one.stem for one in init.parent.iterdir() if one.suffix == ".py" or (one / "__init__.py").exists()}

    assert sorted(listed) == sorted(parts - {"__init__", "__main__"})


def test_decisions_are_in_order_and_overtaken_by_later_ones():
    text = (ROOT / "docs/decisions.md").read_text()
    entries = re.findall(r"^\*\*D-(\d+) · (\d{4}-\d\d-\d\d) · ", text, re.MULTILINE)

    numbers = [int(number) for number, _ in entries]
    assert numbers == sorted(set(numbers)), "a session beside others has a range of its own: gaps are none"
    assert [day for _, day in entries] == sorted(day for _, day in entries)
    for number, later in re.findall(r"^\*\*D-(\d+) [^\n]*\(superseded by D-(\d+)\)", text, re.MULTILINE):
        assert int(number) < int(later) and int(later) in numbers


def test_the_glossary_has_each_word_once():
    rows = re.findall(r"^\| ([^|]+?) \|.*\|$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    words = [word for row in rows if row not in {"word", "---"} for word in row.split(", ")]

    assert sorted(words) == sorted(set(words))


@pytest.mark.process
def test_commits_that_figures_were_measured_at_are_in_the_history():
    cited = {
        one for name in readable() if name.endswith(".md") for one in re.findall(r"`([0-9a-f]{7})`", text_of(name))
    }
    known = subprocess.run(
        ["git", "cat-file", "--batch-check"],
        cwd=ROOT, input="\n".join(sorted(cited)), capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip

    assert len(known.splitlines()) == len(cited)
    assert [line for line in known.splitlines() if line.endswith(" missing")] == []


def test_what_documents_tell_to_make_can_be_made():
    files = (ROOT / "Makefile", ROOT / "firmware_sim/reference/Makefile")
    made = {name for file in files for name in re.findall(r"^([a-z]+):", file.read_text(), re.MULTILINE)}
    for name in readable():
        if name.endswith(".md"):
            told = re.findall(r"(?:`|^)make ([a-z]+)(?![a-z/])", (ROOT / name).read_text(), re.MULTILINE)
            assert set(told) <= made, name


def test_what_is_awaited_has_not_come_yet():
    assert [page for page in AWAITED if (ROOT / page).exists()] == [], "it has come: strike it from AWAITED"


WRONG = [
    (dangling_pages, "as devises.md says"),
    (dangling_pages, "(devices.md 2.9.9)"),
    (dangling_pages, "(devices.md 2.5, 7.1)"),
    (dangling_pages, "device-contract.md 2.3 X"),
    (dangling_pages, "(design.md, Munny)"),
    (dangling_links, "[the rules](rulez.md)"),
    (dangling_links, "[a picture](docs/no-such.svg)"),
    (dangling_rules, "R-38 says so"),
    (dangling_rules, "R-0"),
    (dangling_sections, "(2.3 B)"),
    (dangling_sections, "(2.2, 4.11)"),
    (dangling_files, "see core/no_such_file.py for it"),
    (dangling_files, "core/seats.py:no_such_function"),
    (dangling_files, "view.py"),  # two of them, neither beside the one that cites
    (dangling_folders, "`controller/audit`"),
    (dangling_folders, "`controller/cli*.py`"),
    (dangling_names, "`settlement.setle`"),
    (dangling_decisions, "D-9999 says why"),
    (dangling_modules, "as controller.core.seats.no_such has it"),
    (dangling_modules, "controller.audit"),
    (dangling_types, "a `NoSuchThing` is made"),
    (dangling_clauses, "2.4-no-such-clause"),
]
RIGHT = [
    (dangling_pages, "(devices.md 2.5, 2.6; device-contract.md 2.3 C), docs/rules.md and (design.md, Money)"),
    (dangling_pages, "devices.md 2.1.6, 4.10 and devices.md, section 4"),
    (dangling_links, "[the rules](docs/rules.md) [elsewhere](https://example.org/x.md)"),
    (dangling_rules, "R-1, R-37"),
    (dangling_sections, "(2.3 C) (2.1.4, 4.1) (after 1.5 characters)"),
    (dangling_files, "rules/settlement.py:settle, controller/core/machine.py and tests/tools/test_tidy.py:MAY_IMPORT"),
    (dangling_folders, "`controller/verify/` `drivers/conformance/clauses/*.py`"),
    (dangling_names, "`settlement.settle` `Book.take` `gc.freeze`"),
    (dangling_clauses, "2.3-K-session"),
    (dangling_modules, "drivers.model.SeatSeen, controller.core and support.places.ROOT"),
    (dangling_types, "a `NativeUnit` or a `TypeVar`"),
]


@pytest.mark.parametrize(("look", "text"), WRONG, ids=[text for _, text in WRONG])
def test_a_wrong_citation_is_found(look, text):
    assert len(list(look("README.md", text))) == 1


@pytest.mark.parametrize(("look", "text"), RIGHT, ids=[text for _, text in RIGHT])
def test_a_right_one_is_not(look, text):
    assert list(look("README.md", text)) == []
