"""What of the pages runs without a browser: their types by the TypeScript checker, their pure modules by node's own tests."""

import re
import shutil
import subprocess

import pytest

from support.places import ROOT

HERE = ROOT / "tests" / "web" / "pages"
CONTROLLER = ROOT / "controller"
FOLDERS = (CONTROLLER / "web" / "pages", CONTROLLER / "play" / "pages")
"""Served by every node; and by a demonstration besides."""
CHECKER = ROOT / "var" / "npm" / "node_modules" / "typescript" / "bin" / "tsc"
MOST_LINES = 400
VOCABULARIES = {"es.js", "en.js"}
MODULES = sorted(file for folder in FOLDERS for file in folder.rglob("*.js"))
HTML = sorted(file for folder in FOLDERS for file in folder.rglob("*.html"))

pytestmark = pytest.mark.process
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def ran(*words):
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


@needs_node
@pytest.mark.skipif(not CHECKER.exists(), reason="typescript is not installed (make test)")
def test_the_types_that_the_pages_say_are_true():
    told = ran("node", str(CHECKER), "-p", str(HERE / "tsconfig.json"))

    assert told.returncode == 0, told.stdout


@needs_node
@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.mjs")), ids=lambda file: file.name)
def test_pure_modules(file):
    told = ran("node", "--test", str(file))

    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(CONTROLLER)))
def test_a_module_opens_with_its_theory_stays_short_and_never_reads_markup(file):
    text = file.read_text()

    assert text.startswith("/**"), "what is this file for?"
    assert text.count("\n") <= MOST_LINES or file.name in VOCABULARIES
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.style\s*=", text
    )
    assert not re.search(r"""(from|import\()\s*["'](?!\.{1,2}/)""", text), "only files of ours, beside this one"


@pytest.mark.parametrize("file", HTML, ids=lambda file: str(file.relative_to(CONTROLLER)))
def test_a_page_has_nothing_inline_and_nothing_from_elsewhere(file):
    text = file.read_text()

    assert not re.search(r"<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)|https?://|//", text.replace("<!doctype", ""))
