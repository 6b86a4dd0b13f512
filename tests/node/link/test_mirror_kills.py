"""The casino's node is killed while it copies a box's record: what it had is there, and the copy goes on to the same end."""

import random
import subprocess
import sys
import time

import pytest
from conftest import CAMPAIGN

from controller.core.values import HeadLeft
from controller.node.book.chain import Key
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.verify.links.mirror import beside
from support.edits.mirrored import Box, mirrored
from support.places import TESTS
from support.pozo import pozo

pytestmark = [pytest.mark.process, pytest.mark.campaign]

KILLS = 100 if CAMPAIGN else 4
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


def rows_of(mirror):
    """Of every branch, also of one that was left."""
    if not mirror.exists():
        return set()
    file = MirrorFile.read(mirror)
    try:
        return set(file._ask("SELECT branch, seq, hash FROM fact"))
    finally:
        file.close()


def a_record(tmp_path):
    """Of an evening; nothing of it was copied yet."""
    assert pozo("rehearse", tmp_path / "box", "--passes", 1_000, "--days", 1, "--seed", 4)[0] == 0
    return tmp_path / "box/node.db"


def a_restored_record(tmp_path):
    """Of a box that burned when its mirror had 600 facts, came back with 400 of them and said so, and has played on."""
    box = Box(tmp_path / "node.db", Key.load_or_make(tmp_path / "node.key"))
    box.play(400)
    old = box.copy("old.db")
    box.play(200)
    mirrored(box.path, tmp_path / "mirror.db")
    (end,) = kept(tmp_path / "mirror.db")[-1:]
    box.put_back(old)
    box.restore(HeadLeft(1, end.seq, end.hash.hex()))
    box.play(1_200)
    box.close()
    return box.path


@pytest.mark.campaign
@pytest.mark.parametrize("made", [a_record, a_restored_record])
def test_whatever_is_killed_nothing_that_was_kept_is_lost_and_the_end_is_the_same(made, tmp_path):
    record, mirror, chance = made(tmp_path), tmp_path / "mirror.db", random.Random(15)
    before = rows_of(mirror)
    for _ in range(KILLS):
        one = copied(record, mirror)
        assert one.stdout.readline() == b"begun\n"
        time.sleep(chance.random() * 0.12)
        one.kill()
        one.communicate()
        now = rows_of(mirror)
        assert now >= before
        before = now
    last = copied(record, mirror)
    last.communicate(timeout=60)
    assert last.returncode == 0

    with Reader.open(record) as reader:
        found = beside(reader.facts(), kept(mirror))
    assert (found.wrong, found.record_lacks, found.mirror_lacks) == (None, 0, 0)
