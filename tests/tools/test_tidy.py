"""The architecture as a test: who may import whom, how long things are, what the pure part must not know.

It reads the source. Where it fails, either the code is in the wrong place or design.md is; say which in
docs/decisions.md.
"""

import ast
import re
import subprocess
from collections import Counter
from functools import cache

import pytest

from support.places import ROOT

PACKAGES = ("controller", "drivers", "firmware_sim")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

# A folder, and the folders it may import besides itself and the libraries (design.md, Folders and who may import whom).
# Each stands below what it imports, so that no ring of folders can be written down here at all.
DRIVERS = (
    "drivers",
    "drivers.line",
    "drivers.modbus",
    "drivers.cctalk",
    "drivers.native",
    "drivers.signs",
    "drivers.io_module",
)
SIMULATOR = ("firmware_sim.native", "firmware_sim.foreign", "firmware_sim.line", "firmware_sim.desk")
LAW = ("controller.rules",)
CORE = (*LAW, "controller.core")
DOCUMENTS = ("controller.documents",)
VOCABULARY = (*CORE, *DOCUMENTS, *DRIVERS, "controller.node.vocabulary")
STORE = (*CORE, *DOCUMENTS, *DRIVERS, "controller.record", "controller.node.vocabulary", "controller.node.store")
BOOK = (*STORE, "controller.node.book")
DEVICES = (
    *BOOK,
    "controller.node.settings",
    "controller.node.floor",
    "controller.node.signs",
    "controller.node.devices",
)
CONTROL = (*BOOK, "controller.node.control")
LINK = (*BOOK, "controller.node.link")
PASSAGE = (*LINK, "controller.node.passage")
PUBLISH = (*DEVICES, *CONTROL, *LINK[-1:], "controller.node.telemetry", "controller.node.publish")
ENGINE = (*PUBLISH, "controller.node.engine")
SERVICE = (*ENGINE, "controller.node.passage", "controller.node.service")
FACES = (
    *CORE,
    "drivers",
    "controller.node.vocabulary",
    "controller.node.control",
    "controller.spanish",
    "controller.about",
)
RECORD = (*CORE, "controller.spanish", "controller.record")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "drivers.line": ("drivers",),
    "drivers.modbus": DRIVERS[:2],
    "drivers.cctalk": DRIVERS[:2],
    "drivers.native": DRIVERS[:3],
    "drivers.signs": DRIVERS[:3],
    "drivers.io_module": DRIVERS[:3],
    "drivers.conformance": DRIVERS,
    "drivers": (),
    "firmware_sim.native": DRIVERS,
    "firmware_sim.foreign": (*DRIVERS, *SIMULATOR[:1]),
    "firmware_sim.line": DRIVERS,
    "firmware_sim.violations": (*DRIVERS, "firmware_sim.native", "firmware_sim.line"),
    "firmware_sim.desk": (*DRIVERS, *SIMULATOR),
    "firmware_sim": (),
    "controller.terminal": (),
    "controller.about": (),
    "controller.rules": (),
    "controller.core": LAW,
    "controller.documents": LAW,
    "controller.spanish": LAW,
    "controller.record": RECORD,
    "controller.verify": ("controller.record",),
    "controller.approval": (*LAW, *DOCUMENTS, "controller.spanish"),
    "controller.report": RECORD,
    "controller.explain": RECORD,
    "controller.node.vocabulary": (*CORE, *DRIVERS),
    "controller.node.settings": VOCABULARY,
    "controller.node.store": (*CORE, "controller.node.vocabulary", "controller.record"),
    "controller.node.book": (*STORE, "controller.about"),
    "controller.node.floor": VOCABULARY,
    "controller.node.signs": VOCABULARY,
    "controller.node.devices": DEVICES,
    "controller.node.control": CONTROL,
    "controller.node.link": LINK,
    "controller.node.passage": (*PASSAGE, "controller.node.control"),
    "controller.node.rebirth": (*LINK, "controller.node.rebirth"),
    "controller.node.telemetry": VOCABULARY,
    "controller.node.publish": PUBLISH,
    "controller.node.engine": ENGINE,
    "controller.node.service": SERVICE,
    "controller.ctl": (*VOCABULARY, "controller.node.control", "controller.terminal"),
    "controller.web.live": FACES,
    "controller.web.door": (*FACES, "controller.web.live"),
    "controller.web.acts": (*FACES, "controller.web.live", "controller.web.door"),
    "controller.web": (
        *FACES,
        *DOCUMENTS,
        "controller.node.settings",
        "controller.node.passage",
        "controller.node.telemetry",
        "controller.web.live",
        "controller.web.door",
        "controller.web.acts",
    ),
    "controller.play": (
        *SERVICE,
        *SIMULATOR,
        "controller.terminal",
        "controller.web",
        "controller.web.live",
        "controller.web.door",
        "controller.web.acts",
    ),
    "controller": (),
}
SECOND_HAND = "controller.verify"  # writes everything again on purpose
COMMANDS = {  # the `pozo` command wires everything: these may import all
    "controller.cli", "controller.ctl.command", "controller.play.command",
}  # fmt: skip

