"""The `pozo` command as a whole: every family is there, and no command waits for what only others need."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from controller.cli.main import pozo
from controller.cli.troubles import EXPECTED
from controller.play.command import demo

pytestmark = pytest.mark.process

POZO = Path(sys.executable).parent / "pozo"
NAMES = pozo.list_commands(click.Context(pozo))
HEAVY = {
    "reportlab",
    "firmware_sim",
    "psycopg",
    "controller.play",
    "controller.ctl",
    "controller.report",
    "controller.verify",
    "controller.approval",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_that_help_lists_is_there(name):
    found = pozo.get_command(click.Context(pozo), name)

    assert found is not None and found.name == name and found.help
    assert found is demo or name != "demo"


def test_an_unknown_command_is_said_and_ends_with_2():
    done = subprocess.run([POZO, "nodo"], capture_output=True, text=True, check=False)

    assert (done.returncode, "nodo" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def loaded_for(command):
    """Which of the heavy ones are there when a command is ready to run."""
    program = (
        "import sys, click\n"
        "from controller.cli.main import pozo\n"
        f"pozo.get_command(click.Context(pozo), {command!r})\n"
        f"print(*(name for name in {sorted(HEAVY)!r} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_node_that_starts_again_waits_for_nothing_it_does_not_need():
    assert loaded_for("node") == set()
    assert "reportlab" in loaded_for("report"), "else this test sees nothing"


def test_an_expected_trouble_is_one_line(tmp_path):
    """Also where only its own family knows the trouble."""
    nothing = tmp_path / "nothing.db"
    done = subprocess.run([POZO, "meters", nothing], capture_output=True, text=True, check=False)

    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert all(issubclass(trouble, Exception) for trouble in EXPECTED)
