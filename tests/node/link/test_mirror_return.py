"""A burned box takes its mirror piece by piece: whole, again after each cut, and nothing of a node that lies (R-27)."""

import hashlib
import shutil
from contextlib import closing

import pytest
from msgspec.structs import replace

from controller.core.links.known import Neighbour
from controller.core.values import Side
from controller.node.book.chain import Key
from controller.node.book.escrow import Escrow, EscrowRefused, new_code, seal, write_public
from controller.node.link.messages import MOST_MIRROR_WORD
from controller.node.link.mirror_return import NOTHING, SAID_EVERY, Returning, piece
from controller.node.link.mirror_words import (
    MOST_FACTS,
    MirrorAsks,
    MirrorEscrow,
    MirrorMark,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
    mirror_packed,
)
from controller.node.rebirth import mirror_copy
from controller.node.rebirth.mirror_copy import CopyRefused, MirrorCopy
from controller.node.store.failure import StoreRefused
from controller.node.store.mirror import MirrorFile
from support.edits.mirrored import Box, Casino
from support.link.burned import NAME, BurnedBox, pieces, what_it_has

START = MirrorMark(0, 0, bytes(32))


@pytest.fixture(scope="module")
def burned(tmp_path_factory):
    with closing(BurnedBox(tmp_path_factory.mktemp("casino"))) as box:
        yield box


@pytest.fixture
def to(tmp_path):
    return tmp_path / "node.db.fetched"


def copy_of(burned, to, codes=None):
    return closing(MirrorCopy(to, NAME, codes or burned.codes))


def test_all_that_a_box_is_made_anew_of_comes_in_small_pieces(burned, to):
    sizes = []

    def watched(mark):
        answer = burned.honest(mark)
        sizes.extend(len(mirror_packed(message)) for message in answer)
        assert sum(len(one.bodies) for one in answer if isinstance(one, MirrorRows)) <= MOST_FACTS
        return answer

    with copy_of(burned, to) as copy:
        asked = list(pieces(copy, watched))
        assert copy.end.seq == copy.last.seq and copy.signed <= copy.end.seq
    assert what_it_has(to) == what_it_has(burned.mirror)
    assert len(what_it_has(to)[2]) >= 1, "a snapshot, which nobody can compute again"
    assert len(asked) >= 900 // MOST_FACTS + 3, "with what it sealed three times"
    assert max(sizes) < MOST_MIRROR_WORD
    assert to.stat().st_mode & 0o077 == 0


def test_cut_off_after_each_piece_it_goes_on_from_there(burned, to):
    lives, asked = 0, []
    whole = False
    while not whole:
        with copy_of(burned, to) as copy:
            asked.append(copy.mark().seq)
            for _ in pieces(copy, burned.honest):
                break
            whole = copy.is_whole
        lives += 1
        assert lives < 100
    assert lives > 6 and asked == sorted(asked) and len({*asked}) >= 4, "nothing is fetched twice"
    assert what_it_has(to) == what_it_has(burned.mirror)


def test_a_whole_copy_is_whole_again_with_one_question(burned, to):
    with copy_of(burned, to) as copy:
        list(pieces(copy, burned.honest))
    with copy_of(burned, to) as copy:
        assert list(pieces(copy, burned.honest)) == [1]
    with copy_of(burned, to, (burned.codes[0], new_code())) as copy, pytest.raises(EscrowRefused, match="no abren"):
        list(pieces(copy, burned.honest))


def test_without_both_codes_not_one_fact_is_taken(burned, to):
    with copy_of(burned, to, (burned.codes[0], new_code())) as copy:
        with pytest.raises(EscrowRefused, match="no abren el depósito"):
            list(pieces(copy, burned.honest))
        assert copy.end is None


def test_a_mirror_that_ends_earlier_is_taken_and_its_end_is_known(burned, to):
    """Nobody can tell it from the whole one but by a head from elsewhere: the two hear the number."""

    def earlier(mark):
        answer = burned.honest(mark)
        if mark.seq < 300:
            answer = tuple(_shorter(one, 300 - mark.seq) for one in answer)
        elif mark.seq >= 300:
            answer = (MirrorRows(mark.seq + 1, ()), answer[-1])
        with closing(MirrorFile.read(burned.mirror)) as file:
            return (*answer[:-1], MirrorStands(*file.at(300), answer[-1].founded))

    with copy_of(burned, to) as copy:
        list(pieces(copy, earlier))
        assert copy.end.seq == 300 and copy.signed <= 300


def _shorter(message, most):
    if not isinstance(message, MirrorRows):
        return message
    last = message.first + min(most, len(message.bodies)) - 1
    signed = tuple(one for one in message.checkpoints if one[0] <= last)
    return replace(message, bodies=message.bodies[:most], checkpoints=signed)


# A node that lies.


def _rows(change):
    def lie(burned, mark):
        answer = burned.honest(mark)
        return tuple(change(one) if isinstance(one, MirrorRows) and one.bodies else one for one in answer)

    return lie


def _edited(rows):
    return replace(rows, bodies=(*rows.bodies[:-1], rows.bodies[-1].replace(b"boot", b"toob")))


