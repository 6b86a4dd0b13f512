"""No hostile bytes raise, hang or grow memory: the corpus and a short seeded run of each target.

tests/corpus holds, for each target, the inputs that reached new code in earlier campaigns, a line of hex each. The
campaign throws ten million frames at each target, guided by coverage (atheris), and says how fast and how far it came.
"""

import gc
import importlib.util
import os
import platform
import random
import re
import subprocess
import sys
import time
import tracemalloc

import pytest
from conftest import CAMPAIGN

from campaign.fuzz_all import TARGETS
from support.drivers import peers
from support.places import PATH, TESTS

FRAMES = 10_000_000
SHORT = 400  # inputs
LONGEST_INPUT = 1.0  # seconds of processor time
MOST_GROWTH = 20_000  # bytes
ATHERIS_WHEELS = [(3, 11), (3, 12), (3, 13), (3, 14)]  # of 64-bit PCs; anywhere else it may be absent, on CI too
EACH = pytest.mark.parametrize("name", TARGETS)


def corpus(name):
    lines = (TESTS / "corpus" / f"{name}.hex").read_text().split()
    return [bytes.fromhex(line) for line in lines]


def mutated(inputs, longest, chance):
    """One input, changed the way lines and gateways change things, and the way nobody would."""
    data = bytearray(chance.choice(inputs))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                data[at:at] = chance.randbytes(chance.randint(1, 8))
            case 1:
                del data[at : at + chance.randint(1, 8)]
            case 2 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 3 if at < len(data):
                data[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFE, 0xFF))
            case 4:
                other = chance.choice(inputs)
                data[at:] = other[chance.randrange(len(other) + 1) :]
            case _:
                data[at:at] = data[at : at + chance.randint(1, 40)]
    return bytes(data[:longest])


def thrown(name, count):
    target, chance = TARGETS[name], random.Random(name)
    inputs = [*target.seeds, *corpus(name)]
    return [*inputs, *(mutated(inputs, target.longest, chance) for _ in range(count))]


@pytest.mark.campaign
@EACH
def test_hostile_bytes_neither_raise_nor_hang(name):
    if CAMPAIGN:
        ten_million_frames(name)
    else:
        for data in thrown(name, SHORT):
            throw(name, data)


def throw(name, data):
    before = time.process_time()
    try:
        TARGETS[name].run(data)
    except Exception as fault:
        fault.add_note(f"input: {data.hex()}")
        raise
    assert time.process_time() - before < LONGEST_INPUT, data.hex()


def ten_million_frames(name):
    """Guided by coverage, in a process of its own, because atheris rewrites the code it watches.

    var/fuzz/NAME.log says how it goes (`tail -f`), var/fuzz/NAME keeps what reached new code, for the next campaign.
    """
    if importlib.util.find_spec("atheris") is None:
        if sys.version_info[:2] in ATHERIS_WHEELS and platform.machine() == "x86_64":
            peers.absent("atheris")
        pytest.skip(f"no peer: atheris has no wheel for Python {platform.python_version()} on {platform.machine()}")
    inputs = TESTS.parent / "var" / "fuzz" / name
    inputs.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*TARGETS[name].seeds, *corpus(name)]):
        (inputs / f"given-{number:03}").write_bytes(data)
    log = inputs.with_suffix(".log")
    with log.open("w") as said:
        done = subprocess.run(
            [sys.executable, str(TESTS / "campaign/fuzz_codecs.py"), name, str(FRAMES), str(inputs)],
            stdout=said, stderr=subprocess.STDOUT, check=False, env=os.environ | PATH,
        )  # fmt: skip
    text = log.read_text()
    reached = re.findall(r"cov: (\d+)", text)
    with log.open("a") as said:
        said.write(f"{text.strip().splitlines()[-1]}, {reached[-1] if reached else 'no'} places reached\n")
    assert done.returncode == 0, text[-4000:]


@EACH
def test_hostile_bytes_leave_no_memory_behind(name):
    """The second time the same bytes come, nothing more is kept than after the first."""
    target, inputs = TARGETS[name], thrown(name, 60)
    for data in inputs:
        target.run(data)
    tracemalloc.start()
    try:
        for data in inputs:
            target.run(data)
        gc.collect()
        before, _ = tracemalloc.get_traced_memory()
        for data in inputs:
            target.run(data)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < MOST_GROWTH


@EACH
def test_the_corpus_is_small_and_of_this_target(name):
    inputs = corpus(name)
    assert inputs
    assert all(len(data) <= TARGETS[name].longest for data in inputs)
    assert len(set(inputs)) == len(inputs)


def test_the_whole_corpus_is_small_and_has_no_strangers():
    files = sorted((TESTS / "corpus").iterdir())
    assert [file.stem for file in files] == sorted(TARGETS)
    assert sum(file.stat().st_size for file in files) < 100_000


def test_a_target_that_is_broken_is_found(monkeypatch):
    """Or nothing above could fail: a framing that believes any answer of the right length."""
    from drivers.modbus import rtu

    inputs = thrown("rtu_answer", SHORT)
    for data in inputs:
        throw("rtu_answer", data)
    monkeypatch.setattr(rtu, "crc16", lambda _: 0)
    with pytest.raises(AssertionError):
        [throw("rtu_answer", data) for data in inputs]
