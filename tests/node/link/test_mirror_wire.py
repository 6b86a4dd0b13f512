"""A mirror over the real sockets: a box's record at its casino's node, beside letters, and what differs in the engine's inbox."""

import time
from contextlib import closing

import pysqlite3
import pytest
from msgspec.structs import replace

from controller.core.links.known import Neighbour
from controller.core.values import Broken, Side
from controller.node.book.chain import Key
from controller.node.link.links import LinkPlaces, Links, Mirrored
from controller.node.link.mirrors import mirror_of
from controller.node.store.failure import StoreFailed
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import of_this_machine
from support.edits.mirrored import Box
from support.link.node import LinkBroken, SmallNode, until

pytestmark = pytest.mark.process


class MirroredNode(SmallNode):
    """Its links mirror too; `box`: the record that it has, if it has one."""

    def __init__(self, name, folder, listen=""):
        super().__init__(name, folder, listen)
        folder.mkdir()
        self.node_key = Key.load_or_make(folder / "node.key")
        self.box = Box(folder / "node.db", self.node_key) if name == "caja1" else None

    def start(self, **addresses):
        places = LinkPlaces(self.name, self._folder, self._listen, addresses, self.key)
        mirrored = Mirrored(self.node_key, of_this_machine(), lambda: b"sealed")
        reader = (lambda: Reader.open(self.box.path)) if self.box else self.record
        say = lambda event, fields: self.said.append((event, dict(fields)))
        self.links = Links(places, reader, self.inbox.put, say, mirrored=mirrored)
        self.links.start(self.state, self.seq)
        return self

    def pin(self, neighbour, side, key):
        super().pin(neighbour, side, key)
        one = Neighbour(neighbour, side, key.hex(), inside=True)
        self.follows(lambda state: replace(state, neighbours={neighbour: one}))

    @property
    def seq(self):
        return self.box.book.seq if self.box else super().seq

    def tells(self, text):
        """A letter, told by the last of three facts."""
        self.box.play(3)
        self.tell("to:casino", text)

    def play(self, many):
        self.box.play(many)
        self.links.committed(self.state, (), self.seq)


@pytest.fixture
def casino(tmp_path):
    with MirroredNode("casino", tmp_path / "casino", "tcp://127.0.0.1:0").start() as made:
        yield made


@pytest.fixture
def box(tmp_path, casino):
    made = MirroredNode("caja1", tmp_path / "caja1")
    casino.pin("caja1", Side.BELOW, made.key.public)
    made.pin("casino", Side.ABOVE, casino.key.public)
    with made.start(casino=casino.address):
        yield made
    made.box.close()


def kept(casino):
    path = mirror_of(casino._folder, "caja1")
    if not path.exists():
        return []
    file = MirrorFile.read(path)
    try:
        return list(file.facts())
    finally:
        file.close()


def facts_of(box):
    with Reader.open(box.box.path) as reader:
        return list(reader.facts())


def test_a_record_goes_over_the_link_as_it_grows(casino, box):
    until((casino, box), lambda: kept(casino) == facts_of(box))
    box.play(700)
    until((casino, box), lambda: kept(casino) == facts_of(box))

    assert not casino.of(LinkBroken) + box.of(LinkBroken)
    assert casino.links.alive() and box.links.alive()
    raised = []
    casino.links.look(0, lambda key, alarm: raised.append((key, alarm)))
    assert not any(alarm for _, alarm in raised)


def test_a_letter_arrives_behind_the_fact_that_told_it(casino, box, monkeypatch):
    """Not by an accident of who is quicker: the mirror's disk takes its time."""

    def slow(self, *what):
        time.sleep(0.05)
        keep(self, *what)

    keep = MirrorFile.keep
    monkeypatch.setattr(MirrorFile, "keep", slow)
    until((casino, box), lambda: kept(casino) == facts_of(box))
    for number in range(12):
        box.tells(f"M{number}")
        until((casino, box), lambda last=f"M{number}": last in casino.heard.get("caja1/to:casino", []))
        assert kept(casino) == facts_of(box)
    assert not [event for event, _ in box.said if event == "link_unmirrored"]


