"""A box's mirror between the two halves that make it: what follows is kept, what does not is named, two persons end it."""

import shutil

import pysqlite3
import pytest

from controller.core import inputs as ask
from controller.core.values import Broken, HeadLeft, Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import GENESIS, Key, read_countersigned
from controller.node.link.looking import SILENT_AFTER
from controller.node.link.mirror_feed import follows, proof
from controller.node.link.mirror_words import (
    MOST_FACTS,
    MirrorAsks,
    MirrorEscrow,
    MirrorHead,
    MirrorMark,
    MirrorProof,
    MirrorRows,
    MirrorStands,
    digest_of,
    mirror_unpacked,
)
from controller.node.link.mirroring import COUNTERSIGNED_EVERY, SAYS_AGAIN
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.mirror import KEPT_ESCROWS, Branch, MirrorFile
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.record.record import FactRow
from drivers.session import SECOND
from support.edits.mirrored import START, Box, Casino


@pytest.fixture
def key(tmp_path):
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture
def casino_key(tmp_path):
    return Key.load_or_make(tmp_path / "casino.key")


@pytest.fixture
def box(tmp_path, key):
    """A box with little to tell."""
    box = Box(tmp_path / "box.db", key)
    yield box
    box.close()


@pytest.fixture
def casino(tmp_path, casino_key):
    casino = Casino(tmp_path / "mirror.db", "caja1", casino_key)
    casino.up()
    yield casino
    casino.close()


def again(casino, tmp_path, casino_key, **how):
    """The casino's node starts anew, on what is on its disk."""
    casino.close()
    other = Casino(tmp_path / "mirror.db", "caja1", casino_key, **how)
    other.now = casino.now
    other.up()
    return other


def same(casino, box):
    with Reader.open(box.path) as reader:
        return list(reader.facts()) == list(casino.file.facts()) and list(reader.checkpoints()) == list(
            casino.file.checkpoints()
        )


def test_a_whole_chain_is_kept_as_it_is_and_goes_on_in_small_answers(box, casino, tmp_path, casino_key):
    box.play(2 * MOST_FACTS)
    assert box.told_to(casino) >= 3
    assert same(casino, box) and casino.differs == []

    box.play(3)
    casino = again(casino, tmp_path, casino_key)
    box.told_to(casino)
    assert same(casino, box) and casino.file.branches() == [Branch(1, "su primer hecho")]
    casino.close()


def test_a_signature_that_comes_after_its_fact_was_told_is_told_too(box, casino):
    box.book.take([Asked(OutcomeKey("piso", 1, 99), START + 90_000, ask.NoteClock(Signature("nadie")))])
    box.told_to(casino)
    box.book.sign()
    casino.mirroring.up(casino.now)
    box.told_to(casino)

    assert same(casino, box) and casino.file.last_signed() == box.book.seq


def test_r27_wherever_a_mirror_stops_it_has_every_signature_of_its_facts(box, casino):
    """Else a box that is made anew from it just then has a record that no auditor agrees with."""
    box.book.sign()
    box.told_to(casino)
    for epoch in (9, 12):
        box.restore(epoch=epoch)  # with a snapshot, of which one goes at a time
        for _ in range(3):
            box.play(1)
            box.book.sign()
    casino.mirroring.up(casino.now)
    with Reader.open(box.path) as reader:
        while marks := list(casino.marks()):
            for message in (said for mark in marks for said in follows(reader, mark).messages):
                casino.hear(message)
                assert casino.file.last_signed() == casino.file.end().seq, "each of its facts is signed at once"

    assert same(casino, box) and casino.differs == []


def test_r27_a_snapshot_of_a_fact_that_was_mirrored_before_keeps_no_signature_behind_it_back(box, casino):
    """A box ends in order, and starts: the snapshot is of a fact that the mirror has, the start must be signed too."""
    box.told_to(casino)
    box.book.take([Asked(OutcomeKey("piso", 1, 99), START + 90_000, ask.NoteClock(Signature("nadie")))])
    casino.mirroring.up(casino.now)
    box.told_to(casino)
    assert casino.file.last_signed() < casino.file.end().seq
    box.book.checkpoint()
    box.number = 100
    box.play(1)
    box.book.sign()
    casino.mirroring.up(casino.now)
    with Reader.open(box.path) as reader:
        while marks := list(casino.marks()):
            for message in (said for mark in marks for said in follows(reader, mark).messages):
                casino.hear(message)
            assert casino.file.last_signed() == casino.file.end().seq

    assert same(casino, box) and casino.differs == [] and casino.file.last_signed() == box.book.seq


