"""The thread beside the mirrors: two nodes whose links are two lists, a disk that fails, a box that was put back."""

import threading
import time
from contextlib import contextmanager

import pytest

from controller.core import inputs as ask
from controller.core.facts import LetterTold, NeighbourAccepted
from controller.core.state import Neighbour, State
from controller.core.values import Broken, Mark, Side
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key, KeyRefused, read_countersigned
from controller.node.link.mirror_feed import MirrorPorts, heads_from
from controller.node.link.mirror_words import MirrorEscrow, MirrorHead, MirrorMark
from controller.node.link.mirrors import Mirrors, mirror_of
from controller.node.store.failure import StoreFailed
from controller.node.store.mirror import MirrorFile
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import of_this_machine
from drivers.session import SECOND
from support.link.pair import letter

pytestmark = pytest.mark.process
START = 1_793_491_200_000


class Node:
    """As much of a node as its mirrors need."""

    def __init__(self, folder, name, neighbour, side):
        self.folder, self.name = folder / name, name
        self.folder.mkdir()
        self.key = Key.load_or_make(self.folder / "node.key")
        self.record, self.number = self.folder / "node.db", 0
        self.book = Book.create(self.record, self.key, name, ("ana", "luis"), START)
        self.state = State(neighbours={neighbour: Neighbour(neighbour, side, "ab" * 32, inside=True, up=True)})
        self.said: list[tuple[str, dict[str, object]]] = []
        self.reported: list[tuple[str, str, Broken, Mark]] = []
        self.blob: bytes | None = b"sealed for two codes"
        self.alarms: dict[str, object] = {}
        self.other: Mirrors | None = None
        self.begin()

    def begin(self):
        ports = MirrorPorts(
            self.name, self.folder, self.key, of_this_machine(), lambda: Reader.open(self.record), self._send,
            lambda *what: self.reported.append(what), lambda: self.blob, self._mirrored,
            lambda *line: self.said.append(line),
        )  # fmt: skip
        self.sent: list[object] = []
        self.has = 0
        self.mirrors = Mirrors(ports, self.state)

    def _send(self, neighbour, message):
        assert threading.current_thread() is self.mirrors
        self.sent.append(message)
        if self.other is not None:
            self.other.heard(self.name, message)

    def _mirrored(self, _neighbour, seq):
        self.has = seq

    def play(self, many, told=()):
        """So many commits; with the last of them these letters."""
        for left in reversed(range(many)):
            self.number += 1
            asked = ask.StartNode("a" * 64, "boot")
            answers = self.book.take([Asked(OutcomeKey("piso", 1, self.number), START + self.number, asked)])
            self.mirrors.committed(self.state, (*answers[0].facts, *(() if left else told)))

    def look(self):
        self.mirrors.look(0, self.alarms.__setitem__)
        return " ".join(alarm.sentence for alarm in self.alarms.values() if alarm is not None)

    def stop(self):
        self.mirrors.stop()
        self.book.close()


@contextmanager
def linked(tmp_path):
    box, casino = Node(tmp_path, "caja1", "casino", Side.ABOVE), Node(tmp_path, "casino", "caja1", Side.BELOW)
    box.other, casino.other = casino.mirrors, box.mirrors
    try:
        box.mirrors.start()
        casino.mirrors.start()
        for node, neighbour in ((box, "casino"), (casino, "caja1")):
            node.mirrors.link(neighbour, up=True)
        yield box, casino
    finally:
        box.stop()
        casino.stop()


