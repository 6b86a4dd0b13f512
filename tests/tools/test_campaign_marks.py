"""A test with full figures is marked `campaign`: without the mark `make campaign` leaves it out, and nobody sees that.

Which tests those are is read from their text: a test names `CAMPAIGN`, or a value of its file that was made from it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from support.places import ROOT

FLAG = "CAMPAIGN"


def names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def made_from_it(module: ast.Module) -> set[str]:
    found = {FLAG}
    for line in module.body:
        if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None and names(line.value) & found:
            found |= {
                one for target in getattr(line, "targets", [getattr(line, "target", None)]) for one in names(target)
            }
    return found


def unmarked(text: str) -> Iterator[str]:
    module = ast.parse(text)
    full = made_from_it(module)
    of_all = " ".join(
        ast.unparse(line) for line in module.body if isinstance(line, ast.Assign) and names(line) & {"pytestmark"}
    )
    for test in module.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            marks = " ".join([of_all, *map(ast.unparse, test.decorator_list)])
            if names(test) & full and "mark.campaign" not in marks:
                yield test.name


def test_what_has_full_figures_is_played_by_the_campaign():
    files = [path for path in Path(ROOT, "tests").rglob("test_*.py") if FLAG in path.read_text()]
    found = [f"{path.relative_to(ROOT)}: {name}" for path in files for name in unmarked(path.read_text())]
    assert found == []


def test_one_that_is_not_marked_is_found():
    text = "N = 9 if CAMPAIGN else 1\ndef test_a():\n    f(N)\n@pytest.mark.campaign\ndef test_b():\n    f(N)\n"
    assert list(unmarked(text)) == ["test_a"]


def test_a_mark_of_the_whole_file_is_one():
    assert list(unmarked("pytestmark = [pytest.mark.campaign]\ndef test_a():\n    f(CAMPAIGN)\n")) == []