class Answers:
    """A record of answers, each with so many facts."""

    epoch = 1

    def __init__(self, *lengths):
        asked = [number for number, length in enumerate(lengths) for _ in range(length)]
        bodies = [b'{"id":["piso",1,%d],"ask":"a","fact":{}}' % number for number in asked]
        self._rows = [FactRow(seq, 0, "x", body, b"") for seq, body in enumerate(bodies, 1)]

    def facts(self, first, last):
        return iter(self._rows[first - 1 : last])

    def checkpoints(self, _after):
        return iter(())


@pytest.mark.parametrize(
    ("lengths", "told"),
    [
        ((MOST_FACTS,), MOST_FACTS),
        ((MOST_FACTS, 1), MOST_FACTS),
        ((MOST_FACTS - 2, 3), MOST_FACTS - 2),
        ((MOST_FACTS - 2, 2, 1), MOST_FACTS),
        ((MOST_FACTS + 1,), MOST_FACTS),
    ],
)
def test_what_is_told_at_once_are_whole_answers_unless_one_is_too_long(lengths, told):
    (rows,) = follows(Answers(*lengths), MirrorMark(0, 0, GENESIS, 0)).messages
    assert len(rows.bodies) == told


def test_an_answer_that_was_lost_or_came_twice_changes_nothing(box, casino):
    (mark,) = casino.marks()
    with Reader.open(box.path) as reader:
        rows = follows(reader, mark).messages[-1]
    casino.hear(rows)
    casino.hear(rows)
    casino.hear(MirrorRows(rows.first + 50, rows.bodies[:2]))  # what comes between was lost
    box.told_to(casino)

    assert same(casino, box) and casino.differs == []


def test_a_mark_is_said_again_so_a_box_that_was_put_back_is_named_within_a_minute(box, casino):
    box.told_to(casino)
    assert list(casino.marks()) == []
    assert casino.mirroring.deadline() == SAYS_AGAIN
    casino.now = SAYS_AGAIN
    casino.mirroring.tick(casino.now, 0)

    assert len(list(casino.marks())) == 1 and SAYS_AGAIN <= 30_000_000


@pytest.mark.parametrize(("further", "why"), [(0, Broken.ROLLED_BACK), (1, Broken.FORK), (20, Broken.FORK)])
def test_a_box_that_was_put_back_is_named_also_where_it_played_on(box, casino, further, why, tmp_path, casino_key):
    old = box.copy("old.db")
    box.play(10)
    box.told_to(casino)
    kept = list(casino.file.facts())
    box.put_back(old)
    box.number += 100
    box.play(further)
    casino.mirroring.up(casino.now)
    box.told_to(casino)

    assert casino.why == [why]
    assert list(casino.file.facts()) == kept, "nothing of what was kept is lost"
    casino = again(casino, tmp_path, casino_key, is_stopped=True)
    assert list(casino.marks()) == []
    casino.close()


def test_two_persons_accept_a_box_that_was_put_back_and_what_it_had_stays_beside(box, casino, tmp_path, casino_key):
    old = box.copy("old.db")
    box.play(10)
    box.told_to(casino)
    box.put_back(old)
    ends = box.book.seq
    casino.mirroring.up(casino.now)
    box.told_to(casino)
    assert casino.why == [Broken.ROLLED_BACK]
    casino.mirroring.accept(casino.now)
    box.told_to(casino)
    assert same(casino, box)
    assert casino.file.branches()[-1] == Branch(ends + 1, "dos personas la aceptaron")

    casino = again(casino, tmp_path, casino_key)
    box.number += 100
    box.play(3)
    box.told_to(casino)
    assert same(casino, box) and casino.differs == []
    assert casino.file._ask("SELECT count(*) FROM fact WHERE branch = 1") == [(ends + 10,)]
    casino.close()


def test_two_persons_accept_a_record_that_was_written_anew(box, casino):
    old = box.copy("old.db")
    box.play(10)
    box.told_to(casino)
    box.put_back(old)
    box.number += 100
    box.play(30)
    casino.mirroring.up(casino.now)
    box.told_to(casino)
    assert casino.why == [Broken.FORK]
    casino.mirroring.accept(casino.now)
    box.told_to(casino)

    assert same(casino, box) and len(casino.file.branches()) == 2


