"""A box burns, is made anew on another machine as its page says, and goes on: the link and its mirror take it for the same."""

import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.core.links.known import Neighbour
from controller.core.values import Side
from controller.node.link.links import LinkPlaces, Links
from controller.node.link.mirrors import mirror_of
from controller.node.service.sealed import mirrored
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import of_this_machine
from support.link.node import LinkBroken, SmallNode, new_key, until
from support.pozo import pozo

pytestmark = pytest.mark.process

POZO = Path(sys.executable).parent / "pozo"
BOX, CASINO, PIN = "ensayo", "casino", "246810"


class MirroredNode(SmallNode):
    """A node with its folder, whose links mirror."""

    def start(self, **addresses):
        self._folder.mkdir(exist_ok=True)
        node, read = (
            SimpleNamespace(name=self.name, folder=self._folder),
            partial(Reader.open, self._folder / "node.db"),
        )
        places = LinkPlaces(self.name, self._folder, self._listen, addresses, self.key)
        how = mirrored(node, of_this_machine(), read)
        self.links = Links(places, read, self.inbox.put, lambda *_: None, mirrored=how)
        self.links.start(self.state)
        return self

    def pin(self, neighbour, side, key):
        super().pin(neighbour, side, key)
        one = Neighbour(neighbour, side, key.hex(), inside=True)
        self.follows(lambda state: replace(state, neighbours={neighbour: one}))


def kept(casino):
    path = mirror_of(casino._folder, BOX)
    if not path.exists():
        return [], 0, []
    file = MirrorFile.read(path)
    try:
        return list(file.facts()), len(file.escrows()), file.branches()
    finally:
        file.close()


def facts_of(folder):
    with Reader.open(folder / "node.db") as reader:
        return list(reader.facts())


def linked(folder, casino):
    """The box of this folder, with a key of its own, pinned at the casino's node."""
    box = MirroredNode(BOX, folder, key=new_key())
    casino.pin(BOX, Side.BELOW, box.key.public)
    box.pin(CASINO, Side.ABOVE, casino.key.public)
    return box.start(**{CASINO: casino.address})


def test_r26_a_burned_box_is_back_within_five_minutes_and_goes_on_with_its_mirror(tmp_path):
    old, new, stick = tmp_path / "old", tmp_path / "new", tmp_path / "stick.db"
    assert pozo("rehearse", old, "--passes", 400, "--days", 2, "--seed", 9)[0] == 0
    codes = re.findall(r"Código de \w+: (\S+)", pozo("escrow", old, "--by", "tito", "--second", "ana")[1])
    with MirroredNode(CASINO, tmp_path / CASINO, "tcp://127.0.0.1:0").start() as casino:
        with linked(old, casino) as box:
            until((casino, box), lambda: kept(casino)[:2] == (facts_of(old), 1))
        before = facts_of(old)

        began = time.monotonic()
        assert pozo("backup", mirror_of(casino._folder, BOX), stick)[0] == 0
        asked = ["restore", stick, new / "node.db", "--mirror", "--by", "tito", "--second", "ana", "--reason", "fuego"]
        typed = "\n".join((*codes, PIN, PIN, ""))
        done = subprocess.run([POZO, *map(str, asked)], input=typed, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with linked(new, casino) as box:
            until((casino, box), lambda: kept(casino)[0] == facts_of(new))
            assert time.monotonic() - began < 300
            assert facts_of(new)[:-1] == before and facts_of(new)[-1].kind == "node_restored"
            assert len(kept(casino)[2]) == 1, "nothing was lost, so nothing parted"
            assert casino.of(LinkBroken) == []
    assert pozo("verify", new)[1].startswith("BIEN: ")
    assert "ESPEJO BIEN" in pozo("verify", new, "--mirror", mirror_of(tmp_path / CASINO, BOX))[1]