def until(seen, within=10.0):
    end = time.monotonic() + within
    while not (found := seen()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
    return found


def ends(casino):
    path = mirror_of(casino.folder, "caja1")
    if not path.exists():
        return 0
    file = MirrorFile.read(path)
    try:
        end = file.end()
    finally:
        file.close()
    return end.seq if end else 0


def test_a_record_is_mirrored_as_it_grows_with_its_escrow(tmp_path):
    with linked(tmp_path) as (box, casino):
        until(lambda: ends(casino) == box.book.seq)
        box.play(450)
        until(lambda: ends(casino) == box.book.seq)
        file = MirrorFile.read(mirror_of(casino.folder, "caja1"))
        assert file.escrows() == [b"sealed for two codes"]
        file.close()
        assert not any(map(bool, (box.reported, casino.reported, box.look(), casino.look())))
        assert sum(isinstance(one, MirrorEscrow) for one in box.sent) == 1


def test_a_letter_is_copied_at_once_and_how_far_the_mirror_is_is_said_with_each_mark(tmp_path, monkeypatch):
    """Nothing else is in a hurry: what no letter waits for is gathered."""
    monkeypatch.setattr("controller.node.link.mirrors._GATHERS", 3_600 * SECOND)
    with linked(tmp_path) as (box, casino):
        until(lambda: box.has == box.book.seq)
        for number in range(1, 20):
            box.play(3, told=[LetterTold("to:casino", 1, number, "", 1, letter("M1"))])
            until(lambda: box.has == box.book.seq)
        assert ends(casino) == box.book.seq


def test_a_casinos_node_hurries_for_no_letter_of_its_own(tmp_path):
    casino = Node(tmp_path, "casino", "caja1", Side.BELOW)
    casino.play(1, told=[LetterTold("pot:pozo", 1, 1, "", 1, letter("M1"))])
    assert casino.mirrors._is_new and not casino.mirrors._is_awaited
    casino.stop()


def test_a_box_that_was_put_back_is_told_to_the_engine_and_goes_on_when_two_persons_accept(tmp_path):
    with linked(tmp_path) as (box, casino):
        old = box.folder / "old.db"
        box.book.store.backup(old)
        box.play(5)
        until(lambda: ends(casino) == box.book.seq)
        box.book.close()
        box.record.unlink()
        (box.folder / "node.db-wal").unlink(missing_ok=True)
        box.record.write_bytes(old.read_bytes())
        box.mirrors.stop()
        box.book = Book.open(box.record, box.key)
        box.begin()
        box.other, casino.other = casino.mirrors, box.mirrors
        box.mirrors.start()
        for up in (False, True):
            casino.mirrors.link("caja1", up=up)

        ((neighbour, stream, why, said),) = until(lambda: casino.reported)
        assert (neighbour, stream, why, said.number) == ("caja1", "mirror", Broken.ROLLED_BACK, box.book.seq)
        assert "se cortó, o es viejo" in until(casino.look)
        accepted = NeighbourAccepted("caja1", "mirror", said, "lo vimos", "ana", "luis")
        casino.mirrors.committed(casino.state, (accepted,))
        box.number += 100
        box.play(2)
        until(lambda: ends(casino) == box.book.seq)
        until(lambda: not casino.look())


def test_a_disk_that_fails_is_an_alarm_and_the_mirror_goes_on_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.node.link.mirrors.AGAIN_AFTER", 10_000)
    monkeypatch.setattr("controller.node.link.mirrors.LATE_AFTER", 0)
    broken = {"is": True}

    def keep(self, *what):
        if broken["is"]:
            self.close()
            raise StoreFailed("espejo", "El disco está lleno.")
        return kept(self, *what)

    kept = MirrorFile.keep
    monkeypatch.setattr(MirrorFile, "keep", keep)
    with linked(tmp_path) as (box, casino):
        until(lambda: "no se guarda: El disco está lleno" in casino.look())
        broken["is"] = False
        casino.mirrors.link("caja1", up=True)
        until(lambda: ends(casino) == box.book.seq)
        until(lambda: not casino.look())


def test_a_box_without_codes_says_that_nobody_could_make_it_anew(tmp_path):
    with linked(tmp_path) as (box, casino):
        until(lambda: ends(casino) == box.book.seq)
        box.blob = None
        for node, neighbour in ((box, "casino"), (casino, "caja1")):
            node.mirrors.link(neighbour, up=False)
            node.mirrors.link(neighbour, up=True)
        until(lambda: "pozo escrow" in box.look())


def test_a_secret_that_cannot_be_read_holds_up_no_copy(tmp_path, monkeypatch):
    with linked(tmp_path) as (box, casino):

        def sealed():
            raise KeyRefused("pepper", "otros pueden leer el secreto")

        monkeypatch.setattr(box.mirrors, "_given", type(box.mirrors._given)(box.mirrors._ports._replace(sealed=sealed)))
        casino.mirrors.link("caja1", up=True)
        box.play(3)
        until(lambda: ends(casino) == box.book.seq)
        until(lambda: "no puede sellar" in box.look())


def test_a_thread_that_ended_by_a_defect_is_an_alarm_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    with linked(tmp_path) as (box, casino):
        monkeypatch.setattr(casino.mirrors, "_take", lambda *_: 1 // 0)
        casino.mirrors.link("caja1", up=True)
        until(lambda: "se detuvieron por un defecto" in casino.look())
        box.play(3)


def test_what_a_casino_countersigned_is_kept_beside_the_record(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.node.link.mirroring.COUNTERSIGNED_EVERY", 10_000)
    with linked(tmp_path) as (box, casino):
        place = heads_from(box.folder, "casino")
        until(place.exists)
        box.play(1)
        lines = until(lambda: (found := place.read_bytes().splitlines()) and len(found) == 2 and found)
        assert b'"countersigned":{"at":' in lines[0]
        (newest,) = [one for one in casino.sent if isinstance(one, MirrorHead)][-1:]
        assert read_countersigned(newest.body, newest.signature, casino.key.public).node == "caja1"


def test_who_is_not_of_this_casino_or_was_revoked_is_not_mirrored(tmp_path):
    with linked(tmp_path) as (box, casino):
        until(lambda: ends(casino) == box.book.seq)
        before = len(casino.sent)
        for neighbour in (
            Neighbour("caja1", Side.BELOW, "k"),
            Neighbour("caja1", Side.BELOW, "k", inside=True, revoked=True),
        ):
            casino.mirrors.committed(State(neighbours={"caja1": neighbour}), ())
            casino.mirrors.link("caja1", up=True)
            casino.mirrors.heard("caja1", MirrorMark(0, 0, bytes(32)))
        casino.mirrors.heard("nobody", MirrorMark(0, 0, bytes(32)))
        time.sleep(0.3)
        assert len(casino.sent) == before


def test_a_neighbour_that_never_stops_talking_fills_nothing(tmp_path):
    casino = Node(tmp_path, "casino", "caja1", Side.BELOW)
    for _ in range(10_000):
        casino.mirrors.heard("caja1", MirrorEscrow(b"x" * 1_000))
    assert len(casino.mirrors._came) < 100
    casino.stop()


def test_a_box_that_burned_is_given_its_mirror_and_everybody_is_told_until_it_is_a_node_again(tmp_path):
    with linked(tmp_path) as (box, casino):
        until(lambda: ends(casino) == box.book.seq)
        casino.mirrors.link("caja1", up=False)
        casino.mirrors.wanted("caja1", MirrorMark(0, 0, bytes(32)))
        until(lambda: "se entrega a la llave" in casino.look())
        assert until(lambda: casino.said)[0][0] == "mirror_asked"
        casino.mirrors.link("caja1", up=True)
        until(lambda: "se entrega" not in casino.look())
        before = len(casino.sent)
        for neighbour in (
            Neighbour("caja1", Side.BELOW, "ab" * 32),
            Neighbour("caja1", Side.ABOVE, "ab" * 32, inside=True),
        ):
            casino.mirrors.committed(State(neighbours={"caja1": neighbour}), ())
            casino.mirrors.wanted("caja1", MirrorMark(0, 0, bytes(32)))
        time.sleep(0.3)
        assert len(casino.sent) == before, "not to another house, and not to who is above"
