"""Looking up what code and documents cite; tests/tools/test_citations.py asks it of every file.

Theory. A citation is found by its form (`devices.md 2.6`, `R-17`, `core/seats.py:report` ...), and each form has one function
`dangling_...` that says which of them lead nowhere. A page is meant from the root, beside the file that cites it, or as the
only one of its name; so is a file. Comments and strings of a source file are read apart from its code where the code
could look like a citation.
"""

import ast
import functools
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from support.places import ROOT

NOT_READ = {"tests/tools/test_citations.py"}  # it has wrong ones on purpose
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
COMMON_NAMES = {"__init__.py", "conftest.py"}  # every folder has its own
AWAITED: set[str] = set()  # cited already, and on its way

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
    """The files of the project, without asking git."""
    inside = (path for tree in TREES for path in (ROOT / tree).rglob("*") if "__pycache__" not in path.parts)
    found = [*inside, *(path for path in ROOT.iterdir() if path.suffix in {".md", ".toml"} or path.name == "Makefile")]
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in found if path.is_file()))


@functools.cache
def text_of(name: str) -> str:
    """A file in one line, without the marks of comments; of decisions, only those that are still in force."""
    text = (ROOT / name).read_text()
    if name == "docs/decisions.md":
        text = "\n\n".join(entry for entry in text.split("\n\n") if "(superseded by D-" not in entry)
    return re.sub(r"[ \t]*\n[ \t]*(?:#+ |// |\* )?", " ", text)


def readable() -> list[str]:
    return [name for name in tracked() if name.endswith(READ) and name not in NOT_READ]


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


MODULE = re.compile(r"(?<![\w./\"'])((?:controller|drivers|firmware_sim|support)(?:\.[A-Za-z_]\w*)+)")
TYPE = re.compile(r"(?<!`)`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`(?!`)")


def is_module(cited: str) -> bool:
    """A package or a module, perhaps with a name that it defines."""
    parts = (["tests"] if cited.startswith("support.") else []) + cited.split(".")
    for end in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:end])
        if place.is_dir():
            return end == len(parts)
        if place.with_suffix(".py").exists():
            path = place.with_suffix(".py").relative_to(ROOT).as_posix()
            return end == len(parts) or ".".join(parts[end:]) in names_in(path)
    return False


def dangling_modules(name: str, said: str) -> Iterator[str]:
    yield from (f"{name}: there is no {one}" for one in MODULE.findall(said) if not is_module(one.rstrip(".")))


@functools.cache
def every_name() -> frozenset[str]:
    """Whatever any source file defines or imports."""
    found: set[str] = set()
    for path in tracked():
        if path.endswith(".py"):
            found |= {one.rpartition(".")[2] for one in names_in(path)}
            found |= set(
                re.findall(
                    r"\w+", " ".join(re.findall(r"^\s*(?:from|import) .*$", (ROOT / path).read_text(), re.MULTILINE))
                )
            )
    return frozenset(found)


def dangling_types(name: str, said: str) -> Iterator[str]:
    yield from (f"{name}: there is no {one}" for one in TYPE.findall(said) if one not in every_name())


CLAUSE = re.compile(r"(?<![\w.])(2\.\d)-([A-Z](?=-))?[\w-]*[a-z][\w-]*")


@functools.cache
def clauses() -> frozenset[str]:
    """The ids of the clauses that `pozo device test` walks."""
    found = set()
    for path in sorted((ROOT / "drivers/conformance/clauses").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "clause":
                found |= {str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant)}
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
