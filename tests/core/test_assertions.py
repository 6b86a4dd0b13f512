"""The core says what it takes for granted: at least one assertion for each function, on average; on in production."""

import ast

from support.places import ROOT

CORE = ROOT / "controller/core"


def count(path, kind):
    return sum(isinstance(node, kind) for node in ast.walk(ast.parse(path.read_text())))


def test_there_are_at_least_as_many_assertions_as_functions():
    files = sorted(CORE.glob("*.py"))
    asserts = sum(count(path, ast.Assert) for path in files)
    functions = sum(count(path, ast.FunctionDef) for path in files)

    assert functions > 200, "did the core move?"
    assert asserts >= functions


def test_no_assertion_does_anything():
    """What stands in an assertion must not matter: a walrus or an await would."""
    for path in CORE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assert):
                assert not any(isinstance(part, ast.NamedExpr | ast.Await | ast.Yield) for part in ast.walk(node)), (
                    path.name
                )
