"""Every citation leads somewhere: pages, sections, rules, decisions, files, functions, clauses of the contract.

Code and documents cite each other as `devices.md 2.6`, `design.md, Money`, `(2.3 C)` (the device contract, in drivers and
simulated devices), `R-17`, `D-4`, `core/seats.py:report`, `tests/tools/` or `[text](page.md)`. A citation that leads nowhere
is worse than none: it sends a tired stranger looking. What git tracks is read, and each citation is looked up.
"""

import ast
import functools
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.places import ROOT

pytestmark = pytest.mark.process

OURSELVES = Path(__file__).relative_to(ROOT).as_posix()
LAW_TEXTS = "docs/seeds/"  # the law itself, word for word: it cites other laws
READ = (".py", ".md", ".toml", ".sh", ".service", ".rules", ".c", ".js", "Makefile")
CONTRACT = ("docs/device-contract.md", "docs/devices.md")
SPEAKS_OF_THE_CONTRACT = (
    "drivers/",
    "firmware_sim/",
    "tests/drivers/",
    "tests/sim/",
    "tests/support/drivers/",
    "tests/support/sim/",
)
TREES = ("controller", "drivers", "firmware_sim", "tests", "docs", "config", "systemd")
NOT_WORTH_A_LINE = {"tests/sim", "tests/foreign", "tests/corpus", "docs/examples"}
COMMON_NAMES = {"__init__.py", "conftest.py"}  # every folder has its own
AWAITED = {"docs/tour.md"}  # cited already, and on its way
MAKE_AWAITED = {"unit"}

