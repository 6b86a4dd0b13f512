"""docs/first-unit.md is true: every command on it is run, in its order, and its C is what a compiler takes.

What is marked `sh serve` stays, in a terminal of its own; every other block ends, and ends well. The last examination of
the page is the whole one under `make campaign`, and a part of it here.
"""

import re
import subprocess
from contextlib import contextmanager

import pytest
from conftest import CAMPAIGN

from support.drivers.peers import built, program
from support.places import ROOT

pytestmark = pytest.mark.process

PAGE = (ROOT / "docs" / "first-unit.md").read_text()
BLOCKS = re.findall(r"^```(sh|sh serve|c)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LONGEST = 300
SHORT = "" if CAMPAIGN else " --only 2.5-lock --only 2.6-power"
NEEDED = (".venv", "Makefile", "config", "docs", "drivers", "firmware_sim", "pyproject.toml", "tests")


@pytest.fixture
def desk(tmp_path):
    """The project as a newcomer has it, but what he makes is the test's."""
    built("unit")
    for name in NEEDED:
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "foreign").symlink_to(ROOT / "var" / "foreign")
    return tmp_path


@contextmanager
def served(command, place):
    with subprocess.Popen(["sh", "-c", f"{command.strip().replace(chr(10), ' && exec ')}"], cwd=place,
                          stdout=subprocess.PIPE, text=True) as unit:  # fmt: skip
        try:
            while (line := unit.stdout.readline()) != "ready\n":
                assert line, "it ended before it began"
            yield
        finally:
            unit.terminate()


def ended(command, place):
    done = subprocess.run(
        ["sh", "-ec", command], cwd=place, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def commands(kind):
    return [text for fence, text in BLOCKS if fence == kind]


@pytest.mark.campaign
def test_every_command_of_the_page(desk):
    program("socat")
    before, first = commands("sh")[:2], commands("sh")[2:]
    (serve,) = commands("sh serve")
    ended(before[0], desk)
    assert ended(before[1], desk).startswith("0b 03 40 4a 50 01 01 ")
    with served(serve, desk):
        said = [ended(with_less(command), desk) for command in first]

    assert "11 at 115200: table, «POZO REFERENCE»" in said[0]
    assert "10 passed, 0 failed" in said[1]
    assert all(" 0 failed" in text for text, command in zip(said, first, strict=True) if "device test" in command)
    power = next(text for text in said if "no power" in text)
    assert re.search(r"seat 3: lamp dark, no power;.*\nok\nseat 3: lamp dark, shows", power)


def with_less(command):
    """The whole examination is for the campaign."""
    return command.replace("--power-cycle", f"--power-cycle{SHORT}")


def test_the_board_on_the_page_compiles(tmp_path):
    (source,) = commands("c")
    (tmp_path / "board.c").write_text(source)
    strict = ["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-ffreestanding"]

    done = subprocess.run(
        [program("gcc"), *strict, "-I", ROOT / "firmware_sim" / "reference", "-fsyntax-only", tmp_path / "board.c"],
        capture_output=True, text=True, timeout=LONGEST, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr


def test_what_the_page_calls_by_name_is_there():
    folder = ROOT / "firmware_sim" / "reference"
    named = set(re.findall(r"`(\w+\.[ch])`", PAGE))

    assert named
    assert not [name for name in named if not (folder / name).exists()]