def _one_left_out(rows):
    return replace(rows, bodies=(*rows.bodies[:2], *rows.bodies[3:]))


def _badly_signed(rows):
    return replace(rows, checkpoints=tuple((seq, body, bytes(64)) for seq, body, _ in rows.checkpoints))


def _without_end(mark):
    """As a real chain would go on: whoever has the code can make such facts, and nobody's signature is on them."""
    body = b'{"seq":%d,"at":1,"fact":{"kind":"node_started"}}'
    return MirrorRows(mark.seq + 1, tuple(body % (mark.seq + 1 + at) for at in range(MOST_FACTS)))


def _and_on(burned, mark):
    answer = burned.honest(mark)
    return answer if mark.seq < 200 else (_without_end(mark), replace(answer[-1], seq=2**62))


def _beyond_its_end(burned, mark):
    answer = burned.honest(mark)
    return answer if mark.seq < answer[-1].seq else (_without_end(mark), answer[-1])


def _other_end(burned, mark):
    answer = burned.honest(mark)
    return answer if mark.seq < 200 else (*answer[:-1], replace(answer[-1], seq=answer[-1].seq + 1))


def _keeps_back(burned, mark):
    answer = burned.honest(mark)
    return answer if mark.seq < 400 else answer[-1:]


def _escrows_without_end(burned, mark):
    return MirrorEscrow(hashlib.sha256(mark.escrow).digest()), burned.honest(mark)[-1]