SECTION = r"[1-9](?:\.\d{1,2}){0,2}(?: [A-Z](?![\w-]))?"
SECTIONS = rf"{SECTION}(?:(?:, |-| and | to |; |,? «Also»,? ?){SECTION})*"
PAGE = re.compile(rf"(?<![\w/.-])((?:[\w.-]+/)*[\w-]+\.md)\b(?:\)?,? (?:sections? )?({SECTIONS}))?")
TITLE = re.compile(r"\b((?:[\w.-]+/)*[\w-]+\.md),? [\"«]?([A-Z][A-Za-z]+(?: [a-z]+)*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
IN_PARENTHESES = re.compile(rf"\((?=R-|contract|\d\.)(?:R-\d+, |contract )*({SECTIONS})(?=[,;:)])")
FILE = re.compile(r"(?<![\w*}<>/.-])((?:[\w.-]+/)*\w[\w-]*\.py)\b(?::([A-Za-z_]\w*(?:\.\w+)*))?")
FOLDER = re.compile(rf"`((?:{'|'.join(TREES)})/[\w./*-]*)`")
DOTTED = re.compile(r"`(\w+)\.(\w+)(?:\(\))?`")
# Pages whose `module.function` are ours; elsewhere such words are keys of settings and messages.
ENDINGS = {"md", "py", "toml", "sh", "txt", "svg", "json"}
NAMES_OURS = ("docs/decisions.md", "docs/contributing.md", "docs/design.md", "docs/glossary.md", "docs/tour.md")


@functools.cache
def tracked() -> tuple[str, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    if not listed:
        pytest.skip("not a git checkout: git is the peer that lists the files")
    return tuple(name for name in listed if (ROOT / name).exists())


@functools.cache
def text_of(name: str) -> str:
    """A file in one line, without the marks of comments; of decisions, only those that are still in force."""
    text = (ROOT / name).read_text()
    if name == "docs/decisions.md":
        text = "\n\n".join(entry for entry in text.split("\n\n") if "(superseded by D-" not in entry)
    return re.sub(r"[ \t]*\n[ \t]*(?:#+ |// |\* )?", " ", text)


def readable() -> list[str]:
    return [name for name in tracked() if name.endswith(READ) and name != OURSELVES and not name.startswith(LAW_TEXTS)]


@functools.cache
def said_in(name: str) -> str:
    """What a source file says in comments and strings, without its code."""
    source = (ROOT / name).read_text()
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    words = [token.string for token in tokens if token.type in {tokenize.COMMENT, tokenize.STRING}]
    return re.sub(r"\s*\n\s*#? *", " ", "\n".join(words))


@functools.cache
def pages() -> dict[str, list[str]]:
    """Name of a page -> where it stands."""
    found: dict[str, list[str]] = {}
    for name in tracked():
        if name.endswith(".md"):
            found.setdefault(Path(name).name, []).append(name)
    return found


def page_at(cited: str, home: str) -> str | None:
    """The page that is meant: from the root, beside the file that cites it, or the only one of that name."""
    beside = (ROOT / home).parent / cited
    if (ROOT / cited).is_file():
        return cited
    if beside.is_file():
        return beside.resolve().relative_to(ROOT).as_posix()
    places = pages().get(cited, [])
    return places[0] if len(places) == 1 else None


@functools.cache
def sections(page: str) -> frozenset[str]:
    """Numbers of headings, letters below them (`2.3 C`), bold numbers (`4.10`), and points of a numbered list (`2.1.6`)."""
    found: set[str] = set()
    number = ""
    for line in (ROOT / page).read_text().splitlines():
        if heading := re.match(r"#+ (\d+(?:\.\d+)*)[. ]", line):
            number = heading[1]
            found.add(number)
        elif letter := re.match(r"#+ ([A-Z]): ", line):
            found.add(f"{number} {letter[1]}")
        elif bold := re.match(r"- \*\*(\d\.\d+)\b", line):
            found.add(bold[1])
        elif point := re.match(r"(\d)\. \*\*", line):
            found.add(f"{number}.{point[1]}")
    return frozenset(found)


@functools.cache
def titles(page: str) -> frozenset[str]:
    return frozenset(re.findall(r"^#+ (.*)$", (ROOT / page).read_text(), re.MULTILINE))


@functools.cache
def contract_sections() -> frozenset[str]:
    return frozenset().union(*(sections(page) for page in CONTRACT if (ROOT / page).exists()))


def numbers(cited: str) -> list[str]:
    return re.findall(SECTION, cited)


@functools.cache
def files_named(name: str) -> tuple[str, ...]:
    return tuple(one for one in tracked() if one == name or one.endswith(f"/{name}"))


def file_at(cited: str, home: str) -> str | None:
    """The source file that is meant: from the root, beside the one that cites it, or the only one that ends so."""
    for start in ("", f"{Path(home).parent}/", f"{Path(home).parents[1] if len(Path(home).parents) > 1 else ''}/"):
        if (ROOT / f"{start}{cited}").is_file():
            return f"{start}{cited}"
    ours = [one for one in files_named(cited) if not one.startswith("tests/")] or list(files_named(cited))
    return ours[0] if len(ours) == 1 else None


@functools.cache
def names_in(path: str) -> frozenset[str]:
    """Everything a source file defines: functions, classes, their methods and fields, constants."""

    def walk(body: list[ast.stmt], prefix: str) -> Iterator[str]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield prefix + node.name
                if isinstance(node, ast.ClassDef):
                    yield from walk(node.body, f"{prefix}{node.name}.")
                    yield from (f"{prefix}{node.name}.{attribute}" for attribute in attributes(node))
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (
                    prefix + one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
                )

    def attributes(node: ast.ClassDef) -> Iterator[str]:
        for one in ast.walk(node):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self":
                yield one.attr

    return frozenset(walk(ast.parse((ROOT / path).read_text()).body, ""))


def dangling_pages(name: str, text: str) -> Iterator[str]:
    for cited, numbered in PAGE.findall(text):
        page = page_at(cited, name)
        if page is None and cited not in AWAITED:
            yield f"{name}: {cited} is no page"
        elif numbered and page in CONTRACT:
            known = sections(page) | (sections(CONTRACT[0]) if page == CONTRACT[1] else frozenset())
            yield from (f"{name}: {cited} has no section {one}" for one in numbers(numbered) if one not in known)
    for cited, words in TITLE.findall(text):
        page = page_at(cited, name)
        if page is not None and not any(words.startswith(title) or title.startswith(words) for title in titles(page)):
            yield f"{name}: {cited} has no heading {words!r}"


def dangling_links(name: str, text: str) -> Iterator[str]:
    for target in LINK.findall(text):
        if (
            not target.startswith(("http:", "https:", "#"))
            and not ((ROOT / name).parent / target.split("#")[0]).exists()
        ):
            yield f"{name}: the link {target} leads nowhere"


def dangling_sections(name: str, said: str) -> Iterator[str]:
    for cited in IN_PARENTHESES.findall(said):
        yield from (f"{name}: ({cited}), no section {one}" for one in numbers(cited) if one not in contract_sections())


@functools.cache
def rules() -> frozenset[str]:
    return frozenset(
        re.findall(
            r"R-(\d+)",
            " ".join(re.findall(r"\*\*R-\d+\*\*|^\| R-\d+", (ROOT / "docs/rules.md").read_text(), re.MULTILINE)),
        )
    )


def dangling_rules(name: str, text: str) -> Iterator[str]:
    yield from (f"{name}: there is no rule R-{one}" for one in re.findall(r"\bR-(\d+)\b", text) if one not in rules())


def dangling_files(name: str, text: str) -> Iterator[str]:
    for cited, function in FILE.findall(text):
        if cited in COMMON_NAMES:
            continue
        path = file_at(cited, name)
        if path is None:
            yield f"{name}: {cited} is no file, or several"
        elif function and function not in names_in(path):
            yield f"{name}: {path} has no {function}"


def dangling_folders(name: str, text: str) -> Iterator[str]:
    for cited in FOLDER.findall(text):
        if not (any(ROOT.glob(cited)) if "*" in cited else (ROOT / cited).exists()):
            yield f"{name}: {cited} does not exist"


@functools.cache
def members() -> dict[str, frozenset[str]]:
    """`module.function` and `Class.method` of the product, as documents name them."""
    found: dict[str, set[str]] = {}
    for path in tracked():
        if path.endswith(".py") and not path.startswith("tests/"):
            found.setdefault(Path(path).stem, set()).update(names_in(path))
            for one in names_in(path):
                owner, _, member = one.rpartition(".")
                known = found.setdefault(owner or one, set())
                if owner:
                    known.add(member)
    return {owner: frozenset(known) for owner, known in found.items()}


def dangling_names(name: str, text: str) -> Iterator[str]:
    for owner, member in DOTTED.findall(text):
        known = members().get(owner)
        if known is None and (owner in sys.stdlib_module_names or name not in NAMES_OURS):
            continue  # `pot.main` is a key of a message, `seat.image` an argument
        if member not in ENDINGS and member not in (known or ()):
            yield f"{name}: there is no {owner}.{member}"


CLAUSE = re.compile(r"(?<![\w.])(2\.\d)-([A-Z](?=-))?[\w-]*[a-z][\w-]*")


@functools.cache
def clauses() -> frozenset[str]:
    """The ids of the clauses that `pozo device test` walks."""
    found = set()
    for path in sorted((ROOT / "drivers/conformance").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "clause":
                found |= {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
    return frozenset(found)


def dangling_clauses(name: str, text: str) -> Iterator[str]:
    for match in CLAUSE.finditer(text):
        if match[0] not in clauses():
            yield f"{name}: there is no clause {match[0]}"
        section = f"{match[1]} {match[2]}" if match[2] else match[1]
        if section not in contract_sections():
            yield f"{name}: the clause {match[0]} opens with no section of the contract"


@functools.cache
def decisions() -> frozenset[str]:
    return frozenset(re.findall(r"\*\*D-(\d+) ", (ROOT / "docs/decisions.md").read_text()))


def dangling_decisions(name: str, text: str) -> Iterator[str]:
    yield from (
        f"{name}: there is no decision D-{one}" for one in re.findall(r"\bD-(\d+)\b", text) if one not in decisions()
    )


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

    assert [int(number) for number, _ in entries] == list(range(1, len(entries) + 1))
    assert [day for _, day in entries] == sorted(day for _, day in entries)
    for number, later in re.findall(r"^\*\*D-(\d+) [^\n]*\(superseded by D-(\d+)\)", text, re.MULTILINE):
        assert int(number) < int(later) <= len(entries)


def test_the_glossary_has_each_word_once():
    rows = re.findall(r"^\| ([^|]+?) \|.*\|$", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    words = [word for row in rows if row not in {"word", "---"} for word in row.split(", ")]

    assert sorted(words) == sorted(set(words))


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
    made = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)) | MAKE_AWAITED
    for name in readable():
        if name.endswith(".md"):
            assert set(re.findall(r"(?:`|^)make ([a-z]+)", (ROOT / name).read_text(), re.MULTILINE)) <= made, name


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
    (dangling_clauses, "2.4-no-such-clause"),
]
RIGHT = [
    (dangling_pages, "(devices.md 2.5, 2.6; device-contract.md 2.3 C), docs/rules.md and (design.md, Money)"),
    (dangling_pages, "devices.md 2.1.6, 4.10 and devices.md, section 4"),
    (dangling_links, "[the rules](docs/rules.md) [elsewhere](https://example.org/x.md)"),
    (dangling_rules, "R-1, R-37"),
    (dangling_sections, "(2.3 C) (2.1.4, 4.1) (after 1.5 characters)"),
    (dangling_files, "rules/settlement.py:settle, controller/core/machine.py and tests/tools/test_tidy.py:MAY_IMPORT"),
    (dangling_folders, "`controller/verify/` `drivers/conformance/clauses_*.py`"),
    (dangling_names, "`settlement.settle` `Book.take` `gc.freeze`"),
    (dangling_clauses, "2.3-K-session"),
]


@pytest.mark.parametrize(("look", "text"), WRONG, ids=[text for _, text in WRONG])
def test_a_wrong_citation_is_found(look, text):
    assert len(list(look("README.md", text))) == 1


@pytest.mark.parametrize(("look", "text"), RIGHT, ids=[text for _, text in RIGHT])
def test_a_right_one_is_not(look, text):
    assert list(look("README.md", text)) == []
