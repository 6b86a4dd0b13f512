"""The reference firmware says every golden frame of docs/device-contract.md byte for byte.

The document's frames show the form of each message and no history, so its unit stands in the state that a frame shows,
anew for each question (firmware_sim/reference/golden.c).
"""

import re
import subprocess

import pytest

from drivers.modbus.rtu import frame
from support.drivers.peers import built
from support.places import ROOT

pytestmark = pytest.mark.process

DOCUMENT = (ROOT / "docs" / "device-contract.md").read_text()
PREFIXES = {"A: after a boot": "booted", "A: a bet that VOID_BET": "voided"}
OF_A_COUNTER = "V: show 1250"  # of class 4: here it is no block
NO_BLOCK = frame(0x0B, bytes((0x90, 2))).hex(" ")


def exchanges(fence):
    (body,) = re.findall(rf"^```{fence}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
    for part in re.sub(r"\n  ", " ", body).strip().split("\n\n"):
        lines = {line[0]: line[2:] for line in part.split("\n")}
        title = lines.get("#", "Modbus/TCP")
        answer = NO_BLOCK if title == OF_A_COUNTER else lines.get("<", "silence")
        yield pytest.param(title, lines[">"], answer, id=title)


EXCHANGES = [*exchanges("frames"), *exchanges("mbap")]


@pytest.mark.parametrize(("title", "question", "answer"), EXCHANGES)
def test_a_golden_frame(title, question, answer):
    state = next((state for prefix, state in PREFIXES.items() if title.startswith(prefix)), "playing")
    assert said(state, question) == answer


def said(state, question):
    done = subprocess.run(
        [built("unit"), "--golden", state],
        input=question + "\n",
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    return done.stdout.strip()


def test_there_are_golden_frames():
    assert len(EXCHANGES) > 25