def test_a_restore_that_says_where_the_record_had_been_goes_on_by_itself(box, casino, tmp_path, casino_key):
    old = box.copy("old.db")
    box.play(10)
    box.told_to(casino)
    end = casino.file.end()
    box.put_back(old)
    box.restore(HeadLeft(end.epoch, end.seq, end.hash.hex()))
    box.play(2)
    casino.mirroring.up(casino.now)
    box.told_to(casino)
    assert same(casino, box) and casino.differs == []
    assert casino.file.branches()[-1].why == "una restauración que dice qué dejó atrás"

    casino = again(casino, tmp_path, casino_key)
    box.play(1)
    box.told_to(casino)
    assert same(casino, box)
    casino.close()


@pytest.mark.parametrize("left", [None, "less", "other"])
def test_a_restore_that_does_not_say_it_is_named(box, casino, left):
    old = box.copy("old.db")
    box.play(10)
    box.told_to(casino)
    end = casino.file.end()
    said = {
        None: None,
        "less": HeadLeft(end.epoch, end.seq - 1, casino.file.at(end.seq - 1).hash.hex()),
        "other": HeadLeft(end.epoch, end.seq, "ab" * 32),
    }[left]
    box.put_back(old)
    box.restore(said)
    casino.mirroring.up(casino.now)
    box.told_to(casino)

    assert casino.why == [Broken.FOREIGN_EPOCH]
    assert "perdió lo que no nombra" in casino.differs[0].sentence


def test_a_restore_at_the_mirrors_own_end_lost_nothing(box, casino):
    box.told_to(casino)
    box.restore()
    casino.mirroring.up(casino.now)
    box.told_to(casino)

    assert same(casino, box) and len(casino.file.branches()) == 1


def test_a_box_founded_anew_under_its_old_name_is_never_taken(box, casino, tmp_path):
    box.told_to(casino)
    other = Box(tmp_path / "other.db", Key.load_or_make(tmp_path / "other.key"))
    other.play(20)
    for accepted in (False, True):
        if accepted:
            casino.mirroring.accept(casino.now)
        else:
            casino.mirroring.up(casino.now)
        other.told_to(casino)
        assert casino.why[-1] is Broken.FORK and "se fundó de nuevo bajo su viejo nombre" in casino.differs[-1].sentence
    other.close()
    assert len(casino.differs) == 2


def test_another_nodes_chain_is_not_the_mirror_of_this_one(casino, tmp_path, key):
    with Book.create(tmp_path / "x.db", key, "caja2", ("ana", "luis"), START).store as store:
        casino.copy(store)

    assert casino.why == [Broken.FORK] and "no funda el nodo de ese nombre" in casino.differs[0].sentence
    assert casino.file.end() is None


def test_what_is_no_fact_is_named(box, casino):
    box.told_to(casino)
    end = casino.file.end()
    restores = f'{{"seq":{end.seq + 1},"at":1,"fact":{{"kind":"node_restored","epoch":"9"}}}}'.encode()
    for body in (b"nonsense", b"\xff", b'{"seq": 99, "at": 1, "fact": {"kind": "x"}}', b"[" * 5_000, restores):
        casino.mirroring.is_stopped = False
        casino.hear(MirrorRows(end.seq + 1, (body,)))

    unread = Broken.UNKNOWN_LETTER
    assert casino.why == [unread, unread, Broken.FORK, unread, unread]
    assert casino.file.end() == end


def test_an_unknown_kind_of_a_later_program_is_copied_like_any_other(box, casino):
    box.told_to(casino)
    seq = casino.file.end().seq + 1
    casino.hear(MirrorRows(seq, (f'{{"seq":{seq},"at":1,"id":["a",1,1],"fact":{{"kind":"of_tomorrow"}}}}'.encode(),)))

    assert casino.file.end().seq == seq and casino.differs == []


def test_the_fields_of_a_fact_are_of_its_kind_whatever_they_are_called_in_others(box, casino):
    """R-27, R-28: of a claim that is left to its own house the record says `left`, and a restore says that word too; a
    later program may call anything by any name."""
    box.told_to(casino)
    seq = casino.file.end().seq + 1
    facts = ('{"kind":"claim_decided","left":"norte"}', '{"kind":"x","left":7,"epoch":"a","node":[],"key":{}}')
    bodies = (f'{{"seq":{at},"at":1,"fact":{fact}}}'.encode() for at, fact in enumerate(facts, seq))
    casino.hear(MirrorRows(seq, tuple(bodies)))

    assert casino.why == [] and casino.file.end().seq == seq + 1


