"""A node comes back from its mirror, or from a backup, and the machine dies meanwhile: nothing, or all of it, is there.

The command is recorded at its system calls (foreign/powerloss.c), and cut at each of them: as one that is killed, and as
one whose power goes. What is left is no record, and asked again the command makes the same one as if nothing had been;
or it is the whole one, with two persons' names and a new epoch, and nobody writes over it. Never is there a record that
a node would go on with under its old epoch (R-26).
"""

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from conftest import CAMPAIGN

from controller.node.book.chain import Key
from controller.node.book.remake import Remaking, come_back_from_mirror
from controller.node.book.restore import Restoring, restore
from controller.node.service.sealed import Sealer
from controller.node.store.failure import StoreRefused
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Pin
from controller.record.record import FactRow
from support.edits.mirrored import mirrored
from support.node.node_process import POZO
from support.pozo import pozo
from support.record.verifying import verify
from support.store.power_record import Step, recorded, steps_of
from support.store.power_replay import FATES, Disk, lay_out

pytestmark = pytest.mark.process

SEED, PIN = 15, "246810"
BY = Pin("tito", PIN), Pin("ana", PIN)
REASON, AT = "se quemó la caja", 1_793_900_000_000
CUTS = 3  # so many of all steps, in the short form


class Burned(NamedTuple):
    """Where it was; what its neighbour and its cupboard have of it."""

    folder: Path
    mirror: Path
    backup: Path
    codes: tuple[str, str]


@pytest.fixture(scope="module")
def burned(tmp_path_factory):
    folder, away = tmp_path_factory.mktemp("box") / "box", tmp_path_factory.mktemp("away")
    assert pozo("rehearse", folder, "--passes", 40, "--days", 1, "--seed", 7)[0] == 0
    codes = tuple(re.findall(r"Código de \w+: (\S+)", pozo("escrow", folder, "--by", "tito", "--second", "ana")[1]))
    sealed = Sealer(SimpleNamespace(name="ensayo", folder=folder), lambda: Reader.open(folder / "node.db"))()
    mirror = mirrored(folder / "node.db", away / "ensayo.db", sealed)
    assert pozo("backup", folder / "node.db", away / "copy.db")[0] == 0
    return Burned(folder, mirror, away / "copy.db", codes)


class FromMirror:
    """On a new machine, with what the neighbour has."""

    def __init__(self, burned):
        self.burned = burned
        self.words, self.typed = (burned.mirror, "--mirror"), (*burned.codes, PIN, PIN)

    def begin(self, folder):
        folder.mkdir()

    def again(self, to):
        come_back_from_mirror(Remaking(self.burned.mirror, to, self.burned.codes, BY, REASON, AT))


class FromBackup:
    """On a machine that lost its record, and has the key and the pepper yet."""

    def __init__(self, burned):
        self.burned = burned
        self.words, self.typed = (burned.backup,), (PIN, PIN)

    def begin(self, folder):
        folder.mkdir()
        for name in ("node.key", "pepper"):
            shutil.copy(self.burned.folder / name, folder)

    def again(self, to):
        key, pepper = Key.load_or_make(to.parent / "node.key"), to.parent / "pepper"
        restore(Restoring(self.burned.backup, to, key, pepper, BY, REASON, AT))


class Recorded(NamedTuple):
    """A restore that nobody interrupted."""

    folder: Path
    base: Path
    steps: list[Step]
    facts: list[FactRow]


def recorded_run(how, place):
    """The command itself, as two persons type it."""
    folder, base = place / "new", place / "base"
    how.begin(folder)
    shutil.copytree(folder, base)
    asked = ["restore", how.words[0], folder / "node.db", *how.words[1:], "--reason", REASON]
    if "--mirror" not in asked:
        asked += ["--key", folder / "node.key"]
    for option, pin in zip(("--by", "--second"), BY, strict=True):
        asked += [option, pin.person]
    done = subprocess.run(
        [POZO, *map(str, asked)], input="\n".join((*how.typed, "")), capture_output=True, text=True, check=False,
        env=dict(recorded(folder, place / "steps")), timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with Reader.open(folder / "node.db") as reader:
        return Recorded(folder, base, list(steps_of(place / "steps")), list(reader.facts()))


@pytest.mark.campaign
@pytest.mark.parametrize("way", [FromMirror, FromBackup])
def test_r26_a_restore_that_is_cut_is_done_or_not_and_done_again_it_is_the_same(way, burned, tmp_path, capsys):
    how, chance, seen = way(burned), random.Random(SEED), Counter()
    whole = recorded_run(how, tmp_path)
    disk, done = Disk(whole.folder, whole.base), 0
    cuts = range(len(whole.steps) + 1)
    with disks_in(tmp_path) as into:
        for place in cuts if CAMPAIGN else sorted(chance.sample(cuts, CUTS)):
            for step in whole.steps[done:place]:
                disk.follow(step)
            done = place
            for fate in ("kept", chance.choice(FATES)):  # as one that is killed leaves it; and without power
                folder = Path(into) / f"{place}-{fate}"
                shutil.rmtree(folder, ignore_errors=True)
                lay_out(disk.after_a_cut(fate, chance), folder)
                seen[judged(how, folder, whole)] += 1
                shutil.rmtree(folder)
    if CAMPAIGN:
        with capsys.disabled():
            print(f"\n{way.__name__}: {len(whole.steps)} steps, {dict(seen)}", file=sys.stderr)
    assert seen["none"] and (seen["whole"] or not CAMPAIGN)


def judged(how, folder, whole):
    """What was left, and what came of it."""
    to = folder / "node.db"
    left = to.exists()
    if left:
        before = to.read_bytes()
        with pytest.raises(StoreRefused):
            how.again(to)
        assert to.read_bytes() == before, "nobody writes over it"
    else:
        how.again(to)
    with Reader.open(to) as reader:
        facts = list(reader.facts())
        assert facts[:-1] == whole.facts[:-1] and facts[-1].kind == "node_restored", "whole, under a new epoch"
        assert b'"left":{' not in facts[-1].body, "nothing is said to be lost that is not"
        assert verify(reader, None, lambda _: None).wrong is None
    for name in ("node.key", "pepper"):
        assert (folder / name).read_bytes() == (how.burned.folder / name).read_bytes()
    named = {path.name for path in folder.iterdir()} - {path.name for path in whole.folder.iterdir()}
    assert not {name for name in named if name.startswith("node.db") and not left}, named
    return "whole" if left else "none"


def disks_in(tmp_path):
    """Where the replayed disks lie: in memory, if there is such a place."""
    memory = Path("/dev/shm")  # noqa: S108  a folder of its own below it
    return TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path)