# One library, one door.
DOORS = {
    "sqlalchemy": "controller/node/store",
    "pysqlite3": "controller/node/store",
    "psycopg": "controller/node/store",
    "cryptography": (
        "controller/node/book/chain.py",
        "controller/node/book/escrow.py",  # sealed for two persons' codes
        "controller/node/book/link_key.py",
        "controller/web/door/signature.py",  # what a browser's own key signed
        "controller/web/door/tls.py",
        "controller/verify/chain.py",
    ),  # the auditor checks by himself
    "argon2": "controller/node/vocabulary/proof.py",
    "reportlab": "controller/report/pdf.py",
    "zmq": "controller/node/link/sockets.py",  # between nodes; tests ask our own ends of the control socket with it
    "prometheus_client": "controller/node/telemetry/metrics.py",
    "serial": "drivers/port.py",
    "starlette": ("controller/web", "controller/play"),
    "structlog": "controller/node",
    "uvicorn": ("controller/web/server.py", "controller/web/connection.py"),
    "pymodbus": "drivers/modbus/pdu.py",
    "msgspec": ("controller", "firmware_sim/desk/file.py"),
    "click": ("controller/cli", "controller/ctl", "controller/play", "controller/terminal"),
    "rich": ("controller/cli", "controller/ctl", "controller/play", "controller/terminal"),
}

PURE = ("controller/rules", "controller/core")
PURE_LIBRARY = {
    "collections", "dataclasses", "enum", "fractions", "functools", "hashlib", "hmac", "itertools", "math", "operator", "re", "tomllib", "types", "typing", "unicodedata",
}  # fmt: skip
# Drivers and simulated devices are written without I/O; these files are their shell and may touch the world.
SHELL = {
    "drivers/port.py", "drivers/pump.py", "drivers/punctual.py", "drivers/rack.py",
    "firmware_sim/line/pty.py", "firmware_sim/line/tcp.py", "firmware_sim/line/clock.py",
    "firmware_sim/desk/stage.py", "firmware_sim/desk/control.py", "firmware_sim/desk/nvm_file.py",
}  # fmt: skip
WITHOUT_IO = {
    *PURE_LIBRARY,
    "array",
    "binascii",
    "heapq",
    "msgspec",
    "random",
    "struct",
    "tomllib",
    "json",
    "drivers",
    "firmware_sim",
    "pymodbus",
}
PURE_TYPES = {"controller.core": {"msgspec"}}  # frozen types whose bytes are the record (docs/decisions.md, D-23)
MOST_FUNCTION_LINES = 60
LONGEST_CHAIN = 20
MOST_FILES = 25
MOST_FILE_LINES = 400
# A vocabulary is one list of types or registers, and is read like a dictionary; a mechanism is split before it is long.
VOCABULARIES = {
    "controller/core/facts.py", "controller/core/inputs.py", "controller/core/links/letters.py",
    "controller/node/settings/settings.py",
    "controller/verify/facts.py", "drivers/native/contract.py", "controller/node/control/field_words.py",
}  # fmt: skip


@cache
def parsed(path):
    """Read once, for all the laws that look at it."""
    return ast.parse(path.read_text())


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def folder_of(module):
    """The longest name of the law that the module stands under."""
    known = [part for part in [*MAY_IMPORT, *COMMANDS] if module == part or module.startswith(part + ".")]
    return max(known, key=len, default=None)


def imports(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module
            if node.module.split(".")[0] in PACKAGES:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_pure(path):
    return path.relative_to(ROOT).as_posix().startswith(PURE)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_lower_never_imports_higher(path):
    own = folder_of(name_of(path))
    if own in COMMANDS or name_of(path) in PACKAGES:
        return
    for module in imports(path):
        if module.split(".")[0] in PACKAGES:
            assert folder_of(module) in {own, *MAY_IMPORT[own]}, f"{name_of(path)} must not import {module}"


def test_no_folders_import_each_other():
    """The law itself has no ring: each folder can be read after those that it imports."""
    rest = {folder: set(allowed) - {folder} for folder, allowed in MAY_IMPORT.items()}
    while free := [folder for folder, allowed in rest.items() if not allowed & rest.keys()]:
        for folder in free:
            del rest[folder]

    assert not rest


def test_the_longest_chain_of_imports_is_short():
    """Whoever opens the first file of it has so many to read at most before he knows all that stands behind."""
    files = {name_of(path): path for path in SOURCES}

    @cache
    def chain(module):
        known = {name for name in imports(files[module]) if name in files and name != module}
        return 1 + max((chain(name) for name in known), default=0)

    longest = max(files, key=chain)
    assert chain(longest) <= LONGEST_CHAIN, f"{longest}: {chain(longest)} modules"


def test_no_folder_has_more_files_than_one_looks_through():
    folders = Counter(path.parent for path in [*SOURCES, *TESTS])

    assert {str(folder): count for folder, count in folders.items() if count > MOST_FILES} == {}


def test_a_verification_reaches_no_law_and_no_core_by_any_way():
    """An auditor who computed a record again with the code that wrote it would share its mistakes."""
    files = {name_of(path): path for path in SOURCES}
    reached, waiting = set(), [name for name in files if folder_of(name) == "controller.verify"]
    while waiting:
        name = waiting.pop()
        if name in files and name not in reached:
            reached.add(name)
            waiting += [*imports(files[name]), name.rpartition(".")[0]]

    assert {folder_of(name) for name in reached} == {"controller.verify", "controller.record", "controller"}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_one_library_one_door(path):
    for module in imports(path):
        door = DOORS.get(module.split(".")[0])
        assert door is None or path.relative_to(ROOT).as_posix().startswith(door), f"{module} comes in through {door}"


@pytest.mark.parametrize("path", [path for path in SOURCES if is_pure(path)], ids=name_of)
def test_the_pure_part_knows_no_clock_port_database_logger_or_chance(path):
    for module in imports(path):
        allowed = PURE_LIBRARY | PURE_TYPES.get(folder_of(name_of(path)), set()) | {"controller"}
        assert module.split(".")[0] in allowed, f"{name_of(path)} imports {module}"
    for node in ast.walk(parsed(path)):
        where = f"{name_of(path)}:{getattr(node, 'lineno', '?')}"
        assert not isinstance(node, ast.Global), where
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{where}: a float"
        assert not (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)), (
            f"{where}: true division"
        )
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        assert called not in {"float", "round", "print", "open", "input", "eval", "exec"}, f"{where}: {called}()"