def test_a_checkpoint_that_the_box_did_not_sign_or_of_other_facts_is_named(box, casino, casino_key):
    (mark,) = casino.marks()
    with Reader.open(box.path) as reader:
        rows = follows(reader, mark).messages[-1]
    seq, body, signature = rows.checkpoints[0]
    forged = [
        (seq, body, casino_key.sign(body)),
        (seq, body.replace(b'"epoch":1', b'"epoch":2'), signature),
        (seq + 1, body, signature),
    ]
    for one in forged:
        casino.mirroring.is_stopped = False
        casino.hear(MirrorRows(rows.first, rows.bodies, (one,)))

    assert casino.why == [Broken.FORK] * 3 and casino.file.end() is None


def test_an_epoch_that_is_not_newer_is_named(box, casino):
    box.told_to(casino)
    seq = casino.file.end().seq + 1
    fact = '{"kind":"node_restored","epoch":1}'
    casino.hear(MirrorRows(seq, (f'{{"seq":{seq},"at":1,"fact":{fact}}}'.encode(),)))

    assert casino.why == [Broken.FOREIGN_EPOCH]


def test_a_head_is_countersigned_every_five_minutes_of_play_and_none_in_an_idle_hour(box, casino, casino_key):
    box.told_to(casino)
    casino.now = COUNTERSIGNED_EVERY - 1
    casino.mirroring.tick(casino.now, 0)
    casino.settle()
    assert casino.file.heads() == []
    casino.now = COUNTERSIGNED_EVERY
    for _ in range(12):
        casino.now += COUNTERSIGNED_EVERY
        casino.mirroring.tick(casino.now, casino.now // 1_000)
        casino.settle()
        list(casino.marks())

    ((body, signature),) = casino.file.heads()
    said = read_countersigned(body, signature, casino_key.public)
    end = casino.file.end()
    assert (said.node, said.by, said.epoch, said.seq, said.hash) == ("caja1", "casino", 1, end.seq, end.hash.hex())
    assert casino.heads == [MirrorHead(body, signature, casino_key.public)], "the box hears of it, after the disk"
    assert read_countersigned(body + b" ", signature, casino_key.public) is None
    assert read_countersigned(body, signature, "00" * 32) is None
    box.play(1)
    casino.up()
    box.told_to(casino)
    casino.now += COUNTERSIGNED_EVERY
    casino.mirroring.tick(casino.now, 1)
    casino.settle()
    assert len(casino.file.heads()) == 2


def test_a_days_close_is_countersigned_at_once(box, casino):
    box.told_to(casino)
    seq = casino.file.end().seq + 1
    fact = '{"kind":"day_closed"}'
    casino.hear(MirrorRows(seq, (f'{{"seq":{seq},"at":1,"fact":{fact}}}'.encode(),)))

    assert len(casino.file.heads()) == 1


def test_the_newest_escrows_are_kept_and_not_more_than_one_a_second(box, casino):
    for number in range(3 * KEPT_ESCROWS):
        casino.now += 500_000
        casino.hear(MirrorEscrow(f"sealed {number}".encode()))

    kept = casino.file.escrows()
    assert len(kept) == KEPT_ESCROWS and kept[:2] == [b"sealed 34", b"sealed 32"]
    assert list(casino.marks())[-1].escrow


def test_a_link_that_is_down_says_nothing_and_what_is_not_asked_of_a_casino_is_passed_over(casino):
    list(casino.marks())
    casino.mirroring.down()
    casino.mirroring.tick(10 * SAYS_AGAIN, 0)
    for message in (MirrorMark(0, 0, GENESIS), MirrorHead(b"x", bytes(64), "00" * 32)):
        casino.hear(message)
    casino.hear(MirrorStands(1, 5, bytes(32), bytes(32)))

    assert casino.mirroring.to_send() == () and casino.differs == []


@pytest.mark.parametrize("octets", [b"", b"\x00", b"\x93\xa4mark", b"\xc1" * 99])
def test_octets_that_are_no_word_of_a_mirror_are_none(octets):
    assert mirror_unpacked(octets) is None


def test_the_database_itself_keeps_what_was_written(box, casino, tmp_path):
    box.told_to(casino)
    for statement in (
        "UPDATE fact SET at = 1 WHERE seq = 1",
        "DELETE FROM fact",
        "DELETE FROM checkpoint",
        "UPDATE branch SET first = 2",
        "INSERT INTO fact SELECT branch, seq + 2, epoch, at, kind, body, hash FROM fact WHERE seq = (SELECT max(seq) FROM fact)",
        "INSERT INTO branch VALUES (7, 1, 'x')",
        "INSERT OR REPLACE INTO checkpoint SELECT * FROM checkpoint LIMIT 1",
    ):
        file = MirrorFile.read(tmp_path / "mirror.db")
        file.close()
        shutil.copy(tmp_path / "mirror.db", tmp_path / "copy.db")
        shutil.copy(tmp_path / "mirror.db-wal", tmp_path / "copy.db-wal")
        file = MirrorFile.open(tmp_path / "copy.db")
        with pytest.raises(StoreFailed), file._session.at_risk():
            file._session.raw.execute(statement)
        for ending in ("", "-wal", "-shm", ".lock"):
            (tmp_path / f"copy.db{ending}").unlink(missing_ok=True)


def test_a_mirror_is_neither_written_over_nor_taken_for_a_record(box, casino, tmp_path):
    with pytest.raises(StoreRefused):
        MirrorFile.create(tmp_path / "mirror.db", "caja1")
    with pytest.raises(StoreRefused, match="no es el espejo"):
        MirrorFile.read(box.path)
    with pytest.raises(StoreRefused):
        Reader.open(tmp_path / "mirror.db")


def test_an_edit_in_place_of_what_was_copied_long_ago_is_found_within_a_minute(box, casino):
    """Nothing new, no start: only who looks again can see it."""
    box.play(50)
    box.told_to(casino)
    box.book.close()
    raw = pysqlite3.connect(box.path)
    ((guard,),) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'fact_no_update'").fetchall()
    raw.execute("DROP TRIGGER fact_no_update")
    raw.execute("UPDATE fact SET body = CAST(replace(body, 'boot', 'toob') AS BLOB) WHERE seq = 20")
    raw.execute(guard)
    raw.commit()
    raw.close()
    for _ in range(3):
        casino.now += SAYS_AGAIN
        casino.mirroring.tick(casino.now, 0)
        box.told_to(casino)
        with Reader.open(box.path) as reader:
            for asked in casino.asked:
                casino.hear(proof(reader, asked))
        casino.asked.clear()

    assert casino.why == [Broken.FORK] and "se editó" in casino.differs[0].sentence
    assert casino.now <= 60_000_000


def test_a_record_is_looked_at_again_stretch_by_stretch_and_from_its_beginning_again(box, casino, monkeypatch):
    monkeypatch.setattr("controller.node.link.looking.MOST_PROVEN", 20)
    box.play(45)
    box.told_to(casino)
    asked = []
    for _ in range(4):
        casino.now += SAYS_AGAIN
        casino.mirroring.tick(casino.now, 0)
        list(casino.marks())
        asked.append(casino.asked.pop())
        with Reader.open(box.path) as reader:
            casino.hear(proof(reader, asked[-1]))
    end = box.book.seq

    assert asked == [MirrorAsks(1, 20), MirrorAsks(21, 40), MirrorAsks(41, end), MirrorAsks(1, 20)]
    casino.hear(MirrorProof(1, end + 5, bytes(32)))
    casino.hear(MirrorProof(5, 1, bytes(32)))
    casino.hear(MirrorProof(1, 40, bytes(32)))
    assert casino.differs == [], "of what was not asked nothing is believed, nor held against it"


def test_a_box_that_does_not_show_its_record_is_no_liar_and_is_said_to_be_silent(box, casino):
    """R-27: it cannot be read there any more, or somebody would rather that nobody looked."""
    box.told_to(casino)
    end = casino.file.end().seq
    for second in range(0, 60, 5):
        casino.now = second * SECOND
        casino.mirroring.tick(casino.now, 1)
        assert list(casino.marks()) is not None
        assert casino.mirroring.is_silent(casino.now) is (casino.now >= SAYS_AGAIN + SILENT_AFTER)
    assert set(casino.asked) == {MirrorAsks(1, end)} and len(casino.asked) >= 2, "the same until it is answered"
    casino.hear(MirrorProof(1, 1, bytes(32)))
    assert casino.mirroring.is_silent(casino.now), "of other facts nobody asked"

    with Reader.open(box.path) as reader:
        casino.hear(proof(reader, casino.asked[-1]))
    assert not casino.mirroring.is_silent(casino.now) and casino.differs == []
    casino.mirroring.tick(casino.now + SAYS_AGAIN, 1)
    casino.mirroring.down()
    assert not casino.mirroring.is_silent(casino.now + 10 * SAYS_AGAIN), "whose link is down says nothing to anybody"


def test_what_is_no_octets_any_more_is_another_fact():
    row = FactRow(1, 1, "kind", b"body", bytes(32))
    assert digest_of([row]) != digest_of([row._replace(hash=row.hash.hex())]) != digest_of([row._replace(body=None)])