def test_a_mirror_whose_disk_is_full_holds_up_no_letter_and_an_alarm_says_so_until_it_has_all(casino, box, monkeypatch):
    def keep(self, *what):
        if is_full:
            raise StoreFailed("espejo", "El disco está lleno.")
        kept_by_it(self, *what)

    until((casino, box), lambda: kept(casino) == facts_of(box))
    is_full, kept_by_it = [True], MirrorFile.keep
    monkeypatch.setattr(MirrorFile, "keep", keep)
    monkeypatch.setattr("controller.node.link.mirrors.AGAIN_AFTER", 100_000)
    raised = {}

    def alarm():
        box.links.look(0, raised.__setitem__)
        return " ".join(one.sentence for one in raised.values() if one is not None)

    box.tells("M0")
    until((casino, box), lambda: casino.heard.get("caja1/to:casino") == ["M0"])
    assert "El espejo de este registro en casino no está al día." in alarm()
    box.tells("M1")
    until((casino, box), lambda: casino.heard["caja1/to:casino"] == ["M0", "M1"])

    is_full.clear()
    until((casino, box), lambda: kept(casino) == facts_of(box))
    until((casino, box), lambda: not alarm())
    assert [fields["lacks"] for event, fields in box.said if event == "link_unmirrored"] == [True, False]


def test_a_record_that_was_put_back_is_an_item_for_the_engine(casino, box):
    old = box.box.copy("old.db")
    box.play(20)
    until((casino, box), lambda: kept(casino) == facts_of(box))
    box.links.stop()
    box.box.put_back(old)
    box.start(casino=casino.address)

    until((casino, box), lambda: bool(casino.of(LinkBroken)))
    (item,) = casino.of(LinkBroken)
    assert (item.neighbour, item.stream, item.why) == ("caja1", "mirror", Broken.ROLLED_BACK)
    assert item.said.number == box.box.book.seq


EDITS = (
    "UPDATE fact SET body = CAST(replace(body, 'boot', 'toob') AS BLOB) WHERE seq = 12",
    "UPDATE fact SET hash = randomblob(32) WHERE seq = 3",
    "DELETE FROM fact WHERE seq = 8",
    "DELETE FROM fact WHERE seq > 20",
)


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_while_the_box_runs_is_an_item_for_the_engine(casino, box, edit, monkeypatch):
    """As fast as a minute goes by here."""
    for module, name in (("looking", "ASKS_EVERY"), ("mirroring", "SAYS_AGAIN")):
        monkeypatch.setattr(f"controller.node.link.{module}.{name}", 300_000)
    box.play(30)
    until((casino, box), lambda: kept(casino) == facts_of(box))
    with closing(pysqlite3.connect(box.box.path, isolation_level=None)) as thief:
        for (trigger,) in thief.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            thief.execute(f"DROP TRIGGER {trigger}")
        thief.execute("PRAGMA foreign_keys = OFF")
        thief.execute(edit)

    until((casino, box), lambda: bool(casino.of(LinkBroken)))
    (item,) = casino.of(LinkBroken)
    assert (item.neighbour, item.stream) == ("caja1", "mirror")


def test_a_record_that_is_shown_no_more_is_an_alarm(casino, box, monkeypatch):
    monkeypatch.setattr("controller.node.link.looking.ASKS_EVERY", 100_000)
    monkeypatch.setattr("controller.node.link.looking.SILENT_AFTER", 300_000)
    until((casino, box), lambda: kept(casino) == facts_of(box))
    with closing(pysqlite3.connect(box.box.path, isolation_level=None)) as thief:
        thief.execute("ALTER TABLE fact RENAME TO hecho")

    raised = {}

    def shown():
        casino.links.look(0, raised.__setitem__)
        return any(alarm is not None and "no muestra su registro" in alarm.sentence for alarm in raised.values())

    until((casino, box), shown)