@pytest.mark.parametrize("folder", ["floor", "signs"])
def test_what_devices_are_told_is_worked_out_without_touching_anything(folder):
    for path in sorted((ROOT / "controller" / "node" / folder).glob("*.py")):
        for module in imports(path):
            assert module.split(".")[0] in {*PURE_LIBRARY, "unicodedata", "controller", "drivers"}, (
                f"{name_of(path)}: {module}"
            )


def is_without_io(path):
    name = path.relative_to(ROOT).as_posix()
    return name.startswith(("drivers/", "firmware_sim/")) and name not in SHELL


@pytest.mark.parametrize("path", [path for path in SOURCES if is_without_io(path)], ids=name_of)
def test_drivers_and_simulated_devices_know_no_clock_port_or_thread(path):
    shell = {name.removesuffix(".py").replace("/", ".") for name in SHELL}
    for module in imports(path):
        assert module.split(".")[0] in WITHOUT_IO, f"{name_of(path)} imports {module}"
        assert module not in shell, f"{name_of(path)} imports {module}, which does I/O"
    for node in ast.walk(parsed(path)):
        assert not isinstance(node, ast.Global), name_of(path)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_every_file_opens_with_its_theory_and_stays_within_its_length(path):
    text = path.read_text()

    assert ast.get_docstring(parsed(path)), "what is this file for?"
    assert text.count("\n") <= MOST_FILE_LINES or path.relative_to(ROOT).as_posix() in VOCABULARIES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_functions_are_short_and_typed_and_catch_what_they_name(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < MOST_FUNCTION_LINES, f"{node.name} is too long"
            assert node.returns is not None, f"{node.name} has no type"
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, "a bare except"
            assert getattr(node.type, "id", "") not in {"Exception", "BaseException"}, "a catch-all except"


def test_no_public_class_name_stands_in_two_folders():
    homes: dict[str, set[str]] = {}
    for path in SOURCES:
        folder = folder_of(name_of(path)) or name_of(path)
        folder = folder.removesuffix(".command")  # those of ctl and play
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and folder != SECOND_HAND:
                homes.setdefault(node.name, set()).add(folder)

    assert {name: folders for name, folders in homes.items() if len(folders) > 1} == {}, "docs/glossary.md"


def test_no_file_is_named_after_nothing():
    vague = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}

    assert not [path for path in SOURCES if path.stem in vague]


def test_every_source_file_is_used():
    """A file nobody imports is dead; packages whose code is still to come have only their __init__."""
    used = {module for path in [*SOURCES, *TESTS] for module in imports(path)}
    for path in SOURCES:
        if path.name != "__init__.py" and folder_of(name_of(path)) not in COMMANDS:
            assert name_of(path) in used, f"{name_of(path)} is imported by nobody"


@pytest.mark.process
def test_the_top_level_is_the_one_its_user_gave():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    if not listed[0]:
        pytest.skip("not a git checkout: git is the peer that lists the files")
    given = {"controller", "drivers", "firmware_sim", "tests", "config", "systemd", "pyproject.toml"}
    beside = {"README.md", "Makefile", ".ci", "docs", "CHANGELOG.md", "LICENSE"}

    assert {name.split("/")[0] for name in listed if name} == given | beside


def test_no_file_names_this_workplace_or_leaves_a_mark():
    marks = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    for path in [*SOURCES, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "Makefile"]:
        text = path.read_text()
        assert not marks.search(text), f"{path.name}: {marks.search(text)}"
        assert str(ROOT) not in text, f"{path.name} names the folder it was written in"
