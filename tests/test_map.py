"""docs/map.md names real functions: the guided tour must not lead into a wall."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = re.findall(r"`(\w+)\.(\w+)`", (ROOT / "docs/map.md").read_text())


@pytest.mark.parametrize(("module", "name"), NAMES, ids=".".join)
def test_every_function_of_the_tour_exists(module, name):
    if name in {"md", "py"}:
        pytest.fail("name the function, not the file")
    part = "audit" if module == "solvency" else "rules"

    assert callable(getattr(importlib.import_module(f"controller.{part}.{module}"), name))


@pytest.mark.parametrize(
    "path", re.findall(r"`((?:controller|config|tests|docs|audit)/[\w./-]*)`", (ROOT / "docs/map.md").read_text())
)
def test_every_file_of_the_tour_exists(path):
    assert (ROOT / path).exists() or (ROOT / "controller" / path).exists()
