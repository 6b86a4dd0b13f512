"""Core and rules say what they take for granted: at least one assertion for each function, on average; on in production."""

import ast

import pytest

from support.places import ROOT

PURE = ROOT / "controller"
FUNCTIONS = {"core": 200, "rules": 140}


def count(path, kind):
    return sum(isinstance(node, kind) for node in ast.walk(ast.parse(path.read_text())))


@pytest.mark.parametrize("folder", FUNCTIONS)
def test_there_are_at_least_as_many_assertions_as_functions(folder):
    files = sorted((PURE / folder).glob("*.py"))
    asserts = sum(count(path, ast.Assert) for path in files)
    functions = sum(count(path, ast.FunctionDef) for path in files)

    assert functions > FUNCTIONS[folder], "did the folder move?"
    assert asserts >= functions


@pytest.mark.parametrize("folder", FUNCTIONS)
def test_no_assertion_does_anything(folder):
    """What stands in an assertion must not matter: a walrus or an await would."""
    for path in (PURE / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assert):
                assert not any(isinstance(part, ast.NamedExpr | ast.Await | ast.Yield) for part in ast.walk(node)), (
                    path.name
                )
