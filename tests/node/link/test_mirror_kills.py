"""The casino's node is killed while it copies a box's record: what it had is there, and the copy goes on to the same end."""

import random
import subprocess
import sys
import time

import pytest
from conftest import CAMPAIGN

from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.verify.links.mirror import beside
from support.places import TESTS
from support.pozo import pozo

pytestmark = [pytest.mark.process, pytest.mark.campaign]

KILLS = 100 if CAMPAIGN else 6
COPY = f"""
import sys
sys.path[:0] = [{str(TESTS)!r}, {str(TESTS.parent)!r}]
from pathlib import Path
from support.edits.mirrored import mirrored
print("begun", flush=True)
mirrored(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def copied(record, to):
    return subprocess.Popen([sys.executable, "-c", COPY, record, to], stdout=subprocess.PIPE)


def kept(mirror):
    if not mirror.exists():
        return []
    file = MirrorFile.read(mirror)
    try:
        return list(file.facts())
    finally:
        file.close()


def test_whatever_is_killed_nothing_that_was_kept_is_lost_and_the_end_is_the_same(tmp_path):
    assert pozo("rehearse", tmp_path / "box", "--passes", 1_000, "--days", 1, "--seed", 4)[0] == 0
    record, mirror, chance = tmp_path / "box/node.db", tmp_path / "mirror.db", random.Random(15)
    before = 0
    for _ in range(KILLS):
        one = copied(record, mirror)
        assert one.stdout.readline() == b"begun\n"
        time.sleep(chance.random() * 0.12)
        one.kill()
        one.communicate()
        now = len(kept(mirror))
        assert now >= before
        before = now
    last = copied(record, mirror)
    last.communicate(timeout=60)
    assert last.returncode == 0

    with Reader.open(record) as reader:
        found = beside(reader.facts(), kept(mirror))
    assert (found.wrong, found.record_lacks, found.mirror_lacks) == (None, 0, 0)