LIES = {
    "a fact was edited": (_rows(_edited), "testigo|huella|fact|hecho"),
    "a fact was left out": (_rows(_one_left_out), "dice que es el"),
    "a signature is not the box's": (_rows(_badly_signed), "no lo firmó su llave"),
    "facts without end, that nobody signed": (_and_on, "sin fin|ahora en el"),
    "facts beyond the end that it named": (_beyond_its_end, "y manda el"),
    "another end each time": (_other_end, "y ahora en el"),
    "the last facts are kept back": (_keeps_back, "no da lo que falta"),
    "sealed texts without end": (_escrows_without_end, "no deja de mandar depósitos|no abren"),
    "no mirror": (lambda *_: (NOTHING,), "no tiene ningún espejo"),
    "a question": (lambda *_: (MirrorAsks(1, 2),), "nadie le preguntó"),
    "rows before what was sealed": (
        lambda b, m: b.honest(replace(m, seq=1, hash=b"x" * 32))[-1:],
        "no da lo que falta",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_of_a_node_that_lies_nothing_is_made(burned, to, lie, monkeypatch):
    monkeypatch.setattr(mirror_copy, "MOST_UNSIGNED", 1_000)
    says, sentence = LIES[lie]
    with copy_of(burned, to) as copy:
        with pytest.raises((CopyRefused, EscrowRefused), match=sentence):
            list(pieces(copy, lambda mark: says(burned, mark), 100))
        assert not copy.is_whole
        assert copy.end is None or copy.end.seq < 3_000


def test_unsigned_facts_are_bounded_in_octets_too(burned, to, monkeypatch):
    monkeypatch.setattr(mirror_copy, "MOST_UNSIGNED_OCTETS", 200_000)
    padding = b'{"seq":%d,"at":1,"fact":{"kind":"node_started","software":"' + b"x" * 90_000 + b'"}}'

    def says(mark):
        answer = burned.honest(mark)
        return answer if mark.seq < 200 else (MirrorRows(mark.seq + 1, (padding % (mark.seq + 1),)), answer[-1])

    with copy_of(burned, to) as copy, pytest.raises(CopyRefused, match="sin fin"):
        list(pieces(copy, says, 20))


def test_the_chain_of_another_key_is_not_taken_whoever_signed_it(burned, to, tmp_path):
    """All of it is right by itself, also what is sealed, but for whom the papers were made."""
    other = BurnedBox(tmp_path / "other", 20)
    with closing(other):
        honest = burned.honest(START)[0]
        says = lambda mark: (honest, *other.honest(mark)[1:]) if not mark.escrow else other.honest(replace(mark, seq=0))
        with copy_of(burned, to) as copy, pytest.raises((CopyRefused, EscrowRefused)):
            list(pieces(copy, says, 50))

        def of_the_other(mark):
            """The box's own sealed text, and another node's facts behind it."""
            if mark.seq == 0 and not mark.escrow:
                return burned.honest(mark)
            return other.honest(replace(mark, escrow=hashlib.sha256(other_newest(other)).digest()))

        to.unlink()
        with copy_of(burned, to) as copy, pytest.raises(CopyRefused, match="tiene otra llave"):
            list(pieces(copy, of_the_other, 50))
        assert what_it_has(to)[0] == []


def other_newest(other):
    with closing(MirrorFile.read(other.mirror)) as file:
        return file.escrows()[0]


def test_what_came_from_another_box_is_not_gone_on_with(burned, to, tmp_path):
    MirrorFile.create(to, "caja2")
    with pytest.raises(StoreRefused, match="lo que llegó de caja2"):
        MirrorCopy(to, NAME, burned.codes)
    to.unlink()
    with closing(BurnedBox(tmp_path / "other", 20)) as other:
        shutil.copy(other.mirror, to)
    with copy_of(burned, to) as copy, pytest.raises((CopyRefused, EscrowRefused)):
        list(pieces(copy, burned.honest))


# Who gives.


class Given:
    """A casino's node, as far as it gives mirrors."""

    def __init__(self, folder):
        self.sent, self.said = [], []
        place = lambda name: folder / "mirrors" / f"{name}.db"
        self.returning = Returning(place, lambda *what: self.sent.append(what), lambda *line: self.said.append(line))

    def asks(self, name, mark=START, now=0):
        self.sent.clear()
        self.returning.take(Neighbour(name, Side.BELOW, "ab" * 32, inside=True), mark, now)
        assert all(to == name for to, _ in self.sent)
        return [message for _, message in self.sent]


def test_a_box_is_given_its_own_mirror_and_no_other(burned):
    given = Given(burned.folder.parent)
    assert given.asks("caja2") == [NOTHING] and not given.said and not given.returning.alarms
    assert isinstance(given.asks(NAME)[0], MirrorEscrow)


def test_whoever_stands_elsewhere_than_the_mirror_is_given_nothing_but_its_end(burned):
    honest = burned.honest(START)[-1]
    place = MirrorMark(1, 40, hashlib.sha256(b"another chain").digest(), 40)
    assert burned.honest(place) == (honest,)
    assert burned.honest(replace(place, seq=honest.seq + 1)) == (honest,)


def test_that_it_is_given_is_said_to_everybody_and_once_a_minute_in_the_journal(burned):
    given = Given(burned.folder.parent)
    for now in range(0, SAID_EVERY, SAID_EVERY // 100):
        given.asks(NAME, now=now)
    ((event, fields),) = given.said
    assert event == "mirror_asked" and fields["neighbour"] == NAME and fields["key"].count("-") == 7
    assert "se entrega a la llave" in given.returning.alarms[NAME].sentence
    last = given.asks(NAME)[-1]
    given.asks(NAME, MirrorMark(last.epoch, last.seq, last.hash), 2 * SAID_EVERY)
    assert given.said[-1][0] == "mirror_given" and given.said[-1][1]["to_fact"] == last.seq
    given.returning.linked(NAME)
    assert given.returning.alarms[NAME] is None


def test_a_mirror_that_cannot_be_read_is_said_and_not_answered(tmp_path):
    (tmp_path / "mirrors").mkdir()
    (tmp_path / "mirrors/caja1.db").write_bytes(b"no database" * 100)
    given = Given(tmp_path)
    assert given.asks(NAME) == []
    assert "no se puede leer" in given.returning.alarms[NAME].sentence


def test_of_a_mirror_with_branches_the_chain_as_it_stands_is_given(tmp_path):
    """What two persons led elsewhere stays at the casino as evidence, and is no part of the record."""
    key = Key.load_or_make(tmp_path / "node.key")
    write_public(tmp_path, codes := (new_code(), new_code()))
    box = Box(tmp_path / "node.db", key)
    escrow = Escrow(NAME, (tmp_path / "node.key").read_bytes(), b"p", {}, {})
    sealed = seal(bytes.fromhex((tmp_path / "escrow.pub").read_text()), escrow)
    with closing(box), closing(Casino(tmp_path / "m.db", NAME, key)) as casino:
        casino.up()
        old = box.copy("old.db")
        box.play(30)
        box.told_to(casino, sealed)
        box.put_back(old)
        box.number += 100
        box.play(3)
        casino.up()
        box.told_to(casino)
        assert casino.differs
        casino.mirroring.accept(casino.now)
        box.told_to(casino)
        assert len(casino.file.branches()) == 2
        with closing(MirrorCopy(tmp_path / "to.db", NAME, codes)) as copy:
            list(pieces(copy, lambda mark: piece(casino.file, mark)))
            assert copy.end == casino.file.end()
        with closing(MirrorFile.read(tmp_path / "to.db")) as file:
            assert list(file.facts()) == list(casino.file.facts()) and len(file.branches()) == 1
            assert list(file.checkpoints()) == list(casino.file.checkpoints())


def test_a_snapshot_goes_with_the_checkpoint_that_vouches_for_it(burned):
    seen = 0
    with closing(MirrorFile.read(burned.mirror)) as file:
        ends = file.end()
        sealed = hashlib.sha256(file.escrows()[0]).digest()
        mark = replace(START, escrow=sealed)
        while mark.seq < ends.seq:
            answer = piece(file, mark)
            rows = next(one for one in answer if isinstance(one, MirrorRows))
            if isinstance(answer[0], MirrorSnapshot):
                seen += 1
                assert hashlib.sha256(answer[0].body).hexdigest().encode() in rows.checkpoints[-1][1]
            assert rows.bodies or rows.checkpoints, "each piece is something new"
            place = file.at(mark.seq + len(rows.bodies))
            signed = max([mark.signed, *(one[0] for one in rows.checkpoints)])
            mark = MirrorMark(*place, signed, sealed)
    assert seen == len(what_it_has(burned.mirror)[2]) >= 1
