"""The reference firmware as a program, on a real pty and real TCP, under the real command and its hands.

A choice of clauses here, of every kind of question; the whole examination on real lines under `make campaign`, and in
virtual time always (tests/sim/reference). The build with sanitizers is examined alike: whatever it complains of ends it.
"""

import subprocess

import pytest
from click.testing import CliRunner
from conftest import CAMPAIGN

from controller.cli.devices import device
from support.drivers.peers import built
from support.sim.reference import NUMBER, console, standing, table

pytestmark = pytest.mark.process

LINE = ["--unit", str(NUMBER), "--baud", "115200", "--latency", "5", "--power-cycle"]
CHOSEN = ["2.3-I", "2.3-A", "2.2", "2.3-console", "2.4-press-and-ack", "2.4-lamp-open", "2.5-lock", "2.6-power-cycle"]
SHORT = [] if CAMPAIGN else [word for name in CHOSEN for word in ("--only", name)]
UNITS = {"seven seats": table(7), "console": console()}
MORE = {"one seat": table(1), "nine seats": table(9)} if CAMPAIGN else {}


def examined(port, hands):
    words = ["test", port, *LINE, *SHORT, "--hands", str(hands)]
    return CliRunner().invoke(device, words, catch_exceptions=False)


@pytest.mark.campaign
@pytest.mark.parametrize("program", ["unit", "unit-sanitized"])
@pytest.mark.parametrize("words", [*UNITS.values(), *MORE.values()], ids=[*UNITS, *MORE])
@pytest.mark.parametrize("wire", ["port", "url"])
def test_it_conforms_on_a_real_line(tmp_path, words, program, wire):
    with standing(tmp_path, words, program=program) as unit:
        done = examined(getattr(unit, wire), unit.hands)

        assert done.exit_code == 0, done.output
        assert " 0 failed" in done.output
        assert unit.lives, unit.end()
        assert unit.end() == ""


def test_what_it_knew_outlives_the_program(tmp_path):
    """SIGKILL is a power cut: the next life has the totals, and counts one boot more."""
    with standing(tmp_path, table(1)) as unit:
        assert examined(unit.url, unit.hands).exit_code == 0
        before = unit.do("status")[0]
        unit.kill()
        unit.start()
        found = CliRunner().invoke(device, ["scan", unit.url, "--units", str(NUMBER)], catch_exceptions=False)

        assert unit.do("status")[0] == before
        assert "table, «POZO REFERENCE», serial 00001234" in found.output
        assert "epoch 1" in found.output


@pytest.mark.parametrize("words", [["table:11:10:1:1"], ["table:0:1:1:1"], ["seat:1"], ["--pty"], []])
def test_it_says_how_it_is_called(words):
    done = subprocess.run([built("unit"), *words], capture_output=True, text=True, timeout=20, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert "UNIT: table:NUMBER" in done.stderr
