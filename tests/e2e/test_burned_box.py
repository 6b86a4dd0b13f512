"""A box burns, is made anew on another machine as its page says, and goes on: the link and its mirror take it for the same."""

import re
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.links.known import Neighbour
from controller.core.values import Side
from controller.node.book.book import Asked, Book, key_of
from controller.node.book.chain import Key
from controller.node.book.heads import add_newest
from controller.node.book.link_key import LinkKey
from controller.node.link.links import LinkPlaces, Links
from controller.node.link.mirrors import mirror_of
from controller.node.link.sockets import OwnKey
from controller.node.service.sealed import mirrored
from controller.node.store.mirror import MirrorFile
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import of_this_machine
from controller.node.vocabulary.fingerprint import fingerprint_of
from support.link.node import LinkBroken, SmallNode, new_key, until
from support.link.proxy import Proxy
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
        self.links.start(self.state, self.seq)
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


# The same over the link: `pozo restore CONFIG --from`.

SETTINGS = """
name = "ensayo"
folder = "new"
control = "control"
[[plan]]
file = "plan.toml"
[heads]
places = ["stick", "absent"]
[[neighbour]]
name = "casino"
side = "above"
inside = true
address = "{address}"
fingerprint = "{fingerprint}"
"""


class Burned:
    """A box that played and burned; at its casino's node the mirror, and a new key that two persons have pinned."""

    def __init__(self, place, casino, passes=400):
        self.place, self.casino, self.new, old = place, casino, place / "new", place / "old"
        assert pozo("rehearse", old, "--passes", passes, "--days", 2, "--seed", 9)[0] == 0
        self.codes = re.findall(r"Código de \w+: (\S+)", pozo("escrow", old, "--by", "tito", "--second", "ana")[1])
        with linked(old, casino) as box:
            until((casino, box), lambda: kept(casino)[:2] == (facts_of(old), 1))
        self.before, self.old = facts_of(old), old
        self.new.mkdir(mode=0o700)
        own = LinkKey.load_or_make(self.new)
        self.key = OwnKey(own.public, own.secret)
        casino.pin(BOX, Side.BELOW, own.public)
        self.dials(casino.address)

    def dials(self, address, fingerprint=""):
        fingerprint = fingerprint or fingerprint_of(self.casino.key.public.hex())
        self.config = self.place / "box.toml"
        self.config.write_text(SETTINGS.format(address=address, fingerprint=fingerprint))

    def command(self, *more, key=""):
        key = key or self.casino.key.public.hex()
        asked = ["restore", self.config, "--from", CASINO, "--neighbour-key", key, *more]
        return [POZO, *map(str, asked), "--by", "tito", "--second", "ana", "--reason", "fuego"]

    def restored(self, *more, key="", codes=()):
        typed = "\n".join((*(codes or self.codes), PIN, PIN, ""))
        done = subprocess.run(
            self.command(*more, key=key), input=typed, capture_output=True, text=True, timeout=200, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr

    @property
    def fetched(self):
        return self.new / "node.db.fetched"


@contextmanager
def burned_at(place, **how):
    with MirroredNode(CASINO, place / CASINO, "tcp://127.0.0.1:0").start() as casino:
        yield Burned(place, casino, **how)


def test_r26_killed_in_the_middle_no_record_lies_there_and_the_same_command_goes_on(tmp_path):
    with burned_at(tmp_path) as burned, Proxy(burned.casino.links.place) as cable:
        burned.dials(f"tcp://127.0.0.1:{cable.port}")
        asked = 0
        for killed in range(3):
            process = subprocess.Popen(burned.command(), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            process.stdin.write("\n".join((*burned.codes, "")))
            process.stdin.flush()
            end = time.monotonic() + 30
            while sum(map(len, cable.upwards)) < asked + 900 + 200 * killed:  # a handshake, and some questions
                assert time.monotonic() < end and process.poll() is None, sum(map(len, cable.upwards))
                time.sleep(0.0005)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            asked = sum(map(len, cable.upwards))
            left = {one.name for one in burned.new.iterdir() if not one.name.startswith("node.db.fetched")}
            assert left <= {"link.key", "link"}, "nothing that a node would start with"
        with closing(MirrorFile.read(burned.fetched)) as file:
            assert 0 < file.end().seq < len(burned.before)
        code, said = burned.restored()
        assert code == 0, said
        assert f"hasta el hecho {len(burned.before)}, " in said
    after = facts_of(burned.new)
    assert after[:-1] == burned.before and after[-1].kind == "node_restored"
    assert not burned.fetched.exists()
    assert pozo("verify", burned.new)[1].startswith("BIEN: ")


def test_what_the_two_are_told_before_they_sign_and_what_cannot_be(tmp_path):
    """The end, what nobody signed, and what a head on a stick knows more, in numbers."""
    with burned_at(tmp_path, passes=60) as burned:
        (tmp_path / "stick").mkdir()
        (tmp_path / "stick/ensayo.heads").write_bytes(heads_after(burned.old, 0))
        for more, words in (
            ({"key": "ab" * 32}, "no es la de esta llave"),
            ({"key": "zz"}, "ni 64 cifras"),
            ({"codes": (burned.codes[0], "AAAA-AAAA-AAAA-AAAA")}, "letra por letra"),
            ({"codes": (burned.codes[0], burned.codes[0])}, "no abren el depósito"),
        ):
            code, said = burned.restored(**more)
            assert code == 1 and words in said, said
            assert not (burned.new / "node.db").exists()
        assert burned.restored("--mirror")[0] == 2 and burned.restored("--new-pins")[0] == 2
        code, said = burned.restored("--heads", tmp_path / "stick")
        assert code == 0, said
        last = len(burned.before)
        assert f"Espejo en casino: hasta el hecho {last}" in said and "absent: no está" in said
        assert "A este espejo le falta" not in said, "no head knows more"
        code, said = burned.restored()
        assert code == 1 and "ya hay un archivo con este nombre" in said


def test_a_mirror_that_a_head_on_a_stick_contradicts_is_told_in_numbers_and_stands_on_record(tmp_path):
    """The casino's node gives less than the box once signed: the two may sign, and both numbers stand there for ever."""
    with burned_at(tmp_path, passes=60) as burned:
        (tmp_path / "stick").mkdir()
        (tmp_path / "stick/ensayo.heads").write_bytes(heads_after(burned.old, 7))
        code, said = burned.restored()
        assert code == 0, said
        last = len(burned.before)
        assert f"un testigo firmado llega al hecho {last + 7}" in said and f"el espejo al {last} " in said
    left = re.search(rb'"left":\{[^}]*"seq":(\d+)', facts_of(burned.new)[-1].body)
    assert int(left[1]) == last + 7


def heads_after(folder, more):
    """Of its last fact, after so many more that no mirror has."""
    key = Key.load_or_make(key_of(folder))
    book = Book.open(folder / "node.db", key)
    for number in range(more):
        book.take(
            [Asked(OutcomeKey("piso", 1, number), book.state.clock + 1, ask.StartNode("a" * 64, f"boot {number}"))]
        )
    book.checkpoint()
    book.close()
    with Reader.open(folder / "node.db") as reader:
        add_newest(reader, folder / "node.heads", key.public)
    return (folder / "node.heads").read_bytes()
