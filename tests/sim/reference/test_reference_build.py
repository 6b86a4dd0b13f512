"""The core of the reference firmware is fit for a microcontroller: freestanding, strict, and it asks for nothing."""

import re
import subprocess
from pathlib import Path

import pytest

from support.drivers.peers import built, program
from support.places import ROOT

pytestmark = pytest.mark.process

REFERENCE = ROOT / "firmware_sim" / "reference"
OF_EVERY_COMPILER = {"memcpy", "memmove", "memset", "memcmp"}  # may be called without being written (C11, 4.6; gcc)


def objects():
    return sorted((Path(built("unit")).parent / "core").glob("*.o"))


def symbols(kind):
    done = subprocess.run([program("nm"), *objects()], capture_output=True, text=True, timeout=20, check=True)
    return set(re.findall(rf"^ *[0-9a-f]* {kind} (\S+)$", done.stdout, re.MULTILINE))


def test_the_core_needs_nobody():
    """No heap, no port, no clock: nothing of what it calls is another's."""
    assert symbols("U") - symbols("T") <= OF_EVERY_COMPILER


def test_the_core_keeps_nothing_between_calls_but_what_it_is_given():
    assert not symbols("[BbDdC]")


@pytest.mark.parametrize("header", ["stdlib.h", "stdio.h", "string.h", "time.h", "unistd.h"])
def test_the_core_includes_no_library(header):
    sources = [REFERENCE / f"{one.stem}.c" for one in objects()]

    assert len(sources) > 8
    assert not [path.name for path in [*sources, *REFERENCE.glob("unit.h")] if f"<{header}>" in path.read_text()]


def test_functions_are_short():
    """As the house writes its Python (test_tidy.py): they read like sentences."""
    for path in REFERENCE.glob("*.c"):
        lengths = [body.count("\n") for body in re.findall(r"^\{\n.*?^\}", path.read_text(), re.MULTILINE | re.DOTALL)]
        assert max(lengths) <= 45, path.name
        assert path.read_text().startswith("/* "), f"{path.name} opens with its theory"
