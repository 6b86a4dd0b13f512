"""A writer is killed between a commit and its sync, the next one says what it found, and then the power goes.

Every process of the system sees such a commit, the disk does not have it. Whoever opens the file to go on with it is
asked what it holds (by a neighbour, by the units), so it must be on the disk before anybody hears of it.
"""

import subprocess
import sys

import pytest

from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from support.places import TESTS
from support.store.power_record import mark, recorded, said_in, steps_of
from support.store.power_replay import FATES, Chance, Disk, lay_out

pytestmark = pytest.mark.process

KILLED = f"""
import os, sys
sys.path[:0] = [{str(TESTS)!r}, {str(TESTS.parent)!r}]
from pathlib import Path
from controller.node.store.mirror import MirroredFact, MirrorFile
from controller.node.store.store import Store
from support.store.store_cases import bet, bets

def mirror(place):
    if not place.exists():
        MirrorFile.create(place, "valle")
    return MirrorFile.open(place)

def store(place):
    return Store.open(place) if place.exists() else Store.create(place, "mesa4")

def kept(file):
    file.keep([MirroredFact(1, bet((file.end().seq if file.end() else 0) + 1, b"p" * 32))], [], None)

OF = {{
    "mirror.db": (mirror, kept, lambda file: file.end()),
    "node.db": (store, lambda node: node.commit(bets(node)), lambda node: node.head()),
}}
place = Path(sys.argv[1])
opened, writes, end = OF[place.name]
one = opened(place)
"""
WRITES = """
writes(one)
one._session.raw.execute("PRAGMA synchronous = OFF")  # as far as it came
writes(one)
os._exit(9)
"""
SAYS = """
print(end(one).seq, flush=True)
os._exit(9)
"""


@pytest.mark.parametrize("name", ["mirror.db", "node.db"])
def test_what_a_writer_found_after_a_kill_is_there_after_a_power_cut(tmp_path, name):
    folder, record = tmp_path / "folder", tmp_path / "steps"
    folder.mkdir(mode=0o700)
    environment = recorded(folder, record)
    for does in (WRITES, SAYS):
        done = subprocess.run(
            [sys.executable, "-c", KILLED + does, folder / name],
            env=environment, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 9, done.stderr
        if done.stdout:
            mark(record, seq=int(done.stdout))
    disk, told = Disk(folder, None), 0
    for step in steps_of(record):
        told = int(str(said_in(step)["seq"])) if step.kind == "A" else told
        disk.follow(step)
    assert told == 2, "the commit without its sync was seen"
    for seed in range(40):
        fate = FATES[seed % len(FATES)]
        left = tmp_path / str(seed)
        lay_out(disk.after_a_cut(fate, Chance(seed)), left)
        assert seq_in(left / name) == told, fate


def seq_in(place):
    file = MirrorFile.read(place) if place.name == "mirror.db" else Reader.open(place)
    try:
        end = file.end() if isinstance(file, MirrorFile) else file.head()
        return end.seq if end else 0
    finally:
        file.close()
